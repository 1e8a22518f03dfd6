"""Streamable HTTP: the official client against a real server and the real layer, and what a stranger gets."""

from __future__ import annotations

import json
import threading
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from core.agents import AgentDesk, Said
from core.entrypoints.mcp import words
from core.entrypoints.mcp.door import own_names
from core.keys import AgentKeys
from core.model import SourceKind
from tests.mcp.conftest import Hall, Lent, client_of, said, serve
from tests.mcp.tour import tour

PAGE = "The museum's opening hours are 9 to 17. The user's employer is Contoso."
ERAS = ("auto", "legacy")


@pytest.mark.parametrize("mode", ERAS)
def test_every_tool_and_resource_works_in_both_eras_of_the_protocol(hall: Hall, mode: str) -> None:
    token = hall.key(f"tour-{mode}")

    async def go() -> None:
        async with client_of(hall.url, token, mode=mode) as client:
            assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
            await tour(client, hall.settle)

    anyio.run(go)


@pytest.mark.parametrize(
    ("channel", "counts_as"),
    [
        (SourceKind.USER_TURN, "agent_turn"),
        (SourceKind.AGENT_TURN, "agent_turn"),
        (SourceKind.WEB_CONTENT, "web_content"),
        (SourceKind.THIRD_PARTY, "third_party"),
    ],
)
def test_a_tools_text_is_an_agents_word_or_less_whatever_the_key(
    hall: Hall, channel: SourceKind, counts_as: str
) -> None:
    token = hall.key(f"class-{channel.value}".replace("_", "-"), channel=channel)

    async def go() -> dict[str, Any]:
        async with client_of(hall.url, token) as client:
            stored = await client.call_tool("remember", {"text": "I am allergic to nuts."})
            assert stored.structured_content is not None, said(stored)
            return stored.structured_content

    stored = anyio.run(go)
    assert stored["counts_as"] == counts_as
    episode = hall.layer.ledger.episode(stored["episode_id"])
    assert episode is not None
    assert episode.provenance.source_kind.value == counts_as
    assert episode.provenance.actor.startswith("agent:"), "never the person"


def test_what_a_model_is_told_of_trust_is_what_the_policy_says(hall: Hall) -> None:
    assert f"trust {hall.layer.policy.trust.agent_turn} at most" in words.REMEMBER


def test_nothing_that_is_sent_says_how_far_it_is_trusted(hall: Hall) -> None:
    token = hall.key("claimer")
    claims = ("trust", "channel", "source_kind", "actor", "tool", "source_ref", "owner", "scope", "title")

    async def go() -> None:
        async with client_of(hall.url, token) as client:
            for claim in claims:
                refused = await client.call_tool("remember", {"text": "It rains.", claim: "user_turn"})
                assert refused.is_error
                assert said(refused) == (
                    f"{claim} is not an argument of remember. "
                    "remember takes: text, conversation, derived_from. Nothing was done."
                )
            for name, wrong in (
                ("remember", {}),
                ("remember", {"text": ""}),
                ("remember", {"text": "x", "derived_from": "no list"}),
                ("recall", {"query": "x", "k": 101}),
                ("recall", {"query": "  "}),
                ("forget", {"memory_id": "x"}),
                ("why", {}),
            ):
                refused = await client.call_tool(name, wrong)
                assert refused.is_error, (name, wrong)
            with pytest.raises(MCPError, match="There is no tool of that name"):
                await client.call_tool("promote", {"memory_id": "x"})
            listed = json.dumps(["memory:nobody"])  # some clients send a list as text
            stored = await client.call_tool("remember", {"text": "It may rain.", "derived_from": listed})
            assert not stored.is_error, said(stored)
            [profile, *_] = (await client.list_resources()).resources
            for uri in ("memory://memories/", "memory://held", "file:///etc/passwd", f"{profile.uri}/x"):
                with pytest.raises(MCPError, match="There is nothing at this address"):
                    await client.read_resource(uri)

    anyio.run(go)


def test_two_people_never_see_each_other(hall: Hall) -> None:
    ben = hall.member("ben")
    tokens = (hall.key("diary"), hall.key("diary", ben))

    async def go() -> None:
        async with client_of(hall.url, tokens[0]) as ours, client_of(hall.url, tokens[1]) as theirs:
            await ours.call_tool("remember", {"text": "The spare key lies under the blue pot."})
            await anyio.to_thread.run_sync(hall.settle)
            found = (await ours.call_tool("recall", {"query": "Where is the spare key?"})).structured_content
            assert found is not None
            memory_id = found["hits"][0]["memory"]["id"]
            for query in ("Where is the spare key?", "blue pot"):
                nothing = await theirs.call_tool("recall", {"query": query})
                assert nothing.structured_content == {"hits": []}
            for name, more in (("why", {}), ("forget", {"reason": "x"})):
                other = await theirs.call_tool(name, {"memory_id": memory_id, **more})
                missing = await theirs.call_tool(name, {"memory_id": "no-such-id", **more})
                assert other.is_error
                assert said(other) == said(missing)
            problems = []
            for uri in (f"memory://memories/{memory_id}", "memory://memories/no-such-id"):
                with pytest.raises(MCPError) as problem:
                    await theirs.read_resource(uri)
                problems.append((problem.value.code, problem.value.message))
            assert problems[0] == problems[1]
            assert (await ours.call_tool("why", {"memory_id": memory_id})).structured_content is not None

    anyio.run(go)


