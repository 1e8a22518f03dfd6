"""Typed-fast English written out: "w/", "yrs", "dont", "outta". Offsets into the original are kept.

Only words that no neighbouring language uses are written out, and only in a turn that reads as English.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_WRITTEN = {
    "u": "you",
    "ur": "your",
    "urs": "yours",
    "pls": "please",
    "plz": "please",
    "plss": "please",
    "thx": "thanks",
    "tmrw": "tomorrow",
    "tmr": "tomorrow",
    "tomoz": "tomorrow",
    "yrs": "years",
    "yr": "year",
    "mths": "months",
    "hrs": "hours",
    "mins": "minutes",
    "wks": "weeks",
    "rly": "really",
    "rlly": "really",
    "prob": "probably",
    "probs": "probably",
    "defo": "definitely",
    "def": "definitely",
    "bc": "because",
    "bcs": "because",
    "bcoz": "because",
    "cuz": "because",
    "coz": "because",
    "tho": "though",
    "thru": "through",
    "gonna": "going to",
    "gotta": "have to",
    "wanna": "want to",
    "outta": "out of",
    "kinda": "kind of",
    "sorta": "sort of",
    "lotta": "lot of",
    "b'day": "birthday",
    "bday": "birthday",
    "b-day": "birthday",
    "bdays": "birthdays",
    "appt": "appointment",
    "fave": "favourite",
    "fav": "favourite",
    "faves": "favourites",
    "convo": "conversation",
    "ppl": "people",
    "dunno": "don't know",
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "cant": "can't",
    "wont": "won't",
    "isnt": "isn't",
    "arent": "aren't",
    "wasnt": "wasn't",
    "havent": "haven't",
    "hasnt": "hasn't",
    "couldnt": "couldn't",
    "wouldnt": "wouldn't",
    "shouldnt": "shouldn't",
    "thats": "that's",
    "whats": "what's",
    "theres": "there's",
    "hes": "he's",
    "shes": "she's",
    "theyre": "they're",
    "youre": "you're",
    "weve": "we've",
    "youve": "you've",
    "theyve": "they've",
    "ive": "I've",
    "im": "I'm",
    "w/": "with",
    "w/o": "without",
}


_WORDS = "|".join(
    sorted((re.escape(word) for word in _WRITTEN if word.isalpha() or "'" in word), key=len, reverse=True)
)
_SHORT = re.compile(rf"(?<![\w'@./#$-])(?:w/o\b|w/(?=[\s\w])|b-day\b|(?:{_WORDS})(?![\w'@(=/-]|\.\w))", re.IGNORECASE)


_ENGLISH = re.compile(
    r"(?<![\w'])(?:the|i'm|im|i|i've|ive|is|my|and|with|you|u|was|have|for|that|we|our|it's|its|of|at|to|it|not|on|"
    r"this|are|be|so|but|just|can|live|work|love|hate|like|no|call|need|got|from|please|pls)(?![\w'])",
    re.IGNORECASE,
)


_FOREIGN = re.compile(
    r"(?<!\w)(?:ich|und|nicht|der|das|ist|ein|eine|mein|meine|je|j'ai|suis|et|est|les|des|mon|ma|que|el|los|las|soy|"
    r"mi|con|para|por|io|sono|che|il|di|eu|sou|com|não|meu|vom|wir|auf|zum|zur|pas|pour|avec)(?!\w)",
    re.IGNORECASE,
)


class Written(NamedTuple):
    """Text with its shorthand written out; `origin[i]` is the character that became character i (None: unchanged)."""

    text: str
    origin: tuple[int, ...] | None = None

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of the text before writing out that became [start, end)."""
        if self.origin is None or end <= start:
            return start, end
        return self.origin[start], self.origin[end - 1] + 1


def write_out(text: str) -> Written:
    """`text` with its shorthand written out, if it is English."""
    head = text[:2000]
    if not _SHORT.search(text) or len(_ENGLISH.findall(head)) <= 2 * len(_FOREIGN.findall(head)):
        return Written(text)
    pieces: list[str] = []
    origin: list[int] = []
    at = 0
    for found in _SHORT.finditer(text):
        short = found.group()
        if short.isupper() and len(short) > 1 and not text.isupper():
            continue  # "BC", "PPL": an abbreviation of something else
        full = _WRITTEN[short.lower()]
        if short == "w/" and text[found.end() : found.end() + 1] != " ":
            full += " "
        shown = full[0].upper() + full[1:] if short[0].isupper() and short != "U" else full
        pieces += (text[at : found.start()], shown)
        last = found.end() - 1
        origin += range(at, found.start())
        origin += [min(found.start() + index, last) for index in range(len(shown) - 1)] + [last]
        at = found.end()
    origin += range(at, len(text))
    return Written("".join(pieces) + text[at:], tuple(origin))
