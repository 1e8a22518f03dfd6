"""Text that others wrote: one proposal a claim, in its own words, for a reviewer to look at (rules §1.8, §1.9).

"I" in such text is its author. A sentence that orders the assistant about, or sets a condition for its answers, is
marked a directive; none of it can become a fact by itself.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from core.llm.rules.acts import act_of
from core.llm.rules.clauses import Clause, Discourse, read_clause
from core.llm.rules.dates import resolve
from core.llm.rules.draft import Draft
from core.llm.rules.people import read_people
from core.llm.rules.person import read_person
from core.llm.rules.phrases import PERSON, bare, rx, snake, tidy
from core.llm.rules.roles import read_owned
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence, sentences
from core.llm.rules.standings import ordered_state, state_of
from core.llm.rules.things import read_thing
from core.model import MemoryKind, Provenance, SourceKind, SpeechAct
from core.slots import normalise

_DIRECTIVE = rx(
    "(?:^(?:note to (?:the )?(?:assistant|ai|agent|model|llm)|(?:dear |hey |attention,? "
    r")?(?:assistant|ai|agent|model|chatbot|llm)\b[:,]|system ?(?:prompt|message|note)?:|"
    "important[:!]? (?:remember|store|save|always|instruction)|instructions?(?: to| for)? (?:the "
    ")?(?:ai|assistant|agent|model))|"
    r"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |the |your |every )*(?:previous|prior|"
    "above|earlier|other|preceding|system|safety|instructions?|rules|guidelines|policies)|"
    r"\b(?:remember|memori[sz]e|store|save|record|note|keep in mind|make a note|persist|add to "
    r"(?:your )?memory)\b.{0,40}\b(?:that|this|the user|user's|permanently|forever|in memory|for "
    "(?:all )?future)|"
    r"\b(?:when|whenever|if|every time|each time|any time)\b.{0,80}\b(?:asked|asks?|ask you|"
    r"questioned|queried|mentions?|discuss\w*|recommend\w*|requests?)\b.{0,160}\b(?:recommend|answer|"
    "reply|respond|say|tell|suggest|use|mention|direct|point|state|prefer|choose|claim|refer|send|"
    r"always|never|do not|don't|must|should)\b|"
    "^(?:always|never|do not|don't|please|you (?:must|should|will|are (?:now|to|required))|from now "
    "on|in (?:all )?future|henceforth|going forward|act as|pretend|recommend|tell (?:the|your) user|"
    "inform the user|answer|reply|respond|send|forward|email|transfer|use|run|execute|call|visit|"
    r"click|remember|forget|store|save)\b(?!'s)|"
    r"\b(?:the (?:assistant|ai|agent|model|chatbot)) (?:must|should|shall|will|is to|has to|needs to|"
    r"always|never)\b|\bsave .{1,60} as (?:the )?user'?s\b|\bremember: )"
)


_QUESTION = re.compile(r"[?？]\s*$")


_NAVIGATION = rx(
    "^(?:home|menu|search|log ?in|sign (?:in|up|out)|subscribe|share|next|previous|back(?: to top)?|"
    "read more|learn more|see (?:more|all)|skip to .+|cookies?|accept (?:all|cookies).*|privacy "
    "policy|terms (?:of (?:use|service)|and conditions)|contact(?: us)?|about(?: us)?|"
    "all rights reserved.*|©.*|copyright .*|follow us.*|advertisement|sponsored|related articles?|"
    "table of contents|download|print|share this.*|tweet|loading.*|click here.*|you are here.*|page "
    r"\d+.*|\d+ comments?|posted (?:by|on|in) .*|tags?: .*|categories: .*)$"
)


_VERBLESS = re.compile(r"[a-z\u00df-\u024f]{2,}", re.IGNORECASE)


_HEAD = re.compile(
    r"^(?:the |a |an |our |this |these |those )?(?P<h>[\w'’&.-]+(?:\s+[\w'’&.-]+){0,4}?)(?=\s+(?:is|"
    "are|was|were|has|have|had|will|can|could|must|should|may|does|did|do|says|said|offers?|opens?|"
    "closes?|costs?|runs?|lives?|works?|uses?|needs?|makes?|provides?|includes?|takes?|gets?|"
    r"becomes?|became|agrees?|supports?|requires?|recommends?|upgraded|\w+ed|\w+s)\b|\s*[:—–-]\s)",
    re.IGNORECASE,
)


_SECOND_PERSON = rx(r"^(?:so |and |also |note that |i (?:know|remember|see) (?:that )?)?(?:you|your)\b")


_TO_FIRST = [
    (rx(r"\byou are\b|\byou're\b"), "I am"),
    (rx(r"\byou were\b"), "I was"),
    (rx(r"\byou've\b"), "I have"),
    (rx(r"\byour\b"), "my"),
    (rx(r"\byours\b"), "mine"),
    (rx(r"\byou\b"), "I"),
]


_ACCESS = rx(
    "^(?:has|have|had|offers?|provides?|includes?|features?) (?P<v>(?:no |a |an |the "
    r")?(?P<q>(?!\w+ed\b|been\b|gone\b|to\b)[\w -]{2,60}?[a-z]))$"
)


_PLAIN = rx(r"^(?:is|are|was|were) (?P<v>.{2,160})$")


_PRONOUN = re.compile(r"(?:i|we|he|she|it|they|this|that|there|you|my|our)(?:'\w+)?$", re.IGNORECASE)


_WORDS_MIN = 3


_KEY_VALUE = re.compile(r"^(?P<k>[A-Za-z][\w /.-]{1,40}?)\s*[:=→]\s+(?P<v>\S.{0,200})$")


def read_document(text: str, provenance: Provenance, now: datetime, *, limit: int) -> list[Draft]:
    """Up to `limit` claims of a text that the owner did not write."""
    agent = provenance.source_kind is SourceKind.AGENT_TURN
    author = "author" if agent else (tidy(provenance.title)[:80] or provenance.source_ref[:80] or "author")
    scene = Scene(now)
    found: list[Draft] = []
    seen: set[str] = set()
    for whole in sentences(text, limit=4000):
        sentence = _content(whole) if agent else whole
        key = sentence.text.casefold()
        if key in seen or not _is_claim(sentence) or (agent and _is_chatter(sentence)):
            continue
        seen.add(key)
        found.append(_claim(sentence, scene, author, agent=agent))
        if len(found) >= limit:
            break
    return found


_OFFER = rx(
    r"^(?:i'?d |i can\b|i could\b|i'll\b|i'm (?:happy|glad|sorry|here)|let me\b|feel free|sure\b|of "
    r"course|happy to|you're welcome|here(?:'s| is| are)\b|thanks|thank you|"
    r"got it|great\b|good (?:morning|luck|question)|no problem|noted|i (?:don't|do not) (?:have|know)|"
    r"i've (?:noted|saved|updated)|understood|welcome\b|nice\b|sounds )"
)


_ACKNOWLEDGED = rx(
    r"^(?:(?:ok(?:ay)?|sure|great|thanks)[,.!]? )?(?:(?:noted|got it|understood|saved|remembered|recorded|confirmed|"
    r"as (?:i|you) (?:recall|said|mentioned)|for the record|to confirm|reminder|note(?: to self)?|"
    r"(?:session |chat )?summary|good to know(?: for later)?|i (?:read|checked|looked at) [^:.]{1,40})\s*[:,–—-]\s*|"
    r"i(?:'ve| have)? (?:noted|saved|remembered|recorded|updated)(?: that|:)? )"
)


def _content(sentence: Sentence) -> Sentence:
    """What an assistant's acknowledgement holds: "Noted: the tram leaves at 7." says that the tram leaves at 7."""
    opening = _ACKNOWLEDGED.match(sentence.text)
    if opening is None or opening.end() >= len(sentence.text):
        return sentence
    return replace(sentence, text=sentence.text[opening.end() :], start=sentence.start + opening.end())


