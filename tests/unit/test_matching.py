"""Fields of an object as wanted; namespaces as meant."""

from __future__ import annotations

import pytest

from core.errors import BadInput
from core.matching import accepts
from core.namespaces import Condition, chosen


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({}, True),
        ({"a": 1}, True),
        ({"a": 1.0}, True),
        ({"a": 2}, False),
        ({"z": None}, True),
        ({"a": {"$gt": 0, "$lt": 2}}, True),
        ({"a": {"$gte": 2}}, False),
        ({"a": {"$lt": "2"}}, False),
        ({"b": {"$lte": "x"}}, True),
        ({"z": {"$gt": 0}}, False),
        ({"z": {"$ne": 0}}, True),
        ({"c": {"d": [1, 2]}}, True),
        ({"c": {"d": {"$eq": [1, 2]}}}, True),
        ({"c": {"d": [1]}}, False),
        ({"a": {"d": 1}}, False),
    ],
)
def test_fields_fit(wanted: dict[str, object], fits: object) -> None:
    assert accepts({"a": 1, "b": "x", "c": {"d": [1, 2], "e": 0}}, wanted) is fits


def test_an_unknown_operator_is_an_error() -> None:
    with pytest.raises(BadInput, match=r"\$in"):
        accepts({"a": 1}, {"a": {"$in": [1]}})


def test_namespaces_are_met_by_whole_labels() -> None:
    spaces = [("a", "b", "c"), ("a", "x", "c"), ("ab",), ("a",)]
    begins = Condition(at_end=False, path=("a", "*"))
    assert chosen(spaces, [begins], max_depth=None) == [("a", "b", "c"), ("a", "x", "c")]
    assert chosen(spaces, [Condition(at_end=False, path=("a",))], max_depth=1) == [("a",)]
    assert chosen(spaces, [begins, Condition(at_end=True, path=("x", "c"))], max_depth=2) == [("a", "x")]
    assert chosen(spaces, [], max_depth=None) == sorted(spaces)
    assert chosen(spaces, [Condition(at_end=True, path=())], max_depth=None) == sorted(spaces)
