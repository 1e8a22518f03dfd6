"""The fixture that opens a page over a desk in memory."""

from __future__ import annotations

import pytest

from tests.console.kit import Open, opener


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Run one page script with a desk as the layer and its actor signed in."""
    return opener(monkeypatch)
