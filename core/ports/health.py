"""Which model does which work, and how it fares."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleState:
    """One role's models since the start of this process. No prompt, no answer, no key."""

    role: str  # "agent", "extractor", "judge"
    models: tuple[str, ...]  # in order of preference; none: the rules do the work
    endpoint: str  # host and path, without credentials
    done: int  # pieces of work in all
    by_rules: int  # of these, without a model
    last_answer_at: datetime | None = None
    last_error: str = ""  # the kind of trouble, in the product's words
    last_error_at: datetime | None = None

    @property
    def fallback_share(self) -> float | None:
        """Share of the work that the rules did, in [0, 1]; None when nothing was done yet."""
        return self.by_rules / self.done if self.done else None
