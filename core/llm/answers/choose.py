"""Which facts answer a question: slot and word matching under a strict rule, so that the unknown stays unknown.

A fact answers only if (1) it is about whom the question is about, (2) it covers the words that name the thing asked
for, (3) every other content word is covered by it or by a neighbouring fact from the same message, and (4) it holds the
kind of answer that is wanted (a date, a person, a figure). Similarity alone never suffices.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.llm.answers import asked, classes, courtesy, grammar
from core.llm.answers.facts import Fact, Pool, fact_of
from core.llm.answers.grammar import Want
from core.llm.answers.lexicon import ROWS
from core.llm.answers.meaning import among
from core.llm.answers.question import Ask, Term
from core.llm.answers.words import stem, tokens
from core.model import Scope
from core.ports import FactLookup
from core.slots import is_multi_valued, normalise

NEAR = 0.62  # cosine (all-MiniLM-L6-v2) from which one uncovered word in three or more is forgiven
KIND_NEAR = 0.42  # cosine from which a value of unknown class passes for the class asked ("which herb …")
MOST = 6  # facts in one answer
# the order in which a person is summed up
_PROFILE = (
    "name", "nickname", "age", "job", "employer", "home", "hometown", "spouse", "partner", "child", "daughter", "son", "allergy", "medication",
    "condition", "diet", "dog", "cat", "pet", "sister", "brother", "manager", "hobby", "likes", "language", "birthday",
)
_GLUE = frozenset(stem(w) for w in "is are am a an the your you".split())
# attributes that say who or what their subject is
_DESCRIPTIVE = asked.PERSON_ATTRIBUTES | frozenset("role job title description purpose replaces type kind project plumber responsibility".split())
# a slot of the user's own: if it were still true there would be a fact, so what was once said must not answer
_POSSESSED = re.compile(r"(?i)\b(?:what|which|who|when|where|how)(?:'s| is| are| was| were|s)? (?:my|our)\b|^(?:and )?(?:my|our)\b")
# not meant, not real, or not said by the person themself
_UNREAL = re.compile(r"(?i)\b(?:if|suppose|imagine|what if|let's|maybe|perhaps|might|lol|haha\w*|joke|role-?play|story|story:|pretend|would)\b|[😂🤣]|[\"“”>]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Chosen:
    """The facts that answer one question, best first. `verdict` is yes/no for a polar question."""

    facts: tuple[Fact, ...] = ()
    verdict: bool | None = None
    nearby: tuple[Fact, ...] = ()  # same attribute, other value: said along with "I don't know"
    count: int | None = None  # "how many": number of distinct facts
    event: bool = False
    aged: bool = False  # an age is to be reckoned from the birthday found
    people: tuple[str, ...] = ()  # resolved names of the question's relations

    @property
    def found(self) -> bool:
        """Whether there is an answer."""
        return bool(self.facts)


class Chooser:
    """Finds facts for the questions of one message; looks slots up as needed."""

    def __init__(self, pool: Pool, lookup: FactLookup, scope: Scope) -> None:
        """Bind the facts at hand and the way to more."""
        self._pool, self._lookup, self._scope = pool, lookup, scope

    def choose(self, ask: Ask) -> Chosen:
        """The facts that answer `ask`; `found` is False if none does."""
        self._gather(ask)
        if ask.topic:
            about = self._about(ask)
            if about.found or ask.topic == "me":
                return about
        if ask.eats:
            return self._eating(ask)
        if any("health" in t.meanings for t in ask.terms):
            return Chosen(facts=tuple(self._slot_facts("user", asked.TRIGGERS["health"])[:MOST]))
        people = self._resolve(ask.chain)
        if ask.compares and (ask.chain or ask.either):
            return self._compare(ask, people or self._named(ask))
        if ask.only_relation:
            return self._relation(ask)
        if not ask.terms:
            return Chosen()
        found = self._match(ask, people)
        if not found.found and ask.polar and ask.mine and any(t.meanings & {"eat", "drink"} for t in ask.terms):
            return self._forbidden(ask) or found
        if not found.found and ask.want is Want.AGE:
            return self._age(ask, people)
        return found

    # --- gathering ---------------------------------------------------------------------------------------------

    def _gather(self, ask: Ask) -> None:
        attributes = list(ask.attributes)
        if attributes:
            direct = ask.mine and not ask.chain
            self._pool.add(self._lookup.by_slot(self._scope, subject="user" if direct else None, attributes=attributes, limit=30))
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
            names.extend(" ".join(pair) for pair in zip(run, run[1:], strict=False))
        if ask.topic and ask.topic != "me":
            names.append(re.sub(r"(?i)^(?:my|our|the|a|an|mi|mein\w*|mon|ma)\s+", "", ask.topic))
        for name in dict.fromkeys(names[:8]):
            self._pool.add(self._lookup.about(self._scope, subject=name, limit=12))

    def _slot_facts(self, subject: str | None, attributes: Sequence[str]) -> list[Fact]:
        """Facts in these slots, in the order of `attributes`."""
        self._pool.add(self._lookup.by_slot(self._scope, subject=subject, attributes=list(attributes), limit=30))
        rank = {a: i for i, a in enumerate(attributes)}
        found = [f for f in self._pool.facts if f.memory.attribute in rank and (subject is None or f.subject == subject)]
        return sorted(found, key=lambda f: rank[f.memory.attribute])

    def _resolve(self, chain: Sequence[Term]) -> frozenset[str]:
        """Names (normalised) that "my manager's boss" stands for, the relation words included."""
        people = frozenset({"user"})
        for link in chain:
            found: set[str] = set()
            for fact in self._link(link, people):
                found.update(self._names(fact))
            people = frozenset(found) | {normalise(link.word)} | {normalise(m) for m in link.meanings}
        return people if chain else frozenset()

    def _link(self, link: Term, people: frozenset[str]) -> list[Fact]:
        attributes = [a for a in link.attributes if a in asked.PERSON_ATTRIBUTES] or list(link.attributes)
        facts = [f for f in self._slot_facts(None, attributes) if f.subject in people]
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
        facts = self._pool.add(m for name in list(names)[:3] for m in self._lookup.about(self._scope, subject=name, limit=20))
        names.update(f.subject for f in facts)
        return {n for n in names if n and n != "user"}

    def _named(self, ask: Ask) -> frozenset[str]:
        """Subjects that the question names, as in "who is older, Nils or Ida?"."""
        for term in ask.terms:
            self._pool.add(self._lookup.by_slot(self._scope, subject=term.word, attributes=["age", "birth_year"], limit=5))
        return frozenset(f.subject for f in self._pool.facts if any(t.stem in f.subject_stems for t in ask.terms))

    # --- kinds of questions ------------------------------------------------------------------------------------

    def _about(self, ask: Ask) -> Chosen:
        if ask.topic == "me":
            self._pool.add(self._lookup.about(self._scope, subject="user", limit=20))
            mine = [f for f in self._pool.facts if f.subject == "user"]
            mine.sort(key=lambda f: (_PROFILE.index(f.memory.attribute) if f.memory.attribute in _PROFILE else len(_PROFILE), -f.memory.importance))
            return Chosen(facts=tuple(_whole(_distinct(mine))[:7]))
        bare = re.sub(r"(?i)^(?:my|our|the|a|an|mi|mein\w*|mon|ma)\s+", "", ask.topic)
        wanted = normalise(bare)
        stems = frozenset(stem(w) for w in tokens(bare))
        people = self._resolve(ask.chain) if ask.chain else frozenset()
        found = [
            f for f in self._pool.facts
            if f.subject == wanted or f.subject in people or normalise(f.memory.value) == wanted or (stems and stems <= f.stems)
        ]
        found.sort(key=lambda f: (normalise(f.memory.value) != wanted and f.memory.attribute not in asked.PERSON_ATTRIBUTES, -f.memory.importance))
        return Chosen(facts=tuple(_whole(_distinct(found))[:5]))

    def _eating(self, ask: Ask) -> Chosen:
        stop = grammar.STOP[ask.language]
        thing = frozenset(stem(w) for w in tokens(ask.eats) if w.casefold() not in stop)
        attributes = (*asked.TRIGGERS["eat"], "medication", "drinks", "alcohol", "event", "statement")
        facts = [f for f in self._slot_facts("user", attributes) if f.memory.attribute not in ("likes", "event", "statement") or f.stems & thing]
        limits = [f for f in facts if classes.bears_on(f.stems, thing)]
        if classes.is_member("medicin", thing):  # which medicines go together is not for rules to say: name all that is known
            limits += [f for f in facts if f not in limits and (f.memory.attribute in ("medication", "condition") or (
                f.memory.attribute == "allergy" and (classes.is_member("medicin", f.stems) or not f.stems & classes.KNOWN)))]
        if limits:
            return Chosen(facts=tuple(_distinct(limits)[:3]))
        if not thing or classes.is_edible(thing) or ask.mine:
            known = [f for f in facts if f.memory.attribute in ("allergy", "condition", "diet", "avoids", "intolerance")]
            return Chosen(nearby=tuple(_distinct(known)[:3]))
        return Chosen()

    def _forbidden(self, ask: Ask) -> Chosen | None:
        """ "Do I eat meat?": a diet or an intolerance says no."""
        thing = frozenset(t.stem for t in ask.terms if not t.meanings & {"eat", "drink"})
        facts = self._slot_facts("user", ("diet", "condition", "allergy", "intolerance", "avoids", "alcohol"))
        limits = _distinct([f for f in facts if classes.bears_on(f.stems, thing)])
        return Chosen(facts=tuple(limits[:2]), verdict=False) if limits else None

    def _age(self, ask: Ask, people: frozenset[str]) -> Chosen:
        """An age from a birthday whose year is known."""
        born = [f for f in self._slot_facts(None, ("birthday", "birth_year", "date_of_birth")) if re.search(r"\b(?:19|20)\d\d\b", f.memory.value)]
        named = {t.stem for t in ask.terms if "old" not in t.meanings}
        fitting = [f for f in born if (f.subject in people if people else f.subject_stems & named if named else ask.mine and f.subject == "user")]
        return Chosen(facts=tuple(fitting[:1]), aged=True)

    def _compare(self, ask: Ask, people: frozenset[str]) -> Chosen:
        ages = [f for f in self._slot_facts(None, ("age", "birth_year")) if f.subject in people]
        valued = [(n, f) for f in ages if (n := _figure(f.memory.value)) is not None]
        if len(valued) < 2:  # noqa: PLR2004 - nothing to compare
            return Chosen()
        valued.sort(key=lambda pair: pair[0], reverse=ask.compares == "old")
        return Chosen(facts=tuple(f for _, f in valued), people=(valued[0][1].memory.subject,))

    def _relation(self, ask: Ask) -> Chosen:
        """What is my sister called; do I have a son; how many nieces have I; who is my manager's boss."""
        *before, last = ask.chain
        owners = self._resolve(before) if before else frozenset({"user"})
        facts = self._link(last, owners)
        if ask.want is Want.COUNT:
            counted = [f for f in self._slot_facts("user", (asked.COUNTED.get(next(iter(sorted(last.meanings)), ""), ""), *_count_names(last)))]
            if counted:
                return Chosen(facts=tuple(counted[:1]))
            numbered = [f for f in facts if re.match(r"\d+\b", f.memory.value) or (f.memory.attribute not in asked.RELATIONS and f.gives(Want.COUNT))]
            if numbered:
                return Chosen(facts=tuple(numbered[:1]))
            values = {normalise(v) for f in facts for v in re.split(r",|\band\b|\by\b|\bund\b|\bet\b|、|和", f.memory.value) if v.strip()}
            return Chosen(facts=tuple(_distinct(facts)[:MOST]), count=len(values) if facts else None)
        if ask.want in (Want.AGE, Want.WHEN, Want.WHERE, Want.NUMBER, Want.LENGTH, Want.WHY, Want.CLOCK):
            people = self._resolve(ask.chain)
            about = [f for f in self._pool.facts if f.subject in people and f.gives(ask.want)]
            return Chosen(facts=tuple(_distinct(about)[:2]))
        if ask.want is Want.ANY or ask.want is Want.WHO:
            facts = [f for f in facts if not f.memory.value.strip().isdigit()]
        return Chosen(facts=tuple(_distinct(facts)[:MOST]), verdict=True if ask.polar and facts else None)

    # --- matching ------------------------------------------------------------------------------------------------

    def _match(self, ask: Ask, people: frozenset[str]) -> Chosen:
        scored = [(score, f) for f in self._pool.facts if (score := self._score(ask, f, people)) > 0]
        if not scored:
            quoted = [(s, e) for e in self._pool.events if (s := _event_score(ask, e)) > 0]
            if quoted:
                return Chosen(facts=(max(quoted, key=lambda pair: pair[0])[1],), event=True)
            return Chosen(nearby=tuple(self._nearby(ask)) if ask.polar else ())
        scored.sort(key=lambda pair: (-pair[0], -pair[1].memory.stated_at.timestamp()))
        facts = self._company(ask, scored)
        if ask.want is Want.WHY:
            facts = self._reasons(facts)
        if ask.want is Want.COUNT and not any(f.gives(Want.COUNT) for f in facts):
            return Chosen(facts=tuple(facts), count=len(facts))
        verdict = _verdict(ask, facts[0]) if ask.polar and not ask.either else None
        return Chosen(facts=tuple(facts[:MOST]), verdict=verdict)

    def _company(self, ask: Ask, scored: list[tuple[float, Fact]]) -> list[Fact]:
        """The best fact, and the others that answer as well: same slot when it holds many, or the same score."""
        best_score, best = scored[0]
        kept = [best]
        for score, fact in scored[1:]:
            same_slot = fact.memory.attribute == best.memory.attribute and fact.subject == best.subject
            if (same_slot and is_multi_valued(best.memory.attribute) and score >= best_score - 0.6) or (
                score >= best_score - 0.15 and fact.memory.attribute != best.memory.attribute and ask.want not in (Want.WHO, Want.WHERE)
                and not (fact.memory.attribute in ("name", "nickname", "first_name"))
            ) or (ask.listing and score >= best_score - 0.6):
                kept.append(fact)
        if is_multi_valued(best.memory.attribute):
            kept.sort(key=lambda f: f.memory.serial_no)  # a list reads in the order in which it was told
        return _distinct(kept)

    def _reasons(self, facts: list[Fact]) -> list[Fact]:
        """A why-question: what was said in the same breath, weightiest first."""
        beside = [f for f in self._context(facts[0]) if not f.is_event and f not in facts]
        return _distinct([*facts[:1], *sorted(beside, key=lambda f: -f.memory.importance)[:2]])

    def _score(self, ask: Ask, fact: Fact, people: frozenset[str]) -> float:
        """How well a fact answers; 0 if it does not."""
        if not self._is_about(ask, fact, people):
            return 0.0
        if not ask.polar and not fact.gives(ask.want):
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
        if not own:
            return 0.0
        missing = [t for t in hard if t not in own and t not in heads]
        described = [t for t in missing if self._describes(t, fact, people)]
        missing = [t for t in missing if t not in described]
        by_word = all(fact.covers(t, by_attribute=False) for t in ask.terms if t.head) and any(fact.covers(t, by_attribute=False) for t in hard)
        context = self._context(fact) if missing and by_word and not ask.pair else []
        open_terms = [t for t in missing if not any(c.covers(t, by_attribute=False) for c in context)]
        if open_terms and not (len(open_terms) == 1 and len(hard) > 2 and fact.cosine >= NEAR):  # noqa: PLR2004
            return 0.0
        if not any(t.head for t in ask.terms) and len([t for t in own if not t.soft]) * 2 < len(hard) - len(described):
            return 0.0
        words = sum(1.0 if fact.covers(t, by_attribute=False) else 0.8 for t in own)
        attributes = ask.attributes
        rank = attributes.index(fact.memory.attribute) if fact.memory.attribute in attributes else len(attributes)
        slot = 0.5 - 0.4 * rank / (len(attributes) or 1) if rank < len(attributes) else 0.0
        named = 1.0 if fact.memory.attribute in {m for t in ask.terms for m in t.meanings | {t.stem}} else 0.0
        return words - 0.5 * len(open_terms) + slot + named + 0.2 * max(fact.cosine, 0.0)

    def _describes(self, term: Term, fact: Fact, people: frozenset[str]) -> bool:
        """Whether the term says who or what the fact's subject is: "our iOS developer", when Yuki is that."""
        if term.word.casefold() in people or not term.meanings.isdisjoint(people):
            return True
        if fact.subject in ("user", ""):
            return False
        return any(
            f is not fact and (f.subject == fact.subject or fact.subject in normalise(f.memory.value))
            and f.memory.attribute in _DESCRIPTIVE and f.covers(term, by_attribute=False)
            for f in self._pool.facts
        )

    def _context(self, fact: Fact) -> list[Fact]:
        """Facts from the same message on the same subject or on the thing it belongs to, and the message itself."""
        return [
            f for f in (*self._pool.facts, *self._pool.events)
            if f is not fact and f.memory.episode_id == fact.memory.episode_id
        ]

    def _kind_passes(self, ask: Ask, term: Term, fact: Fact) -> bool:
        """Whether an uncovered head may be a class that the fact's value belongs to ("which herb do I dislike?")."""
        others = [t for t in ask.terms if t is not term and not t.soft]
        if not others or not all(fact.covers(t) for t in others) or {"favourite"} & {m for t in others for m in t.meanings}:
            return False
        if "breed" in term.meanings:
            return fact.memory.attribute in ("dog", "cat", "rabbit", "pet", "description")
        if classes.is_class(term.stem) and fact.stems & classes.KNOWN and term.stem not in ("food", "dish"):
            return False
        return fact.memory.attribute in ("dislikes", "allergy", "avoids", "likes") and fact.cosine >= KIND_NEAR

    def _is_about(self, ask: Ask, fact: Fact, people: frozenset[str]) -> bool:
        """Whether the fact is about whom the question is about."""
        if people:
            return fact.subject in people or (
                not frozenset(w for p in people for w in p.split()).isdisjoint(fact.stems | frozenset(tokens(fact.memory.text.casefold())))
                and not (fact.subject == "user" and ask.attributes and fact.memory.attribute in ("medication", "allergy", "age", "birthday", "job", "home"))
            )
        if fact.subject == "user":
            return True
        if ask.mine and ask.want is not Want.WHO:
            if any(not fact.covers(t) and self._describes(t, fact, frozenset()) for t in ask.terms):
                return True
            return any(among(t.stem, fact.subject_stems) or not t.meanings.isdisjoint(fact.subject_meanings) for t in ask.terms)
        return True

    def _nearby(self, ask: Ask) -> list[Fact]:
        attributes = [a for a in ask.attributes if a in ("language", "allergy", "diet", "hobby", "medication", "pet", "dog", "cat")]
        if not attributes or not ask.mine:
            return []
        return _distinct([f for f in self._pool.facts if f.subject == "user" and f.memory.attribute in attributes])[:3]


