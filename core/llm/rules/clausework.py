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
from core.llm.rules.phrases import EMOJI, NAME, PERSON, RELATIONS, rx, tidy, words
from core.llm.rules.sentences import Sentence
from core.llm.rules.splitting import VERBS
from core.model import SpeechAct

USER, SOMEBODY, THING, EITHER = "user", "person", "thing", "either"

_OPENS = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|he|he's|she|she's|it|it's|they|they're|"
    r"there's|there|that's|my|our|the|"
    rf"his|her|their|name's|no|not|also|plus)\b|(?-i:[A-ZÀ-Þ])[\w'-]+(?: (?-i:[A-ZÀ-Þ])[\w'-]+)? {VERBS}\b|"
    rf"[\w'-]+ (?:{VERBS}|sits|goes|stays|needs|comes)\b"
)
_MARK = re.compile(
    rf"\s{{0,3}}(?:;|—|\s[-–]{{1,2}}\s|[()]|[{EMOJI}]+|\.{{2,}}|…)\s{{0,3}}|"
    rf"\s{{0,3}},\s{{0,3}}(?:(?:and|but|so|because|cos|since|though|while|then|plus|or)\s{{1,3}})?(?={_OPENS})|"
    rf"\s{{1,3}}(?:and|but|so|because|cos|though|although|while|since|plus|whereas)\s{{1,3}}(?:then |"
    rf"also |now )?(?={_OPENS})|"
    r"(?<=[.!?])\s{1,3}",
    re.IGNORECASE,
)
_ORDER = rx(
    r"^(?:please |pls |kindly |now |then |ok(?:ay)?,? |and |just )*(?:give|draw|convert|write|"
    r"make|list|show|tell|drop|translate|"
    r"shorten|rewrite|fix|add|remove|delete|put|set|open|run|find|search|compare|check|explain|summari[sz]e|help|"
    r"continue|sort|round|pick|choose|suggest|create|generate|forget|ignore|go|stop|start|try|let's|let us|look|wait|"
    r"hang on|hold on|guess|say|count|calculate|name (?:a|an|three|five|some|the)|recommend|"
    r"read|turn|use|call (?!me)|"
    r"send|book|remind|need (?:a|an|some|your)|proof-?read|check|correct|edit|describe|imagine|answer)\b"
)
_HOLLOW = rx(
    r"^(?:(?:it|that|this)(?:'s| is| was)? (?:\w+ ?){0,3}|believe it or not|thank heavens?|"
    r"that's .*|you(?:'\w+)? .*|your .*|yes|no|"
    r"honestly|tbh|inflation and all that|one moment|someone's .*|somebody .*|(?:what|how|why|who|when|where) .*)$"
)
_MOST = 45  # words of a clause that is read
#: A subject that is not the speaker, although no rule knows what it is.
_SOMEONES = rx(
    r"^(?:my|our|his|her|their|its|the|this|that|these|those|he|she|they|it|someone|somebody|people|everyone)\b"
)
_APOSTROPHE = re.compile(r"\w'\w|s'(?= )")  # any other apostrophe is the edge of a quotation
_COVERED = 0.5  # share of a fact's words that makes a clause read already
_SMALL = words("a an the i we my our is are am was were be been to of in on at for and or it that this with")


@dataclass(frozen=True, slots=True)
class Unread:
    """One clause that taught nothing so far."""

    clause: Clause
    sentence: Sentence

    @property
    def said(self) -> str:
        """The clause, verbatim, without opening fillers."""
        return self.clause.said

    @property
    def about(self) -> str:
        """Whose fact it is, as far as its subject tells."""
        entity = self.clause.entity
        if entity.subject == USER:
            return USER
        if not entity.subject:
            return THING if _SOMEONES.match(self.said) else USER
        if entity.person and " " not in entity.subject and self.said.startswith(entity.subject):
            return EITHER  # "Rollout begins": a name, or a noun that begins a sentence
        return SOMEBODY if entity.person else THING


def unread(sentence: Sentence, drafts: Iterable[Draft], discourse: Discourse) -> list[Unread]:
    """The clauses of one asserting sentence that no draft was read from.

    Args:
        sentence: a masked sentence of an English user turn that asserts something.
        drafts: what was read from it.
        discourse: who was spoken of.
    """
    read = list(drafts)
    found = []
    for start, end in _ranges(sentence.text):
        said = sentence.text[start:end]
        clause = read_clause(said, sentence.start + start, sentence.text, discourse, None)
        shown = clause.said.strip()
        number = len(shown.split())
        if (
            BLOT in shown
            or shown.count("'") > len(_APOSTROPHE.findall(shown))
            or not (1 <= number <= _MOST)
            or _HOLLOW.match(shown)
            or _ORDER.match(shown)
        ):
            continue
        if act_of(said, asks=False) is not SpeechAct.ASSERTION:
            continue
        if not any(_covers(draft, clause) for draft in read):
            found.append(Unread(clause, sentence))
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
_NO_NAME = words(
    "i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may june july august september october november december mr mrs ms dr ok christmas easter mum "
    "dad mom gran grandma grandpa"
)


def names_in(text: str, *, first: bool = False) -> list[str]:
    """Proper names in a clause. `first`: its first word may be one although it is capitalised anyway."""
    found = []
    for match in _NAMED.finditer(text):
        named = match.group()
        if match.start() == 0 and not first:
            parts = named.split(" ", 1)
            if len(parts) == 1 or not parts[1][:1].isupper():
                continue
            named = parts[1] if parts[0].casefold() in RELATIONS or parts[0].casefold() in _SMALL else named
        if named.casefold() not in _NO_NAME and named.split(" ")[0].casefold() not in _NO_NAME - {
            "mr",
            "mrs",
            "ms",
            "dr",
        }:
            found.append(named)
    return found


_PLACED = re.compile(
    rf"\b(?:in|near|at|outside|around|from|of|to|by|off|above|round|is|:) (?:the |central |"
    rf"north |south )?(?P<v>{NAME})",
    re.IGNORECASE,
)


def place_in(text: str) -> str:
    """The last place name in a clause: what follows a preposition, or the last name; "" if there is none."""
    placed = [match["v"] for match in _PLACED.finditer(text) if match["v"].casefold() not in _NO_NAME]
    if placed:
        return placed[-1]
    named = names_in(text)
    return named[-1] if named else ""


_OPENING = rx(
    r"^(?:(?:also|and|but|so|well|ok|honestly|tbh|ngl|btw|by the way|these days|nowadays|at "
    r"the moment|currently|me,|as for me,?)[\s,]+)*"
    r"(?:(?:i|we)(?:'m|'ve|'d|'ll)?|im|ive|(?:it|there)(?:'s| is| are))\s+(?:(?:am|are|have|"
    r"been|was|were|has|will|just|also|really|"
    r"currently|still|now|only|ever|always)\s+)*"
)
_CLOSING = rx(
    r"[\s,]{1,4}(?:honestly|tbh|though|lol|haha|btw|thx|thanks|please|pls|yes please|sometimes|"
    r"right now|for me|to me|of course|"
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
