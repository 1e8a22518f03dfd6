"""Puts the auditor and the desk of questions together from parts that the bootstrap made."""

from __future__ import annotations

from dataclasses import fields

from core.evidence import Auditor, Observed, QuestionDesk
from core.evidence.auditor import AskLine
from core.evidence.keys import KeyAsker
from core.ports import Embedder
from core.review import Review
from core.review.bench import Bench


def build_auditor(review: Review, embedder: Embedder, *, below_ask_line: AskLine | None = None) -> Auditor:
    """The worker's chore, on the parts that the review desk works with.

    Args:
        review: the desk of rulings.
        embedder: compares keys.
        below_ask_line: whether a memory's confidence asks for its owner; None: nobody is asked about faded ones.
    """
    return Auditor(
        ledger=review.ledger,
        store=review.store,
        assessor=review.assessor,
        enactor=review.enactor,
        policy=review.policy,
        clock=review.clock,
        ids=review.ids,
        keys=KeyAsker(
            ledger=review.ledger,
            enactor=review.enactor,
            embedder=embedder,
            policy=review.policy,
            ids=review.ids,
        ),
        below_ask_line=below_ask_line,
    )


def build_questions(review: Review) -> QuestionDesk:
    """The desk of questions on the parts of the review desk."""
    return QuestionDesk(**{one.name: getattr(review, one.name) for one in fields(Bench)})


def build_observed(review: Review) -> Observed:
    """The desk of what was observed."""
    return Observed(accounts=review.accounts, ledger=review.ledger, policy=review.policy, clock=review.clock)


__all__ = ["build_auditor", "build_observed", "build_questions"]
