"""What an agent's key opens: put texts in, ask, learn why, take back what it said itself. Nothing else (rules §1.11).

Every method takes the identity that `core.keys` resolved and looks at nothing beyond that identity's scope. What is
another's looks like what does not exist. No word of a held fact, and no sign of one, is in any answer (rules §6.5).
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.advice import for_an_agent, of_memory
from core.agentapi import AgentApi, Consulted
from core.assess import turns_of
from core.confidence import Counsel, reason
from core.conflict import echoes
from core.decay import freshness
from core.distil import Submission, clean
from core.enact import Enactor
from core.errors import BadInput, ChronoMemoryError, KeyReused, NotAuthorised, NotFound
from core.model import (
    Advice,
    CandidateState,
    Decision,
    Effect,
    EffectKind,
    Episode,
    Memory,
    MemoryKind,
    MemoryStatus,
    Root,
    SourceKind,
    Verdict,
    sha256_text,
)
from core.origin import MEMORY_REF, Tracer
from core.policy import Policy, composite_trust
from core.ports import AgentIdentity, ChatMessage, Clock, Ids, Ledger, MemoryFilter, MemoryReader
from core.prompt import assemble
from core.recall import Recall, in_scope
from core.secrets import mask

QUESTION_CHARS = 20_000
MOST_K = 100  # memories of one recall
MOST_REFS = 200  # ids looked at in one question after ancestry
MOST_ROWS = 200  # memories of one page
REF_CHARS = 500  # of an address, file name or message id
NAME_CHARS = 200  # of a conversation's, tool's or idempotency key's name
DEFAULT_CONVERSATION = "default"

# The ways in that a key has, by what its own texts count as: never a more trusted one, and never one where the caller
# would name the person or tool who speaks (rules §1.2, §1.6).
_FETCHED = frozenset({SourceKind.TOOL_OUTPUT, SourceKind.EXTERNAL_DOC, SourceKind.WEB_CONTENT})
ROUTES: Mapping[SourceKind, frozenset[SourceKind]] = {
    SourceKind.USER_TURN: _FETCHED | {SourceKind.USER_TURN, SourceKind.AGENT_TURN},
    SourceKind.AGENT_TURN: _FETCHED | {SourceKind.AGENT_TURN},
    SourceKind.TOOL_OUTPUT: frozenset({SourceKind.TOOL_OUTPUT}),
    SourceKind.THIRD_PARTY: frozenset({SourceKind.THIRD_PARTY}),
    SourceKind.EXTERNAL_DOC: frozenset({SourceKind.EXTERNAL_DOC}),
    SourceKind.WEB_CONTENT: frozenset({SourceKind.WEB_CONTENT}),
}
_OUTSIDE = frozenset({SourceKind.WEB_CONTENT, SourceKind.EXTERNAL_DOC, SourceKind.THIRD_PARTY, SourceKind.TOOL_OUTPUT})
_KEPT = (MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED)
_LEARNED = frozenset({CandidateState.ADMITTED, CandidateState.PROMOTED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One text of an agent on its way in. What it counts as is not in here: the key and the route decide it."""

    text: str
    conversation: str = DEFAULT_CONVERSATION  # in the agent's own words; two agents never share one
    source_ref: str = ""  # address, file name or message id: shown, never followed
    title: str = ""
    tool: str = ""  # name of the tool that returned it; of a tool's own key its registered name counts instead
    derived_from: tuple[str, ...] = ()  # inputs of the call that made it: episode ids, "memory:<id>"; only lowers trust
    idempotency_key: str | None = None
    expires_at: datetime | None = None
    distil: bool = True  # False: kept as an episode only


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far a text has come: what of it is memory. What was held or dropped is not told."""

    episode_id: str
    received_at: datetime
    processed: bool
    memories: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """Why a memory is believed, as far as an agent is told."""

    memory: Memory
    freshness: float
    composite_trust: float
    counsel: Counsel
    reason: str
    decision: Decision | None  # the one that made it memory


@dataclass(frozen=True, kw_only=True, slots=True)
class Ancestry:
    """Where one input comes from. `outside`: some of it is a tool's, a page's, a document's or another person's."""

    ref: str
    known: bool
    outside: bool
    trust: float  # of its weakest root; 0 where it is not known
    roots: tuple[Root, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """System messages for a model call, and what they hold."""

    messages: tuple[ChatMessage, ...]
    used: tuple[Memory, ...]  # in the order of their numbers, from [1]
    advice: Advice
    reason: str
    head_tokens: int


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentDesk:
    """The whole of what a key opens; see the module's docstring."""

    api: AgentApi
    tracer: Tracer
    ledger: Ledger
    store: MemoryReader
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids
    wake_worker: threading.Event
    budget_tokens: int

    # --- putting in ---------------------------------------------------------------------------------------------

    def submit(self, who: AgentIdentity, said: Said, *, route: SourceKind | None = None) -> Episode:
        """Make a text durable and put it before the worker; once this returns it is never lost.

        Args:
            who: whose key it came with.
            said: the text.
            route: what the way in counts it as; None: what the key's own texts count as.

        Raises:
            NotAuthorised: this key has no such way in; or its owner is being erased.
            BadInput, TooLarge: the text cannot be taken as it is.
            KeyReused: the idempotency key came with another text before.
            LedgerUnavailable: nothing was stored.
        """
        channel = route or who.channel
        if channel not in ROUTES[who.channel]:
            allowed = ", ".join(sorted(one.value for one in ROUTES[who.channel]))
            msg = f"This key cannot put in a text as {channel.value}. It can as: {allowed}."
            raise NotAuthorised(msg)
        own_tool = who.channel is SourceKind.TOOL_OUTPUT
        own = channel is SourceKind.USER_TURN
        submission = Submission(
            scope=who.scope,
            conversation_id=conversation_of(who, said.conversation),
            channel=channel,
            text=said.text,
            actor=who.scope.owner if own else actor_of(who),
            source_ref=_short(said.source_ref, REF_CHARS, "source_ref") or (said.tool if not own_tool else ""),
            title=_short(said.title, NAME_CHARS, "title"),
            derived_from=said.derived_from[:MOST_REFS],
            idempotency_key=_own_key(who, said.idempotency_key),
            distil=said.distil,
            tool=who.agent if own_tool else "",  # a tool's name given by an agent is a claim: unregistered (§1.6)
            expires_at=said.expires_at,
        )
        if len(said.derived_from) > MOST_REFS:
            msg = (
                f"derived_from names {len(said.derived_from)} inputs; {MOST_REFS} is the limit. Send the text in parts."
            )
            raise BadInput(msg)
        stored = self.api.submit(submission)
        digest = sha256_text(mask(clean(said.text))[0])
        if stored.provenance.digest != digest or stored.provenance.source_kind is not channel:
            msg = "This idempotency key came with another text before. Use a new key for a new text."
            raise KeyReused(msg)
        self.wake_worker.set()
        return stored

    def progress(self, who: AgentIdentity, episode_id: str) -> Progress:
        """How far a text that this agent put in has come.

        Raises:
            NotFound: it put in no such text.
        """
        episode = self._own_episode(who, episode_id)
        items = self.ledger.candidates_of(episode_id)
        return Progress(
            episode_id=episode_id,
            received_at=episode.received_at,
            # What was decided is recalled once it is relayed: who waited for "processed" asks at once.
            processed=(bool(items) or self.ledger.processed(episode_id)) and not self.ledger.waiting(who.scope),
            memories=tuple(one.candidate.candidate_id for one in items if one.state in _LEARNED),
        )

    def forget(self, who: AgentIdentity, memory_id: str, reason: str) -> None:
        """Take back what this agent said itself; its owner can restore it. Forgotten already: nothing happens.

        Raises:
            BadInput: no reason was given.
            NotAuthorised: it is in the agent's memory, but somebody else's statement, or a person vouched for it.
            NotFound: there is no such memory.
        """
        if not reason.strip():
            msg = "Say why it should be forgotten: the reason is kept with it."
            raise BadInput(msg)
        memory = self.store.get(who.scope, memory_id)
        if memory is None or memory.scope != who.scope:
            msg = "There is no such memory."
            raise NotFound(msg)
        mine = _of_agent(who, memory) and (memory.source_kind, memory.actor) in _voices(who)
        if memory.status is MemoryStatus.DELETED and mine:
            return
        self._seen(who, memory)
        if not mine:
            msg = "An agent takes back only what it said itself. Its owner can forget this in the console."
            raise NotAuthorised(msg)
        if memory.vouched_by or memory.confirmed_by:
            msg = "A person vouched for this. Its owner can forget it in the console."
            raise NotAuthorised(msg)
        events = [one for turn in turns_of(self.ledger, memory) for one in self.store.of_episode(memory.scope, turn)]
        gone = [memory, *echoes(memory, [one for one in events if one.memory_id != memory_id])]
        at = self.clock.now()
        effects = [
            Effect(
                effect_id=f"{EffectKind.TOMBSTONE.value}:{self.ids.new()}",
                kind=EffectKind.TOMBSTONE,
                scope=one.scope,
                memory_id=one.memory_id,
                at=at,
                reason=reason.strip(),
            )
            for one in gone
        ]
        about = {"memory_id": memory_id, "key_id": who.key_id}
        self.enactor.commit_effects(actor_of(who), effects, action="memory:forgotten", about=about)
        try:
            self.enactor.relay()
        except ChronoMemoryError as problem:
            if not problem.retry:
                raise
            self.wake_worker.set()

    @staticmethod
    def question(text: str, *, k: int | None = None) -> str:
        """A question as `recall` takes it.

        Raises:
            BadInput: it is empty or too long, or `k` is out of its range.
        """
        _within(k)
        return _question(text)

    # --- asking -------------------------------------------------------------------------------------------------

    def recall(
        self,
        who: AgentIdentity,
        query: str,
        *,
        k: int | None = None,
        as_of: datetime | None = None,
        include_archived: bool = False,
        conversation: str = DEFAULT_CONVERSATION,
    ) -> Recall:
        """Trusted memories for a question, the best first (see `AgentApi.recall`).

        Raises:
            BadInput: the question is empty or too long, or `k` is out of its range.
            StoreUnavailable, ModelUnavailable: recall is not possible right now.
        """
        return self.api.recall(
            _question(query),
            who.scope,
            k=_within(k),
            as_of=as_of,
            include_archived=include_archived,
            conversation_id=conversation_of(who, conversation),
            agent=who.agent,
        )

    def ask(
        self, who: AgentIdentity, question: str, *, k: int | None = None, conversation: str = DEFAULT_CONVERSATION
    ) -> Consulted:
        """What is remembered and what may be done with it: act, answer with sources, or ask (see `AgentApi.ask`).

        Raises:
            BadInput, StoreUnavailable, ModelUnavailable: as `recall`.
        """
        return self.api.ask(
            _question(question),
            who.scope,
            k=_within(k),
            conversation_id=conversation_of(who, conversation),
            agent=who.agent,
        )

    def context(
        self,
        who: AgentIdentity,
        query: str,
        *,
        system: str = "",
        k: int | None = None,
        budget_tokens: int | None = None,
        conversation: str = DEFAULT_CONVERSATION,
    ) -> Context:
        """The head and middle of a prompt for a question: profile, then what is remembered (rules §6.4).

        Args:
            who: whose key it came with.
            query: what the person said last.
            system: the agent's own standing instructions; they begin the head.
            k: memories at most; None: the policy's.
            budget_tokens: of both messages together; never above the installation's own.
            conversation: where it is asked.

        Raises:
            BadInput, StoreUnavailable, ModelUnavailable: as `recall`.
        """
        found = self.ask(who, query, k=k, conversation=conversation)
        recaller = self.api.recaller
        at = self.clock.now()
        known = {hit.memory.memory_id for hit in found.hits}
        working = recaller.working(who.scope, conversation_of(who, conversation))
        prompt = assemble(
            system=system,
            profile=self.profile(who),
            hits=(*found.hits, *(hit for hit in working if hit.memory.memory_id not in known)),
            live=(),
            attached=(),
            budget_tokens=min(budget_tokens or self.budget_tokens, self.budget_tokens),
            nonce=self.ids.new()[-12:],
            advice=found.advice if found.hits else None,
        )
        used = (*prompt.profile, *(hit.memory for hit in prompt.used))
        return Context(
            messages=prompt.messages,
            used=tuple(one for one in used if in_scope(one, who.scope, at)),
            advice=found.advice,
            reason=found.reason,
            head_tokens=prompt.head_tokens,
        )

    def profile(self, who: AgentIdentity) -> tuple[Memory, ...]:
        """Pinned memories, then the most important durable facts.

        Raises:
            StoreUnavailable: it cannot be read right now.
        """
        at = self.clock.now()
        return tuple(one for one in self.store.pinned(who.scope) if in_scope(one, who.scope, at))

    def memories(
        self, who: AgentIdentity, *, text: str = "", limit: int = 50, offset: int = 0
    ) -> tuple[Sequence[Memory], int]:
        """One page of active memories, last stated first, and how many there are in all.

        Raises:
            BadInput: `limit` or `offset` is out of its range.
            StoreUnavailable: they cannot be read right now.
        """
        if not 1 <= limit <= MOST_ROWS or offset < 0:
            msg = f"limit lies between 1 and {MOST_ROWS}, offset is not negative."
            raise BadInput(msg)
        kinds = tuple(one.value for one in MemoryKind if one is not MemoryKind.WORKING)
        rows, total = self.store.list(
            who.scope, MemoryFilter(text=text or None, kinds=kinds), limit=limit, offset=offset
        )
        at = self.clock.now()
        return [one for one in rows if in_scope(one, who.scope, at)], total

    def why(self, who: AgentIdentity, memory_id: str) -> Told:
        """Where a memory comes from, how sure it is, and by which decision it is one.

        Raises:
            NotFound: there is no such memory in the agent's scope, or it is forgotten.
        """
        memory = self.store.get(who.scope, memory_id)
        if memory is None:
            msg = "There is no such memory."
            raise NotFound(msg)
        self._seen(who, memory)
        at = self.clock.now()
        fresh = freshness(memory, at, self.policy.decay)
        known = of_memory(memory, self.store, at, self.policy, fits=lambda one: in_scope(one, who.scope, at))
        counsel = for_an_agent(known, self.ledger, at, self.policy)
        made = [one for one in self.ledger.decisions(memory_id) if one.verdict is Verdict.ADMIT]
        return Told(
            memory=memory,
            freshness=fresh,
            composite_trust=composite_trust(memory, fresh, self.policy),
            counsel=counsel,
            reason=reason(counsel),
            decision=made[-1] if made else None,
        )

    def ancestry(self, who: AgentIdentity, refs: Sequence[str]) -> tuple[Ancestry, ...]:
        """Where each of these inputs comes from: the gate for an agent's action (rules §1.4).

        Args:
            who: whose key it came with.
            refs: ids of memories or episodes, as recall and submit gave them. What is not this agent's is unknown, and
                counts as outside: nobody can say what it held.

        Raises:
            BadInput: none, or too many.
            StoreUnavailable: a memory cannot be looked up right now.
        """
        wanted = tuple(dict.fromkeys(refs))
        if not 1 <= len(wanted) <= MOST_REFS:
            msg = f"Name between 1 and {MOST_REFS} ids of memories or episodes."
            raise BadInput(msg)
        return tuple(self._ancestry(who, one) for one in wanted)

    def _ancestry(self, who: AgentIdentity, ref: str) -> Ancestry:
        memory = self.store.get(who.scope, ref.removeprefix(MEMORY_REF))
        roots: Iterable[Root] = ()
        if memory is not None and memory.scope == who.scope and memory.status in _KEPT:
            roots = memory.roots
        elif not ref.startswith(MEMORY_REF):
            episode = self.ledger.episode(ref)
            if episode is not None and episode.scope == who.scope and _in_conversation(who, episode):
                roots = self.tracer.behind(who.scope, [ref])
        found = tuple(_without_names(root, self.policy) for root in roots)
        return Ancestry(
            ref=ref,
            known=bool(found),
            outside=not found or any(root.source_kind in _OUTSIDE for root in found),
            trust=min((root.trust for root in found), default=0.0),
            roots=found,
        )

    def _own_episode(self, who: AgentIdentity, episode_id: str) -> Episode:
        episode = self.ledger.episode(episode_id)
        if episode is None or episode.scope != who.scope or not _in_conversation(who, episode):
            msg = "There is no such text."
            raise NotFound(msg)
        return episode

    def _seen(self, who: AgentIdentity, memory: Memory) -> None:
        """Refuse what recall would not give out.

        Raises:
            NotFound: another's, forgotten, past its deadline, or of another agent's conversation only.
        """
        here = memory.kind is not MemoryKind.WORKING or _of_agent(who, memory)
        if not (here and memory.status in _KEPT and in_scope(memory, who.scope, self.clock.now())):
            msg = "There is no such memory."
            raise NotFound(msg)