def _is_chatter(sentence: Sentence) -> bool:
    """Whether an assistant's sentence is courtesy, an offer or a guess: none of it is a claim."""
    return bool(_OFFER.match(sentence.text)) or act_of(sentence.text, asks=sentence.asks) is not SpeechAct.ASSERTION


def is_order(words: str) -> bool:
    """Whether a sentence of others orders the assistant about, or sets a condition for its answers (rules §1.9)."""
    return bool(_DIRECTIVE.search(words.strip())) or bool(ordered_state(words.strip()))


def _is_claim(sentence: Sentence) -> bool:
    plain = sentence.text
    words = plain.split()
    if len(words) < _WORDS_MIN and not _KEY_VALUE.match(plain) and not re.search(r"[\u4e00-\u9fff]{6,}", plain):
        return False
    return not (
        sentence.asks
        or _QUESTION.search(plain)
        or _NAVIGATION.match(plain.rstrip(" ."))
        or (
            len(_VERBLESS.findall(plain)) < _WORDS_MIN - 1
            and not _KEY_VALUE.match(plain)
            and not re.search(r"[\u4e00-\u9fff\u0400-\u06ff]", plain)
        )
    )


def _claim(sentence: Sentence, scene: Scene, author: str, *, agent: bool) -> Draft:
    words = sentence.text.strip()
    if _DIRECTIVE.search(words) and not (agent and _SECOND_PERSON.match(words)):
        return Draft(
            author,
            "directive",
            words[:300],
            words,
            sentence.start,
            sentence.end,
            kind=MemoryKind.PROCEDURE,
            act=SpeechAct.DIRECTIVE,
            importance=0.6,
        )
    if ordered := ordered_state(words):
        return Draft(
            ordered[0],
            "status",
            ordered[1],
            words,
            sentence.start,
            sentence.end,
            kind=MemoryKind.PROCEDURE,
            act=SpeechAct.DIRECTIVE,
            importance=0.6,
        )
    about_owner = agent and bool(_SECOND_PERSON.match(words))
    subject, attribute, value = _slot(_first_person(words) if about_owner else words, scene)
    if not about_owner and (not subject or normalise(subject) == "user" or _PRONOUN.match(subject)):
        subject = author
    return Draft(
        subject,
        attribute,
        value,
        words,
        sentence.start,
        sentence.end,
        kind=MemoryKind.FACT,
        valid_at=resolve(value, scene.now),
    )


