"""Scores what is seen of contradictions without a model: the key rule and the template rule (rules §3.1a).

    python -m eval.contradiction --data PAIRS.jsonl --data …

A line is one JSON object: `a`, `b` (the later one) and `label`; only "contradiction" counts as one. A file with a field
`chat` and no other label gets non-contradictions made for it: each `a` against the `b` of three other pairs of its
chat that share no statement with it. Both texts are read as turns of the owner, `b` a week later, in the knowledge of
what `a` taught.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from core.conflict import same_template, same_value
from core.corroboration import RELATED, SAYS_THE_SAME
from core.llm.embedder import CachedEmbedder, PackagedEmbedder
from core.llm.rules import RulesExtractor
from core.model import Episode, MemoryKind, Proposal, Provenance, Scope, SourceKind, sha256_text
from core.ports import ExtractionContext, Extractor
from core.slots import is_multi_valued, slot_key
from eval.everyday import DAY_ZERO, SlotStore

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|```")
_LONGEST = 300  # characters of a sentence: longer ones are code or tables
_MISMATCHES = 3  # non-contradictions made for one earlier text
_SCOPE = Scope(tenant="eval", owner="owner")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts; `opposed` if the later contradicts or updates the earlier."""

    kind: str
    a: str
    b: str
    opposed: bool


def pairs_of(path: Path) -> list[Pair]:
    """The pairs of one file, with non-contradictions made up from other pairs of a chat where it has none."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = [
        Pair(kind=row.get("kind", path.stem), a=row["a"], b=row["b"], opposed=row["label"] == "contradiction")
        for row in rows
    ]
    if all(pair.opposed for pair in found):
        found += _mismatched(rows)
    return found


def _mismatched(rows: Sequence[dict[str, Any]]) -> Iterator[Pair]:
    for one in rows:
        others = (
            row
            for row in rows
            if row["chat"] == one["chat"] and not {one["a_id"], one["b_id"]} & {row["a_id"], row["b_id"]}
        )
        for other in itertools.islice(others, _MISMATCHES):
            yield Pair(kind="mismatched", a=one["a"], b=other["b"], opposed=False)


def by_key(a: str, b: str, extractor: Extractor) -> bool:
    """Whether the key rule sees it: one single-valued slot with two values, or `b` taking back what `a` said."""
    store = SlotStore()
    first = _read(a, extractor, day=0, known=store)
    for proposal in first:
        store.apply(proposal, turn=0, at=DAY_ZERO)
    for one, other in itertools.product(first, _read(b, extractor, day=7, known=store)):
        if slot_key(one.subject, one.attribute) != slot_key(other.subject, other.attribute):
            continue
        same = same_value(one.value, other.value)
        if same if other.retracts else not (same or is_multi_valued(one.attribute)):
            return True
    return False


def _read(text: str, extractor: Extractor, *, day: int, known: SlotStore) -> list[Proposal]:
    at = DAY_ZERO + timedelta(days=day)
    provenance = Provenance(
        source_kind=SourceKind.USER_TURN, source_ref="eval", actor="owner", observed_at=at, digest=sha256_text(text)
    )
    episode = Episode(
        episode_id=f"e{day}", scope=_SCOPE, conversation_id="c", provenance=provenance, text=text, received_at=at
    )
    context = ExtractionContext(now=at, known=known.known(at))
    return [one for one in extractor.extract(episode, context).proposals if one.kind is not MemoryKind.EVENT]


def by_template(a: str, b: str) -> bool:
    """Whether a sentence of `b` is one of `a` with other numbers, dates or times."""
    first, second = ([part for part in _SENTENCE.split(text) if part and len(part) <= _LONGEST] for text in (a, b))
    return any(same_template(one, other) for one, other in itertools.product(first, second))


def report(name: str, pairs: Sequence[Pair], extractor: Extractor | None) -> Iterator[str]:
    """One line a kind of pair: how many each rule calls contradictions; without an extractor the template rule only."""
    for kind, opposed in sorted({(pair.kind, pair.opposed) for pair in pairs}, key=lambda one: (not one[1], one[0])):
        chosen = [pair for pair in pairs if (pair.kind, pair.opposed) == (kind, opposed)]
        template = [by_template(pair.a, pair.b) for pair in chosen]
        seen = {"template rule": template}
        if extractor is not None:
            key = [by_key(pair.a, pair.b, extractor) for pair in chosen]
            seen |= {"key rule": key, "either": list(map(any, zip(key, template, strict=True)))}
        what = "contradictions seen" if opposed else "false alarms"
        yield f"{name} {kind}: {what}: " + ", ".join(f"{rule} {_share(sum(n), len(n))}" for rule, n in seen.items())


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({part / whole:.1%})"


def cosines(name: str, pairs: Sequence[Pair], embedder: CachedEmbedder) -> Iterator[str]:
    """The share of non-contradictions at and above each threshold of `core.corroboration`."""
    chosen = [pair for pair in pairs if not pair.opposed]
    texts = list(dict.fromkeys(text for pair in chosen for text in (pair.a, pair.b)))
    vectors = dict(zip(texts, embedder.embed(texts), strict=True))
    found = [sum(x * y for x, y in zip(vectors[pair.a], vectors[pair.b], strict=True)) for pair in chosen]
    for threshold in (RELATED, SAYS_THE_SAME):
        above = sum(one >= threshold for one in found)
        yield f"{name}: cosine of {threshold} and more between other than contradicting: {_share(above, len(found))}"


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, action="append", required=True, help="a file of pairs; may be repeated")
    parser.add_argument("--cosines", action="store_true", help="also the cosines of the pairs that do not contradict")
    parser.add_argument("--template-only", action="store_true", help="leave out the key rule, which reads every text")
    arguments = parser.parse_args()
    embedder = CachedEmbedder(PackagedEmbedder())
    extractor = None if arguments.template_only else RulesExtractor(embedder)
    for path in arguments.data:
        pairs = pairs_of(path)
        for line in report(path.stem, pairs, extractor):
            print(line, flush=True)
        if arguments.cosines:
            for line in cosines(path.stem, pairs, embedder):
                print(line, flush=True)


if __name__ == "__main__":
    main()
