"""Twenty held claims decided without a mouse, each as it was shown: the real app, the real stores, Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.console.browser import (
    READ_MS,
    WAIT_MS,
    attach_page,
    browser,
    chromium,
    create_admin,
    open_page,
    running_app,
    settled,
    sign_in,
)

PLACES = [
    "museum",
    "library",
    "garden",
    "bakery",
    "theatre",
    "station",
    "market",
    "chapel",
    "archive",
    "gallery",
    "studio",
    "canteen",
    "workshop",
    "kiosk",
    "stadium",
    "terrace",
    "tower",
    "mill",
    "barn",
    "forge",
    "dock",
    "orchard",
]
DECIDED = 20
FIRST_MS = 240_000  # the first text waits for the embedding model
pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(900),  # forty drawings, and the embedding model's start
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]


def claim(page: Page) -> str:
    return page.locator(".cm-claim").first.inner_text(timeout=WAIT_MS).strip()


def next_after(page: Page, before: str) -> None:
    """Wait until another claim is on the screen and can be decided."""
    expect(page.locator(".cm-claim").first).not_to_have_text(before, timeout=WAIT_MS)
    settled(page)
    page.wait_for_timeout(READ_MS)


def test_twenty_items_are_decided_by_keys_alone():
    with running_app() as app, browser() as shown:
        page = shown.new_context(viewport={"width": 1440, "height": 1000}).new_page()
        create_admin(page, app)
        sign_in(page, app)
        told = " ".join(f"The {place} opens at {at % 12 + 1}." for at, place in enumerate(PLACES))
        attach_page(page, "https://hours.example/", told)
        expect(page.get_by_text(re.compile(rf"Held for review.*: {len(PLACES)}")).first).to_be_visible(timeout=FIRST_MS)
        page.goto(f"{app.url}/review")
        settled(page)

        promoted, rejected = [], []
        for number in range(DECIDED):
            now = claim(page)
            if number % 4 == 3:
                page.keyboard.press("p")
                promoted.append(now)
            else:
                page.keyboard.press("x")
                expect(page.get_by_role("dialog")).to_be_visible(timeout=WAIT_MS)
                expect(page.get_by_role("dialog")).to_contain_text(now, timeout=WAIT_MS)
                settled(page)
                page.keyboard.press("1" if not rejected else "Enter")  # Enter alone gives the same reason again
                rejected.append(now)
            next_after(page, now)

        # back and forth decides nothing; the last act is taken back, and what was taken back is shown again
        here = claim(page)
        page.keyboard.press("j")
        next_after(page, here)
        page.keyboard.press("k")
        expect(page.locator(".cm-claim").first).to_have_text(here, timeout=WAIT_MS)
        settled(page)
        page.keyboard.press("u")
        expect(page.locator(".cm-claim").first).to_have_text(promoted[-1], timeout=WAIT_MS)
        settled(page)
        returned = promoted.pop()

        # the cursor goes to the search and the words narrow the queue
        page.keyboard.press("f")
        expect(page.locator(".st-key-q input")).to_be_focused(timeout=WAIT_MS)
        page.keyboard.press("Escape")
        expect(page.locator(".st-key-q input")).not_to_be_focused()
        page.keyboard.press("f")
        expect(page.locator(".st-key-q input")).to_be_focused(timeout=WAIT_MS)
        page.keyboard.type(returned.split()[1])
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-q input")).not_to_be_focused()
        expect(page).to_have_url(re.compile("q="), timeout=WAIT_MS)
        expect(page.get_by_text("1 fit")).to_be_visible(timeout=WAIT_MS)

        # exactly what was promoted is in memory
        open_page(page, "Memories")
        for one in promoted:
            expect(page.get_by_text(one).first).to_be_visible(timeout=WAIT_MS)
        for one in [*rejected, returned]:
            expect(page.get_by_text(one)).to_have_count(0)
        assert len(promoted) + len(rejected) == DECIDED - 1
