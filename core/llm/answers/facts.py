"""A recalled memory seen for matching: its words, meanings, and what kind of answer it can give."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.llm.answers import asked, classes
from core.llm.answers.ask import Term
from core.llm.answers.grammar import Want
from core.llm.answers.meaning import among, chinese_meanings, meanings
from core.llm.answers.words import is_chinese, stem, tokens
from core.model import Hit, Memory, MemoryKind
from core.slots import normalise

_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|dozen|half|twice|once|no"
    r"|uno|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn"
    r"|un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix)\b|[一二三四五六七八九十两百千万]",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_CLOCK = re.compile(
    r"\bfrom \d{1,2} (?:to|till|until) \d{1,2}\b(?! ?(?:%|[a-z]))|\b\d{1,2}[:.h]\d{2}\b|\b\d{1,2} ?(?:am|pm|a\.m|p\.m|uhr|h|o'clock)\b|\bat (?:half |quarter )?(?:past |to )?"
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)\b(?!\s*(?:%|st\b|nd\b|rd\b|th\b|degrees))"
    r"|\b(?:before|after|until|till) \d{1,2}\b(?![.,]?\d| ?%)|\b(?:at|by|around) \d{1,2}\b(?! ?(?:%|\w|[-–]))|\bhalf (?:past )?\w+|\bquarter (?:past|to)\b|\bnoon\b|\bmidnight\b|[点點]",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,4}[-/.]\d{1,2}[-/.]?\d{0,4}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:mon|tue|wed|thu|fri|sat|sun)\b"
    r"|\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|\b(?:january|february|march|april|may \d|\d+ may|in may|june|july|august|september"
    r"|october|november|december)\b|\b(?:today|tomorrow|tonight|yesterday|weekend|weekday|morning|evening|night|easter|christmas|next|last"
    r"|summer|winter|autumn|spring|every|daily|weekly|monthly|q[1-4])\b|\b(?:week|month|year|day|hour|minute)s?\b|\b(?:1[89]|20)\d\d\b"
    r"|\b(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|lunes|martes|miércoles|jueves|viernes"
    r"|sábado|domingo|mañana)\b|\b(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|\w+tags?|morgen"
    r"|woche|jahr)\b|\b\d{1,2}\. [A-ZÄÖÜ]|\b(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|lundi|mardi|mercredi"
    r"|jeudi|vendredi|samedi|dimanche|demain)\b|[年月日号周]|星期|明天",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<!^)(?<![.!?:] )\b(?!I\b)[^\W\d_a-z][\w'’-]*")
_PLACE = re.compile(
    r"\bon (?:the|my|our|a|your) [a-z]|\b(?:[Ii]n|[Aa]t|[Ff]rom|near|outside|behind|under|next to|en|à|chez|bei|aus|nach|auf)\s+[^\W\d_]|\b(?:to|on|for|into|via)\s+[^\W\d_a-z]|在|住",
)
_TIMED = re.compile(  # a date is no place: "on March 3", "at noon", "in May", "in 3 weeks"
    r"(?i)\b(?:in|at|on|from|by|for)\s+(?:the |next |last |early |late )?(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|afternoon|evening|noon|night|midnight|weekends?|summer|winter|spring|autumn|total"
    r"|half|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|all|now|then|general|fact|case|answers|with)\b",
)
_LENGTH = re.compile(
    r"\b(?:second|minute|hour|day|week|month|year|sentence|word|line|paragraph)s?\b|\b(?:short|brief|concise|long|detailed|since|yrs?)\b"
    r"|\b(?:año|mes|semana|jahr|monat|woche|an|mois|semaine)\w*\b|[年月周天]",
    re.IGNORECASE,
)
_AGE = re.compile(
    r"\b(?:years? old|is \d{1,3}\b|are \d{1,3}\b|turn(?:s|ed|ing)? \d|aged? \d|\(\d{1,3}\)|[^\W\d_]\w+, \d{1,2}\b(?! \w)|\b\d+ (?:months?|weeks?)\b(?! (?:ago|later|until|to go|from|of|in|holiday|notice))|\d+[- ]year[- ]old)|岁",
    re.IGNORECASE,
)
_OLD = re.compile(r"\b(?:años|jahre alt|ans)\b|岁")
_CONDITION = re.compile(r"(?i)\b(?:when|if|after|before|during|while|unless|until|whenever)\b")
_SAID = re.compile(r"^You said:\s*(?P<words>.*)$", re.DOTALL | re.IGNORECASE)
_DISLIKED = re.compile(
    r"(?i)\bleast favou?rite\b|\b(?:can't|cannot|can not) (?:stand|bear|stomach|abide)\b|\bnot a fan\b|\b(?:don't|do not|doesn't) (?:like|enjoy)\b"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """One memory with everything that matching looks at."""

    memory: Memory
    stems: frozenset[str]
    meanings: frozenset[str]
    subject: str  # normalised; "user" for the owner
    subject_stems: frozenset[str]
    subject_meanings: frozenset[str] = frozenset()
    cosine: float = 0.0
    unsure: bool = False  # recalled below the trust threshold: needs confirmation (rules §2.5)

    @property
    def is_event(self) -> bool:
        """Whether this is what was said, not a distilled fact."""
        return self.memory.kind is MemoryKind.EVENT

    @property
    def words(self) -> str:
        """The sentence; for an event, the words that were said."""
        return spoken(self.memory) if self.is_event else self.memory.text

    def states(self, term: Term) -> bool:
        """Whether this fact has the term otherwise than as a member of the class that it names."""
        return (
            among(term.stem, self.stems)
            or not term.meanings.isdisjoint(self.meanings)
            or self.memory.attribute in term.attributes
            or (is_chinese(term.stem) and term.stem in self.memory.text.casefold())
        )

    def covers(self, term: Term, *, by_attribute: bool = True) -> bool:
        """Whether this fact has the term: the word, a synonym, its attribute, or a member of the class it names."""
        if among(term.stem, self.stems) or not term.meanings.isdisjoint(self.meanings):
            return True
        if is_chinese(term.stem) and term.stem in self.memory.text.casefold():
            return True
        if by_attribute and not self.is_event and self.memory.attribute in term.attributes:
            return True
        kinds = {term.stem, *(m for m in ("medicine",) if m in term.meanings)}
        return any(classes.is_member(stem(kind), self.stems) for kind in kinds)

    def gives(self, want: Want) -> bool:  # noqa: C901, PLR0911 - one line a kind of answer
        """Whether this fact holds the kind of answer that is wanted."""
        text, attribute = self.words, self.memory.attribute
        if want in (Want.WHEN, Want.CLOCK) and attribute in ("phone", "phone_number", "email", "address"):
            return False
        if want is Want.WHEN:
            if attribute in ("lesson", "procedure") and _CONDITION.search(text):
                return True
            return (
                attribute in asked.DATE_ATTRIBUTES or _DATE.search(text) is not None or _CLOCK.search(text) is not None
            )
        if want is Want.CLOCK:
            return _CLOCK.search(text) is not None
        if want is Want.YEAR:
            return _YEAR.search(text) is not None
        if want is Want.WHERE:
            if attribute in asked.PLACE_ATTRIBUTES:
                return True
            return _PLACE.search(_TIMED.sub(" ", text)) is not None
        if want in (Want.NUMBER, Want.COUNT):
            return attribute in asked.NUMBER_ATTRIBUTES or _NUMBER.search(text) is not None
        if want is Want.LENGTH:
            return (_NUMBER.search(text) is not None and _LENGTH.search(text) is not None) or re.search(
                r"\b(?:since|short|brief|concise|seit|desde|depuis)\b", text, re.IGNORECASE
            ) is not None
        if want is Want.AGE:
            return attribute in ("age", "birthday", "turns", "birth_year") or _AGE.search(text) is not None
        if want is Want.WHO and attribute in asked.DATE_ATTRIBUTES:
            return _has_name(text.partition(" ")[2], self.memory.language)
        if want is Want.WHO:
            return (
                attribute in asked.PERSON_ATTRIBUTES
                or attribute in ("name", "nickname", "role")
                or _has_name(text, self.memory.language)
                or not self.meanings.isdisjoint(asked.RELATIONS)
            )
        return True


_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), canonical)
    for pattern, canonical in (
        (r"\bgets? up\b|\bgot up\b", "wake"),
        (r"\bturn(?:s|ed|ing)? \d+ (?:on|in)\b|\bbirth ?day\b|\bb'?day\b", "birthday"),
        (r"\b(?:do|does|did|doing|done|fix|fixes|fixed|fixing) (?:\w+ ){0,2}up\b|\brestor\w+|\brenovat\w+", "restore"),
        (r"\b(?:go|goes|going|went|gone) (?:with|for)\b|\bsettled on\b", "choose"),
        (r"\b(?:get|gets|got|getting) rid of\b|\b(?:drop|scrap|axe|cancel|abolish)\w*", "drop"),
        (r"\blook(?:s|ed|ing)? after\b|\bin charge of\b|\btakes? care of\b|\b(?:is|are|am) running\b", "handle"),
        (r"\b(?:cover|fill|stand)(?:s|ing)? (?:in )?for\b|\bback-?up\b", "cover"),
        (r"\b(?:hand|give|turn)(?:s|ing|ed)? (?:\w+ ){0,2}in\b|\bsubmi\w+", "submit"),
        (r"\b(?:tak\w+|took|shoot\w*) (?:\w+ ){0,2}(?:pictures|photos)\b|\bphotograph\w*", "photograph"),
        (r"\b(?:terrified|scared|afraid|frightened) of\b|\bphobia\b", "afraid"),
        (r"\b(?:put|puts|putting) (?:\w+ ){0,2}off\b|\bpostpon\w+", "postpone"),
        (r"\bdiagnosed (?:with|as)\b", "condition"),
        (
            r"^(?=.*\b(?:phone|call|reach|ring|tel|mobile|cell|text|whatsapp|contact)\w*).*(?<![\d-])(?!\d{4}-\d\d-\d\d)(?:\+?\(?\d[\d().-]* ?){2,}\d{3,}(?![\d-])",
            "phonenumber",
        ),
        (r"\b(?:spare|free) time\b", "hobby"),
        (r"\bfull[- ]time\b", "fulltime"),
        (r"\bpart[- ]time\b", "parttime"),
        (r"\b(?:run|runs|ran) out\b", "expire"),
        (r"\bpass(?:ed)? away\b", "die"),
        (r"\bpick(?:s|ed|ing)? (?:\w+ ){0,2}up\b", "collect"),
        (r"\bg[er][oe]w(?:ing)? up\b", "hometown"),
        (r"\bfed up with\b|\bcan'?t stand\b", "dislike"),
        (r"\b(?:look(?:s|ing)? forward to|keen on|fond of|fan of)\b", "like"),
    )
)
NO_NAMES = frozenset(
    [
        "you",
        "your",
        "yours",
        "the",
        "a",
        "an",
        "my",
        "our",
        "i",
        "we",
        "it",
        "its",
        "his",
        "her",
        "he",
        "she",
        "they",
        "their",
        "there",
        "this",
        "that",
        "these",
        "those",
        "don't",
        "never",
        "always",
        "if",
        "when",
        "after",
        "before",
        "and",
        "but",
        "in",
        "on",
        "at",
        "from",
        "by",
        "for",
        "to",
        "of",
        "please",
        "no",
        "not",
        "every",
        "each",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "one",
        "two",
        "three",
    ],
)


def _has_name(text: str, language: str) -> bool:
    """Whether a word looks like a name: capitalised and not a common opener, month or weekday."""
    if language == "zh":
        return True
    return any(w[:1].isupper() and w.casefold() not in NO_NAMES for w in tokens(text))


def spoken(memory: Memory) -> str:
    """The words quoted in an event's text, or the whole text."""
    match = _SAID.match(memory.text)
    if not match:
        return memory.text
    words = match["words"].strip()
    quoted = len(words) > 1 and words[0] in '"“«„' and words[-1] in '"”»“'
    return words[1:-1].strip() if quoted else words


