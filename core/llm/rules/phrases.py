"""Building blocks of the grammar: names, noun phrases, lists, and the words for relations."""

from __future__ import annotations

import re

from core.llm.rules.text import upper_class

UP = upper_class()


_NAME_WORD = rf"[{UP}]\w*(?:['\-](?!s\b)\w+)*"


#: "now that I live in Porto I walk": the speaker is no part of the name.
_NOT_I = r"(?!I(?:['’](?:m|ve|d|ll)\b| [a-z]))"


_TITLE = r"(?:(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Sister|Father|Herr|Frau|Señora?|Mme|M)\.? )"


#: A proper name of up to five words; always case-sensitive.
NAME = (
    rf"(?-i:{_TITLE}?{_NAME_WORD}"
    "(?: (?:(?:de|da|di|du|van|von|der|den|la|le|al|bin|del|dos|of|the|at|&|and the) "
    f"){{0,2}}{_NOT_I}{_NAME_WORD}){{0,4}})"
)


#: A proper name without connecting words: one person's.
PERSON = (
    rf"(?-i:{_TITLE}?{_NAME_WORD}(?: (?:(?:de|da|di|van|von|der|den|al|bin|del) ){{0,2}}{_NOT_I}{_NAME_WORD}){{0,3}})"
)


def words(text: str) -> frozenset[str]:
    """The words of `text` as a set."""
    return frozenset(text.split())


def by_word(table: dict[str, str]) -> dict[str, str]:
    """A table "slot: its words, separated by commas" turned round: word to slot."""
    return {word.strip(): slot for slot, words in table.items() for word in words.split(",")}


KIN = by_word(
    {
        "spouse": "wife, husband, spouse, hubby, missus",
        "partner": "girlfriend, boyfriend, partner, fiancé, fiancée, fiance, fiancee, gf, bf",
        "mother": "mum, mom, mother, mam, mama, mummy",
        "father": "dad, father, papa, daddy",
        "grandmother": "gran, granny, grandma, grandmother, nan, nana",
        "grandfather": "grandad, granddad, grandpa, grandfather",
        "son": "son",
        "daughter": "daughter",
        "child": "child, kid, baby",
        "sister": "sister, sis, half-sister",
        "brother": "brother, bro, half-brother",
        "sibling": "twin, sibling",
        "grandson": "grandson",
        "granddaughter": "granddaughter",
        "cousin": "cousin",
        "niece": "niece",
        "nephew": "nephew",
        "aunt": "aunt, auntie",
        "uncle": "uncle",
        "godson": "godson",
        "goddaughter": "goddaughter",
        "stepson": "stepson",
        "stepdaughter": "stepdaughter",
        "stepmother": "stepmother, stepmum",
        "stepfather": "stepfather, stepdad",
        "stepsister": "stepsister",
        "stepbrother": "stepbrother",
        "mother_in_law": "mother-in-law, mum-in-law, mother in law, mum in law",
        "father_in_law": "father-in-law, father in law",
        "sister_in_law": "sister-in-law, sister in law",
        "brother_in_law": "brother-in-law, brother in law",
        "son_in_law": "son-in-law, son in law",
        "daughter_in_law": "daughter-in-law, daughter in law",
        "best_friend": "best friend, bestie, best mate",
        "friend": "friend, mate, buddy",
        "ex_partner": "ex, ex-wife, ex-husband",
        "colleague": "colleague, coworker, co-worker, workmate",
        "flatmate": "flatmate, roommate, housemate",
        "neighbour": "neighbour, neighbor",
    }
)


PETS = by_word(
    {
        "dog": "dog, puppy",
        "cat": "cat, kitten",
        "rabbit": "rabbit, bunny",
        "hamster": "hamster",
        "parrot": "parrot",
        "budgie": "budgie",
        "horse": "horse",
        "pony": "pony",
        "tortoise": "tortoise",
        "turtle": "turtle",
        "guinea_pig": "guinea pig",
        "fish": "goldfish",
        "ferret": "ferret",
        "gerbil": "gerbil",
        "snake": "snake",
        "gecko": "gecko",
        "lizard": "lizard",
        "canary": "canary",
        "goat": "goat",
        "hedgehog": "hedgehog",
        "rat": "rat",
        "chicken": "chicken",
        "pet": "pet",
    }
)


