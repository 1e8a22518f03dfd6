"""What a key can do over HTTP, and what it cannot: channels, scopes, forgetting, held words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core.model import SourceKind
from tests.acceptance.life import ruling
from tests.api.conftest import Api

PAGE = "The museum's opening hours are 9 to 17. The user's employer is Contoso."


def test_a_persons_app_puts_words_in_and_recalls_them_with_their_origin(api: Api) -> None:
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN)
    phone.say("I am allergic to penicillin.")
    [first, *_] = phone.recall("What am I allergic to?")
    assert "penicillin" in first["text"]
    assert (first["source_kind"], first["effective_trust"]) == ("user_turn", 1.0)
    told = phone.get(f"/memories/{first['id']}").json()
    assert told["decision"]["by"] == "policy"
    assert {one["name"] for one in told["confidence"]["terms"]} >= {"corroboration", "recency", "verification"}


def test_the_key_decides_what_a_text_counts_as_and_no_field_does(api: Api) -> None:
    planner = api.key()
    answer = planner.post("/episodes", {"text": "The user is allergic to nuts."})
    assert answer.json()["counts_as"] == "agent_turn"
    for claim in ({"channel": "user_turn"}, {"trust": 1.0}, {"source_kind": "user_turn"}, {"actor": "ada"}):
        refused = planner.post("/episodes", {"text": "The user is allergic to nuts.", **claim})
        assert refused.status_code == 422, claim
        assert refused.headers["content-type"] == "application/problem+json"
    web = api.key(agent="crawler", channel=SourceKind.WEB_CONTENT)
    assert web.post("/episodes", {"text": PAGE}).json()["counts_as"] == "web_content"
    refused = web.post("/episodes/agent", {"text": PAGE})
    assert (refused.status_code, refused.json()["type"]) == (403, "NotAuthorised")


def test_a_tool_named_by_an_agent_is_trusted_like_a_page(api: Api) -> None:
    """A caller that names a registered tool does not get that tool's trust (rules §1.6)."""
    planner = api.key()
    episode = planner.say("The user's salary is 90000 euros.", where="/tool", tool="calculator")
    [item] = api.console.layer.ledger.candidates_of(episode)
    assert item.candidate.provenance.tool == ""
    assert item.state.value == "held"
    assert planner.recall("What is the user's salary?") == []


def test_held_words_reach_no_agent_by_any_route(api: Api) -> None:
    planner = api.key()
    episode = planner.say(PAGE, where="/page", source_ref="https://museum.example/hours")
    progress = planner.get(f"/episodes/{episode}").json()
    assert progress["processed"] is True
    assert progress["memories"] == []
    held = [one for one in api.console.layer.ledger.candidates_of(episode) if one.state.value == "held"]
    assert held, "else there is nothing to hide"
    hidden = held[0].candidate.candidate_id
    answers = [
        planner.post("/recall", {"query": "When does the museum open?"}),
        planner.post("/ask", {"question": "When does the museum open?"}),
        planner.post("/context", {"query": "When does the museum open?"}),
        planner.post("/ancestry", {"refs": [episode, hidden, f"memory:{hidden}"]}),
        planner.get(f"/memories/{hidden}"),
        planner.get("/memories"),
        planner.get("/profile"),
        planner.post(f"/memories/{hidden}/forget", {"reason": "x"}),
    ]
    for answer in answers:
        assert "9 to 17" not in answer.text
        assert "Contoso" not in answer.text
        assert "museum.example" not in answer.text
    assert [answers[4].status_code, answers[7].status_code] == [404, 404]


