"""The read path: embed once, search once, rank purely (rules §6). Calls no model, writes nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.decay import age_days, freshness
from core.model import Hit, Memory, Scope, ScoredMemory
from core.policy import Policy, RecallRules, composite_trust
from core.ports import Clock, Embedder, MemoryReader


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall:
    """What one question found: `hits` ranked, `below` those left out and why they fell."""

    hits: tuple[Hit, ...]
    below: tuple[tuple[Hit, str], ...]
    candidates: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Recaller:
    """Recall for one policy."""

    store: MemoryReader
    embedder: Embedder
    policy: Policy
    clock: Clock

    def recall(self, query: str, scope: Scope, *, k: int | None = None) -> Recall:
        """The `k` best memories of the scope (default: the policy's top_k), each with the factors of its score.

        Raises:
            StoreUnavailable, ModelUnavailable: recall is not possible right now.
        """
        rules, at = self.policy.recall, self.clock.now()
        [vector] = self.embedder.embed([query])
        found = self.store.search(scope, vector=vector, query=query, at=at, limit=rules.candidates)
        own = [one for one in found if in_scope(one.memory, scope, at)]
        ranked = rank(own, self.policy, at)
        wanted = rules.top_k if k is None else k
        kept = [hit for hit in ranked if above_floor(hit, rules)]
        fallen = [(hit, "below the floor") for hit in ranked if not above_floor(hit, rules)]
        return Recall(
            hits=tuple(kept[:wanted]),
            below=tuple([(hit, "not among the best") for hit in kept[wanted:]] + fallen),
            candidates=len(own),
        )


def in_scope(memory: Memory, scope: Scope, at: datetime) -> bool:
    """The scope again, in code, after row-level security and the SQL filter (rules §6.2); and the deadline (§2.8)."""
    live = memory.expires_at is None or memory.expires_at > at
    return memory.scope == scope and live


def above_floor(hit: Hit, rules: RecallRules) -> bool:
    """Whether the raw signals carry the hit: min–max always gives the best one 1 (rules §6.1)."""
    enough = hit.cosine >= rules.min_cosine or hit.coverage >= rules.min_coverage
    return enough and hit.score >= rules.score_threshold


def relevances(found: Sequence[ScoredMemory]) -> list[float]:
    """Min–max normalised sum of the dense and the lexical score, in [0, 1] (rules §6.1)."""
    dense = _min_max([one.cosine for one in found])
    words = _min_max([one.lexical for one in found])
    return [0.5 * left + 0.5 * right for left, right in zip(dense, words, strict=True)]


def _min_max(values: Sequence[float]) -> list[float]:
    if not values:
        return []
    low, high = min(values), max(values)
    if high <= low:
        return [1.0 if high > 0 else 0.0] * len(values)
    return [(value - low) / (high - low) for value in values]


def rank(found: Sequence[ScoredMemory], policy: Policy, at: datetime) -> list[Hit]:
    """Every found memory as a hit, best first; what lost its trust comes after the rest (rules §2.5)."""
    hits = [_hit(one, relevance, policy, at) for one, relevance in zip(found, relevances(found), strict=True)]
    return sorted(hits, key=lambda hit: (hit.needs_confirmation, -hit.score, hit.memory.memory_id))


def _hit(one: ScoredMemory, relevance: float, policy: Policy, at: datetime) -> Hit:
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
        score = memory.importance * relevance * fresh
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
    )
