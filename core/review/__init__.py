"""Human rulings on held candidates, through the same assess and enact as the machine's (rules §1.11).

A reviewer rules on the exact bytes they were shown: version and sha256 come back with the ruling, and anything that
changed meanwhile refuses it. A promotion never overwrites what the owner said.
"""

from core.queueing import FLAGGED
from core.review.desk import Review
from core.review.values import (
    ANSWERS,
    OWNERS,
    TAKING,
    AnswerTouched,
    Approval,
    Look,
    Outcome,
    Preview,
    QueueSummary,
    WouldChange,
    asked_of_owner,
    flags_of,
)

__all__ = [
    "ANSWERS",
    "FLAGGED",
    "OWNERS",
    "TAKING",
    "AnswerTouched",
    "Approval",
    "Look",
    "Outcome",
    "Preview",
    "QueueSummary",
    "Review",
    "WouldChange",
    "asked_of_owner",
    "flags_of",
]
