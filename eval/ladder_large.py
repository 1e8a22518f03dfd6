"""The large made-up history of `eval.ladder`: 420 turns of a year and 120 questions, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from eval import ladder_words as words
from eval.ladder_history import Asked, History, spread
from eval.ladder_own import OWN
from eval.ladder_words import Kind

TURNS = 420
SEED = 11
START = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
STEP = timedelta(hours=20, minutes=30)
ASKED_AT = datetime(2027, 1, 2, 9, 0, tzinfo=UTC)
COUNTS = {"changed": 40, "stable": 30, "multi": 20, "ended": 15, "dated": 15}
CHANGED_TWICE = 15  # of the changed facts; the others change once
STATED_AGAIN = 10  # of the stable facts
ENDED_IN_PART = 5  # of the multi-valued facts: one of three values ends
EARLY = 0.85  # dated facts are told in this share of the year, so that their bounds lie before the questions
AHEAD = timedelta(days=30)  # from a bounded statement to its bound
_CHAT_SHARE, _WISH_SHARE, _AGAIN_SHARE = 0.3, 0.2, 0.1  # of the turns that state no fact asked for


@dataclass(kw_only=True, slots=True)
class _Fact:
    """One fact's statements in their order, each made for the moment at which it is said; and its question."""

    asked: Asked
    told: list[Callable[[datetime], str]]
    early: bool = False


def large(seed: int = SEED) -> History:
    """The same seed gives the same history, to the letter."""
    made = _Maker(random.Random(seed))  # noqa: S311 - made-up text, nothing secret
    facts = made.facts()
    keys: list[tuple[float, Callable[[datetime], str]]] = []
    for fact in facts:
        share = EARLY if fact.early else 1.0
        moments = sorted(made.random.random() * share for _ in fact.told)
        keys += list(zip(moments, fact.told, strict=True))
    for _ in range(TURNS - len(keys)):
        keys.append((made.random.random(), made.beside(facts)))
    keys.sort(key=lambda one: one[0])
    texts = [told(START + STEP * number) for number, (_, told) in enumerate(keys)]
    return History(said=spread(texts, start=START, step=STEP), asked=tuple(one.asked for one in facts), at=ASKED_AT)


