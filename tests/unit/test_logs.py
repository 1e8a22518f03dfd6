"""The log's lines: each whole, with its request, and with nobody else's words."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
from collections.abc import Iterator

import pytest

from core.errors import BadInput, StoreUnavailable
from core.observing import known_as
from core.telemetry.logs import LONGEST, Lines, configure

CANARY = "zebra-canary"


def record(message, *args, name="core.test", error=None, level=logging.WARNING):
    given = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord(name, level, "here.py", 1, message, args, given)


def raised(error, cause=None):
    try:
        raise error from cause  # noqa: TRY301 - to give it a place
    except Exception as caught:  # noqa: BLE001
        return caught


def json_line(*args, **kwargs):
    line = Lines("json").format(record(*args, **kwargs))
    assert "\n" not in line
    return json.loads(line)


def test_a_json_line_has_its_parts_and_its_request():
    with known_as("r-1"):
        told = json_line("episode %s goes back", "e1")
    assert told["message"] == "episode e1 goes back"
    assert (told["level"], told["logger"], told["request_id"]) == ("WARNING", "core.test", "r-1")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["time"])
    assert json_line("outside of any")["request_id"] is None


def test_a_text_line_has_its_parts_and_its_request():
    with known_as("r-1"):
        line = Lines("text").format(record("hello"))
    assert re.fullmatch(r"\S+Z WARNING core\.test \[r-1\] hello", line)
    assert " [-] hello" in Lines("text").format(record("hello"))


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("evil", ["\n", "\r\n", "\x85", "\u2028", "\x1b[2J", "\x00", "\u202e"])
def test_nothing_ends_a_line_or_moves_a_cursor(form, evil):
    line = Lines(form).format(record("path %s", f"a{evil}2026-01-01T00:00:00.000Z ERROR core.test [-] made up"))
    assert len(line.splitlines()) == 1
    assert line.isprintable()


def test_a_long_message_is_cut():
    assert len(json_line("x" * (3 * LONGEST))["message"]) == LONGEST


def test_a_message_that_does_not_fit_its_arguments_is_no_fault():
    assert json_line("%d things", "no number")["message"] == "a message that does not fit its arguments"


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_error_tells_its_type_and_places_and_no_word_of_a_text(form):
    error = raised(RuntimeError(f"cannot read {CANARY}"), raised(BadInput(f"{CANARY} is refused")))
    line = Lines(form).format(record("a fault", error=error))
    assert "RuntimeError" in line
    assert "BadInput" in line
    assert "test_logs.py:" in line
    assert CANARY not in line


def test_an_error_of_the_installation_says_what_to_do():
    told = json_line("a fault", error=raised(StoreUnavailable("start\nPostgres")))
    assert told["error"][-1] == r"StoreUnavailable: start\nPostgres"


def test_other_libraries_are_left_out_unless_they_speak_of_servers():
    assert CANARY not in json_line("invalid pdf header: %s", CANARY, name="pypdf._reader")["message"]
    assert json_line("started on %s", "port 1", name="uvicorn.error")["message"] == "started on port 1"
    assert CANARY not in json_line(CANARY, name="corelike.module")["message"]


@pytest.fixture
def loggers_put_back() -> Iterator[None]:
    root = logging.root
    before, level = list(root.handlers), root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)
    for name in ("core", "console", "chronomemory", "demo", "eval", "uvicorn"):
        logging.getLogger(name).setLevel(logging.NOTSET)  # as it was: the program sets none while it is imported


def test_every_logger_writes_once_in_the_chosen_form(loggers_put_back):
    own = logging.getLogger("brought.its.own")
    own.addHandler(logging.StreamHandler(sys.stderr))
    own.propagate = False
    stream = io.StringIO()
    configure("json", io.StringIO())
    configure("json", stream)
    logging.getLogger("core.anything").info("ours")
    logging.getLogger("brought.its.own").warning("theirs")
    logging.getLogger("brought.its.own").info("too little")
    lines = [json.loads(one) for one in stream.getvalue().splitlines()]
    assert [one["logger"] for one in lines] == ["core.anything", "brought.its.own"]
