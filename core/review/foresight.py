"""What a ruling would do, before it is made. Writes nothing but the entry that another owner's words were read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import ChronoMemoryError, NotAuthorised
from core.gate import closed_by
from core.model import Actor, Candidate, CandidateState, Evidence, HeldItem, Memory, Ruling, RulingKind
from core.queueing import alone
from core.review.rulings import Rulings
from core.review.values import AnswerTouched, Preview, WouldChange, flags_of

ANSWERS_SHOWN = 20
QUESTION = 200  # characters of a question shown


@dataclass(frozen=True, kw_only=True, slots=True)
class Foresight(Rulings):
    """Looks ahead with the same parts that rule."""

    def would_change(self, actor: Actor, candidate_id: str) -> WouldChange:
        """What a promotion of this item would change. A look at another owner's memories is audited (rules §1.8).

        Raises:
            NotFound: nothing by that id that the actor may see.
            StoreUnavailable: the memory cannot be read now.
        """
        item = self._item(actor, candidate_id, owner=True)
        if item.state is not CandidateState.HELD:
            return WouldChange()
        candidate = item.candidate
        evidence = self.assessor.again(candidate)
        rivalry = self._rivalry(candidate, evidence)
        asks = not rivalry.wins or self._behind_the_owner(rivalry)
        ids = [] if asks else self._ended(candidate, evidence, [one.memory_id for one in rivalry.replaced])
        found = [self.store.get(candidate.scope, one) for one in ids]
        memories = tuple(one for one in found if one is not None)
        self._looked(actor, candidate, memories)
        own = actor.user_id == candidate.scope.owner
        runs = self.ledger.citing(candidate.scope, [one.memory_id for one in memories], limit=ANSWERS_SHOWN)
        return WouldChange(
            supersedes=memories,
            stays_history=not asks and rivalry.older is not None,
            asks_owner=asks,
            needs_second=self._needs_second(item, evidence),
            answers=tuple(
                AnswerTouched(
                    run_id=one.run_id, question=self._question(one.question_id) if own else "", at=one.updated_at
                )
                for one in runs
            ),
        )

    def prepare(self, actor: Actor, candidate_id: str) -> None:
        """Get ready for a look at this item: the meaning of its words, which is what `would_change` waits for longest.

        No memory is read and nothing of the item is given out, so this is no look at it.

        Raises:
            NotFound: nothing by that id that the actor may see.
        """
        self.assessor.vectors([self._item(actor, candidate_id, owner=True).candidate.text])

    def _ended(self, candidate: Candidate, evidence: Evidence, replaced: list[str]) -> list[str]:
        if not candidate.proposal.retracts:
            return replaced
        return [one.memory_id for one in closed_by(candidate, evidence)]

    def _question(self, episode_id: str) -> str:
        episode = self.ledger.episode(episode_id)
        return episode.text[:QUESTION] if episode else ""

    def _looked(self, actor: Actor, candidate: Candidate, memories: Sequence[Memory]) -> None:
        owner = candidate.scope.owner
        if memories and owner != actor.user_id:
            about = {"candidate_id": candidate.candidate_id, "memory_ids": [one.memory_id for one in memories]}
            self.enactor.note(actor=actor.user_id, action="memory:read", tenant=actor.tenant, owner=owner, about=about)

    def preview(self, actor: Actor, rulings: Sequence[Ruling]) -> list[Preview]:
        """What each of these rulings would come to in one act for all of them (`resolve_many`).

        Raises:
            NotAuthorised: the actor is no reviewer.
        """
        found = []
        for ruling in rulings:
            try:
                item = self._item(actor, ruling.candidate_id, rule=True)
            except NotAuthorised:
                raise
            except ChronoMemoryError as problem:
                found.append(Preview(candidate_id=ruling.candidate_id, text="", would="refuse", why=str(problem)))
                continue
            try:
                why = self._refused(actor, item, ruling)
            except ChronoMemoryError as problem:
                why = str(problem)
            would = "promote" if ruling.kind is RulingKind.PROMOTE else "reject"
            found.append(
                Preview(
                    candidate_id=ruling.candidate_id,
                    text=item.candidate.text,
                    would="refuse" if why else would,
                    why=why,
                )
            )
        return found

    def _refused(self, actor: Actor, item: HeldItem, ruling: Ruling) -> str:
        """Why a ruling would be refused; "" if it would be carried out."""
        if item.state is not CandidateState.HELD:
            return f"already decided: {item.state.value}"
        self._open(actor, item, ruling)
        if ruling.kind is not RulingKind.PROMOTE:
            return ""
        if alone(item.decision):
            told = flags_of(item)
            return f"flagged ({', '.join(told)})" if told else "needs a second person"
        rivalry = self._rivalry(item.candidate, self.assessor.again(item.candidate))
        if not rivalry.wins or self._behind_the_owner(rivalry):
            return "conflict with the owner: they are asked"
        return ""
