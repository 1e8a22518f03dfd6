"""Quotations in a text: pairs of quote marks of many languages, and whether one is a passage or a word in a sentence.

Quote marks double as apostrophes, inch marks and brackets, and a turn may hold one without its partner. A mark counts
as opening or closing by what stands beside it, so "don't", O'Brien, '90s and 27" open nothing. Pure, one pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.wording import unspaced, words

_LONG = 25  # words: a quotation of one sentence that is no longer a part of the writer's own
_PASSAGE = 4  # words: fewer on a line of their own are a name or a title
_SENTENCES = 2  # that make a passage
_FAMILIES = ('"“”„‟＂〝〞', "«»", "‹›", "「」", "『』", "'‘’‚", "`")
_FAMILY = {char: index for index, chars in enumerate(_FAMILIES) for char in chars}
_OPENS_ONLY = frozenset("„‟〝「『")
_CLOSES_ONLY = frozenset("」』〞")
_SHORT_LIVED = frozenset({5, 6})  # single quotes and backticks end with their line at the latest
_MARK = re.compile("\n[ \t]*\n|\n|[" + re.escape("".join(_FAMILY)) + "]")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_TRIPLE = re.compile(r"(\"{3}|'{3}|“{3}|”{3}|‘{3}|’{3})(?:(?!\1)[\s\S])*(?:\1|\Z)")
# After a single quote mark these are elided words, not the start of a quotation.
_ELIDED = re.compile(
    r"(?:\d0s|\d\d|s|d|t|n|m|k|r|ll|re|ve|em|im|er|til|till|tis|twas|cause|cos|cuz|bout|round|nuff|kay|sup|ere|ello|"
    r"nother|neath|tude|ne|nen|nem|ner|rein|raus|runter|rauf|rum|ran|drum)(?![^\W_])",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’»)]*\s+(?=[^a-zß-öø-ÿ\s])|[。！？]+|\n+")
_ABBREVIATED = re.compile(
    r"(?<!\w)(?:\w|dr|mr|mrs|ms|st|prof|no|nr|vs|sr|jr|sra|mme|hr|fr|bzw|usw|ca|etc|e\.g|i\.e|z\.b|d\.h)\.?$",
    re.IGNORECASE,
)
_ABBREVIATION = 6  # characters of the longest, and one more
_BESIDE = " \t,.;:!?—–-*_()[]~"  # what may stand beside a quotation that is alone on its line


@dataclass(frozen=True, slots=True)
class Quotation:
    """The range [start, end), marks included. `block`: a passage, not a word or title in the writer's own sentence."""

    start: int
    end: int
    block: bool


@dataclass(slots=True)
class _Open:
    """Marks that opened and have not closed yet, by family, and the pairs found so far.

    `lasting` counts the marks of each stack that outlived a paragraph already.
    """

    stacks: list[list[int]] = field(default_factory=lambda: [[] for _ in _FAMILIES])
    lasting: list[int] = field(default_factory=lambda: [0] * len(_FAMILIES))
    pairs: list[tuple[int, int]] = field(default_factory=list)


def quotations(text: str) -> tuple[Quotation, ...]:
    """The outermost quotations in order, without overlaps."""
    triple = _triple(text)
    found = [Quotation(start, end, block=True) for start, end in triple]
    bare = list(text)
    for start, end in triple:
        bare[start:end] = " " * (end - start)
    pairs = sorted(_pairs("".join(bare)), key=lambda pair: (pair[0], -pair[1]))
    reach = 0
    for start, end in pairs:
        if start >= reach:
            reach = end
            found.append(Quotation(start, end, block=_is_passage(text, start, end)))
    return tuple(sorted(found, key=lambda one: one.start))


