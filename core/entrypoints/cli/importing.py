"""`chronomemory import`: notes, calendars, mail, chats and tables into one's own memory, through the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from core.entrypoints.cli.frame import REFUSED, As, AsJson, Yes, acting, asked
from core.entrypoints.cli.moving import is_export, move_in
from core.entrypoints.cli.screen import Screen, jsonable
from core.imports import Preview, Progress, Report
from core.ports import ImportResult, Outcome

SHOWN = 10  # items of a preview, and results of each sort
UNTAKEN = (Outcome.BROKEN, Outcome.REFUSED)


def import_(
    path: Annotated[Path, typer.Argument(exists=True, help="A file or folder; its format is recognised.")],
    who: As,
    *,
    form: Annotated[
        str,
        typer.Option("--format", help="markdown, ics, mail, chatgpt, claude, csv, jsonl or mem0; none: recognised."),
    ] = "",
    name: Annotated[str, typer.Option("--name", help="What the source is called; keep it the same each time.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run/--no-dry-run", help="Only say what it would do (the default).")
    ] = True,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take a source in. Without --no-dry-run it only says what would become of it; cut off, run it again."""
    if is_export(path):
        move_in(path, who, dry_run=dry_run, yes=yes, as_json=as_json)
        return
    screen = Screen(as_json=as_json)
    with acting(screen, who, embeds=not dry_run) as (layer, actor):
        desk = layer.imports
        source = desk.open(path, format=form or None, name=name)
        seen = desk.preview(actor, source, progress=_counting(screen))
        _preview(screen, seen)
        if dry_run:
            screen.data({"preview": jsonable(seen)})
            screen.say("Nothing was written. Take it in with --no-dry-run.")
            return
        asked(f"Take {seen.new + seen.changed:,} items in?", yes=yes)
        report = desk.run(actor, desk.open(path, format=form or None, name=name), progress=_running(screen))
        screen.note("Reading what was taken in …")
        layer.drain()
        outcomes = {one: list(desk.results(actor, report.run_id, only=one, limit=SHOWN)[0]) for one in UNTAKEN}
    screen.data({"preview": jsonable(seen), "report": jsonable(report), "results": jsonable(outcomes)})
    _report(screen, report, outcomes)
    if not report.finished or report.broken or report.refused:
        raise typer.Exit(REFUSED)


def _preview(screen: Screen, seen: Preview) -> None:
    screen.say(
        f"{seen.format.name}: {seen.total:,} items, {seen.new:,} new, {seen.changed:,} changed, {seen.unchanged:,} here"
    )
    screen.table(
        (name, f"{one.count:,}", f"trust {one.trust:.2f}", "waits for review" if one.held else "through the gate")
        for name, one in seen.by_class.items()
    )
    for item in seen.sample[:SHOWN]:
        screen.say(f"  {item.state}  {item.place}  {item.title}")
        screen.say(f"    {item.text}")
    for problem in seen.problems[:SHOWN]:
        screen.say(f"  cannot be read: {problem.place}: {problem.reason}")
    if seen.broken > SHOWN:
        screen.say(f"  and {seen.broken - SHOWN:,} more that cannot be read")


def _report(screen: Screen, report: Report, outcomes: Mapping[Outcome, Iterable[ImportResult]]) -> None:
    screen.say(
        f"{report.new:,} taken in, {report.changed:,} changed, {report.unchanged:,} were here, "
        f"{report.broken:,} cannot be read, {report.refused:,} refused."
    )
    for results in outcomes.values():
        for one in results:
            screen.say(f"  {one.outcome.value}: {one.place} {one.title}: {one.reason}")
    if not report.finished:
        screen.say("It was broken off: run the same command again, and it goes on.")


def _counting(screen: Screen) -> Callable[[int], None]:
    tell = screen.progress()
    return lambda done: tell("looking", done, 0) if done % 100 == 0 else None


def _running(screen: Screen) -> Callable[[Progress], None]:
    tell = screen.progress()
    return lambda at: tell("taking in", at.done, 0) if at.done % 100 == 0 else None


__all__ = ["import_"]
