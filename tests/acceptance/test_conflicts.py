"""Rulings that contradict, are taken back, or meet at once; two writers on one key (rules §1.11, §3)."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.enact import Enactor
from core.errors import BadInput, ChronoMemoryError, Contradicts, NeedsReason, NotAuthorised, NotFound, StaleReview
from core.model import CandidateState, MemoryKind, MemoryStatus, Role, RulingKind, Verdict
from tests.acceptance.life import AGENT, TOOL, WEB, Life, ruling

ACTIVE, SUPERSEDED = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED
KEEP_OLD, TAKE_NEW, BOTH, NEITHER = RulingKind.KEEP_OLD, RulingKind.TAKE_NEW, RulingKind.BOTH, RulingKind.NEITHER


@pytest.fixture
def life(console):
    return Life(console)


@pytest.fixture
def mia(life):
    return life.of(life.console.person("mia", Role.MEMBER))


@pytest.fixture
def rita(life):
    return life.console.person("rita", Role.REVIEWER)


def card(life: Life):
    """A conflict card: the owner said one weight, a tool computed another."""
    life.say("The total weight is 520 kg.")
    life.wait(hours=1)
    return life.held(life.say("The total weight is 480 kg.", channel=TOOL, tool="calculator", where="sums"))


def weights(life: Life) -> list[str]:
    return sorted(one.value for one in life.facts(text="total weight"))


class TestRevoking:
    @pytest.fixture
    def promoted(self, life):
        page = life.say("The sailing club rents canoes.", channel=WEB, where="page", source_ref="https://sail.example")
        item = life.held(page)
        life.layer.review.resolve(life.who, ruling(item))
        return item.candidate.candidate_id

    def test_what_was_derived_is_held_again_with_it(self, life, promoted):
        assert life.recall("does the sailing club rent canoes?")
        note = life.say(
            "The sailing club rents canoes, so a trip is possible.",
            channel=AGENT,
            where="plans",
            derived_from=(f"memory:{promoted}",),
        )
        derived = [one for one in life.items(note) if one.state is CandidateState.ADMITTED]
        assert derived
        vouched = life.layer.policy.trust.vouch_level
        assert max(one.decision.evidence.effective_trust for one in derived) <= vouched
        ids = {one.candidate.candidate_id for one in derived}
        assert {one.candidate.candidate_id for one in life.layer.review.along(life.who, promoted)} == ids
        with pytest.raises(NeedsReason):
            life.layer.review.revoke(life.who, promoted, " ")
        outcomes = life.layer.review.revoke(life.who, promoted, "the page was wrong")
        assert {one.candidate_id for one in outcomes} == {promoted, *ids}
        for candidate_id in (promoted, *ids):
            item = life.layer.review.item(life.who, candidate_id)
            assert item.state is CandidateState.HELD
            assert life.layer.store.get(life.who.scope, candidate_id) is None
        assert not any("canoes" in one for one in life.recall("does the sailing club rent canoes?"))
        assert len(life.audit("candidate:revoked")) == len(outcomes)
        with pytest.raises(BadInput):
            life.layer.review.revoke(life.who, promoted, "again")

    def test_a_rebuild_keeps_it_revoked(self, life, promoted):
        life.layer.review.revoke(life.who, promoted, "the page was wrong")
        life.layer.lifecycle.rebuild(life.who)
        assert life.rows(*MemoryStatus) == []

    def test_held_again_it_can_be_promoted_again(self, life, promoted):
        life.layer.review.revoke(life.who, promoted, "the page was wrong")
        life.layer.review.resolve(life.who, ruling(life.layer.review.item(life.who, promoted)))
        assert life.row(promoted).vouched_by == "ada"

    def test_members_and_later_admins(self, life, mia, promoted):
        with pytest.raises((NotAuthorised, NotFound)):
            life.layer.review.revoke(mia.who, promoted, "no")
        life.wait(days=100)
        life.layer.review.revoke(life.who, promoted, "no time limit on this")
        assert life.rows() == []


class TestUndoing:
    @pytest.fixture
    def promoted(self, life):
        page = life.say("The sailing club rents canoes.", channel=WEB, where="page", source_ref="https://sail.example")
        item = life.held(page)
        life.layer.review.resolve(life.who, ruling(item))
        return item.candidate.candidate_id

    def test_only_within_the_window_and_by_who_ruled(self, life, rita, promoted):
        minutes = life.layer.policy.review.undo_minutes
        with pytest.raises(NotAuthorised, match="Only the one who ruled"):
            life.layer.review.undo(rita, promoted)
        life.wait(minutes=minutes)
        assert life.layer.review.undo(life.who, promoted).state is CandidateState.HELD
        life.layer.review.resolve(life.who, ruling(life.layer.review.item(life.who, promoted)))
        life.wait(minutes=minutes, seconds=1)
        with pytest.raises(BadInput, match="can be undone for"):
            life.layer.review.undo(life.who, promoted)
        assert life.row(promoted).status is ACTIVE

    def test_what_it_replaced_comes_back(self, life, rita):
        item = card(life)
        life.layer.review.settle(life.who, ruling(item, TAKE_NEW))
        assert weights(life) == ["480 kg"]
        life.layer.review.undo(life.who, item.candidate.candidate_id)
        assert weights(life) == ["520 kg"]
        assert life.fact("total weight").superseded_by is None

    def test_unless_the_story_went_on(self, life):
        item = card(life)
        life.layer.review.settle(life.who, ruling(item, TAKE_NEW))
        life.wait(minutes=1)
        life.say("The total weight is 610 kg.")
        assert weights(life) == ["610 kg"]
        life.layer.review.undo(life.who, item.candidate.candidate_id)
        assert weights(life) == ["610 kg"]  # never two current values

    def test_a_refused_pair_comes_back_unless_a_third_stands(self, life):
        item = card(life)
        life.layer.review.settle(life.who, ruling(item, NEITHER))
        assert weights(life) == []
        life.layer.review.undo(life.who, item.candidate.candidate_id)
        assert weights(life) == ["520 kg"]
        again = life.layer.review.item(life.who, item.candidate.candidate_id)
        life.layer.review.settle(life.who, ruling(again, NEITHER))
        life.say("The total weight is 610 kg.")
        life.layer.review.undo(life.who, item.candidate.candidate_id)
        assert weights(life) == ["610 kg"]


class TestSettling:
    @pytest.mark.parametrize(
        ("answer", "left", "state"),
        [
            (KEEP_OLD, ["520 kg"], CandidateState.REJECTED),
            (TAKE_NEW, ["480 kg"], CandidateState.PROMOTED),
            (BOTH, ["480 kg", "520 kg"], CandidateState.PROMOTED),
            (NEITHER, [], CandidateState.REJECTED),
        ],
    )
    def test_the_owner_answers_in_four_ways(self, life, mia, answer, left, state):
        item = card(mia)
        assert [one.candidate.candidate_id for one in life.layer.review.questions(mia.who)] == [
            item.candidate.candidate_id
        ]
        outcome = life.layer.review.settle(mia.who, ruling(item, answer))
        assert outcome.state is state
        assert weights(mia) == left
        assert life.layer.review.questions(mia.who) == []
        [entry] = life.audit(f"candidate:{answer.value}")
        assert entry.actor == mia.who.user_id
        taken = mia.facts(text="480")
        assert bool(taken) is (state is CandidateState.PROMOTED)
        assert all((one.effective_trust, one.vouched_by) == (0.6, "mia") for one in taken)
        assert life.verified()

    def test_the_owners_own_words_are_not_a_reviewers_to_settle(self, life, mia, rita):
        item = card(mia)
        for answer in (KEEP_OLD, TAKE_NEW, BOTH, NEITHER):
            with pytest.raises(Contradicts, match="only the owner"):
                life.layer.review.settle(rita, ruling(item, answer))
        with pytest.raises(Contradicts):
            life.layer.review.resolve(rita, ruling(item))
        assert weights(mia) == ["520 kg"]
        assert mia.row(mia.fact("520").memory_id).status is ACTIVE

    @pytest.mark.parametrize(("answer", "left"), [(KEEP_OLD, ["520 kg"]), (TAKE_NEW, ["480 kg"]), (NEITHER, [])])
    def test_where_the_owner_said_nothing_a_reviewer_may(self, life, mia, rita, answer, left):
        mia.say("The total weight is 520 kg.", channel=TOOL, tool="calculator", where="sums")
        life.wait(hours=1)
        page = mia.say("The total weight is 480 kg.", channel=WEB, where="page", source_ref="https://w.example")
        item = mia.held(page)
        assert set(item.decision.reasons) == {"low_trust", "conflict"}
        life.layer.review.settle(rita, ruling(item, answer))
        assert weights(mia) == left
        assert all(one.effective_trust == 0.3 for one in mia.facts(text="480"))

    def test_others_members_see_nothing_of_it(self, life, mia):
        item = card(mia)
        olu = life.console.person("olu", Role.MEMBER)
        with pytest.raises(NotFound):
            life.layer.review.settle(olu, ruling(item, KEEP_OLD))
        with pytest.raises(BadInput, match="not a conflict"):
            life.layer.review.settle(mia.who, ruling(item, RulingKind.PROMOTE))

    def test_what_changed_since_it_was_shown_is_refused(self, life, mia):
        item = card(mia)
        for wrong in ({"digest": "0" * 64}, {"seen_version": 9}):
            with pytest.raises(StaleReview):
                life.layer.review.settle(mia.who, ruling(item, TAKE_NEW, **wrong))
        life.layer.review.settle(mia.who, ruling(item, KEEP_OLD))
        with pytest.raises((StaleReview, BadInput)):
            life.layer.review.settle(mia.who, ruling(item, TAKE_NEW))
        assert weights(mia) == ["520 kg"]

    def test_a_double_click_makes_one_decision(self, life, mia):
        item = card(mia)
        with ThreadPoolExecutor(max_workers=4) as pool:
            calls = [pool.submit(life.layer.review.settle, mia.who, ruling(item, TAKE_NEW)) for _ in range(4)]
        failed = [one.exception() for one in calls if one.exception() is not None]
        assert len(failed) < 4
        assert all(isinstance(one, StaleReview | BadInput) for one in failed)
        assert weights(mia) == ["480 kg"]
        made = [one for one in life.layer.ledger.decisions(item.candidate.candidate_id) if one.by != "policy"]
        assert len(made) == 1

    def test_owner_and_owner_elsewhere_at_once(self, life, mia):
        item = card(mia)
        second = life.console.sign_in("mia")
        with ThreadPoolExecutor(max_workers=2) as pool:
            calls = [
                pool.submit(life.layer.review.settle, mia.who, ruling(item, TAKE_NEW)),
                pool.submit(life.layer.review.settle, second, ruling(item, KEEP_OLD)),
            ]
        failed = [one for one in calls if one.exception() is not None]
        assert len(failed) == 1
        state = life.layer.review.item(life.who, item.candidate.candidate_id).state
        assert weights(mia) == (["480 kg"] if state is CandidateState.PROMOTED else ["520 kg"])
        assert life.verified()


class TestPromotingAgainstTheOwner:
    def test_it_opens_a_card_to_the_owner_and_overwrites_nothing(self, life, mia, rita):
        page = mia.say("The total weight is 480 kg.", channel=WEB, where="page", source_ref="https://w.example")
        item = mia.held(page)
        assert item.decision.reasons == ("low_trust",)
        mia.say("The total weight is 520 kg.")
        assert life.layer.review.questions(mia.who) == []
        with pytest.raises(Contradicts, match="520 kg"):
            life.layer.review.resolve(rita, ruling(item))
        assert weights(mia) == ["520 kg"]
        [asked] = life.layer.review.questions(mia.who)
        assert asked.candidate.candidate_id == item.candidate.candidate_id
        assert asked.candidate.version == item.candidate.version + 1
        [entry] = life.audit("candidate:put_to_owner")
        assert (entry.actor, entry.owner) == (rita.user_id, mia.who.user_id)
        with pytest.raises(StaleReview):
            life.layer.review.settle(mia.who, ruling(item, TAKE_NEW))
        life.layer.review.settle(mia.who, ruling(asked, TAKE_NEW))
        assert weights(mia) == ["480 kg"]
        assert mia.fact("480").effective_trust == 0.3
        assert mia.fact("520", SUPERSEDED).superseded_by == asked.candidate.candidate_id


class TestTwoReviewers:
    def test_at_once_they_make_one_decision(self, life, rita):
        page = life.say("The sailing club rents canoes.", channel=WEB, where="page", source_ref="https://sail.example")
        item = life.held(page)
        barrier = threading.Barrier(2)

        def rule(who, kind):
            barrier.wait(10)
            return life.layer.review.resolve(who, ruling(item, kind))

        with ThreadPoolExecutor(max_workers=2) as pool:
            calls = [
                pool.submit(rule, life.who, RulingKind.PROMOTE),
                pool.submit(rule, rita, RulingKind.REJECT),
            ]
        failed = [one.exception() for one in calls if one.exception() is not None]
        assert len(failed) == 1
        assert isinstance(failed[0], StaleReview)
        state = life.layer.review.item(life.who, item.candidate.candidate_id).state
        assert bool(life.rows(text="canoes")) is (state is CandidateState.PROMOTED)
        assert life.verified()


class TestTwoWriters:
    """A promotion is committed after the worker has judged and before it commits (rules §3.6)."""

    def test_the_loser_is_judged_again(self, life, monkeypatch):
        page = life.say("The depot gate opens at six.", channel=WEB, where="page", source_ref="https://d.example")
        [item] = [one for one in life.items(page) if one.state is CandidateState.HELD]
        real, meanwhile = Enactor.commit_episode, []

        def late(self, episode, rulings, **rest):
            if not meanwhile:
                meanwhile.append(life.layer.review.resolve(life.who, ruling(item)))
            return real(self, episode, rulings, **rest)

        with monkeypatch.context() as patch:
            patch.setattr(Enactor, "commit_episode", late)
            turn = life.say("The depot gate opens at nine.")
        assert meanwhile
        facts = life.facts(text="depot gate")
        assert [one.text for one in facts] == ["The depot gate opens at nine."]
        old = life.row(item.candidate.candidate_id)
        assert (old.status, old.superseded_by) == (SUPERSEDED, facts[0].memory_id)
        assert all(one.decision.by == "policy" for one in life.items(turn))
        assert life.verified()
        life.layer.lifecycle.rebuild(life.who)
        assert [one.text for one in life.facts(text="depot gate")] == ["The depot gate opens at nine."]

    def test_many_writers_on_one_key_leave_one_value(self, life, mia):
        """Turns, corrections and a reviewer at once, two workers: one current value, a sound chain."""
        mia.say("I live in Utrecht.")
        towns = ["Gouda", "Delft", "Assen", "Venlo", "Breda", "Zwolle"]
        problems: list[BaseException] = []

        def write(town):
            try:
                mia.submit(f"I live in {town} now.", where=f"talk {town}")
                for _ in range(4):
                    life.layer.step()
            except ChronoMemoryError as problem:
                problems.append(problem)

        threads = [threading.Thread(target=write, args=(town,)) for town in towns]
        for one in threads:
            one.start()
        for one in threads:
            one.join(60)
        life.console.settle()
        homes = [one for one in mia.facts(text="live") if one.attribute == "home"]
        assert len(homes) == 1
        assert homes[0].value in towns
        past = [one for one in mia.facts(SUPERSEDED) if one.attribute == "home"]
        assert len(past) == len(towns)
        assert life.verified()
        assert all(problem.retry for problem in problems if isinstance(problem, ChronoMemoryError))

    def test_a_ruling_on_old_evidence_is_judged_again(self, life, mia, monkeypatch):
        """The owner speaks between a reviewer's look at the memories and the commit: the ruling meets their words."""
        page = mia.say("The depot gate opens at six.", channel=WEB, where="page", source_ref="https://d.example")
        [item] = [one for one in mia.items(page) if one.state is CandidateState.HELD]
        real, meanwhile = Enactor.commit_ruling, []

        def late(self, actor, acts, **rest):
            if not meanwhile:
                meanwhile.append(acts[0].decision.verdict)
                mia.say("The depot gate opens at nine.")
            return real(self, actor, acts, **rest)

        with monkeypatch.context() as patch:
            patch.setattr(Enactor, "commit_ruling", late)
            with pytest.raises(Contradicts, match="nine"):
                life.layer.review.resolve(life.who, ruling(item))
        assert meanwhile == [Verdict.ADMIT]
        assert life.layer.ledger.candidate(item.candidate.candidate_id).state is CandidateState.HELD
        assert life.audit("candidate:promoted") == []
        assert [one.text for one in mia.facts(text="depot gate")] == ["The depot gate opens at nine."]
        assert mia.facts(SUPERSEDED) == []
        assert life.verified()


def test_kinds_of_the_sentences_used_here(life):
    """What these tests say is read as facts: otherwise they would prove nothing."""
    life.say("The depot gate opens at six. The total weight is 520 kg.")
    kinds = {one.kind for one in life.facts(text="depot gate") + life.facts(text="total weight")}
    assert kinds == {MemoryKind.FACT}
