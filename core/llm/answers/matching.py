"""The strict rule by which one fact answers one question, so that the unknown stays unknown.

A fact answers only if (1) it is about whom the question is about, (2) it covers the words that name the thing asked
for, (3) every other content word is covered by it, by what is known of its subject, or by a neighbouring fact from the
same message, and (4) it holds the kind of answer that is wanted. Similarity alone never suffices.
"""

# ruff: noqa: E501 - a row is one pattern

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.answers import asked, classes, courtesy, grammar
from core.llm.answers.ask import Ask, Term
from core.llm.answers.chosen import MOST, Chosen, distinct
from core.llm.answers.facts import Fact, Pool, fact_of
from core.llm.answers.grammar import Want
from core.llm.answers.meaning import among
from core.llm.answers.words import stem, tokens, word_set
from core.slots import is_multi_valued, normalise

NEAR = 0.62  # cosine (all-MiniLM-L6-v2) from which one uncovered word in three or more is forgiven
_FAINT = 0.3  # cosine under which one shared word is a coincidence
KIND_NEAR = 0.42  # cosine from which a value of unknown class passes for the class asked ("which herb …")
# slots whose other value is worth telling when a yes-or-no question does not match it
_BESIDE = frozenset(
    [
        "language",
        "allergy",
        "diet",
        "hobby",
        "medication",
        "pet",
        "dog",
        "cat",
        "home",
        "employer",
        "age",
        "birthday",
        "hometown",
        "car",
    ]
)
# attributes that say who or what their subject is
_DESCRIPTIVE = asked.PERSON_ATTRIBUTES | word_set(
    "role job title description purpose replaces type kind project plumber responsibility"
)
# a sentence about someone else than its writer
OTHERS = re.compile(
    rf"(?i)(?:and |but |so )?(?:my|our) (?:{'|'.join(sorted(asked.RELATIONS))}|mum|mom|dad|boss|kids?)\b"
)
PERSONAL = word_set(
    "phone phone_number email address age birthday job employer home name nickname salary weight height"
)
# a slot of the user's own: if it were still true there would be a fact, so what was once said must not answer
POSSESSED = re.compile(
    r"(?i)\b(?:what|which|who|when|where|how)(?:'s| is| are| was| were|s)? (?:my|our)\b|^(?:and )?(?:my|our)\b"
)
# not meant, not real, or not said by the person themself
UNREAL = re.compile(
    r"(?i)\b(?:if|suppose|imagine|what if|let's|maybe|perhaps|might|lol|haha\w*|joke|role-?play|story|story:|pretend|would)\b|[😂🤣]|[\"“”>]"
)


_NUMBERED = re.compile(
    r"(?i)\b(?:phone|mobile|passport|account|card|seat|flight|room|house|reference) number\b|'s number\b"
)


