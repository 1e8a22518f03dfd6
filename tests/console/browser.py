"""The real app in a process of its own, and Chromium to look at it with."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.nursery import Nursery

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "correct horse battery"
START_SECONDS = 180
WAIT_MS = 60_000
READ_MS = 500  # the least that a person needs to see a claim; console/acts.py takes no decision on one shown for less
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def chromium() -> str | None:
    """Debian's Chromium, or None."""
    return shutil.which("chromium") or shutil.which("google-chrome")


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class Consoles(Nursery):
    """The process that forks consoles (`tests/console/nursery.py`); one a test process, started when first asked."""

    def fork(self, log: Path, environment: dict[str, str]) -> int:
        """The id of a new console's process."""
        return int(self.ask({"log": str(log), "environment": environment})["pid"])

    def wait(self, pid: int) -> int:
        """The exit code of a console that was told to end; negative for a signal."""
        return int(self.ask({"wait": pid})["code"])


@cache
def nursery() -> Consoles:
    made = Consoles("tests.console.nursery")
    atexit.register(made.close)
    return made


@dataclass
class App:
    """A running console: forked, or begun by `python app.py` as a person does it, which takes ten seconds more."""

    folder: Path
    port: int = field(default_factory=free_port)
    env: dict[str, str] = field(default_factory=dict)
    forked: bool = True
    _pid: int | None = None
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def start(self) -> None:
        path = self.folder / "log"
        environment = {"CHRONOMEMORY_DATA": str(self.folder / "data"), "PORT": str(self.port), "PYTHONUNBUFFERED": "1"}
        if self.forked:
            path.touch()
            self._pid = nursery().fork(path, environment | self.env)
        else:
            with path.open("ab") as log:
                self._process = subprocess.Popen(
                    [sys.executable, "app.py"],
                    cwd=ROOT,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=os.environ | environment | self.env,
                )
        self.wait_ready()

    def wait_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                with urlopen(f"{self.url}/readyz", timeout=5) as answer:
                    if answer.status == 200:
                        return
            except (URLError, OSError):
                pass
            time.sleep(0.3)
        raise AssertionError(f"the console did not become ready:\n{self.log}")

    def stop(self) -> None:
        if self._pid is not None:
            os.kill(self._pid, signal.SIGTERM)
            nursery().wait(self._pid)
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=60)

    def setup_link(self) -> str:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            found = re.search(r"http://\S+/setup\?token=\S+", self.log)
            if found:
                return found.group().replace("localhost", "127.0.0.1")
            time.sleep(0.2)
        raise AssertionError(f"no set-up link was printed:\n{self.log}")


@contextmanager
def running_app(*, forked: bool = True) -> Iterator[App]:
    with tempfile.TemporaryDirectory(prefix="chronomemory-app-", ignore_cleanup_errors=True) as folder:
        app = App(folder=Path(folder), forked=forked)
        app.start()
        try:
            yield app
        finally:
            app.stop()


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        shown = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield shown
        shown.close()


def settled(page: Page) -> None:
    """Wait until Streamlit has finished its run."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=WAIT_MS)
    page.wait_for_timeout(300)


def decide_shown(page: Page, claim: str, button: str, outcome: str, *, clicks: int = 1) -> None:
    """Press a verb once the card shows `claim`, as early as a person could, and wait until it is said to be done."""
    expect(page.locator(".cm-claim").first).to_contain_text(claim, timeout=WAIT_MS)
    settled(page)
    page.wait_for_timeout(READ_MS)
    page.get_by_role("button", name=button).click(click_count=clicks)
    expect(page.locator(".st-key-review-undo-line")).to_contain_text(outcome, timeout=WAIT_MS)
    settled(page)


def create_admin(page: Page, app: App) -> None:
    page.goto(app.setup_link())
    page.fill("input[name=username]", "ada")
    page.fill("input[name=password]", PASSWORD)
    for repeat in page.locator("input[name=repeat], input[name=password2], input[name=again]").all():
        repeat.fill(PASSWORD)
    page.click("button[type=submit]")


def sign_in(page: Page, app: App, name: str = "ada") -> None:
    page.goto(f"{app.url}/login")
    page.fill("input[name=username]", name)
    page.fill("input[name=password]", PASSWORD)
    page.click("button[type=submit]")
    settled(page)


def say(page: Page, text: str, expected: str | re.Pattern[str]) -> None:
    """Type into the chat and wait for an answer that holds `expected`."""
    box = page.locator("[data-testid=stChatInput] textarea").first
    box.fill(text)
    box.press("Enter")
    expect(page.locator("[data-testid=stChatMessage]").filter(has_text=expected).last).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=WAIT_MS)
    settled(page)


def attach_page(page: Page, address: str, text: str) -> None:
    """Attach a pasted page to the open chat."""
    page.get_by_role("button", name="Attach").first.click()
    page.get_by_text("Web page", exact=True).click()
    page.get_by_label("Address").fill(address)
    page.get_by_label("Text of the page").fill(text)
    page.get_by_label("Text of the page").blur()
    settled(page)
    page.get_by_role("button", name="Attach to this chat").click()


def new_chat(page: Page) -> None:
    page.get_by_role("button", name="New chat").click()
    expect(page.locator("[data-testid=stChatMessage]")).to_have_count(0, timeout=WAIT_MS)
    settled(page)


def open_page(page: Page, name: str) -> None:
    page.locator("[data-testid=stSidebarNav]").get_by_role("link", name=re.compile(f"^.*{name}")).click()
    settled(page)
