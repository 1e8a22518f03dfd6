"""Makes an answer: by the agent model from the assembled prompt, or by rules from recalled facts (rules §6.4, §7.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from core.advice import with_conflicts
from core.caution import advice_detail, answer_counsel, with_doubt
from core.confidence import Counsel, confidence_of
from core.intake import Intake
from core.model import Candidate, Decision, Episode, HeldItem, Hit, Memory, MemoryStatus, Turn
from core.policy import Policy
from core.ports import (
    ChatModel,
    Clock,
    HeldFilter,
    Ids,
    LedgerReader,
    MemoryReader,
    ReplyContext,
    Responder,
)
from core.prompt import assemble
from core.recall import Recall, Recaller, SessionLookup, above_floor, of_session, rank
from core.slots import normalise

RULES = "rules"
RULES_HITS = 20  # the responder chooses among more hits than a prompt would hold
PACE_SECONDS = 0.02  # between the words of a rules answer, so that it reads as it comes
LEFT_OUT = 10  # memories that are no longer current and are named with an answer, the best fitting ones
HELD_SCAN = 200  # held items looked at when counting what was withheld
_CITATION = re.compile(r"\[(\d{1,3})\]")
_WORD = re.compile(r"\w{3,}", re.UNICODE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One question with its conversation: `fresh` are attachments that came since the last turn."""

    turn: Episode
    recent: tuple[Turn, ...]
    attached: tuple[Turn, ...]
    fresh: tuple[Episode, ...]


@dataclass(kw_only=True, slots=True)
class Answer:
    """An answer under way: its pieces, and what the person may see about how it was made."""

    who: Callable[[], str]  # a chain of models knows only afterwards which of them spoke
    pieces: Iterator[str]
    detail: dict[str, Any]
    used: tuple[Memory, ...]
    asked: Asked
    found: Recall

    @property
    def used_ids(self) -> list[str]:
        """Ids of the memories that were before the model."""
        return [memory.memory_id for memory in self.used]

    def cited_ids(self, text: str) -> list[str]:
        """Ids of the memories that the text cites by number."""
        numbers = {int(number) for number in _CITATION.findall(text)}
        return [memory.memory_id for index, memory in enumerate(self.used, start=1) if index in numbers]

    def finished(self, text: str) -> dict[str, Any]:
        """The detail with each used memory marked as cited or not; of the profile, only what was cited is listed."""
        cited = set(self.cited_ids(text))
        used = [one | {"cited": one["memory_id"] in cited} for one in self.detail.get("used", [])]
        return self.detail | {"used": [one for one in used if one["cited"] or not one.get("profile")]}

    def take(self, other: Answer) -> None:
        """Become another answer to the same question: the model failed, the rules answer."""
        self.who, self.detail, self.used = other.who, other.detail, other.used


