"""Whether a slot's value really changed, or somebody once said something else: the evidence on a time line. Pure.

A challenger is believed by what speaks for it *after* the incumbent was last supported: whoever spoke before that was
heard already, and lost (rules §3.3). Voices are independent origins; copies of one text are one voice (rules §4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from core.corroboration import counts, independent
from core.ports import Support


class Turn(StrEnum):
    """What the evidence makes of a challenged value."""

    CHANGE = "change"  # enough independent origins spoke for the challenger since
    STRAY = "stray"  # the incumbent was supported again after the challenger's last word
    OPEN = "open"  # the evidence cannot tell: a person is asked


def one_voice_each(voices: Sequence[Support], texts: Sequence[str]) -> list[Support]:
    """The independent origins, each by its last word, in the order they first spoke.

    Args:
        voices: statements for one value.
        texts: the source text of each, in the same order: near-duplicates are one origin under several names.
    """
    groups = independent([one.origin for one in voices], texts)
    return [max((voices[at] for at in group), key=lambda one: one.at) for group in groups]


def since(voices: Sequence[Support], last_support: datetime | None) -> tuple[str, ...]:
    """Keys of the origins that can support a value and spoke after the incumbent was last supported."""
    late = (one.origin for one in voices if counts(one.origin) and (last_support is None or one.at > last_support))
    return tuple(dict.fromkeys(late))


def turn_of(voices: Sequence[Support], last_support: datetime, *, needed: int) -> Turn:
    """What the evidence makes of a challenger.

    Args:
        voices: what speaks for it, one voice an independent origin (`one_voice_each`).
        last_support: when a source last stated or confirmed the incumbent.
        needed: independent origins that a change takes (policy `conflict.sustained_origins`).
    """
    if len(since(voices, last_support)) >= needed:
        return Turn.CHANGE
    return Turn.STRAY if all(one.at <= last_support for one in voices) else Turn.OPEN


__all__ = ["Turn", "one_voice_each", "since", "turn_of"]
