"""What becomes of a text between its receipt and the commit: bound, read, assessed and ruled on. Reads only.

The write path (`core.intake`) commits what this room decides; the sandbox runs the same room over an overlay, and has
nothing to commit with.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.assess import PASSING, Around, Assessor
from core.clusters import clustered
from core.errors import BadInput, TooLarge
from core.gate import decide
from core.impact import asks_owner
from core.model import (
    Candidate,
    Decision,
    EffectKind,
    Episode,
    Memory,
    MemoryKind,
    Pasted,
    Proposal,
    Provenance,
    Scope,
    SourceKind,
    Span,
    SpeechAct,
    Turn,
    Verdict,
    sha256_text,
)
from core.policy import Policy
from core.ports import Clock, Embedder, EvidenceLedger, ExtractionContext, Extractor, HeldFilter, Ids, MemoryReader
from core.quotations import sentence_ranges
from core.secrets import mask
from core.spans import SegmentKind, blanked

MAX_CHARS = 1_000_000  # of one episode; longer texts are refused with the limit named
RECENT_TURNS = 12  # turns of the same conversation that an extractor may look at
WISH_CHARS = 500  # of one sentence that is put to the owner
SESSION = 60  # memories of the same conversation: for links to the turn before, and the working memory's bound
KNOWN_FACTS = 80  # active facts that a correction may refer to
NEAR_FACTS = 20  # of these, found by meaning
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and symbols that are drawn as nothing


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    """One text on its way in. The channel comes from the route it arrived by, never from its content (rules §1.2)."""

    scope: Scope
    conversation_id: str
    channel: SourceKind
    text: str
    actor: str
    source_ref: str = ""
    title: str = ""
    derived_from: tuple[str, ...] = ()
    idempotency_key: str | None = None
    distil: bool = True  # False: kept as an episode only (an agent's own answer)
    tool: str = ""  # of a tool's output: its name, as the route knows it; what it is worth says the registry (§1.6)
    claimed: tuple[str, ...] = ()  # trust, source or status that the sender claimed: logged, without effect (§1.2)
    expires_at: datetime | None = None  # hard deadline of everything learned from it (rules §2.8)
    stated_at: datetime | None = None  # a trusted connector's own date of its item: an old mailbox is old (rules §3.2)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What was read out of one episode: every proposal bound to the origin of its part, and what failed."""

    candidates: tuple[Candidate, ...]
    gaps: tuple[str, ...]
    extractor: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Distiller:
    """Rules on texts with a pair of readers. Holds nothing that writes."""

    ledger: EvidenceLedger
    store: MemoryReader
    assessor: Assessor
    extractor: Extractor
    embedder: Embedder
    policy: Policy
    clock: Clock
    ids: Ids

    def episode(self, submission: Submission) -> Episode:
        """A submission as the episode it becomes, not stored yet: secrets masked, pasted parts found.

        Raises:
            BadInput: the text is empty or not valid Unicode.
            TooLarge: it is over MAX_CHARS.
        """
        at = self.clock.now()
        text, _ = mask(clean(submission.text))
        own = submission.channel is SourceKind.USER_TURN
        provenance = Provenance(
            source_kind=submission.channel,
            source_ref=submission.source_ref,
            actor=submission.actor,
            observed_at=min(at, submission.stated_at or at),
            digest=sha256_text(text),
            title=submission.title,
            derived_from=submission.derived_from,
            tool=submission.tool if submission.channel is SourceKind.TOOL_OUTPUT else "",
            pasted=self.assessor.tracer.pasted(submission.scope, text) if own else (),
            claimed=submission.claimed,
            expires_at=submission.expires_at,
        )
        return Episode(
            episode_id=self.ids.new(),
            scope=submission.scope,
            conversation_id=submission.conversation_id,
            provenance=provenance,
            text=text,
            received_at=at,
        )

    def rule(self, episode: Episode) -> tuple[list[tuple[Candidate, Decision]], str]:
        """Extract, assess and decide."""
        found = self.read(episode)
        return self.judge(episode, found), found.extractor

    def judge(self, episode: Episode, found: Reading) -> list[tuple[Candidate, Decision]]:
        """Assess and decide what was read out of an episode, in order: later ones meet what earlier ones will make."""
        bound = found.candidates
        whole = next((nth for nth, one in enumerate(bound) if _of_message(one)), None)
        if whole is None:
            rulings = self._ruled(episode, bound, found.gaps)
        else:
            said = bound[whole].proposal.value
            within = frozenset(nth for nth, one in enumerate(bound) if nth != whole and one.proposal.statement in said)
            rulings = as_one_event(self._ruled(episode, bound, found.gaps, within=within), whole)
            if not rulings:  # something in it is not admitted by itself: each sentence stands for itself
                parts = [one for nth, one in enumerate(bound) if nth != whole]
                rulings = self._ruled(episode, parts, found.gaps)
        rules = self.policy.review
        holds = any(decision.verdict is Verdict.HOLD for _, decision in rulings)
        fold = holds and self._groups(episode) >= rules.fold_from
        return clustered(rulings, episode, telling=rules.background_importance, fold=fold)

    def _ruled(
        self,
        episode: Episode,
        bound: Sequence[Candidate],
        gaps: Sequence[str],
        *,
        within: Collection[int] = (),
    ) -> list[tuple[Candidate, Decision]]:
        """A decision each. What is `within` a message meets neighbours with it, unless it is a fact by itself."""
        apart = [nth for nth in range(len(bound)) if nth not in within]
        made, unseen = self.assessor.vectors([bound[nth].text for nth in apart])
        vectors = dict(zip(apart, made, strict=False))
        session = self.store.of_conversation(episode.scope, episode.conversation_id, limit=SESSION) if bound else []
        names = self.assessor.names(episode.scope, bound)
        batch: list[Memory] = []
        asked_as = ""
        rulings: list[tuple[Candidate, Decision]] = []
        for nth, one in enumerate(bound):
            around = Around(
                episode=episode,
                vector=vectors.get(nth),
                batch=batch,
                session=session,
                asked_as=asked_as,
                names=names,
                gaps=(*gaps, *unseen),
            )
            candidate, evidence = self.assessor.assess(one, around)
            if nth in within and candidate.proposal.kind is not MemoryKind.EVENT:
                alone, missing = self.assessor.vectors([one.text])
                met = replace(around, vector=alone[0] if alone else None, gaps=(*gaps, *missing))
                candidate, evidence = self.assessor.assess(one, met)
            decision = decide(
                candidate, evidence, self.policy, at=self.clock.now(), by="policy", decision_id=self.ids.new()
            )
            gone = {one.memory_id for one in decision.effects if one.kind in (EffectKind.SUPERSEDE, EffectKind.RETRACT)}
            batch = [memory for memory in batch if memory.memory_id not in gone]
            batch += [one.memory for one in decision.effects if one.memory is not None]
            if "ask_owner" in decision.reasons:
                asked_as = asked_as or candidate.candidate_id
            rulings.append((candidate, decision))
        return rulings

    def _groups(self, episode: Episode) -> int:
        """How many groups wait for this owner's reviewers already."""
        where = HeldFilter(tenant=episode.scope.tenant, owner=episode.scope.owner)
        return self.ledger.held_groups(where, limit=1)[1]

    def read(self, episode: Episode) -> Reading:
        """Every proposal of an episode, part by part, bound to the origin of its part."""
        context = self._context(episode)
        bound: list[Candidate] = []
        gaps: list[str] = []
        extractor = "rules"
        for part in parts_of(episode):
            extraction = self.extractor.extract(part, context)
            extractor = extraction.extractor
            gaps += extraction.gaps
            proposals = [*extraction.proposals, *unread_wishes(part, extraction.proposals)]
            bound += [self._bind(part, proposal, extractor) for proposal in unique(proposals)]
        return Reading(candidates=tuple(bound), gaps=tuple(dict.fromkeys(gaps)), extractor=extractor)

    def _bind(self, episode: Episode, proposal: Proposal, extractor: str) -> Candidate:
        origin = episode.provenance
        deadline = min((at for at in (proposal.expires_at, origin.expires_at) if at), default=None)
        passing = deadline is not None and deadline - origin.observed_at <= PASSING
        kind = MemoryKind.WORKING if passing and proposal.kind is MemoryKind.FACT else proposal.kind
        return Candidate(
            candidate_id=self.ids.new(),
            episode_id=episode.episode_id,
            scope=episode.scope,
            proposal=replace(proposal, kind=kind, expires_at=deadline),
            provenance=origin,
            serial_no=episode.serial_no,
            extractor=extractor,
        )

    def _context(self, episode: Episode) -> ExtractionContext:
        """Earlier turns and known facts, without pages and documents: those must not steer how a turn is read."""
        earlier = [
            one
            for one in self.ledger.episodes(episode.scope, episode.conversation_id, limit=RECENT_TURNS * 2)
            if one.provenance.source_kind in (SourceKind.USER_TURN, SourceKind.AGENT_TURN)
            and (one.serial_no < episode.serial_no or not episode.serial_no)
            and one.episode_id != episode.episode_id
        ]
        return ExtractionContext(
            now=episode.provenance.observed_at,
            recent=tuple(turn_of(one) for one in earlier[-RECENT_TURNS:]),
            known=tuple(self._known(episode)),
        )

    def _known(self, episode: Episode) -> Sequence[Memory]:
        if episode.provenance.source_kind is not SourceKind.USER_TURN:
            return ()
        recent = self.store.recent(episode.scope, limit=KNOWN_FACTS)
        if len(recent) < KNOWN_FACTS:
            return recent  # that is all there is
        [vector] = self.embedder.embed([episode.text[:2000]])
        near = self.store.search(
            episode.scope, vector=vector, query=episode.text[:2000], at=episode.received_at, limit=NEAR_FACTS
        )
        known = {memory.memory_id: memory for memory in recent} | {one.memory.memory_id: one.memory for one in near}
        return list(known.values())


