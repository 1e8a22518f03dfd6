"""Ways from one page to another, with what the other page shows set in its address."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from console import safe, session, widgets
from core.model import Actor

PAGES = Path(__file__).resolve().parent.parent / "pages"


def to(page: str, **query: str) -> None:
    """Open a page of the console; an empty value is left out of its address. Ends this run."""
    widgets.close_dialog()  # it belongs to the page that is left
    st.switch_page(PAGES / f"{page}.py", query_params={name: value for name, value in query.items() if value})


def there_is(page: str) -> bool:
    """Whether this installation has the page."""
    return (PAGES / f"{page}.py").exists()


def link(label: str, page: str, *, key: str, icon: str = ":material/arrow_outward:", **query: str) -> None:
    """A quiet button that opens a page. `label` is the console's own words."""
    if st.button(safe.label(label), key=key, icon=icon, type="tertiary"):
        to(page, **query)


def to_review(actor: Actor, label: str, *, key: str, item: str = "", word: str = "") -> None:
    """A way to the review page with an item open or the queue narrowed to a word; for who may see held items."""
    if session.layer().sides.sees_held(actor):
        link(label, "review", key=key, icon=":material/rule:", item=item, q=word)
