"""Every route × every caller: who gets in, who is turned away, and that no agent's key reaches what is a person's.

The table below names each route of the OpenAPI document; one that is not in it fails the test. `OPEN` holds what a
caller gets who may: a stale ruling (409) or an id that is not theirs (404) is past the door, 401 and 403 are not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from core.entrypoints.http import Place, make_api
from core.model import Actor, Role, SourceKind
from core.settings import Settings
from tests.api.conftest import Agent, Api

CANARY = "KESTREL-7731"
HELD = f"The user's employer is Kestrelworks {CANARY}."
SOURCE = f"https://{CANARY.lower()}.example/page"
CHANNELS = tuple(SourceKind)
WHO = ("nobody", *(f"agent:{one.value}" for one in CHANNELS), "other's agent", "revoked", "member", "reviewer", "admin")
MADE_UP = "no-such-id"


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one route answers to whom. `body` and `query` may name ids as {memory}, {episode}, {item}, {key}."""

    of: str  # "agents", "operators" or "anybody"
    open: int  # to who may
    body: dict[str, Any] | None = None
    query: str = ""
    differs: dict[str, int] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


STALE = {"seen_version": 999, "digest": "0" * 64, "note": "why", "override": True}
TEXT = {"text": "The user likes green tea."}
NO_REVIEWER = {"member": 403}
ITEM = {"namespace": ["notes"], "key": "k", "value": {"text": "Maybe."}}
WRITERS = ("agent:user_turn", "agent:agent_turn", "other's agent")  # a tool's or feed's key keeps no values


def put_in(channel: SourceKind) -> Row:
    """A way in: for keys of this channel, and for what may pass on what is trusted less."""
    wide = {SourceKind.USER_TURN, SourceKind.AGENT_TURN, channel}
    allowed = {f"agent:{one.value}": 202 for one in wide}
    return Row(of="agents", open=403, body=TEXT, differs=allowed | {"other's agent": 202})


def agents(status: int = 200, body: dict[str, Any] | None = None, *, query: str = "", **differs: int) -> Row:
    return Row(of="agents", open=status, body=body, query=query, differs=differs)


def people(status: int = 200, body: dict[str, Any] | None = None, **differs: int) -> Row:
    return Row(of="operators", open=status, body=body, differs=differs)


