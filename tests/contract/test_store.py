"""What every store does, on the real one."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import BadInput, Misconfigured
from core.model import EffectKind, MemoryKind, MemoryStatus, Scope, SourceKind
from core.ports import MemoryFilter
from tests.store_fixtures import ANN, BEN, DIMENSIONS, MAC_KEY, NOW, make_memory, unit_vector

DAY = timedelta(days=1)


def search(store, query="", *, scope=ANN, vector=None, at=NOW, limit=10):
    found = store.search(scope, vector=vector or unit_vector("elsewhere"), query=query, at=at, limit=limit)
    return {hit.memory.memory_id: hit for hit in found}


class TestActivate:
    def test_every_field_comes_back(self, postgres_store, relay):
        memory = make_memory(
            kind=MemoryKind.PREFERENCE,
            source_title="Notes",
            vouched_by="rev",
            vouched_at=NOW,
            valid_at=NOW - DAY,
            invalid_at=NOW + DAY,
            expires_at=NOW + 2 * DAY,
            access_count=3,
            origins=2,
            language="es",
            effective_trust=0.55,
            version=4,
        )
        relay.activate(memory)
        assert postgres_store.get(ANN, "m1") == memory

    def test_unstorable_characters_become_replacement_characters(self, postgres_store, relay):
        relay.activate(make_memory(text="a\x00b\ud800c", source_ref="x\x00"), unit_vector(1))
        found = postgres_store.get(ANN, "m1")
        assert (found.text, found.source_ref) == ("a\ufffdb\ufffdc", "x\ufffd")
        assert postgres_store.get(ANN, "\x00") is None
        assert search(postgres_store, "a\x00b") is not None

    def test_very_long_text_subject_and_slot_are_taken(self, postgres_store, relay):
        long = " ".join(f"word{n}" for n in range(20_000))
        memory = make_memory(text=long, value=long, subject=long, attribute=long)
        relay.activate(memory)
        assert [m.memory_id for m in postgres_store.slot(ANN, memory.slot_key)] == ["m1"]
        assert [m.memory_id for m in postgres_store.about(ANN, subject=long)] == ["m1"]

    def test_without_an_embedding_it_is_found_by_words(self, postgres_store, relay):
        item = relay.item(EffectKind.ACTIVATE, "m1", memory=make_memory())
        assert postgres_store.apply(item, embedding=None)
        hit = search(postgres_store, "penicillin")["m1"]
        assert hit.cosine == 0
        assert hit.lexical > 0

    def test_without_its_memory_nothing_is_written(self, postgres_store, relay):
        with pytest.raises(BadInput):
            postgres_store.apply(relay.item(EffectKind.ACTIVATE, "m1"), embedding=unit_vector(1))
        assert postgres_store.witness() == (0, "")

    def test_a_vector_of_another_length_is_refused(self, postgres_store, relay):
        item = relay.item(EffectKind.ACTIVATE, "m1", memory=make_memory())
        with pytest.raises(Misconfigured, match=r"entrypoints\.reembed"):
            postgres_store.apply(item, embedding=[1.0])
        with pytest.raises(Misconfigured, match=r"entrypoints\.reembed"):
            postgres_store.search(ANN, vector=[1.0], query="", at=NOW, limit=5)

    def test_a_memory_activated_again_replaces_the_former(self, postgres_store, relay):
        relay.activate(make_memory())
        relay.send(EffectKind.TOMBSTONE, "m1")
        relay.activate(make_memory(text="You are allergic to nuts."))
        found = postgres_store.get(ANN, "m1")
        assert (found.text, found.status) == ("You are allergic to nuts.", MemoryStatus.ACTIVE)
        assert search(postgres_store, "penicillin nuts")["m1"].coverage == 1.0


class TestEffects:
    def test_supersede_points_to_the_winner_and_leaves_recall(self, postgres_store, relay):
        relay.activate(make_memory())
        relay.send(EffectKind.SUPERSEDE, "m1", by_memory_id="m2", later=DAY)
        found = postgres_store.get(ANN, "m1")
        assert (found.status, found.superseded_by, found.expired_at, found.version) == (
            MemoryStatus.SUPERSEDED,
            "m2",
            NOW + DAY,
            2,
        )
        assert found.invalid_at is None
        assert search(postgres_store, "penicillin", vector=unit_vector(found.text)) == {}

    def test_retract_closes_in_both_times(self, postgres_store, relay):
        relay.activate(make_memory())
        relay.send(EffectKind.RETRACT, "m1", later=DAY)
        found = postgres_store.get(ANN, "m1")
        assert (found.status, found.expired_at, found.invalid_at) == (MemoryStatus.SUPERSEDED, NOW + DAY, NOW + DAY)

    def test_restore_undoes_a_retraction_wholly(self, postgres_store, relay):
        relay.activate(make_memory())
        relay.send(EffectKind.RETRACT, "m1", later=DAY)
        relay.send(EffectKind.TOMBSTONE, "m1", later=2 * DAY)
        relay.send(EffectKind.RESTORE, "m1", later=3 * DAY)
        found = postgres_store.get(ANN, "m1")
        assert (found.status, found.expired_at, found.invalid_at) == (MemoryStatus.ACTIVE, None, None)
        assert "m1" in search(postgres_store, "penicillin", at=NOW + 3 * DAY)

    def test_confirm_renews_the_age_and_never_turns_it_back(self, postgres_store, relay):
        relay.activate(make_memory())
        relay.send(EffectKind.CONFIRM, "m1", later=DAY)
        relay.send(EffectKind.CONFIRM, "m1", later=-DAY)
        found = postgres_store.get(ANN, "m1")
        assert (found.stated_at, found.origins, found.version) == (NOW + DAY, 1, 3)

    def test_confirm_revives_an_archived_memory_but_no_other(self, postgres_store, relay):
        for number, (kind, after) in enumerate(
            [
                (EffectKind.ARCHIVE, MemoryStatus.ACTIVE),
                (EffectKind.TOMBSTONE, MemoryStatus.DELETED),
                (EffectKind.SUPERSEDE, MemoryStatus.SUPERSEDED),
            ]
        ):
            relay.activate(make_memory(f"m{number}"))
            relay.send(kind, f"m{number}")
            relay.send(EffectKind.CONFIRM, f"m{number}")
            assert postgres_store.get(ANN, f"m{number}").status is after
        assert set(search(postgres_store, "penicillin", limit=20)) == {"m0"}
        assert "m0" in search(postgres_store, vector=unit_vector(make_memory().text))

    def test_reinforce_counts_and_keeps_age_trust_and_version(self, postgres_store, relay):
        memory = make_memory()
        relay.activate(memory)
        relay.send(EffectKind.REINFORCE, "m1", later=DAY)
        relay.send(EffectKind.REINFORCE, "m1", later=DAY)
        assert postgres_store.get(ANN, "m1") == replace(memory, access_count=2)

    @pytest.mark.parametrize("kind", [EffectKind.ARCHIVE, EffectKind.TOMBSTONE])
    def test_archived_and_deleted_leave_recall_and_come_back(self, postgres_store, relay, kind):
        vector = unit_vector("v")
        relay.activate(make_memory(), vector)
        relay.send(kind, "m1")
        assert search(postgres_store, "penicillin", vector=vector) == {}
        relay.send(EffectKind.RESTORE, "m1")
        assert search(postgres_store, "penicillin", vector=vector)["m1"].cosine == pytest.approx(1, abs=1e-3)

    def test_a_deleted_memory_is_not_superseded_out_of_its_tombstone(self, postgres_store, relay):
        relay.activate(make_memory())
        relay.send(EffectKind.TOMBSTONE, "m1")
        relay.send(EffectKind.SUPERSEDE, "m1", by_memory_id="m2")
        assert postgres_store.get(ANN, "m1").status is MemoryStatus.DELETED

    def test_remove_takes_row_and_vector_out(self, postgres_store, relay):
        vector = unit_vector("v")
        relay.activate(make_memory(), vector)
        relay.send(EffectKind.REMOVE, "m1")
        assert postgres_store.get(ANN, "m1") is None
        assert search(postgres_store, "penicillin", vector=vector) == {}
        assert sum(postgres_store.count(ANN).values()) == 0

    def test_an_effect_on_a_missing_memory_is_done_with(self, postgres_store, relay):
        relay.send(EffectKind.ARCHIVE, "nothing")
        relay.send(EffectKind.REMOVE, "nothing")
        assert postgres_store.witness() == (2, "head2")


class TestOnce:
    def test_a_second_relay_changes_nothing(self, postgres_store, relay):
        relay.activate(make_memory())
        item = relay.item(EffectKind.REINFORCE, "m1")
        assert postgres_store.apply(item, embedding=None)
        assert not postgres_store.apply(item, embedding=None)
        assert postgres_store.get(ANN, "m1").access_count == 1

    def test_many_relays_at_once_apply_each_effect_once(self, postgres_store, relay):
        relay.activate(make_memory())
        items = [relay.item(EffectKind.REINFORCE, "m1") for _ in range(20)]
        together = threading.Barrier(4)
        applied: list[bool] = []
        failures: list[Exception] = []

        def run() -> None:
            together.wait()
            try:
                applied.extend(postgres_store.apply(item, embedding=None) for item in items)
            except Exception as error:  # noqa: BLE001 - handed to the test
                failures.append(error)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures
        assert applied.count(True) == 20
        assert postgres_store.get(ANN, "m1").access_count == 20

    def test_the_witness_never_goes_back(self, postgres_store, relay):
        first = relay.item(EffectKind.ARCHIVE, "m1")
        second = relay.item(EffectKind.ARCHIVE, "m1")
        postgres_store.apply(second, embedding=None)
        postgres_store.apply(first, embedding=None)
        assert postgres_store.witness() == (2, "head2")

    def test_a_head_without_an_effect_is_witnessed_forwards_only(self, postgres_store, relay):
        relay.send(EffectKind.ARCHIVE, "m1")
        for seq, head in ((5, "head5"), (3, "head3")):
            postgres_store.witness_head(seq, head)
        assert postgres_store.witness() == (5, "head5")

    def test_a_store_that_no_effect_reached_witnesses_nothing(self, postgres_store):
        postgres_store.witness_head(5, "head5")
        assert postgres_store.witness() == (0, "")


class TestSearch:
    def test_it_equals_brute_force(self, postgres_store, relay):
        vectors = {f"m{n}": unit_vector(n) for n in range(150)}
        for name, vector in vectors.items():
            relay.activate(make_memory(name, f"note {name}"), vector)
        question = unit_vector("question")
        exact = {name: sum(a * b for a, b in zip(vector, question, strict=True)) for name, vector in vectors.items()}
        hits = search(postgres_store, vector=question, limit=10)
        assert set(hits) == set(sorted(exact, key=exact.get, reverse=True)[:10])
        assert all(hit.cosine == pytest.approx(exact[name], abs=2e-3) for name, hit in hits.items())

    def test_the_union_of_both_lists_with_both_signals(self, postgres_store, relay):
        near = unit_vector("near")
        opposite = [-x for x in near]
        relay.activate(make_memory("close", "Something else altogether"), near)
        relay.activate(make_memory("worded", "Zanzibar in June"), opposite)
        hits = search(postgres_store, "When is zanzibar?", vector=near, limit=1)
        assert set(hits) == {"close", "worded"}
        assert (hits["close"].lexical, hits["close"].coverage) == (0, 0)
        assert hits["worded"].lexical > 0
        assert hits["worded"].coverage == 1.0
        assert hits["worded"].cosine == pytest.approx(-1, abs=1e-3)

    def test_words_are_ored_and_more_of_them_rank_higher(self, postgres_store, relay):
        relay.activate(make_memory("one", "Luna likes apples", value=""))
        relay.activate(make_memory("both", "Luna sees the vet on Friday", value=""))
        relay.activate(make_memory("none", "The sky", value=""))
        hits = search(postgres_store, "when does luna see the vet", limit=10)
        assert hits["both"].lexical > hits["one"].lexical > 0
        assert hits["none"].lexical == 0
        assert hits["both"].coverage > hits["one"].coverage

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("你对青霉素过敏。", "我对什么药过敏？"),
            ("あなたは東京に住んでいます。", "東京"),
            ("당신은 서울에 삽니다.", "서울"),
            ("Eres alérgico a la penicilina.", "¿A qué soy alergico?"),
            ("Vives en una casa con jardín.", "jardin"),
            ("Du wohnst in der Straße am See.", "Welche STRASSE?"),
            ("Vous habitez à Orléans.", "orleans"),
            ("You have two allergies.", "allergy"),
        ],
    )
    def test_languages(self, postgres_store, relay, text, query):
        relay.activate(make_memory("m1", text, value="", attribute="statement"))
        relay.activate(make_memory("other", "The sky 天空", value="", attribute="statement"))
        hits = search(postgres_store, query)
        assert hits["m1"].lexical > 0
        assert hits["m1"].coverage > 0
        assert hits["other"].lexical == 0

    @pytest.mark.parametrize(
        "query", ["", "?!", "the of", "a' | b:* & !c <-> (", "\\' \\", "x" * 10_000, "word " * 3000]
    )
    def test_no_query_is_an_error(self, postgres_store, relay, query):
        relay.activate(make_memory())
        assert "m1" in search(postgres_store, query)

    def test_expired_and_closed_rows_are_out_at_the_instant(self, postgres_store, relay):
        vector = unit_vector("v")
        relay.activate(make_memory("ttl", expires_at=NOW + DAY), vector)
        relay.activate(make_memory("closed", invalid_at=NOW + DAY), vector)
        just_before = NOW + DAY - timedelta(microseconds=1)
        assert set(search(postgres_store, "penicillin", vector=vector, at=just_before)) == {"ttl", "closed"}
        assert search(postgres_store, "penicillin", vector=vector, at=NOW + DAY) == {}
        assert search(postgres_store, "", vector=vector, at=NOW + DAY) == {}

    def test_what_is_no_longer_current_is_found_apart_and_nothing_forgotten_or_of_others(self, postgres_store, relay):
        vector = unit_vector("v")
        for name in ("live", "replaced", "archived", "forgotten"):
            relay.activate(make_memory(name), vector)
        relay.activate(make_memory("ttl", expires_at=NOW + DAY), vector)
        relay.activate(make_memory("closed", invalid_at=NOW + DAY), vector)
        relay.activate(make_memory("other", scope=BEN, expires_at=NOW + DAY), vector)
        relay.send(EffectKind.SUPERSEDE, "replaced", by_memory_id="live")
        relay.send(EffectKind.ARCHIVE, "archived")
        relay.send(EffectKind.TOMBSTONE, "forgotten")

        def left(at, query="penicillin"):
            found = postgres_store.left_out(ANN, vector=vector, query=query, at=at, limit=10)
            assert all(one.cosine == pytest.approx(1.0, abs=1e-3) for one in found)
            return {one.memory.memory_id for one in found}

        assert left(NOW) == {"replaced", "archived"}
        assert left(NOW + DAY) == {"replaced", "archived", "ttl", "closed"}
        assert left(NOW + DAY, "") == {"replaced", "archived", "ttl", "closed"}

    def test_statuses_are_told_for_the_scopes_own(self, postgres_store, relay):
        relay.activate(make_memory("a"))
        relay.activate(make_memory("b"))
        relay.activate(make_memory("c", scope=BEN))
        relay.send(EffectKind.TOMBSTONE, "b")
        asked = postgres_store.statuses(ANN, ["a", "b", "c", "nobody's", "x\x00y"])
        assert asked == {"a": MemoryStatus.ACTIVE, "b": MemoryStatus.DELETED}
        assert postgres_store.statuses(ANN, []) == {}

    def test_the_list_is_narrowed_to_what_could_do_harm(self, postgres_store, relay):
        relay.activate(make_memory("plain"))
        relay.activate(make_memory("pay", impact=("payment", "contact")))
        relay.activate(make_memory("key", impact=("credentials",)))

        def ids(impact):
            rows, total = postgres_store.list(ANN, MemoryFilter(impact=impact))
            assert total == len(rows)
            return {one.memory_id for one in rows}

        assert ids(None) == {"plain", "pay", "key"}
        assert ids("any") == {"pay", "key"}
        assert ids("contact") == {"pay"}
        assert ids("money") == set()

    def test_a_fact_that_starts_later_is_known_now(self, postgres_store, relay):
        relay.activate(make_memory(valid_at=NOW + DAY))
        assert "m1" in search(postgres_store, "penicillin")

    def test_only_the_scopes_own(self, postgres_store, relay):
        vector = unit_vector("v")
        other_agent = Scope(tenant="acme", owner="ann", agent="bot")
        other_tenant = Scope(tenant="globex", owner="cy")
        relay.activate(make_memory("a"), vector)
        relay.activate(make_memory("b", scope=BEN), vector)
        relay.activate(make_memory("c", scope=other_agent), vector)
        relay.activate(make_memory("d", scope=other_tenant), vector)
        for scope, own in [(ANN, "a"), (BEN, "b"), (other_agent, "c"), (other_tenant, "d")]:
            assert set(search(postgres_store, "penicillin", scope=scope, vector=vector)) == {own}
        assert search(postgres_store, "penicillin", scope=Scope(tenant="globex", owner="ann"), vector=vector) == {}

    def test_a_zero_vector_gives_no_nan(self, postgres_store, relay):
        relay.activate(make_memory())
        assert search(postgres_store, "penicillin", vector=[0.0] * DIMENSIONS)["m1"].cosine == 0.0

    def test_the_indexed_path_finds_the_same(self, postgres_store, relay, monkeypatch):
        for n in range(60):
            relay.activate(make_memory(f"m{n}", f"note number{n} on penicillin"), unit_vector(n))
        before = search(postgres_store, "number7", vector=unit_vector("q"), limit=5)
        monkeypatch.setattr("core.store.reader.EXACT_UP_TO", 10)
        search(postgres_store)
        assert postgres_store._large == {ANN: True}
        assert search(postgres_store, "number7", vector=unit_vector("q"), limit=5) == before
        # Too few rows through the index: the exact scan answers.
        assert len(search(postgres_store, "", vector=unit_vector("q"), limit=60)) == 60


class TestLookups:
    def test_by_slot(self, postgres_store, relay, store_clock):
        relay.activate(make_memory("old", attribute="home", serial_no=1))
        relay.activate(make_memory("new", attribute="home", serial_no=2))
        relay.activate(make_memory("job", attribute="employer", serial_no=3))
        relay.activate(make_memory("tove", subject="Tove", attribute="home", serial_no=4))
        relay.activate(make_memory("ttl", attribute="home", serial_no=5, expires_at=NOW + DAY))
        store_clock.at = NOW + DAY
        names = [m.memory_id for m in postgres_store.by_slot(ANN, subject="user", attributes=["home", "employer"])]
        assert names == ["job", "new", "old"]
        assert [m.memory_id for m in postgres_store.by_slot(ANN, subject=None, attributes=["home"], limit=1)] == [
            "tove"
        ]
        assert postgres_store.by_slot(BEN, subject=None, attributes=["home"]) == []

    def test_about_compares_the_normalised_subject(self, postgres_store, relay):
        relay.activate(make_memory("low", subject="The Museum App", importance=0.4))
        relay.activate(make_memory("high", subject="museum app", importance=0.9))
        assert [m.memory_id for m in postgres_store.about(ANN, subject="Museum  app.")] == ["high", "low"]

    def test_slot_holds_active_memories_only(self, postgres_store, relay):
        memory = make_memory("m1")
        relay.activate(memory)
        relay.activate(make_memory("m2"))
        relay.send(EffectKind.SUPERSEDE, "m1", by_memory_id="m2")
        assert [m.memory_id for m in postgres_store.slot(ANN, memory.slot_key)] == ["m2"]

    def test_list_filters_and_true_totals(self, postgres_store, relay):
        for n in range(7):
            relay.activate(make_memory(f"m{n}", f"Item {n} costs 100%_\\", stated_at=NOW + n * DAY, value=""))
        relay.activate(make_memory("web", source_kind=SourceKind.WEB_CONTENT, kind=MemoryKind.EVENT))
        relay.send(EffectKind.ARCHIVE, "m0")
        page, total = postgres_store.list(ANN, MemoryFilter(text="100%_\\"), limit=2, offset=1)
        assert ([m.memory_id for m in page], total) == (["m5", "m4"], 6)
        assert postgres_store.list(ANN, MemoryFilter(text="100%x"))[1] == 0
        assert postgres_store.list(ANN, MemoryFilter(text="ITEM 3"))[1] == 1
        assert postgres_store.list(ANN, MemoryFilter(statuses=(MemoryStatus.ARCHIVED,)))[1] == 1
        assert postgres_store.list(ANN, MemoryFilter(kinds=("event",)))[1] == 1
        assert postgres_store.list(ANN, MemoryFilter(source_kinds=(SourceKind.WEB_CONTENT,)))[1] == 1
        assert postgres_store.list(BEN, MemoryFilter())[1] == 0

    def test_recent_leaves_events_out(self, postgres_store, relay):
        relay.activate(make_memory("a", stated_at=NOW))
        relay.activate(make_memory("b", stated_at=NOW + DAY))
        relay.activate(make_memory("c", kind=MemoryKind.EVENT, stated_at=NOW + 2 * DAY))
        assert [m.memory_id for m in postgres_store.recent(ANN)] == ["b", "a"]

    def test_pinned_comes_before_durable_facts(self, postgres_store, relay):
        relay.activate(make_memory("durable", attribute="allergy", importance=1.0))
        relay.activate(make_memory("pin", attribute="statement", kind=MemoryKind.PINNED, importance=0.3))
        relay.activate(make_memory("passing", attribute="likes", importance=1.0))
        assert [m.memory_id for m in postgres_store.pinned(ANN)] == ["pin", "durable"]

    def test_count_names_every_status(self, postgres_store, relay):
        relay.activate(make_memory("a"))
        relay.activate(make_memory("b"))
        relay.send(EffectKind.ARCHIVE, "b")
        assert postgres_store.count(ANN) == {
            MemoryStatus.ACTIVE: 1,
            MemoryStatus.SUPERSEDED: 0,
            MemoryStatus.ARCHIVED: 1,
            MemoryStatus.DELETED: 0,
        }

    def test_spaces_are_the_owners_own_scopes(self, postgres_store, relay):
        for agent in ("planner", "console"):
            relay.activate(make_memory(agent, scope=replace(ANN, agent=agent)))
        relay.activate(make_memory("other", scope=BEN))
        assert postgres_store.spaces(ANN) == ["console", "planner"]
        assert postgres_store.spaces(BEN) == [BEN.agent]


class TestSeal:
    def test_lawful_changes_keep_the_seal(self, postgres_store, relay):
        relay.activate(make_memory("m1", effective_trust=0.55))
        relay.activate(make_memory("m2"))
        for kind in (EffectKind.CONFIRM, EffectKind.REINFORCE, EffectKind.ARCHIVE, EffectKind.RESTORE):
            relay.send(kind, "m1")
        assert postgres_store.tampered(ANN, key=MAC_KEY) == []

    @pytest.mark.parametrize(
        "change",
        ["text = 'forged'", "effective_trust = 1", "source_kind = 'user_turn'", "roots = '[]'", "ledger_seq = 99"],
    )
    def test_a_changed_row_is_found(self, postgres_store, relay, store_conninfo, change):
        relay.activate(make_memory("m1", effective_trust=0.3, source_kind=SourceKind.WEB_CONTENT))
        relay.activate(make_memory("m2"))
        with postgres_store.database.transaction(ANN) as conn:
            conn.execute(f"UPDATE memory SET {change} WHERE memory_id = 'm1'".encode())  # noqa: S608 - a constant
        assert postgres_store.tampered(ANN, key=MAC_KEY) == ["m1"]


class TestNearest:
    def test_it_finds_by_meaning_alone_best_first_and_live_rows_only(self, postgres_store, relay):
        for number in range(4):
            relay.activate(make_memory(f"m{number}"), unit_vector(number))
        relay.send(EffectKind.ARCHIVE, "m2")
        asked = [3.0 if axis == 1 else 1.0 if axis in (0, 2) else 0.0 for axis in range(len(unit_vector(0)))]
        found = postgres_store.nearest(ANN, vector=asked, at=NOW, limit=2)
        assert [one.memory.memory_id for one in found] == ["m1", "m0"]
        assert found[0].cosine > found[1].cosine > 0
        assert all(one.found and not one.parents for one in found)

    def test_a_vector_of_another_length_is_refused(self, postgres_store):
        with pytest.raises(Misconfigured):
            postgres_store.nearest(ANN, vector=[1.0], at=NOW, limit=2)
