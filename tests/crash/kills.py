"""SIGKILL at every step of the write, relay and review paths: nothing accepted is lost, nothing held leaks, nothing is done twice.

Two modules take these tests over: `test_kill` with the ledger in a file, `test_kill_postgres` with it in a database.

For each crossing k: a process works on fresh copies of both stores until it kills itself there; the stores are looked at as it
left them; a second process takes the work up; a third sends everything again, as a client without an answer would. Then the
result must be that of a run that nobody killed.
"""

from __future__ import annotations

import itertools
import re
import shutil
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from core.accounts import DEFAULT_TENANT
from core.ledger import SqliteLedger, StoredLedger
from core.ledger_pg import PostgresLedger
from core.model import CandidateState, Effect, EffectKind, Verdict
from core.store import EmbeddedPostgres
from eval.dumped import dump
from tests.crash.scenario import LEFT, PAGE, PROMOTED, REJECTED, TURNS
from tests.nursery import Nursery

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE, LEDGER = "crash_template", "_ledger"  # names of databases
ENOUGH = 200  # crossings; a scenario that never ends would otherwise loop for ever
DUMPED_EVERY = 8  # crossings: pg_dump is the slow look; every crossing's rows are read as text


class Births(Nursery):
    """Gives birth to the processes of the scenario and hears what they said."""

    def run(self, world: World, act: str, **given: Any) -> tuple[int, list[str]]:
        """The exit code, negative for a signal, and the lines of one process."""
        environment = {
            "CHRONOMEMORY_DATA": str(world.data),
            "DATABASE_URL": world.conninfo,
            "CHRONOMEMORY_WORKER": "false",
            "IDLE_MINUTES": "100000",  # the processes come hours after each other
            "ABSOLUTE_HOURS": "100000",
            "LEDGER_URL": world.ledger_url,
        }
        answer = self.ask({"act": act, "given": given, "environment": environment})
        return answer["code"], answer["said"]


@dataclass(frozen=True, kw_only=True)
class World:
    """One installation's two stores."""

    data: Path
    conninfo: str
    ledger_url: str = ""  # "": the ledger is a file in the folder

    def ledger(self) -> StoredLedger:
        """The ledger, opened beside the processes."""
        secret = (self.data / "secret").read_bytes()
        if self.ledger_url:
            return PostgresLedger.open(self.ledger_url, hmac_key=secret)
        return SqliteLedger.open(self.data / "ledger.sqlite3", hmac_key=secret)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """Both stores as they stand, read past the layer."""

    effects: dict[str, Effect]  # of every admitting or reversing decision in the ledger, by id
    audited: dict[str, int]  # memory → sequence of the entry that recorded the decision to activate it
    memories: list[dict[str, Any]]
    applied: list[str]
    embedded: set[str]
    counted: int
    words: str  # every row of every table, as text
    candidates: list[tuple[str, str]]  # text, state
    outbox: int
    unprocessed: int
    problem: str  # of the audit chain against the store's witness


@pytest.fixture(scope="module")
def nursery() -> Iterator[Births]:
    made = Births("tests.crash.nursery")
    yield made
    made.close()


@pytest.fixture(scope="module")
def template(
    postgres_server: EmbeddedPostgres, nursery: Births, tmp_path_factory: pytest.TempPathFactory, *, in_postgres: bool
) -> Iterator[tuple[World, str]]:
    """An installation with its administrator, to be copied; and that person's session token."""
    admin = postgres_server.start()
    names = [TEMPLATE, TEMPLATE + LEDGER] if in_postgres else [TEMPLATE]
    with psycopg.connect(admin, autocommit=True) as conn:
        for name in names:
            conn.execute(f"CREATE DATABASE {name}")
    world = World(
        data=tmp_path_factory.mktemp("crash"),
        conninfo=make_conninfo(admin, dbname=TEMPLATE),
        ledger_url=make_conninfo(admin, dbname=TEMPLATE + LEDGER) if in_postgres else "",
    )
    code, said = nursery.run(world, "set_up")
    assert code == 0, said
    yield world, said[-1].removeprefix("token ")
    with psycopg.connect(admin, autocommit=True) as conn:
        for name in names:
            conn.execute(f"DROP DATABASE {name} WITH (FORCE)")


class Worlds:
    """Copies of the template."""

    def __init__(self, server: EmbeddedPostgres, template: World, folder: Path) -> None:
        self._admin, self._template, self._folder = server.start(), template, folder

    def make(self, name: str) -> World:
        data = self._folder / name
        shutil.copytree(self._template.data, data)
        with psycopg.connect(self._admin, autocommit=True) as conn:
            for kind in self._kinds():
                query = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
                conn.execute(query.format(sql.Identifier(name + kind), sql.Identifier(TEMPLATE + kind)))
        ledger_url = make_conninfo(self._admin, dbname=name + LEDGER) if self._template.ledger_url else ""
        return World(data=data, conninfo=make_conninfo(self._admin, dbname=name), ledger_url=ledger_url)

    def drop(self, name: str) -> None:
        with psycopg.connect(self._admin, autocommit=True) as conn:
            for kind in self._kinds():
                conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name + kind)))
        shutil.rmtree(self._folder / name)

    def _kinds(self) -> tuple[str, ...]:
        return ("", LEDGER) if self._template.ledger_url else ("",)


