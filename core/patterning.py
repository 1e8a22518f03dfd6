"""Looks at owners with new episodes for patterns: proposes, keeps up and retires them (rules §5.3). A worker's chore.

Every step is one ledger transaction and leaves a state that the next look goes on from, so a kill anywhere loses
nothing and doubles nothing. What is proven goes before the gate like anything else that wants to be remembered: bound
to its episodes as roots, so that it is never trusted more than the weakest of them (rules §1.3).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.assess import Around, Assessor
from core.clusters import PATTERNS
from core.enact import Enactor
from core.errors import Outdated, StaleReview
from core.gate import decide
from core.model import (
    INFERRED,
    Candidate,
    Decision,
    Effect,
    EffectKind,
    Episode,
    HeldItem,
    MemoryKind,
    Proposal,
    Provenance,
    Scope,
    SourceKind,
    Span,
    Verdict,
    sha256_text,
)
from core.patterns import DETECTORS, Detector, Hypothesis, Observation, carries, observe, prove
from core.patterns.nouns import purged_key
from core.patternstate import PatternStanding, memory_id_of, standing
from core.policy import Policy
from core.ports import Clock, Ids, Ledger, MemoryReader, Pattern, PatternState, PatternWording
from core.slots import normalise

log = logging.getLogger(__name__)

EVERY = timedelta(minutes=1)  # between looks: nothing hangs on the minute
OWNERS = 20  # looked at in one step
EPISODES = 1_000  # of one owner that are read, the last ones
ROOTS = 60  # episodes that one pattern names as its roots: the weakest ones always, then the newest
BY = "patterns"  # in the audit


@dataclass(frozen=True, kw_only=True, slots=True)
class Patterning:
    """A chore of the worker."""

    ledger: Ledger
    store: MemoryReader
    enactor: Enactor
    assessor: Assessor
    policy: Policy
    clock: Clock
    ids: Ids
    wording: PatternWording
    called: Callable[[Scope], Sequence[str]]  # names of the owner's account: nobody is their own counterpart
    detectors: tuple[Detector, ...] = DETECTORS
    _looked: dict[str, datetime] = field(default_factory=dict)  # under "at"
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run_once(self) -> bool:
        """Look at a few owners with new episodes; False if there were none, or it is not time to look yet.

        Raises:
            StoreUnavailable, LedgerUnavailable, ModelUnavailable: what was not looked at is left for the next call.
        """
        now = self.clock.now()
        with self._lock:
            last = self._looked.get("at")
            if last is not None and now - last < EVERY:
                return False
            work = self.ledger.pattern_work(self.policy.digest, limit=OWNERS)
            for one in work:
                try:
                    self._look(one.scope, one.through, now)
                except (Outdated, StaleReview) as problem:  # somebody was quicker; the mark stays where it was
                    log.info("an owner's patterns are looked at again: %s", type(problem).__name__)
                    self._looked["at"] = now
            if len(work) < OWNERS:
                self._looked["at"] = now
        return bool(work)

    def _look(self, scope: Scope, through: int, now: datetime) -> None:
        if self.ledger.waiting(scope):  # the store must hold what was decided before it is read
            self.enactor.relay()
        found = prove(
            self._observations(scope, through),
            self.detectors,
            self.policy.patterns,
            threshold=self.policy.trust.threshold,
            now=now,
        )
        kept = {(one.detector, one.key): one for one in self.ledger.patterns(scope)}
        for hypothesis in found:
            known = kept.pop((hypothesis.detector, hypothesis.key), None)
            known = known or kept.pop((hypothesis.detector, purged_key(hypothesis.key)), None)
            self._settle(scope, hypothesis, known, now)
        for gone in kept.values():  # nothing speaks for it any more
            self._settle(scope, _nothing_of(gone), gone, now)
        with self.ledger.transaction() as tx:
            tx.mark_patterns(scope, through=through, policy_digest=self.policy.digest)

    def _observations(self, scope: Scope, through: int) -> Iterator[Observation]:
        zone = self.policy.patterns.zone
        names = frozenset(normalise(one) for one in self.called(scope))
        for episode in self.ledger.pattern_episodes(scope, through=through, limit=EPISODES):
            found = list(observe(episode, trust=0.0, zone=zone, own_names=names))
            if found:
                trust = self._trust(episode)
                yield from (replace(one, trust=trust) for one in found)

    def _trust(self, episode: Episode) -> float:
        origin = episode.provenance
        if origin.source_kind is SourceKind.USER_TURN and not origin.pasted:
            return self.policy.channel_trust(origin)
        roots = self.assessor.tracer.behind(episode.scope, [episode.episode_id])
        return min((root.trust for root in roots), default=0.0)

    # --- what becomes of one hypothesis -------------------------------------------------------------------------

    def _settle(self, scope: Scope, found: Hypothesis, known: Pattern | None, now: datetime) -> None:
        """Bring what is kept into line with what was found. Does nothing where they agree already."""
        if known is None:
            if not found.proven and len(found.supports) < self.policy.patterns.list_from:
                return
            fresh = self._kept(scope, found, None, now)
            self._keep(fresh)  # its id is what makes the note of a proposal that was cut off be found again
            if found.proven:
                self._propose(replace(fresh, version=1), found, now)
            return
        item = self.ledger.candidate(known.candidate_id) if known.candidate_id else None
        memory = self.store.get(scope, memory_id_of(item)) if item is not None else None
        stands = standing(known, item, memory)
        fresh = self._kept(scope, found, known, now)
        if stands is PatternStanding.DISMISSED:
            self._dismissed(fresh, found, known, now)
        elif item is None or stands in (PatternStanding.HYPOTHESIS, PatternStanding.RETIRED):
            if found.proven:
                self._propose(fresh, found, now)
            elif _differs(fresh, known):
                self._keep(fresh)
        elif stands is PatternStanding.HELD:
            self._held(fresh, found, known, item, now)
        else:
            self._believed(fresh, found, known, item, now)

    def _dismissed(self, fresh: Pattern, found: Hypothesis, known: Pattern, now: datetime) -> None:
        """A person said no: only new evidence that is a pattern by itself is put before the gate again."""
        seen = set(known.seen or known.supports)
        since = [one for one in found.supports if one.episode_id not in seen]
        if found.proven and carries(since, self.policy.patterns):
            self._propose(replace(fresh, seen=()), found, now)
        elif known.state is not PatternState.DISMISSED:
            self._keep(replace(known, state=PatternState.DISMISSED, seen=known.supports, updated_at=now))

    def _held(self, fresh: Pattern, found: Hypothesis, known: Pattern, item: HeldItem, now: datetime) -> None:
        """It waits for a person: withdrawn when its evidence is gone, put anew when that is worth another trust."""
        fresh = replace(fresh, state=PatternState.PROPOSED)
        if not found.proven:
            self._withdraw(replace(fresh, state=PatternState.RETIRED), item, now)
        elif found.trust != item.decision.evidence.effective_trust:
            retired = replace(fresh, state=PatternState.RETIRED)
            self._withdraw(retired, item, now)
            self._propose(replace(retired, version=retired.version + 1), found, now)
        elif _differs(fresh, known):
            self._keep(fresh)

    def _believed(self, fresh: Pattern, found: Hypothesis, known: Pattern, item: HeldItem, now: datetime) -> None:
        """It is in memory. What a person vouched for stays by their word; the machine's own goes with its evidence."""
        fresh = replace(fresh, state=PatternState.PROPOSED)
        vouched = item.decision.by != "policy"
        if not vouched and (not found.proven or item.decision.evidence.effective_trust > found.trust):
            retired = replace(fresh, state=PatternState.RETIRED)
            self._retire(retired, item, now)
            if found.proven:  # it rests on something weaker now: said anew, at that trust
                self._propose(replace(retired, version=retired.version + 1), found, now)
        elif set(fresh.supports) - set(known.supports):
            self._confirm(fresh, found, item, now)
        elif _differs(fresh, known) or known.state is not PatternState.PROPOSED:
            self._keep(fresh)

    # --- what is written ----------------------------------------------------------------------------------------

    def _kept(self, scope: Scope, found: Hypothesis, known: Pattern | None, now: datetime) -> Pattern:
        """What is kept of a hypothesis; state and candidate as they were."""
        return Pattern(
            pattern_id=known.pattern_id if known else self.ids.new(),
            scope=scope,
            detector=found.detector,
            key=found.key,
            sentence=found.sentence or (known.sentence if known else ""),
            state=known.state if known else PatternState.HYPOTHESIS,
            supports=found.episodes,
            against=tuple(one.episode_id for one in found.against),
            sessions=found.sessions,
            updated_at=now,
            candidate_id=known.candidate_id if known else "",
            seen=known.seen if known else (),
            version=known.version if known else 0,
        )

    def _keep(self, pattern: Pattern) -> None:
        self.enactor.commit_pattern(pattern, actor=BY, action="pattern:counted")

    def _propose(self, pattern: Pattern, found: Hypothesis, now: datetime) -> None:
        """Put a proven hypothesis before the gate, as a candidate of a note of its own with its episodes as roots.

        Raises:
            Outdated: the owner's memories changed while it was assessed; nothing was written but the note.
        """
        note = self._note(pattern, found, now)
        candidate = self._candidate(note, pattern, found)
        vectors, gaps = self.assessor.vectors([candidate.text])
        around = Around(episode=note, vector=vectors[0] if vectors else None, gaps=gaps)
        candidate, evidence = self.assessor.assess(candidate, around)
        evidence = replace(evidence, cluster=PATTERNS)
        decision = decide(candidate, evidence, self.policy, at=now, by="policy", decision_id=self.ids.new())
        proposed = replace(pattern, state=PatternState.PROPOSED, candidate_id=candidate.candidate_id)
        self.enactor.commit_pattern(proposed, actor=BY, action="pattern:proposed", ruling=(candidate, decision))
        self.enactor.relay()

    def _note(self, pattern: Pattern, found: Hypothesis, now: datetime) -> Episode:
        """The text that states it, kept like any other; the same evidence makes the same note, however often.

        It is nobody's own words: a text of code, whose inputs are the episodes.
        """
        weakest = sorted(found.supports, key=lambda one: (one.trust, -one.at.timestamp(), one.episode_id))[:ROOTS]
        roots = tuple(one.episode_id for one in sorted(weakest, key=lambda one: (one.at, one.episode_id)))
        trusted = found.trust >= self.policy.trust.threshold
        text = self.wording.word(found.sentence) if trusted else found.sentence  # what will be held meets no model
        origin = Provenance(
            source_kind=SourceKind.TOOL_OUTPUT,
            source_ref=f"pattern {pattern.pattern_id}",
            actor=BY,
            observed_at=min(now, max(one.at for one in found.supports)),
            digest=sha256_text(text),
            title=f"Pattern: {found.detector.replace('_', ' ')}",
            derived_from=roots,
        )
        episode = Episode(
            episode_id=self.ids.new(),
            scope=pattern.scope,
            conversation_id=f"patterns of {pattern.scope.owner}",
            provenance=origin,
            text=text,
            received_at=now,
        )
        made_of = sha256_text("\n".join((*roots, found.sentence)))
        key = f"pattern:{pattern.pattern_id}:{made_of[:32]}"  # holds a random id: no submission can take its place
        return self.enactor.receive(episode, idempotency_key=key, inbox=False)

    def _candidate(self, note: Episode, pattern: Pattern, found: Hypothesis) -> Candidate:
        """The note's statement bound to its episodes; that code concluded it is said by its extractor alone."""
        return Candidate(
            candidate_id=self.ids.new(),
            episode_id=note.episode_id,
            scope=pattern.scope,
            proposal=Proposal(
                subject="user",
                attribute=f"pattern {found.detector} {found.key}",
                value=found.label or found.key.replace("_", " "),
                statement=note.text,
                kind=MemoryKind.FACT,
                importance=self.policy.patterns.importance,
                span=Span(start=0, end=len(note.text)),
            ),
            provenance=note.provenance,
            serial_no=note.serial_no,
            extractor=INFERRED,
        )

    def _retire(self, pattern: Pattern, item: HeldItem, now: datetime) -> None:
        """Close the memory: what speaks for it no longer carries."""
        effect = self._effect(EffectKind.RETRACT, pattern, item, now, reason="its evidence no longer carries")
        self.enactor.commit_pattern(pattern, actor=BY, action="pattern:retired", effects=(effect,))
        self.enactor.relay()

    def _confirm(self, pattern: Pattern, found: Hypothesis, item: HeldItem, now: datetime) -> None:
        """New episodes speak for it: it is as young as the newest of them (rules §2.2); they are no new origin."""
        at = min(now, max(one.at for one in found.supports))
        effect = self._effect(EffectKind.CONFIRM, pattern, item, at)
        self.enactor.commit_pattern(pattern, actor=BY, action="pattern:confirmed", effects=(effect,))
        self.enactor.relay()

    def _withdraw(self, pattern: Pattern, item: HeldItem, now: datetime) -> None:
        """Take a held one out of the queue by the policy; nobody turned these words down."""
        decision: Decision = replace(
            item.decision,
            decision_id=self.ids.new(),
            verdict=Verdict.REJECT,
            reasons=("evidence_gone",),
            effects=(),
            policy_digest=self.policy.digest,
            by="policy",
            at=now,
            note="",
        )
        self.enactor.commit_pattern(
            pattern, actor=BY, action="pattern:withdrawn", ruling=(item.candidate, decision), moved=True
        )

    def _effect(self, kind: EffectKind, pattern: Pattern, item: HeldItem, at: datetime, *, reason: str = "") -> Effect:
        made_of = sha256_text("\n".join(pattern.supports))[:16]
        return Effect(
            effect_id=f"pattern:{pattern.pattern_id}:{pattern.version}:{kind.value}:{made_of}",
            kind=kind,
            scope=pattern.scope,
            memory_id=memory_id_of(item),
            at=at,
            reason=reason,
        )


def _nothing_of(pattern: Pattern) -> Hypothesis:
    """What is found of a pattern that nothing speaks for."""
    return Hypothesis(
        detector=pattern.detector,
        key=pattern.key,
        label="",
        sentence=pattern.sentence,
        supports=(),
        against=(),
        proven=False,
        short_of=("episodes",),
    )


def _differs(fresh: Pattern, known: Pattern) -> bool:
    return replace(fresh, updated_at=known.updated_at) != known


__all__ = ["Patterning"]
