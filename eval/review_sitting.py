"""A sitting at the review desk, scripted: does a reviewer who decides by what is shown ever decide a wrong item?

    python -m eval.review_sitting [--items N] [--sources N] [--arriving N]

Two reviewers clear a queue of held items at the same time, in the order that the page offers: groups of near-duplicates
first, each with a preview and then one act; what is flagged one by one, reserved, with a reason; what needs two people
by both. Meanwhile new items arrive. Each answer is made from the words that the desk shows (`sitting_queue.knows`);
afterwards every item's state is compared, by id, with the answer it was made with.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from core.errors import ChronoMemoryError, StaleReview
from core.model import Actor, CandidateState, HeldItem, MemoryStatus, Role, Ruling, RulingKind, Scope, Verdict
from core.ports import HeldGroup
from core.review import flags_of
from eval import bench_held
from eval.installation import PASSWORD, Installation, installation
from eval.results import Row, measured, share, told, write
from eval.sitting_queue import Sheet, book, knows, sheets

GROUPS = 25  # of a page
MANY = 500  # items of a group on the page
IDLE_SECONDS = 0.2
LIMIT_SECONDS = 1800.0
WHY_NOT = "not what the site's book says"
WHY_YET = "checked against the site's book"


@dataclass(kw_only=True)
class Truth:
    """The right answer of every item, by id; written while items arrive."""

    right: dict[str, bool] = field(default_factory=dict)
    scopes: dict[str, Scope] = field(default_factory=dict)
    arriving: bool = True

    def take_in(self, made: Installation, owner: Scope, sheet: Sheet, number: int) -> None:
        """Put one source before the gate and note the answer of each line that is held.

        Raises:
            RuntimeError: a line was not held, or its words are not those it was made with.
        """
        at = made.clock.now() - timedelta(minutes=max(1, 600 - number))
        rulings = bench_held.take_in(made.layer, owner, sheet.page, at=at, conversation=f"sheet {number // 6}")
        for line, (candidate, decision) in zip(sheet.lines, rulings, strict=True):
            if decision.verdict is not Verdict.HOLD or candidate.text != line.text:
                msg = f"“{line.text}” was {decision.verdict.value} as “{candidate.text}”"
                raise RuntimeError(msg)
            self.scopes[candidate.candidate_id] = owner
            self.right[candidate.candidate_id] = line.right


@dataclass(kw_only=True)
class Reviewer:
    """One person at the desk."""

    made: Installation
    actor: Actor
    truth: Truth
    order: str
    acts: int = 0  # keys or clicks: opening a group, deciding, giving a reason; the next item comes by itself
    bulk: int = 0
    single: int = 0
    first_yes: int = 0
    refused: int = 0  # told to look again: changed, or somebody else is at it
    book: dict[str, str] = field(default_factory=book)

    def work(self) -> None:
        """Go on until nothing is left that this person could decide and nothing more arrives."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < deadline:
            arriving = self.truth.arriving
            if not self._page():
                if not arriving and not self.made.layer.review.summary(self.actor).held:
                    return
                time.sleep(IDLE_SECONDS)
        msg = "the queue was not cleared in time"
        raise RuntimeError(msg)

    def _page(self) -> bool:
        """Every group of the first page; whether anything was done."""
        groups, _ = self.made.layer.review.groups(self.actor, by="alike", order=self.order, limit=GROUPS)
        return sum(self._group(group) for group in groups) > 0  # every one of them, not up to the first

    def _group(self, group: HeldGroup) -> bool:
        items, _ = self.made.layer.review.pending(self.actor, alike=group.alike, owner=group.owner, limit=MANY)
        if not items:
            return False
        if len(items) == 1 or group.flagged:
            return sum(self._focus(item.candidate.candidate_id) for item in items) > 0
        return self._together(items)

    # --- many at once -----------------------------------------------------------------------------------------------

    def _together(self, items: Sequence[HeldItem]) -> bool:
        rulings = [self._ruling(item) for item in items]
        review = self.made.layer.review
        previews = {one.candidate_id: one for one in review.preview(self.actor, rulings)}
        go: list[Ruling] = []
        for item, ruling in zip(items, rulings, strict=True):
            preview = previews[ruling.candidate_id]
            if preview.text != item.candidate.text:
                msg = f"the preview of {ruling.candidate_id} shows other words than the list"
                raise RuntimeError(msg)
            wanted = "promote" if ruling.kind is RulingKind.PROMOTE else "reject"
            if preview.would == wanted:
                go.append(ruling)
        self.acts += 3 if go else 0  # open the group, the act, its confirmation
        done = sum(one.ok for one in review.resolve_many(self.actor, go, bulk=True)) if go else 0
        self.refused += len(go) - done
        self.bulk += done
        left = [ruling.candidate_id for ruling in rulings if ruling not in go]
        return done + sum(self._focus(one) for one in left) > 0

    # --- one by one -------------------------------------------------------------------------------------------------

    def _focus(self, candidate_id: str) -> bool:
        review = self.made.layer.review
        try:
            look = review.looks(self.actor, [candidate_id]).get(candidate_id)
            if look is None or look.reserved_by or any(one.user_id == self.actor.user_id for one in look.approvals):
                return False
            if review.reserve(self.actor, candidate_id).reserved_by:
                self.refused += 1
                return False
            item = review.item(self.actor, candidate_id)
            if item.state is not CandidateState.HELD:
                return False
            ruling = self._ruling(item, override=bool(flags_of(item)))
            self.acts += 2 if ruling.kind is RulingKind.REJECT or ruling.override else 1  # the key, and its reason
            outcome = review.resolve(self.actor, ruling)
        except StaleReview:  # changed, decided, or reserved by somebody else meanwhile
            self.refused += 1
            return False
        if outcome.state is CandidateState.HELD:
            self.first_yes += 1
            review.release(self.actor, candidate_id)
        else:
            self.single += 1
        return True

    def _ruling(self, item: HeldItem, *, override: bool = False) -> Ruling:
        """The answer to the words that were shown, bound to their version and digest."""
        candidate = item.candidate
        right = knows(candidate.text, self.book)
        return Ruling(
            candidate_id=candidate.candidate_id,
            kind=RulingKind.PROMOTE if right else RulingKind.REJECT,
            seen_version=candidate.version,
            digest=candidate.digest,
            note=WHY_YET if right else WHY_NOT,
            override=override and right,
        )


