"""`chronomemory store partition` and `store distribute`: where the rows of very many owners lie."""

from __future__ import annotations

from typing import Annotated

import typer

from core.entrypoints.cli.frame import AsJson, Yes, asked
from core.entrypoints.cli.screen import Screen
from core.settings import Settings

PARTS = 16

store = typer.Typer(help="Where the rows of very many owners lie.", no_args_is_help=True)


@store.command("partition")
def partition(
    *,
    parts: Annotated[int, typer.Option("--parts", metavar="N", help="2 to 256; it cannot be changed later.")] = PARTS,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Keep the store in N partitions by owner, on the server it is on. Stop consoles and workers first.

    Whoever can read DATABASE_URL may do this. All of it is done, or nothing.
    """
    from core.wiring_store import partition_store, store_size  # noqa: PLC0415 - heavy

    screen, settings = Screen(as_json=as_json), Settings()
    megabytes = store_size(settings) // 1_000_000 + 1
    asked(
        f"Copy {megabytes:,} MB into {parts} partitions? It needs twice as much free disk: copies and write-ahead log.",
        yes=yes,
    )
    screen.note("Copying, indexing and comparing …")
    done = partition_store(settings, parts)
    screen.data({"parts": done.parts, "changed": done.changed, "rows": done.rows})
    if not done.changed:
        screen.say(f"The store is in {done.parts} partitions already. Nothing was changed.")
        return
    screen.say(f"The store is in {done.parts} partitions by owner; every row was found again:")
    for table, rows in done.rows.items():
        screen.say(f"  {table} {rows:,}")


@store.command("distribute")
def distribute(*, yes: Yes = False, as_json: AsJson = False) -> None:
    """Let the extension Citus spread the store over servers by owner. Stop consoles and workers first.

    Whoever can read DATABASE_URL may do this. It ends with a write and a search, and undoes everything if they fail.
    """
    from core.wiring_store import distribute_store  # noqa: PLC0415 - heavy

    screen = Screen(as_json=as_json)
    asked("Let Citus distribute the store by owner?", yes=yes)
    screen.note("Distributing and trying …")
    done = distribute_store(Settings())
    screen.data({"citus": done.citus, "tables": list(done.tables)})
    if not done.tables:
        screen.say(f"Citus {done.citus} has distributed the store already. Nothing was changed.")
        return
    screen.say(f"Citus {done.citus} has distributed by owner: {', '.join(done.tables)}.")


__all__ = ["store"]
