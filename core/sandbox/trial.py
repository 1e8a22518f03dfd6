"""The injection sandbox: what would become of a text, tried on a person's live facts with parts that only read.

Nothing can be written from here, by structure (architecture.md, "five locks"): the parts are readers, no module that
writes can be reached, both handles are read-only, the same room rules as on the write path, and both stores are
digested before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from core.assess import Assessor
from core.distil import Distiller, Submission
from core.errors import BadInput
from core.gate import memory_of
from core.model import (
    Actor,
    Candidate,
    Effect,
    EffectKind,
    Episode,
    Evidence,
    Person,
    Role,
    Scope,
)
from core.policy import Policy
from core.ports import (
    Clock,
    Embedder,
    Extractor,
    Ids,
    Judge,
    LedgerReader,
    Lexicon,
    MemoryReader,
    Rights,
    Trace,
    Traced,
)
from core.recall import Recall, Recaller
from core.replay import Replay, replay
from core.sandbox.ledger_overlay import LedgerOverlay
from core.sandbox.memory_overlay import MemoryOverlay
from core.sandbox.nouns import Hop, Outcome, Passage, Preset, Proof, Ruled, Trial
from core.sandbox.presets import outcome_of, presets
from core.slots import is_multi_valued

MAX_HOPS = 12
MAX_CHARS = 20_000  # of one hop: a trial is waited for on a screen
QUERY_CHARS = 400  # of the first text, asked when nobody typed a question
KNOWN = 60  # of the person's facts that a preset looks through for one to contradict
WHAT_IF = 500  # candidates replayed at most
_CHANGES = frozenset({EffectKind.SUPERSEDE, EffectKind.RETRACT, EffectKind.CONFIRM, EffectKind.ARCHIVE})


class Authorise(Protocol):
    """Re-reads who acts from the database (`Accounts.authorise`)."""

    def __call__(self, actor: Actor, *roles: Role) -> Person:
        """The person; with `roles`, one of them is needed.

        Raises:
            NotAuthorised: signed out, disabled, or of another role.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class _World:
    """One run's overlays and the parts that rule over them."""

    ledger: LedgerOverlay
    store: MemoryOverlay
    ungated: MemoryOverlay
    distiller: Distiller


