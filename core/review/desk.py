"""The review desk: every part under one name."""

from __future__ import annotations

from dataclasses import dataclass

from core.review.marks import Marks
from core.review.merging import Merging
from core.review.queue import Queue
from core.review.rewording import Rewording
from core.review.settling import Settling
from core.review.undoing import Undoing


@dataclass(frozen=True, kw_only=True, slots=True)
class Review(Queue, Marks, Merging, Rewording, Settling, Undoing):
    """The review desk. Reviewers and admins see their tenant's held items; members their own, if allowed."""
