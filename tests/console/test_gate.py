"""The gate, as raw ASGI around an app that tells what reached it."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from console.gate import Gate
from console.headers import app_policy
from console.incoming import client_address, host_allowed, safe_target
from console.startup import IDENTITY_HEADERS, REQUIRED_OPTIONS, Startup, check_options
from core.errors import LedgerUnavailable, Misconfigured, NotAuthorised
from core.model import Role
from core.settings import Settings
from tests.console.fake_layer import ADMIN, MEMBER, PASSWORD, FakeLayer

HOST = "console:8501"
NAVIGATE = {"accept": "text/html", "sec-fetch-mode": "navigate"}


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Stands for Streamlit: answers with what reached it."""
    headers = {name.decode(): value.decode() for name, value in scope["headers"]}
    if scope["type"] == "http":
        await JSONResponse({"path": scope["path"], "headers": headers})(scope, receive, send)
    else:
        await receive()
        await send({"type": "websocket.accept", "headers": [], "reached": headers})


class Browser:
    """Speaks to the gate like a browser: keeps cookies, posts forms with their hidden fields."""

    def __init__(self, layer: FakeLayer | None, **settings: Any) -> None:
        self.startup = Startup(Settings(_env_file=None, **settings), lambda: layer)  # type: ignore[arg-type,return-value]
        self.startup._layer = layer
        self.layer = layer
        self.gate = Gate(echo, self.startup)
        self._loop = asyncio.Runner()
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(self.gate), base_url=f"http://{HOST}")

    def close(self) -> None:
        self._loop.run(self.client.aclose())
        self._loop.close()

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self._loop.run(self.client.get(path, headers=headers))

    def post(self, path: str, data: dict[str, str], **headers: str) -> httpx.Response:
        sent = {"origin": f"http://{HOST}", **headers}
        return self._loop.run(self.client.post(path, data=data, headers=sent))

    def send(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        return self._loop.run(self.client.request(method, path, **kwargs))

    def form(self, path: str) -> dict[str, str]:
        page = self.get(path, **NAVIGATE)
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text))

    def sign_in(
        self, username: str = MEMBER, password: str = PASSWORD, path: str = "/login", **headers: str
    ) -> httpx.Response:
        return self.post("/login", {**self.form(path), "username": username, "password": password}, **headers)

    @property
    def token(self) -> str:
        return next(cookie.value or "" for cookie in self.client.cookies.jar if cookie.name.endswith("chronomemory"))

    def websocket(self, headers: dict[str, str], *, extension: bool = True) -> list[dict[str, Any]]:
        scope = {
            "type": "websocket",
            "path": "/_stcore/stream",
            "query_string": b"",
            "client": ("192.0.2.9", 4711),
            "headers": [(b"host", HOST.encode()), *((k.encode(), v.encode()) for k, v in headers.items())],
            "extensions": {"websocket.http.response": {}} if extension else {},
        }
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, str]:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message)

        self._loop.run(self.gate(scope, receive, send))
        return sent


@pytest.fixture
def layer() -> FakeLayer:
    return FakeLayer().with_people()


@pytest.fixture
def browser(layer: FakeLayer) -> Iterator[Browser]:
    browser = Browser(layer)
    yield browser
    browser.close()


def test_metrics_ask_for_a_token_and_no_session(browser: Browser) -> None:
    response = browser.get("/metrics", **{"x-chronomemory-user": "somebody"})
    assert response.status_code == 200  # what programs call answers, which checks the token
    assert response.json()["path"] == "/metrics"
    assert "x-chronomemory-user" not in response.json()["headers"]


# --- strangers ------------------------------------------------------------------------------------------------------


