"""What judging one candidate costs beside its embedding: origin, impact, detectors, neighbours, contradiction, gate."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.assess import Around, Assessor
from core.enact import Enactor
from core.gate import decide
from core.ledger import SqliteLedger
from core.llm.judge import NoJudge
from core.model import (
    Candidate,
    Episode,
    MemoryKind,
    Proposal,
    Provenance,
    Scope,
    SourceKind,
    Span,
    sha256_text,
)
from core.policy import Policy
from core.ports import Embedder
from core.store import EmbeddedPostgres, PostgresStore
from eval import bench_corpus, bench_recall
from eval.bench_recall import AT, scope_of
from eval.bench_report import Times
from eval.installation import SetClock

TALK = 40  # texts of the conversation that an agent's or a tool's candidate may come from
CHANNELS = (SourceKind.USER_TURN, SourceKind.AGENT_TURN, SourceKind.TOOL_OUTPUT, SourceKind.WEB_CONTENT)


@dataclass(frozen=True, kw_only=True, slots=True)
class AssessResult:
    """Milliseconds a candidate, by channel."""

    size: int
    by_channel: dict[SourceKind, Times]


def measure(embedder: Embedder, policy: Policy, size: int, candidates: int) -> AssessResult:
    """Judge `candidates` candidates of each channel against an owner of `size` memories."""
    texts = bench_corpus.sentences(min(size, bench_corpus.SENTENCES))
    vectors = bench_corpus.spread(bench_corpus.embedded(embedder, texts), size)
    with tempfile.TemporaryDirectory(prefix="chronomemory-bench-", ignore_cleanup_errors=True) as folder:
        server = EmbeddedPostgres(Path(folder) / "pg")
        ledger = SqliteLedger.open(Path(folder) / "ledger.sqlite3")
        try:
            conninfo = server.start()
            store = PostgresStore.open(conninfo, dimensions=embedder.dimensions, embedding_identity=embedder.identity)
            bench_recall.load(conninfo, [size], texts, vectors)
            assessor = Assessor(ledger=ledger, store=store, embedder=embedder, judge=NoJudge(), policy=policy)
            talk = _talk(Enactor(ledger=ledger, writer=store, embedder=embedder, clock=SetClock(AT)), size, texts)
            said = bench_corpus.questions(candidates)
            times = {
                channel: _judge(
                    assessor, embedder, policy, [_candidate(talk[-1], channel, one) for one in said], talk[-1]
                )
                for channel in CHANNELS
            }
            store.close()
        finally:
            ledger.close()
            server.stop()
    return AssessResult(size=size, by_channel=times)


def _judge(
    assessor: Assessor, embedder: Embedder, policy: Policy, candidates: Sequence[Candidate], episode: Episode
) -> Times:
    vectors = embedder.embed([one.text for one in candidates])
    spent = []
    for candidate, vector in zip(candidates, vectors, strict=True):
        text = replace(episode, text=candidate.text, provenance=candidate.provenance)
        began = time.perf_counter()
        judged, evidence = assessor.assess(candidate, Around(episode=text, vector=vector))
        decide(judged, evidence, policy, at=AT, by="policy", decision_id="d")
        spent.append((time.perf_counter() - began) * 1000)
    return Times.of(spent[len(spent) // 10 :])  # the first tenth warms the caches


def _talk(enactor: Enactor, size: int, texts: Sequence[str]) -> list[Episode]:
    """A conversation of the owner with an agent, a page in it, so that there is something to trace."""
    made = []
    for number in range(TALK):
        kind = SourceKind.WEB_CONTENT if number == 0 else (SourceKind.USER_TURN, SourceKind.AGENT_TURN)[number % 2]
        made.append(enactor.receive(_episode(size, number, texts[number], kind), idempotency_key=None, inbox=False))
    return made


def _episode(size: int, number: int, text: str, kind: SourceKind) -> Episode:
    return Episode(
        episode_id=f"talk{number}",
        scope=Scope(tenant="bench", owner=scope_of(size).owner),
        conversation_id="talk",
        provenance=Provenance(
            source_kind=kind, source_ref="bench", actor="bench", observed_at=AT, digest=sha256_text(text)
        ),
        text=text,
        received_at=AT,
    )


def _candidate(last: Episode, kind: SourceKind, text: str) -> Candidate:
    words = text.rstrip("?") + " on 12 March in Porto."
    return Candidate(
        candidate_id=sha256_text(kind.value + text)[:32],
        episode_id=last.episode_id,
        scope=last.scope,
        proposal=Proposal(
            subject="user",
            attribute="statement",
            value=words,
            statement=words,
            kind=MemoryKind.FACT,
            importance=0.6,
            span=Span(start=0, end=len(words)),
        ),
        provenance=Provenance(
            source_kind=kind,
            source_ref="bench",
            actor="bench",
            observed_at=AT,
            digest=sha256_text(words),
            tool="calculator",
        ),
        serial_no=last.serial_no,
    )


__all__ = ["AssessResult", "measure"]
