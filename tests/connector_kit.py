"""What tests of the connectors do: write a file, open it, read its entries."""

from __future__ import annotations

import zipfile
from datetime import UTC, datetime
from pathlib import Path

from core.connectors import FileConnectors
from core.ports import BrokenItem, ImportLimits, Item, Window

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
WINDOW = Window(now=NOW, past_days=400, future_days=60)


def opened(path: Path, kind: str | None = None, *, name: str = "", limits: ImportLimits | None = None):
    return FileConnectors(limits=limits or ImportLimits()).open(path, format=kind, name=name, window=WINDOW)


def entries(path: Path, kind: str | None = None, **rest):
    return list(opened(path, kind, **rest).entries())


def items(path: Path, kind: str | None = None, **rest) -> list[Item]:
    found = entries(path, kind, **rest)
    assert all(isinstance(one, Item) for one in found), found
    return found


def sorted_out(path: Path, kind: str | None = None, **rest) -> tuple[list[Item], list[BrokenItem]]:
    found = entries(path, kind, **rest)
    return [one for one in found if isinstance(one, Item)], [one for one in found if isinstance(one, BrokenItem)]


def write(path: Path, text: str | bytes, encoding: str = "utf-8") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return path


def zipped(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path
