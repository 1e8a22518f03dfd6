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
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("app", "console", "core", "demo", "eval", "pages", "tests")
ASIDE: Mapping[str, str] = {
    "console": "the screens; named by the commands that measure them",
    "pages": "the screens; named by the commands that measure them",
    "demo": "a made-up history",
    "core.entrypoints": "programs and the command line; named by the commands that measure them",
    "core.client": "the other side of the interface",
    "core.imports": "outside files; named by the command that measures them",
    "core.connectors": "outside files; named by the command that measures them",
    "core.wiring_imports": "outside files",
    "core.moving": "export and import of a whole memory",
    "core.wiring_moving": "export and import of a whole memory",
    "core.webhooks": "tells others what happened",
    "core.wiring_webhooks": "tells others what happened",
    "core.items": "values that an agent keeps under keys",
    "core.operatorkeys": "a person's own programs",
    "core.corpus": "the small contract's one memory",
    "core.insight": "charts",
    "core.curve": "charts",
    "core.survival": "charts",
    "core.demo_folder": "keeps made-up and real data apart",
    "core.erasure": "an act of a person that no measurement does",
    "core.rejudge": "an act of a person that no measurement does",
    "core.replay": "an act of a person that no measurement does",
    "core.keyhistory": "an act of a person that no measurement does",
    "core.proofs": "an act of a person that no measurement does",
    "core.modeldesk": "how models fare",
    "core.notify": "notices of a long queue",
    "core.sandbox": "stories tried without writing",
    "core.lastwins": "an answer beside that of a last-wins memory",
    "core.sides": "an answer beside that of a last-wins memory",
    "core.history": "versions and uses of a memory, for its drawer",
    "core.chats": "the list of chats",
    "core.ledger.snapshot": "a copy of the ledger",
    "core.ledger.tamper": "a damaged copy for the proofs",
    "core.ledger.transfer": "export and import of a whole memory",
    "core.ledger.transferwrites": "export and import of a whole memory",
    "core.ledger.insight": "charts",
    "core.ledger.items": "values that an agent keeps under keys",
    "core.ledger.imports": "outside files; named by the command that measures them",
    "core.store.insight": "charts",
    "core.store.operators": "a person's own programs",
    "eval.results": "how figures are written down",
    "eval.digests": "how figures are written down",
    "eval.registry": "how figures are written down",
    "eval.tables": "how figures are written down",
    "eval.figures": "how figures are written down",
    "eval.pictures": "how figures are written down",
    "eval.proof": "how figures are written down",
    "eval.intervals": "how figures are written down; its formula is tested",
}
_BESIDE = (".sql", ".toml", ".md")
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
    beside = {found for one in files for found in _beside(one.parent) if _used(found, one)}
    return {one.relative_to(root).as_posix(): file_digest(one)[:_SHOWN] for one in sorted(files | beside)}


def digest(code: Mapping[str, str]) -> str:
    """One digest over the files and theirs; "" for none."""
    if not code:
        return ""
    return hashlib.sha256("\n".join(f"{path} {code[path]}" for path in sorted(code)).encode()).hexdigest()


def changed(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    """Paths that differ, came or went, in order."""
    return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))


