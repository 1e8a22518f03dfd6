"""Token-F1 of answers on LoCoMo by its authors' metric: `python -m eval.answers --data locomo10.json`.

Memory is filled and questions are asked as in `eval.locomo`; what is scored is the answer. Without a key it is what the
product says by its rules, and beside it the words of the best memory as they stand; with a key (OPENAI_API_KEY or
OPENAI_BASE_URL) also a short answer by the model from the ten best memories. Category 5 is answered rightly only by
saying that nothing is known, so its figure stands apart, beside the share of the other questions that were declined:
who always declines has all of category 5.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from core.model import Scope
from eval.answering import by_model, by_rules, first_memory
from eval.installation import Installation
from eval.intervals import bootstrap
from eval.locomo import said
from eval.locomo_data import CATEGORIES, Conversation, Question, read
from eval.results import Row, measured, share, told, write
from eval.retrieval import digest
from eval.token_f1 import ADVERSARIAL, declines, score
from eval.turn_memory import remembered
from eval.vector_cache import embedder

NO_MODEL = "no model is configured (OPENAI_API_KEY or OPENAI_BASE_URL): its answers are left out"
Way = Callable[[Installation, Scope, str], str | None]
WAYS: dict[str, Way] = {"by rules": by_rules, "best memory as it stands": first_memory, "by the model": by_model}


def spread_over(questions: Sequence[Question], limit: int) -> list[Question]:
    """At most `limit` questions, evenly over the list; all of them for 0."""
    if not limit or limit >= len(questions):
        return list(questions)
    return [questions[nth * len(questions) // limit] for nth in range(limit)]


def answered(made: Installation, scope: Scope, one: Conversation, limit: int) -> list[dict[str, str | int]]:
    """Every question with its answers, a row each."""
    made.clock.at = one.asked_at
    rows: list[dict[str, str | int]] = []
    for question in spread_over(one.questions, limit):
        given = {name: way(made, scope, question.text) for name, way in WAYS.items()}
        rows += [
            {
                "question": question.question_id,
                "category": question.category,
                "way": name,
                "answer": text,
                "gold": question.answer,
            }
            for name, text in given.items()
            if text is not None
        ]
    return rows


def report(rows: Sequence[dict[str, str | int]]) -> list[Row]:
    """Print the table and give its figures."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in rows:
        category = int(row["category"])
        value = score(str(row["answer"]), str(row["gold"]), category)
        values[str(row["way"]), CATEGORIES[category]].append(value)
        if category != ADVERSARIAL:
            values[str(row["way"]), "categories 1-4"].append(value)
    found = []
    print(f"\n{'token-F1':26} {'category':16} {'n':>5}")
    for (way, part), scores in sorted(values.items()):
        low, high = bootstrap(scores)
        mean = sum(scores) / len(scores)
        print(f"{way:26} {part:16} {len(scores):>5}  {mean:.3f} [{low:.3f}, {high:.3f}]")
        claim = f"LoCoMo token-F1, {way}, {part}"
        found.append(Row(claim=claim, figure=round(mean, 4), low=round(low, 4), high=round(high, 4), n=len(scores)))
    for way in dict.fromkeys(str(row["way"]) for row in rows):
        texts = [str(row["answer"]) for row in rows if row["way"] == way and row["category"] != ADVERSARIAL]
        one = share(f"LoCoMo declined, {way}, categories 1-4", sum(map(declines, texts)), len(texts))
        print(f"{way:26} {'declined, 1-4':16} {len(texts):>5}  {one.figure:.3f} [{one.low:.3f}, {one.high:.3f}]")
        found.append(one)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m eval.answers", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="locomo10.json as published")
    parser.add_argument("--cache", type=Path, help="folder for vectors, kept from run to run")
    parser.add_argument("--keep", type=Path, help="folder of what was taken in, as of eval.locomo")
    parser.add_argument("--only", help="names of conversations, comma-separated")
    parser.add_argument("--each", type=int, default=0, help="questions of each conversation, evenly over its list")
    parser.add_argument("--out", type=Path, help="results file (JSON)")
    given = parser.parse_args(arguments)
    vectors = embedder(given.cache)
    rows: list[dict[str, str | int]] = []
    for one in read(given.data):
        if given.only and one.name not in given.only.split(","):
            continue
        with remembered(one.name, said(one), at=one.asked_at, vectors=vectors, keep=given.keep) as (made, shelf):
            rows += answered(made, shelf.scope, one, given.each)
        print(f"{one.name}: {len(rows)} answers so far", flush=True)
    if not any(row["way"] == "by the model" for row in rows):
        print(NO_MODEL)
    found = report(rows)
    print(f"digest of the answers: {digest(rows)}")
    if given.out:
        write(measured("answers", told("eval.answers", arguments), found), given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
