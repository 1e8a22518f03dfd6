"""Where a fact really comes from: pasted parts of a turn, the roots of what an agent or tool said. Reads, never writes.

Trust is bound to origin, not to the mouth that says it (rules §1.3). A page that an agent repeats, sums up or
translates stays a page; what a person pastes stays the pasted text's. Everything here is decided from what the server
itself recorded: channels, order of receipt, recorded inputs of model calls and the words of earlier texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.literals import content_words, holds, literals, marks, stands_in
from core.model import (
    INFERRED,
    Candidate,
    CandidateState,
    Episode,
    MemoryKind,
    Pasted,
    Provenance,
    Root,
    Scope,
    SourceKind,
    SpeechAct,
    Standing,
)
from core.policy import Policy, ranking_trust
from core.ports import EvidenceLedger, Input, MemoryReader
from core.quotations import sentence_ranges
from core.slots import SLOTS, is_durable, slot_key
from core.spans import SegmentKind, common_runs, fingerprints, foreign, segments
from core.wording import words

MEMORY_REF = "memory:"  # prefix in Provenance.derived_from of a recalled memory; anything else is an episode id
_MATCHED = 8  # earlier texts that a turn is compared with, word by word
_ROOTING_TURNS = 60  # latest user turns of the conversation in which an agent's note may be rooted
_FIRST_PERSON = re.compile(r"(?i)(?:i|i['’]m|i['’]ve|my)\b(?! (?:colleague|boss|team|company|client)s?\b)")
_SLOT_NOUNS = content_words(" ".join(SLOTS).replace("_", " "))
_VERBATIM = 3  # words from which a repetition is one
_SUPPOSES = re.compile(r"(?i)\s*(?:if|suppose|supposing|imagine|what if|let's say|assume|pretend)\b")
_OF_ONESELF = frozenset({"home", "job", "employer", "role", "workplace", "diet", "age", "language"})
_DEPTH = 12  # hops that inputs of inputs are followed; what lies deeper counts as unknown
_BRINGS_ITS_OWN = frozenset({"records", "reads_people", "reads_web"})  # tools whose payload no conversation made
_PASSED_ON = frozenset({SourceKind.AGENT_TURN, SourceKind.TOOL_OUTPUT})
_ROOTED_STATES = frozenset({CandidateState.ADMITTED, CandidateState.PROMOTED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """The origin of one candidate: its chain of roots, with what right it speaks, and whose voice it is."""

    roots: tuple[Root, ...]
    standing: Standing
    voice_trust: float

    @property
    def trust(self) -> float:
        """Effective trust: never above any root's (rules §1.3)."""
        return min(root.trust for root in self.roots)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tracer:
    """Finds origins with a pair of readers and the policy's numbers."""

    ledger: EvidenceLedger
    store: MemoryReader
    policy: Policy

    def pasted(self, scope: Scope, text: str) -> tuple[Pasted, ...]:
        """The parts of a user's turn that are not their own words (rules §1.5), found when the turn is received.

        Quotes, quoted lines, code, markup, mails and long blocks are seen in the text itself; eight or more words in a
        row that an earlier, less trusted text holds are found by their fingerprints. Where the owner said the words
        first, they stay the owner's, whoever repeated them since.
        """
        seen = list(self._seen(scope, text))
        channels = {episode.episode_id: episode.provenance.source_kind for _, _, episode in seen}
        found = segments(text, [(start, end, episode.episode_id) for start, end, episode in seen])
        return tuple(
            Pasted(
                start=one.start,
                end=one.end,
                source_kind=channels.get(one.matched, SourceKind.EXTERNAL_DOC),
                why=one.kind.value,
                matched=one.matched,
            )
            for one in found
            if foreign(one) or one.kind is SegmentKind.INLINE_QUOTE
        )

    def trace(self, candidate: Candidate, episode: Episode) -> Origin:
        """The origin of one candidate of `episode` (rules §1.3, §1.4, §1.8).

        Raises:
            StoreUnavailable: a recalled memory among the inputs cannot be looked up.
        """
        origin = candidate.provenance
        if candidate.extractor == INFERRED:
            return self._inferred(candidate)
        own = self.own_root(candidate.episode_id, origin)
        if origin.source_kind is SourceKind.USER_TURN:
            quoted = _quotation(candidate, origin)
            if quoted is not None:
                own = self.pasted_root(candidate.episode_id, origin, quoted)
            about_self = candidate.proposal.subject == "user"
            return Origin(
                roots=(own,), standing=Standing.SELF if about_self else Standing.OWN_SCOPE, voice_trust=own.trust
            )
        if origin.source_kind not in _PASSED_ON:
            walk = _Walk(tracer=self, scope=candidate.scope, passed={candidate.episode_id})
            roots = (own, *walk.inputs(origin.derived_from))
            standing = self._first_hand(candidate)
            return Origin(roots=roots, standing=standing, voice_trust=min(root.trust for root in roots))
        return self._passed_on(candidate, episode, own)

    def behind(self, scope: Scope, episode_ids: Iterable[str]) -> tuple[Root, ...]:
        """Everything that these texts are and rest on, each once: the roots of whatever is concluded from them.

        An id that cannot be found, or is another owner's, is a root without trust.

        Raises:
            StoreUnavailable: a recalled memory among their inputs cannot be looked up.
        """
        return tuple(_once(list(_Walk(tracer=self, scope=scope, passed=set()).inputs(episode_ids))))

    def _inferred(self, candidate: Candidate) -> Origin:
        """What code concluded out of episodes: worth the weakest of them, whoever counted them (rules §5.3, §1.3)."""
        roots = self.behind(candidate.scope, candidate.provenance.derived_from) or (_unknown(candidate.episode_id),)
        return Origin(roots=roots, standing=Standing.FIRST_HAND, voice_trust=min(root.trust for root in roots))

    def own_root(self, episode_id: str, origin: Provenance) -> Root:
        """A text as the root of itself, worth what its channel is worth."""
        return Root(
            episode_id=episode_id,
            source_kind=origin.source_kind,
            source_ref=origin.source_ref,
            trust=self.policy.channel_trust(origin),
        )

    def _first_hand(self, candidate: Candidate) -> Standing:
        if candidate.provenance.source_kind is not SourceKind.THIRD_PARTY:
            return Standing.FIRST_HAND
        proposal = candidate.proposal
        personal = is_durable(proposal.attribute) or proposal.attribute in _OF_ONESELF
        origin = candidate.provenance
        speaker = proposal.subject in {"author", origin.title, origin.source_ref, origin.actor} - {""}
        own = personal and speaker and _FIRST_PERSON.match(proposal.statement)
        return Standing.SELF if own else Standing.ATTRIBUTED

    def _passed_on(self, candidate: Candidate, episode: Episode, own: Root) -> Origin:
        """What an agent or a tool said (rules §1.4): one assertion of the owner's, or everything it may come from."""
        assertion = self._assertion(candidate, episode)
        if assertion is not None:
            return Origin(roots=(own, assertion), standing=Standing.ROOTED, voice_trust=assertion.trust)
        tool_class = self.policy.tools.class_of(candidate.provenance.tool)
        tool = candidate.provenance.source_kind is SourceKind.TOOL_OUTPUT
        # A tool that works on what the conversation gave it is worth no more than any of that.
        below = own.trust if tool else self.policy.trust.threshold
        walk = _Walk(tracer=self, scope=episode.scope, passed={episode.episode_id}, below=below)
        named = list(walk.inputs(candidate.provenance.derived_from))
        if tool_class in _BRINGS_ITS_OWN:
            found = named
        else:
            holders = self._holders(candidate, episode)
            found = [*named, *holders, *walk.conversation(episode.conversation_id, episode.serial_no)]
        roots = (own, *_once(found))
        if tool_class == "reads_file" and named:
            roots = tuple(_once(named))  # worth what the file is worth, whoever reads it out
        computed = tool and tool_class != "reads_people" and all(root.trust >= own.trust for root in roots)
        return Origin(
            roots=roots,
            standing=Standing.FIRST_HAND if computed else Standing.ATTRIBUTED,
            voice_trust=min(root.trust for root in roots),
        )

    # --- rooted in the owner's words ----------------------------------------------------------------------------

    def _assertion(self, candidate: Candidate, episode: Episode) -> Root | None:
        """The one assertion of the owner's that holds the fact's subject and all its literals, if there is one."""
        proposal = candidate.proposal
        wanted = literals(f"{proposal.statement} {proposal.value}")
        for turn in self._turns(candidate, episode):
            if not holds(turn.text, wanted):
                continue
            if _repeats(proposal.statement, turn):
                return self._rooted(turn)
            for item in self.ledger.candidates_of(turn.episode_id):
                said = item.candidate
                if item.state not in _ROOTED_STATES or said.provenance.source_kind is not SourceKind.USER_TURN:
                    continue
                if item.decision.evidence.effective_trust < 1.0 or said.proposal.speech_act not in _STATING:
                    continue
                typed = said.proposal.span.of(turn.text)
                about = f"{typed} {said.text}" if said.proposal.kind is not MemoryKind.EVENT else typed
                held = stands_in(proposal.statement, proposal.subject, proposal.value, about)
                if held and not _adds(proposal.statement, about):
                    return self._rooted(turn)
        return None

    def _rooted(self, turn: Episode) -> Root:
        return Root(
            episode_id=turn.episode_id,
            source_kind=SourceKind.USER_TURN,
            source_ref=turn.provenance.source_ref,
            trust=self.policy.trust.base(SourceKind.USER_TURN),
        )

    def _turns(self, candidate: Candidate, episode: Episode) -> Iterator[Episode]:
        """User turns that an agent's note may repeat: of the conversation, named as inputs, or holding its literals."""
        seen: set[str] = set()
        recent = self.ledger.episodes(episode.scope, episode.conversation_id, limit=_ROOTING_TURNS)
        for one in reversed(recent):
            if one.serial_no < episode.serial_no or not episode.serial_no:
                seen.add(one.episode_id)
                if one.provenance.source_kind is SourceKind.USER_TURN:
                    yield one
        others = [ref for ref in episode.provenance.derived_from if not ref.startswith(MEMORY_REF)]
        others += [one.episode_id for one in self._first_holders(candidate, episode)]
        others += [
            memory.episode_id for memory in self.store.slot(candidate.scope, _key(candidate)) if memory.episode_id
        ]
        for ref in others:
            one_more = None if ref in seen else self.ledger.episode(ref)
            seen.add(ref)
            if one_more is None or not _same_owner(one_more.scope, episode.scope):
                continue
            if one_more.provenance.source_kind is SourceKind.USER_TURN:
                yield one_more

    # --- everything it may come from ----------------------------------------------------------------------------

    def _holders(self, candidate: Candidate, episode: Episode) -> Iterator[Root]:
        """The earliest texts that hold the fact's literals: where they entered (rules §1.4)."""
        wanted = literals(f"{candidate.proposal.statement} {candidate.proposal.value}")
        for holder in self._first_holders(candidate, episode):
            outside = [one for one in holder.provenance.pasted if one.why != SegmentKind.INLINE_QUOTE.value]
            if holder.provenance.source_kind is SourceKind.USER_TURN and outside:
                text = self.ledger.episode(holder.episode_id)
                parts = [text.text[one.start : one.end] for one in outside] if text else []
                if any(wanted & literals(part) for part in parts):
                    yield self.pasted_root(holder.episode_id, holder.provenance, outside[0])
                else:
                    yield self.own_root(holder.episode_id, holder.provenance)
                continue
            walk = _Walk(tracer=self, scope=episode.scope, passed={episode.episode_id})
            yield from walk.input(holder, whole=True)

    def _first_holders(self, candidate: Candidate, episode: Episode) -> list[Input]:
        wanted = marks(f"{candidate.proposal.statement} {candidate.proposal.value}")
        found = self.ledger.first_seen(candidate.scope, wanted, before=episode.serial_no) if wanted else {}
        return list({one.episode_id: one for one in found.values() if one.episode_id != episode.episode_id}.values())

    def pasted_root(self, episode_id: str, origin: Provenance, part: Pasted) -> Root:
        """A pasted part as a root: the text it was seen in before, or a document of its own."""
        return Root(
            episode_id=part.matched or episode_id,
            source_kind=part.source_kind,
            source_ref=origin.source_ref,
            trust=self.policy.preview_trust(part.source_kind),
        )

    # --- seen before --------------------------------------------------------------------------------------------

    def _seen(self, scope: Scope, text: str) -> Iterator[tuple[int, int, Episode]]:
        """Ranges of a turn that stand word for word in an earlier text which the owner did not write."""
        found = self.ledger.first_seen(scope, fingerprints(text))
        earlier = {one.episode_id: one for one in found.values() if not _all_own(one.provenance)}
        for one in sorted(earlier.values(), key=lambda one: one.serial_no)[:_MATCHED]:
            episode = self.ledger.episode(one.episode_id)
            if episode is None:
                continue
            other = "\n".join(_outside(episode))
            yield from ((start, end, episode) for start, end in common_runs(text, other))


