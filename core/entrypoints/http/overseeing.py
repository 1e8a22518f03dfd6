"""The audit, the policy and a person's whole memory in a file, over HTTP."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated, Any, BinaryIO, cast

from fastapi import APIRouter, Query, Request
from pydantic import AwareDatetime
from starlette.responses import StreamingResponse

from core.agents import NAME_CHARS
from core.entrypoints.http import operatorwire as wire
from core.entrypoints.http.callers import Operator
from core.entrypoints.http.operators import Layer
from core.entrypoints.http.place import place_of
from core.entrypoints.http.problems import COMMON

router = APIRouter(prefix="/v1", tags=["operators: oversight"], responses=COMMON)

MOST_ENTRIES = 500  # of one page
VERIFIED_WITHIN = timedelta(minutes=5)  # a report that is no older is given again
PIECE = 64 * 1024  # bytes of an export that are sent at once
NDJSON = "application/x-ndjson"
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "One JSON object a line, signed.", "content": {NDJSON: {"schema": {"type": "string"}}}}
}
Part = Annotated[str | None, Query(min_length=1, max_length=NAME_CHARS)]


@router.get("/audit", summary="Audit entries")
def entries(  # noqa: PLR0913 - a filter has that many parts
    layer: Layer,
    who: Operator,
    *,
    action: Part = None,
    about: Part = None,
    owner: Part = None,
    by: Part = None,
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
    limit: Annotated[int, Query(ge=1, le=MOST_ENTRIES)] = 100,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> wire.EntriesOut:
    """One page, newest first; members see what concerns themselves, reviewers and admins their tenant."""
    rows, total = layer.audit_desk.entries(
        who, action=action, about=about, owner=owner, by=by, since=since, until=until, limit=limit, offset=offset
    )
    return wire.EntriesOut(entries=[wire.EntryOut.of(one) for one in rows], total=total)


@router.get("/audit/head", summary="The last entry of the chain")
def head(layer: Layer, who: Operator) -> wire.HeadOut:
    """Sequence and hash, of the whole installation's chain: note it elsewhere, to know later that nothing was cut."""
    seq, digest = layer.audit_desk.head(who)
    return wire.HeadOut(seq=seq, hash=digest)


@router.get("/audit/verify", summary="Whether the chain is whole")
def verify(layer: Layer, who: Operator, *, anew: bool = False) -> wire.ReportOut:
    """Recompute every entry and compare with what the store witnessed. A report of the last minutes is given again."""
    report, at = layer.audit_desk.verified(who, within=timedelta(0) if anew else VERIFIED_WITHIN)
    return wire.ReportOut.of(report, at)


@router.get("/policy", summary="The policy as it is")
def policy(layer: Layer, who: Operator) -> wire.PolicyOut:
    """Every number that texts are judged by, and the digest that decisions record."""
    return wire.PolicyOut.of(layer.governance.current(who))


@router.post("/policy/dry-run", summary="What another policy would have ruled")
def dry_run(layer: Layer, who: Operator, body: wire.ChangeIn) -> wire.DryRunOut:
    """Rule again, by the changed policy, on the newest rulings that stand: changes nothing but the audit."""
    return wire.DryRunOut.of(layer.governance.dry_run(who, body.change))


@router.get(
    "/export",
    summary="The caller's whole memory in a signed file",
    response_class=StreamingResponse,
    responses=_FILE,
)
def export(request: Request, layer: Layer, who: Operator) -> StreamingResponse:
    """Everything of the caller's own, as of one moment; `chronomemory move-in` takes it in elsewhere."""
    folder = place_of(request).settings.chronomemory_data
    copy = cast("BinaryIO", tempfile.TemporaryFile(dir=folder if folder.is_dir() else None))  # noqa: SIM115 - streamed below
    try:
        layer.moving.export(who, copy)
        copy.seek(0)
    except BaseException:
        copy.close()
        raise
    named = {"content-disposition": 'attachment; filename="chronomemory-export.jsonl"'}
    return StreamingResponse(_pieces(copy), media_type=NDJSON, headers=named)


def _pieces(copy: BinaryIO) -> Iterator[bytes]:
    with copy:
        while piece := copy.read(PIECE):
            yield piece
