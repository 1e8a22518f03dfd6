"""Cutting a sentence into clauses and finding whom each is about."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Protocol

from core.llm.rules.phrases import EMOJI, KIN, KIN_ADJECTIVE, PERSON, PERSONS, PETS, RELATION, RELATIONS, UP, bare, rx, tidy
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
            return f"{self.entity.surface} {agree(second_person(self.predicate), plural=self.is_self)}"
        return second_person(self.said)


_VERBS = (
    r"(?:am|'m|is|'s|are|'re|was|were|have|'ve|has|had|own|live[sd]?|work(?:s|ed)?|love[sd]?|like[sd]?|enjoys?|hate[sd]?|prefers?|use[sd]?|drives?|drinks?|eats?|plays?|speaks?|stud(?:y|ies|ied)|"
    r"take[sn]?|took|need(?:s|ed)?|wants?|moved?|left|joined|reports?|manages?|owns?|handles?|runs?|leads?|does|do|did|can't|cannot|can|don't|doesn't|won't|will|just|also|still|now|never|always|"
    r"grew|was born|started|starts|stopped|quit|bought|got|went|go|goes|build|builds?|teach(?:es)?|sings?|turns?|turned|keeps?|kept|weighs?|collects?|replaces?|ships?|expires?|came|comes|holds?|"
    r"flying|fly|flies|booked|plan|planning|decided|agreed|settled|signs?|looks?|helps?|covers?|maintains?|reviews?|makes?|made|writes?|wrote|coaches|mentors|supervises|swims?|rides?|runs?|hikes?|pick(?:s|ed)?|get|gets|wear(?:s)?|cook(?:s)?|"
    r"vote[sd]?|grow|grows|read|reads|play|commutes?|train(?:s|ed)?|retired|graduated|avoids?|suffers?|adopted|married|rent|rents|mean|meant|try|trying|learn|learned|learning|want|wear|find|swear|volunteer|volunteers)"
)
_PRONOUN = r"(?:i'm|im|i've|ive|i'd|i'll|i|we're|we've|we'd|we|he's|hes|he|she's|shes|she|it's|its|it|they're|they've|they|that's|there's|there)"
_CLAUSE_START = (
    rf"(?:{_PRONOUN}\b(?!\w)|(?:my|our)\s+\w|(?:the|this|that)\s+(?:\w+[ -]){{0,5}}\w+(?:'s| (?:is|are|was|has|will|moved|starts|ends|ships|needs|holds|costs|lives|works|runs))\b|name(?:'s| is)\b|(?:best|better|easier|easiest) to\b|[a-z]+ (?:handles|owns|runs|leads|manages|does|starts|is (?:at|on|every|due|in))\b|[a-z]{{3,}} (?:is|'s) (?:at |on |every )|"
    rf"(?-i:[A-ZÀ-Þ])[\w'-]*(?: (?-i:[A-ZÀ-Þ])[\w'-]*){{0,2}} (?:also |now |just |currently |usually )?{_VERBS}\b|(?:mum|mom|dad|gran|grandma|grandpa|granny|nan|uncle|aunt|auntie|first one|new one|(?:the )?other one)\b|"
    rf"please\b|pls\b|don't\b|no (?:more )?\w|back (?:on|in)\b|(?:and |but )?not \w|always\b|never\b|call me\b|been\b|for \w+ you ask\b|on \w+days?\b,? (?:my|our|i|we|he|she|\w+ \w+ does)\b|hate\b|love\b|budget\b|seat\b|"
    rf"everyone\b|everybody\b|people\b|who(?:'s)? (?:is|was|works|lives|does|loves|has|handles|runs)|who's|which (?:is|was|has|replaces|runs|lives|holds|will|ships|costs|handles|needs)\b|\w+ (?:is|are) due\b|one's\b|so\b)"
)
_SPLIT = re.compile(
    rf"(?:\s*;\s*|\s+[-–—]{{1,2}}\s+|—|:\s+(?=(?:{_CLAUSE_START}))|\s*,\s*(?:(?:and|but|so|because|cos|since|though|although|while|as|plus|or|yet|then|now)\s+)*(?={_CLAUSE_START})|"
    rf"\s+(?:and|but|so|because|cos|cuz|though|although|while|since|plus|as)\s+(?:(?:then|so|now|that|also|since|yes)\s+)?(?={_CLAUSE_START})|,?\s+and\s+(?={_VERBS}\b)|,?\s+but\s+(?:also\s+)?(?={_VERBS}\b)|"
    rf",\s+(?=(?:love|like|enjoy|hate|prefer|use|drive|drink|eat|play|speak|study|moved|left|joined|work|live|need|want|grew up|was born|started|stopped|quit|bought|got|booked|can't|don't|never|always|am|have)\s)|\s*,\s*(?=who\b|which\b)|\.{{2,}}\s*|\s+(?=who(?:'s| is| lives| works| has| was| loves)\b)|,\s+(?=is \d)|\s+(?=if you (?:need|want|must|ask)\b)|…\s*)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    rf"^[{EMOJI}\s]*(?:(?:hi|hiya|hey|hello|yo|ok|okay|so|well|oh|ah|um|uh|hmm|btw|by the way|also|and|but|plus|anyway|fyi|for (?:your|the) (?:information|record)|just so you know|you should know(?: that)?|"
    r"actually|honestly|tbh|to be honest|yes|yeah|yep|nope|sure|right|look|listen|good (?:morning|afternoon|evening)|heads[- ]up(?: for \w+)?|note to self|reminder|one more thing|(?:the )?thing is|funny enough|turns out|"
    r"(?:please |pls |can you |could you )?(?:remember|note|save|store|keep in mind|bear in mind|don't forget|remind yourself|make a note|write down|be aware)(?: (?:that|this|for me|for later|for next time))?|i (?:should|want(?:ed)?|forgot|have|need|'d like) to (?:mention|add|say|tell you)(?: that)?|"
    r"i'?m telling you|let me (?:mention|add|tell you)(?: that)?|did i mention(?: that)?|good news|bad news|update|quick update|small update|news|big news|new chapter|finally|sorry|whoops|oops|correction|for reference|for context|context|background|"
    r"as (?:i said|mentioned|you know)|like i said|i think|i believe|i guess|unfortunately|sadly|luckily|fortunately|apparently|in fact|basically|obviously|important|firstly|first of all|secondly|lastly|after all|since (?=my|our|i\b|we\b|the)|now|dear \w+|"
    r"if you (?:need|want|must|wonder|ask|care)[^,]{0,40}|in case (?:you|it)[^,]{0,40}|about me|a bit about me|little about me|hola|hallo|bonjour|salut|ciao|true story|fun fact|not sure it matters|for what it's worth|fwiw|ps|p\.s\.|nb|then|yesterday|scratch that|my bad)\b[\s,:;!.\-–—]*)*",
    re.IGNORECASE,
)
_POSSESSED = re.compile(
    rf"^(?P<own>my|our)\s+(?:{KIN_ADJECTIVE})(?P<rel>{RELATION})(?:,?\s+(?P<name>{PERSON}),?)?(?=\s|'s\b|,|$)", re.IGNORECASE
)  # fmt: skip
_BARE_KIN = re.compile(
    rf"^(?P<rel>mum|mom|mam|dad|gran|granny|grandma|grandpa|grandad|nan|nana|uncle|aunt|auntie|hubby)(?:,?\s+(?P<name>{PERSON}),?)?(?=\s|'s\b)", re.IGNORECASE
)  # fmt: skip
_LEADING_PHRASE = re.compile(
    r"^(?:(?:after|before|following|since|during|at|in|on|for|over|as of|from|until|with|by|this|last|next|every|these)\s+[^,;.]{2,60}?|today|tomorrow|yesterday|nowadays|now|lately|recently|currently|sometimes|usually|outside of work|at the moment|right now),?\s+(?=(?:i|i'm|im|i've|we|we're|we've|my|our|he|she|they)\b)",
    re.IGNORECASE,
)  # fmt: skip
_NOT_SUBJECT = frozenset(
    "here there that this what someone everyone everybody nobody people everything nothing something today tomorrow yesterday please also then when while so but and or if it's its "
    "no yes not just never always maybe perhaps thanks hi hello hey ok okay well oh sorry good great nice one some any all most many few more less been got "
    "run open list write make set delete rename fix add check show tell give help explain summarise summarize translate draft find search look compare book remind update call send create build use keep try let allergic based born vegan moved flying love hate working living which who how why where because since for in on at to with from by as".split()
)
_BARE_NOUN = re.compile(
    r"^(?P<np>[\w&/+-]+(?: [\w&/+-]+){0,3}?)(?=(?:'s)? (?:at|on|every|due|called|named)\b|(?:\s+(?:is|are|was|will be|starts?|begins?|ends?|ships?|launches|expires?|costs|moved|got moved|has moved|opens|closes|takes place|goes live|runs on|holds|kicks off|needs to be|has to be|must be)\b))",
    re.IGNORECASE,
)  # fmt: skip
_PET_SLOTS = frozenset(PETS.values())
_LOWER_NAME = re.compile(r"^(?P<name>[a-z]{2,15})(?=\s+(?:handles|owns|runs|leads|manages|does|looks after|reports|signs off|covers|maintains|reviews|is our|is my|is the (?:owner|lead|head|manager)|left the|took over|has taken over|joined|works (?:as|at|in|for|from)|lives in|takes care)\b)")  # fmt: skip
_PEOPLE = re.compile(r"(?:^|\b)(?:parents|grandparents|kids|children|sisters|brothers|siblings|daughters|sons|cousins|friends|in-laws|twins|family|folks|colleagues|neighbours|flatmates|team|manager|boss|\w+mate)$", re.IGNORECASE)
_PROPERTY_WORD = re.compile(r"^(?:owner|lead|budget|deadline|status|firmware|location|venue|date|time|price|cost|seat|version|language|repo|stack|database|host|contact|sponsor|size|colou?r|name|code|address|duration|length|team|launch|release|standup|retro|kick-?off|demo)s?$", re.IGNORECASE)
_I = re.compile(r"^(?:i|we)(?=\s|'|$)|^(?:im|ive)(?=\s)", re.IGNORECASE)
_OPENED = [
    (re.compile(r"^(?:im|'m)\b", re.I), "am"),
    (re.compile(r"^(?:ive|'ve)\b", re.I), "have"),
    (re.compile(r"^'re\b", re.I), "are"),
    (re.compile(r"^'d\b", re.I), "would"),
    (re.compile(r"^'ll\b", re.I), "will"),
    (re.compile(r"^'s (?=(?:been|got|gone|moved|left|taken|started|stopped|become|just|had|joined|decided)\b)", re.I), "has "),
    (re.compile(r"^'s\b", re.I), "is"),
]
_PRONOUNS = re.compile(r"^(?P<p>he|she|it|they|hes|shes|its|this|that|who|which|both)(?=\s|'|$)", re.IGNORECASE)
_NAMED = re.compile(rf"^(?P<name>{PERSON}|(?-i:[{UP}])[\w'-]*(?: (?:(?:&|and|de|of|the) )?(?-i:[{UP}])[\w'-]*){{0,3}})(?='s\b|'re\b|\s+(?:also |now |just |currently |usually |always |only |both )*(?:{_VERBS}|[a-z]+(?:s|ed))\b)")
_THE = re.compile(r"^(?P<own>my|our|the|this|that|her|his|their)\s+(?P<np>[\w&/+.'-]+(?:\s+[\w&/+.-]+){0,5}?)(?=\s*(?:,\s*)?(?:'s\b|'re\b)|\s+(?:is|are|was|were|has|have|had|will|moved?|got|needs?|takes?|costs?|starts?|ends?|ships?|runs?|lives?|works?|"
                  r"expires?|holds?|goes?|went|moves|pumps|lasts|measures|weighs|comes?|lands?|launch(?:es|ed)?|opens?|closes?|uses?|weighs?|turns?|turned|likes?|loves?|hates?|left|joined|speaks?|plays?|does|do|did|can|can't|doesn't|don't|won't|came|agreed|decided|says|said|wants?|broke|died|passed|leaves?|departs?|arrives?|begins?|finish(?:es)?|measures?|reads|stud(?:y|ies)|handles?|owns?|leads?|teaches|just|now|also|only|always|usually|never|kicks|replaces|must|should|live|work|love|like|hate|speak|own|run|come|need|take|turn|moved)\b|:)", re.IGNORECASE)  # fmt: skip
_ADVERB = re.compile(r"^((?:am|are|is|was|were|have|has|will|do)\s+)?(?:(?:also|really|just|usually|always|currently|now|actually|still|already|basically|mostly|mainly|originally|recently|finally|only|absolutely|totally|officially|definitely|sort of|kind of|kinda|personally|generally|normally|both|all|truly|genuinely|honestly|obviously|fully|so|very|myself|apparently|probably|even|again|both of us|quite)\s+)+", re.I)  # fmt: skip
_ELIDED = re.compile(r"^(?:been|allergic|not a (?:big |huge )?fan|moved|flying|based|born|live|living|work|working|love|loving|hate|prefer|vegan|vegetarian|coeliac|celiac|diabetic|got|have|need to be|married|raised|grew up|currently|can't stand|cannot stand|"
                     r"don't (?:eat|drink|like|smoke|drive|speak)|never (?:eat|drink|liked)|started|switched|bought|adopted|booked|diagnosed|travelling|traveling|staying|studying|speak|drive|use|using|big fan|huge fan|intolerant|lactose|retired|left|quit|finished|became|turning|turned|going|leaving|getting|reach me)\b", re.I)  # fmt: skip
_STATE_WORD = re.compile(r"^(?:type [12] |lactose[- ]|gluten[- ]|nut[- ])?(?:coeliac|celiac|diabetic|asthmatic|dyslexic|autistic|epileptic|vegan|vegetarian|pescatarian|veggie|teetotal|pregnant|single|married|divorced|engaged|self-employed|freelance|unemployed|retired|intolerant|left-handed|colou?r-?blind|deaf|not a|no fan)\b", re.I)
_BE_WORD = re.compile(r"^(?:allergic|not a|based|born|vegan|vegetarian|coeliac|celiac|diabetic|married|raised|big fan|huge fan|intolerant|lactose|flying|living|working|travelling|traveling|staying|studying|using|going|leaving|getting|turning|retired|currently)\b", re.I)  # fmt: skip


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


def split(text: str, start: int) -> list[tuple[int, int]]:
    """Half-open ranges of the clauses of one sentence that begins at `start` in the turn."""
    ranges: list[tuple[int, int]] = []
    at = 0
    for found in _SPLIT.finditer(text):
        if found.start() > at:
            ranges.append((start + at, start + found.start()))
        at = found.end()
    if at < len(text):
        ranges.append((start + at, start + len(text)))
    return ranges


def strip_filler(text: str) -> tuple[str, int]:
    """`text` without opening fillers, and how many characters they took."""
    found = _FILLER.match(text)
    if not found or found.end() == 0 or found.end() >= len(text):
        return text, 0
    return text[found.end() :], found.end()


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
    person = word.lower() in PERSONS
    return Entity(name or (slot if word in KIN else word.lower()), surface, person=person, relation=slot)


def read_clause(said: str, start: int, sentence: str, discourse: Discourse, previous: Entity | None) -> Clause:
    """Find the subject and the predicate of one clause."""
    body, skipped = strip_filler(said)
    begin = start + skipped
    shown = body.rstrip(" \t.!…,;:")
    end = begin + max(len(shown), 1)
    phrase = _LEADING_PHRASE.match(shown)
    core = shown[phrase.end() :] if phrase else shown

    def clause(entity: Entity, rest: str, *, elided: bool = False, noun: str = "", owned: str = "") -> Clause:
        return Clause(shown, begin, end, entity, open_contraction(rest), sentence, elided, noun, owned)

    if found := _I.match(core):
        opened = core[found.end() :] if found.group().lower() in {"i", "we"} else "'" + found.group()[1:] + core[found.end() :]
        return clause(SELF, opened)
    if (found := _POSSESSED.match(core)) or (found := _BARE_KIN.match(core)):
        return _relation_clause(found, core, discourse, clause)
    if found := _PRONOUNS.match(core):
        return _pronoun_clause(found, core, discourse, clause)
    if found := _THE.match(core):
        noun = tidy(found["np"])
        own = found["own"].lower()
        surface = second_person(f"{found['own']} {noun}") if own not in {"her", "his", "their"} else f"{found['own']} {noun}"
        entity = Entity(noun, surface[:1].upper() + surface[1:], person=bool(_PEOPLE.search(noun)))
        return clause(entity, core[found.end() :].lstrip(" ,"), noun=noun, owned=own)
    return _unmarked_clause(core, discourse, previous, clause)


def _unmarked_clause(core: str, discourse: Discourse, previous: Entity | None, clause: Maker) -> Clause:
    """A clause without pronoun or article: a name, a bare noun, or no subject at all."""
    first = re.match(r"[\w-]+", core)
    word = first.group() if first else ""
    blocked = word.lower() in _NOT_SUBJECT
    if _ELIDED.match(core):
        entity = previous if previous and previous.subject != USER and core.lower().startswith(("been", "moved", "left")) and previous.person else SELF
        return clause(entity, core, elided=True)
    if not blocked and (found := _LOWER_NAME.match(core)) and not _PROPERTY_WORD.match(word):
        name = found["name"].capitalize()
        return clause(Entity(name, name, person=True), core[found.end() :], noun=name)
    if not blocked and (found := _NAMED.match(core)) and not _PROPERTY_WORD.match(found["name"]):
        name = found["name"]
        return clause(Entity(name, name, person=True), core[found.end() :], noun=name)
    if not blocked and (found := _BARE_NOUN.match(core)) and len(found["np"]) > 2:  # noqa: PLR2004 (shorter words are no nouns)
        noun = found["np"]
        return clause(Entity(noun, noun[:1].upper() + noun[1:], person=False), core[found.end() :], noun=noun)
    if previous and re.match(rf"{_VERBS}\b", core, re.IGNORECASE):
        return clause(previous, core, elided=True)
    if _STATE_WORD.match(core):
        return clause(SELF, core, elided=True)
    return clause(Entity("", "", person=False), core, elided=True)


def _relation_clause(found: re.Match[str], body: str, discourse: Discourse, clause: Maker) -> Clause:
    word = found["rel"].lower()
    slot = RELATIONS[word]
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
    elif word == "they" or word == "both":
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


def noun_of(text: str) -> str:
    """A noun phrase fit to be a subject: no articles."""
    return bare(text)


_ = rx
