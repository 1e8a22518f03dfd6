"""Makes a story happen: every step goes through the desk that a person, an assistant or a route would use.

No row is written by hand. What is simulated is time (a clock that is set to each step's hour) and, for steps marked
`outage`, an embedding model that does not answer; what follows from both is the product's own doing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from core.errors import ChronoMemoryError, LedgerUnavailable, ModelUnavailable, NotAuthorised, StoreUnavailable
from core.intake import Submission
from core.layer import MemoryLayer
from core.model import (
    Actor,
    Episode,
    HeldItem,
    Memory,
    MemoryKind,
    MemoryStatus,
    Role,
    Ruling,
    RulingKind,
    RunState,
    SourceKind,
)
from core.ports import Embedder
from demo.story import Step, Story, StoryError

START_SECONDS = 600.0
ANSWER_SECONDS = 60.0
PATIENCE_SECONDS = 30.0
T = TypeVar("T")
ADDRESS, AGENT = "127.0.0.1", "demonstration"
LOOKED_AT = 200  # held items or memories that a step's words are looked for in
FOUND: dict[str, tuple[MemoryStatus, ...]] = {"restore": (MemoryStatus.DELETED, MemoryStatus.ARCHIVED)}


class StoryClock:
    """A clock that shows what the story says; it never goes back."""

    def __init__(self, at: datetime) -> None:
        """Set it."""
        self._at = at

    def now(self) -> datetime:
        """The story's time."""
        return self._at

    def set(self, at: datetime) -> None:
        """Go on to a later time."""
        self._at = max(self._at, at)


@dataclass(kw_only=True)
class Interruptible:
    """An embedder that does not answer while `down`: how a failed part looks to the gate (rules §1.12)."""

    inner: Embedder
    down: bool = False

    @property
    def identity(self) -> str:
        """The inner one's."""
        return self.inner.identity

    @property
    def dimensions(self) -> int:
        """The inner one's."""
        return self.inner.dimensions

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """The inner one's vectors.

        Raises:
            ModelUnavailable: it is down.
        """
        if self.down:
            msg = "the embedding model does not answer"
            raise ModelUnavailable(msg)
        return self.inner.embed(texts)


