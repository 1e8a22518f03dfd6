"""Second thoughts within one turn: "the demo is at 3pm, no wait, 3:30", and what belongs to a lesson just told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.llm.rules.acts import act_of
from core.llm.rules.draft import Draft
from core.llm.rules.sentences import Sentence
from core.llm.rules.voice import second_person, sentence
from core.model import MemoryKind, SpeechAct
from core.slots import is_multi_valued, slot_key

_MARK = (
    r"(?:oh |oops |ah |ugh |um |er |hm+ )*(?:no,? wait|wait,? no|no,? sorry|sorry,? no|"
    r"scrap that|scratch that|strike that|forget that|"
    r"correction|i meant?(?= )(?! (?:to|it|that|well|business|no)\b)|make (?:that|"
    r"it)(?= )(?! (?:to|a|work|easy|quick|short)\b)|sorry,? (?:i meant?|it's|that's)|"
    r"no,? (?:it's|its|make that)|"
    r"actually (?:no\b|make (?:that|it)\b)|or rather)\b"
)
_WITHIN = re.compile(rf"[,;.…]*\s*[-–—]?\s*(?<=[\s,;.…–—-])(?={_MARK})", re.IGNORECASE)
_OPENS = re.compile(rf"\W*{_MARK}", re.IGNORECASE)
_FEWEST = 3  # words before a second thought: fewer state nothing that it could mend


def in_parts(read: list[Sentence]) -> Iterator[Sentence]:
    """The sentences, each cut where its speaker takes something back."""
    for one in read:
        cut = None if one.asks else _WITHIN.search(one.text, 1)
        if cut is None or len(one.text[: cut.start()].split()) < _FEWEST or _OPENS.match(one.text):
            yield one
            continue
        yield replace(one, text=one.text[: cut.start()], end=one.start + cut.start())
        yield replace(one, text=one.text[cut.end() :], start=one.start + cut.end())


def without_rules(drafts: list[Draft], said: Sentence) -> list[Draft]:
    """The drafts of a second thought: "no wait, pecans" is no rule."""
    if not _OPENS.match(said.text):
        return drafts
    return [one for one in drafts if one.attribute not in {"lesson", "procedure"}]


def mended(found: list[Draft], drafts: list[Draft], said: Sentence) -> tuple[list[Draft], list[Draft]]:
    """What was found before and what a second thought gives, without what it replaces or takes back."""
    if not _OPENS.match(said.text):
        return found, drafts
    gone = {_held(one) for one in drafts if one.retracts}
    told = {_held(one) for one in found if not one.retracts}
    new = {_slot(one) for one in drafts if not one.retracts and not is_multi_valued(one.attribute)}
    kept = [one for one in found if one.retracts or (_slot(one) not in new and _held(one) not in gone)]
    return kept, [one for one in drafts if not one.retracts or _held(one) not in told]


def _slot(one: Draft) -> str:
    return slot_key(one.subject, one.attribute)


def _held(one: Draft) -> tuple[str, str]:
    return _slot(one), one.value.casefold()


_TAIL = 9  # words of a sentence that goes on with the lesson before it
_OWN = re.compile(r"\b(?:i|i'm|i've|we|we're|you|my|our|please|thanks|how|what|can|could)\b", re.IGNORECASE)


def with_tail(drafts: list[Draft], said: Sentence) -> list[Draft]:
    """Lessons with the rest of their sentence: "never order them in May, they sell out"."""
    lessons = [one for one in drafts if one.attribute == "lesson"]
    if len(lessons) != 1 or any(one.start >= lessons[0].end for one in drafts if one is not lessons[0]):
        return drafts
    rest = said.text[max(0, lessons[0].end - said.start) :].strip(" .!,;-–—")
    if not rest or rest.casefold() in lessons[0].statement.casefold():
        return drafts
    longer = sentence(f"{lessons[0].statement.rstrip('.')}, {second_person(rest)}")
    return [replace(one, statement=longer, end=max(one.end, said.end)) if one is lessons[0] else one for one in drafts]


def continues_lesson(found: list[Draft], drafts: list[Draft], said: Sentence) -> list[Draft]:
    """What was found before, the lesson at its end completed by a short sentence such as "cold only!"."""
    last = found[-1] if found else None
    if last is None or drafts or last.kind is not MemoryKind.LESSON or last.attribute != "lesson" or said.asks:
        return found
    plain = said.text.strip(" .!")
    if (
        not plain
        or len(plain.split()) > _TAIL
        or _OWN.search(plain)
        or act_of(plain, asks=False) is not SpeechAct.ASSERTION
    ):
        return found
    return [
        *found[:-1],
        replace(last, statement=sentence(f"{last.statement.rstrip('.')}; {plain}"), end=max(last.end, said.end)),
    ]
