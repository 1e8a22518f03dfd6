"""Serve a copy of the console with stub pages and a fake layer, in a process of its own.

Usage: python serve_fake.py SITE PORT [empty]. SITE holds app.py, console/, pages/ and .streamlit/.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

site, port = Path(sys.argv[1]), int(sys.argv[2])
os.chdir(site)
sys.path[:0] = [str(site), str(Path(__file__).resolve().parents[2])]

import uvicorn  # noqa: E402

from tests.console.fake_layer import FakeLayer, SwitchedPeople, install  # noqa: E402

layer = FakeLayer()
layer.store = SwitchedPeople(site / "down")
layer.accounts._people = layer.store
if "empty" not in sys.argv:
    layer.with_people()
install(layer)

import app as served  # noqa: E402

uvicorn.run(served.app, host="127.0.0.1", port=port, access_log=False, ws="websockets-sansio", log_level="warning")
