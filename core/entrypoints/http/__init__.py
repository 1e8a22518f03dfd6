"""The HTTP interface: what agents and operators reach from outside. `make_api` builds it."""

from __future__ import annotations

from core.entrypoints.http.api import make_api
from core.entrypoints.http.compat import routes_of
from core.entrypoints.http.place import Place

__all__ = ["Place", "make_api", "routes_of"]