PAGES = ["/", "/chat", "/review", "/memories", "/audit", "/people", "/account"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_load_of_a_stranger_goes_to_the_sign_in_page_and_back(browser: Browser, path: str) -> None:
    response = browser.get(path, **NAVIGATE)
    assert response.status_code == 303
    assert response.headers["location"] == ("/login" if path == "/" else f"/login?next={quote(path, safe='')}")
    assert browser.sign_in(path=response.headers["location"]).headers["location"] == path
    assert browser.get(path, **NAVIGATE).json()["path"] == path


@pytest.mark.parametrize(
    "path",
    [
        "/", "/static/js/index.js", "/_stcore/health", "/_stcore/host-config", "/_stcore/metrics", "/_stcore/upload_file/a/b",
        "/_stcore/agent/openapi.json", "/media/x.png", "/component/x/index.html", "/login/x", "//login", "/LOGIN",
    ],
)  # fmt: skip
def test_everything_else_of_a_stranger_is_refused(browser: Browser, path: str) -> None:
    for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
        response = browser.send(method, f"http://{HOST}{path}", headers={"accept": "*/*"})
        assert response.status_code == 401, method
        assert "headers" not in response.text


@pytest.mark.parametrize(
    "cookie", ["", "chronomemory=", "chronomemory=guess", "chronomemory=" + "a" * 5000, "=;;chronomemory"]
)
def test_a_made_up_cookie_is_a_stranger(browser: Browser, cookie: str) -> None:
    assert browser.get("/", cookie=cookie, accept="*/*").status_code == 401
    assert browser.websocket({"cookie": cookie})[0]["status"] == 401


def test_a_link_from_elsewhere_bounces_once_so_that_the_strict_cookie_comes_along(browser: Browser) -> None:
    response = browser.get("/review", **NAVIGATE, **{"sec-fetch-site": "cross-site"})
    assert response.status_code == 200
    assert '<meta http-equiv="refresh" content="0">' in response.text
    assert browser.get("/review", **NAVIGATE, **{"sec-fetch-site": "same-origin"}).status_code == 303


def test_open_addresses(browser: Browser, layer: FakeLayer) -> None:
    assert browser.get("/healthz").text == "ok"
    assert browser.get("/gate.css").headers["content-type"].startswith("text/css")
    assert browser.get("/favicon.ico").content.startswith(b"\x89PNG")
    ready = browser.get("/readyz")
    assert (ready.status_code, ready.json()["ready"], ready.json()["parts"]) == (200, True, layer.parts)


@pytest.mark.parametrize("part", ["store", "ledger", "embedding"])
@pytest.mark.parametrize("state", ["starting", "down: no answer"])
def test_not_ready_while_a_part_is_missing(browser: Browser, layer: FakeLayer, part: str, state: str) -> None:
    layer.parts[part] = state
    ready = browser.get("/readyz")
    assert (ready.status_code, ready.json()["parts"][part]) == (503, state)
    assert browser.get("/healthz").status_code == 200


# --- identity -------------------------------------------------------------------------------------------------------


FORGED = {
    "x-chronomemory-user": "someone",
    "X-ChronoMemory-Name": "ada.admin",
    "x-chronomemory-session": "s",
    "x_chronomemory_user": "someone",
    "x-chronomemory-extra": "1",
}


def test_identity_headers_of_the_client_are_replaced(browser: Browser, layer: FakeLayer) -> None:
    browser.sign_in()
    actor = layer.accounts.resolve(browser.token)
    assert actor is not None
    reached = browser.get("/", **FORGED).json()["headers"]
    ours = {name: value for name, value in reached.items() if "chronomemory" in name and name != "cookie"}
    assert ours == {
        "x-chronomemory-user": actor.user_id,
        "x-chronomemory-name": MEMBER,
        "x-chronomemory-session": actor.session_id,
    }
    assert set(ours) == set(IDENTITY_HEADERS)


@pytest.mark.parametrize("path", ["/api/v1/recall", "/v1/chat/completions", "/mcp"])
def test_programs_pass_without_a_session_and_say_only_what_identifies_nobody(browser: Browser, path: str) -> None:
    told = {"x-chronomemory-when-down": "pass", "x-chronomemory-conversation": "c"}
    claimed = {"x-chronomemory-user": "someone", "x_chronomemory_when_down": "x", "authorization": "Bearer k"}
    reached = browser.get(path, **told, **claimed).json()["headers"]
    assert {name: value for name, value in reached.items() if "chronomemory" in name} == told
    assert reached["authorization"] == "Bearer k"
    assert browser.get(f"/{path.split('/')[1]}-x").status_code == 401, "no other address begins like it"


def test_websocket_of_a_person_carries_the_gates_identity(browser: Browser, layer: FakeLayer) -> None:
    browser.sign_in()
    accepted = browser.websocket({"cookie": f"chronomemory={browser.token}", "origin": f"http://{HOST}", **FORGED})
    assert accepted[0]["type"] == "websocket.accept"
    actor = layer.accounts.resolve(browser.token)
    assert actor is not None
    reached = accepted[0]["reached"]
    assert (reached["x-chronomemory-user"], reached["x-chronomemory-session"]) == (actor.user_id, actor.session_id)


def test_websocket_of_a_stranger_is_closed_before_it_is_accepted(browser: Browser) -> None:
    refused = browser.websocket(FORGED)
    assert [message["type"] for message in refused] == ["websocket.http.response.start", "websocket.http.response.body"]
    assert refused[0]["status"] == 401
    plain = browser.websocket(FORGED, extension=False)
    assert [(message["type"], message["code"]) for message in plain] == [("websocket.close", 1008)]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://console:8502", "https://console.evil:8501"])
def test_websocket_from_another_origin_is_refused_in_spite_of_the_cookie(browser: Browser, origin: str) -> None:
    browser.sign_in()
    refused = browser.websocket({"cookie": f"chronomemory={browser.token}", "origin": origin})
    assert refused[0]["status"] == 403


def test_agent_api_and_metrics_are_closed(browser: Browser) -> None:
    browser.sign_in()
    for path in (
        "/_stcore/agent/openapi.json",
        "/_stcore/agent/mcp",
        "/review/_stcore/agent/interact",
        "/_stcore/metrics",
    ):
        assert browser.get(path).status_code == 404
        assert browser.send("POST", path, headers={"origin": f"http://{HOST}"}).status_code == 404
    assert browser.get("/_stcore/health").status_code == 200
    browser.client.cookies.clear()
    browser.sign_in(ADMIN)
    assert browser.get("/_stcore/metrics").status_code == 200
    assert browser.get("/_stcore/agent/mcp").status_code == 404


# --- signing in and out ---------------------------------------------------------------------------------------------


def test_the_session_cookie_is_http_only_and_strict(browser: Browser) -> None:
    response = browser.sign_in()
    cookie = response.headers["set-cookie"]
    assert response.status_code == 303
    assert cookie.startswith("chronomemory=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie  # plain http on localhost


def test_over_https_cookies_are_secure_and_bound_to_the_host(layer: FakeLayer) -> None:
    browser = Browser(layer, chronomemory_public_url=f"https://{HOST}")
    browser.client.base_url = httpx.URL(f"https://{HOST}")
    response = browser.sign_in(origin=f"https://{HOST}")
    assert response.status_code == 303
    assert re.search(r"__Host-chronomemory=.*; Secure", response.headers["set-cookie"])
    assert response.headers["strict-transport-security"].startswith("max-age=")
    browser.close()


def test_each_sign_in_gives_another_token_and_ends_the_one_before(browser: Browser, layer: FakeLayer) -> None:
    form = browser.form("/login")
    browser.sign_in()
    first = browser.token
    browser.post("/login", {**form, "username": MEMBER, "password": PASSWORD})
    assert browser.token != first
    assert layer.accounts.resolve(first) is None
    assert layer.accounts.resolve(browser.token) is not None


def test_a_cookie_from_before_signing_out_is_refused(browser: Browser) -> None:
    browser.sign_in()
    old = browser.token
    form = browser.form("/logout")
    response = browser.post("/logout", form)
    assert (response.status_code, response.headers["location"]) == (303, "/login?notice=out")
    assert 'chronomemory=""' in response.headers["set-cookie"]
    assert browser.get("/", cookie=f"chronomemory={old}", accept="*/*").status_code == 401
    assert browser.websocket({"cookie": f"chronomemory={old}"})[0]["status"] == 401


def test_signing_out_by_a_link_asks_first(browser: Browser) -> None:
    browser.sign_in()
    for path in ("/logout", "/auth/logout"):
        assert "Sign out of this browser?" in browser.get(path, **NAVIGATE).text
    assert browser.get("/").status_code == 200
    assert browser.post("/logout", {"csrf": "guess"}).status_code == 403
    assert browser.get("/").status_code == 200


def test_after_the_sidebars_sign_out_the_cookie_goes_without_asking(browser: Browser, layer: FakeLayer) -> None:
    browser.sign_in()
    actor = layer.accounts.resolve(browser.token)
    assert actor
    layer.accounts.sign_out(actor)
    response = browser.get("/auth/logout", **NAVIGATE)
    assert response.headers["location"] == "/login?notice=out"
    assert 'chronomemory=""' in response.headers["set-cookie"]


def test_a_revoked_session_is_refused_by_the_gate_and_by_core(browser: Browser, layer: FakeLayer) -> None:
    browser.sign_in(ADMIN)
    actor = layer.accounts.resolve(browser.token)
    assert actor
    assert browser.get("/").status_code == 200
    layer.store.end_sessions(actor.user_id)
    assert browser.get("/", accept="*/*").status_code == 401
    with pytest.raises(NotAuthorised):
        layer.accounts.invite(actor, Role.ADMIN)


def test_wrong_password_says_so_and_keeps_the_name(browser: Browser) -> None:
    response = browser.sign_in(password="wrong wrong wrong")
    assert response.status_code == 401
    assert "The user name or the password is not right." in response.text
    assert f'value="{MEMBER}"' in response.text
    assert "wrong wrong wrong" not in response.text


def test_throttled_sign_in_says_when_to_come_back(browser: Browser) -> None:
    statuses = [browser.sign_in(password="wrong wrong wrong").status_code for _ in range(7)]
    assert statuses == [401] * 6 + [429]
    late = browser.sign_in()
    assert (late.status_code, late.headers["retry-after"]) == (429, "5")
    assert "Try again in 2 seconds" in late.text


def test_the_address_cannot_be_chosen_by_a_header(browser: Browser, layer: FakeLayer) -> None:
    browser.sign_in(**{"x-forwarded-for": "203.0.113.5"})
    assert {entry["about"].get("address") for entry in layer.audit.entries[-1:]} == {"127.0.0.1"}  # type: ignore[attr-defined]


# --- forms ----------------------------------------------------------------------------------------------------------


def test_a_form_without_its_csrf_token_changes_nothing(browser: Browser) -> None:
    good = {**browser.form("/login"), "username": MEMBER, "password": PASSWORD}
    for csrf in ("", "x", good["csrf"][:-1] + ("0" if good["csrf"][-1] != "0" else "1")):
        response = browser.post("/login", {**good, "csrf": csrf})
        assert (response.status_code, "This form had expired" in response.text) == (403, True)
    assert browser.post("/login", good, cookie="chronomemory-form=").status_code == 403  # token without its cookie
    assert browser.post("/login", good, cookie="chronomemory-form=another").status_code == 403
    assert browser.sign_in().status_code == 303


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://console:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_form_from_elsewhere_is_refused(browser: Browser, headers: dict[str, str]) -> None:
    good = {**browser.form("/login"), "username": MEMBER, "password": PASSWORD}
    assert browser.post("/login", good, **headers).status_code == 403
    browser.sign_in()
    assert browser.post("/_stcore/upload_file/a/b", {}, **headers).status_code == 403


def test_large_and_strange_bodies_are_refused(browser: Browser) -> None:
    assert browser.post("/login", {"password": "x" * 17_000}).status_code == 413
    assert (
        browser.send("POST", "/login", content=b"{}", headers={"content-type": "application/json"}).status_code == 400
    )
    many = "&".join(f"a{n}=1" for n in range(50)).encode()
    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert browser.send("POST", "/login", content=many, headers=kind).status_code == 400
    assert browser.send("POST", "/login", content=b"\xff\xfe=%ff", headers=kind).status_code == 400
    assert browser.send("PUT", "/login").status_code == 405


def test_values_are_escaped(browser: Browser) -> None:
    response = browser.sign_in(username='"><script>alert(1)</script>')
    assert "<script" not in response.text
    page = browser.get("/login?next=/x%22%3E%3Cscript%3E", **NAVIGATE)
    assert "<script" not in page.text


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "",
        "/login",
        "/logout",
        "/x\ny",
        "/" + "a" * 3000,
    ],
)
def test_signing_in_never_leads_away(browser: Browser, target: str) -> None:
    assert safe_target(target) == "/"
    response = browser.post(
        "/login", {**browser.form("/login"), "next": target, "username": MEMBER, "password": PASSWORD}
    )
    assert response.headers["location"] == "/"