def test_only_its_own_statements_are_an_agents_to_forget(hall: Hall) -> None:
    """Not even with the key of the app in which the person said it: through a tool, the caller is the model."""
    token = hall.key("phone", channel=SourceKind.USER_TURN)
    who = hall.layer.keys.resolve(token)
    assert who is not None
    hall.layer.agents.submit(who, Said(text="I live in Lisbon."))
    hall.settle()

    async def go() -> None:
        async with client_of(hall.url, token) as client:
            found = (await client.call_tool("recall", {"query": "Where do I live?"})).structured_content
            assert found is not None
            memory = found["hits"][0]["memory"]
            assert memory["source_kind"] == "user_turn"
            refused = await client.call_tool("forget", {"memory_id": memory["id"], "reason": "tidy"})
            assert refused.is_error
            assert "only what it said itself" in said(refused)
            kept = await client.call_tool("why", {"memory_id": memory["id"]})
            assert kept.structured_content is not None
            assert kept.structured_content["memory"]["status"] == "active"

    anyio.run(go)


def test_held_words_are_in_no_answer(hall: Hall) -> None:
    token = hall.key("reader")
    who = hall.layer.keys.resolve(token)
    assert who is not None
    page = Said(text=PAGE, source_ref="https://museum.example/hours")
    episode = hall.layer.agents.submit(who, page, route=SourceKind.WEB_CONTENT).episode_id
    hall.settle()
    held = [one for one in hall.layer.ledger.candidates_of(episode) if one.state.value == "held"]
    assert held, "else there is nothing to hide"
    hidden = held[0].candidate.candidate_id

    async def go() -> list[str]:
        async with client_of(hall.url, token) as client:
            based = {"text": "The museum opens at nine.", "derived_from": [episode, f"memory:{hidden}"]}
            answers = [
                await client.call_tool("remember", based),
                await client.call_tool("recall", {"query": "When does the museum open?"}),
                await client.call_tool("ask", {"question": "When does the museum open?"}),
                await client.call_tool("why", {"memory_id": hidden}),
                await client.call_tool("forget", {"memory_id": hidden, "reason": "x"}),
                await client.read_resource("memory://profile"),
                await client.list_tools(),
            ]
            with pytest.raises(MCPError) as problem:
                await client.read_resource(f"memory://memories/{hidden}")
            assert [answers[3].is_error, answers[4].is_error] == [True, True]  # type: ignore[union-attr]
            return [str(one) for one in answers] + [str(problem.value.error)]

    for answer in anyio.run(go):
        for canary in ("9 to 17", "Contoso", "museum.example"):
            assert canary not in answer


def test_a_key_that_is_revoked_ends_in_mid_session(hall: Hall) -> None:
    token = hall.key("short-lived")
    [key] = [one for one in hall.layer.keys.list(hall.ada) if one.agent == "short-lived"]

    async def go() -> None:
        async with client_of(hall.url, token) as client:
            assert not (await client.call_tool("recall", {"query": "Anything?"})).is_error
            hall.layer.keys.revoke(hall.ada, key.key_id)
            with pytest.raises(MCPError, match="Send a key that is in use"):
                await client.call_tool("recall", {"query": "Anything?"})

    anyio.run(go)
    refused = hall.post(token)
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")


def test_a_stranger_gets_nothing(hall: Hall) -> None:
    token = hall.key("known")
    assert hall.post(token).status_code == 200
    for headers in ({}, {"authorization": "Bearer cmk_x"}, {"authorization": f"Basic {token}"}, {"cookie": token}):
        refused = hall.post(**headers)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.json()["error"]["message"] == words.NO_KEY
    for origin in ("https://elsewhere.example", "null", "", "http://["):
        assert hall.post(token, origin=origin).status_code == 403, origin
    assert hall.post(token, origin=hall.base).status_code == 200
    assert hall.post(token, host="elsewhere.example").status_code == 421
    for method in ("GET", "DELETE"):
        answer = httpx2.request(method, hall.url, headers={"authorization": f"Bearer {token}"}, trust_env=False)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    batch = hall.post(token, body=[{"jsonrpc": "2.0", "id": 1, "method": "ping"}])
    assert batch.status_code == 400


