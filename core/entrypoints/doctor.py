"""Looks at an installation part by part and says what to mend. Reads only; makes and starts nothing."""

from __future__ import annotations

import os
import re
import shutil
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib import metadata, resources
from pathlib import Path

import httpx2

from core.demo_folder import is_demo
from core.entrypoints.cli.ground import ledger_reader, read_secret, witnessed
from core.errors import ChronoMemoryError, StoreUnavailable
from core.ledger.connection import SqliteConnection, known_migrations, named_queries
from core.ledger.dialect import BUSY_SECONDS
from core.ledger.schema import recorded
from core.ledger_pg import PostgresDatabase
from core.llm.client import DEFAULT_BASE_URL
from core.llm.embedder import EndpointEmbedder, PackagedEmbedder, PathEmbedder
from core.lost import PAGE
from core.policy import Policy
from core.ports import Embedder
from core.settings import Settings
from core.sql import pending
from core.store.position import measured
from core.store.survey import Survey, lacking, reached, survey
from core.wiring_ledger import has_ledger, ledger_place

OK, WARN, FAIL = "ok", "warn", "fail"
PACKAGE = "governed-chronomemory"
LEAST_PYTHON = (3, 11)
SCARCE, TOO_LITTLE = 2_000_000_000, 200_000_000  # bytes free
SECONDS = 5.0  # an endpoint may take
SKEW = timedelta(minutes=5)
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One line of the report."""

    part: str
    state: str  # OK, WARN or FAIL
    found: str
    mend: str = ""


@dataclass(kw_only=True, slots=True)
class Doctor:
    """Every check of one installation, in the order in which they rest on each other."""

    settings: Settings
    quick: bool = False  # leave out what loads a model
    _embedder: Embedder | None = field(default=None, init=False)

    def findings(self) -> Iterator[Found]:
        """Each finding as it is made; a check that itself goes wrong is a finding too."""
        checks: list[Callable[[], Found]] = [
            self.python,
            self.packages,
            self.folder,
            self.disk,
            self.secret,
            self.policy,
            self.ledger,
            self.chain,
            self.store,
            self.effects,
            *([self.replicas] if self.settings.read_urls else []),
            self.embedding,
            self.models,
            self.port,
            self.clock,
        ]
        for check in checks:
            part = check.__name__
            try:
                yield check()
            except (ChronoMemoryError, OSError, ValueError) as problem:
                yield Found(part=part, state=FAIL, found=str(problem), mend=getattr(problem, "mend", ""))

    def python(self) -> Found:
        """The interpreter."""
        version = ".".join(map(str, sys.version_info[:3]))
        if sys.version_info[:2] < LEAST_PYTHON:
            return Found(part="python", state=FAIL, found=version, mend="Install Python 3.11 or newer.")
        return Found(part="python", state=OK, found=version)

    def packages(self) -> Found:
        """What the project needs is installed."""
        try:
            needed = [one for one in metadata.requires(PACKAGE) or () if "extra ==" not in one]
        except metadata.PackageNotFoundError:
            mend = "Install it: pip install -c constraints.txt -e ."
            return Found(part="packages", state=WARN, found="run from a folder that was not installed", mend=mend)
        missing = [name for name in map(_name_of, needed) if not _installed(name)]
        if missing:
            mend = f"pip install -c constraints.txt {' '.join(missing)}"
            return Found(part="packages", state=FAIL, found=f"missing: {', '.join(missing)}", mend=mend)
        return Found(part="packages", state=OK, found=f"{len(needed)} there")

    def folder(self) -> Found:
        """The data folder may be read and written."""
        folder = self.settings.chronomemory_data
        if not folder.is_dir():
            mend = "Start the console once, or name the folder in CHRONOMEMORY_DATA."
            return Found(part="folder", state=FAIL, found=f"{folder} is not there", mend=mend)
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            mend = f"Run this as its owner, or give this account the right: chmod u+rwx {folder}"
            return Found(part="folder", state=FAIL, found=f"{folder} may not be written", mend=mend)
        demo = " (made-up data)" if is_demo(folder) else ""
        return Found(part="folder", state=OK, found=f"{folder.resolve()}{demo}")

    def disk(self) -> Found:
        """There is room."""
        free = shutil.disk_usage(_existing(self.settings.chronomemory_data)).free
        state = FAIL if free < TOO_LITTLE else WARN if free < SCARCE else OK
        mend = "" if state == OK else "Free some space: the ledger and Postgres stop when the disk is full."
        return Found(part="disk", state=state, found=f"{free / 1e9:.1f} GB free", mend=mend)

    def secret(self) -> Found:
        """The secret is there, whole and private."""
        read_secret(self.settings)
        mode = stat.S_IMODE(self.settings.secret_path.stat().st_mode)
        if mode & 0o077:
            mend = f"chmod 600 {self.settings.secret_path}; whoever could read it may have forged rows and entries."
            return Found(part="secret", state=FAIL, found=f"others may read it ({mode:o})", mend=mend)
        return Found(part="secret", state=OK, found="32 bytes, private")

    def policy(self) -> Found:
        """The policy file can be read."""
        path = self.settings.chronomemory_policy
        if path is None:
            text = resources.files("core").joinpath("policies/default.toml").read_text(encoding="utf-8")
        else:
            text = path.read_text(encoding="utf-8")
        return Found(
            part="policy", state=OK, found=f"{path or 'packaged default'} {Policy.from_toml(text).digest[:12]}"
        )

    def ledger(self) -> Found:
        """The ledger is whole and of this version's schema."""
        place = ledger_place(self.settings)
        if isinstance(place, PostgresDatabase):
            return self._ledger_database(place)
        path = self.settings.ledger_path
        if not path.exists():
            mend = "Start the console once, or restore a snapshot: chronomemory restore SNAPSHOT"
            return Found(part="ledger", state=FAIL, found=f"{path} is not there", mend=mend)
        connection = SqliteConnection(path, named_queries(), writable=False, busy_seconds=BUSY_SECONDS)
        with closing(connection):
            damage = connection.damage()
            behind = len(pending(known_migrations(), recorded(connection)))
        if damage:
            mend = "Restore a snapshot: chronomemory restore SNAPSHOT"
            return Found(part="ledger", state=FAIL, found=f"damaged: {damage}", mend=mend)
        if behind:
            mend = "Start the console or the worker once; it brings the file up to date."
            return Found(part="ledger", state=WARN, found=f"{behind} migrations behind", mend=mend)
        return Found(part="ledger", state=OK, found=f"{path.stat().st_size / 1e6:.1f} MB, whole")

    def _ledger_database(self, place: PostgresDatabase) -> Found:
        if not place.exists():
            mend = "Start the console once, or carry a file over: chronomemory ledger move"
            return Found(part="ledger", state=FAIL, found=f"there is none at {place.name}", mend=mend)
        place.make()  # refuses the database of trusted memory
        with closing(place.connect(writable=False, busy_seconds=BUSY_SECONDS)) as connection:
            behind = len(pending(place.migrations(), recorded(connection)))
        found = f"{place.name}, {place.size() / 1e6:.1f} MB"
        if behind:
            mend = "Start the console or the worker once; it brings the database up to date."
            return Found(part="ledger", state=WARN, found=f"{found}, {behind} migrations behind", mend=mend)
        if doubts := place.doubts():
            mend = "Give the ledger a role of its own that owns this database and nothing else."
            return Found(part="ledger", state=WARN, found=f"{found}: {'; '.join(doubts)}", mend=mend)
        return Found(part="ledger", state=OK, found=found)

    def chain(self) -> Found:
        """The audit chain verifies, also against what the store witnessed."""
        head, why = witnessed(self.settings)
        with ledger_reader(self.settings) as ledger:
            report = ledger.verify(witnessed=head)
        if not report.ok:
            mend = "Do not write to it. Restore a snapshot that verifies: chronomemory restore SNAPSHOT"
            found = f"broken at entry {report.broken_seq}: {report.problem}"
            return Found(part="chain", state=FAIL, found=found, mend=mend)
        against = "and is what the store witnessed" if head else f"alone ({why})"
        return Found(part="chain", state=OK, found=f"{report.entries} entries verify {against}")

    def store(self) -> Found:
        """The store answers and fits."""
        with reached(
            self.settings.database_direct_url or self.settings.database_url, self.settings.postgres_path
        ) as conninfo:
            if conninfo is None:
                known = (self.settings.postgres_path / "cluster" / "PG_VERSION").exists()
                if known:
                    return Found(part="store", state=OK, found="the embedded server does not run; a command starts it")
                mend = "Start the console once; it makes the store from the ledger."
                return Found(part="store", state=WARN, found="there is none yet", mend=mend)
            return self._fits(survey(conninfo))

    def _fits(self, seen: Survey) -> Found:
        wanted = self._embedder_of().identity
        found = f"Postgres {seen.server}, pgvector {seen.vector}, {seen.migrated} of {seen.known} migrations"
        found += f", in {seen.parts} partitions" if seen.parts else ""
        state, mend = FAIL, ""
        if not seen.server_fits:
            mend = "Take Postgres 15 or newer."
        elif not seen.vector_fits:
            mend = "Install pgvector 0.8 or newer and run: CREATE EXTENSION vector"
        elif seen.embedding and seen.embedding != wanted:
            found = f"its vectors are {seen.embedding}, not {wanted}"
            mend = "Name the model it was made with, or stop the console and run: chronomemory reembed"
        elif seen.migrated != seen.known:
            state, mend = WARN, "Start the console once; it brings the store up to date."
        else:
            state = OK
        return Found(part="store", state=state, found=found, mend=mend)

    def effects(self) -> Found:
        """The store has the last effects that the ledger holds as applied: a fail-over may have lost some."""
        with ledger_reader(self.settings) as ledger:
            known = ledger.applied(limit=PAGE)
        with reached(
            self.settings.database_direct_url or self.settings.database_url, self.settings.postgres_path
        ) as conninfo:
            if conninfo is None:
                return Found(part="effects", state=OK, found="the store does not run: nothing to compare with")
            lost = lacking(conninfo, [(one.scope.owner, one.effect_id) for one in known])
        if not lost:
            return Found(part="effects", state=OK, found=f"the store has the last {len(known)}")
        mend = "A running worker applies them again. Where this stays: chronomemory rebuild"
        found = f"the store lacks {len(lost)} of the last {len(known)}: a fail-over lost them"
        return Found(part="effects", state=FAIL, found=found, mend=mend)

    def replicas(self) -> Found:
        """Each replica that recall may read from is one, and keeps up with the primary."""
        primary, patience = self.settings.database_direct_url or self.settings.database_url, self._staleness()
        states, said = [], []
        with reached(primary, self.settings.postgres_path) as conninfo:
            if conninfo is None:
                return Found(part="replicas", state=OK, found="the store does not run: nothing to compare them with")
            for number, address in enumerate(self.settings.read_urls, start=1):
                state, found = _replica(address, conninfo, patience)
                states.append(state)
                said.append(f"{number} {found}")
        state = FAIL if FAIL in states else WARN if WARN in states else OK
        mend = "" if state == OK else "Recall goes to the primary meanwhile. See docs/read-replicas.md."
        return Found(part="replicas", state=state, found="; ".join(said), mend=mend)

    def _staleness(self) -> float:
        return min(SECONDS, self.settings.database_read_staleness_seconds)

    def embedding(self) -> Found:
        """The embedding model answers."""
        embedder = self._embedder_of()
        if self.quick:
            return Found(part="embedding", state=OK, found=f"{embedder.identity} (not loaded)")
        [vector] = embedder.embed(["The house has a green door."])
        return Found(part="embedding", state=OK, found=f"{embedder.identity}, {len(vector)} dimensions")

    def models(self) -> Found:
        """The language models' endpoints answer, if there are any."""
        settings = self.settings
        if not settings.has_model:
            return Found(part="models", state=OK, found="none configured: the rules do the work")
        places = {
            settings.openai_base_url or DEFAULT_BASE_URL: settings.openai_api_key.get_secret_value(),
            settings.background_base_url or settings.openai_base_url or DEFAULT_BASE_URL: (
                settings.background_api_key.get_secret_value() or settings.openai_api_key.get_secret_value()
            ),
        }
        silent = [url for url, key in places.items() if not _answers(url, key)]
        if silent:
            mend = "Check OPENAI_BASE_URL and the keys; until it answers, the rules do the work."
            return Found(part="models", state=WARN, found=f"no answer from {', '.join(map(_place, silent))}", mend=mend)
        return Found(part="models", state=OK, found=", ".join(map(_place, places)))

    def port(self) -> Found:
        """Whether the console's port is free, or somebody answers there."""
        settings = self.settings
        with socket.socket() as line:
            line.settimeout(1.0)
            taken = line.connect_ex(("127.0.0.1", settings.port)) == 0
        if taken:
            mend = "If that is not the console, set PORT to another one."
            return Found(part="port", state=WARN, found=f"something answers on {settings.port}", mend=mend)
        return Found(part="port", state=OK, found=f"{settings.port} is free")

    def clock(self) -> Found:
        """The machine's clock is not behind what was recorded."""
        now = datetime.now(UTC)  # noqa: TID251 - it is this clock that is looked at
        if not has_ledger(self.settings):
            return Found(part="clock", state=OK, found=f"{now:%Y-%m-%d %H:%M} UTC")
        with ledger_reader(self.settings) as ledger:
            last = ledger.last_at()
        if last is not None and last > now + SKEW:
            mend = "Set the clock (an NTP service does): new statements would count as older than old ones."
            return Found(part="clock", state=FAIL, found=f"{now:%Y-%m-%d %H:%M} UTC, behind the last entry", mend=mend)
        return Found(part="clock", state=OK, found=f"{now:%Y-%m-%d %H:%M} UTC")

    def _embedder_of(self) -> Embedder:
        settings = self.settings
        if self._embedder is None:
            if settings.embedding_base_url:
                key = settings.embedding_api_key.get_secret_value()
                self._embedder = EndpointEmbedder(
                    base_url=settings.embedding_base_url, model=settings.embedding_model, api_key=key
                )
            else:
                name = settings.embedding_model
                self._embedder = PathEmbedder(name) if name else PackagedEmbedder()
        return self._embedder


