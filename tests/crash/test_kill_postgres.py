"""A kill at every step with the ledger in a Postgres database of its own; see `tests.crash.kills`."""

from __future__ import annotations

import os

import pytest

from tests.crash.kills import *  # noqa: F403 - the tests and their fixtures

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def in_postgres() -> bool:
    """Where the ledger is."""
    return True


@pytest.fixture(scope="module")
def stride() -> int:
    """Which crossings are tried: every fourth or fifth, since each takes seconds; CHRONOMEMORY_CRASH_STRIDE=1 tries all."""
    return int(os.environ.get("CHRONOMEMORY_CRASH_STRIDE", "4"))
