"""Keys that their owner said are one: which key stands for which, and what belongs together. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.model import Candidate
from core.slots import slot_key


def canonical(aliases: Mapping[str, str], key: str) -> str:
    """The key that `key` stands for; itself if it stands for no other. A circle ends where it began."""
    seen = {key}
    while (following := aliases.get(key)) is not None and following not in seen:
        key = following
        seen.add(key)
    return key


def family(aliases: Mapping[str, str], key: str) -> tuple[str, ...]:
    """All keys that are one with `key`, the one that stands for them first."""
    head = canonical(aliases, key)
    return (head, *sorted(one for one in aliases if one != head and canonical(aliases, one) == head))


def resolved(candidate: Candidate, aliases: Mapping[str, str]) -> Candidate:
    """The candidate under the key that its owner's yes gives it: what it says stays as it was said."""
    proposal = candidate.proposal
    key = slot_key(proposal.subject, proposal.attribute)
    head = canonical(aliases, key)
    if head == key:
        return candidate
    return replace(candidate, proposal=replace(proposal, attribute=head.rpartition("|")[2]))


__all__ = ["canonical", "family", "resolved"]
