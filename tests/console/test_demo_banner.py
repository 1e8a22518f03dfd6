"""A demonstration says so on every page: the gate's own and the app's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from console import session, words
from core.settings import Settings
from tests.console.fake_layer import MEMBER, FakeLayer, install
from tests.console.kit import drawn, run
from tests.console.test_gate import NAVIGATE, Browser
from tests.console.test_served import make_site


@pytest.fixture(params=[True, False], ids=["demonstration", "ordinary"])
def layer(request: pytest.FixtureRequest) -> FakeLayer:
    return FakeLayer(Settings(_env_file=None, chronomemory_demo=request.param)).with_people()


@pytest.fixture
def browser(layer: FakeLayer) -> Iterator[Browser]:
    opened = Browser(layer, chronomemory_demo=layer.demo)
    yield opened
    opened.close()


def test_the_gates_pages_say_it(browser: Browser, layer: FakeLayer) -> None:
    for path in ("/login", "/setup", "/invite?token=nothing"):
        assert (words.DEMO in browser.get(path, **NAVIGATE).text) is layer.demo, path


def test_the_app_says_it_above_the_page(layer: FakeLayer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "core.bootstrap", install(layer))
    actor = layer.sign_in(MEMBER)
    monkeypatch.setattr(session, "find_actor", lambda *, touch=True: actor)
    monkeypatch.setattr(session, "current_actor", lambda *, touch=True: actor)
    at = run(AppTest.from_file(str(make_site(tmp_path) / "console" / "main.py"), default_timeout=30))
    assert [one.value for one in at.title] == ["chat page"]
    assert (words.DEMO in drawn(at)) is layer.demo
    assert (words.DEMO_DETAIL in drawn(at)) is layer.demo
