"""Cutting a sentence into clauses and finding whom each is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Protocol

from core.llm.rules.phrases import KIN, KIN_ADJECTIVE, PERSON, PERSONS, PETS, RELATION, RELATIONS, UP, tidy, words
from core.llm.rules.splitting import VERBS, strip_filler
from core.llm.rules.voice import second_person

USER = "user"


@dataclass(frozen=True, slots=True)
class Entity:
    """Whom or what a clause is about. `surface`: how to call it in a sentence addressed to the owner."""

    subject: str
    surface: str
    person: bool
    relation: str = ""


SELF = Entity(USER, "You", person=True)


@dataclass(slots=True)
class Discourse:
    """What has been spoken of so far in the turn, for "she", "it" and bare fragments."""

    person: Entity | None = None
    thing: Entity | None = None
    last: Entity | None = None
    relations: dict[str, str] = field(default_factory=dict)  # relation word's slot -> name

    def see(self, entity: Entity) -> None:
        """Remember an entity as the one last spoken of."""
        if entity.subject == USER:
            return
        self.last = entity
        if entity.person:
            self.person = entity
        else:
            self.thing = entity


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause. `predicate` begins with its verb, contractions opened; `said` is the clause verbatim."""

    said: str
    start: int
    end: int
    entity: Entity
    predicate: str
    sentence: str
    elided: bool = False
    noun: str = ""  # the subject as a noun phrase, for "my X is Y"
    owned: str = ""  # "my", "our", "the" or ""

    @property
    def is_self(self) -> bool:
        """Whether the clause is about its speaker."""
        return self.entity.subject == USER

    def statement(self) -> str:
        """The clause as words addressed to the owner, subject restored."""
        if self.elided or not self.is_self:
            said = second_person(self.predicate)
            if self.elided and said[:1].isupper() and said[1:2].islower():
                said = said[0].lower() + said[1:]
            return f"{self.entity.surface} {agree(said, plural=self.is_self)}"
        return second_person(self.said)


_POSSESSED = re.compile(
    rf"^(?P<own>my|our)\s+(?:{KIN_ADJECTIVE})(?P<rel>{RELATION})(?:,?\s+(?P<name>{PERSON}),?)?"
    r"(?:\s*\(\d{1,2}\))?(?=\s|'s\b|,|$)"
    r"(?!\s+(?:appointment|appt|check-?up|session|lesson)\s+(?:has|had|was|got|moved|changed)\b)",
    re.IGNORECASE,
)


#: "The survey's deadline has been moved": the part of the thing is what moves.
_PART_MOVES = re.compile(
    r"^(?P<own>my|our|the|this)\s+(?P<x>[\w&/+.-]+(?:\s+[\w&/+.-]+){0,4}?)['’]s\s+(?P<p>deadline|due date|launch date|"
    r"release date|start date|end date|kick-?off|launch|release)\s+(?=(?:has|have|was|were|got|moved|changed|slipped|"
    r"will|just|now)\b)",
    re.IGNORECASE,
)


_BARE_KIN = re.compile(
    r"^(?:(?P<rel>mum|mom|mam|dad|gran|granny|grandma|grandpa|grandad|nan|nana|uncle|aunt|auntie|hubby)"
    rf"(?:,?\s+(?P<name>{PERSON}),?)?(?=\s|'s\b)|(?P<rel2>(?:\w+[- ]in[- ]law|husband|wife|partner|"
    "girlfriend|boyfriend|"
    r"fiancée?|sister|brother|daughter|son|niece|nephew|grandson|granddaughter|cousin|flatmate|housemate|roommate|"
    "landlord|landlady|boss|supervisor|line manager|manager|therapist|physio|dog|cat))(?=(?:'s)"
    "? (?:is|has|was|lives?|works?|can't|"
    "loves?|likes?|hates?|turns?|plays?|needs|just|b(?:irth)?-?'?day|name|got|eats|doesn't|starts)"
    r"\b|'s (?:a|an|in|not|allergic|called|\d)\b))",
    re.IGNORECASE,
)


_LEADING_PHRASE = re.compile(
    "^(?:(?:as an?|being an?|after|before|following|since|during|at|in|on|for|over|as of|from|until|"
    r"with|by|this|last|next|every|these)\s+[^,;.]{2,60}?|today|tomorrow|yesterday|nowadays|now|"
    "lately|recently|currently|sometimes|usually|outside of work|at the moment|right "
    r"now),?\s+(?=(?:i|i'm|im|i've|we|we're|we've|my|our|he|she|they)\b)",
    re.IGNORECASE,
)


