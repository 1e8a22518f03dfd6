"""What the desks share: the hour, the words and the places that the tests know."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from core.model import SourceKind

POLICY = Path(__file__).parents[2] / "core" / "policies" / "default.toml"
NOW = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)
EVIL = (
    "![x](http://127.0.0.1:9/evil.png) <img src=http://127.0.0.1:9/i.png onerror=alert(1)> "
    "[a](javascript:alert(1)) :material/home: :tada: $x$ \u202egpj.exe"
)
WEB = SourceKind.WEB_CONTENT
DOC = SourceKind.EXTERNAL_DOC
BASE = {
    SourceKind.USER_TURN: 1.0,
    SourceKind.AGENT_TURN: 0.7,
    SourceKind.TOOL_OUTPUT: 0.6,
    SourceKind.THIRD_PARTY: 0.55,
    DOC: 0.4,
    WEB: 0.3,
}
DIGEST = "3f9a" * 16
PAGE = "https://recipes.example/pasta"