@dataclass(frozen=True, kw_only=True, slots=True)
class Sandbox:
    """Tries texts on the actor's own live facts. Holds readers only."""

    authorise: Authorise
    ledger: LedgerReader
    store: MemoryReader
    traced: tuple[Traced, ...]  # the handles behind both readers
    lexicon: Lexicon
    extractor: Extractor
    judge: Judge
    embedder: Embedder
    called: Callable[[Scope], Sequence[str]]  # names of an owner's account
    policy: Policy
    clock: Clock
    ids: Ids

    def presets(self, actor: Actor) -> tuple[Preset, ...]:
        """The attacks and the benign controls, on what the actor has in memory where one needs a fact to attack."""
        person = self.authorise(actor)
        return presets(self.store.recent(actor.scope, limit=KNOWN), person.display_name or person.username)

    def trial(
        self,
        actor: Actor,
        steps: Sequence[Hop],
        *,
        question: str = "",
        policy: Policy | None = None,
        since: Proof | None = None,
    ) -> Trial:
        """What the gate would make of a story, hop by hop, and what a question would find afterwards.

        Beside it stands the same without a gate: everything that was read is stored at full trust, and a new value
        replaces the old one; the same ranking answers.

        Args:
            actor: whose live facts.
            steps: the texts in order; each hop sees what the earlier ones would have left.
            question: asked of both; without one, the beginning of the first text.
            policy: other numbers than those in force.
            since: the proof of an earlier trial of the same series: this one's spans both.

        Raises:
            NotAuthorised: the actor is signed out.
            BadInput: no text, an empty or a malformed one, or an input that is no earlier hop.
            TooLarge: a text is over the limit.
            StoreUnavailable, LedgerUnavailable, ModelUnavailable: it cannot be tried right now.
        """
        self.authorise(actor)
        self._check(steps)
        started = since.started if since else self.clock.now()
        before = since.before if since else self._traces(actor)
        rules = policy or self.policy
        world = self._world(rules)
        behind = self.ledger.waiting(actor.scope)
        stories = [self.ids.new() for _ in range(1 + max(hop.conversation for hop in steps))]
        passages: list[Passage] = []
        for hop in steps:
            passages.append(self._pass(world, actor, hop, stories[hop.conversation], passages))
        asked = question.strip() or steps[0].text[:QUERY_CHARS]
        governed, ungated = (self._ask(one, rules, asked, actor) for one in (world.store, world.ungated))
        return Trial(
            passages=tuple(passages),
            question=asked,
            governed=governed,
            ungated=ungated,
            made=world.store.made,
            behind=behind,
            proof=Proof(
                started=started, ended=self.clock.now(), rights=self._rights(), before=before, after=self._traces(actor)
            ),
        )

    def run(
        self, actor: Actor, preset: Preset, *, policy: Policy | None = None, since: Proof | None = None
    ) -> tuple[Trial, Outcome]:
        """A preset's trial and how the gate fared; arguments and errors as of `trial`."""
        trial = self.trial(actor, preset.hops, question=preset.question, policy=policy, since=since)
        return trial, outcome_of(preset, trial)

    def what_if(self, actor: Actor, policy: Policy, *, limit: int = 200) -> Replay:
        """The actor's last candidates ruled on again under another policy; for an admin, those of the whole tenant.

        Words of other people are left out: whoever reads them is recorded, and nothing is recorded here.

        Raises:
            NotAuthorised: the actor is signed out.
            LedgerUnavailable: the ledger cannot be read right now.
        """
        person = self.authorise(actor)
        owner = None if person.role is Role.ADMIN else person.user_id
        found = replay(self.ledger.ruled_by_policy(person.tenant, owner, min(limit, WHAT_IF)), policy)
        own = tuple(one if one.owner == person.user_id else replace(one, text="") for one in found.changed)
        return replace(found, changed=own)

    # --- inner parts --------------------------------------------------------------------------------------------

    def _check(self, steps: Sequence[Hop]) -> None:
        if not 0 < len(steps) <= MAX_HOPS:
            msg = f"a story has 1 to {MAX_HOPS} texts, not {len(steps)}"
            raise BadInput(msg)
        for nth, hop in enumerate(steps):
            if len(hop.text) > MAX_CHARS:
                msg = f"text {nth + 1} has {len(hop.text):,} characters; the sandbox takes {MAX_CHARS:,}"
                raise BadInput(msg)
            if hop.conversation < 0 or not all(0 <= one < nth for one in hop.inputs):
                msg = f"text {nth + 1} names an input that does not come before it"
                raise BadInput(msg)

    def _world(self, policy: Policy) -> _World:
        ledger = LedgerOverlay(self.ledger)
        store, ungated = (MemoryOverlay(self.store, lexicon=self.lexicon, clock=self.clock) for _ in range(2))
        assessor = Assessor(
            ledger=ledger, store=store, embedder=self.embedder, judge=self.judge, policy=policy, called=self.called
        )
        distiller = Distiller(
            ledger=ledger,
            store=store,
            assessor=assessor,
            extractor=self.extractor,
            embedder=self.embedder,
            policy=policy,
            clock=self.clock,
            ids=self.ids,
        )
        return _World(ledger=ledger, store=store, ungated=ungated, distiller=distiller)

    def _pass(self, world: _World, actor: Actor, hop: Hop, conversation_id: str, earlier: Sequence[Passage]) -> Passage:
        """One hop through the same room as on the write path; what it would do is done to the overlays."""
        episode = world.ledger.add(
            world.distiller.episode(
                Submission(
                    scope=actor.scope,
                    conversation_id=conversation_id,
                    channel=hop.channel,
                    text=hop.text,
                    actor=f"tool:{hop.tool}" if hop.tool else actor.user_id,
                    source_ref=hop.source_ref or f"conversation {conversation_id}",
                    title=hop.title,
                    derived_from=tuple(earlier[one].episode.episode_id for one in hop.inputs),
                    tool=hop.tool,
                )
            )
        )
        found = world.distiller.read(episode)
        rulings = world.distiller.judge(episode, found)
        for candidate, decision in rulings:
            world.ledger.record(episode, candidate, decision)
        self._apply(world.store, episode, [effect for _, decision in rulings for effect in decision.effects])
        # what was read, before it is turned into somebody's word; about whom it is, the sentence says by itself
        as_read = [
            replace(read, proposal=replace(read.proposal, subject=candidate.proposal.subject))
            if candidate.text == read.text
            else read
            for read, (candidate, _) in zip(found.candidates, rulings, strict=True)
        ]
        self._store_all(world.ungated, episode, as_read)
        ruled = tuple(
            Ruled(read=read, candidate=candidate, decision=decision)
            for read, (candidate, decision) in zip(found.candidates, rulings, strict=True)
        )
        return Passage(hop=hop, episode=episode, ruled=ruled, extractor=found.extractor, gaps=found.gaps)

    def _apply(self, store: MemoryOverlay, episode: Episode, effects: Sequence[Effect]) -> None:
        """What the relay would do, in order."""
        fresh = [one.memory for one in effects if one.memory is not None]
        vectors = iter(self.embedder.embed([one.text for one in fresh]) if fresh else [])
        for effect in effects:
            if effect.memory is not None:
                store.add(replace(effect.memory, conversation_id=episode.conversation_id), next(vectors))
            elif effect.kind in _CHANGES:
                store.change(effect)

    def _store_all(self, store: MemoryOverlay, episode: Episode, claims: Sequence[Candidate]) -> None:
        """What a store without a gate does: it keeps everything, and the last value of a slot wins."""
        vectors = self.embedder.embed([one.text for one in claims]) if claims else []
        trusted = Evidence(effective_trust=1.0, roots=())
        at = self.clock.now()
        for claim, vector in zip(claims, vectors, strict=True):
            memory = memory_of(claim, trusted, at=at, trust=1.0, vouched_by=None)
            for old in store.slot(claim.scope, memory.slot_key):
                if claim.proposal.retracts or not is_multi_valued(claim.proposal.attribute):
                    store.change(
                        Effect(
                            effect_id=f"{claim.candidate_id}:{old.memory_id}",
                            kind=EffectKind.SUPERSEDE,
                            scope=claim.scope,
                            memory_id=old.memory_id,
                            by_memory_id=claim.candidate_id,
                            at=at,
                        )
                    )
            if not claim.proposal.retracts:
                store.add(replace(memory, conversation_id=episode.conversation_id), vector)

    def _ask(self, store: MemoryOverlay, policy: Policy, question: str, actor: Actor) -> Recall:
        recaller = Recaller(store=store, embedder=self.embedder, policy=policy, clock=self.clock)
        return recaller.recall(question, actor.scope)

    def _traces(self, actor: Actor) -> tuple[Trace, ...]:
        return tuple(one.trace(actor.scope) for one in self.traced)

    def _rights(self) -> tuple[Rights, ...]:
        return tuple(one.rights() for one in self.traced)
