"""Untrusted text: what `console.safe` makes of it, and that no other room draws it (console.md §1.5)."""

from __future__ import annotations

import ast
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest

from console import safe, unseen, words
from core.model import Span
from tests.console.desk import NOW

ROOT = Path(__file__).parents[2]
HOSTILE = [
    "![x](http://127.0.0.1/a.png)",
    "<img src=x onerror=alert(1)>",
    "</div><script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "[click](javascript:alert(1))",
    "<style>@import 'http://127.0.0.1/'</style>",
    "&lt;img src=x&gt;",
    "<svg/onload=alert(1)>",
]


class Tags(HTMLParser):
    """Collects every tag and attribute that a browser would see."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.words: list[str] = []
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("text", HOSTILE)
def test_words_stay_words_in_every_element(text: str) -> None:
    for markup in (
        safe.words(text),
        safe.words(text, mark=Span(start=1, end=4)),
        safe.answer(f"{text} [1]", {1: text}),
        safe.tag("div", text, title=text),
    ):
        seen = Tags(markup)
        assert seen.tags <= {"div", "span", "mark", "p"}
        assert seen.attributes <= {"class", "dir", "title", "role"}
        assert text in "".join(seen.words)


def test_tag_refuses_what_loads_links_or_runs() -> None:
    for name in ("img", "a", "script", "iframe", "style", "svg", "form"):
        with pytest.raises(ValueError, match="not a tag"):
            safe.tag(name, "x")
    for attribute in ("href", "src", "onclick", "srcset", "action"):
        with pytest.raises(ValueError, match="not a tag"):
            safe.tag("div", "x", **{attribute: "x"})


def test_draw_refuses_a_bare_string() -> None:
    with pytest.raises(TypeError, match="made by tag"):
        safe.draw("<b>x</b>")  # type: ignore[arg-type]


def test_the_cited_span_is_marked_and_the_rest_is_not() -> None:
    assert safe.words("a <b> c", mark=Span(start=2, end=5)) == (
        '<div class="cm-words" dir="auto">a <mark>&lt;b&gt;</mark> c</div>'
    )


def test_a_span_past_the_end_marks_what_is_there() -> None:
    assert "<mark>bc</mark>" in safe.words("abc", mark=Span(start=1, end=99))


def test_only_known_citations_become_chips() -> None:
    made = safe.answer("One [1], two [2].\n\nThree [1].", {1: "the memory"})
    assert made.count('class="cm-cite"') == 2
    assert "two [2]." in made
    assert made.count("<p ") == 2


@pytest.mark.parametrize("text", [*HOSTILE, "**b** `c` $x$ ~s~ # h :red[x] http://a.example _i_"])
def test_a_label_has_no_live_markdown(text: str) -> None:
    made = safe.label(text)
    for at, char in enumerate(made):
        if char in "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~":
            assert made[at - 1] == "\\", (char, made)


def test_a_label_is_one_line_cut_and_without_short_codes() -> None:
    assert safe.label("a\n\nb  c") == "a b c"
    assert safe.label("x" * 300, limit=10) == "x" * 9 + "…"
    assert ":tada" not in safe.label(":tada:").replace("\\", "")
    assert ":material" not in safe.label(":material/home:").replace("\\", "")


@pytest.mark.parametrize(
    ("text", "shown", "unseen_count", "alike"),
    [
        ("safe\u202egpj.exe", "safe‹U+202E›gpj.exe", 1, 0),
        ("zero\u200bwidth", "zero‹U+200B›width", 1, 0),
        ("p\u0430ypal", "p‹U+0430›ypal", 0, 1),
        (
            "visit \u0430\u0440\u0440\u04cf\u0435 now please",
            "visit ‹U+0430›‹U+0440›‹U+0440›‹U+04CF›‹U+0435› now please",
            0,
            5,
        ),
        ("\U000e0041tag", "‹U+E0041›tag", 1, 0),
        ("soft\u00adhyphen", "soft‹U+00AD›hyphen", 1, 0),
        ("bell\x07", "bell‹U+0007›", 1, 0),
        ("\u3164blank", "‹U+3164›blank", 1, 0),
        ("lone \ud800", "lone ‹U+D800›", 1, 0),
    ],
)
def test_deceptions_are_written_out_and_counted(text: str, shown: str, unseen_count: int, alike: int) -> None:
    assert unseen.visible(text) == shown
    assert unseen.suspicion(text) == unseen.Suspicion(unseen=unseen_count, alike=alike)


@pytest.mark.parametrize(
    "text",
    [
        "الاجتماع يوم الأحد",
        "می\u200cخواهم",  # Persian needs the non-joiner
        "你喜欢喝茶。",
        "Я живу в Порту.",
        "Η συνάντηση είναι αύριο.",
        "family \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "heart \u2764\ufe0f",
        "naïve café, Zürich",
        "line\nbreak\tand tab",
        "We met Анна in Moscow",  # a whole word of another alphabet is no look-alike unless it could be Latin
    ],
)
def test_ordinary_writing_is_left_alone(text: str) -> None:
    assert unseen.visible(text) == text
    assert safe.deception(text) == ""


def test_text_takes_its_own_direction() -> None:
    assert 'dir="auto"' in safe.words("الاجتماع")


def test_deception_says_what_was_found() -> None:
    assert "1 hidden character and 2 look-alike letters" in safe.deception("p\u0430yp\u0430l\u200b")


# --- nobody else draws --------------------------------------------------------------------------------------------

DRAWING = frozenset(
    [
        "write",
        "markdown",
        "caption",
        "table",
        "toast",
        "metric",
        "html",
        "write_stream",
        "title",
        "header",
        "subheader",
        "info",
        "success",
        "warning",
        "error",
        "badge",
        "latex",
        "button",
        "download_button",
        "link_button",
        "page_link",
        "checkbox",
        "toggle",
        "radio",
        "selectbox",
        "multiselect",
        "pills",
        "segmented_control",
        "select_slider",
        "slider",
        "number_input",
        "text_input",
        "text_area",
        "date_input",
        "file_uploader",
        "chat_input",
        "chat_message",
        "form_submit_button",
        "menu_button",
        "expander",
        "popover",
        "tabs",
        "dialog",
        "status",
        "progress",
        "spinner",
        "image",
        "logo",
        "exception",
        "echo",
        "json",
        "dataframe",
        "data_editor",
        "mermaid_chart",
    ]
)
SAID = frozenset(["label", "body", "help", "title", "text"])
MARKDOWN_OPTIONS = frozenset(["pills", "segmented_control", "radio", "select_slider", "menu_button", "tabs"])
SAFE_CALLS = frozenset({"label", "plain"})


def sources() -> list[Path]:
    return [
        path
        for folder in ("console", "pages")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name != "safe.py"
    ]


def modules_of(tree: ast.AST) -> set[str]:
    """Names that imports bind, streamlit's left out: calls on them are not streamlit's."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(one.asname or one.name).split(".")[0] for one in node.names}
    return names - {"st", "streamlit"}


