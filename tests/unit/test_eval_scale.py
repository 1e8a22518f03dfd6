"""The measurement by size: who its owners are, its exponents, its prices and its rows."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path

import numpy as np
import pytest

from eval import bench_corpus, processes
from eval.scale_growth import Prices, of_figures, of_samples, slope
from eval.scale_measure import Measured
from eval.scale_place import Filled, Shape
from eval.scale_recall import Asked, _exact, groups
from eval.scale_report import growth, rows_of, slowest
from eval.scale_write import Rate, Written, bare_ledger, turn

PRICES = Prices(
    currency="USD",
    core_hour=0.36,
    memory_gb_month=2.0,
    disk_gb_month=0.5,
    requests_a_month=1_000_000,
    cores_a_request=1.0,
)


@pytest.mark.parametrize("total", [100, 999, 1_000, 10_000, 123_457, 1_000_000])
def test_the_owners_share_all_memories(total: int) -> None:
    shape = Shape.of(total)
    sizes = [size for _, size in shape.owners()]
    assert sum(sizes) == total
    assert min(sizes) >= 1
    assert len(sizes) == shape.light_owners + 2 <= 10_002
    assert len({scope.owner for scope, _ in shape.owners()}) == len(sizes)
    starts = [start for group in groups(shape) for _, start in group.owners]
    assert starts == [sum(sizes[:at]) for at in range(len(sizes))]


def test_vectors_are_the_sentences_first_and_then_their_neighbours() -> None:
    base = np.random.default_rng(3).normal(size=(10, 16)).astype(np.float32)
    base /= np.linalg.norm(base, axis=1, keepdims=True)
    found = np.zeros((35, 16), dtype=np.float32)
    bench_corpus.spread_over(base, found, rows=8)
    assert np.allclose(found[:10], base, atol=1e-6)
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-5)
    assert len({tuple(row) for row in found.round(5).tolist()}) == 35


def test_the_exact_ten_are_those_of_the_owner_alone() -> None:
    draw = np.random.default_rng(5)
    vectors = draw.normal(size=(90, 8)).astype(np.float16)
    asked = draw.normal(size=(3, 8)).astype(np.float32)
    for found, question in zip(_exact(vectors, 20, 50, asked, rows=7), asked, strict=True):
        cosines = vectors[20:70].astype(np.float32) @ question
        assert found == {f"m{one}" for one in np.argsort(-cosines)[:10]}


def test_an_exponent_is_the_slope_of_the_logarithms() -> None:
    assert slope([(10, 5.0), (100, 50.0), (1_000, 500.0)]) == pytest.approx(1.0)
    assert slope([(10, 3.0), (1_000, 30.0)]) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="two sizes"):
        slope([(10, 3.0), (10, 4.0)])
    steps = of_figures({1_000: 1.0, 10_000: 1.0, 100_000: 100.0})
    assert (steps.low, steps.high) == (pytest.approx(0.0), pytest.approx(2.0))
    flat = of_samples({10: [4.0, 5.0, 6.0] * 10, 100: [4.0, 5.0, 6.0] * 10})
    assert flat.slope == pytest.approx(0.0)
    assert flat.low <= 0.0 <= flat.high
    assert flat.low < flat.high


def test_prices_are_read_and_reckoned(tmp_path: Path) -> None:
    assert Prices.read().currency
    assert PRICES.of_thousand(100.0) == pytest.approx(0.01)  # 100 s of a core at 36 cents an hour
    assert PRICES.kept(3 * 10**9, 4 * 10**9) == pytest.approx(0.008)
    (tmp_path / "short.toml").write_text('currency = "USD"\n', encoding="utf-8")
    with pytest.raises(TypeError):
        Prices.read(tmp_path / "short.toml")


def test_every_text_is_another() -> None:
    assert len({turn(number) for number in range(5_000)}) == 5_000


def test_bare_commits_are_counted_and_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.scale_write._BARE_SECONDS", 0.05)
    seen: list[Path] = []
    connect = sqlite3.connect

    def watched(path: Path, **given: object) -> sqlite3.Connection:
        seen.append(path)
        return connect(path, **given)

    monkeypatch.setattr("eval.scale_write.sqlite3.connect", watched)
    rate = bare_ledger(tmp_path)
    assert rate.count > 0
    assert rate.seconds >= 0.05
    assert seen
    assert list(tmp_path.iterdir()) == []


def test_a_process_is_weighed() -> None:
    me = os.getpid()
    assert me in processes.family(me)
    assert 0 < processes.share(me) <= processes.resident(me) * 1.1
    before = processes.threads(me)
    hold = threading.Event()
    one = threading.Thread(target=hold.wait)
    one.start()
    assert processes.threads(me) == before + 1
    hold.set()
    one.join()
    files = processes.open_files(me)
    with Path(__file__).open():
        assert processes.open_files(me) == files + 1
    assert processes.share(2**22 + 1) == processes.threads(2**22 + 1) == processes.open_files(2**22 + 1) == 0


def one_size(total: int, milliseconds: float, *, got: int = 600) -> Measured:
    times = [milliseconds, milliseconds * 1.1, milliseconds * 0.9]

    def asked(limit: float) -> Asked:
        return Asked(
            together=list(times),
            embedding=[1.0] * 3,
            search=[one - 2.0 for one in times],
            limit=[limit] * 3,
        )

    shape = Shape.of(total)
    rate = Rate(count=10, seconds=2.0)
    kinds = {group.name: asked(milliseconds / 2) for group in groups(shape)}
    written = Written(
        encoder_single=rate,
        encoder_batch=Rate(count=100, seconds=2.0),
        bare_ledger=rate,
        submitted=rate,
        submitted_at_once=rate,
        learned={"light": rate, "heavy": rate},
        idle=kinds,
        busy={name: Asked(together=[one * 3 for one in one_of.together]) for name, one_of in kinds.items()},
    )
    filled = Filled(folder=Path("there"), shape=shape, copying=1.0, indexing=total / 1_000, bytes={"rows": total * 100})
    return Measured(
        filled=filled,
        idle=kinds,
        right={"heavy": (got, 600)},
        product=5 * 10**8,
        server=10**8,
        ledger=10**6,
        written=written,
    )


def test_rows_say_what_was_measured_and_miss_the_aim_when_too_little_came_back() -> None:
    rows = {row.claim: row for row in rows_of(one_size(1_000, 10.0), PRICES)}
    assert rows["recall, heavy owner of 400, at 1,000: p50, ms"].figure == 10.0
    assert rows["recall over the limit, median of pairs (quartiles), heavy owner of 400, at 1,000"].figure == 2.0
    assert rows["recall under full write load over idle, light owner of 1, at 1,000"].figure == 3.0
    assert rows["write path: texts learned for the heavy owner a second, at 1,000"].figure == 5.0
    assert rows["USD of processor time for 1,000 recalls, heavy owner of 400, at 1,000"].figure == 0.001
    right = rows["recall@10 against exact, heavy owner of 400, at 1,000"]
    assert right.met
    assert right.low is not None
    assert right.low < 1.0
    short = [row for row in rows_of(one_size(1_000, 10.0, got=590), PRICES) if row.met is False]
    assert [row.figure for row in short] == [0.9833]


def test_growth_over_the_sizes_and_the_slowest_part(capsys: pytest.CaptureFixture[str]) -> None:
    found = [one_size(1_000, 10.0), one_size(10_000, 100.0)]
    rows = {row.claim: row for row in growth(found)}
    assert rows["growth exponent: recall, heavy owner"].figure == pytest.approx(1.0)
    assert rows["growth exponent: recall over the limit, heavy owner"].figure == pytest.approx(0.0)
    assert rows["growth exponent: building the vector index"].figure == pytest.approx(1.0)
    assert rows["growth exponent: learning a text, light owner"].figure == pytest.approx(0.0)
    assert "0: does not grow" in capsys.readouterr().out
    assert "search, p50 98.0 ms" in slowest(found[-1])
