"""A conversation with the rules extractor, remembering what it learned as the store would."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from core.llm.rules import RulesExtractor
from core.model import Episode, MemoryKind, Proposal, Provenance, Scope, SourceKind, Turn, sha256_text
from core.ports import ExtractionContext
from eval.everyday import SlotStore

DAY = datetime(2026, 3, 2, tzinfo=UTC)  # a Monday


def episode(text: str, kind: SourceKind = SourceKind.USER_TURN, *, at: datetime = DAY, title: str = "") -> Episode:
    """A text as the given channel delivers it."""
    provenance = Provenance(
        source_kind=kind, source_ref="ref-1", actor="someone", observed_at=at, digest=sha256_text(text), title=title
    )
    return Episode(
        episode_id="e1",
        scope=Scope(tenant="t", owner="o"),
        conversation_id="c1",
        provenance=provenance,
        text=text,
        received_at=at,
    )


class Talk:
    """One conversation; every user turn is learned at once."""

    def __init__(self) -> None:
        self.store = SlotStore()
        self.recent: list[Turn] = []
        self.at = DAY.replace(hour=9)

    def say(self, text: str) -> tuple[Proposal, ...]:
        """One user turn; gives its proposals."""
        self.at += timedelta(minutes=1)
        context = ExtractionContext(now=self.at, recent=tuple(self.recent), known=self.store.known(self.at))
        proposals = RulesExtractor().extract(episode(text, at=self.at), context).proposals
        for proposal in proposals:
            self.store.apply(proposal, turn=len(self.recent), at=self.at)
        self.recent.append(Turn(role="user", text=text, at=self.at))
        return proposals

    def holds(self) -> set[tuple[str, str, str]]:
        """Current facts as (subject, attribute, value)."""
        return {(memory.subject, memory.attribute, memory.value) for memory in self.store.known(self.at)}


def facts(text: str) -> list[tuple[str, str, str]]:
    """The facts of a single turn as (subject, attribute, value), the event left out."""
    return [(one.subject, one.attribute, one.value) for one in Talk().say(text) if one.kind is not MemoryKind.EVENT]
