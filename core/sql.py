"""Loads named queries and numbered migrations from a package's .sql files; knows no driver.

Every statement lives in a `queries.sql` under a `-- name:` line, with a line of purpose below it. Lines that several
statements share stand once, under a `-- part:` line, and in each of them as a line `{{name}}`. Migrations are
`migrations/NNNN_name.sql`: forward-only, numbered without holes from 1, each named by the sha256 of its text, so that
an edited or missing one is refused before anything runs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from core.errors import Misconfigured

_NAME = re.compile(r"^--\s*(?P<sort>name|part):\s*(?P<name>\S+)\s*$")
_USE = re.compile(r"^\s*\{\{(?P<name>[^{}]*)\}\}(?P<rest>.*)$")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*")
_MIGRATION = re.compile(r"(?P<number>\d{4})_(?P<name>[a-z0-9_]+)\.sql")


@dataclass(frozen=True, kw_only=True, slots=True)
class Migration:
    """One step of a schema. `checksum` is the hex sha256 of its text, line ends normalised."""

    number: int
    name: str
    sql: str
    checksum: str


def parse_queries(text: str, *, origin: str = "queries.sql") -> dict[str, str]:
    """The statements of a .sql text by name, comments and the closing semicolon taken off.

    Raises:
        Misconfigured: SQL before the first name, a name twice, a malformed name, an empty statement or an unknown part.
    """
    queries: dict[str, list[str]] = {}
    parts: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if named := _NAME.match(line):
            name = named["name"]
            if not _IDENTIFIER.fullmatch(name) or name in queries or name in parts:
                msg = f"{origin}:{number}: the query name {name!r} is malformed or used twice"
                raise Misconfigured(msg)
            lines = (queries if named["sort"] == "name" else parts).setdefault(name, [])
        elif line.lstrip().startswith("--") or not line.strip():
            continue
        elif lines is None:
            msg = f"{origin}:{number}: SQL before the first '-- name:' line"
            raise Misconfigured(msg)
        elif used := _USE.match(line):
            if used["name"] not in parts:
                msg = f"{origin}:{number}: there is no part {used['name']!r} above this line"
                raise Misconfigured(msg)
            *first, last = parts[used["name"]]
            lines += [*first, last + used["rest"].rstrip()]
        else:
            lines.append(line.rstrip())
    found = {name: "\n".join(lines).removesuffix(";").strip() for name, lines in queries.items()}
    if empty := [name for name, sql in found.items() if not sql] + [name for name, part in parts.items() if not part]:
        msg = f"{origin}: no statement under {', '.join(empty)}"
        raise Misconfigured(msg)
    return found


def load_queries(package: str, filename: str = "queries.sql") -> dict[str, str]:
    """The named queries of an installed package, e.g. `load_queries("core.ledger")`.

    Raises:
        Misconfigured: see `parse_queries`.
    """
    text = files(package).joinpath(filename).read_text(encoding="utf-8")
    return parse_queries(text, origin=f"{package}/{filename}")


def load_migrations(package: str, folder: str = "migrations") -> list[Migration]:
    """The package's migrations in order.

    Raises:
        Misconfigured: the folder has none, a file is misnamed, or the numbers do not run 1, 2, 3, …
    """
    return read_migrations(files(package).joinpath(folder), origin=f"{package}/{folder}")


def read_migrations(folder: Traversable, *, origin: str) -> list[Migration]:
    """The migrations of one folder in order; `load_migrations` tells the rest."""
    found: list[Migration] = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".sql"):
            continue
        named = _MIGRATION.fullmatch(file.name)
        if named is None:
            msg = f"{origin}/{file.name}: name it NNNN_what_it_does.sql"
            raise Misconfigured(msg)
        sql = file.read_text(encoding="utf-8").replace("\r\n", "\n")
        checksum = hashlib.sha256(sql.encode()).hexdigest()
        found.append(Migration(number=int(named["number"]), name=named["name"], sql=sql, checksum=checksum))
    numbers = [migration.number for migration in found]
    if not found or numbers != list(range(1, len(found) + 1)):
        msg = f"{origin}: migrations must be numbered 1, 2, 3, … without holes or twins, not {numbers}"
        raise Misconfigured(msg)
    return found


def pending(migrations: Sequence[Migration], applied: Mapping[int, str]) -> list[Migration]:
    """The migrations still to run, given the checksums of those the database has recorded.

    Args:
        migrations: what this version of the program brings, in order.
        applied: number → checksum, as recorded in the database.

    Raises:
        Misconfigured: the database is newer than the program, has a hole, or a recorded migration was edited since.
    """
    known = {migration.number: migration for migration in migrations}
    for number, checksum in sorted(applied.items()):
        migration = known.get(number)
        if migration is None:
            msg = f"the database has migration {number}, which this version does not know: start the newer version"
            raise Misconfigured(msg)
        if migration.checksum != checksum:
            msg = (
                f"migration {number:04d}_{migration.name} was changed after it was applied "
                f"(recorded {checksum[:12]}…, found {migration.checksum[:12]}…): restore the file and add a new one"
            )
            raise Misconfigured(msg)
    if sorted(applied) != list(range(1, len(applied) + 1)):
        msg = f"the database records migrations {sorted(applied)}: one in between is missing, restore a backup"
        raise Misconfigured(msg)
    return [migration for migration in migrations if migration.number not in applied]