def actor_of(who: AgentIdentity) -> str:
    """An agent's name on record: it cannot be mistaken for a person's id."""
    return f"agent:{who.agent}"


def conversation_of(who: AgentIdentity, name: str) -> str:
    """A conversation's id out of the agent's own name for it: no two agents share one, whatever they call it.

    Raises:
        BadInput: the name is too long.
    """
    return _prefix(who) + (_short(name, NAME_CHARS, "conversation") or DEFAULT_CONVERSATION)


def _prefix(who: AgentIdentity) -> str:
    return f"{who.scope.tenant}/{who.scope.owner}/{actor_of(who)}/"


def _voices(who: AgentIdentity) -> frozenset[tuple[SourceKind, str]]:
    """What this agent says itself, and as whom: its own words, and those that its key passes on."""
    passed_on = who.scope.owner if who.channel is SourceKind.USER_TURN else actor_of(who)
    return frozenset({(who.channel, passed_on), (SourceKind.AGENT_TURN, actor_of(who))})


def _of_agent(who: AgentIdentity, memory: Memory) -> bool:
    return memory.conversation_id.startswith(_prefix(who))


def _in_conversation(who: AgentIdentity, episode: Episode) -> bool:
    return episode.conversation_id.startswith(_prefix(who))


def _own_key(who: AgentIdentity, key: str | None) -> str | None:
    if key is None:
        return None
    if not key.strip():
        msg = "An idempotency key is not empty."
        raise BadInput(msg)
    return f"{actor_of(who)}/{_short(key, NAME_CHARS, 'idempotency key')}"


def _without_names(root: Root, policy: Policy) -> Root:
    """A root's address or title is its maker's text: of one that is not trusted it is not given out (rules §6.5)."""
    if root.trust >= policy.trust.threshold:
        return root
    return Root(episode_id=root.episode_id, source_kind=root.source_kind, source_ref="", trust=root.trust)


def _question(text: str) -> str:
    if not text.strip():
        msg = "The question is empty."
        raise BadInput(msg)
    if len(text) > QUESTION_CHARS:
        msg = f"The question has {len(text):,} characters; the limit is {QUESTION_CHARS:,}."
        raise BadInput(msg)
    return clean(text)


def _within(k: int | None) -> int | None:
    if k is not None and not 1 <= k <= MOST_K:
        msg = f"k lies between 1 and {MOST_K}."
        raise BadInput(msg)
    return k


def _short(text: str, limit: int, what: str) -> str:
    if len(text) > limit:
        msg = f"{what} has {len(text):,} characters; the limit is {limit:,}."
        raise BadInput(msg)
    return clean(text) if text.strip() else ""


__all__ = ["ROUTES", "AgentDesk", "Ancestry", "Context", "Progress", "Said", "Told", "actor_of", "conversation_of"]
