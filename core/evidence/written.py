"""An answer before it is committed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from core.acts import Act
from core.model import Effect
from core.ports import LedgerTx


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """What one ledger transaction will hold of an answer beside the question itself."""

    acts: tuple[Act, ...] = ()
    effects: tuple[Effect, ...] = ()
    stated: tuple[str, ...] = ()  # when each confirmed memory had been stated before, in the order of the effects
    epoch: int = 0  # the owner's last effect when the evidence was read
    beside: Callable[[LedgerTx], object] = field(default=lambda _tx: None)


__all__ = ["Written"]
