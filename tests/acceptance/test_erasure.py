"""Erasing a person: every copy of their words goes, the audit still verifies, a certificate says so (rules §2.9)."""

from __future__ import annotations

import json
import threading

import pytest

from core.errors import BadInput, NotAuthorised, NotFound, StoreUnavailable
from core.model import Role, RunState
from tests.acceptance.life import DOC, WEB, Life, anywhere, words_of_store
from tests.conftest import PASSWORD

MARK = "Axolotlgate"


@pytest.fixture
def life(console):
    return Life(console)


@pytest.fixture
def places(tmp_path, database_url):
    return tmp_path / "data", database_url


@pytest.fixture
def mia(life):
    return life.of(life.console.person("mia", Role.MEMBER))


def lived(mia: Life) -> None:
    """The mark wherever a person's words go."""
    who, layer = mia.who, mia.layer
    mia.console.ask(f"I live in {MARK}. Am I right?", actor=who, conversation="home talk")
    mia.console.ask("where do I live?", actor=who, conversation="second talk")
    layer.chat.attach_page(
        who, "second talk", address=f"https://{MARK.lower()}.example/a", text=f"{MARK} has a new tram."
    )
    mia.say(f"{MARK} opens a school.", channel=DOC, where="files", title=f"About {MARK}", source_ref=f"{MARK}.pdf")
    mia.say(f"I like {MARK} cheese.")
    mia.say(f"I no longer like {MARK} cheese.")
    mia.say(f"My locker is in {MARK} hall.")
    layer.memories.forget(who, mia.facts(text="locker")[0].memory_id, f"no {MARK} any more")
    mia.console.settle()


class TestWhatGoes:
    def test_every_copy_of_a_persons_words(self, life, mia, places):
        life.say("I live in Utrecht.")
        lived(mia)
        assert anywhere(MARK, *places) == ["ledger", "store"]
        certificate = life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
        assert anywhere(MARK, *places) == []
        assert MARK not in json.dumps(life.layer.memories.export(life.who))
        assert mia.who.user_id not in words_of_store(places[1])
        assert life.fact("Utrecht")
        assert life.verified()
        assert certificate.memories > 3
        assert certificate.ledger.episodes >= 6
        assert certificate.ledger.candidates > 3
        assert certificate.ledger.conversations == 2

    def test_the_certificate_names_the_entry_that_proves_it(self, life, mia):
        lived(mia)
        certificate = life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
        [entry] = life.audit("person:erased")
        assert (entry.seq, entry.hash) == (certificate.audit_seq, certificate.audit_hash)
        assert entry.about["certificate_id"] == certificate.certificate_id
        assert (entry.actor, entry.owner) == (life.who.user_id, mia.who.user_id)
        plain = json.loads(certificate.to_json())
        assert plain["ledger"]["episodes"] == certificate.ledger.episodes == entry.about["episodes"]
        assert plain["person"] == mia.who.user_id
        assert MARK not in certificate.to_json()

    def test_the_account_and_its_sessions_end(self, life, mia):
        lived(mia)
        other = life.console.sign_in("mia")
        life.layer.lifecycle.erase(mia.who, mia.who.user_id)
        for actor in (mia.who, other):
            with pytest.raises(NotAuthorised):
                life.layer.memories.list(actor)
            with pytest.raises(NotAuthorised):
                life.layer.chat.ask(actor, "new talk", "hello")
        with pytest.raises(NotAuthorised):
            life.layer.accounts.sign_in("mia", PASSWORD, "127.0.0.1", "tests")
        assert [one.username for one in life.layer.accounts.people(life.console.admin)] == ["ada"]
        with pytest.raises(NotFound):
            life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)

    def test_the_name_is_free_again_and_its_new_bearer_starts_empty(self, life, mia):
        lived(mia)
        life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
        again = life.of(life.console.person("mia", Role.MEMBER))
        assert again.rows() == []
        assert again.who.user_id != mia.who.user_id
        assert again.recall("where do I live?") == []
        assert life.layer.chat.conversations(again.who) == []

    def test_a_rebuild_brings_nothing_back(self, life, mia, places):
        lived(mia)
        life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
        life.layer.lifecycle.rebuild(life.console.admin)
        assert anywhere(MARK, *places) == []

    def test_what_was_learning_and_what_waited_is_dropped(self, life, mia, places):
        mia.submit(f"I live in {MARK}.")
        life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
        life.console.settle()
        assert anywhere(MARK, *places) == []

    def test_an_import_under_way_takes_nothing_in_any_more(self, life, mia, places, tmp_path):
        file = tmp_path / "notes.jsonl"
        file.write_text("".join(f'{{"text": "{MARK} has {number} benches."}}\n' for number in range(3)))
        source = life.layer.imports.open(file)

        class Slow:
            """The same file; while its last entry is read, an admin erases its owner."""

            format, name, namespace = source.format, source.name, source.namespace

            def entries(self):
                *first, last = source.entries()
                yield from first
                life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
                yield last

        with pytest.raises(NotAuthorised, match="was erased"):
            life.layer.imports.run(mia.who, Slow())
        file.unlink()
        life.console.settle()
        assert anywhere(MARK, *places) == []

    def test_an_answer_under_way_is_ended_first(self, make_console, places):
        console = make_console()
        life = Life(console)
        mia = life.of(console.person("mia", Role.MEMBER))
        mia.say(f"I live in {MARK}.")
        going, words = threading.Event(), iter(range(10_000))

        def slowly(_seconds):
            next(words)
            going.set()
            threading.Event().wait(0.05)

        from dataclasses import replace  # noqa: PLC0415

        chat = replace(life.layer.chat, answerer=replace(life.layer.chat.answerer, pause=slowly))
        lifecycle = replace(life.layer.lifecycle, answers=chat)
        run = chat.ask(mia.who, "talk", f"I like {MARK} cheese, {MARK} bread and {MARK} soup. where do I live?")
        assert run.state is RunState.RUNNING
        assert going.wait(20)
        lifecycle.erase(console.admin, mia.who.user_id)
        chat.close()
        console.settle()
        assert anywhere(MARK, *places) == []
        assert life.layer.ledger.run(run.run_id) is None


