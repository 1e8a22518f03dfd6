"""Review over HTTP: what waits, and a named person's rulings on the exact words they were shown (rules §1.11)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from core.agents import NAME_CHARS
from core.entrypoints.http import reviewwire as wire
from core.entrypoints.http.callers import Operator
from core.entrypoints.http.operators import Id, Layer
from core.entrypoints.http.problems import COMMON, CONFLICT
from core.model import RulingKind, SourceKind
from core.queueing import ORDERS

router = APIRouter(prefix="/v1/review", tags=["operators: review"], responses=COMMON | CONFLICT)

MOST_ITEMS = 100  # of one page
Text = Annotated[str | None, Query(min_length=1, max_length=NAME_CHARS)]


@router.get("/summary", summary="The queue in numbers")
def summary(layer: Layer, who: Operator) -> wire.SummaryOut:
    """What waits: of the tenant for reviewers and admins, of their own for members."""
    return wire.SummaryOut.of(layer.review.summary(who))


@router.get("/items", summary="Held items")
def items(  # noqa: PLR0913 - a filter has that many parts
    layer: Layer,
    who: Operator,
    *,
    source_kind: SourceKind | None = None,
    reason: Text = None,
    text: Text = None,
    owner: Text = None,
    snoozed: bool = False,
    order: Annotated[str, Query(pattern=f"^({'|'.join(ORDERS)})$")] = "oldest",
    limit: Annotated[int, Query(ge=1, le=MOST_ITEMS)] = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> wire.ItemsOut:
    """One page of what waits, with the true total."""
    found, total = layer.review.pending(
        who,
        source_kind=source_kind,
        reason=reason,
        text=text,
        owner=owner,
        snoozed=snoozed,
        order=order,
        limit=limit,
        offset=offset,
    )
    return wire.ItemsOut(items=[wire.ItemOut.of(one) for one in found], total=total)


@router.get("/items/{item_id}", summary="One item in full")
def item(layer: Layer, who: Operator, item_id: Id) -> wire.ItemOut:
    """With version and digest, which a ruling names. A look at another's words is audited."""
    return wire.ItemOut.of(layer.review.item(who, item_id))


@router.post("/items/{item_id}/promote", summary="Promote")
def promote(layer: Layer, who: Operator, item_id: Id, body: wire.SeenIn) -> wire.OutcomeOut:
    """Take the words that were shown into memory, vouched for by the caller. 409 if they changed since."""
    return wire.OutcomeOut.of(layer.review.resolve(who, body.ruling(item_id, RulingKind.PROMOTE)))


@router.post("/items/{item_id}/reject", summary="Reject")
def reject(layer: Layer, who: Operator, item_id: Id, body: wire.SeenIn) -> wire.OutcomeOut:
    """Turn the words away, with a reason (`note`); the same words do not come back to the queue."""
    return wire.OutcomeOut.of(layer.review.resolve(who, body.ruling(item_id, RulingKind.REJECT)))


@router.post("/items/{item_id}/edit", summary="Promote in other words")
def edit(layer: Layer, who: Operator, item_id: Id, body: wire.EditIn) -> wire.OutcomeOut:
    """Take it in in other words, which go through the gates; the original stays on record as rejected."""
    return wire.OutcomeOut.of(layer.review.edit(who, body.ruling(item_id, RulingKind.PROMOTE), body.text))


@router.post("/items/{item_id}/settle", summary="Settle a conflict")
def settle(layer: Layer, who: Operator, item_id: Id, body: wire.SettleIn) -> wire.OutcomeOut:
    """Keep the old, take the new, both are true, or neither. The owner's own words are the owner's to settle."""
    return wire.OutcomeOut.of(layer.review.settle(who, body.ruling(item_id, RulingKind(body.answer))))


@router.post("/items/{item_id}/undo", summary="Take a ruling back")
def undo(layer: Layer, who: Operator, item_id: Id) -> wire.OutcomeOut:
    """Within the policy's minutes: the item is held again, its memory leaves the store."""
    return wire.OutcomeOut.of(layer.review.undo(who, item_id))
