"""The metric of answers against values of its authors' own code, and the stemmer against NLTK's stems."""

from __future__ import annotations

import pytest

from eval.answering import NOTHING
from eval.answers import report
from eval.porter import stem
from eval.token_f1 import f1, normalised, score


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("dies", "die"),
        ("died", "die"),
        ("cats", "cat"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("happy", "happi"),
        ("enjoy", "enjoy"),
        ("sky", "sky"),
        ("skies", "sky"),
        ("relational", "relat"),
        ("formaliti", "formal"),
        ("hopefulness", "hope"),
        ("electrical", "electr"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("controll", "control"),
        ("painting", "paint"),
        ("geology", "geolog"),
        ("is", "is"),
        ("2023", "2023"),
    ],
)
def test_words_are_stemmed_as_nltk_stems_them(word, stemmed):
    assert stem(word) == stemmed


def test_texts_are_compared_without_case_punctuation_and_articles():
    assert normalised("The cat, and a Dog!") == "cat dog"
    assert normalised("Theory of 1,000 things.") == "theory of 1000 things"


@pytest.mark.parametrize(
    ("answer", "gold", "value"),
    [
        ("7 May 2023", "7 May 2023", 1.0),
        ("on 7 May", "7 May 2023", 2 / 3),
        ("She painted a sunrise", "painting of the sunrise", 2 * (2 / 3) * (2 / 3) / (4 / 3)),
        ("nothing", "everything", 0.0),
        ("", "word", 0.0),
    ],
)
def test_f1_of_the_stems(answer, gold, value):
    assert f1(answer, gold) == pytest.approx(value)


def test_each_category_is_scored_by_its_own_rule():
    assert score("pottery, camping", "camping, pottery, swimming", 1) == pytest.approx(2 / 3)
    assert score("pottery, camping", "camping", 4) == pytest.approx(2 / 3)
    assert score("yes", "Yes; because she said so", 3) == 1.0
    assert score("yes", "Yes; because she said so", 2) < 1.0
    assert score("That is not mentioned.", "red", 5) == 1.0
    assert score("red", "red", 5) == 0.0


def test_a_right_refusal_is_told_beside_the_refusals_of_questions_that_have_an_answer():
    rows = [
        {"question": f"c/{nth}", "category": category, "way": "by rules", "answer": answer, "gold": "red"}
        for nth, (category, answer) in enumerate([(5, NOTHING), (4, NOTHING), (4, "red")])
    ]
    found = {row.claim: row for row in report(rows)}
    assert found["LoCoMo token-F1, by rules, adversarial"].figure == 1.0
    assert (
        found["LoCoMo token-F1, by rules, categories 1-4"].figure,
        found["LoCoMo token-F1, by rules, single-hop"].n,
    ) == (0.5, 2)
    declined = found["LoCoMo declined, by rules, categories 1-4"]
    assert (declined.figure, declined.n) == (0.5, 2)