@dataclass(frozen=True, kw_only=True, slots=True)
class Answerer:
    """Chooses model or rules and prepares the answer. Reads only."""

    ledger: LedgerReader
    store: MemoryReader
    recaller: Recaller
    intake: Intake
    responder: Responder
    model: ChatModel | None
    policy: Policy
    clock: Clock
    ids: Ids
    system_prompt: str
    budget_tokens: int
    count: Callable[[str, str], None]  # (role, who did it): the fast-path counter
    pause: Callable[[float], None] = field(default=lambda _seconds: None)

    def begin(self, asked: Asked) -> Answer:
        """Recall for the question and start its answer.

        Raises:
            StoreUnavailable: recall is not possible; the message is kept.
        """
        turn = asked.turn
        found = self.recaller.recall(turn.text, turn.scope, conversation_id=turn.conversation_id)
        return self._by_model(asked, found) if self.model is not None else self._by_rules(asked, found)

    def left_out(self, asked: Asked) -> list[dict[str, Any]]:
        """What would have answered if it were still current, and why it is not: replaced, decayed, ended, expired.

        Raises:
            StoreUnavailable, ModelUnavailable: it cannot be looked up right now.
        """
        turn, at = asked.turn, self.clock.now()
        [vector] = self.recaller.embedder.embed([turn.text])
        found = self.store.left_out(turn.scope, vector=vector, query=turn.text, at=at, limit=LEFT_OUT)
        own = [
            one
            for one in found
            if one.memory.scope == turn.scope
            and self.store.genuine(one)
            and of_session(one.memory, turn.conversation_id)
            and one.memory.status is not MemoryStatus.DELETED
        ]
        hits = [hit for hit in rank(own, self.policy, at) if above_floor(hit, self.policy.recall, turn.text)]
        return [_shown(hit, 0) | {"why": _ended(hit.memory, at)} for hit in hits[:LEFT_OUT]]

    def by_rules(self, answer: Answer) -> Answer:
        """The same question answered without the model."""
        return self._by_rules(answer.asked, answer.found)

    def _by_model(self, asked: Asked, found: Recall) -> Answer:
        model = self.model
        if model is None:
            return self._by_rules(asked, found)
        scope = asked.turn.scope
        known = {hit.memory.memory_id for hit in found.hits}
        working = self.recaller.working(scope, asked.turn.conversation_id)
        working = tuple(hit for hit in working if hit.memory.memory_id not in known)
        prompt = assemble(
            system=self.system_prompt,
            profile=self.store.pinned(scope),
            hits=(*found.hits, *working),
            live=(*asked.recent, _as_turn(asked.turn)),
            attached=asked.attached,
            budget_tokens=self.budget_tokens,
            nonce=self.ids.new()[-12:],
            advice=found.counsel.advice if found.hits else None,
        )
        unused = [*((hit, "over the budget") for hit in prompt.over_budget), *found.below]
        scores = {hit.memory.memory_id: hit for hit in (*found.hits, *(hit for hit, _ in found.below))}
        detail = {
            "mode": "model",
            "used": [
                self._sure(shown, memory)
                for shown, memory in (
                    *((_profiled(one, index, scores), one) for index, one in enumerate(prompt.profile, start=1)),
                    *(
                        (_shown(hit, index), hit.memory)
                        for index, hit in enumerate(prompt.used, start=len(prompt.profile) + 1)
                    ),
                )
            ],
            "unused": [_shown(hit, 0) | {"why": why} for hit, why in unused[:20]],
            **(self._advised(found.counsel, [found.counsel.memory]) if found.counsel.memory else {}),
            "candidates": found.candidates,
            **self._withheld(asked.turn),
            "prompt": [{"role": one.role, "content": one.content} for one in prompt.messages],
            "head_tokens": prompt.head_tokens,
        }
        return Answer(
            who=lambda: model.model_id,
            pieces=model.stream(prompt.messages),
            detail=detail,
            used=(*prompt.profile, *(hit.memory for hit in prompt.used)),
            asked=asked,
            found=found,
        )

    def _by_rules(self, asked: Asked, found: Recall) -> Answer:
        wide = (*found.hits, *(hit for hit, _ in found.below))
        kept_back = self._withheld(asked.turn)
        context = ReplyContext(
            now=self.clock.now(),
            scope=asked.turn.scope,
            hits=wide[:RULES_HITS],
            learned=tuple(self._learned(asked)),
            recent=asked.recent,
            attached=asked.attached,
            withheld=kept_back["withheld"],
        )
        text, lookup = asked.turn.text, SessionLookup(inner=self.store, conversation_id=asked.turn.conversation_id)
        reply = self.responder.reply(text, context, lookup)
        counsel = answer_counsel(reply, self.store, context, self.policy, asked.turn.conversation_id)
        advised = self._advised(counsel, reply.cited) if reply.cited or reply.asked else {}
        reply = with_doubt(self.responder, text, context, reply, counsel)
        by_id = {hit.memory.memory_id: hit for hit in wide}
        used = [
            self._sure(
                _shown(by_id[memory.memory_id], index) if memory.memory_id in by_id else _plain(memory, index), memory
            )
            for index, memory in enumerate(reply.cited, start=1)
        ]
        cited = {memory.memory_id for memory in reply.cited}
        unused = [
            *((hit, "not what was asked") for hit in found.hits if hit.memory.memory_id not in cited),
            *((hit, why) for hit, why in found.below if hit.memory.memory_id not in cited),
        ]
        detail = {
            "mode": RULES,
            "used": used,
            "unused": [_shown(hit, 0) | {"why": why} for hit, why in unused[:20]],
            "candidates": found.candidates,
            **kept_back,
            **advised,
            "prompt": [],
            "head_tokens": 0,
        }
        return Answer(
            who=lambda: RULES,
            pieces=self._paced(reply.text),
            detail=detail,
            used=reply.cited,
            asked=asked,
            found=found,
        )

    def _sure(self, shown: dict[str, Any], memory: Memory) -> dict[str, Any]:
        """What is shown of a memory, with its confidence in parts (rules §5.1)."""
        return shown | {"confidence": asdict(confidence_of(memory, self.clock.now(), self.policy))}

    def _advised(self, counsel: Counsel, memories: Sequence[Memory]) -> dict[str, Any]:
        """What may be done with an answer, for the person's eyes: an open conflict counts, its words are not told."""
        told = with_conflicts(counsel, memories, self.ledger, self.clock.now(), self.policy)
        return {"advice": advice_detail(told, self.policy)}

    def _paced(self, text: str) -> Iterator[str]:
        for index, word in enumerate(re.findall(r"\s*\S+|\s+$", text)):
            if index:
                self.pause(PACE_SECONDS)
            yield word

    def _learned(self, asked: Asked) -> Iterator[tuple[Candidate, Decision]]:
        """What the gate decides about this turn and new attachments: recorded, or computed by the same functions."""
        for episode in (*asked.fresh, asked.turn):
            items = self.ledger.candidates_of(episode.episode_id)
            if items:
                yield from ((one.candidate, one.decision) for one in items)
            elif not self.ledger.processed(episode.episode_id):
                rulings, _ = self.intake.rule(episode)
                yield from rulings

    def withheld(self, turn: Episode) -> list[HeldItem]:
        """Held facts that share most of the question's words: counted for the person, never put in a prompt."""
        words = _question_words(turn.text)
        if not words:
            return []
        where = HeldFilter(tenant=turn.scope.tenant, owner=turn.scope.owner)
        items, _ = self.ledger.held(where, limit=HELD_SCAN)
        return [one for one in items if len(words & _words(one.candidate.text)) * 2 >= len(words)]

    def _withheld(self, turn: Episode) -> dict[str, Any]:
        """How many they are, their ids, and a word of the question that finds all of them in the review queue."""
        items = self.withheld(turn)
        shared = [
            word
            for word in _question_words(turn.text)
            if items and all(word in normalise(one.candidate.text) for one in items)
        ]
        return {
            "withheld": len(items),
            "withheld_ids": [one.candidate.candidate_id for one in items[:LEFT_OUT]],
            "withheld_word": max(sorted(shared), key=len, default=""),
        }


