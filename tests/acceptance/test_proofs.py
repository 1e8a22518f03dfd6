"""Proofs on the real stores: damage to a copy is found where it was done; another owner's rows stay out of reach."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from core.errors import BadInput, NotAuthorised, NotFound
from core.model import Role
from core.ports import Tampering
from tests.acceptance.life import Life, bytes_of_ledger
from tests.conftest import Console


@pytest.fixture
def life(console: Console) -> Life:
    life = Life(console)
    for text in ("I live in Leiden.", "I keep bees behind the workshop.", "My aunt Berit lives in Narvik."):
        life.say(text)
    return life


class TestTampering:
    def test_a_flipped_byte_and_a_missing_entry_are_found_where_they_are(self, life: Life) -> None:
        for how, told in ((Tampering.BYTE, "was changed after it was written"), (Tampering.REMOVE, "is missing")):
            found = life.layer.proofs.tamper(life.console.admin, how)
            assert not found.alone.ok
            assert found.alone.broken_seq == found.changed_seq
            assert told in found.alone.problem

    def test_a_cut_tail_shows_only_against_a_head_kept_elsewhere(self, life: Life) -> None:
        found = life.layer.proofs.tamper(life.console.admin, Tampering.CUT)
        assert found.alone.ok, "what is left is a sound chain"
        assert not found.with_copy.ok
        assert "tail was cut off" in found.with_copy.problem
        assert found.with_copy.broken_seq == found.changed_seq
        assert not found.with_store.ok, "the store witnessed the end at the last relay"

    def test_a_chain_rewritten_with_its_own_key_shows_only_against_a_head_kept_elsewhere(self, life: Life) -> None:
        found = life.layer.proofs.tamper(life.console.admin, Tampering.REWRITE)
        assert found.alone.ok
        assert "rewritten" in found.with_copy.problem
        assert "rewritten" in found.with_store.problem

    @pytest.mark.parametrize("how", list(Tampering))
    def test_the_ledger_itself_is_only_read(self, life: Life, tmp_path: Path, how: Tampering) -> None:
        before = hashlib.sha256(bytes_of_ledger(tmp_path / "data")).hexdigest()
        head = life.layer.ledger.head()
        found = life.layer.proofs.tamper(life.console.admin, how)
        assert hashlib.sha256(bytes_of_ledger(tmp_path / "data")).hexdigest() == before
        assert found.digest_before == found.digest_after
        assert life.layer.ledger.head() == head
        assert life.verified()

    def test_a_member_is_refused(self, life: Life) -> None:
        life.layer.proofs.tamper(life.console.person("rita", Role.REVIEWER), Tampering.BYTE)
        with pytest.raises(NotAuthorised):
            life.layer.proofs.tamper(life.console.person("mem", Role.MEMBER), Tampering.BYTE)


class TestIsolation:
    def test_another_owners_ids_give_no_row_and_their_own_give_all(self, life: Life) -> None:
        ben = life.of(life.console.person("ben", Role.MEMBER))
        ben.say("I play the cello on Sundays.")
        found = life.layer.proofs.isolation(life.console.admin, ben.who.user_id)
        assert found.asked == found.as_owner == len(ben.rows()) > 0
        assert (found.as_self, found.as_nobody) == (0, 0)
        assert found.forced
        assert found.acting_as == "chronomemory_reader"
        reader, app = found.roles
        assert (reader.name, reader.superuser, reader.bypasses, reader.reads, reader.writes) == (
            "chronomemory_reader",
            False,
            False,
            True,
            False,
        )
        assert (app.name, app.superuser, app.bypasses) == ("chronomemory_app", False, False)
        [entry] = life.audit("isolation:proven")
        assert entry.about["as_self"] == 0
        assert "cello" not in str(entry.about)

    def test_the_control_would_show_a_role_that_sees_everything(self, life: Life, database_url: str) -> None:
        """The same count without the role gives rows: it is the policy that keeps them back, not the question."""
        import psycopg  # noqa: PLC0415

        ben = life.of(life.console.person("ben", Role.MEMBER))
        ben.say("I play the cello on Sundays.")
        ids = [one.memory_id for one in ben.rows()]
        with psycopg.connect(database_url) as conn:
            conn.execute("SET search_path TO chronomemory, public")
            [total] = conn.execute("SELECT count(*) FROM memory WHERE memory_id = ANY(%s)", (ids,)).fetchone()
        assert total == len(ids)

    def test_who_may_ask_about_whom(self, life: Life) -> None:
        rita = life.console.person("rita", Role.REVIEWER)
        with pytest.raises(NotAuthorised):
            life.layer.proofs.isolation(rita, life.console.admin.user_id)
        with pytest.raises(BadInput):
            life.layer.proofs.isolation(life.console.admin, life.console.admin.user_id)
        with pytest.raises(NotFound):
            life.layer.proofs.isolation(life.console.admin, "nobody")


def test_an_agent_key_opens_submit_and_recall_in_its_own_scope(life: Life) -> None:
    from core.intake import Submission  # noqa: PLC0415
    from core.model import SourceKind  # noqa: PLC0415

    ben = life.console.person("ben", Role.MEMBER)
    _, token = life.layer.keys.create(ben, "planner")
    found = life.layer.keys.resolve(token)
    assert found is not None
    life.layer.agent.submit(
        Submission(
            scope=found.scope,
            conversation_id="k1",
            channel=SourceKind.USER_TURN,
            text="I sing in the harbour choir.",
            actor=f"key:{found.key_id}",
            source_ref="k1",
        )
    )
    life.console.settle()
    hits = life.layer.agent.recall("where do I sing?", found.scope).hits
    assert any("choir" in hit.memory.text for hit in hits)
    assert not life.layer.agent.recall("where do I sing?", life.who.scope).hits
    assert token not in str(life.audit("key:"))
    life.layer.lifecycle.erase(life.console.admin, ben.user_id)
    assert life.layer.keys.resolve(token) is None
    assert life.verified()
