"""`make eval` with made-up commands: what is run, what is left out, and what fails it."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from eval import figures, proof
from eval.registry import Measure, measure
from eval.results import FOLDER

WRITES = """
import json, sys
out = sys.argv[sys.argv.index("--out") + 1]
row = {"claim": "right", "figure": 1.0, "aim": "all", "met": %s, "known": %r}
json.dump({"name": "made", "command": "c", "date": "d", "machine": "m", "rows": [row]}, open(out, "w"))
sys.exit(%d)
"""


def entry(**other: Any) -> Measure:
    given: dict[str, Any] = {
        "name": "made", "title": "made up", "run": ("made_up",), "command": "make made", "roots": (), "minutes": 0.2,
    }  # fmt: skip
    return Measure(**(given | other))


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes a program that the runner finds as a module."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def written(text: str) -> None:
        (tmp_path / "made_up.py").write_text(text, encoding="utf-8")

    return written


def ran(tmp_path: Path, *entries: Measure, **given: Any) -> proof.Run:
    said: list[str] = []
    files = given.pop("files", {})
    asked = {"full": False, "named": False} | given
    return proof.run(entries, files, keep=tmp_path / "kept", say=said.append, **asked)


def test_what_was_measured_is_kept(tmp_path: Path, program: Any) -> None:
    program(WRITES % ("True", "", 0))
    made = ran(tmp_path, entry())
    assert list(made.results) == ["made"]
    assert not made.failed
    assert json.loads((tmp_path / "kept" / "made.json").read_text())["name"] == "made"
    assert "1 met, 0 MISSED as known, 0 MISSED anew" in proof.told(made)


def test_a_missed_aim_is_no_failed_command(tmp_path: Path, program: Any) -> None:
    program(WRITES % ("False", "", 1))
    made = ran(tmp_path, entry())
    assert not made.failed
    assert "0 met, 0 MISSED as known, 1 MISSED anew" in proof.told(made)


def test_a_known_miss_is_still_printed_as_missed(tmp_path: Path, program: Any) -> None:
    program(WRITES % ("False", "one core", 1))
    shown = proof.told(ran(tmp_path, entry()))
    assert "MISSED (known: one core)" in shown
    assert "1 MISSED as known, 0 MISSED anew" in shown


def test_a_command_that_fails_though_no_aim_is_missed_fails(tmp_path: Path, program: Any) -> None:
    program(WRITES % ("True", "", 1))
    assert "though no aim is missed" in ran(tmp_path, entry()).failed["made"]


def test_a_command_without_figures_fails_with_its_last_words(tmp_path: Path, program: Any) -> None:
    program("raise SystemExit('no store')")
    made = ran(tmp_path, entry())
    assert "no store" in made.failed["made"]
    assert not (tmp_path / "kept").exists()
    assert "FAILED: made" in proof.told(made)


@pytest.mark.parametrize(
    ("other", "given", "why"),
    [
        ({"run": ()}, {}, "cannot be repeated"),
        ({"data": ("cases.jsonl",)}, {}, "no cases.jsonl under DATA"),
        ({"minutes": 60.0}, {}, "make eval-full"),
        ({"needs": "no_such_module"}, {}, "is not installed"),
        ({"needs": "no_such_module", "minutes": 60.0}, {"full": True}, "is not installed"),
    ],
)
def test_what_cannot_be_run_is_left_out_and_named(
    tmp_path: Path, other: dict[str, Any], given: dict[str, Any], why: str
) -> None:
    made = ran(tmp_path, entry(**other), **given)
    assert why in made.left["made"]
    assert not made.failed
    assert why in proof.told(made)


def test_a_slow_one_is_run_when_it_is_named(tmp_path: Path, program: Any) -> None:
    program(WRITES % ("True", "", 0))
    slow = dataclasses.replace(entry(), minutes=60.0)
    assert ran(tmp_path, slow, named=True).results
    assert ran(tmp_path, slow, full=True).results


def test_data_is_found_by_name_under_the_folder(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "cases.jsonl").write_text("", encoding="utf-8")
    assert proof.where(tmp_path, ["cases.jsonl", "gone.jsonl"]) == {"cases.jsonl": tmp_path / "deep" / "cases.jsonl"}
    assert proof.where(None, ["cases.jsonl"]) == {}


def test_the_data_goes_into_the_command(tmp_path: Path, program: Any) -> None:
    program("import pathlib, sys\npathlib.Path(sys.argv[1]).read_text()\n" + WRITES % ("True", "", 0))
    (tmp_path / "cases.jsonl").write_text("", encoding="utf-8")
    one = entry(run=("made_up", "{cases.jsonl}"), data=("cases.jsonl",))
    assert ran(tmp_path, one, files=proof.where(tmp_path, one.data)).results


@pytest.mark.parametrize(("met", "known", "code"), [("True", "", 0), ("False", "one core", 0), ("False", "", 1)])
def test_only_a_miss_that_nobody_knew_fails_the_run(
    tmp_path: Path, program: Any, monkeypatch: pytest.MonkeyPatch, met: str, known: str, code: int
) -> None:
    program(WRITES % (met, known, int(met == "False")))
    monkeypatch.setattr(proof, "MEASURES", (entry(),))
    monkeypatch.setattr(proof, "FOLDER", tmp_path / "kept")
    monkeypatch.setattr(figures, "publish", lambda: None)
    assert proof.main([]) == code
    assert tmp_path / "kept" != FOLDER


def test_the_registry_names_programs_that_take_out() -> None:
    for name in ("harness", "ladder", "reviewer-load", "review-sitting", "integrity", "bench", "bench-api", "peers"):
        module = measure(name).run[0]
        path = Path(*module.split(".")).with_suffix(".py")
        assert '"--out"' in (Path(__file__).parents[2] / path).read_text(encoding="utf-8"), name
