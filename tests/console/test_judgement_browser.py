"""A conflict settled by its owner, and a person erased by an admin: the real app, the real stores, Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.console.browser import (
    PASSWORD,
    READ_MS,
    WAIT_MS,
    App,
    attach_page,
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


def accept(page: Page, link: str, app: App, name: str) -> None:
    page.goto(re.sub(r"^http://[^/]+", app.url, link))
    page.fill("input[name=username]", name)
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.click("button[type=submit]")
    sign_in(page, app, name)


@dataclass
class Shown:
    app: App
    browser: Browser
    page: Page


@pytest.fixture(scope="module")
def shown() -> Iterator[Shown]:
    with running_app() as app, browser() as seen:
        page = seen.new_context(viewport={"width": 1440, "height": 1000}).new_page()
        create_admin(page, app)
        sign_in(page, app)
        yield Shown(app, seen, page)


def test_a_conflict_is_settled_by_its_owner(shown: Shown) -> None:
    page = shown.page
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url) if shown.app.url not in request.url else None)

    # two statements disagree: the chat says so under the page that brought the other one
    say(page, "The museum app is due on 30 April.", "30 April")
    attach_page(page, "https://board.example/agenda", "The harbour opens at seven. The museum app is due on 1 June.")
    expect(page.get_by_text("This needs your answer")).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_role("button", name="Keep the old")).to_be_visible()

    # what matters most comes first: both sides with source and trust, four answers, none chosen for the person
    open_page(page, "Review")
    expect(page.get_by_role("heading", name="Two statements disagree")).to_be_visible(timeout=WAIT_MS)
    sides = page.locator(".cm-side")
    expect(sides).to_have_count(2)
    expect(sides.nth(0)).to_contain_text("The museum app is due on 30 April.")
    expect(sides.nth(0)).to_contain_text("ada, in own words")
    expect(sides.nth(1)).to_contain_text("The museum app is due on 1 June.")
    expect(sides.nth(1)).to_contain_text("https://board.example/agenda")
    expect(sides.nth(1)).to_contain_text("0.30, below 0.50")
    expect(page.locator(".cm-gone")).to_have_text(re.compile("30 April"))
    for answer in ("Keep the old", "Take the new", "Both are true", "Neither"):
        expect(page.get_by_role("button", name=answer)).to_be_visible()
    settled(page)
    page.wait_for_timeout(READ_MS)  # what is answered sooner was not read
    page.keyboard.press("2")
    expect(page.get_by_text("The new one is remembered; the old one is history.")).to_be_visible(timeout=WAIT_MS)
    settled(page)
    open_page(page, "Memories")
    expect(page.get_by_text("The museum app is due on 1 June.").first).to_be_visible(timeout=WAIT_MS)
    page.get_by_text(re.compile(r"History \d")).click()
    expect(page.get_by_text("The museum app is due on 30 April.").first).to_be_visible(timeout=WAIT_MS)
    assert [url for url in outside if not url.startswith(("data:", "blob:"))] == []


def test_a_person_is_erased_with_a_certificate(shown: Shown, tmp_path: Path) -> None:
    page = shown.page

    # a second person says something
    open_page(page, "People")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("[data-testid=stCode]").inner_text(timeout=WAIT_MS)
    theirs = shown.browser.new_context(viewport={"width": 1440, "height": 1000}).new_page()
    accept(theirs, link.strip(), shown.app, "ben.brook")
    say(theirs, "I keep bees in Faro.", re.compile("bees", re.IGNORECASE))

    # and is erased: a wrong name does nothing, the right one gives a certificate to keep
    open_page(page, "People")
    page.get_by_role("button", name="Manage").click()
    page.get_by_role("button", name="Erase", exact=True).click()
    name = page.get_by_label("Type the user name to go on")
    name.fill("ben")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("Nothing was erased")).to_be_visible(timeout=WAIT_MS)
    name.fill("ben.brook")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("The person is erased")).to_be_visible(timeout=WAIT_MS)
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download certificate").click()
    download.value.save_as(tmp_path / "certificate.json")
    certificate = json.loads((tmp_path / "certificate.json").read_text(encoding="utf-8"))
    assert certificate["memories"] >= 1
    assert certificate["ledger"]["episodes"] >= 1

    # their session is over, the chain is whole, and nothing they said is anywhere in the ledger's file
    theirs.reload()
    expect(theirs.locator("input[name=password]")).to_be_visible(timeout=WAIT_MS)
    open_page(page, "Audit")
    expect(page.get_by_text("The chain is whole")).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("Person erased").first).to_be_visible(timeout=WAIT_MS)
    for file in (shown.app.folder / "data").glob("ledger*"):
        assert b"bees" not in file.read_bytes(), file.name