def arrive(made: Installation, owner: Scope, truth: Truth, count: int) -> None:
    """New sources of a few items each, while the reviewers work."""
    try:
        for number, sheet in enumerate(sheets(count, max(1, count // 4), seed=91, site="late")):
            time.sleep(IDLE_SECONDS)
            truth.take_in(made, owner, sheet, 1000 + number)
    finally:
        truth.arriving = False


def check(made: Installation, truth: Truth) -> list[str]:
    """Every item whose state is not its answer, a sentence each."""
    wrong = []
    for candidate_id, right in truth.right.items():
        item = made.layer.ledger.candidate(candidate_id)
        state = item.state if item else None
        if state is not (CandidateState.PROMOTED if right else CandidateState.REJECTED):
            wrong.append(f"{candidate_id} is {state}, right would be {'promoted' if right else 'rejected'}")
            continue
        memory = made.layer.store.get(truth.scopes[candidate_id], candidate_id)
        remembered = memory is not None and memory.status is MemoryStatus.ACTIVE
        if remembered is not right:
            wrong.append(f"{candidate_id} is {'' if remembered else 'not '}in memory")
    return wrong


def reviewer(made: Installation, name: str) -> Actor:
    """A new reviewer, signed in."""
    token = made.layer.accounts.invite(made.admin, Role.REVIEWER, name)
    made.layer.accounts.accept_invitation(token, name, name, PASSWORD)
    return made.sign_in(name)


def sit(made: Installation, *, items: int, sources: int, arriving: int) -> tuple[list[Reviewer], Truth, float]:
    """Fill the queue and clear it; returns the reviewers, the answers and the seconds it took to clear."""
    owner = made.person("owner").scope
    truth = Truth()
    for number, sheet in enumerate(sheets(items, sources)):
        truth.take_in(made, owner, sheet, number)
    held = made.layer.review.summary(made.admin).held
    if held != items:
        msg = f"{held} items are held, {items} were made"
        raise RuntimeError(msg)
    desk = [
        Reviewer(made=made, actor=reviewer(made, "first"), truth=truth, order="priority"),
        Reviewer(made=made, actor=reviewer(made, "second"), truth=truth, order="newest"),
    ]
    problems: list[BaseException] = []

    def run(work: Callable[..., None], *given: object) -> None:
        try:
            work(*given)
        except (ChronoMemoryError, RuntimeError) as problem:
            problems.append(problem)

    began = time.perf_counter()
    threads = [threading.Thread(target=run, args=(one.work,)) for one in desk]
    threads.append(threading.Thread(target=run, args=(arrive, made, owner, truth, arriving)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
    made.layer.drain()
    return desk, truth, time.perf_counter() - began


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; exit status 0 if every item was decided and none of them wrongly."""
    parser = argparse.ArgumentParser(prog="python -m eval.review_sitting", description=__doc__)
    parser.add_argument("--items", type=int, default=437)
    parser.add_argument("--sources", type=int, default=60)
    parser.add_argument("--arriving", type=int, default=40, help="items that come in during the sitting")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    given = parser.parse_args(arguments)
    with installation() as made:
        desk, truth, seconds = sit(made, items=given.items, sources=given.sources, arriving=given.arriving)
        wrong = check(made, truth)
        verified = made.layer.audit_desk.verify(made.admin).ok
    acts = sum(one.acts for one in desk)
    print(f"items: {given.items} of {given.sources} sources, {given.arriving} arrived meanwhile")
    print(f"cleared by two reviewers in {seconds:.0f} s with {acts} acts, {acts / len(truth.right):.2f} an item")
    for one in desk:
        print(
            f"  {one.actor.username:<7} {one.acts:>4} acts: {one.bulk} items together, {one.single} alone, "
            f"{one.first_yes} first of two, {one.refused} times told to look again"
        )
    chain = "verified" if verified else "BROKEN"
    print(f"decided wrongly or left: {len(wrong)} of {len(truth.right)}; audit chain {chain}")
    for one in wrong[:10]:
        print(f"  {one}")
    if given.out:
        n = len(truth.right)
        rows = [
            Row(claim="items", figure=n),
            Row(claim="acts", figure=acts, n=n),
            Row(claim="acts an item", figure=acts / n, n=n),
            Row(claim="seconds to clear the queue", figure=seconds, n=n, unit="s"),
            share("decided wrongly or left", len(wrong), n, aim="0", met=not wrong),
            Row(claim="audit chain verified", figure=verified, aim="1", met=verified),
        ]
        write(measured("review-sitting", told("eval.review_sitting", arguments), rows), given.out)
    return 0 if not wrong and verified else 1


if __name__ == "__main__":
    sys.exit(main())
