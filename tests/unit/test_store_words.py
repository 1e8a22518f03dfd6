"""The tokeniser of the lexical search."""

from __future__ import annotations

import re
from itertools import product

import pytest

from core.model import Scope
from core.store.words import (
    MAX_INDEXED,
    MAX_QUERIED,
    MAX_WORD,
    any_of,
    content_words,
    each_of,
    mark_of,
    two_of,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ann's cats, 2 allergies!", ["ann", "s", "cat", "2", "allergy"]),
        ("Él es alérgico", ["el", "es", "alergico"]),
        ("STRASSE Straße", ["strasse"]),
        ("glass gas bus", ["glass", "gas", "bus"]),
        ("青霉素", ["青霉", "霉素", "青", "霉", "素"]),
        ("iPhone用户", ["iphone", "用户", "用", "户"]),
        ("snake_case e-mail", ["snake", "case", "e", "mail"]),
        ("ﬁle ２０２６", ["file", "2026"]),
        ("", []),
    ],
)
def test_words_of(text, words):
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("What am I allergic to?", ["allergic"]),
        ("¿Dónde vivo yo?", ["vivo"]),
        ("Wo wohne ich?", ["wohne"]),
        ("Où est mon bureau ?", ["bureau"]),
        ("我对什么过敏？", ["过敏"]),
        ("who are you", []),
        ("war", ["war"]),
        ("我", ["我"]),
        ("?!", []),
    ],
)
def test_content_words(query, words):
    assert content_words(query) == words


def test_limits():
    assert len(words_of(" ".join(f"w{n}" for n in range(MAX_INDEXED + 50)))) == MAX_INDEXED
    assert content_words(" ".join(["ab"] + [f"longword{n}" for n in range(30)]))[0] == "longword10"
    assert len(content_words(" ".join(f"w{n}" for n in range(30)))) == MAX_QUERIED
    assert words_of("x" * 500) == ["x" * MAX_WORD]


def test_queries_are_quoted():
    assert any_of([]) is None
    assert two_of([["a"]]) is None
    assert any_of([["a'b"], ["c\\"]]) == "'a''b' | 'c\\\\'"
    assert two_of([["a"], ["b"], ["c", "d"]]) == "(('b') & ('c' | 'd')) | (('a') & ('b' | 'c' | 'd'))"
    assert each_of([["a"], ["b", "bed"]]) == ["'a'", "'b' | 'bed'"]
    assert any_of([["a", "b"], ["b"]]) == "'a' | 'b'"


@pytest.mark.parametrize("size", range(2, 8))
def test_two_of_matches_exactly_where_two_words_stand(size):
    names = [f"w{n}" for n in range(size)]
    asked = two_of([[name] for name in names])
    for held in product((True, False), repeat=size):
        told = re.sub(r"'w(\d)'", lambda match, held=held: str(held[int(match[1])]), asked)
        assert eval(told) == (sum(held) >= 2)  # noqa: S307 - "and" and "or" of what stands and what does not


def test_marks_differ_by_every_part_of_the_scope():
    scopes = [
        Scope(tenant="a", owner="b", agent="c"),
        Scope(tenant="ab", owner="b", agent="c"),
        Scope(tenant="a", owner="bc", agent="c"),
        Scope(tenant="a", owner="b", agent="d"),
    ]
    assert len({mark_of(scope) for scope in scopes}) == 4