@dataclass(kw_only=True, slots=True)
class _Walk:
    """Follows inputs of inputs, each text and each stretch of a conversation once."""

    tracer: Tracer
    scope: Scope
    passed: set[str]
    below: float = 1.0  # trust under which an input counts, where not all of it does
    reach: dict[str, int] = field(default_factory=dict)  # conversation → serial number up to which it was walked
    depth: int = 0

    def inputs(self, refs: Iterable[str]) -> Iterator[Root]:
        """Recorded inputs of a model call: recalled memories with their own trust, texts with all that taints them.

        An id that cannot be found, or is another owner's, counts as untrusted: nobody can say what it held.
        """
        for ref in refs:
            if ref in self.passed:
                continue
            if ref.startswith(MEMORY_REF):
                self.passed.add(ref)
                yield self._memory(ref)
                continue
            episode = self.tracer.ledger.episode(ref)
            if episode is None or not _same_owner(episode.scope, self.scope):
                self.passed.add(ref)
                yield _unknown(ref)
                continue
            known = Input(episode_id=episode.episode_id, serial_no=episode.serial_no, provenance=episode.provenance)
            yield from self.input(known, whole=True, conversation_id=episode.conversation_id)

    def conversation(self, conversation_id: str, before: int) -> Iterator[Root]:
        """Everything of too little trust that came earlier in a conversation, however it got there (§1.4)."""
        if before and self.reach.get(conversation_id, 0) >= before:
            return
        self.reach[conversation_id] = before
        for one in self.tracer.ledger.inputs_before(self.scope, conversation_id, before=before):
            yield from self.input(one, whole=False)

    def input(self, one: Input, *, whole: bool, conversation_id: str = "") -> Iterator[Root]:
        """One earlier text as a root; unless `whole`, only what is trusted too little."""
        if one.episode_id in self.passed:
            return
        self.passed.add(one.episode_id)
        origin = one.provenance
        if origin.source_kind is SourceKind.USER_TURN:
            parts = [part for part in origin.pasted if part.why != SegmentKind.INLINE_QUOTE.value]
            for part in parts:
                yield self.tracer.pasted_root(one.episode_id, origin, part)
                yield from self.inputs([part.matched] if part.matched else [])
            if whole and not parts:
                yield self.tracer.own_root(one.episode_id, origin)
            return
        root = self.tracer.own_root(one.episode_id, origin)
        if whole or root.trust < self.below:
            yield root
        if self.depth >= _DEPTH:
            yield _unknown(one.episode_id)
            return
        self.depth += 1
        before = self.inputs(origin.derived_from)
        yield from (found for found in before if whole or found.trust < self.below)
        if origin.source_kind in _PASSED_ON and whole:
            episode = self.tracer.ledger.episode(one.episode_id) if not conversation_id else None
            came_in = conversation_id or (episode.conversation_id if episode else "")
            yield from self.conversation(came_in, one.serial_no)
        self.depth -= 1

    def _memory(self, ref: str) -> Root:
        memory = self.tracer.store.get(self.scope, ref.removeprefix(MEMORY_REF))
        return Root(
            episode_id=ref,
            source_kind=memory.source_kind if memory else SourceKind.WEB_CONTENT,
            source_ref=memory.source_ref if memory else "",
            trust=ranking_trust(memory, self.tracer.policy) if memory else 0.0,
        )


