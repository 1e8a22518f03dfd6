"""Where a reviewer stands in the queue: the item that is shown, those around it, and which one comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from console import narrow
from console.claim import SHOWN_DIGITS
from core.model import HeldItem, sha256_text
from core.ports import HeldGroup
from core.review import Look

SIZE = 25  # items on a page of the list
AT = "review-at"  # key of the session state: which row is shown once the item in the address is gone
END = -1  # the last row of the page


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """The item that is shown, the others of its page of the list, and what people are doing about them."""

    item: HeldItem
    items: Sequence[HeldItem] = ()
    total: int = 0
    offset: int = 0
    looks: Mapping[str, Look] = field(default_factory=dict)

    @property
    def cid(self) -> str:
        """The id of the item that is shown."""
        return self.item.candidate.candidate_id

    @property
    def look(self) -> Look:
        """What people are doing about it."""
        return self.looks.get(self.cid) or Look(candidate_id=self.cid)

    @property
    def index(self) -> int | None:
        """Where the item stands on its page of the list."""
        return next((at for at, one in enumerate(self.items) if one.candidate.candidate_id == self.cid), None)

    def free(self, item: HeldItem) -> bool:
        """Whether nobody else is looking at an item."""
        look = self.looks.get(item.candidate.candidate_id)
        return look is None or not look.reserved_by


def key(group: HeldGroup) -> str:
    """A group's name in the address."""
    name = f"alike:{group.alike}" if group.alike else group.cluster or f"{group.source_kind}:{group.source_ref}"
    return sha256_text(f"{group.owner}\n{name}")[:SHOWN_DIGITS]


def source_of(item: HeldItem) -> HeldGroup:
    """The source that an item is decided with, as far as the item itself tells."""
    origin = item.candidate.provenance
    return HeldGroup(
        source_kind=origin.source_kind,
        source_ref=origin.source_ref,
        title=origin.title,
        owner=item.candidate.scope.owner,
        count=1,
        oldest=origin.observed_at,
        cluster=item.decision.evidence.cluster,
    )


def go(item: HeldItem | None) -> None:
    """Show another item from the next drawing on; None: the one at the row that is remembered, else the first."""
    if item is None:
        st.query_params.pop("item", None)
    else:
        st.query_params["item"] = item.candidate.candidate_id


def decided(place: Place) -> None:
    """Once the item is decided: the next one that is free, else the one before; the list closes up behind it."""
    at = place.index
    st.session_state[AT] = at or 0
    ahead = list(place.items) if at is None else list(place.items[at + 1 :])
    if at is not None and place.offset + len(place.items) >= place.total:  # nothing moves up from the next page
        ahead += reversed(place.items[:at])
    free = next((one for one in ahead if one.candidate.candidate_id != place.cid and place.free(one)), None)
    go(free)


def step(place: Place, by: int) -> None:
    """The next (1) or the previous (-1) item that nobody else is looking at; past the page's end, the next page."""
    at = place.index
    here = -1 if at is None else at
    ahead = place.items[here + 1 :] if by > 0 else list(reversed(place.items[: max(here, 0)]))
    found = next((one for one in ahead if place.free(one)), None)
    if found is not None:
        go(found)
        return
    page, last = place.offset // SIZE + 1, narrow.last(place.total, SIZE)
    if 1 <= page + by <= last:
        narrow.turn(page + by)
        st.session_state[AT] = 0 if by > 0 else END
        go(None)
