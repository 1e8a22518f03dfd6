"""What an operator has proven to them: that a changed chain is found out, that one owner cannot see another's rows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from core.model import Scope
from core.ports.ledger import ChainReport


class Tampering(StrEnum):
    """What is done to a copy of the audit chain."""

    BYTE = "byte"  # one byte of one entry is another one
    REMOVE = "remove"  # one entry is taken out of the middle
    CUT = "cut"  # the last entries are gone
    REWRITE = "rewrite"  # one entry is changed and every hash from there on made anew, with the chain's own key


@dataclass(frozen=True, kw_only=True, slots=True)
class TamperReport:
    """What became of a copy, by who looks: the chain alone, with the store's witnessed head, with a copied head."""

    how: Tampering
    entries: int
    changed_seq: int  # the first entry that was touched
    alone: ChainReport
    with_store: ChainReport
    with_copy: ChainReport
    digest_before: str  # hex sha256 over the real chain's stored bytes
    digest_after: str


class TamperGround(Protocol):
    """A ledger whose audit rows can be copied and the copy be damaged."""

    def tamper_with_copy(self, how: Tampering, *, witnessed: tuple[int, str] | None) -> TamperReport:
        """Copy the audit rows into memory, damage the copy, verify it. The ledger itself is only read.

        Raises:
            BadInput: the chain is too short to show it.
        """


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleFacts:
    """What the database says of a role."""

    name: str
    superuser: bool
    bypasses: bool  # BYPASSRLS
    reads: bool
    writes: bool  # INSERT, UPDATE or DELETE on memories


@dataclass(frozen=True, kw_only=True, slots=True)
class IsolationFacts:
    """Row counts only, never words."""

    roles: tuple[RoleFacts, ...]
    acting_as: str
    forced: bool  # FORCE ROW LEVEL SECURITY on memories
    asked: int  # ids of the other owner's memories that were asked for
    as_self: int  # rows that came back in the asker's own scope: 0 proves it
    as_nobody: int  # rows without any scope: 0
    as_owner: int  # rows in the other owner's scope: the control, all of them


class IsolationProbe(Protocol):
    """Asks the database for another owner's rows, by id, in the reading role."""

    def probe(self, asker: Scope, other: Scope) -> IsolationFacts:
        """Ids of the other's memories, asked for as the asker, as nobody and as the other.

        Raises:
            StoreUnavailable: Postgres is not reachable.
        """
