"""What every ledger must do for the review desk: order, near-duplicates, reservations, notes, second yeses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import StaleReview
from core.model import CandidateState, MemoryKind, Proposal, SourceKind, Span
from core.ports import HeldFilter, Ledger, Marking
from tests.contract.ledger_values import IVO, MARA, NOON, after, candidate, decision, episode


def put(
    ledger,
    cid,
    statement="You are allergic to penicillin.",
    *,
    scope=MARA,
    importance=0.6,
    reasons=("low_trust",),
    at=0.0,
    ref="a",
):
    """A held claim of a page, with an episode of its own."""
    plain = decision(f"d-{cid}", cid, reasons=reasons, at=after(at))
    plain = replace(plain, evidence=replace(plain.evidence, findings=(), cluster=f"site:{ref}"))
    with ledger.transaction() as tx:
        given = episode(f"e-{cid}", scope=scope, text=statement, kind=SourceKind.WEB_CONTENT, ref=ref)
        stored = tx.add_episode(given, idempotency_key=None, inbox=False)
        proposal = Proposal(
            subject="user",
            attribute="allergy",
            value="penicillin",
            statement=statement,
            kind=MemoryKind.FACT,
            importance=importance,
            span=Span(start=0, end=len(statement)),
        )
        made = replace(candidate(cid, stored), proposal=proposal)
        tx.add_candidate(made, state=CandidateState.HELD, at=after(at))
        tx.add_decision(plain)
    return made


def shown(ledger, **where):
    return [one.candidate.candidate_id for one in ledger.held(HeldFilter(tenant="acme", **where), limit=9)[0]]


def marking(ledger, cid) -> Marking:
    return ledger.markings([cid])[cid]


class DeskContract:
    def test_three_orders(self, ledger: Ledger):
        put(ledger, "k1", "One.", importance=0.4)
        put(ledger, "k2", "Two.", importance=1.0)
        put(ledger, "k3", "Three.", importance=0.1, reasons=("conflict",))
        assert shown(ledger) == ["k1", "k2", "k3"]
        assert shown(ledger, order="newest") == ["k3", "k2", "k1"]
        assert shown(ledger, order="priority") == ["k3", "k2", "k1"]
        groups, total = ledger.held_groups(HeldFilter(tenant="acme", order="priority"), by="alike")
        assert [one.first_id for one in groups] == ["k3", "k2", "k1"]
        assert total == 3
        [group], _ = ledger.held_groups(HeldFilter(tenant="acme", order="newest"))
        assert (group.first_id, group.sample, group.count, group.flagged) == ("k3", "Three.", 3, 0)

    def test_near_duplicates_of_one_owner_are_a_group_and_others_are_not(self, ledger: Ledger):
        said = "You are allergic to penicillin, says the clinic."
        put(ledger, "k1", said, ref="a")
        put(ledger, "k2", said.rstrip("."), ref="b")
        put(ledger, "k3", said.replace("penicillin", "aspirin"), ref="c")
        put(ledger, "k4", said.replace("are", "are not"), ref="d")
        put(ledger, "k5", said, scope=IVO, ref="e")
        assert shown(ledger, alike="k1") == ["k1", "k2"]
        assert [marking(ledger, one).alike_count for one in ("k1", "k2", "k3", "k4", "k5")] == [2, 2, 1, 1, 1]
        with ledger.transaction() as tx:
            tx.scrub("k1")  # a purged fact draws nothing to it any more
        put(ledger, "k6", said, ref="f")
        assert marking(ledger, "k6").alike == "k6"

    def test_filters_by_age_and_by_who_was_asked(self, ledger: Ledger):
        put(ledger, "k1", "One.")
        put(ledger, "k2", "Two.", at=60)
        assert shown(ledger, older_than=after(30)) == ["k1"]
        with ledger.transaction() as tx:
            assert tx.assign("k2", user_id="rita", to="sam", at=NOON, note="please")
            assert not tx.assign("none", user_id="rita", to="sam", at=NOON, note="")
        assert shown(ledger, assigned_to="sam") == ["k2"]
        found = marking(ledger, "k2")
        assert (found.assigned_to, found.assigned_by, found.assigned_note) == ("sam", "rita", "please")

    def test_what_is_put_off_comes_back_by_itself(self, ledger: Ledger):
        put(ledger, "k1", "One.")
        with ledger.transaction() as tx:
            assert tx.snooze("k1", user_id="rita", until=after(60), at=NOON, note="later")
        assert shown(ledger, at=NOON) == []
        assert shown(ledger, at=NOON, snoozed=True) == ["k1"]
        assert shown(ledger) == ["k1"]  # who looks for all sees all
        assert shown(ledger, at=after(60)) == ["k1"]
        tally = ledger.tally("acme", owner=None, since=NOON, at=NOON)
        assert (tally.held, tally.oldest, tally.snoozed) == (0, None, 1)
        assert ledger.tally("acme", owner=None, since=NOON).held == 1

    def test_one_reservation_an_item(self, ledger: Ledger):
        put(ledger, "k1", "One.")

        def reserve(who, at, *, force=False):
            with ledger.transaction() as tx:
                return tx.reserve("k1", user_id=who, until=after(at + 60), now=after(at), force=force)

        assert reserve("rita", 0).user_id == "rita"
        assert reserve("sam", 1).user_id == "rita"
        assert reserve("rita", 5).until == after(65)
        assert reserve("sam", 65).user_id == "sam"
        assert reserve("rita", 66, force=True).user_id == "rita"
        with ledger.transaction() as tx:
            assert not tx.release("k1", user_id="sam")
            assert tx.reservation("k1", now=after(67)) is not None
            assert tx.reservation("k1", now=after(126)) is None
            assert tx.release("k1", user_id="rita")
        assert marking(ledger, "k1").reservation is None

    def test_a_decision_clears_the_desk(self, ledger: Ledger):
        put(ledger, "k1", "One.")
        with ledger.transaction() as tx:
            tx.reserve("k1", user_id="rita", until=after(60), now=NOON, force=False)
            tx.snooze("k1", user_id="rita", until=after(60), at=NOON, note="later")
            tx.assign("k1", user_id="rita", to="sam", at=NOON, note="please")
            tx.move_candidate("k1", seen_version=1, state=CandidateState.REJECTED, at=NOON)
            tx.add_decision(decision("d2", "k1", by="sam"))
        found = marking(ledger, "k1")
        assert (found.reservation, found.snoozed_until, found.assigned_to, found.held) == (None, None, "", False)

    def test_a_yes_counts_once_and_for_one_version(self, ledger: Ledger):
        made = put(ledger, "k1", "One.")

        def approve(who, version=1, digest=made.digest):
            with ledger.transaction() as tx:
                return tx.approve("k1", version=version, digest=digest, user_id=who, at=NOON, note="seen")

        assert [one.user_id for one in approve("rita")[0]] == ["rita"]
        given, fresh = approve("rita")
        assert (len(given), fresh) == (1, False)
        with pytest.raises(StaleReview):
            approve("sam", version=2)
        assert [one.user_id for one in approve("sam")[0]] == ["rita", "sam"]
        assert [one.note for one in marking(ledger, "k1").approvals] == ["seen", "seen"]
        with ledger.transaction() as tx:
            tx.move_candidate("k1", seen_version=1, state=CandidateState.HELD, at=NOON)
            tx.add_decision(decision("d2", "k1"))
        assert marking(ledger, "k1").approvals == ()

    def test_what_waits_too_long_is_found_unless_somebody_is_at_it(self, ledger: Ledger):
        for cid, at in (("k1", 0.0), ("k2", 10.0), ("k3", 100.0)):
            put(ledger, cid, f"{cid}.", at=at)
        with ledger.transaction() as tx:
            tx.reserve("k1", user_id="rita", until=after(60), now=NOON, force=False)
        found = ledger.overdue(after(50), now=after(50))
        assert [one.candidate.candidate_id for one in found] == ["k2"]
        assert [one.candidate.candidate_id for one in ledger.overdue(after(50), now=after(61))] == ["k1", "k2"]

    def test_an_edit_ties_two_candidates_until_it_is_taken_back(self, ledger: Ledger):
        put(ledger, "k1", "The old words.")
        put(ledger, "k2", "The new words.")
        with ledger.transaction() as tx:
            tx.add_rewording("k2", original_id="k1")
        assert ledger.reworded("k1") == ledger.reworded("k2") == ("k1", "k2")
        with ledger.transaction() as tx:
            tx.scrub("k2")  # the words that it was made from go with it
        assert {ledger.candidate(one).candidate.text for one in ("k1", "k2")} == {"[purged]"}
        with ledger.transaction() as tx:
            tx.drop_rewording("k2")
        assert ledger.reworded("k1") is None

    def test_nothing_of_the_desk_outlives_its_owner(self, ledger: Ledger):
        made = put(ledger, "k1", "One.")
        with ledger.transaction() as tx:
            tx.reserve("k1", user_id="rita", until=after(60), now=NOON, force=False)
            tx.assign("k1", user_id="rita", to="sam", at=NOON, note="a word about one")
            tx.approve("k1", version=1, digest=made.digest, user_id="rita", at=NOON, note="another word")
            tx.add_rewording("k1", original_id="k0")
        with ledger.transaction() as tx:
            tx.erase("acme", "mara")
        assert ledger.markings(["k1"]) == {}
        assert ledger.reworded("k1") is None
