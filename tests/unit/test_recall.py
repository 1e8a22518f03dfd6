"""Ranking by the formula and the floor on raw signals (rules §2.5, §6.1)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import MemoryKind, MemoryStatus, Scope, ScoredMemory, SourceKind
from core.recall import Recaller, rank
from core.relevance import aptness, relevances
from tests.factories import NOW, POLICY, SCOPE, FixedClock, memory


def scored(name: str, cosine: float, lexical: float = 0.0, **rest) -> ScoredMemory:
    coverage = rest.pop("coverage", 0.0)
    return ScoredMemory(memory=memory(memory_id=name, **rest), cosine=cosine, lexical=lexical, coverage=coverage)


class OneShelf:
    """A reader that returns what it was given, whatever the scope: the worst store there could be."""

    def __init__(self, found, *, forged=()):
        self.found = found
        self.forged = forged

    def search(self, scope, *, vector, query, at, limit, include_archived=False):
        return self.found

    def as_of(self, scope, *, vector, query, then, limit):
        return self.found

    def slot(self, scope, slot_key):
        return [one.memory for one in self.found]

    def genuine(self, one):
        return one.memory.memory_id not in self.forged


class NoModel:
    def embed(self, texts):
        return [[1.0] for _ in texts]


def recaller(found) -> Recaller:
    return Recaller(store=OneShelf(found), embedder=NoModel(), policy=POLICY, clock=FixedClock())


def test_score_is_importance_times_relevance_times_freshness():
    [best, *_] = rank([scored("a", 0.8, 2.0, importance=0.6), scored("b", 0.2, 0.0)], POLICY, NOW)
    assert best.memory.memory_id == "a"
    assert best.score == pytest.approx(0.6 * 1.0 * 1.0)
    assert (best.relevance, best.freshness) == (1.0, 1.0)


def test_relevance_is_the_min_max_sum_of_both_signals():
    found = [scored("a", 0.9, 0.0), scored("b", 0.5, 4.0), scored("c", 0.1, 1.0)]
    assert relevances(found) == pytest.approx([0.5, 0.75, 0.125])


def test_a_single_hit_below_the_floor_is_not_recalled():
    got = recaller([scored("a", 0.1)]).recall("anything", SCOPE)
    assert got.hits == ()
    assert got.below[0][1] == "below the floor"


def test_words_alone_can_carry_a_hit():
    assert recaller([scored("a", 0.1, 1.0, coverage=0.5)]).recall("penicillin", SCOPE).hits


def test_another_scope_is_dropped_in_code_too():
    foreign = Scope(tenant="t1", owner="eve")
    got = recaller([scored("a", 0.9, scope=foreign), scored("b", 0.9)]).recall("x", SCOPE)
    assert [hit.memory.memory_id for hit in got.hits] == ["b"]


def test_expired_is_out_at_the_instant():
    gone = scored("a", 0.9, expires_at=NOW)
    live = scored("b", 0.9, expires_at=NOW + timedelta(seconds=1))
    assert [hit.memory.memory_id for hit in recaller([gone, live]).recall("x", SCOPE).hits] == ["b"]


def test_lost_trust_comes_last_and_is_marked():
    weak = scored(
        "weak",
        0.95,
        9.0,
        effective_trust=0.5,
        access_count=9,
        source_kind=SourceKind.THIRD_PARTY,
        attribute="home",
        stated_at=NOW - timedelta(days=3000),
    )
    [first, second] = rank([weak, scored("ok", 0.2)], POLICY, NOW)
    assert (first.memory.memory_id, second.memory.memory_id) == ("ok", "weak")
    assert second.needs_confirmation


def test_the_weighted_ranker_is_the_sum():
    weighted = replace(POLICY, recall=replace(POLICY.recall, ranker="weighted"))
    [hit] = rank([scored("a", 0.8)], weighted, NOW)
    assert hit.score == pytest.approx(0.60 * 0.8 + 0.25 * 1.0 + 0.15 * 1.0)


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 50)), max_size=30))
def test_relevance_stays_in_range(signals):
    found = [scored(str(index), cosine, lexical) for index, (cosine, lexical) in enumerate(signals)]
    assert all(0.0 <= value <= 1.0 for value in relevances(found))


def test_a_forged_row_is_never_served_and_the_next_best_takes_its_place():
    found = [scored("forged", 0.9, 3.0), scored("real", 0.6, 1.0)]
    shelf = OneShelf(found, forged={"forged"})
    made = Recaller(store=shelf, embedder=NoModel(), policy=POLICY, clock=FixedClock())
    assert [hit.memory.memory_id for hit in made.recall("x", SCOPE, k=1).hits] == ["real"]


def test_a_link_lends_relevance_and_only_a_strong_hit_lends_any():
    strong = scored("strong", 0.9, 3.0)
    other = scored("other", 0.1, 0.0)
    linked = replace(scored("linked", 0.2, 0.0), found=False, parents=(("strong", 0.3),))
    weak = replace(scored("weak", 0.2, 0.0), found=False, parents=(("other", 0.9),))
    stranger = replace(scored("stranger", 0.05, 0.0), found=False, parents=(("strong", 0.3),))
    hits = recaller([strong, other, linked, weak, stranger]).recall("x", SCOPE, k=5).hits
    assert [hit.memory.memory_id for hit in hits] == ["strong", "linked"]
    assert hits[1].relevance == pytest.approx(0.3)
    assert hits[1].linked_from == "strong"


def test_archived_memories_answer_only_where_nothing_active_does():
    faded = scored("faded", 0.8, 2.0, status=MemoryStatus.ARCHIVED)
    faint = scored("faint", 0.4, 0.0, status=MemoryStatus.ARCHIVED)

    class Shelf(OneShelf):
        def search(self, scope, *, vector, query, at, limit, include_archived=False):
            return self.found if include_archived else []

    made = Recaller(store=Shelf([faded, faint]), embedder=NoModel(), policy=POLICY, clock=FixedClock())
    assert [hit.memory.memory_id for hit in made.recall("x", SCOPE).hits] == ["faded"]
    assert len(made.recall("x", SCOPE, include_archived=True).hits) == 2


def test_a_number_of_the_question_with_another_of_its_words_is_an_exact_reference():
    named = scored("named", 0.1, 1.0, coverage=0.3, text="Ticket 88 went on the list.")
    other = scored("other", 0.1, 1.0, coverage=0.3, text="Ticket 89 went on the list.")
    hits = recaller([named, other]).recall("ticket 88 closed, build sent out", SCOPE).hits
    assert [hit.memory.memory_id for hit in hits] == ["named"]


def test_scripts_that_share_no_letter_are_compared_by_words_alone():
    noise, meant = scored("noise", 0.5, text="You like tea."), scored("meant", 0.5, text="你喜欢绿茶。")
    assert [hit.memory.memory_id for hit in recaller([noise, meant]).recall("绿茶", SCOPE).hits] == ["meant"]


# --- what can answer at all -------------------------------------------------------------------------------------------


def about(subject, text, **rest):
    return memory(text, subject=subject, attribute=rest.pop("attribute", "home"), **rest)


@pytest.mark.parametrize(
    ("query", "one", "factor"),
    [
        ("Where does my sister Ada live?", about("user", "Your sister is Ada."), "presupposed"),
        ("Where does my sister Ada live?", about("Ada", "Ada lives in Tartu."), ""),
        ("Is Ada my sister?", about("user", "Your sister is Ada."), ""),  # it is what was asked
        ("Where do I live?", about("Ada", "Ada lives in Tartu."), "others"),
        ("Wo wohne ich?", about("Ada", "Ada lives in Tartu."), "others"),
        ("Where do I live?", about("user", "You live in Porto."), ""),
        ("What did I say about Ada?", about("Ada", "Ada lives in Tartu."), ""),
        ("Where does my sister live?", about("Ada", "Ada lives in Tartu."), ""),  # "my" is no question about oneself
        ("Who lives in Tartu?", about("Ada", "Ada lives in Tartu."), ""),
    ],
)
def test_what_is_near_to_a_question_need_not_answer_it(query, one, factor):
    expected = getattr(POLICY.recall, factor) if factor else 1.0
    assert aptness(query, one, POLICY.recall) == expected


def test_an_event_is_not_about_somebody():
    said = about("Ada", "Ada wrote: the hall is closed.", kind=MemoryKind.EVENT)
    assert aptness("Where do I live?", said, POLICY.recall) == 1.0
