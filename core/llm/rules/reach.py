"""Ways to reach people: telephone numbers, addresses, and by which channel somebody wants to be reached."""

from __future__ import annotations

import re

from core.llm.rules.bonds import relation_in
from core.llm.rules.draft import Draft
from core.llm.rules.loose import made
from core.llm.rules.names import is_name
from core.llm.rules.phrases import KIN, KIN_ADJECTIVE, PERSON, RELATION, RELATIONS, rx, snake
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence

_EMAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_PHONE = r"\+?\(?\d[\d ()/.-]{5,18}\d"
_WHOSE = rx(
    rf"\b(?:my|our|the) (?P<r>(?:{KIN_ADJECTIVE}){RELATION}|[\w-]+(?: [\w-]+)?)(?:,? (?P<n>{PERSON})"
    r")?(?:'s\b|,| can be| is on| on\b| \(|:| is reachable|,? (?:phone|tel|email|mobile|number)"
    ")|"
    rf"\b(?P<n2>{PERSON})(?:'s (?:new )?(?:phone|number|mobile|cell|email|e-mail|work)|,? can be "
    rf"reached| is on\b|: )|^(?P<r2>{RELATION})(?:'s| number|:)"
)
_CHANNEL = (
    "(?:whats ?app|signal|telegram|text|texts|texting|sms|email|e-mail|mail|slack|phone|calls?|"
    "imessage|messenger|dm|dms|post|letter|teams|discord|voicemail)"
)
_CHANNEL_OK = rx(
    f"(?:^|(?<=[.!?,;–-] ))(?:(?:just|so|better|only|please|and|but) )*(?P<v>{_CHANNEL}(?: (?:or|"
    rf"and|\+) {_CHANNEL})*(?: (?:is|are))?(?: (?:only|ok|okay|fine|best|better|works?(?: best)"
    "?|preferred|please|instead))+)"
)
_DONT_CALL = rx(
    r"\b(?P<v>(?:don't|do not|never|rather not|no need to) (?:ring|call|phone|text|email|whatsapp|"
    r"message|voicemail)(?: me)?(?: (?:before|after|at|on|in) [\w ]{2,20})?|no (?:phone )?calls)"
    r"\b(?! (?:me )?(?:it|that|him|her|them|the|a|an|(?-i:[A-Z])))"
)
_REACHED = rx(
    r"\b(?:can be |is )?(?:reached|reachable|available|contactable) (?:at|on|via|by|under) [^,;]{5,40}"
    "?,? (?:but )?(?P<v>(?:only |just |best )?(?:before|after|between|from|until|till|mornings?|"
    r"evenings?|afternoons?|weekdays?|weekends?|in the)\b[\w :-]{0,24})"
)


_FEW_WORDS = 6  # a sentence this short is about nothing else
_SHORTEST, _LONGEST = 7, 15  # digits of a telephone number


def read_reach(one: Sentence, scene: Scene) -> list[Draft]:
    """Telephone numbers, addresses and how people want to be reached."""
    text = one.text
    found: list[Draft] = []
    whose = _WHOSE.search(text)
    for slot, pattern in (("email", _EMAIL), ("phone", rf"(?<![\w.-]){_PHONE}(?![\w-])")):
        matches = [match for match in re.finditer(pattern, text) if slot == "email" or _is_phone(text, match)]
        for match in matches[:1]:
            subject, surface = _owner(whose, match.start(), scene)
            value = match.group().rstrip(".")
            label = "email address" if slot == "email" else "phone number"
            shown = f"Your {label} is {value}" if subject == "user" else f"The {label} of {surface} is {value}"
            found.append(made(slot, value, shown, match.start(), match.end(), one, scene, subject=subject))
            if subject != "user" and (hours := _REACHED.search(text)):
                found.append(
                    made(
                        "availability",
                        hours["v"],
                        f"{surface} can be reached {hours['v']}",
                        hours.start(),
                        hours.end(),
                        one,
                        scene,
                        subject=subject,
                    )
                )
    if asked := _DONT_CALL.search(text):
        found.append(
            made("contact_preference", asked["v"], f"Contact: {asked['v']}", asked.start(), asked.end(), one, scene)
        )
    if (channel := _CHANNEL_OK.search(text)) and (
        re.search(r"\bme\b|ring|call|reach|contact", text, re.IGNORECASE)
        or scene.said("contact_preference")
        or len(text.split()) <= _FEW_WORDS
    ):
        found.append(
            made(
                "contact_preference",
                channel["v"],
                f"To reach you: {channel['v']}",
                channel.start(),
                channel.end(),
                one,
                scene,
            )
        )
    return found


_DIALLED = re.compile(
    r"\b(?:phone|number|tel|telephone|mobile|cell|call|ring|text|whats ?app|signal|reach\w*|contact\w*|"
    r"dial|landline|ph|mob)\b",
    re.IGNORECASE,
)


def _is_phone(text: str, match: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", match.group())
    return _SHORTEST <= len(digits) <= _LONGEST and bool(
        _DIALLED.search(text, 0, match.start()) or _DIALLED.search(text, match.end())
    )


def _owner(whose: re.Match[str] | None, before: int, scene: Scene) -> tuple[str, str]:
    if whose is None or whose.start() > before:
        return "user", "you"
    word = (whose["r"] or whose["r2"] or "").lower()
    name = whose["n"] or whose["n2"]
    if re.search(
        r"\b(?:best|new|old|work|personal|private|main|email|e-mail|number|phone|mobile|cell|whatsapp|"
        r"address|preferred|only|home|landline|contact)\b",
        word,
    ) or word in {"name", "way", "full name"}:
        return "user", "you"
    relation = relation_in(word)
    if name and is_name(name):
        return name, name
    if relation:
        slot = RELATIONS[relation]
        known = scene.discourse.relations.get(slot)
        return known or (slot if relation in KIN else relation), f"your {relation}"
    if whose["n2"]:
        return whose["n2"], whose["n2"]
    return (snake(word).replace("_", " "), f"your {word}") if word else ("user", "you")
