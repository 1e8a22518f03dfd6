"""Questions to a person, chains of origin, what is kept and what is erased: the pages against a desk in memory."""

from __future__ import annotations

import json
from typing import Any

import pytest

from console import questions, safe, session, stores, terms
from console.owndata import rows_of
from core.errors import BadInput
from core.model import CandidateState, MemoryStatus, Role, RulingKind
from core.settings import Settings
from tests.console.desk import EVIL, Desk
from tests.console.kit import Open, drawn, nodes, press, run
from tests.console.test_safe import Tags


def settled(desk: Desk) -> list[Any]:
    return [call[1] for call in desk.calls if call[0] == "settle"]


def keys(at: Any) -> set[str]:
    return {one.key for one in at.button if one.key}


# --- the conflict card --------------------------------------------------------------------------------------------


def test_a_conflict_shows_both_sides_once_with_who_when_and_trust(open_page: Open) -> None:
    at = open_page("review", Desk(), item="q-1")
    shown = drawn(at)
    card = shown[shown.index("Two statements disagree") :]
    assert card.count("Porto") == 1  # the old statement, and not again under "what it would change"
    sides = card[: card.index("The new statement is")]
    assert "Remembered now" in sides
    assert "ada, in own words" in sides
    assert "5 weeks ago" in sides
    assert "Web page · People of the harbour · https://people.example/ada" in sides
    assert "0.30, below 0.50" in sides
    assert "What it would change" not in shown


def test_the_words_in_which_two_statements_differ_are_marked() -> None:
    old, new = safe.differing("You live in Porto.", "You live in Lisbon now.")
    assert '<span class="cm-gone">Porto</span>' in old
    assert '<span class="cm-come">Lisbon now</span>' in new
    old, new = safe.differing("你喜欢喝茶。", "你喜欢喝咖啡。")
    assert ('<span class="cm-gone">茶</span>' in old, '<span class="cm-come">咖啡</span>' in new) == (True, True)


@pytest.mark.parametrize("pair", [(EVIL, "You live in Porto."), ("You live in Porto.", EVIL), (EVIL, EVIL + " now")])
def test_a_word_diff_of_hostile_words_is_words(pair: tuple[str, str]) -> None:
    for made, text in zip(safe.differing(*pair), pair, strict=True):
        seen = Tags(made)
        assert seen.tags <= {"div", "span"}
        assert seen.attributes <= {"class", "dir", "title", "role"}
        assert "".join(seen.words).startswith(text.replace("\u202e", "‹U+202E›"))


@pytest.mark.parametrize(
    ("answer", "state", "says"),
    [
        ("keep_old", CandidateState.REJECTED, "does not come back"),
        ("take_new", CandidateState.PROMOTED, "becomes history"),
        ("both", CandidateState.PROMOTED, "Nothing is replaced"),
        ("neither", CandidateState.REJECTED, "Nothing on this stands"),
    ],
)
def test_each_of_four_answers_says_what_changes_and_signs_what_was_shown(
    answer: str, state: CandidateState, says: str, open_page: Open
) -> None:
    desk = Desk()
    at = open_page("review", desk, item="q-1")
    assert says in drawn(at)
    press(at, f"say-{answer}-q-1-1")
    (ruling,) = settled(desk)
    item = desk.review.item(desk.actor, "q-1")
    assert (ruling.kind, ruling.candidate_id, ruling.seen_version) == (RulingKind(answer), "q-1", 1)
    assert (ruling.digest, item.state) == (item.candidate.digest, state)


def test_a_conflict_that_somebody_else_must_settle_offers_no_answer_and_no_promotion(open_page: Open) -> None:
    at = open_page("review", Desk(), item="q-3")
    assert "The owner's own words are at stake: grace is asked" in drawn(at)
    assert not {one for one in keys(at) if one.startswith(("say-", "promote-"))}
    assert "reject-q-3-1" in keys(at)


def test_a_flagged_conflict_is_taken_in_only_with_the_override_and_a_reason(open_page: Open) -> None:
    desk = Desk()
    item = desk.review.items[-1]
    assert item.candidate.candidate_id == "x-1"
    flagged = desk.review.item(desk.actor, "q-1")
    reasons = ("low_trust", "conflict", "impact")
    at_q1 = [one.candidate.candidate_id for one in desk.review.items].index("q-1")
    desk.review.items[at_q1] = desk.item("q-1", flagged.candidate.text, reasons=reasons)
    at = press(open_page("review", desk, item="q-1"), "say-take_new-q-1-1")
    assert "flagged (impact)" in drawn(at)
    assert desk.review.item(desk.actor, "q-1").state is CandidateState.HELD
    at.checkbox(key="override-q-1-1").check()
    at.text_input(key="note-q-1-1").set_value("My bank told me")
    run(at)
    press(at, "say-take_new-q-1-1")
    assert (settled(desk)[-1].override, settled(desk)[-1].note) == (True, "My bank told me")
    assert desk.review.item(desk.actor, "q-1").state is CandidateState.PROMOTED


