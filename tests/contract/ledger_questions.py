"""What every ledger promises of questions to a person, keys that are one, and the auditor's place in the chain."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import StaleReview
from core.model import CandidateState
from core.ports import Ledger, Question, QuestionKind, QuestionState
from tests.contract import ledger_origins as origins
from tests.contract.ledger_origins import ALLERGY, MAIL_AGENT, again, put, rule
from tests.contract.ledger_values import IVO, MARA, NOON, episode


def stating(name, source, *, attribute="allergy", **rest):
    made = origins.stating(name, source, **rest)
    return replace(made, proposal=replace(made.proposal, attribute=attribute))


HOUR = timedelta(hours=1)
OPEN, ANSWERED, CLOSED = QuestionState.OPEN, QuestionState.ANSWERED, QuestionState.CLOSED


def question(name: str = "q1", **rest) -> Question:
    given = {
        "question_id": name,
        "scope": MARA,
        "kind": QuestionKind.CONFLICT,
        "slot_key": ALLERGY,
        "options": ("memory:m1", "candidate:k1"),
        "opened_at": NOON,
        "updated_at": NOON,
    }
    return Question(**(given | rest))


def add(ledger: Ledger, one: Question) -> bool:
    with ledger.transaction() as tx:
        return tx.add_question(one)


def move(ledger: Ledger, one: Question, seen: int) -> int:
    with ledger.transaction() as tx:
        return tx.move_question(one, seen_version=seen)


class QuestionContract:
    def test_a_question_comes_back_as_it_was_asked(self, ledger: Ledger):
        asked = question(until=NOON + HOUR)
        assert add(ledger, asked)
        assert ledger.question("q1") == asked == ledger.open_question(MARA, ALLERGY)
        assert ledger.question("q2") is None

    def test_a_slot_has_one_open_question(self, ledger: Ledger):
        assert add(ledger, question())
        assert not add(ledger, question())
        assert not add(ledger, question("q2"))
        assert add(ledger, question("q3", scope=MAIL_AGENT))
        assert add(ledger, question("q4", slot_key="user|home"))
        move(ledger, question(state=CLOSED, why="settled"), 1)
        assert add(ledger, question("q2"))

    def test_only_the_version_that_was_seen_is_changed(self, ledger: Ledger):
        add(ledger, question())
        answered = question(state=ANSWERED, answer="memory:m1", answered_by="mara", updated_at=NOON + HOUR)
        assert move(ledger, answered, 1) == 2
        assert ledger.question("q1") == replace(answered, version=2)
        for seen in (1, 3):
            with pytest.raises(StaleReview, match="Look again"):
                move(ledger, question(), seen)
        assert ledger.open_question(MARA, ALLERGY) is None
        assert ledger.answered(MARA, ALLERGY) == [replace(answered, version=2)]

    def test_a_failed_transaction_leaves_nothing(self, ledger: Ledger):
        def half(tx):
            tx.add_question(question())
            tx.set_cursor("auditor", 7)
            tx.add_alias(MARA, "user|a", "user|b", by="mara", at=NOON)
            raise RuntimeError

        with pytest.raises(RuntimeError), ledger.transaction() as tx:
            half(tx)
        assert ledger.question("q1") is None
        assert (ledger.cursor("auditor"), ledger.aliases(MARA)) == (0, {})

    def test_an_owners_questions_by_state_the_last_changed_first(self, ledger: Ledger):
        for number, state in enumerate((OPEN, CLOSED, OPEN)):
            one = question(f"q{number}", slot_key=f"user|{number}", updated_at=NOON + number * HOUR)
            add(ledger, one)
            if state is CLOSED:
                move(ledger, replace(one, state=CLOSED, why="settled"), 1)
        add(ledger, question("other", scope=IVO))
        assert [one.question_id for one in ledger.questions("acme", "mara", states=(OPEN,))] == ["q2", "q0"]
        assert [one.question_id for one in ledger.questions("acme", "mara", states=(OPEN, CLOSED), limit=2)] == [
            "q2",
            "q1",
        ]

    def test_held_of_a_slot(self, ledger: Ledger):
        source = put(ledger, episode())
        rule(ledger, stating("k1", source))
        rule(ledger, stating("k2", source, value="aspirin"))
        rule(ledger, stating("k3", source), state=CandidateState.ADMITTED)
        rule(ledger, stating("k4", source, subject="Ivo"))
        assert [one.candidate.candidate_id for one in ledger.held_of_slot(MARA, ALLERGY)] == ["k1", "k2"]
        assert ledger.held_of_slot(MARA, ALLERGY, limit=1)[0] == ledger.candidate("k1")

    def test_the_chain_is_read_on_from_a_place_that_only_moves_forwards(self, ledger: Ledger):
        with ledger.transaction() as tx:
            for owner in ("mara", "ivo", "mara"):
                tx.append_audit(at=NOON, actor="p", action="a:b", tenant="acme", owner=owner, about={})
        entries = ledger.audit_after(0)
        assert [(one.seq, one.owner) for one in entries] == [(1, "mara"), (2, "ivo"), (3, "mara")]
        assert ledger.audit_after(entries[0].seq, limit=1) == entries[1:2]
        for seq, found in ((3, 3), (2, 3), (5, 5)):
            with ledger.transaction() as tx:
                tx.set_cursor("auditor", seq)
            assert ledger.cursor("auditor") == found
        assert ledger.cursor("other") == 0

    def test_keys_and_what_the_owner_said_is_one(self, ledger: Ledger):
        source = put(ledger, episode())
        rule(ledger, stating("k1", source, attribute="meeting_pref"), state=CandidateState.ADMITTED)
        rule(ledger, stating("k2", source, attribute="meeting_preference"), state=CandidateState.PROMOTED)
        rule(ledger, stating("k3", source, attribute="meeting_pref"), state=CandidateState.ADMITTED)
        rule(ledger, stating("k4", source, attribute="held_one"))
        assert [(one.slot_key, one.attribute, one.count) for one in ledger.keys("acme", "mara")] == [
            ("user|meeting_pref", "meeting_pref", 2),
            ("user|meeting_preference", "meeting_preference", 1),
        ]
        with ledger.transaction() as tx:
            tx.add_alias(MARA, "user|meeting_pref", "user|meeting_preference", by="mara", at=NOON)
        assert ledger.aliases(MARA) == {"user|meeting_pref": "user|meeting_preference"}
        assert ledger.aliases(IVO) == {}
        with ledger.transaction() as tx:
            assert tx.drop_alias(MARA, "user|meeting_pref")
            assert not tx.drop_alias(MARA, "user|meeting_pref")
        assert ledger.aliases(MARA) == {}

    def test_a_purge_and_an_erasure_take_the_questions_along(self, ledger: Ledger):
        source = put(ledger, episode())
        rule(ledger, stating("k1", source, attribute="meeting_pref"), state=CandidateState.ADMITTED)
        again(ledger, "k1", by="mara")
        add(ledger, question(options=("memory:m1", "candidate:k1")))
        add(ledger, question("q2", slot_key="user|x", options=("memory:m2",)))
        add(
            ledger,
            question("q3", slot_key="user|y", kind=QuestionKind.SAME_KEY, options=("key:user|meeting_pref",)),
        )
        with ledger.transaction() as tx:
            tx.add_alias(MARA, "user|meeting_pref", "user|meeting_preference", by="mara", at=NOON)
        with ledger.transaction() as tx:
            tx.scrub("k1")
        assert [ledger.question(name) is None for name in ("q1", "q2", "q3")] == [True, False, True]
        assert ledger.aliases(MARA) == {}
        add(ledger, question("other", scope=IVO))
        with ledger.transaction() as tx:
            tx.erase("acme", "mara")
        assert ledger.questions("acme", "mara", states=tuple(QuestionState)) == []
        assert ledger.question("other") is not None