_HEADED = re.compile(
    r"^(?P<head>[^:]{0,80}?(?:updat|supersed|correct|replac|latest|newest|most recent|"
    r"note)[^:]{0,60}):\s+(?P<rest>\S.{5,})$",
    re.IGNORECASE,
)


def _state_in(plain: str) -> tuple[str, str] | None:
    """The state that a sentence, its part after a colon, or what stands before an "and" says a thing is in."""
    rest = plain.rsplit(": ", maxsplit=1)[-1]
    for words in dict.fromkeys([plain, rest, re.split(r",? (?:and|but|so) |, ", rest, maxsplit=1)[0]]):
        if state := state_of(words):
            return state
    return None


def _first_person(words: str) -> str:
    for pattern, first in _TO_FIRST:
        words = pattern.sub(first, words)
    return words


def _slot(words: str, scene: Scene) -> tuple[str, str, str]:
    """(subject, attribute, value) of a claim; the attribute is "statement" where the grammar does not read it."""
    plain = words.rstrip(" .!")
    if state := _state_in(plain):
        return state[0], "status", state[1]
    headed = _HEADED.match(plain)
    if headed and (read := _slot(headed["rest"], scene))[1] not in {"statement", "description"}:
        return read
    inner = Scene(scene.now, discourse=Discourse())
    clause = read_clause(plain, 0, plain, inner.discourse, None)
    drafts = _read(clause, inner)
    if not drafts:
        drafts = list(read_people(Sentence(plain, 0, len(plain), asks=False, item=False), inner))
    if drafts and not drafts[0].retracts:
        first = drafts[0]
        return bare(first.subject), first.attribute, first.value
    return _plain_slot(plain, clause)


def _read(clause: Clause, scene: Scene) -> list[Draft]:
    found = read_owned(clause, scene) if not clause.is_self else []
    if not found and clause.entity.person:
        found = list(read_person(clause, scene))
    return found or (list(read_thing(clause, scene)) if not clause.elided else [])


def _plain_slot(plain: str, clause: Clause) -> tuple[str, str, str]:
    if pair := _KEY_VALUE.match(plain):
        return "", snake(pair["k"]) or "statement", tidy(pair["v"])
    subject = bare(clause.entity.subject) if clause.entity.subject and not clause.is_self and not clause.elided else ""
    if not subject:
        head = _HEAD.match(plain)
        named = re.match(PERSON, plain)
        subject = bare(head["h"]) if head else named.group() if named else " ".join(plain.split()[:3])
    has = _ACCESS.match(clause.predicate)
    if has and not clause.elided:
        quality = has["q"].split()
        return subject, re.sub(r"\W+", "_", quality[-1].casefold()).strip("_") or "statement", has["v"]
    plain_is = _PLAIN.match(clause.predicate)
    if plain_is and not clause.elided and len(plain_is["v"].split()) <= 6:  # noqa: PLR2004 (a longer complement is prose)
        return subject, "description", plain_is["v"]
    return subject, "statement", plain
