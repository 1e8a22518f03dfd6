"""Gathers the evidence for one candidate: origin, what holds its slot, what was declined. Reads, never writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.conflict import echoes, incumbents
from core.model import Candidate, Evidence, Incumbent, Memory, MemoryKind, Root, SourceKind
from core.policy import Policy, ranking_trust
from core.ports import LedgerReader, MemoryReader
from core.slots import is_multi_valued, slot_key

MEMORY_REF = "memory:"  # prefix in Provenance.derived_from of a recalled memory; anything else is an episode id


@dataclass(frozen=True, kw_only=True, slots=True)
class Assessor:
    """The information point: a pair of readers and the policy's numbers."""

    ledger: LedgerReader
    store: MemoryReader
    policy: Policy

    def gather(self, candidate: Candidate, *, batch: Sequence[Memory] = (), gaps: Sequence[str] = ()) -> Evidence:
        """Evidence on one candidate.

        Args:
            candidate: the proposal bound to its origin.
            batch: memories that earlier candidates of the same episode will make: not in the store yet.
            gaps: configured parts that failed before this point (rules §1.12).

        Raises:
            StoreUnavailable: the slot cannot be looked up; the caller retries later, nothing is admitted meanwhile.
        """
        roots = self._roots(candidate)
        untrusted = candidate.provenance.source_kind is not SourceKind.USER_TURN
        return Evidence(
            effective_trust=min(root.trust for root in roots),
            roots=roots,
            incumbents=self._incumbents(candidate, batch),
            gaps=tuple(gaps),
            declined_before=untrusted and self.ledger.declined(candidate.scope, candidate.digest),
        )

    def _incumbents(self, candidate: Candidate, batch: Sequence[Memory]) -> tuple[Incumbent, ...]:
        proposal = candidate.proposal
        key = slot_key(proposal.subject, proposal.attribute)
        if proposal.kind is MemoryKind.EVENT:
            return ()
        held = {memory.memory_id: memory for memory in self.store.slot(candidate.scope, key)}
        held |= {memory.memory_id: memory for memory in batch if memory.slot_key == key}
        found = incumbents(candidate, held.values(), self.policy)
        closing = proposal.retracts or not is_multi_valued(proposal.attribute)
        if not closing:
            return tuple(one for one in found if one.same_value)
        return tuple(
            one if one.same_value and not proposal.retracts else replace(one, echoes=self._echoes(held[one.memory_id]))
            for one in found
        )

    def _echoes(self, memory: Memory) -> tuple[str, ...]:
        siblings = self.store.of_episode(memory.scope, memory.episode_id)
        return tuple(event.memory_id for event in echoes(memory, siblings))

    def _roots(self, candidate: Candidate) -> tuple[Root, ...]:
        """The candidate's own text first, then what a derived text was made from (rules §1.3, §1.4).

        A user's own assertion is never tainted by what was in the context (rules §1.5). A recalled memory counts with
        its own effective trust, vouched bytes with the vouch level; an id that cannot be found counts as untrusted.
        """
        origin = candidate.provenance
        own = Root(
            episode_id=candidate.episode_id,
            source_kind=origin.source_kind,
            source_ref=origin.source_ref,
            trust=self.policy.trust.granted(origin.source_kind),
        )
        if origin.source_kind is SourceKind.USER_TURN:
            return (own,)
        return (own, *self._derived(candidate.scope.owner, candidate, origin.derived_from))

    def _derived(self, owner: str, candidate: Candidate, refs: Iterable[str]) -> Iterable[Root]:
        for ref in refs:
            if ref.startswith(MEMORY_REF):
                memory = self.store.get(candidate.scope, ref.removeprefix(MEMORY_REF))
                kind = memory.source_kind if memory else SourceKind.WEB_CONTENT
                trust = ranking_trust(memory, self.policy) if memory else 0.0
                yield Root(
                    episode_id=ref, source_kind=kind, source_ref=memory.source_ref if memory else "", trust=trust
                )
                continue
            episode = self.ledger.episode(ref)
            if episode is None or episode.scope.owner != owner:
                yield Root(episode_id=ref, source_kind=SourceKind.WEB_CONTENT, source_ref="", trust=0.0)
                continue
            kind = episode.provenance.source_kind
            yield Root(
                episode_id=ref,
                source_kind=kind,
                source_ref=episode.provenance.source_ref,
                trust=self.policy.trust.granted(kind),
            )


__all__ = ["MEMORY_REF", "Assessor"]
