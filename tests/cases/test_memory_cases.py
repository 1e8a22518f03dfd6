"""The memory cases whose steps are common verbs. What needs a test of its own is in `test_case_*.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cases import checks_desk  # registers its checks
from tests.cases.checks import CHECKS, run_checks
from tests.cases.runner import World, storage_text
from tests.cases.special import MEMORY as SPECIAL
from tests.cases.verbs import VERBS, run_steps


@pytest.fixture(autouse=True)
def _zone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's time zone can be set by a case."""
    import time  # noqa: PLC0415

    def set_tz(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    world.notes["set_tz"] = set_tz


@pytest.fixture(autouse=True)
def _storage(world: World, tmp_path: Path, database_url: str) -> None:
    """All that the installation keeps, for the cases that search it."""
    world.notes["storage"] = lambda: storage_text(tmp_path / "data", database_url)


def test_memory_case(world: World, memory_case: dict[str, Any]) -> None:
    run_steps(world, memory_case["steps"])
    run_checks(world, memory_case["checks"])


__all__ = ["CHECKS", "SPECIAL", "VERBS", "checks_desk"]
