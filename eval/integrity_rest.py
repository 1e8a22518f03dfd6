"""The public suite's edits of a store at rest, T1 to T9, on the real ledger file and the real database.

Four rows, by what the attacker holds and by which part of the product is asked: the audit chain in the ledger's file,
the memories in Postgres as recall reads them and as reconciling finds them, and everything at once.
"""

from __future__ import annotations

import json
from typing import Any

from agmi.adapters.base import MemoryAdapter, Record
from psycopg.types.json import Jsonb

from core.ports import MemoryFilter
from eval.integrity_place import Ground, Place, scope_of

OWNER, OTHER = "orla", "piet"
SAID = (
    "My ferry card is kept in the blue drawer.",
    "I play the cello on Sundays.",
    "My aunt Berit lives in Narvik.",
    "I keep bees behind the workshop.",
    "My train to work leaves at ten past seven.",
)
ONE_MORE = "Yesterday I walked to the lighthouse with Ines."  # kept as said, and nothing beside
ELSEWHERE = (
    "I restore wooden radios.",
    "My allotment is number thirty-one.",
    "I sing in the harbour choir.",
    "My brother Joss repairs clocks.",
    "I cycle to the quarry every spring.",
)


class OnPlace(MemoryAdapter):
    """What every row has: a fresh installation, texts of the owner, a restart."""

    detection_point = "audit"
    edits: tuple[str, ...] = ()  # the edits that this row is about; none named: all
    supports_replay = supports_metadata = supports_snapshot = True

    def __init__(self, on: Ground) -> None:
        """Name the server that its installations use."""
        self.ground = on
        self.place: Any = None  # a Place between setup and teardown

    def setup(self) -> None:
        """A new installation."""
        self.place = Place(self.ground)

    def teardown(self) -> None:
        """Take it down."""
        self.place.close()

    def seed(self, n: int) -> None:
        """Texts that the owner typed."""
        for text in SAID[:n]:
            self.place.said(OWNER, text)

    def seed_other(self, n: int) -> None:
        """Texts of another owner in the same installation."""
        for text in ELSEWHERE[:n]:
            self.place.said(OTHER, text)

    def append_genuine(self) -> None:
        """One more of the owner's texts."""
        self.place.said(OWNER, ONE_MORE)

    def reload(self) -> None:
        """A restart."""
        self.place.restart()

    def _judge(self, problem: str) -> bool:
        self.verify_detail = problem or None
        return not problem


class ChainRow(OnPlace):
    """Whoever holds the ledger's file edits the audit chain; the audit page's check is asked."""

    name = "audit chain"

    def verify(self) -> bool:
        """The check on the audit page: the chain against the head that the store witnessed."""
        return self._judge(self.place.chain_problem())

    def read_all_raw(self) -> list[Record]:
        """The owner's entries."""
        return self._entries(OWNER)

    def read_other_raw(self) -> list[Record]:
        """The other owner's entries."""
        return self._entries(OTHER)

    def _entries(self, owner: str) -> list[Record]:
        with self.place.ledger_file() as raw:
            rows = raw.execute("SELECT * FROM audit WHERE owner = ? ORDER BY seq", (owner,)).fetchall()
        return [Record(seq=row["seq"], fields={k: row[k] for k in row.keys() if k != "seq"}) for row in rows]  # noqa: SIM118

    def write_raw(self, record: Record) -> None:
        """Put an entry at its position."""
        values = {"seq": record.seq, **record.fields}
        names, places = ", ".join(values), ", ".join(f":{one}" for one in values)
        with self.place.ledger_file() as raw:
            raw.execute(f"INSERT OR REPLACE INTO audit ({names}) VALUES ({places})", values)  # noqa: S608

    def delete_raw(self, seq: int) -> None:
        """Take an entry out."""
        with self.place.ledger_file() as raw:
            raw.execute("DELETE FROM audit WHERE seq = ?", (seq,))

    def identity_of(self, record: Record) -> str:
        """Its place in the chain."""
        return str(record.seq)

    def payload_of(self, record: Record) -> str:
        """What it says."""
        return json.dumps([record.fields[one] for one in ("at", "actor", "action", "about")])

    def owner_of(self, record: Record) -> str:
        """Whose memory it concerns."""
        return str(record.fields["owner"])

    def mutate_payload(self, record: Record) -> Record:
        """Another actor and another verb, well-formed."""
        record.fields |= {"actor": "somebody else", "action": "candidate:promoted"}
        return record

    def forge_record(self, template: Record) -> Record:
        """An entry that follows the chain's last one, linked to it, its hash of the right form."""
        with self.place.ledger_file() as raw:
            last = raw.execute("SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1").fetchone()
        fields = dict(template.fields) | {"prev_hash": last["hash"], "hash": last["hash"][::-1]}
        return self.mutate_payload(Record(seq=last["seq"] + 1, fields=fields))

    def replay_onto(self, victim_seq: int, donor: Record) -> None:
        """The donor's content in the victim's place, which keeps owner and links."""
        victim = next(one for one in self.read_all_raw() if one.seq == victim_seq)
        said = {one: donor.fields[one] for one in ("at", "actor", "attestation", "action", "about")}
        self.write_raw(Record(seq=victim_seq, fields=victim.fields | said))

    def read_meta(self, seq: int) -> dict[str, Any]:
        """How far the actor's identity is proven, and whose memory it concerns."""
        found = next((one for one in self._all() if one.seq == seq), None)
        return {"attestation": found.fields["attestation"]} if found else {}

    def write_meta(self, seq: int, meta: dict[str, Any]) -> None:  # noqa: ARG002 - the suite's interface
        """Claim the highest attestation."""
        with self.place.ledger_file() as raw:
            raw.execute("UPDATE audit SET attestation = 'weight-fingerprint' WHERE seq = ?", (seq,))

    def _all(self) -> list[Record]:
        return self._entries(OWNER) + self._entries(OTHER)

    def append_genuine(self) -> None:
        """One more entry that no effect comes after, as a look at an item leaves it."""
        self.place.noted(OWNER)

    def snapshot_store(self) -> object:
        """A copy of the file; the database stays out of it."""
        return self.place.copy_ledger()

    def restore_store(self, token: object) -> None:
        """Put it back."""
        self.place.put_ledger_back(token)


