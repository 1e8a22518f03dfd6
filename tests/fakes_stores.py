"""The two stores in RAM, as readers see them: enough to gather evidence from, and to find memories by meaning and words."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from core.model import (
    Actor,
    Episode,
    Extraction,
    HeldItem,
    Memory,
    MemoryKind,
    MemoryStatus,
    Person,
    Proposal,
    Role,
    Scope,
    ScoredMemory,
    Span,
    SpeechAct,
)
from core.ports import HeldFilter, Matched, MemoryFilter, Rights, Trace
from core.sandbox import Sandbox
from tests.factories import NOW, POLICY, FixedClock
from tests.fakes import HashEmbedder
from tests.fakes_people import CountingIds

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]")


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


class Words:
    """A lexicon by shared words."""

    def match(self, query: str, memory: Memory) -> Matched:
        asked, held = (set(re.findall(r"\w{3,}", text.casefold())) for text in (query, memory.text))
        share = len(asked & held) / len(asked) if asked else 0.0
        return Matched(rank=share / 10, held=tuple(word in held for word in sorted(asked)), length=len(held))


class RamStore:
    """Implements `core.ports.MemoryReader` over a list."""

    def __init__(self, memories: Iterable[Memory] = (), *, embedder: Any = None, forged: Iterable[str] = ()) -> None:
        self.memories = list(memories)
        self.embedder = embedder or HashEmbedder()
        self.forged = set(forged)

    def _of(self, scope: Scope, statuses: Sequence[MemoryStatus] = (MemoryStatus.ACTIVE,)) -> builtins.list[Memory]:
        return [one for one in self.memories if one.scope == scope and one.status in statuses]

    def search(self, scope, *, vector, query, at, limit, include_archived=False):
        statuses = (MemoryStatus.ACTIVE, *((MemoryStatus.ARCHIVED,) if include_archived else ()))
        found = []
        for one in self._of(scope, statuses):
            words = Words().match(query, one)
            cosine = dot(vector, self.embedder.embed([one.text])[0])
            found.append(ScoredMemory(memory=one, cosine=cosine, lexical=words.rank, coverage=words.coverage))
        return sorted(found, key=lambda one: -one.cosine)[:limit]

    def nearest(self, scope, *, vector, at, limit):
        return self.search(scope, vector=vector, query="", at=at, limit=limit)

    def as_of(self, scope, *, vector, query, then, limit):
        return self.search(scope, vector=vector, query=query, at=then, limit=limit)

    def genuine(self, one: ScoredMemory) -> bool:
        return one.memory.memory_id not in self.forged

    def slot(self, scope, slot_key, *, statuses=(MemoryStatus.ACTIVE,)):
        return [one for one in self._of(scope, statuses) if one.slot_key == slot_key]

    def get(self, scope, memory_id):
        return next((one for one in self.memories if one.scope == scope and one.memory_id == memory_id), None)

    def recent(self, scope, *, limit=50):
        return [one for one in self._of(scope) if one.kind is not MemoryKind.EVENT][:limit]

    def of_episode(self, scope, episode_id):
        return [one for one in self._of(scope) if one.episode_id == episode_id]

    def of_conversation(self, scope, conversation_id, *, limit=50):
        return [one for one in self._of(scope) if one.conversation_id == conversation_id][:limit]

    def by_slot(self, scope, *, subject, attributes, limit=20):
        fits = [one for one in self._of(scope) if one.attribute in attributes and subject in (None, one.subject)]
        return fits[:limit]

    def about(self, scope, *, subject, limit=20):
        return [one for one in self._of(scope) if one.subject == subject][:limit]

    def pinned(self, scope, *, limit=50):
        return [one for one in self._of(scope) if one.pinned][:limit]

    def list(self, scope, where: MemoryFilter, *, limit=50, offset=0):
        found = [
            one
            for one in self._of(scope, where.statuses)
            if (not where.kinds or one.kind.value in where.kinds) and (where.text or "") in one.text
        ]
        return found[offset : offset + limit], len(found)

    def count(self, scope):
        return {status: len(self._of(scope, (status,))) for status in MemoryStatus}

    def spaces(self, scope):
        return [scope.agent]

    def witness(self):
        return 3, "head"

    def ping(self) -> None:
        return None


class RamLedger:
    """The part of `core.ports.LedgerReader` that evidence and replays are gathered from."""

    def __init__(self, *, items: Iterable[HeldItem] = (), episodes: Iterable[Episode] = (), waiting: int = 0) -> None:
        self.items, self.texts, self.waits = list(items), list(episodes), waiting
        self.head_no = 7

    def episode(self, episode_id):
        return next((one for one in self.texts if one.episode_id == episode_id), None)

    def episodes(self, scope, conversation_id, *, limit=200):
        return [one for one in self.texts if one.conversation_id == conversation_id][-limit:]

    def inputs_before(self, scope, conversation_id, *, before):
        return []

    def first_seen(self, scope, marks, *, before=0):
        return {}

    def epoch(self, scope):
        return 0

    def waiting(self, scope):
        return self.waits

    def support(self, scope, slot_key, value):
        return []

    def aliases(self, scope):
        return {}

    def candidates_of(self, episode_id):
        return [one for one in self.items if one.candidate.episode_id == episode_id]

    def held(self, where: HeldFilter, *, limit=50, offset=0):
        found = [
            one
            for one in self.items
            if one.state in where.states and where.cluster in (None, one.decision.evidence.cluster)
        ]
        return found[offset : offset + limit], len(found)

    def held_groups(self, where: HeldFilter, *, limit=50, offset=0):
        return [], len({one.decision.evidence.cluster for one in self.held(where)[0]})

    def declined(self, scope, digest):
        return False

    def audit(self, tenant, *, owner=None, action=None, about=None, limit=100, offset=0):
        return [], 0

    def ruled_by_policy(self, tenant, owner, limit):
        fits = [one for one in self.items if owner in (None, one.candidate.scope.owner)]
        return fits[:limit]


class RamTrace:
    """A handle that tells how many rows its list has."""

    def __init__(self, name: str, rows: Any) -> None:
        self.name, self.rows = name, rows

    def trace(self, scope: Scope) -> Trace:
        count = len(self.rows())
        return Trace(store=self.name, rows={"memory": count}, covers="The number of rows.", digest=f"{count:064x}")

    def rights(self) -> Rights:
        return Rights(store=self.name, handle="chronomemory_reader", may=("SELECT",), read_only=True)


class SentenceExtractor:
    """Every sentence a statement on its subject; "When …" is an order, a question is one. `extra` sets more of it."""

    def __init__(self, **extra: Any) -> None:
        self.extra = extra

    def extract(self, episode, context) -> Extraction:
        found = []
        for match in _SENTENCE.finditer(episode.text):
            words = match.group().strip()
            begins = episode.text.index(words, match.start())
            act = SpeechAct.QUESTION if words.endswith("?") else SpeechAct.ASSERTION
            order = words.startswith(("When", "Always"))
            given = {
                "subject": "user" if " I " in f" {words}" or words.startswith("You") else words.split()[0],
                "attribute": "home" if "live" in words else "allergy" if "allergic" in words else "description",
                "value": words.rstrip(".").split()[-1],
                "statement": words.replace("I live", "You live").replace("I am", "You are"),
                "kind": MemoryKind.PROCEDURE if order else MemoryKind.FACT,
                "importance": 0.8,
                "span": Span(start=begins, end=begins + len(words)),
                "speech_act": SpeechAct.DIRECTIVE if order else act,
                "retracts": "no longer" in words,
            }
            found.append(Proposal(**(given | self.extra)))
        return Extraction(proposals=tuple(found), extractor="sentences")


def ram_sandbox(
    store: RamStore, ledger: RamLedger, *, role: Role = Role.MEMBER, extractor: Any = None, **parts: Any
) -> Sandbox:
    """A sandbox over both, whoever asks being known by their id."""

    def authorise(actor: Actor, *roles: Role) -> Person:
        return Person(
            user_id=actor.user_id,
            username=actor.username,
            display_name="Ada Quill",
            tenant=actor.tenant,
            role=role,
            created_at=NOW,
        )

    given: dict[str, Any] = {
        "authorise": authorise,
        "ledger": ledger,
        "store": store,
        "traced": (RamTrace("store", lambda: store.memories), RamTrace("ledger", lambda: ledger.items)),
        "lexicon": Words(),
        "extractor": extractor or SentenceExtractor(),
        "judge": SimpleNamespace(judge_id="", judge=lambda _pairs: []),
        "embedder": store.embedder,
        "called": lambda _scope: ("Ada Quill",),
        "policy": POLICY,
        "clock": FixedClock(),
        "ids": CountingIds(),
    }
    return Sandbox(**(given | parts))
