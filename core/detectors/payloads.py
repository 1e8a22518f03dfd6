"""Text inside text: base64, hexadecimal, percent, character codes, Morse, rot13, letters replaced by digits. Pure.

Each reader gives the decoded words, and only if they are words: addresses, hashes and identifiers decode to noise.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import urllib.parse
from collections.abc import Callable, Iterator

_LONGEST = 4000
_BASE64 = re.compile(rf"(?<![\w+/=-])[A-Za-z0-9+/_-]{{16,{_LONGEST}}}={{0,2}}(?![\w+/=])")
_HEX = re.compile(rf"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{{2}}[ :]?){{12,{_LONGEST}}}(?![0-9A-Za-z])")
_ESCAPED = re.compile(
    r"(?:\\x[0-9a-fA-F]{2}|\\u\{?00[0-9a-fA-F]{2}\}?|&#x?[0-9a-fA-F]{2,3};|0x[0-9a-fA-F]{2}[, ]*){6,2000}"
)
_CODE = re.compile(r"(?:\\x|\\u\{?00|&#x|0x)([0-9a-fA-F]{2})|&#([0-9]{2,3});")
_PERCENT = re.compile(
    r"(?<![\w.~%-])(?:%[0-9a-fA-F]{2}|[\w.~-]){0,200}(?:%(?:4[1-9a-fA-F]|5[0-9aA]|6[1-9a-fA-F]|7[0-9aA])){4}[\w%.~-]{0,2000}"
)
_BINARY = re.compile(r"(?<!\d)(?:[01]{8}[ ,]?){6,2000}(?!\d)")
_NUMBERS = re.compile(r"(?<![\d.])(?:\d{2,3}[, ]{1,2}){7,2000}\d{2,3}(?![\d.])")
_MORSE = re.compile(r"(?:[.\-]{1,5}(?: ?/ ?| {1,3})){12,2000}[.\-]{1,5}")
_MORSE_SIGNS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
)
_MORSE_LETTERS = dict(zip(_MORSE_SIGNS.split(), "abcdefghijklmnopqrstuvwxyz", strict=True))
_LEET = str.maketrans("013457@$!|", "oieastasil")
_LEET_WORD = re.compile(r"(?<![\w@$!])(?=[\w@$!|]*[a-zA-Z])(?=[\w@$!|]*[013457@$!|])[\w@$!|]{2,40}(?![\w@$])")
_WORDS = re.compile(r"[a-z']+")
_FREQUENT = (
    "a all an and any are as at be by call do every follow for forward from have if in into is it me must never not "
    "of "
    "on or our out please send so tell that the them then this to use user was we when will with you your"
)
_COMMON = frozenset(_FREQUENT.split())
_SHORT = ("as", "an", "be", "on", "or", "in", "it", "is", "at", "by", "do", "if", "me", "of", "so", "to", "we", "a")
_ROT = frozenset(codecs.encode(word, "rot13") for word in _COMMON.difference(_SHORT))  # "or" is "be"
_FEWEST, _SHARE = 3, 0.12


def readable(text: str) -> bool:
    """Whether the text is a run of English words rather than noise that happens to decode."""
    if not text or sum(char.isprintable() or char in "\n\t" for char in text) < 0.95 * len(text):
        return False
    words = _WORDS.findall(text.lower())
    letters = sum(map(len, words)) + text.count(" ")
    known = sum(word in _COMMON for word in words)
    return len(words) >= _FEWEST and letters > 0.7 * len(text) and known >= max(1, _SHARE * len(words))


def _base64(run: str) -> str:
    padded = run.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(padded + "=" * (-len(padded) % 4)).decode("utf-8")


def _hex(run: str) -> str:
    return bytes.fromhex(re.sub("[ :]", "", run)).decode("utf-8")


def _escaped(run: str) -> str:
    return "".join(chr(int(found[1], 16) if found[1] else int(found[2])) for found in _CODE.finditer(run))


def _binary(run: str) -> str:
    return "".join(chr(int(byte, 2)) for byte in re.findall("[01]{8}", run))


def _numbers(run: str) -> str:
    return "".join(chr(int(number)) for number in re.findall(r"\d+", run))


def _morse(run: str) -> str:
    words = re.split(r" ?/ ?| {2,3}", run)
    return " ".join("".join(_MORSE_LETTERS.get(sign, "") for sign in word.split()) for word in words)


_READERS: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("base64", _BASE64, _base64),
    ("hexadecimal", _HEX, _hex),
    ("escaped characters", _ESCAPED, _escaped),
    ("percent escapes", _PERCENT, urllib.parse.unquote),
    ("binary", _BINARY, _binary),
    ("character codes", _NUMBERS, _numbers),
    ("Morse", _MORSE, _morse),
)


def _rot13(text: str) -> Iterator[str]:
    for sentence in re.split(r"[.!?:\n]\s*", text):
        words = _WORDS.findall(sentence.lower())
        turned, known = sum(word in _ROT for word in words), sum(word in _COMMON for word in words)
        if turned > 1 and turned >= _SHARE * len(words) and known < turned:
            yield codecs.encode(sentence, "rot13")


def decoded(text: str) -> list[tuple[str, str]]:
    """Pairs of (encoding, words) for every run that decodes to readable words."""
    found = []
    for name, pattern, read in _READERS:
        for run in pattern.findall(text):
            try:
                words = read(run)
            except (ValueError, binascii.Error, OverflowError):  # noise: not in this encoding after all
                continue
            if readable(words):
                found.append((name, words))
    return found + [("rot13", words) for words in _rot13(text)]


def unleet(text: str) -> str:
    """The text with digits and signs inside words read as the letters they look like."""
    return _LEET_WORD.sub(lambda run: run[0].translate(_LEET), text)
