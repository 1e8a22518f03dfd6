"""Taking facts back: "I no longer smoke", "forget what I told you about my favourite tea" (rules §3.4)."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Clause
from core.llm.rules.draft import Draft
from core.llm.rules.nouns import OWN
from core.llm.rules.phrases import bare, read_value, rx, snake, words
from core.llm.rules.scene import Scene, draft
from core.llm.rules.sentences import Sentence
from core.llm.rules.voice import addressed, sentence
from core.model import Memory
from core.slots import normalise

_FORGET = rx(
    "^(?:please |pls |can you |could you |also |and |ok |actually |now |just )*(?:forget|delete|"
    "remove|erase|drop|discard|clear|unlearn|stop remembering|don't (?:remember|store|keep|save)|do "
    r"not (?:remember|store|keep|save)|wipe)\b(?: (?:everything|anything|all|that|what|the (?:fact|"
    "thing|part|note|bit)))*(?: (?:that )?(?:i|you)(?:'ve)? (?:told you|said|mentioned|know|have|"
    "saved|stored|wrote))?(?: (?:about|on|that|regarding|of))? ?(?P<v>.+)$"
)


_NO_LONGER = rx(
    r"(?:am |are |is |do |does |have |has )?(?:no longer|not(?= .*\b(?:any ?more|any longer|these "
    r"days)\b)|don't(?= .*\b(?:any ?more|any longer|these days)\b)|doesn't(?= .*\b(?:any ?more|any "
    r"longer)\b)|isn't(?= .*\b(?:any ?more|any longer)\b)|"
    "stopped|have stopped|quit|have quit|gave up|have given up|given up|used to|don't (?=need to )|"
    "finished with|done with|cancelled|have cancelled|sold|have sold|got rid of|broke up with|split "
    "up with|have left|left) ?(?P<v>.+)$"
)


_ANYMORE = re.compile(r"\b(?:any ?more|any longer|these days)\b.*$", re.IGNORECASE)


_STEM = re.compile(r"(?:ing|ed|es|s|e)$")


_STOP_WORDS = words(
    "my the a an i you me that this what about told said of is am are was be to in at on for and or it do "
    "not no have has as with your our don't any live work like love use eat"
)


_SUPERSEDED_BY = {
    "live": ("home",),
    "work": ("job", "employer"),
    "vegetarian": ("diet",),
    "vegan": ("diet",),
    "smoke": ("smoking",),
    "drink": ("alcohol", "drinks"),
    "drive": ("car", "vehicle"),
    "use": ("uses",),
    "like": ("likes",),
    "love": ("likes",),
    "allergic": ("allergy",),
    "take": ("medication",),
    "play": ("hobby",),
    "speak": ("language",),
    "study": ("studies",),
    "learn": ("studies",),
    "report": ("manager",),
}


def _stems(text: str) -> set[str]:
    return {
        _STEM.sub("", word)
        for word in re.findall(r"[\w']+", text.casefold())
        if word not in _STOP_WORDS and len(word) > 1
    }


def _overlap(words: str, memory: Memory) -> int:
    mine = _stems(words)
    slot = _stems(f"{memory.subject} {memory.attribute.replace('_', ' ')}")
    value = _stems(memory.value)
    british = {stem.replace("favourit", "favorit").replace("colour", "color") for stem in mine}
    return 2 * len(british & (slot | value)) + len(british & _stems(memory.text))


def read_retraction(sentence_read: Sentence, scene: Scene) -> list[Draft]:
    """Reads "Forget what I told you about my favourite tea": closes the slots that its words name."""
    found = _FORGET.match(sentence_read.text)
    if not found:
        return []
    words = found["v"]
    if not re.search(r"\b(?:my|i|i'm|our|we|me)\b", sentence_read.text, re.IGNORECASE):
        return []
    if re.match(r"(?:to|it\b|about it|that\b$|this\b)", words, re.IGNORECASE) and not scene.known:
        return []
    hinted = _hinted(words)
    scored = [
        (memory, _overlap(words, memory) + (2 if memory.attribute in hinted else 0))
        for memory in scene.known
        if memory.attribute != "event"
    ]
    best = max((score for _, score in scored), default=0)
    if best >= 2:  # noqa: PLR2004 (one word in common with the slot or the value)
        return [_closing(memory, sentence_read) for memory, score in scored if score == best]
    noun = re.match(r"(?:my|our) (?P<n>[\w' -]{2,40}?)(?=[,.;!]|$)", words, re.IGNORECASE)
    if not noun:
        return []

    attribute = OWN.get(noun["n"].lower(), snake(noun["n"]))
    return [
        Draft(
            "user",
            attribute,
            noun["n"],
            sentence(f"You asked to forget your {noun['n']}"),
            sentence_read.start,
            sentence_read.end,
            retracts=True,
        )
    ]


def _hinted(words: str) -> set[str]:
    """Slots that a paraphrase means: "where I live", "how old I am"."""
    low = words.casefold()
    hinted = {slot for stem, slots in _SUPERSEDED_BY.items() if re.search(rf"\b{stem[:-1]}", low) for slot in slots}
    if re.search(r"\bhow old\b", low):
        hinted |= {"age", "birthday"}
    if re.search(r"\bwhere i live\b|\bmy address\b", low):
        hinted |= {"home", "address"}
    return hinted


def _closing(memory: Memory, sentence_read: Sentence) -> Draft:
    return Draft(
        memory.subject,
        memory.attribute,
        memory.value,
        addressed(sentence_read.text),
        sentence_read.start,
        sentence_read.end,
        retracts=True,
    )


def read_no_longer(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "I no longer smoke", "I'm not vegetarian anymore", "I used to live in Rome"."""
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
    attribute = next(
        (slots[0] for stem, slots in _SUPERSEDED_BY.items() if re.match(rf"{stem[:-1]}", words, re.IGNORECASE)), ""
    )
    value = bare(read_value(words))
    if attribute in {"alcohol", "smoking"}:
        return [draft(clause, attribute, read_value(clause.predicate), scene)]
    if at := re.match(r"work (?:at|for) (?P<e>.+)", value, re.IGNORECASE):
        attribute, value = "employer", at["e"]
    return [draft(clause, attribute, value, scene, retracts=True)] if attribute else []


