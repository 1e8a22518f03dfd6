"""Reading a story: times, habits, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from demo.story import STORY, StoryError, read
from demo.teller import Teller

NOW = datetime(2026, 6, 1, 0, 5, tzinfo=UTC)
HEAD = '[people]\nadmin = "admin"\n[expect]\n[[chapter]]\nname = "One"\n'


def story(tmp_path, steps: str, more: str = ""):
    file = tmp_path / "story.toml"
    file.write_text(f"{HEAD}step = [\n{steps}\n]\n{more}", encoding="utf-8")
    return read(file, now=NOW)


def test_steps_come_in_order_of_time_with_their_chapters_name_as_talk(tmp_path):
    told = story(
        tmp_path,
        '{ minutes = 20, do = "ask", text = "b" },\n{ day = 3, at = "10:30", do = "ask", who = "admin", text = "a" },',
    )
    assert [(one.text, one.who, one.talk) for one in told.steps] == [("a", "admin", "One"), ("b", "member", "One")]
    assert told.steps[0].at == datetime(2026, 5, 29, 10, 30, tzinfo=UTC)
    assert told.steps[1].at == NOW - timedelta(minutes=20)


def test_a_habit_asks_its_questions_in_turn(tmp_path):
    habit = (
        '[[habit]]\nname = "Round"\nwho = "admin"\nfrom_day = 10\nto_day = 1\nevery = 3\nat = "12:00"\nper_talk = 2\n'
        'texts = ["p", "q"]\n'
    )
    told = story(tmp_path, '{ day = 30, at = "10:00", do = "ask", text = "a" },', habit)
    assert [one.text for one in told.steps] == ["a", "p", "q", "p"]
    assert [one.talk for one in told.steps[1:]] == ["Round 1", "Round 1", "Round 2"]


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ('{ day = 1, at = "10:00", do = "ask", txt = "a" },', "unknown fields: txt"),
        ('{ day = 0, at = "23:00", do = "ask", text = "a" },', "after the story's end"),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path, step, why):
    with pytest.raises(StoryError, match=why):
        story(tmp_path, step)


def test_the_own_story_can_be_told_at_any_hour_and_names_only_acts_that_there_are():
    for hour in (0, 6, 23):
        told = read(STORY, now=datetime(2026, 6, 1, hour, 59, tzinfo=UTC))
        assert {one.who for one in told.steps} == set(told.people)
        assert all(hasattr(Teller, f"_step_{one.do}") for one in told.steps)
        labels = {one.label for one in told.steps}
        assert all(label in labels for one in told.steps for label in one.inputs)
