"""Installations for `eval.bench_api`: owners with many memories, a key to each, and the interface serving them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

from core.bootstrap import SystemClock, load_secret
from core.llm.embedder import PackagedEmbedder
from core.model import Scope
from core.settings import Settings
from core.store import EmbeddedPostgres
from eval import bench_corpus, bench_recall
from eval.console_process import running
from eval.installation import build

DAYS = 180  # over which the memories were stated
_KEYS = "bench-keys.json"
_QUESTIONS = 250  # of the corpus, varied by what goes before and after
_BEFORE = ("", "Tell me: ", "I forgot: ", "One more time, ", "Before I call them: ", "For the record, ", "Please: ")
_AFTER = ("", " Do you know?", " I need it today.", " Just the short answer.", " It is for the report.", " Thanks.")


@dataclass(frozen=True, kw_only=True, slots=True)
class Owner:
    """One owner's memory and the key of an agent to it."""

    scope: Scope
    token: str


def questions(count: int) -> list[str]:
    """`count` different questions, the same ones every time.

    Raises:
        ValueError: more than there are.
    """
    asked = bench_corpus.questions(_QUESTIONS)
    found = [f"{before}{question}{after}" for (before, after), question in islice(product(_ways(), asked), count)]
    if len(found) < count:
        msg = f"there are {len(found)} different questions, not {count}"
        raise ValueError(msg)
    return found


def _ways() -> list[tuple[str, str]]:
    return list(product(_BEFORE, _AFTER))


def settings_of(folder: Path) -> Settings:
    """An installation in a folder that nothing works in but the measurement."""
    return Settings(_env_file=None, chronomemory_data=folder, chronomemory_worker=False)


def fill(folder: Path, sizes: Sequence[int]) -> Mapping[int, Owner]:
    """Make one owner a size, or take those that an earlier run left in the folder."""
    kept = folder / _KEYS
    if kept.is_file():
        found = {
            int(size): Owner(scope=Scope(**one["scope"]), token=one["token"])
            for size, one in json.loads(kept.read_text(encoding="utf-8")).items()
        }
        if set(sizes) <= set(found):
            return {size: found[size] for size in sizes}
        msg = f"{folder} holds owners of {sorted(found)} memories, not of {sorted(sizes)}: give another folder"
        raise ValueError(msg)
    settings = settings_of(folder)
    made = build(settings, clock=SystemClock())
    try:
        owners: dict[int, Owner] = {}
        for size in sizes:
            person = made.person(f"owner{size}")
            _key, token = made.layer.keys.create(person, "bench")
            identity = made.layer.keys.resolve(token)
            if identity is None:
                msg = "a key that was just made does not open"
                raise RuntimeError(msg)
            owners[size] = Owner(scope=identity.scope, token=token)
        made.layer.drain()
    finally:
        made.layer.close()
    _load(settings, owners)
    plain = {
        size: {"scope": {"tenant": one.scope.tenant, "owner": one.scope.owner, "agent": one.scope.agent}}
        | {"token": one.token}
        for size, one in owners.items()
    }
    kept.write_text(json.dumps(plain), encoding="utf-8")
    kept.chmod(0o600)
    return owners


def _load(settings: Settings, owners: Mapping[int, Owner]) -> None:
    embedder = PackagedEmbedder()
    embedder.warm()
    most = max(owners)
    texts = bench_corpus.sentences(min(bench_corpus.SENTENCES, most))
    vectors = bench_corpus.spread(bench_corpus.embedded(embedder, texts), most)
    server = EmbeddedPostgres(settings.postgres_path)
    try:
        bench_recall.load_owners(
            server.start(),
            [(one.scope, size) for size, one in owners.items()],
            texts,
            vectors,
            mac_key=load_secret(settings.secret_path),
            newest=SystemClock().now(),
            days=DAYS,
        )
    finally:
        server.stop()


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """`chronomemory serve` on the folder until the block ends; gives its port.

    As it is by default, its worker included, but for the limit of requests: it is counted as ever, and never reached.
    """
    environment = {"API_REQUESTS_PER_MINUTE": "10000000", "API_BURST": "1000000"}
    command = [sys.executable, "-m", "core.entrypoints.cli", "serve", "--address", "127.0.0.1"]
    with running(folder, command, **environment) as base:
        yield int(base.rpartition(":")[2])