def _stamp(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


@cache
def _parsed(path: Path, _at: tuple[int, int]) -> ast.Module:
    """A module's tree as it was at a time and size: a check asks for the same files many times."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _read(path: Path, at: tuple[int, int]) -> str:
    if path.suffix == ".py":
        said = _told(_parsed(path, at))
    elif path.suffix == ".toml":
        said = json.dumps(tomllib.loads(path.read_text(encoding="utf-8")), sort_keys=True, default=str)
    elif path.suffix == ".sql":
        said = _sql(path.read_text(encoding="utf-8"))
    else:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return hashlib.sha256(said.encode()).hexdigest()


def file_digest(path: Path) -> str:
    """The digest of what one file says."""
    return _read(path, _stamp(path))


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


def _beside(folder: Path) -> Iterator[Path]:
    """SQL, policy and prompt files of a folder, and of those below it that hold no module."""
    for one in sorted(folder.iterdir()):
        if one.is_file() and one.suffix in _BESIDE and one.name != "README.md":
            yield one
        elif one.is_dir() and not one.name.startswith(("_", ".")) and not any(one.rglob("*.py")):
            yield from _beside(one)


def _used(beside: Path, module: Path) -> bool:
    """Whether a module names the file beside it; files of a folder without modules belong to all of the package."""
    return beside.parent != module.parent or beside.name in module.read_text(encoding="utf-8")


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _aside(module: str) -> bool:
    return any(_within(module, one) for one in ASIDE)


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


class Tree:
    """The project's modules by name."""

    def __init__(self, root: Path) -> None:
        """Of one folder."""
        self._root = root
        self._imports: dict[str, list[str]] = {}

    def path(self, module: str) -> Path:
        """The module's file.

        Raises:
            LookupError: there is none.
        """
        found = self._file(module)
        if found is None:
            msg = f"no module {module} in this project"
            raise LookupError(msg)
        return found

    def expanded(self, name: str) -> list[str]:
        """A root as modules."""
        package = name.removesuffix(".*")
        if package == name:
            self.path(name)
            return [name]
        folder = self._root.joinpath(*package.split("."))
        found = [".".join(one.relative_to(self._root).with_suffix("").parts) for one in sorted(folder.rglob("*.py"))]
        if not found:
            msg = f"no module under {package}"
            raise LookupError(msg)
        return [one.removesuffix(".__init__") for one in found]

    def imports(self, module: str) -> list[str]:
        """The project's modules that a module imports, each followed to where the name is defined."""
        if module not in self._imports:
            self._imports[module] = self._followed(module)
        return self._imports[module]

    def _followed(self, module: str) -> list[str]:
        found: list[str] = []
        for node in _statements(self._tree(module)):
            if isinstance(node, ast.Import):
                found += [one.name for one in node.names if self._file(one.name)]
            elif isinstance(node, ast.ImportFrom):
                source = self._source(module, node)
                found += [one for name in node.names for one in self._defining(source, name.name)]
        return found

    def does_something(self, package: str) -> bool:
        """Whether a package's own file holds more than words, imports and the list of its names."""
        if self._file(package) is None:
            return False
        return any(
            not (
                isinstance(one, ast.Import | ast.ImportFrom)
                or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
                or (isinstance(one, ast.Assign) and _names(one) == ["__all__"])
            )
            for one in self._tree(package).body
        )

    def _defining(self, source: str, name: str) -> list[str]:
        file = self._file(source)
        if self._file(f"{source}.{name}"):
            return [f"{source}.{name}"]
        if file is None:
            return []
        if file.name == "__init__.py":
            for node in _statements(self._tree(source)):
                if isinstance(node, ast.ImportFrom) and name in {one.asname or one.name for one in node.names}:
                    real = next(one.name for one in node.names if (one.asname or one.name) == name)
                    return self._defining(self._source(source, node), real)
        return [source]

    def _source(self, module: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        file = self.path(module)
        base = module.split(".")
        up = node.level - (1 if file.name == "__init__.py" else 0)
        base = base[: len(base) - up] if up else base
        return ".".join([*base, *([node.module] if node.module else [])])

    def _file(self, module: str) -> Path | None:
        if module.partition(".")[0] not in PACKAGES:
            return None
        base = self._root.joinpath(*module.split("."))
        return next((one for one in (base.with_suffix(".py"), base / "__init__.py") if one.is_file()), None)

    def _tree(self, module: str) -> ast.Module:
        path = self.path(module)
        return _parsed(path, _stamp(path))


def _names(node: ast.Assign) -> list[str]:
    return [one.id for one in node.targets if isinstance(one, ast.Name)]


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node but those under `if TYPE_CHECKING`."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        typing_only = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        todo += node.orelse if isinstance(node, ast.If) and typing_only else ast.iter_child_nodes(node)
