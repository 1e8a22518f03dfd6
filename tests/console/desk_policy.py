"""The policy's desk in memory, for tests of the pages: the real desk over a ledger in a dictionary would test the core."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from core.amend import Change, amended, body_of, differences, settings_of
from core.errors import NeedsReason, NotAuthorised, NotFound, StaleReview
from core.governance import DryRun, InForce, Shift
from core.keyhistory import KeyEvent, KeyHistory
from core.model import Actor, Role, Verdict
from core.policy import Policy
from core.ports import ChainReport, IsolationFacts, PolicyVersion, RoleFacts, RoleState, Tampering, TamperReport
from core.rejudge import Rejudged
from tests.console.desk_base import NOW

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskPolicy:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.file = desk, desk.policy
        self.versions = [self._version(1, "loaded", desk.policy, {}, "system", "")]

    def _version(
        self, number: int, kind: str, policy: Policy, overlay: dict[str, Any], by: str, note: str
    ) -> PolicyVersion:
        return PolicyVersion(
            tenant="main",
            number=number,
            kind=kind,
            digest=policy.digest,
            body=body_of(policy),
            file_digest=self.file.digest,
            overlay=overlay,
            by=by,
            at=NOW - timedelta(days=9 - number),
            note=self.desk.w(note) if note else "",
            audit_seq=number * 7,
        )

    def current(self, actor: Actor) -> InForce:
        newest = self.versions[-1]
        return InForce(
            policy=self.desk.policy,
            version=newest,
            file=self.file,
            file_digest=self.file.digest,
            overlay=newest.overlay,
        )

    def preview(self, change: Change) -> Policy:
        return amended(self.desk.policy, change)

    def dry_run(self, actor: Actor, change: Change, *, limit: int = 2000) -> DryRun:
        if actor.role is not Role.ADMIN:
            msg = "Only an admin may do this."
            raise NotAuthorised(msg)
        self.desk.calls.append(("dry_run", dict(change)))
        policy = self.preview(change)
        sides = ((Verdict.HOLD, Verdict.ADMIT), (Verdict.ADMIT, Verdict.HOLD), (Verdict.HOLD, Verdict.REJECT))
        return DryRun(
            digest=policy.digest,
            seen_digest=self.desk.policy.digest,
            differences=differences(settings_of(self.desk.policy), settings_of(policy)),
            looked_at=240,
            shifts=tuple(
                Shift(
                    candidate_id=f"h-{number}",
                    text=self.desk.w("The canteen opens at seven.") if before is Verdict.HOLD else "",
                    owner="u-2",
                    source_kind="external_doc",
                    before=before,
                    after=after,
                )
                for number, (before, after) in enumerate(sides)
            ),
            held=(12, 11),
            admitted=(200, 200),
            groups=(6, 5),
        )

    def adopt(self, actor: Actor, change: Change, *, seen_digest: str, note: str) -> Policy:
        if not note.strip():
            msg = "Say why the policy changes: the reason is kept with the version."
            raise NeedsReason(msg)
        if seen_digest != self.desk.policy.digest:
            msg = "Version 2 of the policy came into force after you opened it."
            raise StaleReview(msg)
        self.desk.calls.append(("adopt", dict(change), note))
        self.desk.policy = self.preview(change)
        overlay = dict(self.versions[-1].overlay) | dict(change)
        number = len(self.versions) + 1
        self.versions.append(self._version(number, "adopted", self.desk.policy, overlay, actor.user_id, note))
        return self.desk.policy

    def history(self, actor: Actor, *, limit: int = 50) -> list[tuple[PolicyVersion, Any]]:
        found = []
        for number, one in enumerate(self.versions):
            before = self.versions[number - 1].overlay if number else {}
            keys = dict.fromkeys([*before, *one.overlay])
            ground = settings_of(self.file)
            old, new = ({key: layer.get(key, ground.get(key)) for key in keys} for layer in (before, one.overlay))
            found.append((one, differences(old, new)))
        return found[::-1]


class DeskRejudge:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def held(self, actor: Actor) -> Rejudged:
        self.desk.calls.append(("rejudge",))
        return Rejudged(looked_at=12, released=("h-1",))


class DeskProofs:
    def __init__(self) -> None:
        self.leaks = 0

    def tamper(self, actor: Actor, how: Tampering) -> TamperReport:
        whole = ChainReport(ok=True, entries=9, head_seq=9, head_hash="9b" * 32)
        broken = ChainReport(
            ok=False, entries=3, head_seq=3, head_hash="3b" * 32, broken_seq=4, problem="entry 4 was changed"
        )
        seen = how in (Tampering.BYTE, Tampering.REMOVE)
        return TamperReport(
            how=how,
            entries=9,
            changed_seq=4,
            alone=broken if seen else whole,
            with_store=broken,
            with_copy=broken,
            digest_before="d1" * 32,
            digest_after="d1" * 32,
        )

    def isolation(self, actor: Actor, user_id: str) -> IsolationFacts:
        roles = (
            RoleFacts(name="chronomemory_reader", superuser=False, bypasses=False, reads=True, writes=False),
            RoleFacts(name="chronomemory_app", superuser=False, bypasses=False, reads=True, writes=True),
        )
        return IsolationFacts(
            roles=roles,
            acting_as="chronomemory_reader",
            forced=True,
            asked=7,
            as_self=self.leaks,
            as_nobody=0,
            as_owner=7,
        )


class DeskKeyHistories:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def of_key(self, actor: Actor, subject: str, attribute: str) -> KeyHistory:
        w = self.desk.w
        old, new = w("You eat meat."), w("You are vegetarian.")
        events = (
            KeyEvent(at=NOW, act="admit", by="policy", item_id="m-0", text=old, current=(("m-0", old),)),
            KeyEvent(
                at=NOW, act="hold", by="policy", item_id="h-1", text="", reasons=("conflict",), current=(("m-0", ""),)
            ),
            KeyEvent(at=NOW, act="memory:forgotten", by="u-1", item_id="m-0", text=new, seq=8),
        )
        return KeyHistory(
            scope=self.desk.scope, slot=f"{subject.strip()}|{attribute.strip()}", statements=2, events=events
        )

    def of_item(self, actor: Actor, item_id: str) -> KeyHistory:
        msg = "There is no item of that id."
        raise NotFound(msg)


class DeskModels:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def roles(self, actor: Actor) -> list[RoleState]:
        rules = RoleState(role="judge", models=(), endpoint="", done=3, by_rules=3)
        if self.desk.empty:
            return [rules]
        agent = RoleState(
            role="agent",
            models=(self.desk.w("small-model"), "second-model"),
            endpoint="models.example/v1",
            done=8,
            by_rules=2,
            last_answer_at=NOW - timedelta(minutes=3),
            last_error=self.desk.w("the model did not answer (HTTP 503)"),
            last_error_at=NOW - timedelta(hours=1),
        )
        return [agent, rules]

    def check(self, actor: Actor, role: str) -> str:
        self.desk.calls.append(("check", role))
        return "small-model"
