"""Several reviewers at one queue: reservations, races, four eyes; the page against a desk in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from console import acts
from core.model import CandidateState
from core.review import Approval
from tests.console.desk import NOW, Desk
from tests.console.kit import Open, drawn, press, run
from tests.console.test_review_pages import calls, keys, label

# --- people at work -------------------------------------------------------------------------------------------------


def test_an_item_is_reserved_once_when_it_is_opened_and_given_back_when_left(open_page: Open) -> None:
    desk = Desk()
    at = run(run(open_page("review", desk)))
    assert calls(desk, "reserve") == [("h-1",)]
    press(at, "review-next")
    assert (calls(desk, "reserve"), calls(desk, "release")) == ([("h-1",), ("h-2",)], [("h-1",)])


def test_what_another_looks_at_is_skipped_and_can_be_taken_over(open_page: Open) -> None:
    desk = Desk()
    desk.review.others["h-2"] = "grace"
    at = press(open_page("review", desk), "review-next")
    assert at.query_params["item"] == "h-3"
    at = open_page("review", desk, item="h-2")
    assert "grace is looking at this until 09:35 UTC" in drawn(at)
    assert at.button(key="reject-h-2-1").disabled
    press(at, "review-take-over")
    assert calls(desk, "take_over") == [("h-2",)]
    assert not at.button(key="reject-h-2-1").disabled


def test_a_reservation_made_meanwhile_refuses_the_ruling_and_says_whose_it_is(open_page: Open) -> None:
    desk = Desk()
    at = open_page("review", desk)
    desk.review.others["h-1"] = "grace"
    press(at, "promote-h-1-1")
    assert "Somebody else is looking at this" in drawn(at)
    assert not desk.review.ruled


def test_two_reviewers_and_one_item_make_one_decision(open_page: Open) -> None:
    desk = Desk()
    first, second = open_page("review", desk), open_page("review", desk)
    press(first, "promote-h-1-1")
    decided = desk.review.ruled["h-1"].decision
    desk.actor = replace(desk.actor, user_id="u-2", username="grace")
    press(second, "promote-h-1-1")
    assert "This changed while you looked at it" in drawn(second)
    assert desk.review.ruled["h-1"].decision is decided
    assert "promote-h-1-1" not in keys(second)


def test_a_key_that_bounced_decides_nothing(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    at = open_page("review", desk)
    monkeypatch.setattr(acts, "QUICK_SECONDS", 60.0)
    press(at, "promote-h-1-1")
    assert not calls(desk, "resolve")
    monkeypatch.setattr(acts, "QUICK_SECONDS", 0.0)
    press(at, "promote-h-1-1")
    assert desk.review.ruled["h-1"].state is CandidateState.PROMOTED


def test_the_keys_of_the_page_are_silent_under_a_dialog(open_page: Open) -> None:
    at = open_page("review", Desk())
    assert at.button(key="promote-h-1-1").proto.shortcut == "p"
    press(at, "snooze-h-1-1")
    assert {
        one.key: one.proto.shortcut for one in at.button if one.proto.shortcut and not one.key.startswith("snooze-")
    } == {}
    assert at.button(key="snooze-1").proto.shortcut == "1"


# --- four eyes ------------------------------------------------------------------------------------------------------


def test_the_first_of_two_approves_and_the_second_confirms(open_page: Open) -> None:
    desk = Desk()
    desk.review.two.add("h-4")
    at = open_page("review", desk, item="h-4")
    assert label(at, "promote-h-4-1") == "Approve as the first of two"
    assert "Needs two people" in drawn(at)
    press(at, "promote-h-4-1")
    assert "h-4" not in desk.review.ruled
    assert "review-undo" not in keys(at)  # a first yes moved nothing
    at = open_page("review", desk, item="h-4")
    assert "You approved these words just now" in drawn(at)
    assert at.button(key="promote-h-4-1").disabled
    desk.actor = replace(desk.actor, user_id="u-3", username="ben")
    at = open_page("review", desk, item="h-4")
    assert "ada approved these words just now" in drawn(at)
    assert label(at, "promote-h-4-1") == "Confirm as the second person"
    press(at, "promote-h-4-1")
    assert desk.review.ruled["h-4"].state is CandidateState.PROMOTED


@pytest.mark.parametrize(("minutes", "waits"), [(4, "You are the only reviewer"), (11, "")])
def test_the_only_reviewer_confirms_once_more_after_a_while(minutes: int, waits: str, open_page: Open) -> None:
    desk = Desk()
    desk.review.two.add("h-1")
    desk.review.colleagues = []
    given = Approval(by="ada", user_id="u-1", at=NOW - timedelta(minutes=minutes))
    desk.review.approvals["h-1"] = (given,)
    at = open_page("review", desk)
    assert label(at, "promote-h-1-1") == "Confirm once more"
    assert at.button(key="promote-h-1-1").disabled == bool(waits)
    assert ("You are the only reviewer" in drawn(at)) == bool(waits)


def test_nobody_is_one_of_two_for_what_was_said_in_their_own_chat(open_page: Open) -> None:
    desk = Desk()
    desk.review.two.add("h-1")
    at = open_page("review", desk)
    assert "another reviewer must decide" in drawn(at)
    assert at.button(key="promote-h-1-1").disabled