@dataclass(slots=True)
class _Maker:
    random: random.Random
    dealt: dict[int, list[str]] = field(default_factory=dict)

    def value(self, kind: Kind) -> str:
        """A value of the kind that was not dealt yet."""
        rest = self.dealt.setdefault(id(kind), self.random.sample(kind.values, len(kind.values)))
        return rest.pop()

    def facts(self) -> list[_Fact]:
        """One fact a question, in the order of `COUNTS`."""
        single = self.random.sample(list(_single()), COUNTS["changed"] + COUNTS["stable"])
        changed, stable = single[: COUNTS["changed"]], single[COUNTS["changed"] :]
        return [
            *(self.changed(*one, times=2 if number < CHANGED_TWICE else 1) for number, one in enumerate(changed)),
            *(self.stable(*one, again=number < STATED_AGAIN) for number, one in enumerate(stable)),
            *self.multi(),
            *self.ended(),
            *self.dated(),
        ]

    def say(self, form: str, **blanks: str) -> Callable[[datetime], str]:
        text = form.format(**blanks)
        text = text[0].upper() + text[1:]
        return lambda _at: text

    def changed(self, kind: Kind, subject: str, relation: str, *, times: int) -> _Fact:
        """A fact of one value at a time that changes."""
        values = [self.value(kind) for _ in range(times + 1)]
        if kind in (words.DEADLINE, words.BUDGET):  # "pushed back", "went up"
            values.sort(key=kind.values.index)
        forms = [self.random.choice(kind.first), *self.random.sample(kind.later, times)]
        return self.single(kind, subject, relation, "changed", forms, values)

    def stable(self, kind: Kind, subject: str, relation: str, *, again: bool) -> _Fact:
        """A fact that stays, said once or twice."""
        forms = self.random.sample(kind.first, 2 if again else 1)
        return self.single(kind, subject, relation, "stable", forms, [self.value(kind)] * len(forms))

    def single(self, kind: Kind, subject: str, relation: str, name: str, forms: list[str], values: list[str]) -> _Fact:
        question = self.random.choice(kind.ask).format(s=subject, r=relation)
        former = tuple(one for one in values[:-1] if one != values[-1])
        return _Fact(
            asked=Asked(question=question, kind=name, current=(values[-1],), former=former),
            told=[self.say(form, s=subject, r=relation, v=v) for form, v in zip(forms, values, strict=True)],
        )

    def multi(self) -> Iterator[_Fact]:
        """Facts of several values at a time; one of the values of some ends."""
        people = self.random.sample([name for name, _ in words.PEOPLE], 12)
        chosen = [(words.MULTI_PEOPLE[number // 6], name) for number, name in enumerate(people)]
        chosen += [(kind, "") for kind in words.MULTI_OWN]
        chosen += [(words.TEAM, name) for name in self.random.sample(words.PROJECTS, 4)]
        able = [number for number, (kind, _) in enumerate(chosen) if kind.later]
        ending = set(self.random.sample(able, ENDED_IN_PART))
        for number, (kind, subject) in enumerate(chosen):
            count = 3 if number in ending else self.random.choice((2, 2, 3) if kind in words.MULTI_OWN else (2,))
            values = [self.value(kind) for _ in range(count)]
            told = [self.say(form, s=subject, v=v) for form, v in zip(kind.first, values, strict=False)]
            former = (self.random.choice(values),) if number in ending else ()
            if former:
                told.append(self.say(self.random.choice(kind.later), s=subject, v=former[0]))
            question = self.random.choice(kind.ask).format(s=subject)
            current = tuple(one for one in values if one not in former)
            yield _Fact(asked=Asked(question=question, kind="multi", current=current, former=former), told=told)

    def ended(self) -> Iterator[_Fact]:
        """Facts that end without a replacement."""
        for kind in words.ENDING:
            for value in kind.values:
                told = [self.say(self.random.choice(forms), v=value) for forms in (kind.first, kind.later)]
                question = self.random.choice(kind.ask).format(v=value)
                yield _Fact(asked=Asked(question=question, kind="ended", current=(), former=(value,)), told=told)

    def dated(self) -> Iterator[_Fact]:
        """Facts with a bound: one that ran out, one that came into force, one that is still to come."""
        for number, (subject, put, (usual, other), question) in enumerate(words.DATED):
            first = self.say("{s} is {v}.", s=subject, v=put.format(v=usual))
            case = number % 3
            form = self.random.choice(words.UNTIL if case == 0 else words.SINCE)
            current, former = (((usual,), (other,)), ((other,), (usual,)), ((usual,), ()))[case]
            yield _Fact(
                asked=Asked(question=question, kind="dated", current=current, former=former),
                told=[first, _bounded(form, subject, put.format(v=other), coming=case == 2)],
                early=True,
            )

    def beside(self, facts: list[_Fact]) -> Callable[[datetime], str]:
        """A turn that states nothing that is asked for: courtesy, a wish, the owner's own question, something near."""
        pick, draw = self.random.choice, self.random.random()
        if draw < _CHAT_SHARE:
            return self.say(pick(words.CHAT))
        if draw < _CHAT_SHARE + _WISH_SHARE:
            return self.say(pick(words.WISHES))
        if draw < _CHAT_SHARE + _WISH_SHARE + _AGAIN_SHARE:
            return self.say(pick([one.asked.question for one in facts if one.asked.kind in ("changed", "stable")]))
        person = pick(words.BESIDE_PEOPLE)
        return self.say(
            pick(words.BESIDE),
            p=person,
            P=person[0].upper() + person[1:],
            c=pick(words.BESIDE_PLACES),
            w=pick(words.BESIDE_WORKS),
            d=pick(words.BESIDE_DAYS),
            n=str(self.random.randint(101, 139)),
        )


def _single() -> Iterator[tuple[Kind, str, str]]:
    """Every fact of one value at a time: its kind, whom or what it is about, the relation."""
    for name, relation in words.PEOPLE:
        yield from ((kind, name, relation) for kind in (words.HOME, words.JOB))
    for name in words.PROJECTS:
        yield from ((kind, name, "") for kind in (words.DEADLINE, words.BUDGET, words.LEAD))
    yield from ((kind, "", "") for kind in OWN)


def _bounded(form: str, subject: str, value: str, *, coming: bool) -> Callable[[datetime], str]:
    def told(at: datetime) -> str:
        bound = at + AHEAD
        day = "1 March 2027" if coming else f"{bound.day} {bound:%B}"
        text = form.format(s=subject, S=subject[0].upper() + subject[1:], v=value, d=day)
        return text[0].upper() + text[1:]

    return told
