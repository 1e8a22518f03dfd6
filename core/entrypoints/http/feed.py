"""The live feed: audit entries as they come, for people's programs. Ids and digests, never words."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from typing import Annotated

import anyio
from fastapi import APIRouter, Depends, Header, Query, Request
from sse_starlette import EventSourceResponse, ServerSentEvent

from core.agents import NAME_CHARS
from core.entrypoints.http.callers import Operator
from core.entrypoints.http.operators import Layer
from core.entrypoints.http.operatorwire import EntryOut
from core.entrypoints.http.place import place_of
from core.entrypoints.http.problems import COMMON, Problem
from core.errors import BadInput, LedgerUnavailable, NotAuthorised, StoreUnavailable, TooManyStreams
from core.layer import MemoryLayer
from core.model import Actor

router = APIRouter(prefix="/v1", tags=["operators: oversight"], responses=COMMON)

BATCH = 200  # entries read at once
LOOK_SECONDS = 1.0  # between looks at the chain
TROUBLE_SECONDS = 5.0  # and while it cannot be read
HEARTBEAT_SECONDS = 15  # a comment is sent so often, so that nobody on the way takes the silence for an end
SEND_SECONDS = 30.0  # a listener who takes nothing for so long is let go
LAST = 2**62  # no chain is so long


class Streams:
    """Streams that are open in this process, by person; bounded, for each holds a connection."""

    def __init__(self) -> None:
        """None is open."""
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def begin(self, user_id: str, *, of_person: int, of_all: int) -> None:
        """Count one more.

        Raises:
            TooManyStreams: there are as many as are allowed.
        """
        with self._lock:
            if self._open[user_id] >= of_person or self._open.total() >= of_all:
                msg = "Too many feeds are open. Close one, or read /v1/audit from time to time."
                raise TooManyStreams(msg)
            self._open[user_id] += 1

    def end(self, user_id: str) -> None:
        """Count one less."""
        with self._lock:
            self._open[user_id] -= 1
            if not self._open[user_id]:
                del self._open[user_id]

    def total(self) -> int:
        """How many are open."""
        return self._open.total()


def streams_of(request: Request) -> Streams:
    """The application's streams."""
    state = request.app.state
    if not hasattr(state, "streams"):
        state.streams = Streams()
    found: Streams = state.streams
    return found


def _place_in_line(request: Request, who: Operator) -> Iterator[None]:
    """A stream's place, given back when the stream ends, however it ends."""
    streams, settings = streams_of(request), place_of(request).settings
    streams.begin(who.user_id, of_person=settings.api_feeds_of_person, of_all=settings.api_feeds)
    try:
        yield
    finally:
        streams.end(who.user_id)


def _from(
    layer: Layer,
    who: Operator,
    last_event_id: Annotated[
        str | None,
        Header(
            max_length=NAME_CHARS, description="The id of the last event that was dealt with: what came since is sent."
        ),
    ] = None,
) -> int:
    """After which entry the stream begins.

    Raises:
        BadInput: the id is none of an event's.
    """
    if last_event_id is None or not last_event_id.strip():
        return layer.audit_desk.head(who)[0]
    if not (last_event_id.isascii() and last_event_id.isdigit()) or int(last_event_id) > LAST:
        msg = "Last-Event-ID is the id of an event that this feed sent: a number."
        raise BadInput(msg)
    return int(last_event_id)


@router.get(
    "/events",
    summary="Audit entries as they come (server-sent events)",
    response_class=EventSourceResponse,
    responses={200: {"description": "Events.", "content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def events(
    layer: Layer,
    who: Operator,
    begin: Annotated[int, Depends(_from)],
    _place: Annotated[None, Depends(_place_in_line)],
    action: Annotated[list[Annotated[str, Query(max_length=NAME_CHARS)]] | None, Query(max_length=20)] = None,
) -> EventSourceResponse:
    """What concerns the caller, by role as in /v1/audit; `action`: only what begins so (candidate:, policy:adopted …).

    An event's id is the entry's number: send the last one as `Last-Event-ID` to go on after a break. Ends when the
    session ends, the key is revoked or the role no longer allows it.
    """
    stream = _stream(layer, who, begin, tuple(action or ()))
    return EventSourceResponse(stream, ping=HEARTBEAT_SECONDS, send_timeout=SEND_SECONDS)


async def _stream(layer: MemoryLayer, who: Actor, seq: int, wanted: tuple[str, ...]) -> AsyncIterator[ServerSentEvent]:
    while True:
        try:
            found, seq, more = await anyio.to_thread.run_sync(_look, layer, who, seq, wanted)
        except NotAuthorised as ended:
            yield ServerSentEvent(event="end", data=_ended(str(ended)).model_dump_json(exclude_none=True))
            return
        except (LedgerUnavailable, StoreUnavailable):
            await anyio.sleep(TROUBLE_SECONDS)
            continue
        for one in found:
            yield ServerSentEvent(id=str(one.seq), event=one.action, data=one.model_dump_json())
        if not more:
            await anyio.sleep(LOOK_SECONDS)


def _look(layer: MemoryLayer, who: Actor, seq: int, wanted: tuple[str, ...]) -> tuple[list[EntryOut], int, bool]:
    """The next entries that the caller may see and wants, up to where was looked, and whether there may be more."""
    found, read = layer.audit_desk.after(who, seq, limit=BATCH)
    shown = [EntryOut.of(one) for one in found if not wanted or one.action.startswith(wanted)]
    return shown, max(seq, read), read - seq >= BATCH


def _ended(detail: str) -> Problem:
    status = HTTPStatus.FORBIDDEN
    return Problem(type="NotAuthorised", title=status.phrase, status=status, detail=detail, retry=False)
