"""Markdown vaults: what is a note, how it reads, what cannot be taken and why."""

import os
import stat
import zipfile
from datetime import UTC, datetime

import pytest

from core.connectors import markdown
from core.errors import BadInput, TooLarge, UnsupportedFile
from core.imports.looking import called
from core.ports import ImportLimits
from tests.connector_kit import entries, items, opened, sorted_out, write, zipped


@pytest.fixture
def vault(tmp_path):
    return tmp_path / "Garden"


def test_a_note_is_an_item_with_its_front_matter_and_readable_links(vault):
    write(
        vault / "Ideas" / "plan.md",
        "---\ntitle: The plan\nupdated: 2025-11-02\nauthor: Tove\n---\nAsk [[People/Ben Okafor|Ben]] about [[Soil#Lime]].\n"
        "![[map.png]]\n%% not for others %%\nThe beds are 4 m long. ^beds\n",
    )
    [note] = items(vault)
    assert note.item_id == "Ideas/plan.md"
    assert (note.title, note.actor, note.part_class) == ("The plan", "Tove", "markdown")
    assert note.dated_at == datetime(2025, 11, 2, tzinfo=UTC)
    assert note.texts == ("Ask Ben about Soil, Lime.\n(map.png)\n\nThe beds are 4 m long.",)
    assert note.place == "note Ideas/plan.md"
    assert note.source_ref == "Garden/Ideas/plan.md"


@pytest.mark.parametrize(
    ("name", "text", "title", "day"),
    [
        ("2024-05-31 Walk.md", "We walked to the weir.", "2024-05-31 Walk", datetime(2024, 5, 31, tzinfo=UTC)),
        ("20240531.md", "# The walk\nTo the weir.", "The walk", datetime(2024, 5, 31, tzinfo=UTC)),
        ("2024-13-31.md", "No such month.", "2024-13-31", None),
        ("a.md", "---\ndate: 2024-05-31T09:30:00+02:00\n---\nx", "a", datetime(2024, 5, 31, 7, 30, tzinfo=UTC)),
        ("b.md", "---\ncreated: 31.05.2024\n---\nx", "b", datetime(2024, 5, 31, tzinfo=UTC)),
    ],
)
def test_titles_and_days(vault, name, text, title, day):
    write(vault / name, text)
    [note] = items(vault)
    assert (note.title, note.dated_at) == (title, day)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings(vault, encoding):
    words = "Die Grüße kommen am Freitag, für 3 € in bar – und zurück über Zürich geht es später."
    write(vault / "n.md", words, encoding)
    assert items(vault)[0].text == words


def test_broken_notes_never_stop_the_rest(vault):
    write(vault / "a.md", "---\ntitle: [open\n---\nwords")
    write(vault / "b.md", "---\ndate: soon\n---\nwords")
    write(vault / "c.md", "  \n\n%% only a comment %%")
    write(vault / "d.md", b"\x00\x01\x02\x03" * 200)
    write(vault / "e.md", "This one is fine.")
    write(vault / "picture.png", b"\x89PNG")
    write(vault / ".obsidian" / "settings.md", "not a note")
    good, broken = sorted_out(vault)
    assert [one.item_id for one in good] == ["e.md"]
    assert [one.place for one in broken] == ["note a.md", "note b.md", "note c.md", "note d.md"]
    assert "no YAML at line" in broken[0].reason
    assert "“soon” is no date" in broken[1].reason
    assert "empty" in broken[2].reason
    assert "binary" in broken[3].reason


def test_front_matter_that_is_no_mapping_or_builds_objects_is_no_code(vault):
    write(vault / "a.md", "---\n!!python/object/apply:os.system ['true']\n---\nwords")
    good, broken = sorted_out(vault)
    assert not good
    assert "front matter" in broken[0].reason


def test_a_long_note_comes_in_sections_that_never_cut_a_code_block(vault):
    block = "```\n# not a heading\n" + "x = 1\n" * 1500 + "```\n"
    write(vault / "long.md", f"# One\nThe first part.\n\n## Two\n{block}\n## Three\nThe last part.\n")
    [note] = items(vault)
    assert [text.split("\n")[0] for text in note.texts] == ["# One", "## Two", "## Three"]
    assert len(markdown.SUFFIXES) == 4


