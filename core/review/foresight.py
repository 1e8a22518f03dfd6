"""What a ruling would do, before it is made. Writes nothing but the audit of a read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.model import Actor, Ruling, RulingKind
from core.review.rulings import Rulings
from core.review.values import Preview, WouldChange, flags_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Foresight(Rulings):
    """Looks ahead with the same parts that rule."""

    def would_change(self, actor: Actor, candidate_id: str) -> WouldChange:
        """What a promotion of this item would change."""
        self._item(actor, candidate_id, owner=True)
        return WouldChange()

    def preview(self, actor: Actor, rulings: Sequence[Ruling]) -> list[Preview]:
        """What each of these rulings would come to."""
        found = []
        for ruling in rulings:
            item = self._item(actor, ruling.candidate_id, rule=True)
            would = "promote" if ruling.kind is RulingKind.PROMOTE else "reject"
            flags = flags_of(item) if would == "promote" else []
            found.append(
                Preview(
                    candidate_id=ruling.candidate_id,
                    text=item.candidate.text,
                    would="refuse" if flags else would,
                    why=", ".join(flags),
                )
            )
        return found