_NOT_SUBJECT = words(
    "you my our the his her their your a an these those here there that this what someone everyone "
    "everybody nobody people everything nothing something "
    "today tomorrow yesterday please also then when while so but and or if it's its no yes not just "
    "never "
    "always maybe perhaps thanks hi hello hey ok okay well oh sorry good great nice one some any all "
    "most "
    "many few more less been got run open list write make set delete rename fix add check show tell "
    "give "
    "help explain summarise summarize translate draft find search look compare book remind update "
    "call "
    "send create build use keep try let allergic based born vegan moved flying love hate working "
    "living "
    "which who how why where because since for in on at to with from by as"
)


_ITS = re.compile(
    r"^(?:its|it's|his|her|their) (?P<np>(?!a\b|an\b|the\b|not\b)[\w-]+(?: [\w-]+)?)(?= (?:is|are|"
    r"was)\b)",
    re.IGNORECASE,
)
_BARE_NOUN = re.compile(
    r"^(?P<np>[\w&/+'-]+(?: [\w&/+'-]+){0,3}?)(?=(?:'s)? (?:at|on|every|due|called|named)\b|"
    r"(?:\s+(?:is|"
    "are|was|will be|starts?|begins?|ends?|ships?|launches|expires?|costs|moved|got moved|has moved|"
    "opens|closes|leaves|departs|arrives|lands|takes place|goes live|runs on|holds|kicks off|"
    r"needs to be|has to be|must be)\b))",
    re.IGNORECASE,
)


_PET_SLOTS = frozenset(PETS.values())


_LOWER_NAME = re.compile(
    r"^(?P<name>[a-z]{2,15})(?=\s+(?:handles|owns|runs|leads|manages|does|looks after|reports|signs "
    "off|covers|maintains|reviews|is our|is my|is the (?:owner|lead|head|manager)|left the|took over|"
    r"has taken over|joined|works (?:as|at|in|for|from)|lives in|takes care)\b)"
)


_PEOPLE = re.compile(
    r"(?:^|\b)(?:parents|grandparents|kids|children|sisters|brothers|siblings|daughters|sons|cousins|"
    r"friends|in-laws|twins|family|folks|colleagues|neighbours|flatmates|team|manager|boss|\w+mate)$",
    re.IGNORECASE,
)


_PROPERTY_WORD = re.compile(
    "^(?:owner|lead|budget|deadline|status|firmware|location|venue|date|time|price|cost|seat|version|"
    "language|repo|stack|database|host|contact|sponsor|size|colou?r|name|code|address|duration|"
    "length|team|launch|release|standup|retro|kick-?off|demo)s?$",
    re.IGNORECASE,
)


_I = re.compile(r"^(?:i|we)(?=\s|'|$)|^(?:im|ive)(?=\s)", re.IGNORECASE)


_OPENED = [
    (re.compile(r"^(?:im|'m)\b", re.IGNORECASE), "am"),
    (re.compile(r"^(?:ive|'ve)\b", re.IGNORECASE), "have"),
    (re.compile(r"^'re\b", re.IGNORECASE), "are"),
    (re.compile(r"^'d\b", re.IGNORECASE), "would"),
    (re.compile(r"^'ll\b", re.IGNORECASE), "will"),
    (
        re.compile(
            r"^'s (?=(?:been|got|gone|moved|left|taken|started|stopped|become|just|had|joined|decided)\b)",
            re.IGNORECASE,
        ),
        "has ",
    ),
    (re.compile(r"^'s\b", re.IGNORECASE), "is"),
]


_PRONOUNS = re.compile(r"^(?P<p>he|she|it|they|hes|shes|its|this|that|who|which|both)(?=\s|'|$)", re.IGNORECASE)


_NAMED = re.compile(
    rf"^(?P<name>{PERSON}|(?-i:[{UP}])[\w'-]*(?: (?:(?:&|and|de|of|the) "
    rf")?(?-i:[{UP}])[\w'-]*){{0,3}})(?: (?:from|in|at) [a-z]{{2,12}}(?= [a-z]))?(?='s\b|'re\b|"
    r"\s+(?:also |now |no longer |just |currently |usually |always |"
    rf"only |both )*(?:{VERBS}|[a-z]+(?:s|ed))\b)"
)


