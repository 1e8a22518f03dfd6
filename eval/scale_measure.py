"""One size of `eval.scale`, measured in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from core.llm.embedder import PackagedEmbedder
from core.store import EmbeddedPostgres
from eval import api_place, scale_recall, scale_write
from eval.processes import family, share
from eval.scale_place import Filled, opened, settings_of
from eval.scale_recall import Asked, Limit
from eval.scale_write import Written

RIGHT = 60  # questions that are compared with the exact answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """What one size gave."""

    filled: Filled
    idle: dict[str, Asked]  # by kind of owner
    right: dict[str, tuple[int, int]]  # of the exact ten nearest: how many came back, of how many
    product: int  # bytes of this process after the questions
    server: int  # bytes of the embedded server's processes, its shared buffers included
    ledger: int  # bytes of the ledger's files after the writes
    written: Written
    load: float = 0.0  # of the machine, its other work included: above the cores, every time is longer for it


def measure(filled: Filled, questions: int, writes: int) -> Measured:
    """Open the installation and measure recall, its memory, and writes."""
    asked: Iterator[str] = iter(api_place.questions(10_000))
    settings = settings_of(filled.folder)
    with opened(filled.folder) as layer:
        scale_recall.ask(layer, filled.shape, asked, 10)
        product, server = share(os.getpid()), _server(filled)
        encoder = PackagedEmbedder()
        encoder.warm()
        server_of_it = EmbeddedPostgres(settings.postgres_path)  # it runs: this is a share of it
        limit = Limit(server_of_it.start(), encoder, layer.agent.recaller.policy.recall.candidates)
        try:
            idle = scale_recall.ask(layer, filled.shape, asked, questions, limit=limit)
        finally:
            limit.close()
            server_of_it.stop()
        right = scale_recall.right(layer, filled, [next(asked) for _ in range(RIGHT)], encoder)
        server = max(server, _server(filled))
        written = scale_write.measure(
            layer, filled.shape, filled.folder, encoder, asked, writes=writes, asked=max(30, questions // 2)
        )
    ledger = sum(one.stat().st_size for one in filled.folder.glob(f"{settings.ledger_path.name}*"))
    return Measured(
        filled=filled,
        idle=idle,
        right=right,
        product=product,
        server=server,
        ledger=ledger,
        written=written,
        load=os.getloadavg()[0],
    )


def _server(filled: Filled) -> int:
    pid = EmbeddedPostgres(settings_of(filled.folder).postgres_path).pid()
    if pid is None:
        msg = "the embedded server does not run"
        raise RuntimeError(msg)
    return sum(share(one) for one in family(pid))
