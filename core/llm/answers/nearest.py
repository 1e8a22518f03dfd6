"""The statement nearest to a question that no slot answers: likeness in meaning, weighed with the words they share.

The strict rule (`matching`) wants every content word covered. People ask in other words than they told: "Which practice
employs me?" of "You are a dental hygienist at Bright Harbor Dental". Here the cosine of question and statement counts
too, but only for statements about the right person that hold the kind of answer asked for. Names and slots of their own
(an age, a phone number, a salary) are never answered by likeness.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.llm.answers import asked, courtesy, grammar
from core.llm.answers.ask import Ask, Term
from core.llm.answers.chosen import Chosen, distinct
from core.llm.answers.facts import Fact, Pool, fact_of
from core.llm.answers.grammar import Want
from core.llm.answers.matching import UNREAL, Matcher
from core.llm.answers.meaning import among
from core.llm.answers.words import stem, tokens, word_set
from core.slots import is_multi_valued, normalise

ENOUGH = 0.46  # score (cosine + share of words) from which a statement answers; set on questions without an answer
ENOUGH_TYPED = 0.40  # the same where the kind of answer is checkable: a date, a place, a person, a number
ENOUGH_SAID = 0.62  # the same for a quotation of what was said
SHARE = 0.3  # weight of the words shared, against the cosine
_LEAST = 0.2  # cosine under which shared words are a coincidence
_BESIDE = 0.06  # a second value of the same slot is told as well when it scores within this

# meanings that name a slot of their own: only a fact that has the word or the slot answers them
_OWN = word_set(
    "name firstname surname nickname birthday birthplace born old age blood nationality anniversary salary address "
    "email phonenumber allergy weigh tall budget hometown identity cost favourite dose deadline number code version "
    "seat return breed flatmate manager doctor landlord university medicine condition version password status"
)
# attributes that answer nothing but the question for them
_ONLY = word_set(
    "name full_name first_name surname nickname birthday birth_date date_of_birth age blood_type email phone "
    "phone_number salary weight height address nationality"
)
_TYPED = frozenset({Want.WHEN, Want.CLOCK, Want.YEAR, Want.COUNT, Want.LENGTH, Want.WHERE, Want.WHO, Want.AGE})
_ROLE = re.compile(r"(?i)\bwho(?:'s| is| are| was)\s+(?:my |our |the |your )?(?!\w+ing\b)[\w' -]+?\s*[?.!]*$")
_NAMING = re.compile(r"(?i)\bname of\b|\bcalled\b|'s name\b|\bname is\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Near:
    """How near a statement is: cosine, the share of the question's words it has, and what they come to."""

    fact: Fact
    cosine: float
    share: float
    score: float


