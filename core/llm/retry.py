"""When a failed model call is worth another try, and how long to wait before it (rules §7.3)."""

from __future__ import annotations

import random
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TypeVar

import openai
import tenacity

_T = TypeVar("_T")
_FIRST, _MAX, _JITTER = 0.25, 8.0, 0.25  # seconds
_LATER = frozenset({408, 409, 425, 429})  # with every 5xx: another try may work


class TransientFailure(Exception):
    """This attempt failed in a way that another may not."""

    def __init__(self, why: str, retry_after: float | None = None) -> None:
        """Give the reason in words for an operator, and the server's own waiting time in seconds."""
        super().__init__(why)
        self.retry_after = retry_after


def persist(attempt: Callable[[], _T], *, seconds: float, sleep: Callable[[float], None]) -> _T:
    """Call `attempt` until it returns, waiting with exponential backoff and jitter, or as long as the server asked.

    Args:
        attempt: one try; raises TransientFailure when another is worth making.
        seconds: no further try begins after this time.
        sleep: waits that many seconds; may return early.

    Raises:
        TransientFailure: the last one, when the time is over.
    """
    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception_type(TransientFailure),
        stop=tenacity.stop_before_delay(seconds),
        wait=_wait,
        sleep=sleep,
        reraise=True,
    )
    return retrying(attempt)


def transient(error: openai.APIError | ValueError) -> TransientFailure | None:
    """The failure as a reason to try again, or None when the same request would fail again."""
    if isinstance(error, openai.APITimeoutError):
        return TransientFailure("timeout")
    if isinstance(error, openai.APIConnectionError):
        return TransientFailure("no connection")
    if isinstance(error, openai.APIStatusError):
        if error.status_code in _LATER or error.status_code >= 500:  # noqa: PLR2004 - the server errors of HTTP
            return TransientFailure(f"HTTP {error.status_code}", _retry_after(error))
        return None
    return TransientFailure("garbled reply")


def _wait(state: tenacity.RetryCallState) -> float:
    failure = state.outcome.exception() if state.outcome else None
    asked = failure.retry_after if isinstance(failure, TransientFailure) else None
    backoff = min(_MAX, _FIRST * 2 ** (state.attempt_number - 1)) if asked is None else asked
    return backoff + random.uniform(0, _JITTER)  # noqa: S311 - spreads callers, hides nothing


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds asked for: a number, or a date measured against the server's own `Date`, since clocks differ."""
    headers = error.response.headers
    raw = headers.get("retry-after", "")
    try:
        return max(0.0, float(raw))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(raw) - parsedate_to_datetime(headers["date"])).total_seconds())
    except (ValueError, TypeError, KeyError):
        return None
