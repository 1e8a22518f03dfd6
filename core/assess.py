"""Gathers the evidence for one candidate: origin, authority, impact, what it meets, what was decided. Reads only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from core.aliases import family, resolved
from core.conflict import (
    JUDGE,
    SLOT,
    TEMPLATE,
    echoes,
    fuller,
    incumbents,
    same_template,
    same_value,
    says_the_same,
)
from core.corroboration import edges, origin_key
from core.detectors import detect
from core.errors import ModelReplyUnusable, ModelUnavailable, NotFound
from core.impact import asks_owner, impact_of
from core.literals import figures
from core.model import (
    INFERRED,
    Candidate,
    CandidateState,
    EffectKind,
    Episode,
    Evidence,
    Incumbent,
    Memory,
    MemoryKind,
    MemoryStatus,
    Opinion,
    Relation,
    Scope,
    ScoredMemory,
    SourceKind,
    Span,
    SpeechAct,
    Standing,
)
from core.origin import Origin, Tracer
from core.policy import Policy, ranking_trust
from core.ports import Embedder, EvidenceLedger, HeldFilter, Judge, MemoryFilter, MemoryReader, Pair, Support
from core.reputation import records
from core.slots import is_multi_valued, normalise, slot_key
from core.spans import similarity
from core.timeline import one_voice_each
from core.wording import visible

NEAR = 12  # nearest memories looked at for links and updates in other words
SAME_SENTENCE = 0.5  # cosine below which two statements do not share their sentence
SAID_AGAIN = 0.8  # similarity from which two held statements of one origin are one claim
HELD_SCAN = 50  # held items of the same source compared
TURNS = 200  # texts that said one fact again, looked at when it is replaced or forgotten
VOICES = 50  # earlier statements of one value compared, the latest
PASSING_SCAN = 500  # working memories of an owner looked at, last stated first
PASSING = timedelta(days=1)  # what ends sooner is working memory (rules §2.1)
_LIVE = (MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED, MemoryStatus.DELETED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Around:
    """What the caller knows beside the stores: the episode, its vectors, and what its earlier candidates will make."""

    episode: Episode
    vector: Sequence[float] | None = None  # of the candidate's statement; None: neighbours are not looked for
    batch: Sequence[Memory] = ()
    asked_as: str = ""  # candidate of the same turn that is put to the owner: its echo is not asked again
    session: Sequence[Memory] = ()  # active memories of the same conversation: what was said just before
    names: frozenset[str] = frozenset()  # how the owner is called, see `Assessor.names`
    gaps: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Assessor:
    """The information point: a pair of readers, a judge and the policy's numbers."""

    ledger: EvidenceLedger
    store: MemoryReader
    embedder: Embedder
    judge: Judge
    policy: Policy
    called: Callable[[Scope], Sequence[str]] = field(default=lambda _scope: ())  # names of the owner's account

    @property
    def tracer(self) -> Tracer:
        """Finds origins with the same readers."""
        return Tracer(ledger=self.ledger, store=self.store, policy=self.policy)

    def assess(self, candidate: Candidate, around: Around) -> tuple[Candidate, Evidence]:
        """The candidate as it can stand, and the evidence on it.

        What a source says about others is turned into its word ("X wrote that …", rules §1.8) before it is judged, so
        that what is decided, shown and signed are the same bytes.

        Raises:
            StoreUnavailable: the slot cannot be looked up; the caller retries later, nothing is admitted meanwhile.
        """
        epoch = self.ledger.epoch(candidate.scope)
        candidate = resolved(about_owner(candidate, around.names), self.ledger.aliases(candidate.scope))
        origin = self.tracer.trace(candidate, around.episode)
        impact = impact_of(candidate.text)
        brought_back = False
        if self._is_word_of_another(candidate, origin, impact):
            brought_back = self._brings_back(candidate)
            candidate = attributed(candidate, importance=self.policy.authority.attributed_importance)
        trust = min(origin.trust, self._ceiling(origin))
        near = self._near(candidate, around)
        held_by = _restated(self._incumbents(candidate, around.batch, near), origin, near)
        opinions, not_judged, gaps = self._judged(candidate, near, held_by)
        key = origin_key(candidate.provenance, origin.roots, candidate.scope.owner)
        own = candidate.provenance.source_kind is SourceKind.USER_TURN and trust >= 1.0
        asked = asks_owner(candidate.text, candidate.proposal.speech_act) if own else ()
        voices = self._voices(candidate, key, around.episode, others=bool(held_by))
        evidence = Evidence(
            effective_trust=trust,
            roots=origin.roots,
            incumbents=(
                *(one for one in held_by if one.status is not MemoryStatus.DELETED),
                *self._rivals(candidate, opinions, near),
            ),
            findings=detect(with_unseen(around.episode.text, candidate.proposal.span) + "\n" + candidate.text),
            gaps=(*around.gaps, *gaps),
            declined_before=not own and self.ledger.declined(candidate.scope, candidate.digest),
            opinions=opinions,
            not_judged=not_judged,
            impact=impact,
            asks_owner=asked,
            standing=origin.standing,
            voice_trust=origin.voice_trust,
            origin=key,
            supporters=tuple(one.origin for one in voices),
            supported_at=tuple(one.at for one in voices),
            reputation=self._reputation(candidate, key) if held_by else 1.0,
            forgotten=brought_back or any(one.status is MemoryStatus.DELETED and one.same_value for one in held_by),
            related=edges(candidate, near, session=around.session, without=[one.memory_id for one in held_by]),
            repeats=self._repeats(candidate, asked, around) if asked or trust < self.policy.trust.threshold else "",
            evicts=self._evicts(candidate, around),
            epoch=epoch,
        )
        return candidate, evidence

    def again(self, candidate: Candidate) -> Evidence:
        """Evidence as it stands now on a candidate that was bound before: what a person's ruling is made on.

        Raises:
            NotFound: its episode is gone.
            StoreUnavailable: as `assess`.
        """
        episode = self.ledger.episode(candidate.episode_id)
        if episode is None:
            msg = "The text this item came from was erased."
            raise NotFound(msg)
        vectors, gaps = self.vectors([candidate.text])
        around = Around(
            episode=episode,
            vector=vectors[0] if vectors else None,
            names=self.names(candidate.scope, [candidate]),
            gaps=gaps,
        )
        return self.assess(candidate, around)[1]

    def vectors(self, texts: Sequence[str]) -> tuple[list[list[float]], tuple[str, ...]]:
        """Vectors of statements, to find what they meet; an embedder that is down is a gap (rules §1.12)."""
        if not texts:
            return [], ()
        try:
            return self.embedder.embed(texts), ()
        except ModelUnavailable:
            return [], ("neighbours",)

    def names(self, scope: Scope, candidates: Sequence[Candidate]) -> frozenset[str]:
        """How the owner is called, by their account and in their own words; looked up once for all of a text's claims.

        Nothing is looked up for the owner's own words: in them a name is never the speaker's.
        """
        if all(one.provenance.source_kind is SourceKind.USER_TURN for one in candidates):
            return frozenset()
        said = (memory.value for memory in self.store.slot(scope, slot_key("user", "name")))
        return frozenset(normalise(one) for one in (*self.called(scope), *said))

    def _is_word_of_another(self, candidate: Candidate, origin: Origin, impact: Sequence[str]) -> bool:
        """Whether this would be kept as a word of its speaker: trusted enough, harmless, and about something else."""
        return (
            origin.standing is Standing.ATTRIBUTED
            and origin.trust >= self.policy.trust.threshold
            and not impact
            and candidate.proposal.speech_act is SpeechAct.ASSERTION
            and not candidate.proposal.retracts
        )

    def _ceiling(self, origin: Origin) -> float:
        """What is kept as somebody's word counts as a third party's at most (rules §1.8)."""
        return self.policy.trust.third_party if origin.standing is Standing.ATTRIBUTED else 1.0

    # --- what it meets ------------------------------------------------------------------------------------------

    def _near(self, candidate: Candidate, around: Around) -> list[ScoredMemory]:
        if around.vector is None:
            return []
        found = self.store.nearest(candidate.scope, vector=around.vector, at=around.episode.received_at, limit=NEAR + 1)
        return [one for one in found if one.memory.memory_id != candidate.candidate_id][:NEAR]

    def _incumbents(
        self, candidate: Candidate, batch: Sequence[Memory], near: Sequence[ScoredMemory]
    ) -> tuple[Incumbent, ...]:
        """What holds the candidate's slot, or says the same sentence with other numbers; forgotten ones included."""
        proposal = candidate.proposal
        if proposal.kind is MemoryKind.EVENT:
            return ()
        keys = self._keys(candidate)
        holders = {
            memory.memory_id: memory for key in keys for memory in self.store.slot(candidate.scope, key, statuses=_LIVE)
        }
        holders |= {memory.memory_id: memory for memory in batch if memory.slot_key in keys}
        found = list(incumbents(candidate, holders.values(), self._ranking))
        closing = proposal.retracts or not is_multi_valued(proposal.attribute)
        judged = {one.memory_id for one in found if closing or one.same_value}
        found += self._updated(candidate, near, holders, judged)
        kept = [one for one in found if closing or one.same_value or one.via != SLOT]
        return tuple(
            one
            if one.memory_id not in holders or (one.same_value and not proposal.retracts)
            else replace(one, echoes=self._echoes(holders[one.memory_id]))
            for one in kept
        )

    def _brings_back(self, candidate: Candidate) -> bool:
        """Whether it says again what the owner forgot, be it only as somebody's word (rules §2.9)."""
        gone = (MemoryStatus.DELETED,)
        rows = [one for key in self._keys(candidate) for one in self.store.slot(candidate.scope, key, statuses=gone)]
        return any(one.same_value for one in incumbents(candidate, rows, self._ranking))

    def _keys(self, candidate: Candidate) -> tuple[str, ...]:
        """The candidate's slot, with the keys that its owner said are the same."""
        key = slot_key(candidate.proposal.subject, candidate.proposal.attribute)
        return family(self.ledger.aliases(candidate.scope), key)

    def _ranking(self, memory: Memory) -> float:
        return ranking_trust(memory, self.policy)

    def _elsewhere(self, candidate: Candidate, memory: Memory, via: str) -> Iterator[Incumbent]:
        """A memory outside the slot as an incumbent: compared by its whole statement, about one value in any case."""
        same = same_value(memory.text, candidate.proposal.statement)
        for one in incumbents(candidate, [memory], self._ranking):
            yield replace(one, same_value=same, multi_valued=False, via=via)

    def _updated(
        self, candidate: Candidate, near: Sequence[ScoredMemory], holders: dict[str, Memory], judged: set[str]
    ) -> Iterator[Incumbent]:
        """Memories beside the slot's rule that this one brings up to date: other numbers, or more of the words."""
        if not self.policy.conflict.template_rule or candidate.proposal.retracts or candidate.extractor == INFERRED:
            return  # what code concluded brings nothing up to date that somebody said
        for one in near:
            memory = one.memory
            if memory.memory_id in judged or memory.kind is MemoryKind.EVENT or one.cosine < SAME_SENTENCE:
                continue
            for found in self._elsewhere(candidate, memory, TEMPLATE):
                if fuller(memory.text, candidate.text) or says_the_same(memory, candidate):  # said again
                    yield replace(found, same_value=True)
                elif (
                    found.same_value
                    or same_template(candidate.text, memory.text)
                    or fuller(candidate.text, memory.text)
                ):
                    holders[memory.memory_id] = memory
                    yield found

    def _echoes(self, memory: Memory) -> tuple[str, ...]:
        siblings = [
            event for turn in turns_of(self.ledger, memory) for event in self.store.of_episode(memory.scope, turn)
        ]
        return tuple(event.memory_id for event in echoes(memory, siblings))

    def _judged(
        self, candidate: Candidate, near: Sequence[ScoredMemory], held_by: Sequence[Incumbent]
    ) -> tuple[tuple[Opinion, ...], int, tuple[str, ...]]:
        """A judge's opinions on the nearest memories that no rule spoke about; a failing judge is a gap (§3.1)."""
        known = {one.memory_id for one in held_by}
        rest = [
            one.memory for one in near if one.memory.memory_id not in known and one.memory.kind is not MemoryKind.EVENT
        ]
        rest = rest[: self.policy.conflict.neighbours]
        if not rest or candidate.proposal.kind is MemoryKind.EVENT:
            return (), 0, ()
        if not self.judge.judge_id:
            return (), len(rest), ()
        pairs = [Pair(candidate=candidate.text, memory_id=one.memory_id, memory=one.text) for one in rest]
        try:
            return tuple(self.judge.judge(pairs)), 0, ()
        except (ModelUnavailable, ModelReplyUnusable):
            return (), 0, ("judge",)

    def _rivals(
        self, candidate: Candidate, opinions: Sequence[Opinion], near: Sequence[ScoredMemory]
    ) -> Iterator[Incumbent]:
        """Memories that a judge says the candidate contradicts."""
        by_id = {one.memory.memory_id: one.memory for one in near}
        for opinion in opinions:
            memory = by_id.get(opinion.memory_id)
            if memory is None or opinion.relation is not Relation.CONTRADICTION:
                continue
            yield from self._elsewhere(candidate, memory, JUDGE)

    # --- what was said and decided before -----------------------------------------------------------------------

    def _voices(self, candidate: Candidate, key: str, episode: Episode, *, others: bool) -> list[Support]:
        """The independent origins that give the slot this value, each by its last word; copies are one (§4.3)."""
        own = Support(
            origin=key,
            trust=1.0,  # its own trust is another step's matter
            at=min(candidate.provenance.observed_at, episode.received_at),
            episode_id=candidate.episode_id,
        )
        if not others:
            return [own]
        known = [
            one
            for key in self._keys(candidate)
            for one in self.ledger.support(candidate.scope, key, candidate.proposal.value)
        ]
        earlier = [
            one
            for one in known
            if one.origin and one.trust >= self.policy.trust.threshold and one.episode_id != candidate.episode_id
        ]
        said = [*earlier[-VOICES:], own]
        texts = [episode.text if one is own else self._text(one.episode_id) for one in said]
        return one_voice_each(said, texts)

    def _reputation(self, candidate: Candidate, origin: str) -> float:
        """How often the source's statements held up, where the policy lets that weigh; 1 where nothing is known."""
        rules, scope = self.policy.questions, candidate.scope
        if not rules.weigh_sources or not origin or candidate.provenance.source_kind is SourceKind.USER_TURN:
            return 1.0
        happened = self.ledger.happened(scope.tenant, scope.owner)
        known = records(self.ledger.stated(scope.tenant, scope.owner, origin=origin), happened)
        return known[0].mean(rules.prior) if known and known[0].observed else 1.0

    def _text(self, episode_id: str) -> str:
        found = self.ledger.episode(episode_id)
        return found.text if found else ""

    def _repeats(self, candidate: Candidate, asked: Sequence[str], around: Around) -> str:
        """The held claim of the same source that this one only says again (rules §4.3): one card, however often.

        What the owner is asked about is the same claim, however short it gets, while it names the same numbers.
        """
        if asked and around.asked_as and candidate.proposal.kind is MemoryKind.EVENT:
            return around.asked_as
        named = figures(candidate.text) if asked else frozenset()
        origin = candidate.provenance
        where = HeldFilter(
            tenant=candidate.scope.tenant,
            owner=candidate.scope.owner,
            source_kind=origin.source_kind,
            source_ref=origin.source_ref,
        )
        items, _ = self.ledger.held(where, limit=HELD_SCAN)
        for item in items:
            other = item.candidate
            if other.candidate_id == candidate.candidate_id or item.state is not CandidateState.HELD:
                continue
            shrunk = len(named) > 1 and named == figures(other.text)
            if other.scope == candidate.scope and (shrunk or similarity(other.text, candidate.text) >= SAID_AGAIN):
                return other.candidate_id
        return ""

    def _evicts(self, candidate: Candidate, around: Around) -> tuple[str, ...]:
        """Working memories of the session that make room, the least important and the oldest first (rules §2.1)."""
        if candidate.proposal.kind is not MemoryKind.WORKING:
            return ()
        working, _ = self.store.list(
            candidate.scope, MemoryFilter(kinds=(MemoryKind.WORKING.value,)), limit=PASSING_SCAN
        )
        here = [one for one in working if one.conversation_id == around.episode.conversation_id]
        here += [one for one in around.batch if one.kind is MemoryKind.WORKING]
        passing = [one for one in here if one.expires_at is None or one.expires_at > around.episode.received_at]
        surplus = len(passing) + 1 - self.policy.lifecycle.working_per_session
        by_worth = sorted(passing, key=lambda memory: (memory.importance, memory.stated_at))
        return tuple(memory.memory_id for memory in by_worth[: max(0, surplus)])


