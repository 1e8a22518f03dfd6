"""Changing the policy: a dry run over what really happened, a named person's wish, a version in the ledger.

The policy file is the ground; what admins adopt in the console lies over it, setting by setting. Where both name a
setting the adopted value holds, all others follow the file, also when the file is another one at the next start. Every
policy that came into force is a version in the ledger, with an audit entry that names its digest; the newest is in
force, in this process at once and in others at the worker's next step. Nothing is decided again by itself.
"""

from __future__ import annotations

import itertools
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from core.accounts import Accounts
from core.amend import Change, Difference, amended, body_of, differences, policy_of, settings_in, settings_of
from core.errors import AuditBroken, BadInput, Misconfigured, NeedsReason, NotAuthorised, StaleReview
from core.model import Actor, Person, Role, Verdict, sha256_text
from core.policy import Policy
from core.ports import Clock, PolicyLedger, PolicyVersion
from core.replay import Replay, Replayed, replay

log = logging.getLogger(__name__)

ADOPTED, LOADED, TRIED = "policy:adopted", "policy:loaded", "policy:dry_run"
SYSTEM = "system"
LOOK_BACK = 2000  # rulings that a dry run looks at again, the newest
MAX_NOTE = 500  # characters of a reason
KEYS = 60  # settings named in an audit entry
PRESETS = ("default", "classic")
CHECKED = 1000  # entries of one digest among which a version's own is looked for


@dataclass(frozen=True, kw_only=True, slots=True)
class InForce:
    """The policy that decides now, and where its numbers come from."""

    policy: Policy
    version: PolicyVersion | None  # None until the first start has recorded the file
    file: Policy
    file_digest: str
    overlay: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """What decisions record."""
        return self.policy.digest


@dataclass(frozen=True, kw_only=True, slots=True)
class Shift:
    """One item that a dry run would put on another side; `text` is "" where the admin may not read it."""

    candidate_id: str
    text: str
    owner: str
    source_kind: str
    before: Verdict
    after: Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class DryRun:
    """What a change would have made of the rulings that stand. Nothing was changed by it."""

    digest: str  # of the policy that was tried
    seen_digest: str  # of the policy it was compared with
    differences: tuple[Difference, ...]
    looked_at: int
    shifts: tuple[Shift, ...]
    held: tuple[int, int]  # before and after
    admitted: tuple[int, int]
    groups: tuple[float, float]  # what a reviewer decides in one act, a week: their load

    def moved(self, before: Verdict, after: Verdict) -> tuple[Shift, ...]:
        """The items behind one number."""
        return tuple(one for one in self.shifts if (one.before, one.after) == (before, after))

    @property
    def released(self) -> tuple[Shift, ...]:
        """Held now, admitted by the change."""
        return self.moved(Verdict.HOLD, Verdict.ADMIT)

    @property
    def newly_held(self) -> tuple[Shift, ...]:
        """Let through or turned away, held by the change."""
        return tuple(one for one in self.shifts if one.after is Verdict.HOLD)


