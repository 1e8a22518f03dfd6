"""The only room that draws untrusted text (console.md §1.5).

Streamlit's markdown fetches images: `![](http://…)` in a page title, a memory or a user name would make the reader's
browser call out. So words that anyone else wrote reach the screen in three ways only: as HTML whose every character
went through `html.escape` (`tag`, `draw` and what is built of them), as `st.code` without a language (`code`), or as a
label with all of markdown's punctuation escaped (`label`). A test forbids every other way in `console/` and `pages/`.
"""

from __future__ import annotations

import difflib
import functools
import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from console import unseen
from core.model import Span

_TAGS = frozenset(
    {"div", "span", "p", "ul", "ol", "li", "dl", "dt", "dd", "mark", "h1", "h2"}
    | {"table", "thead", "tbody", "tr", "th", "td"}
)
_ATTRIBUTES = frozenset({"title", "dir", "role", "style", "scope", "aria_hidden"})
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_SHORTCODE = re.compile(r":(?=[\w/+-])")
_CITATION = re.compile(r"\[(\d{1,3})\]")
_PARAGRAPH = re.compile(r"\n\s*\n")
# a word, a stretch of space, or one sign: scripts without spaces are compared letter by letter
_TOKEN = re.compile(r"[\u3040-\u9fff\uf900-\ufaff]|[^\W\u3040-\u9fff\uf900-\ufaff]+|\s+|.", re.DOTALL)
_COMPARED = 2000  # tokens; comparing takes a time that grows with the product of both lengths
_STYLES = Path(__file__).parent / "static" / "styles"


class Html(str):
    """Markup made in this room: `tag` passes it through and escapes every other string."""

    __slots__ = ()


def _escaped(text: str, *, offset: int = 0, positions: Mapping[int, str] | None = None) -> str:
    positions = unseen.marked(text) if positions is None else positions
    parts = []
    for at, char in enumerate(text, start=offset):
        if at in positions:
            name = html.escape(positions[at], quote=True)
            parts.append(f'<span class="cm-esc" title="{name}">{unseen.escape(char)}</span>')
        else:
            parts.append(html.escape(char, quote=True))
    return "".join(parts)


def tag(name: str, *children: str, cls: str = "", **attributes: str) -> Html:
    """One element. Children that are not `Html` are escaped, attribute values always.

    Raises:
        ValueError: a tag or attribute that is not on the list: none that loads, links or runs anything is.
    """
    unknown = [key for key in attributes if key not in _ATTRIBUTES]
    if name not in _TAGS or unknown:
        msg = f"not a tag or attribute for untrusted text: {name} {unknown}"
        raise ValueError(msg)
    given = {"class": cls, **{key.replace("_", "-"): value for key, value in attributes.items()}}
    shown = "".join(
        f' {key}="{html.escape(unseen.visible(value), quote=True)}"' for key, value in given.items() if value
    )
    inner = "".join(child if isinstance(child, Html) else _escaped(child) for child in children)
    return Html(f"<{name}{shown}>{inner}</{name}>")


def draw(*nodes: Html) -> None:
    """Put elements on the page, in one block."""
    if not all(isinstance(node, Html) for node in nodes):
        msg = "draw() takes elements made by tag()"
        raise TypeError(msg)
    st.html(tag("div", *nodes, cls="cm"))


@functools.cache
def _style() -> Html:
    """Every sheet in one element: what all pages share comes first, then a sheet a page."""
    sheets = sorted(_STYLES.glob("*.css"), key=lambda one: (one.stem != "shared", one.stem))
    return Html("<style>\n" + "\n".join(one.read_text(encoding="utf-8") for one in sheets) + "\n</style>")


def stylesheet() -> None:
    """Put the console's own style sheet on the page.

    Dialogs are drawn beside the app's element and do not inherit its colour scheme, so the root is told which it is.
    """
    st.html(_style())
    if st.context.theme.type == "dark":
        st.html("<style>:root { color-scheme: dark; }</style>")
    elif st.context.theme.type == "light":
        st.html("<style>:root { color-scheme: light; }</style>")


def plain(text: str) -> str:
    """Text for places that draw it literally (cells, code, placeholders, options of a selectbox), deceptions shown."""
    return unseen.visible(text)


def label(text: object, limit: int = 120) -> str:
    """Text for a label, tooltip or option: one line, markdown inert, no short code, cut at `limit` code points."""
    line = " ".join(str(text).split())
    cut = line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
    shown = _PUNCTUATION.sub(r"\\\1", unseen.visible(cut))
    return _SHORTCODE.sub(":\u200b", shown)  # ":tada:" and ":material/…:" are matched after escapes are resolved


def deception(text: str) -> Html:
    """A line that counts hidden and look-alike characters; empty when there are none."""
    found = unseen.suspicion(text)
    if not found.total:
        return Html("")
    parts = [
        f"{count} {what}{'s' if count != 1 else ''}"
        for count, what in ((found.unseen, "hidden character"), (found.alike, "look-alike letter"))
        if count
    ]
    return tag("div", f"Written out here: {' and '.join(parts)}.", cls="cm-deceit", role="note")


def words(text: str, *, mark: Span | None = None, cls: str = "cm-words", notice: bool = True) -> Html:
    """Untrusted words as they stand, line breaks kept, direction by their own script, the cited span marked."""
    positions = unseen.marked(text)
    if mark is None:
        body = Html(_escaped(text, positions=positions))
    else:
        start, end = min(mark.start, len(text)), min(mark.end, len(text))
        before = _escaped(text[:start], positions=positions)
        cited = _escaped(text[start:end], offset=start, positions=positions)
        body = Html(f"{before}<mark>{cited}</mark>{_escaped(text[end:], offset=end, positions=positions)}")
    inner = tag("div", body, cls=cls, dir="auto")
    return Html(inner + deception(text)) if notice else inner


