"""Turns of conversations in a real installation: submitted, taken in by the worker, recalled as the product does it.

Everything goes through the front door that an agent has: `AgentApi.submit`, then the worker's own steps into the real
stores, then `AgentApi.recall`. What comes back is mapped memory → episode → turn.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from core.intake import Submission
from core.layer import AgentApi
from core.model import Actor, MemoryStatus, Scope, SourceKind
from core.policy import Policy
from core.ports import Embedder
from core.recall import Recall
from eval.installation import Installation, installation
from eval.retrieval import distinct

UNDECAYED_DAYS = 36_500.0  # the longest η that a policy may have: after a year freshness is still .97
DEEPER = 3  # memories asked for a turn that is ranked: one turn may have taught facts beside its event


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One turn on its way in."""

    unit: str  # what gold names: a turn's or message's id
    conversation: str  # its session: turns are neighbours within one
    channel: SourceKind
    speaker: str
    text: str
    at: datetime
    distil: bool = True


@dataclass(kw_only=True, slots=True)
class Shelf:
    """One owner's conversation in the stores."""

    actor: Actor
    units: dict[str, str] = field(default_factory=dict)  # episode id → unit
    milliseconds: list[float] = field(default_factory=list)  # of each recall

    @property
    def scope(self) -> Scope:
        """Whose memory it is."""
        return self.actor.scope


def undecayed(policy: Policy) -> Policy:
    """The policy with forgetting turned off: every kind stays as fresh as a policy allows."""
    days = UNDECAYED_DAYS
    decay = replace(
        policy.decay,
        event_eta_days=days,
        semantic_eta_days=days,
        semantic_eta_days_corroborated=days,
        lesson_eta_days=days,
    )
    return replace(policy, decay=decay)


def agent_under(made: Installation, policy: Policy) -> AgentApi:
    """The installation's own agent face, recalling under another policy."""
    agent = made.layer.agent
    return replace(agent, recaller=replace(agent.recaller, policy=policy))


def take_in(made: Installation, name: str, turns: Sequence[Said], *, at: datetime) -> Shelf:
    """Submit an owner's turns in order and let the worker take them in; `at` is when they arrive."""
    made.clock.at = at
    shelf = Shelf(actor=made.person(name))
    for turn in turns:
        episode = made.layer.agent.submit(
            Submission(
                scope=shelf.scope,
                conversation_id=turn.conversation,
                channel=turn.channel,
                text=turn.text,
                actor=turn.speaker,
                source_ref=turn.speaker if turn.channel is SourceKind.THIRD_PARTY else "",
                title=turn.speaker if turn.channel is SourceKind.THIRD_PARTY else "",
                distil=turn.distil,
                stated_at=turn.at,
            )
        )
        shelf.units[episode.episode_id] = turn.unit
    while made.layer.intake.run_once("eval"):
        pass
    made.layer.enactor.relay()
    return shelf


def ranked_units(agent: AgentApi, shelf: Shelf, question: str, *, k: int) -> tuple[str, ...]:
    """The k best turns for a question: memories in the order of recall, each turn at the place of its first memory."""
    began = time.perf_counter()
    found: Recall = agent.recall(question, shelf.scope, k=k * DEEPER)
    shelf.milliseconds.append((time.perf_counter() - began) * 1000)
    return distinct([shelf.units.get(hit.memory.episode_id) for hit in found.hits], k)


def coverage(made: Installation, shelf: Shelf) -> tuple[int, int]:
    """(turns that a live memory came from, live memories)."""
    memories, total = made.layer.memories.list(shelf.actor, statuses=(MemoryStatus.ACTIVE,), limit=100_000)
    return len({one.episode_id for one in memories} & set(shelf.units)), total


@contextmanager
def remembered(
    name: str, turns: Sequence[Said], *, at: datetime, vectors: Embedder, keep: Path | None = None
) -> Iterator[tuple[Installation, Shelf]]:
    """An installation whose one member's memory is these turns; the clock stands at `at`.

    Args:
        name: the member, and the folder's name.
        turns: what was said, in order.
        at: when it all arrives.
        vectors: makes the vectors.
        keep: folder of installations from run to run: what is there already is not taken in again. For looking at the
            ranking only; turns that changed since are not noticed.
    """
    place = keep / name if keep else None
    told = place / "units.json" if place else None
    with installation(at=at, embedder=vectors, kept=place) as made:
        if told and told.exists():
            yield made, Shelf(actor=made.sign_in(name), units=json.loads(told.read_text(encoding="utf-8")))
            return
        shelf = take_in(made, name, turns, at=at)
        if told:
            told.write_text(json.dumps(shelf.units), encoding="utf-8")
        yield made, shelf
