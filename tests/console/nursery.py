"""A process that has imported what the console imports, and forks one console an order: two seconds instead of ten.

What is run is `app.py` as `__main__`, as `python app.py` does. Orders and answers are one JSON object a line. The process
starts no thread and runs no model, so that a fork copies a process at rest.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import sys
import threading
from typing import Any

IMPORTED = (
    "torch",
    "sentence_transformers.sentence_transformer.model",
    "transformers.models.bert.modeling_bert",
    "plotly.graph_objects",
    "pandas",
    "streamlit.web.server.starlette.starlette_app",
    "console.gate",
    "console.startup",
    "core.bootstrap",
)


def main() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    assert threading.active_count() == 1, threading.enumerate()
    gc.freeze()
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            _, status = os.waitpid(order["wait"], 0)
            answer = {"code": os.waitstatus_to_exitcode(status)}
        else:
            pid = os.fork()
            if pid == 0:
                _live(order)
                return
            answer = {"pid": pid}
        print(json.dumps(answer), flush=True)


def _live(order: dict[str, Any]) -> None:
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.environ.update(order["environment"])
    sys.argv = ["app.py"]
    runpy.run_path("app.py", run_name="__main__")


if __name__ == "__main__":
    main()
