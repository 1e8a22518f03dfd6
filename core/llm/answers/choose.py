"""Which facts answer a question: by topic, by relation, by comparison, by restriction, or word for word."""

from __future__ import annotations

import re
from itertools import pairwise

from core.llm.answers import asked, classes, courtesy, grammar
from core.llm.answers.ask import Ask
from core.llm.answers.chosen import MOST, Chosen, distinct, whole
from core.llm.answers.facts import Pool
from core.llm.answers.grammar import Want
from core.llm.answers.kinds import KINDS
from core.llm.answers.matching import Matcher
from core.llm.answers.meaning import MARK
from core.llm.answers.nearest import Nearest
from core.llm.answers.relations import Relations, count_names
from core.llm.answers.words import stem, tokens
from core.model import Scope
from core.ports import FactLookup
from core.slots import normalise

# the order in which a person is summed up
_PROFILE = (
    "name",
    "nickname",
    "age",
    "job",
    "employer",
    "home",
    "hometown",
    "spouse",
    "partner",
    "child",
    "daughter",
    "son",
    "allergy",
    "medication",
    "condition",
    "diet",
    "dog",
    "cat",
    "pet",
    "sister",
    "brother",
    "manager",
    "hobby",
    "likes",
    "language",
    "birthday",
)


class Chooser:
    """Finds facts for the questions of one message; looks slots up as needed."""

    def __init__(self, pool: Pool, lookup: FactLookup, scope: Scope) -> None:
        """Bind the facts at hand and the way to more."""
        self._pool, self._lookup, self._scope = pool, lookup, scope
        self._relations, self._matcher = Relations(pool, lookup, scope), Matcher(pool)
        self._nearest = Nearest(pool, self._matcher)

    def choose(self, ask: Ask) -> Chosen:  # noqa: C901, PLR0911 - one line a kind of question
        """The facts that answer `ask`; `found` is False if none does."""
        self._gather(ask)
        if ask.topic:
            about = self._about(ask)
            if about.found or ask.topic == "me":
                return about
        if ask.eats:
            return self._eating(ask)
        if any(t.stem == MARK + "health" for t in ask.terms):
            return Chosen(facts=tuple(self._relations.slot_facts("user", asked.TRIGGERS["health"])[:MOST]))
        people = self._relations.resolve(ask.chain)
        if ask.compares and (ask.chain or ask.either):
            compared = self._compare(ask, people or self._relations.named(ask))
            if compared.found or not ask.chain or ask.either or not self._named(ask):
                return compared
        if ask.only_relation:
            return self._relation(ask)
        if not ask.terms:
            return Chosen()
        found = self._matcher.match(ask, people)
        if not found.found and ask.polar and ask.mine and any(t.meanings & {"eat", "drink"} for t in ask.terms):
            return self._forbidden(ask) or found
        if not found.found and ask.want is Want.AGE:
            return self._age(ask, people)
        return found

    def nearest(self, ask: Ask) -> Chosen:
        """The statement nearest in meaning, for a question that `choose` cannot answer."""
        if ask.topic == "me" or ask.eats or ask.either:
            return Chosen()
        before: frozenset[str] = frozenset()
        if ask.leans:
            told = self.choose(ask.leans)
            told = told if told.found else self.nearest(ask.leans)
            before = frozenset(f.memory.episode_id for f in told.facts)
            for subject in {"user", *(f.memory.subject for f in told.facts)}:
                self._pool.add(self._lookup.about(self._scope, subject=subject, limit=30))
        kinds = sorted({a for t in ask.terms for a in KINDS.get(t.stem, ())})
        if kinds:
            self._pool.add(
                self._lookup.by_slot(
                    self._scope, subject="user" if ask.mine and not ask.chain else None, attributes=kinds, limit=30
                )
            )
        return self._nearest.choose(ask, self._relations.resolve(ask.chain), before)

    # --- gathering ---------------------------------------------------------------------------------------------

    def _gather(self, ask: Ask) -> None:
        attributes = list(ask.attributes)
        if attributes:
            direct = ask.mine and not ask.chain
            self._pool.add(
                self._lookup.by_slot(self._scope, subject="user" if direct else None, attributes=attributes, limit=30)
            )
        if ask.want is Want.WHY:
            self._pool.add(self._lookup.about(self._scope, subject="user", limit=30))
        names: list[str] = []
        run: list[str] = []
        for term in ask.terms:
            if not term.word.startswith("§"):
                run.append(term.word)
                names.append(term.word)
        if len(run) > 1:
            names.append(" ".join(run))
            names.extend(" ".join(pair) for pair in pairwise(run))
        if ask.topic and ask.topic != "me":
            names.append(re.sub(r"(?i)^(?:my|our|the|a|an|mi|mein\w*|mon|ma)\s+", "", ask.topic))
        for name in dict.fromkeys(names[:8]):
            self._pool.add(self._lookup.about(self._scope, subject=name, limit=12))

    # --- kinds of questions ------------------------------------------------------------------------------------

    def _about(self, ask: Ask) -> Chosen:
        if ask.topic == "me":
            self._pool.add(self._lookup.about(self._scope, subject="user", limit=20))
            mine = [f for f in self._pool.facts if f.subject == "user"]
            mine.sort(
                key=lambda f: (
                    _PROFILE.index(f.memory.attribute) if f.memory.attribute in _PROFILE else len(_PROFILE),
                    -f.memory.importance,
                )
            )
            return Chosen(facts=tuple(whole(distinct(mine))[:7]))
        bare = re.sub(r"(?i)^(?:my|our|the|a|an|mi|mein\w*|mon|ma)\s+", "", ask.topic)
        wanted = normalise(bare)
        stems = frozenset(stem(w) for w in tokens(bare))
        people = self._relations.resolve(ask.chain) if ask.chain else frozenset()
        found = [
            f
            for f in self._pool.facts
            if f.subject == wanted
            or f.subject in people
            or normalise(f.memory.value) == wanted
            or (stems and stems <= f.stems)
        ]
        found.sort(
            key=lambda f: (
                normalise(f.memory.value) != wanted and f.memory.attribute not in asked.PERSON_ATTRIBUTES,
                -f.memory.importance,
            )
        )
        if not found and stems:
            said = [e for e in self._pool.events if stems <= e.stems and not e.words.rstrip().endswith("?")]
            said = [e for e in said if not courtesy.is_command(e.words) and not courtesy.is_forgetting(e.words)]
            return Chosen(facts=tuple(said[:1]), event=True)
        return Chosen(facts=tuple(whole(distinct(found))[:5]))

    def _eating(self, ask: Ask) -> Chosen:
        stop = grammar.STOP[ask.language]
        thing = frozenset(stem(w) for w in tokens(ask.eats) if w.casefold() not in stop)
        attributes = (*asked.TRIGGERS["eat"], "medication", "drinks", "alcohol", "event", "statement")
        facts = [
            f
            for f in self._relations.slot_facts("user", attributes)
            if f.memory.attribute not in ("likes", "event", "statement") or f.stems & thing
        ]
        limits = [f for f in facts if classes.bears_on(f.stems, thing)]
        if classes.is_member(
            "medicin", thing
        ):  # which medicines go together is not for rules to say: name all that is known
            limits += [
                f
                for f in facts
                if f not in limits
                and (
                    f.memory.attribute in ("medication", "condition")
                    or (
                        f.memory.attribute == "allergy"
                        and (classes.is_member("medicin", f.stems) or not f.stems & classes.KNOWN)
                    )
                )
            ]
        if limits:
            return Chosen(facts=tuple(distinct(limits)[:3]))
        if not thing or classes.is_edible(thing) or ask.mine:
            known = [
                f for f in facts if f.memory.attribute in ("allergy", "condition", "diet", "avoids", "intolerance")
            ]
            return Chosen(nearby=tuple(distinct(known)[:3]))
        return Chosen()

    def _forbidden(self, ask: Ask) -> Chosen | None:
        """Answer "do I eat meat?": a diet or an intolerance says no."""
        thing = frozenset(t.stem for t in ask.terms if not t.meanings & {"eat", "drink"})
        facts = self._relations.slot_facts("user", ("diet", "condition", "allergy", "intolerance", "avoids", "alcohol"))
        limits = distinct([f for f in facts if classes.bears_on(f.stems, thing)])
        return Chosen(facts=tuple(limits[:2]), verdict=False) if limits else None

    def _age(self, ask: Ask, people: frozenset[str]) -> Chosen:
        """An age from a birthday whose year is known."""
        born = [
            f
            for f in self._relations.slot_facts(None, ("birthday", "birth_year", "date_of_birth"))
            if re.search(r"\b(?:19|20)\d\d\b", f.memory.value)
        ]
        named = {t.stem for t in ask.terms if "old" not in t.meanings}
        fitting = [
            f
            for f in born
            if (
                f.subject in people
                if people
                else f.subject_stems & named
                if named
                else ask.mine and f.subject == "user"
            )
        ]
        return Chosen(facts=tuple(fitting[:1]), aged=True)

    def _compare(self, ask: Ask, people: frozenset[str]) -> Chosen:
        ages = [f for f in self._relations.slot_facts(None, ("age", "birth_year")) if f.subject in people]
        valued = [(n, f) for f in ages if (n := _figure(f.memory.value)) is not None]
        if len(valued) < 2:  # noqa: PLR2004 - nothing to compare
            return Chosen()
        valued.sort(key=lambda pair: pair[0], reverse=ask.compares == "old")
        return Chosen(facts=tuple(f for _, f in valued), people=(valued[0][1].memory.subject,))

    def _named(self, ask: Ask) -> bool:
        """Whether anyone in the relation asked about is known by name."""
        return any(f.memory.value[:1].isupper() for f in self._relations.link(ask.chain[-1], frozenset({"user"})))

    def _relation(self, ask: Ask) -> Chosen:
        """What is my sister called; do I have a son; how many nieces have I; who is my manager's boss."""
        *before, last = ask.chain
        owners = self._relations.resolve(before) if before else frozenset({"user"})
        facts = self._relations.link(last, owners)
        named = [f for f in facts if normalise(f.memory.value) != f.memory.attribute.replace("_", " ")]
        facts = named or facts  # "you have a daughter" adds nothing to her name
        if ask.want is Want.COUNT:
            names = [asked.COUNTED[m] for m in sorted(last.meanings) if m in asked.COUNTED]
            counted = self._relations.slot_facts("user", (*names, *count_names(last)))
            if counted:
                return Chosen(facts=tuple(counted[:1]))
            numbered = [
                f
                for f in facts
                if re.match(r"\d+\b", f.memory.value)
                or (f.memory.attribute not in asked.RELATIONS and f.gives(Want.COUNT))
            ]
            if numbered:
                return Chosen(facts=tuple(numbered[:1]))
            values = {
                normalise(v)
                for f in facts
                for v in re.split(r",|\band\b|\by\b|\bund\b|\bet\b|、|和", f.memory.value)
                if v.strip()
            }
            return Chosen(facts=tuple(distinct(facts)[:MOST]), count=len(values) if facts else None)
        if ask.want in (Want.AGE, Want.WHEN, Want.WHERE, Want.NUMBER, Want.LENGTH, Want.WHY, Want.CLOCK):
            people = self._relations.resolve(ask.chain)
            about = [f for f in self._pool.facts if f.subject in people and f.gives(ask.want)]
            return Chosen(facts=tuple(distinct(about)[:2]))
        if ask.want is Want.ANY or ask.want is Want.WHO:
            facts = [f for f in facts if not f.memory.value.strip().isdigit()]
        return Chosen(facts=tuple(distinct(facts)[:MOST]), verdict=True if ask.polar and facts else None)


def _figure(value: str) -> float | None:
    match = re.search(r"\d+(?:\.\d+)?", value)
    return float(match[0]) if match else None
