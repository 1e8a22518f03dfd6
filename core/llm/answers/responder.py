"""Answers without a model: acknowledges what was learned, answers from facts with citations, says what is unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.llm.answers import courtesy, question
from core.llm.answers.acknowledge import Acknowledged, acknowledge
from core.llm.answers.ask import Ask
from core.llm.answers.asked import LABELS
from core.llm.answers.attached import from_attachments, points_at_attachment
from core.llm.answers.choose import Chooser
from core.llm.answers.chosen import Chosen
from core.llm.answers.compose import Composer
from core.llm.answers.doubt import in_doubt
from core.llm.answers.facts import Pool
from core.llm.answers.grammar import Want
from core.llm.answers.phrases import say
from core.llm.answers.words import clean, is_chinese, language_of, tokens
from core.model import Hit, MemoryKind
from core.ports import Doubt, FactLookup, Reply, ReplyContext

HEEDED = 0.5  # share of the question's telling words that a lesson has where it goes before the answer
MOST_LESSONS = 2
_LANGUAGES = ("en", "es", "de", "fr", "zh")


class RulesResponder:
    """Implements `core.ports.Responder`: pure but for the lookup, the same message and facts give the same answer."""

    def reply(self, message: str, context: ReplyContext, lookup: FactLookup) -> Reply:
        """Answer one message.

        1. acknowledge what the gate decides about it; 2. answer its questions from memory, then from this
        conversation's attachments; 3. say what is unknown, and how many matching statements wait for review;
        4. failing all that, reply to a greeting or say what cannot be done without a model.
        """
        text = clean(message)
        language = language_of(text, default=_spoken_before(context))
        if not text:
            return Reply(text=say("empty", language))
        sentences = question.sentences(text)
        forgetting = any(courtesy.is_forgetting(s) for s in sentences)
        commands = [s for s in sentences if courtesy.is_command(s)]
        learned = acknowledge(context.learned, language, forgetting=forgetting)
        short = courtesy.courtesy(text)
        if short and not learned.text:
            return Reply(text=say(short, language))
        if courtesy.asks_about_self(text) and not learned.text:
            return Reply(text=say("self", language))
        asked = "\n".join(s for s in sentences if s not in commands and not courtesy.is_forgetting(s))
        asks = [] if forgetting else _asks(asked, language, context)
        if not asks:
            return Reply(text=_without_question(text, language, learned, command=bool(commands), forgetting=forgetting))
        composer = Composer(context.now)
        answers = _Answering(composer, Chooser(Pool(context.hits), lookup, context.scope), context).all(asks)
        if commands:
            answers.append(say("no_model", language))
        warned = _lessons(context.hits, composer, asks[0].language)
        said = [learned.text] if learned.text else []
        said += warned
        return Reply(
            text=" ".join([*said, *answers]).strip() or say("confused", language),
            cited=tuple(composer.cited),
            asked=True,
        )

    def asking(self, message: str, context: ReplyContext, reply: Reply, doubt: Doubt) -> Reply:
        """End the answer with the question that a doubt asks for, in the language of the message."""
        return in_doubt(reply, doubt, language_of(clean(message), default=_spoken_before(context)))


def _lessons(hits: Sequence[Hit], composer: Composer, language: str) -> list[str]:
    """The lessons that hold most words of the question and are not in the answer: they go before it (rules §2.1)."""
    told = {memory.memory_id for memory in composer.cited}
    fitting = [
        fact
        for fact in Pool(tuple(hit for hit in hits if hit.coverage >= HEEDED)).facts
        if fact.memory.kind is MemoryKind.LESSON and fact.memory.memory_id not in told
    ]
    return [composer.lesson(fact, language) for fact in fitting[:MOST_LESSONS]]


def _spoken_before(context: ReplyContext) -> str:
    for turn in reversed(context.recent[-6:]):
        if turn.role == "user" and turn.text.strip():
            return language_of(clean(turn.text))
    return "en"


def _asks(text: str, language: str, context: ReplyContext) -> list[Ask]:
    """The questions of the message; a bare "and my phone number?" or "and hers?" leans on the turn before."""
    asks = question.questions(text, language)
    if not asks and len(tokens(text)) <= 6 and question.is_fragment(text):  # noqa: PLR2004 - "and my phone number"
        asks = [question.analyse(text, language)]
    if asks and (asks[0].fragment or asks[0].pronoun or question.refers(asks[0].clause)):
        earlier: Ask | None = None
        for turn in [t for t in context.recent[-6:] if t.role == "user"]:
            for ask in question.questions(clean(turn.text), language):
                earlier = question.inherit(ask, earlier) if earlier else ask
        if earlier:
            asks[0] = question.inherit(asks[0], earlier)
    full = [a for a in asks if a.terms or a.chain or a.topic or a.eats]
    return full or asks


class _Answering:
    """Answers to the questions of one message: one run of sentences, the unknown said once at the end."""

    def __init__(self, composer: Composer, chooser: Chooser, context: ReplyContext) -> None:
        self._composer, self._chooser, self._context = composer, chooser, context
        self._said: list[str] = []
        self._plain: list[tuple[Ask, Chosen]] = []  # plain answers not yet written: neighbours are joined
        self._unknown: list[Ask] = []
        self._told: set[str] = set()

    def all(self, asks: Sequence[Ask]) -> list[str]:
        """The sentences that answer `asks`, in order."""
        for ask in asks:
            if points_at_attachment(ask.clause) and self._quote(ask):
                continue
            for part, chosen in _chosen(ask, self._chooser):
                self._one(part, chosen)
        self._settle()
        if self._unknown:
            self._said.append(_unknown(self._unknown, asks, some=bool(self._said)))
            if self._context.withheld > 0:
                key = "withheld_one" if self._context.withheld == 1 else "withheld_many"
                self._said.append(say(key, asks[0].language, n=self._context.withheld))
        return self._said

    def _one(self, ask: Ask, chosen: Chosen) -> None:
        if chosen.found:
            ids = {f.memory.memory_id for f in chosen.facts}
            if ids <= self._told:  # two questions, one sentence
                return
            self._told |= ids
            if _is_plain(ask, chosen):
                self._plain.append((ask, chosen))
                return
            self._settle()
            self._said.append(self._composer.answer(ask, chosen))
        elif not self._quote(ask):
            near = Chosen() if chosen.nearby else self._chooser.nearest(ask)
            if near.found:
                self._one(ask, near)
            elif chosen.nearby:
                key = "no_limit" if ask.eats else "unknown_beside"
                self._said.append(say(key, ask.language) + " " + self._composer.nearby(chosen.nearby, ask.language))
            else:
                self._unknown.append(ask)

    def _quote(self, ask: Ask) -> bool:
        quoted = from_attachments(ask, self._context.attached, self._context.scope)
        if quoted:
            self._said.append(quoted)
        return bool(quoted)

    def _settle(self) -> None:
        if self._plain:
            self._said.append(self._composer.together(self._plain))
            self._plain.clear()


def _is_plain(ask: Ask, chosen: Chosen) -> bool:
    """Whether the answer is the facts and nothing more: no yes or no, no count, no comparison, no quotation."""
    return (
        chosen.verdict is None
        and chosen.count is None
        and not (chosen.event or chosen.aged or ask.compares or ask.eats)
    )


def _chosen(ask: Ask, chooser: Chooser) -> list[tuple[Ask, Chosen]]:
    """The facts for a question, taken apart at "and" when the whole has no answer but its halves do."""
    whole = chooser.choose(ask)
    if whole.found:
        return [(ask, whole)]
    parts = [(half, chooser.choose(half)) for half in question.halves(ask)]
    return parts if any(chosen.found for _, chosen in parts) else [(ask, whole)]


def _unknown(unknown: Sequence[Ask], asks: Sequence[Ask], *, some: bool) -> str:
    language = asks[0].language
    label = _label(unknown[0]) if len(unknown) == 1 else ""
    if some:
        return say("unknown_again", language, label=label) if label else say("unknown_rest", language)
    if unknown[0].topic == "me":
        return say("unknown_me", language)
    if label:
        return say("unknown_label", language, label=label)
    personal = question.is_personal(unknown)
    return say(
        "unknown" if personal or not any(courtesy.asks_the_world(a.clause) for a in unknown) else "unknown_world",
        language,
    )


def _label(ask: Ask) -> str:
    """What is missing, named by its slot ("your blood type"); empty unless the whole question is that slot."""
    hard = [t for t in ask.terms if not t.soft]
    column = _LANGUAGES.index(ask.language)
    if ask.only_relation and column == 0 and not ask.polar and ask.want in (Want.ANY, Want.WHO) and len(ask.chain) == 1:
        word = ask.chain[0].word.removeprefix("§")
        return f"your {_spelt(word)}'s name" if ask.mine and not word.endswith("s") else ""
    if len(hard) != 1 or ask.either or ask.polar:
        return ""
    meaning = next((m for m in sorted(hard[0].meanings) if m in LABELS), "")
    if not meaning or (ask.chain and column) or not (ask.mine or ask.chain):
        return ""
    if ask.want in (Want.CLOCK, Want.YEAR, Want.WHY, Want.COUNT, Want.LENGTH):
        return ""
    owner = "your "
    if ask.chain:
        owner = "your " + " ".join(_genitive(_spelt(t.word)) for t in ask.chain) + " "
    return owner + LABELS[meaning][0] if column == 0 else LABELS[meaning][column]


def _spelt(word: str) -> str:
    """A relation as it is written: "motherinlaw" is "mother-in-law"."""
    return re.sub(r"inlaw$", "-in-law", word.casefold().removeprefix("§"))


def _genitive(word: str) -> str:
    return word + ("'" if word.endswith("s") else "'s")


def _without_question(text: str, language: str, learned: Acknowledged, *, command: bool, forgetting: bool) -> str:
    """The reply to a message that asks nothing of memory."""
    if learned.text:
        return learned.text + (" " + say("no_model", language) if command else "")
    if forgetting:
        return say("nothing_to_forget", language)
    if command:
        return say("no_model", language)
    if not tokens(text) or courtesy.is_acceptance(text):
        return say("ok", language)
    if learned.words_kept:
        return say("kept_words", language)
    long_enough = len(tokens(text)) > 3 or (is_chinese(text) and len(text) > 6)  # noqa: PLR2004 - a statement, not a word
    return say("nothing_new" if long_enough else "confused", language)
