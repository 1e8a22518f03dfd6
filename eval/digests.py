"""What code a figure stands on, and a digest of it that a comment does not change.

A figure's code is every module that its command imports, followed from the command's own modules through this project's
packages, with the SQL, policy and prompt files beside them. `from package import name` follows that name to the module
that defines it, and no other of the package. Left aside (`ASIDE`) are rooms that are built with the layer, since one
bootstrap wires everything, but that no measured path runs; a test runs such a path and looks.

A file's digest is taken over what it says to the interpreter: the syntax tree without docstrings, comments, layout and
line numbers; TOML as its values; SQL without its comments. It is the same on every Python the project supports.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from eval.aside import ASIDE
from eval.modules import Tree, parsed, stamp, text

ROOT = Path(__file__).resolve().parents[1]
_SHOWN = 16  # hexadecimal digits kept of a file's digest
_NAMED = re.compile(r"--\s*(name|part)\s*:")


def code_of(roots: Iterable[str], *, root: Path = ROOT, tree: Tree | None = None) -> dict[str, str]:
    """Path (from the project's folder) and digest of every file that the given modules stand on.

    Args:
        roots: dotted modules, or packages with ".*" for everything below them.
        root: the project's folder.
        tree: its modules, read before: whoever asks for many keeps one.

    Raises:
        LookupError: a root is no module of the project.
    """
    named = list(roots)
    tree = tree or Tree(root)
    todo = [module for one in named for module in tree.expanded(one)]
    wanted = [one.removesuffix(".*") for one in named]
    seen: set[str] = set()
    while todo:
        module = todo.pop()
        if module in seen or (_aside(module) and not any(_within(module, one) for one in wanted)):
            continue
        seen.add(module)
        todo += tree.imports(module)
        todo += [package for package in _parents(module) if tree.does_something(package)]
    files = {tree.path(one) for one in seen}
    folders: dict[Path, list[Path]] = {}
    for one in files:
        folders.setdefault(one.parent, []).append(one)
    beside = {found for folder, modules in folders.items() for found in tree.beside(folder) if _used(found, modules)}
    return {one.relative_to(root).as_posix(): file_digest(one)[:_SHOWN] for one in sorted(files | beside)}


def digest(code: Mapping[str, str]) -> str:
    """One digest over the files and theirs; "" for none."""
    if not code:
        return ""
    return hashlib.sha256("\n".join(f"{path} {code[path]}" for path in sorted(code)).encode()).hexdigest()


def changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Paths that differ, came or went, in order."""
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


@cache
def _read(path: Path, at: tuple[int, int]) -> str:
    if path.suffix == ".py":
        said = _told(parsed(path, at))
    elif path.suffix == ".toml":
        said = json.dumps(tomllib.loads(path.read_text(encoding="utf-8")), sort_keys=True, default=str)
    elif path.suffix == ".sql":
        said = _sql(path.read_text(encoding="utf-8"))
    else:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return hashlib.sha256(said.encode()).hexdigest()


def file_digest(path: Path) -> str:
    """The digest of what one file says."""
    return _read(path, stamp(path))


def _sql(text: str) -> str:
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and (not line.startswith("--") or _NAMED.match(line)))


def _documented(node: ast.AST) -> bool:
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) or not node.body:
        return False
    first = node.body[0]
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)


def _told(value: object) -> str:
    """A tree as text without places; what is empty is left out, as later Pythons add mostly empty fields."""
    if isinstance(value, ast.AST):
        fields = [(name, getattr(value, name, None)) for name in value._fields if name not in {"ctx", "kind"}]
        if _documented(value):
            fields = [(name, one[1:] if name == "body" else one) for name, one in fields]
        inner = ",".join(f"{name}={_told(one)}" for name, one in fields if one is not None and one != [])
        return f"{type(value).__name__}({inner})"
    if isinstance(value, list):
        return f"[{','.join(_told(one) for one in value)}]"
    return repr(value)


def _used(beside: Path, modules: Iterable[Path]) -> bool:
    """Whether a module names the file beside it; files of a folder without modules belong to all of the package."""
    return any(beside.parent != one.parent or beside.name in text(one, stamp(one)) for one in modules)


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _aside(module: str) -> bool:
    return any(_within(module, one) for one in ASIDE)


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]
