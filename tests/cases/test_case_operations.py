"""Cases about failures, models and files: each breaks something on purpose and looks at what is left."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.decay import freshness
from core.errors import StoreUnavailable
from core.ledger import StoredLedger
from core.model import MemoryKind, RunState, SourceKind
from core.store import PostgresStore
from tests.cases.runner import World
from tests.model_server import Answer


def held_of(world: World, text: str) -> Any:
    world.named["h"] = world.submit("u1", SourceKind.WEB_CONTENT, text, source_ref="https://depots.example")
    return world.item_of("h")


@pytest.mark.case("atk-22")
def test_a_failed_hold_leaves_nothing_active(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger refuses to record the held candidate: nothing of the page is recalled, and the work is done later."""
    real = StoredLedger.transaction

    def broken(_ledger: StoredLedger) -> Any:
        message = "disk I/O error"
        raise sqlite3.OperationalError(message)

    page = world.console.layer.agent.submit
    text = "The ferry office moved to Quay 4."
    with monkeypatch.context() as patch:
        from core.intake import Submission  # noqa: PLC0415

        page(
            Submission(
                scope=world.scope("u1"),
                conversation_id=world.talk("u1"),
                channel=SourceKind.WEB_CONTENT,
                text=text,
                actor="web",
                source_ref="https://ferry.example",
            )
        )
        patch.setattr("core.enact.Enactor.commit_episode", lambda *_a, **_k: broken(None))  # type: ignore[arg-type]
        world.settle()
        assert not world.recall("u1", "where is the ferry office?").texts
        assert not world.active()
    assert world.console.layer.ledger.unprocessed()  # it waits to be tried again
    world.wait(minutes=5)
    world.settle()
    assert world.held("Quay 4")
    assert not world.recall("u1", "where is the ferry office?").texts
    assert StoredLedger.transaction is real


@pytest.mark.case(
    "con-04",
    explained="without a judge model the key rule judges nothing beyond a slot and says so (rules §1.12): a meal changes "
    "no diet, both stay, and the decision counts the near fact as not judged",
)
def test_a_meal_against_a_diet_is_not_judged_by_rules(world: World) -> None:
    world.say("u1", "I'm vegan.")
    world.say("u1", "I had roast duck for lunch on Sunday.")
    diet = [one for one in world.facts() if one.attribute == "diet"]
    assert [one.value for one in diet] == ["vegan"]  # it is not silently replaced by the meal
    meal = [one for one in world.ruled("roast duck") if one.candidate.proposal.kind is not MemoryKind.EVENT]
    assert meal
    assert meal[0].decision.evidence.not_judged >= 1


@pytest.mark.case("dec-04")
def test_each_kind_fades_by_its_own_curve(world: World) -> None:
    world.say("u1", "I like rowing.")
    rows = world.active()
    fact = next(one for one in rows if one.kind is MemoryKind.PREFERENCE)
    event = next(one for one in rows if one.kind is MemoryKind.EVENT)
    later, rules = world.now() + timedelta(days=60), world.console.layer.policy.decay
    assert freshness(event, later, rules) < 0.01
    assert freshness(fact, later, rules) > 0.5
    slower = replace(rules, event_eta_days=180.0)
    assert freshness(event, later, slower) > 0.5


@pytest.mark.case("ops-01")
def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, make_console: Any) -> None:
    """A process dies by SIGKILL right after the turn was accepted; the next one has the fact, once. See tests/crash."""
    console = make_console()
    world = World(console=console)
    actor, conversation = console.admin, console.layer.chat.new_id()
    child = os.fork()
    if not child:  # pragma: no cover - the child's last act is its own death
        from core.intake import Submission  # noqa: PLC0415

        ledger = StoredLedger.at(console.layer.ledger._place, hmac_key=(tmp_path / "data" / "secret").read_bytes())
        intake = replace(console.layer.intake, ledger=ledger, enactor=replace(console.layer.enactor, ledger=ledger))
        intake.submit(
            Submission(
                scope=actor.scope,
                conversation_id=conversation,
                channel=SourceKind.USER_TURN,
                text="My locker is 41.",
                actor=actor.user_id,
            )
        )
        os.kill(os.getpid(), 9)
    assert os.waitpid(child, 0)[1] == 9
    world.people["ada"] = actor
    world.settle()
    assert [one.text for one in world.about("locker")] == ["Your locker is 41."]
    assert world.audit_ok()


