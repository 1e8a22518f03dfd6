"""The console in a process of its own: Streamlit behind the gate, stub pages that leave a mark when they run."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.console.fake_layer import ADMIN, AGENT_KEY, MEMBER, PASSWORD, FakeLayer, install

ROOT = Path(__file__).resolve().parents[2]
PAGES = tuple(sorted(page.stem for page in (ROOT / "pages").glob("[!_]*.py")))  # every page there is, new ones included
STUB = """
from pathlib import Path
import streamlit as st
from console import session
Path(__file__).with_suffix(".ran").touch()
st.title("{name} page")
st.text(session.current_actor().username)
st.markdown("![](http://127.0.0.1:9/picture.png)")
st.dataframe({{"n": [1, 2]}})
st.chat_input("Say something")
st.file_uploader("A file")
"""


def make_site(folder: Path) -> Path:
    """A copy of the console whose pages are stubs."""
    site = folder / "site"
    shutil.copytree(ROOT / "console", site / "console", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / ".streamlit", site / ".streamlit")
    shutil.copy(ROOT / "app.py", site)
    (site / "pages").mkdir()
    for name in PAGES:
        (site / "pages" / f"{name}.py").write_text(STUB.format(name=name), encoding="utf-8")
    return site


@contextmanager
def served(site: Path, *options: str) -> Iterator[SimpleNamespace]:
    """The site on a free port; `log` reads what the process has written."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = site.parent / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "tests" / "console" / "serve_fake.py"), str(site), str(port), *options],
            stdout=out,
            stderr=out,
        )
        try:
            base = f"http://127.0.0.1:{port}"
            deadline = time.monotonic() + 60
            while not answers(base):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.1)
            yield SimpleNamespace(site=site, base=base, port=port, log=log.read_text, ran=lambda: ran(site))
        finally:
            process.terminate()
            process.wait(timeout=20)


