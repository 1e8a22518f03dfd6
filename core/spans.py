"""Which parts of a user turn are the user's own words, and which are pasted, quoted or seen before (rules §1.5). Pure.

A paste has the trust of where it came from, not of the hand that pasted it. Where marks leave it open (a long block
after a colon), the block counts as pasted: held words can be promoted, admitted ones have already been believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from core import handover, pasted
from core.quotations import quotations
from core.wording import mark, plain_words, words

RUN = 8  # words in a row that two texts do not share by chance (rules §1.5)
_GRAM = 5  # words of one fingerprint
_WINDOW = RUN - _GRAM + 1  # one of so many neighbouring fingerprints is kept: a shared run of RUN words shares one
_SHINGLE = 3  # words of one shingle in `similarity`


class SegmentKind(StrEnum):
    """What a part of a user turn is."""

    OWN = "own"
    QUOTE_BLOCK = "quote_block"
    INLINE_QUOTE = "inline_quote"
    QUOTED_LINES = "quoted_lines"
    CODE = "code"
    HTML = "html"
    MAIL = "mail"
    LONG_BLOCK = "long_block"
    SEEN_BEFORE = "seen_before"


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """The range [start, end) of a turn; `matched` is the episode whose lower-trust text it repeats, else empty."""

    start: int
    end: int
    kind: SegmentKind
    matched: str = ""


def segments(text: str, seen: Sequence[tuple[int, int, str]] = ()) -> tuple[Segment, ...]:
    """Cut a user turn into parts, in order, without gaps or overlaps; an empty text has none.

    Args:
        text: the turn as received.
        seen: ranges that stand in texts of lower trust, with the episode's id. They outrank every other mark; where two
            overlap the first counts, so give the least trusted first.
    """
    known = [
        Segment(start=max(0, start), end=min(len(text), end), kind=SegmentKind.SEEN_BEFORE, matched=episode_id)
        for start, end, episode_id in seen
        if max(0, start) < min(len(text), end)
    ]
    # In order of precedence: a quotation inside code is code, a colon inside a mail is part of the mail.
    claims = _claims(SegmentKind.CODE, pasted.fences(text))
    claims += _claims(SegmentKind.MAIL, pasted.mails(text))
    claims += _claims(SegmentKind.QUOTED_LINES, pasted.quoted_lines(text))
    found = quotations(_without(text, claims))
    inline = [(one.start, one.end) for one in found if not one.block]
    claims += _claims(SegmentKind.HTML, pasted.markup(_muted(text, inline)))
    claims += _claims(SegmentKind.QUOTE_BLOCK, ((one.start, one.end) for one in found if one.block))
    claims += _claims(SegmentKind.LONG_BLOCK, handover.announced(_without(_muted(text, inline), claims)))
    claims += _claims(SegmentKind.INLINE_QUOTE, inline)
    return _partition(len(text), [*known, *claims])


def foreign(segment: Segment) -> bool:
    """Whether a part is not the user's own; a short quotation is a word of the user's own sentence."""
    return segment.kind not in (SegmentKind.OWN, SegmentKind.INLINE_QUOTE)


def span_is_foreign(found: Sequence[Segment], start: int, end: int) -> Segment | None:
    """The part that takes [start, end) out of the user's own words, or None if it is the user's.

    That is a foreign part that overlaps it (of several one seen before, since its trust is known and may be lowest),
    or the short quotation in which it lies: what an attacker "may write" is not what the user says.
    """
    overlapping = [one for one in found if foreign(one) and one.start < end and start < one.end]
    if overlapping:
        return next((one for one in overlapping if one.kind is SegmentKind.SEEN_BEFORE), overlapping[0])
    inside = (one for one in found if one.kind is SegmentKind.INLINE_QUOTE and one.start <= start < end <= one.end)
    return next(inside, None)


def blanked(text: str, keep: Iterable[tuple[int, int]]) -> str:
    """`text` with everything outside the ranges `keep` as spaces, line ends kept: spans stay those of the original."""
    chars = ["\n" if char == "\n" else " " for char in text]
    for start, end in keep:
        chars[max(0, start) : max(0, end)] = text[max(0, start) : max(0, end)]
    return "".join(chars)


def fingerprints(text: str) -> tuple[int, ...]:
    """Numbers of 63 bits by which a copied run is found again: any RUN words that two texts share give one in common.

    Winnowing (Schleimer, Wilkerson, Aiken 2003): of every _WINDOW neighbouring hashes of _GRAM words the smallest is
    kept. A text of fewer than RUN words has none. In order of first appearance, without repeats.
    """
    texts = plain_words(text)
    hashes = [mark("\x1f".join(texts[at : at + _GRAM])) for at in range(len(texts) - _GRAM + 1)]
    return tuple(dict.fromkeys(map(min, *(hashes[shift:] for shift in range(_WINDOW)))))


def common_runs(text: str, other: str) -> tuple[tuple[int, int], ...]:
    """The ranges of `text` whose words stand in `other` in runs of RUN or more, in order; runs that touch are one."""
    own = list(words(text))
    if len(own) < RUN:
        return ()
    numbers: dict[str, int] = {}
    ours = [numbers.setdefault(word.text, len(numbers)) for word in own]
    places: dict[tuple[int, ...], list[int]] = {}
    for at in range(len(ours) - RUN + 1):
        places.setdefault(tuple(ours[at : at + RUN]), []).append(at)
    shared: set[tuple[int, ...]] = set()
    theirs = [numbers.get(word, -1) for word in plain_words(other)]
    length = 0  # of the run of words that both texts know
    for at, number in enumerate(theirs, start=1):
        length = length + 1 if number >= 0 else 0
        if length >= RUN and (run := tuple(theirs[at - RUN : at])) in places:
            shared.add(run)
    ranges: list[tuple[int, int]] = []
    for at in sorted(at for run in shared for at in places[run]):
        if ranges and at < ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], at + RUN)
        else:
            ranges.append((at, at + RUN))
    return tuple((own[first].start, own[last - 1].end) for first, last in ranges)


def similarity(a: str, b: str) -> float:
    """How alike two texts are in [0, 1]: shared share of their three-word shingles (Jaccard), for near-copies (§4.3).

    A text of fewer than three words is like another only if their words are the same.
    """
    one, two = (plain_words(text) for text in (a, b))
    if min(len(one), len(two)) < _SHINGLE:
        return float(one == two)
    first, second = ({tuple(text[at : at + _SHINGLE]) for at in range(len(text) - _SHINGLE + 1)} for text in (one, two))
    return len(first & second) / len(first | second)


def _claims(kind: SegmentKind, ranges: Iterable[tuple[int, int]]) -> list[Segment]:
    return [Segment(start=start, end=end, kind=kind) for start, end in ranges]


def _without(text: str, claims: Sequence[Segment]) -> str:
    """`text` with what is claimed already blotted out, so that no quote mark and no colon in it counts again."""
    chars = list(text)
    for one in claims:
        chars[one.start : one.end] = ["\n" if char == "\n" else handover.BLOT for char in text[one.start : one.end]]
    return "".join(chars)


def _muted(text: str, inline: Sequence[tuple[int, int]]) -> str:
    """`text` without the colons and tags of short quotations: a `<header>` or "KeyError: x" begins no block."""
    chars = list(text)
    for start, end in inline:
        chars[start:end] = [handover.BLOT if char in ":：<" else char for char in text[start:end]]
    return "".join(chars)


def _partition(length: int, claims: Sequence[Segment]) -> tuple[Segment, ...]:
    owners = [-1] * length
    for index in range(len(claims) - 1, -1, -1):
        one = claims[index]
        owners[one.start : one.end] = [index] * max(0, one.end - one.start)
    found: list[Segment] = []
    at = 0
    for owner, run in groupby(owners):
        end = at + sum(1 for _ in run)
        kind, matched = (claims[owner].kind, claims[owner].matched) if owner >= 0 else (SegmentKind.OWN, "")
        found.append(Segment(start=at, end=end, kind=kind, matched=matched))
        at = end
    return tuple(found)
