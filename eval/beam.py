"""Message recall and knowledge updates on BEAM-100K, through the product's own recall: `python -m eval.beam`.

Each chat is one owner's: their messages are user turns, the assistant's answers are kept as episodes only, as the
product's own chat keeps them, so that an answer never becomes memory and cannot be recalled (rules §1.4). Gold that
names an answer is therefore out of reach; the second figure counts the gold among the user's own messages alone.

Of a knowledge update, the new statement is above the stale one when a message that tells the new value is recalled at a
better place than every one that tells the old (not recalled counts as the last place).

Nothing is tuned on chats 11 to 20; what was tuned on 1 to 10 is in `TUNED`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from core.bootstrap import load_policy
from core.model import SourceKind
from core.policy import Policy
from eval.beam_data import UPDATE, Chat, Probe, read
from eval.installation import Installation
from eval.intervals import interval
from eval.results import Row, measured, told, write
from eval.retrieval import NAMES, Ranked, digest, means
from eval.turn_memory import Said, Shelf, agent_under, coverage, ranked_units, remembered, undecayed
from eval.vector_cache import embedder

TOP = 5  # places in which a stale statement must not stand
DEEP = 60  # places looked at for where the new and the stale statement stand
TUNING = 10  # the first chats: texts were read in these only; of the others a log once showed questions and outcomes
TUNED = (
    "what a turn keeps of a sentence that also asks (core/llm/rules/mixed.py), and the words and numbers by which a "
    "later value is told from another attribute's (core/updates.py)"
)
ABOVE_AIM, STALE_AIM = 0.90, 0.10


@dataclass(frozen=True, kw_only=True, slots=True)
class Answered:
    """One probe and the messages that came back, best first."""

    probe: Probe
    ids: tuple[int, ...]
    own: frozenset[int]  # the user's messages

    @property
    def gold_said(self) -> tuple[int, ...]:
        """The gold among the user's own messages."""
        return tuple(one for one in self.probe.gold if one in self.own)

    def ranked(self, gold: Sequence[int]) -> Ranked:
        """As it is scored against these messages."""
        return Ranked(
            question_id=self.probe.probe_id,
            group=self.probe.probe_id.partition("/")[0],
            category=self.probe.ability,
            gold=tuple(map(str, gold)),
            ids=tuple(map(str, self.ids)),
        )

    @property
    def fresh_at(self) -> int:
        """Place of the first message with the new value, from 0; DEEP if none came back."""
        return next((place for place, one in enumerate(self.ids) if one in self.probe.fresh), DEEP)

    @property
    def stale_at(self) -> int:
        """Place of the first message with the old value."""
        return next((place for place, one in enumerate(self.ids) if one in self.probe.stale), DEEP)

    @property
    def outcome(self) -> str:
        """What became of a knowledge update, in words."""
        if self.fresh_at < self.stale_at:
            return "new above stale" if self.stale_at < DEEP else "only the new recalled"
        if self.fresh_at == self.stale_at:
            return "neither recalled"
        return "stale above new" if self.fresh_at < DEEP else "only the stale recalled"


def said(chat: Chat) -> list[Said]:
    """The messages as they are submitted."""
    return [
        Said(
            unit=str(one.number),
            conversation=chat.name,
            channel=SourceKind.USER_TURN if one.user else SourceKind.AGENT_TURN,
            speaker="user" if one.user else "assistant",
            text=one.text,
            at=one.at,
            distil=one.user,
        )
        for one in chat.messages
    ]


def asked(made: Installation, chat: Chat, shelf: Shelf, policy: Policy) -> list[Answered]:
    """Every probe that names messages, asked under a policy the day after the last one."""
    made.clock.at = chat.messages[-1].at + timedelta(days=1)
    agent, own = agent_under(made, policy), frozenset(one.number for one in chat.messages if one.user)
    found = []
    for probe in chat.probes:
        if probe.gold:
            ids = ranked_units(agent, shelf, probe.text, k=DEEP)
            found.append(Answered(probe=probe, ids=tuple(map(int, ids)), own=own))
    return found


