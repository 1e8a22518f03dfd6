"""What waits for a reviewer, judged again by the policy in force: an admin's act, never a consequence by itself."""

from __future__ import annotations

from dataclasses import dataclass

from core.accounts import Accounts
from core.acts import Act
from core.assess import Assessor
from core.enact import Enactor
from core.errors import NotFound, Outdated, Reserved, StaleReview
from core.gate import decide
from core.model import Actor, CandidateState, HeldItem, Role, Verdict
from core.policy import Policy
from core.ports import Clock, HeldFilter, Ids, Ledger

RACES = 5  # times that one item is judged again because the owner's memories changed meanwhile
PAGE = 200  # held items read at a time
AGAIN = "policy:held_judged_again"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejudged:
    """What became of the held items."""

    looked_at: int
    released: tuple[str, ...]  # candidate ids that went into memory


@dataclass(frozen=True, kw_only=True, slots=True)
class Rejudge:
    """Runs the gate once more on held items, on evidence as it stands now."""

    accounts: Accounts
    ledger: Ledger
    assessor: Assessor
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids

    def held(self, actor: Actor) -> Rejudged:
        """Release what the policy in force would admit; all else stays held as it is, for a person.

        The gate turns nothing away here, and what was held because a part had failed stays held: no policy mends that
        (rules §1.12). A second call finds nothing more to release.

        Raises:
            NotAuthorised: the actor is no admin.
            StoreUnavailable: what was released until then stays so; call again.
        """
        self.accounts.authorise(actor, Role.ADMIN)
        items = [one for one in self._waiting(actor.tenant) if one.decision.by == "policy"]
        released = [one.candidate.candidate_id for one in items if self._released(actor, one)]
        self.enactor.note(
            actor=actor.user_id,
            action=AGAIN,
            tenant=actor.tenant,
            owner="",
            about={"policy": self.policy.digest, "looked_at": len(items), "released": len(released)},
        )
        self.enactor.relay()
        return Rejudged(looked_at=len(items), released=tuple(released))

    def _waiting(self, tenant: str) -> list[HeldItem]:
        found: list[HeldItem] = []
        while True:
            page, total = self.ledger.held(HeldFilter(tenant=tenant), limit=PAGE, offset=len(found))
            found += page
            if not page or len(found) >= total:
                return found

    def _released(self, actor: Actor, item: HeldItem) -> bool:
        if item.decision.evidence.gaps:
            return False
        for _ in range(RACES):
            if self.ledger.waiting(item.candidate.scope):
                self.enactor.relay()
            try:
                evidence = self.assessor.again(item.candidate)
                decision = decide(
                    item.candidate,
                    evidence,
                    self.policy,
                    at=self.clock.now(),
                    by="policy",
                    decision_id=self.ids.new(),
                )
                if decision.verdict is not Verdict.ADMIT:
                    return False
                self.enactor.commit_ruling(
                    actor,
                    [
                        Act(
                            candidate=item.candidate,
                            decision=decision,
                            state=CandidateState.ADMITTED,
                            action="released",
                        )
                    ],
                )
            except Outdated:
                continue
            except (NotFound, Reserved, StaleReview):  # erased, or a person is at it or ruled on it meanwhile
                return False
            return True
        return False


__all__ = ["Rejudge", "Rejudged"]