def test_links_out_of_the_folder_are_not_followed(tmp_path, vault):
    secret = write(tmp_path / "outside" / "secret.md", "the door code is 4711")
    write(vault / "a.md", "fine")
    (vault / "b.md").symlink_to(secret)
    (vault / "c.md").symlink_to(vault / "nowhere.md")
    (vault / "d.md").symlink_to(vault / "d.md")
    (vault / "inner").symlink_to(secret.parent, target_is_directory=True)
    good, broken = sorted_out(vault)
    assert [one.item_id for one in good] == ["a.md"]
    assert {one.place for one in broken} >= {"note b.md", "note c.md", "note d.md"}
    assert all("4711" not in one.text for one in good)


def test_an_archive_reads_as_its_folder_and_its_paths_lead_nowhere(tmp_path):
    path = zipped(
        tmp_path / "Garden (1).zip",
        {
            "Garden/a.md": "fine",
            "Garden/deep/b.md": "also fine",
            "../../etc/evil.md": "out",
            "/abs.md": "out",
            "C:/win.md": "out",
            "__MACOSX/Garden/._a.md": "fork",
        },
    )
    link = zipfile.ZipInfo("Garden/link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(link, "/etc/passwd")
    source = opened(path)
    assert (source.name, source.namespace, source.format.key) == ("Garden", "Garden", "markdown")
    good, broken = sorted_out(path)
    assert [one.text for one in good] == ["fine", "also fine"]
    assert {one.place for one in broken} == {
        "note ../../etc/evil.md",
        "note /abs.md",
        "note C:/win.md",
        "note Garden/link.md",
    }
    assert not (tmp_path.parent / "etc").exists()


def test_an_archive_of_one_folder_has_the_ids_of_the_folder(tmp_path, vault):
    write(vault / "x" / "a.md", "fine")
    path = zipped(tmp_path / "Garden.zip", {"Garden/x/a.md": "fine"})
    assert [one.item_id for one in items(path)] == [one.item_id for one in items(vault)] == ["x/a.md"]


def test_bombs_are_refused(tmp_path):
    path = zipped(tmp_path / "v.zip", {"a.md": "fine", "bomb.md": b"a" * 30_000_000})
    good, broken = sorted_out(path)
    assert [one.item_id for one in good] == ["a.md"]
    assert "times its size" in broken[0].reason
    with pytest.raises(TooLarge, match="unpacks to"):
        entries(path, limits=ImportLimits(unpacked_bytes=1_000_000))


def test_a_lying_size_does_not_help(tmp_path):
    """The archive's directory may name any size: what is read is counted."""
    path = zipped(tmp_path / "v.zip", {"a.md": os.urandom(4000).hex() * 60})
    good, broken = sorted_out(path, limits=ImportLimits(entry_chars=10_000))
    assert not good
    assert "limit" in broken[0].reason


def test_damage_is_said(tmp_path):
    with pytest.raises(BadInput, match="damaged"):
        entries(write(tmp_path / "v.zip", b"PK\x03\x04 nothing"), "markdown")
    path = zipped(tmp_path / "w.zip", {"a.md": os.urandom(2000).hex(), "b.md": "fine"})
    data = bytearray(path.read_bytes())
    data[60:80] = b"\xff" * 20
    good, broken = sorted_out(write(path, bytes(data)))
    assert [one.item_id for one in good] == ["b.md"]
    assert "damaged" in broken[0].reason


def test_what_holds_no_notes_is_named(tmp_path):
    (tmp_path / "none").mkdir()
    with pytest.raises(UnsupportedFile, match="no notes"):
        opened(tmp_path / "none")
    with pytest.raises(BadInput, match="there is no file"):
        opened(tmp_path / "missing")


@pytest.mark.parametrize(
    ("filename", "name"),
    [
        ("Garden.zip", "Garden"),
        ("Garden (2).zip", "Garden"),
        ("C:\\x\\Garden copy.zip", "Garden"),
        ("x" * 300 + ".md", "x" * 120),
    ],
)
def test_a_second_download_has_the_name_of_the_first(filename, name):
    assert called(filename) == name
