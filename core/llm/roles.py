"""Which model does which work: two keys, a fallback chain a role, a count of who did it (rules §7.1, §7.4)."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import SecretStr

from core.errors import ModelUnavailable
from core.llm.client import OpenAIChatModel
from core.llm.stream import Stream
from core.ports import ChatMessage, ChatModel

RULES = "rules"
"""Name of the deterministic rules where a model's name is asked for."""

LOCAL_SERVERS: tuple[tuple[str, int], ...] = (("Ollama", 11434), ("LM Studio", 1234), ("vLLM", 8000))
"""Local model servers and the port each listens on by default."""


class ModelSettings(Protocol):
    """The part of `Settings` that describes models; adapters do not import the settings themselves."""

    @property
    def openai_base_url(self) -> str:
        """Endpoint of the agent model; empty for OpenAI's."""

    @property
    def openai_api_key(self) -> SecretStr:
        """Key of the conversation."""

    @property
    def background_base_url(self) -> str:
        """Endpoint of the background roles; empty for the same."""

    @property
    def background_api_key(self) -> SecretStr:
        """Key of the background roles."""

    @property
    def agent_model(self) -> str:
        """Name of the agent model."""

    @property
    def agent_model_fallback(self) -> str:
        """Second agent model; empty for none."""

    @property
    def background_model(self) -> str:
        """Name of the background model."""

    @property
    def background_model_fallback(self) -> str:
        """Second background model; empty for none."""

    @property
    def model_deadline_seconds(self) -> float:
        """One call with its retries."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Roles:
    """The configured models; None where the rules do the work."""

    agent: ChatModel | None = None
    background: ChatModel | None = None  # extractor and judge: temperature 0, thinking off


class ChatChain:
    """A ChatModel that asks the next one when one is unavailable."""

    def __init__(self, models: Sequence[ChatModel]) -> None:
        """Take the models in order of preference.

        Raises:
            ValueError: no model was given.
        """
        if not models:
            msg = "a chain needs at least one model"
            raise ValueError(msg)
        self._models = tuple(models)
        self._spoke = threading.local()

    @property
    def model_id(self) -> str:
        """The model that answered this thread's last call; before the first one, the preferred model."""
        return str(getattr(self._spoke, "model_id", self._models[0].model_id))

    def stream(self, messages: Sequence[ChatMessage]) -> Stream:
        """Pieces of the first model's answer that begins; once it has begun, nobody else takes over.

        Raises:
            ModelUnavailable: every model was, or an answer broke off.
        """
        return Stream(lambda stream: self._pieces(messages, stream))

    def complete_json(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """One reply of that schema from the first model that is available.

        Raises:
            ModelUnavailable: every model was.
            ModelReplyUnusable: the model that answered gave no such reply.
        """
        *others, last = self._models
        for model in others:
            try:
                return self._complete(model, messages, schema)
            except ModelUnavailable:
                continue
        return self._complete(last, messages, schema)

    def _complete(
        self, model: ChatModel, messages: Sequence[ChatMessage], schema: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        self._spoke.model_id = model.model_id
        return model.complete_json(messages, schema)

    def _pieces(self, messages: Sequence[ChatMessage], stream: Stream) -> Iterator[str]:
        for model in self._models:
            self._spoke.model_id = model.model_id
            pieces = model.stream(messages)
            stream.attach(getattr(pieces, "close", lambda: None))
            try:
                first = next(pieces, None)
            except ModelUnavailable:
                if model is self._models[-1] or stream.closed.is_set():
                    raise
                continue
            if first is not None:
                yield first
                yield from pieces
            return


class CallCounter:
    """How often each role's work was done by which model, or by the rules (the fast path, rules §7.4)."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._lock = threading.Lock()
        self._calls: Counter[tuple[str, str]] = Counter()

    def count(self, role: str, by: str = RULES) -> None:
        """One piece of work of `role` ("agent", "extractor", "judge") was done by a model id or by the rules."""
        with self._lock:
            self._calls[role, by] += 1

    def snapshot(self) -> dict[tuple[str, str], int]:
        """Counts by (role, model id or "rules")."""
        with self._lock:
            return dict(self._calls)

    def fast_path_share(self, role: str | None = None) -> float | None:
        """Share of the work done without a model, in [0, 1]; None when nothing was done yet."""
        calls = {key: n for key, n in self.snapshot().items() if role in (None, key[0])}
        total = sum(calls.values())
        return sum(n for (_, by), n in calls.items() if by == RULES) / total if total else None


def build_roles(settings: ModelSettings) -> Roles:
    """The chains that the settings describe (rules §7.1).

    Without a key and an address there is no model, and the rules do the work. The background roles have their own key,
    so that they never compete with the conversation; unset, they use the first one, but only at the first one's
    endpoint: a key is never sent to another server than its own.
    """
    first_key = settings.openai_api_key.get_secret_value()
    own_key = settings.background_api_key.get_secret_value()
    url = settings.background_base_url or settings.openai_base_url
    key = own_key or (first_key if url == settings.openai_base_url else "")
    seconds = settings.model_deadline_seconds
    agent = [
        OpenAIChatModel(model=name, api_key=first_key, base_url=settings.openai_base_url, deadline=seconds)
        for name in _names(settings.agent_model, settings.agent_model_fallback)
    ]
    background = [
        OpenAIChatModel(model=name, api_key=key, base_url=url, deadline=seconds, temperature=0.0, thinking_off=True)
        for name in _names(settings.background_model, settings.background_model_fallback)
    ]
    return Roles(
        agent=_chain(agent) if first_key or settings.openai_base_url else None,
        background=_chain(background) if key or url else None,
    )


def _names(*names: str) -> list[str]:
    return list(dict.fromkeys(name for name in names if name))


def _chain(models: Sequence[ChatModel]) -> ChatModel | None:
    return ChatChain(models) if models else None


@dataclass(frozen=True, kw_only=True, slots=True)
class LocalServer:
    """A model server found on this machine."""

    name: str
    base_url: str
    models: tuple[str, ...]


def detect_local_servers(
    places: Sequence[tuple[str, int]] = LOCAL_SERVERS, *, seconds: float = 0.3
) -> list[LocalServer]:
    """Model servers that answer on 127.0.0.1, for a person to choose from: found is not used.

    Args:
        places: (name, port) pairs to look at.
        seconds: how long to wait for each.
    """
    found = []
    for name, port in places:
        models = _models_at(port, seconds)
        if models is not None:
            found.append(LocalServer(name=name, base_url=f"http://127.0.0.1:{port}/v1", models=models))
    return found


def _models_at(port: int, seconds: float) -> tuple[str, ...] | None:
    """The model names a server lists, or None when there is no such server."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        line.request("GET", "/v1/models")
        answer = line.getresponse()
        if answer.status != http.HTTPStatus.OK:
            return None
        listed = json.loads(answer.read(1_000_000))["data"] or []
        return tuple(str(model["id"]) for model in listed)
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        line.close()