_THE = re.compile(
    r"^(?P<own>my|our|the|this|that|her|his|their)\s+(?P<np>[\w&/+.'-]+(?:\s+[\w&/+.-]+){0,5}?)(?=\s*("
    r"?:,\s*)?(?:'s\b|'re\b)|\s+(?:is|are|was|were|has|have|had|will|moved?|got|needs?|takes?|costs?|"
    "starts?|ends?|ships?|runs?|lives?|works?|"
    "expires?|holds?|goes?|went|moves|pumps|lasts|measures|weighs|comes?|lands?|launch(?:es|ed)?|"
    "opens?|closes?|uses?|weighs?|turns?|turned|likes?|loves?|hates?|left|joined|speaks?|plays?|does|"
    "do|did|can|can't|doesn't|don't|won't|came|agreed|decided|says|said|wants?|broke|died|passed|"
    "leaves?|departs?|arrives?|begins?|finish(?:es)?|measures?|reads|stud(?:y|ies)|handles?|owns?|"
    "leads?|teaches|just|now|also|only|always|usually|never|kicks|replaces|must|should|live|work|"
    r"love|like|hate|speak|own|run|come|need|take|turn|moved)\b|:)",
    re.IGNORECASE,
)


_ADVERB = re.compile(
    r"^((?:am|are|is|was|were|have|has|will|do)\s+)?(?:(?:also|really|just|usually|always|currently|"
    "now|actually|still|already|basically|mostly|mainly|originally|recently|finally|only|absolutely|"
    "totally|officially|definitely|sort of|kind of|kinda|personally|generally|normally|both|all|"
    "truly|genuinely|honestly|obviously|fully|so|very|myself|apparently|probably|even|again|both of "
    r"us|quite)\s+)+",
    re.IGNORECASE,
)


_INTENSE = re.compile(r"^(?:really|so|very|totally|absolutely|just|kinda) ", re.IGNORECASE)
_ELIDED = re.compile(
    "^(?:been|allergic|not a (?:big |huge )?fan|moved|flying|based|born|into|live|living|work|"
    "working|"
    "love|loving|hate|prefer|vegan|vegetarian|coeliac|celiac|diabetic|got|have|need to be|married|"
    "raised|grew up|currently|can't stand|cannot stand|"
    "don't (?:eat|drink|like|smoke|drive|speak)|never (?:eat|drink|liked)|started|switched|bought|"
    "adopted|booked|diagnosed|travelling|traveling|staying|studying|speak|drive|use|using|big fan|"
    "huge fan|intolerant|lactose|retired|left|quit|finished|became|turning|turned|going|leaving|"
    r"getting|reach me|off to (?-i:[A-Z])\w*|heading to)\b",
    re.IGNORECASE,
)


_STATE_WORD = re.compile(
    "^(?:type [12] |lactose[- ]|gluten[- ]|nut[- ])?(?:coeliac|celiac|diabetic|asthmatic|dyslexic|"
    "autistic|epileptic|vegan|vegetarian|pescatarian|veggie|teetotal|pregnant|single|married|"
    "divorced|engaged|self-employed|freelance|unemployed|retired|intolerant|left-handed|"
    r"colou?r-?blind|deaf|not a|no fan)\b",
    re.IGNORECASE,
)


_BE_WORD = re.compile(
    "^(?:off to|heading|allergic|not a|based|born|into|vegan|vegetarian|coeliac|celiac|diabetic|"
    "married|raised|big fan|"
    "huge fan|intolerant|lactose|flying|living|working|travelling|traveling|staying|studying|using|"
    r"going|leaving|getting|turning|retired|currently)\b",
    re.IGNORECASE,
)


class Maker(Protocol):
    """Builds the clause once its subject is found."""

    def __call__(self, entity: Entity, rest: str, *, elided: bool = False, noun: str = "", owned: str = "") -> Clause:
        """The clause about `entity` whose predicate is `rest`."""


def agree(predicate: str, *, plural: bool) -> str:
    """The predicate with its first verb in agreement with "You" (`plural`) or with a third person."""
    if not plural:
        return re.sub(r"^are you\b", "is", predicate)
    if _BE_WORD.match(predicate):
        return "are " + predicate
    if re.match(r"^been\b", predicate, re.IGNORECASE):
        return "have " + predicate
    return re.sub(r"^(?:am|is)\b", "are", predicate)


def open_contraction(rest: str) -> str:
    """A predicate whose leading contraction and adverbs are opened: "'m also a vet" gives "am a vet"."""
    plain = rest.strip()
    for pattern, opened in _OPENED:
        if pattern.match(plain):
            plain = pattern.sub(opened, plain, count=1)
            break
    return _ADVERB.sub(lambda match: match.group(1) or "", plain, count=1)


def related(slot: str, word: str, name: str) -> Entity:
    """A relation of the owner: named by its name if that is known, else by the relation."""
    surface = f"Your {word} {name}".strip()
    person = word.lower() in PERSONS or word.lower() in PETS
    return Entity(name or (slot if word in KIN else word.lower()), surface, person=person, relation=slot)


