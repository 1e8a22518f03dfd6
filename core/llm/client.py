"""ChatModel over any OpenAI-compatible endpoint: retries within a deadline, Stop at once, JSON by schema (rules §7).

Error messages name the model and the HTTP status, never the server's text: servers echo the prompt, and the prompt of a
background role can hold words that are still held (rules §6.5).
"""

from __future__ import annotations

import ipaddress
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from core.errors import Misconfigured, ModelReplyUnusable, ModelUnavailable
from core.llm.dialect import Ask, Dialect
from core.llm.jsonreply import after_thinking, parse
from core.llm.retry import TransientFailure, persist, transient
from core.llm.stream import Stream
from core.llm.templates import render
from core.llm.wire import Wire
from core.ports import ChatMessage

ALLOW_MODEL_REQUESTS = True
"""Tests set this to False: then only servers on the loopback interface are called."""

DEFAULT_BASE_URL = "https://api.openai.com/v1"

_T = TypeVar("_T")
_ATTEMPT_SHARE = 0.6  # of the time left: one hung connection leaves time for a second
_ATTEMPT_FLOOR = 10.0  # seconds; a shorter deadline is not split
_REFUSALS = frozenset({400, 422})  # the server rejects the request's form; 5xx only counts if it names a field


class _BrokenOpening(ValueError):
    """The server accepted a streamed request and hung up before the first piece.

    llama.cpp's Python server does so when it cannot read list content: it fails after it has sent its status.
    """


@dataclass(frozen=True, kw_only=True, slots=True)
class _Opened:
    """A streamed answer that has begun: what to close, and the pieces from the first on."""

    stack: ExitStack
    pieces: Iterator[str]


