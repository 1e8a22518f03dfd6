"""The agent face: everything that a key can reach. It calls `core.agents` and decides nothing itself."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response

from core.agents import MOST_ROWS, AgentDesk, Said
from core.entrypoints.http import wire
from core.entrypoints.http.callers import Agent
from core.entrypoints.http.place import layer_of
from core.entrypoints.http.problems import COMMON, CONFLICT
from core.model import Episode, SourceKind

router = APIRouter(prefix="/v1", tags=["agents"], responses=COMMON)

Id = Annotated[str, Path(min_length=1, max_length=wire.NAME_CHARS)]
IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=wire.NAME_CHARS,
        pattern=r"^[\x21-\x7e]+$",
        description="The same key with the same text is stored once, however often it is sent.",
    ),
]


async def _desk(request: Request) -> AgentDesk:  # async: an attribute needs no thread of its own
    return layer_of(request).agents


Desk = Annotated[AgentDesk, Depends(_desk)]


def _said(body: wire.EpisodeIn, key: str | None) -> Said:
    return Said(
        text=body.text,
        conversation=body.conversation,
        source_ref=body.source_ref,
        title=body.title,
        tool=body.tool,
        derived_from=tuple(body.derived_from),
        idempotency_key=key,
        expires_at=body.expires_at,
    )


def _stored(body: wire.EpisodeIn, episode: Episode) -> wire.EpisodeOut:
    return wire.EpisodeOut(
        episode_id=episode.episode_id,
        conversation=body.conversation,
        counts_as=episode.provenance.source_kind,
        received_at=episode.received_at,
    )


@router.post(
    "/episodes", status_code=202, responses=CONFLICT, summary="Put a text in, as what the key's texts count as"
)
def submit(desk: Desk, who: Agent, body: wire.EpisodeIn, idempotency_key: IdempotencyKey = None) -> wire.EpisodeOut:
    """Store one text durably; the worker reads and judges it. 202: it is never lost from here on."""
    return _stored(body, desk.submit(who, _said(body, idempotency_key)))


@router.post("/episodes/agent", status_code=202, responses=CONFLICT, summary="Put an agent's own words in")
def submit_agent(
    desk: Desk, who: Agent, body: wire.EpisodeIn, idempotency_key: IdempotencyKey = None
) -> wire.EpisodeOut:
    """As /episodes, for the key of an app whose own texts are a person's words."""
    return _stored(body, desk.submit(who, _said(body, idempotency_key), route=SourceKind.AGENT_TURN))


@router.post("/episodes/tool", status_code=202, responses=CONFLICT, summary="Put in what a tool returned")
def submit_tool(
    desk: Desk, who: Agent, body: wire.EpisodeIn, idempotency_key: IdempotencyKey = None
) -> wire.EpisodeOut:
    """As /episodes. Trusted like a page, unless the key is a registered tool's own."""
    return _stored(body, desk.submit(who, _said(body, idempotency_key), route=SourceKind.TOOL_OUTPUT))


@router.post("/episodes/document", status_code=202, responses=CONFLICT, summary="Put a document's text in")
def submit_document(
    desk: Desk, who: Agent, body: wire.EpisodeIn, idempotency_key: IdempotencyKey = None
) -> wire.EpisodeOut:
    """As /episodes; what it says is held until a person promotes it."""
    return _stored(body, desk.submit(who, _said(body, idempotency_key), route=SourceKind.EXTERNAL_DOC))


@router.post("/episodes/page", status_code=202, responses=CONFLICT, summary="Put a web page's text in")
def submit_page(
    desk: Desk, who: Agent, body: wire.EpisodeIn, idempotency_key: IdempotencyKey = None
) -> wire.EpisodeOut:
    """As /episodes; what it says is held until a person promotes it."""
    return _stored(body, desk.submit(who, _said(body, idempotency_key), route=SourceKind.WEB_CONTENT))


