"""Reads a story: who does what on which day. The words are in `story.toml`; here is only what a step may say."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

STORY = Path(__file__).with_name("story.toml")


class StoryError(ValueError):
    """The story cannot be told as it is written; the message names the step."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One thing that somebody does. Which fields matter depends on `do` (see `teller.py`)."""

    at: datetime
    do: str
    who: str = "member"
    chapter: str = ""
    talk: str = ""  # the conversation's name; one conversation a name and person
    text: str = ""
    ref: str = ""  # address, file name, sender, tool
    find: str = ""  # words of the held item or memory that the act is about
    note: str = ""
    kind: str = ""  # of an answer to a question: keep_old, take_new, both, neither
    label: str = ""  # a name for what this step makes, for later steps
    inputs: tuple[str, ...] = ()  # labels of the texts that an assistant or tool had before it
    override: bool = False
    refused: bool = False  # the desk must say no, and the story goes on
    outage: bool = False  # the embedding model does not answer during this step


@dataclass(frozen=True, kw_only=True, slots=True)
class Story:
    """Steps in order of time, and what the telling must leave behind."""

    people: Mapping[str, str]  # user name to role
    steps: tuple[Step, ...]
    expect: Mapping[str, Any]

    @property
    def begins(self) -> datetime:
        """When the first thing happens."""
        return self.steps[0].at


def read(path: Path = STORY, *, now: datetime) -> Story:
    """The story as it ends just before `now`.

    Raises:
        StoryError: a step has an unknown field, or would happen after `now`.
    """
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    steps = [_step(one, chapter, now) for chapter in raw["chapter"] for one in chapter["step"]]
    steps += [one for habit in raw.get("habit", ()) for one in _repeated(habit, now)]
    late = [one for one in steps if one.at >= now]
    if late:
        msg = f"“{late[0].text or late[0].do}” would happen after the story's end"
        raise StoryError(msg)
    return Story(people=raw["people"], steps=tuple(sorted(steps, key=lambda one: one.at)), expect=raw["expect"])


def _step(raw: Mapping[str, Any], chapter: Mapping[str, Any], now: datetime) -> Step:
    given = {"who": "member", "talk": chapter["name"], **raw}
    at = moment(now, given.pop("day", 0), given.pop("at", ""), given.pop("minutes", 0))
    unknown = set(given) - {one.name for one in fields(Step)}
    if unknown:
        msg = f"a step of “{chapter['name']}” has unknown fields: {', '.join(sorted(unknown))}"
        raise StoryError(msg)
    given["inputs"] = tuple(given.get("inputs", ()))
    return Step(at=at, chapter=chapter["name"], **given)


def _repeated(habit: Mapping[str, Any], now: datetime) -> list[Step]:
    """Questions that somebody asks every few days, in turn."""
    days = range(habit["from_day"], habit["to_day"], -habit["every"])
    return [
        Step(
            at=moment(now, day, habit["at"], 0),
            do="ask",
            who=habit["who"],
            chapter=habit["name"],
            talk=f"{habit['name']} {number // habit.get('per_talk', 1) + 1}",
            text=habit["texts"][number % len(habit["texts"])],
        )
        for number, day in enumerate(days)
    ]


def moment(now: datetime, day: int, clock: str, minutes: int) -> datetime:
    """`day` days before `now` at an hour of the day (UTC), or `minutes` minutes before it."""
    if minutes:
        return now - timedelta(minutes=minutes)
    return datetime.combine((now - timedelta(days=day)).date(), time.fromisoformat(clock or "09:00"), tzinfo=UTC)
