"""Which held claims are one claim in near-identical words, so that one look can decide them all. Pure.

Deciding seven claims at once must never promote a different one. So two are alike only if they say the same things in
the same order: every telling word, figure, name and denial. Only case, spelling of literals, punctuation that ends
nothing, articles and words of courtesy may differ. A wrong "different" costs a second look, a wrong "alike" would put a
claim into memory that nobody read.
"""

from __future__ import annotations

import re
from datetime import datetime

from core.literals import figures, literals, negated
from core.model import Proposal
from core.pieces import Piece, pieces_of
from core.slots import slot_key
from core.spans import similarity
from core.wording import mark, shown

ALIKE = 0.6
"""Share of three-word shingles that two statements have in common to be one claim, whatever else they share."""

_COURTESY = frozenset({"the", "a", "an", "please", "kindly", "also", "too", "indeed"})
_PUNCTUATION = re.compile(r"""[\w\s.,;:!()\[\]"'’‘“”„«»…–—-]""")  # what may differ; "?", "≠", "→" and the like may not


def signature(proposal: Proposal) -> str:
    """What a claim says, in one spelling: two claims can only be alike if theirs are the same."""
    text = proposal.statement
    told = [_spelled(piece) for piece in pieces_of(text) if piece.kind != "mark" and piece.text not in _COURTESY]
    signs = "".join(char for char in shown(text) if not _PUNCTUATION.match(char))
    names = ",".join(sorted(literals(text) - figures(text)))
    stands = (
        proposal.kind.value,
        proposal.speech_act.value,
        slot_key(proposal.subject, proposal.attribute),
        str(proposal.retracts),
        str(negated(text)),
        *(_when(at) for at in (proposal.valid_at, proposal.invalid_at, proposal.expires_at)),
    )
    return "\x1f".join((*stands, names, signs, *told))


def alike_mark(proposal: Proposal) -> int:
    """The signature as a number of 63 bits: what a ledger can index, and from which no words are read back."""
    return mark(signature(proposal))


def alike(one: Proposal, first: Proposal) -> bool:
    """Whether a claim joins the group that `first` began."""
    if signature(one) != signature(first):
        return False
    return one.statement == first.statement or similarity(one.statement, first.statement) >= ALIKE


def _spelled(piece: Piece) -> str:
    return f"{piece.kind}:{piece.text}:{piece.unit}"


def _when(at: datetime | None) -> str:
    """A day is enough: the same deadline read at two times of one day is one."""
    return f"{at:%Y-%m-%d}" if at else ""


__all__ = ["ALIKE", "alike", "alike_mark", "signature"]
