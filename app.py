"""The console's server: `streamlit run app.py`, `python app.py`, or `uvicorn app:app`. Nothing else happens here.

The main script lives in `console/`, so that `pages/` is not its sibling and no page can be run past the gate by its
address (console.md §1.1).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount

from console.gate import Gate
from console.startup import Startup, lifespan_of
from core.entrypoints.http import Place, make_api, make_proxy
from core.settings import Settings

if TYPE_CHECKING:
    from core.layer import MemoryLayer


def _make_layer() -> MemoryLayer:
    from core.bootstrap import get_layer  # noqa: PLC0415  # heavy: imported in the background, after the server answers

    return get_layer()


def _layer() -> MemoryLayer | None:
    return cast("MemoryLayer | None", startup.layer())


startup = Startup(Settings(), _make_layer)
place = Place(settings=startup.settings, layer_of=_layer)

app = st.App(
    Path(__file__).resolve().parent / "console" / "main.py",
    routes=[Mount("/api", make_api(place)), Mount("/v1", make_proxy(place))],
    middleware=[Middleware(Gate, startup=startup)],
    lifespan=lifespan_of(startup),
)

if __name__ == "__main__":
    app.run(
        config={"server.port": startup.settings.port, "server.address": startup.settings.chronomemory_address},
    )
