"""Whose word counts on who the client is and whether it speaks HTTPS."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import ValidationError

from console.incoming import client_address, forwarded_https
from core.settings import Settings
from tests.console.fake_layer import FakeLayer
from tests.console.test_gate import NAVIGATE, Browser, scope_of


@pytest.mark.parametrize(
    ("peer", "forwarded", "trusted", "address"),
    [
        ("10.0.3.4", "203.0.113.5", "10.0.0.0/16", "203.0.113.5"),
        ("10.1.3.4", "203.0.113.5", "10.0.0.0/16", "10.1.3.4"),
        ("10.0.3.4", "9.9.9.9, 203.0.113.5, 10.0.9.9", "192.0.2.1, 10.0.0.0/16", "203.0.113.5"),
        ("::ffff:10.0.3.4", "203.0.113.5", "10.0.0.0/16", "203.0.113.5"),
        ("2001:db8::7", "203.0.113.5", "2001:db8::/32", "203.0.113.5"),
        # somebody who connects past the proxy and names themselves first, to pass for a local proxy
        ("203.0.113.5", "203.0.113.5, 9.9.9.9", "127.0.0.1", "203.0.113.5"),
        ("203.0.113.5", "9.9.9.9, 203.0.113.5", "127.0.0.1", "203.0.113.5"),
        # the web server put the header's address in place of a loopback peer, loopback hops skipped
        ("9.9.9.9", "9.9.9.9, 127.0.0.1", "", "127.0.0.1"),
        ("9.9.9.9", "9.9.9.9, 127.0.0.1", "127.0.0.1", "9.9.9.9"),
    ],
)
def test_networks_and_spoofed_hops(peer: str, forwarded: str, trusted: str, address: str) -> None:
    assert client_address(scope_of("localhost", peer=peer, forwarded=forwarded), trusted.split(",")) == address


@pytest.mark.parametrize(
    ("peer", "proto", "trusted", "https"),
    [
        ("10.0.0.1", "https", ("10.0.0.1",), True),
        ("10.0.0.1", "HTTPS", ("10.0.0.0/8",), True),
        ("10.0.0.1", "http, https", ("10.0.0.1",), True),
        ("10.0.0.1", "https, http", ("10.0.0.1",), False),
        ("10.0.0.1", "http", ("10.0.0.1",), False),
        ("10.0.0.1", "", ("10.0.0.1",), False),
        ("198.51.100.4", "https", ("10.0.0.1",), False),
        ("198.51.100.4", "https", (), False),
    ],
)
def test_https_by_an_own_proxys_word(peer: str, proto: str, trusted: tuple[str, ...], *, https: bool) -> None:
    scope = scope_of("localhost", peer=peer)
    if proto:
        scope["headers"].append((b"x-forwarded-proto", proto.encode()))
    assert forwarded_https(scope, trusted) is https


def test_settings_refuse_what_is_no_network() -> None:
    given = Settings(_env_file=None, chronomemory_trusted_proxies=" 10.0.0.7 ,, 10.1.0.0/16,")
    assert given.own_proxies == ("10.0.0.7", "10.1.0.0/16")
    assert Settings(_env_file=None).own_proxies == ()
    with pytest.raises(ValidationError, match=r"proxy\.local is neither an address"):
        Settings(_env_file=None, chronomemory_trusted_proxies="10.0.0.7, proxy.local")


@pytest.fixture(params=["127.0.0.1", ""], ids=["own proxy", "a stranger"])
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    opened = Browser(FakeLayer().with_people(), chronomemory_trusted_proxies=request.param)
    yield opened
    opened.close()


def test_a_trusted_https_makes_cookies_secure_and_a_claimed_one_does_not(browser: Browser) -> None:
    own = bool(browser.startup.settings.own_proxies)
    page = browser.get("/login", **NAVIGATE, **{"x-forwarded-proto": "https"})
    cookie = page.headers["set-cookie"]
    assert ("secure" in cookie.lower(), cookie.startswith("__Host-")) == (own, own)
    assert ("strict-transport-security" in page.headers) is own
    plain = browser.get("/login", **NAVIGATE)
    assert "strict-transport-security" not in plain.headers
    assert "secure" not in plain.headers.get("set-cookie", "").lower()


def test_a_session_made_over_https_is_not_taken_up_in_plain_text(browser: Browser) -> None:
    secure = {"x-forwarded-proto": "https"}
    browser.client.base_url = str(browser.client.base_url).replace("http://", "https://")  # Secure cookies travel
    browser.client.headers.update(secure)
    assert browser.sign_in().status_code == 303
    own = bool(browser.startup.settings.own_proxies)
    assert browser.get("/", **NAVIGATE).status_code == 200
    del browser.client.headers["x-forwarded-proto"]
    assert browser.get("/", **NAVIGATE).status_code == (303 if own else 200)