@dataclass(kw_only=True, slots=True)
class _Held:
    """What is in force in this process; replaced as a whole."""

    now: InForce
    number: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class PolicyDesk:
    """The admins' desk for the policy of one tenant. Each act authorises its actor itself."""

    accounts: Accounts
    ledger: PolicyLedger
    clock: Clock
    file: Policy  # what the policy file says
    tenant: str
    _held: _Held
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _listeners: list[Callable[[Policy], None]] = field(default_factory=list)

    @classmethod
    def open(
        cls,
        *,
        accounts: Accounts,
        ledger: PolicyLedger,
        clock: Clock,
        file: Policy,
        tenant: str,
    ) -> PolicyDesk:
        """The desk with the policy that holds now: the file's, with what was adopted on top of it. Writes nothing.

        Raises:
            Misconfigured: what was adopted does not fit the file any more; the message says what.
            AuditBroken: the newest version is not the one that the audit chain recorded.
        """
        newest = next(iter(ledger.policy_versions(tenant, limit=1)), None)
        if newest is not None:
            _check(ledger, newest)
        policy = _over(file, newest.overlay if newest else {})
        return cls(
            accounts=accounts,
            ledger=ledger,
            clock=clock,
            file=file,
            tenant=tenant,
            _held=_Held(now=_in_force(policy, newest, file), number=newest.number if newest else 0),
        )

    # --- what is in force ---------------------------------------------------------------------------------------

    @property
    def policy(self) -> Policy:
        """The policy in force in this process."""
        return self._held.now.policy

    def on_change(self, take_up: Callable[[Policy], None]) -> None:
        """Have `take_up` called with every policy that comes into force."""
        self._listeners.append(take_up)

    def record_file(self) -> None:
        """At start: record the file's policy if the newest version does not stand on it, or fits it otherwise.

        Two processes that start with different files each record theirs; the later one is in force for both.
        """
        with self._lock, self.ledger.transaction() as tx:
            newest = next(iter(self.ledger.policy_versions(self.tenant, limit=1)), None)
            overlay = newest.overlay if newest else {}
            policy = _over(self.file, overlay)
            same_file = newest is not None and newest.file_digest == self.file.digest
            if newest is not None and same_file and newest.digest == policy.digest:
                version = newest
            else:
                at = self.clock.now()
                about = {
                    "before": newest.digest if newest else "",
                    "after": policy.digest,
                    "file": self.file.digest,
                    "number": newest.number + 1 if newest else 1,
                }
                entry = tx.append_audit(at=at, actor=SYSTEM, action=LOADED, tenant=self.tenant, owner="", about=about)
                version = PolicyVersion(
                    tenant=self.tenant,
                    number=newest.number + 1 if newest else 1,
                    kind="loaded",
                    digest=policy.digest,
                    body=body_of(policy),
                    file_digest=self.file.digest,
                    overlay=overlay,
                    by=SYSTEM,
                    at=at,
                    note="",
                    audit_seq=entry.seq,
                )
                tx.add_policy(version)
        self._take_up(policy, version)

    def follow(self) -> bool:
        """Take up what another process adopted; whether there was something. Cheap when there is not.

        A version that this program cannot read, or that the chain does not know, is not taken up.

        Raises:
            LedgerUnavailable: the ledger cannot be read.
        """
        if self.ledger.policy_number(self.tenant) <= self._held.number:
            return False
        newest = self.ledger.policy_versions(self.tenant, limit=1)[0]
        _check(self.ledger, newest)
        return self._take_up(policy_of(newest.body), newest)

    def current(self, actor: Actor) -> InForce:
        """What decides now. Every signed-in person may see the rules that their words are judged by.

        Raises:
            NotAuthorised: the actor is signed out.
        """
        self.accounts.authorise(actor)
        return self._held.now

    def history(self, actor: Actor, *, limit: int = 50) -> list[tuple[PolicyVersion, tuple[Difference, ...]]]:
        """Versions, newest first, each with what it changed.

        Raises:
            NotAuthorised: the actor is neither reviewer nor admin of this tenant.
        """
        self._mine(self.accounts.authorise(actor, Role.REVIEWER, Role.ADMIN))
        versions = self.ledger.policy_versions(self.tenant, limit=limit + 1)
        listed = [(one, _settings(one)) for one in versions]
        changes = [differences(older, newer) for (_, newer), (_, older) in itertools.pairwise(listed)]
        first = [()] if len(versions) <= limit else []
        return list(zip((one for one, _ in listed), [*changes, *first], strict=False))

    # --- changing it --------------------------------------------------------------------------------------------

    def preview(self, change: Change) -> Policy:
        """The policy in force with a change: pure, for a draft on the screen.

        Raises:
            BadInput: a setting does not exist or does not fit; the message names it and what it may be.
        """
        return amended(self._held.now.policy, change)

    def dry_run(self, actor: Actor, change: Change, *, limit: int = LOOK_BACK) -> DryRun:
        """Rule again, by the changed policy, on the newest `limit` rulings of the gate that still stand.

        No model is called and nothing changes but the audit. The words are shown of what is held, which an admin may
        read on the review page, and of the admin's own; of other people's memories only how many and whose.

        Raises:
            NotAuthorised: the actor is no admin of this tenant.
            BadInput: as `preview`.
        """
        self._mine(self.accounts.authorise(actor, Role.ADMIN))
        before = self._held.now.policy
        after = amended(before, change)
        found = replay(self.ledger.standing_rulings(self.tenant, None, limit), after)
        self._note_dry_run(actor, before, after, found)
        return DryRun(
            digest=after.digest,
            seen_digest=before.digest,
            differences=differences(settings_of(before), settings_of(after)),
            looked_at=found.total,
            shifts=tuple(_shift(one, actor) for one in found.changed),
            held=(found.held_before, found.held_after),
            admitted=(found.admitted_before, found.admitted_after),
            groups=(found.groups_before, found.groups_after),
        )

    def adopt(self, actor: Actor, change: Change, *, seen_digest: str, note: str) -> Policy:
        """Bring a changed policy into force: from now on, everywhere, for what is judged from now on.

        Done twice with the same change it is done once.

        Args:
            actor: an admin of the tenant.
            change: settings that differ from the policy in force.
            seen_digest: of the policy that the admin was looking at.
            note: why; kept with the version, its digest in the audit.

        Raises:
            NotAuthorised: the actor is no admin of this tenant.
            NeedsReason: there is no note.
            BadInput: as `preview`, or the change changes nothing.
            StaleReview: another policy came into force meanwhile; nothing was written.
        """
        person = self._mine(self.accounts.authorise(actor, Role.ADMIN))
        reason = " ".join(note.split())
        if not reason:
            msg = "Say why the policy changes: the reason is kept with the version."
            raise NeedsReason(msg)
        if len(reason) > MAX_NOTE:
            msg = f"A reason has at most {MAX_NOTE} characters."
            raise BadInput(msg)
        with self._lock:
            policy, version = self._commit(person, change, seen_digest=seen_digest, reason=reason)
        self._take_up(policy, version)
        return policy

    def _commit(self, person: Person, change: Change, *, seen_digest: str, reason: str) -> tuple[Policy, PolicyVersion]:
        """Compare-and-swap on the newest version, in one ledger transaction with its audit entry."""
        with self.ledger.transaction() as tx:
            newest = next(iter(self.ledger.policy_versions(self.tenant, limit=1)), None)
            before = policy_of(newest.body) if newest else self._held.now.policy
            policy = amended(before, change)
            if newest is not None and _again(newest, person, policy, seen_digest):
                return policy, newest
            if before.digest != seen_digest:
                number = newest.number if newest else 0
                msg = f"Version {number} of the policy came into force after you opened it. Look at it, then decide."
                raise StaleReview(msg)
            if policy.digest == before.digest:
                msg = "Nothing is changed: every number is the one that is in force."
                raise BadInput(msg)
            changed = differences(settings_of(before), settings_of(policy))
            at, number = self.clock.now(), newest.number + 1 if newest else 1
            entry = tx.append_audit(
                at=at,
                actor=person.user_id,
                action=ADOPTED,
                tenant=self.tenant,
                owner="",
                about={
                    "before": before.digest,
                    "after": policy.digest,
                    "number": number,
                    "settings": sorted({_named(one.key) for one in changed})[:KEYS],
                    "note": tx.keyed_digest(self.tenant, person.user_id, reason),
                },
                attestation="declared",
            )
            version = PolicyVersion(
                tenant=self.tenant,
                number=number,
                kind="adopted",
                digest=policy.digest,
                body=body_of(policy),
                file_digest=newest.file_digest if newest else self.file.digest,
                overlay=self._overlay(newest, changed, policy),
                by=person.user_id,
                at=at,
                note=reason,
                audit_seq=entry.seq,
            )
            tx.add_policy(version)
        return policy, version

    def _overlay(self, newest: PolicyVersion | None, changed: Sequence[Difference], policy: Policy) -> dict[str, Any]:
        """What lies over the file: all that was adopted, without what is again as the file has it."""
        overlay = dict(newest.overlay if newest else {}) | {one.key: one.after for one in changed}
        if newest is not None and newest.file_digest != self.file.digest:  # another process's file: not known here
            return overlay
        ground, now = settings_of(self.file), settings_of(policy)
        return {key: value for key, value in overlay.items() if ground.get(key) != now.get(key)}

    def _note_dry_run(self, actor: Actor, before: Policy, after: Policy, found: Replay) -> None:
        """A dry run reads what others said: as every such look it leaves an entry (rules §1.8)."""
        read = [one.candidate_id for one in found.changed if one.before is Verdict.HOLD]
        with self.ledger.transaction() as tx:
            tx.append_audit(
                at=self.clock.now(),
                actor=actor.user_id,
                action=TRIED,
                tenant=self.tenant,
                owner="",
                about={
                    "before": before.digest,
                    "after": after.digest,
                    "looked_at": found.total,
                    "changed": len(found.changed),
                    "candidate_ids": read,
                },
                attestation="declared",
            )

    def _take_up(self, policy: Policy, version: PolicyVersion) -> bool:
        """Make a version the one in force here; an older one than is in force already changes nothing."""
        with self._lock:
            if version.number < self._held.number:
                return False
            known = self._held.now.policy.digest
            self._held.now, self._held.number = _in_force(policy, version, self.file), version.number
            if policy.digest != known:
                for take_up in self._listeners:
                    take_up(policy)
                log.info("policy version %d is in force: %s", version.number, policy.digest)
        return policy.digest != known

    def _mine(self, person: Person) -> Person:
        if person.tenant != self.tenant:
            msg = "This is the policy of another tenant."
            raise NotAuthorised(msg)
        return person


