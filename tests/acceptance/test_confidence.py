"""Act, answer or ask, over a started layer: what is stated, confirmed, stale, in competition or in conflict (rules §5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.confidence import Because
from core.model import Advice, Effect, EffectKind, MemoryStatus, RulingKind
from tests.acceptance.life import TOOL, Life, ruling


@pytest.fixture
def life(console):
    return Life(console)


def effect(life, kind: EffectKind, memory, *, whole: bool = False, **rest) -> Effect:
    return Effect(
        memory=memory if whole else None,
        effect_id=f"{kind}:{memory.memory_id}:{life.console.clock.now():%s}",
        kind=kind,
        scope=life.who.scope,
        memory_id=memory.memory_id,
        at=life.console.clock.now(),
        **rest,
    )


def commit(life, *effects: Effect) -> None:
    life.layer.enactor.commit_effects(life.who.user_id, effects, action="memory:confirmed", about={})
    life.layer.enactor.relay()


def consult(life, question="Where do I live?"):
    found = life.layer.agent.ask(question, life.who.scope)
    return found.advice, found.counsel.because, found.counsel.confidence.value if found.counsel.confidence else None


def compete(life):
    """Two current homes in the store, as an installation may have them whose rules were others."""
    life.say("I live in Porto.")
    other = replace(life.fact("Porto"), memory_id="other-home", value="Braga", text="You live in Braga.", support=())
    commit(life, effect(life, EffectKind.ACTIVATE, other, whole=True))
    return life.fact("Porto"), life.fact("Braga")


def test_what_its_owner_stated_is_answered_with_its_sources(life):
    life.say("I live in Porto.")
    assert consult(life) == (Advice.ANSWER, Because.SURE, 0.733)
    found = life.layer.agent.ask("Where do I live?", life.who.scope)
    assert found.reason == "It is sure enough to answer with its sources (confidence 0.733)."
    [hit] = [one for one in found.hits if one.memory.value == "Porto" and one.memory.kind.value == "fact"]
    assert [(one.name, one.product) for one in hit.confidence.terms] == [
        ("corroboration", 0.133),
        ("recency", 0.3),
        ("verification", 0.2),
        ("user_confirmation", 0.1),
    ]
    assert consult(life, "What is my blood type?")[:2] == (Advice.ASK, Because.NOTHING)


def test_what_a_named_person_confirmed_may_be_acted_on_until_that_is_taken_back(life):
    life.say("I live in Porto.")
    home = life.fact("Porto")
    life.wait(days=200)
    assert consult(life)[0] is Advice.ANSWER
    commit(life, effect(life, EffectKind.ATTEST, home, by=life.who.user_id))
    assert consult(life) == (Advice.ACT, Because.CONFIRMED, 1.0)
    run = life.console.ask("Where do I live?")
    assert (run.detail["advice"]["advice"], run.detail["used"][0]["confidence"]["value"]) == ("act", 1.0)
    why = life.layer.memories.why(life.who, home.memory_id)
    assert (why.counsel.advice, why.memory.confirmed_by) == (Advice.ACT, life.who.user_id)
    life.layer.lifecycle.rebuild(life.console.admin)
    assert consult(life) == (Advice.ACT, Because.CONFIRMED, 1.0)
    commit(life, effect(life, EffectKind.UNATTEST, home, by=life.who.user_id, until=home.stated_at))
    assert consult(life)[:2] == (Advice.ANSWER, Because.SURE)
    assert life.row(home.memory_id).stated_at == home.stated_at


def test_two_current_values_about_as_sure_are_asked_about_with_both_named(life):
    compete(life)
    found = life.layer.agent.ask("Where do I live?", life.who.scope)
    assert (found.advice, found.counsel.because) == (Advice.ASK, Because.COMPETING)
    assert "“You live in Porto.”" in found.reason
    assert "“You live in Braga.”" in found.reason
    run = life.console.ask("Where do I live?")
    assert run.text.endswith("Which one is right?")
    assert "“You live in Porto” [" in run.text
    assert "“You live in Braga” [" in run.text
    assert "your own words" in run.text
    told = run.detail["advice"]
    assert (told["advice"], told["because"], len(told["rivals"])) == ("ask", "competing", 1)
    assert {one["text"] for one in run.detail["used"]} >= {"You live in Porto.", "You live in Braga."}


def test_a_confirmation_of_one_ends_the_competition(life):
    porto, _braga = compete(life)
    commit(life, effect(life, EffectKind.ATTEST, porto, by=life.who.user_id))
    why = life.layer.memories.why(life.who, porto.memory_id)
    assert (why.counsel.advice, why.counsel.confidence.value) == (Advice.ACT, 1.0)


def test_an_answer_in_another_language_asks_in_it(life):
    compete(life)
    assert life.console.ask("Wo wohne ich?").text.endswith("Welche stimmt?")


def test_an_open_conflict_is_a_question_to_the_person_and_its_words_are_told_to_nobody(life):
    life.say("I live in Porto.")
    life.wait(days=90)
    fresh = life.console.ask("Where do I live?")
    assert fresh.detail["advice"]["advice"] == "answer"
    held = life.held(life.say("Ada lives in Lagos.", channel=TOOL, tool="inventory"))
    assert "conflict" in held.decision.reasons
    aged = life.console.ask("Where do I live?")
    told = aged.detail["advice"]
    assert (told["advice"], told["because"]) == ("ask", "open_conflict")
    assert told["waiting"] == [held.candidate.candidate_id]
    assert "Lagos" not in f"{aged.text}{told}{aged.detail['used']}"
    assert aged.text == fresh.text
    assert consult(life)[0] is Advice.ANSWER  # the agent learns nothing of what is held
    assert life.layer.memories.why(life.who, life.fact("Porto").memory_id).counsel.waiting


def test_a_held_claim_that_is_far_less_sure_makes_no_question(life):
    """Else whoever gets a page read could have every fact asked about."""
    life.say("I live in Porto.")
    assert "conflict" in life.held(life.say("Ada lives in Lagos.", channel=TOOL, tool="inventory")).decision.reasons
    assert life.console.ask("Where do I live?").detail["advice"]["advice"] == "answer"  # .733 against .553


def test_what_a_person_said_is_both_true_does_not_compete(life):
    life.say("I live in Porto.")
    held = life.held(life.say("Ada lives in Lagos.", channel=TOOL, tool="inventory"))
    life.layer.review.settle(life.who, ruling(held, RulingKind.BOTH))
    life.console.settle()
    assert {one.value for one in life.facts(MemoryStatus.ACTIVE) if one.attribute == "home"} == {"Porto", "Lagos"}
    life.wait(days=90)
    assert consult(life)[0] is Advice.ANSWER


def test_what_is_stale_and_nobody_stated_is_asked_about(life):
    life.say("The warehouse has 40 chairs.", channel=TOOL, tool="inventory")
    assert life.console.ask("How many chairs does the warehouse have?").detail["advice"]["advice"] == "answer"
    life.wait(days=250)
    run = life.console.ask("How many chairs does the warehouse have?")
    assert run.detail["advice"]["because"] == "unsure"
    assert run.text.endswith("Is it still right?")
    assert "40 chairs" in run.text
    assert "a tool" in run.text


def test_asking_writes_no_more_than_recalling(life):
    life.say("I live in Porto.")
    before = life.layer.ledger.head(), life.layer.store.witness()
    life.layer.agent.ask("Where do I live?", life.who.scope)
    assert (life.layer.ledger.head(), life.layer.store.witness()) == before


def test_a_statement_gets_no_advice_and_an_unanswered_question_does(life):
    assert "advice" not in life.console.ask("I live in Porto.").detail
    assert life.console.ask("What is my blood type?").detail["advice"]["because"] == "nothing"
