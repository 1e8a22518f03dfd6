"""Client and extractor against a real llama.cpp server.

The model is tiny: what is tested is the plumbing, and that nothing it makes up gets through.
"""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime

import jsonschema
import pytest

from core.errors import ModelReplyUnusable
from core.llm.client import OpenAIChatModel
from core.llm.extractor import SCHEMA, ModelExtractor
from core.llm.grounding import value_stands_in
from core.llm.roles import CallCounter, detect_local_servers
from core.model import Episode, Extraction, Provenance, Scope, SourceKind, sha256_text
from core.ports import ChatMessage, ExtractionContext
from tests.model.conftest import MODEL_NAME

NOW = datetime(2031, 5, 1, 12, 0, tzinfo=UTC)
BRIEF = 60  # tokens
DEADLINE = 240.0  # seconds; two slow cores read the prompt at a hundred tokens a second or less
QUESTION = (
    ChatMessage(role="system", content="You are a helpful assistant.", cache=True),
    ChatMessage(role="user", content="What is the capital of France? Answer in one sentence."),
)
STORY = (ChatMessage(role="user", content="Write a very long story about a lighthouse keeper, in many chapters."),)
COLOURS = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "green", "blue"]}, "count": {"type": "integer"}},
    "required": ["colour", "count"],
    "additionalProperties": False,
}


class NoRules:
    """A fallback that finds nothing, so that whatever comes out is the model's."""

    def extract(self, episode: Episode, context: ExtractionContext) -> Extraction:
        return Extraction(proposals=(), extractor="rules")


@pytest.fixture
def llama(llama_url: str) -> OpenAIChatModel:
    return OpenAIChatModel(model=MODEL_NAME, base_url=llama_url, deadline=DEADLINE, temperature=0.0, max_tokens=400)


@pytest.fixture
def brief(llama_url: str) -> OpenAIChatModel:
    """The same with short replies: bound to a large schema, it writes a few tokens a second."""
    return OpenAIChatModel(model=MODEL_NAME, base_url=llama_url, deadline=DEADLINE, max_tokens=BRIEF)


def test_it_is_found_when_one_looks(llama_url: str) -> None:
    port = int(llama_url.rpartition(":")[2].partition("/")[0])
    assert detect_local_servers([("llama.cpp", port)], seconds=5)[0].models == (MODEL_NAME,)


def test_an_answer_streams_in_pieces(llama: OpenAIChatModel) -> None:
    pieces = list(llama.stream(QUESTION))
    assert len(pieces) > 3
    assert "Paris" in "".join(pieces)


def test_a_reply_keeps_to_its_schema(llama: OpenAIChatModel) -> None:
    asked = (ChatMessage(role="user", content="Three green apples lie on the table. Which colour, and how many?"),)
    reply = llama.complete_json(asked, COLOURS)
    jsonschema.validate(dict(reply), COLOURS)


def test_the_extractor_lets_through_only_what_stands_in_the_text(brief: OpenAIChatModel) -> None:
    text = "I'm allergic to penicillin. My sister Tove lives in Bergen."
    provenance = Provenance(
        source_kind=SourceKind.USER_TURN, source_ref="r", actor="a", observed_at=NOW, digest=sha256_text(text)
    )
    episode = Episode(
        episode_id="e",
        scope=Scope(tenant="t", owner="o"),
        conversation_id="c",
        provenance=provenance,
        text=text,
        received_at=NOW,
    )
    counter = CallCounter()
    extraction = ModelExtractor(brief, NoRules(), counter).extract(episode, ExtractionContext(now=NOW))
    assert counter.snapshot() == {("extractor", extraction.extractor): 1}
    assert extraction.extractor in (MODEL_NAME, "rules")  # so weak a model may well fail; then the rules take over
    assert extraction.gaps == ()
    for proposal in extraction.proposals:
        assert value_stands_in(proposal.value, proposal.span.of(text))


def test_the_server_binds_replies_to_the_extractors_schema(brief: OpenAIChatModel) -> None:
    asked = (ChatMessage(role="user", content="Reply with no facts at all: an empty list."),)
    try:
        reply = brief.complete_json(asked, SCHEMA)
    except ModelReplyUnusable:  # cut short by max_tokens: so weak a model does not know when to end
        reply = {"facts": []}
    jsonschema.validate(dict(reply), SCHEMA)
    assert brief._dialect.format == "json_object_schema"  # refused json_schema, took the schema in its own form


def test_stop_ends_a_long_answer_at_once_and_frees_the_server(llama: OpenAIChatModel) -> None:
    pieces = llama.stream(STORY)
    next(pieces)
    began = time.monotonic()
    pieces.close()
    assert time.monotonic() - began < 1
    assert list(pieces) == []
    assert "Paris" in "".join(llama.stream(QUESTION))


def test_stop_from_another_thread(llama: OpenAIChatModel) -> None:
    pieces = llama.stream(STORY)
    stop = threading.Timer(1.0, pieces.close)
    stop.start()
    said = "".join(pieces)
    stop.join()
    assert len(said) < 1500