TABLE = {
    "POST /v1/episodes": agents(202, TEXT),
    "POST /v1/episodes/agent": put_in(SourceKind.AGENT_TURN),
    "POST /v1/episodes/tool": put_in(SourceKind.TOOL_OUTPUT),
    "POST /v1/episodes/document": put_in(SourceKind.EXTERNAL_DOC),
    "POST /v1/episodes/page": put_in(SourceKind.WEB_CONTENT),
    "GET /v1/episodes/{episode_id}": agents(404),
    "POST /v1/recall": agents(200, {"query": "Who employs the user?"}),
    "POST /v1/ask": agents(200, {"question": "Who employs the user?"}),
    "POST /v1/context": agents(200, {"query": "Who employs the user?"}),
    "POST /v1/ancestry": agents(200, {"refs": ["{memory}", "{episode}", "{item}", MADE_UP]}),
    "GET /v1/memories": agents(200),
    "GET /v1/profile": agents(200),
    "GET /v1/memories/{memory_id}": agents(404),
    "POST /v1/memories/{memory_id}/forget": agents(404, {"reason": "tidy"}),
    "PUT /v1/items": Row(of="agents", open=403, body=ITEM, differs=dict.fromkeys(WRITERS, 200)),
    "GET /v1/items": agents(404, query="?namespace=notes&key=none"),
    "DELETE /v1/items": Row(
        of="agents", open=403, query="?namespace=notes&key=none", differs=dict.fromkeys(WRITERS, 204)
    ),
    "POST /v1/items/search": agents(200, {"namespace": [], "query": "Who employs the user?"}),
    "POST /v1/items/namespaces": agents(200, {}),
    "POST /v1/sessions": Row(of="anybody", open=401, body={"username": "nobody.here", "password": "guess"}),
    "GET /v1/sessions/current": people(200),
    "DELETE /v1/sessions/current": people(403),  # these callers came with keys, which are revoked instead
    "GET /v1/operator-keys": people(200),
    "POST /v1/operator-keys": people(403, {"name": "another"}),  # a key makes no key
    "DELETE /v1/operator-keys/{key_id}": people(404, reviewer=204, admin=204),  # hers; an admin ends any of the tenant
    "GET /v1/review/summary": people(200),
    "GET /v1/review/items": people(200),
    "GET /v1/review/items/{item_id}": people(200, member=404),
    "POST /v1/review/items/{item_id}/promote": people(409, STALE, **NO_REVIEWER),
    "POST /v1/review/items/{item_id}/reject": people(409, STALE, **NO_REVIEWER),
    "POST /v1/review/items/{item_id}/edit": people(409, STALE | TEXT, **NO_REVIEWER),
    "POST /v1/review/items/{item_id}/settle": people(422, STALE | {"answer": "take_new"}, member=404),
    "POST /v1/review/items/{item_id}/undo": people(422, **NO_REVIEWER),
    "GET /v1/own/memories": people(200),
    "GET /v1/own/memories/{memory_id}": people(404, admin=200),
    "POST /v1/own/memories/{memory_id}/forget": people(404, {"reason": " "}, admin=422),
    "POST /v1/own/memories/{memory_id}/restore": people(404, admin=422),
    "POST /v1/own/memories/{memory_id}/archive": people(404, admin=204),
    "POST /v1/own/memories/{memory_id}/pin": people(404, admin=422),
    "POST /v1/own/memories/{memory_id}/unpin": people(404, admin=422),
    "POST /v1/own/memories/{memory_id}/correct": people(404, {"text": "Maybe."}, admin=202),
    "GET /v1/own/questions": people(200),
    "POST /v1/own/questions/{question_id}/answer": people(404, {"choice": "both", "seen_version": 1}),
    "GET /v1/audit": people(200),
    "GET /v1/audit/head": people(200),
    "GET /v1/audit/verify": people(200),
    "GET /v1/policy": people(200),
    "POST /v1/policy/dry-run": people(200, {"change": {"trust.threshold": 0.6}}, member=403, reviewer=403),
    "GET /v1/export": people(200),
    # An id that is none: past the door, and no stream without an end.
    "GET /v1/events": Row(of="operators", open=422, headers={"last-event-id": "none"}),
}


def routes() -> list[str]:
    document = make_api(Place(settings=Settings(_env_file=None), layer_of=lambda: None)).openapi()
    verbs = [(verb.upper(), path) for path, found in document["paths"].items() for verb in found]
    return [f"{verb} {path}" for verb, path in verbs]


def test_every_route_of_the_document_is_in_the_table_and_no_other() -> None:
    assert sorted(TABLE) == sorted(routes())


class World:
    """One installation: ada's own memory with something held in it, and everybody who might come for it."""

    def __init__(self, api: Api) -> None:
        self.api, console = api, api.console
        ada = console.admin
        cleo, ben = console.person("cleo", Role.REVIEWER), api.member("ben")
        console.ask("I live in Lisbon.")
        page = api.key(agent="phone", channel=SourceKind.USER_TURN, shared=True).say(
            HELD, where="/page", source_ref=SOURCE, title=CANARY
        )
        [item] = [one for one in console.layer.ledger.candidates_of(page) if one.state.value == "held"]
        [home] = [one for one in console.layer.memories.list(ada, text="Lisbon")[0] if one.kind.value != "event"]
        self.ids = {
            "memory": home.memory_id,
            "episode": page,
            "item": item.candidate.candidate_id,
            "key": console.layer.operator_keys.create(cleo, "hers")[0].key_id,
        }
        gone = api.operator(ben, "gone")
        [key] = console.layer.operator_keys.list(ben)
        console.layer.operator_keys.revoke(ben, key.key_id)
        self.callers: dict[str, Agent] = {
            "other's agent": api.key(ben, channel=SourceKind.USER_TURN),
            "revoked": gone,
            "member": api.operator(ben),
            "reviewer": api.operator(cleo),
            "admin": api.operator(ada),
        }
        self.callers |= {f"agent:{one.value}": self._agent(ada, one) for one in CHANNELS}
        self.callers["nobody"] = Agent(api, "")
        self.callers["nobody"].headers = {}

    def _agent(self, ada: Actor, channel: SourceKind) -> Agent:
        """A key of ada's own for a memory of its own: even so it is not the console's."""
        return self.api.key(ada, f"a-{channel.value.replace('_', '-')}", channel=channel)

    def call(self, who: str, route: str, row: Row, **ids: str) -> Any:
        verb, path = route.split(" ")
        known = self.ids | ids
        named = {"memory_id": known["memory"], "episode_id": known["episode"], "item_id": known["item"]}
        path = path.format(**named, key_id=known["key"], question_id=MADE_UP)
        body = _filled(row.body, known) if row.body is not None else None
        return self.api.http.request(
            verb, f"/api{path}{row.query}", json=body, headers=self.callers[who].headers | row.headers
        )


