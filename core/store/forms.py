"""The other forms of an English word: whoever asks "when did Ada paint it?" is answered by "Ada painted it in May".

Only the question's words are spread out, so that nothing stored depends on it. A form that no text holds costs one look
into the index; a word of another language keeps its own form, and the regular endings beside it find nothing.
Pure: standard library only.
"""

from __future__ import annotations

from functools import lru_cache

_SHORTEST = 3  # letters of a word that has other forms
_VOWELS = frozenset("aeiou")
_DOUBLED_UP_TO = 6  # letters: longer words rarely double their last letter ("travel", "open")

# Verbs and nouns whose forms do not follow from one another; each line is one word.
_IRREGULAR = """
go goes went gone going|do does did done doing|make makes made making|take takes took taken taking
get gets got gotten getting|give gives gave given giving|come comes came coming|see sees saw seen seeing
know knows knew known|think thinks thought thinking|find finds found finding|tell tells told telling
say says said saying|buy buys bought buying|bring brings brought bringing|teach teaches taught teaching
catch catches caught catching|meet meets met meeting|leave leaves left leaving|feel feels felt feeling
keep keeps kept keeping|begin begins began begun beginning|write writes wrote written writing
run runs ran running|swim swims swam swum swimming|drive drives drove driven driving|ride rides rode ridden riding
eat eats ate eaten eating|drink drinks drank drunk drinking|fly flies flew flown flying|grow grows grew grown growing
draw draws drew drawn drawing|sing sings sang sung singing|speak speaks spoke spoken speaking
break breaks broke broken breaking|choose chooses chose chosen choosing|wear wears wore worn wearing
win wins won winning|lose loses lost losing|sell sells sold selling|send sends sent sending
spend spends spent spending|build builds built building|hold holds held holding|stand stands stood standing
understand understands understood|sit sits sat sitting|sleep sleeps slept sleeping|fall falls fell fallen falling
hear hears heard hearing|pay pays paid paying|lead leads led leading|hide hides hid hidden hiding
fight fights fought fighting|throw throws threw thrown throwing|show shows showed shown showing
steal steals stole stolen|wake wakes woke woken waking|shake shakes shook shaken|bite bites bit bitten
forget forgets forgot forgotten|forgive forgives forgave forgiven|freeze freezes froze frozen|deal deals dealt
lend lends lent|bend bends bent|mean means meant|burn burns burnt burned|learn learns learnt learned learning
dream dreams dreamt dreamed|child children|man men|woman women|foot feet|tooth teeth|mouse mice|goose geese
wife wives|life lives|knife knives|leaf leaves|shelf shelves|half halves|loaf loaves
"""
_FAMILIES = [frozenset(line.split()) for line in _IRREGULAR.replace("\n", "|").split("|") if line.strip()]
_FAMILY_OF: dict[str, frozenset[str]] = {}
for _family in _FAMILIES:
    for _word in _family:
        _FAMILY_OF[_word] = _FAMILY_OF.get(_word, frozenset()) | _family


@lru_cache(maxsize=4096)
def forms(word: str) -> tuple[str, ...]:
    """The word and its other forms, sorted after it; the word alone where it has none that are known.

    Args:
        word: one folded word, lower case.
    """
    if len(word) < _SHORTEST or not word.isascii() or not word.isalpha():
        return (word,)
    found = set(_FAMILY_OF.get(word, ()))
    if not found:
        bases = _bases(word) or {word}
        found = bases.union(*(_endings(base) for base in bases))
    return (word, *sorted(found - {word}))


def _bases(word: str) -> set[str]:
    """What a word ending in -ed or -ing may be a form of; more than one guess, since spelling does not say."""
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < _SHORTEST - (ending == "ed") or not _VOWELS & set(stem):
            continue
        found = {stem, stem + "e"}
        if stem[-1] == stem[-2:-1] and stem[-1] not in "sl":
            found.add(stem[:-1])
        if stem.endswith("i"):
            found = {stem[:-1] + "y"}
        return found
    return set()


def _endings(base: str) -> set[str]:
    if base.endswith("e"):
        return {base[:-1] + "ing", base + "d"}
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return {base + "ing", base[:-1] + "ied"}
    found = {base + "ing", base + "ed"}
    short = len(base) <= _DOUBLED_UP_TO and base[-1] not in "aeiouwxy"
    if short and base[-2:-1] in _VOWELS and base[-3:-2] not in _VOWELS:
        found |= {base + base[-1] + "ing", base + base[-1] + "ed"}
    return found
