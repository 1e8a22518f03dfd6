"""The front door's shape in memory, for tests of the pages: enough behaviour to draw them, and room for hostile words."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from core.errors import StoreUnavailable
from core.model import (
    Actor,
    Candidate,
    CandidateState,
    Decision,
    Evidence,
    GateStep,
    HeldItem,
    Memory,
    MemoryKind,
    MemoryStatus,
    Proposal,
    Provenance,
    Role,
    Root,
    Scope,
    SourceKind,
    Span,
    SpeechAct,
    Verdict,
    sha256_text,
)
from core.policy import Policy
from tests.console.desk_base import DIGEST, EVIL, NOW, PAGE, POLICY, WEB
from tests.console.desk_chat import DeskChat
from tests.console.desk_history import DeskChats, DeskHistory, DeskSides
from tests.console.desk_imports import DeskImports
from tests.console.desk_insight import DeskInsight
from tests.console.desk_memories import DeskMemories
from tests.console.desk_operators import DeskOperatorKeys
from tests.console.desk_patterns import DeskPatterns
from tests.console.desk_people import DeskAccounts, DeskAudit, DeskKeys, DeskLifecycle
from tests.console.desk_policy import DeskKeyHistories, DeskModels, DeskPolicy, DeskProofs, DeskRejudge
from tests.console.desk_questions import DeskObserved, DeskQuestions
from tests.console.desk_review import DeskReview
from tests.console.desk_sandbox import desk_sandbox


class Desk:
    """One tenant, one owner; `evil` replaces every word that somebody else could have written."""

    def __init__(
        self, *, evil: str | None = None, empty: bool = False, role: Role = Role.ADMIN, down: bool = False
    ) -> None:
        self.evil, self.empty, self.down = evil, empty, down
        self.actor = Actor(user_id="u-1", username=evil or "ada", tenant="main", role=role, session_id="s-1")
        self.scope = Scope(tenant="main", owner="u-1")
        self.describe_model = "none (rules)"
        self.policy = Policy.from_toml(POLICY.read_text(encoding="utf-8"))
        self.calls: list[tuple[Any, ...]] = []
        self.spaces: list[str] = []  # memories that agents keep apart
        self.chat, self.review, self.memories = DeskChat(self), DeskReview(self), DeskMemories(self)
        self.chats, self.sides, self.history = DeskChats(self), DeskSides(self), DeskHistory(self)
        self.audit_desk, self.accounts = DeskAudit(self), DeskAccounts(self)
        self.lifecycle = DeskLifecycle(self)
        self.sandbox = desk_sandbox(self)
        self.questions, self.observed = DeskQuestions(self), DeskObserved(self)
        self.patterns = DeskPatterns(self)
        self.insight = DeskInsight(self)
        self.imports = DeskImports(self)
        self.keys = DeskKeys(self)
        self.operator_keys = DeskOperatorKeys(self)
        self.model_desk = DeskModels(self)
        self.proofs, self.key_histories = DeskProofs(), DeskKeyHistories(self)
        self.governance, self.rejudge = DeskPolicy(self), DeskRejudge(self)
        self.servers = [
            SimpleNamespace(
                name=self.w("Local server"),
                base_url=self.w("http://127.0.0.1:11434/v1"),
                models=[self.w("small-model")],
            )
        ]

    def w(self, words: str) -> str:
        return self.evil or words

    def health(self) -> dict[str, str]:
        return {
            "store": self.w("down: no answer") if self.down else "ok",
            "ledger": "ok",
            "embedding": "starting",
            "model": "none (rules)",
            "worker": "ok",
        }

    def fast_path(self) -> float | None:
        return None if self.empty else 0.5

    def local_servers(self) -> list[Any]:
        return [] if self.empty else self.servers

    def up(self) -> None:
        if self.down:
            msg = "the store is not reachable; start Postgres and this page comes back"
            raise StoreUnavailable(msg)

    def item(
        self,
        cid: str,
        text: str,
        *,
        kind: SourceKind = WEB,
        ref: str = PAGE,
        title: str = "Pasta for beginners",
        trust: float = 0.3,
        reasons: tuple[str, ...] = ("low_trust",),
        state: CandidateState = CandidateState.HELD,
        days: float = 3.2,
        owner: str = "u-1",
        act: SpeechAct = SpeechAct.ASSERTION,
        before: str = "",
        after: str = "",
    ) -> HeldItem:
        text, title, ref, before, after = (self.w(one) if one else one for one in (text, title, ref, before, after))
        at = NOW - timedelta(days=days)
        excerpt, span = f"{before}{text}{after}", Span(start=len(before), end=len(before) + len(text))
        proposal = Proposal(
            subject=self.w("user"),
            attribute="diet",
            value=self.w("vegan"),
            statement=text,
            kind=MemoryKind.FACT,
            importance=0.8,
            span=span,
            speech_act=act,
        )
        origin = Provenance(
            source_kind=kind,
            source_ref=ref,
            actor=self.w("ada"),
            observed_at=at,
            digest=sha256_text(excerpt),
            title=title,
        )
        candidate = Candidate(
            candidate_id=cid,
            episode_id=f"e-{cid}",
            scope=Scope(tenant="main", owner=owner),
            proposal=proposal,
            provenance=origin,
            serial_no=3,
        )
        steps = (
            GateStep(name="complete evidence", passed=True, value="complete", limit="no configured part failed"),
            GateStep(
                name="speech act",
                passed="directive" not in reasons,
                value=act.value,
                limit="a statement, or the owner's own standing wish",
                reason="directive",
            ),
            GateStep(name="importance", passed=True, value="0.80", limit="at least 0.15"),
            GateStep(
                name="effective trust",
                passed=trust >= 0.5,
                value=f"{trust:.2f}",
                limit="at least 0.50",
                reason="low_trust",
            ),
            GateStep(
                name="contradiction",
                passed="conflict" not in reasons,
                value=self.w("trust 0.30 against 1.00"),
                limit="at least the trust of the memory it would replace",
                reason="conflict",
            ),
        )
        root = Root(episode_id=f"e-{cid}", source_kind=kind, source_ref=ref, trust=trust)
        decision = Decision(
            decision_id=f"d-{cid}",
            candidate_id=cid,
            reasons=reasons,
            steps=steps,
            effects=(),
            policy_digest=DIGEST,
            by="policy",
            verdict=Verdict.HOLD if state is CandidateState.HELD else Verdict.ADMIT,
            at=at,
            evidence=Evidence(effective_trust=trust, roots=(root,)),
        )
        return HeldItem(
            candidate=candidate, state=state, decision=decision, excerpt=excerpt, excerpt_span=span, updated_at=at
        )

    def memory(
        self,
        mid: str,
        text: str,
        *,
        kind: SourceKind = SourceKind.USER_TURN,
        trust: float = 1.0,
        days: float = 3.0,
        status: MemoryStatus = MemoryStatus.ACTIVE,
        vouched: str | None = None,
    ) -> Memory:
        ref = self.w(PAGE) if kind is WEB else "conversation c-1"
        return Memory(
            memory_id=mid,
            scope=self.scope,
            kind=MemoryKind.FACT,
            subject="user",
            attribute="diet",
            slot_key="user|diet",
            value=self.w("vegetarian"),
            text=self.w(text),
            importance=0.8,
            effective_trust=trust,
            source_kind=kind,
            source_ref=ref,
            source_title=self.w("Pasta for beginners") if kind is WEB else "",
            actor="u-1",
            episode_id="e-1",
            conversation_id="c-1",
            serial_no=1,
            roots=(Root(episode_id="e-1", source_kind=kind, source_ref=ref, trust=trust),),
            stated_at=NOW - timedelta(days=days),
            created_at=NOW - timedelta(days=days),
            status=status,
            vouched_by=self.w(vouched) if vouched else None,
            vouched_at=NOW - timedelta(days=1) if vouched else None,
            access_count=2,
        )


__all__ = ["EVIL", "NOW", "Desk"]
