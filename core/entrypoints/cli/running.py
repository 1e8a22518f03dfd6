"""`chronomemory run` and `worker`: the processes that stay."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

import core
from core.errors import Misconfigured
from core.settings import Settings, environment_of


def run(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: as PORT says.")] = 0,
    address: Annotated[str, typer.Option("--address", help="Address to bind; none: as the settings say.")] = "",
) -> None:
    """Start the console; it takes this command's place until it is stopped."""
    app = Path(core.__file__).resolve().parents[1] / "app.py"
    if not app.exists():
        msg = f"The console's app.py is not beside the package ({app.parent}): run this from a copy of the project."
        raise Misconfigured(msg)
    given: dict[str, object] = {}
    if port:
        given["port"] = port
    if address:
        given["chronomemory_address"] = address
    settings = Settings().model_copy(update=given)
    environment = environment_of(settings) | {"CHRONOMEMORY_ADDRESS": settings.chronomemory_address}
    os.chdir(app.parent)  # Streamlit reads its options from .streamlit there
    os.execve(sys.executable, [sys.executable, str(app)], environment)  # noqa: S606 - this interpreter, our own file


def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: as PORT says.")] = 0,
    address: Annotated[str, typer.Option("--address", help="Address to bind; none: as the settings say.")] = "",
) -> None:
    """Serve agents and operators over HTTP, without the console, until it is stopped."""
    import uvicorn  # noqa: PLC0415 - heavy

    from core.bootstrap import get_layer  # noqa: PLC0415 - heavy
    from core.entrypoints.serving import make_server  # noqa: PLC0415 - heavy
    from core.telemetry.logs import configure  # noqa: PLC0415 - heavy

    settings = Settings()
    configure(settings.chronomemory_log)
    settings = settings.model_copy(update={"chronomemory_address": address or settings.chronomemory_address})
    uvicorn.run(
        make_server(settings, get_layer),
        host=settings.chronomemory_address,
        port=port or settings.port,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,  # ours is
    )


def mcp(
    url: Annotated[
        str, typer.Option("--url", help="Of a running server: http://localhost:8501/mcp; none: open the memory here.")
    ] = "",
) -> None:
    """Speak MCP over stdin and stdout, with the key in CHRONOMEMORY_AGENT_KEY, until stdin ends."""
    from core.entrypoints.mcp import stdio  # noqa: PLC0415 - heavy

    stdio.serve(Settings(), url=url)


def worker() -> None:
    """Read what was submitted, beside a console that runs with CHRONOMEMORY_WORKER=false, until it is stopped."""
    from core.entrypoints.worker import main  # noqa: PLC0415 - heavy

    main()


__all__ = ["mcp", "run", "serve", "worker"]
