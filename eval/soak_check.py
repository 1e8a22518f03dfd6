"""After the soak: what was acknowledged is looked for in both stores, past the product's own answers."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from core.layer import MemoryLayer
from core.model import Actor
from eval.dumped import dump
from eval.soak_load import CANARY, Book, Said


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """Counts of what is not as it must be; 0 everywhere, and `chain` empty, is a soak that lost nothing."""

    texts: int  # acknowledged
    lost: int  # acknowledged, but not in the ledger, or with other words
    doubled: int  # in the ledger more than once
    unread: int  # not through the write path
    unmade: int  # without any memory in the store, held pages apart
    repeated: int  # memories that one text made twice
    recalled: int  # forgotten, acknowledged, and active all the same
    leaked: int  # held words in Postgres
    promoted: int  # words in Postgres that a person promoted: what the look-out does find
    waiting: int  # effects that did not reach the store
    differences: int  # between the store and what the chain says
    chain: str  # what is wrong with the audit chain; "" if nothing
    entries: int  # of the audit chain

    @property
    def faults(self) -> Mapping[str, int]:
        """What must be 0, by name."""
        return {
            "acknowledged texts lost": self.lost,
            "acknowledged texts doubled": self.doubled,
            "acknowledged texts not processed": self.unread,
            "processed texts without a memory in the store": self.unmade,
            "memories made twice": self.repeated,
            "forgotten memories still active": self.recalled,
            "held words in Postgres": self.leaked,
            "effects that did not reach the store": self.waiting,
            "differences between store and chain": self.differences,
            "breaks of the audit chain": int(bool(self.chain)),
        }


def check(layer: MemoryLayer, actor: Actor, book: Book, *, ledger: Path, conninfo: str) -> Checked:
    """Look at both stores of an installation at rest.

    Args:
        layer: the installation, without a worker.
        actor: whose memory the texts went to; an administrator.
        book: what was acknowledged.
        ledger: its file.
        conninfo: of its Postgres, as a role that sees everything.

    Raises:
        RuntimeError: no text at all is in the dump: the search for held words would find nothing either.
    """
    said = list(book.said.values())
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as file:
        kept = _kept(file)
        states = _states(file)
    with psycopg.connect(conninfo, autocommit=True, row_factory=psycopg.rows.dict_row) as conn:
        rows = conn.execute("SELECT memory_id, episode_id, kind, text, status FROM chronomemory.memory").fetchall()
    by_episode = Counter(row["episode_id"] for row in rows)
    made = Counter((row["episode_id"], row["kind"], row["text"]) for row in rows)
    active = {row["memory_id"] for row in rows if row["status"] == "active"}
    dumped = dump(conninfo)
    if not any(one.text in dumped for one in said if not one.page):
        msg = "no text is in the dump: the search for held words would find nothing either"
        raise RuntimeError(msg)
    words = set(re.findall(rf"{CANARY}\d+", dumped))
    allowed = {f"{CANARY}{one.number}" for one in said if one.page and "promoted" in states.get(one.episode_id, ())}
    chain = layer.audit_desk.verify(actor)
    differences = layer.lifecycle.reconcile(actor, actor.scope)
    return Checked(
        texts=len(said),
        lost=sum(not _is_kept(one, kept) for one in said) + len(book.other_episode),
        doubled=sum(count > 1 for count in Counter(row["text"] for row in kept.values()).values()),
        unread=sum(kept.get(one.episode_id, {}).get("state") not in ("done", "kept") for one in said),
        unmade=sum(not by_episode[one.episode_id] for one in said if not one.page),
        repeated=sum(count - 1 for count in made.values()),
        recalled=len(book.forgotten & active),
        leaked=len(words - allowed),
        promoted=len(words & allowed),
        waiting=len(layer.ledger.outbox()),
        differences=sum(len(getattr(differences, name)) for name in ("altered", "missing", "returned", "restated")),
        chain="" if chain.ok else chain.problem,
        entries=chain.entries,
    )


def _kept(file: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """Every text that a key put in, by its episode."""
    rows = file.execute("SELECT episode_id, text, state, idempotency_key FROM episode").fetchall()
    return {episode_id: {"text": text, "state": state} for episode_id, text, state, key in rows if key is not None}


def _states(file: sqlite3.Connection) -> dict[str, Sequence[str]]:
    """What became of each episode's claims."""
    rows = file.execute("SELECT episode_id, json_group_array(state) FROM candidate GROUP BY episode_id").fetchall()
    return {episode_id: json.loads(states) for episode_id, states in rows}


def _is_kept(one: Said, kept: Mapping[str, Mapping[str, Any]]) -> bool:
    found = kept.get(one.episode_id)
    return found is not None and found["text"] == one.text
