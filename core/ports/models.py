"""Models and what they are given: embedder, extractor, judge, chat model, responder; time and identifiers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from core.model import Candidate, Decision, Episode, Extraction, Hit, Memory, Opinion, Scope, Turn


class Clock(Protocol):
    """Time, so that tests can set it."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""


class Ids(Protocol):
    """Identifiers that sort by time of making (UUID version 7)."""

    def new(self) -> str:
        """A fresh identifier: 36 characters."""


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def identity(self) -> str:
        """Name and sha256 of the weights (or endpoint and model): what the chain's first entry records."""

    @property
    def dimensions(self) -> int:
        """Length of each vector."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector a text, in order.

        Raises:
            ModelUnavailable: the endpoint did not answer.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class ExtractionContext:
    """What an extractor may look at beside the episode: never text below the threshold, never held words."""

    now: datetime  # time of statement; relative dates count from here
    recent: tuple[Turn, ...] = ()  # earlier turns of the same conversation, oldest first
    known: tuple[Memory, ...] = ()  # active facts of the owner that corrections may refer to, most recent first


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two statements of one owner for a judge: a candidate's and a memory's."""

    candidate: str
    memory_id: str
    memory: str


class Judge(Protocol):
    """Says whether statements contradict. An untrusted part: its word can hold, never admit (rules §1.12, §3.1b)."""

    @property
    def judge_id(self) -> str:
        """The model's name; "" for the judge that does not judge, which is honest about it."""

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        """One opinion a pair, in order; none at all when nobody is configured to judge.

        Raises:
            ModelUnavailable, ModelReplyUnusable: the caller records a gap and opens a conflict card.
        """


class Extractor(Protocol):
    """Reads facts out of one episode. An untrusted parser: it sets no trust and no scope (rules §7.2)."""

    def extract(self, episode: Episode, context: ExtractionContext) -> Extraction:
        """The proposals found, each citing its span; failures come back as gaps, not exceptions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatMessage:
    """One message of a prompt. `cache` asks for `cache_control: ephemeral` on it (rules §6.4)."""

    role: str
    content: str
    cache: bool = False


class ChatModel(Protocol):
    """A language model behind an OpenAI-compatible endpoint."""

    @property
    def model_id(self) -> str:
        """The model's name, as recorded in the audit."""

    def stream(self, messages: Sequence[ChatMessage]) -> Iterator[str]:
        """Pieces of the answer as they arrive.

        Raises:
            ModelUnavailable: no answer within the deadline, retries included.
        """

    def complete_json(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """One reply that satisfies the JSON schema; temperature 0, thinking off.

        Raises:
            ModelUnavailable: no answer within the deadline.
            ModelReplyUnusable: the reply is not JSON of that schema.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplyContext:
    """What the no-model responder makes its answer from."""

    now: datetime
    scope: Scope
    hits: tuple[Hit, ...]  # recalled for the message, best first, possibly more than top_k
    learned: tuple[tuple[Candidate, Decision], ...] = ()  # what the gate would decide about this very message
    recent: tuple[Turn, ...] = ()  # earlier turns of this conversation, oldest first
    attached: tuple[Turn, ...] = ()  # attachments of this conversation: data, with their trust
    withheld: int = 0  # held facts that match the question: counted, never quoted


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """A finished answer and the memories it cites: [1] is cited[0]."""

    text: str
    cited: tuple[Memory, ...] = ()
    asked: bool = False  # whether the message asked memory for something


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubt:
    """Why an answer must end in a question (rules §5.2): one memory not sure enough, or several that compete."""

    memories: tuple[Memory, ...]


class FactLookup(Protocol):
    """Active facts by slot, for a responder that knows which attribute a question asks for."""

    def by_slot(self, scope: Scope, *, subject: str | None, attributes: Sequence[str], limit: int = 20) -> list[Memory]:
        """Active, unexpired memories with one of `attributes` (and that subject, if given), newest statement first."""

    def about(self, scope: Scope, *, subject: str, limit: int = 20) -> list[Memory]:
        """Active, unexpired memories whose subject is `subject` (case-insensitive), most important first."""


class Responder(Protocol):
    """Answers without a model: natural sentences made from recalled facts, with citations."""

    def reply(self, message: str, context: ReplyContext, lookup: FactLookup) -> Reply:
        """The answer to one user message. Pure but for `lookup`."""

    def asking(self, message: str, context: ReplyContext, reply: Reply, doubt: Doubt) -> Reply:
        """The same answer, ending in the question that a doubt asks for: what is doubted, with its sources. Pure."""