# --- set-up and invitations -----------------------------------------------------------------------------------------


NEW = {"username": "first.admin", "display_name": "First", "password": PASSWORD, "again": PASSWORD}


def test_set_up_link_works_once() -> None:
    layer = FakeLayer()
    browser = Browser(layer)
    assert "No account exists yet" in browser.get("/login", **NAVIGATE).text
    token = layer.accounts.setup_token()
    assert "No account exists yet" in browser.get("/setup", **NAVIGATE).text
    assert browser.get("/setup?token=guess", **NAVIGATE).status_code == 403
    form = browser.form(f"/setup?token={token}")
    differ = browser.post("/setup", {**form, **NEW, "again": "something else"})
    assert (differ.status_code, "The two passwords differ." in differ.text) == (400, True)
    short = browser.post("/setup", {**form, **NEW, "password": "short", "again": "short"})
    assert (short.status_code, "at least 12 characters" in short.text) == (400, True)
    assert PASSWORD not in differ.text + short.text
    assert browser.post("/setup", {**form, **NEW, "csrf": "x"}).status_code == 403
    made = browser.post("/setup", {**form, **NEW})
    assert (made.status_code, made.headers["location"]) == (303, "/login?notice=made")
    again = browser.post("/setup", {**form, **NEW, "username": "second"})
    assert again.status_code == 403
    assert "set up already" in browser.get(f"/setup?token={token}", **NAVIGATE).text
    assert layer.store.count() == 1
    assert browser.sign_in("first.admin").status_code == 303
    browser.close()


