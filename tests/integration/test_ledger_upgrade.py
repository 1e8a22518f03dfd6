"""A ledger of the first schema is brought up to date without loss, and found again by its marks."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from core.audit import make_link, stamp
from core.errors import Misconfigured
from core.ledger import SqliteLedger, SqliteLedgerReader, backfill
from core.ledger.codec import to_json
from core.ledger.connection import SqliteConnection, known_migrations, named_queries
from core.ledger.dialect import BUSY_SECONDS
from core.ledger.rows import (
    candidate_values,
    decision_values,
    episode_values,
    link_values,
    scope_values,
    searched_text,
)
from core.ledger.schema import migrate
from core.model import CandidateState, Conversation, Root, SourceKind
from core.ports import HeldFilter
from core.slots import slot_key
from core.spans import fingerprints
from tests.contract.ledger_values import MARA, NOON, activate, candidate, decision, episode

TEXT = "The ferry to the island leaves at a quarter to nine and comes back in the late afternoon, number {}."
NEWER = {  # columns that later schemas added
    "marked",
    "slot_key",
    "cluster",
    "alike",
    "alike_mark",
    "priority",
    "alone",
    "snoozed_until",
    "assigned_to",
}
OLD_FIELDS = {"derived_from", "tool", "pasted", "claimed"}  # what provenance did not have


def insert(connection, table, values):
    names = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", values)  # noqa: S608


@pytest.fixture
def old(tmp_path):
    """A ledger as the first version wrote it: three episodes, a decided candidate, an effect, an audit entry."""
    path = tmp_path / "old.sqlite"
    path.touch()
    with closing(SqliteConnection(path, named_queries(), writable=True, busy_seconds=BUSY_SECONDS)) as connection:
        connection.use_wal(BUSY_SECONDS)
        migrate(connection, known_migrations()[:1])
        raw = connection._sqlite
        raw.execute("BEGIN")
        for number in range(3):
            kind = SourceKind.WEB_CONTENT if number == 1 else SourceKind.USER_TURN
            given = episode(f"e{number}", text=TEXT.format(number), kind=kind)
            insert(raw, "episode", episode_values(given) | {"state": "done"})
        source = replace(given, serial_no=3)
        candidate_row = candidate_values(candidate("k1", source), source.text)
        candidate_row.pop("slot_key")
        times = {"state": "admitted", "created_at": stamp(NOON), "updated_at": stamp(NOON)}
        insert(raw, "candidate", candidate_row | times)
        insert(raw, "candidate_search", {"queue_no": 1, "searched": searched_text(candidate("k1", source))})
        made = decision("d1", "k1")
        roots = (*made.evidence.roots, replace(made.evidence.roots[0], episode_id="memory:m1"))
        made = replace(made, evidence=replace(made.evidence, roots=roots, origin="site:a"))
        insert(raw, "decision", decision_values(made))
        raw.execute("UPDATE candidate SET decision_no = 1")
        insert(raw, "outbox", {"effect_id": "f1", "effect": to_json(activate("f1")), "ledger_seq": 1})
        insert(raw, "owner_key", {"tenant": "acme", "owner": "mara", "key": b"k" * 32})
        chat = Conversation(conversation_id="c1", scope=MARA, title="Ferry", created_at=NOON, updated_at=NOON)
        values = scope_values(chat.scope) | {"conversation_id": "c1", "title": "Ferry"}
        insert(raw, "conversation", values | {"created_at": stamp(NOON), "updated_at": stamp(NOON)})
        link = make_link((0, ""), at=NOON, actor="p", action="a:b", tenant="acme", owner="mara", about={"id": "e0"})
        insert(raw, "audit", link_values(link))
        raw.execute("COMMIT")
    return path


def dump(path):
    """Every row of the first schema's tables, columns in their order."""
    with closing(sqlite3.connect(path)) as connection:
        tables = [
            "episode",
            "candidate",
            "candidate_search",
            "decision",
            "outbox",
            "owner_key",
            "conversation",
            "audit",
            "audit_ref",
        ]
        columns = {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in tables}
        return {
            table: connection.execute(
                f"SELECT {', '.join(name for name in names if name not in NEWER)} FROM {table}"  # noqa: S608
            ).fetchall()
            for table, names in columns.items()
        }


