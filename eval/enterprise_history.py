"""A made-up enterprise history from a seed: what was said on twelve matters in twenty weekly sessions, and was true.

Evidence is sparse at first, comes by chat, two systems of record, calendar, mail and notes, and is repeated now and
then. Ten stray claims a seed say something else once and never again; two of the twelve matters really change in
mid-run. The same seed gives the same history. Nothing here knows how any memory decides.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

SESSIONS = 20
STRAYS = 10
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
WEEK = timedelta(days=7)
REPEATED = 0.35  # how likely a matter that has come up is spoken of again in a session
QUIET = 2  # sessions on each side of a real change without a stray claim on the same matter
FIRST = (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5)  # the sessions in which the twelve matters first come up
CHANGES = ((6, 9), (11, 14))  # in which sessions the two real changes fall


class Channel(StrEnum):
    """By which way a claim comes in."""

    CHAT = "chat"  # the owner's own words
    TASKS = "tasks"  # a system of record
    ROSTER = "roster"  # another one
    CALENDAR = "calendar"
    MAIL = "mail"
    NOTES = "notes"


USUAL = {
    Channel.CHAT: 0.34,
    Channel.TASKS: 0.22,
    Channel.ROSTER: 0.12,
    Channel.CALENDAR: 0.10,
    Channel.MAIL: 0.12,
    Channel.NOTES: 0.10,
}
FIRST_BY = {Channel.CHAT: 0.5, Channel.TASKS: 0.3, Channel.ROSTER: 0.2}
STRAY_BY = {
    Channel.MAIL: 0.35,
    Channel.NOTES: 0.2,
    Channel.CALENDAR: 0.15,
    Channel.TASKS: 0.15,
    Channel.ROSTER: 0.05,
    Channel.CHAT: 0.1,  # the owner misspeaks
}
CHANGED_BY = {Channel.CHAT: 0.6, Channel.TASKS: 0.25, Channel.ROSTER: 0.15}
COLLEAGUES = ("ines@colleagues.example", "tom@colleagues.example", "wei@colleagues.example")


@dataclass(frozen=True, kw_only=True, slots=True)
class Matter:
    """Something that is decided on again and again: one subject, one attribute, one value at a time."""

    subject: str
    attribute: str
    question: str
    said: tuple[str, ...]  # ways to state it, with {value}
    values: tuple[str, ...]


def _matter(subject: str, attribute: str, question: str, values: str, *said: str) -> Matter:
    ways = said or (f"The {attribute} of the {subject} is {{value}}.", f"The {subject} {attribute} is {{value}}.")
    return Matter(subject=subject, attribute=attribute, question=question, said=ways, values=tuple(values.split(", ")))


WEEKDAYS = "Monday, Tuesday, Wednesday, Thursday, Friday"
MATTERS = (
    _matter(
        "weekly review",
        "day",
        "On which day is the weekly review?",
        WEEKDAYS,
        "The weekly review is on {value}.",
        "The weekly review takes place on {value}.",
    ),
    _matter("deploy window", "day", "When is the deploy window?", WEEKDAYS, "The deploy window is on {value}."),
    _matter("retrospective", "day", "On which day is the retrospective?", WEEKDAYS, "The retrospective is on {value}."),
    _matter("team meeting", "room", "Which room is the team meeting in?", "Birch, Cedar, Rowan, Linden, Maple"),
    _matter("audit", "status", "What is the status of the audit?", "green, amber, red, paused"),
    _matter(
        "Atlas",
        "budget",
        "What is the budget of Project Atlas?",
        "40000 euros, 55000 euros, 62000 euros, 38000 euros",
        "The budget of Project Atlas is {value}.",
        "Project Atlas has a budget of {value}.",
    ),
    _matter(
        "staging cluster",
        "region",
        "In which region is the staging cluster?",
        "Frankfurt, Dublin, Warsaw, Milan",
    ),
    _matter(
        "quarterly report",
        "language",
        "What is the language of the quarterly report?",
        "German, French, Polish, Italian",
    ),
    _matter("weekly export", "format", "Which format has the weekly export?", "CSV, Parquet, JSON, XML"),
    _matter("summer workshop", "venue", "What is the venue of the summer workshop?", "Graz, Ghent, Porto, Turin"),
    _matter(
        "pilot group", "size", "What is the size of the pilot group?", "24 people, 30 people, 12 people, 45 people"
    ),
    _matter("visitor badge", "colour", "What is the colour of the visitor badge?", "blue, orange, white, yellow"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """One text that says something on one matter."""

    session: int  # from 1
    at: datetime
    matter: int  # its place in MATTERS
    value: str
    channel: Channel
    speaker: str  # of a mail; "" elsewhere
    text: str
    stray: bool = False  # false, and never said again
    late: bool = False  # true before the change, said after it


class _Draft(NamedTuple):
    """A claim before it has its time and words."""

    session: int
    matter: int
    value: str
    channel: Channel
    stray: bool = False
    late: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """All of one seed."""

    seed: int
    truth: tuple[tuple[str, ...], ...]  # of each matter, by session
    claims: tuple[Claim, ...]  # in the order in which they come

    def true(self, matter: int, session: int) -> str:
        """What holds on a matter in a session (from 1)."""
        return self.truth[matter][session - 1]


def history(seed: int) -> History:
    """Everything that is said with this seed."""
    chance = random.Random(seed)  # noqa: S311 - made-up data, the same for the same seed
    truth, changes = _truth(chance)
    first = list(FIRST)
    chance.shuffle(first)
    drawn: list[_Draft] = []
    for matter, begins in enumerate(first):
        for session in range(begins, SESSIONS + 1):
            true = truth[matter][session - 1]
            if session == begins:
                drawn.append(_Draft(session, matter, true, _one(chance, FIRST_BY)))
            elif changes.get(matter) == session:
                drawn.append(_Draft(session, matter, true, _one(chance, CHANGED_BY)))
            elif changes.get(matter) in (session - 1, session - 2) or chance.random() < REPEATED:
                drawn.append(_Draft(session, matter, true, _one(chance, USUAL)))
            if changes.get(matter) == session - 1:  # whoever did not hear of the change
                old = truth[matter][session - 2 - 1]
                drawn.append(_Draft(session, matter, old, Channel.MAIL, late=True))
    drawn += _strays(chance, truth, changes, first)
    drawn.sort(key=lambda one: one.session)
    return History(seed=seed, truth=truth, claims=tuple(_told(chance, drawn)))


def _truth(chance: random.Random) -> tuple[tuple[tuple[str, ...], ...], dict[int, int]]:
    changing = chance.sample(range(len(MATTERS)), len(CHANGES))
    changes = {matter: chance.randint(*span) for matter, span in zip(changing, CHANGES, strict=True)}
    truth = []
    for matter, what in enumerate(MATTERS):
        before, after = chance.sample(what.values, 2)
        turn = changes.get(matter, SESSIONS + 1)
        truth.append(tuple(before if session < turn else after for session in range(1, SESSIONS + 1)))
    return tuple(truth), changes


def _strays(
    chance: random.Random, truth: Sequence[Sequence[str]], changes: dict[int, int], first: Sequence[int]
) -> list[_Draft]:
    """False claims, each said once; none where a real change is under way, and none before the matter has come up."""
    found: list[_Draft] = []
    said: set[tuple[int, str]] = set()
    while len(found) < STRAYS:
        matter, session = chance.randrange(len(MATTERS)), chance.randint(3, SESSIONS - 1)
        change = changes.get(matter)
        if session <= first[matter] or (change is not None and abs(session - change) <= QUIET):
            continue
        wrong = [one for one in MATTERS[matter].values if one not in truth[matter] and (matter, one) not in said]
        if not wrong:
            continue
        value = chance.choice(wrong)
        said.add((matter, value))
        found.append(_Draft(session, matter, value, _one(chance, STRAY_BY), stray=True))
    return found


def _told(chance: random.Random, drawn: Sequence[_Draft]) -> list[Claim]:
    claims, minutes = [], dict.fromkeys(range(1, SESSIONS + 1), 0)
    for draft in drawn:
        session, matter = draft.session, draft.matter
        minutes[session] += 7
        claims.append(
            Claim(
                session=session,
                at=START + WEEK * (session - 1) + timedelta(minutes=minutes[session]),
                matter=matter,
                value=draft.value,
                channel=draft.channel,
                speaker=chance.choice(COLLEAGUES) if draft.channel is Channel.MAIL else "",
                text=chance.choice(MATTERS[matter].said).format(value=draft.value),
                stray=draft.stray,
                late=draft.late,
            )
        )
    return claims


def _one(chance: random.Random, weights: dict[Channel, float]) -> Channel:
    return chance.choices(list(weights), weights=list(weights.values()))[0]