def _replica(address: str, primary: str, patience: float) -> tuple[str, str]:
    try:
        there, here, took = measured(address, primary, patience=patience)
    except StoreUnavailable as problem:
        return WARN, f"does not answer: {problem}"
    except ChronoMemoryError as problem:
        return FAIL, str(problem)
    if not here.standby or here.server != there.server:
        return FAIL, "is no replica of the store"
    if took is None:
        return WARN, f"is {there.lsn - here.lsn:,} bytes behind after {patience:g} s"
    return OK, f"caught up in {took:.2f} s"


def worst(found: list[Found]) -> str:
    """The state of the whole."""
    states = {one.state for one in found}
    return FAIL if FAIL in states else WARN if WARN in states else OK


def _existing(folder: Path) -> Path:
    folder = folder.resolve()
    return folder if folder.exists() else _existing(folder.parent)


def _name_of(requirement: str) -> str:
    found = _NAME.match(requirement)
    return found[0] if found else requirement


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _place(url: str) -> str:
    """An address without what stands before an @."""
    return url.rpartition("@")[2] if "@" in url else url


def _answers(url: str, key: str) -> bool:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        status = httpx2.get(f"{url}/models", headers=headers, timeout=SECONDS).status_code
    except (httpx2.HTTPError, httpx2.InvalidURL):
        return False
    return status < httpx2.codes.BAD_REQUEST


__all__ = ["FAIL", "OK", "WARN", "Doctor", "Found", "worst"]
