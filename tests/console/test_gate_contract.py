"""What the gate lets programs through to: the interfaces and exactly the small contract's addresses, cookies or not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.entrypoints.addresses import CONTRACT
from tests.console.fake_layer import FakeLayer
from tests.console.test_gate import Browser


@pytest.fixture
def browser() -> Iterator[Browser]:
    made = Browser(FakeLayer().with_people())
    yield made
    made.close()


def test_a_program_reaches_the_contract_and_nothing_beside_it(browser: Browser) -> None:
    for path in (*CONTRACT, "/api/v1/recall", "/api", "/mcp", "/metrics"):
        answer = browser.send("POST", path, json={})
        assert answer.json()["path"] == path
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    beside = [f"{path}{more}" for path in CONTRACT for more in ("/", "/x", "x")]
    for path in (*beside, "/apix", "/mcpx", "/admin", "/pag", "/RECALL", "//recall", "/metrics/", "/metricsx"):
        assert browser.send("POST", path, json={}).status_code == 401, path
        assert browser.get(path).status_code in {303, 401}, path


def test_no_cookie_and_no_claimed_identity_goes_along(browser: Browser) -> None:
    browser.sign_in()
    for path in ("/recall", "/api/v1/review/items"):
        reached = browser.send("GET", path, headers={"x-chronomemory-user": "u-1", "x_chronomemory_session": "s"})
        assert not [name for name in reached.json()["headers"] if "chronomemory" in name.replace("_", "-")]


def test_a_foreign_host_reaches_no_interface(browser: Browser) -> None:
    for path in ("/recall", "/api/v1/recall"):
        answer = browser.send("POST", path, json={}, headers={"host": "rebound.example"})
        assert answer.status_code == 400