def test_two_people_and_two_agents_never_see_each_other(api: Api) -> None:
    ben = api.member("ben")
    ada_app = api.key(agent="phone", channel=SourceKind.USER_TURN)
    ben_app = api.key(ben, agent="phone", channel=SourceKind.USER_TURN)
    other = api.key(agent="tablet", channel=SourceKind.USER_TURN)
    episode = ada_app.say("My sister's name is Rita.")
    [memory, *_] = ada_app.recall("What is my sister's name?")
    for stranger in (ben_app, other):
        assert stranger.recall("What is my sister's name?") == []
        assert stranger.get(f"/memories/{memory['id']}").status_code == 404
        assert stranger.get(f"/episodes/{episode}").status_code == 404
        assert stranger.post(f"/memories/{memory['id']}/forget", {"reason": "x"}).status_code == 404
        line = stranger.post("/ancestry", {"refs": [memory["id"]]}).json()["lines"][0]
        missing = stranger.post("/ancestry", {"refs": ["no-such-id"]}).json()["lines"][0]
        assert {**line, "ref": ""} == {**missing, "ref": ""}
    nothing = ada_app.get("/memories/no-such-id").json()
    assert ben_app.get(f"/memories/{memory['id']}").json() == nothing


def test_a_key_that_shares_the_consoles_memory_sees_it_and_forgets_only_its_own(api: Api) -> None:
    api.console.ask("I live in Lisbon.")
    planner = api.key(shared=True)
    [home, *_] = planner.recall("Where do I live?")
    assert "Lisbon" in home["text"]
    refused = planner.post(f"/memories/{home['id']}/forget", {"reason": "tidy"})
    assert (refused.status_code, refused.json()["type"]) == (403, "NotAuthorised")
    planner.say("The user lives in Lisbon and likes the harbour walk there.", conversation="walks")
    mine = [one for one in planner.get("/memories").json()["memories"] if one["source_kind"] == "agent_turn"]
    assert mine, "an agent's note is kept as its word"
    assert planner.post(f"/memories/{mine[0]['id']}/forget", {"reason": "said too much"}).status_code == 204
    api.console.settle()
    assert planner.get(f"/memories/{mine[0]['id']}").status_code == 404
    assert planner.post(f"/memories/{mine[0]['id']}/forget", {"reason": "again"}).status_code == 204
    [entry, *_] = api.console.layer.ledger.audit(api.console.admin.tenant, action="memory:forgotten")[0]
    assert entry.actor == "agent:planner"


def test_its_owner_sees_and_forgets_what_an_agent_keeps_apart(api: Api) -> None:
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN)
    phone.say("I am allergic to penicillin.")
    memories, ada = api.console.layer.memories, api.console.admin
    assert memories.list(ada)[1] == 0
    assert list(memories.spaces(ada)) == ["console", "phone"]
    there = replace(ada, space="phone")
    [fact] = [one for one in memories.list(there)[0] if one.kind.value == "fact"]
    assert memories.why(there, fact.memory_id).source is not None
    memories.forget(there, fact.memory_id, "private")
    api.console.settle()
    assert phone.recall("What am I allergic to?") == []


def test_what_a_person_vouched_for_is_not_an_agents_to_take_back(api: Api) -> None:
    planner = api.key()
    page = planner.say("The ferry to Cacilhas leaves at 8:40.", where="/page")
    episode = planner.say("The ferry to Cacilhas leaves at 8:40.", derived_from=[page])
    [held] = [one for one in api.console.layer.ledger.candidates_of(episode) if one.state.value == "held"]
    api.console.layer.review.resolve(api.console.admin, ruling(held))
    api.console.settle()
    memory = held.candidate.candidate_id
    told = planner.get(f"/memories/{memory}").json()
    assert (told["memory"]["vouched"], told["decision"]["by"]) == (True, "person")
    refused = planner.post(f"/memories/{memory}/forget", {"reason": "mine"})
    assert refused.status_code == 403
    assert "vouched" in refused.json()["detail"]


def test_sent_twice_it_is_stored_once_and_another_text_is_refused(api: Api) -> None:
    planner, phone = api.key(), api.key(agent="phone", channel=SourceKind.USER_TURN)
    key = {"idempotency-key": "note-1"}
    first = planner.post("/episodes", {"text": "The user likes tea."}, **key).json()
    assert planner.post("/episodes", {"text": "The user likes tea."}, **key).json() == first
    other = planner.post("/episodes", {"text": "The user likes coffee."}, **key)
    assert (other.status_code, other.json()["type"]) == (409, "KeyReused")
    another = phone.post("/episodes", {"text": "I like tea."}, **key)
    assert another.status_code == 202, "another agent's keys are its own"


