"""What a call to the memory can end in, by whose fault it is. `retry` tells whether the same call may work later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import ChronoMemoryError


class ClientError(ChronoMemoryError):
    """The memory did not do what it was asked.

    Attributes:
        kind: the server's stable name of the error ("NotFound"); "" where no server answered.
        status: of the HTTP answer; 0 where there was none.
        retry: whether the same call may work later.
        retry_after: seconds that the server asked to wait; None where it said nothing.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: str = "",
        status: int = 0,
        retry: bool = False,
        retry_after: float | None = None,
    ) -> None:
        """Keep what the answer said."""
        super().__init__(message)
        self.kind = kind
        self.status = status
        self.retry = retry
        self.retry_after = retry_after


class BadRequest(ClientError):
    """The text, question or number cannot be taken as it is (413, 422): mend it."""


class KeyRefused(ClientError):
    """The key is unknown or revoked (401)."""


class NotAllowed(ClientError):
    """This key may not do that (403)."""


class NotFound(ClientError):
    """There is nothing by that id in the key's scope (404); what is another's looks the same."""


class Conflict(ClientError):
    """It clashes with what is there (409): an idempotency key that came with another text before."""


class RateLimited(ClientError):
    """The key asked too often (429), and waiting as long as the client may wait did not help."""


class MemoryDown(ClientError):
    """The memory, or the way to it, does not work at the moment: no connection, no answer in time, 5xx."""


class Garbled(MemoryDown):
    """Something answered, but not as the memory answers: is the address right?"""


_BY_STATUS: Mapping[int, type[ClientError]] = {
    401: KeyRefused,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
}
_FIRST_OF_THE_SERVERS = 500
_STEPS_IN_BETWEEN = frozenset({502, 504})  # a proxy before the memory speaks
_NO_ANSWER_YET = 503


def of_problem(status: int, problem: Any, *, retry_after: float | None) -> ClientError:
    """The error that an answer with this status and body stands for.

    Args:
        status: of the answer, 400 or more.
        problem: its body, read as JSON; anything at all, where it could not be.
        retry_after: seconds, by the answer's header.
    """
    told: Mapping[str, Any] = problem if isinstance(problem, dict) else {}
    detail = str(told.get("detail") or f"The memory answered with status {status}.")
    waits = status in {429, _NO_ANSWER_YET} or status in _STEPS_IN_BETWEEN
    kind = MemoryDown if status >= _FIRST_OF_THE_SERVERS else _BY_STATUS.get(status, BadRequest)
    return kind(
        detail,
        kind=str(told.get("type") or ""),
        status=status,
        retry=bool(told.get("retry", waits)),
        retry_after=retry_after,
    )
