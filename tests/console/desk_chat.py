"""Conversations in memory, for tests of the pages."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from core.chat import Exchange, Learned
from core.errors import BadInput
from core.model import (
    Actor,
    CandidateState,
    Conversation,
    Memory,
    Run,
    RunState,
    SourceKind,
)
from tests.console.desk_base import BASE, DOC, NOW, PAGE, WEB
from tests.console.desk_confidence import advice, sure

if TYPE_CHECKING:
    from tests.console.desk import Desk


class DeskChat:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.serial = desk, 0
        self.clock = SimpleNamespace(now=lambda: NOW)
        self.limits = SimpleNamespace(message_chars=20_000, attachment_bytes=5_000_000, attachment_chars=400_000)
        self.names = {
            "c-1": "Dinner on Friday",
            "c-2": "Trip to Lisbon in May",
            "c-3": "What do I know about the museum app and its deadline?",
        }
        self.deleted: set[str] = set()
        self.runs: dict[str, Run] = {}
        self.threads: dict[str, list[Exchange]] = {}
        self.polls: dict[str, int] = {}
        self.advised: dict[str, Any] = {}  # instead of what the allergy is worth

    def new_id(self) -> str:
        self.serial += 1
        return f"c-new-{self.serial}"

    def conversations(self, actor: Actor) -> list[Conversation]:
        self.desk.up()
        return [
            Conversation(
                conversation_id=cid, scope=self.desk.scope, title=self.desk.w(name), created_at=NOW, updated_at=NOW
            )
            for cid, name in self.names.items()
            if cid not in self.deleted and not self.desk.empty
        ]

    def memory(self) -> Memory:
        return self.desk.memory("m-1", "You are allergic to penicillin.")

    def used(self) -> list[dict[str, Any]]:
        w = self.desk.w
        own = {
            "memory_id": "m-1",
            "n": 1,
            "text": w("You are allergic to penicillin."),
            "score": 0.91,
            "relevance": 0.91,
            "freshness": 1.0,
            "cosine": 0.62,
            "coverage": 0.5,
            "importance": 1.0,
            "trust": 1.0,
            "source_kind": "user_turn",
            "source_ref": "conversation c-1",
            "source_title": "",
            "age_days": 3.2,
            "stated_at": NOW.isoformat(),
            "vouched_by": None,
            "cited": True,
            "confidence": sure(self.memory()),
        }
        web = {
            **own,
            "memory_id": "m-3",
            "n": 2,
            "text": w("You are vegetarian."),
            "score": 0.52,
            "importance": 0.8,
            "freshness": 0.9,
            "trust": 0.8,
            "source_kind": "web_content",
            "source_ref": w(PAGE),
            "source_title": w("Pasta for beginners"),
            "age_days": 21.0,
            "vouched_by": w("grace"),
            "cited": False,
            "confidence": sure(self.desk.memory("m-3", "You are vegetarian.", kind=WEB, trust=0.3, vouched="grace")),
        }
        return [own, web]

    def answered(self, cid: str, run_id: str = "r-1") -> Run:
        w = self.desk.w
        below = {
            **self.used()[0],
            "memory_id": "m-2",
            "n": 0,
            "text": w("You live in Porto."),
            "score": 0.1,
            "why": w("below the floor"),
        }
        text = (
            f"{w('You are allergic to penicillin')} [1], so tell the doctor before anything is prescribed.\n\n"
            "I will keep it in mind for the dinner as well. See [9]."
        )
        prompt = [
            {"role": "system", "content": w("You are a careful assistant.")},
            {"role": "user", "content": w("What am I allergic to?")},
        ]
        return Run(
            run_id=run_id,
            conversation_id=cid,
            scope=self.desk.scope,
            question_id="e-4",
            state=RunState.DONE,
            text=text,
            started_at=NOW,
            updated_at=NOW,
            model="rules",
            detail={
                "used": self.used(),
                "unused": [below],
                "gone": [{**below, "text": w("You live in Lisbon."), "why": w("superseded")}],
                "candidates": 41,
                "advice": self.advised or advice(self.memory()),
                "withheld": 1,
                "withheld_ids": ["h-1"],
                "withheld_word": w("allergic"),
                "head_tokens": 212,
                "mode": "rules",
                "prompt": prompt,
            },
        )

    def thread(self, actor: Actor, conversation_id: str) -> list[Exchange]:
        self.desk.up()
        if conversation_id in self.threads:
            return self.threads[conversation_id]
        if conversation_id != "c-1" or self.desk.empty:
            return []
        w = self.desk.w
        fact = self.desk.item(
            "h-0",
            "You are allergic to penicillin.",
            kind=SourceKind.USER_TURN,
            trust=1.0,
            reasons=("admitted",),
            state=CandidateState.ADMITTED,
        )
        nothing = {
            "used": [],
            "unused": [],
            "candidates": 0,
            "withheld": 0,
            "prompt": [],
            "head_tokens": 0,
            "mode": "rules",
        }
        said = replace(
            self.answered("c-1", "r-0"),
            text=w("Understood. I will remember that you are allergic to penicillin."),
            detail=nothing,
        )
        return [
            Exchange(
                role="user",
                text=w("I am allergic to penicillin. Please remember that."),
                at=NOW,
                episode_id="e-1",
                learned=Learned(processed=True, items=(fact,)),
            ),
            Exchange(role="assistant", text=said.text, at=NOW, source_kind=SourceKind.AGENT_TURN, run=said),
            Exchange(
                role="attachment",
                text=w("Boil plenty of water."),
                at=NOW,
                episode_id="e-3",
                title=w(PAGE),
                source_kind=WEB,
                learned=Learned(processed=True, items=tuple(self.desk.review.items[:3])),
            ),
            Exchange(
                role="user",
                text=w("Note my landlord's account, please."),
                at=NOW,
                episode_id="e-7",
                learned=Learned(
                    processed=True,
                    items=tuple(
                        self.desk.review.item(actor, one.candidate.candidate_id)
                        for one in self.desk.review.items
                        if one.candidate.candidate_id in ("q-1", "q-2", "q-2e")
                    ),
                ),
            ),
            Exchange(
                role="user", text=w("What am I allergic to?"), at=NOW, episode_id="e-4", learned=Learned(processed=True)
            ),
            Exchange(role="assistant", text="", at=NOW, source_kind=SourceKind.AGENT_TURN, run=self.answered("c-1")),
        ]

    def ask(self, actor: Actor, conversation_id: str, text: str) -> Run:
        if not text.strip():
            msg = "the message is empty"
            raise BadInput(msg)
        self.desk.calls.append(("ask", conversation_id, text))
        run = replace(
            self.answered(conversation_id, f"r-{len(self.runs) + 2}"), state=RunState.RUNNING, text="", detail={}
        )
        self.threads[conversation_id] = [
            *self.thread(actor, conversation_id),
            Exchange(role="user", text=text, at=NOW, episode_id=f"q-{run.run_id}", learned=Learned(processed=False)),
            Exchange(role="assistant", text="", at=NOW, run=run, source_kind=SourceKind.AGENT_TURN),
        ]
        self.runs[run.run_id] = run
        return run

    def grow(self, run_id: str, part: float) -> None:
        """Let an answer come to a share of its length; at 1 it is done and its turn is read."""
        run = self.runs[run_id]
        whole = self.answered(run.conversation_id, run_id)
        run = whole if part >= 1 else replace(run, text=whole.text[: int(len(whole.text) * part)])
        self.runs[run_id] = run
        cid = run.conversation_id
        self.threads[cid] = [
            replace(one, run=run)
            if one.run and one.run.run_id == run_id
            else replace(one, learned=Learned(processed=True))
            if one.learned and part >= 1 and not one.learned.processed
            else one
            for one in self.threads[cid]
        ]

    def run(self, actor: Actor, run_id: str) -> Run:
        return self.runs.get(run_id) or self.answered("c-1", run_id)

    def retry(self, actor: Actor, run_id: str) -> Run:
        self.desk.calls.append(("retry", run_id))
        run = replace(self.run(actor, run_id), run_id=f"{run_id}-again", state=RunState.RUNNING, text="", detail={})
        self.runs[run.run_id] = run
        cid = run.conversation_id
        self.threads[cid] = [
            replace(one, run=run) if one.run and one.run.run_id == run_id else one for one in self.thread(actor, cid)
        ]
        return run

    def stop(self, actor: Actor, run_id: str) -> None:
        self.desk.calls.append(("stop", run_id))
        self.grow(run_id, 1.0)

    def delete(self, actor: Actor, conversation_id: str) -> None:
        self.desk.calls.append(("delete", conversation_id))
        self.deleted.add(conversation_id)

    def attach_file(self, actor: Actor, conversation_id: str, *, name: str, data: bytes) -> None:
        self.desk.calls.append(("attach_file", conversation_id, name, data))

    def attach_page(self, actor: Actor, conversation_id: str, *, address: str, text: str) -> None:
        if not address.strip():
            msg = "give the page's address, so that a reviewer sees where it came from"
            raise BadInput(msg)
        self.desk.calls.append(("attach_page", conversation_id, address, text))

    def preview_tool(self, tool: str) -> float:
        return self.desk.policy.preview_trust(SourceKind.TOOL_OUTPUT, tool)

    def attach_tool(self, actor: Actor, conversation_id: str, *, tool: str, text: str) -> None:
        if not text.strip():
            msg = "paste what the tool returned"
            raise BadInput(msg)
        self.desk.calls.append(("attach_tool", conversation_id, tool, text))

    def preview(self, name: str) -> tuple[SourceKind, float]:
        kind = WEB if name.startswith("http") or name.endswith((".html", ".htm")) else DOC
        return kind, BASE[kind]