@dataclass(kw_only=True)
class Teller:
    """Tells one story in one started layer whose worker it drives."""

    layer: MemoryLayer
    clock: StoryClock
    embedder: Interruptible
    password: str
    people: dict[str, Actor] = field(default_factory=dict)
    _talks: dict[tuple[str, str], str] = field(default_factory=dict)
    _made: dict[str, str] = field(default_factory=dict)  # label to episode or candidate id

    def tell(self, story: Story, progress: Callable[[int, Step], None]) -> None:
        """Make the accounts, then every step in order.

        Raises:
            StoryError: a step did not do what the story says, named with the reason.
        """
        self._wait_ready()
        self._arrive(story)
        for number, step in enumerate(story.steps):
            progress(number, step)
            self.clock.set(step.at)
            self.embedder.down = step.outage
            try:
                self._take(step)
            except ChronoMemoryError as problem:
                msg = f"{step.do} “{(step.text or step.find)[:60]}” in “{step.chapter}”: {problem}"
                raise StoryError(msg) from problem
            finally:
                self.embedder.down = False

    def _take(self, step: Step) -> None:
        """One step, and the worker's part of it."""
        try:
            self._do(step)
        except ChronoMemoryError:
            if not step.refused:
                raise
        else:
            if step.refused:
                msg = f"{step.do} “{step.find}” in “{step.chapter}” was to be refused and was not"
                raise StoryError(msg)
        _patiently(self.layer.drain)

    def leave(self) -> None:
        """Sign everybody out: whoever looks at the demonstration signs in anew."""
        for actor in self.people.values():
            self.layer.accounts.sign_out(actor)
        self.layer.drain()

    def _wait_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while any(state.startswith("starting") for state in self.layer.health().values()):
            if time.monotonic() > deadline:
                msg = f"the installation did not start: {self.layer.health()}"
                raise StoryError(msg)
            time.sleep(0.05)

    def _arrive(self, story: Story) -> None:
        """The first admin by the set-up link, the others by invitation: as at any first start."""
        accounts = self.layer.accounts
        roles = {name: Role(role) for name, role in story.people.items()}
        first = next(name for name, role in roles.items() if role is Role.ADMIN)
        accounts.create_first_admin(accounts.setup_token() or "", first, "", self.password)
        self.people[first] = self._sign_in(first)
        for name, role in roles.items():
            if name != first:
                token = accounts.invite(self.people[first], role, name)
                accounts.accept_invitation(token, name, "", self.password)
                self.people[name] = self._sign_in(name)
        self.layer.enactor.note(
            actor="system",
            action="demo:filled",
            tenant=self.people[first].tenant,
            owner="",
            about={"steps": len(story.steps)},
        )

    def _sign_in(self, name: str) -> Actor:
        _, token = self.layer.accounts.sign_in(name, self.password, ADDRESS, AGENT)
        actor = self.layer.accounts.resolve(token)
        if actor is None:
            msg = f"{name} could not sign in"
            raise StoryError(msg)
        return actor

    # --- what a step may do -----------------------------------------------------------------------------------------

    def _do(self, step: Step) -> None:
        act = getattr(self, f"_step_{step.do}", None)
        if act is None:
            msg = f"nobody can “{step.do}”"
            raise StoryError(msg)
        made = act(step, self.people[step.who])
        if step.label:
            self._made[step.label] = made

    def _talk(self, step: Step) -> str:
        return self._talks.setdefault((step.who, step.talk), self.layer.chat.new_id())

    def _step_ask(self, step: Step, actor: Actor) -> str:
        """A turn in a conversation, and its answer."""
        run = self.layer.chat.ask(actor, self._talk(step), step.text)
        deadline = time.monotonic() + ANSWER_SECONDS
        while run.state is RunState.RUNNING:
            if time.monotonic() > deadline:
                msg = f"no answer came to “{step.text}”"
                raise StoryError(msg)
            time.sleep(0.003)
            run = _patiently(lambda run_id=run.run_id: self.layer.chat.run(actor, run_id))  # type: ignore[misc]
        return run.question_id

    def _step_page(self, step: Step, actor: Actor) -> str:
        """A web page that somebody pastes."""
        return self.layer.chat.attach_page(actor, self._talk(step), address=step.ref, text=step.text).episode_id

    def _step_file(self, step: Step, actor: Actor) -> str:
        """A file that somebody attaches."""
        data = step.text.encode("utf-8")
        return self.layer.chat.attach_file(actor, self._talk(step), name=step.ref, data=data).episode_id

    def _step_tool(self, step: Step, actor: Actor) -> str:
        """What a tool put out, by its route."""
        return self._submit(step, actor, SourceKind.TOOL_OUTPUT, f"tool:{step.ref}", tool=step.ref).episode_id

    def _step_mail(self, step: Step, actor: Actor) -> str:
        """What another person wrote, by the mail route."""
        return self._submit(step, actor, SourceKind.THIRD_PARTY, step.ref).episode_id

    def _step_agent_note(self, step: Step, actor: Actor) -> str:
        """What the assistant writes down by itself."""
        return self._submit(step, actor, SourceKind.AGENT_TURN, actor.scope.agent or "assistant").episode_id

    def _submit(self, step: Step, actor: Actor, channel: SourceKind, speaker: str, *, tool: str = "") -> Episode:
        talk = self._talk(step)
        return self.layer.agent.submit(
            Submission(
                scope=actor.scope,
                conversation_id=talk,
                channel=channel,
                text=step.text,
                actor=speaker,
                source_ref=step.ref or f"conversation {talk}",
                derived_from=tuple(self._made[label] for label in step.inputs),
                tool=tool,
            )
        )

    def _step_recall(self, step: Step, actor: Actor) -> str:
        """An assistant asks memory without a conversation."""
        self.layer.agent.recall(step.text, actor.scope)
        return ""

    def _step_rule(self, step: Step, actor: Actor, kind: RulingKind) -> str:
        item = self._held(step, actor)
        candidate = self.layer.review.item(actor, item.candidate.candidate_id).candidate
        ruling = Ruling(
            candidate_id=candidate.candidate_id,
            kind=kind,
            seen_version=candidate.version,
            digest=candidate.digest,
            note=step.note,
            override=step.override,
        )
        if kind in (RulingKind.PROMOTE, RulingKind.REJECT):
            self.layer.review.resolve(actor, ruling)
        else:
            self.layer.review.settle(actor, ruling)
        return candidate.candidate_id

    def _step_promote(self, step: Step, actor: Actor) -> str:
        """A reviewer takes a held item in."""
        return self._step_rule(step, actor, RulingKind.PROMOTE)

    def _step_reject(self, step: Step, actor: Actor) -> str:
        """A reviewer turns a held item down."""
        return self._step_rule(step, actor, RulingKind.REJECT)

    def _step_settle(self, step: Step, actor: Actor) -> str:
        """The owner answers a question that waits for them."""
        return self._step_rule(step, actor, RulingKind(step.kind))

    def _step_undo(self, step: Step, actor: Actor) -> str:
        """A reviewer takes a ruling back."""
        self.layer.review.undo(actor, self._made[step.find])
        return ""

    def _step_revoke(self, step: Step, actor: Actor) -> str:
        """A reviewer takes a promotion back, long after."""
        self.layer.review.revoke(actor, self._made[step.find], step.note)
        return ""

    def _step_pin(self, step: Step, actor: Actor) -> str:
        """The owner puts a memory into the profile."""
        memory = self._memory(step, actor)
        self.layer.memories.pin(actor, memory.memory_id)
        return memory.memory_id

    def _step_archive(self, step: Step, actor: Actor) -> str:
        """The owner puts a memory away."""
        memory = self._memory(step, actor)
        self.layer.memories.archive(actor, memory.memory_id)
        return memory.memory_id

    def _step_forget(self, step: Step, actor: Actor) -> str:
        """The owner has a memory forgotten."""
        memory = self._memory(step, actor)
        self.layer.memories.forget(actor, memory.memory_id, step.note)
        return memory.memory_id

    def _step_restore(self, step: Step, actor: Actor) -> str:
        """The owner brings a memory back."""
        memory = self._memory(step, actor)
        self.layer.memories.restore(actor, memory.memory_id)
        return memory.memory_id

    def _step_correct(self, step: Step, actor: Actor) -> str:
        """The owner says what is true instead."""
        memory = self._memory(step, actor)
        return self.layer.memories.correct(actor, memory.memory_id, step.text).episode_id

    def _step_wrong_password(self, step: Step, _actor: Actor) -> str:
        """Somebody types a wrong password."""
        try:
            self.layer.accounts.sign_in(step.who, f"not {self.password}"[:60], ADDRESS, AGENT)
        except NotAuthorised:
            return ""
        msg = "a wrong password opened a session"
        raise StoryError(msg)

    # --- finding ----------------------------------------------------------------------------------------------------

    def _held(self, step: Step, actor: Actor) -> HeldItem:
        review = self.layer.review
        items: Sequence[HeldItem]
        if step.do == "settle":
            items = review.questions(actor)
        else:
            items, _ = review.pending(actor, limit=LOOKED_AT)
        found = [one for one in items if step.find.casefold() in one.candidate.text.casefold()]
        if not found:
            msg = f"nothing held says “{step.find}” (step {step.do} of “{step.chapter}”)"
            raise StoryError(msg)
        return found[0]

    def _memory(self, step: Step, actor: Actor) -> Memory:
        statuses = FOUND.get(step.do, (MemoryStatus.ACTIVE,))
        rows, _ = self.layer.memories.list(actor, statuses=statuses, limit=LOOKED_AT)
        found = [one for one in rows if step.find.casefold() in one.text.casefold()]
        if not found:
            msg = f"no memory says “{step.find}” (step {step.do} of “{step.chapter}”)"
            raise StoryError(msg)
        return min(found, key=lambda one: one.kind is MemoryKind.EVENT)


def _patiently(act: Callable[[], T]) -> T:
    """Do something that may be done twice; the embedded store is started again by itself when it was gone.

    Raises:
        ChronoMemoryError: what does not pass, or has not passed in PATIENCE_SECONDS.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return act()
        except (StoreUnavailable, LedgerUnavailable):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.5)


__all__ = ["Interruptible", "StoryClock", "Teller"]
