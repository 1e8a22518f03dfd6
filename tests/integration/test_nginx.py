"""deploy/nginx.conf before the served console: the very file, with its addresses put in the places of this test."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.console.fake_layer import MEMBER
from tests.console.test_served import answers, make_site, run_page, sign_in, socket_of

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
HTML = {"accept": "text/html"}
pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed: install the package `nginx-light`")

MAIN = """
daemon off;
{user}
worker_processes 1;
pid {folder}/pid;
error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    default_type application/octet-stream;
    include {folder}/site.conf;
}}
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Front:
    """nginx on `base` before the console on `behind`."""

    base: str
    port: int
    behind: str
    log: Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def once(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in deploy/nginx.conf"
    return text.replace(old, new)


def site_of(folder: Path, port: int, console: int, *, rate: str, tls: bool) -> str:
    """The sample for this test's ports, rate and, with `tls`, a certificate made here."""
    text = once(SAMPLE, "server 127.0.0.1:8501;", f"server 127.0.0.1:{console};")
    text = once(text, "rate=12r/m", f"rate={rate}")
    text = once(text, "/var/log/nginx/chronomemory.log", str(folder / "access.log"))
    if not tls:
        return once(text, "\n    listen 80;\n    #", f"\n    listen 127.0.0.1:{port};\n    #")
    text = once(text, "\n    listen 80;\n    #", "\n    #")
    text = re.sub(r"^#tls server \{\n(?:#tls .*\n)*?#tls \}\n", "", text, count=1, flags=re.MULTILINE)
    text = text.replace("#tls ", "")
    text = once(text, "listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;")
    return text.replace("/etc/ssl/chronomemory/", f"{folder}/")


@contextmanager
def nginx(folder: Path, console: int, *, rate: str = "12r/m", tls: bool = False) -> Iterator[Front]:
    folder.mkdir()
    folder.chmod(0o755)
    port = free_port()
    if tls:
        make_certificate(folder)
    (folder / "site.conf").write_text(site_of(folder, port, console, rate=rate, tls=tls), encoding="utf-8")
    user = "user root;" if os.geteuid() == 0 else ""  # the test's folder is its own
    (folder / "main.conf").write_text(MAIN.format(folder=folder, user=user), encoding="utf-8")
    command = [str(NGINX), "-p", str(folder), "-c", str(folder / "main.conf"), "-e", str(folder / "error.log")]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False, timeout=20)
    assert checked.returncode == 0, checked.stderr
    process = subprocess.Popen(command)
    base = f"{'https' if tls else 'http'}://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 20
        while not reachable(port):
            assert process.poll() is None, (folder / "error.log").read_text()
            assert time.monotonic() < deadline, (folder / "error.log").read_text()
            time.sleep(0.05)
        yield Front(base=base, port=port, behind=f"http://127.0.0.1:{console}", log=folder / "access.log")
    finally:
        process.terminate()
        process.wait(timeout=20)


