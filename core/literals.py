"""What a statement must not make up, and whether one assertion holds it: rules §1.4. Pure.

An attacker changes a number, a name or an address, or turns a sentence round with a "not". Those are compared as whole
tokens; of the other words only that they are there. Every doubt says no: a fact that is not the user's by this test
takes the trust of what the model saw.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from core.negation import cues, negated
from core.quotations import sentence_ranges
from core.wording import folded, mark, shown, unspaced

__all__ = ["content_words", "figures", "holds", "literals", "marks", "names", "negated", "stands_in", "tells_less"]

_LINK = re.compile(
    r"(?:https?://|www\.)[^\s<>\"“”«»「」]++|(?<![\w.+-])[\w.+-]++@[\w-]++\.\w[\w.-]*+|"
    r"(?<![\w.@-])(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?![\w@-])(?:/[^\s<>\"“”«»「」]*+)?",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?")
_NUMBER = re.compile(r"(?<![^\W_])\d+(?:[.,:/\-]\d+)*(?![^\W_])")
_CODE = re.compile(r"(?<![\w-])(?=[0-9-]*+[A-Z])(?=[A-Z-]*+\d)[A-Z0-9]++(?:-[A-Z0-9]++)+(?![^\W_])")
_TOKEN = re.compile(r"\w+")
_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:['’][^\W\d_]+)*(?!\w)")
_POSSESSIVE = re.compile(r"['’]s?$")
_SENTENCE = 500  # characters of a text up to which its words are kept for the next comparison
_KEPT = 64  # characters of a word up to which what it tells is kept; longer runs are keys or noise
_BEGINS = re.compile(r"[^\w]*")
_CLAUSE_END = re.compile(
    r"[,;:–—，；：、]\s*|\s(?:and|but|or|while|und|aber|oder|et|mais|ou|y|e|pero|ma|mas)\s", re.IGNORECASE
)
_OWNER = frozenset({"user", "the user", "you", "i", "me", "myself", "we", "owner", "speaker"})
_STEM = 5  # letters of a word without its ending: "allergy" against "allergisch", but not "contract" and "continue"
_ENDINGS = re.compile(r"(?<=\w{3})(?:ing|ed|es|en|er|e|s)$")

# Words that carry no fact: English, German, French, Spanish, Italian and Portuguese ones, accents dropped.
_FUNCTION_TEXT = """
a about after again all also am an and any are as at be been before being but by can could currently did do does for
from get got had has have he her hers him his how i if in into is it its just know let like m me mine my now of on or
our ours please re s she should so some t than that the their them then there these they this those to too up us very
was we were what when where which who whom whose why will with would you your yours d ll ve not no yes im dont dr mr
mrs ms prof user aber als auch auf aus bei bin bis da das dass dem den der des die dein deine deinem deinen deiner
dich dir du ein eine einem einen einer er es fur habe haben hat hast ich ihm ihn ihr ihre ist ja kann mein meine
meinem meinen meiner mich mir mit nach noch nur oder sein seine seinen sich sie sind uber um und uns unser unsere vom
von vor wann war waren warum welche wem wen wenn wer wie wir wird wo wurde zu zum zur nicht kein au aux avec c ce ces
cet cette dans de elle elles en est et ete etait etes eu il ils j je l la le les leur leurs lui ma mais mes moi mon n
ne nous ont ou par pas pour qu quand que quel quelle qui sa sans se ses si sont sur suis ta te tes toi tu un une vos
votre vous y al algo como con cual cuando del donde e el ella ellos era esta estan estas este esto estoy fue ha han
hay las lo los mas mi mis muy nos o para pero por porque ser sin sobre soy su sus tengo tiene tus una unas uno unos ya
yo ai alla anche che chi ci col come dal dalla degli dei della delle di ed gli hai ho io lei loro mie miei mio nel
nella noi non per piu quando quella quello questa questo sei sono sua sul sulla suo ti tra tua tuo vi voi ao aos com
dela dele dos ela ele em essa esse foi isso lhe meu meus minha minhas na nao nas os pela pelo qual quem sao sem seu
suas sou tambem tem tenho uma umas voce
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_TEXT.split())
# Capitalised within a sentence without being names.
_NO_NAMES = frozenset({"i", "dr", "mr", "mrs", "ms", "prof", "sie", "ihr", "ihre", "ihnen", "ihren", "ihrem", "ihrer"})
_FUNCTION_CHARS = frozenset(
    "的了是在和与也就都很我你您他她它们吗呢吧啊这那有着过地得之のはがをにでとへもだですまします"
)