def answers(base: str) -> bool:
    try:
        return httpx.get(f"{base}/healthz", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def ran(site: Path) -> list[str]:
    """Pages that have run since the last call."""
    marks = sorted((site / "pages").glob("*.ran"))
    for mark in marks:
        mark.unlink()
    return [mark.stem for mark in marks]


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    with served(make_site(tmp_path_factory.mktemp("served"))) as running:
        yield running


@contextmanager
def client(console: SimpleNamespace, username: str = "") -> Iterator[httpx.Client]:
    """A browser, signed in if a name is given."""
    with httpx.Client(base_url=console.base, trust_env=False) as browser:
        if username:
            sign_in(console, browser, username)
        yield browser


def sign_in(console: SimpleNamespace, browser: httpx.Client, username: str) -> None:
    page = browser.get("/login", headers={"accept": "text/html"})
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    answer = browser.post(
        "/login", data={**fields, "username": username, "password": PASSWORD}, headers={"origin": console.base}
    )
    assert answer.status_code == 303


def socket_of(console: SimpleNamespace, browser: httpx.Client | None, resume: str = "") -> ClientConnection:
    """Streamlit's WebSocket; `resume` is the Streamlit session id to take up again."""
    cookies = "; ".join(f"{one.name}={one.value}" for one in browser.cookies.jar) if browser else ""
    return connect(
        f"ws://127.0.0.1:{console.port}/_stcore/stream",
        origin=console.base,  # type: ignore[arg-type]
        subprotocols=["streamlit", "xsrf", *([resume] if resume else [])],  # type: ignore[list-item]
        additional_headers={"cookie": cookies} if cookies else {},
        proxy=None,
        max_size=None,
    )


def run_page(connection: ClientConnection, page: str) -> tuple[str, list[str]]:
    """Run a page; returns Streamlit's session id and the texts shown."""
    message = BackMsg()
    message.rerun_script.query_string = ""
    message.rerun_script.page_name = page
    connection.send(message.SerializeToString())
    session_id, texts = "", []
    while True:
        data = connection.recv(timeout=20)
        assert isinstance(data, bytes)
        forward = ForwardMsg.FromString(data)
        kind = forward.WhichOneof("type")
        if kind == "new_session":
            session_id = forward.new_session.initialize.session_id
        elif kind == "delta" and forward.delta.new_element.WhichOneof("type") in {"text", "heading"}:
            element = forward.delta.new_element
            texts.append(element.text.body or element.heading.body)
        elif kind == "script_finished" and session_id:
            return session_id, texts


def test_no_script_runs_for_a_stranger(console: SimpleNamespace) -> None:
    console.ran()
    with client(console) as browser:
        for path in ("/", *(f"/{name}" for name in PAGES), "/console/main.py", "/pages/review.py", "/~/+/review"):
            assert browser.get(path, headers={"accept": "text/html"}).status_code == 303, path
            assert browser.get(path).status_code == 401, path
        for path in (
            "/_stcore/health",
            "/_stcore/script-health-check",
            "/_stcore/metrics",
            "/_stcore/agent/openapi.json",
        ):
            assert browser.get(path).status_code == 401, path
        assert browser.post("/_stcore/agent/interact", json={}).status_code == 401
    with pytest.raises(InvalidStatus) as refused:
        socket_of(console, None)
    assert refused.value.response.status_code == 401
    assert console.ran() == []


def test_a_person_reaches_every_page(console: SimpleNamespace) -> None:
    with client(console, MEMBER) as browser, socket_of(console, browser) as connection:
        for name in PAGES:
            page = "" if name == "chat" else name
            assert browser.get(f"/{page}", headers={"accept": "text/html"}).status_code == 200
            _, texts = run_page(connection, page)
            assert f"{name} page" in texts
            assert MEMBER in texts
        assert console.ran() == sorted(PAGES)


def test_another_persons_cookie_with_a_live_session_id_gets_a_fresh_session(console: SimpleNamespace) -> None:
    with (
        client(console, ADMIN) as ada,
        client(console, MEMBER) as mem,
        client(console, ADMIN) as ada_again,
        socket_of(console, ada) as hers,
    ):
        live, _ = run_page(hers, "review")
        for other, name in ((mem, MEMBER), (ada_again, ADMIN)):  # another person; the same person's other sign-in
            with socket_of(console, other, resume=live) as taken:
                session_id, texts = run_page(taken, "review")
                assert session_id != live
                assert name in texts
        assert run_page(hers, "review")[0] == live  # hers was left alone
    with client(console) as stranger, pytest.raises(InvalidStatus):
        socket_of(console, stranger, resume=live)


def test_the_same_sign_in_takes_its_session_up_again(console: SimpleNamespace) -> None:
    with client(console, MEMBER) as browser:
        with socket_of(console, browser) as connection:
            live, _ = run_page(connection, "review")
        with socket_of(console, browser, resume=live) as connection:
            assert run_page(connection, "review")[0] == live


def test_an_open_tab_shows_nothing_after_the_session_ended(console: SimpleNamespace) -> None:
    with client(console, MEMBER) as browser, socket_of(console, browser) as connection:
        run_page(connection, "review")
        console.ran()
        page = browser.get("/logout", headers={"accept": "text/html"})
        csrf = re.search(r'name="csrf" value="([^"]*)"', page.text)
        assert csrf
        browser.post("/logout", data={"csrf": csrf[1]}, headers={"origin": console.base})
        _, texts = run_page(connection, "review")
        assert texts == ["You are signed out"]
        assert console.ran() == []


def test_agent_api_is_off_even_for_an_admin(console: SimpleNamespace) -> None:
    console.ran()
    with client(console, ADMIN) as browser:
        assert browser.post("/_stcore/agent/interact", json={}, headers={"origin": console.base}).status_code == 404
        assert browser.get("/_stcore/metrics").status_code == 200
    assert console.ran() == []


def test_programs_reach_mcp_with_a_key_and_never_with_a_cookie(console: SimpleNamespace) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    with client(console, ADMIN) as browser:
        refused = browser.post("/mcp", json=message, headers=headers, timeout=60)  # the first call makes it
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
        listed = browser.post("/mcp", json=message, headers=headers | {"authorization": f"Bearer {AGENT_KEY}"})
        assert listed.status_code == 200, listed.text
        assert listed.json()["result"]["tools"][0]["name"] == "remember"
        assert listed.headers["x-content-type-options"] == "nosniff"
        elsewhere = browser.post("/mcp", json=message, headers=headers | {"host": "elsewhere.example"})
        assert elsewhere.status_code == 400


def test_every_answer_names_its_request_and_metrics_need_a_token(console: SimpleNamespace) -> None:
    with client(console, ADMIN) as browser:
        answer = browser.get("/healthz", headers={"x-request-id": "r-7"})
        assert (answer.status_code, answer.headers["x-request-id"]) == (200, "r-7")
        closed = browser.get("/metrics", timeout=60)  # a session opens nothing; there is no token here
        assert closed.status_code == 404
        assert len(closed.headers["x-request-id"]) == 32


def test_store_down_and_up_again(console: SimpleNamespace) -> None:
    switch = console.site / "down"
    with client(console, MEMBER) as browser:
        with socket_of(console, browser) as connection:
            run_page(connection, "review")
            console.ran()
            switch.touch()
            try:
                answer = browser.get("/review", headers={"accept": "text/html"})
                assert (answer.status_code, "The store is not reachable" in answer.text) == (503, True)
                run_page(connection, "review")
                assert console.ran() == []
            finally:
                switch.unlink()
            assert "review page" in run_page(connection, "review")[1]
        assert browser.get("/review", headers={"accept": "text/html"}).status_code == 200


def test_first_start_writes_the_set_up_link(tmp_path: Path) -> None:
    with served(make_site(tmp_path), "empty") as console:
        deadline = time.monotonic() + 20
        while not (link := re.search(r"Set-up link: http://localhost:\d+(/setup\?token=\S+)", console.log())):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        with client(console) as browser:
            assert "Make the admin account" in browser.get(link[1], headers={"accept": "text/html"}).text


def test_a_changed_option_refuses_to_start(tmp_path: Path) -> None:
    site = make_site(tmp_path)
    config = site / ".streamlit" / "config.toml"
    config.write_text(config.read_text().replace("enableAgentApi = false", "enableAgentApi = true"))
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "console" / "serve_fake.py"), str(site), "0"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert "Refusing to start: server.enableAgentApi must be False" in done.stderr + done.stdout


