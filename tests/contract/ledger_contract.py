"""What every ledger must do. A test module subclasses `LedgerContract` and gives it a `ledger` fixture."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import BadInput, LeaseLost, NotFound, StaleReview
from core.model import (
    CandidateState,
    Conversation,
    Run,
    RunState,
    Scope,
    SourceKind,
    Span,
    Verdict,
)
from core.ports import HeldFilter, Ledger, QueueTally
from tests.contract.ledger_desk import DeskContract
from tests.contract.ledger_origins import OriginsContract
from tests.contract.ledger_questions import QuestionContract
from tests.contract.ledger_values import IVO, MARA, NOON, STRANGER, activate, after, candidate, decision, episode


def put_episode(ledger, given, *, key=None, inbox=True):
    with ledger.transaction() as tx:
        return tx.add_episode(given, idempotency_key=key, inbox=inbox)


def put_item(ledger, given, ruling, *, state=CandidateState.HELD, at=NOON):
    with ledger.transaction() as tx:
        tx.add_candidate(given, state=state, at=at)
        tx.add_decision(ruling)


def note(ledger, action="test:noted", *, tenant="acme", owner="mara", actor="policy", **about):
    with ledger.transaction() as tx:
        return tx.append_audit(at=NOON, actor=actor, action=action, tenant=tenant, owner=owner, about=about)


def claim(ledger, worker="w1", *, at=0.0, lease=60.0):
    return ledger.claim(worker=worker, now=after(at), lease_seconds=lease)


class EpisodeContract:
    def test_an_episode_comes_back_as_it_was_stored(self, ledger: Ledger):
        given = episode(title="a page", text="tab\tumlaut ä 東京 😀 nul \x00 end\n")
        stored = put_episode(ledger, given)
        assert stored == replace(given, serial_no=stored.serial_no)
        assert ledger.episode("e1") == stored
        assert ledger.episode("none") is None

    def test_serial_numbers_follow_the_order_of_receipt(self, ledger: Ledger):
        numbers = [put_episode(ledger, episode(name)).serial_no for name in ("zz", "aa", "mm")]
        assert numbers == sorted(set(numbers))
        assert numbers[0] > 0

    def test_the_same_key_in_the_same_scope_stores_once(self, ledger: Ledger):
        first = put_episode(ledger, episode("e1", text="first"), key="k")
        again = put_episode(ledger, episode("e2", text="second"), key="k")
        assert again == first
        assert ledger.episode("e2") is None
        assert ledger.unprocessed() == 1

    def test_the_same_key_in_another_scope_is_another(self, ledger: Ledger):
        scopes = [MARA, IVO, STRANGER, Scope(tenant="acme", owner="mara", agent="mail")]
        for number, scope in enumerate(scopes):
            put_episode(ledger, episode(f"e{number}", scope=scope), key="k")
        assert [ledger.episode(f"e{number}").scope for number in range(4)] == scopes

    def test_half_a_surrogate_pair_is_refused_and_nothing_is_written(self, ledger: Ledger):
        def put_both():
            with ledger.transaction() as tx:
                tx.add_episode(episode("e1"), idempotency_key=None, inbox=True)
                tx.add_episode(episode("e2", text="\ud800"), idempotency_key=None, inbox=True)

        with pytest.raises(BadInput, match="surrogate"):
            put_both()
        assert ledger.episode("e1") is None
        put_episode(ledger, episode("e1"))

    def test_a_conversation_shows_its_last_episodes_in_order(self, ledger: Ledger):
        for number in range(5):
            put_episode(ledger, episode(f"e{number}"), inbox=number % 2 == 0)
        put_episode(ledger, episode("other", conversation_id="c2"))
        put_episode(ledger, episode("ivos", scope=IVO))
        assert [one.episode_id for one in ledger.episodes(MARA, "c1", limit=3)] == ["e2", "e3", "e4"]
        assert [one.episode_id for one in ledger.episodes(IVO, "c1")] == ["ivos"]
        assert ledger.episodes(STRANGER, "c1") == []

    def test_whose_a_conversation_is(self, ledger: Ledger):
        assert ledger.conversation_scope("c1") is None
        put_episode(ledger, episode())
        assert ledger.conversation_scope("c1") == MARA
        given = Conversation(conversation_id="c2", scope=IVO, title="", created_at=NOON, updated_at=NOON)
        with ledger.transaction() as tx:
            tx.put_conversation(given)
            tx.delete_conversation(IVO, "c2", at=NOON)
        assert ledger.conversation_scope("c2") == IVO


class InboxContract:
    def test_processed_is_what_has_left_the_inbox(self, ledger: Ledger):
        put_episode(ledger, episode("kept"), inbox=False)
        put_episode(ledger, episode("e1"))
        assert [ledger.processed(name) for name in ("kept", "e1", "none")] == [True, False, False]
        claim(ledger)
        assert not ledger.processed("e1")
        with ledger.transaction() as tx:
            tx.finish_episode("e1", worker="w1")
        assert ledger.processed("e1")

    def test_nothing_to_claim(self, ledger: Ledger):
        put_episode(ledger, episode("kept"), inbox=False)
        assert claim(ledger) is None
        assert ledger.unprocessed() == 0

    def test_one_owners_episodes_are_worked_on_one_at_a_time_in_order(self, ledger: Ledger):
        for name in ("e1", "e2"):
            put_episode(ledger, episode(name))
        assert claim(ledger).episode_id == "e1"
        assert claim(ledger, "w2") is None
        with ledger.transaction() as tx:
            tx.finish_episode("e1", worker="w1")
        assert claim(ledger, "w2").episode_id == "e2"

    def test_owners_do_not_wait_for_each_other(self, ledger: Ledger):
        for name, scope in (("e1", MARA), ("e2", MARA), ("e3", IVO), ("e4", STRANGER)):
            put_episode(ledger, episode(name, scope=scope))
        assert [claim(ledger, f"w{n}").episode_id for n in range(3)] == ["e1", "e3", "e4"]
        assert claim(ledger) is None

    def test_a_renewed_lease_is_kept_and_a_lost_one_is_not(self, ledger: Ledger):
        put_episode(ledger, episode("e1"))
        claim(ledger, "w1", lease=60)
        assert ledger.renew("e1", worker="w1", now=NOON + timedelta(seconds=50), lease_seconds=60)
        assert claim(ledger, "w2", at=100) is None
        assert claim(ledger, "w2", at=110).episode_id == "e1"
        assert not ledger.renew("e1", worker="w1", now=NOON + timedelta(seconds=111), lease_seconds=60)

    def test_an_expired_lease_is_taken_over_and_the_first_worker_cannot_finish(self, ledger: Ledger):
        put_episode(ledger, episode("e1"))
        claim(ledger, "w1", lease=60)
        assert claim(ledger, "w2", at=59) is None
        assert claim(ledger, "w2", at=60).episode_id == "e1"

        def finish(worker):
            with ledger.transaction() as tx:
                tx.append_audit(at=NOON, actor=worker, action="a:b", tenant="acme", owner="mara", about={})
                tx.finish_episode("e1", worker=worker)

        with pytest.raises(LeaseLost, match="e1"):
            finish("w1")
        assert ledger.head() == (0, "")
        finish("w2")
        assert ledger.unprocessed() == 0
        assert ledger.head()[0] == 1

    def test_a_finished_episode_cannot_be_finished_again(self, ledger: Ledger):
        put_episode(ledger, episode("e1"))
        claim(ledger)
        with ledger.transaction() as tx:
            tx.finish_episode("e1", worker="w1")
        with pytest.raises(LeaseLost), ledger.transaction() as tx:
            tx.finish_episode("e1", worker="w1")
        assert claim(ledger, at=9999) is None

    def test_a_released_episode_waits_for_its_time_and_keeps_its_place(self, ledger: Ledger):
        for name in ("e1", "e2"):
            put_episode(ledger, episode(name))
        claim(ledger)
        ledger.release("e1", worker="w1", retry_at=after(30))
        assert claim(ledger, at=29) is None
        assert claim(ledger, at=30).episode_id == "e1"

    def test_a_lost_lease_cannot_be_released(self, ledger: Ledger):
        put_episode(ledger, episode("e1"))
        claim(ledger, "w1", lease=1)
        claim(ledger, "w2", at=2)
        ledger.release("e1", worker="w1", retry_at=NOON)
        assert claim(ledger, "w3", at=3) is None

    def test_threads_never_share_an_episode(self, ledger: Ledger):
        for number in range(12):
            put_episode(ledger, episode(f"e{number}", scope=Scope(tenant="acme", owner=f"o{number % 4}")))
        done: list[str] = []

        def work(name: str) -> None:
            while found := claim(ledger, name):
                with ledger.transaction() as tx:
                    tx.finish_episode(found.episode_id, worker=name)
                done.append(found.episode_id)

        threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        work("last")  # what the others had to leave because its owner was busy
        assert sorted(done) == sorted(f"e{n}" for n in range(12))


class QueueContract:
    def test_an_item_comes_back_with_its_decision_and_excerpt(self, ledger: Ledger):
        text = "x" * 300 + "I am allergic to penicillin." + "y" * 300
        source = put_episode(ledger, episode(text=text))
        given = candidate("k1", source, span=Span(start=300, end=328))
        ruling = decision("d1", "k1", effects=(activate("f1"),))
        put_item(ledger, given, ruling)
        item = ledger.candidate("k1")
        assert (item.candidate, item.decision, item.state) == (given, ruling, CandidateState.HELD)
        assert item.excerpt_span.of(item.excerpt) == "I am allergic to penicillin."
        assert len(item.excerpt) == 400
        assert item.excerpt in text
        assert item.updated_at == NOON
        assert ledger.candidate("none") is None

    def test_excerpts_at_the_edges_and_of_long_spans(self, ledger: Ledger):
        text = "A" * 10 + "b" * 990
        source = put_episode(ledger, episode(text=text))
        for name, span in (("start", (0, 10)), ("end", (990, 1000)), ("all", (0, 1000))):
            put_item(ledger, candidate(name, source, span=Span(start=span[0], end=span[1])), decision(f"d{name}", name))
        assert ledger.candidate("start").excerpt == text[:400]
        assert ledger.candidate("start").excerpt_span == Span(start=0, end=10)
        assert ledger.candidate("end").excerpt_span == Span(start=390, end=400)
        assert ledger.candidate("all").excerpt_span == Span(start=0, end=400)

    def test_a_span_outside_the_text_is_refused(self, ledger: Ledger):
        source = put_episode(ledger, episode(text="short"))
        with pytest.raises(BadInput, match="outside"):
            put_item(ledger, candidate("k1", source, span=Span(start=0, end=6)), decision("d1", "k1"))

    def test_a_candidate_needs_a_stored_episode_and_a_decision(self, ledger: Ledger):
        with pytest.raises(BadInput, match="not stored"):
            put_item(ledger, candidate("k1", episode("gone")), decision("d1", "k1"))
        source = put_episode(ledger, episode())
        with pytest.raises(BadInput, match="without a decision"), ledger.transaction() as tx:
            tx.add_candidate(candidate("k1", source), state=CandidateState.HELD, at=NOON)
        assert ledger.candidate("k1") is None

    def test_candidates_of_an_episode_come_in_order_of_their_span(self, ledger: Ledger):
        source = put_episode(ledger, episode())
        for name, start in (("late", 9), ("early", 2)):
            put_item(ledger, candidate(name, source, span=Span(start=start, end=12)), decision(f"d{name}", name))
        assert [item.candidate.candidate_id for item in ledger.candidates_of("e1")] == ["early", "late"]

    def test_moving_is_compare_and_swap_and_names_who_came_first(self, ledger: Ledger):
        put_item(ledger, candidate("k1", put_episode(ledger, episode())), decision("d1", "k1"))
        with ledger.transaction() as tx:
            version = tx.move_candidate("k1", seen_version=1, state=CandidateState.PROMOTED, at=after(5))
            tx.add_decision(decision("d2", "k1", verdict=Verdict.ADMIT, reasons=("promoted",), by="rita", at=after(5)))
        assert version == 2
        item = ledger.candidate("k1")
        assert (item.state, item.candidate.version, item.updated_at) == (CandidateState.PROMOTED, 2, after(5))
        assert item.decision.by == "rita"
        assert [one.decision_id for one in ledger.decisions("k1")] == ["d1", "d2"]
        with pytest.raises(StaleReview, match="rita"), ledger.transaction() as tx:
            tx.move_candidate("k1", seen_version=1, state=CandidateState.REJECTED, at=after(6))
        with pytest.raises(NotFound), ledger.transaction() as tx:
            tx.move_candidate("none", seen_version=1, state=CandidateState.REJECTED, at=after(6))

    @pytest.fixture
    def queue(self, ledger: Ledger):
        """k0 … k5, held, from three sources of two owners; k6 admitted; k7 in another tenant."""
        sources = [
            ("e0", MARA, SourceKind.WEB_CONTENT, "https://a.example", "Page A"),
            ("e1", MARA, SourceKind.EXTERNAL_DOC, "b.pdf", "Report 100%_B"),
            ("e2", IVO, SourceKind.WEB_CONTENT, "https://a.example", "Page A"),
        ]
        stored = [
            put_episode(ledger, episode(name, scope=scope, kind=kind, ref=ref, title=title))
            for name, scope, kind, ref, title in sources
        ]
        for number in range(6):
            reasons = ("gap:judge", "low_trust") if number == 4 else ("low_trust",)
            put_item(
                ledger,
                candidate(f"k{number}", stored[number % 3], statement=f"Straße number {number}."),
                decision(f"d{number}", f"k{number}", reasons=reasons),
                at=after(number),
            )
        put_item(
            ledger,
            candidate("k6", stored[0]),
            decision("d6", "k6", verdict=Verdict.ADMIT, reasons=("admitted",)),
            state=CandidateState.ADMITTED,
        )
        foreign = put_episode(ledger, episode("e3", scope=STRANGER))
        put_item(ledger, candidate("k7", foreign), decision("d7", "k7"))
        return ledger

    @pytest.mark.parametrize(
        ("where", "expected"),
        [
            ({}, ["k0", "k1", "k2", "k3", "k4", "k5"]),
            ({"owner": "mara"}, ["k0", "k1", "k3", "k4"]),
            ({"source_kind": SourceKind.EXTERNAL_DOC}, ["k1", "k4"]),
            ({"source_ref": "https://a.example"}, ["k0", "k2", "k3", "k5"]),
            ({"source_ref": "https://a.example", "owner": "ivo"}, ["k2", "k5"]),
            ({"reason": "low_trust"}, ["k0", "k1", "k2", "k3", "k4", "k5"]),
            ({"reason": "gap:judge"}, ["k4"]),
            ({"reason": "gap"}, ["k4"]),
            ({"reason": "ga"}, []),
            ({"text": "NUMBER 3"}, ["k3"]),
            ({"text": "STRASSE NUMBER 2"}, ["k2"]),
            ({"text": "100%_b"}, ["k1", "k4"]),
            ({"text": "%"}, ["k1", "k4"]),
            ({"text": "_"}, ["k1", "k4"]),
            ({"text": " "}, ["k0", "k1", "k2", "k3", "k4", "k5"]),
            ({"text": "' OR 1=1 --"}, []),
            ({"states": (CandidateState.ADMITTED,)}, ["k6"]),
            (
                {"states": (CandidateState.HELD, CandidateState.ADMITTED), "owner": "mara"},
                ["k0", "k1", "k3", "k4", "k6"],
            ),
            ({"states": ()}, []),
        ],
    )
    def test_filters(self, queue: Ledger, where, expected):
        items, total = queue.held(HeldFilter(tenant="acme", **where))
        assert [item.candidate.candidate_id for item in items] == expected
        assert total == len(expected)

    def test_pages_carry_the_true_total(self, queue: Ledger):
        where = HeldFilter(tenant="acme")
        pages = [queue.held(where, limit=4, offset=offset) for offset in (0, 4, 8)]
        assert [[item.candidate.candidate_id for item in items] for items, _ in pages] == [
            ["k0", "k1", "k2", "k3"],
            ["k4", "k5"],
            [],
        ]
        assert [total for _, total in pages] == [6, 6, 6]

    def test_groups_are_by_owner_and_source_oldest_first(self, queue: Ledger):
        groups, total = queue.held_groups(HeldFilter(tenant="acme"))
        assert [(group.owner, group.source_ref, group.title, group.count, group.oldest) for group in groups] == [
            ("mara", "https://a.example", "Page A", 2, after(0)),
            ("mara", "b.pdf", "Report 100%_B", 2, after(1)),
            ("ivo", "https://a.example", "Page A", 2, after(2)),
        ]
        assert total == 3
        assert queue.held_groups(HeldFilter(tenant="acme"), limit=1, offset=2) == (groups[2:], 3)
        assert queue.held_groups(HeldFilter(tenant="acme"), limit=1, offset=3) == ([], 3)
        assert queue.held_groups(HeldFilter(tenant="acme", text="number 4"))[0][0].count == 1

    def test_what_evidence_puts_together_is_one_group_whose_sources_stay_visible(self, queue: Ledger):
        for number, cluster in enumerate(("site:a.example", "site:a.example", "tool:b")):
            given = episode(f"g{number}", kind=SourceKind.WEB_CONTENT, ref=f"https://a.example/{number}")
            made = decision(f"dg{number}", f"g{number}")
            made = replace(made, evidence=replace(made.evidence, cluster=cluster))
            put_item(queue, candidate(f"g{number}", put_episode(queue, given)), made, at=after(9))
        groups, total = queue.held_groups(HeldFilter(tenant="acme"))
        assert total == 5
        shown = [(one.cluster, one.count, one.sources) for one in groups[3:]]
        assert shown == [("site:a.example", 2, 2), ("tool:b", 1, 1)]
        items, _ = queue.held(HeldFilter(tenant="acme", owner="mara", cluster="site:a.example"))
        assert [one.candidate.provenance.source_ref for one in items] == [f"https://a.example/{n}" for n in (0, 1)]

    def test_a_later_ruling_leaves_an_item_in_its_group(self, queue: Ledger):
        made = decision("later", "k0", by="u-1", reasons=("conflict",))
        with queue.transaction() as tx:
            tx.add_decision(replace(made, evidence=replace(made.evidence, cluster="site:elsewhere")))
        assert queue.held(HeldFilter(tenant="acme", cluster="site:elsewhere")) == ([], 0)

    def test_the_tally_and_what_people_ruled(self, queue: Ledger):
        empty = queue.tally("nobody", owner=None, since=NOON)
        assert empty == QueueTally(held=0, oldest=None, held_since=0, promoted_since=0, rejected_since=0)
        assert queue.ruled("acme", owner=None, since=NOON) == []
        for name, state, verdict, at in (
            ("k0", CandidateState.PROMOTED, Verdict.ADMIT, 20),
            ("k1", CandidateState.REJECTED, Verdict.REJECT, 30),
            ("k2", CandidateState.REJECTED, Verdict.REJECT, 10),
        ):
            with queue.transaction() as tx:
                tx.move_candidate(name, seen_version=1, state=state, at=after(at))
                tx.add_decision(decision(f"by-rita-{name}", name, verdict=verdict, by="rita", at=after(at)))
        plain = decision("plain-k5", "k5", at=after(31))
        with queue.transaction() as tx:
            tx.add_decision(replace(plain, evidence=replace(plain.evidence, findings=(), impact=())))
        tally = queue.tally("acme", owner=None, since=after(4))
        ruled = {"promoted_since": 1, "rejected_since": 2}
        assert tally == QueueTally(held=3, oldest=after(3), held_since=2, alone_since=1, **ruled)
        mine = queue.tally("acme", owner="mara", since=after(25))
        assert mine == QueueTally(held=2, oldest=after(3), held_since=0, promoted_since=0, rejected_since=1)

        def ruled(**where):
            return [item.candidate.candidate_id for item in queue.ruled("acme", **where)]

        assert ruled(owner=None, since=NOON) == ["k1", "k0", "k2"]
        assert ruled(owner=None, since=after(20)) == ["k1", "k0"]
        assert ruled(owner="ivo", since=NOON) == ["k2"]
        assert ruled(owner=None, since=NOON, limit=1) == ["k1"]

    def test_declined_is_what_a_person_rejected_in_this_scope(self, ledger: Ledger):
        source = put_episode(ledger, episode())
        by_policy, by_person = candidate("k1", source, statement="One."), candidate("k2", source, statement="Two.")
        put_item(
            ledger, by_policy, decision("d1", "k1", verdict=Verdict.REJECT, reasons=("trivial",)),
            state=CandidateState.REJECTED,
        )  # fmt: skip
        put_item(ledger, by_person, decision("d2", "k2"))
        assert not ledger.declined(MARA, by_person.digest)
        with ledger.transaction() as tx:
            tx.move_candidate("k2", seen_version=1, state=CandidateState.REJECTED, at=NOON)
            tx.add_decision(decision("d3", "k2", verdict=Verdict.REJECT, reasons=("reviewer",), by="rita"))
        assert ledger.declined(MARA, by_person.digest)
        assert not ledger.declined(MARA, by_policy.digest)
        assert not ledger.declined(IVO, by_person.digest)
        with ledger.transaction() as tx:  # the rejection is undone
            tx.move_candidate("k2", seen_version=2, state=CandidateState.HELD, at=NOON)
            tx.add_decision(decision("d4", "k2", reasons=("undone",), by="rita"))
        assert not ledger.declined(MARA, by_person.digest)


class AuditContract:
    def test_an_empty_chain_verifies(self, ledger: Ledger):
        assert ledger.head() == (0, "")
        report = ledger.verify(witnessed=(0, ""))
        assert (report.ok, report.entries, report.head_seq, report.head_hash) == (True, 0, 0, "")

    def test_entries_chain_and_come_back(self, ledger: Ledger):
        first = note(ledger, "memory:made", memory_id="m1", trust=0.3, tags=("a", "b"), nested={"id": "x"})
        second = note(ledger, "memory:lost", memory_id="m2", gone=None)
        assert (first.seq, first.prev_hash, second.seq, second.prev_hash) == (1, "", 2, first.hash)
        assert first.about == {"memory_id": "m1", "trust": 0.3, "tags": ["a", "b"], "nested": {"id": "x"}}
        assert ledger.audit("acme") == ([second, first], 2)
        assert ledger.head() == (2, second.hash)
        assert ledger.verify().ok

    def test_filters_and_totals(self, ledger: Ledger):
        note(ledger, "candidate:held", candidate_id="k1")
        note(ledger, "candidate:admitted", owner="ivo", candidate_id="k2", sources=["e1", "k1"])
        note(ledger, "memory:made", tenant="globex", candidate_id="k1")
        note(ledger, "system:started", tenant="", owner="")

        def seqs(tenant="acme", **where):
            entries, total = ledger.audit(tenant, **where)
            assert total == len(entries)
            return [entry.seq for entry in entries]

        assert seqs() == [2, 1]
        assert seqs("") == [4]
        assert seqs(owner="ivo") == [2]
        assert seqs(action="candidate:") == [2, 1]
        assert seqs(action="candidate:h") == [1]
        assert seqs(action="%") == []
        assert seqs(about="k1") == [2, 1]
        assert seqs(about="e1") == [2]
        assert seqs(about="e") == []
        entries, total = ledger.audit("acme", limit=1, offset=1)
        assert ([entry.seq for entry in entries], total) == ([1], 2)

    def test_words_and_malformed_entries_are_refused(self, ledger: Ledger):
        with pytest.raises(BadInput, match="characters of text"):
            note(ledger, text="word " * 100)
        with pytest.raises(BadInput, match="subject:verb"):
            note(ledger, "no colon")
        with pytest.raises(BadInput):
            note(ledger, number=float("nan"))
        assert ledger.head() == (0, "")

    def test_tenants_are_named_once_and_the_installation_itself_is_none(self, ledger: Ledger):
        assert ledger.tenants() == []
        for tenant in ("globex", "", "acme", "globex", "zeta"):
            note(ledger, tenant=tenant, owner="")
        assert ledger.tenants() == ["acme", "globex", "zeta"]

    def test_a_rolled_back_entry_leaves_no_gap(self, ledger: Ledger):
        note(ledger)

        class CallerError(Exception):
            pass

        def append_and_fail():
            with ledger.transaction() as tx:
                tx.append_audit(at=NOON, actor="p", action="a:b", tenant="acme", owner="mara", about={})
                raise CallerError

        with pytest.raises(CallerError):
            append_and_fail()
        assert note(ledger).seq == 2
        assert ledger.verify().ok

    def test_a_witness_finds_a_cut_tail_and_a_rewritten_chain(self, ledger: Ledger):
        first, second = note(ledger), note(ledger)
        assert ledger.verify(witnessed=(1, first.hash)).ok
        assert ledger.verify(witnessed=(2, second.hash)).ok
        cut = ledger.verify(witnessed=(3, "f" * 64))
        assert (cut.ok, cut.broken_seq) == (False, 3)
        assert "cut" in cut.problem
        rewritten = ledger.verify(witnessed=(2, first.hash))
        assert (rewritten.ok, rewritten.broken_seq) == (False, 2)
        assert "rewritten" in rewritten.problem

    def test_digests_are_keyed_by_owner(self, ledger: Ledger):
        with ledger.transaction() as tx:
            mine = tx.keyed_digest("acme", "mara", "penicillin")
            assert tx.keyed_digest("acme", "mara", "penicillin") == mine
            others = {tx.keyed_digest("acme", "ivo", "penicillin"), tx.keyed_digest("globex", "mara", "penicillin")}
        assert len(others - {mine}) == 2
        assert len(mine) == 64
        with ledger.transaction() as tx:
            assert tx.keyed_digest("acme", "mara", "penicillin") == mine
            assert tx.keyed_digest("acme", "mara", "aspirin") != mine


class OutboxContract:
    def test_effects_wait_in_order_with_the_position_of_their_commit(self, ledger: Ledger):
        given = [activate("z"), activate("a", "m2")]
        with ledger.transaction() as tx:
            tx.enqueue(given[0])
            tx.enqueue(given[1])
            entry = tx.append_audit(at=NOON, actor="p", action="a:b", tenant="acme", owner="mara", about={})
        note(ledger)
        items = ledger.outbox()
        assert [item.effect for item in items] == given
        assert {(item.ledger_seq, item.ledger_head) for item in items} == {(entry.seq, entry.hash)}
        assert [item.effect.effect_id for item in ledger.outbox(limit=1)] == ["z"]
        assert ledger.unprocessed() == 2

    def test_an_effect_is_marked_once(self, ledger: Ledger):
        with ledger.transaction() as tx:
            tx.enqueue(activate("f1"))
        with ledger.transaction() as tx:
            assert tx.mark_applied("f1", at=NOON) is True
        with ledger.transaction() as tx:
            assert tx.mark_applied("f1", at=NOON) is False
        assert ledger.outbox() == []
        assert ledger.unprocessed() == 0
        with pytest.raises(NotFound), ledger.transaction() as tx:
            tx.mark_applied("never", at=NOON)

    def test_one_effect_is_enqueued_once(self, ledger: Ledger):
        with ledger.transaction() as tx:
            tx.enqueue(activate("f1"))
        with pytest.raises(BadInput), ledger.transaction() as tx:
            tx.enqueue(activate("f1"))


class ConversationContract:
    def conversation(self, name="c1", *, scope=MARA, title="Tea", updated=0.0):
        return Conversation(conversation_id=name, scope=scope, title=title, created_at=NOON, updated_at=after(updated))

    def put(self, ledger, given):
        with ledger.transaction() as tx:
            tx.put_conversation(given)

    def test_listed_by_last_use_and_kept_apart(self, ledger: Ledger):
        first, second = self.conversation("c1"), self.conversation("c2", updated=1)
        for one in (first, second, self.conversation("c3", scope=IVO)):
            self.put(ledger, one)
        assert ledger.conversations(MARA) == [second, first]
        self.put(ledger, first := replace(first, title="Coffee", updated_at=after(2)))
        assert ledger.conversations(MARA, limit=1) == [first]
        assert ledger.conversation(MARA, "c1") == first
        assert ledger.conversation(IVO, "c1") is None

    def test_another_scope_can_neither_change_nor_delete_it(self, ledger: Ledger):
        mine = self.conversation()
        self.put(ledger, mine)
        with pytest.raises(NotFound):
            self.put(ledger, self.conversation(scope=IVO, title="Mine now"))
        with ledger.transaction() as tx:
            tx.delete_conversation(IVO, "c1", at=NOON)
        assert ledger.conversation(MARA, "c1") == mine

    def test_deleted_ones_stay_away_and_their_episodes_stay(self, ledger: Ledger):
        self.put(ledger, self.conversation())
        put_episode(ledger, episode())
        with ledger.transaction() as tx:
            tx.delete_conversation(MARA, "c1", at=NOON)
        self.put(ledger, self.conversation(title="A late answer touches it"))
        assert ledger.conversations(MARA) == []
        assert ledger.conversation(MARA, "c1") is None
        assert len(ledger.episodes(MARA, "c1")) == 1

    def test_answers(self, ledger: Ledger):
        run = Run(
            run_id="r1", conversation_id="c1", scope=MARA, question_id="e1", state=RunState.RUNNING, text="",
            started_at=NOON, updated_at=NOON,
        )  # fmt: skip
        with ledger.transaction() as tx:
            tx.put_run(replace(run, run_id="r0", started_at=after(1)))
            tx.put_run(run)
        done = replace(
            run, state=RunState.DONE, text="Tea.", updated_at=after(3), model="m", answer_id="e2",
            detail={"hits": [{"memory_id": "m1", "score": 0.5}], "withheld": 1, "prompt": None},
        )  # fmt: skip
        with ledger.transaction() as tx:
            tx.put_run(done)
        assert ledger.run("r1") == done
        assert ledger.run("none") is None
        assert [one.run_id for one in ledger.runs(MARA, "c1")] == ["r1", "r0"]
        assert ledger.runs(IVO, "c1") == []
        with pytest.raises(NotFound), ledger.transaction() as tx:
            tx.put_run(replace(done, scope=IVO))

    def test_an_answer_shows_life_until_anybody_stops_it(self, ledger: Ledger):
        run = Run(
            run_id="r1", conversation_id="c1", scope=MARA, question_id="e1", state=RunState.RUNNING, text="half",
            started_at=NOON, updated_at=NOON,
        )  # fmt: skip
        with ledger.transaction() as tx:
            tx.put_run(run)
            tx.put_run(replace(run, run_id="r2"))
            assert tx.beat_run("r1", at=after(2))
            assert not tx.beat_run("none", at=after(2))
        assert ledger.run("r1") == replace(run, updated_at=after(2))
        with ledger.transaction() as tx:
            assert tx.stop_run("r1", at=after(3))
            assert not tx.stop_run("r1", at=after(4))
            assert not tx.beat_run("r1", at=after(4))
        assert ledger.run("r1") == replace(run, state=RunState.STOPPED, updated_at=after(3))
        assert ledger.run("r2") == replace(run, run_id="r2")


class LedgerContract(
    EpisodeContract,
    QuestionContract,
    InboxContract,
    QueueContract,
    AuditContract,
    OutboxContract,
    ConversationContract,
    OriginsContract,
    DeskContract,
):
    """All of it."""
