"""The owner's patterns for the owner's eyes: what is supposed about them, why, and their no (rules §5.3).

Each call authorises its actor itself; nobody sees or dismisses another's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.accounts import Accounts
from core.enact import Enactor
from core.errors import BadInput, ChronoMemoryError, NotFound, StaleReview
from core.model import (
    Actor,
    Decision,
    Effect,
    EffectKind,
    HeldItem,
    Memory,
    Role,
    SourceKind,
    Verdict,
)
from core.patterns.calendar_text import calendar_entries
from core.patternstate import PatternStanding, memory_id_of, standing
from core.policy import Policy
from core.ports import Clock, Ids, KeyMapper, Ledger, MemoryReader, Pattern, PatternState

EXCERPT = 160  # characters of an episode that are shown
SHOWN = 40  # episodes of one pattern that are shown, the newest ones


@dataclass(frozen=True, kw_only=True, slots=True)
class PatternEpisode:
    """One episode that speaks for or against a pattern. The excerpt is somebody's words: to be drawn as such."""

    episode_id: str
    at: datetime  # of a calendar entry: when it stood; else when it was said
    source_kind: SourceKind
    title: str
    excerpt: str
    speaks_for: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class PatternView:
    """A pattern as its owner sees it."""

    pattern_id: str
    detector: str
    sentence: str  # as it is remembered; of one that is not, the rules' own; "" if it is held and not for these eyes
    standing: PatternStanding
    supports: int  # episodes
    against: int
    sessions: int
    needed_episodes: int
    needed_sessions: int
    needed_share: float
    share: float
    trust: float | None  # effective; None: it was never proposed
    reasons: tuple[str, ...]  # why it is held
    memory_id: str  # "" unless it is knowledge
    candidate_id: str
    updated_at: datetime
    version: int
    episodes: tuple[PatternEpisode, ...]  # newest first

    @property
    def open(self) -> bool:
        """Whether there is something to say no to."""
        return self.standing in (PatternStanding.HYPOTHESIS, PatternStanding.HELD, PatternStanding.KNOWLEDGE)


