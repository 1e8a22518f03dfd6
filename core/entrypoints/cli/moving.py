"""`chronomemory export`, `trust` and `move-in`: an owner's whole memory out of this installation, and into it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from core.entrypoints.cli.frame import As, AsJson, Yes, acting, asked
from core.entrypoints.cli.screen import Screen
from core.errors import BadInput
from core.moving import Checked
from core.moving.lines import FORMAT

HEAD_BYTES = 200


def export(file: Annotated[Path, typer.Argument(help="A new file.")], who: As, *, as_json: AsJson = False) -> None:
    """Write all of one's own memory into a signed file, to keep or to take to another installation."""
    screen = Screen(as_json=as_json)
    if file.exists():
        msg = f"{file} exists: name a new file."
        raise BadInput(msg)
    part = file.with_name(f"{file.name}.part")
    with acting(screen, who) as (layer, actor):
        try:
            with part.open("xb") as out:
                part.chmod(0o600)
                made = layer.moving.export(actor, out, progress=screen.progress())
            part.replace(file)
        except FileExistsError as error:
            msg = f"{part} exists: another export is under way, or was broken off; wait, or remove it."
            raise BadInput(msg) from error
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    screen.data({"file": str(file), "counts": dict(made.counts), "content": made.content, "digest": made.digest})
    screen.say(f"Written to {file}: {_counted(made.counts)}.")
    screen.say(f"Records   {made.content}")
    screen.say(f"File      {made.digest}")
    screen.say(f"Signed by {made.fingerprint}")
    screen.say("It holds everything in plain words: keep it as you would keep a diary.")


def move_in(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="What `chronomemory export` wrote.")],
    who: As,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the file and say what it is; write nothing.")
    ] = False,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take an exported memory into one's own; trust never rises on the way, and twice changes nothing."""
    screen = Screen(as_json=as_json)
    with _own_copy(file) as copy, acting(screen, who, embeds=not dry_run) as (layer, actor):
        checked = layer.moving.check(actor, lambda: copy.open("rb"), progress=screen.progress())
        _tell(screen, checked)
        if dry_run:
            screen.data(_of(checked))
            return
        asked("Take it in?", yes=yes)
        taken = layer.moving.take_in(actor, lambda: copy.open("rb"), progress=screen.progress())
        layer.drain()
    screen.data(
        _of(checked)
        | {"already": taken.already, "texts": taken.texts, "candidates": taken.candidates, "admitted": taken.admitted}
        | {"held": list(taken.held), "lowered": taken.lowered, "claims": taken.claims, "reasons": dict(taken.reasons)}
    )
    if taken.already:
        screen.say("All of it was here already. Nothing was changed.")
    elif not checked.trusted:
        screen.say(f"{taken.claims:,} memories wait on the review page as claims of a document.")
    else:
        screen.say(
            f"{taken.texts:,} texts and {taken.candidates:,} candidates taken in; {taken.admitted:,} are in memory."
        )
        why = ", ".join(f"{reason} {count:,}" for reason, count in sorted(taken.reasons.items()))
        screen.say(f"{len(taken.held):,} were in memory there and wait for a person here{f' ({why})' if why else ''}.")
        screen.say(f"{taken.lowered:,} count with less trust than they did.")


def trust(
    fingerprint: Annotated[str, typer.Argument(help="Of the other installation; none: show this one's.")] = "",
    who: Annotated[str, typer.Option("--as", metavar="ADMIN", help="An admin of this installation.")] = "",
    *,
    revoke: Annotated[bool, typer.Option("--revoke", help="Believe it no longer.")] = False,
    as_json: AsJson = False,
) -> None:
    """Believe what another installation signed, so that a memory can move here; or show whom to believe."""
    screen = Screen(as_json=as_json)
    if not who:
        msg = "Say whose act it is: --as ADMIN."
        raise typer.BadParameter(msg)
    with acting(screen, who) as (layer, actor):
        desk = layer.moving
        if fingerprint:
            named = desk.distrust(actor, fingerprint) if revoke else desk.trust(actor, fingerprint)
            screen.say(f"{'No longer believed' if revoke else 'Believed from now on'}: {named}")
        known = desk.trusted(actor)
        screen.data({"own": desk.own_fingerprint, "trusted": known})
        screen.say(f"This installation: {desk.own_fingerprint}")
        for one in known:
            screen.say(f"Believed:          {one}")


def is_export(file: Path) -> bool:
    """Whether a file is one that `export` wrote: `import` takes it as a memory that moves, not as a source."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return f'"format":"{FORMAT}"'.encode() in opened.read(HEAD_BYTES)


@contextmanager
def _own_copy(file: Path) -> Iterator[Path]:
    """The file as it is now, readable by this account only: what is verified is what is taken in."""
    with tempfile.NamedTemporaryFile(prefix="chronomemory-", suffix=".jsonl") as copy:
        with file.open("rb") as opened:
            shutil.copyfileobj(opened, copy)
        copy.flush()
        yield Path(copy.name)


def _tell(screen: Screen, checked: Checked) -> None:
    header = checked.header
    screen.say(f"The file is whole: {_counted(checked.counts)}.")
    screen.say(f"Exported {header.get('exported_at', '')} by version {header.get('program', '')}.")
    screen.say(f"Signed by {checked.fingerprint or 'nobody'}.")
    if not checked.trusted:
        screen.say(
            "Nobody here vouches for that installation: every memory of it becomes a claim that waits for review."
        )
        screen.say("An admin can vouch for it first: chronomemory trust FINGERPRINT --as ADMIN")


def _of(checked: Checked) -> dict[str, object]:
    named = {"content": checked.content, "digest": checked.digest, "signed_by": checked.fingerprint}
    return named | {"trusted": checked.trusted, "counts": dict(checked.counts)}


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {number:,}" for kind, number in counts.items())


__all__ = ["export", "is_export", "move_in", "trust"]
