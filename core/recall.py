"""The read path: embed once, search once, rank purely (rules §6). Calls no model, writes nothing."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.advice import leading, of_memory
from core.confidence import NOTHING, Because, Counsel, advise, confidence_of
from core.decay import age_days, freshness
from core.literals import content_words, figures
from core.model import Advice, Hit, Memory, MemoryKind, MemoryStatus, Scope, ScoredMemory
from core.observing import UNOBSERVED
from core.policy import Policy, RecallRules, composite_trust, ranking_trust
from core.ports import Clock, Embedder, FactLookup, Laps, MemoryFilter, Observer, RecallReader
from core.relevance import aptness, from_beside, named_speakers, relevances, told_at_length
from core.updates import latest_first

ALL = 1_000  # memories that go in where recall is off, last stated first; the prompt's budget cuts before
WORKING = 200  # working memories of an owner looked at for one conversation, last stated first


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall:
    """What one question found: `hits` ranked, `below` those left out and why they fell."""

    hits: tuple[Hit, ...]
    below: tuple[tuple[Hit, str], ...]
    candidates: int
    counsel: Counsel = NOTHING  # what an agent may do with the best of them (rules §5.2)


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What is asked, embedded, and by which rules."""

    text: str
    vector: Sequence[float]
    scope: Scope
    at: datetime
    as_of: datetime | None  # the past day that it is about
    include_archived: bool
    conversation_id: str
    wanted: int  # memories at most
    rules: RecallRules