def read_clause(said: str, start: int, sentence: str, discourse: Discourse, previous: Entity | None) -> Clause:
    """Find the subject and the predicate of one clause."""
    body, skipped = strip_filler(said)
    begin = start + skipped
    shown = body.rstrip(" \t.!…,;:")
    end = begin + max(len(shown), 1)
    phrase = _LEADING_PHRASE.match(shown)
    core = shown[phrase.end() :] if phrase else shown
    core = _PART_MOVES.sub(lambda part: f"the {part['p']} for {part['own'].lower()} {part['x']} ", core)

    def clause(entity: Entity, rest: str, *, elided: bool = False, noun: str = "", owned: str = "") -> Clause:
        return Clause(shown, begin, end, entity, open_contraction(rest), sentence, elided, noun, owned)

    if found := _I.match(core):
        opened = (
            core[found.end() :]
            if found.group().lower() in {"i", "we"}
            else "'" + found.group()[1:] + core[found.end() :]
        )
        return clause(SELF, opened)
    if (found := _POSSESSED.match(core)) or (found := _BARE_KIN.match(core)):
        return _relation_clause(found, core, discourse, clause)
    if found := _ITS.match(core):
        noun = found["np"]
        return clause(Entity(noun, f"Its {noun}", person=False), core[found.end() :], noun=noun)
    if found := _PRONOUNS.match(core):
        return _pronoun_clause(found, core, discourse, clause)
    if found := _THE.match(core):
        noun = tidy(found["np"])
        own = found["own"].lower()
        surface = (
            second_person(f"{found['own']} {noun}") if own not in {"her", "his", "their"} else f"{found['own']} {noun}"
        )
        entity = Entity(noun, surface[:1].upper() + surface[1:], person=bool(_PEOPLE.search(noun)))
        return clause(entity, core[found.end() :].lstrip(" ,"), noun=noun, owned=own)
    return _unmarked_clause(core, previous, clause)


def _unmarked_clause(core: str, previous: Entity | None, clause: Maker) -> Clause:
    """A clause without pronoun or article: a name, a bare noun, or no subject at all."""
    if _ELIDED.match(_INTENSE.sub("", core)) and not (previous and not previous.subject):
        carried = (
            previous
            and previous.subject != USER
            and previous.person
            and re.match(r"been|moved|left", core, re.IGNORECASE)
        )
        return clause(previous if previous and carried else SELF, core, elided=True)
    named = _named_subject(core)
    if named:
        entity, length = named
        return clause(entity, core[length:], noun=entity.subject)
    if previous and re.match(rf"{VERBS}\b", core, re.IGNORECASE):
        return clause(previous, core, elided=True)
    return clause(SELF if _STATE_WORD.match(core) else Entity("", "", person=False), core, elided=True)


def _named_subject(core: str) -> tuple[Entity, int] | None:
    """The name or bare noun that a clause begins with, and its length."""
    first = re.match(r"[\w-]+", core)
    if not first or first.group().lower() in _NOT_SUBJECT:
        return None
    property_word = bool(_PROPERTY_WORD.match(first.group()))
    if not property_word and (found := _LOWER_NAME.match(core) or _NAMED.match(core)):
        name = found["name"] if found["name"][0].isupper() else found["name"].capitalize()
        return Entity(name, name, person=True), found.end()
    if (found := _BARE_NOUN.match(core)) and len(found["np"]) > 2:  # noqa: PLR2004 (shorter words are no nouns)
        noun = found["np"]
        return Entity(noun, noun[:1].upper() + noun[1:], person=False), found.end()
    return None


def _relation_clause(found: re.Match[str], body: str, discourse: Discourse, clause: Maker) -> Clause:
    groups = found.groupdict()
    word = (found["rel"] or groups["rel2"]).lower()
    slot = RELATIONS.get(word, word.replace("-", "_"))
    name = tidy(found["name"] or "") or discourse.relations.get(slot, "")
    if word in {"uncle", "aunt", "auntie"} and found["name"]:
        entity = Entity(name, f"Your {word} {name}", person=True, relation=slot)
    else:
        entity = related(slot, word, name)
    rest = body[found.end() :].lstrip(" ,")
    return clause(entity, rest, noun=word, owned="my")


def _pronoun_clause(found: re.Match[str], body: str, discourse: Discourse, clause: Maker) -> Clause:
    word = found["p"].lower()
    if word in {"it", "its", "this", "that", "which"}:
        entity = discourse.thing or discourse.last
    elif word in {"they", "both"}:
        entity = discourse.last
    else:
        last = discourse.last
        entity = last if last and (last.person or last.relation in _PET_SLOTS) else discourse.person or last
    if word in {"it", "its"} and discourse.last and not discourse.last.person:
        entity = discourse.last
    rest = body[found.end() :]
    if word in {"hes", "shes", "its"}:
        rest = "'s" + rest
    return clause(entity or Entity("", "", person=False), rest)