def _words(text: str) -> set[str]:
    return set(_WORD.findall(normalise(text)))


def _question_words(text: str) -> set[str]:
    return _words(text) - _COMMON


def _ended(memory: Memory, at: datetime) -> str:
    """Why a memory is not current, in words."""
    if memory.status is MemoryStatus.SUPERSEDED:
        return "superseded" if memory.superseded_by else "taken back"
    if memory.status is MemoryStatus.ARCHIVED:
        return "decayed"
    return "expired" if memory.expires_at is not None and memory.expires_at <= at else "no longer true"


# Words of questions that say nothing about their subject.
_COMMON = frozenset(
    normalise(
        "the and for are was were what when where who whom whose which why how does did has have had can could should "
        "would will shall may might must you your yours our ours mine their there this that these those with from "
        "about any some know tell remember"
    ).split()
)


def _as_turn(episode: Episode) -> Turn:
    return Turn(role="user", text=episode.text, at=episode.received_at, episode_id=episode.episode_id)


def _plain(memory: Memory, number: int) -> dict[str, Any]:
    """A memory found by its slot, not by the search: no score to show."""
    return {
        "memory_id": memory.memory_id,
        "n": number,
        "text": memory.text,
        "source_kind": memory.source_kind.value,
        "source_ref": memory.source_ref,
        "source_title": memory.source_title,
        "stated_at": memory.stated_at.isoformat(),
        "vouched_by": memory.vouched_by,
        "importance": memory.importance,
        "trust": memory.effective_trust,
        "cited": False,
    }


def _profiled(memory: Memory, number: int, scores: Mapping[str, Hit]) -> dict[str, Any]:
    """A fact of the profile: in every prompt, whatever the search found."""
    hit = scores.get(memory.memory_id)
    return (_shown(hit, number) if hit else _plain(memory, number)) | {"profile": True}


def _shown(hit: Hit, number: int) -> dict[str, Any]:
    return _plain(hit.memory, number) | {
        "score": round(hit.score, 4),
        "relevance": round(hit.relevance, 4),
        "freshness": round(hit.freshness, 4),
        "cosine": round(hit.cosine, 4),
        "coverage": round(hit.coverage, 4),
        "trust": round(hit.composite_trust, 4),
        "age_days": round(hit.age_days, 2),
        "needs_confirmation": hit.needs_confirmation,
    }
