"""What an agent keeps under a key: a value that comes back exactly as it was put, or not at all.

An item is an agent's word like any other: its canonical JSON goes in as an episode, and is judged, audited and recalled
as one. It is given out only while the gate lets all of it through: not before it was read, not while a part of it is
held or was rejected, not once somebody took a part back, and not while it may come from a text below the threshold,
unless a person promoted what was held of it. Which of these it is, and whether there is anything, is not told
(rules §6.5).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from core.agents import NAME_CHARS, AgentDesk, Said
from core.distil import MAX_CHARS, clean
from core.errors import BadInput, NotAuthorised, NotFound, TooLarge
from core.matching import accepts
from core.model import (
    Candidate,
    CandidateState,
    Episode,
    MemoryKind,
    Proposal,
    SourceKind,
    Span,
    SpeechAct,
    sha256_text,
)
from core.policy import Policy
from core.ports import AgentIdentity, Clock, Ids, ItemLedger, ItemPlace, ItemTx, KeptItem
from core.secrets import mask

MOST_ITEMS = 10_000  # of one agent
MOST_LABELS = 32
KEY_CHARS = 500
MOST_FOUND = 1_000  # of one search
RECALLED = 100  # memories that a search by meaning looks at
LONGEST_WAIT = 30.0  # seconds that a put waits for its value to be read
LOOK_EVERY = 0.02
REPLACED = "replaced by a newer value of the same key"
DROPPED = "its key is kept no more"
_LEARNED = frozenset({CandidateState.ADMITTED, CandidateState.PROMOTED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Value:
    """An item as it is given out."""

    namespace: tuple[str, ...]
    key: str
    value: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    score: float | None = None  # of a search by meaning; None: it did not come to mind


@dataclass(frozen=True, kw_only=True, slots=True)
class Put:
    """That a value is stored, and whether it was read yet. Whether it is given out is not told here."""

    episode_id: str
    read: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Items:
    """The only door to items. Every method looks at nothing beyond what the key's own agent keeps."""

    desk: AgentDesk
    ledger: ItemLedger
    policy: Policy
    clock: Clock
    ids: Ids

    def put(
        self,
        who: AgentIdentity,
        namespace: Sequence[str],
        key: str,
        value: Mapping[str, Any],
        *,
        derived_from: Sequence[str] = (),
        wait: float = 0.0,
    ) -> Put:
        """Keep a value under a key, in place of the one before; what was learned of that one is taken back.

        Args:
            who: whose key it came with.
            namespace: where, from the outside in.
            key: under which name.
            value: a JSON object.
            derived_from: what the model saw when it made this; only lowers trust.
            wait: seconds until it should have been read; it is stored before.

        Raises:
            BadInput: it is no JSON object, holds a secret, or there are too many; or the place is none.
            TooLarge: the value is too long.
            NotAuthorised: a tool's or feed's key keeps nothing.
            LedgerUnavailable: nothing was stored.
            StoreUnavailable: it is stored; what was learned of the value before could not be taken back yet.
        """
        agent, place = _as_agent(who), _place(who, namespace, key)
        text = _canonical(value)
        digest = sha256_text(text)
        before = self.ledger.kept_item(place)
        if before is not None and before.digest == digest:
            self._keep(place, before.episode_id, digest=digest, worth=before.worth)
            return self._waited(agent, before.episode_id, wait)
        if before is None and self.ledger.count_items(place.scope, place.maker) >= MOST_ITEMS:
            msg = f"An agent keeps {MOST_ITEMS:,} items at most; delete some first."
            raise BadInput(msg)
        # A conversation of its own: what another item may come from says nothing about this one.
        said = Said(text=text, conversation=f"item/{self.ids.new()}", derived_from=tuple(derived_from))
        episode = self.desk.submit(agent, said)
        self._keep(place, episode.episode_id, digest=digest, worth=self._worth(episode))
        if before is not None:
            self._take_back(agent, before, REPLACED)
        return self._waited(agent, episode.episode_id, wait)

    def get(self, who: AgentIdentity, namespace: Sequence[str], key: str) -> Value:
        """The value of a key.

        Raises:
            BadInput: the place is none.
            NotFound: there is none, or it is not given out.
        """
        kept = self.ledger.kept_item(_place(who, namespace, key))
        value = self._given(kept) if kept is not None else None
        if value is None:
            msg = "There is no such item."
            raise NotFound(msg)
        return value

    def delete(self, who: AgentIdentity, namespace: Sequence[str], key: str) -> None:
        """Keep a key no more; what was learned of its value is taken back. Nothing there: nothing happens.

        Raises:
            BadInput: the place is none.
            NotAuthorised: a tool's or feed's key keeps nothing.
            StoreUnavailable: what was learned could not be taken back yet; call again.
        """
        agent, place = _as_agent(who), _place(who, namespace, key)
        before = self.ledger.kept_item(place)
        if before is None:
            return
        self._take_back(agent, before, DROPPED)
        with self.ledger.transaction() as tx:
            if tx.drop_item(place):
                self._note(tx, "item:deleted", place, before.episode_id)

    def search(
        self,
        who: AgentIdentity,
        prefix: Sequence[str],
        *,
        query: str = "",
        where: Mapping[str, Any] | None = None,
        limit: int = 10,
        offset: int = 0,
    ) -> list[Value]:
        """Values below a namespace, last put first; with a query, what comes to mind for it first.

        Args:
            who: whose key it came with.
            prefix: the namespace; () for all.
            query: a question or words; "" for none.
            where: what their fields must be (see `core.matching`).
            limit: at most.
            offset: to be left out at the beginning.

        Raises:
            BadInput: the prefix, the filter or a number is none that can be used.
            StoreUnavailable, ModelUnavailable: with a query: recall is not possible right now.
        """
        labels = _labels(prefix)
        if not 1 <= limit <= MOST_FOUND or offset < 0:
            msg = f"limit lies between 1 and {MOST_FOUND:,}, offset is not negative."
            raise BadInput(msg)
        found = [
            (kept, value)
            for kept in self.ledger.kept_items(who.scope, who.agent)
            if kept.place.namespace[: len(labels)] == labels
            and (value := self._given(kept)) is not None
            and accepts(value.value, where or {})
        ]
        values = [value for _, value in found]
        if query.strip() and found:
            hits = self.desk.recall(who, query, k=RECALLED).hits
            scores = [
                max(
                    (one.score for one in hits if _of(kept, one.memory.episode_id, one.memory.text)),
                    default=None,
                )
                for kept, _ in found
            ]
            scored = [replace(value, score=score) for value, score in zip(values, scores, strict=True)]
            values = sorted(scored, key=lambda one: one.score if one.score is not None else -1.0, reverse=True)
        return values[offset : offset + limit]

    def namespaces(self, who: AgentIdentity) -> list[tuple[str, ...]]:
        """Every namespace with something in it that is given out, in order."""
        kept = self.ledger.kept_items(who.scope, who.agent)
        return sorted({one.place.namespace for one in kept if self._given(one) is not None})

    # --- inside -------------------------------------------------------------------------------------------------

    def _given(self, kept: KeptItem) -> Value | None:
        """The item, if all of it may be given out."""
        whole = sha256_text(kept.text) == kept.digest
        trusted = kept.promoted or kept.worth >= self.policy.trust.threshold
        if not (kept.read and kept.clear and whole and trusted):
            return None
        return Value(
            namespace=kept.place.namespace,
            key=kept.place.key,
            value=json.loads(kept.text),
            created_at=kept.created_at,
            updated_at=kept.updated_at,
        )

    def _worth(self, episode: Episode) -> float:
        """Trust of the weakest text that the whole value may come from, whether or not a fact is read out of it."""
        whole = Proposal(
            subject="item",
            attribute="note",
            value=episode.text,
            statement=episode.text,
            kind=MemoryKind.FACT,
            importance=0.0,
            span=Span(start=0, end=len(episode.text)),
            speech_act=SpeechAct.ASSERTION,
        )
        candidate = Candidate(
            candidate_id=episode.episode_id,
            episode_id=episode.episode_id,
            scope=episode.scope,
            proposal=whole,
            provenance=episode.provenance,
            serial_no=episode.serial_no,
            extractor="item",
        )
        return self.desk.tracer.trace(candidate, episode).trust

    def _keep(self, place: ItemPlace, episode_id: str, *, digest: str, worth: float) -> None:
        with self.ledger.transaction() as tx:
            tx.put_item(place, episode_id=episode_id, digest=digest, worth=worth, at=self.clock.now())
            self._note(tx, "item:put", place, episode_id)

    def _note(self, tx: ItemTx, action: str, place: ItemPlace, episode_id: str) -> None:
        """Ids and a digest: a key is words."""
        scope = place.scope
        named = json.dumps([*place.namespace, place.key])
        tx.append_audit(
            at=self.clock.now(),
            actor=f"agent:{place.maker}",
            action=action,
            tenant=scope.tenant,
            owner=scope.owner,
            about={"episode_id": episode_id, "item": tx.keyed_digest(scope.tenant, scope.owner, named)},
        )

    def _take_back(self, agent: AgentIdentity, kept: KeptItem, reason: str) -> None:
        """Forget what was learned of a value, unless a person vouched for it."""
        for item in self.ledger.candidates_of(kept.episode_id):
            if item.state not in _LEARNED:
                continue
            try:
                self.desk.forget(agent, item.candidate.candidate_id, reason)
            except (NotFound, NotAuthorised):  # it became part of another memory, or a person's own
                continue

    def _waited(self, agent: AgentIdentity, episode_id: str, wait: float) -> Put:
        until = time.monotonic() + min(max(wait, 0.0), LONGEST_WAIT)
        while not (read := self.desk.progress(agent, episode_id).processed) and time.monotonic() < until:
            time.sleep(LOOK_EVERY)
        return Put(episode_id=episode_id, read=read)