def test_invitation_link_makes_one_account(browser: Browser, layer: FakeLayer) -> None:
    token = layer.accounts.invite(layer.sign_in(ADMIN), Role.REVIEWER, "new.one")
    page = browser.get(f"/invite?token={token}", **NAVIGATE)
    assert "reviewer" in page.text
    assert re.search(r'value="new.one" required [^>]*readonly', page.text)
    form = browser.form(f"/invite?token={token}")
    filled = {**form, "username": "other.name", "display_name": "", "password": PASSWORD, "again": PASSWORD}
    assert browser.post("/invite", filled).headers["location"] == "/login?notice=made"
    assert browser.post("/invite", filled).status_code == 403
    assert browser.get(f"/invite?token={token}", **NAVIGATE).status_code == 403
    assert browser.sign_in("new.one").status_code == 303


# --- headers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/login", "/gate.css", "/healthz", "/readyz", "/nowhere"])
@pytest.mark.parametrize("signed_in", [False, True])
def test_security_headers_on_every_response(browser: Browser, path: str, *, signed_in: bool) -> None:
    if signed_in:
        browser.sign_in()
    headers = browser.get(path, accept="*/*").headers
    policy = headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "form-action 'self'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in policy.partition("style-src")[0]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] in {"no-referrer", "same-origin"}
    assert "camera=()" in headers["permissions-policy"]
    assert len(headers.get_list("content-security-policy")) == 1


