"""Corrections and retractions: they land in the slot of the fact they correct, so that the key rule replaces it (rules §3.1a, §3.4)."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.clauses import Clause
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import PERSON, bare, items, read_value, rx, singular, tidy
from core.llm.rules.scene import Scene, draft
from core.llm.rules.sentences import Sentence
from core.llm.rules.voice import addressed, second_person, sentence
from core.model import Memory
from core.slots import normalise

_NOT_X_Y = [
    rx(r"^(?:no[,.]? |sorry[,.:]? |oops[,.:]? |actually[,.:]? |wait[,.:]? |correction[,.:]? |i meant?[,:]? |hmm[,.]? |it(?:'s| is| was) |that(?:'s| is) |they(?:'re| are) |the \w+(?: \w+)? is |he's |she's |i'm |i am )*not (?:on |at |in |the |a |an |for )?(?P<x>[^,;.!?]{1,50}?)(?:,|;| -| –| —|\.) (?:but |it's |its |it is |rather |actually |i meant |on |at |in |sorry |a |an )*(?P<y>[^,;.!?]{1,60})"),
    rx(r"^(?:.{0,40}?\b)?not (?:on |at |in |the |a |an )?(?P<x>[^,;.!?]{1,50}?),? but (?:rather |on |at |in |a |an |the )*(?P<y>[^,;.!?]{1,60})"),
    rx(r"^(?:no[,.]? |sorry[,.:]? |oops[,.:]? |actually[,.:]? |wait[,.:]? |correction[,.:]? |i meant?[,:]? |typo[,:]? )*(?:it(?:'s| is| was) |that(?:'s| is) |make (?:that|it) |they(?:'re| are) |he's |she's )?(?:on |at |in |a |an |the )?(?P<y>[^,;.!?]{1,50}?),? (?:not|instead of|rather than) (?:on |at |in |a |an |the )?(?P<x>[^,;.!?]{1,50})(?=[,;.!?]|$)"),
]
_MEANT = rx(r"^(?:(?:no|sorry|oops|whoops|ah|hmm|wait|actually|ugh|argh|my bad|correction|typo|edit|\*|scratch that|strike that|i misspoke|wrong|i was wrong)[,.:;!\s-]*)+(?:i (?:meant?|meant to (?:say|write|type))[,: ]+|it(?:'s| is| should be| was) |that(?:'s| is| should be) |make (?:that|it) |should (?:be|say|read) )?(?P<y>.{1,80}?)[.!]?$|^i (?:meant?|meant to (?:say|write|type))[,: ]+(?P<z>.{1,80}?)[.!]?$|^\*(?P<w>[\w-]+)$")
_MAKE_THAT = rx(r"^(?:no |sorry |actually )?(?:make|let's make) (?:that|it) (?P<y>.{1,60}?)(?: instead| actually| please)?[.!]?$")
_COUNTED = rx(r"^(?P<n>\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?P<w>[a-z][\w -]{1,30})$")
_SPELLED = rx(rf"\b(?:it(?:'s| is)|that(?:'s| is)|is|name is) (?:spell?ed|spelt|written) (?P<y>{PERSON}|\w+)")
_ABOUT_NAME = rx(r"\bmy (?P<w>surname|last name|family name|first name|name)\b")
_FORGET = rx(r"^(?:please |pls |can you |could you |also |and |ok |actually |now |just )*(?:forget|delete|remove|erase|drop|discard|clear|unlearn|stop remembering|don't (?:remember|store|keep|save)|do not (?:remember|store|keep|save)|wipe)\b(?: (?:everything|anything|all|that|what|the (?:fact|thing|part|note|bit)))*(?: (?:that )?(?:i|you)(?:'ve)? (?:told you|said|mentioned|know|have|saved|stored|wrote))?(?: (?:about|on|that|regarding|of))? ?(?P<v>.+)$")
_NO_LONGER = rx(
    r"(?:am |are |is |do |does |have |has )?(?:no longer|not(?= .*\b(?:any ?more|any longer|these days)\b)|don't(?= .*\b(?:any ?more|any longer|these days)\b)|doesn't(?= .*\b(?:any ?more|any longer)\b)|isn't(?= .*\b(?:any ?more|any longer)\b)|"
    r"stopped|have stopped|quit|have quit|gave up|have given up|given up|used to|don't (?=need to )|finished with|done with|cancelled|have cancelled|sold|have sold|got rid of|broke up with|split up with|have left|left) ?(?P<v>.+)$"
)
_ANYMORE = re.compile(r"\b(?:any ?more|any longer|these days)\b.*$", re.IGNORECASE)
_STEM = re.compile(r"(?:ing|ed|es|s|e)$")
_STOP_WORDS = frozenset("my the a an i you me that this what about told said of is am are was be to in at on for and or it do not no have has as with your our don't any live work like love use eat".split())
_SUPERSEDED_BY = {
    "live": ("home",), "work": ("job", "employer"), "vegetarian": ("diet",), "vegan": ("diet",), "smoke": ("smoking",), "drink": ("alcohol", "drinks"), "drive": ("car", "vehicle"),
    "use": ("uses",), "like": ("likes",), "love": ("likes",), "allergic": ("allergy",), "take": ("medication",), "play": ("hobby",), "speak": ("language",), "study": ("studies",), "learn": ("studies",), "report": ("manager",),
}  # fmt: skip


def _stems(text: str) -> set[str]:
    return {_STEM.sub("", word) for word in re.findall(r"[\w']+", text.casefold()) if word not in _STOP_WORDS and len(word) > 1}


def _overlap(words: str, memory: Memory) -> int:
    mine = _stems(words)
    slot = _stems(f"{memory.subject} {memory.attribute.replace('_', ' ')}")
    value = _stems(memory.value)
    british = {stem.replace("favourit", "favorit").replace("colour", "color") for stem in mine}
    return 2 * len(british & (slot | value)) + len(british & _stems(memory.text))


def replace_words(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """ "not Tuesday, Thursday": the known value that holds X, with Y in its place."""
    body = sentence_read.text.rstrip(".!")
    for pattern in _NOT_X_Y:
        found = pattern.match(body)
        if not found:
            continue
        old, new = tidy(found["x"]), tidy(re.sub(r"\s*\b(?:sorry|actually|my bad|please|instead)\b.*$", "", found["y"], flags=re.IGNORECASE))
        memory = _holding(old, scene)
        if memory is None or not new:
            continue
        value = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _m, y=new: y, memory.value, count=1, flags=re.IGNORECASE)
        return [_corrected(memory, value, old, new, sentence_read, scene)]
    return _meant(sentence_read, scene)


def _holding(words: str, scene: Scene) -> Memory | None:
    shape = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)
    facts = [memory for memory in scene.known if memory.attribute != "event"]
    return next((memory for memory in facts if shape.search(memory.value)), None)


def _meant(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """ "typo - 2 nieces", "I meant Thursday": the newest fact of the same sort gets the new value."""
    found = _MEANT.match(sentence_read.text) or _MAKE_THAT.match(sentence_read.text)
    if not found:
        return []
    new = tidy(next(group for group in found.groups() if group))
    if counted := _COUNTED.match(new):
        wanted = f"number_of_{counted['w'].strip().replace(' ', '_')}"
        for memory in scene.known:
            if memory.attribute in {wanted, f"number_of_{singular(counted['w'])}"} or singular(counted["w"]) in memory.attribute:
                return [_corrected(memory, counted["n"], memory.value, new, sentence_read, scene)]
        return [Draft("user", wanted, counted["n"], f"You have {new}.", sentence_read.start, sentence_read.end)]
    if len(new.split()) > 5:  # noqa: PLR2004 (a longer repair is a sentence of its own: the grammar reads it)
        return []
    memory = next((one for one in scene.known if one.attribute != "event" and _same_sort(one.value, new)), None)
    if memory is None:
        return []
    return [_corrected(memory, _swap_same_sort(memory.value, new), memory.value, new, sentence_read, scene)]


_SORTS = [
    re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE),
    re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b", re.IGNORECASE),
    re.compile(r"\b\d{1,2}(?::\d{2})? ?(?:am|pm)\b|\b\d{1,2}:\d{2}\b", re.IGNORECASE),
    re.compile(r"[£$€]? ?\d[\d,.]*(?: ?[a-z%€]{1,6})?\b", re.IGNORECASE),
    re.compile(r"^[A-ZÀ-Þ][\w'-]+(?: [A-ZÀ-Þ][\w'-]+)*$"),
]


def _same_sort(old: str, new: str) -> bool:
    return any(sort.search(old) and sort.fullmatch(new) for sort in _SORTS)


def _swap_same_sort(old: str, new: str) -> str:
    for sort in _SORTS:
        if sort.fullmatch(new) and sort.search(old):
            return sort.sub(lambda _m: new, old, count=1)
    return new


def _corrected(memory: Memory, value: str, old: str, new: str, sentence_read: Sentence, scene: Scene) -> Draft:
    text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _m: new if old != memory.value else value, memory.text, count=1, flags=re.IGNORECASE)
    if text == memory.text:
        text = addressed(sentence_read.text)
    base = Draft(memory.subject, memory.attribute, value, sentence(text), sentence_read.start, sentence_read.end)
    from core.llm.rules.dates import resolve  # noqa: PLC0415

    return replace(base, valid_at=resolve(value, scene.now))


def read_spelling(sentence_read: Sentence, scene: Scene, whole: str) -> list[Draft]:
    """ "it's spelled Kowalczyk with a z": the name that the turn speaks of."""
    found = _SPELLED.search(sentence_read.text)
    if not found:
        return []
    about = _ABOUT_NAME.search(whole)
    word = about["w"].lower() if about else "name"
    attribute = {"last name": "surname", "family name": "surname", "surname": "surname", "first name": "first_name"}.get(word, "name")
    known = [memory for memory in scene.known if memory.attribute in {"surname", "name", "first_name"} and memory.subject == "user"]
    if attribute == "name" and not about and not known:
        return []
    return [Draft("user", attribute, tidy(found["y"]), f"Your {word} is spelled {tidy(found['y'])}.", sentence_read.start, sentence_read.end)]


def read_retraction(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """ "Forget what I told you about my favourite tea": closes the slots that its words name."""
    found = _FORGET.match(sentence_read.text)
    if not found:
        return []
    words = found["v"]
    if not re.search(r"\b(?:my|i|i'm|our|we|me)\b", sentence_read.text, re.IGNORECASE):
        return []
    if re.match(r"(?:to|it\b|about it|that\b$|this\b)", words, re.IGNORECASE) and not scene.known:
        return []
    scored = [(memory, _overlap(words, memory)) for memory in scene.known if memory.attribute != "event"]
    best = max((score for _, score in scored), default=0)
    if best >= 2:  # noqa: PLR2004 (one word in common with the slot or the value)
        return [_closing(memory, sentence_read) for memory, score in scored if score == best]
    noun = re.match(r"(?:my|our) (?P<n>[\w' -]{2,40}?)(?=[,.;!]|$)", words, re.IGNORECASE)
    if not noun:
        return []
    from core.llm.rules.things import _OWN  # noqa: PLC0415
    from core.llm.rules.phrases import snake  # noqa: PLC0415

    attribute = _OWN.get(noun["n"].lower(), snake(noun["n"]))
    return [Draft("user", attribute, noun["n"], sentence(f"You asked to forget your {noun['n']}"), sentence_read.start, sentence_read.end, retracts=True)]


def _closing(memory: Memory, sentence_read: Sentence) -> Draft:
    return Draft(memory.subject, memory.attribute, memory.value, addressed(sentence_read.text), sentence_read.start, sentence_read.end, retracts=True)


def read_no_longer(clause: Clause, scene: Scene) -> list[Draft]:
    """ "I no longer smoke", "I'm not vegetarian anymore", "I've stopped eating meat", "I used to live in Rome"."""
    found = _NO_LONGER.match(clause.predicate)
    if not found:
        return []
    words = _ANYMORE.sub("", found["v"]).strip()
    verb = clause.predicate[: found.start("v")].strip().lower()
    if re.search(r"left|sold|cancel|broke|split", verb) and not scene.known:
        return []
    if clause.is_self or clause.entity.subject:
        memory = _retracted(words, clause, scene)
        if memory:
            return [draft(clause, memory.attribute, memory.value, scene, subject=memory.subject, retracts=True)]
    if not re.search(r"no longer|not|don't|doesn't|isn't|stopped|quit|gave up|given up", verb) or not clause.is_self:
        return []
    attribute = next((slots[0] for stem, slots in _SUPERSEDED_BY.items() if re.match(rf"{stem[:-1]}", words, re.IGNORECASE)), "")
    return [draft(clause, attribute, bare(read_value(words)), scene, retracts=True)] if attribute else []


def _retracted(words: str, clause: Clause, scene: Scene) -> Memory | None:
    subject = normalise(clause.entity.subject)
    candidates = [memory for memory in scene.known if memory.attribute != "event" and (normalise(memory.subject) == subject or subject == "user")]
    by_verb = next((slots for stem, slots in _SUPERSEDED_BY.items() if re.match(stem[: max(4, len(stem) - 1)], words, re.IGNORECASE)), ())
    scored = [(_overlap(words, memory) + (1 if memory.attribute in by_verb else 0), -index, memory) for index, memory in enumerate(candidates)]
    if not scored:
        return None
    score, _, memory = max(scored, key=lambda one: one[:2])
    return memory if score >= 2 else None  # noqa: PLR2004


def names_for_count(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """ "2 nieces. Beatriz and Noor": a bare list of names right after a count names those counted."""
    if not re.fullmatch(rf"{PERSON}(?:(?:, | and |, and | & ){PERSON}){{0,6}}[.!]?", sentence_read.text):
        return []
    counted = next((one for one in reversed(scene.drafts) if one.attribute.startswith("number_of_")), None)
    attribute = counted.attribute if counted else next((m.attribute for m in scene.known[:3] if m.attribute.startswith("number_of_")), "")
    if not attribute:
        return []
    noun = attribute.removeprefix("number_of_")
    from core.llm.rules.people import _TYPE_OF  # noqa: PLC0415
    from core.llm.rules.phrases import RELATIONS  # noqa: PLC0415

    slot = _TYPE_OF.get(noun) or RELATIONS.get(singular(noun), singular(noun))
    names = items(sentence_read.text)
    return [Draft("user", slot, " and ".join(names), f"Your {noun.replace('_', ' ')} are {' and '.join(names)}.", sentence_read.start, sentence_read.end)]


_ = second_person