ROLES = by_word(
    {
        "manager": "manager, boss, line manager",
        "supervisor": "supervisor",
        "doctor": "doctor, gp",
        "dentist": "dentist",
        "therapist": "therapist",
        "landlord": "landlord",
        "landlady": "landlady",
        "plumber": "plumber",
        "electrician": "electrician",
        "accountant": "accountant",
        "lawyer": "lawyer",
        "solicitor": "solicitor",
        "teacher": "teacher",
        "tutor": "tutor",
        "trainer": "trainer",
        "coach": "coach",
        "mentor": "mentor",
        "babysitter": "babysitter",
        "nanny": "nanny",
        "vet": "vet",
        "hairdresser": "hairdresser",
        "barber": "barber",
        "physio": "physio",
        "midwife": "midwife",
        "professor": "professor",
        "assistant": "assistant",
        "intern": "intern",
        "cleaner": "cleaner",
        "mechanic": "mechanic",
        "agent": "agent",
        "client": "client",
        "cofounder": "cofounder, co-founder",
        "business_partner": "business partner",
        "childminder": "childminder",
    }
)


RELATIONS = {**KIN, **PETS, **ROLES}


PERSONS = frozenset(KIN) | frozenset(ROLES)


_ALTERNATION = "|".join(sorted((re.escape(word) for word in RELATIONS), key=len, reverse=True))


RELATION = rf"(?:{_ALTERNATION})"


BARE_KIN = r"(?:mum|mom|mam|dad|gran|granny|grandma|grandpa|grandad|nan|nana|hubby)"


#: What may stand between "my" and the relation.
KIN_ADJECTIVE = (
    "(?:(?:big|little|older|elder|eldest|oldest|younger|youngest|middle|twin|half|late|dear|new|old|"
    "former|only|first|second|lovely|"
    r"other|next-door|current|lazy|step|foster|great|good|close|direct|\w+-year-old) ){0,2}"
)


_STOP = re.compile(
    r"\s*(?:,(?!\d)|[;!?\n(]|\.(?=\s|$)| [-–—]+ |(?<=\w)\s+(?:and|but|so|because|cos|cuz|since|while|"
    "which|who|that's|though|although|if|when|whenever|"
    "until|till|as well|too|btw|tbh|lol|haha|please|pls|now|nowadays|these days|at the moment|right "
    "now|currently|again|anymore|any more|"
    "unless|instead of|rather than|otherwise|then|yet|from now on|going forward|from today|i learned|"
    r"i learnt|as i|as we|in case|by the way|to be honest|i think|i guess)\b)",
    re.IGNORECASE,
)


_SOFT_STOP = re.compile(
    r"\s*(?:,(?!\d)|[;!?\n(]|\.(?=\s|$)| [-–—]+ |(?<=\w)\s+(?:but|so|because|cos|since|while|which|"
    "who|though|although|if|"
    "as well|too|btw|tbh|lol|haha|please|pls|now|these days|at the moment|right now|currently|"
    "anymore|any more|unless|otherwise|from now on|going forward|i learned|i learnt|"
    r"and (?=(?:i|we|he|she|it|they|my|our)\b)|in case|by the way|i think|i guess)\b)",
    re.IGNORECASE,
)


_HARD_STOP = re.compile(
    r"[;!?\n(]|\.(?=\s|$)| [-–—]+ |\s+(?:but|so|because|cos|since|although|though|if|unless|when|"
    r"while)\b",
    re.IGNORECASE,
)


_ASIDE = re.compile(
    "(?:and |or )?(?:last|especially|particularly|mostly|mainly|it|they|which|that|my|your|even|just|"
    "always|sorry|like|tastes?|makes?|so|too|then|i|we|he|she|not|no|only|also|honestly|actually|"
    r"preferably|ideally|never)\b",
    re.IGNORECASE,
)


