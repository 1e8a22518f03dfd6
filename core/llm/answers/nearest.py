"""The statement nearest to a question that no slot answers: likeness in meaning, weighed with the words they share.

The strict rule (`matching`) wants every content word covered. People ask in other words than they told: "Which practice
employs me?" of "You are a dental hygienist at Bright Harbor Dental". Here the cosine of question and statement counts
too, but only for statements about the right person that hold the kind of answer asked for. Names and slots of their own
(an age, a phone number, a salary) are never answered by likeness.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.llm.answers import asked, courtesy
from core.llm.answers.ask import Ask
from core.llm.answers.chosen import Chosen, distinct
from core.llm.answers.facts import Fact, Pool, fact_of
from core.llm.answers.grammar import Want
from core.llm.answers.kinds import HELD, fits
from core.llm.answers.matching import OTHERS, POSSESSED, UNREAL, Matcher
from core.llm.answers.meaning import among
from core.llm.answers.refusals import EXACT, WISHES, hard_terms, head_of, refused, tells_who
from core.llm.answers.words import word_set
from core.slots import SLOTS, is_multi_valued, normalise

ENOUGH = 0.44  # score (cosine + share of words) from which a statement answers; set on questions without an answer
ENOUGH_HEAD = 0.52  # the same where the thing asked for ("which airline") is not named by the statement
ENOUGH_ODD = 0.6  # the same for a slot that is known to hold something else
ENOUGH_TYPED = 0.40  # the same where the kind of answer is checkable: a date, a place, a person, a number
ENOUGH_SAID = 0.62  # the same for a quotation of what was said
SHARE = 0.3  # weight of the words shared, against the cosine
SLOT = 0.1  # added for a fact in a slot that may hold what is asked for
FOLLOWS = 0.2  # added for a fact told in one breath with the answer to the question before
ALONE = 0.52  # score needed without any word of the question
LIKE = 0.55  # cosine from which a slot of the right kind answers although the thing itself is not named
_SPECIFIC = 0.31  # cosine under which "you use X" is no answer to "which laptop"
APART = 0.35  # cosine under which a fact must have a word of the question, not just its slot
_LEAST = 0.2  # cosine under which shared words are a coincidence
_BESIDE = 0.12  # a second value of the same slot is told as well when it scores within this

_VAGUE = word_set("uses owns likes dislikes hobby device decision tool job")  # slots that hold many kinds of things
_OPEN = word_set("project plan goal role description lesson statement decision")  # may be of anything
_TYPED = frozenset({Want.WHEN, Want.CLOCK, Want.YEAR, Want.COUNT, Want.LENGTH, Want.WHERE, Want.WHO, Want.AGE})


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

    def choose(self, ask: Ask, people: frozenset[str], before: frozenset[str] = frozenset()) -> Chosen:
        """The nearest statement if it is near enough; else what was said if that is.

        `before`: episodes of the facts that answered the question this one refers to.
        """
        if not ask.terms and not ask.chain and not (before and ask.want in _TYPED):
            return Chosen()
        if courtesy.asks_the_world(ask.clause) and not (ask.mine or ask.chain):
            return Chosen()
        ranked = sorted(
            (near for f in self._pool.facts if (near := self.near(ask, f, people, before))),
            key=lambda n: (-n.score, -n.fact.memory.stated_at.timestamp()),
        )
        best = next((n for n in ranked if n.score >= _enough(ask, n.fact)), None)
        if best:
            held = best.fact.memory
            beside = [
                n.fact
                for n in ranked
                if n is not best
                and (n.fact.memory.attribute, n.fact.subject) == (held.attribute, best.fact.subject)
                and is_multi_valued(held.attribute)
                and (
                    n.score >= best.score - _BESIDE or (_lists(ask, held.attribute) and n.score >= _enough(ask, n.fact))
                )
            ]
            return Chosen(facts=tuple(distinct([best.fact, *beside])[:4]), near=True)
        said = [(score, e) for e in self._pool.events if (score := self._said(ask, e)) >= ENOUGH_SAID]
        if said:
            return Chosen(facts=(max(said, key=lambda pair: (pair[0], pair[1].memory.serial_no))[1],), event=True)
        return Chosen()

    def near(self, ask: Ask, fact: Fact, people: frozenset[str], before: frozenset[str] = frozenset()) -> Near | None:
        """How near one fact is; None if it cannot be the answer."""
        attribute = fact.memory.attribute
        follows = fact.memory.episode_id in before and not ask.only_relation
        fitting = any(fits(t.stem, attribute) for t in ask.terms)
        vague = not _VAGUE.isdisjoint({attribute, *attribute.split("_")})
        if fact.unsure or not (follows or self._about(ask, fact, people)) or refused(ask, fact):
            return None
        if any(t.meanings & EXACT for t in ask.terms) and not self._matcher.is_about(ask, fact, people):
            return None
        if not follows and fact.cosine < _floor(ask, fact, fitting=fitting, vague=vague):
            return None
        share = self._share(ask, fact, people)
        if share < _least_share(ask, fact, follows=follows):
            return None
        score = max(fact.cosine, _LEAST) + SHARE * share
        if follows and (fitting or ask.want is not Want.ANY or _has_head(ask, fact)):
            score += FOLLOWS
        if (attribute in ask.attributes and _has_head(ask, fact)) or fitting:
            score += SLOT / 2 if vague and attribute not in ask.attributes else SLOT
        return Near(fact=fact, cosine=fact.cosine, share=share, score=score)

    def _about(self, ask: Ask, fact: Fact, people: frozenset[str]) -> bool:
        if people:
            return self._matcher.is_about(ask, fact, people)
        if fact.subject == "user" or not ask.mine:
            return True
        return (
            any(among(t.stem, fact.subject_stems) for t in ask.terms)
            or (
                re.match(r"(?i)(?:you|your)\b", fact.memory.text) is not None
                and not OTHERS.match(re.sub(r"(?i)^your\b", "my", fact.memory.text))
            )
            or fact.subject not in _persons(self._pool)
        )

    def _share(self, ask: Ask, fact: Fact, people: frozenset[str]) -> float:
        """The share of the question's content words that the fact has, the thing asked for counting most."""
        total = had = 0.0
        heads = [t for t in ask.terms if t.head]
        kind = heads and (fact.covers(heads[-1]) or fits(heads[-1].stem, fact.memory.attribute))
        for term in ask.terms:
            weight = 0.3 if term.soft or (kind and term in heads[:-1]) else 1.0
            total += weight
            if fact.covers(term) or self._matcher.describes(term, fact, people):
                had += weight
            elif fits(term.stem, fact.memory.attribute):
                had += weight / 2
        return had / total if total else 0.0

    @staticmethod
    def _said(ask: Ask, event: Fact) -> float:
        """How near the best plain sentence of something said is; 0 if it cannot be the answer."""
        placed = ask.want in (Want.WHERE, Want.WHEN)
        if ask.polar or event.cosine < _LEAST or (POSSESSED.search(ask.clause) and not placed):
            return 0.0
        hard = hard_terms(ask)
        if hard and not ask.chain and all(t.attributes for t in hard):
            return 0.0  # a slot of one's own: if it still held there would be a fact
        best = 0.0
        for sentence in re.split(r"(?<=[.!?…])\s+|\n+", event.words):
            if not ask.chain and OTHERS.match(sentence):
                continue  # "My partner teaches" says nothing of oneself
            if sentence.rstrip().endswith("?") or UNREAL.search(sentence) or courtesy.is_command(sentence):
                continue
            part = fact_of(replace(event.memory, text=f"You said: {sentence}"), cosine=event.cosine)
            had = [t for t in hard if part.covers(t, by_attribute=False)]
            if not had or refused(ask, part):
                continue
            best = max(best, event.cosine + SHARE * len(had) / len(hard))
        return best