def parts_of(episode: Episode) -> list[Episode]:
    """An episode as its extractor reads it: the owner's own words, and each pasted part as the text it is (§1.5).

    A part is the whole text with everything else blanked, so that spans found in it are spans of the episode.
    """
    origin = episode.provenance
    foreign = [one for one in origin.pasted if one.why != SegmentKind.INLINE_QUOTE.value]
    if not foreign:
        return [episode]
    own = _complement(len(episode.text), foreign)
    parts = [replace(episode, text=blanked(episode.text, own))]
    for one in foreign:
        pasted = replace(
            origin,
            source_kind=one.source_kind,
            title=origin.title or "pasted into the chat",
            derived_from=(one.matched,) if one.matched else (),
            pasted=(),
        )
        parts.append(replace(episode, text=blanked(episode.text, [(one.start, one.end)]), provenance=pasted))
    return [part for part in parts if part.text.strip()]


def as_one_event(rulings: Sequence[tuple[Candidate, Decision]], whole: int) -> list[tuple[Candidate, Decision]]:
    """The rulings with what somebody else said kept once, as one event of the message; none if that cannot stand.

    The event of a whole message stands if everything in it was admitted by itself, and takes its sentences' place; what
    a source says about itself stays a fact beside it (rules §1.8, §2.1).

    Args:
        rulings: what was decided on each.
        whole: the place of the event among them.
    """
    said = rulings[whole][0].proposal.value
    parts = {nth for nth, (one, _) in enumerate(rulings) if nth != whole and _words_of(one) in said}
    if any(rulings[nth][1].verdict is not Verdict.ADMIT for nth in (whole, *parts)):
        return []
    return [one for nth, one in enumerate(rulings) if nth not in parts or one[0].proposal.kind is not MemoryKind.EVENT]


