"""The model as an extractor: it proposes, code checks that every fact stands in the text it cites (rules §7.2).

What a model says is taken only where the text bears it out: the quotation must be found, the value must stand in it,
and whatever decides trust (whose words, which source) never comes from the model. When the model is down or talks
nonsense the deterministic rules take over; that is the last link of the role's chain and no gap (rules §7.1).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.errors import ModelReplyUnusable, ModelUnavailable
from core.literals import figures, holds, names
from core.llm.grounding import value_stands_in
from core.llm.modelview import ModelView
from core.llm.roles import CallCounter
from core.llm.rules.voice import addressed
from core.llm.templates import render
from core.model import Episode, Extraction, MemoryKind, Proposal, SourceKind, SpeechAct
from core.ports import ChatMessage, ChatModel, ExtractionContext, Extractor
from core.slots import SLOTS, default_importance, slot_key
from core.wording import shown

ROLE = "extractor"
CHUNK_CHARS = 6_000  # characters of one call
MAX_CHUNKS = 20  # calls for one episode; text beyond them is a gap
_MAX_FACTS = 60  # of one chunk: more is a loop, not a reading
_KNOWN, _RECENT, _RECENT_CHARS = 20, 4, 400  # facts and earlier turns shown, characters of each turn
_MAX_VALUE, _MAX_STATEMENT = 300, 500  # characters
_KINDS = (MemoryKind.FACT, MemoryKind.PREFERENCE, MemoryKind.EVENT, MemoryKind.PROCEDURE, MemoryKind.LESSON)
_ACTS = (SpeechAct.ASSERTION, SpeechAct.DIRECTIVE, SpeechAct.RETRACTION)
_OWNER_WORDS = frozenset({"user", "the user", "i", "me", "myself", "you", "we", "speaker", "the speaker", "owner"})
_ATTRIBUTE = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LANGUAGE = re.compile(r"[a-z]{2}")
_SOURCES = {
    SourceKind.USER_TURN: "typed by the user",
    SourceKind.AGENT_TURN: "said by the assistant",
    SourceKind.TOOL_OUTPUT: "returned by a tool",
    SourceKind.THIRD_PARTY: "written by somebody else",
    SourceKind.EXTERNAL_DOC: "a document",
    SourceKind.WEB_CONTENT: "a web page",
}
_OWN_VOICES = frozenset({SourceKind.USER_TURN, SourceKind.AGENT_TURN})  # channels where "user" can mean the owner
_DATE: dict[str, Any] = {"type": ["string", "null"]}
_TEXT: dict[str, Any] = {"type": "string"}
_FACT: dict[str, Any] = {
    "quote": _TEXT,
    "subject": _TEXT,
    "attribute": _TEXT,
    "value": _TEXT,
    "statement": _TEXT,
    "kind": {"type": "string", "enum": [str(kind) for kind in _KINDS]},
    "speech_act": {"type": "string", "enum": [str(act) for act in _ACTS]},
    "valid_from": _DATE,
    "valid_until": _DATE,
    "expires": _DATE,
    "language": _TEXT,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {"type": "object", "properties": _FACT, "required": list(_FACT), "additionalProperties": False},
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
"""What the model must reply, in the strict form: every property required, no others."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Reading:
    """One episode as it is read: the view, the range of this chunk, and the words a subject may be named by."""

    episode: Episode
    view: ModelView
    start: int
    end: int
    context: ExtractionContext


class ModelExtractor:
    """Extractor over a background model, with the rules as the last link of its chain."""

    def __init__(
        self,
        model: ChatModel,
        fallback: Extractor,
        counter: CallCounter,
        *,
        nonce: Callable[[], str] = lambda: secrets.token_hex(12),
    ) -> None:
        """Wire the parts.

        Args:
            model: the background role's chain.
            fallback: the deterministic rules; also the source of each turn's `event` memory (rules §2.1).
            counter: told once an episode who did the work.
            nonce: makes the marks around the text, which the text cannot know and so cannot close.
        """
        self._model = model
        self._fallback = fallback
        self._counter = counter
        self._nonce = nonce

    def extract(self, episode: Episode, context: ExtractionContext) -> Extraction:
        """The model's facts that hold, with the rules' own reading where the model left something out.

        A weak model overlooks what the rules read for certain (an allergy beside a date). Of the owner's own turn the
        rules therefore fill every slot that the model left empty; of other texts they stand in when it found nothing.
        """
        ruled = self._fallback.extract(episode, context)
        view = ModelView.of(episode.text)
        chunks = view.chunks(CHUNK_CHARS)
        if not any(char.isalpha() for char in view.text):
            return self._by_rules(ruled)
        found: list[Proposal] = []
        try:
            for start, end in chunks[:MAX_CHUNKS]:
                found += self._read(_Reading(episode=episode, view=view, start=start, end=end, context=context))
        except (ModelUnavailable, ModelReplyUnusable):
            return self._by_rules(ruled)
        if not found and episode.provenance.source_kind is not SourceKind.USER_TURN:
            return self._by_rules(ruled)  # a weak model's silence must not keep a page's claims from the reviewer
        self._counter.count(ROLE, self._model.model_id)
        own = episode.provenance.source_kind is SourceKind.USER_TURN
        return Extraction(
            proposals=tuple(_unique([*found, *_left_out(ruled.proposals, found, own=own)])),
            extractor=self._model.model_id,
            gaps=("extractor:truncated",) if len(chunks) > MAX_CHUNKS else (),
        )

    def _by_rules(self, ruled: Extraction) -> Extraction:
        self._counter.count(ROLE)
        return ruled

    def _read(self, reading: _Reading) -> list[Proposal]:
        reply = self._model.complete_json(self._messages(reading), SCHEMA)
        proposals = (_proposal(fact, reading) for fact in reply["facts"][:_MAX_FACTS])
        return [proposal for proposal in proposals if proposal is not None]

    def _messages(self, reading: _Reading) -> list[ChatMessage]:
        context = reading.context
        known = (shown(f"{fact.subject} | {fact.attribute} | {fact.value}") for fact in context.known[:_KNOWN])
        recent = (f"{turn.role}: {shown(turn.text)[:_RECENT_CHARS]}" for turn in context.recent[-_RECENT:])
        episode = render(
            "extract_episode",
            now=context.now.isoformat(timespec="minutes"),
            source=_SOURCES[reading.episode.provenance.source_kind],
            known="\n".join(known) or "nothing",
            recent="\n".join(recent) or "nothing",
            nonce=self._nonce(),
            text=reading.view.text[reading.start : reading.end],
        )
        system = render("extract", slots=", ".join(SLOTS))
        return [ChatMessage(role="system", content=system, cache=True), ChatMessage(role="user", content=episode)]


