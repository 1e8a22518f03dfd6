"""One turn of a conversation: recall, prompt, stream, submit both turns. The answer lives in the ledger as it grows."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from types import GeneratorType
from typing import Any

from core.accounts import Accounts
from core.attachments import channel_of, page_text, parse
from core.enact import Enactor
from core.errors import BadInput, ChronoMemoryError, ModelUnavailable, NotAuthorised, NotFound, TooLarge
from core.intake import Intake, Submission, turn_of
from core.model import (
    Actor,
    CandidateState,
    Conversation,
    Episode,
    HeldItem,
    MemoryKind,
    Run,
    RunState,
    Scope,
    SourceKind,
    Turn,
)
from core.policy import Policy
from core.ports import Clock, Ids, Ledger
from core.reply import Answer, Answerer, Asked
from core.runs import Held, Runs
from core.upkeep import Upkeep

log = logging.getLogger(__name__)

FLUSH_SECONDS = 0.15  # how often a growing answer is saved; the page reads it every 0.3 s
TITLE_CHARS = 60
PARALLEL_ANSWERS = 8
_NO_NEWS = frozenset({"not_an_assertion", "trivial"})


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatLimits:
    """Sizes above which input is refused with the limit named."""

    message_chars: int = 20_000
    attachment_bytes: int = 5_000_000
    attachment_chars: int = 400_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Learned:
    """What the write path made of one turn or attachment, as far as it got."""

    processed: bool
    items: tuple[HeldItem, ...] = ()

    @property
    def admitted(self) -> list[HeldItem]:
        """Facts that went into memory; the event that keeps the turn's own words is no news to who said them."""
        reached = (CandidateState.ADMITTED, CandidateState.PROMOTED)
        return [
            one for one in self.items if one.state in reached and one.candidate.proposal.kind is not MemoryKind.EVENT
        ]

    @property
    def held(self) -> list[HeldItem]:
        """What waits for a reviewer."""
        return [one for one in self.items if one.state is CandidateState.HELD]

    @property
    def dropped(self) -> list[HeldItem]:
        """What was stated and not kept; that a question or a courtesy states nothing is no news."""
        return [
            one
            for one in self.items
            if one.state is CandidateState.REJECTED
            and one.candidate.proposal.kind is not MemoryKind.EVENT
            and one.decision.reasons[0] not in _NO_NEWS
        ]


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """One line of a thread as the page draws it."""

    role: str  # "user", "assistant" or "attachment"
    text: str
    at: Any
    episode_id: str = ""
    title: str = ""
    source_kind: SourceKind = SourceKind.USER_TURN
    run: Run | None = None
    learned: Learned | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Chat:
    """The conversation's front door. Every method authorises its actor by re-reading the database."""

    accounts: Accounts
    ledger: Ledger
    intake: Intake
    enactor: Enactor
    runs: Runs
    answerer: Answerer
    upkeep: Upkeep
    policy: Policy
    clock: Clock
    ids: Ids
    limits: ChatLimits
    wake_worker: threading.Event
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(max_workers=PARALLEL_ANSWERS, thread_name_prefix="answer")
    )

    def new_id(self) -> str:
        """An identifier for a new conversation; nothing is written until its first turn or attachment."""
        return self.ids.new()

    def ask(self, actor: Actor, conversation_id: str, text: str) -> Run:
        """Store the person's turn, durably, and start its answer in a worker thread.

        Raises:
            BadInput, TooLarge: the message cannot be taken as it is.
            NotFound: the conversation is somebody else's.
            LedgerUnavailable: nothing was stored.
        """
        self.accounts.authorise(actor)
        scope = actor.scope
        if len(text) > self.limits.message_chars:
            msg = (
                f"the message has {len(text):,} characters; the limit is {self.limits.message_chars:,}. "
                "Attach long text as a document instead."
            )
            raise TooLarge(msg)
        self._own(scope, conversation_id)
        turn = self._submit(actor, conversation_id, SourceKind.USER_TURN, text)
        at = turn.received_at
        run = Run(
            run_id=self.ids.new(),
            conversation_id=conversation_id,
            scope=scope,
            question_id=turn.episode_id,
            state=RunState.RUNNING,
            text="",
            started_at=at,
            updated_at=at,
        )
        self.runs.begin(run, self._titled(scope, conversation_id, turn.text, at))
        self._begin(actor, turn, run)
        return run

    def retry(self, actor: Actor, run_id: str) -> Run:
        """Answer the same question anew, after an answer that failed or was stopped; the turn is not said again.

        Raises:
            NotFound: there is no such answer in the actor's scope.
            BadInput: it is no answer to be tried again, or it is being tried already.
        """
        ended = self.run(actor, run_id)
        turn = self.ledger.episode(ended.question_id)
        newest = self.ledger.runs(ended.scope, ended.conversation_id)[-1:]
        if turn is None or ended.state not in (RunState.FAILED, RunState.STOPPED):
            msg = "Only an answer that failed or was stopped can be tried again."
            raise BadInput(msg)
        if [one.run_id for one in newest] != [run_id]:
            msg = "This was asked before the last answer. Ask it again in a new message."
            raise BadInput(msg)
        at = self.clock.now()
        run = replace(
            ended,
            run_id=self.ids.new(),
            state=RunState.RUNNING,
            text="",
            error="",
            answer_id="",
            model="",
            detail={},
            started_at=at,
            updated_at=at,
        )
        self.runs.begin(run)
        self._begin(actor, turn, run)
        return run

    def _begin(self, actor: Actor, turn: Episode, run: Run) -> None:
        held = self.runs.hold(run)
        held.done = self._pool.submit(self._answer, actor, turn, run, held)
        self.wake_worker.set()

    def stop(self, actor: Actor, run_id: str) -> None:
        """Stop an answer, whichever process gives it; the part that arrived is kept."""
        self.runs.stop(self.run(actor, run_id))

    def end_answers(self, tenant: str, owner: str) -> None:
        """Stop a person's answers: nothing of an erased person is written after."""
        self.runs.end_of(tenant, owner)

    def run(self, actor: Actor, run_id: str) -> Run:
        """One answer as far as it got.

        Raises:
            NotFound: there is none by that id in the actor's scope.
        """
        self.accounts.authorise(actor)
        run = self.ledger.run(run_id)
        if run is None or run.scope != actor.scope:
            msg = "There is no such answer. Open the conversation again."
            raise NotFound(msg)
        return self.runs.settled(run)

    def conversations(self, actor: Actor) -> list[Conversation]:
        """The actor's conversations, last used first."""
        self.accounts.authorise(actor)
        return self.ledger.conversations(actor.scope)

    def delete(self, actor: Actor, conversation_id: str) -> None:
        """Take a conversation out of the list. What was learned in it stays until it is forgotten."""
        self.accounts.authorise(actor)
        self._own(actor.scope, conversation_id)
        with self.ledger.transaction() as tx:
            tx.delete_conversation(actor.scope, conversation_id, at=self.clock.now())
            tx.append_audit(
                at=self.clock.now(),
                actor=actor.user_id,
                action="conversation:deleted",
                tenant=actor.tenant,
                owner=actor.user_id,
                about={"conversation_id": conversation_id},
            )

    def thread(self, actor: Actor, conversation_id: str) -> list[Exchange]:
        """The conversation's lines, oldest first: turns and attachments with what was learned, answers with detail."""
        self.accounts.authorise(actor)
        scope = actor.scope
        runs = {run.question_id: self.runs.settled(run) for run in self.ledger.runs(scope, conversation_id)}
        lines: list[Exchange] = []
        for episode in self.ledger.episodes(scope, conversation_id):
            if episode.provenance.source_kind is SourceKind.AGENT_TURN:
                continue  # shown through its run
            turn = turn_of(episode)
            lines.append(
                Exchange(
                    role=turn.role,
                    text=turn.text,
                    at=turn.at,
                    episode_id=turn.episode_id,
                    title=turn.title,
                    source_kind=turn.source_kind,
                    learned=self.learned(episode),
                )
            )
            run = runs.get(episode.episode_id)
            if run is not None:
                lines.append(
                    Exchange(
                        role="assistant",
                        text=run.text,
                        at=run.updated_at,
                        episode_id=run.answer_id,
                        source_kind=SourceKind.AGENT_TURN,
                        run=run,
                    )
                )
        return lines

    def learned(self, episode: Episode) -> Learned:
        """What became of one episode; `processed` is False while the worker has not finished it."""
        items = self.ledger.candidates_of(episode.episode_id)
        return Learned(processed=bool(items) or self.ledger.processed(episode.episode_id), items=tuple(items))

    # --- attachments --------------------------------------------------------------------------------------------

    def preview_tool(self, tool: str) -> float:
        """What a result of a tool by this name is trusted; shown before it is sent."""
        return self.policy.preview_trust(SourceKind.TOOL_OUTPUT, tool.strip())

    def attach_tool(self, actor: Actor, conversation_id: str, *, tool: str, text: str) -> Episode:
        """Keep what a tool returned as an episode; what it is worth says the policy's registry, by the tool's name.

        Raises:
            BadInput: the name or the text is missing.
            TooLarge: the text is over the limit.
        """
        self.accounts.authorise(actor)
        tool = " ".join(tool.split())
        if not tool or len(tool) > TITLE_CHARS:
            msg = f"name the tool that returned it, in at most {TITLE_CHARS} characters"
            raise BadInput(msg)
        if not text.strip():
            msg = "paste what the tool returned"
            raise BadInput(msg)
        self._fits("result", text)
        return self._attach(
            actor, conversation_id, SourceKind.TOOL_OUTPUT, text, ref=f"tool {tool}", title=tool, tool=tool
        )

    def _fits(self, what: str, text: str) -> None:
        if len(text) > self.limits.attachment_chars:
            msg = f"the {what} has {len(text):,} characters; the limit is {self.limits.attachment_chars:,}."
            raise TooLarge(msg)

    def preview(self, name: str) -> tuple[SourceKind, float]:
        """The channel class and base trust that a file or page of this name gets; shown before it is sent."""
        kind = SourceKind.WEB_CONTENT if name.startswith(("http://", "https://")) else channel_of(name)
        return kind, self.policy.preview_trust(kind)

    def attach_file(self, actor: Actor, conversation_id: str, *, name: str, data: bytes) -> Episode:
        """Read a file as text and keep it as an episode of this conversation; its claims go to review.

        Raises:
            UnsupportedFile, TooLarge, BadInput: with what to do instead.
        """
        self.accounts.authorise(actor)
        parsed = parse(name, data, max_bytes=self.limits.attachment_bytes, max_chars=self.limits.attachment_chars)
        return self._attach(
            actor, conversation_id, parsed.source_kind, parsed.text, ref=parsed.title, title=parsed.title
        )

    def attach_page(self, actor: Actor, conversation_id: str, *, address: str, text: str) -> Episode:
        """Keep a pasted web page (HTML or text) as an episode; nothing is fetched from the address.

        Raises:
            BadInput: the address or the text is missing.
            TooLarge: the text is over the limit.
        """
        self.accounts.authorise(actor)
        address = address.strip()
        if not address:
            msg = "give the page's address, so that a reviewer sees where it came from"
            raise BadInput(msg)
        self._fits("page", text)
        return self._attach(
            actor, conversation_id, SourceKind.WEB_CONTENT, page_text(text), ref=address[:500], title=address[:120]
        )

    def _attach(
        self, actor: Actor, conversation_id: str, kind: SourceKind, text: str, *, ref: str, title: str, tool: str = ""
    ) -> Episode:
        self._own(actor.scope, conversation_id)
        episode = self._submit(actor, conversation_id, kind, text, ref=ref, title=title, tool=tool)
        with self.ledger.transaction() as tx:
            tx.put_conversation(self._titled(actor.scope, conversation_id, title, episode.received_at))
        self.wake_worker.set()
        return episode

    # --- inside -------------------------------------------------------------------------------------------------

    def _own(self, scope: Scope, conversation_id: str) -> None:
        first = self.ledger.conversation_scope(conversation_id)
        if first is not None and first != scope:
            msg = "There is no such conversation."
            raise NotFound(msg)

    def _submit(
        self,
        actor: Actor,
        conversation_id: str,
        kind: SourceKind,
        text: str,
        *,
        ref: str = "",
        title: str = "",
        tool: str = "",
    ) -> Episode:
        return self.intake.submit(
            Submission(
                scope=actor.scope,
                conversation_id=conversation_id,
                channel=kind,
                text=text,
                actor=actor.user_id,
                source_ref=ref or f"conversation {conversation_id}",
                title=title,
                tool=tool,
            )
        )

    def _titled(self, scope: Scope, conversation_id: str, text: str, at: Any) -> Conversation:
        known = self.ledger.conversation(scope, conversation_id)
        title = known.title if known else " ".join(text.split())[:TITLE_CHARS]
        return Conversation(
            conversation_id=conversation_id,
            scope=scope,
            title=title,
            created_at=known.created_at if known else at,
            updated_at=at,
        )

    def _answer(self, actor: Actor, turn: Episode, run: Run, held: Held) -> None:
        try:
            asked = self._asked(turn)
            answer = self.answerer.begin(asked)
            run = self._grow(run, answer, answer.pieces, held)
            self._finish(actor, asked, answer, run, stopped=held.stop.is_set())
        except ChronoMemoryError as problem:
            self._fail(run, str(problem))
        except Exception:
            # A worker thread's outermost loop: an unknown fault must end the run visibly, not leave it running.
            log.exception("answer %s failed", run.run_id)
            self._fail(run, "Something went wrong here. Your message is kept; send it again.")
        finally:
            self.runs.let_go(run.run_id)

    def _asked(self, turn: Episode) -> Asked:
        episodes = self.ledger.episodes(turn.scope, turn.conversation_id)
        earlier = [one for one in episodes if one.serial_no < turn.serial_no]
        attached = [one for one in earlier if turn_of(one).role == "attachment"]
        since = max((one.serial_no for one in earlier if turn_of(one).role == "user"), default=0)
        return Asked(
            turn=turn,
            recent=tuple(turn_of(one) for one in earlier if turn_of(one).role != "attachment"),
            attached=tuple(turn_of(one) for one in attached),
            fresh=tuple(one for one in attached if one.serial_no > since),
        )

    def _grow(self, run: Run, answer: Answer, pieces: Iterator[str], held: Held) -> Run:
        """Save the answer as it arrives, at most every FLUSH_SECONDS; a failing model gives way to the rules."""
        saved = self.clock.now()
        run = self.runs.put(replace(run, model=answer.who(), detail=answer.detail))
        close = getattr(pieces, "close", None)
        if close is not None and not isinstance(pieces, GeneratorType):  # a generator cannot be closed while it runs
            held.cut = close
        try:
            for piece in pieces:
                run = replace(run, text=run.text + piece)
                if (self.clock.now() - saved).total_seconds() >= FLUSH_SECONDS:
                    run, saved = self.runs.put(run), self.clock.now()
                if held.stop.is_set():
                    break
        except ModelUnavailable:
            if held.stop.is_set():
                return run
            if run.text:  # keep what arrived; do not glue another voice to it
                return replace(run, error="The model stopped answering; what had arrived is kept.")
            spare = self.answerer.by_rules(answer)
            answer.take(spare)
            return self._grow(replace(run, text=""), answer, spare.pieces, held)
        finally:
            if close is not None:
                close()
        return run

    def _finish(self, actor: Actor, asked: Asked, answer: Answer, run: Run, *, stopped: bool) -> None:
        state = RunState.STOPPED if stopped else RunState.FAILED if run.error else RunState.DONE
        turn = asked.turn
        answer_id, who = "", answer.who()
        self.answerer.count("agent", who)
        if run.text.strip():
            answer_id = self.intake.submit(
                Submission(
                    scope=run.scope,
                    conversation_id=run.conversation_id,
                    channel=SourceKind.AGENT_TURN,
                    text=run.text,
                    actor=who,
                    source_ref=f"conversation {run.conversation_id}",
                    derived_from=(
                        turn.episode_id,
                        *(one.episode_id for one in asked.attached),
                        *(f"memory:{memory_id}" for memory_id in answer.used_ids),
                    ),
                    idempotency_key=f"answer:{run.run_id}",
                    distil=False,
                )
            ).episode_id
        detail = answer.finished(run.text) | self._gone(asked)
        earlier = self._cited_before(run)
        self.runs.put(replace(run, state=state, answer_id=answer_id, detail=detail, model=who))
        cited = [one for one in answer.cited_ids(run.text) if one not in earlier]
        self.upkeep.touched(run.scope, answer.found.hits, cited=cited, actor=actor.user_id, where=run.conversation_id)
        self.wake_worker.set()

    def _gone(self, asked: Asked) -> dict[str, Any]:
        """What is no longer current and would have answered; that it could not be looked up is said with the answer."""
        try:
            return {"gone": self.answerer.left_out(asked)}
        except ChronoMemoryError as problem:
            log.info("what an answer left out could not be looked up: %s", type(problem).__name__)
            return {"gone": [], "gone_unknown": True}

    def _cited_before(self, run: Run) -> set[str]:
        """Memories already counted in this session: once per memory per session (rules §2.4)."""
        used: Sequence[dict[str, Any]]
        seen: set[str] = set()
        for other in self.ledger.runs(run.scope, run.conversation_id):
            used = other.detail.get("used", []) if other.run_id != run.run_id else []
            seen |= {one["memory_id"] for one in used if one.get("cited")}
        return seen

    def _fail(self, run: Run, message: str) -> None:
        try:
            current = self.ledger.run(run.run_id) or run
            self.runs.put(replace(current, state=RunState.FAILED, error=message))
        except NotAuthorised:
            log.info("answer %s ended: its person was erased", run.run_id)
        except ChronoMemoryError:
            log.exception("answer %s could not be marked as failed", run.run_id)

    def close(self) -> None:
        """Stop every answer and wait for its thread."""
        self.runs.close()
        self._pool.shutdown(wait=True)


__all__ = ["Chat", "ChatLimits", "Exchange", "Learned", "Turn"]
