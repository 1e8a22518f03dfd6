"""What changes hands: assignments, marriages, switches from one thing to another, the state that a thing is in.

Each form names the slot that a later sentence of the same form replaces, so that the key rule sees it (rules §3.1a).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from core.llm.rules.dates import resolve
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import PERSON, UP, bare, rx, tidy
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.voice import addressed
from core.model import Memory
from core.slots import normalise

_THING = r"(?:(?:the|our|my|this) )?[\w'&./+-]+(?: [\w'&./+-]+){0,5}?"
_PROPER = rf"(?-i:(?:[{UP}][\w'&.-]*|[a-z]+[{UP}0-9][\w.-]*)(?: (?:[{UP}0-9][\w'&.-]*|of|de|and)){{0,4}})"
_BOND = r"(?:(?:my|our) [a-z-]+(?: in law)? )?"
_WHEN = r"(?:,? (?P<w>(?:back )?(?:in|on|since|last|this) [\w ,]{2,20}))?"

_ASSIGNED = rx(
    rf"^(?:{_BOND})(?P<s>{PERSON}) (?:is|was|has been|have been|'s been|got|will be)(?: now| just| recently| also)?"
    r" (?:re-?)?(?:assigned|allocated|seconded|transferred|moved|switched|detached|posted) (?:over )?to "
    rf"(?P<v>(?:the )?(?:(?:project|team|squad|desk|unit|group) {_PROPER}|{_PROPER}(?: (?:project|team|squad|"
    rf"desk|unit|"
    r"group))?))(?: (?:now|today|since|from|as of|last|this)\b.*)?$"
)
_MARRIED = rx(
    rf"^{_BOND}(?P<s>{PERSON}) (?:(?:got |has |is |was )?(?:re)?(?:married|"
    rf"wed)(?: again)?(?: to)?) (?P<v>{PERSON}){_WHEN}$"
)
_WED = rx(rf"^{_BOND}(?P<s>{PERSON}) and (?P<v>{PERSON}) (?:got |were |are |have )?(?:married|wed){_WHEN}$")
_PARTED = rx(
    rf"^{_BOND}(?P<s>{PERSON}) (?:and (?P<v>{PERSON}) (?:got |are |were |have )?(?:divorced|split up|separated)"
    rf"|(?:has |got |is )?(?:divorced|separated|split up) (?:from )?(?P<x>{PERSON})){_WHEN}$"
)
_SWITCHED = rx(
    rf"^(?P<s>(?:i|we)(?='ve\b| )|{_THING})(?:'ve| have| has| had| was| were| got| is| are)?"
    r"(?: now| just| finally| recently| since| already| been)* "
    r"(?:switched|migrated|moved|changed|ported|transitioned|gone|"
    r"went)(?: over)? from (?P<x>[^,;]{2,40}?) (?:over )?to "
    r"(?P<v>[^,;]{2,40}?)(?:,? (?:because|since|as|last|this|for|in|on|at|after|so)\b.*)?$"
)
_REPLACED = rx(
    r"^(?:(?:i|we)(?:'ve| have)?(?: now| just| finally| recently)* (?:replaced|dropped|retired|ditched|"
    r"swapped(?: out)?) "
    r"(?P<x>[^,;]{2,40}?)(?: (?:with|by|for) (?P<v>[^,;]{2,40}?))?"
    r"|(?P<x3>[^,;]{2,40}?) (?:was|has been|is|got) (?:now )?replaced (?:by|with) (?P<v3>[^,;]{2,40}?)"
    r"|(?P<v2>[^,;]{2,40}?) (?:has |have )?(?:now )?replaced (?P<x2>[^,;]{2,40}?))"
    r"(?: (?:last|this|in|on|for|as)\b.*)?$"
)
_STATES = (
    "expired|valid|invalid|current|up to date|out of date|active|inactive|suspended|approved|rejected|revoked|"
    "cancell?ed|pending|closed|open|enabled|disabled|switched on|switched off|turned on|turned off|online|offline|"
    "deprecated|retired|sold out|in stock|out of stock|paid|unpaid|overdue|mandatory|optional|required|"
    "allowed|permitted|"
    "forbidden|banned|prohibited|cleared|blocked|locked|unlocked|finished|complete|incomplete|on hold"
)
_STATE = rx(
    rf"^(?P<s>{_THING}) (?:is|are|was|were|has|have|has been|have been|had|must(?: always)? be|should(?: always)? be|"
    r"has to be|needs to be|have to be|need to be|may be|can be|stays?|remains?|became)"
    rf"(?: (?:now|still|already|again|also|currently|always))*(?P<n> not| never)? (?P<v>{_STATES})"
    r"(?: (?:in|on|at|for|since|until|as of|from|by|during)\b[^,;]*)?$"
)
_ORDERED = rx(
    r"^(?:please )?(?P<a>enable|disable|turn on|turn off|switch on|switch off|allow|permit|forbid|ban|block|"
    r"unblock|lock|"
    rf"unlock|revoke|suspend|approve|cancel|close|open) (?P<s>{_THING})(?: (?:in|on|at|for|during)\b[^,;]*)?[.!]?$"
)
_DONE = {
    "turn on": "enabled",
    "turn off": "disabled",
    "switch on": "enabled",
    "switch off": "disabled",
    "forbid": "forbidden",
    "ban": "banned",
    "permit": "permitted",
    "block": "blocked",
    "unblock": "unblocked",
    "lock": "locked",
    "unlock": "unlocked",
    "open": "open",
    "cancel": "cancelled",
}
_SAME = {"switched on": "enabled", "turned on": "enabled", "switched off": "disabled", "turned off": "disabled"}
_NOT_THING = rx(r"^(?:i|you|he|she|it|they|we|this|that|there|what|who|everything|nothing|one|all|someone)\b")
_YEAR = re.compile(r"\b(?:1[89]|20|21)\d\d\b")


def read_standings(said: Sentence, scene: Scene) -> list[Draft]:
    """Reads "K is assigned to project P", "M married S in 2019", "M and P divorced"; [] if it is none of these."""
    plain = said.text.strip().rstrip(".!")
    return [*_assigned(plain, said), *_married(plain, said, scene), *_parted(plain, said, scene)]


def read_switch(said: Sentence, scene: Scene) -> list[Draft]:
    """Reads "we switched from X to Y", "Y replaced X": X leaves its slot, Y takes it."""
    plain = said.text.strip().rstrip(".!")
    if found := _SWITCHED.match(plain):
        old, new, whose = found["x"], found["v"], found["s"]
    elif found := _REPLACED.match(plain):
        old = found["x"] or found["x2"] or found["x3"]
        new, whose = found["v"] or found["v2"] or found["v3"] or "", ""
    else:
        return []
    return list(_switched(tidy(old), tidy(new), whose, said, scene))


def state_of(words: str) -> tuple[str, str] | None:
    """(thing, state) of "the X has expired", "X must be enabled in production", or None."""
    plain = words.strip().rstrip(".!")
    if not (found := _STATE.match(plain)) or _NOT_THING.match(found["s"]):
        return None
    value = _SAME.get(found["v"].lower(), found["v"].lower())
    return bare(found["s"]), f"not {value}" if found["n"] else value


def ordered_state(words: str) -> tuple[str, str] | None:
    """(thing, state) that an order would bring about ("Disable X in production"), or None."""
    if not (found := _ORDERED.match(words.strip())):
        return None
    act = found["a"].lower()
    return bare(found["s"]), _DONE.get(act, act + ("d" if act.endswith("e") else "ed"))


def _assigned(plain: str, said: Sentence) -> Iterator[Draft]:
    if found := _ASSIGNED.match(plain):
        yield _draft(found["s"], "assignment", bare(found["v"]), said)


def _married(plain: str, said: Sentence, scene: Scene) -> Iterator[Draft]:
    if found := _MARRIED.match(plain) or _WED.match(plain):
        at = _moment(found["w"] or "", scene.now)
        yield replace(_draft(found["s"], "spouse", found["v"], said), valid_at=at)


def _parted(plain: str, said: Sentence, scene: Scene) -> Iterator[Draft]:
    if found := _PARTED.match(plain):
        at = _moment(found["w"] or "", scene.now)
        gone = replace(_draft(found["s"], "spouse", found["v"] or found["x"], said), retracts=True, valid_at=at)
        yield gone
        other = [
            one for one in scene.known if one.attribute == "spouse" and normalise(one.subject) == normalise(gone.value)
        ]
        yield from (replace(gone, subject=one.subject, value=one.value) for one in other)


def _switched(old: str, new: str, whose: str, said: Sentence, scene: Scene) -> Iterator[Draft]:
    about = normalise(bare(whose)) if whose and not _NOT_THING.match(whose) else ""
    held = [one for one in scene.known if one.attribute != "event" and _holds(one, old)]
    named = [one for one in held if about and normalise(one.subject) == about] or ([] if about else held)
    for one in named:
        value = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, one.value, flags=re.IGNORECASE) if new else ""
        yield replace(_draft(one.subject, one.attribute, one.value, said), retracts=True)
        if value and one.attribute != "statement":
            yield _draft(one.subject, one.attribute, value, said)
    if not named and new:
        yield _draft(bare(whose) if about else "user", "uses", new, said)


def _holds(memory: Memory, old: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(old)}(?!\w)", memory.value, re.IGNORECASE))


def _draft(subject: str, attribute: str, value: str, said: Sentence) -> Draft:
    return Draft(tidy(subject), attribute, tidy(value), addressed(said.text), said.start, said.end)


def _moment(words: str, now: datetime) -> datetime | None:
    if (day := resolve(words, now)) is not None:
        return day
    year = _YEAR.search(words)
    return datetime(int(year.group()), 1, 1, tzinfo=UTC) if year else None


__all__ = ["ordered_state", "read_standings", "read_switch", "state_of"]
