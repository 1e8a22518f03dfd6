"""Chat and Memories as a person uses them: the real app, the real stores, Chromium."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.console.browser import (
    WAIT_MS,
    attach_page,
    browser,
    chromium,
    create_admin,
    new_chat,
    open_page,
    running_app,
    say,
    settled,
    sign_in,
)

PAGE = "The venue has step-free access. The launch is on 30 April."
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]


def test_compare_correct_and_look_back():
    with running_app() as app, browser() as shown:
        page = shown.new_context(viewport={"width": 1440, "height": 1000}).new_page()
        outside: list[str] = []
        page.on("request", lambda request: outside.append(request.url) if app.url not in request.url else None)
        create_admin(page, app)
        sign_in(page, app)

        say(page, "Our launch is on 12 March.", "12 March")
        expect(page.get_by_text("Learned: ").first).to_be_visible(timeout=WAIT_MS)
        focused = page.evaluate("document.activeElement.getAttribute('data-testid')")
        assert focused == "stChatInputTextArea"
        new_chat(page)
        attach_page(page, "https://venue.example/visit", PAGE)
        expect(page.get_by_text(re.compile("Held for review")).first).to_be_visible(timeout=WAIT_MS)
        say(page, "When is our launch?", "Recalled 1 of")  # the open question names the day, too

        # both memories, nothing kept
        lines = page.locator("[data-testid=stChatMessage]").count()
        page.get_by_role("button", name="Ask side by side").click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_text("30 April").first).to_be_visible(timeout=WAIT_MS)
        expect(dialog.get_by_text("Held here").first).to_be_visible()
        page.keyboard.press("Escape")
        settled(page)
        assert page.locator("[data-testid=stChatMessage]").count() == lines

        # correct what was used: the new version takes the old one's place at once
        page.get_by_role("button", name="Correct").first.click()
        page.get_by_label("What is right instead?").fill("Our launch is on 20 March.")
        page.get_by_role("dialog").get_by_role("button", name="Correct").click()
        expect(page.get_by_role("dialog").get_by_text("Corrected by you")).to_be_visible(timeout=WAIT_MS)
        expect(page.get_by_role("dialog").get_by_text("Current").first).to_be_visible(timeout=WAIT_MS)
        page.get_by_role("button", name="Done").click()
        settled(page)
        say(page, "When is our launch?", "20 March")

        # a held fact leads to the review page with its item open
        page.get_by_role("button", name="Open in Review").first.click()
        expect(page).to_have_url(re.compile("/review"), timeout=WAIT_MS)

        # the list of chats and the memory's versions survive a reload
        open_page(page, "Chat")
        page.get_by_role("button", name=re.compile("Our launch")).first.click()
        expect(page.get_by_text("Learned: ").first).to_be_visible(timeout=WAIT_MS)
        settled(page)
        page.get_by_role("button", name="Rename").click()
        name = page.get_by_role("dialog").get_by_role("textbox", name="Name")
        expect(name).to_have_value("Our launch is on 12 March.", timeout=WAIT_MS)
        settled(page)
        name.fill("发布计划")
        page.get_by_role("dialog").get_by_role("button", name="Rename").click()
        expect(page.get_by_role("button", name="发布计划")).to_be_visible(timeout=WAIT_MS)
        page.reload()
        settled(page)
        expect(page.get_by_role("button", name="发布计划")).to_be_visible(timeout=WAIT_MS)
        open_page(page, "Memories")
        page.get_by_role("button", name=re.compile("Your launch is on 20 March")).first.click()
        expect(page.get_by_role("dialog").get_by_text("Versions")).to_be_visible(timeout=WAIT_MS)

        assert outside == []
