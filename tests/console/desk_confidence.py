"""How sure the desk's memories are, for tests of the pages: by the same functions as the product."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.caution import advice_detail
from core.confidence import Counsel, advise, confidence_of
from core.model import Memory
from tests.console.desk_base import NOW
from tests.factories import POLICY


def sure(memory: Memory) -> dict[str, Any]:
    """A memory's confidence as an answer keeps it."""
    return asdict(confidence_of(memory, NOW, POLICY))


def counsel(memory: Memory, *others: Memory) -> Counsel:
    return advise(memory, others, NOW, POLICY)


def advice(memory: Memory, *others: Memory) -> dict[str, Any]:
    """What may be done with a memory, as an answer keeps it."""
    return advice_detail(counsel(memory, *others), POLICY)