def _as_agent(who: AgentIdentity) -> AgentIdentity:
    """What is kept under a key is the agent's own word, whoever uses the app.

    Raises:
        NotAuthorised: it is the key of a tool or feed.
    """
    if who.channel not in (SourceKind.USER_TURN, SourceKind.AGENT_TURN):
        msg = "The key of a tool or feed keeps no items: put its texts in as episodes."
        raise NotAuthorised(msg)
    return replace(who, channel=SourceKind.AGENT_TURN)


def _place(who: AgentIdentity, namespace: Sequence[str], key: str) -> ItemPlace:
    labels = _labels(namespace)
    if not labels:
        msg = "A namespace has at least one label."
        raise BadInput(msg)
    if not 1 <= len(key) <= KEY_CHARS or not _storable(key):
        msg = f"A key has between 1 and {KEY_CHARS} characters of valid Unicode."
        raise BadInput(msg)
    return ItemPlace(scope=who.scope, maker=who.agent, namespace=labels, key=key)


def _labels(namespace: Sequence[str]) -> tuple[str, ...]:
    good = all(1 <= len(one) <= NAME_CHARS and "." not in one and _storable(one) for one in namespace)
    if len(namespace) > MOST_LABELS or not good:
        msg = (
            f"A namespace has at most {MOST_LABELS} labels of 1 to {NAME_CHARS} characters of valid Unicode, without a "
            "full stop."
        )
        raise BadInput(msg)
    return tuple(namespace)


def _storable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\x00" not in text


def _canonical(value: Mapping[str, Any]) -> str:
    """A value in one spelling, as it is read back.

    Raises:
        BadInput: it is no JSON, or would not come back as it is.
        TooLarge: it is too long.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(", ", ": "))
    except (TypeError, ValueError, RecursionError) as problem:
        msg = "The value is no JSON object: it holds something that JSON cannot."
        raise BadInput(msg) from problem
    if len(text) > MAX_CHARS:
        msg = f"The value has {len(text):,} characters as JSON; the limit is {MAX_CHARS:,}."
        raise TooLarge(msg)
    if mask(clean(text))[0] != text:
        msg = "The value holds what looks like a secret, which is never kept: take it out and put the rest."
        raise BadInput(msg)
    return text


def _of(kept: KeptItem, episode_id: str, text: str) -> bool:
    """Whether a memory came of this item: of its own text, or of the same text under another key."""
    return episode_id == kept.episode_id or kept.text in text


__all__ = ["Items", "Put", "Value"]
