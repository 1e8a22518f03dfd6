"""The live feed: entries as they come, by role, resumed where it broke off, bounded, and ended with the right to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio

from core.entrypoints.http import feed
from core.model import Role
from tests.api.conftest import Api, Operator

PATH = "/api/v1/events"


def listen(
    api: Api, who: Operator, *, events: int, last: str = "", query: str = "", do: Callable[[], Any] | None = None
) -> tuple[int, list[dict[str, str]]]:
    """Read a stream until so many events came, acting once it is open; the status and the events."""
    headers = [(name.encode(), value.encode()) for name, value in who.headers.items()]
    headers += [(b"last-event-id", last.encode())] if last else []
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": PATH,
        "raw_path": PATH.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
        "state": {},
    }
    status, text = [], []

    async def run() -> None:
        done, asked = anyio.Event(), False

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if not asked:
                asked = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await done.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])
                if do is not None and message["status"] == 200:
                    await anyio.to_thread.run_sync(do)
            else:
                text.append(message.get("body", b"").decode())
            if status[0] != 200 or "".join(text).count("data:") >= events:
                done.set()

        with anyio.fail_after(60):
            await api.app(scope, receive, send)  # type: ignore[arg-type]

    anyio.run(run)
    blocks = [one for one in "".join(text).replace("\r", "").split("\n\n") if "data:" in one]
    lines = [[line.partition(": ")[::2] for line in one.splitlines()] for one in blocks]
    return status[0], [dict(one) for one in lines] if status[0] == 200 else []


def test_entries_come_as_they_are_made_without_words_and_resume(api: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.05)
    ada, phone = api.operator(), api.key(agent="phone", shared=True)
    status, found = listen(
        api, ada, events=1, query="action=episode:", do=lambda: phone.say("The user lives in Lisbon.", settle=False)
    )
    assert status == 200
    assert found[0]["event"].startswith("episode:")
    entry = json.loads(found[0]["data"])
    assert str(entry["seq"]) == found[0]["id"]
    assert "Lisbon" not in found[0]["data"]
    api.console.settle()
    _, since = listen(api, ada, events=2, last=found[0]["id"])
    assert [int(one["id"]) for one in since[:2]] == [entry["seq"] + 1, entry["seq"] + 2]
    assert feed.Streams().total() == 0


def test_a_member_hears_of_themself_only(api: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.05)
    ben = api.member("ben")
    program, theirs = api.operator(ben), api.key(ben, agent="phone")

    def both() -> None:
        api.key(agent="phone").say("The user likes tea.", settle=False)
        theirs.say("The user likes coffee.", settle=False)

    _, found = listen(api, program, events=1, query="action=episode:", do=both)
    assert {json.loads(one["data"])["owner"] for one in found} == {ben.user_id}


def test_a_feed_ends_with_the_right_to_it(api: Api, monkeypatch: Any) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.05)
    cleo = api.console.person("cleo", Role.REVIEWER)
    program = api.operator(cleo)
    _, found = listen(
        api,
        program,
        events=1,
        query="action=none",
        do=lambda: api.console.layer.accounts.disable(api.console.admin, cleo.user_id),
    )
    assert found[-1]["event"] == "end"


def test_a_wrong_place_to_resume_and_too_many_feeds_are_clear_errors(make_console: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(feed, "LOOK_SECONDS", 0.05)
    api = Api(make_console(), api_feeds_of_person=1)
    ada = api.operator()
    assert listen(api, ada, events=1, last="none")[0] == 422
    inner: list[int] = []

    def second() -> None:
        inner.append(listen(api, ada, events=1)[0])
        api.console.ask("I live in Lisbon.")

    assert listen(api, ada, events=1, do=second)[0] == 200
    assert inner == [429]
    assert listen(api, ada, events=1, last="1")[0] == 200, "the place was given back"
