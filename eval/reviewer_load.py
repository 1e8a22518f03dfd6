"""How much a month of mixed use leaves for a person to decide, and whether each part is decided in one act.

    python -m eval.reviewer_load [--seed N] [--messages N] [--attached N] [--conversations N]

The month (`eval.generated_month`) goes through the real write path of a throw-away installation, without a key, its
clock set to each text's time. Then every group of the queue is rejected in one act and taken back again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.intake import Submission
from core.model import Actor, HeldItem, MemoryStatus, Ruling, RulingKind, SourceKind
from core.ports import HeldGroup, MemoryFilter
from eval.generated_month import Entry, month
from eval.installation import Installation, installation
from eval.results import Row, measured, share, told, write

AIM = 20  # groups that a month of 1,000 messages and 40 attachments may leave to decide
ALL = 10_000
WHY = "measured: not worth keeping"


@dataclass(frozen=True, kw_only=True, slots=True)
class Load:
    """What the month left in the queue."""

    groups: list[HeldGroup]
    items: list[list[HeldItem]]  # of each group
    questions: int
    active: int
    seconds: float


def live(made: Installation, owner: Actor, entries: Sequence[Entry]) -> float:
    """Take the month through the write path; returns the seconds it took."""
    started = time.monotonic()
    episodes: list[str] = []
    for entry in entries:
        made.clock.at = entry.at
        if entry.channel is SourceKind.WEB_CONTENT:
            episode = made.layer.chat.attach_page(owner, entry.conversation, address=entry.ref, text=entry.text)
        elif entry.attached:
            data = entry.text.encode()
            episode = made.layer.chat.attach_file(owner, entry.conversation, name=entry.ref, data=data)
        else:
            episode = made.layer.agent.submit(
                Submission(
                    scope=owner.scope,
                    conversation_id=entry.conversation,
                    channel=entry.channel,
                    text=entry.text,
                    actor=entry.actor or owner.user_id,
                    source_ref=entry.ref or f"conversation {entry.conversation}",
                    derived_from=tuple(episodes[position] for position in entry.inputs),
                    tool=entry.tool,
                )
            )
        episodes.append(episode.episode_id)
        made.layer.drain()
    return time.monotonic() - started


def measure(made: Installation, owner: Actor, entries: Sequence[Entry]) -> Load:
    """Live the month and look at the queue as a reviewer sees it."""
    seconds = live(made, owner, entries)
    review = made.layer.review
    groups, total = review.groups(made.admin, limit=ALL)
    if total != len(groups):
        msg = f"{total} groups are counted, {len(groups)} are listed"
        raise RuntimeError(msg)
    items = [members(made, one) for one in groups]
    _, active = made.layer.store.list(owner.scope, MemoryFilter(statuses=(MemoryStatus.ACTIVE,)), limit=1)
    return Load(groups=groups, items=items, questions=len(review.questions(owner)), active=active, seconds=seconds)


def members(made: Installation, group: HeldGroup) -> list[HeldItem]:
    """Every held item of a group."""
    found, total = made.layer.review.pending(made.admin, cluster=group.cluster, owner=group.owner, limit=ALL)
    if total != group.count:
        msg = f"a group of {group.count} lists {total} items"
        raise RuntimeError(msg)
    return found


def decide(made: Installation, load: Load) -> tuple[int, int, float]:
    """Reject each group in one act and take it back; returns items rejected, items held again, slowest act."""
    rejected = again = 0
    slowest = 0.0
    for group, items in zip(load.groups, load.items, strict=True):
        rulings = [
            Ruling(
                candidate_id=one.candidate.candidate_id,
                kind=RulingKind.REJECT,
                seen_version=one.candidate.version,
                digest=one.candidate.digest,
                note=WHY,
            )
            for one in items
        ]
        started = time.monotonic()
        rejected += sum(one.ok for one in made.layer.review.resolve_many(made.admin, rulings))
        slowest = max(slowest, time.monotonic() - started)
        if members_left(made, group):
            continue
        again += sum(made.layer.review.undo(made.admin, one.candidate.candidate_id).ok for one in items)
    return rejected, again, slowest


def members_left(made: Installation, group: HeldGroup) -> int:
    """How many items of a group still wait."""
    return made.layer.review.pending(made.admin, cluster=group.cluster, owner=group.owner, limit=1)[1]


def report(load: Load, entries: Sequence[Entry]) -> None:
    """Print the figures."""
    held = [one for items in load.items for one in items]
    reasons = Counter(reason for one in held for reason in one.decision.reasons)
    channels = Counter(entry.channel.value for entry in entries)
    print(f"texts: {len(entries)} ({', '.join(f'{name} {count}' for name, count in channels.most_common())})")
    print(f"sources that left something held: {len({_source(one) for one in held})}")
    print(f"active memories {load.active} · held items {len(held)} · {load.seconds:.0f} s to take in")
    print(f"reasons: {', '.join(f'{name} {count}' for name, count in reasons.most_common())}")
    print(f"conflicts {reasons['conflict']} · questions to the owner {load.questions}")
    print(f"\ngroups to decide: {len(load.groups)} (aim: at most {AIM})")
    for group in load.groups:
        print(f"  {group.count:>4} items of {group.sources:>3} sources  {group.cluster}")


def figures(load: Load, texts: int, rejected: int, again: int) -> list[Row]:
    """For the results file."""
    groups, held = len(load.groups), sum(len(items) for items in load.items)
    return [
        Row(claim="groups to decide after a month", figure=groups, n=texts, aim=f"at most {AIM}", met=groups <= AIM),
        share("held items decided in one act a group", rejected, held, aim="all", met=rejected == held),
        share("of them held again after one undo each", again, held, aim="all", met=again == held),
    ]


def _source(item: HeldItem) -> tuple[str, str]:
    origin = item.candidate.provenance
    return origin.source_kind.value, origin.source_ref


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0 if the aim is met and every group was decided in one act and taken back."""
    parser = argparse.ArgumentParser(prog="python -m eval.reviewer_load", description=__doc__)
    for name, default in (("seed", 7), ("messages", 1000), ("attached", 40), ("conversations", 60), ("sites", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--out", type=Path, help="write the figures here as JSON")
    options = parser.parse_args(arguments)
    given = vars(options)
    out: Path | None = given.pop("out")
    entries = month(**given)
    with installation() as made:
        owner = made.person("vera")
        load = measure(made, owner, entries)
        report(load, entries)
        rejected, again, slowest = decide(made, load)
    held = sum(len(items) for items in load.items)
    print(f"\none act a group: {rejected}/{held} rejected, {again}/{held} held again; slowest act {slowest:.1f} s")
    if out:
        rows = figures(load, len(entries), rejected, again)
        write(measured("reviewer-load", told("eval.reviewer_load", arguments), rows, seed=options.seed), out)
    return 0 if len(load.groups) <= AIM and rejected == again == held else 1


if __name__ == "__main__":
    sys.exit(main())
