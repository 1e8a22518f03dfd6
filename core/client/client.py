"""The client: one key's memory over HTTP. Told to, it goes on without memory when that is down."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from urllib.parse import quote

import httpx2

from core.client import results
from core.client.errors import ClientError, MemoryDown, RateLimited
from core.client.pending import Pending, Waiting
from core.client.results import read
from core.client.transport import Transport

log = logging.getLogger("chronomemory.client")

TIMEOUT = 10.0  # seconds for one answer
RETRIES = 3
PENDING = 100  # texts kept in this process while the memory is down
PAUSE = 2.0  # seconds in which a memory that was found down is not asked again
SENT_AT_ONCE = 20  # waiting texts sent before one call
LOOK_EVERY = 0.05  # seconds between two looks at how far a text has come

WhenDown = Literal["raise", "stateless"]
CountsAs = Literal["", "agent", "tool", "document", "page"]
DEFAULT = "default"

T = TypeVar("T")
A = TypeVar("A", results.Recalled, results.Asked, results.Ancestry)


class Client:
    """An agent's memory. Safe to share between threads.

    With `when_down="stateless"` a memory that does not work fails no call: recall finds nothing and says `degraded`,
    and a text that is put in comes back as not stored, kept here (`pending`) to be sent when the memory is back. What
    is the caller's own mistake (a wrong key, a text that cannot be taken) is raised either way.

    Example:
        >>> with Client("http://127.0.0.1:8501", "cmk_…") as memory:
        ...     memory.remember("I am allergic to penicillin.")
        ...     memory.recall("What am I allergic to?").texts
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        when_down: WhenDown = "raise",
        pending: int = PENDING,
        transport: httpx2.BaseTransport | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Describe the memory; nothing is sent yet.

        Args:
            base_url: where it is served: "http://127.0.0.1:8501".
            key: the agent's, made on the Account page: "cmk_…".
            timeout: seconds for one answer.
            retries: how often a request is sent again when that may help (429, 503, no connection).
            when_down: "raise", or "stateless" to go on without memory.
            pending: texts that are kept in this process while the memory is down; 0 keeps none.
            transport: another way than the network, for a server in this process.
            pause: waits between tries.

        Raises:
            BadRequest: the address is none.
            KeyRefused: the key cannot be sent.
        """
        self._way = Transport(base_url, key, timeout=timeout, retries=retries, transport=transport, pause=pause)
        self._stateless = when_down == "stateless"
        self._pending = Pending(pending if self._stateless else 0)
        self._wait = pause
        self._down_until = 0.0

    def __enter__(self) -> Self:
        """The client."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections. What is still pending is lost, and logged."""
        if self._pending:
            log.warning("%d texts were never stored: the memory was down", len(self._pending))
        self._way.close()

    @property
    def stateless(self) -> bool:
        """Whether it goes on without memory when that is down."""
        return self._stateless

    @property
    def pending(self) -> int:
        """Texts that wait in this process for a memory that is down."""
        return len(self._pending)

    # --- putting in ---------------------------------------------------------------------------------------------

    def submit(  # noqa: PLR0913 - one text has that many sides
        self,
        text: str,
        *,
        counts_as: CountsAs = "",
        conversation: str = DEFAULT,
        source_ref: str = "",
        title: str = "",
        tool: str = "",
        derived_from: Sequence[str] = (),
        expires_at: datetime | None = None,
        idempotency_key: str = "",
    ) -> results.Stored:
        """Put a text in; once it returns with `stored`, it is never lost. The worker reads and judges it after.

        Args:
            text: what was said or found.
            counts_as: "" for what the key's own texts count as; "tool", "document", "page" for what came from there,
                "agent" for an agent's words with the key of a person's app.
            conversation: the agent's own name for where it was said.
            source_ref: address, file name or message id.
            title: of a page or document.
            tool: which tool returned it.
            derived_from: ids of episodes, and "memory:<id>" of memories, that the model saw when it made this.
            expires_at: deadline of everything learned from it.
            idempotency_key: the same key stores once; none: one is made, so that a retry stores once.

        Raises:
            ClientError: it was refused; or the memory is down and this client raises.
        """
        one = Waiting(
            path="/episodes" + (f"/{counts_as}" if counts_as else ""),
            body={
                "text": text,
                "conversation": conversation,
                "source_ref": source_ref,
                "title": title,
                "tool": tool,
                "derived_from": list(derived_from),
                "expires_at": expires_at.isoformat() if expires_at else None,
            },
            idempotency_key=idempotency_key or secrets.token_urlsafe(18),
        )

        def keep(reason: str) -> results.Stored:
            kept = self._pending.add(one)
            return results.Stored(stored=False, degraded=True, pending=kept, reason=reason)

        if self._pending and self._stateless and not self._send_pending(SENT_AT_ONCE):
            return keep("The memory is down; earlier texts wait too.")  # in order, or they would contradict each other
        return self._or(lambda: read(results.Stored, self._put_in(one)), keep)

    def remember(self, text: str, *, wait: float = 10.0, **rest: Any) -> results.Stored:
        """Put a text in and wait until it was read; `memories` are the ids of what of it is memory.

        Args:
            text: what was said or found.
            wait: seconds; when they are over, `processed` is False and the text is stored all the same.
            rest: as `submit` takes them.

        Raises:
            ClientError: as `submit`.
        """
        stored = self.submit(text, **rest)
        if not stored.stored:
            return stored

        def not_known(reason: str) -> results.Stored:
            return results.Stored(
                episode_id=stored.episode_id, counts_as=stored.counts_as, degraded=True, reason=reason
            )

        def known() -> results.Stored:
            found = self.wait(stored.episode_id, timeout=wait)
            return results.Stored(
                episode_id=stored.episode_id,
                counts_as=stored.counts_as,
                processed=found.processed,
                memories=found.memories,
            )

        return self._or(known, not_known)

    def flush(self) -> int:
        """Send what waits here; how many texts are still waiting. One that is refused now is dropped, and logged."""
        self._down_until = 0.0
        if self._pending:
            self._send_pending(len(self._pending))
        return len(self._pending)

    def progress(self, episode_id: str) -> results.Progress:
        """How far a text has come.

        Raises:
            ClientError: there is no such text of this agent's; or the memory is down.
        """
        return read(results.Progress, self._way.send("GET", f"/episodes/{quote(episode_id, safe='')}"))

    def wait(self, episode_id: str, *, timeout: float = 10.0) -> results.Progress:
        """Wait until a text was read, at most `timeout` seconds; then as far as it has come.

        Raises:
            ClientError: as `progress`.
        """
        until = time.monotonic() + timeout
        while True:
            found = self.progress(episode_id)
            if found.processed or time.monotonic() >= until:
                return found
            self._wait(LOOK_EVERY)

    def forget(self, memory_id: str, reason: str) -> results.Forgotten:
        """Take back what this agent said itself; its owner can restore it.

        Raises:
            ClientError: it is another's statement, or there is none; or the memory is down and this client raises.
        """

        def act() -> results.Forgotten:
            self._way.send("POST", f"/memories/{quote(memory_id, safe='')}/forget", body={"reason": reason})
            return results.Forgotten()

        return self._or(act, lambda why: results.Forgotten(done=False, degraded=True, reason=why))

    # --- asking -------------------------------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        *,
        k: int | None = None,
        conversation: str = DEFAULT,
        as_of: datetime | None = None,
        include_archived: bool = False,
    ) -> results.Recalled:
        """Trusted memories for a question, the best first.

        Raises:
            ClientError: the question cannot be taken; or the memory is down and this client raises.
        """
        body = {
            "query": query,
            "k": k,
            "conversation": conversation,
            "as_of": as_of.isoformat() if as_of else None,
            "include_archived": include_archived,
        }
        return self._ask(results.Recalled, "/recall", body)

    def ask(self, question: str, *, k: int | None = None, conversation: str = DEFAULT) -> results.Asked:
        """What is remembered, and whether to act on it, answer with sources, or ask.

        Raises:
            ClientError: as `recall`.
        """
        return self._ask(results.Asked, "/ask", {"question": question, "k": k, "conversation": conversation})

    def context(
        self,
        query: str,
        *,
        system: str = "",
        k: int | None = None,
        budget_tokens: int | None = None,
        conversation: str = DEFAULT,
    ) -> results.Context:
        """System messages for a model call, with the profile and what is remembered.

        Where the memory is down and the client goes on without it, `system` alone is in them.

        Raises:
            ClientError: as `recall`.
        """
        body = {
            "query": query,
            "system": system,
            "k": k,
            "budget_tokens": budget_tokens,
            "conversation": conversation,
        }
        alone = (results.Message(role="system", content=system),) if system else ()
        return self._or(
            lambda: read(results.Context, self._way.send("POST", "/context", body=body)),
            lambda why: results.Context(messages=alone, degraded=True, reason=why),
        )

    def ancestry(self, refs: Sequence[str]) -> results.Ancestry:
        """Whether anything from outside is behind these memories or episodes: the gate for an agent's action.

        Raises:
            ClientError: as `recall`.
        """
        return self._ask(results.Ancestry, "/ancestry", {"refs": list(refs)})

    def why(self, memory_id: str) -> results.Why:
        """Where a memory comes from, how sure it is, and by which decision it is one.

        Raises:
            ClientError: there is no such memory; or the memory is down (there is nothing to say instead).
        """
        return read(results.Why, self._way.send("GET", f"/memories/{quote(memory_id, safe='')}"))

    def profile(self) -> results.Profile:
        """Pinned memories and durable facts, the most important first.

        Raises:
            ClientError: the memory is down and this client raises.
        """
        return self._or(
            lambda: read(results.Profile, self._way.send("GET", "/profile")),
            lambda why: results.Profile(degraded=True, reason=why),
        )

    def call(self, method: str, path: str, *, body: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """Any other route of the agent face, as JSON; for adapters.

        Raises:
            ClientError: what the memory refused, or that it is down.
        """
        return self._way.send(method, path, body=body, params=params)

    # --- inside -------------------------------------------------------------------------------------------------

    def _ask(self, kind: type[A], path: str, body: Mapping[str, Any]) -> A:
        return self._or(
            lambda: read(kind, self._way.send("POST", path, body=body)),
            lambda why: kind(degraded=True, reason=why),
        )

    def _or(self, act: Callable[[], T], otherwise: Callable[[str], T]) -> T:
        """The memory's answer, or what stands for it while it is down."""
        if not self._stateless:
            return act()
        if time.monotonic() < self._down_until:
            return otherwise("The memory was down a moment ago.")
        try:
            found = act()
        except (MemoryDown, RateLimited) as problem:
            self._down_until = time.monotonic() + PAUSE
            log.warning("going on without memory: %s", problem)
            return otherwise(str(problem))
        if self._pending:
            self._send_pending(SENT_AT_ONCE)
        return found

    def _put_in(self, one: Waiting, *, retries: int | None = None) -> Any:
        headers = {"idempotency-key": one.idempotency_key}
        return self._way.send("POST", one.path, body=one.body, headers=headers, retries=retries)

    def _send_pending(self, limit: int) -> bool:
        """Send texts that wait, in order; whether none is left."""
        with self._pending.sending:
            for _ in range(limit):
                one = self._pending.first()
                if one is None or time.monotonic() < self._down_until:
                    break
                try:
                    self._put_in(one, retries=0)
                except (MemoryDown, RateLimited):
                    self._down_until = time.monotonic() + PAUSE
                    break
                except ClientError as problem:
                    log.warning("a text that waited was refused and is dropped: %s", problem)
                self._pending.drop(one)
        return not self._pending


__all__ = ["Client"]
