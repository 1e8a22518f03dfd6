"""The parts of the product with another policy in them. Pure: nothing is changed, everything is made anew."""

from __future__ import annotations

import operator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from core.policy import Policy

T = TypeVar("T")


def renewed(part: T, policy: Policy, made: dict[int, Any]) -> T:
    """A part, and every part it is made of, with `policy` in place of the one it holds.

    Parts that hold no policy stay the same objects, and so do locks, pools and running work inside a part that does:
    an answer in progress is finished by the policy it began with.

    Args:
        part: a frozen dataclass of the core, several in a tuple, or anything else, which stays as it is.
        policy: the new one.
        made: what was made anew so far, by the id of the old part, so that shared parts stay shared.
    """
    if isinstance(part, Policy):
        return cast("T", policy)
    if type(part) is tuple:
        several = cast("tuple[Any, ...]", part)
        fresh = tuple(renewed(one, policy, made) for one in several)
        return cast("T", fresh) if any(map(operator.is_not, fresh, several)) else part
    if not is_dataclass(part) or isinstance(part, type) or not type(part).__module__.startswith("core."):
        return part
    if id(part) in made:
        return cast("T", made[id(part)])
    given = {one.name: getattr(part, one.name) for one in fields(part) if one.init}
    changed = {name: new for name, old in given.items() if (new := renewed(old, policy, made)) is not old}
    made[id(part)] = replace(cast("Any", part), **changed) if changed else part
    return cast("T", made[id(part)])
