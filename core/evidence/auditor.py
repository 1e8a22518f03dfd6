"""The evidence auditor: a chore of the worker that looks at every slot that was touched (rules §3.3, §5.2).

It reads the audit chain on from where it stopped, so nothing is missed over a restart and nothing is looked at twice
for nothing. For each slot: what was held for a contradiction alone is judged again on the evidence as it stands now,
by the same gate; what the evidence still cannot decide becomes one open question to the owner, and a question that it
has decided closes. It never takes in what is flagged, of an impact tier, or against a rival of higher trust: the gate
holds those.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from core.aliases import family
from core.assess import Assessor
from core.conflict import contest, rivals_of
from core.enact import Enactor
from core.errors import NotFound, Outdated, StaleReview
from core.evidence.keys import KeyAsker
from core.gate import decide
from core.model import (
    AuditEntry,
    Decision,
    Evidence,
    HeldItem,
    Memory,
    MemoryKind,
    MemoryStatus,
    Scope,
    Verdict,
)
from core.policy import Policy
from core.ports import (
    Clock,
    Ids,
    Ledger,
    LedgerTx,
    MemoryReader,
    Question,
    QuestionKind,
    QuestionState,
)
from core.review import asked_of_owner
from core.sameness import same_value
from core.slots import is_multi_valued
from core.slots import slot_key as key_of

READER = "auditor"  # its name in the ledger's table of readers of the chain
BATCH = 200  # audit entries read at a time
RACES = 3  # times that one item is judged again because the owner's memories changed meanwhile
TOUCHING = ("candidate:", "memory:", "question:")
QUIET = frozenset(
    {
        "candidate:read",
        "candidate:refused",
        "candidate:approved",
        "question:opened",
        "question:changed",
        "question:closed",
        "question:put_off",
    }
)
USED = "memory:recalled"
CONTESTED = ("conflict",)  # the only reason that evidence can take away

AskLine = Callable[[Memory, datetime, Policy], bool]
"""Whether a memory's confidence lies below the line from which a person is asked (rules §5.2)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Auditor:
    """A chore of the worker."""

    ledger: Ledger
    store: MemoryReader
    assessor: Assessor
    enactor: Enactor
    policy: Policy
    clock: Clock
    ids: Ids
    keys: KeyAsker | None = None
    below_ask_line: AskLine | None = None  # None: nobody is asked about faded memories
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run_once(self) -> bool:
        """Look at what the next entries of the chain touched; False if there were none.

        Raises:
            LedgerUnavailable, StoreUnavailable: the same entries are looked at again at the next call.
        """
        with self._lock:
            entries = self.ledger.audit_after(self.ledger.cursor(READER), limit=BATCH)
            if not entries:
                return False
            touched, used = self._touched(entries)
            for scope, key in touched:
                self.look(scope, key)
                if self.keys is not None:
                    self.keys.look(scope, key, at=self.clock.now())
            for memory_id, scope in used.items():
                self._faded(scope, memory_id)
            self.enactor.note_read(READER, entries[-1].seq)
            return bool(touched or used) or len(entries) == BATCH

    def _touched(self, entries: Sequence[AuditEntry]) -> tuple[list[tuple[Scope, str]], dict[str, Scope]]:
        """The slots that entries are about, each once, and the memories that answers used."""
        slots: dict[tuple[Scope, str], None] = {}
        used: dict[str, Scope] = {}
        for entry in entries:
            if not entry.owner or not entry.action.startswith(TOUCHING) or entry.action in QUIET:
                continue
            asked = self.ledger.question(str(entry.about["question_id"])) if "question_id" in entry.about else None
            if asked is not None:
                slots |= {(asked.scope, key): None for key in _slots_of(asked)}
            named = [
                str(one) for one in (entry.about.get("candidate_id", ""), *entry.about.get("memory_ids", ())) if one
            ]
            for one in dict.fromkeys(named):
                item = self.ledger.candidate(one)
                if item is None or (item.candidate.scope.tenant, item.candidate.scope.owner) != (
                    entry.tenant,
                    entry.owner,
                ):
                    continue
                if entry.action == USED:
                    used[one] = item.candidate.scope
                elif item.candidate.proposal.kind is not MemoryKind.EVENT:
                    slots[item.candidate.scope, slot_of(item)] = None
        return list(slots), used

    # --- one slot -------------------------------------------------------------------------------------------------

    def look(self, scope: Scope, slot_key: str) -> None:
        """Judge what evidence can decide in one slot now; ask, or stop asking, about the rest."""
        if self.ledger.waiting(scope):  # the store must hold what was decided before it is read
            self.enactor.relay()
        keys = family(self.ledger.aliases(scope), slot_key)
        held = [item for key in keys for item in self.ledger.held_of_slot(scope, key)]
        left = [item for item in held if not self._decided(item)]
        asked = [one for one in left if "conflict" in one.decision.reasons and asked_of_owner(one)]
        current = self._current(scope, keys)
        if asked:
            kind, options = QuestionKind.CONFLICT, self._options(asked, current)
        elif len(distinct(current)) > 1:
            kind, options = QuestionKind.COMPETING, tuple(f"memory:{one.memory_id}" for one in current)
        else:
            self._close(scope, keys, [f"memory:{one.memory_id}" for one in current])
            return
        self._ask(scope, keys[0], kind, options)

    def _current(self, scope: Scope, keys: Sequence[str]) -> list[Memory]:
        """What holds a single-valued slot now; a multi-valued one has no rivals."""
        rows = [one for key in keys for one in self.store.slot(scope, key)]
        facts = [one for one in rows if one.kind is not MemoryKind.EVENT and not is_multi_valued(one.attribute)]
        return sorted(facts, key=lambda one: (one.stated_at, one.memory_id))

    def _options(self, asked: Sequence[HeldItem], current: Sequence[Memory]) -> tuple[str, ...]:
        """What a conflict is between: the memories that stand in the way first, then what is held, in order."""
        standing = {one.memory_id: None for one in current}
        for item in asked:
            rivals = rivals_of(item.candidate, item.decision.evidence, self.policy.conflict)
            standing |= {one.memory_id: None for one in rivals}
        rows = [self.store.get(asked[0].candidate.scope, one) for one in standing]
        live = [one.memory_id for one in rows if one is not None and one.status is MemoryStatus.ACTIVE]
        return (
            *(f"memory:{one}" for one in live),
            *(f"candidate:{one.candidate.candidate_id}" for one in asked),
        )

    # --- what evidence decides ----------------------------------------------------------------------------------

    def _decided(self, item: HeldItem) -> bool:
        """Whether the evidence decided a held item just now, and it went into memory or its history."""
        if item.decision.reasons != CONTESTED or item.decision.by != "policy":
            return False  # anything else that holds it is a person's matter, and so is what a person put to the owner
        for _ in range(RACES):
            try:
                evidence = self.assessor.again(item.candidate)
                why = self.reason(item, evidence)
                decision = self._decision(item, evidence)
                if not why or decision.verdict is not Verdict.ADMIT:
                    return False
                self.enactor.commit_evidence(item, decision, why=why)
                self.enactor.relay()
            except Outdated:
                if self.ledger.waiting(item.candidate.scope):
                    self.enactor.relay()
                continue
            except (NotFound, StaleReview):  # erased, or a person ruled on it meanwhile
                return True
            return True
        return False

    def _decision(self, item: HeldItem, evidence: Evidence) -> Decision:
        decision = decide(
            item.candidate, evidence, self.policy, at=self.clock.now(), by="policy", decision_id=self.ids.new()
        )
        cluster = item.decision.evidence.cluster  # it stays where it was listed
        return replace(decision, evidence=replace(decision.evidence, cluster=cluster))

    def reason(self, item: HeldItem, evidence: Evidence) -> str:
        """Why evidence decides a held statement now; "" if it does not.

        "agrees": what is remembered says the same by now. "stray": what it contradicts was supported again since, so
        it is history. "sustained": enough independent origins spoke for it since the incumbent's last support.
        """
        if any(one.same_value and one.status is MemoryStatus.ACTIVE for one in evidence.incumbents):
            return "agrees"
        fought = contest(item.candidate, evidence, rules=self.policy.conflict, at=self.clock.now())
        if not fought.rivals or not fought.wins:
            return ""  # nothing stands against it any more: letting it in unasked would surprise
        if fought.older is not None:
            return "stray"
        return "sustained" if self.policy.conflict.policy == "sustained" else ""

    # --- what is asked --------------------------------------------------------------------------------------------

    def _ask(self, scope: Scope, key: str, kind: QuestionKind, options: tuple[str, ...]) -> None:
        """Open the slot's question, or bring it up to date; what the owner settled so once is not asked again."""
        standing, at = self.ledger.open_question(scope, key), self.clock.now()
        if kind is QuestionKind.COMPETING and any(
            set(options) <= set(one.options) for one in self.ledger.answered(scope, key)
        ):
            return
        if kind is QuestionKind.COMPETING and self._both_true(scope, options):
            return
        about = {"slot_options": list(options), "kind": kind.value}
        if standing is None:
            if kind is not QuestionKind.CONFLICT and self._full(scope):
                return
            fresh = Question(
                question_id=self.ids.new(),
                scope=scope,
                kind=kind,
                slot_key=key,
                options=options,
                opened_at=at,
                updated_at=at,
            )
            self.enactor.write_question(
                scope,
                lambda tx: tx.add_question(fresh),
                action="question:opened",
                about={"question_id": fresh.question_id, **about},
            )
        elif (standing.kind, standing.options) != (kind, options):
            changed = replace(standing, kind=kind, options=options, updated_at=at)
            self._move(standing, changed, action="question:changed", about=about)

    def _both_true(self, scope: Scope, options: Sequence[str]) -> bool:
        """Whether a person said of one of these memories that it and what it contradicts are both true."""
        ids = [one.partition(":")[2] for one in options]
        return any(
            self.ledger.audit(scope.tenant, owner=scope.owner, action="candidate:both", about=one, limit=1)[1]
            for one in ids
        )

    def _full(self, scope: Scope) -> bool:
        waiting = self.ledger.questions(scope.tenant, scope.owner, states=(QuestionState.OPEN,))
        return len(waiting) >= self.policy.questions.max_open

    def _close(self, scope: Scope, keys: Sequence[str], current: Sequence[str]) -> None:
        """The evidence has decided, or nothing of the question stands any more."""
        for key in keys:
            standing = self.ledger.open_question(scope, key)
            if standing is None or standing.kind is QuestionKind.SAME_KEY:
                continue
            if standing.kind is QuestionKind.FADED and set(standing.options) <= set(current):
                memory = self.store.get(scope, standing.options[0].partition(":")[2])
                if memory is not None and self._asks(memory):
                    continue
            closed = replace(standing, state=QuestionState.CLOSED, why="settled", updated_at=self.clock.now())
            self._move(standing, closed, action="question:closed", about={"why": "settled"})

    def _move(self, before: Question, after: Question, *, action: str, about: Mapping[str, object]) -> None:
        def write(tx: LedgerTx) -> bool:
            tx.move_question(after, seen_version=before.version)
            return True

        try:
            self.enactor.write_question(
                before.scope, write, action=action, about={"question_id": before.question_id, **about}
            )
        except StaleReview:  # its owner answered at this moment
            return

    def _faded(self, scope: Scope, memory_id: str) -> None:
        """Ask about a memory that answers use while its confidence lies below the line (rules §5.2)."""
        memory = self.store.get(scope, memory_id)
        if memory is None or memory.status is not MemoryStatus.ACTIVE or memory.kind is MemoryKind.EVENT:
            return
        if not self._asks(memory) or self._full(scope):
            return
        key = family(self.ledger.aliases(scope), memory.slot_key)[0]
        since = self.clock.now() - timedelta(days=self.policy.questions.ask_again_days)
        lately = [one for one in self.ledger.answered(scope, key) if one.updated_at >= since]
        if not lately and self.ledger.open_question(scope, key) is None:
            self._ask(scope, key, QuestionKind.FADED, (f"memory:{memory_id}",))

    def _asks(self, memory: Memory) -> bool:
        return self.below_ask_line is not None and self.below_ask_line(memory, self.clock.now(), self.policy)


def slot_of(item: HeldItem) -> str:
    """The slot that a candidate belongs to."""
    proposal = item.candidate.proposal
    return key_of(proposal.subject, proposal.attribute)


def _slots_of(question: Question) -> list[str]:
    """The slots that a question is about."""
    if question.kind is QuestionKind.SAME_KEY:
        return [one.removeprefix("key:") for one in question.options]
    return [question.slot_key]


def distinct(current: Sequence[Memory]) -> list[list[Memory]]:
    """Memories by what they say: one list a value."""
    groups: list[list[Memory]] = []
    for memory in current:
        same = next((one for one in groups if same_value(one[0].value, memory.value)), None)
        if same is None:
            groups.append([memory])
        else:
            same.append(memory)
    return groups


__all__ = ["AskLine", "Auditor", "distinct", "slot_of"]
