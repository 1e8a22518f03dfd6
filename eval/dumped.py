"""Everything that lies in a Postgres, as text: where a word that must not be there would be found."""

from __future__ import annotations

import subprocess

from core.store import EmbeddedPostgres


def dump(conninfo: str) -> str:
    """The output of pg_dump.

    Raises:
        RuntimeError: it failed; with what it said.
    """
    done = subprocess.run(
        [str(EmbeddedPostgres.binary("pg_dump")), conninfo], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        msg = f"pg_dump failed: {done.stderr}"
        raise RuntimeError(msg)
    return done.stdout
