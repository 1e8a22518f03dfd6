"""Numbers about memories in memory, for tests of the page "Decay & trust"."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from core.curve import fades_at, replay
from core.errors import NotAuthorised, NotFound
from core.insight import History, Overview, Scatter, Whose, by_kind, daily, survival
from core.model import Actor, CandidateState, Effect, EffectKind, Memory, MemoryStatus, Role, SourceKind
from core.ports import Dot, Kept, Proposed, SourceCount, Spell, StrengthCell, TrustBin
from tests.console.desk_base import NOW, PAGE, WEB

if TYPE_CHECKING:
    from tests.console.desk import Desk

OWN = SourceKind.USER_TURN
TODAY = NOW.date()


class DeskInsight:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.asked = 0
        self.extra: dict[str, list[tuple[EffectKind, float]]] = {
            "m-2": [(EffectKind.REINFORCE, 30), (EffectKind.CONFIRM, 20), (EffectKind.REINFORCE, 5)]
        }

    def overview(self, actor: Actor, *, whose: Whose = Whose.OWN, days: int = 90) -> Overview:
        self.desk.up()
        if whose is Whose.TENANT and self.desk.actor.role is Role.MEMBER:
            msg = "This needs the role reviewer or admin; yours is member."
            raise NotAuthorised(msg)
        self.desk.calls.append(("overview", whose, days))
        times = 1 if whose is Whose.OWN else 10
        if self.desk.empty:
            return Overview(
                whose=whose,
                people=1,
                at=NOW,
                kept=(),
                trust=(),
                survival=(),
                cells=(),
                days=daily(TODAY - timedelta(days=days - 1), days, (), {}, {}),
                sources=(),
                places=(),
            )
        kept = (
            Kept(source_kind=OWN, status=MemoryStatus.ACTIVE, count=20 * times, weak=2),
            Kept(source_kind=OWN, status=MemoryStatus.SUPERSEDED, count=4 * times, weak=0),
            Kept(source_kind=WEB, status=MemoryStatus.ACTIVE, count=3 * times, weak=0),
            Kept(source_kind=WEB, status=MemoryStatus.ARCHIVED, count=2 * times, weak=0),
        )
        proposed = (
            Proposed(day=TODAY, source_kind=WEB, state=CandidateState.HELD, count=6, held=6),
            Proposed(day=TODAY, source_kind=WEB, state=CandidateState.PROMOTED, count=3, held=3),
            Proposed(day=TODAY - timedelta(days=9), source_kind=OWN, state=CandidateState.ADMITTED, count=24, held=0),
        )
        place = SourceCount(
            source_kind=WEB,
            source_ref=self.desk.w(PAGE),
            proposed=9,
            held=6,
            admitted=0,
            promoted=3,
            contradicted=2,
        )
        return Overview(
            whose=whose,
            people=1 if whose is Whose.OWN else 3,
            at=NOW,
            kept=kept,
            trust=(
                TrustBin(status=None, low=0.3, vouched=False, count=6),
                TrustBin(status=MemoryStatus.ACTIVE, low=0.3, vouched=True, count=3),
                TrustBin(status=MemoryStatus.ACTIVE, low=0.95, vouched=False, count=20),
                TrustBin(status=MemoryStatus.SUPERSEDED, low=0.95, vouched=False, count=4),
            ),
            survival=survival(
                (
                    Spell(source_kind=OWN, days=10, ended=True, count=4),
                    Spell(source_kind=OWN, days=40, ended=False, count=20),
                    Spell(source_kind=WEB, days=5, ended=True, count=2),
                    Spell(source_kind=WEB, days=31, ended=False, count=3),
                )
            ),
            cells=(
                StrengthCell(trust=0.95, strength=0.75, count=20),
                StrengthCell(trust=0.3, strength=0.1, count=3),
            ),
            days=daily(
                TODAY - timedelta(days=days - 1), days, proposed, {TODAY: 3}, {(TODAY, MemoryStatus.ARCHIVED): 2}
            ),
            sources=by_kind(proposed, {WEB: 2}, kept),
            places=(place,) if whose is Whose.OWN else (),
        )

    def scatter(self, actor: Actor) -> Scatter:
        active = [one for one in self.desk.memories.rows.values() if one.status is MemoryStatus.ACTIVE]
        self.asked += 1  # strength wanes from one look to the next, as it does in life
        strength = 0.5 - 1e-6 * self.asked
        dots = tuple(
            Dot(memory_id=one.memory_id, source_kind=one.source_kind, trust=one.effective_trust, strength=strength)
            for one in active
        )
        return Scatter(dots=dots, total=len(dots))

    def history(self, actor: Actor, memory_id: str) -> History:
        self.desk.up()
        memory: Memory | None = self.desk.memories.rows.get(memory_id)
        if memory is None:
            msg = "There is no such memory."
            raise NotFound(msg)
        begun = replace(memory, status=MemoryStatus.ACTIVE, access_count=0, expired_at=None)
        effects = [self.effect(EffectKind.ACTIVATE, memory, memory.stated_at, begun)]
        effects += [self.effect(kind, memory, NOW - timedelta(days=ago)) for kind, ago in self.extra.get(memory_id, ())]
        moments = replay(effects)
        moments = (*moments[:-1], replace(moments[-1], memory=memory))
        return History(memory=memory, at=NOW, moments=moments, fades_at=fades_at(memory, self.desk.policy.decay))

    def effect(self, kind: EffectKind, memory: Memory, at, begun: Memory | None = None) -> Effect:
        return Effect(
            effect_id=f"{kind}-{at}", kind=kind, scope=memory.scope, memory_id=memory.memory_id, at=at, memory=begun
        )
