"""Text to comparable words: folding, light stemming, contractions, and the language of a message.

Pure and forgiving: every function takes any string, however odd, and returns something usable.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

LONGEST = 4000  # code points of a message that are analysed; a longer one is a paste, not a question
LANGUAGES = ("en", "es", "de", "fr", "zh")


def word_set(text: str) -> frozenset[str]:
    """The words of a plain list, as a set."""
    return frozenset(text.split())


_INVISIBLE = re.compile("[\u0000-\u0008\u000b-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_WORD = re.compile(r"[^\W_]+(?:[.,:/]\d[^\W_]*)*")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_NOTICE = 2  # fewer letters than this say nothing about a language
_MARKS: dict[str, str] = {"es": "¿¡ñ", "de": "ßäöü", "fr": "çœêèàùîô"}
_COMMON: dict[str, frozenset[str]] = {
    "en": word_set(
        "a no me us the is are am was were what where who when how which why do does did i my me you your we our and "
        "of to in on for with it its that this have has not can should name list tell about hi hello thanks "
        "please from at"
    ),
    "es": word_set(
        "el los las una que qué cuál cuáles cuándo dónde cómo quién cuánto cuántos mi mis yo soy tengo vivo "
        "es está son y de del por para con se llama llamo me te tu hola gracias en no sí a al le lo estoy "
        "trabajo nuestro"
    ),
    "de": word_set(
        "der die das ein eine ist sind bin was wo wer wann wie welche welcher welches warum ich mein meine "
        "meinen meiner meinem und nicht mit für von zu im auf habe hat kein keine keinen hallo danke bitte "
        "heißt wohne den dem es du mir mich unser unsere arbeite muss werden wird"
    ),
    "fr": word_set(
        "le les un une des est sont suis que quoi quel quelle quels quelles où qui quand comment pourquoi "
        "sais sait moi toi dis dois doit fait "
        "combien je mon ma mes et pas avec pour de du au aux en dans ai bonjour merci tu me notre nos "
        "habite travaille appelle sur ne il elle âge"
    ),
}
_CONTRACTIONS = (
    (re.compile(r"\b(what|when|where|who|how|which|why|there|here|that|it|he|she)['’]s\b", re.IGNORECASE), r"\1 is"),
    (
        re.compile(r"\b(what|when|where|who|how)s\b(?=\s+(?:my|our|the|your|his|her|their|a)\b)", re.IGNORECASE),
        r"\1 is",
    ),
    (re.compile(r"\bcan['’]?t\b|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will not"),
    (
        re.compile(r"\b(do|does|did|is|are|was|were|should|would|could|have|has|must)n['’]?t\b", re.IGNORECASE),
        r"\1 not",
    ),
    (re.compile(r"\b(i)['’]m\b", re.IGNORECASE), r"\1 am"),
    (re.compile(r"\b(i|we|you|they)['’](?:ve)\b", re.IGNORECASE), r"\1 have"),
    (re.compile(r"\b(you|we|they|who|what)['’](?:re)\b", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\b(i|we|you|they|he|she|it|who|what)['’](?:ll)\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(i|we|you|they|he|she|who)['’](?:d)\b", re.IGNORECASE), r"\1 would"),
)
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")


def clean(message: str) -> str:
    """The message without invisible characters, NFKC, straight apostrophes, single spaces, cut to a sane length."""
    text = unicodedata.normalize("NFKC", message[:LONGEST].encode("utf-8", "ignore").decode("utf-8", "ignore"))
    return re.sub(r"[ \t\r\f\v]+", " ", _INVISIBLE.sub("", text).replace("’", "'").replace("‘", "'")).strip()


def expand(text: str) -> str:
    """English contractions written out, so that "what's" and "what is" read alike."""
    for pattern, plain in _CONTRACTIONS:
        text = pattern.sub(plain, text)
    return text


@lru_cache(maxsize=8192)
def fold(word: str) -> str:
    """Case-folded, without accents and umlauts: "Lucía" and "lucia" compare equal."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A light stem for comparison: plural, -ing, -ed, -er, -ly and final -e removed, British spelling levelled."""
    w = fold(word)
    if not w.isalpha() or not w.isascii() or len(w) <= 3:  # noqa: PLR2004 - short words and numbers have no endings
        return w
    w = w.replace("ae", "e").replace("oe", "e") if len(w) > 4 else w  # noqa: PLR2004 - coeliac, celiac
    w = re.sub(r"our(?=s?$|it|er|ed|ing|ful)", "or", w) if len(w) > 4 else w  # noqa: PLR2004 - colour, favourite
    w = re.sub(r"is(?=e[sd]?$|ing$|ation)", "iz", w)
    if w.endswith("ies") and len(w) > 4:  # noqa: PLR2004
        w = w[:-3] + "y"
    elif w.endswith("s") and not w.endswith(("ss", "us", "is")):
        w = w[:-1]
    for ending, least in (("ing", 6), ("ed", 5), ("ly", 6), ("er", 6)):
        if w.endswith(ending) and len(w) >= least and not w.endswith("eer"):
            w = _DOUBLED.sub(r"\1", w[: -len(ending)])
            break
    if w.endswith("e") and len(w) > 3:  # noqa: PLR2004
        w = w[:-1]
    return w[:-1] + "i" if w.endswith("y") else w


def tokens(text: str) -> list[str]:
    """The words of a text in order; hyphens and apostrophes divide, decimal points and clock colons do not."""
    return _WORD.findall(text)


def alike(left: str, right: str) -> bool:
    """Whether two stems belong to one word: equal, or long and equal but for a short ending."""
    if left == right:
        return True
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) < 5 or not longer.isalpha():  # noqa: PLR2004 - short stems must be equal
        return False
    return longer.startswith(shorter[: max(5, len(shorter) - 1)]) and len(longer) - len(shorter) <= 3  # noqa: PLR2004


def is_chinese(text: str) -> bool:
    """Whether the text holds Han characters."""
    return _HAN.search(text) is not None


def language_of(message: str, *, default: str = "en") -> str:
    """One of the five languages the responder speaks, by script and common words; `default` when nothing tells."""
    if is_chinese(message):
        return "zh"
    words = [w.casefold() for w in tokens(message)]
    if sum(len(w) for w in words) < _NOTICE:
        return default
    points = {lang: sum(2 for w in words if w in common) for lang, common in _COMMON.items()}
    for lang, marks in _MARKS.items():
        points[lang] += 1 if any(c in marks for c in message.casefold()) and points[lang] else 0
    if any(c in "¿¡" for c in message):
        points["es"] += 3
    points["fr"] += 2 * len(re.findall(r"(?i)\b(?:[jldnc]|qu)'[^\W\d_]", message)) if points["fr"] else 0
    best = max(points, key=lambda lang: (points[lang], lang == default, lang == "en"))
    return best if points[best] else default