def _compatible(link: Term, fact: Fact) -> bool:
    """A fact of a general attribute fits a narrower relation unless its words name another one."""
    narrower = {
        "wife": "husband", "husband": "wife", "son": "daughter", "daughter": "son", "sister": "brother", "brother": "sister",
        "dog": "cat rabbit", "cat": "dog rabbit", "rabbit": "dog cat", "girlfriend": "boyfriend husband", "boyfriend": "girlfriend wife",
        "mother": "father", "father": "mother",
    }
    general = {"child", "parent", "sibling", "pet", "spouse", "partner", "manager"}
    if link.meanings & general:
        return True
    others = {o for m in link.meanings for o in narrower.get(m, "").split()}
    return fact.memory.attribute in ("spouse", "partner", "reports_to", "manager") and not others & (fact.meanings - {fact.memory.attribute})


def _count_names(term: Term) -> list[str]:
    words = {term.word.casefold(), *(m for m in term.meanings), *(w for m in term.meanings for w in ROWS.get(m, ("",))[0].split())}
    return [f"number_of_{w}{s}" for w in sorted(words) for s in ("", "s", "ren")] + [f"{w}s" for w in sorted(words)]


def _figure(value: str) -> float | None:
    match = re.search(r"\d+(?:\.\d+)?", value)
    return float(match[0]) if match else None


