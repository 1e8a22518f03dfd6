"""The whole story over the real stores: a stray claim, the question, the answer, and what the answer is worth."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from core.errors import BadInput, NeedsReason, NotAuthorised, NotFound, StaleReview
from core.evidence import NOT_NOW
from core.layer import MemoryLayer
from core.ledger import StoredLedger
from core.ledger.transaction import StoredLedgerTx
from core.model import (
    CandidateState,
    Effect,
    EffectKind,
    Extraction,
    MemoryKind,
    MemoryStatus,
    Proposal,
    Role,
    RulingKind,
    Span,
)
from core.ports import BOTH, NONE, QuestionKind, QuestionState
from tests.acceptance.life import TOOL, Life, ruling

ACTIVE, SUPERSEDED = MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED


@pytest.fixture
def life(console):
    return Life(console)


def with_policy(life: Life, **conflict) -> None:
    """Put another conflict section in force."""
    policy = life.layer.policy
    life.layer.adopt(replace(policy, conflict=replace(policy.conflict, **conflict)))


@pytest.fixture
def sustained(life):
    with_policy(life, policy="sustained")
    return life


def by_tool(life: Life, text: str, tool: str = "calculator"):
    life.wait(hours=1)
    return life.say(text, channel=TOOL, tool=tool, where=f"run of {tool}", source_ref=f"run of {tool}")


def weight(life: Life) -> list[str]:
    return sorted(one.value for one in life.facts(text="total weight"))


def ask(life: Life):
    [asked] = life.layer.questions.waiting(life.who)
    return asked


def option(asked, value: str) -> str:
    [name] = [one.name for one in asked.options if one.value == value]
    return name


def answer(life: Life, asked, choice: str):
    return life.layer.questions.answer(life.who, asked.question_id, choice, seen_version=asked.question.version)


def stray(life: Life):
    """The owner said 520; a tool says 480."""
    life.say("The total weight is 520 kg.")
    return life.held(by_tool(life, "The total weight is 480 kg."))


class TestSustained:
    def test_a_stray_claim_never_wins_and_a_second_later_origin_does(self, sustained):
        by_tool(sustained, "The total weight is 520 kg.")
        first = sustained.held(by_tool(sustained, "The total weight is 480 kg.", "inventory"))
        assert weight(sustained) == ["520 kg"]
        assert ask(sustained).question.kind is QuestionKind.CONFLICT
        again = sustained.held(by_tool(sustained, "The total weight is 480 kg.", "inventory"))
        assert weight(sustained) == ["520 kg"]  # one origin, however often
        by_tool(sustained, "The total weight is 480 kg.", "unit_tests")
        assert weight(sustained) == ["480 kg"]
        for one in (first, again):
            state = sustained.layer.ledger.candidate(one.candidate.candidate_id).state
            assert state is CandidateState.ADMITTED  # what was held says what is remembered now
        assert sustained.fact("480").origins == 2
        assert sustained.layer.questions.waiting(sustained.who) == []
        [entry] = sustained.audit("question:closed")
        assert (entry.actor, entry.about["why"]) == ("policy", "settled")
        assert sustained.verified()

    def test_support_held_in_the_queue_counts_once_the_policy_asks_for_it(self, life):
        """Two origins wait under `manual`; the change is made by the next touch of the slot under `sustained`."""
        with_policy(life, policy="manual")
        by_tool(life, "The total weight is 520 kg.")
        by_tool(life, "The total weight is 480 kg.", "inventory")
        by_tool(life, "The total weight is 480 kg.", "unit_tests")
        assert weight(life) == ["520 kg"]
        with_policy(life, policy="sustained")
        life.layer.auditor.look(life.who.scope, ask(life).question.slot_key)
        life.console.settle()
        assert weight(life) == ["480 kg"]
        assert life.layer.questions.waiting(life.who) == []

    def test_the_incumbent_stated_again_makes_the_stray_history(self, sustained):
        by_tool(sustained, "The total weight is 520 kg.")
        item = sustained.held(by_tool(sustained, "The total weight is 480 kg.", "inventory"))
        by_tool(sustained, "The total weight is 520 kg.")
        found = sustained.layer.ledger.candidate(item.candidate.candidate_id)
        assert found.state is CandidateState.ADMITTED
        assert sustained.row(item.candidate.candidate_id).status is SUPERSEDED
        assert sustained.layer.questions.waiting(sustained.who) == []
        by_tool(sustained, "The total weight is 480 kg.", "unit_tests")  # flip-flop: the count began anew
        assert weight(sustained) == ["520 kg"]
        assert len(sustained.layer.questions.waiting(sustained.who)) == 1

    def test_no_count_replaces_what_is_trusted_more(self, sustained):
        stray(sustained)
        by_tool(sustained, "The total weight is 480 kg.", "inventory")
        by_tool(sustained, "The total weight is 480 kg.", "unit_tests")
        assert weight(sustained) == ["520 kg"]
        assert len(ask(sustained).options) == 2
        assert len(ask(sustained).options[1].said) == 3

    def test_an_impact_item_is_never_decided_by_a_count(self, sustained):
        page = "The support phone number is 555-0123."
        sustained.say("The support phone number is 555-0199.")
        for tool in ("inventory", "unit_tests"):
            item = sustained.held(by_tool(sustained, page, tool))
            assert "impact" in item.decision.reasons
        assert [one.value for one in sustained.facts(text="support phone")] == ["555-0199"]
        with pytest.raises(NeedsReason, match="Review page"):
            answer(sustained, ask(sustained), option(ask(sustained), "555-0123"))


class TestAsking:
    def test_the_question_names_both_values_with_their_sources_and_times(self, life):
        item = stray(life)
        asked = ask(life)
        old, new = asked.options
        assert (old.value, old.current, new.value, new.current) == ("520 kg", True, "480 kg", False)
        assert new.said[0].source_kind is TOOL
        assert new.said[0].at == item.candidate.provenance.observed_at
        assert asked.both
        [entry] = life.audit("question:opened")
        assert "kg" not in str(entry.about)

    def test_one_a_slot_however_many_claims(self, life):
        stray(life)
        by_tool(life, "The total weight is 470 kg.", "inventory")
        by_tool(life, "The total weight is 470 kg.", "unit_tests")
        assert [one.value for one in ask(life).options] == ["520 kg", "480 kg", "470 kg"]

    def test_it_closes_itself_when_the_owner_says_so(self, life):
        stray(life)
        life.wait(hours=1)
        life.say("The total weight is 480 kg.")
        assert life.layer.questions.waiting(life.who) == []
        assert weight(life) == ["480 kg"]
        assert life.fact("480").origins == 2  # the tool's word counts for it now
        [done] = life.layer.questions.decided(life.who)
        assert done.question.state is QuestionState.CLOSED

    def test_a_card_that_is_settled_on_the_review_page_closes_it(self, life):
        item = stray(life)
        life.layer.review.settle(life.who, ruling(item, RulingKind.KEEP_OLD))
        life.console.settle()
        assert life.layer.questions.waiting(life.who) == []

    def test_others_neither_see_nor_answer_it(self, life):
        mia = life.of(life.console.person("mia", Role.MEMBER))
        stray(mia)
        asked = ask(mia)
        assert life.layer.questions.waiting(life.who) == []
        with pytest.raises(NotFound):
            life.layer.questions.answer(life.who, asked.question_id, NONE, seen_version=1)

    def test_a_restart_goes_on_where_it_stopped(self, life):
        life.say("The total weight is 520 kg.")
        life.wait(hours=1)
        life.submit("The total weight is 480 kg.", channel=TOOL, tool="calculator", where="sums")
        life.layer.intake.run_once("w")
        seen = life.layer.ledger.cursor("auditor")
        assert life.layer.questions.waiting(life.who) == []
        life.console.settle()
        assert ask(life)
        assert life.layer.ledger.cursor("auditor") > seen


class TestAnswering:
    def test_what_stays_is_attested_and_acts(self, life):
        item = stray(life)
        asked = ask(life)
        answer(life, asked, option(asked, "520 kg"))
        life.console.settle()
        kept = life.fact("total weight")
        assert (kept.value, kept.confirmed_by) == ("520 kg", life.who.user_id)
        assert life.layer.ledger.candidate(item.candidate.candidate_id).state is CandidateState.REJECTED
        [entry] = life.audit("question:answered")
        assert entry.about["effects"] == [EffectKind.ATTEST.value]
        assert life.layer.questions.waiting(life.who) == []
        [done] = life.layer.questions.decided(life.who)
        assert done.chosen == "The total weight is 520 kg."
        assert life.verified()

    def test_what_is_taken_replaces_and_is_attested(self, life):
        stray(life)
        asked = ask(life)
        answer(life, asked, option(asked, "480 kg"))
        life.console.settle()
        new = life.fact("total weight")
        assert (new.value, new.confirmed_by, new.vouched_by) == ("480 kg", life.who.user_id, life.who.username)
        assert new.effective_trust == 0.6  # an answer vouches, it does not whitewash the origin
        assert life.fact("520", SUPERSEDED).superseded_by == new.memory_id
        life.layer.lifecycle.rebuild(life.who)
        assert life.fact("480").confirmed_by == life.who.user_id

    def test_several_voices_for_what_is_taken_become_its_support(self, life):
        stray(life)
        by_tool(life, "The total weight is 480 kg.", "inventory")
        by_tool(life, "The total weight is 470 kg.", "unit_tests")
        asked = ask(life)
        answer(life, asked, option(asked, "480 kg"))
        life.console.settle()
        assert weight(life) == ["480 kg"]
        assert life.fact("480").origins == 2
        assert life.layer.questions.waiting(life.who) == []

    def test_both_and_none(self, life):
        stray(life)
        answer(life, ask(life), BOTH)
        life.console.settle()
        assert weight(life) == ["480 kg", "520 kg"]
        assert {one.confirmed_by for one in life.facts(text="total weight")} == {life.who.user_id}
        assert life.layer.questions.waiting(life.who) == []  # two values by the owner's word are not competing

    def test_none_of_these(self, life):
        stray(life)
        by_tool(life, "The total weight is 470 kg.", "inventory")
        answer(life, ask(life), NONE)
        life.console.settle()
        assert weight(life) == []
        assert life.layer.questions.waiting(life.who) == []

    def test_not_now_comes_back(self, life):
        stray(life)
        later = answer(life, ask(life), NOT_NOW)
        assert life.layer.questions.waiting(life.who) == []
        assert life.layer.questions.put_off(life.who) == 1
        life.wait(days=life.layer.policy.questions.later_days, seconds=1)
        assert ask(life).question.version == later.version

    def test_what_changed_since_it_was_shown_is_refused(self, life):
        stray(life)
        asked = ask(life)
        by_tool(life, "The total weight is 470 kg.", "inventory")
        with pytest.raises(StaleReview):
            answer(life, asked, NONE)
        with pytest.raises(BadInput):
            answer(life, ask(life), "memory:nobody")
        assert weight(life) == ["520 kg"]

    def test_a_double_click_answers_once(self, life):
        stray(life)
        asked = ask(life)
        choice = option(asked, "480 kg")
        with ThreadPoolExecutor(max_workers=4) as pool:
            calls = [pool.submit(answer, life, asked, choice) for _ in range(4)]
        problems = [one.exception() for one in calls if one.exception() is not None]
        assert all(isinstance(one, StaleReview) for one in problems)
        answer(life, asked, choice)  # and once more, later
        life.console.settle()
        assert weight(life) == ["480 kg"]
        assert len(life.audit("question:answered")) == 1

    def test_a_crash_before_the_commit_leaves_nothing_and_after_it_all(self, life, monkeypatch):
        stray(life)
        asked = ask(life)
        choice = option(asked, "480 kg")

        def killed(self, question, *, seen_version):
            raise SystemExit

        with monkeypatch.context() as patch:
            patch.setattr(StoredLedgerTx, "move_question", killed)
            with pytest.raises(SystemExit):
                answer(life, asked, choice)
        assert weight(life) == ["520 kg"]
        assert life.audit("question:answered") == []
        with monkeypatch.context() as patch:
            patch.setattr(type(life.layer.enactor), "relay", lambda self: 0)
            answer(life, asked, choice)
        life.console.settle()
        assert weight(life) == ["480 kg"]
        assert life.fact("480").confirmed_by == life.who.user_id
        assert life.verified()

    @pytest.mark.parametrize("value", ["520 kg", "480 kg"])
    def test_an_answer_is_taken_back_within_the_window(self, life, value):
        item = stray(life)
        asked = ask(life)
        answer(life, asked, option(asked, value))
        life.console.settle()
        life.layer.questions.take_back(life.who, asked.question_id)
        life.console.settle()
        old = life.fact("total weight")
        assert (old.value, old.confirmed_by) == ("520 kg", None)
        assert life.layer.ledger.candidate(item.candidate.candidate_id).state is CandidateState.HELD
        assert [one.value for one in ask(life).options] == ["520 kg", "480 kg"]
        answer(life, ask(life), NONE)
        life.wait(minutes=life.layer.policy.review.undo_minutes, seconds=1)
        with pytest.raises(BadInput, match="can be taken back"):
            life.layer.questions.take_back(life.who, asked.question_id)


class TestCompeting:
    def test_two_current_values_are_put_to_the_owner(self, life):
        life.say("The total weight is 520 kg.")
        old = life.fact("520")
        life.wait(hours=1)
        life.say("The total weight is 530 kg.")
        back = Effect(  # no verb of a person makes two current values; an older version or a mended store may hold them
            effect_id="back",
            kind=EffectKind.RESTORE,
            scope=old.scope,
            memory_id=old.memory_id,
            at=life.console.clock.now(),
        )
        life.layer.enactor.commit_effects("tests", [back], action="memory:restored", about={})
        life.console.settle()
        assert weight(life) == ["520 kg", "530 kg"]
        asked = ask(life)
        assert asked.question.kind is QuestionKind.COMPETING
        answer(life, asked, option(asked, "530 kg"))
        life.console.settle()
        assert weight(life) == ["530 kg"]
        assert life.fact("530").confirmed_by == life.who.user_id
        life.layer.questions.take_back(life.who, asked.question_id)
        life.console.settle()
        assert weight(life) == ["520 kg", "530 kg"]

    def test_both_true_is_not_asked_again(self, life):
        self.test_two_current_values_are_put_to_the_owner(life)
        answer(life, ask(life), BOTH)
        life.console.settle()
        life.wait(hours=1)
        life.say("The total weight is 530 kg.")
        assert life.layer.questions.waiting(life.who) == []


class TestKeys:
    """Keys that look like one are joined by their owner's yes alone."""

    def use(self, life: Life, attribute: str, value: str):
        """A statement under a key that an extractor might have made up."""
        text = f"The {attribute} of the trip is {value}."
        made = Proposal(
            subject="trip",
            attribute=attribute.replace(" ", "_"),
            value=value,
            statement=text,
            kind=MemoryKind.FACT,
            importance=0.6,
            span=Span(start=0, end=len(text)),
        )

        class Made:
            def extract(self, _episode, _context):
                return Extraction(proposals=(made,), extractor="tests")

        life.wait(hours=1)
        plain = life.layer.intake
        life.layer.intake = replace(plain, extractor=Made())
        life.submit(text, where=attribute)
        life.console.settle()
        life.layer.intake = plain

    def test_the_owner_says_they_are_the_same(self, life):
        self.use(life, "meeting pref", "mornings")
        self.use(life, "meeting preference", "afternoons")
        asked = ask(life)
        assert asked.question.kind is QuestionKind.SAME_KEY
        assert {one.value for one in asked.options} == {"meeting_pref", "meeting_preference"}
        assert len(life.facts(text="meeting")) == 2
        answer(life, asked, option(asked, "meeting_preference"))
        life.console.settle()
        competing = ask(life)  # one slot now, two current values
        assert (competing.question.kind, [one.value for one in competing.options]) == (
            QuestionKind.COMPETING,
            ["mornings", "afternoons"],
        )
        answer(life, competing, option(competing, "afternoons"))
        self.use(life, "meeting pref", "evenings")  # the old key means the new one from now on
        [now] = life.facts(text="meeting")
        assert (now.value, now.slot_key) == ("evenings", "trip|meeting_preference")
        assert all(one.effective_trust == 1.0 for one in life.rows(ACTIVE, SUPERSEDED, text="meeting"))

    def test_a_no_is_not_asked_again_and_a_yes_can_be_taken_back(self, life):
        self.use(life, "meeting pref", "mornings")
        self.use(life, "meeting preference", "mornings")
        asked = ask(life)
        answer(life, asked, NONE)
        life.console.settle()
        self.use(life, "meeting pref", "noon")
        assert life.layer.questions.waiting(life.who) == []
        assert len(life.facts(text="meeting")) == 2
        life.layer.questions.take_back(life.who, asked.question_id)
        answer(life, ask(life), option(ask(life), "meeting_pref"))
        assert life.layer.ledger.aliases(life.who.scope) == {"trip|meeting_preference": "trip|meeting_pref"}
        life.layer.questions.take_back(life.who, asked.question_id)
        assert life.layer.ledger.aliases(life.who.scope) == {}
        assert life.verified()


