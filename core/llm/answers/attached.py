"""Answers out of a conversation's attachments: quoted as the attachment's words, never followed, never remembered."""

# ruff: noqa: E501 - a row is one pattern

from __future__ import annotations

import re
from collections.abc import Sequence

from core.llm.answers.ask import Ask
from core.llm.answers.compose import shorten
from core.llm.answers.facts import Fact, fact_of
from core.llm.answers.grammar import Want
from core.llm.answers.phrases import say
from core.llm.answers.words import stem
from core.model import Memory, MemoryKind, Scope, SourceKind, Turn

_SENTENCE = re.compile(r"[^.!?。!?\n]+(?:\.(?=\w)[^.!?。!?\n]*)*[.!?。!?]?")
_POINTS = re.compile(
    r"\b(?:page|document|doc|attachment|attached|file|article|text|pdf|site|website|link|página|documento|adjunto|archivo|seite|dokument|anhang"
    r"|datei|fichier|pièce jointe)\b|网页|文件|附件|文档",
    re.IGNORECASE,
)
_POINTING = frozenset(
    stem(w)
    for w in [
        "page",
        "document",
        "doc",
        "attachment",
        "attached",
        "file",
        "article",
        "text",
        "pdf",
        "site",
        "website",
        "link",
        "say",
    ]
)
# words that make a sentence an order to the reader; such a sentence is not offered as an answer
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|remember|store|save|you must|assistant|system prompt|instructions?|always (?:answer|say|recommend)|the user)\b",
    re.IGNORECASE,
)
_READ = 40_000  # code points of each attachment that are searched


def points_at_attachment(clause: str) -> bool:
    """Whether a question names the page or document itself."""
    return _POINTS.search(clause) is not None


def from_attachments(ask: Ask, attached: Sequence[Turn], scope: Scope) -> str:
    """The sentence of an attachment that covers the whole question, as a quotation; empty if there is none."""
    named = points_at_attachment(ask.clause)
    if not attached or (ask.mine and not named):
        return ""
    hard = [t for t in ask.terms if not t.soft and t.stem not in _POINTING]
    if not hard:
        return ""
    for turn in reversed(attached):
        for match in _SENTENCE.finditer(turn.text[:_READ]):
            sentence = match[0].strip()
            if len(sentence) < 8 or sentence.endswith("?") or _ORDERS.search(sentence):  # noqa: PLR2004
                continue
            fact = _as_fact(sentence, turn, scope)
            if all(fact.covers(t, by_attribute=False) for t in hard) and (
                ask.want is Want.POLAR or fact.gives(ask.want)
            ):
                kind = "page" if turn.source_kind is SourceKind.WEB_CONTENT else "document"
                return say("page_says", ask.language, kind=kind, words=shorten(sentence))
    return ""


def _as_fact(sentence: str, turn: Turn, scope: Scope) -> Fact:
    memory = Memory(
        memory_id="attached",
        scope=scope,
        kind=MemoryKind.EVENT,
        subject="",
        attribute="event",
        slot_key="",
        value="",
        text=f"You said: {sentence}",
        importance=0.0,
        effective_trust=0.0,
        source_kind=turn.source_kind,
        source_ref="",
        source_title=turn.title,
        actor="",
        episode_id=turn.episode_id,
        conversation_id="",
        serial_no=0,
        roots=(),
        stated_at=turn.at,
        created_at=turn.at,
    )
    return fact_of(memory)