def constant(node: ast.expr) -> bool:  # noqa: PLR0911 - one answer a kind of expression
    """Whether an expression can only be words that stand in the source, or words that went through `safe`."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.JoinedStr):
        return all(isinstance(part, ast.Constant) for part in node.values)
    if isinstance(node, ast.IfExp):
        return constant(node.body) and constant(node.orelse)
    if isinstance(node, ast.List | ast.Tuple):
        return all(constant(one) for one in node.elts)
    if isinstance(node, ast.Name):
        return node.id.isupper()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        return node.func.value.id == "safe" and node.func.attr in SAFE_CALLS
    return False


def local_constants(tree: ast.AST) -> set[str]:
    """Local names bound only to what `constant` accepts."""
    bound: dict[str, bool] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            bound[name] = bound.get(name, True) and constant(node.value)
    return {name for name, good in bound.items() if good}


def label_makers(tree: ast.AST) -> set[str]:
    """Functions of the module that return nothing but `safe.label(…)`."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and (returns := [one for one in ast.walk(node) if isinstance(one, ast.Return)])
        and all(one.value is not None and constant(one.value) for one in returns)
    }


def root_name(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def offences(source: str) -> list[str]:
    tree = ast.parse(source)
    foreign, fixed, makers = modules_of(tree), local_constants(tree), label_makers(tree)
    found = []

    def fine(node: ast.expr) -> bool:
        return constant(node) or (isinstance(node, ast.Name) and node.id in fixed)

    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DRAWING):
            continue
        if root_name(node.func) in foreign:
            continue
        name = node.func.attr
        said = [*node.args[:1], *(key.value for key in node.keywords if key.arg in SAID)]
        if name == "metric":
            said += node.args[1:3]
        if name == "logo":
            continue  # a file of this repository, named in the source
        found += [f"line {node.lineno}: {name}({ast.unparse(one)})" for one in said if not fine(one)]
        if name in MARKDOWN_OPTIONS:
            formats = [key.value for key in node.keywords if key.arg == "format_func"]
            options = [*node.args[1:2], *(key.value for key in node.keywords if key.arg == "options")]
            labelled = bool(formats) and all(isinstance(one, ast.Name) and one.id in makers for one in formats)
            if formats and not labelled:
                found.append(f"line {node.lineno}: {name}(format_func=…)")
            found += [f"line {node.lineno}: {name}(options={ast.unparse(one)})" for one in options if not fine(one)]
    return found


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_safe_draws_words_that_are_not_in_the_source(path: Path) -> None:
    assert offences(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "st.write(name)",
        "st.markdown(f'Hello {name}')",
        "left.button(item.text)",
        "st.button('x', help=item.text)",
        "st.chat_message('user').write(text)",
        "with st.expander(title): pass",
        "st.pills('a', [x.text for x in items])",
        "st.pills('a', OPTIONS, format_func=names.get)",
        "@st.dialog(title)\ndef f(): pass",
        "st.metric('Held', summary)",
        "st.html('<p>' + text)",
        "st.columns(2)[0].caption(text)",
        "st.toast(str(problem))",
    ],
)
def test_the_check_finds_unsafe_drawing(source: str) -> None:
    assert offences(source)