def test_context_is_a_prompts_head_and_middle_with_numbered_memories(api: Api) -> None:
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN)
    phone.say("I am allergic to penicillin.")
    found = phone.post("/context", {"query": "May I take penicillin?", "system": "You are a nurse."}).json()
    assert found["messages"][0]["content"].startswith("You are a nurse.")
    assert "penicillin" in " ".join(one["content"] for one in found["messages"])
    assert any("penicillin" in one["text"] for one in found["memories"])
    assert found["advice"] in {"act", "answer", "ask"}


def test_ancestry_tells_own_words_from_what_came_from_outside(api: Api) -> None:
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN)
    own = phone.say("My garden has twelve apple trees.")
    page = phone.say("Gardens like these have 40 apple trees.", where="/page")
    mixed = phone.say("The garden has 40 apple trees.", where="/agent", derived_from=[own, page])
    [a, b, c, d] = phone.post("/ancestry", {"refs": [own, page, mixed, "unknown"]}).json()["lines"]
    assert (a["outside"], a["trust"]) == (False, 1.0)
    assert b["outside"] is True
    assert (c["outside"], c["trust"]) == (True, b["trust"])
    assert (d["known"], d["outside"], d["trust"]) == (False, True, 0.0)


def test_who_has_no_key_or_a_revoked_one_gets_nothing(api: Api) -> None:
    planner = api.key()
    [key] = api.console.layer.keys.list(api.console.admin)
    assert planner.get("/memories").status_code == 200
    api.console.layer.keys.revoke(api.console.admin, key.key_id)
    for headers in ({}, planner.headers, {"authorization": "Bearer cmk_x"}, {"authorization": "Basic x"}):
        answer = api.http.get("/api/v1/memories", headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert answer.json()["type"] == "Unauthenticated"


def test_limits_of_size_rate_and_number_are_clear_errors(make_console: Any) -> None:
    limited = Api(make_console(), api_requests_per_minute=60, api_burst=5, api_max_body_bytes=2_000)
    planner = limited.key()
    large = planner.post("/episodes", {"text": "x" * 3_000})
    assert (large.status_code, large.json()["type"]) == (413, "TooLarge")

    def pieces() -> Any:
        yield from (b'{"text": "' + b"y" * 1_500, b"y" * 1_500 + b'"}')

    chunked = limited.http.post("/api/v1/episodes", content=pieces(), headers=planner.headers)
    assert chunked.status_code == 413
    assert planner.post("/recall", {"query": "x", "k": 101}).status_code == 422
    assert planner.post("/recall", {"query": " "}).status_code == 422
    answers = [planner.get("/profile") for _ in range(7)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert answers[-1].json()["retry"] is True


def test_what_is_said_has_a_deadline_and_a_past(api: Api) -> None:
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN)
    before = api.console.clock.now()
    phone.say("I live in Lisbon.")
    api.console.clock.forward(days=40)
    then = api.console.clock.now()
    api.console.clock.forward(days=40)
    phone.say("I live in Porto now.")
    assert "Porto" in phone.recall("Where do I live?")[0]["text"]
    past = phone.recall("Where do I live?", as_of=then.isoformat())
    assert "Lisbon" in past[0]["text"]
    assert phone.recall("Where do I live?", as_of=before.replace(year=before.year - 1).isoformat()) == []
    naive = phone.post("/recall", {"query": "Where?", "as_of": datetime(2026, 1, 1, tzinfo=UTC).isoformat()[:-6]})
    assert naive.status_code == 422


def test_the_document_lists_every_route_with_its_problems(api: Api) -> None:
    document = api.http.get("/api/openapi.json").json()
    assert "/v1/recall" in document["paths"]
    for path, routes in document["paths"].items():
        for method, route in routes.items():
            assert "401" in route["responses"] or "Public" in route.get("tags", []), (method, path)
            assert "application/problem+json" in str(route["responses"])