def _of_message(candidate: Candidate) -> bool:
    """Whether this is the event of a whole message of somebody else."""
    third = candidate.provenance.source_kind is SourceKind.THIRD_PARTY
    return third and (candidate.proposal.kind, candidate.proposal.attribute) == (MemoryKind.EVENT, "event")


def _words_of(candidate: Candidate) -> str:
    said = candidate.proposal
    return said.value if said.kind is MemoryKind.EVENT else said.statement


def unread_wishes(part: Episode, read: Sequence[Proposal]) -> list[Proposal]:
    """Sentences of the owner's that must be put to them and that no extractor made a fact of (rules §1.7).

    "Remember X as a trusted source" may read as a mere command; dropping it in silence would leave the owner unasked.
    """
    if part.provenance.source_kind is not SourceKind.USER_TURN:
        return []
    found = []
    for start, end in sentence_ranges(part.text):
        words = part.text[start:end].strip()
        covered = any(
            one.kind is not MemoryKind.EVENT and one.span.start < end and start < one.span.end for one in read
        )
        if covered or not words or words.endswith("?") or not asks_owner(words, SpeechAct.DIRECTIVE):
            continue
        begins = part.text.index(words, start)
        found.append(
            Proposal(
                subject="user",
                attribute="answer_preference",
                value=words[:WISH_CHARS],
                statement=words[:WISH_CHARS],
                kind=MemoryKind.PREFERENCE,
                importance=0.6,
                span=Span(start=begins, end=begins + len(words)),
                speech_act=SpeechAct.DIRECTIVE,
            )
        )
    return found


def _complement(length: int, parts: Sequence[Pasted]) -> list[tuple[int, int]]:
    edges = [0, *(edge for one in sorted(parts, key=lambda one: one.start) for edge in (one.start, one.end)), length]
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if start < end]


def clean(text: str) -> str:
    """The text as it can be stored everywhere: NUL becomes U+FFFD; everything else is kept as it came.

    Raises:
        BadInput: nothing visible is in it, or it holds halves of characters (invalid UTF-8 or UTF-16).
        TooLarge: it is over MAX_CHARS characters.
    """
    if len(text) > MAX_CHARS:
        msg = f"the text has {len(text):,} characters; the limit is {MAX_CHARS:,}. Split it and send the parts."
        raise TooLarge(msg)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as problem:
        msg = f"the text is not valid Unicode at character {problem.start}. Save it as UTF-8 and send it again."
        raise BadInput(msg) from problem
    if not any(char.isprintable() and not char.isspace() and char not in _BLANK for char in text):
        msg = "the message is empty: write something first"
        raise BadInput(msg)
    return text.replace("\x00", "\ufffd")


def unique(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Proposals in order, exact repeats of one fact left out."""
    seen: dict[tuple[str, str, str, bool], Proposal] = {}
    for one in proposals:
        seen.setdefault((one.subject.casefold(), one.attribute, one.value.casefold(), one.retracts), one)
    return list(seen.values())


def turn_of(episode: Episode) -> Turn:
    """An episode as a line of its conversation."""
    roles = {SourceKind.USER_TURN: "user", SourceKind.AGENT_TURN: "assistant"}
    origin = episode.provenance
    return Turn(
        role=roles.get(origin.source_kind, "attachment"),
        text=episode.text,
        at=episode.received_at,
        episode_id=episode.episode_id,
        title=origin.title or origin.source_ref,
        source_kind=origin.source_kind,
    )
