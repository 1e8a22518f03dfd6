"""A tool contradicts its owner: the question appears on an open page by itself and is answered with one click."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.console.browser import (
    WAIT_MS,
    browser,
    chromium,
    create_admin,
    open_page,
    running_app,
    say,
    settled,
    sign_in,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]


def attach_result(page: Page, tool: str, text: str) -> None:
    """Attach a tool's result to the open chat."""
    page.get_by_role("button", name="Attach").first.click()
    page.get_by_text("Tool result", exact=True).click()
    page.get_by_role("combobox").last.click()
    page.get_by_role("option", name=tool).click()
    settled(page)
    page.get_by_label("What it returned").fill(text)
    page.get_by_label("What it returned").blur()
    settled(page)
    page.get_by_role("button", name="Attach to this chat").click()


def test_a_question_comes_by_itself_and_one_click_answers_it() -> None:
    with running_app() as app, browser() as seen:
        context = seen.new_context(viewport={"width": 1280, "height": 1000})
        page = context.new_page()
        create_admin(page, app)
        sign_in(page, app)
        say(page, "The total weight is 520 kg.", "520 kg")

        # the page is open before anything is asked
        feed = context.new_page()
        feed.goto(f"{app.url}/evidence")
        expect(feed.get_by_text("Nothing is asked of you")).to_be_visible(timeout=WAIT_MS)

        attach_result(page, "calculator", "The total weight is 480 kg.")
        expect(feed.get_by_text("Which is true?")).to_be_visible(timeout=WAIT_MS)
        for told in ("The total weight is 520 kg.", "The total weight is 480 kg.", "own words", "calculator"):
            expect(feed.get_by_text(told).first).to_be_visible()

        # in the chat it stands under the answer that was built on one of the two
        say(page, "What is the total weight?", "520 kg")
        expect(page.get_by_text("Which is true?")).to_be_visible(timeout=WAIT_MS)

        feed.get_by_role("button", name="This is true").nth(1).click()
        expect(feed.get_by_text("Nothing is asked of you")).to_be_visible(timeout=WAIT_MS)
        expect(feed.get_by_text("Your answer")).to_be_visible()
        settled(feed)
        open_page(feed, "Memories")
        expect(feed.get_by_text("The total weight is 480 kg.").first).to_be_visible(timeout=WAIT_MS)
