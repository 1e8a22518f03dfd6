"""The charts' numbers on the real stores, each compared with a plain count over the same rows; and who may ask."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from core.curve import replay
from core.decay import fading, strength
from core.errors import BadInput, NotAuthorised, NotFound
from core.insight import BINS, Whose
from core.intake import Submission
from core.ledger import SqliteInsight, SqliteLedger
from core.model import (
    CandidateState,
    EffectKind,
    MemoryKind,
    MemoryStatus,
    Role,
    Ruling,
    RulingKind,
    Scope,
    SourceKind,
    Verdict,
)
from core.ports import Fading
from core.store.insight import PostgresInsight
from tests.contract.ledger_contract import put_episode, put_item
from tests.contract.ledger_values import IVO, MARA, NOON, STRANGER, candidate, decision, episode
from tests.factories import POLICY
from tests.store_fixtures import ANN, BEN, NOW, make_memory

STRANGE = Scope(tenant="globex", owner="zoe")
THETA = POLICY.decay.archive_below
LIMITS = {"at": NOW, "since": NOW - timedelta(days=30), "weak_below": THETA, "bins": BINS}


def low(value):
    return min(int(value * BINS + 1e-9), BINS - 1) / BINS


def drawn_memories(scope, count, seed):
    """Memories of every kind, status and age, their numbers drawn at random."""
    draw = random.Random(seed)  # noqa: S311 - reproducible on purpose
    for number in range(count):
        came = NOW - timedelta(days=draw.uniform(0, 900))
        status = draw.choice([MemoryStatus.ACTIVE] * 3 + list(MemoryStatus))
        ended = came + (NOW - came) * draw.random() if status is not MemoryStatus.ACTIVE else None
        soon = NOW + timedelta(days=draw.uniform(-400, 400))
        yield make_memory(
            f"{scope.owner}{number}",
            f"note {number}",
            scope=scope,
            kind=draw.choice(list(MemoryKind)),
            attribute=draw.choice(["home", "allergy", "likes"]),
            importance=draw.choice([0.15, 0.2, 0.4, 0.8, 1.0]),
            effective_trust=draw.choice([0.3, 0.4, 0.55, 0.6, 0.7, 1.0]),
            source_kind=draw.choice(list(SourceKind)),
            stated_at=came + (NOW - came) * draw.choice([0.0, draw.random()]),
            created_at=came,
            status=status,
            expired_at=ended,
            expires_at=draw.choice([None, None, None, max(soon, came)]),
            invalid_at=draw.choice([None, None, None, max(soon, came)]),
            vouched_by=draw.choice([None, None, "rita"]),
            access_count=draw.choice([0, 0, 1, 5, 40]),
            origins=draw.choice([1, 1, 2, 5]),
            pinned=draw.random() < 0.1,
            half_life_days=draw.choice([None, None, None, 0.01, 30.0, 4000.0]),
            shape=draw.choice([None, None, 0.5, 1.0, 40.0]),
        )


def activated(relay, memories):
    made = []
    for one in memories:
        # origins are what `support` names
        one = replace(one, support=tuple(f"person:{n}" for n in range(one.origins)))  # noqa: PLW2901
        relay.activate(one)
        made.append(one)
    return made


@pytest.fixture
def filled(postgres_store, relay):
    rows = {
        scope: activated(relay, drawn_memories(scope, count, seed))
        for scope, count, seed in ((ANN, 140, 1), (BEN, 60, 2), (STRANGE, 20, 3))
    }
    return PostgresInsight(postgres_store.database), rows


def ended_at(one):
    ends = [end for end in (one.expires_at, one.invalid_at) if end is not None]
    if one.status is not MemoryStatus.ACTIVE:
        ends.append(one.expired_at or one.stated_at)
    return min(ends, default=None)


def plainly(rows, rules=POLICY.decay):
    """The same numbers, counted one by one."""
    active = [one for one in rows if one.status is MemoryStatus.ACTIVE]
    spells = Counter()
    for one in rows:
        end = ended_at(one)
        over = one.status is not MemoryStatus.ACTIVE or (end is not None and end <= NOW)
        days = max(0, int((min(end or NOW, NOW) - one.created_at).total_seconds() // 86_400))
        spells[one.source_kind, days, over] += 1
    weak = [one for one in active if strength(one, NOW, rules) < THETA]
    return {
        "trust": Counter((one.status, low(one.effective_trust), bool(one.vouched_by)) for one in rows),
        "spells": spells,
        "cells": Counter((low(one.effective_trust), low(strength(one, NOW, rules))) for one in active),
        "ended": Counter(
            (one.expired_at.date(), one.status)
            for one in rows
            if one.status in (MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED) and one.expired_at >= LIMITS["since"]
        ),
        "kept": Counter((one.source_kind, one.status) for one in rows),
        "weak": Counter((one.source_kind, one.status) for one in weak),
    }


def counted(found):
    return {
        "trust": Counter({(one.status, one.low, one.vouched): one.count for one in found.trust}),
        "spells": Counter({(one.source_kind, one.days, one.ended): one.count for one in found.spells}),
        "cells": Counter({(one.trust, one.strength): one.count for one in found.cells}),
        "ended": Counter({(one.day, one.status): one.count for one in found.ended}),
        "kept": Counter({(one.source_kind, one.status): one.count for one in found.kept}),
        "weak": Counter({(one.source_kind, one.status): one.weak for one in found.kept if one.weak}),
    }


# --- the store ----------------------------------------------------------------------------------------------------


def test_an_owners_numbers_are_those_of_a_plain_count(filled):
    insight, rows = filled
    found = insight.numbers([ANN], fading=fading(POLICY.decay), **LIMITS)
    assert counted(found) == plainly(rows[ANN])


def test_a_tenants_numbers_are_the_sum_of_its_owners_and_nobody_elses(filled):
    insight, rows = filled
    found = insight.numbers([ANN, BEN, ANN], fading=fading(POLICY.decay), **LIMITS)
    assert counted(found) == plainly([*rows[ANN], *rows[BEN]])
    strange = insight.numbers([STRANGE], fading=fading(POLICY.decay), **LIMITS)
    assert counted(strange) == plainly(rows[STRANGE])
    for elsewhere in (Scope(tenant="globex", owner="ann"), Scope(tenant="acme", owner="zoe")):
        assert counted(insight.numbers([elsewhere], fading=fading(POLICY.decay), **LIMITS)) == plainly([])
    assert insight.numbers([], fading=fading(POLICY.decay), **LIMITS).kept == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"durable": False},
        {"access_gain": 0.0, "shape": 1.3},
        {"kinds": {"fact": {"half_life_days": 20.0, "shape": 2.0}, "event": {"shape": 0.3}}},
    ],
)
def test_the_strength_that_sql_computes_is_the_rules_whatever_the_policy(filled, changes):
    insight, rows = filled
    rules = replace(POLICY.decay, **changes)
    dots, total = insight.dots(ANN, at=NOW, fading=fading(rules), limit=1000)
    active = {one.memory_id: one for one in rows[ANN] if one.status is MemoryStatus.ACTIVE}
    assert total == len(dots) == len(active)
    for dot in dots:
        assert dot.strength == pytest.approx(strength(active[dot.memory_id], NOW, rules), abs=1e-9)
        assert (dot.trust, dot.source_kind) == (
            active[dot.memory_id].effective_trust,
            active[dot.memory_id].source_kind,
        )


def test_a_sample_is_bounded_the_same_each_time_and_the_scopes_own(filled, relay):
    insight, rows = filled
    relay.activate(make_memory("bot", scope=Scope(tenant="acme", owner="ann", agent="bot")))
    first, total = insight.dots(ANN, at=NOW, fading=fading(POLICY.decay), limit=10)
    again, _ = insight.dots(ANN, at=NOW, fading=fading(POLICY.decay), limit=10)
    assert [one.memory_id for one in first] == [one.memory_id for one in again]
    assert len(first) == 10
    assert total == sum(one.status is MemoryStatus.ACTIVE for one in rows[ANN])
    assert {one.memory_id for one in first} <= {one.memory_id for one in rows[ANN]}


def test_no_word_leaves_the_database(filled):
    insight, _ = filled
    found = insight.numbers([ANN, BEN], fading=fading(POLICY.decay), **LIMITS)
    assert "note" not in repr(found)
    assert "penicillin" not in repr(found)


def test_counting_cannot_write(filled, postgres_store):
    with postgres_store.database.transaction(ANN) as conn:
        conn.execute("SET TRANSACTION READ ONLY")
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            conn.execute("UPDATE memory SET importance = 1")


# --- the ledger ---------------------------------------------------------------------------------------------------


@pytest.fixture
def counts(tmp_path):
    ledger = SqliteLedger.open(tmp_path / "ledger.sqlite3")
    insight = SqliteInsight.open(tmp_path / "ledger.sqlite3")
    yield ledger, insight
    insight.close()
    ledger.close()


def put(
    ledger, name, *, scope=MARA, kind=SourceKind.WEB_CONTENT, state=CandidateState.HELD, days=0, ref="https://a.example"
):
    at = NOON - timedelta(days=days)
    stored = put_episode(ledger, episode(f"e-{name}", scope=scope, kind=kind, ref=ref), inbox=False)
    verdict = Verdict.ADMIT if state is CandidateState.ADMITTED else Verdict.HOLD
    if state is CandidateState.REJECTED:
        verdict = Verdict.REJECT
    reasons = ("conflict",) if "conflict" in name else ("low_trust",)
    given = candidate(name, stored)
    put_item(ledger, given, decision(f"d-{name}", name, verdict=verdict, reasons=reasons, at=at), state=state, at=at)


def rule(ledger, name, verdict, state, *, days=0):
    at = NOON - timedelta(days=days)
    with ledger.transaction() as tx:
        tx.move_candidate(name, seen_version=1, state=state, at=at)
        tx.add_decision(decision(f"p-{name}", name, verdict=verdict, by="rita", reasons=("promoted",), at=at))


@pytest.fixture
def told(counts):
    ledger, insight = counts
    for number in range(3):
        put(ledger, f"held{number}", days=number)
    put(ledger, "conflict1", ref="https://b.example")
    put(ledger, "mine", kind=SourceKind.USER_TURN, state=CandidateState.ADMITTED, days=1)
    put(ledger, "trivial", kind=SourceKind.USER_TURN, state=CandidateState.REJECTED)
    put(ledger, "taken", days=5)
    put(ledger, "refused", days=5)
    rule(ledger, "taken", Verdict.ADMIT, CandidateState.PROMOTED, days=2)
    rule(ledger, "refused", Verdict.REJECT, CandidateState.REJECTED, days=2)
    put(ledger, "conflict-ivo", scope=IVO)
    put(ledger, "strange", scope=STRANGER)
    return ledger, insight


def test_a_days_candidates_and_who_waited(told):
    _, insight = told
    rows = insight.proposed("acme", owner="mara")
    seen = Counter()
    for one in rows:
        seen[(NOON.date() - one.day).days, one.source_kind.value, one.state.value, one.held] += one.count
    assert seen == {
        (0, "web_content", "held", 2): 2,
        (1, "web_content", "held", 1): 1,
        (2, "web_content", "held", 1): 1,
        (1, "user_turn", "admitted", 0): 1,
        (0, "user_turn", "rejected", 0): 1,
        (5, "web_content", "promoted", 1): 1,
        (5, "web_content", "rejected", 1): 1,
    }
    assert [one.day for one in rows] == sorted(one.day for one in rows)
    everybody = insight.proposed("acme", owner=None)
    assert sum(one.count for one in everybody) == sum(one.count for one in rows) + 1
    assert sum(one.count for one in insight.proposed("globex", owner=None)) == 1


def test_promotions_contradictions_and_what_waits(told):
    _, insight = told
    day = (NOON - timedelta(days=2)).date()
    assert insight.promoted("acme", owner="mara", since=NOON - timedelta(days=9)) == {day: 1}
    assert insight.promoted("acme", owner="mara", since=NOON - timedelta(days=1)) == {}
    assert insight.promoted("acme", owner="ivo", since=NOON - timedelta(days=9)) == {}
    assert insight.contradicted("acme", owner="mara") == {SourceKind.WEB_CONTENT: 1}
    assert insight.contradicted("acme", owner=None) == {SourceKind.WEB_CONTENT: 2}
    assert insight.contradicted("globex", owner=None) == {}
    (waiting,) = insight.held_trust("acme", owner="mara", bins=BINS)
    assert (waiting.status, waiting.low, waiting.count) == (None, 0.3, 4)


def test_single_sources_are_the_owners_own_and_no_turns(told):
    _, insight = told
    places = [
        (one.source_ref, one.proposed, one.promoted, one.contradicted)
        for one in insight.places("acme", owner="mara", limit=9)
    ]
    assert places == [("https://a.example", 5, 1, 0), ("https://b.example", 1, 0, 1)]
    assert len(insight.places("acme", owner="mara", limit=1)) == 1


# --- the desk -----------------------------------------------------------------------------------------------------


def say(console, actor, text, *, kind=SourceKind.USER_TURN, ref="", conversation="c1"):
    console.layer.agent.submit(
        Submission(
            scope=actor.scope,
            conversation_id=conversation,
            channel=kind,
            text=text,
            actor=actor.user_id,
            source_ref=ref,
        )
    )
    console.settle()


def test_a_memorys_past_is_what_the_store_says_it_is(console):
    insight, layer, ada = console.layer.insight, console.layer, console.admin
    say(console, ada, "I live in Porto.")
    (memory,) = [one for one in layer.memories.list(ada)[0] if one.kind is not MemoryKind.EVENT]
    for days in (10, 25):
        console.clock.forward(days=days)
        hits = layer.agent.recaller.recall("Where do I live?", ada.scope).hits
        layer.upkeep.touched(ada.scope, hits, cited=[memory.memory_id], actor="console")
        console.settle()
    console.clock.forward(days=5)
    say(console, ada, "I live in Porto.", conversation="c2")
    console.clock.forward(days=5)
    layer.memories.archive(ada, memory.memory_id)
    console.clock.forward(days=5)
    layer.memories.restore(ada, memory.memory_id)
    history = insight.history(ada, memory.memory_id)
    causes = [one.cause for one in history.moments]
    assert causes == [
        EffectKind.ACTIVATE,
        EffectKind.REINFORCE,
        EffectKind.REINFORCE,
        EffectKind.CONFIRM,
        EffectKind.ARCHIVE,
        EffectKind.CONFIRM,
    ]
    assert len(history.recalls) == 2
    now = layer.store.get(ada.scope, memory.memory_id)
    assert history.moments[-1].memory == now == history.memory
    # replayed from the ledger alone it is the same memory, but for the row's version
    alone = replay(insight.ledger.effects(ada.scope, memory.memory_id))[-1].memory
    for name in ("stated_at", "access_count", "origins", "status", "pinned", "expired_at", "importance", "support"):
        assert getattr(alone, name) == getattr(now, name), name


def test_a_member_is_refused_the_tenants_numbers_and_sees_their_own(console):
    insight, ada = console.layer.insight, console.admin
    ben = console.person("ben", Role.MEMBER)
    say(console, ada, "I live in Porto.")
    say(console, ben, "I live in Oslo. I keep bees.")
    with pytest.raises(NotAuthorised, match="reviewer or admin"):
        insight.overview(ben, whose=Whose.TENANT)
    own, everybody = insight.overview(ben), insight.overview(ada, whose=Whose.TENANT)
    hers = insight.overview(ada)
    assert own.total() == sum(console.layer.memories.count(ben).values()) > 0
    assert everybody.total() == own.total() + hers.total()
    assert (everybody.people, own.people) == (2, 1)
    proposed = [sum(day.proposed for day in one.days) for one in (own, hers, everybody)]
    assert proposed[2] == proposed[0] + proposed[1] > 0


def test_a_tenants_numbers_hold_no_id_and_no_source(console):
    insight, ada = console.layer.insight, console.admin
    ben = console.person("ben", Role.MEMBER)
    say(console, ben, "The hall has 200 seats.", kind=SourceKind.WEB_CONTENT, ref="https://bens.example/hall")
    assert [one.source_ref for one in insight.overview(ben).places] == ["https://bens.example/hall"]
    everybody = insight.overview(ada, whose=Whose.TENANT)
    assert everybody.held == 1
    for part in ("bens.example", "hall", ben.user_id, "ben"):
        assert part not in repr(replace(everybody, whose=Whose.OWN))


def test_a_role_that_was_taken_away_and_a_session_that_ended_are_refused(console):
    insight, ada = console.layer.insight, console.admin
    rita = console.person("rita", Role.REVIEWER)
    assert insight.overview(rita, whose=Whose.TENANT).people == 2
    console.layer.accounts.set_role(ada, rita.user_id, Role.MEMBER)
    with pytest.raises(NotAuthorised):
        insight.overview(rita, whose=Whose.TENANT)
    console.layer.accounts.sign_out(rita)
    for ask in (insight.overview, insight.scatter, lambda who: insight.history(who, "m")):
        with pytest.raises(NotAuthorised, match="signed out"):
            ask(rita)


def test_anothers_memory_has_no_curve(console):
    insight, ada = console.layer.insight, console.admin
    ben = console.person("ben", Role.MEMBER)
    say(console, ben, "I keep bees.")
    theirs = console.layer.memories.list(ben)[0][0].memory_id
    assert insight.history(ben, theirs).memory.memory_id == theirs
    with pytest.raises(NotFound):
        insight.history(ada, theirs)
    assert theirs not in {one.memory_id for one in insight.scatter(ada).dots}


def test_a_promotion_counts_on_its_day(console):
    insight, layer, ada = console.layer.insight, console.layer, console.admin
    say(console, ada, "The hall has 200 seats.", kind=SourceKind.WEB_CONTENT, ref="https://hall.example")
    (item,) = [one for one in layer.review.pending(ada)[0] if "seats" in one.candidate.text]
    console.clock.forward(days=3)
    ruling = Ruling(
        candidate_id=item.candidate.candidate_id,
        kind=RulingKind.PROMOTE,
        seen_version=item.candidate.version,
        digest=item.candidate.digest,
    )
    layer.review.resolve(ada, ruling)
    console.settle()
    overview = insight.overview(ada, days=30)
    assert [(one.proposed, one.held, one.promoted) for one in overview.days if one.proposed or one.promoted] == [
        (1, 1, 0),
        (0, 0, 1),
    ]
    assert len(overview.days) == 30
    low_and_vouched = [one for one in overview.trust if one.status is MemoryStatus.ACTIVE and one.low < 0.5]
    assert [(one.low, one.vouched, one.count) for one in low_and_vouched] == [(0.3, True, 1)]
    assert overview.sources[0].counts.promoted == 1


@pytest.mark.parametrize("days", [0, -1, 367])
def test_a_period_out_of_bounds_is_refused(console, days):
    with pytest.raises(BadInput, match="between 1 and 366"):
        console.layer.insight.overview(console.admin, days=days)


def test_the_table_of_the_rules_names_every_kind():
    table = fading(POLICY.decay)
    assert isinstance(table, Fading)
    assert {one.kind for one in table.kinds} == set(MemoryKind)
    assert "allergy" in table.never
    assert fading(replace(POLICY.decay, durable=False)).never == ()
