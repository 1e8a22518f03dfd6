"""The same choice in the same situation. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.patterns.nouns import Observation, ObservationKind, Occasion
from core.policy import PatternRules

_JOIN = "|"


@dataclass(frozen=True, slots=True)
class RepeatedPreference:
    """Each time the owner says or makes a choice in a situation speaks for it there.

    Another choice of the same sort in the same situation speaks against it, and so does saying that they do not want
    it there. What is preferred elsewhere says nothing.
    """

    name: str = "repeated_preference"

    def occasions(
        self,
        observations: Sequence[Observation],
        rules: PatternRules,  # noqa: ARG002 - the protocol's signature
        now: datetime,
    ) -> Iterator[Occasion]:
        """For each choice in each situation, every statement on that sort of choice there."""
        said = [
            one
            for one in observations
            if one.kind is ObservationKind.STATEMENT and one.context and one.value and one.at <= now
        ]
        situations: dict[str, list[Observation]] = {}
        for one in said:
            situations.setdefault(one.context, []).append(one)
        for context, there in situations.items():
            for attribute, value in sorted({(one.attribute, one.value) for one in there if not one.denies}):
                for one in there:
                    wanted = one.value == value and not one.denies
                    refused = one.value == value and one.denies
                    if refused or (one.attribute == attribute and not one.denies):
                        yield Occasion(
                            key=_JOIN.join((context, attribute, value)),
                            label=f"{context}{_JOIN}{value}",
                            observation=one,
                            speaks_for=wanted,
                        )

    def sentence(self, label: str) -> str:
        """By the situation and what is chosen in it."""
        context, _, value = label.partition(_JOIN)
        return f"{context[:1].upper()}{context[1:]} you usually choose {value}."