_NAME_RUN = re.compile(r"(?<![\w'])(?!I['’])[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")


def _may_be_meant(words: str, memory: Memory) -> bool:
    """Whether a retraction in these words can be about the memory: a name of it is held, most of a statement.

    "I cancelled my subscription to the Courier" does not end the one to the Herald, nor "I sold the old car" a story of
    an old friend.
    """
    held = _stems(f"{memory.subject} {memory.attribute.replace('_', ' ')} {memory.value} {memory.text}")
    runs = _NAME_RUN.findall(words)
    if runs and not any(_stems(run) <= held or normalise(memory.value) in normalise(run) for run in runs):
        return False
    mine = _stems(words)
    return memory.attribute != "statement" or 2 * len(mine & held) > len(mine)


def _retracted(words: str, clause: Clause, scene: Scene) -> Memory | None:
    subject = normalise(clause.entity.subject)
    candidates = [
        memory
        for memory in scene.known
        if memory.attribute != "event"
        and (normalise(memory.subject) == subject or subject == "user")
        and _may_be_meant(words, memory)
    ]
    by_verb = next(
        (
            slots
            for stem, slots in _SUPERSEDED_BY.items()
            if re.match(stem[: max(4, len(stem) - 1)], words, re.IGNORECASE)
        ),
        (),
    )
    scored = [
        (_overlap(words, memory) + (1 if memory.attribute in by_verb else 0), -index, memory)
        for index, memory in enumerate(candidates)
    ]
    if not scored:
        return None
    score, _, memory = max(scored, key=lambda one: one[:2])
    return memory if score >= 2 else None  # noqa: PLR2004
