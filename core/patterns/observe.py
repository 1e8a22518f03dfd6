"""Reads episodes into observations: by code, from what the server itself recorded of them. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import tzinfo

from core.model import Episode, SourceKind
from core.patterns.calendar_text import calendar_entries, names_in
from core.patterns.nouns import Observation, ObservationKind
from core.patterns.statements import choices
from core.patterns.weeks import week_of
from core.slots import normalise
from core.spans import SegmentKind, blanked


def observe(
    episode: Episode, *, trust: float, zone: tzinfo, own_names: Collection[str] = frozenset()
) -> Iterator[Observation]:
    """What one episode shows.

    1. What the assistant said shows nothing: it only repeats (rules §4.3). 2. A text that begins like a calendar entry
    is one, whatever channel it came by; its trust is the channel's. 3. A turn of the owner's is a message at its time,
    and each choice that they tell of in their own words. 4. Another person's message names its sender.

    Args:
        episode: as the ledger keeps it.
        trust: its effective trust, its own roots included.
        zone: of times that came without one.
        own_names: how the owner is called, normalised: nobody is their own counterpart.
    """
    kind = episode.provenance.source_kind
    if kind is SourceKind.AGENT_TURN:
        return
    entries = calendar_entries(episode.text, zone)
    if entries:
        for entry in entries:
            at = entry.moved_from or entry.start
            yield Observation(
                episode_id=episode.episode_id,
                session=week_of(at.date()),
                at=at,
                kind=ObservationKind.CALENDAR,
                trust=trust,
                start=entry.start,
                moved_from=entry.moved_from,
                cancelled=entry.cancelled,
                counterparts=_others(entry.counterparts, own_names),
                topic=entry.summary,
            )
        return
    at = episode.provenance.observed_at.astimezone(zone)
    if kind is SourceKind.USER_TURN:
        yield Observation(
            episode_id=episode.episode_id,
            session=episode.conversation_id,
            at=at,
            kind=ObservationKind.MESSAGE,
            trust=trust,
        )
        for one in choices(_own_words(episode)):
            yield Observation(
                episode_id=episode.episode_id,
                session=episode.conversation_id,
                at=at,
                kind=ObservationKind.STATEMENT,
                trust=trust,
                attribute=one.attribute,
                value=one.value,
                context=one.context,
                denies=one.denies,
            )
    elif kind is SourceKind.THIRD_PARTY:
        sender = _others(names_in(episode.provenance.title or episode.provenance.actor), own_names)
        yield Observation(
            episode_id=episode.episode_id,
            session=week_of(at.date()),
            at=at,
            kind=ObservationKind.MESSAGE,
            trust=trust,
            own=False,
            counterparts=sender[:1],
        )


def _others(names: tuple[str, ...], own_names: Collection[str]) -> tuple[str, ...]:
    return tuple(one for one in names if normalise(one) not in own_names)


def _own_words(episode: Episode) -> str:
    """The turn with everything pasted or quoted blanked (rules §1.5)."""
    parts = [(one.start, one.end) for one in episode.provenance.pasted if one.why != SegmentKind.INLINE_QUOTE.value]
    if not parts:
        return episode.text
    foreign = blanked(episode.text, parts)
    return "".join(" " if other.strip() else char for char, other in zip(episode.text, foreign, strict=True))
