"""How the value of a clause is found once its meaning is known; "" where the clause lacks what such a fact needs.

What a fact is worth depends on its value. A name must be a name, a birthday a date, a dose of medicine a named thing:
a clause that only resembles others, without such words, teaches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from core.llm.rules.clausework import Unread, names_in, place_in, remainder
from core.llm.rules.dates import CLOCK, WHEN_RX
from core.llm.rules.phrases import bare, rx, tidy

_COUNT_WORD = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    "seventeen|eighteen|"
    "nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|"
    "eight|nine))?)"
)
_NUMBER = rx(
    rf"\b(?:\d+(?:[.,]\d+)*|{_COUNT_WORD}|a (?:decade|quarter of a century|dozen))(?: "
    rf"?(?:years?|months?|weeks?|%|percent|feet|"
    r"metres?|kilos?|kg|cm|km)(?: old| young)?)?\b"
)
MONEY = (
    r"(?:[£$€¥] ?\d[\d.,]*k?|\d[\d.,]*k? ?(?:euros?|pounds?|dollars?|quid|bucks|francs?|"
    r"kroner|eur|gbp|usd|chf|[£$€]))"
)
_MONEY = rx(MONEY)
_TIMES = rx(
    rf"{CLOCK}|\d|\b(?:nights|mornings|afternoons|evenings|part-time|full-time|from home|"
    rf"earlies|lates|off)\b"
)
_LABELLED = rx(
    r"^(?:my |our )?(?:working |work |office )?(?:hours|shift|schedule)\s*(?::|=| are| "
    r"is)\s*(?P<v>[^,;]+)"
)
_AGENT = rx(
    r"^(?P<v>(?!i\b|we\b|it\b|this\b|that\b|he\b|she\b|they\b|my\b|work\b|people\b|"
    r"life\b)[\w' -]{3,40}?) (?:(?:always|usually|really|just|would|will|could|can) )*"
    r"(?:sends? me to (?:a&e|the er|hospital|the hospital|casualty)|puts? me in (?:a&e|"
    r"hospital|the hospital)|kills? me|"
    r"brings? me out in|gives? me (?:hives|a rash|an asthma|anaphyla|migraines)|makes? me "
    r"(?:swell|sneeze|wheeze|itch|"
    r"break out|come out in)|makes? my (?:throat|tongue|lips|face|eyes?|skin|mouth) (?:swell|"
    r"stream|itch|close|go|burn|tingle)|"
    r"sets? off my (?:asthma|eczema|allerg)|closes? (?:up )?my throat)"
)
_PATIENT = rx(
    r"\b(?:allergic to|intolerant (?:to|of)|(?:can't|cannot|doesn't|don't|do not|does not) "
    r"tolerate|react(?:s|ed)? (?:badly |strongly )?to|"
    r"(?:hives|rash|swell(?:s|ed)? up|break(?:s)? out) (?:in \w+ )?from|suffer(?:s|ed)? from|"
    r"diagnosed with|living with|"
    r"(?:live|lives) with (?=\w+(?:osis|itis|epsy|ia|etes|oma|pathy|asthma|ism)\b)|"
    r"prescribed(?: me)?|put (?:me|him|her) on|"
    r"(?:take|takes|taking|on|use|uses) (?=(?:\d|a daily|insulin|an inhaler|blood thinners|beta blockers|antibiotics|"
    r"antihistamines|painkillers|\w+(?:pril|statin|olol|azole|mycin|cillin|formin|oxetine|"
    r"traline|thyroxine|sartan|profen|"
    r"setamol|azepam)\b))) (?:the |a |an |my )?(?P<v>[\w%.,' -]+?)"
    r"(?=$|[,;(]| (?:and|but|so|since|because|for|every|each|with|at|in|before|after|when|while|now|again)\b)"
)


def _named(one: Unread) -> str:
    found = names_in(one.said)
    return found[0] if len(found) == 1 else ""


def _names(one: Unread) -> str:
    return " and ".join(names_in(one.said, first=True))


def _when(one: Unread) -> str:
    found = WHEN_RX.search(one.said)
    return tidy(found.group()) if found else ""


def _number(one: Unread) -> str:
    found = _NUMBER.search(one.said)
    return tidy(found.group()) if found else ""


def _money(one: Unread) -> str:
    found = _MONEY.search(one.said)
    return tidy(found.group()) if found else ""


def _org(one: Unread) -> str:
    found = names_in(one.said)
    return found[-1] if found else ""


def _hours(one: Unread) -> str:
    found = _LABELLED.match(one.said)
    return remainder(found["v"] if found else one.said) if _TIMES.search(one.said) else ""


_HEALTH_WORDS = 4


def _health(one: Unread) -> str:
    found = _AGENT.match(one.said) or _PATIENT.search(one.said)
    value = bare(found["v"]) if found else ""
    return value if len(value.split()) <= _HEALTH_WORDS else ""


_IS = rx(r"^.*?(?:\bis|\bare|'s|'re|:|=|\bgot|\bhave|\buse|\bdrive|\brun|\bown) (?:a |an |the |my |our )?(?P<v>.+)$")


def _model(one: Unread) -> str:
    found = _IS.match(one.said)
    value = remainder(found["v"] if found else one.said)
    return value if re.search(r"\d|[A-Z]", value[1:]) or value[:1].isupper() else ""


def _dated(one: Unread) -> str:
    return remainder(one.said) if _when(one) else ""


def _diet(one: Unread) -> str:
    return remainder(one.said)


_TELLS = re.compile(r"\w{3,}")


def _rest(one: Unread) -> str:
    value = remainder(one.said)
    return value if _TELLS.search(value) else ""


TAKES: dict[str, Callable[[Unread], str]] = {
    "name": _named,
    "names": _names,
    "when": _when,
    "number": _number,
    "money": _money,
    "org": _org,
    "place": lambda one: place_in(one.said),
    "hours": _hours,
    "health": _health,
    "model": _model,
    "dated": _dated,
    "diet": _diet,
    "rest": _rest,
}
