"""The caller's own memories over HTTP, and the questions that only they can answer."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from core.agents import MOST_ROWS, NAME_CHARS
from core.entrypoints.http import operatorwire, reviewwire
from core.entrypoints.http.callers import Operator
from core.entrypoints.http.operators import Id, Layer
from core.entrypoints.http.problems import COMMON, CONFLICT
from core.entrypoints.http.wire import ForgetIn, MemoriesOut, MemoryOut
from core.model import MemoryStatus

router = APIRouter(prefix="/v1/own", tags=["operators: own memory"], responses=COMMON | CONFLICT)


@router.get("/memories", summary="The caller's own memories")
def memories(
    layer: Layer,
    who: Operator,
    *,
    text: Annotated[str | None, Query(min_length=1, max_length=NAME_CHARS)] = None,
    status: MemoryStatus = MemoryStatus.ACTIVE,
    limit: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> MemoriesOut:
    """One page of what the console remembers of the caller, last stated first."""
    rows, total = layer.memories.list(who, text=text, statuses=(status,), limit=limit, offset=offset)
    return MemoriesOut(memories=[MemoryOut.of(one) for one in rows], total=total)


@router.get("/memories/{memory_id}", summary="One of them, and everything behind it")
def why(layer: Layer, who: Operator, memory_id: Id) -> reviewwire.OwnWhyOut:
    """Its numbers, its decisions, the words it came from, its audit entries."""
    return reviewwire.OwnWhyOut.of(layer.memories.why(who, memory_id))


@router.post("/memories/{memory_id}/forget", status_code=204, summary="Forget")
def forget(layer: Layer, who: Operator, memory_id: Id, body: ForgetIn) -> Response:
    """Out of recall at once, with the events that repeat it; `restore` undoes it."""
    layer.memories.forget(who, memory_id, body.reason)
    return Response(status_code=204)


@router.post("/memories/{memory_id}/restore", status_code=204, summary="Bring back what was forgotten or archived")
def restore(layer: Layer, who: Operator, memory_id: Id) -> Response:
    """Refused where another value stands in its place now."""
    layer.memories.restore(who, memory_id)
    return Response(status_code=204)


@router.post("/memories/{memory_id}/archive", status_code=204, summary="Put away")
def archive(layer: Layer, who: Operator, memory_id: Id) -> Response:
    """Out of recall, restorable, still found by a strong direct match."""
    layer.memories.archive(who, memory_id)
    return Response(status_code=204)


@router.post("/memories/{memory_id}/pin", status_code=204, summary="Put in the profile")
def pin(layer: Layer, who: Operator, memory_id: Id) -> Response:
    """In every prompt, never fading."""
    layer.memories.pin(who, memory_id)
    return Response(status_code=204)


@router.post("/memories/{memory_id}/unpin", status_code=204, summary="Take out of the profile")
def unpin(layer: Layer, who: Operator, memory_id: Id) -> Response:
    """It fades again as its kind does."""
    layer.memories.unpin(who, memory_id)
    return Response(status_code=204)


@router.post("/memories/{memory_id}/correct", status_code=202, summary="Say what is true instead")
def correct(layer: Layer, who: Operator, memory_id: Id, body: reviewwire.CorrectIn) -> reviewwire.CorrectedOut:
    """A new statement in own words, through the whole gate; the old memory becomes history."""
    episode = layer.memories.correct(who, memory_id, body.text)
    return reviewwire.CorrectedOut(episode_id=episode.episode_id, received_at=episode.received_at)


@router.get("/questions", summary="Open questions to the caller")
def questions(layer: Layer, who: Operator) -> operatorwire.QuestionsOut:
    """What the evidence cannot decide about the caller's own memory, the oldest first."""
    return operatorwire.QuestionsOut(
        questions=[operatorwire.QuestionOut.of(one) for one in layer.questions.waiting(who)]
    )


@router.post("/questions/{question_id}/answer", summary="Answer a question")
def answer(layer: Layer, who: Operator, question_id: Id, body: operatorwire.AnswerIn) -> operatorwire.AnsweredOut:
    """On the version that was shown; 409 if it changed since."""
    found = layer.questions.answer(who, question_id, body.choice, seen_version=body.seen_version)
    return operatorwire.AnsweredOut(
        id=found.question_id,
        state=found.state,
        answer=found.answer,
        version=found.version,
        put_off_until=found.until,
    )