# --- "remember this?" ---------------------------------------------------------------------------------------------


def test_what_needs_the_owners_yes_is_asked_with_the_reason(open_page: Open) -> None:
    desk = Desk()
    at = open_page("review", desk, item="q-2")
    shown = drawn(at)
    assert "Remember this?" in shown
    assert "It says where somebody else is to be paid." in shown
    assert "say-both-q-2-1" not in keys(at)
    press(at, "say-take_new-q-2-1")
    assert settled(desk)[0].kind is RulingKind.TAKE_NEW


def test_the_review_page_calls_to_what_only_this_person_can_settle(open_page: Open) -> None:
    at = open_page("review", Desk())
    assert "2 questions wait for your answer" in drawn(at)
    press(at, "review-answer")
    assert at.query_params["item"] == "q-1"
    assert "wait for your answer" not in drawn(at)


def test_a_member_answers_own_questions_where_held_items_are_for_reviewers(open_page: Open) -> None:
    desk = Desk(role=Role.MEMBER)
    desk.review.members_see = False
    at = open_page("review", desk)
    shown = drawn(at)
    assert "Two statements disagree" in shown
    assert "Remember this?" in shown
    assert "You are vegan." not in shown
    press(at, "say-keep_old-q-2-1")
    assert settled(desk)[0].kind is RulingKind.KEEP_OLD
    desk.review.items = []
    assert "You cannot do this" in drawn(open_page("review", desk))


def test_the_chat_asks_under_the_turn_and_takes_the_answer(open_page: Open) -> None:
    desk = Desk()
    at = open_page("chat", desk, c="c-1")
    shown = drawn(at)
    assert "This needs your yes Your landlord's account is FR76 1234." in shown
    assert "Remembered now You live in Porto. Says otherwise You live in Lisbon now." in shown
    assert shown.count("FR76 1234") == 1  # the echo of the turn is not asked about as well
    press(at, "say-take_new-q-2")
    assert [(one.candidate_id, one.kind) for one in settled(desk)] == [
        ("q-2", RulingKind.TAKE_NEW),
        ("q-2e", RulingKind.TAKE_NEW),
    ]
    run(at)
    assert "say-take_new-q-2" not in keys(at)
    assert "Learned: Your landlord's account is FR76 1234." in drawn(at)


def test_a_no_takes_the_echo_of_the_turn_along(open_page: Open) -> None:
    desk = Desk()
    press(open_page("chat", desk, c="c-1"), "say-keep_old-q-2")
    assert {one.kind for one in settled(desk)} == {RulingKind.KEEP_OLD}
    assert desk.review.item(desk.actor, "q-2e").state is CandidateState.REJECTED


# --- evidence -----------------------------------------------------------------------------------------------------


def test_a_card_shows_the_chain_the_tiers_the_findings_and_the_gaps(open_page: Open) -> None:
    shown = drawn(open_page("review", Desk(), item="x-1"))
    chain = shown[shown.index("Through which hops") :]
    assert chain.index("Assistant trust 0.70") < chain.index("Document trust 0.40") < chain.index("Web page trust 0.30")
    assert chain.count("Weakest: this one decides") == 1
    assert chain.index("Weakest") > chain.index("Web page trust 0.30")
    assert "Pasta for beginners · https://recipes.example/pasta" in chain
    assert "Pasted by ada, not typed. The same words were seen before. Seen before on web page" in shown
    assert "Payment details Money A wrong one could send a payment" in shown
    assert "Steers the assistant sends money somewhere else grave, 0.8" in shown
    assert "Active markup carries an image from another server slight, 0.2" in shown
    assert "The model that judges contradictions did not answer." in shown
    assert "3 similar memories were compared by the rules only" in shown
    assert "3 times by the same source while it waited" in shown
    assert terms.STANDINGS[Desk().review.item(Desk().actor, "x-1").decision.evidence.standing] in shown


