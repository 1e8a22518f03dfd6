"""Decay & trust in Chromium: the figures draw under the content policy, ask nobody outside, and open a memory."""

from __future__ import annotations

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

from console import crowd
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

EVIL = "![x](http://127.0.0.1:9/evil.png) <img src=http://127.0.0.1:9/e.png onerror=alert(1)>"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]


def open_a_dot(page: Page) -> None:
    """A click on a point opens that memory, and from there its curve."""
    point = page.locator("[class*=figure-trust-and-strength] .scatterlayer .point").first
    point.scroll_into_view_if_needed()
    settled(page)
    at = point.bounding_box()
    assert at is not None
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(page.locator(".hoverlayer .hovertext").first).to_be_visible(timeout=WAIT_MS)  # as a hand does
    page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(page.get_by_text("Why this is remembered")).to_be_visible(timeout=WAIT_MS)
    settled(page)
    page.get_by_role("button", name="Open its curve").click()
    expect(page.get_by_text("Strength today").first).to_be_visible(timeout=WAIT_MS)
    settled(page)
    assert "memory=" in page.url
    expect(page.get_by_text("Why this is remembered")).to_have_count(0)
    expect(page.get_by_text("Porto").first).to_be_visible()


def test_the_charts_draw_ask_nobody_and_open_the_memory_that_is_clicked() -> None:
    with running_app() as app, browser() as shown:
        context = shown.new_context(viewport={"width": 1440, "height": 1000})
        page = context.new_page()
        outside: list[str] = []
        complaints: list[str] = []
        alarms: list[str] = []

        def heard(message: ConsoleMessage) -> None:
            if "Content Security Policy" in message.text or "plotly" in message.text.lower():
                complaints.append(message.text)

        page.on("request", lambda request: outside.append(request.url) if app.url not in request.url else None)
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: alarms.append(dialog.message))
        create_admin(page, app)
        sign_in(page, app)

        # nothing yet
        open_page(page, "Decay & trust")
        expect(page.get_by_text("Nothing to count yet")).to_be_visible(timeout=WAIT_MS)

        # a fact, and a page whose words are hostile
        open_page(page, "Chat")
        say(page, "I live in Porto.", "Porto")
        new_chat(page)
        attach_page(page, "https://one.example/", f"The hall has {EVIL} seats. The bus leaves at nine.")
        lines = page.locator("[data-testid=stChatMessage]").last.get_by_role("listitem")
        expect(lines.filter(has_text="Held for review:")).to_have_count(2, timeout=WAIT_MS)

        # every figure draws, the last one can be clicked
        open_page(page, "Decay & trust")
        for name in (crowd.LASTING, crowd.TRUST, crowd.FLOW, crowd.STRENGTH):
            page.get_by_role("tab", name=name).click()
            settled(page)
            expect(page.locator("[data-testid=stPlotlyChart] .main-svg").first).to_be_visible(timeout=WAIT_MS)
            expect(page.locator("[data-testid=stPlotlyChart]")).to_have_count(1)
            assert page.locator("[data-testid=stPlotlyChart] a, [data-testid=stPlotlyChart] img").count() == 0
            if name == crowd.TRUST:
                expect(page.get_by_text("2 statements wait for review.")).to_be_visible(timeout=WAIT_MS)

        open_a_dot(page)

        # at 420 pixels nothing is wider than the screen
        page.set_viewport_size({"width": 420, "height": 900})
        page.goto(f"{app.url}/decay")
        settled(page)
        overflow = page.evaluate(
            "() => { const box = document.querySelector('[data-testid=stAppViewContainer]');"
            " return box.scrollWidth - box.clientWidth; }"
        )
        assert overflow <= 1
        assert [url for url in outside if not url.startswith(("data:", "blob:", "ws://127.0.0.1"))] == []
        assert complaints == []
        assert alarms == []
