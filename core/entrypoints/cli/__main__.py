"""`python -m core.entrypoints.cli` is `chronomemory`."""

from __future__ import annotations

from core.entrypoints.cli import app

if __name__ == "__main__":
    app(prog_name="chronomemory")
