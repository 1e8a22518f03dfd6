"""The fixture that opens a page over a desk in memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from console import acts, session
from tests.console.desk import Desk
from tests.console.kit import Open, run

PAGES = Path(__file__).parents[2] / "pages"


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Run one page script with a desk as the layer and its actor signed in."""

    def opened(name: str, desk: Desk, **query: str) -> AppTest:
        monkeypatch.setattr(session, "layer", lambda: desk)
        monkeypatch.setattr(session, "current_actor", lambda *, touch=True: desk.actor)
        monkeypatch.setattr(session, "find_actor", lambda *, touch=True: desk.actor)
        monkeypatch.setattr(acts, "QUICK_SECONDS", 0.0)  # a test presses faster than a person reads
        at = AppTest.from_file(str(PAGES / f"{name}.py"), default_timeout=20)
        for key, value in query.items():
            at.query_params[key] = value
        return run(at)

    return opened
