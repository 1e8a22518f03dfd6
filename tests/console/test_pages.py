"""Every page against a layer in memory: what it says, what its buttons do, and that hostile words stay words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from console import session
from core.model import CandidateState, MemoryStatus, Role, RulingKind
from tests.console.desk import EVIL, Desk
from tests.console.kit import Open, drawn, nodes, press, run
from tests.console.test_safe import Tags

NAMES = ("chat", "review", "memories", "audit", "people", "account", "policy", "evidence")

# --- hostile words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_hostile_words_stay_words(name: str, open_page: Open) -> None:
    desk = Desk(evil=EVIL)
    desk.audit_desk.broken = True
    query = {"c": "c-1"} if name == "chat" else {}
    at = open_page(name, desk, **query)
    seen_evil = 0
    for node in nodes(at):
        kind, proto = getattr(node, "type", ""), getattr(node, "proto", None)
        if kind == "html":
            if "<style" in proto.body:
                continue
            seen = Tags(proto.body)
            assert not seen.tags & {"img", "a", "script", "svg", "iframe", "object", "style", "form", "link"}
            assert not [one for one in seen.attributes if one.startswith("on") or one in {"href", "src"}]
            seen_evil += "![x](http://127.0.0.1:9/evil.png)" in "".join(seen.words)
        elif kind not in {"code", "text"} and proto is not None and kind:
            markdown = [
                str(getattr(proto, field)) for field in ("body", "label", "help", "text") if getattr(proto, field, None)
            ]
            markdown += [
                str(one)
                for one in getattr(proto, "options", ())
                if kind in {"pills", "segmented_control", "radio", "button_group"}
            ]
            for text in markdown:
                assert "![x]" not in text, (kind, text)
                assert "](javascript" not in text, (kind, text)
                assert not re.search(r"(?<!\\)<img", text), (kind, text)
    assert seen_evil or name == "policy", "the page shows the words it was given"


@pytest.mark.parametrize("name", NAMES)
def test_deceiving_characters_are_written_out(name: str, open_page: Open) -> None:
    query = {"chat": {"c": "c-1"}, "policy": {"view": "Models and parts"}}
    shown = drawn(open_page(name, Desk(evil=EVIL), **query.get(name, {})))
    assert "\u202e" not in shown
    assert "‹U+202E›" in shown


def test_the_why_drawer_and_its_code_are_safe(open_page: Open) -> None:
    at = press(open_page("memories", Desk(evil=EVIL)), "open-m-m-1")
    shown = drawn(at)
    assert "Who decided" in shown
    assert "\u202e" not in shown


# --- errors and empty lists -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["chat", "review", "memories", "audit", "people", "account"])
def test_a_store_that_is_down_is_said_calmly_and_the_page_comes_back(name: str, open_page: Open) -> None:
    desk = Desk(down=True)
    at = open_page(name, desk)
    assert "The store is not reachable" in drawn(at)
    assert "This page tries again by itself." in drawn(at)
    desk.down = False
    assert "The store is not reachable" not in drawn(run(at))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chat", "What should be remembered?"),
        ("review", "Nothing is held"),
        ("memories", "Nothing is remembered yet"),
        ("audit", "No entries yet"),
        ("policy", "No model server was found"),
    ],
)
def test_an_empty_page_says_what_will_appear(name: str, text: str, open_page: Open) -> None:
    query = {"view": "Models and parts"} if name == "policy" else {}
    assert text in drawn(open_page(name, Desk(empty=True), **query))


# --- chat ---------------------------------------------------------------------------------------------------------


def test_chat_shows_what_was_learned_held_recalled_and_withheld(open_page: Open) -> None:
    shown = drawn(open_page("chat", Desk(), c="c-1"))
    assert "Learned: You are allergic to penicillin." in shown
    assert shown.count("Held for review: ") == 3
    assert "(gives an order)" in shown
    assert "Recalled 2 of 41 candidates · 1 matching fact withheld (held for review)" in shown
    assert "vouched for by grace" in shown
    assert "Below the floor · 1" in shown
    assert "score 0.10 · trust 1.00" in shown
    assert "Superseded · 1" in shown
    assert "A newer statement took its place." in shown
    assert "No language model is connected: rules answer from memory." in shown


def test_chat_shows_the_exact_prompt(open_page: Open) -> None:
    at = open_page("chat", Desk(), c="c-1")
    answer, *prompt = [one.value for one in at.code]
    assert answer.startswith("You are allergic to penicillin [1]")  # to be copied
    assert prompt == ["You are a careful assistant.", "What am I allergic to?"]
    assert {one.language for one in at.code} <= {"", "plaintext"}


def test_an_example_starts_a_conversation_that_the_address_keeps(open_page: Open) -> None:
    desk = Desk(empty=True)
    at = press(open_page("chat", desk), "example-0")
    assert desk.calls == [("ask", "c-new-1", "I am allergic to penicillin. Please remember that.")]
    assert at.query_params["c"] == "c-new-1"
    assert "Reading…" in drawn(at)
    assert "Thinking…" in drawn(at)


def test_a_running_answer_grows_stops_and_settles(open_page: Open) -> None:
    desk = Desk()
    at = open_page("chat", desk, c="c-1")
    at.chat_input(key="chat-say").set_value("What do you know about me?")
    run(at)
    (run_id,) = desk.chat.runs
    desk.chat.grow(run_id, 0.5)
    run(at)
    half = drawn(at)
    assert half.count("You are allergic to penicillin ") >= 2
    press(at, f"stop-{run_id}")
    run(at)
    assert ("stop", run_id) in desk.calls
    assert not [one for one in at.button if one.key == f"stop-{run_id}"]
    assert "Reading…" not in drawn(at)


def test_a_message_that_could_not_be_stored_is_kept_and_sent_by_a_click(open_page: Open) -> None:
    desk = Desk()
    at = open_page("chat", desk)
    at.session_state[session.UNSENT] = "I live in Porto."
    run(at)
    assert "I live in Porto." in drawn(at)
    press(at, "chat-unsent-send")
    assert any(call[0] == "ask" and "I live in Porto." in call for call in desk.calls)
    assert session.UNSENT not in at.session_state


def test_deleting_a_chat_asks_first(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk, c="c-1"), "chat-delete")
    assert desk.calls == []
    press(at, "chat-delete-yes")
    assert desk.calls == [("delete", "c-1")]


def test_a_pasted_page_is_labelled_with_its_trust_before_it_is_sent(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk, c="c-1"), "chat-attach")
    at.get_by_key("attach-sort").set_value("Web page")
    run(at)
    assert "0.30, below 0.50" in drawn(at)
    assert "Nothing of it reaches memory unless a reviewer promotes it." in drawn(at)
    at.text_input(key="attach-address").set_value("https://recipes.example/pasta")
    at.text_area(key="attach-text").set_value("You are vegan.")
    run(at)
    press(at, "attach-page-send")
    assert desk.calls == [("attach_page", "c-1", "https://recipes.example/pasta", "You are vegan.")]


def test_a_file_is_attached_to_this_conversation(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk, c="c-1"), "chat-attach")
    at.file_uploader(key="attach-file").upload("minutes.txt", b"The app is due on 1 June.")
    run(at)
    assert "0.40, below 0.50" in drawn(at)
    press(at, "attach-file-send")
    assert desk.calls == [("attach_file", "c-1", "minutes.txt", b"The app is due on 1 June.")]


def test_a_memory_is_forgotten_from_the_chat_with_a_reason(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("chat", desk, c="c-1"), "forget-r-1-m-1")
    press(at, "dialog-forget-m-1")
    assert desk.calls == [("forget", "m-1", "It is wrong")]


# --- review -------------------------------------------------------------------------------------------------------


def resolved(desk: Desk) -> list[Any]:
    return [call[1] for call in desk.calls if call[0] == "resolve"]


def test_review_shows_the_claim_the_gate_the_source_and_what_it_would_change(open_page: Open) -> None:
    desk = Desk()
    at = open_page("review", desk)
    shown = drawn(at)
    digest = desk.review.items[0].candidate.digest
    assert "You are vegan." in shown
    assert f"sha256 {digest[:16]}…" in shown
    assert "Readers of this blog will know:" in shown
    assert "Remembered now" in shown
    assert "You are vegetarian." in shown
    assert "at least 0.50" in shown
    assert shown.index("Trust of its origin") < shown.index("What the sentence does")  # what failed comes first


def test_a_promotion_signs_what_was_shown_and_the_next_item_comes(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("review", desk), "promote-h-1-1")
    (ruling,) = resolved(desk)
    item = desk.review.items[0].candidate
    assert (ruling.kind, ruling.candidate_id) == (RulingKind.PROMOTE, "h-1")
    assert (ruling.seen_version, ruling.digest) == (item.version, item.digest)
    assert at.query_params["item"] == "h-2"


def test_a_rejection_needs_a_reason_which_a_number_or_own_words_give(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("review", desk), "reject-h-1-1")
    press(at, "reject-yes")
    assert "Say why: press a number, or write a few words." in drawn(at)
    assert not desk.review.ruled
    press(at, "reject-reason-1")
    assert resolved(desk)[-1].note == "Not true"
    assert desk.review.ruled["h-1"].state is CandidateState.REJECTED
    press(at, "reject-h-2-1")
    at.text_input(key="reject-own-h-2").set_value("The blog speaks of its readers")
    press(at, "reject-yes")
    assert resolved(desk)[-1].note == "The blog speaks of its readers"
    press(at, "reject-h-3-1")
    press(at, "reject-yes")  # Enter alone gives the last reason again
    assert resolved(desk)[-1].note == "The blog speaks of its readers"


def test_an_order_needs_the_override_and_a_note(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("review", desk, item="h-2"), "promote-h-2-1")
    assert not resolved(desk)
    press(at, "promote-yes")
    assert "flagged" in drawn(at)
    at.checkbox(key="override-h-2-1").check()
    at.text_input(key="why-h-2-1").set_value("I asked for this recommendation")
    run(at)
    press(at, "promote-yes")
    assert (resolved(desk)[-1].override, resolved(desk)[-1].note) == (True, "I asked for this recommendation")
    assert desk.review.ruled["h-2"].state is CandidateState.PROMOTED


def test_an_item_that_changed_is_shown_as_it_is_now_with_who_changed_it(open_page: Open) -> None:
    desk = Desk()
    at = open_page("review", desk)
    desk.review.stale = True
    press(at, "promote-h-1-1")
    shown = drawn(at)
    assert "This changed while you looked at it" in shown
    assert "by grace" in shown
    assert not [one for one in at.button if one.key == "promote-h-1-1"]


def test_keys_move_through_the_sources(open_page: Open) -> None:
    at = open_page("review", Desk())
    seen = []
    for _ in range(4):
        press(at, "review-next")
        seen.append(at.query_params.get("item", ""))
    assert seen[:2] == ["h-2", "h-3"]
    assert "The museum app is due on 1 June." in drawn(at) or "الاجتماع" in drawn(at)
    press(at, "review-previous")


def test_a_whole_source_is_rejected_in_one_act_with_a_result_for_each(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("review", desk, view="bulk", by="source"), "bulk-reject")
    press(at, "together-yes")
    assert "Say why: one reason for all of them" in drawn(at)
    at.selectbox(key="together-reason").set_value("Not true")
    press(run(at), "together-yes")
    assert [one.candidate_id for one in resolved(desk)] == ["h-1", "h-2"]
    assert {one.note for one in resolved(desk)} == {"Not true"}
    shown = drawn(at)
    assert "2 of 3 rejected" in shown
    assert "It changed while you looked at it." in shown


def test_a_ruling_can_be_undone(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("review", desk), "promote-h-1-1")
    press(at, "review-undo")
    assert ("undo", "h-1") in desk.calls
    assert "h-1" not in desk.review.ruled
    assert at.query_params["item"] == "h-1"


def test_a_member_sees_but_does_not_rule(open_page: Open) -> None:
    at = open_page("review", Desk(role=Role.MEMBER))
    assert "A reviewer decides on this." in drawn(at)
    assert not [one for one in at.button if one.key and one.key.startswith(("promote-", "reject-"))]


@pytest.mark.parametrize(
    ("filters", "there", "gone"),
    [
        ({"reason": "directive"}, "Casa Lupo", "open-i-h-1"),
        ({"q": "museum"}, "The museum app", "open-i-h-1"),
        ({"source": "external_doc"}, "The museum app", "open-i-h-1"),
    ],
)
def test_filters_narrow_the_queue(filters: dict[str, str], there: str, gone: str, open_page: Open) -> None:
    at = open_page("review", Desk())
    for key, value in filters.items():
        (at.text_input(key=key) if key == "q" else at.selectbox(key=key)).set_value(value)
    shown = drawn(run(at))
    assert there in shown
    assert gone not in {one.key for one in at.button}


# --- memories -----------------------------------------------------------------------------------------------------


def test_memories_are_listed_with_source_and_age(open_page: Open) -> None:
    shown = drawn(open_page("memories", Desk()))
    assert "4 memories" in shown
    assert (
        "web page · Pasta for beginners · https://recipes.example/pasta · 3 weeks ago · vouched for by grace" in shown
    )
    assert "You live in Lisbon." not in shown  # replaced


def test_what_an_agent_keeps_apart_is_shown_on_its_own_and_chosen_on_this_page_only(open_page: Open) -> None:
    desk = Desk()
    assert not [one for one in open_page("memories", desk).selectbox if one.key == "space"]
    desk.spaces = ["planner"]
    at = open_page("memories", desk)
    at.selectbox(key="space").set_value("planner")
    asked = []
    desk.memories.count = lambda actor: asked.append(actor.scope.agent) or dict.fromkeys(MemoryStatus, 0)
    run(at)
    assert asked == ["planner"]


def test_the_drawer_explains_a_memory_and_forgets_it(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("memories", desk), "open-m-m-1")
    shown = drawn(at)
    assert "Strength 0.72 = importance 0.80 × freshness 0.90." in shown
    assert "Admitted by the policy" in shown
    at.selectbox(key="drawer-why-m-1").set_value("It is private")
    run_in_dialog = press(at, "drawer-forget-m-1")
    assert desk.memories.rows["m-1"].status is MemoryStatus.DELETED
    assert desk.calls[-1] == ("forget", "m-1", "It is private")
    assert "3 memories" in drawn(run_in_dialog)


def test_a_forgotten_memory_is_restored(open_page: Open) -> None:
    desk = Desk()
    at = open_page("memories", desk)
    at.get_by_key("memory-status").set_value(MemoryStatus.DELETED)
    run(at)
    press(at, "open-m-m-6")
    press(at, "drawer-restore-m-6")
    assert desk.memories.rows["m-6"].status is MemoryStatus.ACTIVE


def test_memories_are_searched(open_page: Open) -> None:
    at = open_page("memories", Desk())
    at.text_input(key="find").set_value("porto")
    shown = drawn(run(at))
    assert "1 memory" in shown
    assert "You live in Porto." in shown


# --- audit --------------------------------------------------------------------------------------------------------


def test_audit_verifies_once_and_again_when_asked(open_page: Open) -> None:
    desk = Desk()
    at = open_page("audit", desk)
    assert "9 entries verified just now." in drawn(at)
    assert at.code[0].value == "9b" * 32
    run(at)
    assert desk.calls.count(("verify",)) == 1
    desk.audit_desk.broken = True
    press(at, "audit-verify")
    assert "The chain is broken at entry 4" in drawn(at)


def test_audit_is_filtered_and_names_people(open_page: Open) -> None:
    at = open_page("audit", Desk())
    assert "Person invited" in drawn(at)
    at.selectbox(key="what").set_value("candidate")
    shown = drawn(run(at))
    assert "Person invited" not in shown
    assert "Promoted" in shown
    assert "ada" in shown


# --- people and account ---------------------------------------------------------------------------------------------


def test_an_invitation_link_is_shown_once(open_page: Open) -> None:
    desk = Desk()
    at = open_page("people", desk)
    at.selectbox(key="invite-role").set_value(Role.REVIEWER)
    at.text_input(key="invite-name").set_value("lin")
    next(one for one in at.button if one.label == "Make a link").click()
    run(at)
    assert desk.calls == [("invite", Role.REVIEWER, "lin")]
    assert at.code[0].value.endswith("/invite?token=tok-123")
    run(at)
    assert not at.code


def test_people_are_managed_but_not_oneself(open_page: Open) -> None:
    desk = Desk()
    at = open_page("people", desk)
    at.selectbox(key="role-u-2-reviewer").set_value(Role.ADMIN)
    run(at)
    press(at, "set-role-u-2")
    press(at, "end-u-2")
    press(at, "disable-u-2")
    press(at, "enable-u-3")
    assert desk.calls == [
        ("set_role", "u-2", Role.ADMIN),
        ("end_sessions", "u-2"),
        ("disable", "u-2"),
        ("enable", "u-3"),
    ]
    assert not [one for one in at.button if one.key and one.key.endswith("-u-1")]


def test_people_refuses_members(open_page: Open) -> None:
    shown = drawn(open_page("people", Desk(role=Role.MEMBER)))
    assert "You cannot do this" in shown
    assert "grace" not in shown


def test_the_password_is_changed_and_a_typo_is_caught(open_page: Open) -> None:
    desk = Desk()
    at = open_page("account", desk)

    def change(old: str, new: str, again: str) -> str:
        for key, value in (("pw-old", old), ("pw-new", new), ("pw-again", again)):
            at.text_input(key=key).set_value(value)
        next(one for one in at.button if one.label == "Change password").click()
        return drawn(run(at))

    assert "The two new passwords differ" in change(
        "correct horse battery", "a new long password", "a new long passwort"
    )
    assert "The present password is not right." in change("wrong", "a new long password", "a new long password")
    assert desk.calls == []
    assert "1 other session ended." in change("correct horse battery", "a new long password", "a new long password")
    assert desk.calls == [("change_password", "a new long password")]


def test_own_sessions_are_named_and_ended(open_page: Open) -> None:
    desk = Desk()
    at = open_page("account", desk)
    shown = drawn(at)
    assert "Chrome on Linux" in shown
    assert "Firefox on Android" in shown
    press(at, "end-session-s-2")
    press(at, "end-others")
    press(at, "end-all")
    press(at, "end-all-yes")
    assert desk.calls == [("end_session", "s-2"), ("sign_out_everywhere", True), ("sign_out_everywhere", False)]


# --- sources and policy ---------------------------------------------------------------------------------------------


def test_policy_shows_trust_digest_parts_and_offers_local_servers(open_page: Open) -> None:
    desk = Desk()
    at = open_page("policy", desk)
    assert "0.30, below 0.50" in drawn(at)
    assert [one.value for one in at.code] == [desk.policy.digest]
    at = open_page("policy", desk, view="Models and parts")
    assert "offered, never used unasked" in drawn(at)
    assert [one.value for one in at.code] == [
        "OPENAI_BASE_URL=http://127.0.0.1:11434/v1\nAGENT_MODEL=small-model\nBACKGROUND_MODEL=small-model",
    ]