def test_nothing_is_lost_and_everything_new_is_answered(old):
    before = dump(old)
    with closing(SqliteLedger.open(old)) as ledger:
        assert ledger.verify().ok
        assert ledger.conversation(MARA, "c1").title == "Ferry"
        assert {one.episode_id for one in ledger.first_seen(MARA, fingerprints(TEXT)).values()} == {"e0"}
        assert [one.episode_id for one in ledger.inputs_before(MARA, "c1", before=0)] == ["e1"]
        assert [(one.origin, one.trust) for one in ledger.support(MARA, slot_key("user", "allergy"), "penicillin")] == [
            ("site:a", 0.3)
        ]
        assert [item.candidate.candidate_id for item in ledger.derived(MARA, "m1")] == ["k1"]
        assert (ledger.epoch(MARA), ledger.waiting(MARA)) == (1, 1)
        [group], _ = ledger.held_groups(HeldFilter(tenant="acme", states=(CandidateState.ADMITTED,)))
        assert group.cluster == f"{group.source_kind}:{group.source_ref}"  # as it was listed before
    after_upgrade = dump(old)
    assert {name: len(rows) for name, rows in after_upgrade.items()} == {
        name: len(rows) for name, rows in before.items()
    }
    for table in ("episode", "owner_key", "conversation", "audit", "audit_ref"):
        assert after_upgrade[table] == before[table]
    with closing(SqliteLedger.open(old)) as ledger, ledger.transaction() as tx:
        tx.scrub("k1")  # finds the decision that quotes it, too, and blanks the words it came from
    purged = dump(old)
    assert {name: len(rows) for name, rows in purged.items()} == {name: len(rows) for name, rows in before.items()}
    assert purged["audit"] == before["audit"]


def test_opening_alone_changes_no_row(old):
    before = dump(old)
    for _ in range(2):
        SqliteLedger.open(old).close()
    assert dump(old) == before


def test_a_reader_waits_for_the_update(old):
    with pytest.raises(Misconfigured, match="older version"):
        SqliteLedgerReader.open_readonly(old)


def test_a_backfill_that_was_stopped_goes_on_where_it_was(old, monkeypatch):
    class KilledError(Exception):
        pass

    real, seen = backfill.add_marks, []

    def dying(connection, scope, serial_no, text):
        if len(seen) == 1:
            raise KilledError
        seen.append(serial_no)
        real(connection, scope, serial_no, text)

    monkeypatch.setattr(backfill, "EPISODES", 1)
    monkeypatch.setattr(backfill, "add_marks", dying)
    with pytest.raises(KilledError):
        SqliteLedger.open(old)
    monkeypatch.setattr(backfill, "add_marks", lambda *given: (seen.append(given[2]), real(*given)))
    with closing(SqliteLedger.open(old)) as ledger:
        assert seen == [1, 2, 3]
        assert len(ledger.first_seen(MARA, fingerprints(TEXT))) == len(fingerprints(TEXT))


def test_a_batch_ends_by_its_size(old, monkeypatch):
    batches = []
    real = backfill._mark_episodes
    monkeypatch.setattr(backfill, "CHARACTERS", 150)
    monkeypatch.setattr(backfill, "_mark_episodes", lambda connection: (batches.append(1), real(connection)))
    with closing(SqliteLedger.open(old)) as ledger:
        assert ledger._writer.rows("unmarked_episodes", limit=9) == []
    assert len(batches) == 2


def test_marks_can_be_made_anew(old):
    """What a migration does that changes how marks are made."""
    with closing(SqliteLedger.open(old)) as ledger:
        ledger._writer._sqlite.execute("DELETE FROM mark")
        ledger._writer._sqlite.execute("UPDATE episode SET marked = 0")
        assert ledger.first_seen(MARA, fingerprints(TEXT)) == {}
    with closing(SqliteLedger.open(old)) as ledger:
        assert ledger.first_seen(MARA, fingerprints(TEXT))


def test_two_processes_may_update_at_once(old):
    with closing(SqliteLedger.open(old)) as one, closing(SqliteLedger.open(old)) as two:
        assert one.first_seen(MARA, fingerprints(TEXT)) == two.first_seen(MARA, fingerprints(TEXT))


def test_a_candidate_of_the_first_version_is_found_by_its_roots_only(old):
    with closing(SqliteLedger.open(old)) as ledger:
        assert ledger.derived(MARA, "m2") == []
        assert ledger.candidate("k1").state is CandidateState.ADMITTED
        assert ledger.candidate("k1").decision.evidence.roots[1] == Root(
            episode_id="memory:m1", source_kind=SourceKind.WEB_CONTENT, source_ref="https://a.example", trust=0.3
        )


def test_what_was_held_before_gets_its_place_and_its_group(old):
    with closing(sqlite3.connect(old)) as raw, raw:
        raw.execute("UPDATE candidate SET state = 'held'")
    for _ in range(2):  # opened again, nothing is done twice
        with closing(SqliteLedger.open(old)) as ledger:
            marking = ledger.markings(["k1"])["k1"]
            assert (marking.alike, marking.alike_count) == ("k1", 1)
            assert ledger._writer.rows("unplaced", limit=1) == []
            groups, _ = ledger.held_groups(HeldFilter(tenant="acme", order="priority"), by="alike")
            assert [(one.first_id, one.flagged) for one in groups] == [("k1", 1)]  # its finding is a loud one
