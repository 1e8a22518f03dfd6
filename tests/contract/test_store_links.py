"""Links, pins, origins and the two rare searches: what every store does, on the real one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import BadInput
from core.model import EffectKind, LinkKind, MemoryKind, MemoryStatus, Scope
from tests.store_fixtures import ANN, BEN, NOW, make_memory, unit_vector

DAY = timedelta(days=1)
BOT = Scope(tenant="acme", owner="ann", agent="bot")


def search(store, query="", *, scope=ANN, vector=None, at=NOW, limit=10, **more):
    found = store.search(scope, vector=vector or unit_vector("elsewhere"), query=query, at=at, limit=limit, **more)
    return {hit.memory.memory_id: hit for hit in found}


def as_of(store, then, query="allergic", *, scope=ANN, limit=10):
    found = store.as_of(scope, vector=unit_vector("elsewhere"), query=query, then=then, limit=limit)
    return {hit.memory.memory_id for hit in found}


def link(relay, a, b, weight=0.3, kind=LinkKind.RELATED, **more):
    return relay.send(EffectKind.LINK, a, by_memory_id=b, link_kind=kind, weight=weight, **more)


def edges(store, scope=ANN):
    with store.database.transaction(scope) as conn:
        rows = conn.execute("SELECT from_id, to_id, kind, weight FROM memory_link ORDER BY 1, 2, 3").fetchall()
    return [(row["from_id"], row["to_id"], row["kind"], row["weight"]) for row in rows]


class TestFields:
    def test_every_new_field_comes_back(self, postgres_store, relay):
        memory = make_memory(
            support=("page:a", "speaker:ben"),
            origins=2,
            pinned=True,
            half_life_days=12.5,
            shape=1.0,
            impact=("money", "contact"),
        )
        relay.activate(memory)
        assert postgres_store.get(ANN, "m1") == memory

    def test_origins_are_counted_from_the_support_that_is_given(self, postgres_store, relay):
        relay.activate(make_memory("named", support=("a", "b", "a"), origins=7))
        relay.activate(make_memory("unnamed", origins=2))
        named, unnamed = postgres_store.get(ANN, "named"), postgres_store.get(ANN, "unnamed")
        assert (named.support, named.origins) == (("a", "b"), 2)
        assert (unnamed.support, unnamed.origins) == ((), 2)

    def test_an_origin_that_confirms_counts_once(self, postgres_store, relay):
        relay.activate(make_memory(support=("own",)))
        seen = []
        for origin in ("page:x", "own", "page:x", "", "a\x00b"):
            relay.send(EffectKind.CONFIRM, "m1", origin=origin)
            found = postgres_store.get(ANN, "m1")
            seen.append((found.support, found.origins))
        assert seen == [
            (("own", "page:x"), 2),
            (("own", "page:x"), 2),
            (("own", "page:x"), 2),
            (("own", "page:x"), 2),
            (("own", "page:x", "a\ufffdb"), 3),
        ]

    def test_confirming_without_an_origin_leaves_the_number_of_origins(self, postgres_store, relay):
        relay.activate(make_memory(origins=2))
        relay.send(EffectKind.CONFIRM, "m1")
        assert postgres_store.get(ANN, "m1").origins == 2


class TestPins:
    def test_a_pinned_memory_leads_the_profile_until_it_is_unpinned(self, postgres_store, relay):
        relay.activate(make_memory("durable", attribute="allergy", importance=1.0))
        relay.activate(make_memory("passing", attribute="likes", importance=0.2))
        relay.send(EffectKind.PIN, "passing")
        relay.send(EffectKind.PIN, "passing")
        assert [m.memory_id for m in postgres_store.pinned(ANN)] == ["passing", "durable"]
        pinned = postgres_store.get(ANN, "passing")
        assert (pinned.pinned, pinned.version) == (True, 2)
        relay.send(EffectKind.UNPIN, "passing")
        assert [m.memory_id for m in postgres_store.pinned(ANN)] == ["durable"]
        assert not postgres_store.get(ANN, "passing").pinned

    def test_a_pinned_event_counts_and_an_archived_one_does_not(self, postgres_store, relay):
        relay.activate(make_memory("event", kind=MemoryKind.EVENT, attribute="event"))
        relay.send(EffectKind.PIN, "event")
        assert [m.memory_id for m in postgres_store.pinned(ANN)] == ["event"]
        relay.send(EffectKind.ARCHIVE, "event")
        assert postgres_store.pinned(ANN) == []
        relay.send(EffectKind.RESTORE, "event")
        assert [m.memory_id for m in postgres_store.pinned(ANN)] == ["event"]


class TestLinks:
    def test_made_again_the_greater_weight_stays(self, postgres_store, relay):
        relay.activate(make_memory("a"))
        relay.activate(make_memory("b"))
        for weight in (0.3, 0.7, 0.5):
            link(relay, "a", "b", weight)
        link(relay, "a", "b", 0.1, LinkKind.ADJACENT)
        link(relay, "b", "a", 0.2)
        assert edges(postgres_store) == [
            ("a", "b", "adjacent", 0.1),
            ("a", "b", "related", 0.7),
            ("b", "a", "related", 0.2),
        ]
        assert postgres_store.get(ANN, "a").version == 1

    def test_an_end_that_is_gone_foreign_or_the_same_makes_none(self, postgres_store, relay):
        relay.activate(make_memory("a"))
        relay.activate(make_memory("b", scope=BEN))
        relay.activate(make_memory("c", scope=BOT))
        for end in ("gone", "b", "c", "a"):
            link(relay, "a", end)
        link(relay, "gone", "a")
        link(relay, "c", "a")
        link(relay, "a", "b", scope=BEN)
        assert edges(postgres_store) == edges(postgres_store, BEN) == []
        assert postgres_store.witness()[0] == 10

    @pytest.mark.parametrize(
        "parts",
        [
            {"link_kind": LinkKind.RELATED, "weight": 0.3},
            {"by_memory_id": "b", "weight": 0.3},
            {"by_memory_id": "b", "link_kind": LinkKind.RELATED, "weight": 1.5},
            {"by_memory_id": "b", "link_kind": LinkKind.RELATED, "weight": float("nan")},
        ],
    )
    def test_a_malformed_link_is_refused_whole(self, postgres_store, relay, parts):
        with pytest.raises(BadInput, match="other end"):
            postgres_store.apply(relay.item(EffectKind.LINK, "a", **parts), embedding=None)
        assert postgres_store.witness() == (0, "")

    def test_removing_an_end_takes_the_links_along(self, postgres_store, relay):
        for name in "abc":
            relay.activate(make_memory(name))
        link(relay, "a", "b")
        link(relay, "c", "a")
        link(relay, "b", "c")
        relay.send(EffectKind.REMOVE, "a")
        assert edges(postgres_store) == [("b", "c", "related", 0.3)]


class TestHop:
    near = unit_vector("near")
    far = [-x for x in near]  # noqa: RUF012 - read only

    def fill(self, relay, *names, **changes):
        relay.activate(make_memory("top", "Something close", value=""), self.near)
        for name in names:
            relay.activate(make_memory(name, f"Note {name}", value="", **changes), self.far)

    def hop(self, store, **more):
        return search(store, vector=self.near, limit=1, **more)

    def test_both_directions_bring_neighbours_with_parent_and_weight(self, postgres_store, relay):
        self.fill(relay, "out", "in", "none")
        link(relay, "top", "out", 0.4)
        link(relay, "in", "top", 0.2)
        hits = self.hop(postgres_store)
        assert {name: (hit.found, hit.parents) for name, hit in hits.items()} == {
            "top": (True, ()),
            "out": (False, (("top", 0.4),)),
            "in": (False, (("top", 0.2),)),
        }
        assert hits["out"].cosine == pytest.approx(-1, abs=1e-3)

    def test_one_hop_and_no_further(self, postgres_store, relay):
        self.fill(relay, "one", "two")
        link(relay, "top", "one")
        link(relay, "one", "two")
        assert set(self.hop(postgres_store)) == {"top", "one"}

    def test_rows_found_anyway_carry_their_parents_once_at_the_greatest_weight(self, postgres_store, relay):
        self.fill(relay, "other")
        link(relay, "top", "other", 0.3)
        link(relay, "other", "top", 0.6, LinkKind.CORROBORATES)
        hits = search(postgres_store, "other", vector=self.near, limit=1)
        assert (hits["other"].found, hits["other"].parents) == (True, (("top", 0.6),))

    @pytest.mark.parametrize(
        "kind", [EffectKind.ARCHIVE, EffectKind.TOMBSTONE, EffectKind.SUPERSEDE, EffectKind.RETRACT]
    )
    def test_only_live_neighbours(self, postgres_store, relay, kind):
        self.fill(relay, "gone", "there")
        link(relay, "top", "gone", 0.9)
        link(relay, "top", "there", 0.1)
        relay.send(kind, "gone")
        assert set(self.hop(postgres_store)) == {"top", "there"}

    def test_an_expired_neighbour_stays_out(self, postgres_store, relay):
        self.fill(relay, "ttl", expires_at=NOW + DAY)
        link(relay, "top", "ttl")
        assert set(self.hop(postgres_store)) == {"top", "ttl"}
        assert set(self.hop(postgres_store, at=NOW + DAY)) == {"top"}

    def test_never_out_of_the_scope_even_over_an_edge_made_by_hand(self, postgres_store, relay):
        self.fill(relay)
        relay.activate(make_memory("bots", scope=BOT), self.far)
        relay.activate(make_memory("bens", scope=BEN), self.far)
        with postgres_store.database.transaction(ANN) as conn:
            conn.execute(
                "INSERT INTO memory_link (owner, from_id, to_id, kind, tenant, weight, made_at) "
                "VALUES ('ann', 'top', 'bots', 'related', 'acme', 1, now()), "
                "('ann', 'top', 'top', 'related', 'acme', 1, now())"
            )
        hits = self.hop(postgres_store)
        assert set(hits) == {"top"}
        assert hits["top"].parents == ()

    def test_the_heaviest_neighbours_up_to_the_cap(self, postgres_store, relay, monkeypatch):
        monkeypatch.setattr("core.store.reader.NEIGHBOURS", 2)
        self.fill(relay, "a", "b", "c")
        for name, weight in (("a", 0.1), ("b", 0.9), ("c", 0.5)):
            link(relay, "top", name, weight)
        assert set(self.hop(postgres_store)) == {"top", "b", "c"}

    def test_links_start_at_the_nearest_only(self, postgres_store, relay, monkeypatch):
        monkeypatch.setattr("core.store.reader.SEEDS", 1)
        self.fill(relay, "second", "behind")
        link(relay, "second", "behind", 0.9)
        hits = search(postgres_store, "second", vector=self.near, limit=1)
        assert set(hits) == {"top", "second"}

    def test_the_indexed_path_hops_too(self, postgres_store, relay, monkeypatch):
        for n in range(30):
            relay.activate(make_memory(f"m{n}", f"note {n}", value=""), unit_vector(n))
        self.fill(relay, "far")
        link(relay, "top", "far")
        monkeypatch.setattr("core.store.reader.EXACT_UP_TO", 10)
        before = self.hop(postgres_store)
        assert postgres_store._large == {ANN: True}
        assert self.hop(postgres_store) == before
        assert not before["far"].found


class TestArchivedToo:
    def test_archived_memories_are_found_when_asked_for_and_no_others(self, postgres_store, relay):
        vector = unit_vector("v")
        for name in ("live", "faded", "replaced", "forgotten"):
            relay.activate(make_memory(name), vector)
        relay.send(EffectKind.ARCHIVE, "faded")
        relay.send(EffectKind.SUPERSEDE, "replaced", by_memory_id="live")
        relay.send(EffectKind.TOMBSTONE, "forgotten")
        for query, limit in (("penicillin", 10), ("", 10)):
            assert set(search(postgres_store, query, vector=vector, limit=limit)) == {"live"}
            found = search(postgres_store, query, vector=vector, limit=limit, include_archived=True)
            assert set(found) == {"live", "faded"}
            assert found["faded"].memory.status is MemoryStatus.ARCHIVED
            assert found["faded"].cosine == pytest.approx(1, abs=1e-3)

    def test_signals_equal_those_of_the_plain_search(self, postgres_store, relay):
        for n in range(20):
            relay.activate(make_memory(f"m{n}", f"note number{n} on penicillin"), unit_vector(n))
        plain = search(postgres_store, "number7 penicillin", vector=unit_vector("q"), limit=5)
        assert search(
            postgres_store, "number7 penicillin", vector=unit_vector("q"), limit=5, include_archived=True
        ) == (plain)

    def test_expired_archived_ones_and_other_scopes_stay_out(self, postgres_store, relay):
        relay.activate(make_memory("ttl", expires_at=NOW + DAY))
        relay.send(EffectKind.ARCHIVE, "ttl")
        asked = {"query": "penicillin", "include_archived": True}
        assert set(search(postgres_store, **asked)) == {"ttl"}
        assert search(postgres_store, at=NOW + DAY, **asked) == {}
        for scope in (BEN, BOT, Scope(tenant="globex", owner="ann")):
            assert search(postgres_store, scope=scope, **asked) == {}


class TestAsOf:
    def test_what_was_replaced_was_current_before_and_its_winner_after(self, postgres_store, relay):
        relay.activate(make_memory("old"))
        relay.activate(make_memory("new", created_at=NOW + 2 * DAY))
        relay.send(EffectKind.SUPERSEDE, "old", by_memory_id="new", later=2 * DAY)
        assert as_of(postgres_store, NOW - DAY) == set()
        assert as_of(postgres_store, NOW) == {"old"}
        assert as_of(postgres_store, NOW + 2 * DAY - timedelta(microseconds=1)) == {"old"}
        assert as_of(postgres_store, NOW + 2 * DAY) == {"new"}
        assert as_of(postgres_store, NOW + 2 * DAY, query="") == {"new"}

    def test_retracted_and_archived_ones_were_current_until_then(self, postgres_store, relay):
        for name, kind in (("closed", EffectKind.RETRACT), ("faded", EffectKind.ARCHIVE)):
            relay.activate(make_memory(name))
            relay.send(kind, name, later=DAY)
        assert as_of(postgres_store, NOW) == {"closed", "faded"}
        assert as_of(postgres_store, NOW + DAY) == set()

    def test_the_window_of_valid_time_contains_the_day(self, postgres_store, relay):
        relay.activate(make_memory("ahead", valid_at=NOW + DAY))
        relay.activate(make_memory("ended", invalid_at=NOW + DAY))
        relay.activate(make_memory("ttl", expires_at=NOW + DAY))
        assert as_of(postgres_store, NOW) == {"ended", "ttl"}
        assert as_of(postgres_store, NOW + DAY) == {"ahead"}

    def test_what_was_forgotten_is_not_told_by_asking_for_an_earlier_day(self, postgres_store, relay):
        relay.activate(make_memory())
        relay.send(EffectKind.TOMBSTONE, "m1", later=DAY)
        assert as_of(postgres_store, NOW) == set()

    def test_no_other_scope_is_seen(self, postgres_store, relay):
        relay.activate(make_memory())
        for scope in (BEN, BOT, Scope(tenant="globex", owner="ann")):
            assert as_of(postgres_store, NOW, scope=scope) == set()

    def test_limit_bounds_each_list(self, postgres_store, relay):
        for n in range(9):
            relay.activate(make_memory(f"m{n}"), unit_vector(n))
        assert len(as_of(postgres_store, NOW, query="", limit=3)) == 3


class TestMoreLookups:
    def test_slot_in_the_statuses_asked_for(self, postgres_store, relay):
        key = make_memory().slot_key
        for name in ("live", "faded", "replaced"):
            relay.activate(make_memory(name))
        relay.send(EffectKind.ARCHIVE, "faded")
        relay.send(EffectKind.SUPERSEDE, "replaced", by_memory_id="live")
        both = postgres_store.slot(ANN, key, statuses=(MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED))
        assert {m.memory_id for m in both} == {"live", "faded"}
        assert [m.memory_id for m in postgres_store.slot(ANN, key)] == ["live"]
        assert postgres_store.slot(ANN, key, statuses=()) == []

    def test_of_conversation_gives_its_active_memories_newest_first(self, postgres_store, relay):
        for n in range(4):
            relay.activate(make_memory(f"m{n}", serial_no=n))
        relay.activate(make_memory("other", conversation_id="c2", serial_no=9))
        relay.send(EffectKind.ARCHIVE, "m2")
        assert [m.memory_id for m in postgres_store.of_conversation(ANN, "c1")] == ["m3", "m1", "m0"]
        assert [m.memory_id for m in postgres_store.of_conversation(ANN, "c1", limit=1)] == ["m3"]
        assert postgres_store.of_conversation(BEN, "c1") == []

    def test_restore_brings_an_archived_memory_back_as_it_was(self, postgres_store, relay):
        memory = make_memory(support=("a",), impact=("money",))
        relay.activate(memory)
        relay.send(EffectKind.ARCHIVE, "m1", later=DAY)
        relay.send(EffectKind.RESTORE, "m1", later=2 * DAY)
        assert postgres_store.get(ANN, "m1") == replace(memory, version=3)