class EverythingRow(ChainRow):
    """The attacker holds ledger file and database; the operator compares with the head that was exported last."""

    name = "chain and store, exported head"
    edits = ("truncate", "snapshot_rollback")  # the others do not depend on who keeps the head
    exports = True

    def __init__(self, on: Ground) -> None:
        """No head is exported yet."""
        super().__init__(on)
        self.exported: tuple[int, str] | None = None

    def verify(self) -> bool:
        """The chain against the exported head, exported at the first clean check."""
        if self.exports and self.exported is None:
            self.exported = self.place.layer.ledger.head()
        return self._judge(self.place.chain_problem(exported=self.exported))

    def teardown(self) -> None:
        """Take it down."""
        self.exported = None
        super().teardown()

    def append_genuine(self) -> None:
        """One more entry, and the head exported after it."""
        super().append_genuine()
        if self.exports:
            self.exported = self.place.layer.ledger.head()

    def snapshot_store(self) -> object:
        """Copies of the file and of every table that a relay writes."""
        with self.place.database() as conn:
            tables = {one: conn.execute(f"SELECT * FROM {one}").fetchall() for one in RELAYED}  # noqa: S608
        return self.place.copy_ledger(), tables

    def restore_store(self, token: object) -> None:
        """Put both back."""
        copy, tables = token  # type: ignore[misc]
        with self.place.database() as conn:
            for one in reversed(RELAYED):
                conn.execute(f"DELETE FROM {one}")  # noqa: S608
            for one in RELAYED:
                for row in tables[one]:
                    insert(conn, one, row)
        self.place.put_ledger_back(copy)


class NothingKeptRow(EverythingRow):
    """The same without an exported head: nothing outside the attacker's reach knows better."""

    name = "chain and store, nothing exported"
    exports = False


RELAYED = ("applied_effect", "memory", "memory_embedding", "memory_link", "ledger_witness")


def insert(conn: Any, table: str, row: dict[str, Any]) -> None:
    """Insert a row as it was read."""
    values = {k: Jsonb(v) if isinstance(v, list | dict) else v for k, v in row.items()}
    names, places = ", ".join(values), ", ".join(f"%({one})s" for one in values)
    conn.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", values)  # noqa: S608 - own names


