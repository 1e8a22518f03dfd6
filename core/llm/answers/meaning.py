"""From words to canonical meanings, by language: the index over `lexicon`, `asked` and `classes`."""

from __future__ import annotations

from functools import lru_cache

from core.llm.answers.asked import RELATIONS, TRIGGERS
from core.llm.answers.lexicon import ROWS
from core.llm.answers.words import LANGUAGES, alike, stem

MARK = "§"  # prefixes a canonical word that a phrase pattern put in place of several words


def _index(column: int) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for canonical, row in ROWS.items():
        words = row[column].split() + ([canonical] if column == 0 else [])
        for word in words:
            found.setdefault(stem(word), set()).add(canonical)
    if column == 0:
        for canonical in (*TRIGGERS, *RELATIONS):
            found.setdefault(stem(canonical), set()).add(canonical)
    return {key: frozenset(values) for key, values in found.items()}


_BY_LANGUAGE: dict[str, dict[str, frozenset[str]]] = {
    language: _index(column) for column, language in enumerate(LANGUAGES) if language != "zh"
}
CHINESE: list[tuple[str, str]] = sorted(
    ((word, canonical) for canonical, row in ROWS.items() for word in row[LANGUAGES.index("zh")].split()),
    key=lambda pair: -len(pair[0]),
)


@lru_cache(maxsize=8192)
def meanings(word: str, language: str) -> frozenset[str]:
    """Canonical words that `word` stands for in `language`; English is tried for words borrowed from it."""
    if word.startswith(MARK):
        return frozenset({word[len(MARK) :]})
    key = stem(word)
    own = _BY_LANGUAGE.get(language, {}).get(key, frozenset())
    return own or (_BY_LANGUAGE["en"].get(key, frozenset()) if language != "zh" else frozenset())


def chinese_meanings(text: str) -> list[tuple[str, str]]:
    """(substring, canonical word) for every Chinese entry found in `text`, longest first, without overlaps."""
    found: list[tuple[str, str]] = []
    rest = text
    for word, canonical in CHINESE:
        if word in rest:
            found.append((word, canonical))
            rest = rest.replace(word, " ")
    return found


def among(key: str, stems: frozenset[str]) -> bool:
    """Whether the stem `key` is one of `stems`, allowing for endings."""
    return key in stems or (len(key) > 4 and any(alike(key, other) for other in stems))  # noqa: PLR2004
