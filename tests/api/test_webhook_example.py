"""The receiver in docs/http.md takes what the product sends, and nothing else."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from core.notify import SIGNATURE, TIMESTAMP, signature

PAGE = Path(__file__).resolve().parents[2] / "docs" / "http.md"
SECRET, BODY = "a key that both know", b'{"event":"candidate:held"}'


def genuine() -> Any:
    found: dict[str, Any] = {}
    exec(PAGE.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0], found)  # noqa: S102
    return found["genuine"]


def signed(at: str, body: bytes = BODY, secret: str = SECRET) -> dict[str, str]:
    return {TIMESTAMP: at, SIGNATURE: f"sha256={signature(secret, at, body)}"}


def test_the_example_takes_what_is_sent_and_nothing_else() -> None:
    check, now = genuine(), str(int(time.time()))
    old = str(int(time.time()) - 3600)
    assert check(SECRET, signed(now), BODY)
    assert not check(SECRET, signed(old), BODY), "sent again later"
    assert not check(SECRET, signed(now), BODY + b" ")
    assert not check(SECRET, signed(now, secret="another"), BODY)
    assert not check(SECRET, signed(old) | {TIMESTAMP: now}, BODY)
    assert not check(SECRET, {}, BODY)
