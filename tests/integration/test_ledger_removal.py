"""After a purge or an erasure no byte of the words is left in the ledger's files."""

from contextlib import closing
from dataclasses import replace

import pytest

from core.errors import LedgerUnavailable
from core.ledger import SqliteLedger
from core.model import CandidateState, Conversation, Run, RunState, Scope, SourceKind
from tests.contract.ledger_values import IVO, MARA, NOON, activate, after, candidate, decision, episode

MARKER = "Quetzalcoatlus"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def ledger(path):
    with closing(SqliteLedger.open(path)) as ledger:
        yield ledger


def files(path):
    """The ledger's file with its log and shared memory, as bytes."""
    return {file.name: file.read_bytes() for file in path.parent.glob(f"{path.name}*")}


def bearing(path, text=MARKER):
    """Names of the files that hold `text`, in either case."""
    words = (text.encode(), text.casefold().encode())
    return [name for name, data in files(path).items() if any(word in data for word in words)]


def live(ledger, scope: Scope, word: str, *, rounds: int = 1):
    """Everything that a person's use of the product writes, with `word` wherever words go."""
    for number in range(rounds):
        name = f"{scope.owner}-{number}"
        source = episode(
            f"e-{name}",
            scope=scope,
            text=f"My {word} number {number} is called {word}. " * (1 + number % 7 * 40),
            conversation_id=f"c-{name}",
            kind=SourceKind.EXTERNAL_DOC,
            ref=f"https://{word}.example/{number}",
            title=f"About {word}",
        )
        run = Run(
            run_id=f"r-{name}",
            conversation_id=f"c-{name}",
            scope=scope,
            question_id=source.episode_id,
            state=RunState.RUNNING,
            text="",
            started_at=NOON,
            updated_at=NOON,
        )
        chat = Conversation(conversation_id=f"c-{name}", scope=scope, title=word, created_at=NOON, updated_at=NOON)
        effect = activate(f"f-{name}", f"k-{name}", scope=scope, text=f"You keep a {word}.")
        with ledger.transaction() as tx:
            stored = tx.add_episode(source, idempotency_key=f"{word}-{number}", inbox=True)
            given = candidate(f"k-{name}", stored, statement=f"You keep a {word}.", subject=word)
            tx.add_candidate(given, state=CandidateState.ADMITTED, at=NOON)
            made = replace(decision(f"d-{name}", f"k-{name}", effects=(effect,)), note=f"she means the {word}")
            quoted = replace(made.evidence.incumbents[0], text=f"You keep no {word}.")
            tx.add_decision(replace(made, evidence=replace(made.evidence, incumbents=(quoted,))))
            tx.enqueue(effect)
            tx.put_conversation(chat)
            tx.keyed_digest(scope.tenant, scope.owner, word)
            tx.append_audit(
                at=NOON, actor="p", action="a:b", tenant="acme", owner=scope.owner, about={"id": source.episode_id}
            )
        for length in range(4):  # an answer that grows: each write leaves an older cell behind
            with ledger.transaction() as tx:
                tx.put_run(replace(run, text=f"Your {word} is well. " * length, detail={"prompt": word}))


def test_an_erased_owners_words_are_in_no_file(ledger, path):
    live(ledger, MARA, MARKER, rounds=30)
    live(ledger, IVO, "Archaeopteryx", rounds=5)
    assert bearing(path)
    with ledger.transaction() as tx:
        gone = tx.erase("acme", "mara")
        tx.append_audit(
            at=after(1), actor="p", action="person:erased", tenant="acme", owner="mara", about={"n": gone.episodes}
        )
    ledger.compact()
    assert sorted(files(path)) == ["ledger.sqlite", "ledger.sqlite-shm", "ledger.sqlite-wal"]
    assert bearing(path) == []
    assert files(path)["ledger.sqlite-wal"] == b""
    assert bearing(path, "Archaeopteryx") == ["ledger.sqlite"]
    assert gone.episodes == 30
    assert ledger.verify().ok
    live(ledger, MARA, "Iguanodon")
    assert ledger.verify().ok