def _has_head(ask: Ask, fact: Fact) -> bool:
    head = head_of(ask)
    return head is None or fact.covers(head)


def _floor(ask: Ask, fact: Fact, *, fitting: bool, vague: bool) -> float:
    """The cosine that a fact needs, by how little else speaks for it."""
    by_word = any(fact.covers(t, by_attribute=False) for t in ask.terms)
    if fitting:
        if _else(ask, fact):
            return LIKE if vague else LIKE - 0.1
        return _SPECIFIC if vague and not by_word and not _has_head(ask, fact) else 0.0
    if not by_word:
        return APART
    return 0.0 if not fact.cosine and fact.memory.attribute in ask.attributes else _LEAST


def _least_share(ask: Ask, fact: Fact, *, follows: bool) -> float:
    """The share of the question's words that a fact needs."""
    if ask.only_relation:
        told = all(fact.covers(t) for t in ask.chain) and tells_who(ask, fact)
        return 0.0 if told else 2.0
    hard = hard_terms(ask)
    if ask.polar and len(hard) > 1 and not any(fact.covers(t, by_attribute=False) for t in hard):
        return 2.0
    if ask.polar or ask.language != "en":  # yes or no to something else is no answer
        return 0.3 if fact.memory.attribute in WISHES else 0.5
    return 0.01 if not (ask.mine or ask.chain or follows) else 0.0


def _lists(ask: Ask, attribute: str) -> bool:
    """Whether everything in a slot of the kind asked for is wanted: "what instruments do I play?"."""
    return (
        attribute not in _VAGUE
        and re.match(r"(?i)(?:what|which) \w+ (?:do|can|have|am|are)\b", ask.clause) is not None
        and any(t.head and fits(t.stem, attribute) for t in ask.terms)
    )


def _enough(ask: Ask, fact: Fact) -> float:
    """The score that a statement needs, by what can be checked about it."""
    hard = [t for t in (*ask.terms, *ask.chain) if not t.soft]
    if hard and not any(fact.covers(t) or fits(t.stem, fact.memory.attribute) for t in hard):
        return ALONE
    heads = [t for t in ask.terms if t.head][-1:]  # in "programming language" the language is asked for
    if any(not fact.covers(t) and not fits(t.stem, fact.memory.attribute) for t in heads) and ask.want in (
        Want.ANY,
        Want.WHO,
    ):
        if fact.memory.attribute in _OPEN:
            return ENOUGH_HEAD
        known = fact.memory.attribute in SLOTS or fact.memory.attribute in HELD
        return ENOUGH_ODD if known else ENOUGH_HEAD
    return ENOUGH_TYPED if ask.want in _TYPED else ENOUGH


def _else(ask: Ask, fact: Fact) -> bool:
    """Whether the question names a thing that neither the fact nor its slot has, and nothing that the fact has."""
    if fact.memory.attribute in WISHES:
        return False
    hard = [t for t in ask.terms if not t.soft]
    heads = [t for t in hard if t.head]
    if heads and fits(heads[-1].stem, fact.memory.attribute):
        hard = [t for t in hard if not t.head or t is heads[-1]]  # "game engine" is an engine
    strange = [t for t in hard if not fact.covers(t) and not fits(t.stem, fact.memory.attribute)]
    return bool(strange) and not any(fact.covers(t) for t in hard)


def _persons(pool: Pool) -> frozenset[str]:
    """Names of people at hand: subjects that a relation names."""
    return frozenset(
        normalise(f.memory.value) for f in pool.facts if f.memory.attribute in asked.PERSON_ATTRIBUTES
    ) | frozenset(f.subject for f in pool.facts if f.memory.attribute in ("job", "age", "birthday", "role"))
