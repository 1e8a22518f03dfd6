"""The ledger with a story's texts and rulings on top, in RAM: later hops see the earlier ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core import literals
from core.gate import STATE_OF
from core.model import (
    AuditEntry,
    Candidate,
    CandidateState,
    Decision,
    EffectKind,
    Episode,
    HeldItem,
    Scope,
    SourceKind,
    Span,
)
from core.ports import EvidenceLedger, Happened, HeldFilter, HeldGroup, Input, Stated, Support
from core.sameness import same_value
from core.slots import slot_key as key_of
from core.spans import fingerprints

FIRST = 1 << 52  # serial number of the first text: later than anything that was ever received
_SUPPORTING = frozenset({CandidateState.HELD, CandidateState.ADMITTED})


class LedgerOverlay:
    """Implements `core.ports.EvidenceLedger`: what is asked is answered from the ledger and the story together."""

    def __init__(self, inner: EvidenceLedger) -> None:
        """Begin with nothing on top."""
        self._inner = inner
        self._episodes: list[tuple[Episode, frozenset[int]]] = []
        self._items: list[HeldItem] = []
        self._audit: list[AuditEntry] = []

    def add(self, episode: Episode) -> Episode:
        """Receive a text: it gets the next serial number."""
        received = replace(episode, serial_no=FIRST + len(self._episodes))
        seen = frozenset((*fingerprints(episode.text), *literals.marks(episode.text)))
        self._episodes.append((received, seen))
        return received

    def record(self, episode: Episode, candidate: Candidate, decision: Decision) -> None:
        """Remember a ruling on a claim of one of its texts."""
        self._items.append(
            HeldItem(
                candidate=candidate,
                state=STATE_OF[decision.verdict],
                decision=decision,
                excerpt=episode.text,
                excerpt_span=Span(start=candidate.proposal.span.start, end=candidate.proposal.span.end),
                updated_at=decision.at,
            )
        )
        confirmed = [one for one in decision.effects if one.kind is EffectKind.CONFIRM]
        self._audit += [
            AuditEntry(
                seq=0,
                at=decision.at,
                actor="policy",
                attestation="none",
                action="candidate:admitted",
                tenant=candidate.scope.tenant,
                owner=candidate.scope.owner,
                about={
                    "episode_id": candidate.episode_id,
                    "effects": [one.kind.value for one in confirmed],
                    "memory_ids": [one.memory_id for one in confirmed],
                },
            )
        ] * bool(confirmed)

    def episode(self, episode_id: str) -> Episode | None:
        """One text, of the story or of the ledger."""
        own = (one for one, _ in self._episodes if one.episode_id == episode_id)
        return next(own, None) or self._inner.episode(episode_id)

    def episodes(self, scope: Scope, conversation_id: str, *, limit: int = 200) -> list[Episode]:
        """The last texts of a conversation, in order of receipt."""
        found = [*self._inner.episodes(scope, conversation_id, limit=limit), *self._of(scope, conversation_id)]
        return found[-limit:]

    def inputs_before(self, scope: Scope, conversation_id: str, *, before: int) -> list[Input]:
        """What of a conversation came before and is not wholly the user's own words."""
        own = [
            _input(one)
            for one in self._of(scope, conversation_id)
            if (one.provenance.source_kind is not SourceKind.USER_TURN or one.provenance.pasted)
            and (not before or one.serial_no < before)
        ]
        return [*self._inner.inputs_before(scope, conversation_id, before=before), *own]

    def first_seen(self, scope: Scope, marks: Sequence[int], *, before: int = 0) -> dict[int, Input]:
        """The earliest text that bears each mark: the ledger's is always earlier."""
        found: dict[int, Input] = {}
        for one, seen in self._episodes:
            if (one.scope.tenant, one.scope.owner) == (scope.tenant, scope.owner) and (
                not before or one.serial_no < before
            ):
                found |= {mark: _input(one) for mark in marks if mark in seen and mark not in found}
        return found | self._inner.first_seen(scope, marks, before=before)

    def epoch(self, scope: Scope) -> int:
        """The ledger's: a story commits nothing."""
        return self._inner.epoch(scope)

    def support(self, scope: Scope, slot_key: str, value: str) -> list[Support]:
        """Who else says so, the story's claims included."""
        own = [
            Support(
                origin=one.decision.evidence.origin,
                trust=one.decision.evidence.effective_trust,
                at=min(one.candidate.provenance.observed_at, one.decision.at),
                episode_id=one.candidate.episode_id,
            )
            for one in self._items
            if one.state in _SUPPORTING
            and (one.candidate.scope.tenant, one.candidate.scope.owner) == (scope.tenant, scope.owner)
            and not one.candidate.proposal.retracts
            and key_of(one.candidate.proposal.subject, one.candidate.proposal.attribute) == slot_key
            and same_value(one.candidate.proposal.value, value)
        ]
        return [*self._inner.support(scope, slot_key, value), *own]

    def aliases(self, scope: Scope) -> Mapping[str, str]:
        """The ledger's: a story makes none."""
        return self._inner.aliases(scope)

    def stated(self, tenant: str, owner: str, *, origin: str | None = None, limit: int = 5000) -> Sequence[Stated]:
        """The ledger's: nothing of a story was looked at yet."""
        return self._inner.stated(tenant, owner, origin=origin, limit=limit)

    def happened(self, tenant: str, owner: str | None, *, limit: int = 20_000) -> Sequence[Happened]:
        """The ledger's."""
        return self._inner.happened(tenant, owner, limit=limit)

    def candidates_of(self, episode_id: str) -> list[HeldItem]:
        """All claims of one text, in order of their span."""
        own = [one for one in self._items if one.candidate.episode_id == episode_id]
        return sorted(own, key=lambda one: one.candidate.proposal.span.start) or self._inner.candidates_of(episode_id)

    def held(self, where: HeldFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[HeldItem], int]:
        """The ledger's page, and after it what the story would add; the total counts both."""
        found, total = self._inner.held(where, limit=limit, offset=offset)
        own = [one for one in self._items if _fits(where, one)]
        return [*found, *own], total + len(own)

    def held_groups(self, where: HeldFilter, *, limit: int = 50, offset: int = 0) -> tuple[list[HeldGroup], int]:
        """The ledger's groups, and their number with those that the story would open."""
        found, total = self._inner.held_groups(where, limit=limit, offset=offset)
        opened = {
            (one.candidate.scope.owner, one.decision.evidence.cluster) for one in self._items if _fits(where, one)
        }
        new = [
            key for owner, key in opened if not self._inner.held(replace(where, owner=owner, cluster=key), limit=1)[1]
        ]
        return found, total + len(new)

    def declined(self, scope: Scope, digest: str) -> bool:
        """Whether a person rejected these very words before: nobody rules in a story."""
        return self._inner.declined(scope, digest)

    def audit(
        self,
        tenant: str,
        *,
        owner: str | None = None,
        action: str | None = None,
        about: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[list[AuditEntry], int]:
        """The ledger's entries, after those that the story's confirmations would leave."""
        found, total = self._inner.audit(tenant, owner=owner, action=action, about=about, limit=limit, offset=offset)
        own = [
            one
            for one in reversed(self._audit)
            if one.tenant == tenant
            and owner in (None, one.owner)
            and one.action.startswith(action or "")
            and about in (None, *one.about["memory_ids"])
        ]
        return [*own, *found], total + len(own)

    def _of(self, scope: Scope, conversation_id: str) -> list[Episode]:
        return [one for one, _ in self._episodes if one.scope == scope and one.conversation_id == conversation_id]


def _input(episode: Episode) -> Input:
    return Input(episode_id=episode.episode_id, serial_no=episode.serial_no, provenance=episode.provenance)


def _fits(where: HeldFilter, item: HeldItem) -> bool:
    """Whether an item passes a filter; the story is never searched by words or reasons."""
    candidate, origin = item.candidate, item.candidate.provenance
    return (
        item.state in where.states
        and candidate.scope.tenant == where.tenant
        and where.owner in (None, candidate.scope.owner)
        and where.source_kind in (None, origin.source_kind)
        and where.source_ref in (None, origin.source_ref)
        and where.cluster in (None, item.decision.evidence.cluster)
    )
