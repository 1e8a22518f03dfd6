"""When two values or statements say the same, one says more, or one is the other with new numbers. Pure.

Everything works on pieces: words folded for comparison, and literals (amounts, dates, times) in one spelling, so that
"March 12" is "12 March" and "3.3k" is "3,300". What cannot be told apart safely counts as different: a wrong "same"
hides a contradiction, a wrong "different" is seen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.pieces import Piece, pieces_of

_MIN_TELLING = 3  # words that a template keeps beside its masks; fewer ("you weigh <n> kg") fit unlike things
_TELLING_LETTERS = 3
_SHORT_VALUE = 2  # words: a value, within which nothing is added
_YEAR = re.compile(r"(?:19|20)\d\d")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_ARTICLES = frozenset({"the", "an"})
_LEADING = _words("a an the my our der die das el la le les")
_REVERSING = _words(
    "not no never none nor neither without except unless until till before former formerly ex previously once was "
    "were but instead however if maybe perhaps might rarely hardly barely allegedly almost other another nicht kein "
    "keine nie sin nunca jamais pas ne"
)  # what turns or limits the shorter statement: the longer one does not say it as well
_CLAUSE = _words("in at on from with near by for of for who which that since as to and")
_IDLE = _words(
    "the a an is are was were am be been being now currently already recently still just today only about around "
    "approximately roughly actually right as moment"
)  # what comes and goes between two statements of one value
_CHANGED = _words(
    "moved rescheduled postponed scheduled planned changed pushed set grown grew risen rose fallen fell dropped "
    "increased decreased improved reached raised lowered reduced updated upgraded downgraded switched extended "
    "expanded shifted doubled shrunk climbed jumped delayed advanced limited"
)  # verbs that give a new value of the same thing
_HAPPENED = _words(
    "went met saw took bought ran ate came left flew did gave got made sold wrote read had spent paid sent drove "
    "rode swam won lost found held built slept drank taught began told said heard felt knew thought brought "
    "caught broke"
)  # what happened twice happened twice: another number is another event
_STATES = _words("is are was were be been being has have had's i've you've we've they've 's")
_BEFORE_VALUE = _words(
    "is are was were be been of to from at by about around over under above below than with within in on for per "
    "and or now only just exactly roughly approximately nearly almost least most up has have had got get getting "
    "cost need want took take spent paid ran grew rose fell hit set weigh read run earn own keep use make reach "
    "total equal until till before after since every between plus minus another additional extra"
)
_LITTLE = _words(
    "you your yours i my me we our they their them he she his her its it this that these those there here has "
    "have had do does did can could will would should may might of to from at by in on for per and or with than "
    "into over under up down out off not no but so if who which what when how all any some more most less very "
    "too also and"
)


def same_value(first: str, second: str) -> bool:
    """Whether two values are the same but for case, spaces, articles, plural, and how dates and numbers are written."""
    left, right = _told(first), _told(second)
    return bool(left) and len(left) == len(right) and all(_alike(*pair) for pair in zip(left, right, strict=True))


def fuller(longer: str, shorter: str) -> bool:
    """Whether `longer` says all that `shorter` says, and more: "Berlin, near the zoo" and "Berlin".

    It may add a clause at the end and, in a statement of three or more words, one word within. What it adds must not
    turn or limit the rest ("no longer", "until May"). More words at other places make another thing of it: "peanut
    butter" is no fuller "peanut", and "Tom visits Ann who lives in Rome" does not say that Tom lives in Rome.
    """
    whole, part = _told(longer, marks=True), _told(shorter)
    while whole and whole[-1].kind == "mark":
        whole.pop()
    found: list[int] = []
    for index, piece in enumerate(whole):
        if len(found) < len(part) and piece.kind != "mark" and _alike(piece, part[len(found)]):
            found.append(index)
    if not part or len(found) < len(part):
        return False
    shared = set(found)
    added = [piece for index, piece in enumerate(whole) if index not in shared]
    within = [piece for index, piece in enumerate(whole[: found[-1]]) if index not in shared]
    tail = whole[found[-1] + 1 :]
    says_more = any(piece.kind != "mark" for piece in added)
    if not says_more or any(piece.text in _REVERSING for piece in added):
        return False
    if len(within) > (1 if len(part) > _SHORT_VALUE else 0):
        return False
    return not tail or tail[0].kind == "mark" or tail[0].text in _CLAUSE


def template(text: str) -> str | None:
    """The statement with its numbers, times, dates and amounts masked: what two states of one value have in common.

    Numbers that name something stay ("room 12", "f2", "2nd"). None when nothing is masked, when fewer than three
    telling words remain, or when it tells of something that happened ("you ran 5 km"): that can happen again.
    """
    found = _masked(text)
    return found[0] if found else None


def same_template(first: str, second: str) -> bool:
    """Whether two statements are an update of one value: the same template, other literals.

    Where a date stands beside an amount it says which amount is meant ("sales in May"), so it must be the same.
    """
    one, two = _masked(first), _masked(second)
    if one is None or two is None or one[0] != two[0] or one[1] == two[1]:
        return False
    kinds = {piece.kind for piece in one[1]}
    dates = [[piece for piece in literals if piece.kind == "date"] for literals in (one[1], two[1])]
    return "amount" not in kinds or dates[0] == dates[1]


def _masked(text: str) -> tuple[str, tuple[Piece, ...]] | None:
    pieces = pieces_of(text)
    if _happening(pieces):
        return None
    kept: list[str] = []
    literals: list[Piece] = []
    telling = 0
    for index, piece in enumerate(pieces):
        if piece.kind in ("amount", "date", "time") and not _names(pieces, index):
            literals.append(_as_date(piece, pieces[index - 1].text if index else ""))
            kept += [f"<{literals[-1].kind}>", *([piece.unit] if piece.unit else [])]
        elif piece.kind != "mark" and piece.text not in _IDLE and not _moves(pieces, index):
            kept.append(piece.text)
            telling += _weight(piece)
    return (" ".join(kept), tuple(literals)) if literals and telling >= _MIN_TELLING else None


def _weight(piece: Piece) -> int:
    if piece.kind == "word" and not piece.text.isascii() and re.search(r"[\u3040-\u9fff\uac00-\ud7af]", piece.text):
        return len(piece.text) // 2  # no spaces between words: about two characters each
    if piece.kind == "code":
        return 1
    return int(piece.kind == "word" and len(piece.text) >= _TELLING_LETTERS and piece.text not in _LITTLE)


def _names(pieces: Sequence[Piece], index: int) -> bool:
    """Whether a bare number is a name: it follows a noun without a word or mark between ("node 2", "chapter 3")."""
    if not pieces[index].bare or index == 0:
        return False
    before = pieces[index - 1]
    if before.kind == "mark":
        return before.text in (".", "/")
    if before.kind != "word":
        return before.kind == "code"
    verb = before.text.endswith(("s", "ed", "ing")) and not before.text.endswith(("ss", "us", "is"))
    return not verb and before.text not in _BEFORE_VALUE


def _moves(pieces: Sequence[Piece], index: int) -> bool:
    """Whether a word only says that the value is new ("moved to", "has grown to"), or goes with such a word."""
    word = pieces[index].text
    if word in _CHANGED:
        return True
    if word == "to":
        return index > 0 and pieces[index - 1].text in _CHANGED
    return word in ("has", "have") and index + 1 < len(pieces) and pieces[index + 1].text in _CHANGED


def _happening(pieces: Sequence[Piece]) -> bool:
    """Whether a sentence tells of an event, which can happen again.

    That is a verb in the past that is neither a state nor a change of the value, or a change by so much.
    """
    edge = Piece("mark", "")
    return any(
        _by_so_much(word, after) if word.text in _CHANGED else _past(word) and not _state(before)
        for before, word, after in zip([edge, *pieces], pieces, [*pieces[1:], edge], strict=False)
        if word.kind == "word"
    )


def _past(word: Piece) -> bool:
    return word.text in _HAPPENED or (word.text.endswith("ed") and len(word.text) > _TELLING_LETTERS + 1)


def _state(before: Piece) -> bool:
    return before.text in _STATES or before.text.endswith(("'ve", "'s"))


def _by_so_much(change: Piece, after: Piece) -> bool:
    return after.text == "by" or (after.kind == "amount" and change.text not in ("reached", "set"))


def _as_date(piece: Piece, before: str) -> Piece:
    """A bare year says when, not how much."""
    since = before in ("in", "since", "of", "from", "until", "till", "by", "before", "after", "for", "to")
    return replace(piece, kind="date") if piece.bare and since and _YEAR.fullmatch(piece.text) else piece


def _told(text: str, *, marks: bool = False) -> list[Piece]:
    """The pieces that make a difference to a value: no marks, no articles."""
    pieces = [piece for piece in pieces_of(text) if marks or piece.kind != "mark"]
    while len(pieces) > 1 and pieces[0].text in _LEADING and pieces[1].kind == "word":
        pieces = pieces[1:]
    followed = [*(piece.kind == "word" for piece in pieces[1:]), False]
    return [
        piece
        for piece, goes_on in zip(pieces, followed, strict=False)
        if piece.text not in _ARTICLES and not (piece.text == "a" and not piece.capital and goes_on)
    ]


def _alike(one: Piece, other: Piece) -> bool:
    if one.kind == other.kind and one.text == other.text:
        return one.unit == other.unit
    # a plural is another name where both are names: Robert and Roberts are two people
    plain = one.kind == other.kind == "word" and not (one.capital and other.capital)
    return plain and bool({one.text, *_singulars(one.text)} & {other.text, *_singulars(other.text)})


def _singulars(word: str) -> list[str]:
    found = []
    if word.endswith("s") and len(word) > _TELLING_LETTERS and not word.endswith(("ss", "us", "is")):
        found.append(word[:-1])
        if word.endswith("ies"):
            found.append(f"{word[:-3]}y")
        elif word.endswith(("ches", "shes", "xes", "sses", "oes")):
            found.append(word[:-2])
    return found
