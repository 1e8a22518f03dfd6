"""The sandbox in the real app, in Chromium: a preset, every preset, another threshold; the ledger stays as it was."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.console.browser import (
    WAIT_MS,
    App,
    browser,
    chromium,
    create_admin,
    open_page,
    running_app,
    say,
    settled,
    sign_in,
)

RUN_ALL_MS = 180_000
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]


def ledger(app: App) -> list[str]:
    """The whole ledger as statements."""
    with closing(sqlite3.connect(f"file:{app.folder / 'data' / 'ledger.sqlite3'}?mode=ro", uri=True)) as file:
        return list(file.iterdump())


def quiet(app: App) -> list[str]:
    """The ledger once the worker has nothing left to do from what was said."""
    found, same = ledger(app), 0
    deadline = time.monotonic() + 60
    while same < 5 and time.monotonic() < deadline:
        time.sleep(1)
        again = ledger(app)
        same = same + 1 if again == found else 0
        found = again
    return found


def test_the_sandbox_convinces_and_writes_nothing():
    with running_app() as app, browser() as shown:
        page = shown.new_context(viewport={"width": 1440, "height": 1000}).new_page()
        outside: list[str] = []
        page.on("request", lambda request: outside.append(request.url) if app.url not in request.url else None)
        create_admin(page, app)
        sign_in(page, app)
        say(page, "I live in Porto.", "Porto")
        open_page(page, "Sandbox")
        before = quiet(app)

        page.locator("[data-testid=stSelectbox]").first.click()
        page.get_by_text("Attack: Contradiction flood").click()
        settled(page)
        page.get_by_role("button", name="Try it").click()
        expect(page.get_by_text("Caught: nothing of it would be remembered")).to_be_visible(timeout=WAIT_MS)
        expect(page.get_by_text("From this story").first).to_be_visible()
        expect(page.get_by_text("Both stores are as they were")).to_be_visible()
        settled(page)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download the proof").click()
        proof = json.loads(download.value.path().read_text(encoding="utf-8"))
        assert proof["equal"] is True
        assert proof["handles"][0] == {
            "store": "store",
            "handle": "chronomemory_reader",
            "may": ["SELECT"],
            "read_only": True,
        }
        assert proof["before"] == proof["after"]
        assert "Porto" not in json.dumps(proof)

        page.get_by_text("All presets", exact=True).click()
        settled(page)
        page.get_by_role("button", name="Run all presets").click()
        expect(page.get_by_text(re.compile(r"^\d+ of 17"))).to_be_visible(timeout=WAIT_MS)
        expect(page.get_by_text("10 of 10")).to_be_visible(timeout=RUN_ALL_MS)
        settled(page)
        page.get_by_text("Another threshold", exact=True).click()
        settled(page)
        page.get_by_role("slider").first.focus()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_text("groups to decide per week")).to_be_visible(timeout=WAIT_MS)
        settled(page)

        assert ledger(app) == before
        assert outside == []
