"""Pages and key presses as a person meets them: Chromium, timed inside the page."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import TimeoutError as NotInTime

from eval.bench_keys import Press

READY = "[data-testid=stApp][data-test-script-state=notRunning]"
WAIT_MS = 60_000
READ_MS = 450  # what a person needs at least to see what came; a decision on what was shown for less is not taken
ANSWER_MS = 20_000  # a key that nothing answers within this is not one of the page's
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"]

# From the key going down until the script has run and its last change is painted. A dialog that opens without a run of
# the script would never be seen here: all of the console's are drawn by one.
_WATCH = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  window.cmAnswer = new Promise((resolve) => {
    let began = 0, ran = false;
    document.addEventListener('keydown', () => { began = performance.now(); }, {capture: true, once: true});
    const watch = new MutationObserver(() => {
      const state = app.getAttribute('data-test-script-state');
      if (began && state !== 'notRunning') { ran = true; }
      if (ran && state === 'notRunning') {
        watch.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
      }
    });
    watch.observe(app, {attributes: true, attributeFilter: ['data-test-script-state']});
    setTimeout(() => { watch.disconnect(); resolve(-1); }, %d);
  });
}"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pressed:
    """Milliseconds of the presses that were answered, and how many were not."""

    answered: list[float]
    missed: int


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium.

    Raises:
        RuntimeError: it is not installed.
    """
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        msg = "Chromium is not installed (package: chromium)"
        raise RuntimeError(msg)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def signed_in(browser: Browser, base: str, username: str, password: str) -> BrowserContext:
    """A browser context with a session."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000})
    page = context.new_page()
    page.goto(f"{base}/login")
    page.fill("input[name=username]", username)
    page.fill("input[name=password]", password)
    page.click("button[type=submit]")
    page.wait_for_selector(READY, timeout=WAIT_MS)
    page.close()
    return context


def loads(context: BrowserContext, address: str, times: int) -> list[float]:
    """Milliseconds from asking for an address in a new tab until its script has run and the page can be used."""
    found = []
    for _ in range(times):
        page = context.new_page()
        began = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.wait_for_selector(READY, timeout=WAIT_MS)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found.append((time.perf_counter() - began) * 1000)
        page.close()
    return found


def presses(context: BrowserContext, address: str, press: Press, times: int) -> Pressed:
    """Press one key `times` times on the review page."""
    page = context.new_page()
    page.goto(f"{address}?view={press.view}" if press.view else address)
    _settle(page)
    answered: list[float] = []
    missed = 0
    for _ in range(times):
        _type(page, press.before)
        milliseconds = _timed(page, press.key)
        if milliseconds < 0:
            missed += 1
            if (
                not answered and missed > 1
            ):  # the page has no such key: twenty seconds a press are not worth waiting for
                break
        else:
            answered.append(milliseconds)
        _type(page, press.after)
    page.close()
    return Pressed(answered=answered, missed=missed)


def _timed(page: Page, key: str) -> float:
    page.evaluate(_WATCH % ANSWER_MS)
    page.keyboard.press(key)
    return float(page.evaluate("() => window.cmAnswer"))


def _type(page: Page, keys: Sequence[str]) -> None:
    for key in keys:
        page.keyboard.press(key)
        _settle(page)


def _settle(page: Page) -> None:
    page.wait_for_timeout(150)  # the run that a key asks for begins a moment after it
    try:
        page.wait_for_selector(READY, timeout=WAIT_MS)
    except NotInTime:
        msg = "the page did not come to rest"
        raise RuntimeError(msg) from None
    page.wait_for_timeout(READ_MS)
