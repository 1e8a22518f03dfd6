"""`chronomemory doctor`: what is wrong with this installation, and what mends it."""

from __future__ import annotations

from typing import Annotated

import typer

from core.entrypoints.cli.frame import REFUSED, AsJson
from core.entrypoints.cli.screen import Screen, jsonable
from core.settings import Settings


def doctor(
    *,
    quick: Annotated[bool, typer.Option("--quick", help="Do not load the embedding model.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look at every part of the installation; exit status 1 if one fails."""
    from core.entrypoints.doctor import FAIL, Doctor, worst  # noqa: PLC0415 - heavy

    screen = Screen(as_json=as_json)
    found = []
    for one in Doctor(settings=Settings(), quick=quick).findings():
        found.append(one)
        screen.say(f"{one.state:<4}  {one.part:<9}  {one.found}")
        if one.mend:
            screen.say(f"                 → {one.mend}")
    state = worst(found)
    screen.data({"state": state, "findings": jsonable(found)})
    if state == FAIL:
        raise typer.Exit(REFUSED)


__all__ = ["doctor"]
