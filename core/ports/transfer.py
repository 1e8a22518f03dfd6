"""One owner's records on their way out of a ledger and into another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol, TypeVar

from core.model import Candidate, CandidateState, Decision
from core.ports.ledger import Ledger, LedgerTx

T = TypeVar("T")
Plain = dict[str, Any]  # one record as JSON data, with the names of the nouns' fields


class OwnerRecords(Protocol):
    """Everything a ledger holds of one owner, as of one moment. Iterators read on as they are asked."""

    def numbers(self) -> Sequence[int]:
        """Serial numbers of the raw inputs, in order of receipt."""

    def conversations(self) -> Iterator[Plain]:
        """Conversations, deleted ones included, the oldest first."""

    def episodes(self) -> Iterator[Plain]:
        """Raw inputs in order of receipt; `waiting` says that the write path has not read it yet."""

    def candidates(self) -> Iterator[tuple[Plain, Sequence[Plain]]]:
        """Candidates in order, each with every decision on it, oldest first."""

    def effects(self) -> Iterator[Plain]:
        """Changes to the store in order, without those on memories that left it for good."""

    def audit(self) -> Iterator[Plain]:
        """The owner's audit entries as they are stored."""


class TransferTx(LedgerTx, Protocol):
    """A ledger transaction that can also put records back as they were."""

    def put_candidate(
        self,
        candidate: Candidate,
        *,
        state: CandidateState,
        at: datetime,
        updated_at: datetime,
        decisions: Sequence[Decision],
        original_id: str,
    ) -> None:
        """Store a candidate in its last state with all decisions on it; `original_id` if it holds edited words.

        Raises:
            BadInput: the episode is unknown, or the span lies outside its text.
        """

    def wait_again(self, episode_id: str) -> None:
        """Put a kept episode before the worker."""


class TransferLedger(Ledger, Protocol):
    """A ledger that an owner can leave and come to."""

    def owner_records(self, tenant: str, owner: str) -> AbstractContextManager[OwnerRecords]:
        """The owner's records as of now."""

    def transaction(self) -> AbstractContextManager[TransferTx]:
        """One write transaction, as `Ledger.transaction`."""


class Codec(Protocol):
    """Nouns to JSON data and back."""

    def to_plain(self, value: Any) -> Any:
        """A noun as JSON data."""

    def from_plain(self, kind: type[T], value: Any) -> T:
        """The noun of JSON data that came from outside.

        Raises:
            BadInput: the data does not fit.
        """


class Signer(Protocol):
    """Signs what leaves this installation, and reads what others signed."""

    @property
    def public(self) -> str:
        """This installation's public key, in hex."""

    def sign(self, digest: str) -> str:
        """The signature of a digest, in hex."""

    def fits(self, public: str, digest: str, signature: str) -> bool:
        """Whether the holder of that public key signed the digest; False for anything malformed."""