@dataclass(frozen=True, kw_only=True, slots=True)
class Recaller:
    """Recall for one policy."""

    store: RecallReader
    embedder: Embedder
    policy: Policy
    clock: Clock
    observer: Observer = UNOBSERVED

    def recall(
        self,
        query: str,
        scope: Scope,
        *,
        k: int | None = None,
        as_of: datetime | None = None,
        include_archived: bool = False,
        conversation_id: str = "",
        agent: str = "",
    ) -> Recall:
        """The `k` best memories of the scope (default: the policy's top_k), each with the factors of its score.

        Where the policy has recall off for the agent, all memories that are current, the most important first, and no
        counsel: nobody looked which of them answers (rules §6.3). A past day is searched all the same.

        Args:
            query: what is asked.
            scope: whose memory.
            k: how many at most.
            as_of: what was current then, instead of now (rules §3.4).
            include_archived: faded memories too. Without it they are looked at only if nothing active answers, and only
                a strong direct match counts (rules §2.6).
            conversation_id: where it is asked: the working memory of other conversations stays theirs (rules §2.1). ""
                leaves none out.
            agent: who asks, by name: its own section of the policy counts; "" is the agent of the scope.

        Raises:
            StoreUnavailable, ModelUnavailable: recall is not possible right now.
        """
        rules, at = self.policy.recall_of(agent or scope.agent), as_of or self.clock.now()
        with self.observer.recall() as laps:
            if as_of is None and not rules.enabled:
                with laps.part("query"):
                    result = self._all(scope, at, k, conversation_id, include_archived=include_archived)
            else:
                with laps.part("embed"):
                    [vector] = self.embedder.embed([query])
                ask = Question(
                    text=query,
                    vector=vector,
                    scope=scope,
                    at=at,
                    as_of=as_of,
                    include_archived=include_archived,
                    conversation_id=conversation_id,
                    wanted=rules.top_k if k is None else k,
                    rules=rules,
                )
                result = self._searched(ask, laps)
            laps.found(len(result.hits))
            return result

    def _searched(self, ask: Question, laps: Laps) -> Recall:
        """What answers a question among what is current, or was on the day that it is about."""
        scope, query, vector, at, limit = ask.scope, ask.text, ask.vector, ask.at, ask.rules.candidates

        def best(found: Sequence[ScoredMemory], *, past: bool = False) -> Recall:
            with laps.part("rank"):
                here = [one for one in found if of_session(one.memory, ask.conversation_id)]
                result = self._best(query, here, scope, at, ask.wanted, ask.rules, past=past)
            with laps.part("query"):
                counsel = self._counsel(result, scope, at, ask.conversation_id, past=past)
            return replace(result, counsel=counsel)

        if ask.as_of is not None:
            with laps.part("query"):
                then = self.store.as_of(scope, vector=vector, query=query, then=ask.as_of, limit=limit)
            return best(then, past=True)
        with laps.part("query"):
            found = self.store.search(
                scope, vector=vector, query=query, at=at, limit=limit, include_archived=ask.include_archived
            )
        result = best(found)
        if result.hits or ask.include_archived:
            return result
        with laps.part("query"):
            faded = self.store.search(scope, vector=vector, query=query, at=at, limit=limit, include_archived=True)
        strong = [
            one
            for one in faded
            if one.memory.status is MemoryStatus.ARCHIVED and one.found and strong_match(one, ask.rules)
        ]
        again = best(strong)
        return replace(again, below=(*result.below, *again.below), candidates=result.candidates)

    def _counsel(self, found: Recall, scope: Scope, at: datetime, conversation_id: str, *, past: bool) -> Counsel:
        """What an agent may do with what was found. Of a past day only the memory itself is known, not its rivals."""
        first = leading([hit.memory for hit in found.hits])
        if first is None:
            return NOTHING
        hit = next(one for one in found.hits if one.memory is first)
        if past:
            counsel = advise(first, (), at, self.policy)
        else:
            counsel = of_memory(
                first,
                self.store,
                at,
                self.policy,
                fits=lambda one: in_scope(one, scope, at) and of_session(one, conversation_id),
            )
        if counsel.advice is Advice.ACT and not strong_match(hit, self.policy.recall):
            return replace(
                counsel, advice=Advice.ANSWER, because=Because.LOOSE
            )  # the best there is, not what was asked
        return counsel

    def working(self, scope: Scope, conversation_id: str) -> tuple[Hit, ...]:
        """The conversation's working memory, the most important first: what its model is told unasked (rules §2.1)."""
        at = self.clock.now()
        rows, _ = self.store.list(scope, MemoryFilter(kinds=(MemoryKind.WORKING.value,)), limit=WORKING)
        here = [one for one in rows if one.conversation_id == conversation_id and in_scope(one, scope, at)]
        found = [ScoredMemory(memory=one, cosine=0.0, lexical=0.0) for one in here]
        hits = [_hit(one, 0.0, "", self.policy, at) for one in found]
        return tuple(sorted(hits, key=lambda hit: (-hit.memory.importance, hit.memory.memory_id)))

    def _all(
        self, scope: Scope, at: datetime, k: int | None, conversation_id: str, *, include_archived: bool
    ) -> Recall:
        statuses = (MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED) if include_archived else (MemoryStatus.ACTIVE,)
        rows, total = self.store.list(scope, MemoryFilter(statuses=statuses), limit=ALL)
        here = [
            one
            for one in rows
            if in_scope(one, scope, at)
            and of_session(one, conversation_id)
            and (one.invalid_at is None or one.invalid_at > at)
        ]
        found = [ScoredMemory(memory=one, cosine=0.0, lexical=0.0) for one in here]
        hits = [_hit(one, 0.0, "", self.policy, at) for one in found]
        hits.sort(key=lambda hit: (hit.needs_confirmation, -hit.memory.importance, -hit.memory.serial_no))
        given = hits if k is None else hits[:k]
        return Recall(
            hits=tuple(replace(hit, confidence=confidence_of(hit.memory, at, self.policy)) for hit in given),
            below=tuple((hit, "not among the best") for hit in hits[len(given) :]),
            candidates=total,
        )

    def _best(
        self,
        query: str,
        found: Sequence[ScoredMemory],
        scope: Scope,
        at: datetime,
        wanted: int,
        rules: RecallRules,
        *,
        past: bool = False,
    ) -> Recall:
        # A row put in past the ledger is never served, and lends nothing to others (rules §8.1).
        own = [one for one in found if in_scope(one.memory, scope, at, past=past) and self.store.genuine(one)]
        ranked = rank(own, self.policy, at, query)
        strong = {hit.memory.memory_id for hit in ranked if above_floor(hit, rules, query)}
        passed: list[Hit] = []
        fallen: list[Hit] = []
        for hit in ranked:
            linked = hit.linked_from in strong and may_be_carried(hit, rules, query)
            carried = hit.memory.memory_id in strong or linked
            (passed if carried and hit.score >= rules.score_threshold else fallen).append(hit)
        passed = latest_first(passed, query, lambda memory: ranking_trust(memory, self.policy))
        passed = lessons_first(passed, strong)
        return Recall(
            hits=tuple(replace(hit, confidence=confidence_of(hit.memory, at, self.policy)) for hit in passed[:wanted]),
            below=tuple(
                [(hit, "not among the best") for hit in passed[wanted:]] + [(hit, "below the floor") for hit in fallen]
            ),
            candidates=len(own),
        )


def lessons_first(hits: Sequence[Hit], strong: Collection[str]) -> list[Hit]:
    """Hits with the lessons among them first, each half in its order: "do not …" is heeded before anything is done.

    Args:
        hits: what passed, best first.
        strong: ids of those that the question itself carries over the floor: a lesson that only a link brought in says
            nothing about this question and stays where it is.
    """

    def later(hit: Hit) -> bool:
        return hit.memory.kind is not MemoryKind.LESSON or hit.memory.memory_id not in strong

    return sorted(hits, key=later)


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionLookup:
    """Facts by slot as one conversation knows them: without the working memory of others (rules §2.1)."""

    inner: FactLookup
    conversation_id: str

    def by_slot(self, scope: Scope, *, subject: str | None, attributes: Sequence[str], limit: int = 20) -> list[Memory]:
        """As the port says."""
        found = self.inner.by_slot(scope, subject=subject, attributes=attributes, limit=limit)
        return [one for one in found if of_session(one, self.conversation_id)]

    def about(self, scope: Scope, *, subject: str, limit: int = 20) -> list[Memory]:
        """As the port says."""
        found = self.inner.about(scope, subject=subject, limit=limit)
        return [one for one in found if of_session(one, self.conversation_id)]


