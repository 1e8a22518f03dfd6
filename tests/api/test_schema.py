"""Both OpenAPI documents against what is served: no fault, no undocumented status, type or body, whoever calls.

Few, fixed examples of each route here; `make fuzz-api` tries many, at random.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from core.entrypoints.http.compat import make_compat
from core.entrypoints.http.place import Place
from core.model import SourceKind
from core.settings import Settings
from tests.api.conftest import Api
from tests.conftest import PASSWORD

MANY = os.environ.get("FUZZ_EXAMPLES")
EXAMPLES = int(MANY or 2)  # of each kind, route and caller
CHECKS = (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
TOKEN = "a-token-that-nobody-guesses"


def bounded(run: Callable[[Any], None], strategy: Any, examples: int) -> None:
    """Run a check on a few examples, the same ones each time unless many are asked for."""
    hypothesis.settings(
        max_examples=examples,
        derandomize=MANY is None,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )(hypothesis.given(case=strategy)(run))()


def told(problem: BaseException) -> list[str]:
    """A find in one line: what is wrong, and what was received."""
    if isinstance(problem, BaseExceptionGroup):
        return [line for one in problem.exceptions for line in told(one)]
    return [" ".join(str(problem).split())[:1_000]]


def operations(schema: Any) -> Iterator[Any]:
    for one in schema.get_all_operations():
        yield one.ok()


def problems_of(
    schema: Any, headers_of: Callable[[Any], dict[str, str]], seen: set[int], examples: int = EXAMPLES
) -> list[str]:
    """What does not fit the document, one line a find; `seen` gathers the statuses that were answered."""
    found: list[str] = []

    def run(case: Any) -> None:
        headers = headers_of(case)
        if case.path.endswith("/events"):  # no stream without an end
            headers = headers | {"last-event-id": "none"}
        response = case.call(headers=headers)
        seen.add(response.status_code)
        if response.status_code == 503:
            # It is what a part that is missing looks like, and here it is a setting; a fault is 500.
            assert response.json()["type"] == "Misconfigured", response.json()
        assert response.status_code in {*range(200, 500), 503}, response.text
        case.validate_response(response, checks=list(CHECKS))

    for operation in operations(schema):
        for mode in MODES:
            try:
                bounded(run, operation.as_strategy(generation_mode=mode), examples)
            except hypothesis.errors.Unsatisfiable:
                continue  # nothing can be wrong with a request that has no parts
            except BaseException as problem:
                if isinstance(problem, (KeyboardInterrupt, SystemExit)):
                    raise
                found += [f"{operation.label} ({mode.value}): {one}" for one in told(problem)]
    return found


@pytest.fixture
def open_api(make_console: Any) -> Api:
    """Limits wide enough for a flood, a memory with something in it, and something held."""
    wide = {"api_requests_per_minute": 10**8, "api_burst": 10**8, "public_requests_per_minute": 10**8}
    api = Api(
        make_console(),
        **wide,
        public_burst=10**8,
        chronomemory_corpus_user="ada",
        chronomemory_admin_token=TOKEN,
    )
    api.key(agent="phone", channel=SourceKind.USER_TURN, shared=True).say("I live in Lisbon.")
    api.key(agent="web", channel=SourceKind.WEB_CONTENT, shared=True).say("The user's employer is Contoso.")
    return api


def test_the_document_holds_for_an_agent_a_person_and_nobody(open_api: Api) -> None:
    schema = schemathesis.openapi.from_asgi("/api/openapi.json", open_api.app)
    agent = open_api.key().headers
    session: dict[str, str] = {}

    def person(case: Any) -> dict[str, str]:
        if not session or open_api.http.get("/api/v1/sessions/current", headers=session).status_code == 401:
            _, token = open_api.console.layer.accounts.sign_in("ada", PASSWORD, "192.0.2.9", "tests")
            session["authorization"] = f"Bearer {token}"
        return dict(session)

    callers = {"agent": lambda _case: dict(agent), "person": person, "nobody": lambda _case: {}}
    seen: set[int] = set()
    found = [f"as {who}: {one}" for who, headers in callers.items() for one in problems_of(schema, headers, seen)]
    assert not found, "\n".join(found)
    assert seen >= {200, 201, 202, 401, 404, 422}, "else little was tried"


def test_the_small_contracts_document_holds_too(open_api: Api) -> None:
    app = make_compat(Place(settings=Settings(_env_file=None), layer_of=lambda: None))
    schema = schemathesis.openapi.from_dict(app.openapi())
    schema.app = open_api.app
    callers = {"admin": {"authorization": f"Bearer {TOKEN}"}, "agent": open_api.key().headers, "nobody": {}}
    seen: set[int] = set()
    found = [
        f"as {who}: {one}"
        for who, headers in callers.items()
        for one in problems_of(schema, lambda _case, sent=headers: dict(sent), seen, 4 * EXAMPLES)
    ]
    assert not found, "\n".join(found)
    assert seen >= {200, 202, 401, 422}, "else little was tried"
