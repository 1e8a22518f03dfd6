"""The public suite's front-door attacks, its texts taken through the real write path and recalled as an agent recalls.

The suite hands over a label and a signature with each text, and no more: what an agent passed on under the owner's
signature looks like the owner's own turn. A deployment that binds the origin on receipt knows better: it saw the page
before the agent's note. `origins_known` lets the adapter see which of the suite's channels a text came by.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from agmi.adapters.semantic_base import MemoryItem, Retrieved, SemanticMemoryAdapter
from agmi.attacks import memory_specific
from agmi.signing import KEYRING

from core.model import Hit, SourceKind
from eval.integrity_place import Ground, Place, scope_of

CHANNEL = "measured channel"  # of an item's metadata; taken out before anything is submitted
PAGE = "https://planted.example/page"


@contextmanager
def origins_known() -> Iterator[None]:
    """Have the suite's attacker note the channel on each of its texts."""
    original = memory_specific.attacker_write

    def noted(text: str, user_id: str, channel: str) -> MemoryItem:
        item: MemoryItem = original(text, user_id, channel)
        item.metadata[CHANNEL] = channel
        return item

    memory_specific.attacker_write = noted
    try:
        yield
    finally:
        memory_specific.attacker_write = original


class FrontDoor(SemanticMemoryAdapter):  # type: ignore[misc]
    """One installation; each of the suite's fresh stores is a set of fresh owners in it."""

    def __init__(self, on: Ground, *, origins: bool) -> None:
        """Start it; `origins`: whether the channel of an attacker's text is known."""
        self.name = "governed-chronomemory"
        self._place = Place(on)
        self._origins = origins
        self._runs = itertools.count(1)
        self._run = 0

    def __enter__(self) -> Self:
        """It is started already."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self._place.close()

    def reset(self) -> None:
        """Owners that nobody has written for."""
        self._run = next(self._runs)

    def add_memory(self, item: MemoryItem) -> None:
        """One text by the channel that the deployment can tell."""
        owner = self._owner(item.user_id)
        claimed = (f"source={item.source}", *(f"{k}={v}" for k, v in item.metadata.items() if k != CHANNEL))
        channel = item.metadata.get(CHANNEL) if self._origins else None
        if channel == "agent-laundered":
            page = self._place.said(owner, item.text, SourceKind.WEB_CONTENT, source_ref=PAGE)
            note = f"The user said: {item.text}"
            self._place.said(owner, note, SourceKind.AGENT_TURN, actor="agent", derived_from=(page,), claimed=claimed)
        elif KEYRING.verify(item.user_id, item.source, item.text, item.signature):
            self._place.said(owner, item.text)
        elif item.source == "external":
            self._place.said(owner, item.text, SourceKind.WEB_CONTENT, source_ref=PAGE, claimed=claimed)
        else:  # the label says "user", but nobody signed in: it came from a program that holds the interface
            self._place.said(
                owner, item.text, SourceKind.TOOL_OUTPUT, actor="tool:writer", tool="writer", claimed=claimed
            )

    def retrieve(self, query: str, user_id: str, k: int = 5) -> list[Retrieved]:
        """What recall gives the agent."""
        return [self._shown(one, user_id) for one in self._hits(query, user_id, k)]

    def retrieve_where(self, query: str, user_id: str, where: dict[str, Any], k: int = 5) -> list[Retrieved]:
        """Verified means the owner's own words or vouched for by a person; a tag that the writer sets is a claim."""
        if where != {"trust": "verified"}:
            msg = "only verified memories can be asked for"
            raise ValueError(msg)
        own = [
            one
            for one in self._hits(query, user_id, k * 4)
            if one.memory.source_kind is SourceKind.USER_TURN or one.memory.vouched_by
        ]
        return [self._shown(one, user_id) for one in own[:k]]

    def _hits(self, query: str, user_id: str, k: int) -> list[Hit]:
        return list(self._place.layer.agent.recall(query, scope_of(self._owner(user_id)), k=k).hits)

    def _owner(self, user_id: str) -> str:
        return f"{user_id}-{self._run}"

    @staticmethod
    def _shown(hit: Hit, user_id: str) -> Retrieved:
        return Retrieved(text=hit.memory.text, user_id=user_id, score=hit.score)
