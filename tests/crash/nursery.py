"""A process that has imported everything and forks one child an order: a fresh process in milliseconds, not seconds.

Orders and answers are one JSON object a line. It starts no thread of its own, so that a fork copies a process at rest.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

from tests.crash import scenario


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(_born(order)), flush=True)


def _born(order: dict[str, Any]) -> dict[str, Any]:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _live(order, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        said = pipe.read().splitlines()
    _pid, status = os.waitpid(pid, 0)
    return {"said": said, "code": os.waitstatus_to_exitcode(status)}


def _live(order: dict[str, Any], writing: int) -> None:
    os.dup2(writing, 1)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    os.environ.update(order["environment"])
    try:
        getattr(scenario, order["act"])(**order["given"])
    except BaseException:  # noqa: BLE001 - the child's outermost edge: whatever it was, the test must see it
        traceback.print_exc(file=sys.stdout)
        sys.stdout.flush()
        os._exit(1)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