def figures(text: str) -> frozenset[str]:
    """Numbers, times, dates, amounts, e-mail addresses, links and codes in `text`, folded; no names."""
    return _figures(*_without_links(text))


def _without_links(text: str) -> tuple[list[str], str]:
    """The links of `text` as shown, and the rest with blanks in their place; one walk, since it is the costly one."""
    links: list[str] = []

    def blank(match: re.Match[str]) -> str:
        links.append(match.group())
        return " " * len(match.group())

    rest = _LINK.sub(blank, shown(text))
    return links, rest


def _figures(links: Iterable[str], rest: str) -> frozenset[str]:
    found = {_link(link) for link in links}
    found.update(match.group().casefold() for match in _CODE.finditer(rest))
    rest = _CODE.sub(" ", rest)
    found.update(match.group() for match in _NUMBER.finditer(rest))
    found.update(word.casefold() for word in set(_TOKEN.findall(rest)) if _is_code(word))
    return frozenset(found)


def names(text: str, *, skip_first: bool) -> frozenset[str]:
    """Capitalised words of `text`, folded; `skip_first` leaves out the word that begins the text."""
    found = list(_WORD.finditer(shown(text)))
    kept = found[1:] if skip_first else found
    return frozenset(folded(match.group()) for match in kept if match.group()[0].isupper())


def literals(text: str) -> frozenset[str]:
    """The figures of `text`, and its names: capitalised words within a sentence. What must never be made up."""
    links, rest = _without_links(text)
    first = {start + len(_begins(rest, start, end)) for start, end in sentence_ranges(rest)}
    found = {
        folded(_POSSESSIVE.sub("", match.group()))
        for match in _WORD.finditer(rest)
        if match.group()[0].isupper() and match.start() not in first and not _is_no_name(rest, match)
    }
    return _figures(links, rest) | found


def marks(text: str) -> tuple[int, ...]:
    """The literals of `text` as numbers of 63 bits, in ascending order, for an index; none is a fingerprint."""
    return tuple(sorted(mark(f"literal:{literal}") for literal in literals(text)))


def holds(text: str, wanted: Iterable[str]) -> bool:
    """Whether every literal or name of `wanted` stands in `text` as a whole token: 4 not in 4.5, a.b not in x-a.b."""
    plain, own = folded(text), figures(text)
    return all(literal in own or _token(literal).search(plain) for literal in wanted)


def content_words(text: str) -> frozenset[str]:
    """Stems of the words of `text` that tell something; each character of a script without spaces stands for itself."""
    return _content(text) if len(text) <= _SENTENCE else _content.__wrapped__(text)


@lru_cache(maxsize=1_024)  # a question is compared with each of a hundred memories
def _content(text: str) -> frozenset[str]:
    found: set[str] = set()
    for match in _WORD.finditer(_LINK.sub(" ", folded(text))):
        word = match.group()
        found.update(_telling(word) if len(word) <= _KEPT else _telling.__wrapped__(word))
    return frozenset(found)


def tells_less(text: str, words: frozenset[str]) -> bool:
    """Whether `text` tells something, nothing beyond `words`, and less than they do; see `content_words`."""
    for word in text.split(" "):  # most texts say something else in their first words: they are not read to the end
        plain = word.isascii() and word.isalpha() and len(word) <= _KEPT
        if plain and not words.issuperset(_telling(word.lower())):
            return False
    said = content_words(text)
    return bool(said) and said < words


