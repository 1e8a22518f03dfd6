"""Operator keys on Account and People, over a desk in memory."""

from __future__ import annotations

from tests.console.desk import Desk
from tests.console.kit import Open, drawn, press, run


def test_a_key_is_made_and_shown_once(open_page: Open) -> None:
    desk = Desk()
    at = open_page("account", desk)
    at.text_input(key="operator-key-name").set_value("nightly export")
    next(one for one in at.button if one.label == "Make an operator key").click()
    run(at)
    assert desk.calls == [("create_operator_key", "nightly export")]
    assert [one.value for one in at.code] == ["cmo_the-whole-token"]
    assert not press(at, "operator-key-copied").code


def test_a_key_without_a_purpose_is_refused_in_words(open_page: Open) -> None:
    desk = Desk()
    at = open_page("account", desk)
    next(one for one in at.button if one.label == "Make an operator key").click()
    assert "Say what the key is for" in drawn(run(at))
    assert desk.calls == []


def test_keys_are_listed_and_revoked_on_both_pages(open_page: Open) -> None:
    desk = Desk()
    for page in ("account", "people"):
        at = open_page(page, desk)
        shown = drawn(at)
        assert "nightly export" in shown
        assert "cmo_Qm27xR…" in shown
        assert "last used 5 hours ago" in shown
        press(at, "revoke-operator-o-1")
    assert desk.calls == [("revoke_operator_key", "o-1")] * 2


def test_without_a_key_the_page_says_what_one_is_for(open_page: Open) -> None:
    assert "No program acts for you" in drawn(open_page("account", Desk(empty=True)))