def fact_of(memory: Memory, *, cosine: float = 0.0, unsure: bool = False) -> Fact:
    """Prepare a memory for matching."""
    event = memory.kind is MemoryKind.EVENT
    text = spoken(memory) if event else f"{memory.text} {memory.value} {memory.subject}"
    if not event:
        text += " " + memory.attribute.replace("_", " ")
    words = [w.casefold() for w in tokens(text)]
    found: set[str] = set()
    for word in words:
        found |= meanings(word, memory.language)
    if memory.language == "zh" or is_chinese(text):
        found |= {canonical for _, canonical in chinese_meanings(text)}
    if not event:
        found |= meanings(memory.attribute.replace("_", ""), "en") | {memory.attribute.replace("_", "")}
    found |= {canonical for pattern, canonical in _PHRASES if pattern.search(text)}
    if not event and memory.attribute.startswith(("favorite", "favourite")):
        found |= {"like", "favourite"}
    if _DISLIKED.search(text):
        found.add("dislike")
    subject = normalise(memory.subject)
    named = (
        frozenset(m for w in tokens(subject) for m in meanings(w, memory.language))
        if subject != "user"
        else frozenset()
    )
    return Fact(
        subject_meanings=named,
        memory=memory,
        stems=frozenset(stem(w) for w in words),
        meanings=frozenset(found),
        subject=subject,
        subject_stems=frozenset(stem(w) for w in tokens(subject)),
        cosine=cosine,
        unsure=unsure,
    )


class Pool:
    """The facts at hand for one reply: recalled ones first, then those looked up by slot; each memory once."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        """Start from the recalled memories, best first."""
        self._facts: dict[str, Fact] = {}
        for hit in hits:
            if hit.memory.memory_id not in self._facts:
                self._facts[hit.memory.memory_id] = fact_of(
                    hit.memory, cosine=hit.cosine, unsure=hit.needs_confirmation
                )

    def add(self, memories: Iterable[Memory]) -> list[Fact]:
        """Add looked-up memories; returns them as facts."""
        found = []
        for memory in memories:
            if memory.memory_id not in self._facts:
                self._facts[memory.memory_id] = fact_of(memory)
            found.append(self._facts[memory.memory_id])
        return found

    @property
    def facts(self) -> list[Fact]:
        """Everything but events."""
        return [f for f in self._facts.values() if not f.is_event]

    @property
    def events(self) -> list[Fact]:
        """What was said, word for word."""
        return [f for f in self._facts.values() if f.is_event]
