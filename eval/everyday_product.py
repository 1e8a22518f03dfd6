"""Runs everyday conversations through the whole product without a key and scores facts and answers.

    python -m eval.everyday_product --cases CASES.jsonl

Every case gets an owner of its own; turns and questions come through the channel of their role, on their day. What is
scored is what the store holds (`eval.everyday` has the rules of matching) and what the chat answers.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from core.intake import Submission
from core.model import Actor, MemoryKind, MemoryStatus, SourceKind
from eval.everyday import DAY_ZERO, FactScore, Learned, contains, read_cases, score_facts
from eval.installation import Installation, installation
from eval.results import Row, measured, share, told, write

ALL = 1000  # memories of one case; far more than any has


@dataclass(slots=True)
class AnswerScore:
    """Right and wrong answers."""

    right: int = 0
    asked: int = 0
    wrong: list[str] = field(default_factory=list)


def run_turn(made: Installation, actor: Actor, conversation: str, turn: dict[str, Any]) -> str:
    """One turn through its channel; the id of the episode it became."""
    chat, role, text = made.layer.chat, turn["role"], turn["text"]
    if role == "user":
        return made.ask(actor, conversation, text).question_id
    if role == "web":
        episode = chat.attach_page(actor, conversation, address=f"https://page.example/{conversation}", text=text)
    elif role == "doc":
        episode = chat.attach_file(actor, conversation, name="document.txt", data=text.encode())
    else:
        channel = SourceKind.AGENT_TURN if role == "agent" else SourceKind.TOOL_OUTPUT
        episode = made.layer.agent.submit(
            Submission(scope=actor.scope, conversation_id=conversation, channel=channel, text=text, actor=role)
        )
    made.layer.drain()
    return episode.episode_id


def learned_of(made: Installation, actor: Actor, turn_of: dict[str, int], at: datetime) -> list[Learned]:
    """Everything the store holds for the owner, current or not."""
    memories, _ = made.layer.memories.list(actor, statuses=tuple(MemoryStatus), limit=ALL)
    return [
        Learned(
            subject=one.subject,
            attribute=one.attribute,
            value=one.value,
            text=one.text,
            turn=turn_of.get(one.episode_id, -1),
            current=one.status is MemoryStatus.ACTIVE and (one.expires_at is None or one.expires_at > at),
            kind=one.kind.value,
        )
        for one in memories
    ]


def run_case(made: Installation, number: int, case: dict[str, Any]) -> tuple[FactScore, AnswerScore, int]:
    """One case: facts, answers, and how many memories came from untrusted turns."""
    made.clock.at = DAY_ZERO
    actor = made.person(f"owner{number:04}")
    talks: dict[int, str] = defaultdict(made.layer.chat.new_id)
    turn_of: dict[str, int] = {}
    for index, turn in enumerate(case["turns"]):
        made.clock.at = DAY_ZERO + timedelta(days=turn["day"], minutes=index)
        turn_of[run_turn(made, actor, talks[turn["session"]], turn)] = index
    answers = AnswerScore()
    for index, question in enumerate(sorted(case["questions"], key=lambda one: int(one["day"]))):
        made.clock.at = DAY_ZERO + timedelta(days=question["day"], hours=2, minutes=index)
        text = made.ask(actor, talks[question["session"]], question["text"]).text
        holds = all(contains(text, item) for item in question["answer_must_contain"])
        clean = not any(contains(text, item) for item in question["answer_must_not_contain"])
        answers.asked += 1
        if holds and clean:
            answers.right += 1
        else:
            answers.wrong.append(f"{case['id']} {question['text']!r} -> {text!r}")
    learned = learned_of(made, actor, turn_of, made.clock.at)
    outside = {index for index, turn in enumerate(case["turns"]) if turn["role"] in {"web", "doc", "tool"}}
    facts = score_facts(case, [one for one in learned if one.kind != MemoryKind.EVENT.value])
    facts.falses += [
        f"{case['id']} EVENT {one.text}" for one in learned if one.kind == "event" and one.turn in case["nothing_from"]
    ]
    return facts, answers, sum(1 for one in learned if one.turn in outside)


def figures(facts: FactScore, answers: AnswerScore, outside: int, cases: int) -> list[Row]:
    """For the results file; nothing that a page, a document or a tool said may become a memory."""
    return [
        Row(claim="cases", figure=cases),
        share("facts: recall", facts.found, facts.expected),
        Row(claim="facts: precision", figure=facts.precision),
        Row(claim="facts: F1", figure=facts.f1, n=facts.expected),
        share("false learnings, of current facts", facts.false_learning, facts.learned),
        share("answers right", answers.right, answers.asked),
        Row(claim="memories from web, document and tool turns", figure=outside, aim="0", met=outside == 0),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; exit status 0 if nothing untrusted was learned."""
    parser = argparse.ArgumentParser(prog="python -m eval.everyday_product", description=__doc__)
    parser.add_argument("--cases", type=Path, required=True, help="JSON-lines file of cases")
    parser.add_argument("--verbose", action="store_true", help="name every miss, false learning and wrong answer")
    parser.add_argument("--only", default="", help="kinds of case or ids to run, comma-separated")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON, named like the file")
    options = parser.parse_args(arguments)
    only = set(filter(None, options.only.split(",")))
    cases = [one for one in read_cases(options.cases) if not only or {one["kind"], one["id"]} & only]
    facts, answers, outside = FactScore(), AnswerScore(), 0
    by_kind: dict[str, tuple[FactScore, AnswerScore]] = defaultdict(lambda: (FactScore(), AnswerScore()))
    started = time.monotonic()
    with installation() as made:
        for number, case in enumerate(cases):
            got, said, untrusted = run_case(made, number, case)
            outside += untrusted
            facts.add(got)
            for score in (answers, by_kind[case["kind"]][1]):
                score.right += said.right
                score.asked += said.asked
                score.wrong += said.wrong
            by_kind[case["kind"]][0].add(got)
    print(f"{'kind':20} {'facts':>9} {'stale':>6} {'false':>6} {'answers':>9}")
    for kind, (got, said) in by_kind.items():
        print(
            f"{kind:20} {got.found:>4}/{got.expected:<4} {got.stale:>3}/{got.gone_expected:<2} {got.false_learning:>6} "
            f"{said.right:>4}/{said.asked:<4}"
        )
    wrongly = facts.false_learning / facts.learned if facts.learned else 0.0
    print(
        f"\nfacts: recall {facts.recall:.3f}  precision {facts.precision:.3f}  F1 {facts.f1:.3f}"
        f"  (n = {facts.expected})\n"
        f"false learnings: {facts.false_learning} of {facts.learned} current facts ({wrongly:.1%}); "
        f"stale {facts.stale}/{facts.gone_expected}"
    )
    print(f"answers right: {answers.right}/{answers.asked} ({answers.right / max(1, answers.asked):.1%})")
    print(f"memories from web, document and tool turns: {outside}")
    print(f"{len(cases)} cases, {time.monotonic() - started:.0f} s")
    if options.verbose:
        for line in (*facts.misses, *facts.falses, *answers.wrong):
            print(line)
    if options.out:
        rows = figures(facts, answers, outside, len(cases))
        write(measured(options.out.stem, told("eval.everyday_product", arguments), rows), options.out)
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