@pytest.mark.parametrize(
    "source",
    [
        "st.button('Save', help='Keeps it')",
        "from console import safe\nst.button(safe.label(name))",
        "st.pills('a', OPTIONS)",
        "import html\nhtml.escape(text)",
        "st.text(name)",
    ],
)
def test_the_check_lets_safe_drawing_pass(source: str) -> None:
    assert offences(source) == []


# --- words --------------------------------------------------------------------------------------------------------


def test_ages_are_words() -> None:
    said = {
        timedelta(seconds=20): "just now",
        timedelta(seconds=61): "1 minute ago",
        timedelta(minutes=59): "59 minutes ago",
        timedelta(hours=23): "23 hours ago",
        timedelta(days=3): "3 days ago",
        timedelta(days=21): "3 weeks ago",
        timedelta(days=100): "3 months ago",
        timedelta(days=800): "2 years ago",
        timedelta(hours=-2): "in 2 hours",
    }
    assert {past: words.age(NOW - past, NOW) for past in said} == said


def test_a_memory_is_new_or_old_in_words() -> None:
    assert [words.old(days) for days in (0.0, 3.2, 21.0)] == ["new", "3 days old", "3 weeks old"]


def test_unknown_codes_still_read_as_words() -> None:
    assert words.reason("gap:judge_down") == "Evidence incomplete: judge down"
    assert words.reason("some_new_rule") == "Some new rule"
    assert words.action("policy:changed") == "Policy: changed"
    assert words.source("smoke_signal") == "smoke signal"
