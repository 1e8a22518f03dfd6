"""The one `event` memory of a message that somebody else wrote: what was said, in its own words (rules §2.1, §1.8)."""

from __future__ import annotations

from collections.abc import Sequence

from core.impact import impact_of
from core.llm.rules.documents import is_order
from core.llm.rules.draft import Draft
from core.llm.rules.sentences import sentences
from core.model import MemoryKind, Provenance, SourceKind, SpeechAct

_MAX_CHARS = 1500  # as of the owner's own turns
_MAX_SENTENCES = 60
_MIN_WORDS = 3  # of a question
_BARE_QUESTION = 0.3  # importance of a message that only asks: it tells what the reply is about


def read_message(text: str, claims: Sequence[Draft], provenance: Provenance) -> list[Draft]:
    """At most one draft: the claims and questions of a message as they stand, so that they are recalled together.

    A question asserts nothing and makes no fact, but a reply means little without it. An order, or what could harm
    somebody if it were false, is not carried in by its neighbours. A single claim is an event by itself, and what is
    longer than one memory stays in its parts.

    Args:
        text: the message.
        claims: what `read_document` found in it, in order.
        provenance: the message's.
    """
    if provenance.source_kind is not SourceKind.THIRD_PARTY:
        return []
    said = {one.start: one.statement.strip() for one in claims if one.act is SpeechAct.ASSERTION}
    parts = [
        (one, said.get(one.start) or one.text.strip())
        for one in sentences(text, limit=_MAX_SENTENCES)
        if one.start in said or (one.asks and len(one.text.split()) >= _MIN_WORDS and not is_order(one.text))
    ]
    parts = [(one, words) for one, words in parts if not impact_of(words)]
    words = " ".join(words for _, words in parts)
    alone = len(parts) == 1 and not parts[0][0].asks
    if not parts or alone or len(words) > _MAX_CHARS or impact_of(words):
        return []
    return [
        Draft(
            provenance.title or provenance.source_ref or "author",
            "event",
            words,
            words,
            parts[0][0].start,
            parts[-1][0].end,
            kind=MemoryKind.EVENT,
            importance=_BARE_QUESTION if all(one.asks for one, _ in parts) else None,
        )
    ]