def test_what_an_older_version_left_in_freed_space_goes_too(ledger, path):
    ledger._writer._sqlite.execute("PRAGMA secure_delete = OFF")
    live(ledger, MARA, MARKER, rounds=5)
    with ledger.transaction() as tx:
        tx.erase("acme", "mara")
    ledger._writer._sqlite.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert bearing(path)
    ledger.compact()
    assert bearing(path) == []


def test_the_owners_key_is_in_no_file(ledger, path):
    live(ledger, MARA, MARKER)
    (key,) = ledger._writer._sqlite.execute("SELECT key FROM owner_key").fetchone()
    with ledger.transaction() as tx:
        tx.erase("acme", "mara")
    ledger.compact()
    assert [name for name, data in files(path).items() if key in data] == []


def test_a_purged_facts_words_are_in_no_file(ledger, path):
    with ledger.transaction() as tx:
        source = tx.add_episode(episode(text="I keep one at home, as I said."), idempotency_key=None, inbox=False)
        given = candidate("k1", source, statement=f"You keep a {MARKER}.", subject=MARKER)
        given = replace(given, proposal=replace(given.proposal, value=MARKER))
        effect = activate("f1", "k1", text=f"You keep a {MARKER}.")
        effect = replace(effect, memory=replace(effect.memory, value=MARKER, subject=MARKER, slot_key=f"{MARKER}|pet"))
        tx.add_candidate(given, state=CandidateState.WITHDRAWN, at=NOON)
        tx.add_decision(decision("d1", "k1", effects=(effect,)))
        tx.enqueue(effect)
        rival = candidate("k2", source)
        tx.add_candidate(rival, state=CandidateState.HELD, at=NOON)
        made = decision("d2", "k2")
        quoted = replace(made.evidence.incumbents[0], memory_id="k1", value=MARKER, text=MARKER)
        tx.add_decision(replace(made, evidence=replace(made.evidence, incumbents=(quoted,))))
    assert bearing(path)
    with ledger.transaction() as tx:
        tx.scrub("k1")
    ledger.compact()
    assert bearing(path) == []
    assert ledger.candidate("k1").candidate.text == "[purged]"


def test_a_reader_that_keeps_the_old_state_alive_is_named(path):
    with closing(SqliteLedger.open(path, busy_seconds=0.2)) as ledger:
        live(ledger, MARA, MARKER)
        with ledger._pool.snapshot() as reading:
            assert reading.row("episode", episode_id="e-mara-0")
            with ledger.transaction() as tx:
                tx.erase("acme", "mara")
            with pytest.raises(LedgerUnavailable, match="compact again"):
                ledger.compact()
        ledger.compact()
        assert bearing(path) == []


def test_compacting_does_not_nest_in_a_transaction(ledger):
    with pytest.raises(RuntimeError, match="do not nest"), ledger.transaction():
        ledger.compact()


def test_erasing_thousands_takes_seconds_at_most(ledger):
    """Every row is found by an index: the work grows with the owner, not with its square."""
    with ledger.transaction() as tx:
        source = tx.add_episode(episode(), idempotency_key=None, inbox=False)
        for number in range(3000):
            tx.add_candidate(candidate(f"k{number}", source), state=CandidateState.HELD, at=NOON)
            tx.add_decision(decision(f"d{number}", f"k{number}"))
    steps = 0

    def count():
        nonlocal steps
        steps += 1

    ledger._writer._sqlite.set_progress_handler(count, 10_000)
    with ledger.transaction() as tx:
        assert tx.erase("acme", "mara").decisions == 3000
    ledger._writer._sqlite.set_progress_handler(None, 0)
    assert steps < 300  # 1,000 instructions a fact; a scan for each would be tens of thousands
