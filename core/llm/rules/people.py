"""Relations by name, wherever a sentence mentions them: "my cousin Rocío", "our PM Ilse", "a cat called Biscuit"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.llm.rules.clauses import Entity
from core.llm.rules.draft import Draft
from core.llm.rules.health import DIETS
from core.llm.rules.phrases import (
    KIN,
    KIN_ADJECTIVE,
    PERSON,
    PERSONS,
    PETS,
    RELATION,
    RELATIONS,
    items,
    rx,
    singular,
    snake,
    tidy,
    together,
    words,
)
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.work import is_job_title

_MENTION = rx(
    rf"\b(?:my|our)\s+{KIN_ADJECTIVE}(?P<rel>{RELATION})\b(?:'s (?:name|name's) is|,? (?:is |'s |"
    r"who(?:'s| is) )?(?:called|named)|'s called|(?:'s name)?,|\s+is|"
    rf"\s+-)?\s+(?P<name>{PERSON})(?!\w)(?P<tail>.{{0,3}})"
)


_BARE_MENTION = re.compile(
    r"(?:^|[.;,!] |\band )(?i:(?P<rel>mum|mom|dad|gran|granny|grandma|grandpa|grandad|nan|uncle|aunt|"
    rf"auntie))(?:,)? (?P<name>{PERSON})(?=,|'s|\s|$)"
)


_CALLED = rx(
    r"\b(?:a|an|one|another|new|our|my|the|second|have)\s+(?:[\w-]+ "
    rf"){{0,4}}?(?P<rel>{RELATION})s?,?\s+(?:is )?(?:called|named|whose name is|by the name "
    rf"of)\s+\"?(?P<name>{PERSON})"
)


_PLURAL = rx(
    r"\b(?P<c>\d+|two|three|four|five|six|both|twin|twins?)?\s*(?:\w+ )?(?P<rel>kids|children|"
    "daughters|sons|sisters|brothers|siblings|cats|dogs|rabbits|hamsters|nieces|nephews|cousins|"
    "grandchildren|parents|grandparents|twins|boys|girls|pets|horses|parrots|chickens|"
    "flatmates|housemates|budgies|guinea "
    r"pigs)\b(?:,? (?:are |is )?(?:called|named)|:| are| -| –|,|"
    rf"\s*\()\s*(?P<v>{PERSON}(?:\s*\([^)]{{1,12}}\)|\s+\d{{1,2}})?(?:\s*(?:,|and|&|, "
    rf"and)\s*{PERSON}(?:\s*\([^)]{{1,12}}\)|\s+\d{{1,2}})?){{1,6}})"
)


_AGED = re.compile(
    rf"(?P<n>{PERSON})(?:\s*\((?P<a>\d{{1,2}}(?: (?:months?|weeks?|years?|yrs?)(?: old)?)?)\)|, "
    r"(?P<b>\d{1,2})(?=,|\s|$)|\s+(?P<d>\d{1,2})\b)",
    0,
)


_HAVE = rx(
    r"\b(?:adopted|bought|rescued|have|'ve got|have got|has|got|am (?:a )?(?:mum|mom|dad|mother|"
    r"father|parent) (?:of|to))\s+(?P<c>\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"no)\s+(?P<adj>(?:[\w-]+ ){0,2}?)(?P<rel>nieces?|nephews?|kids|children|daughters?|sons?|"
    "sisters?|brothers?|siblings|cats?|dogs?|rabbits?|hamsters?|cousins|grandchildren|grandkids|"
    r"horses?|parrots?|chickens|bikes|cars|flatmates|housemates|plants)\b(?! (?:is|called|named|whose|"
    "who|food|bed|allergy|phobia|sitter))(?!-)"
)


TYPE_OF = {
    "kids": "child",
    "children": "child",
    "boys": "son",
    "girls": "daughter",
    "twins": "child",
    "grandkids": "grandchild",
    "grandchildren": "grandchild",
}


_TITLED = rx(
    r"\b(?:my|our|the)\s+(?:new |old |former )?(?P<role>(?-i:PM|CEO|CTO|CFO|COO|VP|HR|QA|DBA|SRE)(?: "
    r"(?!is\b|are\b|was\b|has\b)[a-z]+)?|(?:[a-z]+ )?(?:lead|director|designer|developer|engineer|"
    "analyst|architect|producer|editor|secretary|treasurer|chair|captain|head|receptionist|caretaker|"
    "intern|researcher|scientist|counsel|bookkeeper|consultant|contractor|photographer|caterer|"
    rf"florist|builder|gardener))\s+(?P<name>{PERSON})(?=\s|[,.;!?)]|$|'s)"
)


_CALL_ME = rx(
    r"\b(?:(?:everyone|everybody|people|friends|my friends|they|the kids|my family|most people|you "
    r"can|just|please|pls|but|so|and|you should|folks|colleagues|all)\s+(?:just |usually |always |all "
    ")?)?(?P<verb>calls?) me (?!(?:back|when|if|at|on|tomorrow|later|crazy|old|a|an|the|by|in|"
    r"up)\b)\"?(?P<name>[\w][\w'-]*(?: (?-i:[A-Z])[\w'-]+)?)"
)


_NOT_CALL = rx(
    r"\b(?:don't|do not|never|please don't) (?:(?:shorten (?:it|my name)|abbreviate it) to|call me) "
    r"\"?(?P<name>[\w.'-]+)\"?"
)


_GO_BY = rx(
    r"\b(?:i |we )?(?:go by|goes by|am known as|'m known as|prefer to be called|like to be called|"
    rf"prefer being called|answer to) \"?(?P<name>{PERSON})"
)


_GIVEN = rx(r"^(?P<name>(?-i:[A-ZÀ-Þ])\w+) is (?:my |the )?(?:given|first|preferred) name\b")


_PARTNER_AND_I = rx(rf"\b(?:me and|i and)\s+my\s+(?P<rel>{RELATION})\s+(?P<name>{PERSON})")


_NOT_NAME = words(
    "i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february "
    "march "
    "april may june july august september october november december english french spanish german ok "
    "okay "
    "the a so and but he she it they we my our his her is was has in on at pm am who"
)


def read_people(sentence: Sentence, scene: Scene) -> Iterable[Draft]:
    """Every named relation of one sentence, each remembered as spoken of."""
    text, start = sentence.text, sentence.start
    found: list[Draft] = []
    for match in _PLURAL.finditer(text):
        found.extend(_plural(match, start, scene))
    for pattern in (_MENTION, _CALLED, _BARE_MENTION, _PARTNER_AND_I):
        for match in pattern.finditer(text):
            found.extend(_mention(match, start, scene, found))
    for match in _HAVE.finditer(text):
        found.extend(one for one in _count(match, start, text, scene) if not _named_already(one, found))
    for match in _TITLED.finditer(text):
        if match["name"].lower() not in _NOT_NAME:
            name = tidy(match["name"])
            scene.discourse.see(Entity(name, name, person=True))
            found.append(
                _draft(name, "role", tidy(match["role"]), f"{name} is your {tidy(match['role'])}.", match, start)
            )
    found.extend(_called(text, start))
    found.extend(_introduction(text, start))
    return found


_AS_A = rx(
    r"^(?:(?:well|so|and|but)[, ]+)?(?:as|being) (?:an? |someone who is )(?P<x>[\w -]{2,40}?),? "
    r"(?=(?:i|i'm|my|we)\b)"
)


_HI_IM = rx(
    "^(?:hi|hello|hey|hiya|yo|heya)(?: there| all| everyone)?[ ,!.]+(?:i'?m|i am|this is|my name is|"
    "it's|name's) (?P<n>(?!not|just|so|very|the|a|an|your|in|on|at|back|here|new|sorry|fine|good|ok|"
    "happy|tired|looking|trying|going|still|from|really|glad|feeling|having|using|ready|bored|sick|"
    r"stuck|lost|also|and)[a-z]{2,15})(?=,| and | from | here\b|[.!]|$)(?P<r>.*)"
)


_AGE_BIT = re.compile(r"^,\s*(?:aged? )?(?P<a>\d{2})(?=,|\s|$|\.)")


_FROM_BIT = re.compile(r",?\s*(?:\band )?from (?P<p>[\w' -]+?)(?=,|\.|$| and )", re.IGNORECASE)


def _introduction(text: str, start: int) -> list[Draft]:
    """Reads "hi im jo, 27, from leeds", "as a nurse I …"."""
    found = []
    if match := _AS_A.match(text):
        what = match["x"]
        if re.fullmatch(DIETS, what, re.IGNORECASE):
            found.append(_draft("user", "diet", what, f"You are {what}.", match, start))
        elif is_job_title(what):
            found.append(_draft("user", "job", what, f"You are a {what}.", match, start))
    if (match := _HI_IM.match(text)) and not match["n"].endswith(("ing", "ed")):
        found.append(
            _draft("user", "name", match["n"].capitalize(), f"Your name is {match['n'].capitalize()}.", match, start)
        )
        if age := _AGE_BIT.match(match["r"]):
            found.append(_draft("user", "age", age["a"], f"You are {age['a']}.", match, start))
        if place := _FROM_BIT.search(match["r"]):
            found.append(_draft("user", "hometown", place["p"], f"You are from {place['p']}.", match, start))
    return found


def _called(text: str, start: int) -> list[Draft]:
    found = []
    if match := _NOT_CALL.search(text):
        found.append(
            _draft(
                "user",
                "name_preference",
                f"not {match['name']}",
                f"You don't want to be called {match['name']}.",
                match,
                start,
            )
        )
    elif (match := _CALL_ME.search(text)) and match["name"].lower() not in _NOT_NAME:
        found.append(_draft("user", "nickname", match["name"], f"You are called {match['name']}.", match, start))
    if match := _GO_BY.search(text) or _GIVEN.search(text):
        found.append(_draft("user", "nickname", match["name"], f"You go by {match['name']}.", match, start))
    return found


_AGE_AFTER = re.compile(r"\s*\((?:aged? )?(\d{1,2}(?: (?:months|weeks|years|yrs)(?: old)?)?)\)")


def _mention(match: re.Match[str], start: int, scene: Scene, before: list[Draft]) -> list[Draft]:
    word = match["rel"].lower()
    name = tidy(match["name"])
    if name.split()[0].lower() in _NOT_NAME or any(one.value == name or name in one.value for one in before):
        return []
    slot = RELATIONS[word]
    entity = Entity(name, f"Your {word} {name}", person=True, relation=slot)
    scene.discourse.see(entity)
    scene.discourse.relations[slot] = name
    found = [_draft("user", slot, name, f"Your {word} is {name}.", match, start)]
    if age := _AGE_AFTER.match(match.string, match.end("name")):
        found.append(_draft(name, "age", age[1], f"{name} is {age[1]}.", match, start))
    return found


def _plural(match: re.Match[str], start: int, scene: Scene) -> list[Draft]:
    word = match["rel"].lower()
    slot = TYPE_OF.get(word) or RELATIONS.get(singular(word), snake(singular(word)))
    listed = match["v"]
    names = [re.sub(r"\s*\(.*?\)|\s+\d+$", "", one).strip() for one in items(listed)]
    found = [
        _draft(
            "user",
            slot,
            together(names),
            f"Your {word} are {listed}.",
            match,
            start,
        )
    ]
    for aged in _AGED.finditer(listed):
        age = aged["a"] or aged["b"] or aged["d"]
        found.append(_draft(aged["n"], "age", age, f"{aged['n']} is {age}.", match, start))
    if word not in KIN and word not in PETS:
        scene.discourse.see(Entity(names[0], names[0], person=slot not in PETS.values()))
    return found


def _named_already(one: Draft, found: list[Draft]) -> bool:
    """Whether a count only repeats a list of names: "two daughters, Maya and Elin"."""
    noun = one.attribute.removeprefix("number_of_")
    slot = TYPE_OF.get(noun) or RELATIONS.get(singular(noun), singular(noun))
    return noun != one.attribute and any(other.attribute == slot and " and " in other.value for other in found)


def _count(match: re.Match[str], start: int, text: str, scene: Scene) -> list[Draft]:
    word = match["rel"].lower()
    one = match["c"].lower() in {"a", "an", "one"}
    slot = TYPE_OF.get(word) or RELATIONS.get(singular(word), singular(word))
    described = f"{match['adj']}{match['rel']}".strip()
    scene.discourse.see(
        Entity(singular(word), f"Your {singular(word)}", person=singular(word) in PERSONS, relation=slot)
    )
    if one:
        after = text[match.end() : match.end() + 40]
        if (re.match(rf",? {PERSON}", after) and slot in PETS.values()) or (
            re.match(r"\s*(?:in|at|who|and|$|[,.;!])", after) and slot != "car"
        ):
            return [_draft("user", slot, described, f"You have {match['c']} {described}.", match, start)]
        return []
    return [_draft("user", f"number_of_{word}", match["c"], f"You have {match['c']} {described}.", match, start)]


def _draft(subject: str, attribute: str, value: str, statement: str, match: re.Match[str], start: int) -> Draft:
    return Draft(subject, attribute, value, statement, start + match.start(), start + match.end())