class Nearest:
    """Finds the statement of a pool nearest to a question."""

    def __init__(self, pool: Pool, matcher: Matcher) -> None:
        """Bind the facts at hand and the strict rule, whose view of whom a fact is about is kept."""
        self._pool, self._matcher = pool, matcher

    def choose(self, ask: Ask, people: frozenset[str]) -> Chosen:
        """The nearest statement if it is near enough; else what was said if that is."""
        if not ask.terms and not ask.chain:
            return Chosen()
        if courtesy.asks_the_world(ask.clause) and not (ask.mine or ask.chain):
            return Chosen()
        ranked = sorted(
            (near for f in self._pool.facts if (near := self.near(ask, f, people))),
            key=lambda n: (-n.score, -n.fact.memory.stated_at.timestamp()),
        )
        if ranked and ranked[0].score >= (ENOUGH_TYPED if ask.want in _TYPED else ENOUGH):
            best = ranked[0]
            held = best.fact.memory
            beside = [
                n.fact
                for n in ranked[1:]
                if (n.fact.memory.attribute, n.fact.subject) == (held.attribute, best.fact.subject)
                and is_multi_valued(held.attribute)
                and n.score >= best.score - _BESIDE
            ]
            return Chosen(facts=tuple(distinct([best.fact, *beside])[:4]), near=True)
        said = [(score, e) for e in self._pool.events if (score := self._said(ask, e)) >= ENOUGH_SAID]
        if said:
            return Chosen(facts=(max(said, key=lambda pair: (pair[0], pair[1].memory.serial_no))[1],), event=True)
        return Chosen()

    def near(self, ask: Ask, fact: Fact, people: frozenset[str]) -> Near | None:
        """How near one fact is; None if it cannot be the answer."""
        if fact.unsure or fact.cosine < _LEAST or not self._about(ask, fact, people):
            return None
        if not _may_answer(ask, fact):
            return None
        share = self._share(ask, fact, people)
        if ask.polar and share < 0.5:  # noqa: PLR2004 - yes or no to something else is no answer
            return None
        if share == 0.0 and not ask.mine and not ask.chain:
            return None
        score = fact.cosine + SHARE * share
        if fact.memory.attribute in ask.attributes:
            score += 0.1
        return Near(fact=fact, cosine=fact.cosine, share=share, score=score)

    def _about(self, ask: Ask, fact: Fact, people: frozenset[str]) -> bool:
        if people:
            return self._matcher.is_about(ask, fact, people)
        if fact.subject == "user" or not ask.mine:
            return True
        return (
            any(among(t.stem, fact.subject_stems) for t in ask.terms)
            or re.match(r"(?i)(?:you|your)\b", fact.memory.text) is not None
            or fact.subject not in _persons(self._pool)
        )

    def _share(self, ask: Ask, fact: Fact, people: frozenset[str]) -> float:
        """The share of the question's content words that the fact has, the thing asked for counting most."""
        total = had = 0.0
        for term in ask.terms:
            weight = 0.3 if term.soft else 1.0
            total += weight
            if fact.covers(term) or self._matcher.describes(term, fact, people):
                had += weight
        return had / total if total else 0.0

    @staticmethod
    def _said(ask: Ask, event: Fact) -> float:
        """How near the best plain sentence of something said is; 0 if it cannot be the answer."""
        if ask.polar or event.cosine < _LEAST:
            return 0.0
        hard = [t for t in ask.terms if not t.soft]
        best = 0.0
        for sentence in re.split(r"(?<=[.!?…])\s+|\n+", event.words):
            if sentence.rstrip().endswith("?") or UNREAL.search(sentence) or courtesy.is_command(sentence):
                continue
            part = fact_of(replace(event.memory, text=f"You said: {sentence}"), cosine=event.cosine)
            had = [t for t in hard if part.covers(t, by_attribute=False)]
            if not had or not _may_answer(ask, part):
                continue
            best = max(best, event.cosine + SHARE * len(had) / len(hard))
        return best


def _persons(pool: Pool) -> frozenset[str]:
    """Names of people at hand: subjects that a relation names."""
    return frozenset(
        normalise(f.memory.value) for f in pool.facts if f.memory.attribute in asked.PERSON_ATTRIBUTES
    ) | frozenset(f.subject for f in pool.facts if f.memory.attribute in ("job", "age", "birthday", "role"))


def _may_answer(ask: Ask, fact: Fact) -> bool:
    """Whether the fact holds the kind of answer asked for, and has what likeness must not stand in for."""
    if not ask.polar and not fact.gives(ask.want):
        return False
    attribute = fact.memory.attribute
    for term in ask.terms:
        has = fact.covers(term)
        if not has and (_is_name(term, ask) or term.meanings & _OWN) and not term.soft:
            return False
    if attribute in _ONLY and attribute not in ask.attributes:
        return False
    if ask.want is Want.WHO and _ROLE.search(ask.clause) and not any(fact.covers(t) for t in ask.terms if not t.soft):
        return False
    if not ask.polar and not fact.is_event:
        value = frozenset(stem(w) for w in tokens(fact.memory.value))
        if value and value <= {t.stem for t in (*ask.terms, *ask.chain)}:
            return False  # it would only say the question again
    return not _NAMING.search(ask.clause) or _names(ask, fact)


def _names(ask: Ask, fact: Fact) -> bool:
    """Whether the fact gives a name to the thing asked about."""
    things = [t for t in (*ask.terms, *ask.chain) if not t.meanings & grammar.NAMING and not t.soft]
    if not all(fact.covers(t) for t in things):
        return False
    value = fact.memory.value if not fact.is_event else fact.words
    known = {t.stem for t in things}
    return any(w[:1].isupper() and stem(w) not in known for w in tokens(value))


def _is_name(term: Term, ask: Ask) -> bool:
    """Whether a term is written as a name."""
    if not term.word[:1].isupper() or term.word.startswith("§") or ask.language == "de":
        return False
    return not ask.clause.lstrip("¿ ").startswith(term.word)