@pytest.fixture(scope="module")
def worlds(
    postgres_server: EmbeddedPostgres, template: tuple[World, str], tmp_path_factory: pytest.TempPathFactory
) -> Worlds:
    return Worlds(postgres_server, template[0], tmp_path_factory.mktemp("worlds"))


def look(world: World) -> Seen:
    """Read both stores as they are."""
    with psycopg.connect(world.conninfo, autocommit=True, row_factory=psycopg.rows.dict_row) as conn:
        conn.execute("SET search_path = chronomemory, public")
        memories = conn.execute("SELECT * FROM memory").fetchall()
        applied = [row["effect_id"] for row in conn.execute("SELECT effect_id FROM applied_effect").fetchall()]
        embedded = {row["memory_id"] for row in conn.execute("SELECT memory_id FROM memory_embedding").fetchall()}
        counted = sum(row["memories"] for row in conn.execute("SELECT memories FROM scope_stat").fetchall())
        [witnessed] = conn.execute("SELECT ledger_seq, ledger_head FROM ledger_witness").fetchall() or [None]
        words = everything(conn)
    ledger = world.ledger()
    try:
        entries, _ = ledger.audit(DEFAULT_TENANT, limit=10_000)
        audited: dict[str, int] = {}
        for entry in entries:
            if entry.action.startswith("candidate:"):
                for kind, memory_id in zip(entry.about["effects"], entry.about["memory_ids"], strict=True):
                    if kind == EffectKind.ACTIVATE:
                        audited[memory_id] = min(entry.seq, audited.get(memory_id, entry.seq))
        ids = {entry.about["candidate_id"] for entry in entries if "candidate_id" in entry.about}
        items = [ledger.candidate(one) for one in sorted(ids)]
        decisions = [decision for one in sorted(ids) for decision in ledger.decisions(one)]
        assert all(one.effects == () for one in decisions if one.verdict is Verdict.REJECT)
        return Seen(
            effects={effect.effect_id: effect for one in decisions for effect in one.effects},
            audited=audited,
            memories=memories,
            applied=applied,
            embedded=embedded,
            counted=counted,
            words=words,
            candidates=sorted((one.candidate.text, one.state.value) for one in items if one is not None),
            outbox=len(ledger.outbox(limit=1000)),
            unprocessed=ledger.unprocessed(),
            problem=ledger.verify(witnessed=witnessed and (witnessed["ledger_seq"], witnessed["ledger_head"])).problem,
        )
    finally:
        ledger.close()


def everything(conn: psycopg.Connection[Any]) -> str:
    """Every row of every table of the schema, as Postgres prints it."""
    tables = conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'chronomemory'").fetchall()
    parts: list[str] = []
    for table in tables:
        query = sql.SQL("SELECT t::text AS row FROM chronomemory.{} t").format(sql.Identifier(table["tablename"]))
        parts.extend(row["row"] for row in conn.execute(query).fetchall())
    assert any("ada" in part for part in parts)  # it does find what is there
    return "\n".join(parts)


def end_state(seen: Seen) -> tuple[Any, ...]:
    """What must be the same however the run was interrupted: no ids, no times."""
    memories = sorted(
        (one["text"], one["status"], one["version"], one["access_count"], one["origins"], one["vouched_by"] or "")
        for one in seen.memories
    )
    return memories, seen.candidates


def test_the_scenario_does_what_the_crashes_interrupt(nursery, template, worlds):
    """Without a crash: facts, one superseded, one claim promoted, one rejected, one left held."""
    world = worlds.make("crash_reference")
    code, said = nursery.run(world, "work", token=template[1], kill=0)
    assert code == 0, said
    seen = look(world)
    texts = " ".join(one["text"] for one in seen.memories if one["status"] == "active")
    assert "penicillin" in texts
    assert "Oslo" in texts
    assert PROMOTED in texts
    assert [one["text"] for one in seen.memories if one["status"] == "superseded" and "Lisbon" in one["text"]]
    states = dict(seen.candidates)
    assert [state for text, state in states.items() if PROMOTED in text] == [CandidateState.PROMOTED]
    assert [state for text, state in states.items() if REJECTED in text] == [CandidateState.REJECTED]
    assert [state for text, state in states.items() if LEFT in text] == [CandidateState.HELD]
    assert seen.problem == ""
    worlds.drop("crash_reference")


