"""The application: routers, limits, errors. Mounted at /api, its documentation at /api/docs."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from fastapi import FastAPI

from core.entrypoints.http import agents, docs, feed, items, operators, overseeing, owning, problems, reviewing
from core.entrypoints.http.limits import BodyLimit
from core.entrypoints.http.place import Place

DESCRIPTION = """
Memory for agents that is governed: what a text counts as is decided by the key it comes with and the address it is sent
to, never by what is sent. No agent's key promotes, reveals what is held, or reaches another's memory: what is another's
looks like what does not exist (404). Errors are problem+json (RFC 9457); `retry` says whether trying again may help.
""".strip()


def make_api(place: Place) -> FastAPI:
    """The application for one installation."""
    app = FastAPI(
        title="Governed ChronoMemory-OS",
        description=DESCRIPTION,
        version=_version(),
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
    )
    app.state.place = place
    problems.install(app)
    app.add_middleware(BodyLimit, limit=place.settings.api_max_body_bytes)
    for face in (agents, items, operators, reviewing, owning, overseeing, feed, docs):
        app.include_router(face.router)
    return app


def _version() -> str:
    try:
        return version("governed-chronomemory")
    except PackageNotFoundError:  # run from a folder that was not installed
        return "0"
