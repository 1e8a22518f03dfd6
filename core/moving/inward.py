"""Takes an owner's file into this installation: verified first, then written, all of it or nothing of what counts."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.assess import Assessor
from core.errors import BadInput, ChronoMemoryError, Outdated
from core.intake import Intake
from core.lifecycle import imported
from core.model import (
    Actor,
    CandidateState,
    Conversation,
    Episode,
    MemoryStatus,
    Provenance,
    Scope,
)
from core.moving.lines import Verified, records, refuse
from core.moving.nouns import Checked, Opener, Progress, Taken
from core.moving.outward import Outward, quiet
from core.moving.plan import Plan, Reading, make_plan
from core.moving.shape import arriving
from core.moving.signing import fingerprint
from core.ports import Plain, TransferTx

BEGUN, FINISHED, CLAIMED = "import:begun", "import:finished", "import:claimed"
BATCH = 200  # texts stored in one transaction
TRIES = 4  # times that a plan is made anew when the owner's memories changed meanwhile
TELL_EVERY = 100
MANY = 1000  # audit entries of one kind looked at


@dataclass(frozen=True, kw_only=True, slots=True)
class Inward(Outward):
    """The way in."""

    intake: Intake
    assessor: Assessor

    def check(self, actor: Actor, file: Opener, *, progress: Progress = quiet) -> Checked:
        """Read a file to its end and say what it is; nothing is written.

        Raises:
            BadInput: it is altered, cut off or no such file; the message names the line.
        """
        self.accounts.authorise(actor)
        with file() as opened:
            read = Verified(opened, self.signer)
            texts: set[str] = set()
            ruled = _Ruled()
            for done, (number, kind, record) in enumerate(read.records(), start=1):
                _refer(number, kind, record, texts, ruled)
                if done % TELL_EVERY == 0:
                    progress("checking", done, 0)
        name = fingerprint(read.header["installation"]) if read.signed else ""
        return Checked(
            header=read.header,
            counts=dict(read.counts),
            content=read.content,
            digest=read.digest,
            fingerprint=name,
            trusted=self.believes(actor.tenant, name),
        )

    def take_in(self, actor: Actor, file: Opener, *, progress: Progress = quiet) -> Taken:
        """Take a file into the actor's own memory. Done twice it changes nothing; cut off, it is begun again.

        What an installation signed that an admin here trusts keeps its records, with trust capped by this policy. Of
        any other file each active memory becomes a document's claim, and the gate rules on it as on any document.

        Raises:
            BadInput: the file is not whole, belongs to somebody who was erased, or holds another person's records.
            LedgerUnavailable: nothing that counts was written; take it in again.
        """
        checked = self.check(actor, file, progress=progress)
        self._refuse_erased(actor, checked)
        if not checked.trusted:
            return self._as_claims(actor, file, checked, progress)
        if self._finished(actor, checked):
            return Taken(checked=checked, already=True)
        self._note(actor, BEGUN, checked)
        serials, places, texts = self._texts(actor, file, checked, progress)
        reading = Reading(
            file=file,
            tenant=actor.tenant,
            owner=actor.user_id,
            serials=serials,
            places=places,
            codec=self.codec,
        )
        for turn in range(TRIES):
            try:
                taken = self._rule_and_write(actor, reading, checked, texts, progress)
            except Outdated:
                if turn == TRIES - 1:
                    raise
            else:
                break
        self._relay()
        return taken

    # --- who may come in ------------------------------------------------------------------------------------------

    def _finished(self, actor: Actor, checked: Checked) -> bool:
        done, _ = self.ledger.audit(actor.tenant, owner=actor.user_id, action=FINISHED, about=checked.content, limit=1)
        return bool(done)

    def _refuse_erased(self, actor: Actor, checked: Checked) -> None:
        """Whoever was erased here, under the id they came from or the one they had here, stays erased (rules §2.9)."""
        ids = {checked.person}
        for action in (BEGUN, FINISHED, CLAIMED):
            entries, _ = self.ledger.audit(actor.tenant, action=action, about=checked.person, limit=MANY)
            ids.update(one.owner for one in entries)
        for one in ids - {actor.user_id}:
            erased, _ = self.ledger.audit(actor.tenant, owner=one, action="person:erased", limit=1)
            if erased:
                msg = "Whose memory this is was erased here, and erased stays erased. State again what should be known."
                raise BadInput(msg)

    # --- what nobody here vouches for -----------------------------------------------------------------------------

    def _as_claims(self, actor: Actor, file: Opener, checked: Checked, progress: Progress) -> Taken:
        source = f"export {checked.content[:16]}"
        claims = 0
        with file() as opened:
            for _number, _kind, record in records(opened, "memory"):
                if record.get("status") != MemoryStatus.ACTIVE.value:
                    continue
                self.intake.submit(imported(actor, record, source))
                claims += 1
                if claims % TELL_EVERY == 0:
                    progress("taking claims", claims, checked.counts["memory"])
        self._note(actor, CLAIMED, checked, claims=claims)
        return Taken(checked=checked, claims=claims)

    # --- texts first: alone they count for nothing ----------------------------------------------------------------

    def _texts(
        self, actor: Actor, file: Opener, checked: Checked, progress: Progress
    ) -> tuple[Sequence[int], dict[str, int], int]:
        """Store every raw input that is not here yet; serial numbers by rank, ranks by id, and how many were new."""
        serials, places = array("q"), dict[str, int]()
        fresh, batch = 0, list[tuple[Episode, str | None]]()

        def flush() -> None:
            nonlocal fresh
            with self.ledger.transaction() as tx:
                for episode, key in batch:
                    stored = tx.add_episode(episode, idempotency_key=key, inbox=False)
                    if stored.episode_id != episode.episode_id:  # the key names another text here
                        stored = tx.add_episode(episode, idempotency_key=None, inbox=False)
                    serials[places[episode.episode_id] - 1] = stored.serial_no
            fresh += len(batch)
            batch.clear()

        for number, record in _of(file, "episode"):
            episode, key = self._episode(actor, number, record)
            here = self.ledger.episode(episode.episode_id)
            if here is not None and here.scope != episode.scope:
                raise refuse(number, "this text belongs to another person of this installation already")
            places[episode.episode_id] = len(serials) + 1
            serials.append(here.serial_no if here else 0)
            if here is None:
                batch.append((episode, key))
            if len(batch) == BATCH:
                flush()
                progress("storing texts", len(serials), checked.counts["episode"])
        if batch:
            flush()
        return serials, places, fresh

    def _episode(self, actor: Actor, number: int, record: Plain) -> tuple[Episode, str | None]:
        scope = Scope(tenant=actor.tenant, owner=actor.user_id, agent=record["agent"])
        plain = arriving(record, scope=scope, serials=())
        try:
            made = Episode(
                episode_id=plain["episode_id"],
                scope=scope,
                conversation_id=plain["conversation_id"],
                provenance=self.codec.from_plain(Provenance, plain["provenance"]),
                text=plain["text"],
                received_at=datetime.fromisoformat(plain["received_at"]),
            )
        except (BadInput, KeyError, TypeError, ValueError) as problem:
            raise refuse(number, f"this text cannot be read ({problem})") from problem
        return made, plain["idempotency_key"]

    # --- what counts: one transaction -----------------------------------------------------------------------------

    def _rule_and_write(
        self, actor: Actor, reading: Reading, checked: Checked, texts: int, progress: Progress
    ) -> Taken:
        self._relay()
        scope = actor.scope
        epoch = self.ledger.epoch(scope)
        progress("ruling", 0, checked.counts.get("candidate", 0))
        plan = make_plan(
            reading,
            policy=self.policy,
            channel=self._channel,
            known=lambda key: self.ledger.candidate(key) is not None,
            meets=self.assessor.again if sum(self.store.count(scope).values()) else None,
            at=self.clock.now(),
            mark=f"import:{checked.content[:16]}",
        )
        waiting = [one["episode_id"] for _number, one in _of(reading.file, "episode") if one["waiting"]]
        head = ""
        for _number, entry in _of(reading.file, "audit"):
            head = f"{entry.get('seq')}:{entry.get('hash')}"
        progress("writing", 0, checked.counts.get("candidate", 0))
        with self.ledger.transaction() as tx:
            tx.check_epoch(scope, epoch)
            self._conversations(tx, reading)
            for one in reading.arrived():
                key = one.candidate.candidate_id
                if key in plan.known:
                    continue
                added = plan.added.get(key)
                tx.put_candidate(
                    one.candidate,
                    state=plan.states.get(key, one.state),
                    at=one.at,
                    updated_at=one.updated_at,
                    decisions=(*one.decisions, *((added,) if added else ())),
                    original_id=one.original_id,
                )
            for number, found in reading.effects():
                effect = plan.applies(number, found)
                if effect is not None:
                    tx.enqueue(effect)
            for effects in plan.instead.values():
                for effect in effects:
                    tx.enqueue(effect)
            for episode_id in waiting:
                tx.wait_again(episode_id)
            taken = _taken(plan, checked, texts)
            self._record(tx, actor, checked, taken, head)
        return taken

    def _conversations(self, tx: TransferTx, reading: Reading) -> None:
        for number, record in _of(reading.file, "conversation"):
            scope = reading.scope(record["agent"])
            plain = arriving(record, scope=scope, serials=())
            known = self.ledger.conversation_scope(plain["conversation_id"])
            if known is not None and known != scope:
                raise refuse(number, "this conversation belongs to another person of this installation already")
            if self.ledger.conversation(scope, plain["conversation_id"]) is not None:
                continue
            tx.put_conversation(
                Conversation(
                    conversation_id=plain["conversation_id"],
                    scope=scope,
                    title=plain["title"],
                    created_at=datetime.fromisoformat(plain["created_at"]),
                    updated_at=datetime.fromisoformat(plain["updated_at"]),
                )
            )
            if plain["deleted_at"]:
                at = datetime.fromisoformat(plain["deleted_at"])
                tx.delete_conversation(scope, plain["conversation_id"], at=at)

    def _record(self, tx: TransferTx, actor: Actor, checked: Checked, taken: Taken, head: str) -> None:
        tx.append_audit(
            at=self.clock.now(),
            actor=actor.user_id,
            action=FINISHED,
            tenant=actor.tenant,
            owner=actor.user_id,
            about=_about(checked)
            | {
                "texts": taken.texts,
                "candidates": taken.candidates,
                "held": len(taken.held),
                "lowered": taken.lowered,
                "slice": head[:200],
                "policy": self.policy.digest,
            },
            attestation="declared",
        )

    def _channel(self, episode_id: str) -> Provenance | None:
        episode = self.ledger.episode(episode_id)
        return episode.provenance if episode else None

    def _note(self, actor: Actor, action: str, checked: Checked, **more: Any) -> None:
        """One entry for a file, however often it is begun."""
        said, _ = self.ledger.audit(actor.tenant, owner=actor.user_id, action=action, about=checked.digest, limit=1)
        if not said:
            about = _about(checked) | more
            self.enactor.note(actor=actor.user_id, action=action, tenant=actor.tenant, owner=actor.user_id, about=about)

    def _relay(self) -> None:
        try:
            self.enactor.relay()
        except ChronoMemoryError as problem:
            if not problem.retry:
                raise


@dataclass(slots=True)
class _Ruled:
    """Ids of the candidates that a file names, and of the last one."""

    ids: set[str] = field(default_factory=set)
    last: str = ""


def _refer(number: int, kind: str, record: Plain, texts: set[str], ruled: _Ruled) -> None:
    """Whether what a record names stands above it.

    Raises:
        BadInput: it does not.
    """
    names = {"episode": "episode_id", "candidate": "candidate_id", "decision": "candidate_id", "effect": "memory_id"}
    if kind not in names:
        return
    key = record.get(names[kind])
    if not isinstance(key, str) or not key:
        raise refuse(number, f"this {kind} has no {names[kind]}")
    if kind == "episode":
        fine, why = key not in texts, "this text is there twice"
        texts.add(key)
    elif kind == "candidate":
        fine, why = key not in ruled.ids and record.get("episode_id") in texts, "its text is not in the file"
        ruled.ids.add(key)
        ruled.last = key
    elif kind == "decision":
        fine, why = key == ruled.last, "it does not stand below its candidate"
    else:
        fine, why = key in ruled.ids, "it changes a memory that is not in the file"
    if not fine:
        raise refuse(number, why)


def _of(file: Opener, wanted: str) -> Iterator[tuple[int, Plain]]:
    """The records of one kind, with their lines."""
    with file() as opened:
        for number, _kind, record in records(opened, wanted):
            yield number, record


def _about(checked: Checked) -> dict[str, Any]:
    """What the chain keeps of a file: digests, ids and numbers."""
    return {
        "digest": checked.digest,
        "content": checked.content,
        "installation": checked.fingerprint,
        "person": checked.person[:200],
    }


def _taken(plan: Plan, checked: Checked, texts: int) -> Taken:
    held = tuple(key for key, state in plan.states.items() if state is CandidateState.HELD)
    reasons = Counter(plan.added[key].reasons[0] for key in held if key in plan.added)
    return Taken(
        checked=checked,
        texts=texts,
        candidates=plan.fresh,
        admitted=len(plan.digests) + len(plan.instead),
        held=held,
        lowered=len(plan.trust),
        reasons=dict(reasons),
    )


__all__ = ["BEGUN", "CLAIMED", "FINISHED", "Inward"]