def report(name: str, answered: Sequence[Answered]) -> list[Row]:
    """Print one policy's figures and give them as rows."""
    rows = []
    every = [one.ranked(one.probe.gold) for one in answered]
    tuned = {f"beam-{number}" for number in range(1, TUNING + 1)}
    halves = {
        f"chats 1-{TUNING} (tuned on)": [one for one in every if one.group in tuned],
        f"chats {TUNING + 1}- (untouched)": [one for one in every if one.group not in tuned],
    }
    parts = {
        "all gold": every,
        **{half: ranked for half, ranked in halves.items() if ranked},
        "gold among the user's messages": [one.ranked(one.gold_said) for one in answered if one.gold_said],
    } | {ability: [one for one in every if one.category == ability] for ability in sorted({o.category for o in every})}
    print(f"\n{name}\n{'':34} {'n':>5}  " + "  ".join(f"{one:>20}" for one in NAMES))
    for part, ranked in parts.items():
        found = means(ranked)
        print(f"{part:34} {len(ranked):>5}  " + "  ".join(f"{one!s:>20}" for one in found))
        rows += [
            Row(
                claim=f"BEAM-100K message {one.name}, {part}, {name}",
                figure=round(one.value, 4),
                low=round(one.low, 4),
                high=round(one.high, 4),
                n=one.n,
            )
            for one in found
        ]
    updates = [one for one in answered if one.probe.ability == UPDATE and one.probe.fresh and one.probe.stale]
    for half, ranked in halves.items():
        ids = {one.question_id for one in ranked}
        there = [one for one in updates if one.probe.probe_id in ids]
        ahead = sum(one.fresh_at < one.stale_at for one in there)
        late = sum(one.stale_at < TOP for one in there)
        print(f"{half}: new above stale {ahead} of {len(there)}, stale in the top five {late} of {len(there)}")
    outcomes = Counter(one.outcome for one in updates)
    above = sum(one.fresh_at < one.stale_at for one in updates)
    stale = sum(one.stale_at < TOP for one in updates)
    print(f"knowledge updates (n = {len(updates)}): {dict(outcomes.most_common())}")
    for claim, count, aim, met in (
        ("new above stale", above, f">= {ABOVE_AIM}", above >= ABOVE_AIM * len(updates)),
        ("stale in the top five", stale, f"<= {STALE_AIM}", stale <= STALE_AIM * len(updates)),
    ):
        low, high = interval(count, len(updates))
        share = count / max(1, len(updates))
        print(f"  {claim:24} {share:.3f} [{low:.3f}, {high:.3f}]  aim {aim}: {'met' if met else 'missed'}")
        rows.append(
            Row(
                claim=f"BEAM-100K {claim}, {name}",
                figure=round(share, 4),
                low=round(low, 4),
                high=round(high, 4),
                n=len(updates),
                aim=aim,
                met=met,
            )
        )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m eval.beam", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="beam_100k.jsonl.gz")
    parser.add_argument("--cache", type=Path, help="folder for vectors, kept from run to run")
    parser.add_argument("--out", type=Path, help="results file (JSON)")
    parser.add_argument("--only", type=int, help="the first N chats")
    parser.add_argument("--keep", type=Path, help="folder of what was taken in, kept from run to run; to try rankings")
    parser.add_argument("--verbose", action="store_true", help="name every knowledge update and what became of it")
    given = parser.parse_args(arguments)
    chats = read(given.data)[: given.only]
    default = load_policy(None)
    policies = {"default policy": default, "decay off": undecayed(default)}
    answered: dict[str, list[Answered]] = {name: [] for name in policies}
    milliseconds: list[float] = []
    began = time.perf_counter()
    vectors = embedder(given.cache)
    for chat in chats:
        at = chat.messages[-1].at + timedelta(days=1)
        with remembered(chat.name, said(chat), at=at, vectors=vectors, keep=given.keep) as (made, shelf):
            reached, live = coverage(made, shelf)
            own = sum(one.user for one in chat.messages)
            spent = time.perf_counter() - began
            print(f"{chat.name}: {own} user messages, {reached} of them in {live} memories, {spent:.0f} s", flush=True)
            for name, policy in policies.items():
                answered[name] += asked(made, chat, shelf, policy)
            milliseconds += shelf.milliseconds
    rows: list[Row] = []
    for name, found in answered.items():
        rows += report(name, found)
        print(f"digest: {digest([{'probe': one.probe.probe_id, 'ids': list(one.ids)} for one in found])}")
    if given.verbose:
        for one in answered["default policy"]:
            if one.probe.fresh and one.probe.stale:
                print(f"{one.outcome:22} new {one.fresh_at:>2} stale {one.stale_at:>2}  {one.probe.text}")
    print(f"\ntuned on chats 1-{TUNING}: {TUNED}")
    print(f"recall p50 {statistics.median(milliseconds):.1f} ms a question (n = {len(milliseconds)})")
    if given.out:
        write(measured("beam", told("eval.beam", arguments), rows), given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
