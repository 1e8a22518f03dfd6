"""One entry of a source on its way in: known or not, and through the same `submit` as every text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from core.errors import BadInput, TooLarge
from core.eventtext import moved
from core.intake import Intake, Submission
from core.model import Scope, SourceKind, sha256_text
from core.policy import Policy
from core.ports import (
    BrokenItem,
    Clock,
    Entry,
    ImportLedger,
    ImportResult,
    Item,
    KnownItem,
    Outcome,
    Source,
)

BATCH = 100  # entries that are looked up and recorded together
EVENTS = "ics"
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Taken:
    """A batch as it was taken in: what became of each entry, and the versions that are known from now on."""

    results: tuple[ImportResult, ...]
    known: tuple[KnownItem, ...]


def part_digests(item: Item) -> list[str]:
    """Hex sha256 of each section that says something."""
    return [sha256_text(text) for text in item.texts if text.strip()]


def state_of(item: Item, known: KnownItem | None) -> Outcome:
    """Whether an item says something that its last version did not, or no longer says something that that one did."""
    if known is None:
        return Outcome.NEW
    return Outcome.UNCHANGED if set(part_digests(item)) == set(known.parts) else Outcome.CHANGED


def batches(entries: Iterable[Entry], *, size: int = BATCH) -> Iterator[list[Entry]]:
    """Entries in groups."""
    waiting = iter(entries)
    while batch := list(islice(waiting, size)):
        yield batch


@dataclass(frozen=True, kw_only=True, slots=True)
class Taker:
    """Takes batches of one source in. The order of writing makes it safe to stop anywhere.

    First each section is submitted under a key made of source, item, version and words; then, in one transaction, the
    batch's versions and results are recorded. A kill in between submits the same keys again, which stores nothing.
    """

    ledger: ImportLedger
    intake: Intake
    policy: Policy
    clock: Clock

    def known(self, scope: Scope, source: Source, entries: Sequence[Entry]) -> dict[str, KnownItem]:
        """The last version of each item of a batch."""
        ids = [one.item_id for one in entries if isinstance(one, Item)]
        if not ids:
            return {}
        return self.ledger.known_items(scope, connector=source.format.key, namespace=source.namespace, item_ids=ids)

    def take(self, scope: Scope, source: Source, entries: Sequence[Entry], *, first: int) -> Taken:
        """Submit a batch; `first` is the number of its first entry. Nothing of it is recorded yet.

        Raises:
            LedgerUnavailable: the rest was not stored; the same call goes on where it stopped.
        """
        known = self.known(scope, source, entries)
        results: list[ImportResult] = []
        fresh: dict[str, KnownItem] = {}
        for number, one in enumerate(entries, start=first):
            if isinstance(one, BrokenItem):
                results.append(ImportResult(number=number, outcome=Outcome.BROKEN, place=one.place, reason=one.reason))
                continue
            before = fresh.get(one.item_id) or known.get(one.item_id)
            outcome, reason = state_of(one, before), ""
            if outcome is not Outcome.UNCHANGED:
                try:
                    fresh[one.item_id] = self._submit(scope, source, one, before)
                except (BadInput, TooLarge) as problem:
                    outcome, reason = Outcome.REFUSED, str(problem)
            results.append(
                ImportResult(number=number, outcome=outcome, place=one.place, title=one.title, reason=reason)
            )
        return Taken(results=tuple(results), known=tuple(fresh.values()))

    def _submit(self, scope: Scope, source: Source, item: Item, before: KnownItem | None) -> KnownItem:
        """Submit what an item says anew; sections that its last version said too are not said again."""
        version = before.version + 1 if before else 1
        told = before.parts if before else {}
        parts: dict[str, str] = {}
        for text in item.texts:
            if not text.strip():
                continue
            digest = sha256_text(text)
            if digest in told:
                parts[digest] = told[digest]
                continue
            said = self._moved(text, told) if source.format.key == EVENTS else text
            made = self.submission(scope, source, item, said)
            key = f"import:{source.format.key}:{_short(source.namespace, item.item_id)}:{version}:{digest[:32]}"
            parts[digest] = self.intake.submit(replace(made, idempotency_key=key)).episode_id
        gone = [episode for digest, episode in told.items() if digest not in parts]
        return KnownItem(
            scope=scope,
            connector=source.format.key,
            namespace=source.namespace,
            item_id=item.item_id,
            version=version,
            digest=item.digest,
            parts=parts,
            outgoing=tuple(dict.fromkeys([*(before.outgoing if before else ()), *gone])),
            at=self.clock.now(),
        )

    def _moved(self, text: str, told: Mapping[str, str]) -> str:
        """A calendar's event with where its last version put it."""
        earlier = self.ledger.episode(next(iter(told.values()))) if told else None
        return moved(earlier.text, text) if earlier is not None else text

    def submission(self, scope: Scope, source: Source, item: Item, text: str) -> Submission:
        """An item's section as a text on its way in: what it counts as is the policy's word, never the file's (§1.2).

        No author's name stands as its actor: that goes into the audit, which erasure does not reach. Who is said to
        have written it are its title and source.
        """
        kind = self.policy.connectors.class_of(item.part_class)
        place = item.session or source.namespace or source.name
        unseen = kind is SourceKind.AGENT_TURN  # what that model had read cannot be looked at any more (rules §1.4)
        return Submission(
            scope=scope,
            conversation_id=conversation_of(source.format.key, place),
            channel=kind,
            text=text,
            actor=scope.owner if kind is SourceKind.USER_TURN else f"import:{source.format.key}",
            source_ref=item.source_ref or source.name,
            title=item.title or source.name,
            derived_from=(f"export:{_short(source.format.key, item.item_id)}",) if unseen else (),
            stated_at=item.dated_at,
        )


def conversation_of(connector: str, place: str) -> str:
    """The conversation that a chat, calendar or vault becomes.

    An id that a service gave is kept; a name is not: the audit names conversations, and it outlives an erasure.
    """
    return f"import:{connector}:{place.lower() if _UUID.fullmatch(place) else _short(connector, place)}"


def _short(*parts: str) -> str:
    return sha256_text("\x1f".join(parts))[:24]
