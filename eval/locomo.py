"""Retrieval on LoCoMo through the product's own recall: `python -m eval.locomo --data locomo10.json`.

Each conversation is one owner's memory. The owner is somebody who reads along in a chat of two people and says nothing:
each message comes from a third party, with its speaker's name as where it comes from and the session's own date, so
that nobody's words are taken for the owner's. What memory makes of a message is the product's rules: one event in the
words that were said ("Ann wrote: “…”"), beside it what the speaker says about themself; orders, and what could harm
somebody, are held, and a message without a claim or a question leaves nothing.

Messages go through `AgentApi.submit` and the worker into the real stores; then each question of categories 1 to 4 with
evidence is asked through `AgentApi.recall` the day after the last message. A hit counts for the message that its memory
came from, several memories of one message once, at the first one's place. recall@k is the share of the gold messages
(the raw evidence strings) among the first k; MRR is one over the place of the first gold message in the first ten.

Each question is asked of the memory as it stands after the last message: what a question touches is noted, and in use
the worker then archives what has faded (rules §2.6), but no worker runs between two questions here.

Nothing is tuned on questions of conversations 6 to 10; what was tuned on 1 to 5 is in `TUNED`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from core.bootstrap import load_policy
from core.model import SourceKind
from core.policy import Policy
from eval.installation import Installation
from eval.locomo_data import CATEGORIES, Conversation, read, retrievable
from eval.results import Row, measured, told, write
from eval.retrieval import Mean, Ranked, digest, means, rows_of
from eval.turn_memory import Said, Shelf, agent_under, coverage, ranked_units, remembered, undecayed
from eval.vector_cache import embedder

K = 20
TUNING = 5  # the first conversations: numbers were chosen on these, and on no others
TUNED = (
    "recall.beside .4, beside_next .3, reply 2, terse .5 up to 16 words, others .7, meaning .5, age_floor .8; "
    "length in the word score .3"
)
AIMS = {"recall@5": 0.71, "recall@10": 0.79, "recall@20": 0.85, "MRR@10": 0.61}
FLOORS = {"recall@5": 0.63, "recall@10": 0.72, "recall@20": 0.79, "MRR@10": 0.53}
PLAIN = "dense alone, as published for the same encoder: .162 .366 .454 .545, MRR .286"
TIMED = 200  # questions embedded anew to time the model


def said(one: Conversation) -> list[Said]:
    """The messages as they are submitted."""
    return [
        Said(
            unit=turn.turn_id,
            conversation=f"{one.name}/{turn.session}",
            channel=SourceKind.THIRD_PARTY,
            speaker=turn.speaker,
            text=turn.text,
            at=turn.at,
        )
        for turn in one.turns
    ]


def asked(made: Installation, one: Conversation, shelf: Shelf, policy: Policy) -> list[Ranked]:
    """Every question of a conversation, asked under a policy."""
    made.clock.at = one.asked_at
    agent = agent_under(made, policy)
    return [
        Ranked(
            question_id=question.question_id,
            group=one.name,
            category=CATEGORIES[question.category],
            gold=question.evidence,
            ids=ranked_units(agent, shelf, question.text, k=K),
        )
        for question in retrievable(one.questions)
    ]


def policies() -> dict[str, Policy]:
    """The policies that are compared, by what they are called in the table."""
    default = load_policy(None)
    return {"default policy": default, "decay off": undecayed(default)}


def table(ranked: Sequence[Ranked], first: Sequence[str]) -> dict[str, list[Mean]]:
    """The figures of all questions, of both halves, and of each category."""
    found = {
        "all": means(ranked),
        f"conversations 1-{TUNING} (tuned on)": means([one for one in ranked if one.group in first]),
        f"conversations {TUNING + 1}- (untouched)": means([one for one in ranked if one.group not in first]),
    }
    for name in CATEGORIES.values():
        if some := [one for one in ranked if one.category == name]:
            found[name] = means(some)
    return {name: row for name, row in found.items() if row[0].n}


def shown(name: str, rows: Mapping[str, Sequence[Mean]]) -> None:
    """Print one policy's table."""
    print(f"\n{name}\n{'':28} {'n':>5}  " + "  ".join(f"{one.name:>20}" for one in next(iter(rows.values()))))
    for part, row in rows.items():
        print(f"{part:28} {row[0].n:>5}  " + "  ".join(f"{one!s:>20}" for one in row))


