"""Prompts are files: `render` reads one and fills its `$names`, so that wording never hides among logic."""

from __future__ import annotations

from functools import cache
from importlib import resources
from string import Template


def render(name: str, **values: str) -> str:
    """The text of `prompts/<name>.md` with `$name` replaced by each value; values are not looked into for `$`.

    Raises:
        KeyError: the prompt names a value that was not given.
    """
    return _template(name).substitute(values).strip()


@cache
def _template(name: str) -> Template:
    return Template(resources.files("core.llm").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8"))
