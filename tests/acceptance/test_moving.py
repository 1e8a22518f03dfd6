"""An owner's whole memory leaves one installation and comes to another; trust never rises on the way."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from core.errors import BadInput, NotAuthorised
from core.intake import Submission
from core.model import CandidateState, MemoryKind, MemoryStatus, Role, Ruling, RulingKind, Scope, SourceKind
from core.policy import Policy

QUESTIONS = ("Where do I live?", "What am I allergic to?", "my dentist", "tea or coffee", "Which trains do I take?")


def opener(data: bytes):
    return lambda: io.BytesIO(data)


@pytest.fixture
def make_house(make_console, postgres_server, migrated, tmp_path):
    """Installations beside each other: own folder, own secret, own database."""
    names: list[str] = []

    def make(**given):
        name = f"house{time.time_ns()}"
        admin = postgres_server.start()
        with psycopg.connect(admin, autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE {migrated}")
            conn.execute(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
        names.append(name)
        return make_console(chronomemory_data=tmp_path / name, database_url=make_conninfo(admin, dbname=name), **given)

    yield make
    # the layers close after this fixture: FORCE ends what is left
    with psycopg.connect(postgres_server.start(), autocommit=True) as conn:
        for name in names:
            conn.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def told(house):
    """A life with every sort of record: own words, a page, a replaced value, a forgotten one, a promotion, a rejection."""
    house.ask("I live in Porto. I'm allergic to penicillin. My dentist is Dr. Amaral.")
    house.clock.forward(days=3)
    house.ask("I moved: I live in Braga now. I prefer tea to coffee.")
    page = Submission(
        scope=house.admin.scope,
        conversation_id="reading",
        channel=SourceKind.WEB_CONTENT,
        text="The night train to Lisbon leaves at 23:10. The ticket office closes at 18:00.",
        actor="reader",
        source_ref="https://trains.example/times",
        title="Times",
    )
    house.layer.agent.submit(page)
    house.settle()
    memories, _ = house.layer.memories.list(house.admin)
    tea = next(one for one in memories if "tea" in one.text and one.kind.value != "event")
    house.layer.memories.forget(house.admin, tea.memory_id, "changed my mind")
    house.settle()


def fact(house, word):
    rows, _ = house.layer.memories.list(house.admin)
    return next(one for one in rows if word in one.value and one.kind is not MemoryKind.EVENT)


def exported(house, who=None) -> bytes:
    out = io.BytesIO()
    house.layer.moving.export(who or house.admin, out)
    return out.getvalue()


def lines(data: bytes, *but: str):
    return [one for one in data.splitlines() if json.loads(one)["type"] not in {"header", "trailer", *but}]


def recalled(house, k=5):
    found = {}
    for question in QUESTIONS:
        hits = house.layer.agent.recaller.recall(question, house.admin.scope, k=k).hits
        found[question] = [
            (one.memory.memory_id, one.memory.text, round(one.score, 12), one.composite_trust) for one in hits
        ]
    return found


def believe(target, source):
    target.layer.moving.trust(target.admin, source.layer.moving.own_fingerprint)


def test_a_memory_moves_house_and_is_the_same_there(make_house):
    old, new = make_house(), make_house()
    told(old)
    data = exported(old)
    believe(new, old)
    new.clock.at = old.clock.at
    taken = new.layer.moving.take_in(new.admin, opener(data))
    assert taken.texts > 0
    assert taken.held == ()
    new.settle()
    assert recalled(new) == recalled(old)
    assert any(recalled(old).values())
    again = exported(new)
    assert lines(again, "audit") == lines(data, "audit")
    assert json.loads(again.splitlines()[-1])["content"] == json.loads(data.splitlines()[-1])["content"]
    gone, _ = new.layer.memories.list(new.admin, statuses=(MemoryStatus.DELETED,))
    assert any("tea" in one.text for one in gone)
    assert new.layer.audit_desk.verify(new.admin).ok
    assert new.layer.lifecycle.reconcile(new.admin, new.admin.scope).clean


def test_what_people_or_policies_elsewhere_let_in_is_ruled_on_here(make_house, tmp_path):
    """A foreign promotion is held; a channel that this policy trusts less is held or counts with less."""
    old = make_house()
    told(old)
    tool = Submission(
        scope=old.admin.scope,
        conversation_id="tools",
        channel=SourceKind.TOOL_OUTPUT,
        tool="inventory",
        text="The cellar holds 40 bottles of oil.",
        actor="agent",
        source_ref="inventory",
    )
    old.layer.agent.submit(tool)
    old.settle()
    held, _ = old.layer.review.pending(old.admin)
    train = next(one for one in held if "23:10" in one.candidate.text)
    ruling = Ruling(
        candidate_id=train.candidate.candidate_id,
        kind=RulingKind.PROMOTE,
        seen_version=train.candidate.version,
        digest=train.candidate.digest,
        note="seen at the station",
    )
    assert old.layer.review.resolve(old.admin, ruling).ok
    old.settle()
    data = exported(old)

    strict = tmp_path / "strict.toml"
    text = Path("core/policies/default.toml").read_text(encoding="utf-8")
    strict.write_text(text.replace("records = 0.6 ", "records = 0.45 ").replace("user_turn = 1.0", "user_turn = 0.95"))
    assert Policy.from_toml(strict.read_text(encoding="utf-8")).tools.records == 0.45
    new = make_house(chronomemory_policy=strict)
    believe(new, old)
    taken = new.layer.moving.take_in(new.admin, opener(data))
    new.settle()
    item = new.layer.ledger.candidate(train.candidate.candidate_id)
    assert item.state is CandidateState.HELD
    assert item.decision.by == "policy"
    assert new.admin.user_id in {one.by for one in new.layer.ledger.decisions(train.candidate.candidate_id)}
    rows, _ = new.layer.memories.list(new.admin, statuses=tuple(MemoryStatus))
    before, _ = old.layer.memories.list(old.admin, statuses=tuple(MemoryStatus))
    worth = {one.memory_id: one.effective_trust for one in before}
    assert all(one.effective_trust <= min(worth[one.memory_id], 0.95) for one in rows)
    assert all(one.vouched_by is None for one in rows)
    assert not [one for one in rows if "40 bottles" in one.text or "23:10" in one.text]
    assert train.candidate.candidate_id in taken.held
    assert taken.lowered > 0
    # whoever may promote here takes the vouch over, on the bytes that are shown here
    again = Ruling(
        candidate_id=item.candidate.candidate_id,
        kind=RulingKind.PROMOTE,
        seen_version=item.candidate.version,
        digest=item.candidate.digest,
        note="I know it too",
    )
    assert new.layer.review.resolve(new.admin, again).ok
    new.settle()
    [kept] = [one for one in new.layer.memories.list(new.admin)[0] if one.memory_id == item.candidate.candidate_id]
    assert kept.vouched_by == "ada"


def test_a_file_that_nobody_here_vouches_for_is_held(make_house):
    old, new = make_house(), make_house()
    told(old)
    data = exported(old)
    taken = new.layer.moving.take_in(new.admin, opener(data))
    new.settle()
    assert not taken.checked.trusted
    assert taken.claims > 0
    assert new.layer.memories.list(new.admin)[0] == []
    held, total = new.layer.review.pending(new.admin)
    assert total > 0
    assert {one.candidate.provenance.source_kind for one in held} == {SourceKind.EXTERNAL_DOC}
    entries, _ = new.layer.ledger.audit("default", action="import:")
    seen = new.layer.ledger.head()
    new.layer.moving.take_in(new.admin, opener(data))
    new.settle()
    assert new.layer.review.pending(new.admin)[1] == total
    assert new.layer.ledger.audit("default", action="import:")[0] == entries
    assert new.layer.ledger.head() == seen

    # only an admin says whom to believe
    ben = new.person("ben", Role.MEMBER)
    with pytest.raises(NotAuthorised):
        new.layer.moving.trust(ben, old.layer.moving.own_fingerprint)
    with pytest.raises(BadInput, match="no fingerprint"):
        new.layer.moving.trust(new.admin, "twelve")
    believe(new, old)
    assert new.layer.moving.trusted(new.admin) == [old.layer.moving.own_fingerprint]
    new.layer.moving.distrust(new.admin, old.layer.moving.own_fingerprint)
    assert new.layer.moving.trusted(new.admin) == []
    assert not new.layer.moving.check(new.admin, opener(data)).trusted

    # altered, cut off, signed by somebody else: refused by line before anything is written
    head = new.layer.ledger.head()
    rows = data.splitlines(keepends=True)
    third = rows[2].replace(b"Porto", b"Praia") if b"Porto" in rows[2] else rows[2].replace(b'"agent"', b'"Agent"')
    bad = {
        "line 3": b"".join([*rows[:2], third, *rows[3:]]),
        "line 4": b"".join([*rows[:3], *rows[4:]]),
        f"line {len(rows)}": b"".join(rows[:-1]),
        "middle of this line": data[:-20],
        "something follows": data + b"{}\n",
        "line 1": b"not a file\n",
        "does not fit": data.replace(
            json.loads(rows[0])["installation"].encode(), new.layer.moving.signer.public.encode()
        ),
    }
    for named, spoiled in bad.items():
        with pytest.raises(BadInput, match=named):
            new.layer.moving.take_in(new.admin, opener(spoiled))
    assert new.layer.ledger.head() == head


def test_moving_in_with_somebody_who_knows_things_already(make_house):
    """What is here is met as by any new statement; twice changes nothing; forgotten and erased stay so."""
    old, new = make_house(), make_house()
    told(old)
    new.clock.at = old.clock.at
    new.clock.forward(days=2)
    new.ask("I live in Lisbon. I drink coffee every morning. I'm allergic to penicillin.")
    allergy = fact(new, "penicillin")
    dentist = "My dentist is Dr. Amaral."
    new.ask(dentist)
    mine = fact(new, "Amaral")
    new.layer.memories.forget(new.admin, mine.memory_id, "not mine any more")
    new.settle()
    data = exported(old)
    believe(new, old)
    new.layer.moving.take_in(new.admin, opener(data))
    new.settle()
    rows, _ = new.layer.memories.list(new.admin)
    homes = [one for one in rows if one.attribute == "home"]
    assert [one.value for one in homes] == ["Lisbon"]  # stated later than what came
    facts = [one for one in rows if one.kind is not MemoryKind.EVENT]
    assert [one.memory_id for one in facts if "penicillin" in one.value] == [
        allergy.memory_id
    ]  # confirmed, not doubled
    assert not [one for one in rows if "Porto" in one.text]  # what was replaced there is not back
    assert not [one for one in facts if "Amaral" in one.value]
    assert new.layer.lifecycle.reconcile(new.admin, new.admin.scope).clean
    head = new.layer.ledger.head()
    taken = new.layer.moving.take_in(new.admin, opener(data))
    assert taken.already
    assert new.layer.ledger.head() == head

    # a later export brings only what is new; what stands here is left as it is
    before = {one.memory_id: one.status for one in new.layer.memories.list(new.admin, statuses=tuple(MemoryStatus))[0]}
    old.ask("My sister's name is Rita.")
    new.layer.moving.take_in(new.admin, opener(exported(old)))
    new.settle()
    after = {one.memory_id: one.status for one in new.layer.memories.list(new.admin, statuses=tuple(MemoryStatus))[0]}
    assert before.items() <= after.items()
    assert len(after) > len(before)

    # another person of this installation cannot take the same records; who was erased does not come back
    ben = new.person("ben", Role.MEMBER)
    with pytest.raises(BadInput, match="another person"):
        new.layer.moving.take_in(ben, opener(data))
    new.layer.accounts.set_role(new.admin, ben.user_id, Role.ADMIN)
    new.layer.lifecycle.erase(new.sign_in("ben"), new.admin.user_id)
    with pytest.raises(BadInput, match="erased"):
        new.layer.moving.take_in(new.sign_in("ben"), opener(data))
    assert new.layer.ledger.candidate(mine.memory_id) is None
    assert new.layer.store.count(Scope(tenant="default", owner=new.admin.user_id))[MemoryStatus.ACTIVE] == 0


def test_a_kill_between_texts_and_rulings_leaves_only_texts(make_house, monkeypatch):
    old, new = make_house(), make_house()
    told(old)
    data = exported(old)
    believe(new, old)
    new.clock.at = old.clock.at

    def killed(*_given, **_named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("core.ledger.transaction.StoredLedgerTx.put_candidate", killed)
        with pytest.raises(KeyboardInterrupt):
            new.layer.moving.take_in(new.admin, opener(data))
    new.settle()
    assert new.layer.memories.list(new.admin)[1] == 0
    assert new.layer.review.pending(new.admin)[1] == 0
    new.layer.moving.take_in(new.admin, opener(data))
    new.settle()
    assert lines(exported(new), "audit") == lines(data, "audit")
    assert new.layer.audit_desk.verify(new.admin).ok