_LEAD = re.compile(
    "^(?:(?:a|an|the|some|my|our|very|really|just|only|also|both|all|still|actually|definitely|that|"
    r"is|are)\s+)+",
    re.IGNORECASE,
)


_LIST = re.compile(
    r"\s*(?:,\s*(?:and|or|as well as|plus|nor)\s+|,\s*|\s+(?:and|or|as well as|plus|nor|&|\+)\s+|"
    r"\s*&\s*)\s*",
    re.IGNORECASE,
)


_EMOJI_TAIL = re.compile(
    r"(?:\s*(?:[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]|[:;]-?[()DPpo/]|<3|xx+|\^\^)|"
    r"[\s.,!])+$"
)


EMOJI = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"


def read_value(text: str, *, soft: bool = False) -> str:
    """The leading part of `text` up to the first mark or word that begins something else.

    `soft` reads on through "and", "when", "until" and "instead of".
    """
    found = (_SOFT_STOP if soft else _STOP).search(text)
    return tidy(text[: found.start()] if found else text)


def tidy(text: str) -> str:
    """`text` without surrounding space, quotes, marks and emoji."""
    stripped = text.strip(" \t\n\"'.,;:!?-–—…*_")
    tail = _EMOJI_TAIL.search(stripped)
    if tail and tail.start() > 0 and not stripped.endswith(")"):
        stripped = stripped[: tail.start()]
    return stripped.strip(" \"'")


def bare(text: str) -> str:
    """`text` without leading articles, possessives and intensifiers."""
    return _LEAD.sub("", tidy(text)) or tidy(text)


def items(text: str) -> list[str]:
    """The parts of an enumeration: "a, b and c" gives three."""
    return [part for part in (tidy(piece) for piece in _LIST.split(text)) if part]


def together(names: list[str]) -> str:
    """Names as one value: "Tove and Aksel", "Ada, Bo and Cy"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[:-1] else names)


def snake(text: str) -> str:
    """`text` as an attribute name."""
    words = re.findall(r"\w+", re.sub(r"'s\b", "", text.casefold()))
    return "_".join(words)[:60].replace("favourite", "favorite").replace("colour", "color")


def enumeration(text: str) -> list[str]:
    """The parts of a list at the head of `text`: "a, b and c, because d" gives three; "a, last time d" gives one."""
    head = _HARD_STOP.split(text, maxsplit=1)[0]
    pieces = [piece.strip() for piece in re.split(r",(?!\d)\s*", head)]
    kept = [pieces[0]]
    joined = next(
        (
            index
            for index, piece in enumerate(pieces)
            if index and re.match(r"(?:and|or|plus|nor)\b|.{2,40}\b(?:and|or|nor)\b", piece)
        ),
        0,
    )
    if joined or (len(pieces) > 2 and all(len(piece.split()) <= 3 for piece in pieces)):  # noqa: PLR2004 (a list has three parts or an "and")
        kept = pieces[: (joined or len(pieces) - 1) + 1]
    if any(_ASIDE.match(piece) for piece in kept[1:]):
        kept = kept[:1]
    parts = [part for piece in kept for part in items(read_item(piece))]
    return [part for part in parts if not _ASIDE.match(part)]


def read_item(text: str) -> str:
    """One piece of a list, cut where something else begins but not at "and"."""
    found = _SOFT_STOP.search(text)
    return tidy(text[: found.start()] if found else text)


def singular(word: str) -> str:
    """A plain English singular: "sprints" gives "sprint"."""
    if word.endswith("ies") and len(word) > len("ties"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ics", "ews")):
        return word[:-1]
    return word


def rx(pattern: str) -> re.Pattern[str]:
    """Compile a case-insensitive pattern; `NAME` and `PERSON` inside keep their case."""
    return re.compile(pattern, re.IGNORECASE)
