"""Where the cases come from, and the table of what became of each.

`--cases FOLDER` or CHRONOMEMORY_CASES names the folder; without either it is `../shared/cases` beside the repository, and
where that is missing, the fixtures here, which are few and of the project's own wording.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.runner import TODAY, World
from tests.conftest import MakeConsole
from tests.model_server import Answer, ModelServer

HERE = Path(__file__).parent
BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "cases"
FILES = {"memory": "memory_cases.jsonl", "poisoning": "poisoning_cases.jsonl"}
RESULTS: dict[str, tuple[str, str]] = {}  # case id -> (outcome, why)


def folder() -> Path:
    """The folder with the cases that this run takes."""
    given = os.environ.get("CHRONOMEMORY_CASES", "")
    if given:
        return Path(given)
    return BESIDE if (BESIDE / FILES["memory"]).exists() else HERE / "fixtures"


def read(kind: str) -> dict[str, dict[str, Any]]:
    """The cases of one file by id."""
    path = folder() / FILES[kind]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {row["id"]: row for row in rows}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test a case, marked with its id."""
    for kind in FILES:
        if f"{kind}_case" in metafunc.fixturenames:
            special = getattr(metafunc.module, "SPECIAL", frozenset())
            cases = {key: row for key, row in read(kind).items() if key not in special}
            metafunc.parametrize(
                f"{kind}_case",
                [pytest.param(row, id=key, marks=pytest.mark.case(key)) for key, row in cases.items()],
            )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Cases from outside the repository are no part of the ordinary suite; those of the project's own wording are."""
    if folder() == HERE / "fixtures":
        return
    outside = {f"{kind}_case" for kind in FILES}
    for item in items:
        if outside.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.cases)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Note what became of each case; a test marked `explained` asserts the product's own choice instead."""
    report = yield
    mark = item.get_closest_marker("case")
    if mark is not None and (report.when == "call" or report.failed):
        why = mark.kwargs.get("explained", "")
        if report.failed:
            outcome, why = "failed", str(report.longrepr).strip().splitlines()[-1] if report.longrepr else ""
            for line in str(report.longrepr).splitlines():
                if line.startswith("E "):
                    why = line[1:].strip()
                    break
        else:
            outcome = "explained" if why else "passed"
        for case_id in mark.args:
            if RESULTS.get(case_id, ("", ""))[0] != "failed":  # a case of several tests is as good as its worst
                RESULTS[case_id] = (outcome, why)
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table: every case that is not simply passed is named."""
    if not RESULTS:
        return
    count = {name: sum(1 for one, _ in RESULTS.values() if one == name) for name in ("passed", "failed", "explained")}
    write = terminalreporter.write_line
    terminalreporter.section(f"cases of {folder().name}")
    for case_id, (outcome, why) in sorted(RESULTS.items()):
        if outcome != "passed":
            write(f"{case_id:10} {outcome:10} {why[:160]}")
    write(f"{len(RESULTS)} cases: {', '.join(f'{number} {name}' for name, number in count.items())}")


@pytest.fixture
def world(make_console: MakeConsole) -> World:
    """A fresh installation without a model, at TODAY."""
    made = World(console=make_console())
    made.at(TODAY)
    return made


@pytest.fixture
def modelled(make_console: MakeConsole) -> Iterator[World]:
    """The same with a model that answers every prompt with the same few words: what went into the prompt is looked at."""
    with ModelServer(Answer(text="Noted.")) as server:
        made = World(
            console=make_console(
                openai_base_url=server.base_url, openai_api_key="key", agent_model="big", background_model="small"
            )
        )
        made.at(TODAY)
        made.notes["server"] = server
        yield made
