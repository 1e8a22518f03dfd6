"""The slot rule: what an active memory means to a candidate of the same slot (rules §3.1a). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.model import Candidate, Incumbent, Memory, MemoryKind
from core.policy import Policy, ranking_trust
from core.slots import is_multi_valued, normalise

_WORD = re.compile(r"\w+", re.UNICODE)


def same_value(first: str, second: str) -> bool:
    """Whether two values are the same once case, spacing, articles and punctuation are left out."""
    left, right = _WORD.findall(normalise(first)), _WORD.findall(normalise(second))
    return left == right and bool(left)


def incumbents(candidate: Candidate, holders: Iterable[Memory], policy: Policy) -> tuple[Incumbent, ...]:
    """The memories that hold the candidate's slot, as the gate sees them.

    A retraction meets its slot's memories whether the slot is single-valued or not; it closes the value it names.
    """
    multi = is_multi_valued(candidate.proposal.attribute)
    return tuple(
        Incumbent(
            memory_id=memory.memory_id,
            value=memory.value,
            text=memory.text,
            ranking_trust=ranking_trust(memory, policy),
            serial_no=memory.serial_no,
            version=memory.version,
            source_kind=memory.source_kind,
            same_value=same_value(memory.value, candidate.proposal.value),
            multi_valued=multi,
        )
        for memory in holders
        if memory.memory_id != candidate.candidate_id
    )


def echoes(replaced: Memory, events: Iterable[Memory]) -> tuple[Memory, ...]:
    """Events of the same turn that repeat the replaced value: they must not bring it back (rules §3.4)."""
    needle = normalise(replaced.value)
    return tuple(
        event for event in events if event.kind is MemoryKind.EVENT and needle and needle in normalise(event.text)
    )
