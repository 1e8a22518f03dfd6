"""Patterns in the ledger: what is kept of them, and what they are made from."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from core.audit import stamp
from core.errors import StaleReview
from core.ledger.codec import from_json, to_json
from core.ledger.dialect import Connection, Row
from core.ledger.handle import StoredHandle
from core.ledger.rows import episode_of, scope_of, scope_values
from core.ledger.scrub import PURGED
from core.model import Episode, Scope
from core.patterns.nouns import purged_key
from core.ports import Pattern, PatternState, PatternWork


class StoredPatterns(StoredHandle):
    """Implements `core.ports.PatternReader`."""

    def pattern_work(self, policy_digest: str, *, limit: int) -> list[PatternWork]:
        """Owners with new episodes since the last look, or whose last look was by another policy."""
        rows = self._rows("pattern_work", policy=policy_digest, limit=limit)
        return [PatternWork(scope=scope_of(row), through=row["through"]) for row in rows]

    def pattern_episodes(self, scope: Scope, *, through: int, limit: int) -> list[Episode]:
        """The last episodes of an owner and agent up to a serial number, in order."""
        rows = self._rows("pattern_episodes", **scope_values(scope), through=through, limit=limit)
        return [episode_of(row) for row in reversed(rows)]

    def patterns(self, scope: Scope) -> list[Pattern]:
        """An owner's patterns in every state, last changed first."""
        return [pattern_of(row) for row in self._rows("patterns", **scope_values(scope))]

    def pattern(self, pattern_id: str) -> Pattern | None:
        """One pattern by id."""
        row = self._row("pattern", pattern_id=pattern_id)
        return pattern_of(row) if row else None


def put_pattern(connection: Connection, pattern: Pattern) -> None:
    """Insert or change a pattern, inside the caller's transaction.

    Raises:
        StaleReview: it was changed, or made, meanwhile.
    """
    statement = "change_pattern" if pattern.version else "add_pattern"
    values = pattern_values(pattern)
    if pattern.version:
        for name in ("tenant", "owner", "agent", "detector"):
            del values[name]
    else:
        del values["version"]
    if not connection.change(statement, **values):
        msg = "This pattern changed meanwhile; look again."
        raise StaleReview(msg)


def mark_patterns(connection: Connection, scope: Scope, *, through: int, policy_digest: str) -> None:
    """Remember how far a look went, inside the caller's transaction."""
    connection.change("mark_patterns", **scope_values(scope), through=through, policy=policy_digest)


def scrub_pattern(connection: Connection, candidate_id: str) -> None:
    """Take the words out of the pattern that a purged candidate was made of; it does not come back by old evidence."""
    row = connection.row("pattern_of_candidate", candidate_id=candidate_id)
    if row is None:
        return
    values = {name: row[name] for name in row.keys() if name not in ("tenant", "owner", "agent", "detector")}  # noqa: SIM118
    gone = {
        "key": purged_key(row["key"]),
        "sentence": PURGED,
        "state": PatternState.DISMISSED.value,
        "seen": row["supports"],
    }
    connection.change("change_pattern", **(values | gone))


def pattern_of(row: Row) -> Pattern:
    """A row of `pattern`."""
    return Pattern(
        pattern_id=row["pattern_id"],
        scope=scope_of(row),
        detector=row["detector"],
        key=row["key"],
        sentence=row["sentence"],
        state=PatternState(row["state"]),
        supports=from_json(tuple[str, ...], row["supports"]),
        against=from_json(tuple[str, ...], row["against"]),
        sessions=row["sessions"],
        seen=from_json(tuple[str, ...], row["seen"]),
        candidate_id=row["candidate_id"],
        updated_at=datetime.fromisoformat(row["updated_at"]),
        version=row["version"],
    )


def pattern_values(pattern: Pattern) -> dict[str, Any]:
    """A pattern as bound values."""
    return {
        "pattern_id": pattern.pattern_id,
        **scope_values(pattern.scope),
        "detector": pattern.detector,
        "key": pattern.key,
        "sentence": pattern.sentence,
        "state": pattern.state.value,
        "supports": to_json(list(pattern.supports)),
        "against": to_json(list(pattern.against)),
        "sessions": pattern.sessions,
        "seen": to_json(list(pattern.seen)),
        "candidate_id": pattern.candidate_id,
        "updated_at": stamp(pattern.updated_at),
        "version": pattern.version,
    }
