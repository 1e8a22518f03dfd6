"""An installation with the HTTP interface before it, spoken to in the process as a program would over the wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount
from starlette.testclient import TestClient

from core.entrypoints.http import Place, make_api, routes_of
from core.entrypoints.http.problems import plain
from core.model import Actor, Role, SourceKind
from core.settings import Settings
from tests.conftest import Console, MakeConsole


class Api:
    """The interface of one installation."""

    def __init__(self, console: Console, **settings: Any) -> None:
        self.console = console
        place = Place(settings=Settings(_env_file=None, **settings), layer_of=lambda: console.layer)
        self.app = Starlette(
            routes=[Mount("/api", make_api(place)), *routes_of(place)], exception_handlers={HTTPException: plain}
        )
        self.http = TestClient(self.app, raise_server_exceptions=False)

    def key(
        self,
        who: Actor | None = None,
        agent: str = "planner",
        *,
        channel: SourceKind = SourceKind.AGENT_TURN,
        shared: bool = False,
    ) -> Agent:
        _, token = self.console.layer.keys.create(who or self.console.admin, agent, channel=channel, shared=shared)
        return Agent(self, token)

    def operator(self, who: Actor | None = None, name: str = "report") -> Operator:
        """A program with a key of a person's."""
        _, token = self.console.layer.operator_keys.create(who or self.console.admin, name)
        return Operator(self, token)

    def member(self, name: str) -> Actor:
        return self.console.person(name, Role.MEMBER)


class Agent:
    """A program with one key."""

    def __init__(self, api: Api, token: str) -> None:
        self.api, self.token = api, token
        self.headers = {"authorization": f"Bearer {token}"}

    def get(self, path: str, **params: Any) -> Any:
        return self.api.http.get(f"/api/v1{path}", params=params, headers=self.headers)

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Any:
        return self.api.http.post(f"/api/v1{path}", json=body, headers=self.headers | headers)

    def say(self, text: str, *, where: str = "", settle: bool = True, **rest: Any) -> str:
        """Put a text in and let it be read; its episode's id."""
        answer = self.post(f"/episodes{where}", {"text": text, **rest})
        assert answer.status_code == 202, answer.text
        if settle:
            self.api.console.settle()
        return str(answer.json()["episode_id"])

    def recall(self, query: str, **rest: Any) -> list[dict[str, Any]]:
        answer = self.post("/recall", {"query": query, **rest})
        assert answer.status_code == 200, answer.text
        return [hit["memory"] for hit in answer.json()["hits"]]


class Operator(Agent):
    """A person's program with one bearer token: a key's or a session's."""

    def delete(self, path: str) -> Any:
        return self.api.http.delete(f"/api/v1{path}", headers=self.headers)

    def act(self, path: str, **body: Any) -> Any:
        return self.post(path, body)


@pytest.fixture
def api(make_console: MakeConsole) -> Iterator[Api]:
    made = Api(make_console())
    with made.http:
        yield made
