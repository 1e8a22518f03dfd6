"""The lower rungs of `eval.ladder`: four plain ways of remembering, each the one before with one idea more.

They see what was said and a question's words, never the gold. All numbers are the product's own (rules §2.5).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from core.decay import age_days
from core.model import MemoryKind, Turn
from core.policy import RecallRules
from core.ports import Embedder, ExtractionContext, Extractor
from core.slots import default_importance, is_multi_valued, normalise, slot_key
from eval.everyday import SlotStore, episode_of
from eval.ladder_history import Said

K = 5  # hits of a question


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One thing remembered: a whole turn (no slot), or a fact read out of one."""

    text: str
    at: datetime  # when it was last said
    importance: float
    value: str = ""
    slot: str = ""
    multi: bool = False  # whether its slot holds several values at a time
    retracts: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Shelf:
    """What is remembered, in order of time, with its vectors; `recency` weighs age and importance beside meaning."""

    entries: Sequence[Entry]
    vectors: np.ndarray  # one L2-normalised row an entry
    embedder: Embedder
    rules: RecallRules
    recency: bool

    def ask(self, question: str, at: datetime) -> list[Entry]:
        """The best entries; of equals the one that was said last."""
        if not self.entries:
            return []
        near = self.vectors @ np.asarray(self.embedder.embed([question])[0])
        scores = [
            self.weighted(float(cosine), entry, at) if self.recency else float(cosine)
            for cosine, entry in zip(near, self.entries, strict=True)
        ]
        order = sorted(range(len(scores)), key=lambda number: (-scores[number], -number))
        return [self.entries[number] for number in order[:K]]

    def weighted(self, cosine: float, entry: Entry, at: datetime) -> float:
        """The product's ranker `weighted` (rules §2.5)."""
        rules = self.rules
        return (
            rules.weight_similarity * cosine
            + rules.weight_recency * math.exp(-age_days(entry.at, at) / rules.recency_tau_days)
            + rules.weight_importance * entry.importance
        )


def shelf(entries: Sequence[Entry], embedder: Embedder, rules: RecallRules, *, recency: bool) -> Shelf:
    """Embed what is remembered."""
    vectors = np.asarray(embedder.embed([entry.text for entry in entries]))
    return Shelf(entries=entries, vectors=vectors, embedder=embedder, rules=rules, recency=recency)


def turns(said: Sequence[Said]) -> list[Entry]:
    """Every turn as it was said; each is worth what the product gives a mere event."""
    return [Entry(text=one.text, at=one.at, importance=default_importance("event")) for one in said]


def facts(said: Sequence[Said], extractor: Extractor) -> list[Entry]:
    """What the product's extractor reads out of the turns, every statement on its own; not the turns' own words again.

    The product keeps those too, as events, and closes an event with the fact that it repeats (rules §3.4); without that
    they would bring every former value back.
    """
    known, found = SlotStore(), []
    recent: dict[str, list[Turn]] = defaultdict(list)
    for number, one in enumerate(said):
        episode = episode_of({"role": "user", "text": one.text, "session": one.conversation}, number, one.at)
        context = ExtractionContext(now=one.at, recent=tuple(recent[one.conversation]), known=known.known(one.at))
        for proposal in extractor.extract(episode, context).proposals:
            known.apply(proposal, turn=number, at=one.at)
            if proposal.kind is MemoryKind.EVENT:
                continue
            found.append(
                Entry(
                    text=proposal.statement,
                    at=one.at,
                    importance=proposal.importance,
                    value=proposal.value,
                    slot=slot_key(proposal.subject, proposal.attribute),
                    multi=is_multi_valued(proposal.attribute),
                    retracts=proposal.retracts,
                )
            )
        recent[one.conversation].append(
            Turn(role="user", text=one.text, at=one.at, source_kind=episode.provenance.source_kind)
        )
    return found


def consolidated(entries: Sequence[Entry]) -> list[Entry]:
    """One entry a value of a slot, as it was last said; every value stays."""
    return _last(entries, lambda entry: (entry.slot, normalise(entry.value), entry.retracts))


def superseded(entries: Sequence[Entry]) -> list[Entry]:
    """Of a slot that holds one value at a time only what was said last; the others as they are."""
    return _last(
        entries, lambda entry: (entry.slot, *((normalise(entry.value), entry.retracts) if entry.multi else ()))
    )


def _last(entries: Sequence[Entry], key: Callable[[Entry], tuple[object, ...]]) -> list[Entry]:
    """The last entry of every key, in order of time."""
    kept: dict[tuple[object, ...], Entry] = {}
    for entry in entries:
        kept.pop(key(entry), None)
        kept[key(entry)] = entry
    return list(kept.values())
