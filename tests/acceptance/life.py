"""How the tests of the lifecycle speak to a started layer: texts by channel, rows by status, time by days."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg

from core.intake import Submission
from core.model import (
    Actor,
    CandidateState,
    Episode,
    HeldItem,
    Memory,
    MemoryKind,
    MemoryStatus,
    Ruling,
    RulingKind,
    SourceKind,
)
from tests.conftest import Console

USER, AGENT, TOOL, WEB, DOC, MAIL = (
    SourceKind.USER_TURN,
    SourceKind.AGENT_TURN,
    SourceKind.TOOL_OUTPUT,
    SourceKind.WEB_CONTENT,
    SourceKind.EXTERNAL_DOC,
    SourceKind.THIRD_PARTY,
)


class Life:
    """One installation and the person whose memory a test is about."""

    def __init__(self, console: Console, who: Actor | None = None) -> None:
        self.console, self.layer = console, console.layer
        self.who = who or console.admin

    def of(self, who: Actor) -> Life:
        return Life(self.console, who)

    def say(self, text: str, *, channel: SourceKind = USER, where: str = "c1", **rest: Any) -> Episode:
        """A text by its route, taken through the write path."""
        episode = self.submit(text, channel=channel, where=where, **rest)
        self.console.settle()
        return episode

    def submit(self, text: str, *, channel: SourceKind = USER, where: str = "c1", **rest: Any) -> Episode:
        """The same, left before the worker."""
        actor = self.who.user_id if channel is USER else channel.value
        given = {"source_ref": where, **rest}
        return self.layer.agent.submit(
            Submission(scope=self.who.scope, conversation_id=where, channel=channel, text=text, actor=actor, **given)
        )

    def wait(self, **delta: float) -> None:
        """Time passes; whoever's session ran out meanwhile signs in again."""
        self.console.clock.forward(**delta)
        if self.layer.accounts.refresh(self.who.session_id, self.who.user_id) is None:
            again = self.console.sign_in(self.who.username)
            if self.console.admin.user_id == again.user_id:
                self.console.admin = again
            self.who = again

    def rows(self, *statuses: MemoryStatus, text: str = "") -> list[Memory]:
        wanted = statuses or (MemoryStatus.ACTIVE,)
        return list(self.layer.memories.list(self.who, text=text or None, statuses=wanted, limit=500)[0])

    def facts(self, *statuses: MemoryStatus, text: str = "") -> list[Memory]:
        return [one for one in self.rows(*statuses, text=text) if one.kind is not MemoryKind.EVENT]

    def fact(self, text: str, *statuses: MemoryStatus) -> Memory:
        [one] = self.facts(*statuses, text=text)
        return one

    def row(self, memory_id: str) -> Memory:
        found = self.layer.store.get(self.who.scope, memory_id)
        assert found is not None
        return found

    def recall(self, query: str, *, settle: bool = True, **rest: Any) -> list[str]:
        """Statements that a question brings up; the worker then does what follows from it."""
        found = self.layer.agent.recall(query, self.who.scope, **rest)
        if settle:
            self.console.settle()
        return [hit.memory.text for hit in found.hits]

    def items(self, episode: Episode) -> list[HeldItem]:
        return list(self.layer.ledger.candidates_of(episode.episode_id))

    def held(self, episode: Episode) -> HeldItem:
        [one] = [one for one in self.items(episode) if one.state is CandidateState.HELD]
        return one

    def audit(self, action: str) -> list[Any]:
        return list(self.layer.ledger.audit(self.who.tenant, action=action, limit=500)[0])

    def verified(self) -> bool:
        return bool(self.layer.audit_desk.verify(self.console.admin).ok)


def ruling(item: HeldItem, kind: RulingKind = RulingKind.PROMOTE, **rest: Any) -> Ruling:
    given = {"seen_version": item.candidate.version, "digest": item.candidate.digest, "note": "looked at it"}
    return Ruling(candidate_id=item.candidate.candidate_id, kind=kind, **(given | rest))


def snapshot_of(memories: Sequence[Memory]) -> list[Memory]:
    """Rows in an order that two stores share."""
    return sorted((replace(one) for one in memories), key=lambda one: one.memory_id)


@contextlib.contextmanager
def as_app(url: str, who: Actor) -> Iterator[psycopg.Connection[Any]]:
    """The database as the application's own role sees it in one person's scope."""
    with psycopg.connect(url) as conn:
        conn.execute("SET search_path TO chronomemory, public")
        conn.execute("SET ROLE chronomemory_app")
        conn.execute("SELECT set_config('app.owner', %s, false)", (who.user_id,))
        conn.execute("SELECT set_config('app.tenant', %s, false)", (who.tenant,))
        yield conn


def bytes_of_ledger(folder: Path) -> bytes:
    """The ledger's file with its log, as bytes."""
    return b"".join(one.read_bytes() for one in sorted(folder.glob("ledger.sqlite3*")))


def words_of_store(url: str) -> str:
    """Every column of every table that the store keeps, as text."""
    with psycopg.connect(url) as conn:
        named = conn.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'chronomemory' "
            "AND table_type = 'BASE TABLE'"
        ).fetchall()
        return "\n".join(
            str(row[0])
            for (table,) in named
            for row in conn.execute(f"SELECT t::text FROM chronomemory.{table} t").fetchall()  # noqa: S608
        )


def anywhere(marker: str, folder: Path, url: str) -> list[str]:
    """Where a word still stands: "ledger", "store"."""
    found = []
    if re.search(re.escape(marker.encode()), bytes_of_ledger(folder), re.IGNORECASE):
        found.append("ledger")
    if marker.lower() in words_of_store(url).lower():
        found.append("store")
    return found
