"""Are the figures those of the code? Checks the pages against the results, and the results against the code.

    python -m eval.figures --check                          what `make check` runs: quick, nothing is measured
    python -m eval.figures --write                          README.md, RESULTS.md and pictures anew from the results
    python -m eval.figures --accept NAME --because "…"      keep a result although its code changed; it will say so

The check fails when a page says something else than the results, when a result is missing or was made by other code
than there is now. It names the command that measures anew. Results that were taken over from before digests were kept
cannot be told to be old; they are named each time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from eval import pictures, tables
from eval.digests import ROOT, changed, code_of, digest
from eval.modules import Tree
from eval.registry import MEASURES
from eval.results import FOLDER, Kept, Result, read, read_all, write

README, PAGE, TEMPLATE = ROOT / "README.md", ROOT / "eval" / "RESULTS.md", ROOT / "eval" / "readme_figures.md"
_NAMED = 6  # changed files that are named


@dataclass(kw_only=True)
class Found:
    """What is wrong, and what has to be known."""

    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def roots_of(result: Result) -> tuple[str, ...]:
    """The modules whose code a result is of: what the registry says now."""
    return next((one.roots for one in MEASURES if one.name == result.name), result.roots)


def again_of(result: Result) -> str:
    """What measures a result anew and keeps it."""
    return next((one.again for one in MEASURES if one.name == result.name), result.command)


def against_code(results: Mapping[str, Result], *, root: Path = ROOT) -> Found:
    """Whether each result is of the code as it is."""
    found, tree = Found(), Tree(root)
    for name, one in results.items():
        again = again_of(one)
        if one.taken_over:
            found.notes.append(f"{name}: {one.taken_over}; cannot be checked. Measure anew: {again}")
            continue
        if digest(one.code) != one.digest or not one.code:
            found.wrong.append(f"{name}: its digest is not that of the files it names. Measure anew: {again}")
            continue
        differ = changed(one.code, code_of(roots_of(one), root=root, tree=tree))
        if differ:
            files = ", ".join(differ[:_NAMED]) + (f" and {len(differ) - _NAMED} more" if len(differ) > _NAMED else "")
            found.wrong.append(f"{name}: older than the code ({files}). Measure anew: {again}")
        found.notes += [f"{name}: kept on {kept.date} although the code changed: {kept.because}" for kept in one.kept]
    for entry in MEASURES:
        if entry.name not in results:
            found.notes.append(f"{entry.name}: never measured here. Measure: {entry.again}")
    return found


def pages(results: Mapping[str, Result], *, template: str, readme: str) -> dict[str, str]:
    """What README.md and RESULTS.md should say.

    Raises:
        LookupError: the template or the README does not fit the results.
    """
    return {
        "README.md": tables.between(readme, tables.filled(template, results)),
        "eval/RESULTS.md": tables.page(results),
    }


def against_pages(results: Mapping[str, Result], *, template: str, readme: str, page: str) -> list[str]:
    """What the pages say otherwise than the results, a sentence each."""
    try:
        wanted = pages(results, template=template, readme=readme)
    except LookupError as problem:
        return [str(problem)]
    wrong = []
    for name, said in (("README.md", readme), ("eval/RESULTS.md", page)):
        if said != wanted[name]:
            line = next(
                (
                    f"“{now[:160]}” instead of “{right[:160]}”"
                    for now, right in zip(said.splitlines(), wanted[name].splitlines(), strict=False)
                    if now != right
                ),
                "lines are missing or too many",
            )
            wrong.append(f"{name} differs from the results: {line}. Write it anew: python -m eval.figures --write")
    return wrong


def check() -> int:
    """Print what is wrong and what has to be known; 1 if anything is wrong."""
    results = read_all()
    found = against_code(results)
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    texts = {"template": TEMPLATE.read_text(encoding="utf-8"), "readme": README.read_text(encoding="utf-8")}
    found.wrong += against_pages(results, page=page, **texts)
    found.wrong += pictures.stale(results)
    for line in found.notes:
        print(f"note: {line}")
    for line in found.wrong:
        print(f"WRONG: {line}", file=sys.stderr)
    if found.wrong:
        print(
            "\nA change that cannot move a figure: python -m eval.figures --accept NAME --because “why”; "
            "RESULTS.md will say so.",
            file=sys.stderr,
        )
    print(f"figures: {len(results)} results, {len(found.notes)} notes, {len(found.wrong)} wrong")
    return int(bool(found.wrong))


def publish() -> None:
    """Write README.md, RESULTS.md and the pictures that changed.

    Raises:
        LookupError: the template or the README does not fit the results.
    """
    results = read_all()
    for name, one in results.items():
        if read(FOLDER / f"{name}.json") != one:  # the registry has come to know a miss since, or knows it no more
            write(one, FOLDER / f"{name}.json")
    texts = pages(results, template=TEMPLATE.read_text(encoding="utf-8"), readme=README.read_text(encoding="utf-8"))
    for name, text in texts.items():
        path = ROOT / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {name}")
    pictures.draw(results)


def accepted(result: Result, because: str, *, root: Path = ROOT) -> Result:
    """The result kept for the code as it is now; it notes which files changed, when that was, and why it was kept.

    Raises:
        ValueError: no reason, nothing changed, or nothing is known of the code that it was made by.
    """
    if not because.strip():
        msg = "say why the change cannot move the figures: --because"
        raise ValueError(msg)
    if result.taken_over:
        msg = f"{result.name} was taken over: no code is known to compare with. Measure it: {again_of(result)}"
        raise ValueError(msg)
    now = code_of(roots_of(result), root=root)
    differ = changed(result.code, now)
    if not differ:
        msg = f"{result.name} is of the code as it is: there is nothing to accept"
        raise ValueError(msg)
    today = datetime.now(UTC).date().isoformat()  # noqa: TID251 - the day of the ruling
    kept = Kept(date=today, because=because.strip(), changed=tuple(differ))
    return replace(result, roots=roots_of(result), code=now, digest=digest(now), kept=(*result.kept, kept))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, write or accept; exit status 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m eval.figures", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="are pages, results and code of one piece")
    what.add_argument("--write", action="store_true", help="the pages and pictures anew, from the results")
    what.add_argument("--accept", metavar="NAME", action="append", help="keep a result although its code changed")
    parser.add_argument("--because", default="", help="why the change cannot move the figures")
    given = parser.parse_args(arguments)
    if given.check:
        return check()
    results = read_all()
    try:
        for name in given.accept or ():
            if name not in results:
                parser.error(f"no result {name!r}; there are {', '.join(results)}")
            write(accepted(results[name], given.because), FOLDER / f"{name}.json")
        publish()
    except (LookupError, ValueError, pictures.NoBrowser) as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