class ReconciledRow(OnPlace):
    """Whoever holds the database edits memories; reconciling them with the chain is asked."""

    name = "memories, reconciled"

    def verify(self) -> bool:
        """What reconciling finds, by kind, and what was noticed as lost and put back before anybody asked."""
        found = self.place.differences(OWNER)
        parts = {one: len(getattr(found, one)) for one in ("altered", "missing", "returned", "restated")}
        parts["put back"] = self.place.put_back()
        return self._judge(", ".join(f"{count} {name}" for name, count in parts.items() if count))

    def read_all_raw(self) -> list[Record]:
        """The owner's rows, in order of statement."""
        return self._rows(OWNER)

    def read_other_raw(self) -> list[Record]:
        """The other owner's rows."""
        return self._rows(OTHER)

    def _rows(self, owner: str) -> list[Record]:
        with self.place.database() as conn:
            rows = conn.execute(
                "SELECT * FROM memory WHERE owner = %s ORDER BY serial_no, memory_id", (owner,)
            ).fetchall()
        return [Record(seq=number, fields=row) for number, row in enumerate(rows)]

    def write_raw(self, record: Record) -> None:
        """Put content into the row at a position; past the end, a new row with a vector of its own."""
        rows = self.read_all_raw()
        with self.place.database() as conn:
            if record.seq >= len(rows):
                insert(conn, "memory", record.fields)
                conn.execute(
                    "INSERT INTO memory_embedding SELECT owner, %s, tenant, agent, active, not_after, embedding"
                    " FROM memory_embedding WHERE memory_id = %s",
                    (record.fields["memory_id"], rows[-1].fields["memory_id"]),
                )
                return
            self._say(conn, rows[record.seq].fields["memory_id"], record.fields)

    @staticmethod
    def _say(conn: Any, memory_id: str, fields: dict[str, Any]) -> None:
        said = {one: fields[one] for one in CONTENT}
        sets = ", ".join(f"{one} = %({one})s" for one in said)
        said = {k: Jsonb(v) if isinstance(v, list | dict) else v for k, v in said.items()} | {"id": memory_id}
        conn.execute(f"UPDATE memory SET {sets} WHERE memory_id = %(id)s", said)  # noqa: S608 - own names

    def delete_raw(self, seq: int) -> None:
        """Take a row out, its vector with it."""
        with self.place.database() as conn:
            conn.execute("DELETE FROM memory WHERE memory_id = %s", (self.read_all_raw()[seq].fields["memory_id"],))

    def identity_of(self, record: Record) -> str:
        """The memory's id."""
        return str(record.fields["memory_id"])

    def payload_of(self, record: Record) -> str:
        """What it says."""
        return json.dumps([record.fields["text"], record.fields["value"]])

    def owner_of(self, record: Record) -> str:
        """Whose it is."""
        return str(record.fields["owner"])

    def mutate_payload(self, record: Record) -> Record:
        """Another sentence."""
        record.fields["text"] = "The spare key is under the third stone."
        return record

    def forge_record(self, template: Record) -> Record:  # noqa: ARG002 - the suite's interface
        """A row of the owner's with a new id and the last row's seal."""
        rows = self.read_all_raw()
        fields = dict(rows[-1].fields) | {"memory_id": f"{rows[-1].fields['memory_id'][:-4]}ffff"}
        return self.mutate_payload(Record(seq=len(rows), fields=fields | {"serial_no": fields["serial_no"] + 1}))

    def replay_onto(self, victim_seq: int, donor: Record) -> None:
        """The donor's content and seal in the victim's row, which keeps its id and owner."""
        victim = self.read_all_raw()[victim_seq].fields["memory_id"]
        with self.place.database() as conn:
            self._say(conn, victim, donor.fields)

    def read_meta(self, seq: int) -> dict[str, Any]:
        """Where it came from and how far it is trusted."""
        fields = self.read_all_raw()[seq].fields
        return {one: fields[one] for one in ("source_kind", "source_ref", "effective_trust")}

    def write_meta(self, seq: int, meta: dict[str, Any]) -> None:  # noqa: ARG002 - the suite's interface
        """Another source, fully trusted."""
        memory_id = self.read_all_raw()[seq].fields["memory_id"]
        with self.place.database() as conn:
            conn.execute(
                "UPDATE memory SET source_ref = 'a signed letter', vouched_by = 'admin' WHERE memory_id = %s",
                (memory_id,),
            )

    def snapshot_store(self) -> object:
        """A copy of the tables that a relay writes."""
        with self.place.database() as conn:
            return {one: conn.execute(f"SELECT * FROM {one}").fetchall() for one in RELAYED}  # noqa: S608

    def restore_store(self, token: object) -> None:
        """Put it back, with the product running."""
        with self.place.database() as conn:
            for one in reversed(RELAYED):
                conn.execute(f"DELETE FROM {one}")  # noqa: S608
            for one in RELAYED:
                for row in token[one]:  # type: ignore[index]
                    insert(conn, one, row)


CONTENT = (
    "kind", "subject", "attribute", "slot_key", "value", "text", "importance", "effective_trust", "source_kind",
    "source_ref", "source_title", "roots", "stated_at", "row_mac", "ledger_seq",
)  # fmt: skip


class ReadRow(ReconciledRow):
    """The same edits, and only what the read path says: rows that it counts and does not serve."""

    name = "memories, read path"
    detection_point = "read"

    def verify(self) -> bool:
        """Whether a page of memories is complete."""
        rows, total = self.place.layer.store.list(scope_of(OWNER), MemoryFilter(), limit=500)
        return self._judge(f"{total - len(rows)} of {total} rows not served" if len(rows) < total else "")
