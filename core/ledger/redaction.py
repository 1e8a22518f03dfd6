"""Blanks a purged fact where it was said and where an answer repeated it (rules §2.9).

A text keeps its length, so that what else was read out of it still cites its own words. Only the texts that stated the
fact and the answers given beside them or with it are looked at: what its owner said otherwise and elsewhere is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from core.ledger.codec import from_json, to_json
from core.ledger.dialect import Connection
from core.ledger.rows import excerpt_of, item_of
from core.ledger.scrub import PURGED
from core.model import Candidate, CandidateState, MemoryKind, Span

BLANK = "█"
SHORT = 4  # characters of a value under which it is a word of many sentences, and not blanked by itself
_LIVE = frozenset({CandidateState.HELD, CandidateState.ADMITTED, CandidateState.PROMOTED})
_WORDED = frozenset({"text", "content"})  # keys of an answer's detail under which words stand


def redact(connection: Connection, said: Sequence[Candidate], memory_id: str) -> None:
    """Blank the words of candidates that are scrubbed already.

    Args:
        connection: inside a write transaction.
        said: the fact as it was read, from each text that stated it, with its words.
        memory_id: whose answers are looked at.
    """
    conversations: dict[str, None] = {}
    phrases = [one.text for one in said] + [one.proposal.value for one in said]
    for one in said:
        row = connection.row("episode", episode_id=one.episode_id)
        if row is None:
            continue
        conversations[row["conversation_id"]] = None
        span = one.proposal.span
        phrases.append(span.of(row["text"]))
        _blank_episode(connection, one.episode_id, row["text"], span, one.proposal.value)
    found = _pattern(phrases)
    if found is None:
        return
    for conversation_id in conversations:
        title = connection.row("title", conversation_id=conversation_id)
        if title is not None:
            connection.change("set_title", conversation_id=conversation_id, title=_blanked(found, title["title"]))
    scope = said[0].scope
    runs = connection.rows(
        "runs_with",
        tenant=scope.tenant,
        owner=scope.owner,
        memory_id=memory_id,
        conversations=to_json(list(conversations)),
    )
    for run in runs:
        detail = to_json(_worded(found, from_json(dict[str, Any], run["detail"])))
        connection.change("set_run_words", run_id=run["run_id"], text=_blanked(found, run["text"]), detail=detail)
        answer = connection.row("episode", episode_id=run["answer_id"])
        if answer is not None:
            text = _blanked(found, answer["text"])
            connection.change("set_episode_text", episode_id=run["answer_id"], text=text)


def _blank_episode(connection: Connection, episode_id: str, text: str, span: Span, value: str) -> None:
    """Blank a span but for what other facts cite; there, only the value. Then cut the excerpts anew."""
    items = [item_of(row) for row in connection.rows("items_of_text", episode_id=episode_id)]
    others = [one for one in items if one.candidate.text != PURGED]
    kept = [
        one.candidate.proposal.span
        for one in others
        if one.state in _LIVE and one.candidate.proposal.kind is not MemoryKind.EVENT
    ]
    cited = "".join(
        char if any(one.start <= at < one.end for one in kept) else BLANK
        for at, char in enumerate(text[span.start : span.end], start=span.start)
    )
    found = _pattern([value])
    cited = _blanked(found, cited) if found else cited
    text = text[: span.start] + cited + text[span.end :]
    connection.change("set_episode_text", episode_id=episode_id, text=text)
    for one in others:
        excerpt, marked = excerpt_of(text, one.candidate.proposal.span)
        connection.change(
            "set_excerpt",
            candidate_id=one.candidate.candidate_id,
            excerpt=excerpt,
            marked_from=marked.start,
            marked_to=marked.end,
        )


def _pattern(phrases: Iterable[str]) -> re.Pattern[str] | None:
    """Any of the phrases, whole and in either case; None if all are too short to be told from other words."""
    cores = {one.strip().rstrip(".!?。") for one in phrases}
    wanted = sorted((one for one in cores if len(one) >= SHORT), key=len, reverse=True)
    if not wanted:
        return None
    return re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in wanted), re.IGNORECASE)


def _blanked(found: re.Pattern[str], text: str) -> str:
    return found.sub(lambda match: BLANK * len(match[0]), text)


def _worded(found: re.Pattern[str], value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _worded(found, inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_worded(found, inner, key) for inner in value]
    return _blanked(found, value) if isinstance(value, str) and key in _WORDED else value


__all__ = ["redact"]
