"""Agent keys and invitations on Account and People, over a desk in memory."""

from __future__ import annotations

from core.model import SourceKind
from tests.console.desk import Desk
from tests.console.kit import Open, drawn, press, run


def test_a_key_is_made_and_shown_once(open_page: Open) -> None:
    desk = Desk()
    at = open_page("account", desk)
    at.text_input(key="agent-key-name").set_value("planner")
    next(one for one in at.button if one.label == "Make a key").click()
    run(at)
    assert desk.calls == [("create_key", "planner", "agent_turn", False)]
    assert [one.value for one in at.code] == ["cmk_the-whole-token"]
    assert "shown this once" in drawn(at)
    assert run(at).code, "a drawing by itself does not take it away"
    assert not press(at, "agent-key-copied").code


def test_a_key_says_what_its_texts_count_as_and_whose_memory_it_opens(open_page: Open) -> None:
    desk = Desk()
    at = open_page("account", desk)
    at.text_input(key="agent-key-name").set_value("phone")
    at.selectbox(key="agent-key-channel").set_value(SourceKind.USER_TURN)
    at.selectbox(key="agent-key-space").set_value(True)
    next(one for one in at.button if one.label == "Make a key").click()
    run(at)
    assert desk.calls == [("create_key", "phone", "user_turn", True)]


def test_a_key_without_a_name_is_refused_in_words(open_page: Open) -> None:
    desk = Desk()
    at = open_page("account", desk)
    next(one for one in at.button if one.label == "Make a key").click()
    assert "1 to 40 characters" in drawn(run(at))
    assert desk.calls == []


def test_keys_are_listed_and_revoked_on_both_pages(open_page: Open) -> None:
    desk = Desk()
    for page in ("account", "people"):
        at = open_page(page, desk)
        shown = drawn(at)
        assert "planner" in shown
        assert "cmk_Zx81qP…" in shown
        assert "last used 2 hours ago" in shown
        press(at, "revoke-key-k-1")
    assert desk.calls == [("revoke_key", "k-1")] * 2


def test_without_a_key_the_page_says_what_one_is_for(open_page: Open) -> None:
    assert "No agent has a key" in drawn(open_page("account", Desk(empty=True)))
    assert "Nobody has made one" in drawn(open_page("people", Desk(empty=True)))


def test_an_invitation_that_waits_is_listed_and_revoked(open_page: Open) -> None:
    desk = Desk()
    at = open_page("people", desk)
    shown = drawn(at)
    assert "carla" in shown
    assert "runs out in 6 days" in shown
    press(at, "revoke-inv-1")
    assert desk.calls == [("revoke_invitation", "inv-1")]
