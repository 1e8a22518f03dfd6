"""One installation as the cases see it. Each call into the product stands in one small method, and nowhere else.

A case speaks of people ("alice"), channels ("web"), sessions and moments; the methods here say what that means here.
"""

from __future__ import annotations

import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.intake import Submission
from core.model import (
    Actor,
    CandidateState,
    Episode,
    HeldItem,
    Memory,
    MemoryKind,
    MemoryStatus,
    Role,
    Ruling,
    RulingKind,
    Run,
    RunState,
    Scope,
    SourceKind,
)
from core.recall import Recall
from core.review import Outcome
from tests.conftest import Console

ALL = 1000  # rows of one case; far more than any has
TODAY = datetime(2026, 11, 29, 9, 0, tzinfo=UTC)  # when a step that names no moment happens
CHANNELS = {
    "web": SourceKind.WEB_CONTENT,
    "web_content": SourceKind.WEB_CONTENT,
    "document": SourceKind.EXTERNAL_DOC,
    "external_doc": SourceKind.EXTERNAL_DOC,
    "tool": SourceKind.TOOL_OUTPUT,
    "tool_output": SourceKind.TOOL_OUTPUT,
    "third_party": SourceKind.THIRD_PARTY,
    "agent": SourceKind.AGENT_TURN,
    "agent_turn": SourceKind.AGENT_TURN,
    "summariser": SourceKind.AGENT_TURN,
    "user": SourceKind.USER_TURN,
    "user_turn": SourceKind.USER_TURN,
}
ROLES = {"revA": Role.REVIEWER, "revB": Role.REVIEWER}


