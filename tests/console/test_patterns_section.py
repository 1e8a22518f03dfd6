"""The patterns section over a desk in memory: what it says of each pattern, and a person's no (rules §5.3)."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from console import patternwords
from core.patterndesk import PatternStanding
from core.patterns import DETECTORS
from tests.console.desk import EVIL, Desk
from tests.console.desk_patterns import DeskPatterns
from tests.console.kit import Open, drawn, nodes, press

SCRIPT = str(Path(__file__).with_name("patterns_script"))


class PatternsDesk(Desk):
    def __init__(self, **given: object) -> None:
        super().__init__(**given)  # type: ignore[arg-type]
        self.patterns = DeskPatterns(self)


def shown(open_page: Open, desk: Desk) -> AppTest:
    return open_page(SCRIPT, desk)


def test_each_pattern_shows_its_sentence_counts_episodes_and_standing(open_page: Open) -> None:
    said = drawn(shown(open_page, PatternsDesk()))
    assert "You often move appointments that fall on a Monday." in said
    for word in ("Knowledge", "Held for review", "Hypothesis", "Retired", "Moved appointments", "Late nights"):
        assert word in said
    assert "Not remembered: 2 of 3 episodes." in said
    assert "0.55, that of its weakest episode" in said
    assert "Speak against it" in said
    assert "Calendar event: Planning 0" in said
    assert "13 March 2026, 09:30" in said
    assert "Low trust" in said
    assert "4 episodes for it · 1 against it · over 3 sessions" in said


def test_without_any_the_section_says_what_would_appear(open_page: Open) -> None:
    said = drawn(shown(open_page, PatternsDesk(empty=True)))
    assert patternwords.NOTHING[0] in said
    assert "three episodes over two sessions" in said


def test_a_no_is_carried_out_with_its_reason_and_said_once(open_page: Open) -> None:
    desk = PatternsDesk()
    at = shown(open_page, desk)
    at.text_input(key="pattern-more-p-1").set_value("it was one busy month")
    press(at, "pattern-dismiss-p-1")
    assert desk.calls == [("dismiss_pattern", "p-1", "It is not so: it was one busy month", 2)]
    said = drawn(at)
    assert "Dismissed" in said
    with pytest.raises(KeyError):
        at.button(key="pattern-dismiss-p-1")


def test_what_changed_meanwhile_is_said_and_nothing_done(open_page: Open) -> None:
    desk = PatternsDesk()
    desk.patterns.stale = True
    at = press(shown(open_page, desk), "pattern-dismiss-p-1")
    assert "This changed while you looked at it" in drawn(at)
    assert desk.calls == []


def test_hostile_words_stay_words(open_page: Open) -> None:
    at = shown(open_page, PatternsDesk(evil=EVIL))
    bodies = [
        one.proto.body for one in nodes(at) if getattr(one, "type", "") == "html" and "<style" not in one.proto.body
    ]
    assert any("evil.png" in body for body in bodies)
    assert not any("<img" in body for body in bodies)
    assert not any(EVIL in str(one.value) for one in at.markdown)


def test_a_store_that_is_down_is_said_calmly(open_page: Open) -> None:
    assert "The store is not reachable" in drawn(shown(open_page, PatternsDesk(down=True)))


def test_every_standing_and_detector_has_its_words() -> None:
    assert set(patternwords.STANDINGS) == set(PatternStanding)
    assert set(patternwords.DETECTORS) == {one.name for one in DETECTORS}
