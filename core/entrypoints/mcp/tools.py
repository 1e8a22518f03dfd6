"""The tools: what each takes, gives and promises. Every one calls `core.agents` and decides nothing itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import mcp_types as types
from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, ValidationError

from core.agents import DEFAULT_CONVERSATION, MOST_K, MOST_REFS, NAME_CHARS, QUESTION_CHARS, AgentDesk, Said
from core.distil import MAX_CHARS
from core.entrypoints.http import wire
from core.entrypoints.mcp import words
from core.ports import AgentIdentity

Question = Annotated[str, StringConstraints(min_length=1, max_length=QUESTION_CHARS)]
Conversation = Annotated[wire.Name, Field(description="A name of your own for this conversation.")]
MostHits = Annotated[
    Annotated[int, Field(ge=1, le=MOST_K)] | None, Field(description="How many at most; none: as the policy says.")
]


def _unpacked(value: Any) -> Any:
    """Some clients send a list as the text of a JSON list."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


class Remember(wire.Taken):
    """What is remembered. Nothing here says where it comes from or how far it is to be trusted."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=MAX_CHARS)]
    conversation: Conversation = DEFAULT_CONVERSATION
    derived_from: Annotated[list[wire.Name], BeforeValidator(_unpacked), Field(max_length=MOST_REFS)] = Field(
        default_factory=list,
        description="What the text rests on: episode_id as remember gave it, or memory:<id>. It can only lower trust.",
    )


class Recall(wire.Taken):
    """A question."""

    query: Question
    k: MostHits = None
    conversation: Conversation = DEFAULT_CONVERSATION


class Ask(wire.Taken):
    """A question that something is to be done about."""

    question: Question
    k: MostHits = None
    conversation: Conversation = DEFAULT_CONVERSATION


class Forget(wire.ForgetIn):
    """What is taken back, and why."""

    memory_id: wire.Name


class Why(wire.Taken):
    """Which memory."""

    memory_id: wire.Name


class Forgotten(BaseModel):
    """It is out of recall."""

    memory_id: str
    forgotten: bool


def _remember(desk: AgentDesk, who: AgentIdentity, given: Remember) -> wire.EpisodeOut:
    said = Said(text=given.text, conversation=given.conversation, derived_from=tuple(given.derived_from))
    stored = desk.submit(who, said)
    return wire.EpisodeOut(
        episode_id=stored.episode_id,
        conversation=given.conversation,
        counts_as=stored.provenance.source_kind,
        received_at=stored.received_at,
    )


def _recall(desk: AgentDesk, who: AgentIdentity, given: Recall) -> wire.RecallOut:
    found = desk.recall(who, given.query, k=given.k, conversation=given.conversation)
    return wire.RecallOut(hits=[wire.HitOut.of(one) for one in found.hits])


def _ask(desk: AgentDesk, who: AgentIdentity, given: Ask) -> wire.AskOut:
    found = desk.ask(who, given.question, k=given.k, conversation=given.conversation)
    return wire.AskOut(advice=found.advice, reason=found.reason, hits=[wire.HitOut.of(one) for one in found.hits])


def _forget(desk: AgentDesk, who: AgentIdentity, given: Forget) -> Forgotten:
    desk.forget(who, given.memory_id, given.reason)
    return Forgotten(memory_id=given.memory_id, forgotten=True)


def _why(desk: AgentDesk, who: AgentIdentity, given: Why) -> wire.WhyOut:
    return wire.WhyOut.of(desk.why(who, given.memory_id))


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """One tool."""

    name: str
    title: str
    description: str
    takes: type[wire.Taken]
    gives: type[BaseModel]
    run: Callable[[AgentDesk, AgentIdentity, Any], BaseModel]
    reads_only: bool = True
    destroys: bool = False
    repeatable: bool = True

    def listed(self) -> types.Tool:
        """As a client is told of it."""
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.takes.model_json_schema(),
            output_schema=self.gives.model_json_schema(mode="serialization"),
            annotations=types.ToolAnnotations(
                read_only_hint=self.reads_only,
                destructive_hint=self.destroys,
                idempotent_hint=self.repeatable,
                open_world_hint=False,
            ),
        )

    def refusal(self, error: ValidationError) -> str:
        """What is wrong with the arguments, without a word of what was sent."""
        taken = ", ".join(self.takes.model_fields)
        wrong = []
        for one in error.errors(include_input=False, include_url=False):
            where = ".".join(str(part) for part in one["loc"])[:NAME_CHARS]
            unknown = one["type"] == "extra_forbidden"
            wrong.append(f"{where} is not an argument of {self.name}" if unknown else f"{where}: {one['msg']}")
        return f"{'; '.join(wrong[:5])}. {self.name} takes: {taken}. Nothing was done."


_ALL = (
    Tool(
        name="remember",
        title="Remember a text",
        description=words.REMEMBER,
        takes=Remember,
        gives=wire.EpisodeOut,
        run=_remember,
        reads_only=False,
        repeatable=False,
    ),
    Tool(
        name="recall",
        title="Recall memories",
        description=words.RECALL,
        takes=Recall,
        gives=wire.RecallOut,
        run=_recall,
    ),
    Tool(
        name="ask",
        title="Ask whether to act",
        description=words.ASK,
        takes=Ask,
        gives=wire.AskOut,
        run=_ask,
    ),
    Tool(
        name="forget",
        title="Forget what you stored",
        description=words.FORGET,
        takes=Forget,
        gives=Forgotten,
        run=_forget,
        reads_only=False,
        destroys=True,
    ),
    Tool(
        name="why",
        title="Why a memory is believed",
        description=words.WHY,
        takes=Why,
        gives=wire.WhyOut,
        run=_why,
    ),
)
TOOLS: Mapping[str, Tool] = {one.name: one for one in _ALL}

__all__ = ["TOOLS", "Tool"]
