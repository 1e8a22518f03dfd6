"""The project's modules and what they import, read from their text: nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_BESIDE = (".sql", ".toml", ".md")
PACKAGES = ("app", "console", "core", "demo", "eval", "pages", "tests")


def stamp(path: Path) -> tuple[int, int]:
    """When a file was changed, and its size."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


@cache
def text(path: Path, _at: tuple[int, int]) -> str:
    """A file's text as it was at a time and size."""
    return path.read_text(encoding="utf-8")


@cache
def parsed(path: Path, _at: tuple[int, int]) -> ast.Module:
    """A module's tree as it was at a time and size: a check asks for the same files many times."""
    return ast.parse(path.read_text(encoding="utf-8"))


class Tree:
    """The project's modules by name."""

    def __init__(self, root: Path) -> None:
        """Of one folder."""
        self._root = root
        self._imports: dict[str, list[str]] = {}
        self._besides: dict[Path, list[Path]] = {}

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

    def beside(self, folder: Path) -> list[Path]:
        """SQL, policy and prompt files of a folder, and of those below it that hold no module."""
        if folder not in self._besides:
            self._besides[folder] = list(_beside(folder))
        return self._besides[folder]

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
        return parsed(path, stamp(path))


def _beside(folder: Path) -> Iterator[Path]:
    for one in sorted(folder.iterdir()):
        if one.is_file() and one.suffix in _BESIDE and one.name != "README.md":
            yield one
        elif one.is_dir() and not one.name.startswith(("_", ".")) and not any(one.rglob("*.py")):
            yield from _beside(one)


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
