"""Every page of the real app in Chromium: looks, outside requests, closed tabs, double clicks, concurrent inserts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.console.browser import (
    WAIT_MS,
    App,
    attach_page,
    browser,
    chromium,
    create_admin,
    decide_shown,
    new_chat,
    open_page,
    running_app,
    say,
    settled,
    sign_in,
)

PAGES = ("", "review", "sandbox", "decay", "memories", "evidence", "audit", "policy", "people", "account")
EVIL = "![x](http://127.0.0.1:9/evil.png) <img src=http://127.0.0.1:9/e.png onerror=alert(1)>"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]


@dataclass
class Shown:
    app: App
    browser: Browser
    state: Path

    def context(self, **options) -> BrowserContext:
        return self.browser.new_context(storage_state=self.state, **options)


def attach(page: Page, address: str, text: str, held: int) -> None:
    attach_page(page, address, text)
    lines = page.locator("[data-testid=stChatMessage]").last.get_by_role("listitem")
    expect(lines.filter(has_text="Held for review:")).to_have_count(held, timeout=WAIT_MS)


@pytest.fixture(scope="module")
def shown(tmp_path_factory) -> Iterator[Shown]:
    """An installation with something on every page, hostile words included."""
    state = tmp_path_factory.mktemp("state") / "state.json"
    with running_app() as app, browser() as seen:
        context = seen.new_context(viewport={"width": 1440, "height": 1000})
        page = context.new_page()
        create_admin(page, app)
        sign_in(page, app)
        say(page, "My name is Ada Quill. I live in Porto and I am allergic to penicillin.", "Porto")
        say(page, f"My favourite picture is {EVIL}", re.compile("picture|Noted|know", re.IGNORECASE))
        say(page, "Where do I live?", "Porto")
        attach(page, "https://one.example/", f"The hall has {EVIL} seats. The bus leaves at nine.", 2)
        context.storage_state(path=state)
        context.close()
        yield Shown(app, seen, state)


@pytest.mark.parametrize("look", ["light-1440", "dark-1440", "light-420", "dark-420"])
def test_every_page_draws_and_asks_nobody_outside(shown, look, tmp_path_factory):
    scheme, width = look.split("-")
    context = shown.context(viewport={"width": int(width), "height": 900}, color_scheme=scheme)
    page = context.new_page()
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url) if shown.app.url not in request.url else None)
    alarms: list[str] = []
    page.on("dialog", lambda dialog: alarms.append(dialog.message))
    folder = tmp_path_factory.mktemp("screens")
    for name in PAGES:
        page.goto(f"{shown.app.url}/{name}")
        settled(page)
        expect(page.get_by_text("Traceback", exact=False)).to_have_count(0)
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
        expect(page.get_by_role("main"), name).to_have_text(re.compile(r"\S(.|\n){39,}\S"), timeout=WAIT_MS)
        overflow = page.evaluate(
            "() => { const box = document.querySelector('[data-testid=stAppViewContainer]');"
            " return box.scrollWidth - box.clientWidth; }"
        )
        assert overflow <= 1, (name, overflow)
        screen = folder / f"{name or 'chat'}-{look}.png"
        page.screenshot(path=screen)
        assert screen.stat().st_size > 5_000
    # blob: and data: never leave the browser
    assert [url for url in outside if not url.startswith(("data:", "blob:"))] == []
    assert alarms == []
    context.close()


def test_an_answer_is_saved_when_the_tab_closes(shown):
    context = shown.context()
    page = context.new_page()
    page.goto(shown.app.url)
    settled(page)
    new_chat(page)
    box = page.locator("[data-testid=stChatInput] textarea").first
    box.fill("What am I allergic to, and where do I live?")
    box.press("Enter")
    page.wait_for_url(re.compile(r"c="), timeout=WAIT_MS)
    address = page.url
    page.close()
    again = context.new_page()
    again.goto(address)
    expect(again.locator("[data-testid=stChatMessage]").filter(has_text="penicillin").last).to_be_visible(
        timeout=WAIT_MS
    )
    expect(again.locator("[data-testid=stChatMessage]").filter(has_text="Porto").last).to_be_visible(timeout=WAIT_MS)
    context.close()


def test_a_click_decides_on_what_was_shown_while_others_arrive(shown):
    context = shown.context(viewport={"width": 1440, "height": 1000})
    reviewer, other = context.new_page(), context.new_page()
    other.goto(shown.app.url)
    settled(other)
    new_chat(other)
    attach(other, "https://two.example/", "The museum opens at ten. The cafe closes at five.", 2)
    reviewer.goto(f"{shown.app.url}/review")
    settled(reviewer)
    reviewer.get_by_role("button", name="museum opens").first.click()
    settled(reviewer)
    new_chat(other)
    attach(other, "https://three.example/", "The garden opens at six. The gate is green.", 2)
    decide_shown(reviewer, "museum opens", "Promote", "Promoted", clicks=2)
    open_page(reviewer, "Memories")
    expect(reviewer.get_by_text("museum opens at ten").first).to_be_visible(timeout=WAIT_MS)
    for wrong in ("cafe closes", "garden opens", "gate is green"):
        expect(reviewer.get_by_text(wrong)).to_have_count(0)
    open_page(reviewer, "Audit")
    expect(reviewer.get_by_text("promoted", exact=False)).not_to_have_count(0)
    context.close()
