"""Two hosts of one installation, nothing shared but the databases and the secret: what one does holds at the other."""

from __future__ import annotations

import io
import itertools
import json
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from core.bootstrap import build_layer
from core.errors import NotAuthorised, StaleReview, TooManyAttempts
from core.layer import MemoryLayer
from core.model import Role
from core.ports import ImportState
from core.settings import Settings
from tests.acceptance.life import WEB, Life, ruling
from tests.acceptance.test_runs_elsewhere import until
from tests.conftest import PASSWORD, Console, MakeConsole


@pytest.fixture
def here(make_console: MakeConsole, ledger_url: str) -> Console:
    """The first host."""
    return make_console(ledger_url=ledger_url)


@pytest.fixture
def there(here: Console, ledger_url: str, database_url: str, tmp_path: Path, embedder: Any) -> Iterator[MemoryLayer]:
    """The second, at the same time of day."""
    data = tmp_path / "there"
    data.mkdir()
    shutil.copy2(tmp_path / "data" / "secret", data / "secret")
    settings = Settings(
        _env_file=None,
        chronomemory_data=data,
        database_url=database_url,
        ledger_url=SecretStr(ledger_url),
        chronomemory_worker=False,
    )
    layer = build_layer(settings, clock=here.clock, embedder=embedder)
    layer.start()
    until(lambda: layer.health()["store"] == "ok")
    yield layer
    layer.close()


def test_what_is_said_at_one_is_distilled_and_recalled_at_the_other(here, there):
    life = Life(here)
    life.submit("I live in Oslo.")
    there.drain()
    found = there.agent.recall("Where do I live?", here.admin.scope)
    assert [hit.memory.text for hit in found.hits if "Oslo" in hit.memory.text]
    assert there.ledger.unprocessed() == 0


def test_a_session_and_its_end_hold_at_both(here, there):
    rita = here.person("rita", Role.REVIEWER)
    assert there.accounts.refresh(rita.session_id, rita.user_id) is not None
    there.accounts.sign_out(rita)
    with pytest.raises(NotAuthorised):
        here.layer.accounts.authorise(rita)


def test_failed_sign_ins_are_counted_together(here, there):
    hosts = itertools.cycle((here.layer, there))

    def until_refused() -> None:
        for _ in range(40):
            with suppress(NotAuthorised):
                next(hosts).accounts.sign_in("ada", "wrong", "192.0.2.7", "tests")

    with pytest.raises(TooManyAttempts):
        until_refused()
    for layer in (here.layer, there):
        with pytest.raises(TooManyAttempts):
            layer.accounts.sign_in("ada", PASSWORD, "192.0.2.7", "tests")


def test_a_reservation_is_seen_and_a_ruling_is_made_once(here, there):
    life = Life(here)
    item = life.held(life.say("The venue has step-free access.", channel=WEB))
    rita = here.person("rita", Role.REVIEWER)
    here.layer.review.reserve(here.admin, item.candidate.candidate_id)
    look = there.review.reserve(rita, item.candidate.candidate_id)
    assert (look.reserved_by, look.mine) == ("ada", False)
    here.layer.review.resolve(here.admin, ruling(item))
    with pytest.raises(StaleReview):
        there.review.resolve(rita, ruling(item))


def test_a_policy_that_one_adopts_rules_at_the_other(here, there):
    desk = here.layer.governance
    adopted = desk.adopt(here.admin, {"trust.threshold": 0.45}, seen_digest=desk.policy.digest, note="tried for a week")
    assert there.policy.digest != adopted.digest
    assert there.follow()
    assert there.policy.digest == there.intake.policy.digest == adopted.digest


def upload(console: Console, count: int) -> Any:
    lines = "".join(json.dumps({"text": f"The boat number {n} is blue."}) + "\n" for n in range(count))
    imports = console.layer.imports
    kept = imports.keep(console.admin, "Boats.jsonl", io.BytesIO(lines.encode()))
    return imports.begin(console.admin, kept, total=count)


def test_a_file_that_lies_on_one_host_is_taken_in_there(here, there):
    run = upload(here, 5)
    assert not there.imports.run_once()
    assert there.imports.progress(here.admin, run.run_id).state is ImportState.WAITING
    assert here.layer.imports.run_once()
    here.settle()
    assert there.imports.progress(here.admin, run.run_id).state is ImportState.DONE


def test_a_file_that_lies_nowhere_is_said_to_be_gone_after_a_day(here, there, tmp_path):
    run = upload(here, 5)
    shutil.rmtree(tmp_path / "data" / "imports")
    assert not here.layer.imports.run_once()
    here.clock.forward(hours=25)
    assert there.imports.run_once()
    assert there.ledger.import_run(here.admin.scope, run.run_id).state is ImportState.FAILED


def test_a_batch_that_two_workers_take_at_once_is_recorded_once(here, there, tmp_path, monkeypatch):
    monkeypatch.setattr("core.imports.running.BATCH", 3)
    run = upload(here, 6)
    shutil.copytree(tmp_path / "data" / "imports", tmp_path / "there" / "imports")
    taker = here.layer.imports.taker
    take = type(taker).take

    def slowly(self: Any, *given: Any, **rest: Any) -> Any:
        taken = take(self, *given, **rest)
        if self is taker and not there.imports.progress(here.admin, run.run_id).done:
            assert there.imports.run_once()  # the other one is done with the same batch before this one records it
        return taken

    monkeypatch.setattr(type(taker), "take", slowly)
    assert here.layer.imports.run_once()
    assert here.layer.imports.progress(here.admin, run.run_id).done == 3
    here.settle()
    done = here.layer.imports.progress(here.admin, run.run_id)
    assert (done.state, dict(done.counts)) == (ImportState.DONE, {"new": 6})
    results, total = here.layer.imports.results(here.admin, run.run_id)
    assert (total, [one.number for one in results]) == (6, [1, 2, 3, 4, 5, 6])
