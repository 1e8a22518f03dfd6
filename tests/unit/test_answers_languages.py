"""Questions in Spanish, German, French and Chinese on facts told in the same or in another language."""

from __future__ import annotations

import pytest

from core.llm.answers import RulesResponder
from core.llm.answers.accents import with_accents
from core.model import Hit, Memory
from core.ports import ReplyContext
from core.slots import normalise
from tests.unit.rules_harness import Talk

TOLD = {
    "es": [
        "me llamo Lorena y vivo en Vigo",
        "soy cajera",
        "soy alérgica a las fresas",
        "mi hija se llama Rita y tiene seis años",
    ],
    "de": [
        "ich heiße Nils und wohne in Jena",
        "ich bin Erzieher",
        "ich bin allergisch gegen Wespen",
        "meine Tochter heißt Ida und ist sechs Jahre alt",
    ],
    "fr": [
        "moi c'est Aline, j'habite à Tours",
        "je suis boulangère",
        "je suis allergique aux kiwis",
        "ma fille s'appelle Lise et elle a six ans",
    ],
    "zh": ["我叫赵敏，住在沈阳", "我是会计", "我对牛奶过敏", "我女儿叫小月，今年六岁"],
}
ASKED = [
    ("es", "donde vivo?", "Vigo"),
    ("es", "como me llamo", "Lorena"),
    ("es", "¿A qué me dedico?", "cajera"),
    ("es", "¿A qué soy alérgica?", "fresas"),
    ("es", "¿Cuántos años tiene mi hija?", "seis"),
    ("es", "¿Cómo se llama mi abuela?", "No lo sé"),
    ("es", "¿Cuándo cumplo años?", "No lo sé"),
    ("de", "wo wohne ich", "Jena"),
    ("de", "Was bin ich von Beruf?", "Erzieher"),
    ("de", "Wogegen bin ich allergisch?", "Wespen"),
    ("de", "Wie alt ist meine Tochter?", "sechs"),
    ("de", "Wie lautet meine Handynummer?", "weiß ich nicht"),
    ("fr", "j'habite où ?", "Tours"),
    ("fr", "Je fais quoi dans la vie ?", "boulangère"),
    ("fr", "Je suis allergique à quoi ?", "kiwis"),
    ("fr", "Quel âge a ma fille ?", "six"),
    ("fr", "Combien je pèse ?", "ne sais pas"),
    ("zh", "我住在哪里？", "沈阳"),
    ("zh", "我是干什么的？", "会计"),
    ("zh", "我对什么过敏？", "牛奶"),
    ("zh", "我女儿几岁？", "六"),
    ("zh", "我多高？", "不知道"),
    ("es", "Where do I live?", "Vigo"),
    ("de", "What am I allergic to?", "Wespen"),
    ("fr", "How old is my daughter?", "six"),
    ("zh", "What's my job?", "会计"),
    ("fr", "Wo wohne ich?", "Tours"),
    ("de", "¿Dónde vivo?", "Jena"),
    ("zh", "What is my blood type?", "don't know"),
]


class Store:
    """The lookup over what a talk left in memory."""

    def __init__(self, memories: list[Memory]) -> None:
        self.memories = memories

    def by_slot(self, scope, *, subject, attributes, limit=20):
        del scope
        return [
            m
            for m in self.memories
            if m.attribute in attributes and (subject is None or normalise(m.subject) == normalise(subject))
        ][:limit]

    def about(self, scope, *, subject, limit=20):
        del scope
        return [m for m in self.memories if normalise(m.subject) == normalise(subject)][:limit]


def reply(sentences: list[str], question: str) -> str:
    talk = Talk()
    for sentence in sentences:
        talk.say(sentence)
    memories = list(talk.store.known(talk.at))
    hits = tuple(
        Hit(
            memory=m,
            score=0.4,
            relevance=0.4,
            freshness=1.0,
            cosine=0.35,
            lexical=0.0,
            coverage=0.5,
            age_days=1.0,
            composite_trust=1.0,
        )
        for m in memories
    )
    context = ReplyContext(now=talk.at, scope=memories[0].scope, hits=hits)
    return RulesResponder().reply(question, context, Store(memories)).text


@pytest.mark.parametrize(("told", "question", "expected"), ASKED, ids=[f"{told}: {q}" for told, q, _ in ASKED])
def test_answers_in_the_language_of_the_question(told: str, question: str, expected: str) -> None:
    assert expected in reply(TOLD[told], question)


def test_a_list_told_in_one_sentence_is_retold_whole() -> None:
    said = reply(["I'm allergic to latex and kiwi"], "¿A qué soy alérgica?")
    assert "latex" in said
    assert "kiwi" in said


def test_accents_are_restored_only_where_a_question_word_opens_a_spanish_question() -> None:
    assert with_accents("en que ciudad vivo", "es") == "en qué ciudad vivo"
    assert with_accents("como carne?", "es") == "como carne?"
    assert with_accents("que fais-tu", "fr") == "que fais-tu"
