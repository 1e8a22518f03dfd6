"""Hostile words in every field that somebody else can fill, on every page: no request leaves, nothing runs, nothing hides.

A listener counts what would reach it. Every page is looked at with its lists, drawers and menus opened, with the content
security policy and with the browser told to ignore it: escaping has to hold by itself (console.md §1.5, §4 test 7).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.bootstrap import build_layer
from core.intake import Submission
from core.model import Actor, HeldItem, Role, Ruling, RulingKind, SourceKind
from core.ports import HeldFilter
from core.settings import Settings
from tests.console.browser import PASSWORD, App, browser, chromium, settled, sign_in
from tests.factories import FixedClock

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(chromium() is None, reason="Chromium is not installed: install the package `chromium`"),
]
HIDDEN = "\u200b\u202e\u2066"  # a zero width space, an override and an isolate of direction
SETTLE_MS = 150


class Listener:
    """Counts the requests that reach it."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        seen = self.seen

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                seen.append(self.path)
                self.send_response(204)
                self.end_headers()

            do_POST = do_HEAD = do_OPTIONS = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    @contextmanager
    def running(self) -> Iterator[Listener]:
        thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.server.shutdown()
            thread.join()
            self.server.server_close()

    def evil(self, where: str) -> str:
        """One payload for every way in: markdown, HTML, script, style, formula, link, icon name, hidden characters."""
        at = f"{self.address}/{where}"
        return (
            f"![m]({at}-md.png) <img src={at}-img.png onerror=fetch('{at}-err')> <script>fetch('{at}-js')</script> "
            f"<style>@import url({at}-css);</style> $\\href{{{at}-tex}}{{x}}$ [l](javascript:fetch('{at}-link')) "
            f":material/home: <iframe src={at}-frame></iframe>{HIDDEN} <svg onload=fetch('{at}-svg')>"
        )


@dataclass
class Shown:
    app: App
    browser: Browser
    state: Path
    listener: Listener
    alarms: list[str] = field(default_factory=list)


def _say(layer, ada: Actor, text: str, channel: SourceKind = SourceKind.USER_TURN, **rest) -> None:
    given = {"source_ref": "c-evil", "actor": ada.user_id if channel is SourceKind.USER_TURN else channel.value}
    layer.agent.submit(
        Submission(scope=ada.scope, conversation_id="c-evil", channel=channel, text=text, **(given | rest))
    )
    layer.drain()


def _held(layer, actor: Actor) -> list[HeldItem]:
    return layer.ledger.held(HeldFilter(tenant=actor.tenant, owner=actor.user_id), limit=100)[0]


def _ruling(item: HeldItem, kind: RulingKind, note: str) -> Ruling:
    one = item.candidate
    return Ruling(
        candidate_id=one.candidate_id,
        kind=kind,
        seen_version=one.version,
        digest=one.digest,
        note=note,
        override=True,
    )


def fill(folder: Path, listener: Listener) -> None:
    """An installation whose every field that a stranger, a tool or a colleague can fill holds a payload."""
    evil = listener.evil
    settings = Settings(_env_file=None, chronomemory_data=folder, chronomemory_worker=False)
    clock = FixedClock(datetime.now(UTC) - timedelta(hours=1))
    layer = build_layer(settings, clock=clock)
    layer.start()
    try:
        assert layer.store is not None
        _until_ready(layer)
        layer.accounts.ensure_admin("ada", PASSWORD)
        _, token = layer.accounts.sign_in("ada", PASSWORD, "192.0.2.1", evil("agent"))
        ada = layer.accounts.resolve(token)
        assert ada is not None
        _say(layer, ada, f"My favourite picture is {evil('own')}")
        _say(layer, ada, "I live in Porto. My sister is called Mia.")
        page = {"source_ref": f"https://page.example/{evil('ref')}", "title": evil("title")}
        _say(layer, ada, f"The hall has {evil('web')} seats. You live in Lyon.", SourceKind.WEB_CONTENT, **page)
        _say(layer, ada, f"The bus leaves from {evil('order')} at nine.", SourceKind.WEB_CONTENT, **page)
        paper = {"source_ref": evil("file"), "title": evil("paper")}
        _say(layer, ada, f"The bridge is closed by {evil('doc')} today.", SourceKind.EXTERNAL_DOC, **paper)
        _say(layer, ada, f"The stock is {evil('tool')} boxes.", SourceKind.TOOL_OUTPUT, tool=evil("toolname")[:80])
        mail = {"actor": evil("sender"), "title": evil("subject"), "source_ref": evil("mail")}
        _say(layer, ada, f"The meeting is moved to {evil('word')} on Monday.", SourceKind.THIRD_PARTY, **mail)
        _say(layer, ada, f"Noted: the hall has {evil('note')} seats.", SourceKind.AGENT_TURN)
        items = _held(layer, ada)
        assert len(items) >= 4, [one.candidate.text for one in items]
        page_claim = next(one for one in items if "/web-" in one.candidate.text)
        for _ in range(2):  # it could do harm: who is alone says yes twice, some minutes apart
            layer.review.resolve(ada, _ruling(page_claim, RulingKind.PROMOTE, evil("promoted")))
            clock.forward(minutes=11)
        layer.drain()
        order = next(one for one in items if "/order-" in one.candidate.text)
        layer.review.resolve(ada, _ruling(order, RulingKind.REJECT, evil("reason")))
        offered = layer.accounts.invite(ada, Role.REVIEWER, "rev")
        layer.accounts.accept_invitation(offered, "rev", evil("name")[:60], PASSWORD)
        waiting = _held(layer, ada)[0].candidate.candidate_id
        other = next(one for one in layer.review.reviewers(ada) if one.username == "rev")
        layer.review.assign(ada, waiting, other.user_id, evil("asked"))
        layer.keys.create(ada, "agent")
    finally:
        layer.close()


