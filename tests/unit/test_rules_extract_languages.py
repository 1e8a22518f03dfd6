"""Everyday statements in Spanish, German, French, Chinese, Portuguese and Italian, and what must teach nothing."""

from __future__ import annotations

import pytest

from tests.unit.rules_harness import Talk, facts

# (sentence, one fact that it must give)
STATED = [
    ("me llamo lorena y curro de cajera en un súper", ("user", "job", "cajera")),
    ("llevo dos años viviendo en Vigo", ("user", "home", "Vigo")),
    ("nos acabamos de mudar a Huesca", ("user", "home", "Huesca")),
    ("tengo dos hijas, Olga de 9 años y Rita de 6", ("Olga", "age", "9 años")),
    ("mi hermano Dani es alérgico al polen", ("Dani", "allergy", "polen")),
    ("tengo una perra llamada Canela", ("user", "dog", "Canela")),
    ("soy alergico a las fresas y al latex", ("user", "allergy", "latex")),
    ("el 3 de junio es mi cumple", ("user", "birthday", "3 de junio")),
    ("tengo cita con el podólogo el viernes a las 9", ("cita con el podólogo", "appointment", "el viernes a las 9")),
    ("mi suegra vive en Lugo", ("mother_in_law", "home", "Lugo")),
    ("hola, ich wohn jetzt in Jena", ("user", "home", "Jena")),
    ("moin, bin Erzieherin und hab heute frei", ("user", "job", "Erzieherin")),
    ("wir sind im März nach Ulm gezogen", ("user", "home", "Ulm")),
    ("wir haben zwei Söhne: Tim (9) und Nils (4)", ("Nils", "age", "4")),
    ("gegen Wespen bin ich allergisch", ("user", "allergy", "Wespen")),
    ("ich hab ne Nussallergie", ("user", "allergy", "Nuss")),
    ("Spinat kann ich nicht ausstehen", ("user", "dislikes", "Spinat")),
    ("mein Opa ist 91 und lebt in Celle", ("grandfather", "home", "Celle")),
    ("am Freitag um 8 hab ich eine Prüfung", ("Prüfung", "appointment", "am Freitag um 8")),
    ("nenn mich bitte Lotti", ("user", "nickname", "Lotti")),
    ("moi c'est Aline, j'habite à Tours", ("user", "name", "Aline")),
    ("chuis boulanger à Pau", ("user", "job", "boulanger")),
    ("on vient d'emménager à Brest", ("user", "home", "Brest")),
    ("on a un chien, Filou, il a 2 ans", ("Filou", "age", "2 ans")),
    ("les kiwis, j'y suis allergique", ("user", "allergy", "kiwis")),
    ("jaime pas du tout les épinards", ("user", "dislikes", "épinards")),
    ("j'ai rdv chez le kiné mardi à 14h", ("rdv chez le kiné", "appointment", "mardi à 14h")),
    ("ma mère a 66 ans et vit au Portugal", ("mother", "home", "Portugal")),
    ("我是赵敏，在沈阳做会计", ("user", "name", "赵敏")),
    ("我不住在武汉了，现在住在长沙", ("user", "home", "长沙")),
    ("我儿子对牛奶过敏", ("son", "allergy", "牛奶")),
    ("我养了一只兔子，叫雪球", ("user", "rabbit", "雪球")),
    ("我后天下午要去看医生", ("看医生", "appointment", "后天下午")),
    ("我不吃羊肉，平时也不吃香菜", ("user", "avoids", "羊肉")),
    ("moro em Natal e sou enfermeiro", ("user", "job", "enfermeiro")),
    ("tenho um gato chamado Tico", ("user", "cat", "Tico")),
    ("mi sono appena trasferita a Lecce", ("user", "home", "Lecce")),
    ("ho un cane di nome Birba", ("user", "dog", "Birba")),
]


@pytest.mark.parametrize(("text", "expected"), STATED, ids=[text for text, _ in STATED])
def test_reads_everyday_statements(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in facts(text)


CORRECTED = [
    (["vivo en Soria", "ya no vivo en Soria, ahora vivo en Burgos"], "home", "Burgos"),
    (["ich wohne in Hof", "ich wohne nicht mehr in Hof, sondern in Gera"], "home", "Gera"),
    (["j'habite à Metz", "en fait j'habite plus à Metz mais à Nancy"], "home", "Nancy"),
    (["我住在南京", "我不是住在南京，是住在无锡"], "home", "无锡"),
]


@pytest.mark.parametrize(("said", "attribute", "value"), CORRECTED, ids=[value for _, _, value in CORRECTED])
def test_a_correction_replaces_what_was_said(said: list[str], attribute: str, value: str) -> None:
    talk = Talk()
    for words in said:
        talk.say(words)
    assert {held for subject, slot, held in talk.holds() if (subject, slot) == ("user", attribute)} == {value}


SILENT = [
    "¿Me recomiendas un hotel en Cuenca?",
    "Si viviera en Roma, comería pasta cada día",
    "Tradúceme esto: me llamo Ana y vivo en Lima",
    "mi personaje se llama Kora y vive en una cueva",
    "estoy cansado",
    "tengo una pregunta",
    "Wenn ich in Rom wohnen würde, hätte ich einen Hund",
    "Schreib mir ein Gedicht über den Winter",
    "Die Hauptfigur heißt Ada und lebt im Moor",
    "ich habe Hunger",
    "Vielleicht ziehe ich irgendwann nach Prag",
    "Si j'habitais à Rome, j'aurais un chat",
    "Écris-moi une lettre pour mon voisin",
    "je suis fatigué",
    "mdr oui, et moi je suis le roi",
    "如果我住在海边，我会学游泳",
    "请翻译：我叫小红，住在巴黎",
    "小说的主人公叫阿龙，住在山里",
    "我有一个问题",
    "Se eu morasse em Roma, teria um gato",
    "Se vivessi a Parigi, avrei un cane",
]


@pytest.mark.parametrize("text", SILENT)
def test_learns_nothing_from_questions_wishes_fiction_and_moods(text: str) -> None:
    assert facts(text) == []