class TestFaded:
    @pytest.fixture
    def fading(self, life):
        auditor = life.layer.auditor
        life.layer.auditor = replace(auditor, below_ask_line=lambda memory, at, _policy: memory.confirmed_by is None)
        return life

    def use(self, life):
        memory = life.fact("flat white")
        life.layer.upkeep.touched(life.who.scope, (), cited=(memory.memory_id,), actor="console", where="c1")
        life.console.settle()

    def test_what_is_used_below_the_line_is_asked_about_once(self, fading):
        fading.say("My favourite coffee is a flat white.")
        assert fading.layer.questions.waiting(fading.who) == []
        self.use(fading)
        asked = ask(fading)
        assert (asked.question.kind, asked.both) == (QuestionKind.FADED, False)
        answer(fading, asked, asked.options[0].name)
        fading.console.settle()
        assert fading.fact("flat white").confirmed_by == fading.who.user_id
        self.use(fading)
        assert fading.layer.questions.waiting(fading.who) == []

    def test_no_longer_true(self, fading):
        fading.say("My favourite coffee is a flat white.")
        self.use(fading)
        answer(fading, ask(fading), NONE)
        fading.console.settle()
        assert fading.facts(text="flat white") == []

    def test_bounded_by_the_policy(self, fading):
        policy = fading.layer.policy
        fading.layer.adopt(replace(policy, questions=replace(policy.questions, max_open=0)))
        fading.say("My favourite coffee is a flat white.")
        self.use(fading)
        assert fading.layer.questions.waiting(fading.who) == []


