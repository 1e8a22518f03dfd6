"""Keeps made-up data and real data apart: a marker in the data folder says that everything in it is a demonstration.

The marker is put into an empty folder before anything else and is never taken out, so a folder is of one kind for as
long as it exists. A demonstration has a store of its own, in that folder: a database elsewhere could hold anything.
"""

from __future__ import annotations

from pathlib import Path

from core.errors import Misconfigured

MARKER = "DEMO-DATA"
_SAYS = "Everything in this folder is made up for a demonstration. Delete the whole folder when you are done with it.\n"


def is_demo(folder: Path) -> bool:
    """Whether a folder holds demonstration data."""
    return (folder / MARKER).exists()


def check_folder(folder: Path, *, demo: bool, database_url: str = "") -> None:
    """Refuse a folder of the other kind; mark an empty one that is to hold a demonstration.

    Args:
        folder: the data folder; made if it is to hold a demonstration and is not there.
        demo: whether this start is a demonstration (CHRONOMEMORY_DEMO).
        database_url: the configured databases; a demonstration takes none.

    Raises:
        Misconfigured: real data and a demonstration would meet; nothing was written.
    """
    if not demo:
        if is_demo(folder):
            msg = (
                f"{folder} holds demonstration data ({MARKER} in it says so), and this start is not one. Name another "
                "folder in CHRONOMEMORY_DATA; CHRONOMEMORY_DEMO=true shows the demonstration again."
            )
            raise Misconfigured(msg)
        return
    if database_url:
        msg = (
            "A demonstration keeps its data in a folder of its own and takes no database: it could hold real data. "
            "Take DATABASE_URL and LEDGER_URL away, or CHRONOMEMORY_DEMO."
        )
        raise Misconfigured(msg)
    if is_demo(folder):
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        msg = (
            f"{folder} is not empty and holds no demonstration: made-up data must not come near it. Name a new, empty "
            "folder for the demonstration, or take CHRONOMEMORY_DEMO away."
        )
        raise Misconfigured(msg)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARKER).write_text(_SAYS, encoding="utf-8")
