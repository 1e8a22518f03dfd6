"""Where the installation's ledger is kept: a file in the data folder, or the database that LEDGER_URL names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from psycopg.conninfo import conninfo_to_dict

from core.errors import LedgerUnavailable, Misconfigured
from core.ledger import SqliteFile, StoredLedger, StoredLedgerReader, restore
from core.ledger.connection import SqliteConnection
from core.ledger.copying import arrived, carry_over
from core.ledger.dialect import BUSY_SECONDS, Place
from core.ledger_pg import PostgresDatabase
from core.settings import Settings

_SAME = ("host", "hostaddr", "port", "dbname")


def ledger_place(settings: Settings) -> Place:
    """The place that the settings name; nothing is opened.

    Raises:
        Misconfigured: LEDGER_URL is no address, or that of the trusted memory.
    """
    url = settings.ledger_url.get_secret_value()
    if not url:
        return SqliteFile(settings.ledger_path)
    place = PostgresDatabase(url)
    for name, other in (
        ("DATABASE_URL", settings.database_url),
        ("DATABASE_DIRECT_URL", settings.database_direct_url),
    ):
        if other and _database(url) == _database(other):
            msg = (
                f"LEDGER_URL and {name} name the same database: held facts are kept physically apart from trusted "
                "memory. Make a second database with a role of its own and name that in LEDGER_URL"
            )
            raise Misconfigured(msg)
    return place


def open_ledger(settings: Settings, secret: bytes) -> StoredLedger:
    """The ledger, made where there is none yet.

    Raises:
        LedgerUnavailable: it cannot be made or opened.
        Misconfigured: as `ledger_place`; or a ledger file lies in the data folder that was not carried over.
    """
    place = ledger_place(settings)
    if isinstance(place, PostgresDatabase):
        _refuse_forgotten_file(settings.ledger_path, place)
    return StoredLedger.at(place, hmac_key=secret)


def has_ledger(settings: Settings) -> bool:
    """Whether a ledger was made where the settings say.

    Raises:
        LedgerUnavailable: its server is away.
    """
    place = ledger_place(settings)
    return place.exists() if isinstance(place, PostgresDatabase) else settings.ledger_path.exists()


def ledger_name(settings: Settings) -> str:
    """How messages name the ledger's place."""
    return ledger_place(settings).name


def how_to_find(settings: Settings) -> str:
    """What an operator does where there is no ledger, to follow a colon."""
    if not settings.ledger_url.get_secret_value():
        return "name the data folder in CHRONOMEMORY_DATA"
    if settings.ledger_path.exists():
        return f"carry {settings.ledger_path} over with `chronomemory ledger move`"
    return "name its database in LEDGER_URL"


@contextmanager
def reading(settings: Settings, secret: bytes) -> Iterator[StoredLedgerReader]:
    """The existing ledger, for reading only.

    Raises:
        LedgerUnavailable: there is none, or it cannot be read.
        Misconfigured: it is of another version or secret.
    """
    with closing(StoredLedgerReader.at(ledger_place(settings), hmac_key=secret)) as reader:
        yield reader


def move_ledger(settings: Settings, secret: bytes) -> tuple[int, str]:
    """Carry the data folder's ledger file over into the empty database of LEDGER_URL, and verify it there.

    Nobody can write to the file meanwhile. Afterwards it refuses every further entry, also from a process that still
    has it open, and says where the ledger is; its words stay in it until somebody deletes it.

    Returns:
        Head of the audit chain.

    Raises:
        LedgerUnavailable: there is no file, or the database cannot be reached; the file goes on as before.
        Misconfigured: LEDGER_URL is empty or the trusted memory's, or the file was carried over already.
        BadInput: the database's ledger is in use.
        AuditBroken: the chain does not verify; nothing was carried over.
    """
    place = ledger_place(settings)
    if not isinstance(place, PostgresDatabase):
        msg = "Set LEDGER_URL to the empty database that the ledger is carried over to."
        raise Misconfigured(msg)
    file = SqliteFile(settings.ledger_path)
    file.expect()
    source = cast("SqliteConnection", file.connect(writable=True, busy_seconds=BUSY_SECONDS))
    with closing(source), source.transaction(writes=True):
        head = arrived(source, place) or carry_over(source, place, hmac_key=secret)
        source.fence(place.name)
    return head


def put_snapshot(settings: Settings, snapshot: Path, secret: bytes) -> tuple[int, str]:
    """Make the ledger out of a snapshot, where there is none yet.

    Returns:
        Head of its audit chain.

    Raises:
        BadInput, AuditBroken, LedgerUnavailable, Misconfigured: as `core.ledger.restore` or `carry_over`; nothing was
            written.
    """
    place = ledger_place(settings)
    if isinstance(place, SqliteFile):
        return restore(snapshot, place.path, hmac_key=secret)
    if not snapshot.exists():
        msg = f"there is no snapshot at {snapshot}"
        raise LedgerUnavailable(msg)
    source = SqliteFile(snapshot).connect(writable=False, busy_seconds=BUSY_SECONDS)
    with closing(source), source.transaction(writes=False):
        return carry_over(source, place, hmac_key=secret)


def _database(url: str) -> tuple[str, ...]:
    parts = conninfo_to_dict(url)
    return tuple(str(parts.get(name) or "") for name in _SAME)


def _refuse_forgotten_file(path: Path, place: PostgresDatabase) -> None:
    """A ledger file beside LEDGER_URL that nobody carried over: its decisions would silently be gone."""
    if not path.exists():
        return
    with closing(SqliteConnection(path, SqliteFile(path).queries, writable=False, busy_seconds=BUSY_SECONDS)) as file:
        if not file.fenced():
            msg = (
                f"there is a ledger at {path}, and LEDGER_URL names {place.name}: carry it over with `chronomemory "
                "ledger move`, or move the file away if it is not to count"
            )
            raise Misconfigured(msg)


__all__ = [
    "has_ledger",
    "how_to_find",
    "ledger_name",
    "ledger_place",
    "move_ledger",
    "open_ledger",
    "put_snapshot",
    "reading",
]
