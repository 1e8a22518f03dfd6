"""Forms of Italian."""

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.phrases import PERSON, by_word


def _c(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_V = r"(?P<v>[^.;!?\n]+)"


_N = rf"(?P<v>{PERSON})"


_JOB_NOT = (
    r"(?!de\b|d'|del\b|al[eé]rg|vegan|vegetarian|muy|tan|très|molto|muito|allerg|così|de acuerdo|da\b|"
    "italian|frances|español|d'accord|content|désolé|ravi|sûr|prêt|en train|en|à|au|né|née|celíac|"
    "diab|pas|trop|si|seguro|feliz|contento|felice|sicuro|stato|stata|daccordo|d'accordo|intolér|"
    "intoler|alérgic|casad|solter|marié|sposat|mãe|pai|padre|madre|père|mère)"
)


ITALIAN: dict[str, Any] = {
    "code": "it",
    "telling": _c(
        r"\b(?:il|lo|gli|di|che|e|è|sono|mi|mio|mia|con|una|per|non|ho|vivo|abito|lavoro|del|della|ma|"
        r"anche|da|nel|anni|ciao|sto|piace)\b"
    ),
    "certain": _c(
        r"\b(?:mi chiamo|vivo a|abito a|lavoro come|mi piac\w+|sono allergic\w|il mio|la mia|odio|ho \d+ "
        r"anni|faccio (?:il|la|l')|sono (?:un|una)|parlo)\b"
    ),
    "stop": _c(
        r"\s*(?:[,;.!?()]|\s(?:e|ed) (?=(?:mi|il|la|mia|mio|non|sono|vivo|abito|lavoro|ho|parlo)\b)|"
        r"\s(?:ma|perché|però|con (?:il|la|mia|mio)|dal|quando)\b)"
    ),
    "joiner": _c(r"\s*(?:,|\be\b|\bed\b)\s*"),
    "forms": (
        ("name", _c(rf"\b(?:mi chiamo|il mio nome è) {_N}"), "Ti chiami {v}."),
        ("name", _c(r"\bsono (?P<v>(?-i:[A-Z][a-zà-ù]+(?: [A-Z][a-zà-ù]+)?))(?=[,.!]| e |$)"), "Ti chiami {v}."),
        (
            "favorite",
            _c(rf"\b(?:il mio|la mia) (?P<k>\w+) preferit[oa] è (?:il |la |l')?{_V}"),
            "Il tuo {k} preferito è {v}.",
        ),
        (
            "response_preference",
            _c(r"(?P<v>\b(?:rispondimi|parlami|scrivimi) (?:sempre )?(?:in|con|senza)[^.;!?]*)"),
            "Hai chiesto: {v}.",
        ),
        ("-job", _c(rf"\bnon (?:lavoro|faccio) più (?:come |il |la )?{_V}"), "Non lavori più come {v}."),
        ("-smoking", _c(r"\bnon (?P<v>fumo) più"), "Non fumi più."),
        ("home", _c(rf"\b(?:vivo|abito|viviamo|abitiamo|mi sono trasferit[oa]) (?:a|in) {_V}"), "Vivi a {v}."),
        ("hometown", _c(rf"\b(?:vengo|sono originari[oa]) (?:da|di) {_V}"), "Vieni da {v}."),
        (
            "job",
            _c(
                r"\b(?:lavoro come|faccio (?:il |la |l')) ?(?:una? )?(?P<v>[^.;!?]+?)(?= (?:a|in|presso|per) "
                "(?-i:[A-Z])|[.,;!?]|$| e )"
            ),
            "Lavori come {v}.",
        ),
        ("workplace", _c(r"\blavoro (?:presso|per|da|in|alla|al) (?P<v>[^.;!?]+)"), "Lavori per {v}."),
        ("diet", _c(r"\bsono (?:diventat[oa] )?(?P<v>vegan[oa]|vegetarian[oa])"), "Sei {v}."),
        (
            "condition",
            _c(
                r"\b(?:sono|ho) (?:il |l'|la )?(?P<v>celiac[oa]|diabetic[oa]|diabete|asma\w*|intollerante (?:al|"
                r"alla|ai|a) [^.,;!?]+|emicrani\w+)"
            ),
            "{v}: la tua condizione.",
        ),
        (
            "allergy",
            _c(rf"\bsono (?:molto )?allergic[oa] (?:alle |agli |ai |alla |al |all'|a ){_V}"),
            "Sei allergico a {v}.",
        ),
        (
            "job",
            _c(
                rf"\bsono (?:una? |un')?{_JOB_NOT}(?P<v>[a-zà-ù]+(?:ere|iere|iera|ista|tore|trice|ante|ente|aio|"
                "aia|ologo|ologa|ico|ica|ato|gnere|estra|estro|edico|ario|aria|uoco|uoca)(?: [a-zà-ù]+){0,2})"
            ),
            "Sei {v}.",
        ),
        (
            "dislikes",
            _c(
                r"\b(?:non mi piacciono|non mi piace|odio|detesto|non sopporto) (?:il |lo |la |i |gli |le |"
                f"l')?{_V}"
            ),
            "Non ti piace {v}.",
        ),
        (
            "likes",
            _c(
                r"(?<!non )\b(?:mi piacciono|mi piace|adoro|amo) (?:molto |tanto )?(?:il |lo |la |i |gli |le |"
                f"l')?{_V}"
            ),
            "Ti piace {v}.",
        ),
        ("avoids", _c(rf"\bnon (?:mangio|bevo) {_V}"), "Non mangi {v}."),
        ("language", _c(rf"\bparlo {_V}"), "Parli {v}."),
        (
            "birthday",
            _c(
                r"\b(?:il mio compleanno è|sono nat[oa]|compio gli anni) (?:il |l')?(?P<v>\d{1,2}(?:°)? \w+(?: "
                r"\d{4})?)"
            ),
            "Il tuo compleanno è il {v}.",
        ),
        ("age", _c(r"\bho (?P<v>(?:\d+|\w+) anni)"), "Hai {v}."),
        (
            "deadline",
            _c(
                r"\bla scadenza (?:del |della |dell'|per il |per la |di )(?P<x>[^.,;!?]+?) è (?:il |"
                "l')?(?P<v>[^.;!?]+)"
            ),
            "La scadenza di {x} è il {v}.",
        ),
    ),
    "turns": (
        (r"\bmi chiamo\b", "ti chiami"),
        (r"\bvivo\b", "vivi"),
        (r"\babito\b", "abiti"),
        (r"\bsono\b", "sei"),
        (r"\bho\b", "hai"),
        (r"\blavoro (?=come|per|presso|in|a|da)", "lavori "),
        (r"\bfaccio\b", "fai"),
        (r"\bmi piac", "ti piac"),
        (r"\bodio\b", "odi"),
        (r"\bdetesto\b", "detesti"),
        (r"\bil mio\b", "il tuo"),
        (r"\bla mia\b", "la tua"),
        (r"\bparlo\b", "parli"),
        (r"\bmangio\b", "mangi"),
        (r"\bbevo\b", "bevi"),
        (r"\badoro\b", "adori"),
        (r"\bamo\b", "ami"),
        (r"\bvengo\b", "vieni"),
        (r"\bfumo\b", "fumi"),
    ),
    "relations": by_word(
        {
            "spouse": "moglie, marito",
            "partner": "ragazza, ragazzo, compagna, compagno",
            "mother": "madre, mamma",
            "father": "padre, papà",
            "sister": "sorella",
            "brother": "fratello",
            "daughter": "figlia",
            "son": "figlio",
            "grandmother": "nonna",
            "grandfather": "nonno",
            "aunt": "zia",
            "uncle": "zio",
            "cousin": "cugina, cugino",
            "dog": "cane",
            "cat": "gatto, gatta",
            "friend": "amica, amico",
            "manager": "capo",
            "colleague": "collega",
        }
    ),
    "relation": _c(rf"\b(?P<own>mia|mio) (?:migliore )?(?P<rel>\w+)(?:,| si chiama| è)? (?P<name>{PERSON})"),
    "relation_says": "{own} {rel} si chiama {v}.",
    "of_relation": (
        (
            "age",
            _c(
                r"(?:\b(?:mia|mio) (?P<rel>\w+)(?: (?-i:[A-Z])\w+)? |\b(?:lui|lei|che|e|,) )ha (?P<v>(?:\d+|\w+) "
                "(?:anni|mesi))"
            ),
            "{x} ha {v}.",
        ),
        (
            "home",
            _c(
                r"(?:\b(?:mia|mio) (?P<rel>\w+)(?: (?-i:[A-Z])\w+)? |\b(?:lui|lei|che|e|,) )(?:vive|abita) (?:a|"
                "in) (?P<v>[^.,;!?]+)"
            ),
            "{x} vive a {v}.",
        ),
    ),
}
