"""Taking sources in, by the caller or the worker; how far that is, and what became of each entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice

from core.errors import BadInput, NotAuthorised, NotFound, TooLarge
from core.imports.looking import TITLE_CHARS, Looking, Reading
from core.imports.taking import BATCH, batches
from core.imports.values import Progress, Upload, progress_of
from core.model import Actor
from core.ports import (
    Entry,
    ImportResult,
    ImportRun,
    ImportState,
    Outcome,
    Source,
)

PLACE_CHARS, REASON_CHARS = 300, 500
SWEEP_EVERY = timedelta(minutes=1)
SHOWN = 50  # waiting imports among which one is looked for whose file is here


@dataclass(frozen=True, kw_only=True, slots=True)
class Running(Looking):
    """Imports that are begun, go on, and end. Nobody imports into another's memory."""

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
            run = next((one for one in self.ledger.open_imports(limit=SHOWN) if self._is_here(one)), None)
            if run is not None:
                self._step(run)
                return True
            self._sweep()
        return False

    def _is_here(self, run: ImportRun) -> bool:
        """Whether the run's file lies on this host, or so long on none that somebody has to say so."""
        here = self.uploads.of_run(run.upload).is_file()
        return here or self.clock.now() - run.updated_at >= self.elsewhere

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
        except NotAuthorised:  # its owner is being erased: what is left of the run goes with them
            self._reading.pop(run.run_id, None)
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
            if now.done != run.done:  # another worker took this batch in meanwhile; what it submitted is the same
                self._reading.pop(run.run_id, None)
                return now
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


def _same(one: ImportRun, run: ImportRun) -> bool:
    """Whether an earlier import of the same source, by a caller and not the worker, never came to its end."""
    return not one.upload and one.state is ImportState.RUNNING and (one.format, one.name) == (run.format, run.name)


def _fitting(one: ImportResult) -> ImportResult:
    """A result as it is kept: an outside file's words bounded."""
    return replace(one, place=one.place[:PLACE_CHARS], title=one.title[:TITLE_CHARS], reason=one.reason[:REASON_CHARS])


__all__ = ["Running"]
