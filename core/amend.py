"""A policy as a list of settings, and what it becomes when some of them are changed. Pure.

A setting is named `section.key`; an entry of a table by one name more: `tools.registry.calculator`,
`decay.kinds.event`. Taking an entry out of its table is changing it to None.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from core.errors import BadInput, Misconfigured
from core.policy import Policy

Change = Mapping[str, Any]  # setting → value; None takes an entry out of a table
MAX_NAME = 100  # characters of a tool's name


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One setting that two policies do not share; None where an entry is not there."""

    key: str
    before: Any
    after: Any


def body_of(policy: Policy) -> str:
    """The canonical JSON whose sha256 is the policy's digest."""
    return json.dumps(asdict(policy), sort_keys=True)


def policy_of(body: str) -> Policy:
    """The policy of a canonical JSON.

    Raises:
        Misconfigured: it is not one; the message names what does not fit.
    """
    return Policy.from_sections(json.loads(body))


def settings_of(policy: Policy) -> dict[str, Any]:
    """Every setting by name, tables entry by entry, in the order of the file."""
    return settings_in(asdict(policy))


def settings_in(sections: Mapping[str, Any]) -> dict[str, Any]:
    """The same of plain sections, as `body_of` writes them: an older version's policy may lack what is new."""
    found: dict[str, Any] = {}
    for section, values in sections.items():
        for key, value in values.items():
            if isinstance(value, Mapping):
                found |= {f"{section}.{key}.{name}": one for name, one in value.items()}
            else:
                found[f"{section}.{key}"] = value
    return found


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Which settings changed from one list to another, in their order."""
    return tuple(
        Difference(key=key, before=old.get(key), after=new.get(key))
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    )


def amended(policy: Policy, change: Change) -> Policy:
    """The policy with some settings changed; checked by the same constructor as the file.

    Raises:
        BadInput: a setting does not exist or a value does not fit; the message names it and what it may be.
    """
    raw = asdict(policy)
    for key, value in change.items():
        _put(raw, key, value)
    try:
        return Policy.from_sections(raw)
    except Misconfigured as problem:
        raise BadInput(str(problem)) from problem


def _put(raw: dict[str, Any], key: str, value: Any) -> None:
    section, _, rest = key.partition(".")
    name, _, entry = rest.partition(".")
    values = raw.get(section)
    if values is None or name not in values or bool(entry) != isinstance(values[name], Mapping):
        msg = f"there is no setting {key[:MAX_NAME]!r} in the policy"
        raise BadInput(msg)
    if entry:
        _put_entry(values[name], entry, value)
    elif isinstance(values[name], float) and isinstance(value, int) and not isinstance(value, bool):
        values[name] = float(value)  # the digest tells 1 from 1.0
    elif isinstance(values[name], int) and isinstance(value, float) and value.is_integer():
        values[name] = int(value)
    else:
        values[name] = value


def _put_entry(table: dict[str, Any], entry: str, value: Any) -> None:
    if len(entry) > MAX_NAME or entry != entry.strip() or not entry.isprintable():
        msg = f"a name in a table of the policy has 1 to {MAX_NAME} visible characters, without space around it"
        raise BadInput(msg)
    if value is None:
        table.pop(entry, None)
    else:
        table[entry] = value