def stands_in(statement: str, subject: str, value: str, assertion: str) -> bool:
    """Whether one user assertion holds a fact's subject and all its literals: then the user is its root (rules §1.4).

    1. The value says something: a literal or a telling word. 2. Every literal of statement and value stands in the
    assertion. 3. So does every telling word of the value, and 4. the subject, unless it is the user. 5. Neither side
    denies what the other says.

    Only the value and the literals are compared word by word: a claim that stands in the statement alone must be a
    value of its own.
    """
    telling = content_words(value)
    exact = literals(value)
    if not telling and not exact:
        return False
    if not holds(assertion, literals(statement) | exact) or not telling <= content_words(assertion):
        return False
    return _names_subject(subject, assertion) and _same_polarity(statement, value, assertion)


def _names_subject(subject: str, assertion: str) -> bool:
    if folded(subject).strip() in _OWNER:
        return True
    telling, exact = content_words(subject), figures(subject)
    if not telling and not exact:
        return bool(subject.strip()) and holds(assertion, [folded(subject).strip()])
    return telling <= content_words(assertion) and holds(assertion, exact)


def _same_polarity(statement: str, value: str, assertion: str) -> bool:
    """Whether the assertion denies the value just when the statement does.

    The clause with the value decides. A statement that denies nothing also needs the rest of that sentence to deny
    nothing: a "not" may reach over an "and".
    """
    denied = negated(statement)
    exact, telling = figures(value), content_words(value)

    def bears(text: str) -> bool:
        return holds(text, exact) and telling <= content_words(text)

    sentences = [assertion[start:end] for start, end in sentence_ranges(assertion)]
    for sentence in list(filter(bears, sentences)) or [assertion]:
        clauses = list(filter(bears, _CLAUSE_END.split(sentence))) or [sentence]
        if any(negated(clause) != denied for clause in clauses):
            return False
        if not denied and any(cues(clause) != cues(sentence) for clause in clauses):
            return False
    return True


def _link(raw: str) -> str:
    return _SCHEME.sub("", folded(raw.rstrip(".,;:!?)]}'’*_"))).rstrip("/")


def _is_code(word: str) -> bool:
    """Letters and digits mixed: a booking reference, an account number, a version. "5月" is a number and a word."""
    return any(char.isdigit() for char in word) and any(char.isalpha() and not unspaced(char) for char in word)


def _begins(text: str, start: int, end: int) -> str:
    found = _BEGINS.match(text, start, end)
    return found.group() if found else ""


def _bare(word: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", folded(word)) if not unicodedata.combining(char))


def _is_function(word: str) -> bool:
    bare = _bare(word)
    return bare.endswith("n't") or bare in _FUNCTION_WORDS or bare.split("'")[0] in _FUNCTION_WORDS


@lru_cache(maxsize=16_384)  # recall compares each question with a hundred memories, in much the same words
def _telling(word: str) -> tuple[str, ...]:
    """What one folded word tells: its stem, nothing, or its characters in a script without spaces."""
    if any(map(unspaced, word)):
        return tuple(char for char in word if char.isalpha() and char not in _FUNCTION_CHARS)
    return () if _is_function(word) else (_stem(word),)


def _is_no_name(text: str, match: re.Match[str]) -> bool:
    """Whether a capital says nothing: "I", a title, or a function word after a colon ("Noted: Your …")."""
    bare = _bare(match.group())
    if bare.split("'")[0] in _NO_NAMES:
        return True
    return _is_function(bare) and not text[max(0, match.start() - 8) : match.start()].rstrip()[-1:].isalnum()


def _stem(word: str) -> str:
    bare = _POSSESSIVE.sub("", _bare(word))
    return _ENDINGS.sub("", bare)[:_STEM]


def _token(literal: str) -> re.Pattern[str]:
    if unspaced(literal[0]):
        return re.compile(re.escape(literal))
    before, after = r"(?<![^\W_])", r"(?![^\W_])"
    if "@" in literal or re.search(r"\.[^\W\d]", literal):
        before, after = r"(?<![\w@+-])(?<![\w]\.)", r"(?![\w@+-])(?!\.\w)(?!/\w)"
    elif literal[0].isdigit() or literal[-1].isdigit():
        before, after = before + r"(?<!\d[.,:])", after + r"(?![.,:]\d)"
        if re.search(r"[^\W\d_]", literal):
            before, after = before + r"(?<!\w-)", after + r"(?!-\w)"
    return re.compile(before + re.escape(literal) + after)
