"""Chat and Memories over a desk in memory: correct, side by side, the list of chats, versions, choosing several."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from console import behind, chatlist, sidebyside, timeline, ways
from core.model import MemoryStatus, Role, RunState
from tests.console.desk import Desk
from tests.console.desk_base import EVIL, NOW
from tests.console.kit import Open, drawn, press, run


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """Where the page sent the person: switching needs the real router."""
    went: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(
        "console.ways.st.switch_page", lambda page, query_params: went.append((page.stem, dict(query_params)))
    )
    return went


# --- chat ---------------------------------------------------------------------------------------------------------


def test_what_is_held_and_what_was_withheld_lead_to_review(open_page: Open, gone: list[Any]) -> None:
    at = open_page("chat", Desk(), c="c-1")
    press(at, "held-e-3")
    press(at, "withheld-r-1")
    (first, query), (second, filters) = gone
    assert first == second == "review"
    assert query["item"]
    assert filters == {"item": "h-1", "q": "allergic"}


def test_a_member_who_may_not_see_held_items_gets_no_way_there_and_no_words(open_page: Open) -> None:
    desk = Desk(role=Role.MEMBER)
    desk.sides.hidden = True
    at = open_page("chat", desk, c="c-1")
    assert not [one for one in at.button if (one.key or "").startswith(("held-", "withheld-"))]
    assert "Held for review from this page: 3 (low trust, gives an order)" in drawn(at)


def test_side_by_side_shows_both_and_what_it_stands_on(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk, c="c-1"), "chat-sides")
    shown = drawn(at)
    assert desk.calls == [("compare", "What am I allergic to?", "c-1", "e-4")]
    assert "Governed memory" in shown
    assert "without a gate, the word of a web page would have been the answer" in shown
    assert "Held here" in shown
    assert "no turn, no memory, no use is counted" in shown
    at.text_input(key="sides-question-e-4").set_value("Where do I live?")
    press(at, "sides-ask")
    assert desk.calls[-1] == ("compare", "Where do I live?", "c-1", "")


def test_side_by_side_of_one_answer_asks_its_own_question(open_page: Open) -> None:
    desk = Desk()
    press(open_page("chat", desk, c="c-1"), "sides-r-1")
    assert desk.calls == [("compare", "What am I allergic to?", "c-1", "e-4")]


def test_side_by_side_in_an_empty_chat_waits_for_a_question(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk), "chat-sides")
    assert desk.calls == []
    press(at, "sides-ask")
    assert "Type the question" in drawn(at)
    assert desk.calls == []


def test_without_the_right_to_held_words_the_screen_says_so(open_page: Open) -> None:
    desk = Desk(role=Role.MEMBER)
    desk.sides.hidden = True
    shown = drawn(press(open_page("chat", desk, c="c-1"), "chat-sides"))
    assert "Both say the same." in shown
    assert "Lagos" not in shown
    assert "for reviewers to see here" in shown


def test_with_a_model_the_screen_says_that_it_was_not_asked(open_page: Open) -> None:
    desk = Desk()
    desk.describe_model = "some-model"
    assert "held words never reach it" in drawn(press(open_page("chat", desk, c="c-1"), "chat-sides"))


def test_a_used_memory_is_corrected_and_both_versions_are_shown(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk, c="c-1"), "correct-r-1-m-1")
    assert "You are allergic to penicillin." in drawn(at)
    at.text_area(key="dialog-text-m-1").set_value("I am allergic to ibuprofen.")
    press(at, "dialog-correct-m-1")
    assert desk.calls == [("correct", "m-1", "I am allergic to ibuprofen.")]
    assert "Learned: I am allergic to ibuprofen." in drawn(at)
    press(at, "correct-done")
    assert not [one for one in at.button if one.key == "correct-done"]


def test_an_empty_correction_is_refused_where_it_stands(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk, c="c-1"), "correct-r-1-m-1")
    press(at, "dialog-correct-m-1")
    assert "The text is empty" in drawn(at)
    assert desk.calls == []


def test_the_drawer_of_an_answer_shows_its_score(open_page: Open) -> None:
    shown = drawn(press(open_page("chat", Desk(), c="c-1"), "why-r-1-m-1"))
    assert "Score 0.91 = importance 1.00 × relevance 0.91 × freshness 1.00." in shown
    assert "Nearness in meaning 0.62" in shown


def test_chats_are_renamed_and_found(open_page: Open) -> None:
    desk = Desk()
    desk.chat.names |= {f"c-{n}": f"Talk {n}" for n in range(4, 30)}
    at = press(open_page("chat", desk, c="c-1"), "chat-rename")
    at.text_input(key="chat-title-c-1").set_value("晚餐 on Friday")
    press(at, "chat-rename-yes")
    assert desk.calls == [("rename", "c-1", "晚餐 on Friday")]
    names = [one.key for one in at.button if (one.key or "").startswith("chat-open-")]
    assert len(names) == chatlist.FIRST
    press(at, "chats-more")
    assert len([one for one in at.button if (one.key or "").startswith("chat-open-")]) == 29
    at.text_input(key="chat-find").set_value("晚餐")
    run(at)
    assert [one.key for one in at.button if (one.key or "").startswith("chat-open-")] == ["chat-open-c-1"]
    at.text_input(key="chat-find").set_value("no such")
    run(at)
    assert "No chat has these words in its name." in drawn(at)


@pytest.mark.parametrize(
    ("days", "heading"),
    [(0, "Today"), (1, "Yesterday"), (3, "Wednesday"), (20, "22 February"), (400, "7 February 2025")],
)
def test_chats_stand_under_their_day(days: int, heading: str) -> None:
    assert chatlist.day_of(NOW - timedelta(days=days), NOW) == heading


def test_a_tool_result_is_labelled_by_the_registry_before_it_is_sent(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk, c="c-1"), "chat-attach")
    at.get_by_key("attach-sort").set_value("Tool result")
    run(at)
    at.selectbox(key="attach-tool").set_value("inventory")
    run(at)
    assert "What it states is remembered." in drawn(at)
    at.selectbox(key="attach-tool").set_value("Another tool")
    run(at)
    at.text_input(key="attach-tool-name").set_value("odd one")
    run(at)
    assert "The policy does not know this tool." in drawn(at)
    assert "0.30, below 0.50" in drawn(at)
    press(at, "attach-tool-send")
    assert "Paste what the tool returned" in drawn(at)
    at.text_area(key="attach-tool-text").set_value("14 lamps")
    run(at)
    press(at, "attach-tool-send")
    assert desk.calls == [("attach_tool", "c-1", "odd one", "14 lamps")]


def test_a_failed_answer_can_be_tried_again(open_page: Open) -> None:
    desk = Desk()
    lines = desk.chat.thread(desk.actor, "c-1")
    failed = replace(lines[-1].run, state=RunState.FAILED, error="It broke.", text="")  # type: ignore[type-var]
    desk.chat.threads["c-1"] = [*lines[:-1], replace(lines[-1], run=failed)]
    desk.chat.runs["r-1"] = failed  # type: ignore[assignment]
    at = open_page("chat", desk, c="c-1")
    assert "It broke." in drawn(at)
    press(at, "retry-r-1")
    assert desk.calls == [("retry", "r-1")]
    assert "Thinking…" in drawn(at)


def test_a_long_chat_shows_its_end_first(open_page: Open) -> None:
    desk = Desk()
    lines = desk.chat.thread(desk.actor, "c-1")
    talk = [replace(lines[0], text=f"Line {n}", episode_id=f"x-{n}", learned=None) for n in range(60)]
    desk.chat.threads["c-1"] = [*talk, *lines]
    at = open_page("chat", desk, c="c-1")
    assert "Line 3\n" not in drawn(at)
    press(at, "chat-earlier-show")
    assert "Line 3\n" in drawn(at)


def test_a_memory_found_by_its_slot_alone_is_drawn_without_the_numbers_of_a_search(open_page: Open) -> None:
    from core.reply import _plain  # noqa: PLC0415 - what core puts into an answer's detail
    from tests.factories import memory  # noqa: PLC0415

    desk = Desk()
    lines = desk.chat.thread(desk.actor, "c-1")
    run_now = lines[-1].run
    assert run_now is not None
    used = [_plain(memory(memory_id="m-1", stated_at=NOW - timedelta(days=3)), 1) | {"cited": True}]
    slot = replace(run_now, detail={**run_now.detail, "used": used, "unused": [], "gone": [], "candidates": 0})
    desk.chat.threads["c-1"] = [*lines[:-1], replace(lines[-1], run=slot)]
    desk.chat.runs["r-1"] = slot
    at = open_page("chat", desk, c="c-1")
    assert "own words · 3 days ago" in drawn(at)
    assert "Recalled 1 of 1 candidate" in drawn(at)
    press(at, "why-r-1-m-1")
    assert "it has no score here" in drawn(at)


def test_every_reason_of_core_has_its_meaning() -> None:
    from core.reply import _ended  # noqa: PLC0415 - the words that core puts into an answer's detail
    from tests.factories import memory  # noqa: PLC0415

    said = {
        _ended(memory(status=MemoryStatus.SUPERSEDED, superseded_by="m2"), NOW),
        _ended(memory(status=MemoryStatus.SUPERSEDED), NOW),
        _ended(memory(status=MemoryStatus.ARCHIVED), NOW),
        _ended(memory(expires_at=NOW), NOW),
        _ended(memory(invalid_at=NOW), NOW),
        "over the budget",
        "not among the best",
        "not what was asked",
        "below the floor",
        "held",
    }
    assert said == set(behind.LEFT_OUT)


def test_the_headline_names_who_would_have_answered() -> None:
    assert sidebyside._listed(["document"]) == "a document"
    assert sidebyside._listed(["assistant", "own words"]) == "an assistant and a statement of yours"


# --- memories -----------------------------------------------------------------------------------------------------


def test_memories_are_searched_by_meaning_with_how_near(open_page: Open) -> None:
    desk = Desk()
    at = open_page("memories", desk)
    at.text_input(key="find").set_value("where is home")
    at.get_by_key("find-by").set_value("Meaning")
    run(at)
    assert desk.calls[0][:2] == ("by_meaning", "where is home")
    assert "near in meaning, the nearest first" in drawn(at)
    assert "Nearness" in drawn(at)


def test_meaning_without_words_lists_as_before(open_page: Open) -> None:
    desk = Desk()
    at = open_page("memories", desk)
    at.get_by_key("find-by").set_value("Meaning")
    run(at)
    assert desk.calls == []
    assert "the last stated first" in drawn(at)


def test_a_page_that_a_filter_took_away_gives_way_to_the_first(open_page: Open) -> None:
    at = open_page("memories", Desk())
    at.session_state["memories-page"] = 3
    run(at)
    assert "You live in Porto." in drawn(at)
    assert "Nothing fits" not in drawn(at)


def test_memories_are_filtered_by_kind_and_harm(open_page: Open) -> None:
    desk = Desk()
    desk.memories.rows["m-2"] = replace(desk.memories.rows["m-2"], impact=("payment",))
    at = open_page("memories", desk)
    at.selectbox(key="harm").set_value("payment")
    run(at)
    assert "1 memory" in drawn(at)
    at.selectbox(key="harm").set_value("credentials")
    run(at)
    assert "Nothing fits" in drawn(at)


def test_the_drawer_shows_versions_uses_and_fading(open_page: Open, gone: list[Any]) -> None:
    at = press(open_page("memories", Desk()), "open-m-m-2")
    shown = drawn(at)
    assert shown.index("1. You live in Lisbon.") < shown.index("2. You live in Porto.")
    assert "If it is not stated or used again, it is put away in" in shown
    press(at, "use-m-2-0")
    assert gone == [("chat", {"c": "c-1"})]


def test_several_memories_are_forgotten_in_one_act(open_page: Open) -> None:
    desk = Desk()
    at = open_page("memories", desk)
    at.toggle(key="memories-select").set_value(True)
    run(at)
    at.checkbox(key="pick-m-1").check()
    run(at)
    assert "1 memory chosen" in drawn(at)
    press(at, "bulk-page")
    assert "4 memories chosen" in drawn(at)
    at.checkbox(key="pick-m-1").uncheck()
    run(at)
    press(at, "bulk-forget")
    assert desk.calls == []
    press(at, "bulk-yes")
    ((verb, ids, why),) = desk.calls
    assert (verb, set(ids), why) == ("forget_some", {"m-2", "m-3", "m-5"}, "It is wrong")
    assert "1 memory" in drawn(at)


def test_clearing_the_choice_leaves_nothing_to_forget(open_page: Open) -> None:
    at = open_page("memories", Desk())
    at.toggle(key="memories-select").set_value(True)
    run(at)
    press(at, "bulk-page")
    press(at, "bulk-clear")
    assert at.button(key="bulk-forget").disabled
    assert not at.checkbox(key="pick-m-1").value


@pytest.mark.parametrize("opening", ["why-r-1-m-1", "correct-r-1-m-1", "chat-sides", "chat-rename"])
def test_hostile_words_stay_words_in_every_dialog(opening: str, open_page: Open) -> None:
    shown = drawn(press(open_page("chat", Desk(evil=EVIL), c="c-1"), opening))
    assert "![x](http://127.0.0.1:9/evil.png)" in shown


def test_a_page_that_is_not_there_is_not_offered() -> None:
    assert ways.there_is("chat")
    assert not ways.there_is("nowhere")


def test_days_left_is_where_strength_meets_the_line() -> None:
    from core.decay import strength  # noqa: PLC0415
    from tests.factories import POLICY, memory  # noqa: PLC0415

    one = memory(attribute="likes", importance=0.6, stated_at=NOW)
    days = timeline.days_left(one, NOW, POLICY.decay)
    assert days is not None
    assert strength(one, NOW + timedelta(days=days), POLICY.decay) == pytest.approx(POLICY.decay.archive_below)
    assert timeline.days_left(replace(one, pinned=True), NOW, POLICY.decay) is None
    assert timeline.sentence(replace(one, pinned=True), NOW, POLICY.decay) == "It is pinned: it does not fade."
    assert "does not fade" in timeline.sentence(replace(one, attribute="allergy"), NOW, POLICY.decay)
    faded = replace(one, importance=0.05)
    assert timeline.days_left(faded, NOW, POLICY.decay) == 0.0
    assert "has faded" in timeline.sentence(faded, NOW, POLICY.decay)