def reachable(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def make_certificate(folder: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed: install the package `openssl`")
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*command, *files], check=True, capture_output=True, timeout=60)


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The served console; it believes proxies on 127.0.0.1. Gives its port."""
    site, port = make_site(tmp_path_factory.mktemp("behind")), free_port()
    serve = [sys.executable, str(ROOT / "tests" / "console" / "serve_fake.py"), str(site), str(port)]
    log = site.parent / "log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            serve, stdout=out, stderr=out, env=os.environ | {"CHRONOMEMORY_TRUSTED_PROXIES": "127.0.0.1"}
        )
        try:
            deadline = time.monotonic() + 120
            while not answers(f"http://127.0.0.1:{port}"):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.1)
            yield port
        finally:
            process.terminate()
            process.wait(timeout=20)


@pytest.fixture(scope="module")
def front(console: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with nginx(tmp_path_factory.mktemp("front") / "nginx", console, rate="1000r/s") as running:
        yield running


def browser_of(base: str, *, address: str = "127.0.0.1", verify: bool = True) -> httpx.Client:
    transport = httpx.HTTPTransport(local_address=address, verify=verify)
    return httpx.Client(base_url=base, transport=transport, trust_env=False, timeout=30)


def try_password(browser: httpx.Client, origin: str, name: str, **headers: str) -> httpx.Response:
    page = browser.get("/login", headers=HTML)
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))
    given = {**fields, "username": name, "password": "not the password"}
    return browser.post("/login", data=given, headers={"origin": origin, **headers})


def test_sign_in_and_the_pages_socket_work_through_it(front: Front):
    with browser_of(front.base) as browser:
        page = browser.get("/login", headers=HTML)
        assert page.status_code == 200
        assert "<h1>Sign in</h1>" in page.text
        sign_in(SimpleNamespace(base=front.base), browser, MEMBER)
        assert browser.get("/review", headers=HTML).status_code == 200
        with socket_of(SimpleNamespace(base=front.base, port=front.port), browser) as connection:
            _, texts = run_page(connection, "review")
            assert "review page" in texts
            assert MEMBER in texts


def test_a_socket_without_a_session_or_from_another_page_is_refused(front: Front):
    with pytest.raises(InvalidStatus) as refused:
        socket_of(SimpleNamespace(base=front.base, port=front.port), None)
    assert refused.value.response.status_code == 401
    with browser_of(front.base) as browser:
        sign_in(SimpleNamespace(base=front.base), browser, MEMBER)
        with pytest.raises(InvalidStatus) as foreign:
            socket_of(SimpleNamespace(base="http://elsewhere.example", port=front.port), browser)
    assert foreign.value.response.status_code == 403


def test_security_headers_and_cookie_flags_survive(front: Front):
    with browser_of(front.base) as browser:
        through = browser.get("/login", headers=HTML)
    with browser_of(front.behind) as browser:
        direct = browser.get("/login", headers=HTML)
    kept = {"x-request-id", "date", "server", "connection", "content-length", "set-cookie", "transfer-encoding"}
    assert {k: v for k, v in through.headers.items() if k not in kept} == {
        k: v for k, v in direct.headers.items() if k not in kept
    }
    assert through.headers["content-security-policy"].startswith("default-src 'none'")
    assert through.headers["server"] == "nginx"  # no version
    cookie = through.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie  # plain HTTP: such a cookie would never come back


def test_over_tls_cookies_are_secure_by_the_proxys_word(console: int, tmp_path: Path):
    running = nginx(tmp_path / "tls", console, rate="1000r/s", tls=True)
    with running as front, browser_of(front.base, verify=False) as browser:
        page = browser.get("/login", headers=HTML)
        assert page.headers["strict-transport-security"].startswith("max-age=")
        cookie = page.headers["set-cookie"]
        assert cookie.startswith("__Host-chronomemory-form=")
        assert "secure" in cookie.lower()
        sign_in(SimpleNamespace(base=front.base), browser, MEMBER)
        assert "__Host-chronomemory" in {one.name for one in browser.cookies.jar}
        assert browser.get("/review", headers=HTML).status_code == 200


def test_a_spoofed_address_does_not_change_who_is_throttled(front: Front):
    def attempts(browser: httpx.Client, origin: str) -> list[int]:
        """Wrong passwords of ever other accounts from ever other claimed addresses, until it is enough."""
        seen = []
        for number in range(30):
            claimed = f"203.0.113.{number + 1}"
            answer = try_password(
                browser, origin, f"nobody{number}", **{"x-forwarded-for": claimed, "x-real-ip": claimed}
            )
            seen.append(answer.status_code)
            if answer.status_code == 429:
                assert "Too many attempts" in answer.text  # the console's own, not nginx's
                break
        return seen

    with browser_of(front.base, address="127.0.0.2") as guessing:
        seen = attempts(guessing, front.base)
    assert seen[-1] == 429
    assert seen[:-1] == [401] * (len(seen) - 1)
    with browser_of(front.base, address="127.0.0.3") as another:  # the real client counts: others are not in the way
        assert try_password(another, front.base, "somebody").status_code == 401
    with browser_of(front.behind, address="127.0.0.4") as past:  # past the proxy, where nobody's header is believed
        assert attempts(past, front.behind)[-1] == 429


def announced(base: str, path: str, size: int) -> str:
    """What is answered to a body of this size before any of it is sent."""
    host, _, port = base.removeprefix("http://").partition(":")
    head = f"PUT {path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(head.encode())
        line.settimeout(20)
        return b"".join(iter(lambda: line.recv(4096), b"")).decode()


def test_a_body_too_large_is_said_so_before_it_reaches_the_console(front: Front):
    upload, megabyte = "/_stcore/upload_file/a/b", 1024 * 1024
    for path, limit in ((upload, 200), ("/chat", 6)):
        answer = announced(front.base, path, limit * megabyte + 1)
        assert answer.startswith("HTTP/1.1 413")
        assert f"the limit is {limit} MB" in answer
    with browser_of(front.base) as browser:
        sign_in(SimpleNamespace(base=front.base), browser, MEMBER)
        fits = browser.put(upload, content=b"x" * (7 * megabyte), headers={"origin": front.base})
        assert fits.status_code != 413
        assert browser.post("/login", content=b"x" * 20_000, headers={"origin": front.base}).status_code == 413


def test_the_limit_is_the_consoles_own():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    megabytes = config["server"]["maxUploadSize"]
    assert f"client_max_body_size {megabytes}m;" in SAMPLE
    assert f"the limit is {megabytes} MB" in SAMPLE


def test_passwords_are_tried_at_a_slow_rate_and_the_form_can_be_looked_at(console: int, tmp_path: Path):
    with nginx(tmp_path / "slow", console) as front, browser_of(front.base, address="127.0.0.5") as browser:
        seen = [try_password(browser, front.base, f"anybody{number}") for number in range(9)]
        limited = [one for one in seen if one.status_code == 429 and "Too many attempts" not in one.text]
        assert limited
        assert seen[0].status_code == 401
        assert [browser.get("/login", headers=HTML).status_code for _ in range(20)] == [200] * 20


def test_scripts_are_compressed_and_forms_are_not(front: Front):
    with browser_of(front.base) as browser:
        sign_in(SimpleNamespace(base=front.base), browser, MEMBER)
        script = re.search(r'src="\./(static/js/[^"]+\.js)"', browser.get("/", headers=HTML).text)
        assert script
        assert browser.get(f"/{script[1]}").headers["content-encoding"] == "gzip"
        assert "content-encoding" not in browser.get("/logout", headers=HTML).headers
    with browser_of(front.base) as stranger:
        assert "content-encoding" not in stranger.get("/login", headers=HTML).headers


def test_one_time_tokens_do_not_reach_its_log(front: Front):
    with browser_of(front.base) as browser:
        browser.get("/invite?token=one-time-secret", headers=HTML)
    time.sleep(0.2)
    log = front.log.read_text(encoding="utf-8")
    assert "GET /invite" in log
    assert "one-time-secret" not in log