@dataclass(frozen=True, kw_only=True, slots=True)
class PatternDesk:
    """What a person does with the patterns found in their own memory."""

    accounts: Accounts
    ledger: Ledger
    store: MemoryReader
    enactor: Enactor
    mapper: KeyMapper
    policy: Policy
    clock: Clock
    ids: Ids
    members_see_held: bool = False  # what is held of a member's is for reviewers unless the installation says otherwise

    def list(self, actor: Actor) -> Sequence[PatternView]:
        """The actor's patterns: knowledge first, then what is held, supposed, dismissed and retired.

        Raises:
            NotAuthorised: the actor is signed out.
            StoreUnavailable: what they became cannot be looked up right now.
        """
        person = self.accounts.authorise(actor)
        order = list(_ORDER)
        sees_held = self.members_see_held or person.role is not Role.MEMBER
        views = [self._view(one, sees_held=sees_held) for one in self.ledger.patterns(actor.scope)]
        return sorted(views, key=lambda one: (order.index(one.standing), -one.supports, one.detector, one.sentence))

    def about(self, actor: Actor, question: str) -> Sequence[PatternView]:
        """What is known of the actor's patterns that a free question is about, best first.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        known: dict[str, PatternView] = {}
        for one in self.list(actor):
            if one.standing is PatternStanding.KNOWLEDGE:  # a model may map: what is held never reaches a prompt
                known.setdefault(one.sentence, one)
        return [known[key] for key in self.mapper.keys(question, list(known)) if key in known]

    def dismiss(self, actor: Actor, pattern_id: str, reason: str, *, seen_version: int) -> None:
        """Say no to a pattern: it leaves memory or the queue. A second click is no second act.

        Only new evidence that is a pattern by itself brings it before the gate again.

        Args:
            actor: the owner.
            pattern_id: which.
            reason: why; kept with the memory, never in the audit.
            seen_version: of the pattern as it was shown.

        Raises:
            NotAuthorised: the actor is signed out.
            NotFound: it is not the actor's.
            BadInput: no reason was given.
            StaleReview: it changed after it was shown; nothing was written.
        """
        self.accounts.authorise(actor)
        pattern = self.ledger.pattern(pattern_id)
        if pattern is None or pattern.scope != actor.scope:
            msg = "There is no such pattern."
            raise NotFound(msg)
        if not reason.strip():
            msg = "Say why it does not hold: the reason is kept with it."
            raise BadInput(msg)
        item, memory = self._became(pattern)
        stands = standing(pattern, item, memory)
        if stands is PatternStanding.DISMISSED:
            return
        if pattern.version != seen_version:
            msg = "This pattern changed after it was shown. Look at it again, then decide."
            raise StaleReview(msg)
        at = self.clock.now()
        gone = replace(pattern, state=PatternState.DISMISSED, seen=pattern.supports, updated_at=at)
        effects: tuple[Effect, ...] = ()
        ruling = None
        if item is not None and stands is PatternStanding.HELD:
            ruling = (item.candidate, self._declined(actor, item, reason.strip(), at))
        elif item is not None and stands is PatternStanding.KNOWLEDGE:
            effects = (
                Effect(
                    effect_id=f"{EffectKind.TOMBSTONE.value}:{self.ids.new()}",
                    kind=EffectKind.TOMBSTONE,
                    scope=pattern.scope,
                    memory_id=memory_id_of(item),
                    at=at,
                    reason=reason.strip(),
                ),
            )
        self.enactor.commit_pattern(
            gone, actor=actor.user_id, action="pattern:dismissed", effects=effects, ruling=ruling, moved=True
        )
        self._relay()

    def _declined(self, actor: Actor, item: HeldItem, note: str, at: datetime) -> Decision:
        """The owner's no to a held item of their own memory: these words are remembered as turned down."""
        return replace(
            item.decision,
            decision_id=self.ids.new(),
            verdict=Verdict.REJECT,
            reasons=("dismissed",),
            effects=(),
            policy_digest=self.policy.digest,
            by=actor.user_id,
            at=at,
            note=note,
        )

    def _became(self, pattern: Pattern) -> tuple[HeldItem | None, Memory | None]:
        item = self.ledger.candidate(pattern.candidate_id) if pattern.candidate_id else None
        return item, self.store.get(pattern.scope, memory_id_of(item)) if item is not None else None

    def _view(self, pattern: Pattern, *, sees_held: bool) -> PatternView:
        item, memory = self._became(pattern)
        stands = standing(pattern, item, memory)
        rules = self.policy.patterns
        total = len(pattern.supports) + len(pattern.against)
        hidden = stands is PatternStanding.HELD and not sees_held
        current = stands in (PatternStanding.HELD, PatternStanding.KNOWLEDGE)
        return PatternView(
            pattern_id=pattern.pattern_id,
            detector=pattern.detector,
            sentence="" if hidden else item.candidate.text if item is not None and current else pattern.sentence,
            standing=stands,
            supports=len(pattern.supports),
            against=len(pattern.against),
            sessions=pattern.sessions,
            needed_episodes=rules.min_episodes,
            needed_sessions=rules.min_sessions,
            needed_share=rules.min_share,
            share=len(pattern.supports) / total if total else 0.0,
            trust=item.decision.evidence.effective_trust if item is not None else None,
            reasons=item.decision.reasons if item is not None and stands is PatternStanding.HELD else (),
            memory_id=memory_id_of(item) if item is not None and stands is PatternStanding.KNOWLEDGE else "",
            candidate_id=pattern.candidate_id,
            updated_at=pattern.updated_at,
            version=pattern.version,
            episodes=() if hidden else tuple(self._episodes(pattern)),
        )

    def _episodes(self, pattern: Pattern) -> Sequence[PatternEpisode]:
        named = [(one, True) for one in pattern.supports[-SHOWN:]] + [(one, False) for one in pattern.against[-SHOWN:]]
        found = []
        for episode_id, speaks_for in named:
            episode = self.ledger.episode(episode_id)
            if episode is None or episode.scope != pattern.scope:
                continue
            text = " ".join(episode.text.split())
            entry = next(iter(calendar_entries(episode.text, self.policy.patterns.zone)), None)
            found.append(
                PatternEpisode(
                    episode_id=episode_id,
                    at=(entry.moved_from or entry.start) if entry else episode.provenance.observed_at,
                    source_kind=episode.provenance.source_kind,
                    title=episode.provenance.title or episode.provenance.source_ref,
                    excerpt=text if len(text) <= EXCERPT else text[: EXCERPT - 1].rstrip() + "…",
                    speaks_for=speaks_for,
                )
            )
        return sorted(found, key=lambda one: (one.at, one.episode_id), reverse=True)

    def _relay(self) -> None:
        """Apply at once if the store answers; if not, the worker does."""
        try:
            self.enactor.relay()
        except ChronoMemoryError as problem:
            if not problem.retry:
                raise


_ORDER = (
    PatternStanding.KNOWLEDGE,
    PatternStanding.HELD,
    PatternStanding.HYPOTHESIS,
    PatternStanding.DISMISSED,
    PatternStanding.RETIRED,
)

__all__ = ["PatternDesk", "PatternEpisode", "PatternStanding", "PatternView"]
