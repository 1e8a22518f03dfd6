"""The store's contract holds for a store in one piece and for one in partitions."""

from __future__ import annotations

from typing import Any


def pytest_generate_tests(metafunc: Any) -> None:
    """Every test of the store's contract once on each."""
    if metafunc.module.__name__.rpartition(".")[2].startswith("test_store"):
        metafunc.fixturenames.append("store_layout")
        metafunc.parametrize("store_layout", ["plain", "parted"])
