"""The words of a text as the lexical search sees them: one tokeniser for writing and for asking.

Works without knowing the language. Scripts with spaces give folded words (NFKD, case-folded, marks dropped, a plural
s dropped);
scripts without spaces give single characters and overlapping pairs, so that 青霉素 is found in 对青霉素过敏.
Pure: standard library only.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from core.model import Scope
from core.store.forms import forms

MAX_WORD = 64  # characters of one lexeme; longer runs are keys or noise
MAX_INDEXED = 4000  # lexemes of one memory
MAX_QUERIED = 10  # content words of one query
_MIN_PLURAL = 4  # characters: shorter words keep their s ("gas", "bus")

_WORD = re.compile(r"[^\W_]+")
# Han, kana, Hangul, Thai, Lao, Myanmar, Khmer: no spaces, or words too inflected to be matched whole.
_DENSE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)

# Function words that say nothing about what is asked: English, Spanish, German, French.
_STOP_TEXT = """
a about after all also am an and any are as at be been before but by can could did do does for from get had has have
he her hers him his how i if in into is it its just know let like me mine my of on or our ours please remember she
should so some tell than that the their them then there these they this those to too up us was we were what when
where which who whom whose why will with would you your yours again ever currently now s t re ve ll d m don
al algo como con cual cuando cuanto de del donde el ella ellos en era es esta estan este esto estoy fue ha hay la
las le les lo los mas me mi mis muy no nos o para pero por porque que quien se ser si sin sobre soy su sus te tengo
tiene tu tus un una unas uno unos y ya yo
aber als am auf aus bei bin bis das dass dem den der des die dir du ein eine einem einen einer er es fur habe haben
hat hast ich ihm ihr im ist ja kann mein meine meinem meinen meiner mich mir mit nach nicht noch nur oder sein seine
sich sie sind uber um und uns vom von vor wann war warum was welche welchen welcher welches wem wen wenn wer wie wir
wird wo wurde zu zum zur
au aux avec ce ces cette dans des du elle elles est et ete etait etes eu il ils j je l leur leurs lui ma mais mes
moi mon n nous on ont ou par pas pour qu quand que quel quelle quelles quels qui sa sans ses son sont sur suis ta
tes toi ton une vos votre vous c
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())
# Chinese function characters and question words, one by one; a pair that holds one is noise in a query.
_STOP_CHARS = frozenset("我你您他她它们的了是在吗呢么什怎哪谁吧啊和与跟对有这那都就也很几请问会要被把给让还")


def words_of(text: str) -> list[str]:
    """Every lexeme of `text`, in order of first appearance, without repeats; at most `MAX_INDEXED`."""
    found: dict[str, None] = {}
    for run in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        for lexeme in _lexemes(run, indexing=True):
            found.setdefault(lexeme)
        if len(found) >= MAX_INDEXED:
            break
    return list(found)[:MAX_INDEXED]


def content_words(query: str) -> list[str]:
    """The lexemes of a query that carry its meaning: no stop words, unless one is all there is ("die", "war").

    At most `MAX_QUERIED`; of more, the longest are kept, since they tell most.
    """
    every: dict[str, None] = {}
    kept: dict[str, None] = {}
    for run in _WORD.findall(unicodedata.normalize("NFKC", query).casefold()):
        for lexeme in _lexemes(run, indexing=False):
            every.setdefault(lexeme)
            if not _is_stop(lexeme) and _fold(run) not in STOP_WORDS:
                kept.setdefault(lexeme)
    # Several stop words alone ("who are you") are in every other row and tell nothing: meaning must find the answer.
    chosen = list(kept or (every if len(every) == 1 else ()))
    if len(chosen) > MAX_QUERIED:
        best = set(sorted(chosen, key=len, reverse=True)[:MAX_QUERIED])
        chosen = [word for word in chosen if word in best][:MAX_QUERIED]
    return chosen


def mark_of(scope: Scope) -> str:
    """Prefix of every stored lexeme of a scope: the inverted index then leads with the owner, as every key does."""
    name = f"{scope.tenant}\x1f{scope.owner}\x1f{scope.agent}"
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:10] + ":"


def marked(scope: Scope, lexemes: list[str]) -> list[str]:
    """The lexemes as they are stored."""
    mark = mark_of(scope)
    return [mark + lexeme for lexeme in lexemes]


def spread(lexemes: Sequence[str]) -> list[list[str]]:
    """Each lexeme of a query with its other forms, as a text may hold them."""
    return [list(dict.fromkeys([one, *(form for word in forms(one) for form in _spaced(word))])) for one in lexemes]


def each_of(words: Sequence[Sequence[str]]) -> list[str]:
    """One tsquery literal a word, to count how many of them a text holds; each word is given with its forms."""
    return [" | ".join(map(_quoted, word)) for word in words]


def any_of(words: Sequence[Sequence[str]]) -> str | None:
    """A tsquery literal that matches one word or more, None without words. Quoted, so no word is an operator."""
    return " | ".join(dict.fromkeys(_quoted(form) for word in words for form in word)) or None


def two_of(words: Sequence[Sequence[str]]) -> str | None:
    """A tsquery literal that matches two different words or more, None when there are fewer.

    Two stand in one half of the words, or one in each: for ten words a third as long as naming every pair.
    """
    if len(words) < 2:  # noqa: PLR2004 - two of them
        return None
    half = len(words) // 2
    one, other = words[:half], words[half:]
    return " | ".join(filter(None, (two_of(one), two_of(other), f"(({any_of(one)}) & ({any_of(other)}))")))


def _lexemes(run: str, *, indexing: bool) -> list[str]:
    if run.isascii():
        return _spaced(run)
    found: list[str] = []
    at = 0
    for dense in _DENSE.finditer(run):
        found.extend(_spaced(run[at : dense.start()]))
        chars = dense.group()
        pairs = [chars[i : i + 2] for i in range(len(chars) - 1)]
        found.extend([*pairs, *chars] if indexing else pairs or [chars])
        at = dense.end()
    found.extend(_spaced(run[at:]))
    return found


def _spaced(word: str) -> list[str]:
    folded = _fold(word)[:MAX_WORD]
    if not folded:
        return []
    if len(folded) > _MIN_PLURAL and folded.endswith("ies"):
        return [folded[:-3] + "y"]
    if len(folded) >= _MIN_PLURAL and folded.endswith("s") and not folded.endswith("ss"):
        return [folded[:-1]]
    return [folded]


def _fold(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def _is_stop(lexeme: str) -> bool:
    if lexeme in STOP_WORDS:
        return True
    return bool(_DENSE.match(lexeme)) and any(c in _STOP_CHARS or "\u3040" <= c <= "\u309f" for c in lexeme)


def _quoted(lexeme: str) -> str:
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"