@router.get("/episodes/{episode_id}", summary="How far a text has come")
def progress(desk: Desk, who: Agent, episode_id: Id) -> wire.ProgressOut:
    """Whether a text that this agent put in has been read, and what of it is memory."""
    found = desk.progress(who, episode_id)
    return wire.ProgressOut(
        episode_id=found.episode_id,
        received_at=found.received_at,
        processed=found.processed,
        memories=list(found.memories),
    )


@router.post("/recall", summary="Trusted memories for a question")
def recall(desk: Desk, who: Agent, body: wire.RecallIn) -> wire.RecallOut:
    """The best memories in the key's scope, each with the factors of its score. Calls no model, writes nothing."""
    found = desk.recall(
        who,
        body.query,
        k=body.k,
        as_of=body.as_of,
        include_archived=body.include_archived,
        conversation=body.conversation,
    )
    return wire.RecallOut(hits=[wire.HitOut.of(one) for one in found.hits])


@router.post("/ask", summary="Act, answer with sources, or ask")
def ask(desk: Desk, who: Agent, body: wire.AskIn) -> wire.AskOut:
    """What is remembered about a question and what may be done with it."""
    found = desk.ask(who, body.question, k=body.k, conversation=body.conversation)
    return wire.AskOut(advice=found.advice, reason=found.reason, hits=[wire.HitOut.of(one) for one in found.hits])


@router.post("/context", summary="System messages with what is remembered")
def context(desk: Desk, who: Agent, body: wire.ContextIn) -> wire.ContextOut:
    """Head and middle of a prompt: the profile, then memories with the best at both edges, under a budget."""
    found = desk.context(
        who,
        body.query,
        system=body.system,
        k=body.k,
        budget_tokens=body.budget_tokens,
        conversation=body.conversation,
    )
    return wire.ContextOut(
        messages=[wire.MessageOut(role="system", content=one.content, cache=one.cache) for one in found.messages],
        memories=[wire.MemoryOut.of(one) for one in found.used],
        advice=found.advice,
        reason=found.reason,
        head_tokens=found.head_tokens,
    )


@router.post("/ancestry", summary="Does any of these rest on something from outside")
def ancestry(desk: Desk, who: Agent, body: wire.AncestryIn) -> wire.AncestryOut:
    """The gate for an agent's action: what is unknown counts as outside."""
    lines = [
        wire.LineOut(
            ref=one.ref,
            known=one.known,
            outside=one.outside,
            trust=one.trust,
            roots=[wire.RootOut.of(root) for root in one.roots],
        )
        for one in desk.ancestry(who, body.refs)
    ]
    return wire.AncestryOut(
        outside=any(one.outside for one in lines), trust=min(one.trust for one in lines), lines=lines
    )


@router.get("/memories", summary="Active memories, last stated first")
def memories(
    desk: Desk,
    who: Agent,
    text: Annotated[str, Query(max_length=wire.NAME_CHARS)] = "",
    limit: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> wire.MemoriesOut:
    """One page of the key's scope; `text`: only what holds these words."""
    rows, total = desk.memories(who, text=text, limit=limit, offset=offset)
    return wire.MemoriesOut(memories=[wire.MemoryOut.of(one) for one in rows], total=total)


@router.get("/profile", summary="Pinned memories and durable facts")
def profile(desk: Desk, who: Agent) -> wire.MemoriesOut:
    """What is known for good, the most important first."""
    rows = desk.profile(who)
    return wire.MemoriesOut(memories=[wire.MemoryOut.of(one) for one in rows], total=len(rows))


@router.get("/memories/{memory_id}", summary="A memory, and why it is believed")
def why(desk: Desk, who: Agent, memory_id: Id) -> wire.WhyOut:
    """Its origin, its confidence in parts and the decision that made it memory."""
    return wire.WhyOut.of(desk.why(who, memory_id))


@router.post("/memories/{memory_id}/forget", status_code=204, summary="Take back what this agent said itself")
def forget(desk: Desk, who: Agent, memory_id: Id, body: wire.ForgetIn) -> Response:
    """Out of recall at once; its owner can restore it. What others said is their owner's to forget: 403."""
    desk.forget(who, memory_id, body.reason)
    return Response(status_code=204)