def holds(text: str, words: str) -> bool:
    """Whether a text holds one of the alternatives ("|"); numbers and short words stand by themselves."""
    for one in words.split("|"):
        needle = re.escape(one.strip())
        if one.strip().isdigit():
            needle = rf"(?<!\d){needle}(?!\d)"
        elif len(one.strip()) <= 3 and one.isascii():
            needle = rf"(?<!\w){needle}(?!\w)"
        if re.search(needle, text, re.IGNORECASE):
            return True
    return False


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One recall of a case: what was asked by whom, what came back."""

    who: str
    query: str
    found: Recall
    as_of: datetime | None = None

    @property
    def texts(self) -> list[str]:
        """The recalled statements with the day of each, best first, as a prompt shows them."""
        return [f"{hit.memory.text} ({hit.memory.stated_at:%Y-%m-%d})" for hit in self.found.hits]


@dataclass(kw_only=True)
class World:
    """People, conversations and named items of one case, on a started layer."""

    console: Console
    people: dict[str, Actor] = field(default_factory=dict)
    session: int = 1
    talks: dict[tuple[str, int], str] = field(default_factory=dict)
    named: dict[str, Episode] = field(default_factory=dict)  # what a case's step ids stand for
    episodes: list[Episode] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=lambda: defaultdict(list))  # what a verb saw and a check looks at

    # --- who, where, when ---------------------------------------------------------------------------------------

    def person(self, name: str) -> Actor:
        """An account by the case's name, made on first use; names that start with "rev" are reviewers."""
        if name not in self.people:
            username = name.lower() if len(name) > 2 else f"person-{name}"
            self.people[name] = self.console.person(username, ROLES.get(name, Role.MEMBER))
        return self.people[name]

    def scope(self, name: str) -> Scope:
        return self.person(name).scope

    def talk(self, name: str, session: int | None = None) -> str:
        """The conversation of a person's session."""
        key = (name, self.session if session is None else session)
        return self.talks.setdefault(key, self.console.layer.chat.new_id())

    def now(self) -> datetime:
        return self.console.clock.now()

    def at(self, moment: datetime) -> None:
        """Set the clock; it may go back only to tell an older story."""
        self.console.clock.at = moment

    def wait(self, **delta: float) -> None:
        self.console.clock.forward(**delta)

    def settle(self) -> None:
        self.console.layer.drain()

    # --- putting texts in ---------------------------------------------------------------------------------------

    def say(self, name: str, text: str, *, session: int | None = None) -> Run:
        """A turn typed in the chat, answered, and taken through the write path."""
        run = self.console.ask(text, actor=self.person(name), conversation=self.talk(name, session))
        self.runs.append(run)
        episode = self.console.layer.ledger.episode(run.question_id)
        assert episode is not None
        self.episodes.append(episode)
        return run

    def submit(
        self,
        name: str,
        channel: SourceKind,
        text: str,
        *,
        session: int | None = None,
        source_ref: str = "",
        actor: str = "",
        derived_from: Sequence[str] = (),
        **more: Any,
    ) -> Episode:
        """A text by a route of the given channel. `more`: tool, claimed, expires_at, title, as `Submission` has them."""
        episode = self.console.layer.agent.submit(
            Submission(
                scope=self.scope(name),
                conversation_id=self.talk(name, session),
                channel=channel,
                text=text,
                actor=actor or (self.person(name).user_id if channel is SourceKind.USER_TURN else channel.value),
                source_ref=source_ref,
                derived_from=tuple(self.named[one].episode_id if one in self.named else one for one in derived_from),
                **{key: value for key, value in more.items() if value},
            )
        )
        self.settle()
        self.episodes.append(episode)
        return episode

    # --- looking ------------------------------------------------------------------------------------------------

    def recall(
        self, name: str, query: str, *, k: int | None = None, as_of: datetime | None = None, archived: bool = False
    ) -> Asked:
        more: dict[str, Any] = {"as_of": as_of} if as_of else {}
        more |= {"include_archived": True} if archived else {}
        found = self.console.layer.agent.recall(query, self.scope(name), k=k, **more)
        asked = Asked(who=name, query=query, found=found, as_of=as_of)
        self.asked.append(asked)
        return asked

    def answer(self, name: str, question: str) -> str:
        """What the chat answers in a conversation of its own; what it shows of how is in `runs[-1].detail`."""
        return self.say(name, question, session=1000 + len(self.runs)).text

    def memories(self, name: str, *statuses: MemoryStatus) -> list[Memory]:
        """Rows of one owner; active and unexpired ones by default."""
        rows, _ = self.console.layer.memories.list(
            self.person(name), statuses=statuses or (MemoryStatus.ACTIVE,), limit=ALL
        )
        live = [one for one in rows if statuses or one.expires_at is None or one.expires_at > self.now()]
        return list(live)

    def active(self) -> list[Memory]:
        """What is trusted and current, of everybody in the case."""
        return [one for name in list(self.people) for one in self.memories(name)]

    def facts(self) -> list[Memory]:
        """The active ones but for the events, which keep a turn's own words beside what was read from it."""
        return [one for one in self.active() if one.kind is not MemoryKind.EVENT]

    def about(self, words: str) -> list[Memory]:
        """Active facts on something; the events that hold the words where nothing else does."""
        rows = [one for one in self.active() if holds(one.text, words)]
        return [one for one in rows if one.kind is not MemoryKind.EVENT] or rows

    def superseded(self, words: str = "") -> list[Memory]:
        """Facts that are history: replaced, or taken back."""
        rows = [
            one
            for name in list(self.people)
            for one in self.memories(name, MemoryStatus.SUPERSEDED)
            if one.kind is not MemoryKind.EVENT
        ]
        return [one for one in rows if not words or holds(f"{one.value} {one.text}", words)]

    def held(self, words: str = "") -> list[HeldItem]:
        """The review queue, as an administrator sees it."""
        items, _ = self.console.layer.review.pending(self.console.admin, limit=ALL)
        return [one for one in items if not words or holds(one.candidate.text, words)]

    def ruled(self, words: str = "") -> list[HeldItem]:
        """Every candidate of the case's episodes, whatever became of it."""
        items = [
            one for episode in self.episodes for one in self.console.layer.ledger.candidates_of(episode.episode_id)
        ]
        return [one for one in items if holds(one.candidate.text, words)] if words else items

    def audit(self, action: str | None = None) -> list[Any]:
        """Audit entries of the tenant, newest first."""
        entries, _ = self.console.layer.audit_desk.entries(self.console.admin, action=action, limit=ALL)
        return list(entries)

    def audit_ok(self) -> bool:
        return bool(self.console.layer.audit_desk.verify(self.console.admin).ok)

    # --- ruling and upkeep --------------------------------------------------------------------------------------

    def item_of(self, step_id: str) -> HeldItem:
        """The held item that a named text became, whatever has become of it since."""
        [item] = self.console.layer.ledger.candidates_of(self.named[step_id].episode_id)
        return item

    def rule(
        self,
        name: str,
        item: HeldItem,
        kind: RulingKind = RulingKind.PROMOTE,
        *,
        note: str = "",
        override: bool = False,
    ) -> Outcome:
        ruling = Ruling(
            candidate_id=item.candidate.candidate_id,
            kind=kind,
            seen_version=item.candidate.version,
            digest=item.candidate.digest,
            note=note,
            override=override,
        )
        review = self.console.layer.review
        outcome = review.resolve(self.person(name), ruling)
        if kind is RulingKind.PROMOTE and outcome.state is CandidateState.HELD:  # it needs a second person
            outcome = review.resolve(self.console.admin, ruling)
        self.settle()
        return outcome

    def forget(self, name: str, words: str, reason: str = "no longer wanted") -> list[Memory]:
        """Forget every active row of a person that holds the words; returns what was forgotten."""
        desk, gone = self.console.layer.memories, []
        while rows := [one for one in self.memories(name) if not words or holds(one.text, words)]:
            desk.forget(self.person(name), rows[0].memory_id, reason)
            gone.append(rows[0])
        return gone

    def correct(self, name: str, memory_id: str, text: str) -> Any:
        done = self.console.layer.memories.correct(self.person(name), memory_id, text)
        self.settle()
        return done

    def upkeep(self) -> None:
        """The background work: archiving, deadlines, purging."""
        self.settle()
        for name in list(self.people):
            self.console.layer.upkeep.purge(self.scope(name), actor="upkeep")
        self.settle()

    def erase(self, name: str) -> Any:
        return self.console.layer.lifecycle.erase(self.console.admin, self.person(name).user_id)

    def rebuild(self) -> Any:
        done = self.console.layer.lifecycle.rebuild(self.console.admin)
        self.settle()
        return done

    def export(self, name: str) -> Any:
        return self.console.layer.memories.export(self.person(name))

    def import_rows(self, name: str, rows: Sequence[dict[str, Any]]) -> Sequence[Episode]:
        taken = self.console.layer.memories.import_rows(self.person(name), rows, source="export.json")
        self.episodes.extend(taken)
        self.settle()
        return taken

    def prompt(self, name: str, question: str, *, budget_tokens: int = 6000, system: str = "") -> str:
        """The whole prompt that a model would get for a question in the person's open conversation."""
        chat = self.console.layer.chat
        turn = self.console.layer.agent.submit(
            Submission(
                scope=self.scope(name),
                conversation_id=self.talk(name),
                channel=SourceKind.USER_TURN,
                text=question,
                actor=self.person(name).user_id,
                distil=False,
            )
        )
        answerer = replace(chat.answerer, model=_Mute(), budget_tokens=budget_tokens)
        if system:
            answerer = replace(answerer, system_prompt=system)
        answer = answerer.begin(chat._asked(turn))
        self.notes["detail"] = answer.detail
        return "\n".join(f"{one['role']}: {one['content']}" for one in answer.detail["prompt"])

    def parallel(self, acts: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run acts at the same moment; what one raises comes back in its place."""
        results: list[Any] = [None] * len(acts)
        start = threading.Barrier(len(acts))

        def run(index: int, act: Callable[[], Any]) -> None:
            start.wait(10)
            try:
                results[index] = act()
            except Exception as problem:  # noqa: BLE001 - the case looks at what was refused
                results[index] = problem

        threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        return results

    def ask_only(self, name: str, text: str) -> Run:
        """A chat turn that the worker has not read yet."""
        chat, who = self.console.layer.chat, self.person(name)
        run = chat.ask(who, self.talk(name), text)
        deadline = time.monotonic() + 60
        while run.state is RunState.RUNNING and time.monotonic() < deadline:
            time.sleep(0.01)
            run = chat.run(who, run.run_id)
        return run

    def learned(self, run: Run) -> Any:
        """What the chat shows beside a turn: what was remembered, what waits, what was not."""
        episode = self.console.layer.ledger.episode(run.question_id)
        assert episode is not None
        return self.console.layer.chat.learned(episode)


class _Mute:
    """A model that is never asked: the prompt made for it is what is looked at."""

    model_id = "mute"

    def stream(self, _messages: Any) -> Any:
        return iter(())


def origins_of(thing: Memory | HeldItem) -> int:
    """How many independent origins support a fact, its own included (rules §4.3)."""
    if isinstance(thing, Memory):
        return thing.origins
    evidence = thing.decision.evidence
    return len({*evidence.supporters, evidence.origin} - {""}) or 1


def storage_text(folder: Path, database_url: str) -> str:
    """Every file's bytes under `folder`, and every row of every table, as Latin-1 and text."""
    import psycopg  # noqa: PLC0415 - only the cases that search all storage look past the store's adapter
    from psycopg import sql  # noqa: PLC0415

    parts = [path.read_bytes().decode("latin-1") for path in sorted(folder.rglob("*")) if path.is_file()]
    with psycopg.connect(database_url) as conn:
        tables = conn.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for schema, table in tables:
            query = sql.SQL("SELECT t::text FROM {}.{} t").format(sql.Identifier(schema), sql.Identifier(table))
            parts.extend(row[0] for row in conn.execute(query).fetchall())
    assert parts
    return "\n".join(parts)


def moment(text: str) -> datetime:
    """A case's moment: an instant, or a date at midnight UTC."""
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