def _proposal(fact: Mapping[str, Any], reading: _Reading) -> Proposal | None:
    """One fact of the reply as a proposal, or None if the text does not bear it out.

    1. The quotation is in this chunk. 2. The value stands in the quotation. 3. The subject is the owner, where the
    channel allows it, or is named in the text or in what is known. 4. The statement is the model's only for the owner's
    own turns, and only if it adds no literal and no name; else it is the quotation.
    """
    at = reading.view.find(fact["quote"], reading.start, reading.end)
    if at is None:
        return None
    quote = reading.view.text[at[0] : at[1]]
    value = _line(fact["value"], _MAX_VALUE)
    subject = _subject(_line(fact["subject"], _MAX_VALUE), reading)
    if not value or subject is None or not value_stands_in(value, quote):
        return None
    span = reading.view.span(*at)
    act = SpeechAct(fact["speech_act"])
    attribute = _attribute(fact["attribute"])
    valid_from, valid_until = _date(fact["valid_from"]), _date(fact["valid_until"])
    if valid_from and valid_until and valid_until <= valid_from:
        valid_from = valid_until = None
    expires = _date(fact["expires"])
    own = reading.episode.provenance.source_kind is SourceKind.USER_TURN
    return Proposal(
        subject=subject,
        attribute=attribute,
        value=value,
        statement=_statement(fact["statement"], quote, subject) if own else span.of(reading.episode.text),
        kind=MemoryKind(fact["kind"]),
        importance=default_importance(attribute),
        span=span,
        speech_act=act,
        valid_at=valid_from,
        invalid_at=valid_until,
        expires_at=expires if expires and expires > reading.context.now else None,
        retracts=act is SpeechAct.RETRACTION,
        language=fact["language"].lower() if _LANGUAGE.fullmatch(fact["language"].lower()) else "en",
    )


def _subject(subject: str, reading: _Reading) -> str | None:
    """Whom the fact is about; None for a name that is nowhere in the text or in what is known.

    First-person text that others wrote speaks of its author: a page that says "I am allergic to …" must never become a
    fact about the owner.
    """
    if subject.casefold() in _OWNER_WORDS:
        return "user" if reading.episode.provenance.source_kind in _OWN_VOICES else "author"
    sources = [reading.view.text, *(turn.text for turn in reading.context.recent[-_RECENT:])]
    sources += [fact.subject for fact in reading.context.known]
    stands = any(value_stands_in(subject, source) for source in sources)
    return subject if subject and (stands or subject == "author") else None


def _statement(statement: str, quote: str, subject: str) -> str:
    """The model's sentence if it adds no literal and no name to the quotation, else the quotation, addressed."""
    line = _line(statement, _MAX_STATEMENT)
    adds_nothing = holds(quote, figures(line)) and holds(f"{quote} {subject}", names(line, skip_first=True))
    return line if line and adds_nothing else addressed(quote)[:_MAX_STATEMENT]


def _attribute(raw: str) -> str:
    name = re.sub(r"[\s\-]+", "_", shown(raw).strip().lower())
    return name if _ATTRIBUTE.fullmatch(name) else "statement"


def _date(raw: str | None) -> datetime | None:
    """An ISO date or time, in UTC where it names no zone; anything else says nothing."""
    try:
        at = datetime.fromisoformat(raw or "")
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _line(text: str, limit: int) -> str:
    return " ".join(shown(text).split())[:limit]


def _left_out(ruled: Sequence[Proposal], found: Sequence[Proposal], *, own: bool) -> list[Proposal]:
    """The rules' event of a turn, and of the owner's own turn what the model said nothing about.

    The model's reading of a slot, or of the same words, stands: two readings of one statement would contradict.
    """
    slots = {slot_key(one.subject, one.attribute) for one in found}
    values = {one.value.casefold() for one in found}
    return [
        one
        for one in ruled
        if one.kind is MemoryKind.EVENT
        or (own and slot_key(one.subject, one.attribute) not in slots and one.value.casefold() not in values)
    ]


def _unique(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Without repetitions of the same fact from the same words."""
    seen = {(p.subject, p.attribute, p.value.casefold(), p.span): p for p in reversed(proposals)}
    return list(reversed(seen.values()))
