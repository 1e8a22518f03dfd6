"""Sources & policy over a desk in memory: a draft, its comparison, the dry run, adopting, the versions."""

from __future__ import annotations

import pytest

from core.model import Role
from tests.console.desk import EVIL, Desk
from tests.console.kit import Open, drawn, press, run

FIRST = Desk().policy.digest[:8]
KEY = f"draft-trust.threshold-0-{FIRST}"


def drafted(open_page: Open, desk: Desk, value: float = 0.35):
    at = open_page("policy", desk, view="Change")
    at.number_input(key=KEY).set_value(value)
    return run(at)


def adopt(at, reason: str):
    at.text_input(key="policy-note").set_value(reason)
    next(one for one in at.button if one.label == "Adopt this draft").click()
    return run(at)


def test_a_draft_is_compared_and_changes_nothing(open_page: Open) -> None:
    desk = Desk()
    at = open_page("policy", desk, view="Change")
    assert "The draft changes nothing" in drawn(at)
    at.number_input(key=KEY).set_value(0.35)
    shown = drawn(run(at))
    assert "Needed to be remembered unseen 0.50 0.35" in " ".join(shown.split())
    assert "Every document would be remembered unseen" in shown
    assert desk.calls == []
    assert "The draft changes nothing" in drawn(press(at, "policy-discard"))
    assert at.number_input(key=f"draft-trust.threshold-1-{FIRST}").value == 0.5


def test_the_dry_run_shows_figures_and_the_items_behind_them(open_page: Open) -> None:
    desk = Desk()
    shown = drawn(press(drafted(open_page, desk), "policy-dry-run"))
    assert desk.calls == [("dry_run", {"trust.threshold": 0.35})]
    for text in ("Would release", "Would hold more", "240 rulings", "The canteen opens at seven.", "grace"):
        assert text in shown
    assert "A memory of somebody else: its words are theirs to read." in shown


def test_a_dry_run_of_another_draft_is_not_shown(open_page: Open) -> None:
    at = press(drafted(open_page, Desk()), "policy-dry-run")
    at.number_input(key=KEY).set_value(0.45)
    shown = drawn(run(at))
    assert "Would release" not in shown
    assert "this draft was not tried yet" in shown


def test_adopting_needs_a_reason_and_offers_to_judge_the_held_again(open_page: Open) -> None:
    desk = Desk()
    at = adopt(drafted(open_page, desk), "")
    assert "A reason is needed" in drawn(at)
    at = adopt(at, "Our handbooks are our own.")
    assert desk.calls == [("adopt", {"trust.threshold": 0.35}, "Our handbooks are our own.")]
    assert "The policy is in force" in drawn(at)
    assert "The draft changes nothing" in drawn(at)
    assert "1 held item released" in drawn(press(at, "policy-rejudge"))
    assert desk.calls[-1] == ("rejudge",)


def test_a_policy_that_moved_meanwhile_is_looked_at_first(open_page: Open) -> None:
    desk = Desk()
    at = drafted(open_page, desk)
    other = desk.governance.adopt(desk.actor, {"trust.web_content": 0.2}, seen_digest=desk.policy.digest, note="x")
    run(at)
    assert "The policy changed while you were drafting" in drawn(at)
    assert "This changed while you looked at it" in drawn(adopt(at, "Why not."))
    press(at, "policy-seen")
    adopt(at, "Why not.")
    assert desk.policy.trust.threshold == 0.35
    assert desk.policy.trust.web_content == other.trust.web_content == 0.2, "the other admin's number stands"


def test_a_tool_goes_into_the_draft_and_out_of_it(open_page: Open) -> None:
    desk = Desk()
    at = open_page("policy", desk, view="Change")
    at.text_input(key=f"draft-tool-name-0-{FIRST}").set_value("calculator")
    at.selectbox(key=f"draft-tool-class-0-{FIRST}").set_value("not registered")
    next(one for one in at.button if one.label == "Put into the draft").click()
    shown = " ".join(drawn(run(at)).split())
    assert "Tool calculator compute none" in shown
    adopt(at, "Nobody uses it.")
    assert desk.policy.tools.class_of("calculator") == ""


def test_a_choice_and_a_preset(open_page: Open) -> None:
    desk = Desk()
    at = open_page("policy", desk, view="Change")
    at.selectbox(key=f"draft-conflict.policy-0-{FIRST}").set_value("manual")
    at.selectbox(key=f"draft-decay-0-{FIRST}").set_value("classic")
    adopt(run(at), "For a comparison.")
    assert desk.policy.conflict.policy == "manual"
    assert desk.policy.decay.semantic_eta_days == 7.0
    assert desk.policy.decay.durable is False


def test_versions_say_who_and_what(open_page: Open) -> None:
    desk = Desk()
    desk.governance.adopt(desk.actor, {"trust.threshold": 0.4}, seen_digest=desk.policy.digest, note="Own handbooks.")
    shown = " ".join(drawn(open_page("policy", desk, view="Versions")).split())
    for text in (
        "Version 2",
        "adopted by ada",
        "Own handbooks.",
        "Needed to be remembered unseen 0.50 0.40",
        "Version 1",
    ):
        assert text in shown
    assert desk.policy.digest in shown


@pytest.mark.parametrize(("role", "views"), [(Role.MEMBER, 2), (Role.REVIEWER, 3), (Role.ADMIN, 4)])
def test_a_role_sees_its_parts_of_the_page(open_page: Open, role: Role, views: int) -> None:
    at = open_page("policy", Desk(role=role))
    assert len(at.get("button_group")[0].options) >= views
    assert "Base trust by source" in drawn(at)


@pytest.mark.parametrize("view", ["Change", "Versions"])
def test_hostile_names_stay_words(open_page: Open, view: str) -> None:
    desk = Desk(evil=EVIL)
    desk.policy = desk.governance.preview({"tools.registry.![x](http://127.0.0.1:9/e.png)": "records"})
    desk.governance.adopt(desk.actor, {"trust.threshold": 0.4}, seen_digest=desk.policy.digest, note="why")
    at = open_page("policy", desk, view=view)
    if view == "Change":
        key = f"draft-trust.threshold-0-{desk.policy.digest[:8]}"
        at.number_input(key=key).set_value(0.2)
        press(run(at), "policy-dry-run")
    assert "![x](http" in drawn(at)
    for node in [*at.markdown, *at.caption]:
        assert "![x]" not in node.value
