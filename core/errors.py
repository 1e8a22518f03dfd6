"""Exceptions by whose fault it is, and whether trying again helps. Messages say what to do next."""

from __future__ import annotations

from datetime import datetime


class ChronoMemoryError(Exception):
    """Base of every error this package raises on purpose. `retry` tells whether the same call may work later."""

    retry = False


# The caller's fault: mend the input.


class BadInput(ChronoMemoryError):
    """The text, file or argument cannot be taken as it is."""


class TooLarge(BadInput):
    """The input is over the size limit named in the message."""


class UnsupportedFile(BadInput):
    """The attachment's type is not one that can be read as text."""


class NotAuthorised(ChronoMemoryError):
    """The actor may not do this: signed out, disabled, or without the role."""


class TooManyAttempts(ChronoMemoryError):
    """Too many failed sign-ins: wait. `retry_at` says until when; there is no permanent lock."""

    retry = True

    def __init__(self, message: str, *, retry_at: datetime) -> None:
        """Keep the time at which the next attempt is looked at."""
        super().__init__(message)
        self.retry_at = retry_at


class TooManyRequests(TooManyAttempts):
    """A key or an address asks more often than is answered; `retry_at` says when it is answered again."""


class TooManyStreams(ChronoMemoryError):
    """As many live feeds are open as are allowed: close one."""

    retry = True


class KeyReused(BadInput):
    """The idempotency key came with another text before; nothing was stored. Use a new key for a new text."""


class NotFound(ChronoMemoryError):
    """There is nothing by that id in the actor's scope (others' ids look the same as missing ones)."""


class StaleReview(ChronoMemoryError):
    """The item changed after it was shown; nothing was written. Look again and decide on what is there now."""


class Reserved(StaleReview):
    """Somebody else is at work on this item; nothing was written. `who` (a user name) and `until` say for how long."""

    def __init__(self, message: str, *, who: str, until: datetime) -> None:
        """Keep who holds it and until when."""
        super().__init__(message)
        self.who = who
        self.until = until


class Contradicts(ChronoMemoryError):
    """Promoting this would overwrite what the owner said; nothing was written. The owner must settle it."""


class NeedsReason(BadInput):
    """This ruling needs a written reason."""


# The installation's fault: an operator must act.


class Misconfigured(ChronoMemoryError):
    """A setting, model or schema does not fit what is stored; the message names the command that mends it."""


class AuditBroken(ChronoMemoryError):
    """The audit chain does not verify; the message names the first broken sequence number."""


# Nobody's fault: wait.


class Unavailable(ChronoMemoryError):
    """A part that is needed is not reachable at the moment."""

    retry = True


class StoreUnavailable(Unavailable):
    """Postgres is down: writes queue in the ledger, recall waits."""


class LedgerUnavailable(Unavailable):
    """The ledger cannot be written: nothing is admitted, recall still works."""


class ModelUnavailable(Unavailable):
    """The model's server did not answer within the deadline."""


class ModelReplyUnusable(ChronoMemoryError):
    """The model answered, but not in the form that was asked for; it counts as a gap (rules §7.2)."""


class Outdated(ChronoMemoryError):
    """The owner's memories changed while they were being judged; nothing was written, the same call judges again."""

    retry = True


class LeaseLost(ChronoMemoryError):
    """Another worker took the episode over; this one must drop its work unwritten."""

    retry = True