# --- the hole of Streamlit's own pages folder (console.md §1.1) ------------------------------------------------------


def app_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, AppTest]:
    site = make_site(tmp_path)
    monkeypatch.setitem(sys.modules, "core.bootstrap", install(FakeLayer().with_people()))
    return site, AppTest.from_file(str(site / "console" / "main.py"), default_timeout=30)


def test_switching_to_any_page_shows_a_stranger_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site, test = app_test(tmp_path, monkeypatch)
    test.run()
    for name in PAGES:
        test.switch_page(str(site / "pages" / f"{name}.py")).run()
        assert [element.value for element in test.subheader] == ["You are signed out"], name
        assert not test.title
        assert not test.exception
    assert ran(site) == []


@pytest.mark.browser
def test_no_page_makes_an_outside_request_and_the_policy_is_quiet(console: SimpleNamespace) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("install the package chromium")
    outside, complaints = [], []
    with playwright.sync_playwright() as driver:
        engine = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = engine.new_page(viewport={"width": 420, "height": 800})
        page.on("request", lambda request: outside.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(f"{console.base}/review")
        assert page.url.endswith("/login?next=%2Freview")
        page.fill("#username", ADMIN)
        page.fill("#password", PASSWORD)
        page.click("button")
        for name in PAGES:
            page.goto(f"{console.base}/{'' if name == 'chat' else name}")
            page.wait_for_selector(f"text={name} page")
            page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
        assert page.evaluate("document.documentElement.scrollWidth <= 420")
        page.click("[data-testid=stExpandSidebarButton]")
        page.click("text=Sign out")
        page.wait_for_url("**/login?notice=out")
        assert page.context.cookies(console.base)
        assert "chronomemory" not in {one["name"] for one in page.context.cookies(console.base)}
        engine.close()
    own = (console.base, f"ws://127.0.0.1:{console.port}", "data:", "blob:")
    assert {url for url in outside if not url.startswith(own)} == {"http://127.0.0.1:9/picture.png"}  # and see next
    violations = [text for text in complaints if "Content Security Policy" in text]
    assert len(violations) >= len(PAGES)
    assert all("http://127.0.0.1:9/picture.png" in text for text in violations)  # blocked; nothing else is
