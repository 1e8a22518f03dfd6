"""Cutting a sentence into clauses that may each hold a fact, and finding whose fact it would be.

The grammar of clauses reads known shapes. What it left unread is cut more freely here: at every mark, and at commas
and conjunctions where something new begins. Words are kept as they were said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.llm.rules.acts import act_of
from core.llm.rules.clauses import Clause, Discourse, read_clause
from core.llm.rules.draft import Draft
from core.llm.rules.masks import BLOT
from core.llm.rules.phrases import EMOJI, NAME, PERSON, RELATIONS, rx, tidy
from core.llm.rules.sentences import Sentence
from core.llm.rules.splitting import VERBS
from core.model import SpeechAct

USER, SOMEBODY, THING = "user", "person", "thing"

_OPENS = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|he|he's|she|she's|it|it's|they|they're|there's|there|that's|my|our|the|"
    rf"his|her|their|name's|no|not|also|plus)\b|(?-i:[A-ZÀ-Þ])[\w'-]+(?: (?-i:[A-ZÀ-Þ])[\w'-]+)? {VERBS}\b|"
    rf"[\w'-]+ (?:{VERBS}|sits|goes|stays|needs|comes)\b"
)
_MARK = re.compile(
    rf"\s*(?:;|—|\s[-–]{{1,2}}\s|[()]|[{EMOJI}]+|\.{{2,}}|…)\s*|"
    rf"\s*,\s*(?:(?:and|but|so|because|cos|since|though|while|then|plus|or)\s+)?(?={_OPENS})|"
    rf"\s+(?:and|but|so|because|cos|though|although|while|since|plus|whereas)\s+(?:then |also |now )?(?={_OPENS})|"
    r"(?<=[.!?])\s+",
    re.IGNORECASE,
)
_ORDER = rx(
    r"^(?:please |pls |now |then |ok(?:ay)?,? |and |just )*(?:give|draw|convert|write|make|list|show|tell|drop|translate|"
    r"shorten|rewrite|fix|add|remove|delete|put|set|open|run|find|search|compare|check|explain|summari[sz]e|help|"
    r"continue|sort|round|pick|choose|suggest|create|generate|forget|ignore|go|stop|start|try|let's|let us|look|wait|"
    r"hang on|hold on|guess|say|count|calculate|name (?:a|an|three|five|some|the)|recommend|read|turn|use|call (?!me)|"
    r"send|book|remind|need (?:a|an|some|your)|proof-?read|check|correct|edit|describe|imagine|answer)\b"
)
_HOLLOW = rx(
    r"^(?:(?:it|that|this)(?:'s| is| was)? (?:\w+ ?){0,3}|believe it or not|thank heavens?|that's .*|you .*|your .*|yes|no|"
    r"honestly|tbh|inflation and all that|one moment|someone's .*|somebody .*|(?:what|how|why|who|when|where) .*)$"
)
_LEAST, _MOST = 2, 45  # words of a clause that is read
_COVERED = 0.5  # share of a fact's words that makes a clause read already
_SMALL = frozenset("a an the i we my our is are am was were be been to of in on at for and or it that this with".split())


@dataclass(frozen=True, slots=True)
class Unread:
    """One clause that taught nothing so far. `before`: what was said just before, for a bare fragment."""

    clause: Clause
    sentence: Sentence
    before: str

    @property
    def said(self) -> str:
        """The clause, verbatim, without opening fillers."""
        return self.clause.said

    @property
    def about(self) -> str:
        """Whose fact it is, as far as its subject tells."""
        entity = self.clause.entity
        if entity.subject == USER or not entity.subject:
            return USER
        return SOMEBODY if entity.person else THING

    def asked(self) -> str:
        """What is compared with the prototypes: the clause, after its forerunner if it is a bare fragment."""
        if len(self.said.split()) <= _LEAST and self.before:
            return f"{self.before}, {self.said}"
        return self.said


def unread(sentence: Sentence, drafts: Iterable[Draft], discourse: Discourse, before: str) -> list[Unread]:
    """The clauses of one asserting sentence that no draft was read from.

    Args:
        sentence: a masked sentence of an English user turn that asserts something.
        drafts: what was read from it.
        discourse: who was spoken of.
        before: the clause said before this sentence; "" if none.
    """
    read = list(drafts)
    found = []
    for start, end in _ranges(sentence.text):
        said = sentence.text[start:end]
        clause = read_clause(said, sentence.start + start, sentence.text, discourse, None)
        shown = clause.said.strip()
        number = len(shown.split())
        forerunner, before = before, shown or before
        if BLOT in shown or not (1 <= number <= _MOST) or _HOLLOW.match(shown) or _ORDER.match(shown):
            continue
        if act_of(said, asks=False) is not SpeechAct.ASSERTION:
            continue
        if not any(_covers(draft, clause) for draft in read):
            found.append(Unread(clause, sentence, forerunner))
    return found


def _ranges(text: str) -> list[tuple[int, int]]:
    found, at = [], 0
    for mark in [*_MARK.finditer(text), None]:
        stop = mark.start() if mark else len(text)
        raw = text[at:stop]
        begin = at + len(raw) - len(raw.lstrip(" ,.:"))
        end = at + len(raw.rstrip(" ,:"))
        if end > begin:
            found.append((begin, end))
        at = mark.end() if mark else len(text)
    return found


def _telling(text: str) -> set[str]:
    return set(re.findall(r"[\w.@+-]*\w", text.casefold())) - _SMALL


def _covers(draft: Draft, clause: Clause) -> bool:
    if draft.attribute == "event" or draft.end <= clause.start or clause.end <= draft.start:
        return False
    value, said = _telling(draft.value), _telling(clause.said)
    shared = len(value & said)
    return bool(shared) and (shared / max(len(value), 1) >= _COVERED or shared / max(len(said), 1) >= _COVERED)


_NAMED = re.compile(NAME)
_NO_NAME = frozenset(
    "i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december english british french german spanish italian mr mrs ms dr ok christmas "
    "easter mum dad mom gran grandma grandpa".split()
)


def names_in(text: str, *, first: bool = False) -> list[str]:
    """Proper names in a clause. `first`: its first word may be one although it is capitalised anyway."""
    found = []
    for match in _NAMED.finditer(text):
        words = match.group()
        if match.start() == 0 and not first:
            parts = words.split(" ", 1)
            if len(parts) == 1 or not parts[1][:1].isupper():
                continue
            words = parts[1] if parts[0].casefold() in RELATIONS or parts[0].casefold() in _SMALL else words
        if words.casefold() not in _NO_NAME and words.split(" ")[0].casefold() not in _NO_NAME - {"mr", "mrs", "ms", "dr"}:
            found.append(words)
    return found


_PLACED = re.compile(rf"\b(?:in|near|at|outside|around|from|of|to|by|off|above|round|is|:) (?:the |central |north |south )?(?P<v>{NAME})", re.IGNORECASE)


def place_in(text: str) -> str:
    """The last place name in a clause: what follows a preposition, or the last name; "" if there is none."""
    placed = [match["v"] for match in _PLACED.finditer(text) if match["v"].casefold() not in _NO_NAME]
    if placed:
        return placed[-1]
    named = names_in(text)
    return named[-1] if named else ""


_OPENING = rx(
    r"^(?:(?:also|and|but|so|well|ok|honestly|tbh|ngl|btw|by the way|these days|nowadays|at the moment|currently|me,|as for me,?)[\s,]+)*"
    r"(?:(?:i|we)(?:'m|'ve|'d|'ll)?|im|ive|(?:it|there)(?:'s| is| are))\s+(?:(?:am|are|have|been|was|were|has|will|just|also|really|"
    r"currently|still|now|only|ever|always)\s+)*"
)
_CLOSING = rx(
    r"[\s,]+(?:honestly|tbh|though|lol|haha|btw|thx|thanks|please|pls|yes please|sometimes|right now|for me|to me|of course|"
    r"too|as well|by the way|to be honest|believe it or not|again|here|you know|i guess|i think)[.!]*$"
)


def remainder(text: str) -> str:
    """The informative words of a clause: without "I am", and without what people add at the end."""
    plain = tidy(text)
    while (cut := _CLOSING.sub("", plain)) != plain:
        plain = cut
    opened = _OPENING.match(plain)
    return tidy(plain[opened.end() :] if opened and opened.end() < len(plain) else plain)


_PERSON = re.compile(PERSON)


def is_name(text: str) -> bool:
    """Whether a text is one person's name and nothing else."""
    return bool(_PERSON.fullmatch(text)) and text.casefold() not in _NO_NAME
