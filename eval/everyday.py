"""Scores what is learned from everyday conversations: facts found, facts that should have gone, false learning.

Run over the extractor alone, with a small in-memory slot store that applies the key rule (rules §3.1a)::

    python -m eval.everyday --cases CASES.jsonl --facts-only

A case is one JSON object a line: `turns` (session, day, role, text), `facts` to be learned (`|` separates acceptable
alternatives in `subject`, `attribute` and every item of `must_contain`; all items are required), and `nothing_from`
(indexes of turns that must teach nothing). Day 0 is a Monday; each turn is stated an hour after the one before.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from core.llm.embedder import CachedEmbedder, PackagedEmbedder
from core.llm.rules import RulesExtractor
from core.model import (
    Episode,
    Memory,
    MemoryKind,
    Proposal,
    Provenance,
    Scope,
    SourceKind,
    SpeechAct,
    Turn,
    sha256_text,
)
from core.ports import ExtractionContext, Extractor
from core.slots import is_multi_valued, normalise, slot_key

DAY_ZERO = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)  # a Monday
_SCOPE = Scope(tenant="eval", owner="owner")
_CHANNELS = {
    "user": SourceKind.USER_TURN,
    "agent": SourceKind.AGENT_TURN,
    "web": SourceKind.WEB_CONTENT,
    "doc": SourceKind.EXTERNAL_DOC,
    "tool": SourceKind.TOOL_OUTPUT,
    "third_party": SourceKind.THIRD_PARTY,
}
_SHORT = 2  # items of up to this many characters match on word boundaries only


@dataclass(frozen=True, kw_only=True, slots=True)
class Learned:
    """One fact as a store holds it after the conversation. `turn`: index of the turn that taught it."""

    subject: str
    attribute: str
    value: str
    text: str
    turn: int
    current: bool = True
    kind: str = "fact"
    expires_at: datetime | None = None


@dataclass(slots=True)
class FactScore:
    """Counts over any number of cases."""

    expected: int = 0  # facts that should be current
    found: int = 0
    gone_expected: int = 0  # facts that should no longer be current
    stale: int = 0  # of those, still current
    false_learning: int = 0  # current facts taught by a turn that should teach nothing
    quiet_turns: int = 0
    learned: int = 0  # current facts, whatever taught them
    misses: list[str] = field(default_factory=list)
    falses: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of the expected facts that were found."""
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        """Found facts among found, stale and falsely learned ones; unlisted facts count for nothing."""
        total = self.found + self.stale + self.false_learning
        return self.found / total if total else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def add(self, other: FactScore) -> None:
        """Add the counts of another score."""
        for name in ("expected", "found", "gone_expected", "stale", "false_learning", "quiet_turns", "learned"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.misses += other.misses
        self.falses += other.falses


def contains(text: str, item: str) -> bool:
    """Whether `text` holds one alternative of `item` (case-insensitive, short alternatives as whole words)."""
    low = text.casefold()
    for alternative in item.casefold().split("|"):
        wanted = alternative.strip()
        if len(wanted) <= _SHORT and not re.search(r"[\u3400-\u9fff]", wanted):
            if re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", low):
                return True
        elif wanted in low:
            return True
    return False


def _named(value: str, alternatives: str) -> bool:
    held = normalise(value)
    return any(held == normalise(one) for one in alternatives.split("|"))


def matches(fact: dict[str, Any], learned: Learned) -> bool:
    """Whether a learned fact is the expected one: subject, attribute and every required item."""
    if not (_named(learned.subject, fact["subject"]) and _named(learned.attribute, fact["attribute"])):
        return False
    return all(contains(learned.value, item) or contains(learned.text, item) for item in fact["must_contain"])


def score_facts(case: dict[str, Any], learned: Sequence[Learned]) -> FactScore:
    """Score what one case taught. `learned` holds every fact of the owner's trusted memory, current or not."""
    score = FactScore(quiet_turns=len(case["nothing_from"]))
    current = [one for one in learned if one.current]
    score.learned = len(current)
    for fact in case["facts"]:
        hit = any(matches(fact, one) for one in current)
        if fact["current"]:
            score.expected += 1
            score.found += hit
            if not hit:
                score.misses.append(
                    f"{case['id']} MISS  {fact['subject']} / {fact['attribute']} / {fact['must_contain']}"
                )
        else:
            score.gone_expected += 1
            score.stale += hit
            if hit:
                score.misses.append(
                    f"{case['id']} STALE {fact['subject']} / {fact['attribute']} / {fact['must_contain']}"
                )
    quiet = set(case["nothing_from"])
    for one in current:
        if one.turn in quiet:
            score.false_learning += 1
            score.falses.append(f"{case['id']} FALSE turn {one.turn}: {one.subject} | {one.attribute} | {one.value}")
    return score


class SlotStore:
    """The least store that shows the key rule: a newer value or a retraction closes a single-valued slot."""

    def __init__(self) -> None:
        """Start empty."""
        self.rows: list[tuple[Memory, int, bool]] = []  # (memory, turn, current)

    def apply(self, proposal: Proposal, *, turn: int, at: datetime) -> None:
        """Admit one trusted proposal."""
        key = slot_key(proposal.subject, proposal.attribute)
        multi = is_multi_valued(proposal.attribute)
        for index, (memory, taught, current) in enumerate(self.rows):
            if not current or memory.slot_key != key:
                continue
            same = normalise(memory.value) == normalise(proposal.value)
            if (proposal.retracts and (same or not multi)) or (not proposal.retracts and (not multi or same)):
                self.rows[index] = (memory, taught, False)
        if not proposal.retracts:
            self.rows.append((_memory(proposal, key, len(self.rows), at), turn, True))

    def known(self, at: datetime) -> tuple[Memory, ...]:
        """Current, unexpired facts, last stated first."""
        live = [memory for memory, _, current in self.rows if current and not _expired(memory, at)]
        return tuple(reversed([memory for memory in live if memory.kind is not MemoryKind.EVENT]))

    def learned(self, at: datetime) -> list[Learned]:
        """Every row, as of `at`."""
        return [
            Learned(
                subject=memory.subject,
                attribute=memory.attribute,
                value=memory.value,
                text=memory.text,
                turn=turn,
                current=current and not _expired(memory, at),
                kind=memory.kind.value,
                expires_at=memory.expires_at,
            )
            for memory, turn, current in self.rows
        ]


def _expired(memory: Memory, at: datetime) -> bool:
    return memory.expires_at is not None and memory.expires_at <= at


def _memory(proposal: Proposal, key: str, number: int, at: datetime) -> Memory:
    return Memory(
        memory_id=f"m{number}",
        scope=_SCOPE,
        kind=proposal.kind,
        subject=proposal.subject,
        attribute=proposal.attribute,
        slot_key=key,
        value=proposal.value,
        text=proposal.statement,
        importance=proposal.importance,
        effective_trust=1.0,
        source_kind=SourceKind.USER_TURN,
        source_ref="",
        source_title="",
        actor="owner",
        episode_id="",
        conversation_id="",
        serial_no=number,
        roots=(),
        stated_at=at,
        created_at=at,
        valid_at=proposal.valid_at,
        expires_at=proposal.expires_at,
        language=proposal.language,
    )


def episode_of(turn: dict[str, Any], number: int, at: datetime) -> Episode:
    """A turn of a case as an episode of its channel."""
    text = turn["text"]
    provenance = Provenance(
        source_kind=_CHANNELS[turn["role"]],
        source_ref=f"turn-{number}",
        actor=turn["role"],
        observed_at=at,
        digest=sha256_text(text),
    )
    return Episode(
        episode_id=f"e{number}",
        scope=_SCOPE,
        conversation_id=f"c{turn['session']}",
        provenance=provenance,
        text=text,
        received_at=at,
    )


def run_case(case: dict[str, Any], extractor: Extractor) -> list[Learned]:
    """Read a whole case with the extractor alone; untrusted channels are held, so they teach nothing."""
    store = SlotStore()
    recent: dict[int, list[Turn]] = defaultdict(list)
    asked = max(
        [question["day"] for question in case.get("questions", [])] + [turn["day"] for turn in case["turns"]] or [0]
    )
    for number, turn in enumerate(case["turns"]):
        at = DAY_ZERO + timedelta(days=turn["day"], minutes=number)
        episode = episode_of(turn, number, at)
        context = ExtractionContext(now=at, recent=tuple(recent[turn["session"]]), known=store.known(at))
        extraction = extractor.extract(episode, context)
        if turn["role"] == "user":
            for proposal in extraction.proposals:
                store.apply(proposal, turn=number, at=at)
        recent[turn["session"]].append(
            Turn(
                role="assistant" if turn["role"] == "agent" else "user" if turn["role"] == "user" else "attachment",
                text=turn["text"],
                at=at,
                source_kind=_CHANNELS[turn["role"]],
            )
        )
    return store.learned(DAY_ZERO + timedelta(days=asked, hours=3))


def misattributed(case: dict[str, Any], extractor: Extractor) -> list[str]:
    """Claims of web, document, tool and third-party turns that speak of "user" as if the owner had said them."""
    found = []
    for number, turn in enumerate(case["turns"]):
        if turn["role"] in {"user", "agent"}:
            continue
        extraction = extractor.extract(episode_of(turn, number, DAY_ZERO), ExtractionContext(now=DAY_ZERO))
        found += [
            f"{case['id']} turn {number}: {one.attribute} | {one.value}"
            for one in extraction.proposals
            if normalise(one.subject) == "user" and one.speech_act is not SpeechAct.DIRECTIVE
        ]
    return found


def read_cases(path: Path) -> list[dict[str, Any]]:
    """The cases of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def score_all(
    cases: Iterable[dict[str, Any]], extractor: Extractor
) -> tuple[FactScore, dict[str, FactScore], list[str]]:
    """The total, the score by kind of case, and claims wrongly attributed to the owner."""
    total = FactScore()
    by_kind: dict[str, FactScore] = defaultdict(FactScore)
    wrong: list[str] = []
    for case in cases:
        score = score_facts(case, run_case(case, extractor))
        total.add(replace(score, misses=list(score.misses), falses=list(score.falses)))
        by_kind[case["kind"]].add(score)
        wrong += misattributed(case, extractor)
    return total, by_kind, wrong


def _report(total: FactScore, by_kind: dict[str, FactScore], wrong: list[str], *, verbose: bool) -> None:
    print(f"{'kind':20} {'found':>7} {'stale':>6} {'false':>6}")
    for kind, score in by_kind.items():
        gone = f"{score.stale:>3}/{score.gone_expected:<2}"
        print(f"{kind:20} {score.found:>3}/{score.expected:<3} {gone} {score.false_learning:>6}")
    print(f"\nrecall {total.recall:.3f}  precision {total.precision:.3f}  F1 {total.f1:.3f}")
    share = total.false_learning / total.learned if total.learned else 0.0
    print(f"facts current {total.learned}; from {total.quiet_turns} quiet turns {total.false_learning} ({share:.1%})")
    print(f"stale {total.stale}/{total.gone_expected}; attributed to the owner from untrusted text {len(wrong)}")
    if verbose:
        for line in (*total.misses, *total.falses, *wrong):
            print(line)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; the exit status is 0 if nothing untrusted was attributed to the owner."""
    parser = argparse.ArgumentParser(
        prog="python -m eval.everyday", description="Score learning from everyday conversations."
    )
    parser.add_argument("--cases", type=Path, required=True, help="JSON-lines file of cases")
    parser.add_argument(
        "--facts-only", action="store_true", help="score the extractor alone, without store and answers"
    )
    parser.add_argument("--verbose", action="store_true", help="name every missed, stale and false fact")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    extractor = RulesExtractor(embedder=CachedEmbedder(PackagedEmbedder()))
    total, by_kind, wrong = score_all(read_cases(options.cases), extractor)
    _report(total, by_kind, wrong, verbose=options.verbose)
    print(f"{time.monotonic() - started:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