def turns_of(ledger: EvidenceLedger, memory: Memory) -> list[str]:
    """Ids of the texts that state a memory: the one it was read from, and those that only said it again."""
    turns = [memory.episode_id]
    scope = memory.scope
    entries, _ = ledger.audit(
        scope.tenant, owner=scope.owner, action="candidate:admitted", about=memory.memory_id, limit=TURNS
    )
    for one in entries:
        done = zip(one.about.get("effects", ()), one.about.get("memory_ids", ()), strict=False)
        if (EffectKind.CONFIRM.value, memory.memory_id) in done:
            turns.append(str(one.about["episode_id"]))
    return list(dict.fromkeys(turns))


def about_owner(candidate: Candidate, names: frozenset[str]) -> Candidate:
    """What others say about the owner by name is about the owner: it meets the owner's own words (rules §3.1)."""
    subject = normalise(candidate.proposal.subject)
    own = candidate.provenance.source_kind is SourceKind.USER_TURN
    if own or not subject or subject not in names:
        return candidate
    return replace(candidate, proposal=replace(candidate.proposal, subject="user"))


def _restated(held_by: Sequence[Incumbent], origin: Origin, near: Sequence[ScoredMemory]) -> tuple[Incumbent, ...]:
    """A note of the owner's own words never contradicts what the same words taught: it only says it again."""
    if origin.standing is not Standing.ROOTED:
        return tuple(held_by)
    turns = {root.episode_id for root in origin.roots}
    taught = {one.memory.memory_id for one in near if one.memory.episode_id in turns}
    return tuple(replace(one, same_value=True) if one.memory_id in taught else one for one in held_by)


