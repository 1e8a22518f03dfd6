"""The data folder as its operator reads it: no layer, no writer, nothing made that is not there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import ChronoMemoryError, LedgerUnavailable, Misconfigured
from core.ledger import StoredLedgerReader
from core.settings import Settings
from core.store.survey import reached, survey
from core.wiring_ledger import has_ledger, how_to_find, ledger_name, reading

SECRET_BYTES = 32


def read_secret(settings: Settings) -> bytes:
    """The installation's secret; unlike a start of the console, this never makes one.

    Raises:
        Misconfigured: it is missing, damaged or not readable; the message says what to do.
    """
    path = settings.secret_path
    try:
        secret = path.read_bytes()
    except FileNotFoundError as error:
        msg = f"There is no secret at {path}: name the data folder in CHRONOMEMORY_DATA, or restore it from a backup."
        raise Misconfigured(msg) from error
    except OSError as error:
        msg = f"The secret at {path} cannot be read ({error.strerror}): run this as the account that owns the folder."
        raise Misconfigured(msg) from error
    if len(secret) != SECRET_BYTES:
        msg = f"{path} is damaged: it must hold {SECRET_BYTES} bytes. Restore it from a backup."
        raise Misconfigured(msg)
    return secret


@contextmanager
def ledger_reader(settings: Settings) -> Iterator[StoredLedgerReader]:
    """The ledger, opened for reading only.

    Raises:
        LedgerUnavailable: there is none.
        Misconfigured: as `read_secret`, or the ledger is of another version or secret.
    """
    if not has_ledger(settings):
        msg = f"There is no ledger at {ledger_name(settings)}: {how_to_find(settings)}."
        raise LedgerUnavailable(msg)
    with reading(settings, read_secret(settings)) as reader:
        yield reader


def witnessed(settings: Settings) -> tuple[tuple[int, str] | None, str]:
    """The head that the store witnessed, if it runs and has one; and in words why it is not known otherwise."""
    try:
        with reached(settings.database_direct_url or settings.database_url, settings.postgres_path) as conninfo:
            if conninfo is None:
                return None, "the store does not run"
            head = survey(conninfo).witness
    except (ChronoMemoryError, OSError) as problem:
        return None, str(problem)
    return (head, "") if head[0] else (None, "the store has witnessed nothing yet")


__all__ = ["ledger_reader", "read_secret", "witnessed"]
