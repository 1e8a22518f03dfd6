"""What tests of the pages do to a page: run it, press its buttons, read its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.console.test_safe import Tags

Open = Callable[..., AppTest]


def run(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception, at.exception
    return at


def press(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click()
    return run(at)


def nodes(at: AppTest) -> Iterator[Any]:
    def walk(node: Any) -> Iterator[Any]:
        yield node
        for child in getattr(node, "children", {}).values():
            yield from walk(child)

    yield from walk(at._tree)


def drawn(at: AppTest) -> str:
    """Every word of the HTML on the page, as a reader sees it."""
    return "\n".join(
        " ".join(Tags(one.proto.body).words)
        for one in nodes(at)
        if getattr(one, "type", "") == "html" and "<style" not in one.proto.body
    )
