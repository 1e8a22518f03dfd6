"""The console's server: `streamlit run app.py`, `python app.py`, or `uvicorn app:app`. Nothing else happens here.

The main script lives in `console/`, so that `pages/` is not its sibling and no page can be run past the gate by its
address (console.md §1.1).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import streamlit as st
from starlette.middleware import Middleware

from console.gate import Gate
from console.interfaces import Later
from console.startup import Startup, lifespan_of
from core.entrypoints.requests import RequestIds
from core.settings import Settings

if TYPE_CHECKING:
    from core.entrypoints.programs import Programs
    from core.layer import MemoryLayer


def _make_layer() -> MemoryLayer:
    from core.bootstrap import get_layer  # noqa: PLC0415  # heavy: imported in the background, after the server answers

    return get_layer()


def _make_programs() -> Programs:
    from core.entrypoints.http import Place  # noqa: PLC0415  # heavy: made when the first program calls
    from core.entrypoints.programs import Programs  # noqa: PLC0415

    return Programs(Place(settings=startup.settings, layer_of=_layer))  # the gate has checked the host


def _layer() -> MemoryLayer | None:
    return cast("MemoryLayer | None", startup.layer())


startup = Startup(Settings(), _make_layer)
programs = Later(_make_programs)

app = st.App(
    Path(__file__).resolve().parent / "console" / "main.py",
    middleware=[Middleware(RequestIds), Middleware(Gate, startup=startup, programs=programs)],
    lifespan=lifespan_of(startup, beside=programs.running),
)

if __name__ == "__main__":
    app.run(
        config={"server.port": startup.settings.port, "server.address": startup.settings.chronomemory_address},
    )
