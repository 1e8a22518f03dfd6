"""The adversarial stories and their benign controls, through the real write path."""

from __future__ import annotations

from typing import Any

from tests.cases.poison import run_checks, run_story
from tests.cases.runner import World
from tests.cases.special import POISONING as SPECIAL


def test_poisoning_case(world: World, poisoning_case: dict[str, Any]) -> None:
    run_story(world, poisoning_case["steps"])
    run_checks(world, poisoning_case["checks"])


__all__ = ["SPECIAL"]