def _distinct(facts: Sequence[Fact]) -> list[Fact]:
    """Each sentence once, and each value of a slot once."""
    seen: set[str] = set()
    found = []
    for fact in facts:
        key = normalise(fact.memory.text)
        if key not in seen:
            seen.add(key)
            found.append(fact)
    return found


def _whole(facts: list[Fact]) -> list[Fact]:
    """Without sentences that another one contains: "your sister is Hanna" beside "your sister Hanna lives in Bergen"."""
    words = [frozenset(stem(w) for w in tokens(f.memory.text)) - _GLUE for f in facts]
    return [f for i, f in enumerate(facts) if not any(i != j and words[i] < words[j] for j in range(len(facts)))]


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
    if len(hard) < 2 or ask.polar or ask.want is Want.WHY or _POSSESSED.search(ask.clause):  # noqa: PLR2004 - too little to go by
        return 0.0
    for sentence in re.split(r"(?<=[.!?…])\s+|\n+", event.words):
        if sentence.rstrip().endswith("?") or _UNREAL.search(sentence) or courtesy.is_command(sentence) or courtesy.is_forgetting(sentence):
            continue
        part = fact_of(replace(event.memory, text=f"You said: {sentence}"))
        if all(part.covers(t, by_attribute=False) for t in hard) and part.gives(ask.want):
            return len(hard) + event.cosine
    return 0.0

