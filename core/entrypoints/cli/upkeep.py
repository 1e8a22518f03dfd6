"""`chronomemory erase`, `rebuild`, `snapshot`, `restore`, `reembed`, `ledger move`: acts on a person or the whole."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.entrypoints.cli.frame import REFUSED, As, AsJson, Yes, acting, asked
from core.entrypoints.cli.screen import Screen, plain
from core.errors import BadInput, NotFound
from core.settings import Settings
from core.wiring_ledger import ledger_name


def erase(
    person: Annotated[str, typer.Argument(metavar="USER", help="Whose words go; oneself, or anybody for an admin.")],
    who: As,
    *,
    certificate: Annotated[Path, typer.Option("--certificate", help="A new file for the certificate.")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Remove a person's words from both stores, and their account; the audit keeps digests. It cannot be undone."""
    screen = Screen(as_json=as_json)
    if certificate.exists():
        msg = f"{certificate} exists: name a new file for the certificate."
        raise BadInput(msg)
    with acting(screen, who) as (layer, actor):
        names = {name: user_id for user_id, name in layer.accounts.names(actor.tenant).items()}
        if person not in names:
            msg = f"There is nobody called {person} here."
            raise NotFound(msg)
        if not yes:
            said: str = typer.prompt(f"Everything of {plain(person)} goes for good. Type the name to go on", err=True)
            if said.strip() != person:
                screen.note("Nothing was changed.")
                raise typer.Exit(REFUSED)
        made = layer.lifecycle.erase(actor, names[person])
    certificate.write_text(made.to_json() + "\n", encoding="utf-8")
    screen.data(made)
    screen.say(
        f"Erased: {made.ledger.episodes:,} texts, {made.ledger.candidates:,} candidates, {made.memories:,} memories."
    )
    screen.say(f"Certificate {made.certificate_id} in {certificate}; audit entry {made.audit_seq} {made.audit_hash}")


def rebuild(who: As, *, yes: Yes = False, as_json: AsJson = False) -> None:
    """Make the store anew from the ledger; recall is empty until it is done."""
    screen = Screen(as_json=as_json)
    with acting(screen, who, embeds=True) as (layer, actor):
        asked("Empty the store and make it anew from the ledger?", yes=yes)
        screen.note("Applying every effect again …")
        count = layer.lifecycle.rebuild(actor)
        waiting = layer.ledger.unprocessed()
    screen.data({"effects": count, "waiting": waiting})
    screen.say(f"{count:,} effects applied again; {waiting:,} wait.")


def snapshot(file: Annotated[Path, typer.Argument(help="A new file.")], who: As, *, as_json: AsJson = False) -> None:
    """Write a verified copy of the ledger, from which both stores can be made again. Keep the secret beside it."""
    screen = Screen(as_json=as_json)
    with acting(screen, who) as (layer, actor):
        seq, head = layer.lifecycle.snapshot(actor, file)
    screen.data({"file": str(file), "seq": seq, "head": head})
    screen.say(f"Written to {file}, up to entry {seq} {head}")


def restore(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, metavar="SNAPSHOT")], *, as_json: AsJson = False
) -> None:
    """Put a snapshot in the place of a ledger that is gone. Whoever can read the installation's secret may do this."""
    from core.bootstrap import restore_ledger  # noqa: PLC0415 - heavy

    screen = Screen(as_json=as_json)
    seq, head = restore_ledger(Settings(), file)
    screen.data({"seq": seq, "head": head})
    screen.say(f"Restored up to entry {seq} {head}; an empty store is made anew at the next start.")


ledger = typer.Typer(help="Where the ledger is kept.", no_args_is_help=True)


@ledger.command("move")
def move(*, yes: Yes = False, as_json: AsJson = False) -> None:
    """Carry the ledger file over into the empty database of LEDGER_URL and verify it. Stop consoles and workers first.

    Whoever can read the installation's secret may do this. The file refuses every further entry afterwards; its words
    stay in it until you delete it.
    """
    from core.bootstrap import carry_ledger_over  # noqa: PLC0415 - heavy

    screen = Screen(as_json=as_json)
    settings = Settings()
    where = ledger_name(settings)
    asked(f"Carry {settings.ledger_path} over to {where}?", yes=yes)
    screen.note("Copying and verifying …")
    seq, head = carry_ledger_over(settings)
    screen.data({"seq": seq, "head": head, "ledger": where, "file": str(settings.ledger_path)})
    screen.say(f"The ledger is at {where} now, up to entry {seq} {head}")
    screen.say(f"Once you have a backup, delete {settings.ledger_path}: it still holds every text.")


def reembed(*, as_json: AsJson = False) -> None:
    """Recompute every vector after the embedding model was changed. Stop the console and the workers first."""
    from core.bootstrap import reembed_store  # noqa: PLC0415 - heavy

    screen = Screen(as_json=as_json)
    screen.note("Recomputing vectors; broken off, it goes on where it stopped …")
    count = reembed_store(Settings())
    screen.data({"vectors": count})
    screen.say(f"{count:,} vectors recomputed.")


__all__ = ["erase", "ledger", "rebuild", "reembed", "restore", "snapshot"]