def _filled(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _filled(one, ids) for name, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, ids) for one in value]
    return value.format(**ids) if isinstance(value, str) and value.startswith("{") else value


def expected(row: Row, who: str) -> int:
    agent = who == "other's agent" or who.startswith("agent:")
    fits = {"agents": agent, "operators": who in {"member", "reviewer", "admin"}, "anybody": True}[row.of]
    return row.differs.get(who, row.open) if fits else 401


@pytest.fixture
def world(api: Api) -> World:
    return World(api)


def test_each_route_opens_to_whom_the_table_says_and_no_held_word_reaches_an_agent(world: World) -> None:
    wrong, leaks = [], []
    for route, row in TABLE.items():
        for who in WHO:
            if row.of == "anybody" and who != "nobody":
                continue  # a key makes no difference where none is asked for
            answer = world.call(who, route, row)
            if answer.status_code != expected(row, who):
                wrong.append(f"{route} as {who}: {answer.status_code}, not {expected(row, who)}: {answer.text[:200]}")
            stranger = who not in {"reviewer", "admin"}
            if stranger and CANARY.lower() in (answer.text + str(answer.headers)).lower():
                leaks.append(f"{route} as {who}")
    assert wrong == []
    assert leaks == []
    item = world.api.console.layer.ledger.candidate(world.ids["item"])
    assert item is not None
    assert item.state.value == "held", "nobody promoted it on the way"
    seen_by_admin = world.call("admin", "GET /v1/review/items/{item_id}", TABLE["GET /v1/review/items/{item_id}"])
    assert CANARY in seen_by_admin.text, "else the canary proves nothing"


def test_anothers_id_looks_like_one_that_does_not_exist(world: World) -> None:
    """Everywhere that an id is named: the status and the body are those of a made-up id."""
    named = [
        route
        for route, row in TABLE.items()
        if row.of != "anybody" and ("_id}" in route or "'{" in str(row.body)) and "question" not in route
    ]
    assert len(named) >= 15
    made_up = dict.fromkeys(world.ids, MADE_UP)
    told = []
    for route in named:
        row = TABLE[route]
        for who in ("other's agent", "agent:agent_turn", "member"):
            if expected(row, who) == 401:
                continue
            real, none = world.call(who, route, row), world.call(who, route, row, **made_up)
            same = real.text
            for one in world.ids.values():
                same = same.replace(one, MADE_UP)
            if (real.status_code, _once(same)) != (none.status_code, _once(none.text)):
                told.append(
                    f"{route} as {who}: {real.status_code} {same[:300]} != {none.status_code} {none.text[:300]}"
                )
    assert told == []


def _once(text: str) -> str:
    """Without repetitions of an ancestry's lines: one made-up id is looked up once."""
    line = f'{{"ref":"{MADE_UP}","known":false,"outside":true,"trust":0.0,"roots":[]}}'
    while f"{line},{line}" in text:
        text = text.replace(f"{line},{line}", line)
    return text
