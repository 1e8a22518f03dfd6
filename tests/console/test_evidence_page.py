"""The Evidence page over a desk in memory: the feed, one-click answers, what was decided, hostile words."""

from __future__ import annotations

import pytest

from core.evidence import NOT_NOW
from core.model import Role
from core.ports import BOTH, NONE
from tests.console.desk import EVIL, Desk
from tests.console.kit import drawn, opener, press, run


@pytest.fixture
def open_page(monkeypatch):
    return opener(monkeypatch)


def test_a_member_sees_the_questions_with_values_sources_and_times(open_page):
    page = open_page("evidence", Desk(role=Role.MEMBER))
    words = drawn(page)
    for told in (
        "4 open questions",
        "Which is true?",
        "The total weight is 520 kg.",
        "tool result · Weighing of Monday · scale 0",
        "2 days ago",
        "and 2 more sources",
        "Is this still true?",
        "Are these the same?",
        "Settled without you",
        "50%",
    ):
        assert told in words


@pytest.mark.parametrize(
    ("key", "question", "choice"),
    [
        ("this-0-feed-q-1-1", "q-1", "memory:m-1"),
        ("this-1-feed-q-1-1", "q-1", "candidate:k-0"),
        ("both-feed-q-1-1", "q-1", BOTH),
        ("none-feed-q-1-1", "q-1", NONE),
        ("later-feed-q-1-1", "q-1", NOT_NOW),
        ("this-feed-q-3-1", "q-3", "memory:m-4"),
        ("none-feed-q-3-1", "q-3", NONE),
        ("this-feed-q-4-1", "q-4", "key:trailer|meeting_pref"),
        ("none-feed-q-4-1", "q-4", NONE),
    ],
)
def test_one_click_answers(open_page, key, question, choice):
    desk = Desk()
    page = press(open_page("evidence", desk), f"answer-{key}")
    assert desk.calls == [("answer", question, choice, 1)]
    assert "3 open questions" in drawn(page)
    assert page.toast
    if choice != NOT_NOW:
        press(page, f"undo-{question}-2")
        assert desk.calls[-1] == ("take_back", question)


def test_what_is_flagged_has_no_button_here(open_page):
    page = open_page("evidence", Desk())
    keys = {one.key for one in page.button}
    assert "answer-this-1-feed-q-2-1" in keys
    assert "answer-this-2-feed-q-2-1" not in keys
    assert "answer on the Review page" in drawn(page)


def test_a_stale_question_says_so_and_writes_nothing(open_page):
    desk = Desk()
    page = open_page("evidence", desk)
    asked = desk.questions.open.pop("q-1")
    page.button(key="answer-none-feed-q-1-1").click()
    page.run()
    assert not page.exception
    assert asked.question_id not in desk.questions.open
    assert len(desk.questions.settled) == 1


def test_nothing_asked_says_how_a_question_comes_about(open_page):
    words = drawn(open_page("evidence", Desk(empty=True)))
    assert "Nothing is asked of you" in words
    assert "nothing was worked on since the start" in words


def test_hostile_words_stay_words(open_page):
    page = open_page("evidence", Desk(evil=EVIL))
    assert "<img" not in "".join(one.proto.body for one in page.main if hasattr(one.proto, "body"))
    assert "javascript:alert" in drawn(page)


def test_in_the_chat_the_question_stands_under_the_answer(open_page):
    desk = Desk()
    page = open_page("chat", desk, c="c-1")
    run = next(line.run for line in reversed(desk.chat.thread(desk.actor, "c-1")) if line.run is not None)
    ids = [str(one["memory_id"]) for one in run.detail.get("used", [])]
    expected = desk.questions.touching(desk.actor, ids)[:1]
    shown = [one.key for one in page.button if one.key and "-chat-q-" in one.key]
    assert bool(shown) is bool(expected)
    assert expected, "the desk's last answer uses a memory that a question is about"


def view(page, name):
    page.segmented_control(key="view").set_value(name)
    return run(page)


def test_sources_and_conversations_with_their_numbers(open_page):
    page = open_page("evidence", Desk(role=Role.MEMBER))
    assert page.segmented_control(key="view").options == ["Questions", "Patterns", "Sources", "Conversations"]
    assert "You often move appointments that fall on a Monday." in drawn(view(page, "Patterns"))
    words = drawn(view(page, "Sources"))
    for told in ("You", "Tool: scale", "0.43", "nothing observed", "Document: 0123456789ab", "shown only"):
        assert told in words
    words = drawn(view(page, "Conversations"))
    for told in ("Loading the trailer", "75%", "3 of 4 answers", "upper bound"):
        assert told in words


def test_an_admin_drafts_a_half_life_and_adopts_it_or_not(open_page):
    page = view(open_page("evidence", Desk()), "Decay")
    words = drawn(page)
    for told in ("45 days", "too little is known (n = 1, needs 8)", "longer than was observed", "183 days"):
        assert told in words
    page.button(key="tune-fact").click()
    page.run()
    assert page.session_state["policy-draft"] == {"decay.kinds.fact": {"half_life_days": 45.0}}


def test_nothing_observed_says_so(open_page):
    page = open_page("evidence", Desk(empty=True))
    for name, told in (
        ("Sources", "No source yet"),
        ("Conversations", "No answers yet"),
        ("Decay", "Nothing is suggested"),
    ):
        assert told in drawn(view(page, name))
