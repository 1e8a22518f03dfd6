"""The log's lines: one form for a person's eye, one for a program. What others wrote never stands in one.

Our own messages name ids, counts and kinds. Of an exception its type and places in code are told, and its message only
where it speaks of the installation; a message may else repeat a text. Other libraries' messages are left out unless the
library is known to speak of servers alone. Control characters are written as escapes, so that nothing ends a line.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Literal, TextIO

from core.errors import Misconfigured, Unavailable
from core.observing import request_id

OURS = ("core", "console", "chronomemory", "demo", "eval")
SPEAKING = ("uvicorn", "asyncio", "psycopg.pool", "streamlit", "opentelemetry")
LONGEST = 4_000  # characters of a message
_FRAMES = 40  # of a trace, the innermost
_LEFT_OUT = "a message of this library is left out: it may hold what it was given"


class Lines(logging.Formatter):
    """A record as one line of text, followed by the places of an error, or as one JSON object."""

    def __init__(self, form: Literal["text", "json"]) -> None:
        """Choose the form."""
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """One record."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        known = request_id()
        message = _inert(_message(record))
        places = _places(record.exc_info[1]) if record.exc_info and record.exc_info[1] is not None else []
        if self._form == "text":
            line = f"{at} {record.levelname} {record.name} [{known or '-'}] {message}"
            return "\n".join([line, *(f"    {place}" for place in places)])
        told: dict[str, Any] = {
            "time": at,
            "level": record.levelname,
            "logger": record.name,
            "message": message,
            "request_id": known or None,
        }
        if places:
            told["error"] = places
        return json.dumps(told, ensure_ascii=False)


def configure(form: Literal["text", "json"], stream: TextIO | None = None) -> None:
    """Write every logger's lines in this form, also those that brought a handler of their own. May be called again."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines(form))
    _without_streams(logging.root)
    logging.root.addHandler(handler)
    logging.root.setLevel(logging.WARNING)
    for name in (*OURS, "uvicorn"):
        if logging.getLogger(name).level == logging.NOTSET:  # whoever started the server may have set one
            logging.getLogger(name).setLevel(logging.INFO)
    for logger in list(logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger) and _without_streams(logger):
            logger.propagate = True


def _without_streams(logger: logging.Logger) -> bool:
    """Take plain writers to a terminal from a logger; whether it had one. Whatever else listens goes on."""
    plain = [one for one in logger.handlers if type(one) is logging.StreamHandler]
    for one in plain:
        logger.removeHandler(one)
    return bool(plain)


def _message(record: logging.LogRecord) -> str:
    if not _of(record.name, (*OURS, *SPEAKING)):
        return _LEFT_OUT
    try:
        return record.getMessage()
    except (TypeError, ValueError):
        return "a message that does not fit its arguments"


def _of(name: str, roots: tuple[str, ...]) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in roots)


def _places(error: BaseException) -> list[str]:
    """An error and what it came from, the cause first: each with its places in code."""
    chain: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in chain:
        chain.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    found: list[str] = []
    for each in reversed(chain):
        frames = traceback.extract_tb(each.__traceback__)[-_FRAMES:]
        found += [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
        said = f": {_inert(str(each))}" if isinstance(each, Unavailable | Misconfigured) else ""
        found.append(f"{type(each).__name__}{said}")
    return found


def _inert(text: str) -> str:
    """A text without anything that ends a line or is not drawn, cut to a length."""
    cut = text.strip()[:LONGEST]
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in cut)


__all__ = ["Lines", "configure"]