def test_a_kill_at_any_step_loses_leaks_and_doubles_nothing(nursery, template, worlds, stride):
    _, token = template
    reference = worlds.make("crash_whole")
    code, said = nursery.run(reference, "work", token=token, kill=0)
    assert code == 0, said
    wanted = end_state(look(reference))
    assert REJECTED not in dump(reference.conninfo)
    worlds.drop("crash_whole")

    killed: set[str] = set()
    for k in crossings(stride):
        assert k < ENOUGH
        name = f"crash_{k}"
        world = worlds.make(name)
        code, said = nursery.run(world, "work", token=token, kill=k)
        if code == 0:
            break
        assert code == -signal.SIGKILL, said
        where = f"{k}: {said[-1]}"
        killed.add(said[-1])
        as_it_was_left(world, where, dumped=k % DUMPED_EVERY == 0)
        taken_up(nursery, world, token, said, where)
        sent_again(nursery, world, token, wanted, said, where)
        worlds.drop(name)
    worlds.drop(name)

    assert k > 30  # the loop did go through the paths
    assert killed == {
        "killed before a ledger transaction",
        "killed before a ledger commit",
        "killed after a ledger commit",
        "killed after a claim",
        "killed before a store effect",
        "killed after a store effect",
    }


def crossings(stride: int) -> Iterator[int]:
    """Every one; or every so many-th in uneven steps, so that no kind of crossing is stepped over again and again."""
    return itertools.count(1) if stride == 1 else itertools.accumulate(itertools.cycle((stride, stride + 1)), initial=1)


def as_it_was_left(world: World, where: str, *, dumped: bool) -> None:
    """Invariants (a) and (c) hold at the very moment of the crash, and the chain is whole."""
    seen = look(world)
    for memory in seen.memories:
        decided = seen.audited.get(memory["memory_id"])
        assert decided is not None, where  # no memory without an audited decision
        assert decided <= memory["ledger_seq"], where  # that came first
    assert set(seen.applied) <= set(seen.effects), where
    no_held_words(seen, where, dump(world.conninfo) if dumped else "")
    assert seen.problem == "", where


def no_held_words(seen: Seen, where: str, dumped: str) -> None:
    """Words of what is held or rejected are nowhere in Postgres; a promoted claim's are."""
    states = {words: state for words in (PROMOTED, REJECTED, LEFT) for text, state in seen.candidates if words in text}
    for words in (PROMOTED, REJECTED, LEFT):
        if states.get(words) != CandidateState.PROMOTED:
            found = re.compile(re.escape(words), re.IGNORECASE)
            assert not found.search(seen.words), where
            assert not found.search(dumped), where
    assert PAGE not in seen.words, where


def taken_up(nursery: Births, world: World, token: str, said: list[str], where: str) -> None:
    """A second process: every acknowledged text is there, in order, and was taken through."""
    code, report = nursery.run(world, "recover", token=token)
    assert code == 0, (where, report)
    assert report[-1] == "unprocessed 0 outbox 0", where
    ledger = world.ledger()
    try:
        for line in said:
            if line.startswith("acknowledged "):
                _, number, episode_id = line.split()
                episode = ledger.episode(episode_id)
                assert episode is not None, where
                assert episode.text == (*TURNS, PAGE)[int(number)], where
                assert ledger.processed(episode_id), where
    finally:
        ledger.close()
    seen = look(world)
    assert sorted(seen.applied) == sorted(seen.effects), where  # (b) all of them, and each once
    no_held_words(seen, where, "")
    assert seen.problem == "", where


def sent_again(nursery: Births, world: World, token: str, wanted: tuple[Any, ...], said: list[str], where: str) -> None:
    """A third process sends all again: the acknowledged keep their ids, and the end is that of the undisturbed run."""
    code, again = nursery.run(world, "finish", token=token)
    assert code == 0, (where, again)
    before = [line for line in said if line.startswith("acknowledged ")]
    after = [line for line in again if line.startswith("acknowledged ")]
    assert after[: len(before)] == before, where
    assert len(after) == len(TURNS) + 1
    seen = look(world)
    assert end_state(seen) == wanted, where
    assert sorted(seen.applied) == sorted(seen.effects), where
    activated = [one.memory_id for one in seen.effects.values() if one.kind is EffectKind.ACTIVATE]
    assert sorted(one["memory_id"] for one in seen.memories) == sorted(activated), where
    assert seen.embedded == set(activated), where
    assert seen.counted == len(activated), where
    assert (seen.outbox, seen.unprocessed, seen.problem) == (0, 0, ""), where
    no_held_words(seen, where, "")


def test_the_fork_really_kills(nursery, template, worlds):
    """The kill is the kernel's: no handler, no `finally`, no flush after it."""
    world = worlds.make("crash_first")
    code, said = nursery.run(world, "work", token=template[1], kill=1)
    assert code == -signal.SIGKILL
    assert said == ["killed before a ledger transaction"]
    assert look(world).problem == ""
    worlds.drop("crash_first")
