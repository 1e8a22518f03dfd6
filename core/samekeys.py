"""Which keys of one subject look like one: by meaning, or as the same words cut short. Pure.

Calibrated on MiniLM: of 12 pairs that mean the same, 7 are found ("shoe_size" and "shoes_size", "car_model" and
"model_of_car"); of 16 that do not ("total_weight" and "total_height", "arrival_gate" and "departure_gate"), none.
What is found is only asked about, never joined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.aliases import canonical
from core.policy import QuestionRules
from core.ports import KeyUse
from core.slots import SLOTS, normalise

SHORT = 3  # letters that a shortened word keeps at least


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two keys that look like one; `first` is used more, and would stand for both."""

    first: KeyUse
    second: KeyUse
    cosine: float

    @property
    def name(self) -> str:
        """Names the pair whichever came first."""
        return "=".join(sorted((self.first.slot_key, self.second.slot_key)))


def words_of(attribute: str) -> str:
    """An attribute as words, for an embedder."""
    return normalise(attribute)


def shortened(one: str, other: str) -> bool:
    """Whether each word of one begins the other's: "meeting_pref" and "meeting_preference"."""
    ours, theirs = words_of(one).split(), words_of(other).split()
    if len(ours) != len(theirs) or ours == theirs:
        return False
    pairs = zip(ours, theirs, strict=True)
    return all(min(len(a), len(b)) >= SHORT and (a.startswith(b) or b.startswith(a)) for a, b in pairs)


def rivals_among(uses: Sequence[KeyUse], subject: str, *, aliases: Mapping[str, str]) -> list[tuple[KeyUse, KeyUse]]:
    """The pairs of one subject's keys that could be one: not both of the vocabulary, and not one already."""
    mine = [one for one in uses if one.slot_key.rpartition("|")[0] == subject]
    return [
        (one, other)
        for at, one in enumerate(mine)
        for other in mine[at + 1 :]
        if not (_known(one) and _known(other))
        and canonical(aliases, one.slot_key) != canonical(aliases, other.slot_key)
    ]


def pairs(
    candidates: Sequence[tuple[KeyUse, KeyUse]], vectors: Mapping[str, Sequence[float]], rules: QuestionRules
) -> list[Pair]:
    """Those of them that look like one, the nearest first.

    Args:
        candidates: pairs to compare (`rivals_among`).
        vectors: of `words_of` each attribute, L2-normalised.
        rules: the policy's section.
    """
    found = []
    for one, other in candidates:
        a, b = vectors[one.attribute], vectors[other.attribute]
        cosine = sum(x * y for x, y in zip(a, b, strict=True))
        limit = rules.same_key_short if shortened(one.attribute, other.attribute) else rules.same_key_cosine
        if cosine >= limit:
            first, second = sorted((one, other), key=lambda use: (not _known(use), -use.count, use.slot_key))
            found.append(Pair(first=first, second=second, cosine=cosine))
    return sorted(found, key=lambda pair: -pair.cosine)


def _known(use: KeyUse) -> bool:
    return use.attribute in SLOTS


__all__ = ["Pair", "pairs", "rivals_among", "shortened", "words_of"]
