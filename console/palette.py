"""The sheet's colours once more for what no sheet reaches: the charts. A test holds them to `shared.css`. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from core.model import SourceKind


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """The colours of one theme."""

    page: str
    text: str
    muted: str
    line: str
    accent: str
    good: str
    warn: str
    bad: str


LIGHT = Look(
    page="#ffffff",
    text="#1b1e2b",
    muted="#5a6072",
    line="#dfe1ec",
    accent="#3b4cca",
    good="#17663a",
    warn="#7d4b00",
    bad="#a3242a",
)
DARK = Look(
    page="#12141c",
    text="#e6e8f2",
    muted="#a4aaba",
    line="#2f3345",
    accent="#9aa6ff",
    good="#7fd6a4",
    warn="#efbd6b",
    bad="#ff9f99",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ink:
    """How one source kind is drawn: told apart without its colour too."""

    colour: str  # a field of `Look`
    symbol: str
    dash: str


INKS = {
    SourceKind.USER_TURN: Ink(colour="accent", symbol="circle", dash="solid"),
    SourceKind.AGENT_TURN: Ink(colour="good", symbol="square", dash="dash"),
    SourceKind.TOOL_OUTPUT: Ink(colour="warn", symbol="diamond", dash="dot"),
    SourceKind.THIRD_PARTY: Ink(colour="muted", symbol="triangle-up", dash="dashdot"),
    SourceKind.EXTERNAL_DOC: Ink(colour="text", symbol="cross", dash="longdash"),
    SourceKind.WEB_CONTENT: Ink(colour="bad", symbol="x", dash="longdashdot"),
}


def look(theme: str | None) -> Look:
    """The colours of the theme that the browser shows; light when it has not said yet."""
    return DARK if theme == "dark" else LIGHT