def test_a_server_goes_by_its_own_names() -> None:
    assert own_names("127.0.0.1", "") == ("localhost", "127.0.0.1", "[::1]")
    assert own_names("::", "https://memory.example/") == ("localhost", "127.0.0.1", "[::1]", "[::]", "memory.example")


def test_size_and_rate_have_limits(hall: Hall) -> None:
    token = hall.key("eager")
    tight = {"api_requests_per_minute": 1, "api_burst": 3, "api_max_body_bytes": 3_000}
    stop, base = serve(hall.settings.model_copy(update=tight), lambda: Lent(hall.layer))
    try:
        narrow = Hall(layer=hall.layer, settings=hall.settings, ada=hall.ada, base=base)
        assert narrow.post(token, body={"text": "x" * 4_000}).status_code == 413
        answers = [narrow.post(token) for _ in range(6)]
    finally:
        stop()
    assert answers[0].status_code == 200
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert "Too many requests" in answers[-1].json()["error"]["message"]


def test_work_is_off_the_event_loop(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for a recall that hangs: not a ping, not a list, not another recall."""
    token, begun, released = hall.key("slow"), threading.Event(), threading.Event()
    real = AgentDesk.recall

    def slow(desk: AgentDesk, who: Any, query: str, **rest: Any) -> Any:
        if query == "Slow?":
            begun.set()
            assert released.wait(timeout=60)
        return real(desk, who, query, **rest)

    monkeypatch.setattr(AgentDesk, "recall", slow)
    answered: list[str] = []

    async def slowly(client: Client) -> None:
        await client.call_tool("recall", {"query": "Slow?"})
        answered.append("slow")

    async def go() -> None:
        async with client_of(hall.url, token, mode="legacy") as client, anyio.create_task_group() as tasks:
            tasks.start_soon(slowly, client)
            assert await anyio.to_thread.run_sync(begun.wait, 30)
            with anyio.fail_after(30):
                await client.session.send_ping()
                await client.list_tools()
                await client.call_tool("recall", {"query": "Quick?"})
            assert answered == []
            released.set()
        assert answered == ["slow"]

    try:
        anyio.run(go)
    finally:
        released.set()


def test_a_fault_is_told_without_a_trace(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    token = hall.key("unlucky")

    def broken(*_args: Any, **_rest: Any) -> Any:
        raise RuntimeError("canary in a trace")

    async def go() -> None:
        async with client_of(hall.url, token) as client:
            for name in ("recall", "why", "profile"):
                monkeypatch.setattr(AgentDesk, name, broken)
            failed = await client.call_tool("recall", {"query": "Anything?"})
            assert failed.is_error
            assert said(failed) == words.FAULT
            for uri in ("memory://profile", "memory://memories/x"):
                with pytest.raises(MCPError) as problem:
                    await client.read_resource(uri)
                assert problem.value.message == words.FAULT
            monkeypatch.setattr(AgentKeys, "resolve", broken)
            with pytest.raises(MCPError) as problem:
                await client.list_resources()
            assert problem.value.message == words.FAULT

    anyio.run(go)


def test_while_the_memory_starts_the_client_is_told_so(hall: Hall) -> None:
    still = threading.Event()
    stop, base = serve(hall.settings, lambda: still.wait(60) and Lent(hall.layer))
    try:
        answer = Hall(layer=hall.layer, settings=hall.settings, ada=hall.ada, base=base).post("cmk_any")
    finally:
        still.set()
        stop()
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "3"
    assert "starting" in answer.json()["error"]["message"]


def test_eight_sessions_at_once_each_find_their_own(hall: Hall) -> None:
    sessions, rounds = 8, 3
    people = [hall.member(f"guest{one}") for one in range(sessions)]
    tokens = [hall.key("porter", one) for one in people]

    async def one(number: int) -> None:
        async with client_of(hall.url, tokens[number], mode=ERAS[number % 2]) as client:
            for round_ in range(rounds):
                text = f"Parcel {number}{round_} waits in locker {number}."
                stored = await client.call_tool("remember", {"text": text, "conversation": f"c{number}"})
                assert not stored.is_error, said(stored)
                found = await client.call_tool("recall", {"query": "Where does the parcel wait?"})
                assert not found.is_error, said(found)

    async def look(number: int) -> None:
        async with client_of(hall.url, tokens[number]) as client:
            found = (await client.call_tool("recall", {"query": "locker parcel", "k": 50})).structured_content
            assert found is not None
            texts = [hit["memory"]["text"] for hit in found["hits"]]
            assert len(texts) == rounds
            assert all(f"locker {number}." in text for text in texts)

    async def go() -> None:
        with anyio.fail_after(120):
            async with anyio.create_task_group() as tasks:
                for number in range(sessions):
                    tasks.start_soon(one, number)
            await anyio.to_thread.run_sync(hall.settle)
            async with anyio.create_task_group() as tasks:
                for number in range(sessions):
                    tasks.start_soon(look, number)

    anyio.run(go)