def with_unseen(text: str, span: Span) -> str:
    """The cited words with the unseen characters and marks next to them: where an order may be hidden."""
    start, end = span.start, span.end
    while start > 0 and not (text[start - 1].isalnum() and visible(text[start - 1])):
        start -= 1
    while end < len(text) and not (text[end].isalnum() and visible(text[end])):
        end += 1
    return text[start:end]


def attributed(candidate: Candidate, *, importance: float) -> Candidate:
    """The candidate as its speaker's word: an event about who said it, never a fact on the thing (rules §1.8)."""
    proposal, origin = candidate.proposal, candidate.provenance
    agent = origin.source_kind is SourceKind.AGENT_TURN
    speaker = "The assistant" if agent else origin.title or origin.source_ref or origin.actor
    if proposal.subject == speaker and proposal.statement == _word(speaker, proposal.value):
        return candidate  # it is already
    said = replace(
        proposal,
        subject=speaker,
        attribute="statement",
        value=proposal.statement,
        statement=_word(speaker, proposal.statement),
        kind=MemoryKind.EVENT,
        importance=min(proposal.importance, importance),
    )
    return replace(candidate, proposal=said)


def _word(speaker: str, words: str) -> str:
    return f"{speaker} wrote: “{words}”"


__all__ = ["Around", "Assessor", "attributed", "turns_of"]
