"""The digest of the code that a figure stands on: what changes it, what does not, and which files it is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.aside import ASIDE
from eval.digests import ROOT, changed, code_of, digest, file_digest
from eval.modules import Tree
from eval.registry import MEASURES

FILES = {
    "eval/measuring.py": "from core.room import answer\nprint(answer())\n",
    "core/__init__.py": '"""The core."""\n',
    "core/room/__init__.py": 'from core.room.right import answer\nfrom core.room.other import more\n__all__ = ["answer"]\n',
    "core/room/right.py": '"""Right."""\n\n\ndef answer():\n    """Say it."""\n    return load("asked.sql")\n',
    "core/room/other.py": "more = 1\n",
    "core/room/asked.sql": "-- name: asked\n-- what is asked\nSELECT 1;\n",
    "core/room/unasked.sql": "-- name: unasked\nSELECT 2;\n",
    "core/webhooks.py": "told = 1\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def put(project: Path, name: str, text: str) -> None:
    (project / name).write_text(text, encoding="utf-8")


def code(project: Path, *roots: str) -> dict[str, str]:
    return code_of(roots or ("eval.measuring",), root=project)


def test_a_name_is_followed_to_where_it_is_defined_and_no_further(project: Path) -> None:
    assert sorted(code(project)) == ["core/room/asked.sql", "core/room/right.py", "eval/measuring.py"]


@pytest.mark.parametrize(
    "text",
    [
        'def answer():\n    return load("asked.sql")\n',
        '# why\ndef answer():  # and how\n    """Say it in other words."""\n\n    return load(\n        "asked.sql"\n    )\n',
    ],
)
def test_words_and_layout_change_nothing(project: Path, text: str) -> None:
    before = code(project)
    put(project, "core/room/right.py", text)
    assert code(project) == before


@pytest.mark.parametrize(
    "text",
    [
        'def answer():\n    return load("asked.sql") or 1\n',
        'def answer(x=0):\n    return load("asked.sql")\n',
        'async def answer():\n    return load("asked.sql")\n',
        'def answer():\n    return load(b"asked.sql")\n',
    ],
)
def test_what_the_interpreter_sees_changes_it(project: Path, text: str) -> None:
    before = code(project)
    put(project, "core/room/right.py", text)
    assert changed(before, code(project)) == ["core/room/right.py"]


def test_a_string_that_is_no_docstring_counts(project: Path) -> None:
    put(project, "core/room/right.py", 'def answer():\n    return "one"  # asked.sql\n')
    before = code(project)
    put(project, "core/room/right.py", 'def answer():\n    return "two"  # asked.sql\n')
    assert code(project) != before


def test_sql_counts_without_its_comments(project: Path) -> None:
    before = code(project)
    put(project, "core/room/asked.sql", "-- name: asked\n-- in other words\n\n   SELECT 1;\n")
    assert code(project) == before
    put(project, "core/room/asked.sql", "-- name: asked\nSELECT 3;\n")
    assert changed(before, code(project)) == ["core/room/asked.sql"]


def test_a_policy_counts_by_its_values(tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text("# why\n[gate]\nthreshold = 0.5\n", encoding="utf-8")
    two.write_text("[gate]\nthreshold   = 0.50\n", encoding="utf-8")
    assert file_digest(one) == file_digest(two)
    two.write_text("[gate]\nthreshold = 0.4\n", encoding="utf-8")
    assert file_digest(one) != file_digest(two)


def test_a_new_module_makes_it_another(project: Path) -> None:
    before = code(project)
    put(project, "core/fresh.py", "value = 1\n")
    put(project, "core/room/right.py", FILES["core/room/right.py"] + "\nfrom core.fresh import value\n")
    assert changed(before, code(project)) == ["core/fresh.py", "core/room/right.py"]


def test_imports_inside_a_function_count_and_those_for_types_alone_do_not(project: Path) -> None:
    put(project, "core/typed.py", "class T: ...\n")
    put(project, "core/late.py", "late = 1\n")
    put(
        project,
        "eval/measuring.py",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from core.typed import T\n"
        "def go():\n    from core.late import late\n    return late\n",
    )
    assert sorted(code(project)) == ["core/late.py", "eval/measuring.py"]


def test_a_room_left_aside_counts_where_it_is_named(project: Path) -> None:
    put(project, "eval/measuring.py", "import core.webhooks\n")
    assert "core/webhooks.py" not in code(project)
    assert "core/webhooks.py" in code(project, "eval.measuring", "core.webhooks")


def test_a_package_that_does_something_counts(project: Path) -> None:
    put(project, "core/room/__init__.py", FILES["core/room/__init__.py"] + "print('on import')\n")
    assert "core/room/__init__.py" in code(project)


def test_relative_imports_are_followed(project: Path) -> None:
    put(project, "core/room/right.py", "from .other import more\n\n\ndef answer():\n    return more\n")
    assert "core/room/other.py" in code(project)


def test_a_root_that_is_not_there_is_said(project: Path) -> None:
    with pytest.raises(LookupError, match=r"eval\.missing"):
        code(project, "eval.missing")
    with pytest.raises(LookupError, match=r"core\.nothing"):
        code(project, "core.nothing.*")


def test_nothing_has_no_digest_and_order_does_not_matter() -> None:
    assert digest({}) == ""
    assert digest({"a": "1", "b": "2"}) == digest({"b": "2", "a": "1"})
    assert digest({"a": "1"}) != digest({"a": "2"})


def test_every_room_that_is_left_aside_is_there() -> None:
    tree = Tree(ROOT)
    for room in ASIDE:
        assert tree.expanded(f"{room}.*" if (ROOT / room.replace(".", "/")).is_dir() else room)


def test_every_measurement_stands_on_the_policy_and_on_its_own_program() -> None:
    tree = Tree(ROOT)
    for entry in MEASURES:
        found = code_of(entry.roots, tree=tree)
        for root in entry.roots:
            assert tree.path(tree.expanded(root)[0]).relative_to(ROOT).as_posix() in found
        if entry.name != "import":
            assert "core/policies/default.toml" in found, entry.name
