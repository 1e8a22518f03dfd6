"""What the hits of a question are worth to `eval.ladder`: judged by the values that they name, alike for every rung.

A hit tells a value if its text or its slot names it as whole words. It is *stale* if it tells a former value, no
current one, and does not say that this is over. Where several values hold, all of them must be found. Where nothing
holds any more, right is to say so, or to say nothing of it. A value that is still to come is wrong in the first place,
not stale.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.prompt import tokens
from eval.ladder_history import Asked

_OVER = re.compile(r"\b(?:no longer|any ?more|given up|gave up|stopped|cancel\w+|gone off|used to)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """One hit: what the agent would read, and the value of its slot."""

    text: str
    value: str = ""

    def names(self, values: Sequence[str]) -> bool:
        """Whether it names one of the values."""
        return any(
            re.search(rf"(?<!\w){re.escape(value)}(?!\w)", where, re.IGNORECASE)
            for value in values
            for where in (self.text, self.value)
        )

    def over(self) -> bool:
        """Whether it says that something ended."""
        return bool(_OVER.search(self.text))


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """One question: right in the first place, all found among the hits, something stale among them."""

    asked: Asked
    hits: tuple[Told, ...]
    first: bool
    found: bool
    stale: bool

    @property
    def tokens(self) -> int:
        """Estimated tokens of the hits as context."""
        return tokens("\n".join(hit.text for hit in self.hits)) if self.hits else 0


def judge(asked: Asked, hits: Sequence[Told]) -> Verdict:
    """Hold the hits of a question, best first, against its gold."""
    stale = any(hit.names(asked.former) and not hit.names(asked.current) and not hit.over() for hit in hits)
    if asked.current:
        first = bool(hits) and hits[0].names(asked.current)
        wanted = [[value] for value in asked.current] if asked.kind == "multi" else [list(asked.current)]
        found = all(any(hit.names(values) for hit in hits) for values in wanted)
    else:
        ends = [hit.names(asked.former) and hit.over() for hit in hits]
        silent = not any(hit.names(asked.former) for hit in hits)
        first, found = silent or ends[0], silent or any(ends)
    return Verdict(asked=asked, hits=tuple(hits), first=first, found=found, stale=stale)


@dataclass(slots=True)
class Score:
    """The verdicts of one rung."""

    verdicts: list[Verdict] = field(default_factory=list)

    def counts(self, kind: str = "") -> tuple[int, int, int, int]:
        """Right in the first place, found, stale, and how many questions; of one kind, or of all."""
        of = [one for one in self.verdicts if kind in ("", one.asked.kind)]
        return sum(one.first for one in of), sum(one.found for one in of), sum(one.stale for one in of), len(of)

    @property
    def tokens(self) -> float:
        """Mean tokens of a question's context."""
        return sum(one.tokens for one in self.verdicts) / max(1, len(self.verdicts))
