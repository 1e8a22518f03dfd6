"""LangGraph's long-term memory, governed: a `BaseStore` over HTTP (extra: langgraph).

A value comes back exactly as it was put, or not at all: what the gate holds (an order, a fact out of a web page) is
given out only once a person has promoted it, and `put` does not tell. What cannot be kept as the contract says is
refused by name: `Unsupported` for a time to live or an index of one's own, `NotExact` for a value that JSON changes.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from core.client.client import Client
from core.client.errors import Garbled, MemoryDown, NotFound

WAIT = 5.0  # seconds that a put waits for the gate, so that what is put can be got at once
LOOK_EVERY = 0.02


class Unsupported(NotImplementedError):
    """The governed memory has no such thing; the message says what to do instead."""


class NotExact(ValueError):
    """JSON would change this value (a tuple, a key that is no text, a date): put what it would become instead."""


class ChronoStore(BaseStore):
    """A store for `graph.compile(store=…)`. Each agent key is a store of its own.

    Example:
        >>> store = ChronoStore(Client("http://127.0.0.1:8501", "cmk_…"))
        >>> store.put(("notes", "ada"), "tea", {"text": "Ada likes tea."})
        >>> store.get(("notes", "ada"), "tea").value
        {'text': 'Ada likes tea.'}
    """

    __slots__ = ("_client", "_wait")

    def __init__(self, client: Client, *, wait: float = WAIT) -> None:
        """Use a client.

        Args:
            client: of the agent. With `when_down="stateless"` nothing is found while the memory is down; a put is
                refused even then, since nobody would know that it was lost.
            wait: seconds that a put waits until its value was judged; when they are over it is stored all the same,
                and got a little later.
        """
        self._client = client
        self._wait = wait

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do all of it: what is asked sees the memory as it was before; of two puts of one key the last one counts.

        Raises:
            InvalidNamespaceError, NotExact, Unsupported: an operation is refused; nothing was done.
            ClientError: the memory refused it, or is down.
        """
        wanted = list(ops)
        puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
        for op in wanted:
            validate_op_namespace(op)
            if isinstance(op, PutOp):
                _check(op)
                puts[(op.namespace, op.key)] = op
        results = [self._asked(op) for op in wanted]
        self._put(list(puts.values()))
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`, off the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    # --- inside -------------------------------------------------------------------------------------------------

    def _asked(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        if isinstance(op, PutOp):
            return None
        msg = f"This store knows no operation {type(op).__name__}."
        raise Unsupported(msg)

    def _get(self, op: GetOp) -> Item | None:
        try:
            found = self._client.call("GET", "/items", params={"namespace": list(op.namespace), "key": op.key})
        except NotFound:
            return None
        except MemoryDown:
            if self._client.stateless:
                return None
            raise
        return Item(**_fields(found))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        if op.limit <= 0:
            return []
        body = {
            "namespace": list(op.namespace_prefix),
            "query": op.query or "",
            "filter": dict(op.filter or {}),
            "limit": op.limit,
            "offset": op.offset,
        }
        found = self._list("/items/search", body, "items")
        return [SearchItem(**_fields(one), score=one.get("score")) for one in found]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = [{"match": one.match_type, "path": list(one.path)} for one in op.match_conditions or ()]
        body = {"conditions": conditions, "max_depth": op.max_depth, "limit": op.limit, "offset": op.offset}
        return [tuple(one) for one in self._list("/items/namespaces", body, "namespaces")]

    def _list(self, path: str, body: Mapping[str, Any], name: str) -> list[Any]:
        try:
            found = self._client.call("POST", path, body=body)
        except MemoryDown:
            if self._client.stateless:
                return []
            raise
        rows = found.get(name) if isinstance(found, dict) else None
        if not isinstance(rows, list):
            raise _garbled()
        return rows

    def _put(self, ops: Sequence[PutOp]) -> None:
        """Store every value, then wait for all of them at once."""
        waiting = []
        for op in ops:
            place = {"namespace": list(op.namespace), "key": op.key}
            if op.value is None:
                self._client.call("DELETE", "/items", params=place)
                continue
            stored = self._client.call("PUT", "/items", body={**place, "value": dict(op.value)})
            if not isinstance(stored, dict) or "episode_id" not in stored:
                raise _garbled()
            if not stored.get("processed"):
                waiting.append(str(stored["episode_id"]))
        until = time.monotonic() + self._wait
        for episode_id in waiting:
            while not self._client.progress(episode_id).processed and time.monotonic() < until:
                time.sleep(LOOK_EVERY)


def _check(op: PutOp) -> None:
    """Refuse what cannot be kept as the contract says, before anything is done.

    Raises:
        Unsupported: a time to live, or an index of one's own.
        NotExact: the value would come back as another one.
    """
    if op.ttl is not None:
        msg = "Values do not expire by their last use here: delete the key, or let the memory's own rules age it."
        raise Unsupported(msg)
    if op.index is not None:
        msg = "What is searched by meaning is decided by the memory, for all of a value: leave `index` out."
        raise Unsupported(msg)
    if op.value is None:
        return
    try:
        same = json.loads(json.dumps(op.value, allow_nan=False)) == dict(op.value)
    except (TypeError, ValueError, RecursionError) as problem:
        msg = f"The value under {op.key!r} is no JSON object ({problem})."
        raise NotExact(msg) from problem
    if not same or not _plain(op.value):
        msg = f"JSON would change the value under {op.key!r}: use texts as keys, and lists in place of tuples."
        raise NotExact(msg)


def _plain(value: Any) -> bool:
    """Only what JSON has: an enum or a subclass that equals a text would come back as the text."""
    if isinstance(value, Mapping):
        return all(type(name) is str and _plain(one) for name, one in value.items())
    if type(value) is list:
        return all(_plain(one) for one in value)
    return value is None or type(value) in (str, int, float, bool)


def _fields(found: Any) -> dict[str, Any]:
    """An item's fields.

    Raises:
        Garbled: something else answered.
    """
    try:
        return {
            "namespace": tuple(found["namespace"]),
            "key": str(found["key"]),
            "value": dict(found["value"]),
            "created_at": datetime.fromisoformat(found["created_at"]),
            "updated_at": datetime.fromisoformat(found["updated_at"]),
        }
    except (KeyError, TypeError, ValueError) as problem:
        raise _garbled() from problem


def _garbled() -> Garbled:
    return Garbled("The answer is not what the memory answers. Is the address that of the memory?")


__all__ = ["ChronoStore", "NotExact", "Unsupported"]
