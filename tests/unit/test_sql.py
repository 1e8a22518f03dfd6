"""Named queries and numbered migrations: what is read, what is refused."""

import hashlib
from pathlib import Path

import pytest

from core.errors import Misconfigured
from core.sql import Migration, load_migrations, load_queries, parse_queries, pending, read_migrations


def migration(number: int, checksum: str) -> Migration:
    return Migration(number=number, name="step", sql="SELECT 1;", checksum=checksum)


def test_queries_come_by_name_without_comments():
    text = "-- a file\n\n-- name: one\n-- Its purpose.\nSELECT 1\n  FROM a;\n\n-- name: two\nDELETE FROM b\n"
    assert parse_queries(text) == {"one": "SELECT 1\n  FROM a", "two": "DELETE FROM b"}


def test_a_part_stands_once_and_is_no_query():
    text = (
        "-- part: columns\n-- What is read.\n    a,\n    b\n\n-- name: one\nSELECT\n    {{columns}},\n    c\nFROM t;\n"
    )
    assert parse_queries(text) == {"one": "SELECT\n    a,\n    b,\n    c\nFROM t"}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("SELECT 1;\n-- name: one\nSELECT 1;", "SQL before the first"),
        ("-- name: one\nSELECT 1;\n-- name: one\nSELECT 2;", "used twice"),
        ("-- name: One\nSELECT 1;", "malformed"),
        ("-- name: one\n-- only a purpose\n-- name: two\nSELECT 1;", "no statement under one"),
        ("-- name: one\nSELECT\n    {{columns}}\nFROM a;", "no part 'columns' above"),
        ("-- part: columns\n-- name: one\nSELECT 1;", "no statement under columns"),
        ("-- part: one\na\n-- name: one\nSELECT 1;", "used twice"),
    ],
)
def test_malformed_query_files_are_refused(text, complaint):
    with pytest.raises(Misconfigured, match=complaint):
        parse_queries(text)


def test_the_ledger_s_own_files_load():
    queries = load_queries("core.ledger")
    assert queries["head"].startswith("SELECT seq, hash FROM audit")
    assert not any(sql.endswith(";") for sql in queries.values())
    migrations = load_migrations("core.ledger")
    assert [one.number for one in migrations] == list(range(1, len(migrations) + 1))


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.sql").write_text(text)
    return folder


def test_migrations_come_in_order_with_their_checksum(tmp_path):
    write(tmp_path, **{"0002_b": "B;", "0001_a": "A;"})
    (tmp_path / "README.md").write_text("not a migration")
    found = read_migrations(tmp_path, origin="x")
    assert [(one.number, one.name, one.sql) for one in found] == [(1, "a", "A;"), (2, "b", "B;")]
    assert found[0].checksum == hashlib.sha256(b"A;").hexdigest()


def test_line_ends_do_not_change_a_checksum(tmp_path):
    (tmp_path / "0001_a.sql").write_bytes(b"A\r\n;\r\n")
    crlf = read_migrations(tmp_path, origin="x")[0]
    (tmp_path / "0001_a.sql").write_bytes(b"A\n;\n")
    assert read_migrations(tmp_path, origin="x")[0] == crlf


@pytest.mark.parametrize("names", [[], ["0002_b"], ["0001_a", "0003_c"], ["0001_a", "0001_b"], ["1_a"], ["0001-a"]])
def test_holes_twins_and_misnamed_files_are_refused(tmp_path, names):
    write(tmp_path, **dict.fromkeys(names, "A;"))
    with pytest.raises(Misconfigured):
        read_migrations(tmp_path, origin="x")


def test_what_is_pending():
    known = [migration(1, "a"), migration(2, "b")]
    assert pending(known, {}) == known
    assert pending(known, {1: "a"}) == known[1:]
    assert pending(known, {1: "a", 2: "b"}) == []


@pytest.mark.parametrize(
    ("applied", "complaint"),
    [({1: "x"}, "changed after it was applied"), ({1: "a", 2: "b", 3: "c"}, "newer version"), ({2: "b"}, "missing")],
)
def test_a_database_that_does_not_fit_is_refused(applied, complaint):
    with pytest.raises(Misconfigured, match=complaint):
        pending([migration(1, "a"), migration(2, "b")], applied)
