"""The agent face's items: values under a key, given back exactly or not at all. It calls `core.items`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from core.agents import MOST_REFS, NAME_CHARS, QUESTION_CHARS
from core.entrypoints.http.callers import Agent
from core.entrypoints.http.place import layer_of
from core.entrypoints.http.problems import COMMON
from core.entrypoints.http.wire import Name, Taken
from core.items import KEY_CHARS, LONGEST_WAIT, MOST_FOUND, MOST_LABELS, Items, Value
from core.namespaces import Condition, chosen

router = APIRouter(prefix="/v1/items", tags=["agents"], responses=COMMON)

Label = Annotated[str, StringConstraints(min_length=1, max_length=NAME_CHARS)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=KEY_CHARS)]
Namespace = Annotated[list[Label], Field(min_length=1, max_length=MOST_LABELS)]
Prefix = Annotated[list[Label], Field(max_length=MOST_LABELS)]
InQuery = Annotated[
    list[Label],
    Query(min_length=1, max_length=MOST_LABELS, description="Once for each label, from the outside in."),
]
KeyInQuery = Annotated[str, Query(min_length=1, max_length=KEY_CHARS)]
Page = Annotated[int, Field(ge=1, le=MOST_FOUND)]
Offset = Annotated[int, Field(ge=0, le=10_000_000)]


async def _items(request: Request) -> Items:  # async: an attribute needs no thread of its own
    return layer_of(request).items


Desk = Annotated[Items, Depends(_items)]


class ItemIn(Taken):
    """A value for a key."""

    namespace: Namespace
    key: Key
    value: dict[str, Any] = Field(description="Comes back as it is, or not at all.")
    derived_from: Annotated[list[Name], Field(max_length=MOST_REFS)] = Field(
        default_factory=list, description="As of an episode; only lowers trust."
    )
    wait: Annotated[float, Field(ge=0, le=LONGEST_WAIT)] = Field(
        default=0.0, description="Seconds to wait until it was read. It is stored before."
    )


class PutOut(BaseModel):
    """A value that is stored. Whether it is given out is not told."""

    episode_id: str
    processed: bool


class ItemOut(BaseModel):
    """An item."""

    namespace: list[str]
    key: str
    value: dict[str, Any]
    created_at: AwareDatetime
    updated_at: AwareDatetime
    score: float | None = Field(default=None, description="Of a search by meaning.")

    @classmethod
    def of(cls, one: Value) -> ItemOut:
        """From a value."""
        return cls(
            namespace=list(one.namespace),
            key=one.key,
            value=dict(one.value),
            created_at=one.created_at,
            updated_at=one.updated_at,
            score=one.score,
        )


class ItemSearchIn(Taken):
    """Which items."""

    namespace: Prefix = Field(default_factory=list, description="They begin with these labels.")
    query: Annotated[str, StringConstraints(max_length=QUESTION_CHARS)] = ""
    filter: dict[str, Any] = Field(
        default_factory=dict, description="Fields that are equal, or compared by $eq $ne $gt $gte $lt $lte."
    )
    limit: Page = 10
    offset: Offset = 0


class ItemsOut(BaseModel):
    """Items."""

    items: list[ItemOut]


class ConditionIn(Taken):
    """How a namespace begins or ends; * stands for any one label."""

    match: Literal["prefix", "suffix"]
    path: Prefix


class NamespacesIn(Taken):
    """Which namespaces."""

    conditions: Annotated[list[ConditionIn], Field(max_length=20)] = Field(default_factory=list)
    max_depth: Annotated[int, Field(ge=1, le=MOST_LABELS)] | None = None
    limit: Page = 100
    offset: Offset = 0


class NamespacesOut(BaseModel):
    """Namespaces, in order."""

    namespaces: list[list[str]]


@router.put("", summary="Keep a value under a key")
def put(desk: Desk, who: Agent, body: ItemIn) -> PutOut:
    """In place of the value before. It counts as the agent's word; what it says is judged like any text."""
    found = desk.put(who, body.namespace, body.key, body.value, derived_from=body.derived_from, wait=body.wait)
    return PutOut(episode_id=found.episode_id, processed=found.read)


@router.get("", summary="The value of a key")
def get(desk: Desk, who: Agent, namespace: InQuery, key: KeyInQuery) -> ItemOut:
    """As it was put. One of which a part is held or was taken back looks like none: 404."""
    return ItemOut.of(desk.get(who, namespace, key))


@router.delete("", status_code=204, summary="Keep a key no more")
def delete(desk: Desk, who: Agent, namespace: InQuery, key: KeyInQuery) -> Response:
    """What was learned of its value is taken back. Nothing there: nothing happens."""
    desk.delete(who, namespace, key)
    return Response(status_code=204)


@router.post("/search", summary="Items below a namespace")
def search(desk: Desk, who: Agent, body: ItemSearchIn) -> ItemsOut:
    """Last put first; with a query, what comes to mind for it first, with its score."""
    found = desk.search(who, body.namespace, query=body.query, where=body.filter, limit=body.limit, offset=body.offset)
    return ItemsOut(items=[ItemOut.of(one) for one in found])


@router.post("/namespaces", summary="Namespaces with something in them")
def namespaces(desk: Desk, who: Agent, body: NamespacesIn) -> NamespacesOut:
    """Those that meet every condition, cut to `max_depth` labels, each once."""
    conditions = [Condition(at_end=one.match == "suffix", path=tuple(one.path)) for one in body.conditions]
    found = chosen(desk.namespaces(who), conditions, max_depth=body.max_depth)
    return NamespacesOut(namespaces=[list(one) for one in found[body.offset : body.offset + body.limit]])
