"""The hard cases beside the repository, counted: how many of each file hold, and which are explained instead.

    python -m eval.hard_cases --cases FOLDER_OR_FILE [--out FILE]

Each case is a test (`tests/cases`); this runs them and writes down what became of them.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from eval.digests import ROOT
from eval.results import Row, measured, share, told, write

FILES = {"memory": "memory_cases.jsonl", "poisoning": "poisoning_cases.jsonl"}
WHAT = {"memory": "cases from public threads of memory systems", "poisoning": "adversarial stories"}
_NAMED = re.compile(r"(?m)^(?P<id>\S+)\s+(?P<outcome>failed|explained)\s")
_TOTAL = re.compile(r"(?m)^(?P<count>\d+) cases: ")


def ids(folder: Path) -> dict[str, list[str]]:
    """The cases of each file."""
    return {
        kind: [json.loads(line)["id"] for line in (folder / name).read_text(encoding="utf-8").splitlines() if line]
        for kind, name in FILES.items()
    }


def outcomes(printed: str) -> tuple[dict[str, str], int]:
    """What the tests' table names, by case, and how many cases it counts.

    Raises:
        ValueError: there is no table in it.
    """
    total = _TOTAL.search(printed)
    if total is None:
        msg = f"the tests of the cases printed no table:\n{printed[-2000:]}"
        raise ValueError(msg)
    return {one["id"]: one["outcome"] for one in _NAMED.finditer(printed)}, int(total["count"])


def figures(cases: Mapping[str, Sequence[str]], found: Mapping[str, str]) -> list[Row]:
    """Of each file: how many hold, and how many are explained."""
    rows: list[Row] = []
    for kind, of in cases.items():
        failed = sum(found.get(one) == "failed" for one in of)
        explained = sum(found.get(one) == "explained" for one in of)
        rows.append(share(f"{WHAT[kind]} that hold", len(of) - failed - explained, len(of)))
        rows.append(Row(claim=f"{WHAT[kind]}: explained", figure=explained, n=len(of)))
        rows.append(Row(claim=f"{WHAT[kind]}: failed", figure=failed, n=len(of), aim="0", met=failed == 0))
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests of the cases; exit status 0 if none failed."""
    parser = argparse.ArgumentParser(prog="python -m eval.hard_cases", description=__doc__)
    parser.add_argument("--cases", type=Path, required=True, help="the folder of both files, or a file in it")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    given = parser.parse_args(arguments)
    folder = (given.cases if given.cases.is_dir() else given.cases.parent).resolve()
    command = ["env", f"CHRONOMEMORY_CASES={folder}", sys.executable, "-m", "pytest", "-q", "--tb=no", "tests/cases"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(done.stdout)
    found, count = outcomes(done.stdout)
    cases = ids(folder)
    if count != sum(len(of) for of in cases.values()):
        print(f"{count} cases were run of {sum(len(of) for of in cases.values())}", file=sys.stderr)
        return 1
    if given.out:
        write(measured("hard-cases", told("eval.hard_cases", arguments), figures(cases, found)), given.out)
    return int("failed" in found.values())


if __name__ == "__main__":
    sys.exit(main())
