"""A demonstration in Chromium: marked on every page of the navigation, and opened by no ordinary start."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from console import words
from demo.fill import fill
from tests.console.browser import WAIT_MS, App, browser, chromium, settled

PASSWORD = "shown on loopback only"
STORY = """
[people]
admin = "admin"
[expect]
held_reasons = ["low_trust"]
statuses = ["active"]
questions = 0
vouched = 0
pinned = 0
recalled = 0
[[chapter]]
name = "One"
step = [
  { day = 9, at = "10:00", who = "admin", do = "ask", text = "I prefer tea over coffee." },
  { day = 8, at = "10:00", who = "admin", do = "page", ref = "https://hall.example/", text = "The hall seats 420 guests." },
]
"""
pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, embedder: object) -> Path:
    made = tmp_path_factory.mktemp("demonstration")
    story = made / "story.toml"
    story.write_text(STORY, encoding="utf-8")
    now = datetime(2026, 6, 1, 9, 30, tzinfo=UTC)
    fill(made / "data", PASSWORD, now=now, story=story, embedder=embedder)  # type: ignore[arg-type]
    return made


def test_every_page_says_it(folder: Path):
    app = App(folder=folder, env={"CHRONOMEMORY_DEMO": "true"})
    app.start()
    try:
        with browser() as shown:
            page = shown.new_context(viewport={"width": 420, "height": 900}).new_page()
            page.goto(f"{app.url}/login")
            expect(page.get_by_text(words.DEMO, exact=False)).to_be_visible()
            page.fill("input[name=username]", "admin")
            page.fill("input[name=password]", PASSWORD)
            page.click("button[type=submit]")
            settled(page)
            page.set_viewport_size({"width": 1440, "height": 900})
            links = page.locator("[data-testid=stSidebarNavLink]")
            expect(links.first).to_be_visible(timeout=WAIT_MS)
            addresses = [str(one.get_attribute("href")) for one in links.all()]
            assert len(addresses) >= 7
            page.set_viewport_size({"width": 420, "height": 900})
            for address in addresses:
                page.goto(address if address.startswith("http") else f"{app.url}{address}")
                settled(page)
                expect(page.locator(".cm-demo")).to_contain_text(words.DEMO)
                assert page.evaluate("document.documentElement.scrollWidth <= 420"), address
    finally:
        app.stop()


def test_an_ordinary_start_shows_none_of_it_and_says_why_in_its_log(folder: Path):
    app = App(folder=folder)
    (folder / "log").write_bytes(b"")
    app.wait_ready = lambda: None  # type: ignore[method-assign]  # it must not become ready
    app.start()
    try:
        deadline = time.monotonic() + 120
        while "holds demonstration data" not in app.log:
            assert time.monotonic() < deadline, app.log
            time.sleep(0.2)
        asked = Request(f"{app.url}/login", headers={"accept": "text/html"})
        with pytest.raises(HTTPError) as refused:
            urlopen(asked, timeout=20)
        assert refused.value.code == 503
        assert "The console cannot start" in refused.value.read().decode()
    finally:
        app.stop()
