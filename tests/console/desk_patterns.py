"""Patterns in memory, for tests of their section: one of each standing, with room for hostile words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from core.errors import StaleReview
from core.model import Actor, SourceKind
from core.patterndesk import PatternEpisode, PatternStanding, PatternView
from tests.console.desk_base import NOW

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskPatterns:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.stale = False
        self.gone: set[str] = set()

    def list(self, actor: Actor) -> Sequence[PatternView]:
        self.desk.up()
        if self.desk.empty:
            return []
        made = [
            self._view("p-1", "You often move appointments that fall on a Monday.", PatternStanding.KNOWLEDGE, 4, 1),
            self._view(
                "p-2",
                "You meet or hear from Noor Haddad in most weeks.",
                PatternStanding.HELD,
                3,
                0,
                detector="recurring_counterpart",
                trust=0.3,
                reasons=("low_trust",),
            ),
            self._view(
                "p-3", "You are often active late at night.", PatternStanding.HYPOTHESIS, 2, 1, detector="late_night"
            ),
            self._view(
                "p-4",
                "You keep your weekends free of appointments.",
                PatternStanding.RETIRED,
                3,
                9,
                detector="weekend_avoidance",
            ),
        ]
        return [
            replace(one, standing=PatternStanding.DISMISSED) if one.pattern_id in self.gone else one for one in made
        ]

    def dismiss(self, actor: Actor, pattern_id: str, reason: str, *, seen_version: int) -> None:
        if self.stale:
            msg = "This pattern changed after it was shown. Look at it again, then decide."
            raise StaleReview(msg)
        self.desk.calls.append(("dismiss_pattern", pattern_id, reason, seen_version))
        self.gone.add(pattern_id)

    def _view(
        self,
        pattern_id: str,
        sentence: str,
        standing: PatternStanding,
        supports: int,
        against: int,
        *,
        detector: str = "recurring_reschedule",
        trust: float | None = None,
        reasons: tuple[str, ...] = (),
    ) -> PatternView:
        w = self.desk.w
        known = standing in (PatternStanding.KNOWLEDGE, PatternStanding.HELD)
        episodes = tuple(
            PatternEpisode(
                episode_id=f"e-{pattern_id}-{nth}",
                at=NOW - timedelta(days=7 * nth + 1),
                source_kind=SourceKind.TOOL_OUTPUT if nth % 2 else SourceKind.USER_TURN,
                title=w("calendar"),
                excerpt=w(f"Calendar event: Planning {nth} Start: 2026-03-0{nth + 1}T09:00:00+01:00 Status: confirmed"),
                speaks_for=nth < supports,
            )
            for nth in range(supports + against)
        )
        return PatternView(
            pattern_id=pattern_id,
            detector=detector,
            sentence=w(sentence),
            standing=standing,
            supports=supports,
            against=against,
            sessions=min(supports, 3),
            needed_episodes=3,
            needed_sessions=2,
            needed_share=0.6,
            share=supports / (supports + against),
            trust=(trust or 0.55) if known else None,
            reasons=reasons,
            memory_id="m-1" if standing is PatternStanding.KNOWLEDGE else "",
            candidate_id="h-1" if known else "",
            updated_at=NOW,
            version=2,
            episodes=episodes,
        )
