"""Turning a speaker's sentence into one addressed to the speaker: "I'm at home" becomes "You are at home."."""

from __future__ import annotations

import re

_PAIRS = {
    "i'm": "you are",
    "im": "you are",
    "i am": "you are",
    "i've": "you have",
    "ive": "you have",
    "i'd": "you would",
    "i'll": "you will",
    "i was": "you were",
    "i wasn't": "you weren't",
    "am i": "are you",
    "was i": "were you",
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "we're": "you are",
    "we are": "you are",
    "we've": "you have",
    "we'd": "you would",
    "we'll": "you will",
    "we": "you",
    "us": "you",
    "our": "your",
    "ours": "yours",
    "ourselves": "yourselves",
    "shes": "she is",
    "hes": "he is",
    "dont": "don't",
    "cant": "can't",
    "am": "are",
}


_FIRST = re.compile(
    r"(?<![\w'@.-])(?:i'm|im|i am|i've|ive|i'd|i'll|i was|i wasn't|am i|was i|i|me|my|mine|myself|"
    "we're|we are|we've|we'd|we'll|we"
    r"|us|our|ours|ourselves|shes|hes|dont|cant|am)(?![\w'@]|\.\w|-\w)",
    re.IGNORECASE,
)


_UPPER_ABBREVIATION = frozenset({"US", "AM", "ME"})


_CLOCK_BEFORE = re.compile(r"\d ?$")


_TRAILING = " \t\n,;:-–—."


def second_person(text: str) -> str:
    """`text` with the first person turned into the second."""

    def swap(match: re.Match[str]) -> str:
        word = match.group()
        if word in _UPPER_ABBREVIATION or (word.lower() == "am" and _CLOCK_BEFORE.search(text, 0, match.start())):
            return word
        return _PAIRS[word.lower()]

    return _FIRST.sub(swap, text)


_SECOND = re.compile(r"\b(?:you're|you are|your|yours|you)\b", re.IGNORECASE)


_TO_ASSISTANT = {
    "you're": "the assistant is",
    "you are": "the assistant is",
    "your": "the assistant's",
    "yours": "the assistant's",
    "you": "the assistant",
}


def to_assistant(text: str) -> str:
    """`text` with "you" named as the assistant, so that turning the speaker into "you" stays readable."""
    return _SECOND.sub(lambda match: _TO_ASSISTANT[match.group().lower()], text)


def sentence(text: str) -> str:
    """`text` as one sentence: trimmed, capitalised, with an end mark."""
    trimmed = " ".join(text.split()).strip(_TRAILING)
    if not trimmed:
        return ""
    shown = trimmed[0].upper() + trimmed[1:]
    return shown if shown[-1] in "!?。" else shown + "."


def addressed(text: str) -> str:
    """`text` as one sentence addressed to its speaker."""
    return sentence(second_person(text))
