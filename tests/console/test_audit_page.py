"""Audit over a desk in memory: filters in the address, one entry in full, damage to a copy, the isolation proof."""

from __future__ import annotations

from core.model import Role
from tests.console.desk import EVIL, Desk
from tests.console.kit import Open, drawn, press, run


def test_filters_come_from_the_address(open_page: Open) -> None:
    shown = drawn(open_page("audit", Desk(), who="ada"))
    assert "Promoted" in shown
    assert "Held for review" not in shown
    assert "Held for review" in drawn(open_page("audit", Desk(), who="policy"))
    assert "Nothing fits these filters" in drawn(open_page("audit", Desk(), **{"from": "2026-03-15"}))
    assert "Promoted" in drawn(open_page("audit", Desk(), **{"from": "2026-03-14", "to": "2026-03-14"}))
    assert "This is not a day" in drawn(open_page("audit", Desk(), **{"from": "yesterday"}))


def test_one_entry_is_opened_in_full(open_page: Open) -> None:
    shown = drawn(open_page("audit", Desk(), entry="9"))
    for text in ("0b" * 32, "a" * 64, "ada (u-1)", "candidate:promoted", "Candidate id h-1"):
        assert text in " ".join(shown.split())
    assert "no entry of that number" in drawn(open_page("audit", Desk(), entry="900"))


def test_damage_to_a_copy_is_shown_with_who_finds_it(open_page: Open) -> None:
    at = press(open_page("audit", Desk()), "tamper-run")
    shown = drawn(at)
    assert "It is found out" in shown
    assert "One byte of entry 4 is another one." in shown
    assert "d1" * 32 in [one.value for one in at.code]
    at.selectbox(key="tamper-how").set_value("Cut the end off")
    shown = " ".join(drawn(press(at, "tamper-run")).split())
    assert "The chain by itself Sees nothing" in shown
    assert "witnessed Caught" in shown


def test_members_are_not_offered_it(open_page: Open) -> None:
    at = open_page("audit", Desk(role=Role.MEMBER))
    assert not [one for one in at.button if one.key == "tamper-run"]


def test_hostile_words_in_an_opened_entry_stay_words(open_page: Open) -> None:
    at = open_page("audit", Desk(evil=EVIL), entry="9")
    assert "![x](http" in drawn(at)
    assert "\u202e" not in drawn(at)


def test_the_isolation_proof_counts_and_warns(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("policy", desk, view="Models and parts"), "isolation-run")
    shown = " ".join(drawn(at).split())
    assert "No row came back" in shown
    assert "grace, the control 7 7" in shown
    assert "chronomemory_reader no no yes no" in shown
    desk.proofs.leaks = 2
    assert "Rows came back that should not" in drawn(press(at, "isolation-run"))


def test_only_an_admin_is_offered_the_isolation_proof(open_page: Open) -> None:
    at = open_page("policy", Desk(role=Role.REVIEWER), view="Models and parts")
    assert not [one for one in at.button if one.key == "isolation-run"]
    assert run(at)


def test_a_keys_history_is_told_with_what_was_current(open_page: Open) -> None:
    shown = " ".join(drawn(open_page("audit", Desk(), key="user | diet")).split())
    for text in (
        "2 statements, 3 events",
        "Admitted",
        "You eat meat.",
        "Current then: You eat meat.",
        "Memory forgotten",
    ):
        assert text in shown
    assert "Words of somebody else's memory." in shown
    assert "There is no item of that id." in drawn(open_page("audit", Desk(), key="h-404"))
    assert "![x](http" in drawn(open_page("audit", Desk(evil=EVIL), key="user | diet"))


def test_roles_show_their_health_and_are_called_only_when_asked(open_page: Open) -> None:
    desk = Desk()
    at = open_page("policy", desk, view="Models and parts")
    shown = " ".join(drawn(at).split())
    for text in (
        "small-model, then second-model",
        "models.example/v1",
        "8 pieces, 25% by rules",
        "1 hour ago: the model",
    ):
        assert text in shown
    assert desk.calls == []
    assert "It answers" in drawn(press(at, "check-agent"))
    assert desk.calls == [("check", "agent")]
    assert not [one for one in at.button if one.key == "check-judge"]


def test_the_export_has_every_field_of_every_entry(open_page: Open) -> None:
    at = open_page("audit", Desk())
    labels = [one.proto.label for one in at.get("download_button")]
    assert labels == ["Download CSV", "Download JSON lines"]
