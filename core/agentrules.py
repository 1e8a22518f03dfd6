"""What the policy says of single agents: sections such as [agents.planner.recall] (rules §6.3). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from core.bounds import check_numbers
from core.errors import Misconfigured

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")  # as core.keys allows it


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentRecall:
    """What one agent's recall differs in; a file that leaves a value out takes that of [recall]."""

    top_k: int
    score_threshold: float
    enabled: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class AgentRules:
    """What holds for one agent by name."""

    recall: AgentRecall


def read_agents(raw: Any, recall: object) -> dict[str, AgentRules]:
    """The rules of named agents.

    Args:
        raw: the policy's plain section `agents`.
        recall: the rules of recall for all, from which an agent takes what its own section leaves out.

    Raises:
        Misconfigured: a name, setting or value does not fit; the message names it.
    """
    if not isinstance(raw, Mapping):
        msg = "the policy's agents must be sections such as [agents.planner.recall]"
        raise Misconfigured(msg)
    common = {one.name: getattr(recall, one.name) for one in fields(AgentRecall)}
    found: dict[str, AgentRules] = {}
    for name, rules in raw.items():
        given = rules.get("recall") if isinstance(rules, Mapping) and set(rules) == {"recall"} else None
        if not _NAME.fullmatch(name) or not isinstance(given, Mapping):
            msg = (
                f"the policy's agents.{name} does not fit: name an agent as its key does, and give it the section "
                f"[agents.{name}.recall]"
            )
            raise Misconfigured(msg)
        if unknown := sorted(set(given) - set(common)):
            msg = f"the policy's agents.{name}.recall has no {unknown[0]!r}; it may have {', '.join(common)}"
            raise Misconfigured(msg)
        own = AgentRecall(**{**common, **given})
        try:
            check_numbers("recall", own)
        except Misconfigured as problem:
            msg = f"the policy's agents.{name} does not fit: {problem}"
            raise Misconfigured(msg) from problem
        found[name] = AgentRules(recall=own)
    return found


__all__ = ["AgentRecall", "AgentRules", "read_agents"]
