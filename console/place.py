"""Which held item the review page shows, in the address, and which one comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from console.claim import SHOWN_DIGITS
from core.model import HeldItem, sha256_text
from core.ports import HeldGroup


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """The item that is shown, the other items of its source, and the sources of this page of the queue."""

    item: HeldItem
    items: Sequence[HeldItem]
    groups: Sequence[HeldGroup]

    @property
    def index(self) -> int | None:
        """Where the item stands among those of its source."""
        ids = [one.candidate.candidate_id for one in self.items]
        return ids.index(self.item.candidate.candidate_id) if self.item.candidate.candidate_id in ids else None


def key(group: HeldGroup) -> str:
    """A source's name in the address."""
    cluster = group.cluster or f"{group.source_kind}:{group.source_ref}"
    return sha256_text(f"{group.owner}\n{cluster}")[:SHOWN_DIGITS]


def key_of(item: HeldItem) -> str:
    """The name of an item's source in the address."""
    origin = item.candidate.provenance
    cluster = item.decision.evidence.cluster or f"{origin.source_kind}:{origin.source_ref}"
    return sha256_text(f"{item.candidate.scope.owner}\n{cluster}")[:SHOWN_DIGITS]


def go(item: HeldItem | None, group_key: str | None = None) -> None:
    """Show another item, by its id; without one the page chooses."""
    if item is None:
        st.query_params.pop("item", None)
    else:
        st.query_params["item"] = item.candidate.candidate_id
    source = group_key or (key_of(item) if item is not None else None)
    if source is None:
        st.query_params.pop("from", None)
    else:
        st.query_params["from"] = source
    st.rerun()


def after(place: Place) -> tuple[HeldItem | None, str | None]:
    """What is shown once the item is decided: the next of its source, else the one before, else the next source."""
    at, items = place.index, place.items
    others = list(items) if at is None else [*items[at + 1 :], *reversed(items[:at])]
    return (others[0], None) if others else (None, neighbour(place, 1))


def neighbour(place: Place, step: int) -> str | None:
    """The source before or after the item's."""
    keys, here = [key(one) for one in place.groups], key_of(place.item)
    at = keys.index(here) + step if here in keys else 0
    return keys[at] if 0 <= at < len(keys) else None


def buttons(place: Place) -> None:
    """Previous and next, by mouse or by key."""
    at = place.index
    if st.button("Previous", key="review-previous", shortcut="K"):
        _step(place, (at if at is not None else 0) - 1)
    if st.button("Next", key="review-next", shortcut="J"):
        _step(place, at + 1 if at is not None else 0)


def _step(place: Place, to: int) -> None:
    if 0 <= to < len(place.items):
        go(place.items[to])
    source = neighbour(place, 1 if to > 0 else -1)
    if source is not None:
        go(None, source)