def decay_presets() -> dict[str, dict[str, Any]]:
    """The curves that the packaged policies forget by, as changes: "default", and "classic" (rules §2.3)."""
    found = {}
    for name in PRESETS:
        text = resources.files("core").joinpath(f"policies/{name}.toml").read_text(encoding="utf-8")
        policy = Policy.from_toml(text)
        found[name] = {
            key: value
            for key, value in settings_of(policy).items()
            if key.startswith("decay.") and not isinstance(value, Mapping)
        }
    return found


def _over(file: Policy, overlay: Mapping[str, Any]) -> Policy:
    try:
        return amended(file, overlay)
    except BadInput as problem:
        named = ", ".join(sorted(overlay))
        msg = (
            f"the policy file does not go with what was adopted in the console ({named}): {problem}. "
            "Start with the file that was there before, and take those changes back first."
        )
        raise Misconfigured(msg) from problem


def _in_force(policy: Policy, version: PolicyVersion | None, file: Policy) -> InForce:
    return InForce(
        policy=policy,
        version=version,
        file=file,
        file_digest=version.file_digest if version else file.digest,
        overlay=version.overlay if version else {},
    )


def _check(ledger: PolicyLedger, version: PolicyVersion) -> None:
    """Refuse a version that was put into the table past the desk: the chain is sealed, the table is not."""
    entries, _ = ledger.audit(version.tenant, action=f"policy:{version.kind}", about=version.digest, limit=CHECKED)
    known = any(one.seq == version.audit_seq and one.about.get("after") == version.digest for one in entries)
    if not known or sha256_text(version.body) != version.digest:
        msg = (
            f"policy version {version.number} is not what the audit chain recorded: somebody wrote into the ledger. "
            "Verify the chain and restore a snapshot."
        )
        raise AuditBroken(msg)


def _again(newest: PolicyVersion, person: Person, policy: Policy, seen_digest: str) -> bool:
    """Whether this very act was done already: a second click, not a second wish."""
    return newest.by == person.user_id and newest.digest == policy.digest and seen_digest != newest.digest


def _settings(version: PolicyVersion) -> Mapping[str, Any]:
    return settings_in(json.loads(version.body))


def _named(key: str) -> str:
    """A setting as the audit names it: a table's entries are somebody's words."""
    return ".".join(key.split(".")[:2])


def _shift(one: Replayed, actor: Actor) -> Shift:
    readable = one.before is Verdict.HOLD or one.owner == actor.user_id
    return Shift(
        candidate_id=one.candidate_id,
        text=one.text if readable else "",
        owner=one.owner,
        source_kind=str(one.source_kind.value),
        before=one.before,
        after=one.after,
    )


__all__ = ["DryRun", "InForce", "PolicyDesk", "Shift", "decay_presets"]
