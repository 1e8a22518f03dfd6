"""What the memory gives back, as frozen values. An answer that lacks what is promised is `Garbled`, never guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from core.client.errors import Garbled

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Root:
    """One hop of an origin; `source_ref` is empty where it is not trusted."""

    episode_id: str
    source_kind: str
    source_ref: str
    trust: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """One trusted memory."""

    id: str
    text: str
    subject: str
    attribute: str
    value: str
    kind: str
    status: str
    importance: float
    effective_trust: float
    source_kind: str
    source_ref: str
    episode_id: str
    roots: tuple[Root, ...]
    origins: int
    vouched: bool
    confirmed: bool
    pinned: bool
    impact: tuple[str, ...]
    stated_at: datetime
    created_at: datetime
    valid_at: datetime | None
    invalid_at: datetime | None
    expires_at: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Term:
    """One product of a confidence."""

    name: str
    weight: float
    value: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Confidence:
    """How sure a memory is, and of what that is made."""

    value: float
    terms: tuple[Term, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A recalled memory with the factors of its score."""

    memory: Memory
    score: float
    relevance: float
    freshness: float
    cosine: float
    lexical: float
    coverage: float
    age_days: float
    composite_trust: float
    needs_confirmation: bool
    linked_from: str
    confidence: Confidence | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """What became of a text that was put in.

    `stored` False: it is NOT in the memory. `pending` then says whether this process keeps it to send it later; that is
    lost if the process ends. `processed` and `memories` are known once it was waited for.
    """

    episode_id: str = ""
    counts_as: str = ""
    stored: bool = True
    processed: bool = False
    memories: tuple[str, ...] = ()
    degraded: bool = False
    pending: bool = False
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """How far a text has come; what of it was held is not told."""

    episode_id: str
    received_at: datetime
    processed: bool
    memories: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Recalled:
    """Trusted memories, the best first. `degraded`: the memory could not be asked, so nothing is known of it."""

    hits: tuple[Hit, ...] = ()
    degraded: bool = False
    reason: str = ""

    def __iter__(self) -> Iterator[Hit]:
        """The hits, the best first."""
        return iter(self.hits)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.hits)

    @property
    def texts(self) -> tuple[str, ...]:
        """The memories' words."""
        return tuple(hit.memory.text for hit in self.hits)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What may be done with what is remembered: "act", "answer" or "ask". A memory that is down lets nobody act."""

    advice: str = "ask"
    reason: str = ""
    hits: tuple[Hit, ...] = ()
    degraded: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One message of a prompt."""

    role: str
    content: str
    cache: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """System messages with what is remembered, to put before the conversation."""

    messages: tuple[Message, ...] = ()
    memories: tuple[Memory, ...] = ()
    advice: str = "ask"
    reason: str = ""
    head_tokens: int = 0
    degraded: bool = False

    def as_openai(self) -> list[dict[str, str]]:
        """The messages as an OpenAI client takes them."""
        return [{"role": one.role, "content": one.content} for one in self.messages]


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """The ruling that made a memory."""

    by: str
    at: datetime
    reasons: tuple[str, ...]
    policy: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Why:
    """Why a memory is believed."""

    memory: Memory
    freshness: float
    composite_trust: float
    confidence: Confidence | None
    advice: str
    reason: str
    decision: Decision | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """Where one input comes from."""

    ref: str
    known: bool
    outside: bool
    trust: float
    roots: tuple[Root, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ancestry:
    """Whether anything from outside is behind some inputs. Where the memory is down, everything counts as outside."""

    outside: bool = True
    trust: float = 0.0
    lines: tuple[Line, ...] = ()
    degraded: bool = False
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """What is known for good, the most important first."""

    memories: tuple[Memory, ...] = ()
    total: int = 0
    degraded: bool = False
    reason: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Forgotten:
    """Whether a statement was taken back."""

    done: bool = True
    degraded: bool = False
    reason: str = ""


def read(kind: type[T], data: Any, **rest: Any) -> T:
    """An answer's JSON as one of the values above; fields that this version does not know are left out.

    Raises:
        Garbled: something promised is missing or of another kind.
    """
    if not isinstance(data, dict):
        raise _garbled(kind)
    hints = get_type_hints(kind)
    given: dict[str, Any] = dict(rest)
    for one in fields(cast("Any", kind)):
        if one.name in data:
            given[one.name] = _value(hints[one.name], data[one.name], kind)
    try:
        return kind(**given)
    except TypeError as problem:  # a field without a default is missing
        raise _garbled(kind) from problem


def _value(hint: Any, data: Any, kind: type[Any]) -> Any:
    origin = get_origin(hint)
    if origin in (UnionType, Union):
        if data is None and NoneType in get_args(hint):
            return None
        [inner] = [one for one in get_args(hint) if one is not NoneType]
        return _value(inner, data, kind)
    if origin is tuple:
        if not isinstance(data, list):
            raise _garbled(kind)
        return tuple(_value(get_args(hint)[0], one, kind) for one in data)
    if is_dataclass(hint):
        return read(cast("type[Any]", hint), data)
    if hint is datetime:
        return _time(data, kind)
    fits = isinstance(data, bool) if hint is bool else isinstance(data, (int, float) if hint is float else hint)
    if not fits or (hint is not bool and isinstance(data, bool)):
        raise _garbled(kind)
    return float(data) if hint is float else data


def _time(data: Any, kind: type[Any]) -> datetime:
    try:
        return datetime.fromisoformat(data)
    except (TypeError, ValueError) as problem:
        raise _garbled(kind) from problem


def _garbled(kind: type[Any]) -> Garbled:
    return Garbled(f"The answer is not what the memory answers ({kind.__name__}). Is the address that of the memory?")
