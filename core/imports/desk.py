"""The import desk: what a source holds, taking it in, how far that is. Each call authorises its actor itself."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from core.accounts import Accounts
from core.errors import BadInput, NotFound, TooLarge
from core.imports.settling import Settler
from core.imports.taking import BATCH, Taker, batches, state_of
from core.imports.uploads import Uploads
from core.imports.values import ClassCount, ItemPreview, Preview, Problem, Progress, Upload, progress_of
from core.model import Actor, SourceKind
from core.policy import Policy
from core.ports import (
    BrokenItem,
    Clock,
    Connectors,
    Entry,
    Format,
    Ids,
    ImportLedger,
    ImportResult,
    ImportRun,
    ImportState,
    Item,
    Outcome,
    Source,
    Window,
)

SAMPLE, PROBLEMS = 20, 200  # items and broken entries that a preview shows
SAMPLE_CHARS = 400
PLACE_CHARS, TITLE_CHARS, REASON_CHARS = 300, 200, 500
SWEEP_EVERY = timedelta(minutes=1)


@dataclass(kw_only=True, slots=True)
class Reading:
    """Where the worker is in a file: kept between its steps, found again by counting after a restart."""

    source: Source
    entries: Iterator[Entry]


@dataclass(frozen=True, kw_only=True, slots=True)
class Imports:
    """Imports of the signed-in person into their own memory; nobody imports into another's."""

    accounts: Accounts
    ledger: ImportLedger
    connectors: Connectors
    taker: Taker
    settler: Settler
    uploads: Uploads
    policy: Policy
    clock: Clock
    ids: Ids
    max_entries: int
    upload_megabytes: int  # of one file that is handed over on the page
    wake: threading.Event = field(default_factory=threading.Event)
    _reading: dict[str, Reading] = field(default_factory=dict)
    _swept: dict[str, datetime] = field(default_factory=dict)  # under "at"
    _lock: threading.Lock = field(default_factory=threading.Lock)

    # --- opening ------------------------------------------------------------------------------------------------

    def formats(self) -> Sequence[Format]:
        """Everything that can be imported."""
        return self.connectors.formats

    def open(self, path: Path, *, format: str | None = None, name: str = "") -> Source:  # noqa: A002 - its name
        """Recognise a file or folder on this machine; reads its beginning only.

        Args:
            path: where it lies.
            format: one of the formats' keys; None: recognised.
            name: what the source is called; "": as the file. Notes and rows are known again by it.

        Raises:
            BadInput, TooLarge: it cannot be imported; the message says what can.
        """
        rules = self.policy.connectors
        window = Window(now=self.clock.now(), past_days=rules.ics_past_days, future_days=rules.ics_future_days)
        return self.connectors.open(path, format=format, name=name, window=window)

    def keep(self, actor: Actor, filename: str, stream: BinaryIO) -> Upload:
        """Keep a file that was handed over, for a preview and for the worker.

        Raises:
            NotAuthorised: the actor is signed out.
            BadInput: it could not be written.
        """
        self.accounts.authorise(actor)
        return self.uploads.keep(actor, filename, stream)

    def open_upload(self, actor: Actor, upload: Upload, *, format: str | None = None, name: str = "") -> Source:  # noqa: A002
        """Recognise a file that was kept; `name` "": as the file that was handed over.

        Raises:
            NotFound: it is another's, or not there any more.
            BadInput, TooLarge: as `open`.
        """
        self.accounts.authorise(actor)
        path = self.uploads.path(actor, upload.upload_id)
        return self.open(path, format=format, name=name or called(upload.filename))

    def discard(self, actor: Actor, upload: Upload) -> None:
        """Delete a file that was kept and is not being taken in."""
        self.accounts.authorise(actor)
        if upload.upload_id not in self.ledger.kept_uploads():
            self.uploads.discard(self.uploads.path(actor, upload.upload_id).name)

    # --- before -------------------------------------------------------------------------------------------------

    def preview(self, actor: Actor, source: Source, *, progress: Callable[[int], None] | None = None) -> Preview:
        """What taking this source in would do, entry by entry; writes nothing.

        Args:
            actor: whose memory it would go into.
            source: what was opened.
            progress: called with the entries seen so far, now and then.

        Raises:
            NotAuthorised: the actor is signed out.
            BadInput, TooLarge: nothing of it can be read.
        """
        self.accounts.authorise(actor)
        counts: Counter[Outcome] = Counter()
        classes: Counter[str] = Counter()
        seen: dict[str, str] = {}  # ids of this very file, so that a repetition in it is none of its own
        sample: list[ItemPreview] = []
        problems: list[Problem] = []
        for batch in batches(self._entries(source)):
            known = self.taker.known(actor.scope, source, batch)
            for one in batch:
                if isinstance(one, BrokenItem):
                    counts[Outcome.BROKEN] += 1
                    if len(problems) < PROBLEMS:
                        problems.append(Problem(place=one.place, reason=one.reason))
                    continue
                before = seen.get(one.item_id)
                state = state_of(one, known.get(one.item_id))
                if before is not None:
                    state = Outcome.UNCHANGED if before == one.digest else Outcome.CHANGED
                seen[one.item_id] = one.digest
                counts[state] += 1
                classes[one.part_class] += 1
                if len(sample) < SAMPLE:
                    sample.append(self._item(one, state))
            if progress is not None:
                progress(sum(counts.values()))
        return Preview(
            source=source.name,
            format=source.format,
            new=counts[Outcome.NEW],
            changed=counts[Outcome.CHANGED],
            unchanged=counts[Outcome.UNCHANGED],
            broken=counts[Outcome.BROKEN],
            by_class={name: self._class(name, count) for name, count in classes.items()},
            sample=tuple(sample),
            problems=tuple(problems),
        )

    def _entries(self, source: Source) -> Iterator[Entry]:
        """A source's entries up to the limit; what ends it early is its last, broken entry.

        Raises:
            BadInput, TooLarge: before the first entry.
        """
        count = 0
        try:
            for one in source.entries():
                if count >= self.max_entries:
                    reason = f"there are more than {self.max_entries:,} entries, the limit: import the rest apart"
                    yield BrokenItem(place="the rest of the file", reason=reason)
                    return
                count += 1
                yield one
        except (BadInput, TooLarge) as problem:
            if not count:
                raise
            yield BrokenItem(place="the rest of the file", reason=str(problem))

    def _class(self, part: str, count: int) -> ClassCount:
        kind = self.policy.connectors.class_of(part)
        trust = self._trust(kind)
        return ClassCount(source_kind=kind, trust=trust, held=trust < self.policy.trust.threshold, count=count)

    def _trust(self, kind: SourceKind) -> float:
        """What a class is worth here: an answer whose inputs nobody can look at is worth nothing by itself (§1.4)."""
        return 0.0 if kind is SourceKind.AGENT_TURN else self.policy.preview_trust(kind)

    def _item(self, item: Item, state: Outcome) -> ItemPreview:
        kind = self.policy.connectors.class_of(item.part_class)
        return ItemPreview(
            place=item.place,
            title=item.title[:TITLE_CHARS],
            text=item.text[:SAMPLE_CHARS],
            dated_at=item.dated_at,
            author=item.actor[:TITLE_CHARS],
            source_kind=kind,
            trust=self._trust(kind),
            state=state,
        )

    # --- taking in ----------------------------------------------------------------------------------------------

    def run(
        self, actor: Actor, source: Source, *, progress: Callable[[Progress], None] | None = None, total: int = 0
    ) -> Progress:
        """Take everything in, in this thread. After a kill, call it again: nothing is doubled, nothing lost.

        Args:
            actor: whose memory it goes into.
            source: what was opened.
            progress: called after each batch.
            total: entries, if a preview counted them.

        Returns:
            What became of them; `results` has each one.

        Raises:
            NotAuthorised: the actor is signed out.
            BadInput, TooLarge: nothing of it can be read.
            LedgerUnavailable: what was taken in so far stands; call again.
        """
        self.accounts.authorise(actor)
        run = self._begun(actor, source, total=total, upload="", state=ImportState.RUNNING)
        try:
            for batch in batches(self._entries(source)):
                run = self._take(run, source, batch)
                if progress is not None:
                    progress(progress_of(run))
                if run.state is not ImportState.RUNNING:
                    return progress_of(run)
        except (BadInput, TooLarge) as problem:
            self._ended(run, ImportState.FAILED, str(problem))
            raise
        return progress_of(self._ended(run, ImportState.DONE))

    def begin(
        self,
        actor: Actor,
        upload: Upload,
        *,
        format: str | None = None,  # noqa: A002 - as `open`
        name: str = "",
        total: int = 0,
    ) -> ImportRun:
        """Put a kept file before the worker; it is taken in even if the person leaves. Twice the same file is once.

        Raises:
            NotFound: it is another's, or not there any more.
            BadInput, TooLarge: as `open`.
        """
        source = self.open_upload(actor, upload, format=format, name=name)
        for one in self.ledger.import_runs(actor.scope, limit=BATCH):
            if one.upload == upload.upload_id:
                return one
        run = self._begun(actor, source, total=total, upload=upload.upload_id, state=ImportState.WAITING)
        self.wake.set()
        return run

    def stop(self, actor: Actor, run_id: str) -> ImportRun:
        """End an import early; what was taken in stays.

        Raises:
            NotFound: the actor has no import by that id.
        """
        run = self.progress(actor, run_id)
        if run.state not in (ImportState.WAITING, ImportState.RUNNING):
            return run
        with self._lock:
            return self._ended(self._current(run), ImportState.STOPPED)

    # --- after --------------------------------------------------------------------------------------------------

    def progress(self, actor: Actor, run_id: str) -> ImportRun:
        """How far an import is.

        Raises:
            NotFound: the actor has no import by that id.
        """
        self.accounts.authorise(actor)
        run = self.ledger.import_run(actor.scope, run_id)
        if run is None:
            msg = "There is no such import."
            raise NotFound(msg)
        return run

    def runs(self, actor: Actor, *, limit: int = 10) -> list[ImportRun]:
        """The actor's imports, newest first."""
        self.accounts.authorise(actor)
        return self.ledger.import_runs(actor.scope, limit=limit)

    def results(
        self, actor: Actor, run_id: str, *, only: Outcome | None = None, limit: int = 100, offset: int = 0
    ) -> tuple[list[ImportResult], int]:
        """One page of what became of each entry, in the order of the source, and the true total."""
        self.accounts.authorise(actor)
        return self.ledger.import_results(actor.scope, run_id, only=only, limit=limit, offset=offset)

    # --- the worker ---------------------------------------------------------------------------------------------

    def run_once(self) -> bool:
        """One step: see to an earlier version, or take one batch of a waiting file in; False if nothing was to do.

        Raises:
            StoreUnavailable, LedgerUnavailable: wait and call again; nothing is lost.
        """
        if self.settler.run_once():
            return True
        with self._lock:
            for run in self.ledger.open_imports(limit=1):
                self._step(run)
                return True
            self._sweep()
        return False

    def _step(self, run: ImportRun) -> None:
        if not self.accounts.is_open(run.scope.tenant, run.scope.owner):
            self._ended(run, ImportState.STOPPED, "the account was closed")
            return
        try:
            reading = self._reading.get(run.run_id) or self._reopened(run)
            batch = list(islice(reading.entries, BATCH))
        except (BadInput, TooLarge, NotFound, OSError) as problem:
            self._ended(run, ImportState.FAILED, str(problem))
            return
        if not batch:
            self._ended(run, ImportState.DONE)
            return
        try:
            self._take(replace(run, state=ImportState.RUNNING), reading.source, batch)
        except BaseException:  # the batch is not recorded: the next step must read it again
            self._reading.pop(run.run_id, None)
            raise

    def _reopened(self, run: ImportRun) -> Reading:
        """The run's file at the place where the last batch ended: what was recorded is read past, not taken again."""
        source = self.open(self.uploads.of_run(run.upload), format=run.format, name=run.name)
        entries = self._entries(source)
        for _ in islice(entries, run.done):
            pass
        made = Reading(source=source, entries=entries)
        self._reading[run.run_id] = made
        return made

    def _sweep(self) -> None:
        now, last = self.clock.now(), self._swept.get("at")
        if last is not None and now - last < SWEEP_EVERY:
            return
        self._swept["at"] = now
        needed = self.ledger.kept_uploads()
        self.uploads.sweep(needed=needed, exists=lambda one: self.accounts.name_of(one) is not None, now=now)

    # --- the ledger ---------------------------------------------------------------------------------------------

    def _begun(self, actor: Actor, source: Source, *, total: int, upload: str, state: ImportState) -> ImportRun:
        at = self.clock.now()
        run = ImportRun(
            run_id=self.ids.new(),
            scope=actor.scope,
            format=source.format.key,
            name=source.name[:TITLE_CHARS],
            state=state,
            started_at=at,
            updated_at=at,
            total=total,
            upload=upload,
        )
        cut_off = [one for one in self.ledger.import_runs(actor.scope, limit=BATCH) if not upload and _same(one, run)]
        with self.ledger.transaction() as tx:
            for one in cut_off:  # whoever ran it is gone, or is stopped by this
                tx.put_import(replace(one, state=ImportState.STOPPED, updated_at=at, problem="taken up again later"))
            tx.put_import(run)
            tx.append_audit(
                at=at,
                actor=actor.user_id,
                action="import:started",
                tenant=actor.tenant,
                owner=actor.user_id,
                about={
                    "run_id": run.run_id,
                    "format": run.format,
                    "source": tx.keyed_digest(actor.tenant, actor.user_id, run.name),
                },
            )
        return run

    def _take(self, run: ImportRun, source: Source, batch: Sequence[Entry]) -> ImportRun:
        """Take one batch in and record it; a run that was stopped meanwhile stays so, with what was taken."""
        taken = self.taker.take(run.scope, source, batch, first=run.done + 1)
        counts = Counter(run.counts)
        counts.update(one.outcome.value for one in taken.results)
        made = replace(run, counts=dict(counts), updated_at=self.clock.now())
        with self.ledger.transaction() as tx:
            now = self.ledger.import_run(run.scope, run.run_id)
            if now is None:  # its owner was erased
                return replace(made, state=ImportState.STOPPED)
            if now.state is ImportState.STOPPED:  # in another process
                self._reading.pop(run.run_id, None)
                made = replace(made, state=ImportState.STOPPED, upload=now.upload)
            tx.put_import(made)
            for known in taken.known:
                tx.put_known_item(known)
            tx.add_import_results(run.run_id, [_fitting(one) for one in taken.results])
        self.wake.set()
        return made

    def _ended(self, run: ImportRun, state: ImportState, problem: str = "") -> ImportRun:
        self._reading.pop(run.run_id, None)
        at = self.clock.now()
        ended = replace(run, state=state, updated_at=at, problem=problem[:REASON_CHARS])
        scope = run.scope
        with self.ledger.transaction() as tx:
            tx.put_import(ended)
            tx.append_audit(
                at=at,
                actor=scope.owner,
                action="import:finished" if state is ImportState.DONE else f"import:{state.value}",
                tenant=scope.tenant,
                owner=scope.owner,
                about={"run_id": run.run_id, **dict(run.counts)},
            )
        if run.upload:
            self.uploads.discard(run.upload)
        return ended

    def _current(self, run: ImportRun) -> ImportRun:
        return self.ledger.import_run(run.scope, run.run_id) or run


def called(filename: str) -> str:
    """What a source is called after the file that was handed over."""
    return Path(filename.replace("\\", "/").rsplit("/", 1)[-1]).stem


def _same(one: ImportRun, run: ImportRun) -> bool:
    """Whether an earlier import of the same source, by a caller and not the worker, never came to its end."""
    return not one.upload and one.state is ImportState.RUNNING and (one.format, one.name) == (run.format, run.name)


def _fitting(one: ImportResult) -> ImportResult:
    """A result as it is kept: an outside file's words bounded."""
    return replace(one, place=one.place[:PLACE_CHARS], title=one.title[:TITLE_CHARS], reason=one.reason[:REASON_CHARS])


__all__ = ["Imports"]
