"""Which effects a store lost, and which of them may be applied again without undoing what came later."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.lost import PAGE, find_lost
from core.model import Scope
from core.ports import AppliedEffect

OWNERS = [Scope(tenant=tenant, owner=owner) for tenant, owner in (("a", "x"), ("a", "y"), ("b", "x"))]


class Applied:
    """A ledger and a store of which only the applied effects are known."""

    def __init__(self, owners: list[int], lost: set[int]) -> None:
        self.effects = [
            AppliedEffect(number=number, effect_id=f"f{number}", scope=OWNERS[owner])
            for number, owner in enumerate(owners, start=1)
        ]
        self.there = {(one.scope, one.effect_id) for one in self.effects if one.number not in lost}
        self.asked = 0

    def applied(self, *, limit, before=0):
        fit = [one for one in self.effects if not before or one.number < before]
        return fit[::-1][:limit]

    def lacking(self, scope, effect_ids):
        self.asked += 1
        return {one for one in effect_ids if (scope, one) not in self.there}


def test_nothing_is_lost_of_a_store_that_has_everything():
    both = Applied([0, 1, 2, 0], set())
    assert find_lost(both, both).last == find_lost(both, both).covered == ()
    both = Applied([0, 1, 2, 0], set())
    find_lost(both, both, thorough=False)
    assert both.asked == 1  # before a relay: one look-up
    empty = Applied([], set())
    assert find_lost(empty, empty).last == ()


def test_without_a_thorough_look_only_the_last_effect_tells():
    both = Applied([0, 0, 0], {2})
    assert find_lost(both, both, thorough=False).covered == ()
    assert [one.effect_id for one in find_lost(both, both).covered] == ["f2"]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=60), st.integers(0, 60), st.integers(0, 10))
def test_a_lost_run_is_found_whole_and_only_uncovered_owners_are_put_back(owners, kept, later):
    """The store of a moment ago, on which some later effects were applied before anybody looked."""
    end = max(kept, len(owners) - later)
    lost = set(range(kept + 1, end + 1))
    both = Applied(owners, lost)
    found = find_lost(both, both)
    assert {one.number for one in (*found.last, *found.covered)} == lost & set(range(1, len(owners) + 1))
    after = {owners[number - 1] for number in range(end + 1, len(owners) + 1)}
    assert {one.scope for one in found.last}.isdisjoint({OWNERS[one] for one in after})
    assert set(found.covered_owners) <= {OWNERS[one] for one in after}
    numbers = [one.number for one in found.last]
    assert numbers == sorted(numbers)


def test_more_than_a_page_is_found_whole():
    both = Applied([0] * (3 * PAGE), set(range(PAGE // 2, 3 * PAGE + 1)))
    assert len(find_lost(both, both).last) == 3 * PAGE + 1 - PAGE // 2