def of_session(memory: Memory, conversation_id: str) -> bool:
    """Whether a memory may be told in a conversation: working memory only in its own; "" names none (rules §2.1)."""
    return memory.kind is not MemoryKind.WORKING or conversation_id in ("", memory.conversation_id)


def in_scope(memory: Memory, scope: Scope, at: datetime, *, past: bool = False) -> bool:
    """The scope again, in code, after row-level security and the SQL filter (rules §6.2); and the deadline (§2.8)."""
    live = memory.expires_at is None or memory.expires_at > at
    return memory.scope == scope and live and (past or memory.status is not MemoryStatus.DELETED)


def above_floor(hit: Hit, rules: RecallRules, query: str = "") -> bool:
    """Whether the raw signals carry the hit: min–max always gives the best one 1 (rules §6.1).

    A question in a script that the memory does not use is compared by words alone, unless the policy says that the
    embedding model knows both: to a model of one script the other is noise.
    """
    near = hit.cosine >= rules.min_cosine and (rules.cross_script or not _other_script(query, hit.memory.text))
    return near or hit.coverage >= rules.min_coverage or _names_it(query, hit)


def strong_match(one: Hit | ScoredMemory, rules: RecallRules) -> bool:
    """Whether a memory is so near to the question, by its raw signals, that it must be what was asked about."""
    return one.cosine >= rules.strong_cosine or one.coverage >= rules.strong_coverage


def may_be_carried(hit: Hit, rules: RecallRules, query: str) -> bool:
    """Whether a link may bring this memory in: it has something of the question itself (rules §4.2)."""
    near = hit.cosine >= rules.min_cosine / 2 and (rules.cross_script or not _other_script(query, hit.memory.text))
    return near or hit.coverage > 0


def _names_it(query: str, hit: Hit) -> bool:
    """Whether a number or code of the question stands in the memory, with another word of it: an exact reference."""
    if hit.coverage <= 0:
        return False
    shared = figures(query) & figures(hit.memory.text)
    return bool(shared) and bool(content_words(query) & content_words(hit.memory.text))


def _other_script(query: str, text: str) -> bool:
    """Whether the query's letters are none of ASCII's and the text has no letter outside it."""
    letters = [char for char in query if char.isalpha()]
    foreign = bool(letters) and not any(char.isascii() for char in letters)
    return foreign and not any(char.isalpha() and not char.isascii() for char in text)


def rank(found: Sequence[ScoredMemory], policy: Policy, at: datetime, query: str = "") -> list[Hit]:
    """Every found memory as a hit, best first; what lost its trust comes after the rest (rules §2.5)."""
    rules = policy.recall
    direct = [one for one in found if one.found]
    speakers = named_speakers(query, direct) if query else frozenset()
    relevance = {
        one.memory.memory_id: value * (aptness(query, one.memory, rules, speakers) if query else 1.0)
        for one, value in zip(direct, relevances(direct, rules.meaning), strict=True)
    }
    beside = from_beside(found, relevance, rules)
    hits = [_hit(one, *_lifted(one, relevance, beside, rules), policy, at) for one in found]
    return sorted(hits, key=lambda hit: (hit.needs_confirmation, -hit.score, hit.memory.memory_id))


def _lifted(
    one: ScoredMemory, relevance: Mapping[str, float], beside: Mapping[str, float], rules: RecallRules
) -> tuple[float, str]:
    """Relevance of its own, or what a link from a found memory lends it, and that memory's id (rules §4.2).

    What an event is lent by the turns beside it comes on top of its own.
    """
    own = relevance.get(one.memory.memory_id, 0.0)
    lent = [(relevance[parent] * weight, parent) for parent, weight in one.parents if parent in relevance]
    best, parent = max(lent, default=(0.0, ""))
    reached, linked_from = (best, parent) if best > own else (own, "")
    lifted = 1 - (1 - own) * (1 - beside.get(one.memory.memory_id, 0.0))
    return max(reached, lifted) * told_at_length(one, rules), linked_from


def _hit(one: ScoredMemory, relevance: float, linked_from: str, policy: Policy, at: datetime) -> Hit:
    memory, rules = one.memory, policy.recall
    fresh = freshness(memory, at, policy.decay)
    age = age_days(memory.stated_at, at)
    trust = composite_trust(memory, fresh, policy)
    if rules.ranker == "weighted":
        score = (
            rules.weight_similarity * one.cosine
            + rules.weight_recency * math.exp(-age / rules.recency_tau_days)
            + rules.weight_importance * memory.importance
        )
    else:
        score = memory.importance * relevance * max(fresh, rules.age_floor)
    return Hit(
        memory=memory,
        score=max(0.0, score),
        relevance=relevance,
        freshness=fresh,
        cosine=one.cosine,
        lexical=one.lexical,
        coverage=one.coverage,
        age_days=age,
        composite_trust=trust,
        needs_confirmation=trust < policy.trust.threshold,
        linked_from=linked_from,
    )
