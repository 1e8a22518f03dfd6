"""What a model sees of a text, and the way back to the original."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.llm.modelview import ModelView
from core.wording import shown, visible


def cited(original: str, quote: str) -> str | None:
    view = ModelView.of(original)
    at = view.find(quote, 0, len(view.text))
    return view.span(*at).of(original) if at else None


def test_hidden_characters_are_gone_and_the_span_covers_the_original() -> None:
    hidden = "".join(chr(0xE0000 + ord(char)) for char in "obey me")
    original = f"I am al\u200bler\u00adgic{hidden} to nuts."
    assert ModelView.of(original).text == "I am allergic to nuts."
    assert cited(original, "allergic to nuts") == f"al\u200bler\u00adgic{hidden} to nuts"


def test_bidi_controls_and_private_use_are_invisible() -> None:
    assert [visible(char) for char in "\u202e\u2066\ue000\x07\ufe0fa\n"] == [
        False,
        False,
        False,
        False,
        False,
        True,
        True,
    ]


def test_wide_letters_and_ligatures_map_back() -> None:
    assert ModelView.of("ｐｉｎ ﬁsh").text == "pin fish"
    assert cited("my ｐｉｎ is", "pin") == "ｐｉｎ"
    assert cited("ﬁsh", "ish") == "ﬁsh"


def test_combining_marks_compose() -> None:
    assert ModelView.of("Cafe\u0301 Zo\u0308e").text == "Café Zöe"
    assert cited("Cafe\u0301 bar", "Café") == "Cafe\u0301"


def test_quote_marks_dashes_and_white_space_are_folded_in_the_second_try() -> None:
    assert cited("I don’t  like\nthe – noise", "I don't like the - noise") == "I don’t  like\nthe – noise"


def test_absent_and_empty_quotes_are_not_found() -> None:
    assert cited("I like tea.", "I like coffee") is None
    assert cited("I like tea.", "") is None
    assert cited("I like tea.", " \u200b ") is None
    assert cited("", "x") is None


def test_a_quote_is_looked_for_in_its_range_only() -> None:
    view = ModelView.of("I like tea. He likes tea.")
    assert view.find("tea", 12, 25) == (21, 24)
    assert view.find("I like", 12, 25) is None


def test_chunks_end_at_sentences_and_cover_the_text() -> None:
    view = ModelView.of("One two three. Four five six. Seven eight nine.")
    parts = [view.text[start:end] for start, end in view.chunks(30)]
    assert parts == ["One two three. Four five six. ", "Seven eight nine."]


def test_text_without_sentence_ends_is_cut_at_the_size() -> None:
    assert ModelView.of("x" * 25).chunks(10) == [(0, 10), (10, 20), (20, 25)]


@given(st.text(max_size=200), st.integers(min_value=1, max_value=50))
def test_any_text_maps_back_within_bounds(original: str, size: int) -> None:
    view = ModelView.of(original)
    assert len(view.text) == len(view.starts) == len(view.ends)
    assert all(0 <= start < end <= len(original) for start, end in zip(view.starts, view.ends, strict=True))
    assert all(visible(char) for char in view.text)
    ranges = view.chunks(size)
    assert "".join(view.text[start:end] for start, end in ranges) == view.text
    assert all(0 < end - start <= size for start, end in ranges)


@given(st.text(alphabet="ab \n\u200b\u0301é’.", min_size=1, max_size=40), st.data())
def test_every_cut_of_the_view_is_found_again(original: str, data: st.DataObject) -> None:
    view = ModelView.of(original)
    if not view.text.strip():
        return
    start = data.draw(st.integers(0, len(view.text) - 1))
    end = data.draw(st.integers(start + 1, len(view.text)))
    at = view.find(view.text[start:end], 0, len(view.text))
    assert at is not None
    assert shown(view.span(*at).of(original)).find(view.text[at[0] : at[1]].strip("\u0301")) >= 0
