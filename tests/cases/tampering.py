"""Somebody who holds the ledger, file or database: its triggers out of the way, its chain edited or computed anew."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from core.audit import make_link
from core.ledger import SqliteFile, StoredLedger
from core.ledger.rows import link_values
from core.ledger_pg.connection import translated


class Postgres:
    """A server's superuser, who says the same statements."""

    def __init__(self, conn: psycopg.Connection[Any]) -> None:
        self._conn = conn

    def execute(self, statement: str, values: Any = ()) -> Any:
        said = translated(statement).replace("?", "%s")
        return self._conn.execute(said.encode(), values or None)


Raw = sqlite3.Connection | Postgres


@contextmanager
def disarmed(ledger: StoredLedger) -> Iterator[Raw]:
    """The ledger as its holder opens it, without the product's guards."""
    place = ledger._place
    if not isinstance(place, SqliteFile):
        with psycopg.connect(make_conninfo(place._url, user="postgres"), autocommit=True) as conn:  # type: ignore[attr-defined]
            conn.row_factory = psycopg.rows.dict_row  # type: ignore[assignment]
            conn.execute("SET search_path = ledger")
            conn.execute("ALTER TABLE audit DISABLE TRIGGER ALL")
            yield Postgres(conn)
        return
    with closing(sqlite3.connect(Path(place.name), isolation_level=None)) as raw:
        raw.row_factory = sqlite3.Row
        for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f'DROP TRIGGER "{row["name"]}"')
        raw.execute("PRAGMA ignore_check_constraints = ON")
        raw.execute("PRAGMA foreign_keys = OFF")
        yield raw


def rewritten_without(ledger: StoredLedger, *, seq: int) -> None:
    """The whole chain from its start, one entry left out, every hash right again."""
    with disarmed(ledger) as raw:
        rows = [dict(one) for one in raw.execute("SELECT * FROM audit ORDER BY seq").fetchall()]
        raw.execute("DELETE FROM audit")
        head = (0, "")
        for row in rows:
            if row["seq"] == seq:
                continue
            link = make_link(
                head,
                at=datetime.fromisoformat(row["at"]),
                actor=row["actor"],
                action=row["action"],
                tenant=row["tenant"],
                owner=row["owner"],
                about=json.loads(row["about"]),
                attestation=row["attestation"],
            )
            insert(raw, link_values(link))
            head = (link.seq, link.hash)


def insert(raw: Raw, values: dict[str, Any]) -> None:
    names = ", ".join(values)
    raw.execute(f"INSERT INTO audit ({names}) VALUES ({', '.join(f':{one}' for one in values)})", values)  # noqa: S608


TAMPERINGS: dict[str, Callable[[Raw, int], Any]] = {
    "T1 an edited reviewer": lambda raw, _last: raw.execute("UPDATE audit SET actor = 'bob' WHERE seq = 3"),
    "T2 an edited time": lambda raw, _last: raw.execute(
        "UPDATE audit SET at = '2020-01-01T00:00:00+00:00' WHERE seq = 3"
    ),
    "T3 edited ids": lambda raw, _last: raw.execute("UPDATE audit SET about = '{}' WHERE seq = 4"),
    "T4 a deleted entry": lambda raw, _last: raw.execute("DELETE FROM audit WHERE seq = 3"),
    "T5 two entries in the other order": lambda raw, last: [
        raw.execute("UPDATE audit SET seq = ? WHERE seq = ?", pair) for pair in ((last + 9, 3), (3, 4), (4, last + 9))
    ],
    "T6 a forged entry at the end": lambda raw, last: raw.execute(
        "INSERT INTO audit SELECT ? AS seq, at, actor, attestation, 'candidate:promoted', about, tenant, owner, prev_hash, hash "
        "FROM audit WHERE seq = ?",
        (last + 1, last),
    ),
    "T7 an entry replayed for another owner": lambda raw, _last: raw.execute(
        "UPDATE audit SET owner = 'mallory' WHERE seq = 5"
    ),
    "T8 a cut tail": lambda raw, last: raw.execute("DELETE FROM audit WHERE seq > ?", (last // 2,)),
    "T9 an emptied log": lambda raw, _last: raw.execute("DELETE FROM audit"),
}
