"""What every ledger must answer about origins, and what it must forget: the second part of `LedgerContract`."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import literals
from core.errors import BadInput, NotFound, Outdated
from core.ledger.marks import marks_of
from core.model import (
    CandidateState,
    Conversation,
    EffectKind,
    Opinion,
    Pasted,
    Relation,
    Root,
    Run,
    RunState,
    Scope,
    SourceKind,
    Verdict,
    sha256_text,
)
from core.ports import HeldFilter, Ledger
from core.slots import slot_key
from core.spans import fingerprints
from tests.contract.ledger_values import IVO, MARA, NOON, STRANGER, activate, candidate, decision, episode

MAIL_AGENT = Scope(tenant="acme", owner="mara", agent="mail")
WEB = SourceKind.WEB_CONTENT
ALLERGY = slot_key("user", "allergy")


def put(ledger, given, *, pasted=()):
    if pasted:
        given = replace(given, provenance=replace(given.provenance, pasted=pasted))
    with ledger.transaction() as tx:
        return tx.add_episode(given, idempotency_key=None, inbox=False)


def rule(ledger, given, *, state=CandidateState.HELD, by="policy", effects=(), **evidence):
    """Store a candidate with one decision; `evidence` replaces fields of it."""
    made = decision(f"d-{given.candidate_id}", given.candidate_id, by=by, effects=effects)
    with ledger.transaction() as tx:
        tx.add_candidate(given, state=state, at=NOON)
        tx.add_decision(replace(made, evidence=replace(made.evidence, **evidence)))
        for effect in effects:
            tx.enqueue(effect)


def again(ledger, candidate_id, *, by, **evidence):
    """A later decision on a candidate."""
    made = decision(f"d2-{candidate_id}", candidate_id, by=by, verdict=Verdict.ADMIT)
    with ledger.transaction() as tx:
        tx.add_decision(replace(made, evidence=replace(made.evidence, **evidence)))


def stating(candidate_id, of, *, value="penicillin", retracts=False, subject="user"):
    made = candidate(candidate_id, of, subject=subject)
    return replace(made, proposal=replace(made.proposal, value=value, retracts=retracts))


def enqueue(ledger, *effects):
    with ledger.transaction() as tx:
        tx.append_audit(at=NOON, actor="p", action="a:b", tenant="acme", owner="mara", about={})
        for effect in effects:
            tx.enqueue(effect)


def ids(found):
    return [one.episode_id for one in found]


class InputsContract:
    def test_inputs_are_what_is_not_wholly_the_users_own(self, ledger: Ledger):
        put(ledger, episode("own"))
        page = put(ledger, episode("page", kind=WEB, ref="https://a.example", title="A"))
        pasted = (Pasted(start=0, end=4, source_kind=SourceKind.EXTERNAL_DOC, why="quote_block"),)
        put(ledger, episode("mixed"), pasted=pasted)
        answer = put(ledger, episode("answer", kind=SourceKind.AGENT_TURN))
        put(ledger, episode("other chat", kind=WEB, conversation_id="c2"))
        put(ledger, episode("other owner", kind=WEB, scope=IVO))
        put(ledger, episode("other agent", kind=WEB, scope=MAIL_AGENT))
        found = ledger.inputs_before(MARA, "c1", before=0)
        assert ids(found) == ["page", "mixed", "answer"]
        assert (found[0].serial_no, found[0].provenance) == (page.serial_no, page.provenance)
        assert found[1].provenance.pasted == pasted
        assert ids(ledger.inputs_before(MARA, "c1", before=answer.serial_no)) == ["page", "mixed"]
        assert ledger.inputs_before(MARA, "c1", before=page.serial_no) == []


class MarksContract:
    text = "The new bakery on Linden Street opens at half past six from Monday to Friday, says its owner Petrov."

    def test_a_mark_leads_to_the_earliest_episode_that_bears_it(self, ledger: Ledger):
        first = put(ledger, episode("first", kind=WEB, text=self.text, scope=MAIL_AGENT))
        second = put(ledger, episode("second", text=f"Look what I found: {self.text}"))
        marks = fingerprints(self.text)
        seen = ledger.first_seen(MARA, marks)
        assert set(seen) == set(marks)
        assert {one.episode_id for one in seen.values()} == {"first"}
        assert next(iter(seen.values())).provenance == first.provenance
        assert ledger.first_seen(MARA, marks, before=second.serial_no) == seen
        assert ledger.first_seen(MARA, marks, before=first.serial_no) == {}

    def test_literals_are_marks_too(self, ledger: Ledger):
        put(ledger, episode("e1", text=self.text))
        assert set(ledger.first_seen(MARA, literals.marks("He met Petrov."))) == set(literals.marks("He met Petrov."))

    def test_unknown_marks_are_left_out(self, ledger: Ledger):
        put(ledger, episode("e1", text=self.text))
        (known, *_) = fingerprints(self.text)
        assert list(ledger.first_seen(MARA, [0, known, known, 2**63 - 1])) == [known]
        assert ledger.first_seen(MARA, []) == {}

    def test_another_owners_words_are_unknown(self, ledger: Ledger):
        put(ledger, episode("e1", text=self.text))
        for scope in (IVO, STRANGER):
            assert ledger.first_seen(scope, marks_of(self.text)) == {}

    def test_what_a_rolled_back_transaction_marked_is_gone(self, ledger: Ledger):
        def put_twice():
            with ledger.transaction() as tx:
                tx.add_episode(episode("e1", text=self.text), idempotency_key=None, inbox=True)
                tx.add_episode(episode("e1"), idempotency_key=None, inbox=True)

        with pytest.raises(BadInput, match=r"(?i)unique"):
            put_twice()
        assert ledger.first_seen(MARA, marks_of(self.text)) == {}

    @settings(
        max_examples=25,
        deadline=None,  # one ledger serves all examples (each has an owner of its own), and two classes run this test
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(
        st.lists(st.from_regex(r"[a-zäöüß]{1,9}", fullmatch=True), min_size=8, max_size=30),
        st.text(st.characters(codec="utf-8"), max_size=60),
        st.text(st.characters(codec="utf-8"), max_size=60),
        st.data(),
    )
    def test_any_run_of_eight_words_is_found_again(self, ledger: Ledger, words, before, after, data):
        text = f"{before}\n{' '.join(words)}\n"
        name = sha256_text(text)
        scope = Scope(tenant="acme", owner=name)
        with ledger.transaction() as tx:
            tx.add_episode(episode(name, scope=scope, text=text), idempotency_key="once", inbox=False)
        start = data.draw(st.integers(min_value=0, max_value=len(words) - 8))
        copied = f"{' '.join(words[start : start + 8])}\n{after}"
        assert ledger.first_seen(scope, fingerprints(copied))


class EpochContract:
    def test_an_owners_epoch_grows_with_their_effects_only(self, ledger: Ledger):
        assert ledger.epoch(MARA) == 0
        enqueue(ledger, activate("f1"))
        first = ledger.epoch(MARA)
        enqueue(ledger, activate("f2", scope=IVO), activate("f3", scope=STRANGER))
        assert ledger.epoch(MARA) == first > 0
        enqueue(ledger, activate("f4", scope=MAIL_AGENT))
        assert ledger.epoch(MARA) > ledger.epoch(IVO) > first

    def test_an_owners_last_effect_is_the_last_enqueued_applied_or_not(self, ledger: Ledger):
        assert ledger.last_effect(MARA) == ""
        enqueue(ledger, activate("f1"), activate("f2"))
        enqueue(ledger, activate("f3", scope=IVO))
        assert (ledger.last_effect(MARA), ledger.last_effect(IVO), ledger.last_effect(STRANGER)) == ("f2", "f3", "")
        with ledger.transaction() as tx:
            tx.mark_applied("f1", at=NOON)
            tx.mark_applied("f2", at=NOON)
            tx.enqueue(activate("f4", scope=MAIL_AGENT))
            assert ledger.last_effect(MARA) == "f2"
        assert ledger.last_effect(MARA) == "f4"
        with ledger.transaction() as tx:
            tx.erase(MARA.tenant, MARA.owner)
        assert (ledger.last_effect(MARA), ledger.last_effect(IVO)) == ("", "f3")

    def test_an_outdated_judgement_is_refused_and_nothing_is_written(self, ledger: Ledger):
        enqueue(ledger, activate("f1"))
        seen = ledger.epoch(MARA)
        enqueue(ledger, activate("f2"))

        def commit_late():
            with ledger.transaction() as tx:
                tx.enqueue(activate("f3"))
                tx.check_epoch(MARA, seen)

        with pytest.raises(Outdated, match="judge again"):
            commit_late()
        assert [item.effect.effect_id for item in ledger.outbox()] == ["f1", "f2"]

    def test_a_fresh_one_passes_and_its_own_effects_do_not_count(self, ledger: Ledger):
        with ledger.transaction() as tx:
            tx.check_epoch(MARA, 0)
            tx.enqueue(activate("f1"))
            tx.check_epoch(MARA, 0)
        enqueue(ledger, activate("f2", scope=IVO))
        with ledger.transaction() as tx:
            tx.check_epoch(MARA, ledger.epoch(MARA))

    def test_waiting_counts_an_owners_unapplied_effects(self, ledger: Ledger):
        enqueue(ledger, activate("f1"), activate("f2"), activate("f3", scope=IVO))
        assert (ledger.waiting(MARA), ledger.waiting(IVO), ledger.waiting(STRANGER)) == (2, 1, 0)
        with ledger.transaction() as tx:
            tx.mark_applied("f1", at=NOON)
        assert ledger.waiting(MARA) == 1

    def test_every_effect_can_be_relayed_anew_in_its_order(self, ledger: Ledger):
        enqueue(ledger, activate("f1"), activate("f2", scope=IVO), activate("f3"))
        epoch = ledger.epoch(MARA)
        with ledger.transaction() as tx:
            tx.mark_applied("f1", at=NOON)
            tx.mark_applied("f2", at=NOON)
        with ledger.transaction() as tx:
            assert tx.requeue_effects() == 2
        assert [item.effect.effect_id for item in ledger.outbox()] == ["f1", "f2", "f3"]
        assert ledger.epoch(MARA) == epoch

    def test_what_a_store_lost_is_put_back_in_its_order(self, ledger: Ledger):
        assert ledger.applied(limit=9) == []
        enqueue(ledger, activate("f1"), activate("f2", scope=IVO), activate("f3", scope=MAIL_AGENT), activate("f4"))
        with ledger.transaction() as tx:
            for one in ("f1", "f2", "f3"):
                tx.mark_applied(one, at=NOON)
        newest = ledger.applied(limit=2)
        assert [(one.effect_id, one.scope) for one in newest] == [("f3", MARA), ("f2", IVO)]
        assert [one.effect_id for one in ledger.applied(limit=9, before=newest[-1].number)] == ["f1"]
        with ledger.transaction() as tx:
            assert tx.requeue([]) == 0
            assert tx.requeue(["f3", "f2", "f4", "unknown"]) == 2  # f4 waits as it is
        assert [item.effect.effect_id for item in ledger.outbox()] == ["f2", "f3", "f4"]
        assert [one.effect_id for one in ledger.applied(limit=9)] == ["f1"]
        with ledger.transaction() as tx:
            assert tx.mark_applied("f2", at=NOON)


def told(found):
    """Whose words they are and what they count."""
    return [(one.origin, one.trust) for one in found]


class SupportContract:
    def test_support_is_who_else_says_so(self, ledger: Ledger):
        source = put(ledger, episode())
        rule(ledger, stating("k1", source), origin="site:a", effective_trust=0.3)
        admitted = {"state": CandidateState.ADMITTED, "origin": "user", "effective_trust": 1.0}
        rule(ledger, stating("k2", source, value="The Penicillin"), **admitted)
        rule(ledger, stating("k3", source, value="aspirin"), origin="site:c")
        rule(ledger, stating("k4", source, subject="Ivo"), origin="site:d")
        rule(ledger, stating("k5", source), state=CandidateState.REJECTED, origin="site:e")
        rule(ledger, stating("k6", source), state=CandidateState.WITHDRAWN, origin="site:f")
        rule(ledger, stating("k7", source, retracts=True), origin="site:g")
        rule(ledger, stating("k8", source), origin="")
        assert told(ledger.support(MARA, ALLERGY, "penicillin")) == [("site:a", 0.3), ("user", 1.0)]
        assert ledger.support(MARA, ALLERGY, "ibuprofen") == []
        assert ledger.support(MARA, slot_key("user", "likes"), "penicillin") == []

    def test_only_the_owners_own(self, ledger: Ledger):
        rule(ledger, stating("k1", put(ledger, episode("e1", scope=IVO))), origin="site:a")
        rule(ledger, stating("k2", put(ledger, episode("e2", scope=STRANGER))), origin="site:b")
        rule(ledger, stating("k3", put(ledger, episode("e3", scope=MAIL_AGENT))), origin="site:c")
        assert told(ledger.support(MARA, ALLERGY, "penicillin")) == [("site:c", 0.3)]

    def test_it_is_the_policys_first_word_that_counts(self, ledger: Ledger):
        source = put(ledger, episode())
        rule(ledger, stating("k1", source), origin="site:a", effective_trust=0.3)
        again(ledger, "k1", by="rita", origin="rita", effective_trust=0.8)
        rule(ledger, stating("k2", source), by="rita", origin="rita")
        again(ledger, "k2", by="policy", origin="site:b", effective_trust=0.5)
        assert told(ledger.support(MARA, ALLERGY, "penicillin")) == [("site:a", 0.3), ("site:b", 0.5)]

    def test_what_rests_on_a_memory(self, ledger: Ledger):
        source = put(ledger, episode())

        def root(name):
            return Root(episode_id=name, source_kind=WEB, source_ref="https://a.example", trust=0.3)

        on_it = (root("e1"), root("memory:m1"))
        for name, state in (("k1", CandidateState.PROMOTED), ("k2", CandidateState.ADMITTED)):
            rule(ledger, candidate(name, source), state=state, roots=on_it)
        rule(ledger, candidate("k3", source), roots=on_it)
        rule(ledger, candidate("k4", source), state=CandidateState.ADMITTED, roots=(root("memory:m10"),))
        rule(ledger, candidate("k5", source), state=CandidateState.ADMITTED, roots=(root("m1"),))
        mail = put(ledger, episode("e2", scope=MAIL_AGENT))
        rule(ledger, candidate("k6", mail), state=CandidateState.ADMITTED, roots=on_it)
        foreign = put(ledger, episode("e3", scope=IVO))
        rule(ledger, candidate("k7", foreign), state=CandidateState.ADMITTED, roots=on_it)
        found = ledger.derived(MARA, "m1")
        assert [item.candidate.candidate_id for item in found] == ["k1", "k2", "k6"]
        assert found[0] == ledger.candidate("k1")
        again(ledger, "k4", by="policy", roots=on_it)
        assert len(ledger.derived(MARA, "m1")) == 4


class RemovalContract:
    def test_a_scrubbed_candidate_keeps_its_rulings_but_no_word(self, ledger: Ledger):
        source = put(ledger, episode(text="I told her what I always eat."))
        given = candidate("k1", source, statement="You eat zanzibar.", subject="zanzibar")
        value = replace(given.proposal, value="zanzibar", attribute="zanzibar_habit", valid_at=NOON)
        given = replace(given, proposal=value)
        effect = replace(activate("f1", "k1", text="You eat zanzibar."), reason="zanzibar")
        made = replace(decision("d1", "k1", effects=(effect,)), note="zanzibar, for sure")
        opinion = Opinion(memory_id="m7", relation=Relation.NEUTRAL, judge="j", text="zanzibar too")
        evidence = replace(
            made.evidence,
            opinions=(opinion,),
            incumbents=(replace(made.evidence.incumbents[0], value="zanzibar", text="zanzibar"),),
            findings=(replace(made.evidence.findings[0], note="zanzibar"),),
        )
        with ledger.transaction() as tx:
            tx.add_candidate(given, state=CandidateState.WITHDRAWN, at=NOON)
            tx.add_decision(replace(made, evidence=evidence))
            tx.enqueue(effect)
            tx.enqueue(replace(effect, effect_id="f2", kind=EffectKind.REMOVE, memory=None))
        incumbent = replace(made.evidence.incumbents[0], memory_id="k1", value="zanzibar", text="You eat zanzibar.")
        rule(ledger, candidate("k2", source), incumbents=(incumbent, *made.evidence.incumbents))
        rule(ledger, candidate("k3", source), incumbents=(), opinions=(replace(opinion, memory_id="k1"), opinion))
        before = ledger.candidate("k1")
        with ledger.transaction() as tx:
            tx.scrub("k1")
        item = ledger.candidate("k1")
        everything = [item, *ledger.decisions("k1"), *ledger.decisions("k2"), *ledger.outbox()]
        assert "zanzibar" not in "".join(repr(one) for one in everything)
        assert (item.state, item.candidate.version) == (before.state, before.candidate.version)
        assert item.candidate.provenance == before.candidate.provenance
        assert item.candidate.proposal.valid_at is None
        assert item.decision.reasons == before.decision.reasons
        assert item.decision.evidence.roots == before.decision.evidence.roots
        assert item.excerpt_span.of(item.excerpt) == item.excerpt == "[purged]"
        assert [effect.effect_id for effect in item.decision.effects] == ["f1"]
        assert ledger.candidate("k2").decision.evidence.incumbents[1] == made.evidence.incumbents[0]
        assert [one.text for one in ledger.candidate("k3").decision.evidence.opinions] == ["[purged]", "zanzibar too"]
        states = (CandidateState.WITHDRAWN,)
        assert ledger.held(HeldFilter(tenant="acme", states=states))[1] == 1
        assert ledger.held(HeldFilter(tenant="acme", states=states, text="zanzibar"))[1] == 0
        assert ledger.episode("e1") == source

    def test_a_scrubbed_statement_still_counts_as_declined(self, ledger: Ledger):
        source = put(ledger, episode())
        given = candidate("k1", source)
        rule(ledger, given, state=CandidateState.REJECTED, by="rita")
        with ledger.transaction() as tx:
            tx.scrub("k1")
        assert ledger.declined(MARA, given.digest)
        assert ledger.support(MARA, ALLERGY, "penicillin") == []

    def test_scrubbing_nothing(self, ledger: Ledger):
        with pytest.raises(NotFound), ledger.transaction() as tx:
            tx.scrub("nobody")

    def test_an_erased_owner_leaves_only_the_audit(self, ledger: Ledger):
        for scope in (MARA, MAIL_AGENT, IVO, STRANGER):
            name = f"{scope.tenant}-{scope.owner}-{scope.agent}"
            source = put(
                ledger, episode(f"e-{name}", scope=scope, text=MarksContract.text, conversation_id=f"c-{name}")
            )
            root = (Root(episode_id="memory:m1", source_kind=WEB, source_ref="x", trust=0.3),)
            effect = activate(f"f-{name}", f"k-{name}", scope=scope)
            admitted = {"state": CandidateState.ADMITTED, "effects": (effect,), "origin": "o"}
            rule(ledger, candidate(f"k-{name}", source), roots=root, **admitted)
            again(ledger, f"k-{name}", by="rita")
            chat = Conversation(
                conversation_id=f"c-{name}", scope=scope, title="Bread", created_at=NOON, updated_at=NOON
            )
            run = Run(
                run_id=f"r-{name}",
                conversation_id=f"c-{name}",
                scope=scope,
                question_id=source.episode_id,
                state=RunState.DONE,
                text="At six.",
                started_at=NOON,
                updated_at=NOON,
            )
            with ledger.transaction() as tx:
                tx.put_conversation(chat)
                tx.put_run(run)
                digest = tx.keyed_digest(scope.tenant, scope.owner, "bread")
                about = {"digest": digest, "episode_id": source.episode_id}
                tx.append_audit(at=NOON, actor="p", action="a:b", tenant=scope.tenant, owner=scope.owner, about=about)
        entries, head = ledger.audit("acme", owner="mara"), ledger.head()
        with ledger.transaction() as tx:
            gone = tx.erase("acme", "mara")
        assert (gone.episodes, gone.candidates, gone.decisions, gone.conversations, gone.effects) == (2, 2, 4, 2, 2)
        for scope in (MARA, MAIL_AGENT):
            name = f"acme-mara-{scope.agent}"
            assert ledger.episode(f"e-{name}") is None
            assert ledger.candidate(f"k-{name}") is None
            assert ledger.decisions(f"k-{name}") == []
            assert ledger.conversation(scope, f"c-{name}") is None
            assert ledger.run(f"r-{name}") is None
            assert ledger.first_seen(scope, fingerprints(MarksContract.text)) == {}
            assert ledger.inputs_before(scope, f"c-{name}", before=0) == []
            assert (ledger.epoch(scope), ledger.waiting(scope)) == (0, 0)
            assert ledger.support(scope, ALLERGY, "penicillin") == []
            assert ledger.derived(scope, "m1") == []
        for scope in (IVO, STRANGER):
            name = f"{scope.tenant}-{scope.owner}-console"
            assert ledger.episode(f"e-{name}") is not None
            assert ledger.candidate(f"k-{name}") is not None
            assert ledger.run(f"r-{name}") is not None
            assert ledger.first_seen(scope, fingerprints(MarksContract.text))
            assert ledger.waiting(scope) == 1
            assert len(ledger.derived(scope, "m1")) == 1
        assert (ledger.audit("acme", owner="mara"), ledger.head()) == (entries, head)
        assert ledger.verify().ok
        with ledger.transaction() as tx:
            assert tx.keyed_digest("acme", "mara", "bread") not in {entry.about.get("digest") for entry in entries[0]}

    def test_an_erased_owner_can_begin_anew_and_erasing_nobody_is_nothing(self, ledger: Ledger):
        first = put(ledger, episode())
        for _ in range(2):
            with ledger.transaction() as tx:
                tx.erase("acme", "mara")
        anew = put(ledger, episode())
        assert anew.serial_no > first.serial_no
        rule(ledger, candidate("k1", anew))
        assert ledger.candidate("k1").state is CandidateState.HELD


class OriginsContract(InputsContract, MarksContract, EpochContract, SupportContract, RemovalContract):
    """All of it."""