def _unknown(ref: str) -> Root:
    return Root(episode_id=ref, source_kind=SourceKind.WEB_CONTENT, source_ref="", trust=0.0)


_STATING = frozenset({SpeechAct.ASSERTION, SpeechAct.DIRECTIVE, SpeechAct.RETRACTION})


def _repeats(statement: str, turn: Episode) -> bool:
    """Whether a statement is, word for word, a sentence that the owner typed in their own words and did not ask."""
    said = [word.text for word in words(statement)]
    if len(said) < _VERBATIM:
        return False
    text = turn.text
    for start, end in sentence_ranges(text):
        sentence = text[start:end].strip()
        outside = any(part.start < end and start < part.end for part in turn.provenance.pasted)
        if outside or sentence.endswith(("?", "？")) or _SUPPOSES.match(sentence):
            continue
        # The whole sentence: "it is not true that …" and "Ben claims that …" hold the words of what they do not say.
        if [word.text for word in words(sentence)] == said:
            return True
    return False


def _adds(statement: str, about: str) -> bool:
    """Whether a statement tells more than the assertion does, apart from naming what the value is ("your address")."""
    return bool(content_words(statement) - content_words(about) - _SLOT_NOUNS)


def _key(candidate: Candidate) -> str:
    return slot_key(candidate.proposal.subject, candidate.proposal.attribute)


def _quotation(candidate: Candidate, origin: Provenance) -> Pasted | None:
    """The part of a turn that a candidate stands in: any of a foreign one, all of a short quotation (rules §1.5)."""
    span = candidate.proposal.span
    for part in origin.pasted:
        within = part.start <= span.start and span.end <= part.end
        touches = part.start < span.end and span.start < part.end
        if within or (touches and part.why != SegmentKind.INLINE_QUOTE.value):
            return part
    return None


def _outside(episode: Episode) -> Iterator[str]:
    """The words of an episode that are not the owner's own."""
    if episode.provenance.source_kind is not SourceKind.USER_TURN:
        yield episode.text
        return
    yield from (episode.text[part.start : part.end] for part in episode.provenance.pasted)


def _all_own(origin: Provenance) -> bool:
    return origin.source_kind is SourceKind.USER_TURN and not origin.pasted


def _same_owner(one: Scope, other: Scope) -> bool:
    return (one.tenant, one.owner) == (other.tenant, other.owner)


def _once(roots: Sequence[Root]) -> list[Root]:
    """Roots without repetitions, in order."""
    return list({(root.episode_id, root.source_kind): root for root in roots}.values())


__all__ = ["MEMORY_REF", "Origin", "Tracer"]
