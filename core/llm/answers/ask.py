"""One question as the responder understands it."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.llm.answers.asked import RELATIONS, TRIGGERS
from core.llm.answers.grammar import Want


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """One word that an answer has to cover, with what it stands for."""

    word: str
    stem: str
    meanings: frozenset[str]
    head: bool = False
    soft: bool = False  # may stay uncovered: a unit, a generic noun

    @property
    def attributes(self) -> tuple[str, ...]:
        """Attributes of facts that answer this word."""
        found: list[str] = []
        for meaning in sorted(self.meanings):
            found.extend(TRIGGERS.get(meaning, ()))
            found.extend(RELATIONS.get(meaning, ()))
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """One question of a message."""

    clause: str
    language: str
    want: Want
    terms: tuple[Term, ...]
    chain: tuple[Term, ...] = ()  # relations from the user outward: "my sister's dog" is (sister, dog)
    mine: bool = False  # asks about the user
    polar: bool = False
    negated: bool = False
    either: tuple[str, str] | None = None  # "rent or own": one of the two stems
    listing: bool = False
    compares: str = ""  # "old" or "young": which of several
    topic: str = ""  # "tell me about X", "me" for the user
    eats: str = ""  # "may I eat X"
    fragment: bool = False
    pair: bool = False  # two things joined by "and": maybe two questions
    pronoun: bool = False
    leans: Ask | None = None  # the question before, if this one refers to it ("what year is it from?")
    heads: frozenset[str] = field(default_factory=frozenset)

    @property
    def attributes(self) -> tuple[str, ...]:
        """Attributes asked for by any term, most direct first."""
        return tuple(dict.fromkeys(a for term in self.terms for a in term.attributes))

    @property
    def only_relation(self) -> bool:
        """Whether nothing but the relation itself is asked: "what is my sister called?"."""
        return bool(self.chain) and not self.terms
