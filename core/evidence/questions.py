"""The desk of open questions: a person answers about their own memory with one click (rules §3.3, §5.1).

An answer goes the way of every ruling: what becomes of held items, which memories end, whose confirmation stands
behind the chosen value, and that the question is answered, are one ledger transaction under compare-and-swap. A second
click finds it done; a crash leaves either nothing or all of it for the relay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from core.errors import BadInput, NeedsReason, NotFound, StaleReview
from core.evidence.answers import Answering
from core.evidence.values import NOT_NOW, Asked, Decided, Option, said_of_item, said_of_memory
from core.model import Actor, HeldItem
from core.ports import BOTH, NONE, LedgerTx, Question, QuestionKind, QuestionState
from core.review import flags_of
from core.sameness import same_value

SHOWN = 50  # open questions shown at a time
LATELY = 20  # settled ones
ANSWERED, UNDONE, PUT_OFF = "question:answered", "question:undone", "question:put_off"


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionDesk(Answering):
    """Everybody sees and answers the questions about their own memory, and nobody else's."""

    def waiting(self, actor: Actor) -> list[Asked]:
        """The actor's open questions that are not put off, the oldest first.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        self.accounts.authorise(actor)
        now = self.clock.now()
        found = self.ledger.questions(actor.tenant, actor.user_id, states=(QuestionState.OPEN,), limit=SHOWN)
        shown = sorted(
            (one for one in found if one.until is None or one.until <= now),
            key=lambda one: (one.opened_at, one.slot_key),
        )
        return [asked for asked in map(self._asked, shown) if asked is not None]

    def about(self, actor: Actor, slots: Sequence[str]) -> list[Asked]:
        """The open questions on some slots: what a turn's answer was built on.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        wanted = set(slots)
        return [one for one in self.waiting(actor) if one.question.slot_key in wanted] if wanted else []

    def touching(self, actor: Actor, memory_ids: Sequence[str]) -> list[Asked]:
        """The open questions that one of these memories is part of, or in whose slot it stands.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        named = {f"memory:{one}" for one in memory_ids}
        return [one for one in self.waiting(actor) if named.intersection(one.question.options)] if named else []

    def put_off(self, actor: Actor) -> int:
        """How many questions the actor put off.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        self.accounts.authorise(actor)
        now = self.clock.now()
        found = self.ledger.questions(actor.tenant, actor.user_id, states=(QuestionState.OPEN,), limit=SHOWN)
        return sum(one.until is not None and one.until > now for one in found)

    def decided(self, actor: Actor) -> list[Decided]:
        """What was settled lately, by the actor or by the evidence, the last first.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        self.accounts.authorise(actor)
        since = self.clock.now() - timedelta(days=self.policy.questions.decided_days)
        states = (QuestionState.ANSWERED, QuestionState.CLOSED)
        found = self.ledger.questions(actor.tenant, actor.user_id, states=states, limit=LATELY)
        return [self._settled(one) for one in found if one.updated_at >= since]

    # --- answers --------------------------------------------------------------------------------------------------

    def answer(self, actor: Actor, question_id: str, choice: str, *, seen_version: int) -> Question:
        """Answer one's own question; a second click on the same answer is answered and not done again.

        Args:
            actor: the owner of the memory that it is about.
            question_id: the question.
            choice: an option's name, BOTH, NONE or NOT_NOW.
            seen_version: the version that was shown.

        Raises:
            NotAuthorised: the actor is signed out.
            NotFound: no such question of the actor's.
            StaleReview: it changed after it was shown, or was answered otherwise; nothing was written.
            BadInput: that is not among its answers.
            NeedsReason: what would be taken in is flagged: it is answered on the review page.
        """
        question = self._own(actor, question_id)
        if (question.answer, question.answered_by, question.version) == (choice, actor.user_id, seen_version + 1):
            return question
        if question.state is not QuestionState.OPEN or question.version != seen_version:
            msg = "This question changed after it was shown. Look again before you answer."
            raise StaleReview(msg)
        if choice == NOT_NOW:
            return self._later(actor, question)
        for _ in range(self.races):
            asked = self._asked(question)
            if asked is None:
                msg = "Nothing of this question stands any more: the evidence has decided it."
                raise StaleReview(msg)
            self._check(asked, choice)
            done = self._written(actor, asked, choice)
            if done is not None:
                self._relay_soon()
                return done
        msg = "Your memory changed while you answered. Answer once more."
        raise StaleReview(msg)

    def _check(self, asked: Asked, choice: str) -> None:
        named = {one.name: one for one in asked.options}
        if choice not in (named.keys() | {NONE} | ({BOTH} if asked.both else set())):
            msg = "That is not one of the answers to this question."
            raise BadInput(msg)
        taken_in = [named[choice]] if choice in named else list(named.values()) if choice == BOTH else []
        flagged = sorted({flag for one in taken_in if not one.current for flag in one.flagged})
        if flagged:
            msg = f"This is flagged ({', '.join(flagged)}): answer on the Review page, where you can say why."
            raise NeedsReason(msg)

    def _later(self, actor: Actor, question: Question) -> Question:
        now = self.clock.now()
        until = now + timedelta(days=self.policy.questions.later_days)
        later = replace(question, until=until, updated_at=now)

        def write(tx: LedgerTx) -> int:
            return tx.move_question(later, seen_version=question.version)

        version = self.enactor.beside(
            actor,
            write,
            owner=actor.user_id,
            action=PUT_OFF,
            about={"question_id": question.question_id, "until": f"{until:%Y-%m-%dT%H:%M}Z"},
        )
        return replace(later, version=version)

    def _written(self, actor: Actor, asked: Asked, choice: str) -> Question | None:
        """The answer as it stands in the ledger; None if the owner's memories changed meanwhile."""
        question = asked.question
        epoch = self.ledger.epoch(question.scope)
        written = self._rulings(actor, asked, choice, epoch)
        answered = replace(
            question,
            state=QuestionState.ANSWERED,
            answer=choice,
            answered_by=actor.user_id,
            updated_at=self.clock.now(),
            until=None,
        )
        about = {
            "question_id": question.question_id,
            "answer": choice if not choice.startswith("key:") else "same",
            "ruled": [one.candidate.candidate_id for one in written.acts],
            "stated": list(written.stated),
            "policy": self.policy.digest,
        }
        if not self._commit_answer(actor, question.scope, written, answered, action=ANSWERED, about=about):
            return None
        return replace(answered, version=question.version + 1)

    # --- taking back ----------------------------------------------------------------------------------------------

    def take_back(self, actor: Actor, question_id: str) -> Question:
        """Take one's own answer back within the policy's minutes: what it ended stands again, the question is open.

        Raises:
            NotAuthorised, NotFound: as `answer`.
            BadInput: there is no answer of the actor's to take back, or it is too late.
            StaleReview: what it decided went on since; nothing was written.
        """
        question = self._own(actor, question_id)
        if question.state is not QuestionState.ANSWERED or question.answered_by != actor.user_id:
            msg = "There is no answer of yours to take back."
            raise BadInput(msg)
        if not self._undoable(question):
            minutes = f"{self.policy.review.undo_minutes:.0f}"
            msg = f"An answer can be taken back for {minutes} minutes; correct or forget the memory instead."
            raise BadInput(msg)
        if self.ledger.open_question(question.scope, question.slot_key) is not None:
            msg = "There is a newer question on this already. Answer that one."
            raise StaleReview(msg)
        epoch = self.ledger.epoch(question.scope)
        entries, _ = self.ledger.audit(actor.tenant, owner=actor.user_id, action=ANSWERED, about=question_id, limit=1)
        written = self._reversed(actor, question, entries[0], epoch)
        opened = replace(
            question, state=QuestionState.OPEN, answer="", answered_by="", updated_at=self.clock.now(), until=None
        )
        about = {"question_id": question_id, "ruled": [one.candidate.candidate_id for one in written.acts]}
        if not self._commit_answer(actor, question.scope, written, opened, action=UNDONE, about=about):
            msg = "Your memory changed meanwhile. Look again."
            raise StaleReview(msg)
        self._relay_soon()
        return replace(opened, version=question.version + 1)

    def _undoable(self, question: Question) -> bool:
        """Whether an answer can still be taken back; that two keys are one can be at any time: nothing was replaced."""
        window = timedelta(minutes=self.policy.review.undo_minutes)
        in_time = question.kind is QuestionKind.SAME_KEY or self.clock.now() <= question.updated_at + window
        return question.state is QuestionState.ANSWERED and in_time

    # --- what is shown --------------------------------------------------------------------------------------------

    def _own(self, actor: Actor, question_id: str) -> Question:
        self.accounts.authorise(actor)
        found = self.ledger.question(question_id)
        if found is None or (found.scope.tenant, found.scope.owner) != (actor.tenant, actor.user_id):
            msg = "There is no such question."
            raise NotFound(msg)
        return found

    def _asked(self, question: Question) -> Asked | None:
        """A question with its words, read where they stand; None if nothing of it stands any more."""
        if question.kind is QuestionKind.SAME_KEY:
            return self._asked_of_keys(question)
        memories, items = self._live(question)
        if not memories and not items:
            return None
        subject, attribute = question.slot_key.rpartition("|")[::2]
        options: list[Option] = []
        for value, said, flagged in (
            *((one.value, said_of_memory(one), ()) for one in memories),
            *((one.candidate.proposal.value, said_of_item(one), _flags(one)) for one in items),
        ):
            same = next((at for at, one in enumerate(options) if value and same_value(one.value, value)), None)
            if same is None:
                current = said.name.startswith("memory:")
                options.append(Option(name=said.name, value=value, said=(said,), current=current, flagged=flagged))
            else:
                options[same] = replace(options[same], said=(*options[same].said, said))
        closes = any(one.candidate.proposal.retracts for one in items)
        return Asked(
            question=question,
            subject=subject,
            attribute=attribute,
            options=tuple(options),
            both=len(options) > 1 and not closes,
        )

    def _settled(self, question: Question) -> Decided:
        subject, attribute = question.slot_key.rpartition("|")[::2]
        keys = question.kind is QuestionKind.SAME_KEY
        return Decided(
            question=question,
            subject="" if keys else subject,
            attribute="" if keys else attribute,
            chosen=self._chosen(question),
            undoable=self._undoable(question),
        )

    def _chosen(self, question: Question) -> str:
        sort, _, name = question.answer.partition(":")
        if sort == "memory":
            memory = self.store.get(question.scope, name)
            return memory.text if memory is not None else ""
        if sort == "candidate":
            item = self.ledger.candidate(name)
            return item.candidate.text if item is not None else ""
        return ""


def _flags(item: HeldItem) -> tuple[str, ...]:
    return tuple(one for one in flags_of(item) if one != "ask_owner")


__all__ = ["ANSWERED", "PUT_OFF", "UNDONE", "QuestionDesk"]