def _triple(text: str) -> list[tuple[int, int]]:
    """Passages in triple marks; several in marks of one sort are one, since what is quoted may hold such marks too."""
    reach: dict[str, tuple[int, int]] = {}
    for match in _TRIPLE.finditer(text):
        reach[match[1]] = (reach.get(match[1], match.span())[0], match.end())
    found: list[tuple[int, int]] = []
    for start, end in sorted(reach.values()):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def sentence_ranges(text: str) -> Iterator[tuple[int, int]]:
    """Ranges of the sentences of `text`, end marks included; "Dr. Amara" and "pay.example" end none."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match.group()[0] == "." and _ABBREVIATED.search(
            text, max(start, match.start() - _ABBREVIATION), match.start()
        ):
            continue
        if text[start : match.end()].strip():
            yield start, match.end()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _pairs(text: str) -> list[tuple[int, int]]:
    state = _Open()
    for match in _MARK.finditer(text):
        if match.group()[0] == "\n":
            _line_ends(state, text, match)
        else:
            _meet(state, text, match.start())
    for family, stack in enumerate(state.stacks):
        if family not in _SHORT_LIVED:
            state.pairs += [(at, _paragraph_end(text, at)) for at in stack if _begins_line(text, at)]
    return state.pairs


def _line_ends(state: _Open, text: str, match: re.Match[str]) -> None:
    """Drop what ends here: a quotation runs on into the next paragraph only from a line's beginning or a colon."""
    for family in _SHORT_LIVED:
        state.stacks[family].clear()
    if match.end() - match.start() > 1:
        for family, stack in enumerate(state.stacks):
            kept = min(state.lasting[family], len(stack))
            stack[kept:] = [at for at in stack[kept:] if _begins_line(text, at) or _follows_colon(text, at)]
            state.lasting[family] = len(stack)


def _meet(state: _Open, text: str, at: int) -> None:
    char = text[at]
    family = _FAMILY[char]
    stack = state.stacks[family]
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    may_open = not _wordlike(before) and char not in _CLOSES_ONLY
    may_close = not _wordlike(after) and bool(stack) and char not in _OPENS_ONLY
    if family in _SHORT_LIVED:
        may_open = may_open and bool(after.strip()) and not (family == 5 and _ELIDED.match(text, at + 1))  # noqa: PLR2004 - single quotes
        may_close = may_close and bool(before.strip())
    if char in "“‘" and stack and text[stack[-1]] not in "„‚":
        may_close = may_close and bool(before.strip()) and not _unspaced(before)
    if char in "”’" and stack:
        may_open = False
    if char in "”»›" and _unspaced(after):
        may_close = bool(stack)
    if may_close and (not may_open or not _starts_anew(before, after)):
        state.pairs.append((stack.pop(), at + 1))
    elif may_open and after:
        stack.append(at)


def _starts_anew(before: str, after: str) -> bool:
    """Whether a mark that could do both begins a quotation: a blank before it and a word after it."""
    return not before.strip() and bool(after.strip())


def _wordlike(char: str) -> bool:
    return char.isalnum() and not unspaced(char)


def _unspaced(char: str) -> bool:
    return bool(char) and unspaced(char)


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(_BESIDE)


def _follows_colon(text: str, at: int) -> bool:
    return text[max(0, at - 8) : at].rstrip()[-1:] in (":", "：")


def _paragraph_end(text: str, at: int) -> int:
    blank = _BLANK_LINE.search(text, at)
    return blank.start() if blank else len(text)


def _is_passage(text: str, start: int, end: int) -> bool:
    """Two sentences, very long, over several lines, or alone on a line (rules §1.5)."""
    inside = text[start + 1 : end - 1] if _FAMILY.get(text[end - 1]) is not None else text[start + 1 : end]
    count = _count(inside)
    if count < _PASSAGE:
        return False
    line_end = text.find("\n", end)
    alone = _begins_line(text, start) and not text[end : line_end if line_end >= 0 else len(text)].strip(_BESIDE)
    full = sum(1 for first, last in sentence_ranges(inside) if _count(inside[first:last]) > 1)
    return alone or full >= _SENTENCES or count >= _LONG or "\n" in inside.strip()


def _count(text: str) -> int:
    return sum(1 for _ in words(text))