@pytest.mark.case("ops-02")
def test_a_store_that_fails_after_the_commit_leaves_work_not_a_lie(world: World, monkeypatch: Any) -> None:
    """The chat says that the turn is kept; the fact is pending, and then it is there: never refused and yet stored."""

    def down(*_args: Any, **_rest: Any) -> Any:
        message = "the store did not answer in time"
        raise StoreUnavailable(message)

    with monkeypatch.context() as patch:
        patch.setattr(PostgresStore, "apply", down)
        run = world.ask_only("u1", "My locker is 43.")
        assert run.state is RunState.DONE
        with pytest.raises(StoreUnavailable):
            world.settle()
        assert world.console.layer.ledger.unprocessed()  # pending, and shown as such
    world.settle()
    assert not world.console.layer.ledger.unprocessed()
    assert [one.text for one in world.about("locker")] == ["Your locker is 43."]


@pytest.mark.case("ops-03")
@pytest.mark.parametrize("when", ["before the ledger", "between the stores"])
def test_a_promotion_between_two_stores_is_one_decision(world: World, monkeypatch: Any, when: str) -> None:
    item = held_of(world, "The tram depot is in Ostrava.")

    def fail(*_args: Any, **_rest: Any) -> Any:
        message = "cut off"
        raise StoreUnavailable(message)

    where = "core.enact.Enactor.commit_ruling" if when == "before the ledger" else "core.store.PostgresStore.apply"
    with monkeypatch.context() as patch:
        patch.setattr(where, fail)
        try:
            world.rule("revA", item, note="seen")
        except StoreUnavailable:
            world.notes["failed"] = True
    promoted = world.audit("candidate:promoted")
    world.settle()
    rows, waiting = world.about("Ostrava"), world.held("Ostrava")
    assert (len(rows), len(waiting)) == ((0, 1) if when == "before the ledger" else (1, 0))
    assert len(promoted) == len(rows)
    assert world.audit_ok()


@pytest.mark.case("ops-04")
@pytest.mark.parametrize("reply", ["Sure! Here are the facts", '{"facts": [', "[]"])
def test_a_model_that_talks_nonsense_loses_no_turn(modelled: World, reply: str) -> None:
    """The rules read the turn in its place (rules §7.1), and the audit says who did."""
    modelled.notes["server"].script(Answer(text=reply))
    modelled.say("u1", "My locker is 44.")
    assert [one.text for one in modelled.about("locker")] == ["Your locker is 44."]
    assert "rules" in {one.about.get("extractor") for one in modelled.audit("episode:distilled")}


@pytest.mark.case("ops-05")
def test_a_model_cannot_change_rows_by_naming_ids(modelled: World) -> None:
    modelled.say("u1", "I like rowing.")
    before = [(one.memory_id, one.text, one.version, one.status) for one in modelled.active()]
    modelled.notes["server"].script(Answer(text=json.dumps({"event": "UPDATE", "id": "12", "text": "x"})))
    run = modelled.say("u1", "hello again")
    assert run.state is RunState.DONE
    assert [(one.memory_id, one.text, one.version, one.status) for one in modelled.active()] == before


@pytest.mark.case("ops-07")
def test_remembering_does_not_hold_up_the_answer(world: World) -> None:
    """The reply is there before the worker has begun; what writing adds to it is one durable entry."""
    took = []
    for number in range(12):
        started = time.monotonic()
        world.ask_only("u1", f"My shelf number {number} holds jars.")
        took.append(time.monotonic() - started)
    assert world.console.layer.ledger.unprocessed()  # nothing was distilled yet
    assert sorted(took)[len(took) // 2] < 1.0


@pytest.mark.case("ops-13")
def test_a_wholly_rewritten_chain_is_found_by_the_stores_witness(world: World) -> None:
    """The store kept the head that each effect came with; a chain computed anew from the start does not meet it."""
    from tests.cases.tampering import rewritten_without  # noqa: PLC0415

    world.say("u1", "I like rowing.")
    world.say("u1", "I live in Bergen.")
    assert world.audit_ok()
    rewritten_without(world.console.layer.ledger, seq=2)
    assert not world.audit_ok()


@pytest.mark.case("ops-09")
def test_a_round_trip_names_what_it_leaves_out_and_raises_nothing(world: World) -> None:
    world.say("u1", "I like rowing.")
    world.say("u1", "I live in Bergen.")
    world.say("u1", "I live in Tromsø now.")
    kept = world.export("u1")
    assert kept["left_out"]
    rows = {one["text"]: one for one in kept["memories"]}
    mine = {one.text: one for one in [*world.facts(), *world.superseded()]}
    for text, memory in mine.items():
        assert rows[text]["stated_at"] == memory.stated_at.isoformat()
        assert float(rows[text]["effective_trust"]) == memory.effective_trust
    world.import_rows("guest", kept["memories"])
    assert not world.memories("guest")
    assert {one.candidate.text for one in world.held()} >= {one.text for one in world.facts()}
