"""Forms of Italian."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re
from typing import Any

from core.llm.rules.folding import folded as _c
from core.llm.rules.phrases import PERSON, by_word

_V = r"(?P<v>[^.;!?\n]+)"
_LOW = r"[a-z]{2,}"
_CALLED = r"(?:(?:che )?si chiama|di nome|chiamat[oa])"
_DAY = (
    r"(?:(?:il |questo |prossimo )?(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)(?: prossimo)?|domani|oggi|"
    r"(?:il )?\d{1,2} (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre))"
)
_TRADE = (
    r"(?!(?:allergic|vegan|vegetarian|diabetic|celiac|sposat|stat|fidanzat|simpatic|divorziat|arrivat|trasferit|nat[oa]|contentc)\w*)"
    r"(?:[a-z]+(?:ere|iere|iera|iero|ista|tore|trice|ante|ente|aio|aia|ologo|ologa|ico|ica|gnere|estra|estro|edico|ario|aria|uoco|uoca|"
    r"cato|cata|cesso|eto|etta|oco|fo|fa)|studentessa|dottoressa|insegnante|medico|chef)"
)


ITALIAN: dict[str, Any] = {
    "code": "it",
    "telling": re.compile(
        r"\b(?:il|lo|gli|di|che|e|è|sono|mi|mio|mia|con|una|per|non|ho|vivo|abito|lavoro|del|della|ma|"
        r"anche|da|nel|anni|ciao|sto|piace|alla|alle|ai|studio|adoro|un|la)\b",
        re.IGNORECASE,
    ),
    "certain": _c(
        r"\b(?:mi chiamo|vivo a|abito a|lavoro (?:come|alla|presso)|mi piac\w+|sono (?:allergic\w|vegetarian\w|vegan\w)|il mio|la mia|odio|ho (?:\d+|un|una|il|due)\b|"
        r"faccio (?:il|la|l')|sono (?:un|una)|parlo|mia \w+|si chiama|adoro (?:il|la)|studio \w+ al|mi sono)"
    ),
    "stop": _c(
        r"\s*(?:[,;.!?()]|\s(?:e|ed) (?=(?:mi|il mio|la mia|mia|mio|non|sono|vivo|abito|lavoro|ho|parlo|studio|ora)\b)|"
        r"\s(?:ma|perché|però|con (?:il|la|mia|mio)|dal|quando)\b)"
    ),
    "joiner": _c(r"\s*(?:,|\be\b|\bed\b)\s*"),
    "filler": _c(r"(?:un po' di |anche |(?:alle|agli|ai|alla|al|il|lo|la|i|gli|le) |(?:al)?l')"),
    "hush": _c(
        r"^(?:se (?:io )?\w+(?:ssi|sse)\b|immagin\w+|suppon\w+|forse|magari|traduci|scrivi\w*|spiega\w*|riassumi|vorrei)\b|"
        r"\b(?:il mio personaggio|il protagonista|un giorno)\b|^(?:ahah|haha)"
    ),
    "own": {"mia": "tua", "mio": "tuo", "nostra": "vostra", "nostro": "vostro", "un": "il tuo", "una": "la tua"},
    "forms": (
        ("name", _c(rf"\b(?:mi chiamo|il mio nome è) (?P<v>{PERSON}|{_LOW})"), "Ti chiami {v}."),
        ("name", _c(r"\bsono (?P<v>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?))(?=[,.!]| e |$)"), "Ti chiami {v}."),
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
        ("-job", _c(rf"\bnon (?:lavoro|faccio) più (?:come |il |la ){_V}"), "Non lavori più come {v}."),
        ("-home", _c(r"\bnon (?:vivo|abito) più a (?P<v>[^.,;!?]+)"), "Non vivi più a {v}."),
        ("-smoking", _c(r"\bnon (?P<v>fumo) più"), "Non fumi più."),
        (
            "home",
            _c(
                rf"\b(?:vivo|abito|viviamo|abitiamo|(?:mi sono|ci siamo) (?:appena )?trasferit[oai])(?! più) (?:ora )?(?:a|in) {_V}"
            ),
            "Vivi a {v}.",
        ),
        ("hometown", _c(rf"\b(?:vengo|sono originari[oa]) (?:da|di) {_V}"), "Vieni da {v}."),
        ("birthplace", _c(r"\bsono nat[oa] a (?P<v>(?-i:[A-Z])[^.,;!?]+)"), "Sei nato a {v}."),
        (
            "job",
            _c(
                r"\b(?:lavoro(?: (?:per|presso|alla|al|in) [^.,;!?]+?)? come|faccio (?:il|la|l')) ?(?:una? )?(?P<v>[^.;!?]+?)(?= (?:a|in|presso|per) "
                r"(?-i:[A-Z])|[.,;!?]|$| e )"
            ),
            "Lavori come {v}.",
        ),
        (
            "workplace",
            _c(r"\blavoro (?:presso|per|da|in|alla|al) (?P<v>[^.;!?]+?)(?= come\b|[.,;!?]|$| e )"),
            "Lavori per {v}.",
        ),
        ("diet", _c(r"\bsono (?:diventat[oa] )?(?P<v>vegan[oa]|vegetarian[oa])"), "Sei {v}."),
        (
            "condition",
            _c(
                r"\b(?:sono|ho) (?:il |l'|la )?(?P<v>(?:celiac[oa]|diabetic[oa]|diabete|asma\w*|intollerante (?:al|"
                r"alla|ai|a) [^.,;!?]+|emicrani\w+|ipertensione)\b[^.;!?]*)"
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
                rf"\bsono (?:una? |un')?(?P<v>{_TRADE}(?: (?!in\b|a\b|e\b|al\b|alla\b|presso\b)[a-z]+){{0,2}})(?=[ .,;!?]|$)"
            ),
            "Sei {v}.",
        ),
        (
            "workplace",
            _c(rf"\bsono (?:una? |un')?{_TRADE} (?:presso |al |alla |all'|in )(?P<v>[^.,;!?]+)"),
            "Lavori per {v}.",
        ),
        (
            "dislikes",
            _c(
                r"\b(?:non mi piacciono|non mi piace|odio|detesto|non sopporto) (?:il |lo |la |i |gli |le |"
                rf"l')?{_V}"
            ),
            "Non ti piace {v}.",
        ),
        (
            "likes",
            _c(
                r"(?<!non )\b(?:mi piacciono|mi piace|adoro|amo) (?:molto |tanto )?(?:il |lo |la |i |gli |le |"
                rf"l')?{_V}"
            ),
            "Ti piace {v}.",
        ),
        ("avoids", _c(rf"\bnon (?:mangio|bevo) {_V}"), "Non mangi {v}."),
        ("language", _c(rf"\bparlo {_V}"), "Parli {v}."),
        ("hobby", _c(r"\b(?P<v>(?:suono|colleziono|gioco a) [^.,;!?]+)"), "Tu: {v}."),
        ("studies", _c(r"\bstudio (?P<v>[^.;!?]+?)(?= (?:al|alla|a|all'|presso)\b|[.,;!?]|$)"), "Studi {v}."),
        (
            "birthday",
            _c(
                r"\b(?:il mio compleanno è|sono nat[oa]|compio gli anni) (?:il |l')?(?P<v>\d{1,2}(?:°)? \w+(?: "
                r"\d{4})?)"
            ),
            "Il tuo compleanno è il {v}.",
        ),
        ("age", _c(r"\bho (?P<v>(?:\d+|\w+) anni)"), "Hai {v}."),
        ("email", _c(r"\bla mia (?:e-?mail|email|mail) è (?P<v>\S+@\S+\w)"), "La tua e-mail è {v}."),
        (
            "phone",
            _c(r"\bil mio (?:numero|telefono|cellulare)[^\d+]{0,14}(?P<v>\+?[\d ()-]{7,}\d)"),
            "Il tuo numero è {v}.",
        ),
        (
            "appointment",
            _c(
                rf"\bho (?:una? |un')?(?P<x>(?:appuntamento|colloquio|riunione|esame|visita|volo)\b[^.,;!?]*?) (?P<v>{_DAY}[^.,;!?]*)"
            ),
            "Hai {x} {v}.",
        ),
        (
            "deadline",
            _c(
                r"\bla scadenza (?:del |della |dell'|per il |per la |di )(?P<x>[^.,;!?]+?) è (?:il |"
                r"l')?(?P<v>[^.;!?]+)"
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
        (r"\blavoro (?=come|per|presso|in|al|da)", "lavori "),
        (r"\bfaccio\b", "fai"),
        (r"\bmi (?=piac|sono)", "ti "),
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
        (r"\bstudio\b", "studi"),
    ),
    "relations": by_word(
        {
            "spouse": "moglie, marito",
            "partner": "ragazza, ragazzo, compagna, compagno, fidanzata, fidanzato",
            "mother": "madre, mamma",
            "father": "padre, papà",
            "sister": "sorella",
            "brother": "fratello",
            "daughter": "figlia, figlie",
            "son": "figlio",
            "child": "figli, bambini",
            "grandmother": "nonna",
            "grandfather": "nonno",
            "aunt": "zia",
            "uncle": "zio",
            "cousin": "cugina, cugino",
            "dog": "cane, cagnolino, cagnolina, cani",
            "cat": "gatto, gatta, gatti, gattino",
            "friend": "amica, amico",
            "manager": "capo",
            "colleague": "collega",
        }
    ),
    "relation": (
        _c(rf"\b(?P<own>mia|mio|nostra|nostro) (?:migliore )?(?P<rel>\w+),? {_CALLED} (?P<name>{PERSON}|{_LOW})"),
        _c(rf"\b(?P<own>mia|mio|nostra|nostro) (?:migliore )?(?P<rel>\w+)(?:,| è)? (?P<name>{PERSON})"),
        _c(rf"\b(?:ho|abbiamo) (?P<own>una?) (?P<rel>\w+),? (?:{_CALLED} )?(?P<name>{PERSON})"),
    ),
    "relation_says": "{own} {rel} si chiama {v}.",
    "brood": _c(r"\b(?:ho|abbiamo) (?P<num>(?P<count>\d+|due|tre|quattro|una?)) (?P<rel>\w+)"),
    "brood_item": _c(
        rf"(?:[,:( ]|, | e )\s*(?P<name>{PERSON})(?:,? (?:di |\()?(?P<v>\d{{1,2}}(?: anni)?)\)?)?(?=[,;.)( ]|$)"
    ),
    "brood_says": "Tra {rel}: {v}.",
    "brood_counts": "Hai {v}.",
    "age_says": "{x} ha {v}.",
    "head": rf"\b(?P<own>mia|mio) (?P<rel>\w+),?(?: (?P<nm>{PERSON}),?)? ",
    "pronoun": r"\b(?:lui|lei) ",
    "joint": r"\b(?:che|e) |, ",
    "said_of": (
        ("age", r"ha (?P<v>(?:\d+|\w+) (?:anni|mesi))", "{x} ha {v}."),
        ("allergy", r"è allergic[oa] (?:alle |agli |ai |alla |al |all'|a )(?P<v>[^.;!?]+)", "{x} è allergico a {v}."),
        ("job", rf"(?:è|lavora come|fa (?:il|la)) (?:una? |un')?(?P<v>{_TRADE})\b", "{x} è {v}."),
        ("home", r"(?:vive|abita) (?:a|in) (?P<v>[^.,;!?]+)", "{x} vive a {v}."),
    ),
}
