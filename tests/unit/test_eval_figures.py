"""Results, the pages made of them, and the check that tells whether they still hold."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from eval import figures, pictures, results, tables
from eval.digests import code_of, digest
from eval.registry import MEASURES, known, measure
from eval.results import Kept, Result, Row, measured, read, read_all, share, told, write

README = f"# Project\n\nbefore\n\n{tables.BEGIN}\nold\n{tables.END}\n\nafter\n"
TEMPLATE = "| right | {deeds > right > of} {deeds > right > ci} | `make eval` |\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "eval").mkdir()
    (tmp_path / "eval" / "deeds.py").write_text("print(1)\n", encoding="utf-8")
    return tmp_path


def result(project: Path | None = None, **other: Any) -> Result:
    code = code_of(["eval.deeds"], root=project) if project else {"eval/deeds.py": "0" * 16}
    given: dict[str, Any] = {
        "name": "deeds",
        "command": "python -m eval.deeds",
        "date": "2026-11-30",
        "machine": "m",
        "rows": (share("right", 3, 4, aim="all", met=False),),
        "roots": ("eval.deeds",),
        "code": code,
        "digest": digest(code),
    }
    return Result(**(given | other))


def pages(one: Result) -> dict[str, str]:
    return figures.pages({one.name: one}, template=TEMPLATE, readme=README)


def test_a_result_is_read_as_it_was_written(tmp_path: Path) -> None:
    one = result(
        rows=(share("right", 3, 4, aim="all", met=False), Row(claim="ms", figure=0.0, high=2.5, n=0, unit="ms")),
        seed="7",
        load=0.0,
        versions={"torch": "2.9"},
        kept=(Kept(date="2026-12-01", because="a rename", changed=("eval/deeds.py",)),),
    )
    write(one, tmp_path / "deeds.json")
    assert read(tmp_path / "deeds.json") == one
    assert read_all(tmp_path) == {"deeds": one}


def test_what_is_measured_knows_its_code_its_machine_and_its_known_misses() -> None:
    claim = "recall at 10,000 memories: sql"
    one = measured("bench", "python -m eval.bench ", [Row(claim=claim, figure=9, aim="below 6 ms", met=False)], seed=7)
    assert one.command == "python -m eval.bench"
    assert one.digest == digest(one.code)
    assert "core/store/queries.sql" in one.code
    assert "core/policies/default.toml" in one.code
    assert one.rows[0].known
    assert one.versions["postgres"]
    assert "cores" in one.machine


def test_an_aim_that_is_met_is_not_marked() -> None:
    claim = "recall at 10,000 memories: sql"
    assert not measured("bench", "", [Row(claim=claim, figure=5, aim="below 6 ms", met=True)]).rows[0].known
    assert known("bench", "recall at 1,000 memories: sql") == ""
    assert known("bench-console", "a key until the answer is painted: E  edit")
    assert known("no-such", "claim") == ""


def test_a_miss_that_the_registry_came_to_know_is_known(tmp_path: Path) -> None:
    row = Row(claim="recall at 10,000 memories: sql", figure=9, aim="below 6 ms", met=False)
    write(result(name="bench", rows=(row,)), tmp_path / "bench.json")
    assert read(tmp_path / "bench.json").rows[0].known == ""
    assert read_all(tmp_path)["bench"].rows[0].known


def test_a_measurement_that_nobody_knows_says_what_to_do() -> None:
    with pytest.raises(LookupError, match=r"eval/registry\.py"):
        measured("no-such", "", [])


def test_a_command_is_told_without_folders_and_without_where_it_wrote() -> None:
    given = ["--corpus", "/home/somebody/corpus.jsonl", "--every", "3", "--out", "/tmp/x.json"]  # noqa: S108
    assert told("eval.guards", given) == "python -m eval.guards --corpus corpus.jsonl --every 3"
    assert told("eval.bench", ["--out=x.json"]) == "python -m eval.bench"


def test_the_table_says_plainly_what_is_missed() -> None:
    rows = (
        share("right", 3, 4, aim="all", met=False),
        Row(
            claim="slow", figure=12.25, low=11, high=13, n=5, unit="ms", aim="below 10 ms", met=False, known="one core"
        ),
        Row(claim="fast", figure=1.5, high=2.0, n=9, unit="ms", aim="below 10 ms", met=True),
        Row(claim="many", figure=12_345),
    )
    lines = tables.table({"deeds": result(rows=rows)}).splitlines()
    assert lines[0].split()[:3] == ["claim", "figure", "interval"]
    assert "3 of 4 (75.0 %)" in lines[1]
    assert "[19.4, 99.4] %" in lines[1]
    assert lines[1].endswith("all: MISSED")
    assert "[11, 13]" in lines[2]
    assert lines[2].endswith("below 10 ms: MISSED (known: one core)")
    assert "p95 2" in lines[3]
    assert lines[3].endswith("below 10 ms: met")
    assert "12,345" in lines[4]
    assert all("python -m eval.deeds" in line for line in lines[1:])
    assert tables.unknown_misses({"deeds": result(rows=rows)}) == ["deeds: right: 3 of 4 (75.0 %), aim all"]


def test_the_page_names_machine_seed_versions_and_every_row(project: Path) -> None:
    kept = (Kept(date="2026-12-01", because="only a rename", changed=("eval/deeds.py",)),)
    page = tables.page({"deeds": result(project, seed="7", versions={"torch": "2.9"}, load=0.3, kept=kept)})
    for wanted in (
        "seed 7",
        "torch 2.9",
        "load 0.3",
        "2026-11-30",
        "`python -m eval.deeds`",
        "| right | 3 of 4",
        "only a",
    ):
        assert wanted in page
    assert "**MISSED**" in page
    assert "Kept on 2026-12-01 although the code changed** (`eval/deeds.py`)" in page


def test_pages_written_twice_are_the_same() -> None:
    first = pages(result())
    again = figures.pages({"deeds": result()}, template=TEMPLATE, readme=first["README.md"])
    assert again == first
    assert "3 of 4 [19.4, 99.4]" in first["README.md"]
    assert first["README.md"].startswith("# Project\n\nbefore\n")
    assert first["README.md"].endswith("\n\nafter\n")
    assert "old" not in first["README.md"]


def test_pages_of_the_results_pass_and_a_changed_figure_does_not() -> None:
    one = result()
    good = pages(one)
    at = {"template": TEMPLATE, "readme": good["README.md"], "page": good["eval/RESULTS.md"]}
    assert figures.against_pages({"deeds": one}, **at) == []
    forged = at | {"readme": good["README.md"].replace("3 of 4", "4 of 4")}
    [wrong] = figures.against_pages({"deeds": one}, **forged)
    assert "README.md differs" in wrong
    assert "4 of 4" in wrong
    assert "--write" in wrong
    other = result(rows=(share("right", 2, 4, aim="all", met=False),))
    assert len(figures.against_pages({"deeds": other}, **at)) == 2


@pytest.mark.parametrize(
    "template",
    [
        "{gone > right > of}",
        "{deeds > wrong > of}",
        "{deeds > right > loud}",
        "{deeds > right}",
        "{Deeds > right > of}",
    ],
)
def test_a_template_that_does_not_fit_is_said(template: str) -> None:
    page = pages(result())["eval/RESULTS.md"]
    [wrong] = figures.against_pages({"deeds": result()}, template=template, readme=README, page=page)
    assert wrong


def test_a_readme_without_its_place_is_said() -> None:
    [wrong] = figures.against_pages({"deeds": result()}, template=TEMPLATE, readme="# Project\n", page="")
    assert "no place" in wrong


def test_figures_of_the_code_as_it_is_pass(project: Path) -> None:
    found = figures.against_code({"deeds": result(project)}, root=project)
    assert found.wrong == []


def test_figures_older_than_the_code_name_the_file_and_the_command(project: Path) -> None:
    one = result(project)
    (project / "eval" / "deeds.py").write_text("print(2)\n", encoding="utf-8")
    [wrong] = figures.against_code({"deeds": one}, root=project).wrong
    assert "eval/deeds.py" in wrong
    assert "python -m eval.deeds" in wrong


def test_a_comment_makes_no_figure_old(project: Path) -> None:
    one = result(project)
    (project / "eval" / "deeds.py").write_text('"""Deeds."""\n\nprint(1)  # one\n', encoding="utf-8")
    assert figures.against_code({"deeds": one}, root=project).wrong == []


def test_a_digest_that_was_written_by_hand_is_found(project: Path) -> None:
    one = dataclasses.replace(result(project), digest="0" * 64)
    assert "not that of the files" in figures.against_code({"deeds": one}, root=project).wrong[0]
    bare = dataclasses.replace(result(project), code={}, digest="")
    assert figures.against_code({"deeds": bare}, root=project).wrong


def test_what_was_taken_over_is_named_and_does_not_fail(project: Path) -> None:
    old = result(code={}, digest="", taken_over="measured 2026-11-29, before digests were kept")
    found = figures.against_code({"deeds": old}, root=project)
    assert found.wrong == []
    assert any("before digests were kept" in note for note in found.notes)
    assert "Taken over from before digests" in pages(old)["README.md"]
    assert "**Taken over:**" in pages(old)["eval/RESULTS.md"]


def test_a_measurement_without_a_result_is_named(project: Path) -> None:
    notes = figures.against_code({}, root=project).notes
    assert len(notes) == len(MEASURES)
    assert any(note.startswith("harness: never measured here") for note in notes)


def test_keeping_old_figures_is_on_record(project: Path) -> None:
    one = result(project)
    (project / "eval" / "deeds.py").write_text("say = print\nsay(1)\n", encoding="utf-8")
    kept = figures.accepted(one, "the same under another name", root=project)
    assert figures.against_code({"deeds": kept}, root=project).wrong == []
    assert kept.rows == one.rows
    assert kept.date == one.date
    [note] = kept.kept
    assert note.changed == ("eval/deeds.py",)
    assert "the same under another name" in tables.page({"deeds": kept})
    assert "Kept although the code changed since" in pages(kept)["README.md"]
    (project / "eval" / "deeds.py").write_text("print(1, 2)\n", encoding="utf-8")
    twice = figures.accepted(kept, "again", root=project)
    assert [one.because for one in twice.kept] == ["the same under another name", "again"]


def test_nothing_is_kept_without_a_reason_or_without_need(project: Path) -> None:
    one = result(project)
    with pytest.raises(ValueError, match="nothing to accept"):
        figures.accepted(one, "because", root=project)
    (project / "eval" / "deeds.py").write_text("print(2)\n", encoding="utf-8")
    with pytest.raises(ValueError, match="--because"):
        figures.accepted(one, "  ", root=project)
    with pytest.raises(ValueError, match="taken over"):
        figures.accepted(dataclasses.replace(one, taken_over="before"), "because", root=project)


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("of", "3 of 4"),
        ("ofci", "3 of 4 [19.4, 99.4]"),
        ("count", "3"),
        ("n", "4"),
        ("ci2", "[.19, .99]"),
        ("pct", "75 %"),
        ("2", ".75"),
        ("aim", "aim all missed"),
    ],
)
def test_the_forms_of_a_share(form: str, wanted: str) -> None:
    assert tables.form_of([share("right", 3, 4, aim="all", met=False)], form) == wanted


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("range s1", "1.2 to 2.9"),
        ("high range s2", "2.00 to 3.50"),
        ("met", "1 of 2"),
        ("s1", "1.2"),
        ("whole", "1,234"),
    ],
)
def test_the_forms_of_times(form: str, wanted: str) -> None:
    rows = [
        Row(claim="a", figure=1234.0, high=2000.0, aim="fast", met=True),
        Row(claim="b", figure=2900.0, high=3500.0, aim="fast", met=False),
    ]
    assert tables.form_of(rows, form) == wanted


def test_a_star_takes_those_with_an_aim() -> None:
    rows = (
        Row(claim="page: a", figure=1000.0, aim="fast", met=True),
        Row(claim="page: b", figure=2000.0, aim="fast", met=False),
        Row(claim="page: empty", figure=100.0),
    )
    filled = tables.filled("{deeds > page* > range s1} met by {deeds > page* > met}", {"deeds": result(rows=rows)})
    assert filled.strip() == "1.0 to 2.0 met by 1 of 2"


def test_a_picture_is_old_when_its_figures_change(tmp_path: Path) -> None:
    def peers(stale: int) -> dict[str, Result]:
        rows = tuple(
            share(f"{name}: {what}, changing facts", count, 100)
            for name in ("product", "mem0")
            for what, count in (("stale@5", stale), ("current@5", 90))
        )
        return {"peers": result(name="peers", rows=rows)}

    figure = pictures.stale_values(peers(10))
    assert figure is not None
    noted = f"<svg/><!-- of the figures: {pictures.digest_of(figure)} -->"
    (tmp_path / "stale-values.svg").write_text(noted, encoding="utf-8")
    assert pictures.stale(peers(10), tmp_path) == []
    assert pictures.draw(peers(10), tmp_path) == []
    [wrong] = pictures.stale(peers(20), tmp_path)
    assert "stale-values.svg" in wrong
    assert pictures.stale({}, tmp_path) == []


def test_the_projects_own_pages_are_of_its_results() -> None:
    texts = {"template": figures.TEMPLATE.read_text("utf-8"), "readme": figures.README.read_text("utf-8")}
    found = read_all()
    assert figures.against_pages(found, page=figures.PAGE.read_text("utf-8"), **texts) == []
    assert pictures.stale(found) == []
    assert set(found) <= {one.name for one in MEASURES}


def test_every_measurement_can_be_asked_for_by_name() -> None:
    assert measure("harness").quick
    assert not measure("laundering").quick
    assert measure("everyday").again == "make eval ONLY=everyday DATA=folder"
    with pytest.raises(LookupError, match="no measurement"):
        measure("no-such")
    assert len({one.name for one in MEASURES}) == len(MEASURES)
    assert results.FOLDER.is_dir()


@pytest.mark.browser
@pytest.mark.skipif(pictures.chromium() is None, reason="Chromium is not installed (package: chromium)")
def test_a_picture_is_drawn_once_and_says_of_what(tmp_path: Path) -> None:
    rows = tuple(
        Row(claim=f"recall at 1,000 memories: {part}", figure=value, n=200)
        for part, value in (("embedding", 12.0), ("store", 9.0), ("ranking", 1.0))
    )
    found = {"bench": result(name="bench", rows=rows)}
    assert pictures.draw(found, tmp_path) == ["recall-latency.svg"]
    drawn = (tmp_path / "recall-latency.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert "1,000 memories" in drawn
    assert "embedding the question" in drawn
    assert pictures.stale(found, tmp_path) == []
    assert pictures.draw(found, tmp_path) == []
