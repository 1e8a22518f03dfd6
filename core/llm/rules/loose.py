"""Forms that stand at any clause start of a sentence, read where the strict grammar found nothing.

People drop subjects, put the object first and string clauses together with commas. A form is tried wherever something
may begin: at the start of the sentence, after a mark or a conjunction, and after a few small adverbs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.llm.rules.dates import expiry, resolve
from core.llm.rules.draft import Draft
from core.llm.rules.home import PLACE_CUT
from core.llm.rules.phrases import EMOJI, bare, enumeration, items, read_value, tidy
from core.llm.rules.scene import Scene, hollow
from core.llm.rules.sentences import Sentence
from core.llm.rules.voice import second_person, sentence

_BEGIN = re.compile(
    rf"(?:^|(?<=[^,]),\s+|[;:(]\s+|(?<=\s)\(|^\(|\s[-–—]{{1,2}}\s|[—…]\s*|\.{{2,}}\s*|[{EMOJI}]\s*|"
    r"\s(?=(?:and|but|so|because|cos|since|as|plus|though|although|while|now)\s)|"
    r"\s(?=(?:i|i'm|i've|we|we're|we've)\s))"
    r"(?:(?:and|but|so|because|cos|since|as|plus|though|although|while|then|or|also|well|oh|ok|okay|btw|fyi|tbh|"
    r"honestly|actually|mostly|mainly|currently|lately|nowadays|now|basically|sorry|yes|yeah|no(?=,)|hey|hi|hello|"
    r"apparently|just|still|these days|at the moment|right now|by day|for now|please|finally|anyway|unfortunately|"
    "sadly|luckily|technically|officially|additionally|quick (?:note|one)|note|on top of (?:it|"
    r"that|all that)(?: all)?|i mean|(?:quick |one |my )?(?:ground )?rule)[\s,:]+)*",
    re.IGNORECASE,
)


_EDGE = " \t,;:(—–-….\n"
_TRAILING = re.compile(
    r"\s+(?:lately|recently|tbh|these days|nowadays|at the moment|though|btw|for me|to be honest|"
    "right now|already|again|"
    r"lol|haha|honestly|actually)$",
    re.IGNORECASE,
)
_THIRD = re.compile(
    r"\b(?:he|she|they|he's|she's|they're|his|her|their|my|our|you|your)\b(?! (?:name|job|home|place|flat|house))|"
    r"(?<!^)(?<![.!?] )(?-i:\b[A-Z][a-z]+) (?:is|has|was|lives|works|loves|likes|hates)\b",
    re.IGNORECASE,
)
_ME = re.compile(r"(?:i|i'm|i've|we|we're|we've|myself)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:i|i'm|i've|we|we're|we've|i'd|i'll)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Form:
    """One form with its value in group `v`.

    Attributes:
        says: the sentence to the owner, with `{v}` for the value.
        own: the subject is dropped, so the form only counts where the speaker is speaking of themself.
        many: the value is an enumeration.
        place: the value is a place name with its time cut off.
        whole: the value is taken as matched, not cut at the next conjunction.
    """

    attribute: str
    pattern: re.Pattern[str]
    says: str
    own: bool = False
    many: bool = False
    place: bool = False
    whole: bool = False
    test: Callable[[str], bool] | None = None


def begins(text: str) -> Iterator[int]:
    """Where a clause may begin in a sentence."""
    seen: set[int] = set()
    for found in _BEGIN.finditer(text):
        bare_start = found.start() + len(found.group()) - len(found.group().lstrip(_EDGE))
        for at in (bare_start, found.end()):
            if at not in seen:
                seen.add(at)
                yield at


def speaks_of_self(text: str, at: int) -> bool:
    """Whether a clause at `at` without a subject is the speaker's: nobody else was spoken of since "I"."""
    before = text[:at]
    firsts = [found.end() for found in _FIRST.finditer(before)]
    thirds = [found.end() for found in _THIRD.finditer(before)]
    return not thirds or bool(firsts and firsts[-1] > thirds[-1])


def read_forms(forms: tuple[Form, ...], one: Sentence, scene: Scene) -> list[Draft]:
    """The facts that the forms find in a sentence; the first form at a place that reads a value keeps it."""
    found: list[Draft] = []
    for at in begins(one.text):
        for form in forms:
            match = form.pattern.match(one.text, at)
            if match is None or (form.own and not _ME.match(match.group()) and not speaks_of_self(one.text, at)):
                continue
            found.extend(_values(form, match, one, scene))
    return found


def _values(form: Form, match: re.Match[str], one: Sentence, scene: Scene) -> list[Draft]:
    raw = match["v"] or ""
    if form.many:
        values = [bare(value) for value in (items(raw) if form.whole else enumeration(raw))]
    elif form.whole:
        values = [tidy(raw)]
    else:
        values = [read_value(raw)]
    drafts = []
    for value in values:
        kept = _TRAILING.sub("", tidy(PLACE_CUT.sub("", value)) if form.place else value)
        if not kept or hollow(kept) or (form.test and not form.test(kept)):
            continue
        drafts.append(
            made(
                form.attribute,
                kept,
                form.says.replace("{v}", second_person(kept)),
                match.start(),
                match.end(),
                one,
                scene,
            )
        )
    return drafts


def made(  # noqa: PLR0913 (a fact has this many parts)
    attribute: str,
    value: str,
    says: str,
    start: int,
    end: int,
    one: Sentence,
    scene: Scene,
    *,
    subject: str = "user",
    retracts: bool = False,
) -> Draft:
    """A draft of the words [start, end) of a sentence."""
    lasts = attribute not in {"medication", "avoids", "diet", "staying_in", "current_location"}
    return Draft(
        subject,
        attribute,
        value,
        sentence(says),
        one.start + start,
        one.start + max(end, start + 1),
        valid_at=resolve(value, scene.now),
        expires_at=None if lasts else expiry(one.text[start:end], scene.now),
        retracts=retracts,
    )


def merged(found: list[Draft], more: list[Draft], single: frozenset[str]) -> list[Draft]:
    """`found` with what `more` adds: nothing twice, and no second value in a slot that holds one."""
    out = list(found)
    for one in more:
        same = [
            other
            for other in out
            if other.subject.casefold() == one.subject.casefold() and other.retracts == one.retracts
        ]
        low = one.value.casefold()
        if any(
            (other.attribute == one.attribute or other.attribute in _AKIN.get(one.attribute, ()))
            and (low in other.value.casefold() or other.value.casefold() in low or one.attribute in single)
            for other in same
        ):
            continue
        out.append(one)
    return out


_AKIN = {
    "likes": ("hobby", "dislikes"),
    "dislikes": ("avoids", "allergy"),
    "avoids": ("allergy", "dislikes", "alcohol", "diet"),
    "allergy": ("avoids",),
    "location": ("home", "current_location", "employer", "job", "studies", "hometown", "workplace"),
    "staying_in": ("home", "current_location"),
    "home": ("current_location",),
    "name": ("first_name",),
    "pet": ("dog", "cat", "chicken", "horse", "rabbit"),
    "job": ("studies", "employment_status"),
}
