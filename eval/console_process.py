"""The console's own process on a data folder, and a client that speaks to it as Streamlit's page does."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[1]
READY_SECONDS = 180.0
RUN_SECONDS = 60.0  # one run of a page's script, at most


@dataclass(frozen=True, kw_only=True, slots=True)
class PageOf:
    """One entry of the console's navigation."""

    title: str
    path: str  # "" is the front page


@dataclass(frozen=True, kw_only=True, slots=True)
class Ran:
    """One run of a page's script as the client saw it."""

    seconds: float
    problems: tuple[str, ...]  # what the page showed as an exception
    pages: tuple[PageOf, ...]


@contextmanager
def served(data: Path, **environment: str) -> Iterator[str]:
    """The console on a free loopback port until the block ends; gives its address once it is ready."""
    with running(data, [sys.executable, "app.py"], **environment) as base:
        yield base


@contextmanager
def running(data: Path, program: list[str], **environment: str) -> Iterator[str]:
    """A program of ours that serves a data folder, as `served` says."""
    port = free_port()
    given = {"CHRONOMEMORY_DATA": str(data), "PORT": str(port), "DATABASE_URL": "", "OPENAI_BASE_URL": ""} | environment
    command = ["env", *(f"{name}={value}" for name, value in given.items()), *program]
    with _running(command, ROOT, data / "console.log", f"http://127.0.0.1:{port}", "/readyz") as base:
        yield base


@contextmanager
def empty_page(folder: Path) -> Iterator[str]:
    """A Streamlit app with one word on it: what a browser needs before any page of ours can be drawn."""
    (folder / "empty.py").write_text('import streamlit as st\n\nst.text("empty")\n', encoding="utf-8")
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "empty.py", "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1", "--browser.gatherUsageStats=false"]
    with _running(command, folder, folder / "empty.log", f"http://127.0.0.1:{port}", "/_stcore/health") as base:
        yield base


def free_port() -> int:
    """A port of this machine on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _running(command: list[str], cwd: Path, log: Path, base: str, health: str) -> Iterator[str]:
    with log.open("ab") as out:
        process = subprocess.Popen(command, cwd=cwd, stdout=out, stderr=out)
    try:
        until_ready(f"{base}{health}", process, log)
        yield base
    finally:
        process.terminate()
        process.wait(timeout=60)


def until_ready(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until an address answers 200.

    Raises:
        RuntimeError: the process ended, or READY_SECONDS went by; with the end of its log.
    """
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310 - loopback
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.2)
    msg = f"the console did not become ready:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}"
    raise RuntimeError(msg)


@dataclass(kw_only=True)
class Client:
    """One signed-in browser session without a browser: cookies, and Streamlit's WebSocket."""

    base: str
    cookies: dict[str, str] = field(default_factory=dict)
    _socket: ClientConnection | None = None

    def sign_in(self, username: str, password: str) -> None:
        """By the sign-in form, with its CSRF token.

        Raises:
            RuntimeError: the console said no.
        """
        with httpx.Client(base_url=self.base, trust_env=False, timeout=60) as browser:
            page = browser.get("/login", headers={"accept": "text/html"})
            fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
            answer = browser.post(
                "/login", data={**fields, "username": username, "password": password}, headers={"origin": self.base}
            )
            if answer.status_code != 303:
                msg = f"signing in as {username} was answered with {answer.status_code}"
                raise RuntimeError(msg)
            self.cookies = {one.name: one.value or "" for one in browser.cookies.jar}

    def connect(self) -> None:
        """Open the WebSocket."""
        self._socket = connect(
            self.base.replace("http", "ws", 1) + "/_stcore/stream",
            origin=self.base,  # type: ignore[arg-type]
            subprotocols=["streamlit", "xsrf"],  # type: ignore[list-item]
            additional_headers={"cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())},
            proxy=None,
            max_size=None,
            open_timeout=60,
        )

    def close(self) -> None:
        """Close the WebSocket."""
        if self._socket is not None:
            self._socket.close()

    def run(self, path: str, query: str = "") -> Ran:
        """Run a page's script from the message that asks for it to the one that says it is finished.

        Raises:
            TimeoutError: it did not finish in RUN_SECONDS.
        """
        if self._socket is None:
            msg = "connect first"
            raise RuntimeError(msg)
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = path
        began = time.perf_counter()
        self._socket.send(message.SerializeToString())
        problems: list[str] = []
        pages: tuple[PageOf, ...] = ()
        started = False
        while True:
            left = RUN_SECONDS - (time.perf_counter() - began)
            data = self._socket.recv(timeout=max(0.0, left))
            forward = ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode())
            kind = forward.WhichOneof("type")
            if kind == "new_session":
                started = True
            elif kind == "navigation":
                pages = tuple(
                    PageOf(title=one.page_name, path="" if one.is_default else one.url_pathname)
                    for one in forward.navigation.app_pages
                )
            elif kind == "delta" and forward.delta.new_element.WhichOneof("type") == "exception":
                problems.append(forward.delta.new_element.exception.message)
            elif kind == "script_finished" and started:
                return Ran(seconds=time.perf_counter() - began, problems=tuple(problems), pages=pages)
