"""Bringing in a vault in Chromium: looked at, taken in by the worker, told entry by entry, held for review."""

from __future__ import annotations

import io
import os
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.console.browser import WAIT_MS, browser, chromium, create_admin, open_page, running_app, settled, sign_in

EVIL = "![x](http://127.0.0.1:9/evil.png) <img src=http://127.0.0.1:9/e.png onerror=alert(1)>"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]


def vault() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(
            "Garden/Beds.md", "---\ntitle: Beds\ndate: 2025-05-31\n---\nThe raised beds hold 40 cm of soil.\n"
        )
        archive.writestr("Garden/Shed.md", "The key of the shed hangs behind [[Pots|the third pot]].\n")
        archive.writestr("Garden/水.md", "雨水桶在房子后面。\n")
        archive.writestr("Garden/evil.md", f"---\ntitle: '{EVIL}'\n---\nThe pump is {EVIL} old.\n")
        archive.writestr("Garden/old.md", "---\ndate: soon\n---\nwords\n")
    return packed.getvalue()


def shoot(page: Page, name: str) -> None:
    """Keep a picture where a person asked for one."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"))


def test_a_vault_is_looked_at_taken_in_and_held() -> None:
    with running_app() as app, browser() as shown:
        page = shown.new_context(viewport={"width": 1280, "height": 1000}).new_page()
        outside: list[str] = []
        page.on(
            "request",
            lambda one: (
                None if app.url in one.url or one.url.startswith(("data:", "blob:")) else outside.append(one.url)
            ),
        )
        create_admin(page, app)
        sign_in(page, app)
        open_page(page, "Memories")
        page.get_by_role("button", name="Your data").click()
        page.get_by_role("button", name="Bring in notes, mail or chats").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible(timeout=WAIT_MS)
        shoot(page, "choose")
        dialog.locator("input[type=file]").set_input_files(
            {"name": "Garden.zip", "mimeType": "application/zip", "buffer": vault()}
        )
        expect(dialog.get_by_text("Notes, 4")).to_be_visible(timeout=WAIT_MS)
        settled(page)
        shoot(page, "preview")
        dialog.get_by_role("button", name="Take in 4 items").click()
        expect(page.get_by_text("The file is in")).to_be_visible(timeout=WAIT_MS)
        settled(page)
        expect(page.get_by_text("note old.md")).to_be_visible(timeout=WAIT_MS)
        shoot(page, "done")
        if os.environ.get("SHOTS"):
            page.set_viewport_size({"width": 420, "height": 900})
            settled(page)
            shoot(page, "done-420")
            page.emulate_media(color_scheme="dark")
            settled(page)
            shoot(page, "done-420-dark")
            page.set_viewport_size({"width": 1280, "height": 1000})
        expect(page.get_by_role("link", name=re.compile(r"Review \(\d"))).to_be_visible(timeout=WAIT_MS)
        assert outside == []
