"""Fills a demonstration's folder: builds the layer there, tells the story in it, counts, and closes it again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.bootstrap import build_embedder, build_layer
from core.demo_folder import check_folder
from core.ports import Embedder
from core.settings import Settings
from demo.report import Left, count
from demo.story import STORY, Step, StoryError, read
from demo.teller import Interruptible, StoryClock, Teller

LONG = 60.0 * 24 * 3650  # minutes: the story's sessions outlast its months

# A demonstration is the same for everybody: no model, no database and no policy of the machine it runs on.
ALONE: dict[str, object] = {
    "chronomemory_demo": True,
    "chronomemory_policy": None,
    "database_url": "",
    "ledger_url": "",
    "database_read_urls": "",
    "openai_base_url": "",
    "openai_api_key": "",
    "background_base_url": "",
    "background_api_key": "",
    "embedding_model": "",
    "embedding_base_url": "",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Filled:
    """A filled folder."""

    left: Left
    steps: int
    seconds: float


def fill(
    folder: Path,
    password: str,
    *,
    now: datetime,
    story: Path = STORY,
    embedder: Embedder | None = None,
    progress: Callable[[int, int, Step], None] = lambda _number, _total, _step: None,
) -> Filled:
    """Tell a story in a new folder; the folder is closed when this returns.

    Args:
        folder: new or empty; it is marked as a demonstration's before anything else.
        password: of every account in it.
        now: when the story ends.
        story: the file that holds it.
        embedder: a model that is loaded already; by default the packaged one.
        progress: told of each step before it happens: its number, how many there are, the step.

    Raises:
        Misconfigured: the folder holds something already.
        StoryError: the story did not come out as it says.
    """
    began = time.monotonic()
    told = read(story, now=now)
    check_folder(folder, demo=True)
    settings = Settings(
        _env_file=None,
        chronomemory_data=folder,
        chronomemory_worker=False,
        idle_minutes=LONG,
        absolute_hours=LONG / 60,
        **ALONE,  # type: ignore[arg-type]
    )
    clock = StoryClock(told.begins)
    switched = Interruptible(inner=embedder or build_embedder(settings))
    layer = build_layer(settings, clock=clock, embedder=switched, pause=lambda _seconds: None)
    layer.start()
    try:
        teller = Teller(layer=layer, clock=clock, embedder=switched, password=password)
        teller.tell(told, lambda number, step: progress(number, len(told.steps), step))
        left = count(layer, teller.people)
        teller.leave()
    finally:
        layer.close()
    missing = left.missing(told.expect)
    if missing:
        msg = "the demonstration is not what its story promises: " + "; ".join(missing)
        raise StoryError(msg)
    return Filled(left=left, steps=len(told.steps), seconds=time.monotonic() - began)
