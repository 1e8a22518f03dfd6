"""What every command shares: its options, its exit status, the layer it opens and the person it acts for."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from core.entrypoints.cli.screen import Screen, plain
from core.errors import (
    AuditBroken,
    ChronoMemoryError,
    LedgerUnavailable,
    Misconfigured,
    NotAuthorised,
    StoreUnavailable,
    Unavailable,
)
from core.model import Actor
from core.settings import Settings
from core.wiring_ledger import has_ledger, how_to_find, ledger_name

if TYPE_CHECKING:
    from core.layer import MemoryLayer

OK, REFUSED, USAGE, UNAVAILABLE = 0, 1, 2, 3  # the exit status of every command
START_SECONDS = 90.0  # the embedded server recovers from a crash in this
PATIENCE_SECONDS = 15.0  # a store that says that it is down may still come up
LOOK_SECONDS = 0.05
AGENT = "chronomemory command"

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document for a program.")]
As = Annotated[
    str, typer.Option("--as", metavar="USER", help="Whose act it is; the password is asked, or CHRONOMEMORY_PASSWORD.")
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask again before it is done.")]


class Guarded(TyperGroup):
    """Turns what went wrong into one line that says what to do, and an exit status."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        logging.basicConfig(level=logging.ERROR, format="%(message)s")
        try:
            return super().invoke(ctx)
        except ChronoMemoryError as problem:
            typer.echo(plain(str(problem)), err=True)
            raise typer.Exit(status_of(problem)) from problem
        except ValidationError as problem:
            first = problem.errors()[0]
            name = ".".join(str(one) for one in first["loc"]).upper()
            typer.echo(plain(f"The setting {name} does not fit: {first['msg']}."), err=True)
            raise typer.Exit(UNAVAILABLE) from problem


def status_of(problem: ChronoMemoryError) -> int:
    """1: refused, or a finding; 3: a part is missing, down or set up wrongly."""
    if isinstance(problem, AuditBroken):
        return REFUSED
    return UNAVAILABLE if isinstance(problem, Unavailable | Misconfigured) else REFUSED


@contextmanager
def opened(screen: Screen, *, embeds: bool) -> Iterator[MemoryLayer]:
    """The layer without a worker, its store reachable; a console beside it shares ledger and embedded server.

    Args:
        screen: told that this takes a moment.
        embeds: whether the command asks the embedding model, which takes some seconds to load.

    Raises:
        LedgerUnavailable: there is no memory here; a command makes none.
        StoreUnavailable: the store does not come up.
    """
    settings = Settings().model_copy(update={"chronomemory_worker": False})
    if not has_ledger(settings):
        msg = (
            f"There is no memory at {ledger_name(settings)}: {how_to_find(settings)}, or start the console once "
            "(`chronomemory run`) to make one."
        )
        raise LedgerUnavailable(msg)
    screen.note("Opening the memory and the embedding model …" if embeds else "Opening the memory …")
    from core.bootstrap import build_layer  # noqa: PLC0415 - heavy: `--help` must not wait for it

    layer = build_layer(settings, warm=False)  # loaded by the first text that needs it, or not at all
    try:
        layer.start()
        wait_for_store(layer)
        yield layer
    finally:
        layer.close()


def wait_for_store(layer: MemoryLayer) -> None:
    """Until the store answers.

    Raises:
        StoreUnavailable: it does not come up in time.
    """
    began = time.monotonic()
    while (state := layer.health()["store"]) != "ok":
        passed = time.monotonic() - began
        if passed > START_SECONDS or (state.startswith("down") and passed > PATIENCE_SECONDS):
            msg = f"The memory store does not come up ({state}). `chronomemory doctor` looks for the reason."
            raise StoreUnavailable(msg)
        time.sleep(LOOK_SECONDS)


@contextmanager
def acting(screen: Screen, username: str, *, embeds: bool = False) -> Iterator[tuple[MemoryLayer, Actor]]:
    """The layer and a person who has just given their password; they are signed out at the end.

    Raises:
        NotAuthorised: user name or password are wrong.
    """
    secret = Settings().chronomemory_password.get_secret_value()
    password = secret or typer.prompt(f"Password of {username}", hide_input=True, err=True)
    with opened(screen, embeds=embeds) as layer:
        accounts = layer.accounts
        if accounts.needs_setup():
            msg = "There is no account yet: start the console once (`chronomemory run`) and make the first one."
            raise NotAuthorised(msg)
        _session, token = accounts.sign_in(username, password, "", AGENT)
        actor = accounts.resolve(token)
        if actor is None:
            msg = "The session ended at once: check the clock of this machine."
            raise NotAuthorised(msg)
        try:
            yield layer, actor
        finally:
            accounts.sign_out(actor)


def asked(question: str, *, yes: bool) -> None:
    """Go on only if a person says so; `--yes` says it beforehand.

    Raises:
        typer.Exit: they do not.
    """
    if yes or typer.confirm(plain(question), default=False, err=True):
        return
    typer.echo("Nothing was changed.", err=True)
    raise typer.Exit(REFUSED)


__all__ = [
    "OK",
    "REFUSED",
    "UNAVAILABLE",
    "USAGE",
    "As",
    "AsJson",
    "Guarded",
    "Yes",
    "acting",
    "asked",
    "opened",
    "status_of",
    "wait_for_store",
]
