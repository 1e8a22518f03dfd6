"""The command `chronomemory`. Exit status: 0 done, 1 refused or a finding, 2 usage, 3 a part is missing or down."""

from __future__ import annotations

import typer

from core.entrypoints.cli import (
    asking,
    auditing,
    checking,
    importing,
    moving,
    placing,
    policing,
    reviewing,
    running,
    telling,
    upkeep,
)
from core.entrypoints.cli.frame import Guarded

HELP = "Memory for agents that is governed: ask it, review it, verify it, move it."
EPILOG = "Exit status: 0 done; 1 refused, or something was found; 2 wrong usage; 3 a part is missing or down."

app = typer.Typer(
    cls=Guarded,
    name="chronomemory",
    help=HELP,
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a trace would print what is in the variables
)
app.command()(running.run)
app.command()(running.serve)
app.command()(running.mcp)
app.command()(running.worker)
app.command()(asking.recall)
app.command()(asking.why)
app.add_typer(reviewing.app, name="review")
app.add_typer(auditing.app, name="audit")
app.add_typer(policing.app, name="policy")
app.command("import")(importing.import_)
app.command()(moving.export)
app.command("move-in")(moving.move_in)
app.command()(moving.trust)
app.command()(upkeep.erase)
app.command()(upkeep.rebuild)
app.command()(upkeep.snapshot)
app.command()(upkeep.restore)
app.command()(upkeep.reembed)
app.add_typer(upkeep.ledger, name="ledger")
app.add_typer(placing.store, name="store")
app.command()(checking.doctor)
app.command()(telling.demo)

__all__ = ["app"]
