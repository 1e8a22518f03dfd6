"""What the proxy does with the memory: before the model is asked and after it has answered. Runs in threads."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from typing import Literal

from core.agents import DEFAULT_CONVERSATION, QUESTION_CHARS, Said, conversation_of
from core.entrypoints.http.completions import Ask, Line
from core.entrypoints.http.known import KnownKeys
from core.entrypoints.http.place import Place
from core.entrypoints.http.problems import Unauthenticated
from core.errors import ChronoMemoryError, NotAuthorised, Unavailable
from core.layer import MemoryLayer
from core.model import SourceKind
from core.origin import MEMORY_REF
from core.ports import AgentIdentity, ChatMessage

log = logging.getLogger("chronomemory.http")

State = Literal["ok", "not-stored", "down"]
AGAIN_SECONDS = 600  # the same request within this is a retry, and what it says is stored once


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One exchange: what was put before the model, and where what is said belongs."""

    who: AgentIdentity
    conversation: str
    state: State
    remembered: tuple[ChatMessage, ...] = ()
    used: tuple[str, ...] = ()  # ids of memories
    said: tuple[str, ...] = ()  # ids of episodes: what the person and the tools said


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembering:
    """Opens the memory to one request of the proxy."""

    place: Place
    known: KnownKeys

    def caller(self, token: str, *, may_pass: bool) -> tuple[AgentIdentity, MemoryLayer | None]:
        """Whose key it is, and the memory; None while the memory is down and the call may pass without.

        Raises:
            Unauthenticated: the key opens nothing.
            NotAuthorised: it is the key of a tool or feed, which talks to nobody.
            TooManyRequests: it came too often.
            StoreUnavailable: nobody can tell right now, and the call may not pass, or the key was not seen lately.
        """
        try:
            layer = self.place.layer()
            who = layer.keys.resolve(token)
            if who is None:
                self.known.drop(token)
                raise Unauthenticated
            self.known.saw(token, who)
            settings = self.place.settings
            layer.keys.admit(f"key:{who.key_id}", per_minute=settings.api_requests_per_minute, burst=settings.api_burst)
        except Unavailable:
            seen = self.known.lately(token)
            if seen is None or not may_pass:
                raise
            return _talks(seen), None
        return _talks(who), layer

    def before(self, token: str, ask: Ask, *, conversation: str, may_pass: bool) -> Turn:
        """Recall for what the person said last, then store what is new.

        Args:
            token: the key.
            ask: the request.
            conversation: the app's own name for it; "" for its only one.
            may_pass: go on without memory when it is down.

        Raises:
            Unauthenticated, NotAuthorised, TooManyRequests: as `caller`.
            BadInput, TooLarge: what was said cannot be stored.
            Unavailable: the memory is down, and the call may not pass.
        """
        who, layer = self.caller(token, may_pass=may_pass)
        where = conversation.strip() or DEFAULT_CONVERSATION
        conversation_of(who, where)  # refuses a name that is too long before anything is done
        if layer is None:
            return Turn(who=who, conversation=where, state="down")
        remembered: tuple[ChatMessage, ...] = ()
        used: tuple[str, ...] = ()
        said: list[str] = []
        try:
            if ask.question.strip():
                found = layer.agents.context(who, ask.question[-QUESTION_CHARS:], conversation=where)
                used = tuple(one.memory_id for one in found.used)
                remembered = found.messages if used else ()
            for line in ask.new:
                said.append(self._put_in(layer, who, line, where))  # noqa: PERF401 - those before a failure count
        except Unavailable as problem:
            if not may_pass:
                raise
            log.warning("a call is passed on without all of its memory: %s", type(problem).__name__)
            state: State = "not-stored" if remembered else "down"
            return Turn(who=who, conversation=where, state=state, remembered=remembered, used=used, said=tuple(said))
        return Turn(who=who, conversation=where, state="ok", remembered=remembered, used=used, said=tuple(said))

    def after(self, turn: Turn, answer: str) -> bool:
        """Keep what the model said, with all that it was made from; whether it is kept. Raises nothing of ours.

        An answer that cannot be kept is given all the same: what the person said is stored already.
        """
        layer = self.place.layer_of()
        if turn.state != "ok" or layer is None:
            return False
        if not answer.strip():
            return True
        said = Said(
            text=answer,
            conversation=turn.conversation,
            derived_from=(*(f"{MEMORY_REF}{one}" for one in turn.used), *turn.said),
            distil=False,
        )
        try:
            layer.agents.submit(turn.who, said, route=SourceKind.AGENT_TURN)
        except ChronoMemoryError as problem:
            log.warning("an answer was not kept: %s", problem)
            return False
        return True

    def _put_in(self, layer: MemoryLayer, who: AgentIdentity, line: Line, conversation: str) -> str:
        window = int(layer.agents.clock.now().timestamp()) // AGAIN_SECONDS
        digest = hashlib.sha256(f"{conversation}\n{line.key}\n{window}".encode()).hexdigest()
        said = Said(text=line.text, conversation=conversation, tool=line.tool[:200], idempotency_key=f"chat:{digest}")
        route = SourceKind.TOOL_OUTPUT if line.role == "tool" else None
        return layer.agents.submit(who, said, route=route).episode_id


def _talks(who: AgentIdentity) -> AgentIdentity:
    """Refuse a key that can say nothing as an assistant.

    Raises:
        NotAuthorised: it is a tool's or a feed's.
    """
    if who.channel not in (SourceKind.USER_TURN, SourceKind.AGENT_TURN):
        msg = "The key of a tool or feed holds no conversation. Make a key for the app: on the Account page."
        raise NotAuthorised(msg)
    return who
