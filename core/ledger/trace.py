"""The ledger as the sandbox holds it: read-only handles of its own, and a digest of what lies behind them."""

from __future__ import annotations

from core.ledger.codec import to_json
from core.ledger.reader import StoredLedgerReader
from core.model import Scope, sha256_text
from core.ports import Rights, Trace

_COVERS = (
    "Of each table the number of your rows and the highest id; of texts their states and attempts, of claims their "
    "states and latest decisions, of changes how many wait, of chats, patterns and answers the last change; and the "
    "hash of your last audit entry. Whatever is received, decided, changed or removed leaves an audit entry in the "
    "same transaction."
)


class TracedLedger(StoredLedgerReader):
    """Implements `core.ports.LedgerReader` and `Traced`. Open it with `at`."""

    def trace(self, scope: Scope) -> Trace:
        """The owner's rows by table and a sha256 over what moves with every write, read from one snapshot."""
        rows = self._rows("trace", tenant=scope.tenant, owner=scope.owner)
        return Trace(
            store="ledger",
            rows={row["name"]: row["rows"] for row in rows},
            covers=_COVERS,
            digest=sha256_text(to_json([[row["name"], row["rows"], row["sums"]] for row in rows])),
        )

    def rights(self) -> Rights:
        """What the connection is, as the database says it."""
        refuses = self._rows("query_only")[0]["query_only"] == 1
        return Rights(
            store="ledger",
            handle=self._place.handle,
            may=("SELECT",) if refuses else ("SELECT", "INSERT", "UPDATE", "DELETE"),
            read_only=refuses,
        )
