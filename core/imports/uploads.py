"""Files that a person handed over in the console, kept until the worker has taken them in."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from core.errors import BadInput, NotFound
from core.imports.values import Upload
from core.model import Actor
from core.ports import Ids

KEPT_FOR = timedelta(days=1)  # a file that was looked at and never taken in
_SUFFIX = re.compile(r"\.[a-z0-9]{1,10}")
_NAME = re.compile(r"[\w-]+\.[\w-]+(?:\.[a-z0-9]{1,10})?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Uploads:
    """A folder that only the installation's user can read. A file's name is "<owner>.<id>.<ending>", nobody's words."""

    folder: Path
    ids: Ids

    def keep(self, actor: Actor, filename: str, stream: BinaryIO) -> Upload:
        """Write a file down; durable once this returns.

        Raises:
            BadInput: the disk is full or the folder cannot be written; nothing is kept.
        """
        suffix = PurePosixPath(filename.replace("\\", "/")).suffix.lower()
        upload_id = f"{actor.user_id}.{self.ids.new()}{suffix if _SUFFIX.fullmatch(suffix) else ''}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self.folder / upload_id
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                shutil.copyfileobj(stream, file, 1_000_000)
                file.flush()
                os.fsync(file.fileno())
        except OSError as problem:
            (self.folder / upload_id).unlink(missing_ok=True)
            msg = f"the file could not be kept ({problem.strerror}): free space in the data folder, or ask its operator"
            raise BadInput(msg) from problem
        return Upload(upload_id=upload_id, filename=filename, size=path.stat().st_size)

    def path(self, actor: Actor, upload_id: str) -> Path:
        """Where the actor's file lies.

        Raises:
            NotFound: there is none by that name, or it is another's.
        """
        path = self.folder / upload_id
        own = _NAME.fullmatch(upload_id) and upload_id.startswith(f"{actor.user_id}.")
        if not own or not path.is_file():
            msg = "The file is not there any more: choose it again."
            raise NotFound(msg)
        return path

    def of_run(self, upload_id: str) -> Path:
        """Where a run's file lies, whoever's it is: for the worker, which reads the name from the ledger."""
        return self.folder / upload_id

    def discard(self, upload_id: str) -> None:
        """Delete a file; one that is gone already is fine."""
        if _NAME.fullmatch(upload_id):
            (self.folder / upload_id).unlink(missing_ok=True)

    def sweep(self, *, needed: set[str], exists: Callable[[str], bool], now: datetime) -> int:
        """Delete what no import needs: after a day, and at once where its owner's account is gone; how many it were.

        Args:
            needed: names of files that unfinished imports read.
            exists: whether there is an account by an id.
            now: the time.
        """
        gone = 0
        for path in sorted(self.folder.glob("*")) if self.folder.is_dir() else ():
            owner = path.name.partition(".")[0]
            age = now - datetime.fromtimestamp(path.stat().st_mtime, UTC)
            if not exists(owner) or (path.name not in needed and age > KEPT_FOR):
                path.unlink(missing_ok=True)
                gone += 1
        return gone


__all__ = ["Uploads"]
