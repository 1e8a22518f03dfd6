"""Imports in memory, for tests of the pages: the real connectors, and runs that end when the test says so."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.connectors import FileConnectors
from core.errors import NotFound
from core.imports import ClassCount, ItemPreview, Preview, Problem, Upload
from core.model import Actor
from core.ports import BrokenItem, ImportResult, ImportRun, ImportState, Outcome, Window
from tests.console.desk_base import NOW

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskImports:
    upload_megabytes = 200

    def __init__(self, desk: Desk) -> None:
        self.desk, self.folder = desk, Path(tempfile.mkdtemp())
        self.kept: dict[str, Path] = {}
        self.known: list[ImportRun] = []
        self.rows: list[ImportResult] = []

    def formats(self) -> Any:
        return FileConnectors().formats

    def keep(self, actor: Actor, filename: str, stream: Any) -> Upload:
        path = self.folder / f"{len(self.kept)}{Path(filename).suffix}"
        path.write_bytes(stream.read())
        self.kept[path.name] = path
        self.desk.calls.append(("keep", filename))
        return Upload(upload_id=path.name, filename=filename, size=path.stat().st_size)

    def discard(self, actor: Actor, upload: Upload) -> None:
        self.desk.calls.append(("discard", upload.filename))

    def open_upload(self, actor: Actor, upload: Upload, *, format: Any = None, name: str = "") -> Any:  # noqa: A002
        if upload.upload_id not in self.kept:
            msg = "gone"
            raise NotFound(msg)
        window = Window(now=NOW, past_days=100, future_days=100)
        called = name or Path(upload.filename).stem
        return FileConnectors().open(self.kept[upload.upload_id], format=format, name=called, window=window)

    def preview(self, actor: Actor, source: Any, *, progress: Any = None) -> Preview:
        sample, problems, classes = [], [], Counter()
        for one in source.entries():
            if isinstance(one, BrokenItem):
                problems.append(Problem(place=self.desk.w(one.place), reason=self.desk.w(one.reason)))
                continue
            kind = self.desk.policy.connectors.class_of(one.part_class)
            classes[one.part_class] += 1
            sample.append(
                ItemPreview(
                    place=self.desk.w(one.place),
                    title=self.desk.w(one.title),
                    text=self.desk.w(one.text),
                    dated_at=one.dated_at,
                    author=self.desk.w(one.actor or "Tove"),
                    source_kind=kind,
                    trust=self.desk.policy.preview_trust(kind),
                    state=Outcome.NEW,
                )
            )
            if progress:
                progress(len(sample))
        rules = self.desk.policy
        return Preview(
            source=self.desk.w(source.name),
            format=source.format,
            new=len(sample),
            changed=0,
            unchanged=0,
            broken=len(problems),
            by_class={
                name: ClassCount(
                    source_kind=rules.connectors.class_of(name),
                    trust=rules.preview_trust(rules.connectors.class_of(name)),
                    held=rules.preview_trust(rules.connectors.class_of(name)) < rules.trust.threshold,
                    count=count,
                )
                for name, count in classes.items()
            },
            sample=sample,
            problems=problems,
        )

    def begin(self, actor: Actor, upload: Upload, *, format: Any = None, name: str = "", total: int = 0) -> ImportRun:  # noqa: A002
        self.desk.calls.append(("begin", upload.filename, total))
        return self.going(total=total)

    def going(self, *, total: int = 3, done: int = 1) -> ImportRun:
        run = ImportRun(
            run_id="r-1",
            scope=self.desk.scope,
            format="csv",
            name=self.desk.w("facts"),
            state=ImportState.RUNNING,
            started_at=NOW,
            updated_at=NOW,
            counts={Outcome.NEW: done},
            total=total,
            upload="0.csv",
        )
        self.known = [run]
        return run

    def finish(self) -> None:
        w = self.desk.w
        self.rows = [
            ImportResult(number=1, outcome=Outcome.NEW, place=w("line 2"), title=w("=1+1")),
            ImportResult(number=2, outcome=Outcome.BROKEN, place=w("line 3"), reason=w("the column date: no date")),
        ]
        counts = {Outcome.NEW: 1, Outcome.BROKEN: 1}
        self.known = [replace(one, state=ImportState.DONE, counts=counts) for one in self.known]

    def runs(self, actor: Actor, *, limit: int = 10) -> list[ImportRun]:
        return self.known[:limit]

    def stop(self, actor: Actor, run_id: str) -> ImportRun:
        self.desk.calls.append(("stop", run_id))
        self.known = [replace(one, state=ImportState.STOPPED) for one in self.known]
        return self.known[0]

    def results(self, actor: Actor, run_id: str, *, only: Any = None, limit: int = 100, offset: int = 0) -> Any:
        found = [one for one in self.rows if only in (None, one.outcome)]
        return found[offset : offset + limit], len(found)
