"""The history of one key, told from the ledger: every statement and ruling in order, and what was current when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.accounts import Accounts
from core.errors import BadInput, NotFound
from core.model import Actor, CandidateState, Decision, EffectKind, HeldItem, Role, Scope, sha256_text
from core.ports import Ledger
from core.sessions import Audit
from core.slots import slot_key

MOST = 200  # statements of one key
ENDS = frozenset(
    {EffectKind.SUPERSEDE, EffectKind.RETRACT, EffectKind.ARCHIVE, EffectKind.TOMBSTONE, EffectKind.REMOVE}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyEvent:
    """One thing that happened to a key. Words are "" where the reader has no right to them."""

    at: datetime
    act: str  # "admit", "hold", "reject" by the gate or a person; else an audit action
    by: str
    item_id: str
    text: str
    reasons: tuple[str, ...] = ()
    policy_digest: str = ""
    seq: int = 0  # audit entry, where the event is one
    current: tuple[tuple[str, str], ...] = ()  # (memory id, words) of what was current right after it


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyHistory:
    """A key with all that happened to it, oldest first."""

    scope: Scope
    slot: str  # normalised subject|attribute
    statements: int
    events: tuple[KeyEvent, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyHistories:
    """Tells histories. Each call authorises its actor itself."""

    accounts: Accounts
    ledger: Ledger
    audit: Audit

    def of_key(self, actor: Actor, subject: str, attribute: str) -> KeyHistory:
        """The history of a key in the actor's own memory.

        Raises:
            NotAuthorised: the actor is signed out.
            BadInput: subject or attribute is empty.
        """
        self.accounts.authorise(actor)
        if not subject.strip() or not attribute.strip():
            msg = "Name a subject and an attribute, such as user | diet."
            raise BadInput(msg)
        return self._told(actor.scope, slot_key(subject.strip(), attribute.strip()), readable=None)

    def of_item(self, actor: Actor, item_id: str) -> KeyHistory:
        """The history of the key that an item or memory belongs to: the actor's own, or for reviewers of the tenant.

        Of another person's key a reviewer reads the item itself and what is held; the look is audited (rules §1.8).

        Raises:
            NotAuthorised: the actor is signed out.
            NotFound: no such item in the actor's reach.
        """
        person = self.accounts.authorise(actor)
        item = self.ledger.candidate(item_id.strip())
        own = item is not None and item.candidate.scope == actor.scope
        ruled = item is not None and item.candidate.scope.tenant == person.tenant and person.role is not Role.MEMBER
        if item is None or not (own or ruled):
            msg = "There is no item of that id."
            raise NotFound(msg)
        candidate = item.candidate
        slot = slot_key(candidate.proposal.subject, candidate.proposal.attribute)
        if not own:
            self.audit(
                actor=person.user_id,
                action="candidate:read",
                tenant=person.tenant,
                owner=candidate.scope.owner,
                about={"candidate_id": candidate.candidate_id, "slot": sha256_text(slot)},
            )
        return self._told(candidate.scope, slot, readable=None if own else frozenset({candidate.candidate_id}))

    def _told(self, scope: Scope, slot: str, *, readable: frozenset[str] | None) -> KeyHistory:
        items = self.ledger.items_of_slot(scope, slot, limit=MOST)
        words = {one.candidate.candidate_id: _words(one, readable) for one in items}
        happened: list[tuple[KeyEvent, list[tuple[EffectKind, str]]]] = []
        for item in items:
            happened += [
                (_ruled(decision, words), [(one.kind, one.memory_id) for one in decision.effects])
                for decision in self.ledger.decisions(item.candidate.candidate_id)
            ]
            happened += self._acts(scope, item.candidate.candidate_id, words)
        happened.sort(key=lambda one: one[0].at)
        return KeyHistory(scope=scope, slot=slot, statements=len(items), events=tuple(_current(happened, words)))

    def _acts(
        self, scope: Scope, item_id: str, words: dict[str, str]
    ) -> list[tuple[KeyEvent, list[tuple[EffectKind, str]]]]:
        """What was done to a memory without a new statement: forgotten, restored, archived, corrected, pinned."""
        entries, _ = self.ledger.audit(scope.tenant, owner=scope.owner, action="memory:", about=item_id, limit=MOST)
        found = []
        for one in entries:
            if one.action == "memory:recalled":
                continue
            kinds = [EffectKind(kind) for kind in one.about.get("effects", ())]
            done = [pair for pair in zip(kinds, one.about.get("memory_ids", ()), strict=False) if pair[1] == item_id]
            event = KeyEvent(at=one.at, act=one.action, by=one.actor, item_id=item_id, text=words[item_id], seq=one.seq)
            found.append((event, done))
        return found


def _words(item: HeldItem, readable: frozenset[str] | None) -> str:
    may = readable is None or item.state is CandidateState.HELD or item.candidate.candidate_id in readable
    return item.candidate.text if may else ""


def _ruled(decision: Decision, words: dict[str, str]) -> KeyEvent:
    return KeyEvent(
        at=decision.at,
        act=decision.verdict.value,
        by=decision.by,
        item_id=decision.candidate_id,
        text=words[decision.candidate_id],
        reasons=decision.reasons,
        policy_digest=decision.policy_digest,
    )


def _current(
    happened: Sequence[tuple[KeyEvent, list[tuple[EffectKind, str]]]], words: dict[str, str]
) -> list[KeyEvent]:
    """Replays the effects in order: what an event brings in, what it ends."""
    now: dict[str, str] = {}
    told = []
    for event, effects in happened:
        for kind, memory_id in effects:
            if kind in (EffectKind.ACTIVATE, EffectKind.RESTORE) and memory_id in words:
                now[memory_id] = words[memory_id]
            elif kind in ENDS:
                now.pop(memory_id, None)
        told.append(replace(event, current=tuple(now.items())))
    return told


__all__ = ["KeyEvent", "KeyHistories", "KeyHistory"]
