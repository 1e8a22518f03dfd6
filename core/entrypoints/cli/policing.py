"""`chronomemory policy`: in which settings two policies differ, and what another one would have ruled."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Annotated

import typer

from core.amend import differences, policy_of, settings_of
from core.entrypoints.cli.frame import REFUSED, AsJson, Guarded
from core.entrypoints.cli.ground import ledger_reader
from core.entrypoints.cli.screen import Screen, jsonable
from core.policy import Policy
from core.replay import replay
from core.sessions import DEFAULT_TENANT
from core.settings import Settings

app = typer.Typer(cls=Guarded, no_args_is_help=True, help="Compare policies.")
LOOK_BACK = 10_000  # rulings that are looked at again


@app.callback()
def policy() -> None:
    """Compare policies."""


@app.command()
def diff(
    file: Annotated[
        Path | None, typer.Argument(exists=True, dir_okay=False, help="A policy file; none: the packaged default.")
    ] = None,
    *,
    rulings: Annotated[bool, typer.Option("--rulings", help="Also rule again on what was recorded.")] = False,
    as_json: AsJson = False,
) -> None:
    """What a policy file changes against the policy in force; exit status 1 if it changes anything."""
    screen, settings = Screen(as_json=as_json), Settings()
    other = _packaged() if file is None else Policy.from_toml(file.read_text(encoding="utf-8"))
    with ledger_reader(settings) as ledger:
        version = next(iter(ledger.policy_versions(DEFAULT_TENANT, limit=1)), None)
        now = policy_of(version.body) if version else _packaged()
        found = differences(settings_of(now), settings_of(other))
        shifts = replay(ledger.standing_rulings(DEFAULT_TENANT, None, LOOK_BACK), other) if rulings else None
    moved = [
        {"candidate_id": one.candidate_id, "before": one.before.value, "after": one.after.value}
        for one in (shifts.changed if shifts else ())
    ]
    screen.data(
        {
            "in_force": now.digest,
            "compared": other.digest,
            "differences": [jsonable(one) for one in found],
            "rulings": {"looked_at": shifts.total, "changed": moved} if shifts else None,
        }
    )
    screen.say(f"In force  {now.digest}{f'  (version {version.number})' if version else ''}")
    screen.say(f"Compared  {other.digest}")
    screen.table((one.key, _shown(one.before), "→", _shown(one.after)) for one in found)
    if not found:
        screen.say("They are the same.")
    if shifts:
        screen.say(f"Of {shifts.total:,} rulings that stand, {len(moved):,} would come out otherwise.")
        screen.table((one["candidate_id"], one["before"], "→", one["after"]) for one in moved[:LOOK_BACK])
    if found:
        raise typer.Exit(REFUSED)


def _packaged() -> Policy:
    return Policy.from_toml(resources.files("core").joinpath("policies/default.toml").read_text(encoding="utf-8"))


def _shown(value: object) -> str:
    return "not set" if value is None else str(value)


__all__ = ["app"]
