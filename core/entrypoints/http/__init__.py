"""The HTTP interface: what agents and operators reach from outside. `make_api` and `make_proxy` build it."""

from __future__ import annotations

from core.entrypoints.http.api import make_api
from core.entrypoints.http.compat import routes_of
from core.entrypoints.http.place import Place
from core.entrypoints.http.proxy import make_proxy

__all__ = ["Place", "make_api", "make_proxy", "routes_of"]