def test_pictures_come_from_here_only_and_a_strange_host_adds_nothing_to_the_policy() -> None:
    assert "img-src 'self' data: blob:;" in app_policy("localhost:8501")
    assert "connect-src 'self' ws://localhost:8501 wss://localhost:8501;" in app_policy("localhost:8501")
    assert "connect-src 'self';" in app_policy("x; script-src *")


def test_own_pages_load_nothing_from_elsewhere(browser: Browser) -> None:
    page = browser.get("/login", **NAVIGATE)
    assert not re.findall(r"""(?:src|href|action)=["'](?:https?:)?//""", page.text)
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "same-origin"


# --- hosts and addresses --------------------------------------------------------------------------------------------


def scope_of(host: str, *, peer: str = "198.51.100.4", forwarded: str = "") -> Scope:
    headers = [(b"host", host.encode())] + ([(b"x-forwarded-for", forwarded.encode())] if forwarded else [])
    return {"type": "http", "headers": headers, "client": (peer, 1234)}


@pytest.mark.parametrize(
    ("host", "public", "allowed"),
    [
        ("localhost:8501", "", True),
        ("127.0.0.1:8501", "", True),
        ("[::1]:8501", "", True),
        ("192.168.1.5:8501", "", True),
        ("console:8501", "", True),
        ("rebound.evil.example:8501", "", False),
        ("", "", False),
        ("memory.example.org", "memory.example.org", True),
        ("localhost:8501", "memory.example.org", True),
        ("192.168.1.5:8501", "memory.example.org", False),
        ("evil.example", "memory.example.org", False),
    ],
)
def test_host_names(host: str, public: str, *, allowed: bool) -> None:
    assert host_allowed(scope_of(host), public) is allowed


