"""Whether a JSON object's fields are as wanted: equal, or compared by an operator. Pure."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from core.errors import BadInput

_ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
OPERATORS = ("$eq", "$ne", *_ORDER)


def accepts(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether every wanted field is there and fits.

    A field is wanted as a value, which must be equal, or as an object of operators: $eq, $ne, and $gt, $gte, $lt, $lte
    between two numbers or two texts. An object without operators wants each of its own fields.

    Raises:
        BadInput: an operator is unknown.
    """
    return all(_fits(value.get(name), one) for name, one in wanted.items())


def _fits(value: Any, wanted: Any) -> bool:
    if not isinstance(wanted, Mapping):
        return bool(value == wanted)
    if any(name.startswith("$") for name in wanted):
        return all(_compares(value, name, one) for name, one in wanted.items())
    return isinstance(value, Mapping) and accepts(value, wanted)


def _compares(value: Any, name: str, wanted: Any) -> bool:
    if name == "$eq":
        return bool(value == wanted)
    if name == "$ne":
        return bool(value != wanted)
    if name not in _ORDER:
        msg = f"{name} is no operator; there are {', '.join(OPERATORS)}."
        raise BadInput(msg)
    numbers = isinstance(value, int | float) and isinstance(wanted, int | float)
    texts = isinstance(value, str) and isinstance(wanted, str)
    return (numbers or texts) and _ORDER[name](value, wanted)


__all__ = ["OPERATORS", "accepts"]
