"""Who is meant: "my sister" and "my manager's boss" resolved to names through facts, and slots looked up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.llm.answers import asked, classes
from core.llm.answers.ask import Ask, Term
from core.llm.answers.facts import Fact, Pool
from core.llm.answers.lexicon import ROWS
from core.model import Scope
from core.ports import FactLookup
from core.slots import normalise

# relations that include others: a child is a son or a daughter
_WIDE = frozenset({"child", "parent", "sibling", "pet", "spouse", "partner", "grandparent"})


class Relations:
    """Follows relations from the owner outward; adds what it looks up to the pool."""

    def __init__(self, pool: Pool, lookup: FactLookup, scope: Scope) -> None:
        """Bind the facts at hand and the way to more."""
        self._pool, self._lookup, self._scope = pool, lookup, scope

    def slot_facts(self, subject: str | None, attributes: Sequence[str]) -> list[Fact]:
        """Facts in these slots, in the order of `attributes`."""
        self._pool.add(self._lookup.by_slot(self._scope, subject=subject, attributes=list(attributes), limit=30))
        rank = {a: i for i, a in enumerate(attributes)}
        found = [
            f for f in self._pool.facts if f.memory.attribute in rank and (subject is None or f.subject == subject)
        ]
        return sorted(found, key=lambda f: rank[f.memory.attribute])

    def resolve(self, chain: Sequence[Term]) -> frozenset[str]:
        """Names (normalised) that "my manager's boss" stands for, the relation words included."""
        people = frozenset({"user"})
        for link in chain:
            found: set[str] = set()
            for fact in self.link(link, people):
                found.update(self._names(fact))
            people = frozenset(found) | {normalise(link.word)} | {_spaced(m) for m in link.meanings}
        return people if chain else frozenset()

    def link(self, link: Term, people: frozenset[str]) -> list[Fact]:
        """Facts that name a person in this relation to one of `people`."""
        attributes = [a for a in link.attributes if a in asked.PERSON_ATTRIBUTES] or list(link.attributes)
        facts = [f for f in self.slot_facts(None, attributes) if f.subject in people]
        if link.meanings & _WIDE:
            return facts
        exact = [f for f in facts if f.memory.attribute in link.meanings]
        if exact:
            return exact
        named = [f for f in facts if not link.meanings.isdisjoint(f.meanings - {f.memory.attribute})]
        if named:
            return named
        general = {"spouse", "partner", "wife", "husband", "child", "manager", "reports_to", "pet", "parent", "sibling"}
        return [f for f in facts if f.memory.attribute in general and _compatible(link, f)]

    def _names(self, fact: Fact) -> set[str]:
        value = fact.memory.value
        names = {normalise(value)}
        capitals = re.findall(r"[^\W\d_a-z][\w'’-]+(?: [^\W\d_a-z][\w'’-]+)*", value)
        names.update(normalise(c) for c in capitals)
        names.update(normalise(c.split()[0]) for c in capitals)
        facts = self._pool.add(
            m for name in list(names)[:3] for m in self._lookup.about(self._scope, subject=name, limit=20)
        )
        names.update(f.subject for f in facts)
        return {n for n in names if n and n != "user"}

    def named(self, ask: Ask) -> frozenset[str]:
        """Subjects that the question names, as in "who is older, Nils or Ida?"."""
        for term in ask.terms:
            self._pool.add(
                self._lookup.by_slot(self._scope, subject=term.word, attributes=["age", "birth_year"], limit=5)
            )
        return frozenset(f.subject for f in self._pool.facts if any(t.stem in f.subject_stems for t in ask.terms))


def _compatible(link: Term, fact: Fact) -> bool:
    """A fact of a general attribute fits a narrower relation unless its words name another one."""
    narrower = {
        "wife": "husband",
        "husband": "wife",
        "son": "daughter",
        "daughter": "son",
        "sister": "brother",
        "brother": "sister",
        "dog": "cat rabbit",
        "cat": "dog rabbit",
        "rabbit": "dog cat",
        "girlfriend": "boyfriend husband",
        "boyfriend": "girlfriend wife",
        "mother": "father",
        "father": "mother",
    }
    general = {"child", "parent", "sibling", "pet", "spouse", "partner", "manager"}
    if link.meanings & general:
        return True
    if fact.memory.attribute in ("pet", "child", "sibling", "parent"):  # "Biscuit, a whippet" may well be the dog
        kind = fact.memory.attribute
        return not {m for m in fact.meanings if m != kind and kind in asked.RELATIONS.get(m, ())} and not (
            kind == "pet" and classes.is_member("animal", fact.stems)
        )
    others = {o for m in link.meanings for o in narrower.get(m, "").split()}
    return fact.memory.attribute in ("spouse", "partner", "reports_to", "manager") and not others & (
        fact.meanings - {fact.memory.attribute}
    )


def _spaced(relation: str) -> str:
    """A relation as people write it: "motherinlaw" is "mother in law"."""
    return re.sub(r"inlaw$", " in law", relation)


def count_names(term: Term) -> list[str]:
    """Attributes that may hold the number of a relation: "number_of_kids"."""
    words = {
        term.word.casefold(),
        *(m for m in term.meanings),
        *(w for m in term.meanings for w in ROWS.get(m, ("",))[0].split()),
    }
    return [f"number_of_{w}{s}" for w in sorted(words) for s in ("", "s", "ren")] + [f"{w}s" for w in sorted(words)]
