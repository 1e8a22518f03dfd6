"""What people do with memories that exist: look, ask why, forget, restore; and read the audit. Writes through enact."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from core.accounts import Accounts
from core.advice import of_memory, with_conflicts
from core.assess import turns_of
from core.confidence import NOTHING, Counsel
from core.conflict import echoes, same_value
from core.decay import freshness
from core.enact import Enactor
from core.errors import BadInput, ChronoMemoryError, NotFound
from core.intake import Intake, Submission
from core.model import (
    CONSOLE,
    Actor,
    AuditEntry,
    Candidate,
    Decision,
    Effect,
    EffectKind,
    Episode,
    HeldItem,
    LinkKind,
    Memory,
    MemoryKind,
    MemoryStatus,
    Role,
    SourceKind,
    Span,
    Verdict,
    sha256_text,
)
from core.policy import Policy, composite_trust
from core.ports import ChainReport, Clock, Ids, Ledger, LedgerFile, MemoryFilter, MemoryReader, StoreKeeper
from core.slots import is_multi_valued
from core.upkeep import Upkeep

EXPORT_FORMAT = "chronomemory-export-1"
PAGE = 500  # rows read at a time where all are needed
_KEPT = (MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED)
_CLAIMS = ("source_kind", "provenance", "trust", "effective_trust", "vouched_by", "confirmed_by", "verified")
LINKS = 12  # links of one memory that are looked up
CORRECTION = "correction of memory "  # source of a statement that its owner made in place of a memory, before its id
CORRECTED = "memory:corrected"
EXCERPT = 300  # characters of the source shown either side of the cited words


@dataclass(frozen=True, kw_only=True, slots=True)
class Why:
    """Why a memory is believed: its numbers, its decisions, the words it came from, its audit entries."""

    memory: Memory
    freshness: float
    composite_trust: float
    strength: float  # importance × freshness: what archiving looks at (rules §2.6)
    decisions: tuple[Decision, ...]
    source: Episode | None
    excerpt: str
    excerpt_span: Span | None
    audit: tuple[AuditEntry, ...]
    counsel: Counsel = NOTHING  # its confidence, and what an agent may do with it (rules §5)
    links: tuple[tuple[LinkKind, Memory], ...] = ()  # what it was linked to when it came in (rules §4.1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Memories:
    """The owner's own memories."""

    accounts: Accounts
    ledger: Ledger
    file: LedgerFile
    store: MemoryReader
    enactor: Enactor
    intake: Intake
    upkeep: Upkeep
    policy: Policy
    clock: Clock
    ids: Ids

    def list(
        self,
        actor: Actor,
        *,
        text: str | None = None,
        statuses: tuple[MemoryStatus, ...] = (MemoryStatus.ACTIVE,),
        kinds: tuple[str, ...] = (),
        source_kinds: tuple[SourceKind, ...] = (),
        impact: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Sequence[Memory], int]:
        """One page of the actor's memories, last stated first, and the true total."""
        self.accounts.authorise(actor)
        where = MemoryFilter(text=text, statuses=statuses, kinds=kinds, source_kinds=source_kinds, impact=impact)
        return self.store.list(actor.scope, where, limit=limit, offset=offset)

    def as_of(
        self,
        actor: Actor,
        then: datetime,
        *,
        text: str | None = None,
        kinds: tuple[str, ...] = (),
        source_kinds: tuple[SourceKind, ...] = (),
        impact: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> tuple[Sequence[Memory], int]:
        """One page of what was current at `then`, last stated first, and the total (see `current_at`)."""
        self.accounts.authorise(actor)
        where = MemoryFilter(text=text, statuses=_KEPT, kinds=kinds, source_kinds=source_kinds, impact=impact)
        found = [one for one in self._all(actor, where) if current_at(one, then)]
        return found[offset : offset + limit], len(found)

    def count(self, actor: Actor) -> dict[MemoryStatus, int]:
        """How many memories of each status the actor has."""
        self.accounts.authorise(actor)
        return self.store.count(actor.scope)

    def spaces(self, actor: Actor) -> Sequence[str]:
        """Which memories the actor has: the one that they chat with, and those that agents of theirs keep apart."""
        self.accounts.authorise(actor)
        return list(dict.fromkeys([CONSOLE, *self.store.spaces(actor.scope)]))

    def why(self, actor: Actor, memory_id: str) -> Why:
        """Everything behind one memory.

        Raises:
            NotFound: the actor has no memory by that id.
        """
        memory = self._own(actor, memory_id)
        now = self.clock.now()
        fresh = freshness(memory, now, self.policy.decay)
        item = self.ledger.candidate(memory_id)
        source = self.ledger.episode(memory.episode_id)
        decisions = tuple(self.ledger.decisions(memory_id))
        excerpt, span = ("", None)
        if source is not None and item is not None:
            excerpt, span = _around(source.text, item.candidate.proposal.span)
        entries, _ = self.ledger.audit(actor.tenant, owner=actor.user_id, about=memory_id, limit=50)
        return Why(
            memory=memory,
            freshness=fresh,
            composite_trust=composite_trust(memory, fresh, self.policy),
            strength=memory.importance * fresh,
            decisions=decisions,
            source=source,
            excerpt=excerpt,
            excerpt_span=span,
            audit=tuple(entries),
            counsel=self._counsel(memory, now),
            links=self._links(memory, decisions),
        )

    def _counsel(self, memory: Memory, at: datetime) -> Counsel:
        """What may be done with it now; its owner is told of an open conflict too."""
        known = of_memory(memory, self.store, at, self.policy, fits=lambda one: one.scope == memory.scope)
        return with_conflicts(known, [memory], self.ledger, at, self.policy)

    def _links(self, memory: Memory, decisions: Sequence[Decision]) -> tuple[tuple[LinkKind, Memory], ...]:
        made = {
            effect.by_memory_id: effect.link_kind
            for decision in decisions
            for effect in decision.effects
            if effect.kind is EffectKind.LINK and effect.by_memory_id and effect.link_kind
        }
        found = ((kind, self.store.get(memory.scope, other)) for other, kind in list(made.items())[:LINKS])
        return tuple((kind, one) for kind, one in found if one is not None and one.status is not MemoryStatus.DELETED)

    def forget(self, actor: Actor, memory_id: str, reason: str) -> None:
        """Take a memory out of recall at once, with the event that repeats it; `restore` undoes it (rules §2.9).

        Raises:
            BadInput: no reason was given, or it is forgotten already.
        """
        memory = self._own(actor, memory_id)
        if not reason.strip():
            msg = "Say why it should be forgotten: the reason is kept with it."
            raise BadInput(msg)
        if memory.status is MemoryStatus.DELETED:
            msg = "This memory is forgotten already."
            raise BadInput(msg)
        self._change(actor, [memory, *self._echoes(memory)], EffectKind.TOMBSTONE, "memory:forgotten", reason.strip())

    def forget_some(self, actor: Actor, memory_ids: Sequence[str], reason: str) -> int:
        """Forget a selection at once, each with the events that repeat it; returns how many of the selection it were.

        What is forgotten already stays so and is not counted.

        Raises:
            BadInput: no reason was given.
            NotFound: one of them is not the actor's; nothing was forgotten.
        """
        if not reason.strip():
            msg = "Say why they should be forgotten: the reason is kept with each."
            raise BadInput(msg)
        chosen = [self._own(actor, one) for one in dict.fromkeys(memory_ids)]
        chosen = [one for one in chosen if one.status is not MemoryStatus.DELETED]
        gone = {one.memory_id: one for memory in chosen for one in (memory, *self._echoes(memory))}
        if gone:
            self._change(actor, list(gone.values()), EffectKind.TOMBSTONE, "memory:forgotten", reason.strip())
        return len(chosen)

    def forget_all(self, actor: Actor, reason: str) -> int:
        """Forget every active memory of the actor, at once; returns how many.

        Raises:
            BadInput: no reason was given.
        """
        self.accounts.authorise(actor)
        if not reason.strip():
            msg = "Say why everything should be forgotten: the reason is kept."
            raise BadInput(msg)
        gone = self._all(actor, MemoryFilter())
        if gone:
            self._change(actor, gone, EffectKind.TOMBSTONE, "memory:forgotten", reason.strip())
        return len(gone)

    def restore(self, actor: Actor, memory_id: str) -> None:
        """Bring a forgotten or archived memory back.

        Raises:
            BadInput: it is neither; or another value stands in its slot now.
        """
        memory = self._own(actor, memory_id)
        if memory.status not in (MemoryStatus.DELETED, MemoryStatus.ARCHIVED):
            msg = f"This memory is {memory.status.value}; only a forgotten or archived one can be restored."
            raise BadInput(msg)
        rivals = [] if memory.kind is MemoryKind.EVENT else self.store.slot(memory.scope, memory.slot_key)
        multi = is_multi_valued(memory.attribute)
        rivals = [one for one in rivals if one.kind is not MemoryKind.EVENT and one.memory_id != memory_id]
        rivals = [one for one in rivals if not multi or same_value(one.value, memory.value)]
        if rivals:
            msg = f"“{rivals[0].text}” stands there now. Forget that one first, or say this anew."
            raise BadInput(msg)
        events = echoes(memory, self._made_with(memory))
        # Put away because it had faded: what its owner brings back is confirmed, or the next question puts it away.
        kind = EffectKind.RESTORE if memory.status is MemoryStatus.DELETED else EffectKind.CONFIRM
        self._change(actor, [memory, *events], kind, "memory:restored", "restored by its owner")

    def archive(self, actor: Actor, memory_id: str) -> None:
        """Put a memory away: out of recall, restorable, and still found by a strong direct match (rules §2.6).

        Raises:
            BadInput: it is not active.
        """
        self._change(actor, [self._active(actor, memory_id)], EffectKind.ARCHIVE, "memory:archived", "by its owner")

    def pin(self, actor: Actor, memory_id: str) -> None:
        """Put a memory in the profile: in every prompt, never fading (rules §2.1).

        Raises:
            BadInput: it is not active.
        """
        self._change(actor, [self._active(actor, memory_id)], EffectKind.PIN, "memory:pinned", "")

    def unpin(self, actor: Actor, memory_id: str) -> None:
        """Take a memory out of the profile again.

        Raises:
            BadInput: it is not active.
        """
        self._change(actor, [self._active(actor, memory_id)], EffectKind.UNPIN, "memory:unpinned", "")

    def correct(self, actor: Actor, memory_id: str, text: str) -> Episode:
        """Say in own words what is true instead: a new statement that goes through the whole gate (rules §3).

        Nothing is inherited from the old memory, which becomes history; the new one is learned as any turn is.

        Raises:
            BadInput, TooLarge: the text cannot be taken, or nothing in it can be remembered; the old memory stays.
        """
        memory = self._own(actor, memory_id)
        seen = memory.version - (memory.status is not MemoryStatus.ACTIVE)  # a second click finds it closed already
        said = Submission(
            scope=actor.scope,
            conversation_id=f"corrections of {actor.user_id}",
            channel=SourceKind.USER_TURN,
            text=text,
            actor=actor.user_id,
            source_ref=f"{CORRECTION}{memory_id}",
            idempotency_key=f"correction:{memory_id}:{seen}:{sha256_text(text)[:32]}",
        )
        if memory.status is MemoryStatus.ACTIVE and not any(map(_keeps, self.intake.preview(said))):
            msg = (
                "Nothing in these words can be remembered. Say what is right as a statement, for example "
                "“I live in Porto.” To drop the memory without another, forget it."
            )
            raise BadInput(msg)
        episode = self.intake.submit(said)
        if memory.status is MemoryStatus.ACTIVE:
            self._change(
                actor,
                [memory, *self._echoes(memory)],
                EffectKind.RETRACT,
                CORRECTED,
                "corrected by its owner",
                episode_id=episode.episode_id,
            )
        return episode

    def purge(self, actor: Actor, *, at_once: bool = False) -> int:
        """Remove forgotten and superseded memories for good once their grace window is over (rules §2.9).

        Args:
            actor: the owner.
            at_once: without waiting for the window.

        Returns:
            How many were removed; their words are gone from both stores, the audit keeps their digests.
        """
        self.accounts.authorise(actor)
        gone = self.upkeep.purge(actor.scope, actor=actor.user_id, grace=timedelta(0) if at_once else None)
        self._relay()
        if gone:
            self.file.compact()
        return len(gone)

    def export(self, actor: Actor) -> dict[str, Any]:
        """The actor's memories in every status but forgotten, with origin, trust and times, for their own keeping.

        What is left out is named in it. Taken in again it goes through the gate: importing never raises trust.
        """
        self.accounts.authorise(actor)
        rows = self._all(actor, MemoryFilter(statuses=_KEPT))
        return {
            "format": EXPORT_FORMAT,
            "exported_at": self.clock.now().isoformat(),
            "left_out": ["forgotten memories", "held items", "embeddings", "conversations"],
            "memories": [exported(one) for one in rows],
        }

    def import_rows(self, actor: Actor, rows: Sequence[Mapping[str, Any]], *, source: str) -> Sequence[Episode]:
        """Take rows of an export in: each is a document's claim, whatever trust it names for itself (rules §1.2).

        The same row of the same source is taken once.

        Raises:
            BadInput: a row has no text; the message names it, and nothing of the file was taken.
        """
        self.accounts.authorise(actor)
        for number, row in enumerate(rows, start=1):
            if not isinstance(row.get("text"), str) or not row["text"].strip():
                msg = f"row {number} has no text: every row needs one"
                raise BadInput(msg)
        return [self.intake.submit(imported(actor, row, source)) for row in rows]

    def learned(self, actor: Actor, episode_id: str) -> Sequence[HeldItem] | None:
        """What became of a text that the actor took in; None while it waits to be read.

        Raises:
            NotFound: it is not the actor's.
        """
        self.accounts.authorise(actor)
        episode = self.ledger.episode(episode_id)
        if episode is None or episode.scope != actor.scope:
            msg = "There is no such text."
            raise NotFound(msg)
        return self.ledger.candidates_of(episode_id) if self.ledger.processed(episode_id) else None

    def _all(self, actor: Actor, where: MemoryFilter) -> Sequence[Memory]:
        rows: list[Memory] = []
        offset, total = 0, 1
        while offset < total:  # by pages, not by rows: one that is not genuine leaves a gap on its page
            page, total = self.store.list(actor.scope, where, limit=PAGE, offset=offset)
            rows += page
            offset += PAGE
        return rows

    def _echoes(self, memory: Memory) -> Sequence[Memory]:
        """Active events that repeat a memory, of every turn that said it: they must not bring it back."""
        turns = turns_of(self.ledger, memory)
        events = [one for turn in turns for one in self.store.of_episode(memory.scope, turn)]
        return echoes(memory, [one for one in events if one.memory_id != memory.memory_id])

    def _made_with(self, memory: Memory) -> Sequence[Memory]:
        """What else the turns that said a memory made, in the status that it has."""
        items = [item for turn in turns_of(self.ledger, memory) for item in self.ledger.candidates_of(turn)]
        ids = [item.candidate.candidate_id for item in items if item.candidate.candidate_id != memory.memory_id]
        found = [self.store.get(memory.scope, one) for one in ids]
        return [one for one in found if one is not None and one.status is memory.status]

    def _change(
        self,
        actor: Actor,
        memories: Sequence[Memory],
        kind: EffectKind,
        action: str,
        reason: str,
        **about: str,
    ) -> None:
        effects = [
            Effect(
                effect_id=f"{kind.value}:{self.ids.new()}",
                kind=kind,
                scope=memory.scope,
                memory_id=memory.memory_id,
                at=self.clock.now(),
                reason=reason,
            )
            for memory in memories
        ]
        self.enactor.commit_effects(
            actor.user_id, effects, action=action, about=about | {"memory_id": memories[0].memory_id}
        )
        self._relay()

    def _relay(self) -> None:
        """Apply at once if the store answers; if not, the worker does."""
        try:
            self.enactor.relay()
        except ChronoMemoryError as problem:
            if not problem.retry:
                raise

    def _active(self, actor: Actor, memory_id: str) -> Memory:
        memory = self._own(actor, memory_id)
        if memory.status is not MemoryStatus.ACTIVE:
            msg = f"This memory is {memory.status.value}; only an active one can be changed like this."
            raise BadInput(msg)
        return memory

    def _own(self, actor: Actor, memory_id: str) -> Memory:
        self.accounts.authorise(actor)
        memory = self.store.get(actor.scope, memory_id)
        if memory is None or memory.scope != actor.scope:
            msg = "There is no such memory."
            raise NotFound(msg)
        return memory


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditDesk:
    """Reading and verifying the audit. Members see what concerns themselves; reviewers and admins their tenant."""

    accounts: Accounts
    ledger: Ledger
    store: MemoryReader
    keeper: StoreKeeper
    enactor: Enactor
    _reports: deque[tuple[ChainReport, datetime]] = field(default_factory=lambda: deque(maxlen=1))

    def entries(  # noqa: PLR0913 - a filter has that many parts
        self,
        actor: Actor,
        *,
        action: str | None = None,
        about: str | None = None,
        owner: str | None = None,
        by: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[Sequence[AuditEntry], int]:
        """One page of entries, newest first, and the true total; `by` is who did it."""
        person = self.accounts.authorise(actor)
        seen = actor.user_id if person.role is Role.MEMBER else owner
        return self.ledger.audit(
            actor.tenant,
            owner=seen,
            action=action,
            about=about,
            actor=by,
            since=since,
            until=until,
            limit=limit,
            offset=offset,
        )

    def after(self, actor: Actor, seq: int, *, limit: int = 200) -> tuple[Sequence[AuditEntry], int]:
        """Those of the `limit` entries after `seq` that the actor may see, oldest first; and the last one looked at.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        person = self.accounts.authorise(actor)
        found = self.ledger.audit_after(seq, limit=limit)
        own = person.role is Role.MEMBER
        shown = [one for one in found if one.tenant == person.tenant and (not own or one.owner == person.user_id)]
        return shown, found[-1].seq if found else seq

    def verify(self, actor: Actor) -> ChainReport:
        """Recompute the whole chain and compare it with the head that the store witnessed (rules §8.2)."""
        self.accounts.authorise(actor)
        witnessed, at = self.store.witness(), self.enactor.clock.now()
        report = self.ledger.verify(witnessed=witnessed if witnessed[0] else None)
        self._reports.append((report, at))
        return report

    def verified(self, actor: Actor, *, within: timedelta) -> tuple[ChainReport, datetime]:
        """The newest report of this process and its time, if it is no older than `within`; else one that is made now.

        It is on the chain of the whole installation and holds no one's words, so whoever may verify may read it.
        """
        self.accounts.authorise(actor)
        known = list(self._reports)
        if not known or self.enactor.clock.now() - known[0][1] > within:
            self.verify(actor)
            known = list(self._reports)
        return known[0]

    def reconcile(self, actor: Actor) -> list[str]:
        """Ids of rows in the actor's scope that no decision of this installation made; they are never recalled (§8.1).

        A find is audited: somebody wrote into the store past the ledger.
        """
        self.accounts.authorise(actor)
        found = self.keeper.reconcile(actor.scope)
        if found:
            about = {"rows": len(found), "digests": [sha256_text(one) for one in found[:LINKS]]}  # ids are not ours
            self.enactor.note(
                actor=actor.user_id,
                action="store:foreign_rows_found",
                tenant=actor.tenant,
                owner=actor.user_id,
                about=about,
            )
        return found

    def head(self, actor: Actor) -> tuple[int, str]:
        """Sequence and hash of the last entry."""
        self.accounts.authorise(actor)
        return self.ledger.head()

    def names(self, actor: Actor) -> dict[str, str]:
        """User names by id, of the actor's tenant."""
        self.accounts.authorise(actor)
        return self.accounts.names(actor.tenant)


def current_at(memory: Memory, then: datetime) -> bool:
    """Whether a memory was current at a time (rules §3.4): known by then or said to hold since, and not closed yet.

    What will only hold later counts from when it is known, as it does in recall.
    """
    since = min(memory.created_at, memory.valid_at or memory.created_at)
    until = (memory.expired_at, memory.invalid_at, memory.expires_at)
    return since <= then and all(end is None or end > then for end in until)


def exported(memory: Memory) -> dict[str, Any]:
    """A memory as a plain row."""
    return {
        "memory_id": memory.memory_id,
        "text": memory.text,
        "subject": memory.subject,
        "attribute": memory.attribute,
        "value": memory.value,
        "kind": memory.kind.value,
        "status": memory.status.value,
        "importance": memory.importance,
        "effective_trust": memory.effective_trust,
        "source_kind": memory.source_kind.value,
        "source_ref": memory.source_ref,
        "vouched_by": memory.vouched_by,
        "confirmed_by": memory.confirmed_by,
        "superseded_by": memory.superseded_by,
        "support": list(memory.support),
        **{
            name: at.isoformat() if at else None
            for name, at in (
                ("stated_at", memory.stated_at),
                ("confirmed_at", memory.confirmed_at),
                ("created_at", memory.created_at),
                ("valid_at", memory.valid_at),
                ("invalid_at", memory.invalid_at),
                ("expired_at", memory.expired_at),
                ("expires_at", memory.expires_at),
            )
        },
    }


def imported(actor: Actor, row: Mapping[str, Any], source: str) -> Submission:
    """A row as a document's claim; what it says about its own source and trust is logged and has no effect."""
    claims = tuple(f"{name}={row[name]}" for name in _CLAIMS if row.get(name) is not None)
    text = str(row["text"])
    return Submission(
        scope=actor.scope,
        conversation_id=f"import {sha256_text(source)[:16]}",  # the audit keeps it: a name of a file is a word
        channel=SourceKind.WEB_CONTENT if row.get("source_kind") == "web_content" else SourceKind.EXTERNAL_DOC,
        text=text,
        actor=actor.user_id,
        source_ref=source,
        title=source,
        claimed=claims,
        idempotency_key=f"import:{sha256_text(source)[:16]}:{sha256_text(text)[:32]}",
    )


def _keeps(ruled: tuple[Candidate, Decision]) -> bool:
    """Whether a ruling makes a fact, or leaves one for a person to decide on; that something was said is no fact."""
    candidate, decision = ruled
    return decision.verdict is not Verdict.REJECT and candidate.proposal.kind is not MemoryKind.EVENT


def _around(text: str, span: Span) -> tuple[str, Span]:
    start, end = max(0, span.start - EXCERPT), min(len(text), span.end + EXCERPT)
    return text[start:end], Span(start=span.start - start, end=min(span.end, len(text)) - start)