def test_the_desk_is_built_of_the_real_parts(life):
    assert isinstance(life.layer, MemoryLayer)
    assert isinstance(life.layer.questions.ledger, StoredLedger)


class TestObserved:
    def test_sources_by_what_became_of_their_words(self, life):
        stray(life)
        asked = ask(life)
        answer(life, asked, option(asked, "520 kg"))
        by_tool(life, "The total length is 12 m.", "unit_tests")
        life.wait(hours=1)
        life.say("The total length is 12 m.")
        rows = {one.record.origin: one for one in life.layer.observed.sources(life.who)}
        scale, tests = rows["tool:calculator"], rows["tool:unit tests"]
        assert (scale.record.held_up, scale.record.failed) == (0, 1)
        assert scale.reputation == pytest.approx(1 / 3)
        assert (tests.record.held_up, tests.record.failed, tests.base) == (1, 0, 0.6)
        assert tests.reputation == 0.6  # two thirds, capped by its class

    def test_a_bad_record_weighs_only_when_the_policy_says_so(self, life):
        stray(life)
        asked = ask(life)
        answer(life, asked, option(asked, "520 kg"))
        life.console.settle()
        by_tool(life, "The total length is 12 m.", "inventory")
        policy = life.layer.policy
        life.layer.adopt(replace(policy, questions=replace(policy.questions, weigh_sources=True)))
        by_tool(life, "The total length is 11 m.")
        assert [one.value for one in life.facts(text="total length")] == ["12 m"]
        life.layer.adopt(policy)
        by_tool(life, "The total length is 10 m.")
        assert [one.value for one in life.facts(text="total length")] == ["10 m"]

    def test_how_long_things_stay_true_is_an_admins_and_holds_no_words(self, life):
        for days, kilos in enumerate((520, 530, 540, 550, 560), start=1):
            life.say(f"The total weight is {kilos} kg.")
            life.wait(days=days)
        rows = {one.kind: one for one in life.layer.observed.decay(life.who)}
        facts = rows[MemoryKind.FACT]
        assert (facts.replaced, facts.confirmed, facts.enough) == (4, 0, False)
        assert facts.median_interval == pytest.approx(2.5, abs=0.01)
        member = life.console.person("mia", Role.MEMBER)
        with pytest.raises(NotAuthorised):
            life.layer.observed.decay(member)

    def test_accuracy_counts_what_was_corrected_after_the_answer(self, life):
        where = life.layer.chat.new_id()
        life.console.ask("The total weight is 520 kg.", conversation=where)
        life.wait(minutes=1)
        life.console.ask("What is the total weight?", conversation=where)
        [before] = life.layer.observed.accuracy(life.who).sessions
        assert (before.answers, before.corrected) == (1, 0)
        life.wait(minutes=1)
        life.layer.memories.correct(life.who, life.fact("total weight").memory_id, "The total weight is 530 kg.")
        life.console.settle()
        [after] = life.layer.observed.accuracy(life.who).sessions
        assert (after.answers, after.corrected) == (1, 1)