def rows_for(policy: str, found: Mapping[str, Sequence[Mean]]) -> list[Row]:
    """The figures as rows of a results file; only those over all questions have an aim."""
    rows = []
    for part, row in found.items():
        for one in row:
            aim = AIMS.get(one.name) if part == "all" else None
            rows.append(
                Row(
                    claim=f"LoCoMo {one.name}, {policy}, {part}",
                    figure=round(one.value, 4),
                    low=round(one.low, 4),
                    high=round(one.high, 4),
                    n=one.n,
                    aim=f">= {aim}" if aim else "",
                    met=one.value >= aim if aim else None,
                )
            )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 1 if a floor is missed."""
    parser = argparse.ArgumentParser(prog="python -m eval.locomo", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="locomo10.json as published")
    parser.add_argument("--cache", type=Path, help="folder for vectors, kept from run to run")
    parser.add_argument("--out", type=Path, help="results file (JSON)")
    parser.add_argument("--lists", type=Path, help="file for the ranked list of every question, a JSON line each")
    parser.add_argument("--only", help="names of conversations, comma-separated")
    parser.add_argument("--keep", type=Path, help="folder of what was taken in, kept from run to run; to try rankings")
    given = parser.parse_args(arguments)
    every = read(given.data)
    first = [one.name for one in every[:TUNING]]
    conversations = [one for one in every if not given.only or one.name in given.only.split(",")]
    made_by = embedder(given.cache)
    answers: dict[str, list[Ranked]] = {name: [] for name in policies()}
    milliseconds: list[float] = []
    turns = memories = reached = 0
    began = time.perf_counter()
    for one in conversations:
        with remembered(one.name, said(one), at=one.asked_at, vectors=made_by, keep=given.keep) as (made, shelf):
            from_turns, live = coverage(made, shelf)
            turns, reached, memories = turns + len(one.turns), reached + from_turns, memories + live
            print(
                f"{one.name}: {len(one.turns)} messages, {from_turns} of them in {live} memories, "
                f"{time.perf_counter() - began:.0f} s",
                flush=True,
            )
            for name, policy in policies().items():
                answers[name] += asked(made, one, shelf, policy)
            milliseconds += shelf.milliseconds
    texts = [question.text for one in conversations for question in retrievable(one.questions)][:TIMED]
    embedding = timed_embedding(texts)
    print(f"\n{turns} messages, {reached} in memory, {memories} live memories; {PLAIN}\ntuned on 1-{TUNING}: {TUNED}")
    rows: list[Row] = []
    for name, ranked in answers.items():
        found = table(ranked, first)
        shown(name, found)
        print(f"digest of the ranked lists: {digest(rows_of(ranked))}")
        rows += rows_for(name, found)
    if given.lists:
        lines = [{"policy": name} | asdict(one) for name, ranked in answers.items() for one in ranked]
        given.lists.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    cost = statistics.median(milliseconds)
    print(f"\nrecall p50 {cost:.1f} ms a question without, embedding p50 {embedding:.1f} ms (n = {len(milliseconds)})")
    rows.append(
        Row(claim="LoCoMo recall, ms a question without embedding, p50", figure=round(cost, 2), n=len(milliseconds))
    )
    rows.append(Row(claim="LoCoMo embedding of a question, ms, p50", figure=round(embedding, 2), n=len(texts)))
    if given.out:
        write(measured("locomo", told("eval.locomo", arguments), rows), given.out)
    missed = [
        f"{one.name} ({name})"
        for name in ("default policy", "decay off")
        for one in means(answers[name])
        if one.value < FLOORS.get(one.name, 0.0)
    ]
    print("floors met" if not missed else f"below the floor: {', '.join(missed)}")
    return 1 if missed else 0


def timed_embedding(texts: Sequence[str]) -> float:
    """Median milliseconds that the model itself takes for one of the texts."""
    model = embedder(None)
    model.embed(texts[:1])
    spans = []
    for text in texts:
        began = time.perf_counter()
        model.embed([text])
        spans.append((time.perf_counter() - began) * 1000)
    return statistics.median(spans)


if __name__ == "__main__":
    sys.exit(main())
