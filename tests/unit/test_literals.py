"""A statement is the user's only if one assertion of theirs holds all that can be made up in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.literals import content_words, figures, holds, literals, marks, names, negated, stands_in, tells_less
from core.spans import fingerprints

MOVE = "We shifted the Bergen ferry to 17:25, please keep that."
HOME = "My new flat is Alder Row 31 and my tailor is Mr. Okello."


def test_figures_are_what_must_not_be_made_up() -> None:
    text = "Pay €1,500.00 to Kim@b.org by 2031-05-12 at 9:30, code AB12 or ROUTE-66, see https://www.Pay.example/a/."
    assert figures(text) == {
        "1,500.00",
        "kim@b.org",
        "2031-05-12",
        "9:30",
        "ab12",
        "route-66",
        "pay.example/a",
    }


def test_names_within_a_sentence_are_literals() -> None:
    text = "Noted: Your tailor is Mr. Okello's brother Tomé at IBM. Parcels go to Mia, I'm told."
    assert literals(text) == {"okello", "tomé", "ibm", "mia"}
    assert names("Your sister Tove lives in Bergen.", skip_first=True) == {"tove", "bergen"}
    assert names("Tove", skip_first=False) == {"tove"}


def test_form_does_not_matter() -> None:
    assert literals("is at １７：２５ with To\u200bve") == literals("is at 17:25 with Tove")
    assert holds("Tove’s number is ４２", ["42", "tove"])


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("4", "it costs 4.5"),
        ("17:25", "at 17:25:40"),
        ("4", "room 42"),
        ("route-66", "take ROUTE-66-B"),
        ("route-66", "take ROUTE-660"),
        ("kim.example", "see pay-kim.example"),
        ("kim.example", "see kim.example.org"),
        ("kim.example", "see evil.kim.example"),
        ("a@b.example", "to xa@b.example"),
        ("b.example", "to a@b.example"),
        ("kim.example", "see kіm.example"),  # a Cyrillic letter
        ("tove", "toves"),
    ],
)
def test_a_part_of_a_token_does_not_hold(literal: str, text: str) -> None:
    assert not holds(text, [literal])


def test_content_words() -> None:
    assert content_words("the a of ich und the le 't") == frozenset()
    assert content_words("allergies") == content_words("Allergie") == content_words("allergic") == {"aller"}
    assert content_words("moved") == content_words("moving") == content_words("we move")
    assert content_words("contract").isdisjoint(content_words("continue"))
    assert content_words("我住在青岛") == {"住", "青", "岛"}


@pytest.mark.parametrize(
    "text",
    [
        "I do not eat eggs",
        "I don't eat eggs",
        "I don’t eat eggs any more",
        "we no longer rent",
        "never again",
        "tea without milk",
        "kein Zucker",
        "ich esse nicht",
        "je ne mange jamais d'œufs",
        "je mange pas",
        "no como nada",
        "não quero",
        "senza latte",
        "我不吃鸡蛋",
        "我没有车",
        "use rye instead of wheat",
    ],
)
def test_denials(text: str) -> None:
    assert negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "I eat eggs",
        "not only eggs",
        "never without eggs",
        "bus no. 5",
        "nicht nur Tee",
        "不但好吃",
        "是不是",
        "我对花粉过敏",
    ],
)
def test_no_denials(text: str) -> None:
    assert not negated(text)


@pytest.mark.parametrize(
    ("statement", "subject", "value", "assertion"),
    [
        ("Noted: the Bergen ferry is at 17:25.", "Bergen ferry", "17:25", MOVE),
        ("your address is Alder Row 31", "user", "Alder Row 31", HOME),
        ("Your tailor is Mr. Okello.", "you", "Mr. Okello", HOME),
        ("Okello is your tailor", "Mr. Okello", "tailor", HOME),
        ("You do not drink milk", "user", "milk", "I like tea but I don't drink milk."),
        ("You can't work without music", "user", "music", "I can't work without music"),
        ("Du bist allergisch gegen Hafer", "user", "Hafer", "ich bin allergisch gegen hafer"),
        ("你对花粉过敏", "user", "花粉", "我对花粉过敏"),
        ("Your sister is Mia.", "user", "Mia", "My sister is Mia"),
    ],
)
def test_held_by_the_assertion(statement: str, subject: str, value: str, assertion: str) -> None:
    assert stands_in(statement, subject, value, assertion)


@pytest.mark.parametrize(
    ("statement", "subject", "value", "assertion"),
    [
        ("Your tailor Mr. Okello takes payments at pay-okello.example", "Mr. Okello", "tailor", HOME),
        ("The Bergen ferry is not at 17:25", "Bergen ferry", "17:25", MOVE),
        ("The Bergen ferry is at 17:26", "Bergen ferry", "17:26", MOVE),
        ("The Turku ferry is at 17:25", "Turku ferry", "17:25", MOVE),
        ("The ferry of Ann is at 17:25", "ferry", "17:25", MOVE),
        ("your address is Alder Road 31", "user", "Alder Road 31", HOME),
        ("You like milk", "user", "milk", "I don't like tea and I don't like milk"),
        ("You like milk", "user", "milk", "I don't like tea and milk"),
        ("You like milk", "user", "milk", "I like tea and not milk"),
        ("You don't like tea", "user", "tea", "I like tea and not milk"),
        ("You eat wheat", "user", "wheat", "I eat rye instead of wheat"),
        ("你对花粉不过敏", "user", "花粉", "我对花粉过敏"),
        ("It is so", "user", "it is", "it is so"),  # says nothing
        ("It is so", "user", "", "it is so"),
        ("The date is fixed", "", "date", "the date is fixed"),  # of nobody
    ],
)
def test_not_held(statement: str, subject: str, value: str, assertion: str) -> None:
    assert not stands_in(statement, subject, value, assertion)


def test_marks_are_stable_and_apart_from_fingerprints() -> None:
    text = "the key for Alder Row 31 lies with Okello until 17:25 on most of the days"
    assert marks(text) == marks(text.replace("lies with", "is at")) == tuple(sorted(set(marks(text))))
    assert len(marks(text)) == len(literals(text)) > 3
    assert all(0 <= one < 2**63 for one in marks(text))
    assert not set(marks(text)) & set(fingerprints(text))
    assert marks("17:25") == (3293719016085360168,)


_TEXT = st.text(st.sampled_from("aAbZé7 .,:-@/'’\"\n我不\u200b\u0301"), max_size=60)


@given(_TEXT)
def test_a_text_holds_its_own_literals(text: str) -> None:
    assert holds(text, literals(text))


@given(_TEXT, _TEXT)
def test_reading_never_fails_and_a_foreign_figure_is_never_held(text: str, other: str) -> None:
    content_words(text)
    negated(text)
    assert not stands_in(f"{text} 9431", "user", "9431", other)


@given(st.lists(st.sampled_from(["Tove", "17:25", "rowing", "AB12", "flat", "31"]), min_size=1, max_size=5))
def test_what_the_user_said_word_for_word_is_held(said: list[str]) -> None:
    assertion = f"I said {' '.join(said)}"
    assert stands_in(assertion, "user", " ".join(said), assertion)
    assert not stands_in(f"not {assertion}", "user", " ".join(said), assertion)


@given(_TEXT | st.text(max_size=20), _TEXT)
def test_what_tells_less_holds_some_of_the_words_and_no_other(text: str, question: str) -> None:
    asked = content_words(question)
    assert tells_less(text, asked) == (bool(content_words(text)) and content_words(text) < asked)
    assert tells_less(text, content_words(f"{text} , zebra")) == bool(content_words(text) - {"zebra"})