def test_a_foreign_host_name_is_refused(browser: Browser) -> None:
    assert browser.get("/login", host="rebound.evil.example").status_code == 400
    browser.sign_in()
    assert browser.get("/", host="rebound.evil.example").status_code == 400


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "address"),
    [
        ("198.51.100.4", "", "", "198.51.100.4"),
        ("198.51.100.4", "203.0.113.5", "", "198.51.100.4"),
        ("203.0.113.5", "203.0.113.5", "", "127.0.0.1"),  # the web server believed a loopback client's header
        ("203.0.113.5", "203.0.113.5:443", "127.0.0.1", "203.0.113.5"),
        ("10.0.0.1", "203.0.113.5", "10.0.0.1", "203.0.113.5"),
        ("10.0.0.1", "1.1.1.1, 203.0.113.5, 10.0.0.2", "10.0.0.1,10.0.0.2", "203.0.113.5"),
        ("10.0.0.1", "not an address", "10.0.0.1", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1", "10.0.0.1"),
        ("10.0.0.1", "[2001:db8::1]:443", "10.0.0.1", "2001:db8::1"),
    ],
)
def test_client_address(peer: str, forwarded: str, trusted: str, address: str) -> None:
    assert client_address(scope_of("localhost", peer=peer, forwarded=forwarded), trusted.split(",")) == address


# --- when something is down -----------------------------------------------------------------------------------------


def test_store_down_is_a_page_that_retries(browser: Browser, layer: FakeLayer) -> None:
    browser.sign_in()
    layer.store.down = True
    layer.parts["store"] = "down: no answer"
    for path in ("/", "/review", "/login", "/setup", "/logout"):
        page = browser.get(path, **NAVIGATE)
        assert (page.status_code, page.headers["retry-after"]) == (503, "3"), path
        assert "The store is not reachable" in page.text
        assert '<meta http-equiv="refresh" content="3">' in page.text
    assert browser.get("/static/x.js", accept="*/*").status_code == 503
    assert browser.websocket({"cookie": f"chronomemory={browser.token}"})[0]["status"] == 503
    layer.store.down = False
    assert browser.get("/review").status_code == 200  # the session outlived the outage


def test_sign_in_with_the_ledger_down_is_refused_with_a_page(browser: Browser, layer: FakeLayer) -> None:
    form = browser.form("/login")
    layer.audit.broken = LedgerUnavailable("disk full")
    response = browser.post("/login", {**form, "username": MEMBER, "password": PASSWORD})
    assert response.status_code == 503
    assert "disk full" not in response.text


