"""Audit, accounts and the last verbs of the lifecycle in memory, for tests of the pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from core.accounts import Pending
from core.erasure import Certificate
from core.errors import BadInput, NotAuthorised
from core.model import (
    Actor,
    AuditEntry,
    Person,
    Role,
    SourceKind,
)
from core.ports import AgentKey, ChainReport, Erasure, Session
from tests.console.desk_base import NOW

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskAudit:
    ACTIONS = ("candidate:promoted", "candidate:held", "candidate:admitted", "episode:received", "person:invited")

    def __init__(self, desk: Desk) -> None:
        self.desk, self.broken = desk, False
        self.reports: list[ChainReport] = []

    def entries(
        self,
        actor: Actor,
        *,
        action: str | None = None,
        about: str | None = None,
        owner: str | None = None,
        by: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> tuple[list[AuditEntry], int]:
        self.desk.up()
        made = [
            AuditEntry(
                seq=9 - n,
                at=NOW - timedelta(minutes=7 * n),
                actor=self.desk.w("policy" if n else "u-1"),
                attestation="declared",
                action=name,
                about={"candidate_id": self.desk.w("h-1"), "trust": 0.3},
                tenant="main",
                owner="u-1",
                prev_hash="a" * 64,
                hash=f"{n}b" * 32,
            )
            for n, name in enumerate(self.ACTIONS)
        ]
        found = [
            one
            for one in made
            if (not action or one.action.startswith(action))
            and (not by or one.actor == by)
            and (not since or one.at >= since)
            and (not until or one.at < until)
            and not self.desk.empty
        ]
        return found[offset : offset + limit], len(found)

    def verified(self, actor: Actor, *, within: timedelta) -> tuple[ChainReport, datetime]:
        if not self.reports:
            self.verify(actor)
        return self.reports[-1], NOW

    def verify(self, actor: Actor) -> ChainReport:
        self.desk.calls.append(("verify",))
        self.reports.append(self._report())
        return self.reports[-1]

    def _report(self) -> ChainReport:
        if self.broken:
            return ChainReport(
                ok=False,
                entries=9,
                head_seq=9,
                head_hash="9b" * 32,
                broken_seq=4,
                problem=self.desk.w("entry 4 does not match its hash"),
            )
        return ChainReport(ok=True, entries=9, head_seq=9, head_hash="9b" * 32)

    def head(self, actor: Actor) -> tuple[int, str]:
        return 9, "9b" * 32

    def names(self, actor: Actor) -> dict[str, str]:
        return {"u-1": self.desk.w("ada"), "u-2": self.desk.w("grace")}


class DeskAccounts:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        w, days = desk.w, timedelta(days=1)
        made = [
            Person(
                user_id="u-1",
                username=w("ada"),
                display_name=w("Ada"),
                tenant="main",
                role=desk.actor.role,
                created_at=NOW - 90 * days,
            ),
            Person(
                user_id="u-2",
                username=w("grace"),
                display_name=w("Grace"),
                tenant="main",
                role=Role.REVIEWER,
                created_at=NOW - 30 * days,
            ),
            Person(
                user_id="u-3",
                username=w("ben"),
                display_name=w("Ben"),
                tenant="main",
                role=Role.MEMBER,
                created_at=NOW - 2 * days,
                disabled=True,
            ),
        ]
        self.rows = {one.user_id: one for one in made}

    def people(self, actor: Actor) -> list[Person]:
        self.desk.up()
        if actor.role is not Role.ADMIN:
            msg = "Only an admin may do this."
            raise NotAuthorised(msg)
        return list(self.rows.values())

    def invite(self, actor: Actor, role: Role, username: str = "") -> str:
        self.desk.calls.append(("invite", role, username))
        return "tok-123"

    def invitations(self, actor: Actor) -> list[Pending]:
        if self.desk.empty:
            return []
        return [
            Pending(
                invitation_id="inv-1",
                role=Role.REVIEWER,
                username=self.desk.w("carla"),
                created_by="u-1",
                expires_at=NOW + timedelta(days=6),
            )
        ]

    def revoke_invitation(self, actor: Actor, pending_id: str) -> None:
        self.desk.calls.append(("revoke_invitation", pending_id))

    def set_role(self, actor: Actor, user_id: str, role: Role) -> None:
        self.desk.calls.append(("set_role", user_id, role))
        self.rows[user_id] = replace(self.rows[user_id], role=role)

    def disable(self, actor: Actor, user_id: str) -> None:
        self.desk.calls.append(("disable", user_id))
        self.rows[user_id] = replace(self.rows[user_id], disabled=True)

    def enable(self, actor: Actor, user_id: str) -> None:
        self.desk.calls.append(("enable", user_id))
        self.rows[user_id] = replace(self.rows[user_id], disabled=False)

    def end_sessions(self, actor: Actor, user_id: str) -> int:
        self.desk.calls.append(("end_sessions", user_id))
        return 2

    def end_session(self, actor: Actor, session_id: str) -> None:
        self.desk.calls.append(("end_session", session_id))

    def sessions(self, actor: Actor) -> list[Session]:
        self.desk.up()
        hours = timedelta(hours=1)
        return [
            Session(
                session_id="s-1",
                user_id="u-1",
                created_at=NOW - 3 * hours,
                last_seen_at=NOW,
                address="127.0.0.1",
                user_agent=self.desk.w("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36"),
            ),
            Session(
                session_id="s-2",
                user_id="u-1",
                created_at=NOW - 24 * hours,
                last_seen_at=NOW - 5 * hours,
                address="192.0.2.7",
                user_agent=self.desk.w("Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0"),
            ),
        ]

    def sign_out_everywhere(self, actor: Actor, *, keep_this: bool = False) -> int:
        self.desk.calls.append(("sign_out_everywhere", keep_this))
        return 2

    def change_password(self, actor: Actor, old: str, new: str) -> int:
        if old != "correct horse battery":
            msg = "The present password is not right."
            raise NotAuthorised(msg)
        self.desk.calls.append(("change_password", new))
        return 1


class DeskKeys:
    """Agent keys, as far as a page sees them."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.rows = [
            AgentKey(
                key_id="k-1",
                prefix="cmk_Zx81qP",
                tenant="main",
                owner="u-1",
                agent=desk.w("planner"),
                created_at=NOW - timedelta(days=4),
                last_used_at=NOW - timedelta(hours=2),
                channel=SourceKind.AGENT_TURN,
                space=desk.w("planner"),
            )
        ]

    def list(self, actor: Actor) -> list[AgentKey]:
        return [] if self.desk.empty else self.rows

    def of_tenant(self, actor: Actor) -> list[AgentKey]:
        return self.list(actor)

    def create(
        self,
        actor: Actor,
        name: str,
        *,
        channel: SourceKind = SourceKind.AGENT_TURN,
        shared: bool = False,
    ) -> tuple[AgentKey, str]:
        if not name:
            msg = "An agent's name has 1 to 40 characters."
            raise BadInput(msg)
        self.desk.calls.append(("create_key", name, channel.value, shared))
        return self.rows[0], "cmk_the-whole-token"

    def revoke(self, actor: Actor, key_id: str) -> None:
        self.desk.calls.append(("revoke_key", key_id))


class DeskLifecycle:
    """Erasing, rebuilding and copying, as far as a page sees it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def erase(self, actor: Actor, user_id: str) -> Certificate:
        self.desk.calls.append(("erase", user_id))
        self.desk.accounts.rows.pop(user_id, None)
        return Certificate(
            certificate_id="cert-1",
            tenant="main",
            person=user_id,
            at=NOW,
            by=actor.user_id,
            ledger=Erasure(episodes=12, candidates=9, decisions=11, conversations=2, effects=8),
            memories=7,
            audit_seq=41,
            audit_hash="c4" * 32,
        )

    def rebuild(self, actor: Actor) -> int:
        self.desk.calls.append(("rebuild",))
        return 128

    def snapshot(self, actor: Actor, path: Path) -> tuple[int, str]:
        self.desk.calls.append(("snapshot", path.name))
        path.write_bytes(b"x" * 2048)
        return 41, "c4" * 32