class Matcher:
    """Finds the facts of a pool that answer a question by its words."""

    def __init__(self, pool: Pool) -> None:
        """Bind the facts at hand."""
        self._pool = pool

    def match(self, ask: Ask, people: frozenset[str]) -> Chosen:
        """The facts that answer by their words, else what was said in so many words, else what is near."""
        scored = [(score, f) for f in self._pool.facts if (score := self._score(ask, f, people)) > 0]
        if not scored:
            quoted = [(s, e) for e in self._pool.events if (s := _event_score(ask, e)) > 0]
            if quoted:
                return Chosen(
                    facts=(max(quoted, key=lambda pair: (pair[0] // 1, pair[1].memory.serial_no))[1],), event=True
                )
            return Chosen(nearby=tuple(self._nearby(ask)) if ask.polar else ())
        scored.sort(key=lambda pair: (-pair[0], -pair[1].memory.stated_at.timestamp()))
        facts = self._company(ask, scored)
        if ask.want is Want.WHY:
            facts = self._reasons(facts)
        if ask.want is Want.COUNT and not any(f.gives(Want.COUNT) for f in facts):
            slot = (facts[0].memory.attribute, facts[0].subject)
            values = {normalise(f.memory.value) for _, f in scored if (f.memory.attribute, f.subject) == slot}
            return Chosen(facts=tuple(facts), count=len(values))
        verdict = _verdict(ask, facts[0]) if ask.polar and not ask.either else None
        return Chosen(facts=tuple(facts[:MOST]), verdict=verdict)

    def _company(self, ask: Ask, scored: list[tuple[float, Fact]]) -> list[Fact]:
        """The best fact, and the others that answer as well: same slot when it holds many, or the same score."""
        best_score, best = scored[0]
        kept = [best]
        for score, fact in scored[1:]:
            same_slot = fact.memory.attribute == best.memory.attribute and fact.subject == best.subject
            if (
                (same_slot and is_multi_valued(best.memory.attribute) and score >= best_score - 0.6)
                or (
                    score >= best_score - 0.15
                    and fact.memory.attribute != best.memory.attribute
                    and ask.want not in (Want.WHO, Want.WHERE)
                    and fact.memory.attribute not in ("name", "nickname", "first_name")
                )
                or (ask.listing and score >= best_score - 0.6)
            ):
                kept.append(fact)
        if is_multi_valued(best.memory.attribute):
            kept.sort(key=lambda f: f.memory.serial_no)  # a list reads in the order in which it was told
        return distinct(kept, ask.language)

    def _reasons(self, facts: list[Fact]) -> list[Fact]:
        """A why-question: what was said in the same breath, weightiest first."""
        beside = [f for f in self._context(facts[0]) if not f.is_event and f not in facts]
        return distinct([*facts[:1], *sorted(beside, key=lambda f: -f.memory.importance)[:2]])

    def _score(self, ask: Ask, fact: Fact, people: frozenset[str]) -> float:  # noqa: C901, PLR0911, PLR0912 - the rule is a row of refusals
        """How well a fact answers; 0 if it does not."""
        if not self.is_about(ask, fact, people):
            return 0.0
        counted = (
            ask.want is Want.COUNT
            and is_multi_valued(fact.memory.attribute)
            and any(fact.memory.attribute in t.attributes for t in ask.terms if t.head)
        )
        if not ask.polar and not fact.gives(ask.want) and not counted:
            return 0.0
        if ask.leans and ask.pronoun and fact.subject == "user" and fact.memory.attribute in PERSONAL:
            return 0.0  # "how do I reach him?" does not ask for one's own number
        if _NUMBERED.search(ask.clause) and not re.search(r"\d", fact.words):
            return 0.0
        own = [t for t in ask.terms if fact.covers(t)]
        hard = [t for t in ask.terms if not t.soft]
        if ask.either:
            missing_either = [t for t in hard if t.stem in ask.either]
            if not any(fact.covers(t) for t in missing_either):
                return 0.0
            hard = [t for t in hard if t.stem not in ask.either]
        heads = [t for t in ask.terms if t.head and t not in own and not (ask.either and t.stem in ask.either)]
        if any(not self._kind_passes(ask, t, fact) for t in heads):
            return 0.0
        if not any(
            fact.states(t) or t.soft for t in own
        ):  # "penicillin" is a medicine, but not therefore one that is taken
            return 0.0
        missing = [t for t in hard if t not in own and t not in heads]
        described = [t for t in missing if self.describes(t, fact, people)]
        missing = [t for t in missing if t not in described]
        by_word = all(fact.covers(t, by_attribute=False) for t in ask.terms if t.head) and any(
            fact.covers(t, by_attribute=False) for t in hard
        )
        context = self._context(fact) if missing and by_word and not ask.pair else []
        open_terms = [  # a name must stand in a fact: a message may name several people
            t
            for t in missing
            if not any(c.covers(t, by_attribute=False) for c in context if not (c.is_event and t.word[:1].isupper()))
        ]
        if open_terms and not (len(open_terms) == 1 and len(hard) > 2 and fact.cosine >= NEAR):  # noqa: PLR2004
            return 0.0
        if not any(t.head for t in ask.terms) and len([t for t in own if not t.soft]) * 2 < len(hard) - len(described):
            return 0.0
        telling = [t for t in hard if not among(t.stem, fact.subject_stems) and t not in described and t not in heads]
        if telling and not any(
            t in own for t in telling
        ):  # the name alone, with the rest found elsewhere, says nothing
            return 0.0
        if fact.subject == "user" and fact.memory.attribute == "role" and any("livelihood" in t.meanings for t in own):
            return 0.0  # a duty at work is no livelihood; of someone else it may be all that is known
        if len(hard) == 1 and fact.cosine < _FAINT and not self._names_slot(hard[0], fact):
            return 0.0
        words = sum(1.0 if fact.covers(t, by_attribute=False) else 0.8 for t in own)
        attributes = ask.attributes
        rank = attributes.index(fact.memory.attribute) if fact.memory.attribute in attributes else len(attributes)
        slot = 0.5 - 0.4 * rank / (len(attributes) or 1) if rank < len(attributes) else 0.0
        named = 1.0 if fact.memory.attribute in {m for t in ask.terms for m in t.meanings | {t.stem}} else 0.0
        return words - 0.5 * len(open_terms) + slot + named + 0.2 * max(fact.cosine, 0.0)

    @staticmethod
    def _names_slot(term: Term, fact: Fact) -> bool:
        """Whether the one word asked for is what the fact is about, not a word in passing ("bank holiday")."""
        about = frozenset(stem(w) for w in tokens(f"{fact.memory.attribute} {fact.memory.subject}".replace("_", " ")))
        return (
            fact.memory.attribute in term.attributes
            or among(term.stem, about)
            or not term.meanings.isdisjoint(fact.meanings)
            or fact.memory.language != "en"
        )

    def describes(self, term: Term, fact: Fact, people: frozenset[str]) -> bool:
        """Whether the term says who or what the fact's subject is: "our iOS developer", when Yuki is that."""
        if term.word.casefold() in people or not term.meanings.isdisjoint(people):
            return True
        if fact.subject in ("user", ""):
            return False
        return any(
            f is not fact
            and (
                f.subject == fact.subject
                or fact.subject in normalise(f.memory.value)
                or f.memory.attribute.replace("_", " ") == fact.subject
            )
            and (
                f.memory.attribute in _DESCRIPTIVE
                or f.memory.attribute.replace("_", " ") == fact.subject
                or among(term.stem, frozenset(stem(w) for w in f.memory.attribute.split("_")))
            )
            and f.covers(term, by_attribute=False)
            for f in self._pool.facts
        )

    def _context(self, fact: Fact) -> list[Fact]:
        """Facts from the same message on the same subject or on the thing it belongs to, and the message itself."""
        return [
            f
            for f in (*self._pool.facts, *self._pool.events)
            if f is not fact and f.memory.episode_id == fact.memory.episode_id
        ]

    def _kind_passes(self, ask: Ask, term: Term, fact: Fact) -> bool:
        """Whether an uncovered head may be a class that the fact's value belongs to ("which herb do I dislike?")."""
        if ask.polar:  # "do I like mint?" must find mint
            return False
        others = [t for t in ask.terms if t is not term and not t.soft]
        if "breed" in term.meanings and ask.chain:
            return fact.memory.attribute in ("dog", "cat", "rabbit", "pet", "description", "breed")
        if (
            not others
            or not all(fact.covers(t) for t in others)
            or {"favourite"} & {m for t in others for m in t.meanings}
        ):
            return False
        if "breed" in term.meanings:
            return fact.memory.attribute in ("dog", "cat", "rabbit", "pet", "description")
        if classes.is_class(term.stem) and fact.stems & classes.KNOWN and term.stem not in ("food", "dish"):
            return False
        return fact.memory.attribute in ("dislikes", "allergy", "avoids", "likes") and fact.cosine >= KIND_NEAR

    def is_about(self, ask: Ask, fact: Fact, people: frozenset[str]) -> bool:
        """Whether the fact is about whom the question is about."""
        if people:
            return fact.subject in people or (
                _mentions(people, fact.stems | frozenset(tokens(fact.memory.text.casefold())))
                and not (
                    fact.subject == "user"
                    and ask.attributes
                    and fact.memory.attribute in ("medication", "allergy", "age", "birthday", "job", "home")
                )
            )
        if fact.subject == "user":
            return True
        if (
            ask.mine
            and ask.want is Want.WHO
            and not any(among(t.stem, fact.stems) or fact.memory.attribute in t.attributes for t in ask.terms if t.head)
        ):
            return False
        if ask.mine and ask.want is not Want.WHO:
            if any(not fact.covers(t) and self.describes(t, fact, frozenset()) for t in ask.terms):
                return True
            return any(
                among(t.stem, fact.subject_stems) or not t.meanings.isdisjoint(fact.subject_meanings) for t in ask.terms
            )
        return True

    def _nearby(self, ask: Ask) -> list[Fact]:
        """Facts in the slot asked about, on the same subject: said beside "I don't know"."""
        attributes = [a for a in ask.attributes if a in _BESIDE]
        found = [
            f
            for f in self._pool.facts
            if f.memory.attribute in attributes
            and ((f.subject == "user" and ask.mine) or any(among(t.stem, f.subject_stems) for t in ask.terms))
        ]
        return distinct(found)[:3]


def _mentions(people: frozenset[str], words: frozenset[str]) -> bool:
    """Whether a text has one of the people by a name, or a relation of several words ("mother in law") as a whole."""
    return any(
        frozenset(p.split()) <= words if p.endswith(" in law") else not frozenset(p.split()).isdisjoint(words)
        for p in people
    )


def _verdict(ask: Ask, fact: Fact) -> bool | None:
    """Yes or no, if the fact says one: its own denial and the question's cancel out."""
    denied = grammar.NEGATION.search(fact.memory.text) is not None
    if fact.memory.attribute in ("dislikes", "avoids") and any("like" in t.meanings for t in ask.terms):
        denied = not denied
    if ask.negated:
        return None
    return not denied


def _event_score(ask: Ask, event: Fact) -> float:
    """How well something said covers the question; 0 unless it covers all of it in a plain statement."""
    hard = [t for t in ask.terms if not t.soft]
    placed = ask.want in (Want.WHERE, Want.WHEN)
    if ask.polar or ask.want is Want.WHY or len(hard) < (1 if placed else 2):
        return 0.0
    if all(t.attributes for t in hard) or (POSSESSED.search(ask.clause) and not placed):
        return 0.0
    for sentence in re.split(r"(?<=[.!?…])\s+|\n+", event.words):
        if (
            sentence.rstrip().endswith("?")
            or UNREAL.search(sentence)
            or courtesy.is_command(sentence)
            or courtesy.is_forgetting(sentence)
            or (ask.mine and not ask.chain and OTHERS.match(sentence))
        ):
            continue
        part = fact_of(replace(event.memory, text=f"You said: {sentence}"))
        if all(part.covers(t, by_attribute=False) for t in hard) and part.gives(ask.want):
            return len(hard) + event.cosine
    return 0.0
