"""The documentation page at /docs: Swagger UI out of a package, so that it works offline and calls nobody."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Literal

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

router = APIRouter(include_in_schema=False)

# Swagger UI sets style attributes while it draws, and its icons are data: addresses.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HTTP interface: Governed ChronoMemory-OS</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="ui"></div>
<noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""
START = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#ui",
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  docExpansion: "list",
  validatorUrl: null,
});
"""
TYPES = {"swagger-ui-bundle.js": "text/javascript; charset=utf-8", "swagger-ui.css": "text/css; charset=utf-8"}
KEPT = {"cache-control": "public, max-age=3600"}
_PACKAGE = "fastapi_standalone_docs"


@lru_cache(maxsize=len(TYPES))
def asset(name: str) -> bytes:
    """One of the packaged files of Swagger UI."""
    return files(_PACKAGE).joinpath("static", "swagger", name).read_bytes()


@router.get("/docs")
def page() -> HTMLResponse:
    """The page, with a policy of its own: it may run its packaged scripts and call this server, nobody else."""
    return HTMLResponse(PAGE, headers={"content-security-policy": POLICY})


@router.get("/docs/start.js")
def start() -> Response:
    """What opens the document on the page."""
    return Response(START, media_type="text/javascript; charset=utf-8", headers=KEPT)


@router.get("/docs/{name}")
def packaged(name: Literal["swagger-ui-bundle.js", "swagger-ui.css"]) -> Response:
    """Swagger UI itself."""
    return Response(asset(name), media_type=TYPES[name], headers=KEPT)
