"""The review page against a desk in memory: both views, filters, people at work, every verb and its way back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from console import ahead, bulk, session
from core.model import Actor, Role, RulingKind
from core.review import Approval, WouldChange
from tests.console.desk import EVIL, NOW, Desk
from tests.console.kit import Open, drawn, nodes, press, run
from tests.console.test_safe import Tags


def calls(desk: Desk, name: str) -> list[tuple[Any, ...]]:
    return [call[1:] for call in desk.calls if call[0] == name]


def keys(at: Any) -> set[str]:
    return {one.key for one in at.button if one.key}


def label(at: Any, key: str) -> str:
    return str(at.button(key=key).label).replace("\\", "")


def ferries(count: int = 7) -> Desk:
    desk = Desk()
    desk.review.items = []
    desk.review.more(count)
    return desk


# --- bulk ---------------------------------------------------------------------------------------------------------


def test_near_duplicates_are_promoted_in_one_act_after_a_preview_and_undone_in_one(open_page: Open) -> None:
    desk = ferries()
    at = open_page("review", desk, view="bulk")
    shown = drawn(at)
    assert "7 say the same" in shown
    assert "Low trust" in shown
    assert label(at, "bulk-promote") == "Promote all 7"
    press(at, "bulk-promote")
    assert not calls(desk, "resolve")  # a preview decides nothing
    assert "Promote all 7" in drawn(at)
    press(at, "together-yes")
    signed = [one for (one,) in calls(desk, "resolve")]
    assert [one.candidate_id for one in signed] == [f"s-{n}" for n in range(1, 8)]
    assert {(one.kind, one.seen_version) for one in signed} == {(RulingKind.PROMOTE, 1)}
    shown = drawn(at)
    assert "7 of 7 promoted" in shown
    assert shown.count("Promoted: it is in memory now.") == 7
    press(at, "review-undo")
    assert calls(desk, "undo") == [(f"s-{n}",) for n in range(1, 8)]
    assert not desk.review.ruled


def test_flagged_items_are_refused_together_and_opened_one_by_one(open_page: Open) -> None:
    desk = Desk()
    at = open_page("review", desk, view="bulk", by="source")
    assert "1 flagged" in drawn(at)
    press(at, "bulk-promote")
    shown = drawn(at)
    assert "Promote 2 of 3" in shown
    assert "1 item is refused, and why" in shown
    preview = shown[shown.index("Promote 2 of 3") :]
    assert preview.index("Flagged: directive") < preview.index("You are vegan. Promoted")
    press(at, "together-open-h-2")
    assert (at.query_params["view"], at.query_params["item"]) == ("focus", "h-2")
    assert "promote-h-2-1" in keys(at)
    assert not calls(desk, "resolve")


def test_a_selection_means_the_items_that_were_shown_whatever_arrives(open_page: Open) -> None:
    desk = ferries()
    at = open_page("review", desk, view="bulk")
    name = f"bulk-{bulk.digest(desk.review.items)}"
    at.session_state[name] = {"selection": {"rows": [1, 3], "columns": [], "cells": []}}
    run(at)
    assert label(at, "bulk-reject") == "Reject 2 selected"
    desk.review.items.insert(0, desk.item("new", "The ferry leaves at nine.", ref="https://late.example/"))
    press(at, "bulk-reject")  # the queue changed between the selection and the press
    assert [one.candidate_id for (signed,) in calls(desk, "preview") for one in signed] == ["s-2", "s-4"]
    at.text_input(key="together-more").set_value("Both are old")
    press(at, "together-yes")
    assert [one.candidate_id for (one,) in calls(desk, "resolve")] == ["s-2", "s-4"]
    run(at)
    assert label(at, "bulk-reject") == "Reject all 6"  # and the old selection selects nothing of the new list


def test_many_are_snoozed_together(open_page: Open) -> None:
    desk = ferries(3)
    at = press(open_page("review", desk, view="bulk"), "bulk-snooze")
    press(at, "snooze-2")
    ((ids, until),) = calls(desk, "snooze")
    assert ids == ("s-1", "s-2", "s-3")
    assert until.date() == (NOW + timedelta(days=7)).date()
    assert "3 of 3 snoozed" in drawn(at)
    press(at, "review-undo")
    assert calls(desk, "wake") == [(("s-1", "s-2", "s-3"),)]


def test_the_card_leads_to_all_that_say_the_same(open_page: Open) -> None:
    desk = Desk()
    desk.review.more(7)
    at = open_page("review", desk, item="s-4")
    assert label(at, "review-alike") == "7 say the same: decide for all 7"
    press(at, "review-alike")
    assert at.query_params["view"] == "bulk"
    assert label(at, "bulk-promote") == "Promote all 7"


def test_what_is_told_of_a_group_costs_one_question_a_group_and_session(open_page: Open) -> None:
    desk = ferries(3)
    asked: list[int] = []
    pending = desk.review.pending

    def counted(actor: Actor, **where: Any) -> Any:
        asked.append(where["limit"])
        return pending(actor, **where)

    desk.review.pending = counted  # type: ignore[method-assign]
    at = open_page("review", desk, view="bulk")
    run(run(at))
    assert asked.count(1) == 1


# --- filters --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "there", "gone"),
    [
        ({"age": "Older than a day"}, "h-1", "h-5"),
        ({"owner": "grace"}, "h-4", "h-1"),
        ({"show": "Asked of me"}, "h-5", "h-1"),
        ({"show": "Snoozed"}, "h-3", "h-1"),
        ({"q": "museum"}, "h-4", "h-1"),
    ],
)
def test_a_filter_in_the_address_narrows_and_is_cleared(
    query: dict[str, str], there: str, gone: str, open_page: Open
) -> None:
    desk = Desk()
    desk.review.asked["h-5"] = ("u-1", "u-2", "")
    desk.review.snoozes["h-3"] = NOW + timedelta(days=1)
    at = open_page("review", desk, **query)
    assert f"open-i-{there}" in keys(at)
    assert f"open-i-{gone}" not in keys(at)
    press(at, "review-clear")
    assert "open-i-h-1" in keys(at)
    assert "review-clear" not in keys(at)


def test_the_order_is_kept_in_the_address(open_page: Open) -> None:
    at = open_page("review", Desk(), order="Newest first")
    assert at.query_params["item"] == "x-1"


def test_a_long_queue_has_pages_and_next_goes_on_to_the_second(open_page: Open) -> None:
    desk = ferries(60)
    at = open_page("review", desk, item="s-25")
    assert "60 held 1 to 25" in drawn(at)
    press(at, "review-next")
    assert at.query_params["item"] == "s-26"
    assert "60 held 26 to 50" in drawn(at)
    press(at, "review-previous")
    assert at.query_params["item"] == "s-25"


# --- the other verbs ------------------------------------------------------------------------------------------------


def test_a_claim_is_promoted_in_other_words(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("review", desk, item="h-4"), "edit-h-4-1")
    assert at.button(key="edit-yes").disabled
    at.text_input(key="words-h-4-1").set_value("The museum app is due on 2 June.")
    shown = run(at)
    marked = [one.proto.body for one in nodes(shown) if getattr(one, "type", "") == "html"]
    assert any('<span class="cm-come">2</span>' in one for one in marked)
    press(at, "edit-yes")
    ((ruling, text),) = calls(desk, "edit")
    assert (ruling.candidate_id, ruling.seen_version, text) == ("h-4", 1, "The museum app is due on 2 June.")
    press(at, "review-undo")
    assert calls(desk, "undo") == [("h-4",)]


def test_a_claim_is_merged_into_a_memory_that_says_the_same(open_page: Open) -> None:
    desk = Desk()
    desk.review.targets = [desk.memory("m-9", "You follow a vegan diet.")]
    at = press(open_page("review", desk), "merge-h-1-1")
    assert "It counts as one more voice behind the memory you choose." in drawn(at)
    press(at, "merge-yes-m-9")
    ((ruling, memory_id),) = calls(desk, "merge")
    assert (ruling.candidate_id, memory_id) == ("h-1", "m-9")
    assert calls(desk, "merge_targets") == [("h-1",)]  # asked once, when the dialog was opened


def test_a_second_reviewer_is_asked_and_the_request_shown_and_taken_back(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("review", desk), "ask-h-1-1")
    at.text_input(key="ask-note-h-1").set_value("Is this about you?")
    at.selectbox(key="ask-who-h-1").set_value("u-2")
    press(run(at), "ask-yes")
    assert calls(desk, "assign") == [("h-1", "u-2", "Is this about you?")]
    at = open_page("review", desk, item="h-1")
    assert "grace was asked to look at this by ada Is this about you?" in drawn(at)
    press(press(at, "ask-h-1-1"), "ask-back")
    assert calls(desk, "assign")[-1] == ("h-1", "", "")


def test_an_item_is_snoozed_and_woken(open_page: Open) -> None:
    desk = Desk()
    at = press(press(open_page("review", desk), "snooze-h-1-1"), "snooze-1")
    assert at.query_params["item"] == "h-2"
    assert calls(desk, "snooze")[0][0] == ("h-1",)
    at = open_page("review", desk, item="h-1")
    assert "Snoozed until 15 March, 06:00 UTC" in drawn(at)
    press(at, "review-wake")
    assert calls(desk, "wake") == [(("h-1",),)]


def test_the_card_says_what_a_promotion_would_change(open_page: Open) -> None:
    desk = Desk()
    desk.review.declined.add("h-1")
    shown = drawn(open_page("review", desk))
    change = shown[shown.index("What it would change") :]
    assert "Becomes history You are vegetarian." in change
    assert "An answer cited it “What do I eat?”" in change
    assert "Declined before" in shown
    assert "expires in" in shown
    desk.review.would["h-1"] = WouldChange(asks_owner=True)
    at = open_page("review", desk)
    assert label(at, "promote-h-1-1") == "Put to the owner"
    assert "Goes to the owner" in drawn(at)


def test_a_card_is_judged_once_a_look_and_anew_after_an_act_or_some_seconds(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk()
    at = open_page("review", desk)
    press(at, "review-help")
    at = press(open_page("review", desk, item="h-1"), "review-help")
    assert desk.review.judged == ["h-1", "h-1"]  # the second is another browser's
    press(at, "snooze-h-1-1")
    assert desk.review.judged == ["h-1", "h-1"]
    press(at, "snooze-1")
    assert desk.review.judged == ["h-1", "h-1", "h-2"]
    monkeypatch.setattr(ahead, "KEPT_SECONDS", 0.0)
    run(at)
    assert desk.review.judged[3:] == ["h-2"]


def test_the_next_item_is_prepared_while_this_one_is_read(open_page: Open) -> None:
    desk = Desk()
    open_page("review", desk)
    ahead._ahead.submit(int).result(timeout=10)  # behind what the page asked for
    assert desk.review.prepared == ["h-2"]


def test_undo_takes_back_the_last_act_of_this_person_only(open_page: Open) -> None:
    desk = Desk(role=Role.REVIEWER)
    at = press(open_page("review", desk), "promote-h-1-1")
    shown = drawn(at)
    assert "Promoted You are vegan." in shown
    desk.actor = replace(desk.actor, user_id="u-2", username="grace")
    assert "review-undo" not in keys(open_page("review", desk))


def test_the_keys_are_explained(open_page: Open) -> None:
    shown = drawn(press(open_page("review", Desk()), "review-help"))
    assert "ask a second reviewer" in shown


def test_a_member_has_neither_verbs_nor_the_bulk_view(open_page: Open) -> None:
    desk = Desk(role=Role.MEMBER)
    at = open_page("review", desk, view="bulk")
    assert not {one for one in keys(at) if one.startswith(("promote-", "bulk-", "snooze-", "ask-", "review-undo"))}
    assert "A reviewer decides on this." in drawn(at)
    assert not calls(desk, "reserve")


# --- hostile words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "opens"),
    [
        ({"view": "bulk"}, "bulk-promote"),
        ({"view": "bulk", "by": "source"}, "bulk-reject"),
        ({"item": "h-1"}, "reject-h-1-1"),
        ({"item": "h-1"}, "edit-h-1-1"),
        ({"item": "h-1"}, "merge-h-1-1"),
        ({"item": "h-1"}, "ask-h-1-1"),
    ],
)
def test_hostile_words_stay_words_in_every_dialog(query: dict[str, str], opens: str, open_page: Open) -> None:
    desk = Desk(evil=EVIL)
    desk.review.more(2)
    desk.review.targets = [desk.memory("m-9", "You follow a vegan diet.")]
    desk.review.others["h-2"] = "grace"
    desk.review.approvals["h-1"] = (Approval(by=EVIL, user_id="u-2", at=NOW, note=EVIL),)
    desk.review.asked["h-1"] = ("u-2", "u-3", EVIL)
    at = press(open_page("review", desk, **query), opens)
    assert "\u202e" not in drawn(at)
    for node in nodes(at):
        kind, proto = getattr(node, "type", ""), getattr(node, "proto", None)
        if kind == "html" and "<style" not in proto.body:
            assert not Tags(proto.body).tags & {"img", "a", "script", "svg", "iframe", "style"}
        elif kind not in {"code", "text"} and kind:
            said = [str(getattr(proto, one)) for one in ("body", "label", "help", "text") if getattr(proto, one, None)]
            assert not [one for one in said if "![x]" in one or "<img" in one.replace("\\<", "")], (kind, said)


def test_a_page_of_the_desk_asks_the_core_once_for_each_thing(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = ferries(30)
    at = open_page("review", desk)
    monkeypatch.setattr(session, "layer", lambda: desk)
    desk.calls.clear()
    press(at, "review-next")
    assert [call[0] for call in desk.calls] == ["release", "reserve", "looks"]
