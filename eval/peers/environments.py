"""Make the peers' virtual environments: `python -m eval.peers.environments [--peers mem0,langgraph] [--guards]`.

They lie in PEERS_VENVS (default `.peers`), one a peer; each gets the build of torch that the project's constraints name
first, so that no CUDA build comes along. An environment that is complete is left as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from eval.peers.roster import ENTRIES, GUARD_PACKAGES, VENVS

CONSTRAINTS = Path(__file__).resolve().parents[2] / "constraints.txt"


def pinned(package: str, constraints: str) -> str:
    """A package at the version that the constraints name: "torch==2.13.0"."""
    found = re.search(rf"^{re.escape(package)}==\S+$", constraints, re.MULTILINE)
    return found.group() if found else package


def wanted(peers: Sequence[str], *, guards: bool) -> dict[str, tuple[str, ...]]:
    """Packages by environment; peers that share one are named once."""
    made = {ENTRIES[name].venv: ENTRIES[name].packages for name in peers}
    return made | ({"guards": GUARD_PACKAGES} if guards else {})


def make(name: str, packages: Sequence[str]) -> bool:
    """Make one environment unless it stands; False if its packages could not be installed."""
    folder = VENVS / name
    stamp = folder / ".installed"
    mark = hashlib.sha256(repr(packages).encode()).hexdigest()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == mark:
        return True
    print(f"{folder}: {', '.join(packages)}", flush=True)
    if not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    torch = [[pinned("torch", CONSTRAINTS.read_text(encoding="utf-8"))]] if "sentence-transformers" in packages else []
    for step in (*torch, packages):
        if subprocess.run([*pip, *step], check=False).returncode:
            print(f"{folder}: not installed; the peer is reported as missing", file=sys.stderr)
            return False
    stamp.write_text(mark, encoding="utf-8")
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Make what was asked for; exit status 1 if nothing of it stands."""
    parser = argparse.ArgumentParser(prog="python -m eval.peers.environments", description=__doc__)
    parser.add_argument("--peers", default=",".join(ENTRIES), help="which peers, by comma; empty: none")
    parser.add_argument("--guards", action="store_true", help="the environment of the memory guards too")
    given = parser.parse_args(arguments)
    names = [one for one in given.peers.split(",") if one]
    unknown = [one for one in names if one not in ENTRIES]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}; known: {', '.join(ENTRIES)}")
    done = [make(name, packages) for name, packages in wanted(names, guards=given.guards).items()]
    return 0 if any(done) or not done else 1


if __name__ == "__main__":
    sys.exit(main())
