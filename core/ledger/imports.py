"""Imports in the ledger: runs, what became of each entry, and the version of each item that is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.audit import stamp
from core.errors import NotFound
from core.ledger.dialect import Connection, Row
from core.ledger.handle import StoredHandle
from core.ledger.rows import scope_of, scope_values
from core.model import Scope
from core.ports import ImportResult, ImportRun, ImportState, KnownItem, Outcome


class StoredImports(StoredHandle):
    """The reading half of `core.ports.ImportLedger`."""

    def known_items(
        self, scope: Scope, *, connector: str, namespace: str, item_ids: Sequence[str]
    ) -> dict[str, KnownItem]:
        """The last version of each item that was imported before, by id."""
        wanted = json.dumps(list(dict.fromkeys(item_ids)))
        rows = self._rows(
            "known_items", **scope_values(scope), connector=connector, namespace=namespace, item_ids=wanted
        )
        return {row["item_id"]: _known_of(row) for row in rows}

    def outgoing_items(self, *, limit: int) -> list[KnownItem]:
        """Items of any owner with an earlier version to be seen to, all sections of the new one read."""
        return [_known_of(row) for row in self._rows("outgoing_items", limit=limit)]

    def import_run(self, scope: Scope, run_id: str) -> ImportRun | None:
        """One import of this scope."""
        row = self._row("import_run", **scope_values(scope), run_id=run_id)
        return _run_of(row) if row else None

    def import_runs(self, scope: Scope, *, limit: int) -> list[ImportRun]:
        """The scope's imports, newest first."""
        return [_run_of(row) for row in self._rows("import_runs", **scope_values(scope), limit=limit)]

    def open_imports(self, *, limit: int) -> list[ImportRun]:
        """Imports of every owner that the worker has to go on with, oldest first."""
        return [_run_of(row) for row in self._rows("open_imports", limit=limit)]

    def kept_uploads(self) -> set[str]:
        """Names of the files that unfinished imports still need."""
        return {row["upload"] for row in self._rows("kept_uploads")}

    def import_results(
        self, scope: Scope, run_id: str, *, only: Outcome | None, limit: int, offset: int
    ) -> tuple[list[ImportResult], int]:
        """One page of what became of entries, in their order, and the true total; none of another scope's run."""
        if self.import_run(scope, run_id) is None:
            return [], 0
        wanted = {"run_id": run_id, "only": only.value if only else None}
        with self._pool.snapshot() as connection:
            rows = connection.rows("import_results", **wanted, limit=limit, offset=offset)
            total = connection.rows("import_result_total", **wanted)[0]["total"]
        return [_result_of(row) for row in rows], int(total)


def put_import(connection: Connection, run: ImportRun) -> None:
    """Insert or update a run.

    Raises:
        NotFound: the id belongs to another scope's run.
    """
    written = connection.change("put_import", **_run_values(run))
    if not written:
        msg = f"there is no import {run.run_id}"
        raise NotFound(msg)


def put_known_item(connection: Connection, item: KnownItem) -> None:
    """Keep the newest version of an item."""
    connection.change(
        "put_known_item",
        **scope_values(item.scope),
        connector=item.connector,
        namespace=item.namespace,
        item_id=item.item_id,
        version=item.version,
        digest=item.digest,
        parts=json.dumps(dict(item.parts)),
        outgoing=json.dumps(list(item.outgoing)),
        at=stamp(item.at),
    )


def add_import_results(connection: Connection, run_id: str, results: Sequence[ImportResult]) -> None:
    """Keep results; the same number again is written over."""
    for one in results:
        connection.change(
            "add_import_result",
            run_id=run_id,
            number=one.number,
            outcome=one.outcome.value,
            place=one.place,
            title=one.title,
            reason=one.reason,
        )


def _run_values(run: ImportRun) -> dict[str, Any]:
    return {
        "run_id": run.run_id,
        **scope_values(run.scope),
        "format": run.format,
        "name": run.name,
        "state": run.state.value,
        "started_at": stamp(run.started_at),
        "updated_at": stamp(run.updated_at),
        "counts": json.dumps(dict(run.counts)),
        "total": run.total,
        "upload": run.upload,
        "problem": run.problem,
    }


def _run_of(row: Row) -> ImportRun:
    return ImportRun(
        run_id=row["run_id"],
        scope=scope_of(row),
        format=row["format"],
        name=row["name"],
        state=ImportState(row["state"]),
        started_at=datetime.fromisoformat(row["started_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        counts=json.loads(row["counts"]),
        total=row["total"],
        upload=row["upload"],
        problem=row["problem"],
    )


def _known_of(row: Row) -> KnownItem:
    return KnownItem(
        scope=scope_of(row),
        connector=row["connector"],
        namespace=row["namespace"],
        item_id=row["item_id"],
        version=row["version"],
        digest=row["digest"],
        parts=json.loads(row["parts"]),
        outgoing=tuple(json.loads(row["outgoing"])),
        at=datetime.fromisoformat(row["at"]),
    )


def _result_of(row: Row) -> ImportResult:
    return ImportResult(
        number=row["number"],
        outcome=Outcome(row["outcome"]),
        place=row["place"],
        title=row["title"],
        reason=row["reason"],
    )