def _until_ready(layer) -> None:
    for _ in range(600):
        if layer.health()["store"] == "ok" and layer.health()["embedding"] == "ok":
            return
        threading.Event().wait(0.2)
    raise AssertionError(layer.health())


@pytest.fixture(scope="module")
def shown(tmp_path_factory) -> Iterator[Shown]:
    state = tmp_path_factory.mktemp("state") / "state.json"
    folder = tmp_path_factory.mktemp("app")
    with Listener().running() as listener:
        fill(folder / "data", listener)
        app = App(folder=folder)
        app.start()
        try:
            with browser() as seen:
                context = seen.new_context()
                sign_in(context.new_page(), app)
                context.storage_state(path=state)
                context.close()
                yield Shown(app, seen, state, listener)
        finally:
            app.stop()


def addresses(page: Page) -> list[str]:
    """Every page of the navigation."""
    links = page.locator("[data-testid=stSidebarNavLink]")
    return [links.nth(at).get_attribute("href") or "" for at in range(links.count())]


def look_into(page: Page) -> None:
    """Open everything on the page that can be opened without deciding anything."""
    for tab in page.get_by_role("tab").all():
        tab.click()
        settled(page)
    for summary in page.locator("[data-testid=stExpander] summary").all():
        if summary.is_visible():
            summary.click()
            page.wait_for_timeout(SETTLE_MS)
    settled(page)
    for name in ("Why", "Attach", "Question", "Help"):
        button = page.get_by_role("main").get_by_role("button", name=name).first
        if button.count() and button.is_visible():
            button.click()
            settled(page)
            page.keyboard.press("Escape")
            settled(page)


@pytest.mark.parametrize("policy", ["with the policy", "without the policy"])
def test_hostile_words_stay_words_on_every_page(shown: Shown, policy: str) -> None:
    context = shown.browser.new_context(
        storage_state=shown.state, viewport={"width": 1440, "height": 1000}, bypass_csp=policy == "without the policy"
    )
    page = context.new_page()
    page.on("dialog", lambda dialog: (shown.alarms.append(dialog.message), dialog.dismiss()))
    page.goto(shown.app.url)
    settled(page)
    pages, marked = addresses(page), []
    assert len(pages) > 5
    pages += [f"/evidence?view={name}" for name in ("Patterns", "Sources", "Conversations", "Decay")]
    for address in pages:
        page.goto(address if address.startswith("http") else f"{shown.app.url}{address}")
        settled(page)
        if policy == "without the policy":
            look_into(page)
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
        reached = page.evaluate(
            "(at) => [...document.querySelectorAll('[src], [href], [srcset], [style]')]"
            ".map((one) => one.outerHTML.split('>')[0]).filter((one) => one.includes(at))",
            shown.listener.address,
        )
        assert reached == [], address
        assert (
            page.evaluate("() => document.querySelectorAll('main script, main iframe, main svg[onload]').length") == 0
        )
        if page.locator(".cm-esc").count():
            marked.append(address.rsplit("/", 1)[-1])
    page.wait_for_timeout(1_000)
    assert shown.listener.seen == []
    assert shown.alarms == []
    assert {"review", "memories"} <= set(marked), marked
    context.close()
