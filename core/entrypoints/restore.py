"""Restore the ledger from a snapshot: `python -m core.entrypoints.restore SNAPSHOT`.

For an installation whose ledger is gone: a ledger that is there is never overwritten. Put the secret belonging to the
snapshot back first, and empty the store if it knows more than the snapshot.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from core.bootstrap import restore_ledger
from core.errors import ChronoMemoryError
from core.settings import Settings

log = logging.getLogger("chronomemory.restore")


def main(arguments: Sequence[str]) -> int:
    """Run it; the exit status is 0 when the ledger is in its place and its chain verifies."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if len(arguments) != 1:
        log.error("usage: python -m core.entrypoints.restore SNAPSHOT")
        return 2
    try:
        seq, head = restore_ledger(Settings(), Path(arguments[0]))
    except ChronoMemoryError as problem:
        log.error("%s", problem)  # noqa: TRY400 - the message says what to do; a trace would hide it
        return 1
    log.info("restored up to entry %d, %s; an empty store is made anew at the next start", seq, head)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
