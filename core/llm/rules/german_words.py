"""Building blocks of the German forms: dates, trades, and how a pattern is written."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re

from core.llm.rules.folding import folded

VALUE = r"(?P<v>[^.;!?\n]+)"

_CLIPPED = re.compile(
    r"(?:(?<![a-zß\\])|(?<=\\b))(wohne|lebe|arbeite|vertrage|komme|studiere|lerne|spreche|trinke|esse|nehme|fahre|wiege|heiße|"
    r"spiele|gehe|hasse|liebe)(?![\wß?\[])"
)


def pattern_of(pattern: str) -> re.Pattern[str]:
    """A pattern whose first-person verbs may have lost their -e, as in speech: "ich wohn", "ich vertrag"."""
    pattern = pattern.replace(r"\bich (?:bin|heiße) ", r"\bich (?:bin|heiße|heisse) ").replace(
        r"\bich ", r"\b(?:ich|und) "
    )
    return folded(_CLIPPED.sub(r"\1?", pattern))


MONTH = r"(?:jan\w*|feb\w*|mär\w*|apr\w*|mai|juni?|juli?|aug\w*|sep\w*|okt\w*|nov\w*|dez\w*)"

DATE = rf"(?:\d{{1,2}}\. ?(?:{MONTH}|\d{{1,2}}\.)(?: ?\d{{4}})?)"

WEEKDAY = r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)\w*"

DAY = (
    rf"(?:(?:am |den |dem |der |diesen |diese |nächsten |nächste |kommenden |jeden |bis (?:zum )?|ab )*(?:{WEEKDAY}|{DATE}|woche|monat|wochenende)|"
    r"morgen|übermorgen|heute)"
)

DATED = rf"(?P<v>(?:\w+, )?(?:den |dem |der )?(?:{DATE}|{WEEKDAY})[^;!?\n]*)"


HAVE = r"(?:\bich hab(?:e|')?|^hab(?:e|'| ich)?|\bhab(?:e)? ich|\bhab(?:e)?|\bwir haben)"

#: A trade: an agent noun, written with or without its capital.
TRADE = (
    r"(?!(?:peter|oliver|alexander|jennifer|rainer|reiner|werner|dieter|günth?er|walter|xaver|heiner|volker|holger|rüdiger|christ|stier|optimist|pessimist|rechtshänder|linkshänder|anfänger|brillenträger|einzelgänger|nutzer|teilnehmer|veg|diab|legas|single|allerg|sicher|immer|hier|wieder|leider|nur|aber|sehr|müde|unter|über|oder|außer|weiter|vater|mutter|"
    r"bruder|schwester|bin|berliner|wiener|hamburger|kölner|deutscher|österreicher|schweizer|asthmatiker|mehr|älter|"
    r"jünger|besser|dagegen|später|in|den|gelernter|ausgebildeter|frühaufsteher|nachtmensch|raucher|nichtraucher|fertig|sauer|einverstanden)\b|veg|diab|legas)"
    r"(?:[a-zß-]+(?:er|erin|or|orin|ist|istin|ent|entin|ant|antin|mann|frau|loge|login|arzt|ärztin|wirt|wirtin|eur|eurin|euse|"
    r"kraft|lehrling|azubi|graf|grafin|pädagoge|pädagogin|rätin|anwalt|anwältin|hilfe)|(?:chef|ober|jung)?koch|köchin|azubi|anwalt|anwältin|"
    r"arzt|ärztin|hebamme|pilot|pilotin|student|studentin|beamter|beamtin|bauer|bäuerin|rentner|rentnerin|pfleger)"
)


#: What a capitalised word after "ich bin" may be that is no name: origin, sign, creed, kin, habit.
NO_NAME = (
    r"(?!(?:veg|diab|asthmat|legasth|deutsch|österreich|schweiz|türk|pol(?:e|in)\b|franzos|bayer|schwab|sachse|berlin|stier|löwe|widder|zwilling|"
    r"krebs|jungfrau|waage|skorpion|schütze|steinbock|wassermann|fische?\b|christ(?:in)?\b|muslim|moslem|jude|jüdin|atheist|single|mutter|vater|"
    r"mama|papa|oma|opa|rentner|fan\b|mitglied|laie|einzelkind|witwe|kunde|mensch|gast|frau\b|mann\b|teil\b|student|optimist|pessimist))"
    r"(?!(?!(?:peter|oliver|alexander|jennifer|rainer|reiner|werner|dieter|günth?er|walter|xaver|heiner|volker|holger|rüdiger)\b)[a-zß]+er\b)"
)
