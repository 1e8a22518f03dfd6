"""The facts chosen for one question, and how lists of facts are thinned out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.llm.answers.facts import Fact
from core.llm.answers.words import stem, tokens
from core.slots import normalise

MOST = 6  # facts in one answer
_GLUE = frozenset(stem(w) for w in ["is", "are", "am", "a", "an", "the", "your", "you"])


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """The facts that answer one question, best first. `verdict` is yes/no for a polar question."""

    facts: tuple[Fact, ...] = ()
    verdict: bool | None = None
    nearby: tuple[Fact, ...] = ()  # same attribute, other value: said along with "I don't know"
    count: int | None = None  # "how many": number of distinct facts
    event: bool = False
    aged: bool = False  # an age is to be reckoned from the birthday found
    near: bool = False  # found by likeness, not by its words
    people: tuple[str, ...] = ()  # resolved names of the question's relations

    @property
    def found(self) -> bool:
        """Whether there is an answer."""
        return bool(self.facts)


def distinct(facts: Sequence[Fact], language: str = "") -> list[Fact]:
    """Each sentence once; each value of a sentence that has to be retold in another `language`."""
    seen: set[str] = set()
    found = []
    for fact in facts:
        key = normalise(fact.memory.text)
        if language and fact.memory.language != language:
            key += "|" + normalise(fact.memory.value)
        if key not in seen:
            seen.add(key)
            found.append(fact)
    return found


def whole(facts: list[Fact]) -> list[Fact]:
    """Without sentences that another one contains: "your sister is Hanna" beside "your sister Hanna sings"."""
    words = [frozenset(stem(w) for w in tokens(f.memory.text)) - _GLUE for f in facts]
    return [f for i, f in enumerate(facts) if not any(i != j and words[i] < words[j] for j in range(len(facts)))]
