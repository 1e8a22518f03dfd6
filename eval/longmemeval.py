"""LongMemEval-shaped data by path: `python -m eval.longmemeval --data FILE.json`.

An instance is a person's sessions with an assistant and one question. Through extraction (the default) the person's
turns are user turns, and the assistant's answers are kept as episodes only, as the product's chat keeps them; with
`--turns raw` the person's words are kept as they stand, as a third party's messages, and nothing is read out of them.
Beside it stands a plain RAG baseline on the same embeddings: the cosine over every turn, both speakers', as it stands.

Scored are the evidence turns (`has_answer`) and evidence sessions among the first k, whether the answer's words stand
in the first k texts, and the token-F1 of the answer.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from core.distil import clean
from core.errors import BadInput
from core.model import SourceKind
from core.ports import Embedder
from eval.answering import by_model, by_rules, first_memory
from eval.installation import Installation
from eval.results import Row, measured, told, write
from eval.retrieval import digest, distinct, recall_at
from eval.token_f1 import f1, normalised
from eval.turn_memory import DEEPER, Said, Shelf, remembered
from eval.vector_cache import embedder

K = 5
_DATE = "%Y/%m/%d (%a) %H:%M"


@dataclass(frozen=True, kw_only=True, slots=True)
class Instance:
    """One person's sessions and the question about them; a turn's id is "session number:turn number"."""

    name: str
    turns: tuple[Said, ...]
    question: str
    asked_at: datetime
    answer: str
    gold_turns: tuple[str, ...]
    gold_sessions: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Brought:
    """What one way of remembering brought for the question."""

    ids: tuple[str, ...]  # turns, best first
    texts: tuple[str, ...]


def read(path: Path, *, raw: bool) -> list[Instance]:
    """The instances of a file in the published format: a list of them, or one."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return [_instance(one, raw=raw) for one in (found if isinstance(found, list) else [found])]


def _instance(one: Mapping[str, Any], *, raw: bool) -> Instance:
    gold = [
        f"{session}:{nth}"
        for session, turns in enumerate(one["haystack_sessions"])
        for nth, turn in enumerate(turns)
        if turn.get("has_answer")
    ]
    named = set(one["answer_session_ids"])
    return Instance(
        name=f"lme-{one['question_id']}",
        turns=tuple(_turns(one, raw=raw)),
        question=one["question"],
        asked_at=_date(one["question_date"]),
        answer=str(one["answer"]),
        gold_turns=tuple(gold),
        gold_sessions=tuple(str(nth) for nth, name in enumerate(one["haystack_session_ids"]) if name in named),
    )


def _turns(one: Mapping[str, Any], *, raw: bool) -> Iterator[Said]:
    for session, (began, turns) in enumerate(zip(one["haystack_dates"], one["haystack_sessions"], strict=True)):
        for nth, turn in enumerate(turns):
            own = turn["role"] == "user"
            voice = SourceKind.THIRD_PARTY if raw else SourceKind.USER_TURN
            if _says_something(turn["content"]):
                yield Said(
                    unit=f"{session}:{nth}",
                    conversation=f"{one['question_id']}/{session}",
                    channel=voice if own else SourceKind.AGENT_TURN,
                    speaker=turn["role"],
                    text=turn["content"],
                    at=_date(began) + nth * timedelta(minutes=1),
                    distil=own,
                )


def _says_something(text: str) -> bool:
    """Whether the product takes such a text; a few of the published turns are blank."""
    try:
        clean(text)
    except BadInput:
        return False
    return True


def _date(text: str) -> datetime:
    return datetime.strptime(text, _DATE).replace(tzinfo=UTC)


def by_product(made: Installation, shelf: Shelf, one: Instance) -> Brought:
    """The turns of what the product recalls, and the memories' texts."""
    found = made.layer.agent.recall(one.question, shelf.scope, k=K * DEEPER)
    texts = tuple(hit.memory.text for hit in found.hits[:K])
    return Brought(ids=distinct([shelf.units.get(hit.memory.episode_id) for hit in found.hits], K), texts=texts)


def by_cosine(vectors: Embedder, one: Instance) -> Brought:
    """Plain RAG: every turn as it stands, by the cosine to the question."""
    stored = np.asarray(vectors.embed([turn.text for turn in one.turns]))
    best = np.argsort(-(stored @ np.asarray(vectors.embed([one.question])[0])), kind="stable")[:K]
    return Brought(ids=tuple(one.turns[nth].unit for nth in best), texts=tuple(one.turns[nth].text for nth in best))


def figures(one: Instance, brought: Brought) -> dict[str, float]:
    """The scores of one instance."""
    sessions = list(dict.fromkeys(unit.partition(":")[0] for unit in brought.ids))
    wanted = normalised(one.answer)
    return {
        f"evidence turns in the first {K}": recall_at(one.gold_turns, brought.ids, K) if one.gold_turns else 0.0,
        f"evidence sessions in the first {K}": recall_at(one.gold_sessions, sessions, K) if one.gold_sessions else 0.0,
        f"answer stands in the first {K} texts": float(any(wanted in normalised(text) for text in brought.texts)),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m eval.longmemeval", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a LongMemEval file, or one of its format")
    parser.add_argument("--turns", choices=("extracted", "raw"), default="extracted")
    parser.add_argument("--cache", type=Path, help="folder for vectors, kept from run to run")
    parser.add_argument("--only", type=int, help="the first N instances")
    parser.add_argument("--out", type=Path, help="results file (JSON)")
    given = parser.parse_args(arguments)
    vectors, rows = embedder(given.cache), []
    values: dict[str, list[float]] = {}
    for one in read(given.data, raw=given.turns == "raw")[: given.only]:
        with remembered(one.name, one.turns, at=one.asked_at, vectors=vectors) as (made, shelf):
            ways = {"product": by_product(made, shelf, one), "plain RAG": by_cosine(vectors, one)}
            answers = {
                "by rules": by_rules(made, shelf.scope, one.question),
                "best memory as it stands": first_memory(made, shelf.scope, one.question),
                "by the model": by_model(made, shelf.scope, one.question),
            }
        for way, brought in ways.items():
            for name, value in figures(one, brought).items():
                values.setdefault(f"{name}, {way}", []).append(value)
        for way, answer in answers.items():
            if answer is not None:
                values.setdefault(f"token-F1, {way}", []).append(f1(answer, one.answer))
        rows.append({"instance": one.name, "answers": answers} | {way: list(got.ids) for way, got in ways.items()})
        print(f"{one.name}: {one.question} -> {answers['by rules']!r} (gold {one.answer!r})", flush=True)
    found = []
    for name, scores in values.items():
        print(f"{name:58} {sum(scores) / len(scores):.3f}  (n = {len(scores)})")
        claim = f"LongMemEval ({given.turns}) {name}"
        found.append(Row(claim=claim, figure=round(sum(scores) / len(scores), 4), n=len(scores)))
    print(f"digest: {digest(rows)}")
    if given.out:
        write(measured(f"longmemeval-{given.turns}", told("eval.longmemeval", arguments), found), given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
