"""Which addresses programs reach: light, for whoever must know them before the first program calls."""

from __future__ import annotations

API, MCP, PROXY = "/api", "/mcp", "/v1"
TREES = (API, MCP, PROXY)  # with all that is below them
METRICS = "/metrics"

CONTRACT = (
    "/recall",
    "/stats",
    "/health",
    "/ingest",
    "/consolidate",
    "/remember",
    "/forget",
    "/admin/rebuild",
    "/pag/verify",
    "/pag/snapshot",
)


def is_for_programs(path: str) -> bool:
    """Whether a path is one that programs reach with a key or token of their own, never with a cookie."""
    return path in (METRICS, *CONTRACT) or any(path == one or path.startswith(f"{one}/") for one in TREES)
