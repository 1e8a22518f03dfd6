"""Recompute every vector after the embedding model was changed: `python -m core.entrypoints.reembed`.

Stop the console and the workers first; they refuse a store whose vectors are another model's.
"""

from __future__ import annotations

import logging
import sys

from core.bootstrap import reembed_store
from core.errors import ChronoMemoryError
from core.settings import Settings

log = logging.getLogger("chronomemory.reembed")


def main() -> int:
    """Run it; the exit status is 0 when every vector is the new model's."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        count = reembed_store(Settings())
    except ChronoMemoryError as problem:
        log.error("%s", problem)  # noqa: TRY400 - the message says what to do; a trace would hide it
        return 1
    log.info("%d vectors recomputed", count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
