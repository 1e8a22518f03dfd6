"""The question at the end of an answer that is not sure enough: what is doubted, word for word, with its sources."""

from __future__ import annotations

from core.llm.answers.compose import shorten
from core.llm.answers.phrases import say
from core.model import Memory, SourceKind
from core.ports import Doubt, Reply

_FROM = {
    SourceKind.USER_TURN: "from_user",
    SourceKind.AGENT_TURN: "from_agent",
    SourceKind.TOOL_OUTPUT: "from_tool",
    SourceKind.THIRD_PARTY: "from_person",
    SourceKind.EXTERNAL_DOC: "from_doc",
    SourceKind.WEB_CONTENT: "from_page",
}
_OWN = (SourceKind.USER_TURN, SourceKind.AGENT_TURN)  # their references are message ids
_SOURCE = 80  # code points of a source's name


def in_doubt(reply: Reply, doubt: Doubt, language: str) -> Reply:
    """The answer with the question after it; a memory that it did not cite yet is numbered on."""
    cited = list(reply.cited)
    known = {memory.memory_id for memory in cited}
    cited += [memory for memory in doubt.memories if memory.memory_id not in known]
    numbers = {memory.memory_id: index for index, memory in enumerate(cited, start=1)}
    named = [_named(memory, numbers[memory.memory_id], language) for memory in doubt.memories]
    facts = f" {say('and', language)} ".join(named) if language != "zh" else say("and", language).join(named)
    question = say("competing" if len(named) > 1 else "doubt", language, facts=facts)
    return Reply(text=f"{reply.text} {question}".strip(), cited=tuple(cited), asked=reply.asked)


def _named(memory: Memory, number: int, language: str) -> str:
    source = say(_FROM[memory.source_kind], language)
    name = "" if memory.source_kind in _OWN else memory.source_title or memory.source_ref
    return say(
        "from_source",
        language,
        words=shorten(memory.text).rstrip(".。"),
        mark=f"[{number}]",
        source=f"{source}: {shorten(name, _SOURCE)}" if name else source,
        date=f"{memory.stated_at:%Y-%m-%d}",
    )
