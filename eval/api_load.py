"""Asks recall over HTTP, in a process of its own: `python -m eval.api_load`, a job as JSON on standard input.

Raw asyncio streams with connections kept open: about a tenth of a millisecond of processor time a request, so that what
is measured is the server. What the process itself used is reported, so that this can be checked.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_ANSWER_SECONDS = 120.0


@dataclass(kw_only=True)
class Met:
    """What the clients met."""

    milliseconds: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    empty: int = 0  # answers without a hit


def main() -> None:
    """Do the job: port, token, clients, seconds, requests at most, questions; the answer goes to standard output."""
    job = json.load(sys.stdin)
    met = Met()
    began, used = time.perf_counter(), time.process_time()
    asyncio.run(_crowd(job, met))
    seconds = time.perf_counter() - began
    answer = {
        "seconds": seconds,
        "own_share": (time.process_time() - used) / seconds,
        "milliseconds": met.milliseconds,
        "statuses": met.statuses,
        "empty": met.empty,
    }
    json.dump(answer, sys.stdout)


async def _crowd(job: dict[str, Any], met: Met) -> None:
    questions = iter(job["questions"][: job["requests"]])
    deadline = time.perf_counter() + job["seconds"]
    await asyncio.gather(*(_client(job, questions, deadline, met) for _ in range(job["clients"])))


async def _client(job: dict[str, Any], questions: Iterator[str], deadline: float, met: Met) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", job["port"])
    head = (
        "POST /api/v1/recall HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"authorization: Bearer {job['token']}\r\ncontent-length: "
    )
    try:
        while time.perf_counter() < deadline and (question := next(questions, None)) is not None:
            body = json.dumps({"query": question}).encode()
            began = time.perf_counter()
            writer.write(f"{head}{len(body)}\r\n\r\n".encode() + body)
            status, answer = await asyncio.wait_for(_answer(reader), _ANSWER_SECONDS)
            met.milliseconds.append((time.perf_counter() - began) * 1000)
            met.statuses[status] = met.statuses.get(status, 0) + 1
            met.empty += b'"hits":[]' in answer
    finally:
        writer.close()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    length = next(int(line.partition(":")[2]) for line in lines if line.lower().startswith("content-length:"))
    return int(first.split(" ", 2)[1]), await reader.readexactly(length)


if __name__ == "__main__":
    main()
