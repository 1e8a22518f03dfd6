"""Errors as problem+json (RFC 9457): whose fault it is, in words that say what to do, and whether to try again."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from core import errors
from core.entrypoints.requests import template_of

log = logging.getLogger("chronomemory.http")

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 3  # what a caller is told to wait where nobody knows better

# The first class that fits decides; the order is from the particular to the general.
STATUS: tuple[tuple[type[errors.ChronoMemoryError], HTTPStatus], ...] = (
    (errors.TooLarge, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    (errors.KeyReused, HTTPStatus.CONFLICT),
    (errors.BadInput, HTTPStatus.UNPROCESSABLE_ENTITY),
    (errors.TooManyAttempts, HTTPStatus.TOO_MANY_REQUESTS),
    (errors.TooManyStreams, HTTPStatus.TOO_MANY_REQUESTS),
    (errors.NotAuthorised, HTTPStatus.FORBIDDEN),
    (errors.NotFound, HTTPStatus.NOT_FOUND),
    (errors.StaleReview, HTTPStatus.CONFLICT),
    (errors.Contradicts, HTTPStatus.CONFLICT),
    (errors.AuditBroken, HTTPStatus.CONFLICT),
    (errors.ModelReplyUnusable, HTTPStatus.BAD_GATEWAY),
    (errors.ChronoMemoryError, HTTPStatus.SERVICE_UNAVAILABLE),
)


class Unauthenticated(Exception):
    """There is no key in the request, or none that opens anything. Its text, if any, says what to do instead."""


class Problem(BaseModel):
    """What went wrong."""

    type: str = Field(description="Which kind of error, in the product's words; stable.", examples=["NotFound"])
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field(description="What to do next.")
    retry: bool = Field(description="Whether the same request may work later.")
    errors: list[dict[str, Any]] | None = Field(default=None, description="Of an invalid request: where and why.")


Documented = dict[int | str, dict[str, Any]]


def documented(*statuses: int) -> Documented:
    """`responses` of a route that can answer with these problems."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {one: {"description": HTTPStatus(one).phrase, "content": content} for one in statuses}


COMMON = documented(400, 401, 403, 404, 413, 422, 429, 503)
CONFLICT = documented(409)  # what was seen, or sent under the same key, is not what is there


def answer(
    status: HTTPStatus,
    kind: str,
    detail: str,
    *,
    retry: bool = False,
    headers: Mapping[str, str] | None = None,
    where: list[dict[str, Any]] | None = None,
) -> JSONResponse:
    """A problem as a response."""
    body = Problem(type=kind, title=status.phrase, status=status.value, detail=detail, retry=retry, errors=where)
    return JSONResponse(
        body.model_dump(exclude_none=True), status_code=status, media_type=MEDIA_TYPE, headers=dict(headers or {})
    )


def of_error(error: errors.ChronoMemoryError) -> JSONResponse:
    """One of the product's own errors as a response."""
    status = next(status for kind, status in STATUS if isinstance(error, kind))
    headers: dict[str, str] = {}
    if isinstance(error, errors.TooManyAttempts):
        wait = (error.retry_at - datetime.now(UTC)).total_seconds()  # noqa: TID251 - a wait on the caller's clock
        headers["retry-after"] = str(max(1, math.ceil(wait)))
    elif error.retry:
        headers["retry-after"] = str(RETRY_SECONDS)
    return answer(status, type(error).__name__, str(error), retry=error.retry, headers=headers)


def plain(_request: Request, error: Exception) -> JSONResponse:
    """An HTTP error of the framework as a problem: an address that is not there, a method that it does not take."""
    given = error if isinstance(error, HTTPException) else HTTPException(HTTPStatus.INTERNAL_SERVER_ERROR)
    status = HTTPStatus(given.status_code)
    return answer(status, status.phrase.title().replace(" ", ""), str(given.detail), headers=given.headers)


def install(app: FastAPI) -> None:
    """Make every error of an application a problem, and put the problem's schema into its document."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            schemas = make().setdefault("components", {}).setdefault("schemas", {})
            schemas["Problem"] = Problem.model_json_schema()
        return app.openapi_schema or {}

    app.openapi = openapi  # type: ignore[method-assign]  # the way FastAPI documents for changing the document

    @app.exception_handler(errors.ChronoMemoryError)
    def own(_request: Request, error: errors.ChronoMemoryError) -> JSONResponse:
        return of_error(error)

    @app.exception_handler(Unauthenticated)
    def stranger(_request: Request, error: Unauthenticated) -> JSONResponse:
        return answer(
            HTTPStatus.UNAUTHORIZED,
            "Unauthenticated",
            str(error) or "Send a key that is in use: Authorization: Bearer …",
            headers={"www-authenticate": "Bearer"},
        )

    @app.exception_handler(RequestValidationError)
    def invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        where = [
            {"where": [str(part) for part in one["loc"]], "why": one["msg"], "type": one["type"]}
            for one in error.errors()
        ]
        detail = "; ".join(f"{'.'.join(one['where'])}: {one['why']}" for one in where[:3])
        return answer(HTTPStatus.UNPROCESSABLE_ENTITY, "BadInput", detail or "The request is invalid.", where=where)

    app.add_exception_handler(HTTPException, plain)

    @app.exception_handler(Exception)
    def fault(request: Request, error: Exception) -> JSONResponse:
        log.error("%s met a fault", template_of(request.scope) or "a request", exc_info=error)
        return answer(
            HTTPStatus.INTERNAL_SERVER_ERROR, "Fault", "This is our fault; the log says more. Nothing was acknowledged."
        )
