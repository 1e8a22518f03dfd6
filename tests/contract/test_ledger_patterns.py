"""Patterns in the real ledger: kept by compare-and-swap, their work found by marks, gone with their owner (rules §5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import BadInput, StaleReview
from core.ledger import SqliteLedger, StoredLedger
from core.ledger.patterns import scrub_pattern
from core.ledger_pg import PostgresLedger
from core.model import Scope, SourceKind
from core.patterns.nouns import purged_key
from core.ports import Pattern, PatternState, PatternWork
from tests.factories import NOW, SCOPE, episode

OTHER = Scope(tenant="t1", owner="ben")


@pytest.fixture(params=["sqlite", "postgres"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoredLedger]:
    opened: StoredLedger
    if request.param == "postgres":
        opened = PostgresLedger.open(request.getfixturevalue("ledger_url"), hmac_key=b"k" * 32)
    else:
        opened = SqliteLedger.open(tmp_path / "ledger.sqlite3", hmac_key=b"k" * 32)
    yield opened
    opened.close()


def pattern(number: int = 1, **rest: object) -> Pattern:
    given: dict[str, object] = {
        "pattern_id": f"p{number}",
        "scope": SCOPE,
        "detector": "late_night",
        "key": f"key {number}",
        "sentence": "You are often active late at night.",
        "state": PatternState.HYPOTHESIS,
        "supports": ("e1", "e2"),
        "against": ("e3",),
        "sessions": 2,
        "updated_at": NOW,
    }
    return Pattern(**(given | rest))  # type: ignore[arg-type]


def put(ledger: StoredLedger, one: Pattern) -> None:
    with ledger.transaction() as tx:
        tx.put_pattern(one)


def say(
    ledger: StoredLedger,
    number: int,
    *,
    inbox: bool = False,
    scope: Scope = SCOPE,
    kind: SourceKind = SourceKind.USER_TURN,
) -> None:
    with ledger.transaction() as tx:
        made = replace(episode(f"text {number}", kind, number=number, scope=scope), serial_no=0)
        tx.add_episode(made, idempotency_key=f"k{number}", inbox=inbox)


def test_a_pattern_is_read_as_it_was_put_and_changed_by_compare_and_swap(ledger: StoredLedger) -> None:
    put(ledger, pattern())
    assert ledger.pattern("p1") == pattern(version=1)
    changed = pattern(
        version=1, state=PatternState.PROPOSED, candidate_id="k1", seen=("e1",), supports=("e1", "e2", "e4")
    )
    put(ledger, changed)
    assert ledger.patterns(SCOPE) == [replace(changed, version=2)]
    with pytest.raises(StaleReview):
        put(ledger, changed)
    assert ledger.pattern("p1") == replace(changed, version=2)


def test_one_key_has_one_pattern_an_owner_and_others_have_theirs(ledger: StoredLedger) -> None:
    put(ledger, pattern())
    with pytest.raises(StaleReview):
        put(ledger, pattern(pattern_id="p9"))
    put(ledger, pattern(pattern_id="p9", scope=OTHER))
    assert [one.pattern_id for one in ledger.patterns(OTHER)] == ["p9"]
    assert ledger.pattern("p8") is None


def test_a_state_that_does_not_exist_is_refused(ledger: StoredLedger) -> None:
    wrong = pattern()
    object.__setattr__(wrong, "state", SourceKind.USER_TURN)
    with pytest.raises(BadInput):
        put(ledger, wrong)


def test_work_is_what_came_since_the_mark_up_to_the_first_unread_text(ledger: StoredLedger) -> None:
    assert ledger.pattern_work("d", limit=5) == []
    for number in (1, 2):
        say(ledger, number)
    assert ledger.pattern_work("d", limit=5) == [PatternWork(scope=SCOPE, through=2)]
    with ledger.transaction() as tx:
        tx.mark_patterns(SCOPE, through=2, policy_digest="d")
    assert ledger.pattern_work("d", limit=5) == []
    assert ledger.pattern_work("other", limit=5) == [PatternWork(scope=SCOPE, through=2)]
    say(ledger, 3, inbox=True)
    say(ledger, 4)
    assert ledger.pattern_work("d", limit=5) == [], "what comes after an unread text waits with it"
    claimed = ledger.claim(worker="w", now=NOW, lease_seconds=30)
    assert claimed is not None
    with ledger.transaction() as tx:
        tx.finish_episode(claimed.episode_id, worker="w")
    say(ledger, 5, scope=OTHER)
    assert ledger.pattern_work("d", limit=1) == [PatternWork(scope=SCOPE, through=4)]
    assert [one.scope.owner for one in ledger.pattern_work("d", limit=5)] == ["ada", "ben"]


def test_episodes_leave_out_assistants_notes_and_others(ledger: StoredLedger) -> None:
    say(ledger, 1)
    say(ledger, 2, kind=SourceKind.AGENT_TURN)
    say(ledger, 3, scope=OTHER)
    say(ledger, 4, kind=SourceKind.TOOL_OUTPUT)
    with ledger.transaction() as tx:
        note = replace(episode("note", SourceKind.TOOL_OUTPUT, number=5), serial_no=0)
        tx.add_episode(note, idempotency_key="pattern:p1:x", inbox=False)
    say(ledger, 6)
    assert [one.episode_id for one in ledger.pattern_episodes(SCOPE, through=9, limit=9)] == ["e1", "e4", "e6"]
    assert [one.episode_id for one in ledger.pattern_episodes(SCOPE, through=5, limit=1)] == ["e4"]


def test_erasing_an_owner_takes_their_patterns_and_nobody_elses(ledger: StoredLedger) -> None:
    put(ledger, pattern())
    put(ledger, pattern(2, scope=OTHER))
    say(ledger, 1)
    with ledger.transaction() as tx:
        tx.mark_patterns(SCOPE, through=1, policy_digest="d")
        tx.erase("t1", "ada")
    assert ledger.patterns(SCOPE) == []
    assert [one.pattern_id for one in ledger.patterns(OTHER)] == ["p2"]
    assert ledger.pattern_work("d", limit=5) == []


def test_a_purged_pattern_keeps_no_word_and_is_known_again(ledger: StoredLedger) -> None:
    put(ledger, pattern(candidate_id="k1", state=PatternState.PROPOSED, key="noor haddad", sentence="You meet Noor."))
    with ledger.transaction() as tx:
        scrub_pattern(tx._db, "k1")
        scrub_pattern(tx._db, "k1")
        scrub_pattern(tx._db, "unknown")
    found = ledger.pattern("p1")
    assert found is not None
    assert (found.key, found.state) == (purged_key("noor haddad"), PatternState.DISMISSED)
    assert purged_key(found.key) == found.key
    assert "noor" not in f"{found.key}{found.sentence}".lower()
    assert found.seen == found.supports
