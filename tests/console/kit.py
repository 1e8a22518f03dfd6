"""What tests of the pages do to a page: run it, press its buttons, read its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from console import acts, session
from tests.console.desk import Desk
from tests.console.test_safe import Tags

Open = Callable[..., AppTest]
PAGES = Path(__file__).parents[2] / "pages"


def opener(monkeypatch: pytest.MonkeyPatch) -> Open:
    """What opens a page over a desk in memory, with the desk's actor signed in."""

    def opened(name: str, desk: Desk, **query: str) -> AppTest:
        monkeypatch.setattr(session, "layer", lambda: desk)
        monkeypatch.setattr(session, "current_actor", lambda *, touch=True: session.in_chosen_space(desk.actor))
        monkeypatch.setattr(session, "find_actor", lambda *, touch=True: desk.actor)
        monkeypatch.setattr(acts, "QUICK_SECONDS", 0.0)  # a test presses faster than a person reads
        at = AppTest.from_file(str(PAGES / f"{name}.py"), default_timeout=20)
        for key, value in query.items():
            at.query_params[key] = value
        return run(at)

    return opened


def run(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception, at.exception
    return at


def press(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click()
    return run(at)


def nodes(at: AppTest) -> Iterator[Any]:
    def walk(node: Any) -> Iterator[Any]:
        yield node
        for child in getattr(node, "children", {}).values():
            yield from walk(child)

    yield from walk(at._tree)


def drawn(at: AppTest) -> str:
    """Every word of the HTML on the page, as a reader sees it."""
    return "\n".join(
        " ".join(Tags(one.proto.body).words)
        for one in nodes(at)
        if getattr(one, "type", "") == "html" and "<style" not in one.proto.body
    )