def differing(old: str, new: str, *, cls: str = "cm-words") -> tuple[Html, Html]:
    """Two statements side by side: each in full, with the words marked that the other does not have."""
    left, right = (_TOKEN.findall(one) for one in (old, new))
    if max(len(left), len(right)) > _COMPARED:
        return _marked(old, [], "cm-gone", cls), _marked(new, [], "cm-come", cls)
    match = difflib.SequenceMatcher(
        a=[one.casefold() for one in left], b=[one.casefold() for one in right], autojunk=False
    )
    gone: list[tuple[int, int]] = []
    come: list[tuple[int, int]] = []
    for kind, i, j, k, m in match.get_opcodes():
        if kind != "equal":
            gone.append((len("".join(left[:i])), len("".join(left[:j]))))
            come.append((len("".join(right[:k])), len("".join(right[:m]))))
    return _marked(old, gone, "cm-gone", cls), _marked(new, come, "cm-come", cls)


def _joined(text: str, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges with nothing but space between them as one."""
    found: list[tuple[int, int]] = []
    for start, end in ranges:
        if start == end:
            continue
        if found and not text[found[-1][1] : start].strip():
            start = found.pop()[0]  # noqa: PLW2901 - it begins where the one before did
        found.append((start, end))
    return found


def _marked(text: str, ranges: Sequence[tuple[int, int]], mark: str, cls: str) -> Html:
    positions = unseen.marked(text)
    parts, last = [], 0
    for start, end in _joined(text, ranges):
        body = Html(_escaped(text[start:end], offset=start, positions=positions))
        parts += [_escaped(text[last:start], offset=last, positions=positions), tag("span", body, cls=mark)]
        last = end
    parts.append(_escaped(text[last:], offset=last, positions=positions))
    return Html(tag("div", Html("".join(parts)), cls=cls, dir="auto") + deception(text))


def text(value: str) -> None:
    """Draw untrusted words as a plain block."""
    draw(words(value))


def quote(value: str, mark: Span | None = None) -> None:
    """Draw an excerpt of a source, with the cited span marked."""
    draw(words(value, mark=mark, cls="cm-quote"))


def claim(value: str) -> None:
    """Draw the exact words that a reviewer decides on, large."""
    draw(words(value, cls="cm-claim"))


def chat_answer(value: str, citations: Mapping[int, str]) -> None:
    """Draw an answer: paragraphs, and `[n]` as a chip that names its memory when there is one by that number."""
    draw(answer(value, citations))


def answer(value: str, citations: Mapping[int, str]) -> Html:
    """The element that `chat_answer` draws."""
    paragraphs = []
    for paragraph in _PARAGRAPH.split(value.strip()):
        parts: list[str] = []
        last = 0
        for found in _CITATION.finditer(paragraph):
            number = int(found[1])
            if number in citations:
                parts += [
                    paragraph[last : found.start()],
                    tag("span", found[1], cls="cm-cite", title=citations[number]),
                ]
                last = found.end()
        parts.append(paragraph[last:])
        paragraphs.append(tag("p", *parts, dir="auto"))
    return Html(tag("div", *paragraphs, cls="cm-answer") + deception(value))


def code(value: str) -> None:
    """Draw text in a fixed-width block with a copy button, deceptions shown."""
    st.code(plain(value), language=None, wrap_lines=True)


def table(rows: Sequence[Mapping[str, object]], *, height: int | None = None, wraps: str = "") -> None:
    """Draw rows as a table of escaped text; it scrolls inside `height` pixels, and sideways when it is too wide.

    Only the column named `wraps` breaks its lines; without one every column may.
    """
    names = list(rows[0]) if rows else []
    kinds = {name: "" if not wraps else "cm-wraps" if name == wraps else "cm-line" for name in names}
    head = tag("tr", *(tag("th", name, scope="col") for name in names))
    lines = [
        tag("tr", *(tag("td", str(row.get(name, "")), cls=kinds[name], dir="auto") for name in names)) for row in rows
    ]
    style = f"max-height:{height}px" if height else ""
    body = tag("table", tag("thead", head), tag("tbody", *lines), cls="cm-table")
    draw(tag("div", body, cls="cm-scroll", style=style))


def frame(columns: Mapping[str, Sequence[object]], *, key: str) -> None:
    """Draw columns as a grid that sorts and searches; its text cells are literal, deceptions shown."""
    shown = {name: [plain(one) if isinstance(one, str) else one for one in cells] for name, cells in columns.items()}
    st.dataframe(shown, hide_index=True, key=key)


def grid(rows: Sequence[Mapping[str, object]], *, key: str, height: int) -> list[int]:
    """Draw rows as a table in which a person selects some; the positions of those, in the order shown.

    Positions mean something only for the rows that were shown: `key` must change with them (console.md §1.7). Cells
    are text, drawn on a canvas: no markup is read out of them.
    """
    cells = [{name: plain(str(value)) for name, value in row.items()} for row in rows]
    state = st.dataframe(
        cells,
        key=key,
        height=height,
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
    )
    return sorted(int(at) for at in state.selection.rows)


def toast(value: str) -> None:
    """A short confirmation that goes away by itself."""
    st.toast(label(value, limit=240))


def banner(title: str, detail: str = "", *, tone: str = "info") -> None:
    """A calm notice. `tone` is info, good, warn or bad; the words say it too."""
    nodes = [tag("div", title, cls="cm-banner-title")] + (
        [tag("div", detail, cls="cm-banner-text", dir="auto")] if detail else []
    )
    draw(tag("div", *nodes, cls=f"cm-banner cm-{tone}", role="alert" if tone == "bad" else "status"))
