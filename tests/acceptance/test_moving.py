"""An owner's whole memory leaves one installation and comes to another; trust never rises on the way."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from core.errors import BadInput, NotAuthorised
from core.intake import Submission
from core.model import CandidateState, MemoryStatus, Role, Ruling, RulingKind, Scope, SourceKind
from core.policy import Policy

QUESTIONS = ("Where do I live?", "What am I allergic to?", "my dentist", "tea or coffee", "Which trains do I take?")


class House(io.BytesIO):
    """A file in memory that can be opened again and again."""

    def close(self) -> None:
        self.seek(0)


def opener(data: bytes):
    return lambda: io.BytesIO(data)


@pytest.fixture
def make_house(make_console, postgres_server, migrated, tmp_path):
    """Installations beside each other: own folder, own secret, own database."""
    names: list[str] = []

    def make(**given):
        name = f"house{time.time_ns()}"
        admin = postgres_server.start()
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {migrated}")
            conn.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
        names.append(name)
        return make_console(
            chronomemory_data=tmp_path / name, database_url=make_conninfo(admin, dbname=name), **given
        )

    yield make
    # the layers close after this fixture: FORCE ends what is left
    with psycopg.connect(postgres_server.start(), autocommit=True) as conn:
        for name in names:
            conn.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def told(house):
    """A life with every sort of record: own words, a page, a replaced value, a forgotten one, a promotion, a rejection."""
    house.ask("I live in Porto. I'm allergic to penicillin. My dentist is Dr. Amaral.")
    house.clock.forward(days=3)
    house.ask("I moved: I live in Braga now. I prefer tea to coffee.")
    page = Submission(
        scope=house.admin.scope,
        conversation_id="reading",
        channel=SourceKind.WEB_CONTENT,
        text="The night train to Lisbon leaves at 23:10. The ticket office closes at 18:00.",
        actor="reader",
        source_ref="https://trains.example/times",
        title="Times",
    )
    house.layer.agent.submit(page)
    house.settle()
    memories, _ = house.layer.memories.list(house.admin)
    tea = next(one for one in memories if "tea" in one.text and one.kind.value != "event")
    house.layer.memories.forget(house.admin, tea.memory_id, "changed my mind")
    house.settle()


def exported(house, who=None) -> bytes:
    out = io.BytesIO()
    house.layer.moving.export(who or house.admin, out)
    return out.getvalue()


def lines(data: bytes, *but: str):
    return [one for one in data.splitlines() if json.loads(one)["type"] not in {"header", "trailer", *but}]


def recalled(house, k=5):
    found = {}
    for question in QUESTIONS:
        hits = house.layer.agent.recaller.recall(question, house.admin.scope, k=k).hits
        found[question] = [(one.memory.memory_id, one.memory.text, round(one.score, 12), one.composite_trust) for one in hits]
    return found


def believe(target, source):
    target.layer.moving.trust(target.admin, source.layer.moving.own_fingerprint)


def test_a_memory_moves_house_and_is_the_same_there(make_house):
    old, new = make_house(), make_house()
    told(old)
    data = exported(old)
    believe(new, old)
    new.clock.at = old.clock.at
    taken = new.layer.moving.take_in(new.admin, opener(data))
    assert taken.texts > 0
    assert taken.held == ()
    new.settle()
    assert recalled(new) == recalled(old)
    assert any(recalled(old).values())
    again = exported(new)
    assert lines(again, "audit") == lines(data, "audit")
    assert json.loads(again.splitlines()[-1])["content"] == json.loads(data.splitlines()[-1])["content"]
    gone, _ = new.layer.memories.list(new.admin, statuses=(MemoryStatus.DELETED,))
    assert any("tea" in one.text for one in gone)
    assert new.layer.audit_desk.verify(new.admin).ok
    assert new.layer.lifecycle.reconcile(new.admin, new.admin.scope).clean