def test_a_detectors_finding_must_be_overridden_in_so_many_words(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("review", desk, item="x-1"), "promote-x-1-1")
    press(at, "promote-yes")
    assert "flagged (impact, tool steering)" in drawn(at)
    at.checkbox(key="override-x-1-1").check()
    at.text_input(key="why-x-1-1").set_value("Checked by telephone")
    run(at)
    press(at, "promote-yes")
    assert desk.review.item(desk.actor, "x-1").state is CandidateState.PROMOTED


@pytest.mark.parametrize("item", ["q-1", "q-2", "x-1"])
def test_hostile_words_stay_words_on_every_card(item: str, open_page: Open) -> None:
    at = open_page("review", Desk(evil=EVIL), item=item)
    assert "\u202e" not in drawn(at)
    for node in nodes(at):
        kind, proto = getattr(node, "type", ""), getattr(node, "proto", None)
        if kind == "html" and "<style" not in proto.body:
            assert not Tags(proto.body).tags & {"img", "a", "script", "svg", "iframe", "style"}
        elif kind not in {"code", "text"} and kind:
            said = [str(getattr(proto, one)) for one in ("body", "label", "help", "text") if getattr(proto, one, None)]
            assert not [one for one in said if "![x]" in one or "<img" in one.replace("\\<", "")], (kind, said)


# --- keeping ------------------------------------------------------------------------------------------------------


def test_a_memory_is_pinned_archived_corrected_and_restored(open_page: Open) -> None:
    desk = Desk()
    at = press(press(open_page("memories", desk), "open-m-m-1"), "drawer-pin-m-1")
    assert desk.memories.rows["m-1"].pinned
    assert "Pinned" in drawn(at)
    press(press(at, "open-m-m-1"), "drawer-unpin-m-1")
    press(press(at, "open-m-m-1"), "drawer-archive-m-1")
    assert desk.memories.rows["m-1"].status is MemoryStatus.ARCHIVED
    at.get_by_key("memory-status").set_value(MemoryStatus.ARCHIVED)
    press(press(run(at), "open-m-m-1"), "drawer-restore-m-1")
    assert desk.memories.rows["m-1"].status is MemoryStatus.ACTIVE
    at.get_by_key("memory-status").set_value(MemoryStatus.ACTIVE)
    press(run(at), "open-m-m-2")
    at.text_area(key="drawer-text-m-2").set_value("I live in Braga.")
    press(at, "drawer-correct-m-2")
    assert [call for call in desk.calls if call[0] != "settle"] == [
        ("pin", "m-1"),
        ("unpin", "m-1"),
        ("archive", "m-1"),
        ("restore", "m-1"),
        ("correct", "m-2", "I live in Braga."),
    ]


def test_the_drawer_shows_links_and_a_reviewer_takes_a_promotion_back(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("memories", desk), "open-m-m-2")
    assert "Replaced by this one You live in Lisbon." in drawn(at)
    at = press(open_page("memories", desk), "open-m-m-3")
    assert "Dinner on Friday is vegetarian." in drawn(at)
    press(at, "revoke-m-3")
    assert "Say why the promotion is revoked" in drawn(at)
    at.text_input(key="revoke-why-m-3").set_value("The page was wrong")
    run(at)
    press(at, "revoke-m-3")
    assert desk.calls == [("revoke", "m-3", "The page was wrong")]


def test_a_member_cannot_take_a_promotion_back(open_page: Open) -> None:
    at = press(open_page("memories", Desk(role=Role.MEMBER)), "open-m-m-3")
    assert "revoke-m-3" not in keys(at)


def test_memories_are_shown_as_of_an_earlier_day(open_page: Open) -> None:
    desk = Desk()
    at = open_page("memories", desk)
    at.date_input(key="as-of").set_value("2026-01-01")
    shown = drawn(run(at))
    assert "As it stood at the end of 1 January 2026." in shown
    assert "You live in Lisbon." in shown
    assert "You are allergic to penicillin." not in shown
    assert "You had a meeting with Ben." not in shown


def test_forgetting_everything_needs_the_words_and_a_reason(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("memories", desk), "own-forget")
    press(at, "forget-all-yes")
    assert "Nothing was forgotten" in drawn(at)
    at.text_input(key="forget-all-words").set_value("Forget everything")
    press(run(at), "forget-all-yes")
    assert "Say why everything should be forgotten" in drawn(at)
    at.text_input(key="forget-all-why").set_value("I start anew")
    press(run(at), "forget-all-yes")
    assert desk.calls == [("forget_all", "I start anew")]
    assert not [one for one in desk.memories.rows.values() if one.status is MemoryStatus.ACTIVE]


