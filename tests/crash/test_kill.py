"""A kill at every step with the ledger in a file; see `tests.crash.kills`."""

from __future__ import annotations

import pytest

from tests.crash.kills import *  # noqa: F403 - the tests and their fixtures

pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def in_postgres() -> bool:
    """Where the ledger is."""
    return False


@pytest.fixture(scope="module")
def stride() -> int:
    """Which crossings are tried: all of them."""
    return 1
