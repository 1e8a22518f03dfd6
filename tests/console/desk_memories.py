"""The owner's memories in memory, for tests of the pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from core.errors import BadInput, NotFound
from core.lifecycle import EXPORT_FORMAT, Why, current_at, exported
from core.model import (
    Actor,
    AuditEntry,
    CandidateState,
    HeldItem,
    LinkKind,
    Memory,
    MemoryStatus,
    SourceKind,
)
from tests.console.desk_base import DOC, NOW, WEB
from tests.console.desk_confidence import counsel

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskMemories:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.reading = desk, False
        self.taken: dict[str, list[HeldItem]] = {}
        m = desk.memory
        made = (
            []
            if desk.empty
            else [
                m("m-1", "You are allergic to penicillin."),
                m("m-2", "You live in Porto.", days=40),
                m("m-3", "You are vegetarian.", kind=WEB, trust=0.3, days=21, vouched="grace"),
                m("m-4", "You live in Lisbon.", days=400, status=MemoryStatus.SUPERSEDED),
                m("m-5", "你喜欢喝茶。", days=2),
                m("m-6", "You had a meeting with Ben.", days=90, status=MemoryStatus.DELETED),
                m("m-7", "You play the cello.", days=300, status=MemoryStatus.ARCHIVED),
            ]
        )
        self.rows = {one.memory_id: one for one in made}

    def list(
        self,
        actor: Actor,
        *,
        text: str | None = None,
        statuses: Any = (MemoryStatus.ACTIVE,),
        source_kinds: Any = (),
        kinds: Any = (),
        impact: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[list[Memory], int]:
        self.desk.up()
        found = [
            one
            for one in self.rows.values()
            if one.status in statuses
            and (not kinds or one.kind.value in kinds)
            and (not impact or impact in (*one.impact, *(["any"] if one.impact else [])))
            and (not source_kinds or one.source_kind in source_kinds)
            and (not text or text.lower() in one.text.lower())
        ]
        return found[offset : offset + limit], len(found)

    def as_of(self, actor: Actor, then: datetime, **where: Any) -> tuple[list[Memory], int]:
        self.desk.up()
        where["statuses"] = (MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED)
        kinds = where.pop("source_kinds", ())
        limit, offset = where.pop("limit", 50), where.pop("offset", 0)
        found, _ = self.list(actor, source_kinds=kinds, limit=10_000, **where)
        there = [one for one in found if current_at(one, then)]
        return there[offset : offset + limit], len(there)

    def _become(self, verb: str, memory_id: str, **changed: Any) -> None:
        self.desk.calls.append((verb, memory_id))
        self.rows[memory_id] = replace(self.rows[memory_id], **changed)

    def pin(self, actor: Actor, memory_id: str) -> None:
        self._become("pin", memory_id, pinned=True)

    def unpin(self, actor: Actor, memory_id: str) -> None:
        self._become("unpin", memory_id, pinned=False)

    def archive(self, actor: Actor, memory_id: str) -> None:
        self._become("archive", memory_id, status=MemoryStatus.ARCHIVED)

    def correct(self, actor: Actor, memory_id: str, text: str) -> Any:
        if not text.strip():
            msg = "the text is empty"
            raise BadInput(msg)
        self.desk.calls.append(("correct", memory_id, text))
        self.rows[memory_id] = replace(self.rows[memory_id], status=MemoryStatus.SUPERSEDED, expired_at=NOW)
        self.taken["i-correct"] = [
            self.desk.item("h-new", text, kind=SourceKind.USER_TURN, state=CandidateState.ADMITTED)
        ]
        return SimpleNamespace(episode_id="i-correct")

    def forget_some(self, actor: Actor, memory_ids: Any, reason: str) -> int:
        self.desk.calls.append(("forget_some", tuple(memory_ids), reason))
        for one in memory_ids:
            self.rows[one] = replace(self.rows[one], status=MemoryStatus.DELETED)
        return len(memory_ids)

    def forget_all(self, actor: Actor, reason: str) -> int:
        if not reason.strip():
            msg = "Say why everything should be forgotten: the reason is kept."
            raise BadInput(msg)
        self.desk.calls.append(("forget_all", reason))
        active = [one for one in self.rows.values() if one.status is MemoryStatus.ACTIVE]
        self.rows |= {one.memory_id: replace(one, status=MemoryStatus.DELETED) for one in active}
        return len(active)

    def purge(self, actor: Actor, *, at_once: bool = False) -> int:
        self.desk.calls.append(("purge", at_once))
        gone = [
            one.memory_id
            for one in self.rows.values()
            if at_once and one.status in (MemoryStatus.DELETED, MemoryStatus.SUPERSEDED)
        ]
        for one in gone:
            del self.rows[one]
        return len(gone)

    def export(self, actor: Actor) -> dict[str, Any]:
        kept = [one for one in self.rows.values() if one.status is not MemoryStatus.DELETED]
        return {"format": EXPORT_FORMAT, "left_out": [], "memories": [exported(one) for one in kept]}

    def import_rows(self, actor: Actor, rows: Any, *, source: str) -> list[Any]:
        for number, row in enumerate(rows, start=1):
            if not str(row.get("text") or "").strip():
                msg = f"row {number} has no text: every row needs one"
                raise BadInput(msg)
        self.desk.calls.append(("import", len(rows), source))
        made = [SimpleNamespace(episode_id=f"i-{number}") for number, _ in enumerate(rows, start=1)]
        for one, row in zip(made, rows, strict=True):
            item = self.desk.item(f"c-{one.episode_id}", str(row["text"]), kind=DOC, ref=source, trust=0.4)
            self.taken[one.episode_id] = [item] if one.episode_id != "i-2" else []
        return made

    def learned(self, actor: Actor, episode_id: str) -> list[HeldItem] | None:
        if self.reading:
            return None
        review = self.desk.review
        told = [review.item(actor, one.candidate.candidate_id) for one in review.items]
        return self.taken.get(episode_id) or [one for one in told if one.candidate.episode_id == episode_id]

    def count(self, actor: Actor) -> dict[MemoryStatus, int]:
        self.desk.up()
        return {status: sum(one.status is status for one in self.rows.values()) for status in MemoryStatus}

    def spaces(self, actor: Actor) -> list[str]:
        return ["console", *self.desk.spaces]

    def why(self, actor: Actor, memory_id: str) -> Why:
        if memory_id not in self.rows:
            msg = "There is no such memory."
            raise NotFound(msg)
        one = self.rows[memory_id]
        item = self.desk.item(
            memory_id,
            one.text,
            kind=one.source_kind,
            trust=one.effective_trust,
            reasons=("admitted",),
            state=CandidateState.ADMITTED,
            before="By the way: ",
            after=" Please remember that.",
        )
        entry = AuditEntry(
            seq=7,
            at=NOW,
            actor=self.desk.w("policy"),
            attestation="none",
            action="candidate:admitted",
            about={"candidate_id": memory_id},
        )
        return Why(
            memory=one,
            freshness=0.9,
            composite_trust=0.95,
            strength=0.72,
            decisions=(item.decision,),
            source=None,
            excerpt=item.excerpt,
            excerpt_span=item.excerpt_span,
            audit=(entry,),
            counsel=counsel(one),
            links=((LinkKind.SUPERSEDES, self.rows["m-4"]),) if memory_id == "m-2" and "m-4" in self.rows else (),
        )

    def forget(self, actor: Actor, memory_id: str, reason: str) -> None:
        self.desk.calls.append(("forget", memory_id, reason))
        self.rows[memory_id] = replace(self.rows[memory_id], status=MemoryStatus.DELETED)

    def restore(self, actor: Actor, memory_id: str) -> None:
        self.desk.calls.append(("restore", memory_id))
        self.rows[memory_id] = replace(self.rows[memory_id], status=MemoryStatus.ACTIVE)
