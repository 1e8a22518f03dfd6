"""The small contract at root addresses: who it opens to, what its texts count as, and the public face."""

from __future__ import annotations

from typing import Any

import pytest

from core.entrypoints.addresses import CONTRACT as PATHS
from core.entrypoints.http.compat import make_compat
from core.entrypoints.http.place import Place
from core.model import Scope, SourceKind
from core.ports import MemoryFilter
from core.settings import Settings
from tests.api.conftest import Api

TOKEN = "a-token-that-nobody-guesses"
ADMIN = {"authorization": f"Bearer {TOKEN}"}
READING = (("POST", "/recall", {"query": "Which tea?"}), ("GET", "/stats", None), ("GET", "/health", None))
WRITING = (
    ("POST", "/remember", {"content": "The user likes green tea."}),
    ("POST", "/ingest", {"content": "The user's employer is Contoso.", "source": "handbook.txt"}),
    ("POST", "/consolidate", None),
    ("POST", "/forget", {"id": "no-such-id"}),
    ("POST", "/admin/rebuild", None),
)
WATCHING = (("GET", "/pag/verify", None), ("GET", "/pag/snapshot", None))


def chosen(make_console: Any, **given: Any) -> Api:
    settings = {"chronomemory_corpus_user": "ada", "chronomemory_admin_token": TOKEN} | given
    return Api(make_console(), **settings)


def call(api: Api, one: tuple[str, str, Any], headers: dict[str, str] | None = None) -> Any:
    return api.http.request(one[0], one[1], json=one[2], headers=headers or {})


def test_every_address_of_the_contract_is_among_these() -> None:
    tried = {(verb.lower(), path) for verb, path, _ in (*READING, *WRITING, *WATCHING)}
    document = make_compat(Place(settings=Settings(_env_file=None), layer_of=lambda: None)).openapi()
    assert tried == {(verb, path) for path, found in document["paths"].items() for verb in found}
    assert {path for _, path in tried} == set(PATHS)


def test_without_a_token_and_a_public_face_nothing_opens(api: Api) -> None:
    for one in WRITING:
        answer = call(api, one)
        assert (answer.status_code, answer.headers["content-type"]) == (503, "application/problem+json"), one
        assert "CHRONOMEMORY_ADMIN_TOKEN" in answer.json()["detail"]
        assert call(api, one, {"authorization": "Bearer "}).status_code == 503
    for one in READING:
        assert call(api, one).status_code == 401, one
    for one in WATCHING:
        assert call(api, one).status_code == 503, one
        assert call(api, one, api.operator().headers).status_code == 200, one
        assert call(api, one, api.key().headers).status_code == 503, one


def test_a_wrong_token_opens_nothing_and_neither_does_an_agents_key(make_console: Any) -> None:
    api = chosen(make_console)
    for headers in ({}, {"authorization": "Bearer another"}, api.key().headers):
        for one in (*WRITING, *WATCHING):
            assert call(api, one, headers).status_code == 401, (one, headers)
    for one in WRITING[:2]:
        assert call(api, one, api.operator().headers).status_code == 401, "it is a token's face, not a person's"


def test_what_a_text_counts_as_is_decided_by_its_address(make_console: Any) -> None:
    api = chosen(make_console)
    noted, document = (call(api, one, ADMIN).json() for one in WRITING[:2])
    assert (noted["counts_as"], document["counts_as"]) == ("agent_turn", "external_doc")
    for claim in ({"trust": 1.0}, {"channel": "user_turn"}, {"counts_as": "user_turn"}):
        refused = api.http.post("/remember", json={"content": "x", **claim}, headers=ADMIN)
        assert refused.status_code == 422
    assert call(api, WRITING[2], ADMIN).json()["waiting"] >= 1
    api.console.settle()
    assert call(api, WRITING[2], ADMIN).json() == {"waiting": 0}
    [tea] = [one for one in call(api, READING[0], ADMIN).json()["records"] if "green tea" in one["content"]]
    assert (tea["superseded"], set(tea)) == (False, {"id", "content", "type", "importance", "superseded"})
    about = {"query": "Who employs the user?"}
    held = api.http.post("/recall", json=about, headers=ADMIN)
    assert "Contoso" not in held.text, "a document's claim waits for a person"
    assert call(api, READING[1], ADMIN).json()["active"] >= 1
    assert api.http.post("/forget", json={"id": tea["id"]}, headers=ADMIN).json() == {"ok": True}
    api.console.settle()
    assert "green tea" not in call(api, READING[0], ADMIN).text
    assert call(api, WRITING[3], ADMIN).status_code == 404
    assert call(api, WRITING[4], ADMIN).json()["applied"] >= 1
    assert call(api, WATCHING[0], ADMIN).json()["ok"] is True
    assert call(api, WATCHING[1], ADMIN).json()["seq"] >= 1


def test_an_agents_key_reads_its_own_memory_and_not_the_chosen_one(make_console: Any) -> None:
    api = chosen(make_console, chronomemory_corpus_space="phone")
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN)
    phone.say("I am allergic to penicillin.")
    other = api.key(api.member("ben"), agent="phone", channel=SourceKind.USER_TURN)
    question = ("POST", "/recall", {"query": "What am I allergic to?"})
    assert "penicillin" in call(api, question, phone.headers).text
    assert "penicillin" in call(api, question, ADMIN).text
    assert call(api, question, other.headers).json() == {"records": []}
    assert call(api, READING[1], other.headers).json() == {"active": 0, "superseded": 0}


def test_the_public_face_reads_only_that_memory_counts_addresses_and_keeps_nothing_fresh(make_console: Any) -> None:
    api = chosen(make_console, chronomemory_public_face=True, public_requests_per_minute=60, public_burst=8)
    api.console.ask("I live in Lisbon.")
    api.http.post("/remember", json={"content": "The museum opens at nine."}, headers=ADMIN)
    call(api, WRITING[1], ADMIN)
    api.console.settle()
    asked = api.http.post("/recall", json={"query": "When does the museum open?"})
    assert "opens at nine" in asked.text
    for query in ("Where do I live?", "Who employs the user?"):
        answer = api.http.post("/recall", json={"query": query}).text
        assert "Lisbon" not in answer
        assert "Contoso" not in answer
    api.console.settle()
    owner = api.console.admin
    scope = Scope(tenant=owner.tenant, owner=owner.user_id, agent="corpus")
    seen = api.console.layer.store.list(scope, MemoryFilter(), limit=9, offset=0)[0]
    assert {one.access_count for one in seen} == {0}
    assert call(api, READING[2]).json()["ok"] is True
    assert call(api, READING[0], {"authorization": "Bearer wrong"}).status_code == 401
    for one in WRITING:
        assert call(api, one).status_code == 401
    answers = [call(api, READING[1]) for _ in range(8)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert call(api, READING[1], ADMIN).status_code == 200, "others are not held up"


def test_a_public_face_without_a_chosen_memory_says_what_to_set(make_console: Any) -> None:
    api = Api(make_console(), chronomemory_public_face=True)
    answer = call(api, READING[0])
    assert (answer.status_code, "CHRONOMEMORY_CORPUS_USER" in answer.json()["detail"]) == (503, True)


def test_a_short_token_is_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match="at least 24"):
        Settings(_env_file=None, chronomemory_admin_token="guessable")
