"""Made-up data and real data never meet in one folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.bootstrap import build_layer, reembed_store, restore_ledger
from core.demo_folder import MARKER, check_folder, is_demo
from core.errors import Misconfigured
from core.settings import Settings


def settings(folder, **given) -> Settings:
    return Settings(_env_file=None, chronomemory_data=folder, **given)


def test_a_demonstration_marks_its_empty_folder_and_may_come_back(tmp_path):
    folder = tmp_path / "new"
    check_folder(folder, demo=True)
    assert is_demo(folder)
    check_folder(folder, demo=True)
    assert sorted(one.name for one in folder.iterdir()) == [MARKER]


def test_a_demonstration_refuses_a_folder_that_holds_anything(tmp_path):
    (tmp_path / "ledger.sqlite3").write_bytes(b"real")
    with pytest.raises(Misconfigured, match="not empty and holds no demonstration"):
        build_layer(settings(tmp_path, chronomemory_demo=True))
    assert [one.name for one in tmp_path.iterdir()] == ["ledger.sqlite3"]
    file = tmp_path / "ledger.sqlite3"
    with pytest.raises(Misconfigured):
        check_folder(file, demo=True)


def test_a_demonstration_takes_no_database(tmp_path):
    folder = tmp_path / "new"
    with pytest.raises(Misconfigured, match="takes no database"):
        build_layer(settings(folder, chronomemory_demo=True, database_url="postgresql://db.example/real"))
    assert not folder.exists()


@pytest.mark.parametrize("start", [build_layer, reembed_store, lambda given: restore_ledger(given, Path("snapshot"))])
def test_an_ordinary_start_refuses_a_demonstrations_folder(tmp_path, start):
    check_folder(tmp_path / "demo", demo=True)
    given = settings(tmp_path / "demo")
    with pytest.raises(Misconfigured, match="holds demonstration data"):
        start(given)
    assert [one.name for one in (tmp_path / "demo").iterdir()] == [MARKER]


def test_an_ordinary_start_is_not_marked(tmp_path):
    build_layer(settings(tmp_path / "data")).ledger.head()
    assert not is_demo(tmp_path / "data")
