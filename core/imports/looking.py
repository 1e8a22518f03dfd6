"""Opening a source and saying what taking it in would do. Each call authorises its actor itself."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO

from core.accounts import Accounts
from core.errors import BadInput, TooLarge
from core.imports.settling import Settler
from core.imports.taking import Taker, batches, state_of
from core.imports.uploads import Uploads
from core.imports.values import ClassCount, ItemPreview, Preview, Problem, Upload
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
    Item,
    Outcome,
    Source,
    Window,
)

SAMPLE, PROBLEMS = 20, 200  # items and broken entries that a preview shows
SAMPLE_CHARS = 400
TITLE_CHARS = 200
NAME_CHARS = 120
_COPY = re.compile(r"(?: \(\d+\)| copy(?: \d+)?)$")


@dataclass(kw_only=True, slots=True)
class Reading:
    """Where the worker is in a file: kept between its steps, found again by counting after a restart."""

    source: Source
    entries: Iterator[Entry]


@dataclass(frozen=True, kw_only=True, slots=True)
class Looking:
    """Sources before they are taken in. Looking writes nothing but the file that was handed over."""

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
    elsewhere: timedelta  # a file that is not here may be on another host for so long
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


def called(filename: str) -> str:
    """What a source is called after the file that was handed over: a second download of it has the same name."""
    stem = Path(filename.replace("\\", "/").rsplit("/", 1)[-1]).stem
    return _COPY.sub("", stem).strip()[:NAME_CHARS]


__all__ = ["Looking", "Reading", "called"]