class TestWhoMay:
    def test_a_member_erases_themself_only(self, life, mia):
        olu = life.console.person("olu", Role.MEMBER)
        rita = life.console.person("rita", Role.REVIEWER)
        for actor in (mia.who, rita):
            with pytest.raises(NotAuthorised, match="themself or an admin"):
                life.layer.lifecycle.erase(actor, olu.user_id)
        assert life.audit("person:erasure") == []
        assert life.layer.lifecycle.erase(mia.who, mia.who.user_id).by == mia.who.user_id

    def test_the_last_admin_stays(self, life):
        with pytest.raises(BadInput, match="last enabled admin"):
            life.layer.lifecycle.erase(life.who, life.who.user_id)
        assert life.audit("person:erasure") == []
        second = life.console.person("second", Role.ADMIN)
        life.layer.lifecycle.erase(life.who, life.who.user_id)
        with pytest.raises(NotAuthorised):
            life.layer.lifecycle.erase(life.who, second.user_id)

    def test_nobody_erases_a_person_who_is_not_there(self, life):
        with pytest.raises(NotFound):
            life.layer.lifecycle.erase(life.who, "somebody")


class TestCutOff:
    @pytest.mark.parametrize(
        "step", ["StoredLedgerTx.erase", "PostgresKeeper.erase", "StoredLedger.compact", "at the certificate"]
    )
    def test_the_next_start_finishes_it(self, life, mia, places, monkeypatch, step):
        lived(mia)
        count = len(life.layer.ledger.audit("default", owner=mia.who.user_id, limit=1)[0])
        assert count == 1

        def cut(*_args, **_rest):
            message = "the process was killed here"
            raise StoreUnavailable(message)

        where = {
            "StoredLedgerTx.erase": "core.ledger.transaction.StoredLedgerTx.erase",
            "PostgresKeeper.erase": "core.store.keeper.PostgresKeeper.erase",
            "StoredLedger.compact": "core.ledger.ledger.StoredLedger.compact",
            "at the certificate": "core.erasure._sum",
        }[step]
        with monkeypatch.context() as patch:
            patch.setattr(where, cut)
            with pytest.raises(StoreUnavailable):
                life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
            life.layer.on_start()  # still cut off: the start goes on without it
            assert life.audit("person:erased") == []
        with pytest.raises(NotAuthorised):
            life.layer.memories.list(mia.who)  # whatever was reached, they are signed out
        life.layer.on_start()
        [entry] = life.audit("person:erased")
        assert entry.about["episodes"] >= 6  # what the first try took is in the certificate of the last
        assert anywhere(MARK, *places) == []
        assert [one.username for one in life.layer.accounts.people(life.console.admin)] == ["ada"]
        assert life.verified()
        assert life.layer.lifecycle.resume() == []
        life.layer.on_start()
        assert len(life.audit("person:erased")) == 1

    def test_asked_twice_it_is_done_once(self, life, mia, monkeypatch):
        lived(mia)

        def cut(*_args, **_rest):
            message = "away"
            raise StoreUnavailable(message)

        with monkeypatch.context() as patch:
            patch.setattr("core.store.keeper.PostgresKeeper.erase", cut)
            for _ in range(2):
                with pytest.raises(StoreUnavailable):
                    life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
        assert len(life.layer.lifecycle.resume()) == 1
        assert life.layer.lifecycle.resume() == []

    def test_no_relay_brings_back_what_it_had_read_before(self, life, mia, places, monkeypatch):
        """A relay that holds a batch of the person's effects ends before the erasure begins."""
        from core.store import PostgresStore  # noqa: PLC0415

        real, held, erased = PostgresStore.apply, threading.Event(), threading.Event()

        def slow(self, item, *, embedding):
            if item.effect.scope.owner == mia.who.user_id and not held.is_set():
                held.set()
                erased.wait(1.0)  # the erasure waits for this relay: it cannot be done before
            return real(self, item, embedding=embedding)

        mia.submit(f"I live in {MARK}.")
        monkeypatch.setattr(PostgresStore, "apply", slow)
        worker = threading.Thread(target=life.console.layer.drain)
        worker.start()
        assert held.wait(20)
        life.layer.lifecycle.erase(life.console.admin, mia.who.user_id)
        erased.set()
        worker.join(20)
        assert anywhere(MARK, *places) == []


def test_a_held_item_of_an_erased_person_is_no_reviewers_business(life, mia):
    page = mia.say(f"{MARK} has a new tram.", channel=WEB, where="page", source_ref="https://tram.example")
    [item] = mia.items(page)
    assert life.layer.review.summary(life.console.admin).held == 1
    life.layer.lifecycle.erase(mia.who, mia.who.user_id)
    assert life.layer.review.summary(life.console.admin).held == 0
    with pytest.raises(NotFound):
        life.layer.review.item(life.console.admin, item.candidate.candidate_id)