def test_before_the_layer_is_there_the_page_says_starting() -> None:
    browser = Browser(None)
    sign_in = browser.get("/login", **NAVIGATE)
    assert sign_in.status_code == 200  # the form needs no store
    assert "coming up" in sign_in.text
    page = browser.get("/setup", **NAVIGATE)
    assert (page.status_code, "<h1>Starting</h1>" in page.text) == (503, True)
    assert browser.get("/", **NAVIGATE).status_code == 303  # no cookie: nothing to look up
    assert browser.get("/", **NAVIGATE, cookie="chronomemory=x").status_code == 503
    assert browser.get("/readyz").json() == {"ready": False, "parts": {"console": "starting"}}
    browser.startup.problem = "The console cannot start; the server's log says why."
    assert "the server&#x27;s log says why" in browser.get("/login", **NAVIGATE).text
    browser.close()


def test_a_sign_in_waits_for_a_store_that_is_coming_up(layer: FakeLayer) -> None:
    browser = Browser(None)
    form = browser.form("/login")

    def come_up() -> None:
        browser.startup._layer = layer

    threading.Timer(0.5, come_up).start()
    response = browser.post("/login", {**form, "username": MEMBER, "password": PASSWORD})
    assert response.status_code == 303
    browser.close()


# --- start-up -------------------------------------------------------------------------------------------------------


def test_the_options_of_the_project_satisfy_the_gate_and_each_one_counts() -> None:
    check_options(REQUIRED_OPTIONS.__getitem__)
    for name in REQUIRED_OPTIONS:
        with pytest.raises(Misconfigured, match=re.escape(name)):
            check_options(lambda asked, name=name: "changed" if asked == name else REQUIRED_OPTIONS[asked])  # type: ignore[misc]


def start(layer: FakeLayer, **settings: Any) -> Startup:
    startup = Startup(Settings(_env_file=None, **settings), lambda: layer)  # type: ignore[arg-type,return-value]
    startup.begin(port=8501)
    assert startup._thread
    return startup


def test_start_writes_a_set_up_link_that_works(caplog: pytest.LogCaptureFixture) -> None:
    layer = FakeLayer()
    layer.store.down = True  # Postgres is still coming up
    startup = start(layer)
    layer.store.down = False
    startup._thread.join(timeout=5)  # type: ignore[union-attr]
    link = re.search(r"Set-up link: http://localhost:8501/setup\?token=(\S+)", caplog.text)
    assert link
    assert layer.accounts.setup_token_valid(link[1])
    startup.end()
    assert layer.started
    assert layer.closed


def test_start_makes_the_admin_of_the_settings_and_writes_no_link(caplog: pytest.LogCaptureFixture) -> None:
    layer = FakeLayer()
    startup = start(layer, chronomemory_admin_user="root.admin", chronomemory_admin_password=PASSWORD)
    startup._thread.join(timeout=5)  # type: ignore[union-attr]
    layer.accounts.sign_in("root.admin", PASSWORD, "192.0.2.1", "tests")
    assert "Set-up link" not in caplog.text
    assert PASSWORD not in caplog.text
    startup.end()


def test_a_refused_admin_of_the_settings_falls_back_to_the_link(caplog: pytest.LogCaptureFixture) -> None:
    layer = FakeLayer()
    startup = start(layer, chronomemory_admin_user="root.admin", chronomemory_admin_password="short")
    startup._thread.join(timeout=5)  # type: ignore[union-attr]
    assert "is refused" in caplog.text
    assert "Set-up link" in caplog.text
    startup.end()


def test_a_layer_that_cannot_be_made_is_a_problem_on_the_page(caplog: pytest.LogCaptureFixture) -> None:
    def make() -> FakeLayer:
        msg = "the policy file is damaged"
        raise Misconfigured(msg)

    startup = Startup(Settings(_env_file=None), make)  # type: ignore[arg-type]
    startup.begin(port=1)
    startup._thread.join(timeout=5)  # type: ignore[union-attr]
    assert startup.problem
    assert "the policy file is damaged" in caplog.text
    startup.end()