class OpenAIChatModel:
    """One model at one endpoint. Safe to share between threads: every call has a connection of its own."""

    def __init__(
        self,
        *,
        model: str,
        api_key: str = "",
        base_url: str = "",
        deadline: float = 60.0,
        temperature: float | None = None,
        thinking_off: bool = False,
        max_tokens: int | None = None,
    ) -> None:
        """Describe the endpoint; nothing is sent yet.

        Args:
            model: name as the endpoint knows it.
            api_key: empty for a server that asks for none.
            base_url: up to and including `/v1`; empty for OpenAI's.
            deadline: seconds for one call with its retries; when streaming, until the first sign of life and then for
                each next one.
            temperature: None leaves it to the server.
            thinking_off: send `enable_thinking: false` until the server refuses the field.
            max_tokens: longest answer; None leaves it to the server.
        """
        self._model = model
        self._key = api_key or "none"
        self._base_url = base_url or DEFAULT_BASE_URL
        self._deadline = deadline
        self._plain = Ask(messages=(), temperature=temperature, thinking_off=thinking_off, max_tokens=max_tokens)
        self._dialect = Dialect()

    @property
    def model_id(self) -> str:
        """The model's name."""
        return self._model

    def stream(self, messages: Sequence[ChatMessage]) -> Stream:
        """Pieces of the answer, hidden thinking left out; the request is sent when the first one is asked for.

        Raises:
            ModelUnavailable: no answer within the deadline, retries included; an empty one; or it broke off.
            Misconfigured: model requests are switched off.
        """
        self._guard()
        ask = replace(self._plain, messages=tuple(messages), stream=True)
        return Stream(lambda stream: self._pieces(ask, stream))

    def complete_json(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """One reply of that JSON schema, at temperature 0, thinking off; a wrong one is sent back once.

        Raises:
            ModelUnavailable: no answer within the deadline, retries included.
            ModelReplyUnusable: twice not JSON of that schema.
            Misconfigured: model requests are switched off.
        """
        self._guard()
        until = time.monotonic() + self._deadline
        shape = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
        told = (*messages, ChatMessage(role="user", content=render("json_only", schema=shape)))
        ask = replace(self._plain, messages=told, temperature=0.0, thinking_off=True, schema=schema)
        reply = self._complete(ask, until)
        try:
            return parse(reply, schema)
        except ModelReplyUnusable as error:
            again = ChatMessage(role="user", content=render("json_retry", error=str(error)))
            spoken = (ChatMessage(role="assistant", content=reply),) if reply.strip() else ()
            return parse(self._complete(replace(ask, messages=(*told, *spoken, again)), until), schema)

    def _guard(self) -> None:
        if not ALLOW_MODEL_REQUESTS and not is_loopback(self._base_url):
            msg = "model requests are switched off (core.llm.client.ALLOW_MODEL_REQUESTS); only loopback is called"
            raise Misconfigured(msg)

    def _complete(self, ask: Ask, until: float) -> str:
        def act(wire: Wire, fields: dict[str, Any]) -> str:
            with wire:
                answer = self._client(wire).chat.completions.create(**fields)
            if not isinstance(answer, ChatCompletion):
                msg = "not a completion"
                raise TransientFailure(msg)
            return (answer.choices[0].message.content or "") if answer.choices else ""

        return self._persist(ask, until, threading.Event(), act)

    def _pieces(self, ask: Ask, stream: Stream) -> Iterator[str]:
        """The generator behind `Stream`: retries up to the first piece, none after it."""

        def act(wire: Wire, fields: dict[str, Any]) -> _Opened:
            stack = ExitStack()
            try:
                stack.enter_context(wire)
                stream.attach(wire.cut)
                chunks = stack.enter_context(self._client(wire).chat.completions.create(**fields))
                texts = self._texts(wire, chunks)
                first = _first(texts, wire)
            except BaseException:
                stack.close()
                raise
            return _Opened(stack=stack, pieces=after_thinking(_chained(first, texts)))

        empty = True
        try:
            opened = self._persist(ask, time.monotonic() + self._deadline, stream.closed, act)
            with opened.stack:
                for piece in opened.pieces:
                    empty = empty and not piece.strip()
                    yield piece
        except (openai.APIError, ValueError, TransientFailure, ModelUnavailable) as error:
            if stream.closed.is_set():
                return
            if isinstance(error, ModelUnavailable):
                raise
            msg = f"{self._model}: the answer broke off"
            raise ModelUnavailable(msg) from None
        if empty and not stream.closed.is_set():
            msg = f"{self._model}: the answer was empty"
            raise ModelUnavailable(msg)

    def _texts(self, wire: Wire, chunks: Any) -> Iterator[str]:
        """Text deltas; every chunk, also one of hidden thinking, is a sign of life."""
        for chunk in chunks:
            wire.alive(self._deadline)
            delta = chunk.choices[0].delta if chunk.choices else None
            if delta is not None and delta.content:
                yield delta.content
        if wire.expired:  # a server that ends bodies by closing makes a cut look like an end
            msg = "timeout"
            raise TransientFailure(msg)

    def _persist(
        self, ask: Ask, until: float, closed: threading.Event, act: Callable[[Wire, dict[str, Any]], _T]
    ) -> _T:
        """Do `act` until it succeeds: plainer where the server refuses an extra, later where it is busy."""
        dialect = self._dialect

        def attempt() -> _T:
            nonlocal dialect
            while True:
                left = until - time.monotonic()
                if closed.is_set() or left <= 0:
                    msg = f"{self._model}: no answer within {self._deadline:g} s"
                    raise ModelUnavailable(msg)
                wire = Wire(min(left, max(left * _ATTEMPT_SHARE, _ATTEMPT_FLOOR)))
                try:
                    done = act(wire, dialect.fields(self._model, ask))
                except (openai.APIError, ValueError) as error:
                    plainer = self._plainer(dialect, ask, error)
                    if plainer is None:
                        raise self._failure(error) from None
                    dialect = plainer
                else:
                    self._dialect = dialect  # only what worked is remembered
                    return done

        def rest(seconds: float) -> None:
            closed.wait(seconds)

        try:
            return persist(attempt, seconds=until - time.monotonic(), sleep=rest)
        except TransientFailure as failure:
            msg = f"{self._model}: no answer within {self._deadline:g} s ({failure})"
            raise ModelUnavailable(msg) from None

    def _plainer(self, dialect: Dialect, ask: Ask, error: Exception) -> Dialect | None:
        """The dialect to try next if the failure is about the request's form."""
        if isinstance(error, _BrokenOpening):
            return dialect.without("messages.content", ask, blind=False)
        if not isinstance(error, openai.APIError) or isinstance(error, openai.APIConnectionError):
            return None
        status = getattr(error, "status_code", 500)  # an error inside a stream carries none
        if status not in _REFUSALS and status != 500:  # noqa: PLR2004
            return None
        return dialect.without(f"{error.message} {error.body}", ask, blind=status in _REFUSALS)

    def _failure(self, error: openai.APIError | ValueError) -> Exception:
        passing = transient(error)
        if passing is not None:
            return passing
        status = getattr(error, "status_code", "?")
        msg = f"{self._model}: the endpoint refused the request (HTTP {status}): check key, model name and address"
        return ModelUnavailable(msg)

    def _client(self, wire: Wire) -> openai.OpenAI:
        return openai.OpenAI(
            api_key=self._key, base_url=self._base_url, http_client=wire.http, timeout=wire.http.timeout, max_retries=0
        )


def is_loopback(url: str) -> bool:
    """Whether the address is this machine's own."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _first(texts: Iterator[str], wire: Wire) -> str:
    try:
        return next(texts, "")
    except openai.APIConnectionError as error:
        if wire.expired:
            raise
        raise _BrokenOpening from error


def _chained(first: str, rest: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
    yield from rest
