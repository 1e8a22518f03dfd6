"""The write path as the product runs it, and whether a conversation ever waits for it."""

from __future__ import annotations

import statistics
import threading
import time
from dataclasses import dataclass

from core.errors import ChronoMemoryError
from core.intake import Submission
from core.model import MemoryStatus, RunState, Scope, SourceKind
from eval.bench_report import Times
from eval.installation import Installation, installation

OWNERS = 20
_MONTHS = ("January", "March", "May", "July", "October")
_TURNS = (
    "I'm allergic to {thing}.",
    "I love {thing} and I live in {city}.",
    "My dentist appointment is on {day} {month}.",
    "Our launch moved to {day} {month}.",
    "I prefer {thing} for breakfast.",
)
_THINGS = ("peanuts", "mango", "rye bread", "sardines", "oat milk", "figs", "goat cheese", "lentils")
_CITIES = ("Lisbon", "Oslo", "Kyoto", "Montreal", "Nairobi", "Graz", "Lima", "Hanoi")


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteResult:
    """What went in, what became of it, and how long it took."""

    turns: int
    facts: int
    submit: Times
    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitResult:
    """Turns asked while the write path was idle, busy and stopped; milliseconds until accepted and until answered."""

    accepted_idle: Times
    answered_idle: Times
    accepted_busy: Times
    answered_busy: Times
    backlog: tuple[int, int]  # texts and effects that waited when the first busy turn began, and after the last
    unprocessed_when_stopped: int  # turns that were answered while nothing of them had been through the write path
    answered_stopped: Times


def turn(number: int) -> str:
    """One thing that a person says, different for every number."""
    return _TURNS[number % len(_TURNS)].format(
        thing=_THINGS[number % len(_THINGS)],
        city=_CITIES[number // 3 % len(_CITIES)],
        day=number % 28 + 1,
        month=_MONTHS[number // 28 % len(_MONTHS)],
    )


def measure_writing(turns: int) -> WriteResult:
    """Submit `turns` texts of OWNERS people, then let one worker take them all through to the store."""
    with installation() as made:
        layer = made.layer
        waits = []
        for number in range(turns):
            began = time.perf_counter()
            layer.agent.submit(_submission(number))
            waits.append((time.perf_counter() - began) * 1000)
        began = time.perf_counter()
        layer.drain()
        seconds = time.perf_counter() - began
        facts = sum(sum(layer.store.count(_scope(owner)).values()) for owner in range(OWNERS))
        active = sum(layer.store.count(_scope(owner))[MemoryStatus.ACTIVE] for owner in range(OWNERS))
        if layer.ledger.unprocessed() or layer.ledger.outbox() or not active:
            msg = "the write path did not come to an end"
            raise RuntimeError(msg)
        return WriteResult(turns=turns, facts=facts, submit=Times.of(waits), seconds=seconds)


def measure_waiting(turns: int) -> WaitResult:
    """Hold the same conversation with an idle worker, beside a busy one, and with none at all."""
    with installation() as made:
        for number in range(4):
            _ask(made, f"warm-up {number}", number)
        made.layer.drain()
        idle = [_ask(made, "idle", number, drain=True) for number in range(turns)]
        stopped = [_ask(made, "stopped", number) for number in range(turns)]
        left = sum(not made.layer.ledger.processed(one[2]) for one in stopped)
        made.layer.drain()
        for number in range(turns * 12):
            made.layer.agent.submit(_submission(number))
        before = made.layer.ledger.unprocessed()
        closing = threading.Event()
        worker = threading.Thread(target=_work, args=(made, closing), daemon=True)
        worker.start()
        busy = [_ask(made, "busy", number) for number in range(turns)]
        after = made.layer.ledger.unprocessed()
        closing.set()
        worker.join()
        return WaitResult(
            accepted_idle=Times.of([one[0] for one in idle]),
            answered_idle=Times.of([one[1] for one in idle]),
            accepted_busy=Times.of([one[0] for one in busy]),
            answered_busy=Times.of([one[1] for one in busy]),
            backlog=(before, after),
            unprocessed_when_stopped=left,
            answered_stopped=Times.of([one[1] for one in stopped]),
        )


def _ask(made: Installation, conversation: str, number: int, *, drain: bool = False) -> tuple[float, float, str]:
    """Milliseconds until a turn was accepted, and until its answer was complete; and the turn's episode."""
    layer = made.layer
    began = time.perf_counter()
    run = layer.chat.ask(made.admin, f"{conversation} {number // 5}", turn(number))
    accepted = time.perf_counter()
    while run.state is RunState.RUNNING:
        time.sleep(0.002)
        run = layer.chat.run(made.admin, run.run_id)
    answered = time.perf_counter()
    if run.state is not RunState.DONE:
        msg = f"a turn was not answered: {run.error}"
        raise RuntimeError(msg)
    if drain:
        layer.drain()
    return (accepted - began) * 1000, (answered - began) * 1000, run.question_id


def _work(made: Installation, closing: threading.Event) -> None:
    """The worker's loop, as the layer runs it."""
    while not closing.is_set():
        try:
            if not made.layer.intake.run_once("bench"):
                closing.wait(0.05)
        except ChronoMemoryError:
            closing.wait(0.2)


def _scope(owner: int) -> Scope:
    return Scope(tenant="bench", owner=f"owner-{owner}")


def _submission(number: int) -> Submission:
    owner = number % OWNERS
    return Submission(
        scope=_scope(owner),
        conversation_id=f"c{owner}",
        channel=SourceKind.USER_TURN,
        text=turn(number // OWNERS * 3 + owner),
        actor=f"owner-{owner}",
    )


def ratio(left: Times, right: Times) -> float:
    """How many times slower the left is, by medians."""
    return left.p50 / right.p50 if right.p50 else float("inf")


def median_of(values: list[float]) -> float:
    """The median, for a few runs of something slow."""
    return statistics.median(values)
