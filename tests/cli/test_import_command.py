"""`chronomemory import` against a stand-in for the desk that reads sources."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import make_dataclass
from types import SimpleNamespace

import pytest
import typer
from typer.testing import CliRunner

from core.entrypoints.cli import importing
from core.entrypoints.cli.frame import Guarded
from core.errors import UnsupportedFile
from core.model import Actor, Role, SourceKind

ADA = Actor(user_id="u1", username="ada", tenant="default", role=Role.MEMBER, session_id="s1")


def made(**values):
    """A value of the desk's sort: a dataclass."""
    return make_dataclass("Made", values)(**values)


class StandIn:
    """Counts what it was asked to do."""

    def __init__(self, *, finished: bool = True) -> None:
        self.ran = 0
        self.drained = 0
        self.finished = finished
        self.seen: list[tuple[str | None, str]] = []

    def open(self, path, *, format=None, name=""):  # noqa: A002 - the desk's name
        if path.suffix == ".bin":
            msg = "This file is of no known format: name one with --format."
            raise UnsupportedFile(msg)
        self.seen.append((format, name))
        return path

    def preview(self, actor, source, *, progress=None):
        assert actor is ADA
        progress(100)
        item = made(place="notes.md:1", title="A\x1b[2Jnote", text="I like \u202eaet", state="new", trust=0.4)
        counted = made(source_kind=SourceKind.EXTERNAL_DOC, trust=0.4, held=True, count=3)
        return made(
            source="notes", format=made(name="Markdown notes"), total=4, new=2, changed=1, unchanged=1, broken=1,
            by_class={"notes": counted}, sample=(item,), problems=(made(place="b.md", reason="not text"),),
        )  # fmt: skip

    def run(self, actor, source, *, progress=None):
        self.ran += 1
        progress(made(done=100))
        return made(run_id="r1", new=2, changed=1, unchanged=1, broken=1, refused=0, finished=self.finished)

    def results(self, actor, run_id, *, only=None, limit=100, offset=0):
        row = made(number=1, outcome=only, place="b.md", title="", reason="not text")
        return ([row], 1) if only == "broken" else ([], 0)


@pytest.fixture
def desk(monkeypatch):
    desk = StandIn()
    layer = SimpleNamespace(imports=desk, drain=lambda: setattr(desk, "drained", desk.drained + 1))

    @contextmanager
    def acting(_screen, who, *, embeds=False):
        assert who == "ada"
        yield layer, ADA

    monkeypatch.setattr(importing, "acting", acting)
    return desk


@pytest.fixture
def command():
    app = typer.Typer(cls=Guarded)
    app.command("import")(importing.import_)
    app.callback()(lambda: None)
    return lambda *arguments, **given: CliRunner().invoke(app, ["import", *map(str, arguments)], **given)


@pytest.fixture
def notes(tmp_path):
    file = tmp_path / "notes.md"
    file.write_text("I like tea.", encoding="utf-8")
    return file


def test_by_default_it_only_says_what_it_would_do(desk, command, notes):
    done = command(notes, "--as", "ada", "--name", "diary")
    assert done.exit_code == 0, done.output
    assert desk.ran == 0
    assert desk.seen == [(None, "diary")]
    assert "waits for review" in done.stdout
    assert "Nothing was written" in done.stdout
    assert "\x1b" not in done.stdout
    assert "‹U+202E›" in done.stdout
    assert json.loads(command(notes, "--as", "ada", "--json").stdout)["preview"]


def test_it_takes_in_after_a_yes_and_names_what_was_not_taken(desk, command, notes):
    assert command(notes, "--as", "ada", "--no-dry-run", input="n\n").exit_code == 1
    assert desk.ran == 0
    done = command(notes, "--as", "ada", "--no-dry-run", "--format", "markdown", input="y\n")
    assert done.exit_code == 1  # one item could not be read
    assert desk.ran == desk.drained == 1
    assert "broken: b.md" in done.stdout
    desk.finished = False
    again = command(notes, "--as", "ada", "--no-dry-run", "--yes")
    assert "run the same command again" in again.stdout
    assert again.exit_code == 1


def test_a_file_of_no_format_says_what_to_do(desk, command, tmp_path):
    file = tmp_path / "x.bin"
    file.write_bytes(b"\x00")
    done = command(file, "--as", "ada")
    assert done.exit_code == 1
    assert "--format" in done.stderr


def test_an_exported_memory_is_moved_and_not_read_as_a_source(desk, command, tmp_path, monkeypatch):
    moved = []
    monkeypatch.setattr(importing, "move_in", lambda path, who, **rest: moved.append((path, who, rest)))
    file = tmp_path / "ada.jsonl"
    file.write_text('{"type":"header","format":"chronomemory-owner","version":1}\n', encoding="utf-8")
    assert command(file, "--as", "ada").exit_code == 0
    assert moved == [(file, "ada", {"dry_run": True, "yes": False, "as_json": False})]
    assert desk.seen == []