def test_what_is_gone_is_removed_for_good_when_asked(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("memories", desk), "own-purge")
    assert "for 30 days" in drawn(at)
    press(at, "purge-yes")
    press(run(at), "own-purge")
    at.checkbox(key="purge-now").check()
    press(run(at), "purge-yes")
    assert desk.calls == [("purge", False), ("purge", True)]
    assert set(desk.memories.rows) == {"m-1", "m-2", "m-3", "m-5", "m-7"}


def test_an_export_taken_in_again_is_previewed_first_and_says_what_became_of_each_row(open_page: Open) -> None:
    desk = Desk()
    at = open_page("memories", desk)
    file = json.dumps(desk.memories.export(desk.actor)).encode()
    press(at, "own-import")
    at.file_uploader(key="import-file").upload("mine.json", file)
    shown = drawn(run(at))
    assert "6 rows will wait for review" in shown
    assert desk.calls == []
    desk.memories.reading = True
    press(at, "import-yes")
    assert desk.calls == [("import", 6, "mine.json")]
    assert "The import is being read 6 rows to go." in drawn(at)
    desk.memories.reading = False
    shown = drawn(run(at))
    assert "Held for review: low trust" in shown
    assert "States nothing that can be remembered" in shown
    press(at, "import-close")
    assert "The import is read" not in drawn(at)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"not json", "not JSON"),
        (b"[]", "not in the format"),
        (b'{"format": "other", "memories": []}', "not in the format"),
        (b'{"format": "chronomemory-export-1", "memories": [1]}', "not an object"),
    ],
)
def test_a_file_that_is_no_export_is_refused_in_words(data: bytes, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        rows_of(data)


# --- erasing ------------------------------------------------------------------------------------------------------


def test_a_person_is_erased_by_their_typed_name_and_leaves_a_certificate(open_page: Open) -> None:
    desk = Desk()
    at = press(open_page("people", desk), "erase-u-3")
    at.text_input(key="erase-name-u-3").set_value("benn")
    press(run(at), "erase-yes-u-3")
    assert "Nothing was erased" in drawn(at)
    at.text_input(key="erase-name-u-3").set_value("ben")
    press(run(at), "erase-yes-u-3")
    shown = drawn(at)
    assert desk.calls == [("erase", "u-3")]
    assert "ben (u-3)" in shown
    assert "12 texts, 7 memories, 9 claims, 11 decisions, 2 chats" in shown
    assert any(getattr(one, "type", "") == "download_button" for one in nodes(at))
    press(at, "erase-close")
    assert "ben (u-3)" not in drawn(at)


def test_oneself_is_erased_and_the_certificate_is_there_to_copy(open_page: Open) -> None:
    desk = Desk(role=Role.MEMBER)
    at = press(open_page("account", desk), "erase-me")
    at.text_input(key="erase-name-u-1").set_value("ada")
    press(run(at), "erase-yes-u-1")
    assert desk.calls == [("erase", "u-1")]
    assert json.loads(at.code[0].value)["certificate_id"] == "cert-1"


# --- sources and policy -------------------------------------------------------------------------------------------


def test_policy_lists_tools_and_the_numbers_of_judgement(open_page: Open) -> None:
    shown = drawn(open_page("policy", Desk()))
    assert "web_search reads web reads the web 0.30 Held for review" in shown
    assert "0.90, and a speaker with a right to say so" in shown
    assert "newest: the newest statement stands" in shown
    assert "30 days" in shown


def test_an_admin_makes_the_store_anew_and_writes_a_snapshot(
    open_page: Open, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "Settings", lambda: Settings(_env_file=None, chronomemory_data=tmp_path))
    desk = Desk()
    at = press(open_page("policy", desk, view="Models and parts"), "stores-rebuild")
    assert desk.calls == []
    press(at, "stores-rebuild-yes")
    press(at, "stores-snapshot")
    shown = drawn(at)
    assert desk.calls == [("rebuild",), ("snapshot", "ledger-20260314-093000.sqlite3")]
    assert "2.0 KB" in shown
    assert "c4" * 32 in [one.value for one in at.code]


def test_nobody_but_an_admin_is_offered_acts_on_the_stores(open_page: Open) -> None:
    assert "stores-rebuild" not in keys(open_page("policy", Desk(role=Role.REVIEWER), view="Models and parts"))


# --- the badge ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("role", "counted"), [(Role.MEMBER, 2), (Role.REVIEWER, 10)])
def test_the_badge_counts_what_waits_for_this_person(role: Role, counted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(role=role)
    desk.review.members_see = False
    monkeypatch.setattr(session, "layer", lambda: desk)
    assert questions.count(desk.actor) == counted
    desk.down = True
    assert questions.count(desk.actor) == 0
