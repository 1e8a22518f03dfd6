"""The one `event` memory of a message that somebody else wrote: what they said, in their own words (rules §2.1, §1.8)."""

from __future__ import annotations

from collections.abc import Sequence

from core.impact import impact_of
from core.llm.rules.draft import Draft
from core.model import MemoryKind, Provenance, SourceKind, SpeechAct

_MAX_CHARS = 1500  # as of the owner's own turns


def read_message(claims: Sequence[Draft], provenance: Provenance) -> list[Draft]:
    """At most one draft: the claims of a message as they stand, so that what belongs together is recalled together.

    Only of sentences that could be kept one by one anyway: an order, a question or what could harm somebody is not
    carried in by its neighbours. A single claim is its own event, and what is longer than one memory stays in parts.

    Args:
        claims: what `read_document` found in the message, in order.
        provenance: the message's.
    """
    if provenance.source_kind is not SourceKind.THIRD_PARTY:
        return []
    said = [one for one in claims if one.act is SpeechAct.ASSERTION and not impact_of(one.statement)]
    words = " ".join(one.statement.strip() for one in said)
    if len(said) <= 1 or len(words) > _MAX_CHARS or impact_of(words):
        return []
    return [
        Draft(
            provenance.title or provenance.source_ref or "author",
            "event",
            words,
            words,
            said[0].start,
            said[-1].end,
            kind=MemoryKind.EVENT,
        )
    ]
