"""Relations by name, wherever in a sentence they are mentioned: "my cousin Rocío", "our PM Ilse", "a cat called Biscuit"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.llm.rules.clauses import Entity
from core.llm.rules.dates import resolve
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import KIN, KIN_ADJECTIVE, PERSON, PERSONS, PETS, RELATION, RELATIONS, items, rx, singular, snake, tidy
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence

_MENTION = rx(rf"\b(?:my|our)\s+{KIN_ADJECTIVE}(?P<rel>{RELATION})\b(?:'s (?:name|name's) is|,? (?:is |'s |who(?:'s| is) )?(?:called|named)|'s called|(?:'s name)?,|\s+is|\s+-)?\s+(?P<name>{PERSON})(?!\w)(?P<tail>.{{0,3}})")
_BARE_MENTION = re.compile(rf"(?:^|[.;,!] |\band )(?i:(?P<rel>mum|mom|dad|gran|granny|grandma|grandpa|grandad|nan|uncle|aunt|auntie))(?:,)? (?P<name>{PERSON})(?=,|'s|\s|$)")
_CALLED = rx(rf"\b(?:a|an|one|another|new|our|my|the|second|have)\s+(?:[\w-]+ ){{0,4}}?(?P<rel>{RELATION})s?,?\s+(?:is )?(?:called|named|whose name is|by the name of)\s+\"?(?P<name>{PERSON})")
_PLURAL = rx(rf"\b(?P<c>\d+|two|three|four|five|six|both|twin|twins?)?\s*(?:\w+ )?(?P<rel>kids|children|daughters|sons|sisters|brothers|siblings|cats|dogs|rabbits|hamsters|nieces|nephews|cousins|grandchildren|twins|boys|girls|pets|horses|parrots|chickens|flatmates|housemates|budgies|guinea pigs)\b(?:,? (?:are |is )?(?:called|named)|:| are| -| –|,|\s*\()\s*(?P<v>{PERSON}(?:\s*\([^)]{{1,12}}\)|\s+\d{{1,2}})?(?:\s*(?:,|and|&|, and)\s*{PERSON}(?:\s*\([^)]{{1,12}}\)|\s+\d{{1,2}})?){{1,6}})")
_AGED = re.compile(rf"(?P<n>{PERSON})(?:\s*\((?P<a>\d{{1,2}}(?: (?:months?|weeks?|years?|yrs?)(?: old)?)?)\)|, (?P<b>\d{{1,2}})(?=,|\s|$)|\s+(?P<d>\d{{1,2}})\b)", 0)
_HAVE = rx(r"\b(?:adopted|bought|rescued|have|'ve got|have got|has|got|am (?:a )?(?:mum|mom|dad|mother|father|parent) (?:of|to))\s+(?P<c>\d+|a|an|one|two|three|four|five|six|seven|eight|nine|ten|no)\s+(?P<adj>(?:[\w-]+ ){0,2}?)(?P<rel>nieces?|nephews?|kids|children|daughters?|sons?|sisters?|brothers?|siblings|cats?|dogs?|rabbits?|hamsters?|cousins|grandchildren|grandkids|horses?|parrots?|chickens|bikes|cars|flatmates|housemates|plants)\b(?! (?:is|called|named|whose|who|food|bed|allergy|phobia|sitter))(?!-)")
_TYPE_OF = {"kids": "child", "children": "child", "boys": "son", "girls": "daughter", "twins": "child", "grandkids": "grandchild", "grandchildren": "grandchild"}
_TITLED = rx(rf"\b(?:my|our|the)\s+(?:new |old |former )?(?P<role>(?-i:PM|CEO|CTO|CFO|COO|VP|HR|QA|DBA|SRE)(?: \w+)?|(?:[a-z]+ )?(?:lead|director|designer|developer|engineer|analyst|architect|producer|editor|secretary|treasurer|chair|captain|head|receptionist|caretaker|intern|researcher|scientist|counsel|bookkeeper|consultant|contractor|photographer|caterer|florist|builder|gardener))\s+(?P<name>{PERSON})(?=\s|[,.;!?)]|$|'s)")
_CALL_ME = rx(rf"\b(?:(?:everyone|everybody|people|friends|my friends|they|the kids|my family|most people|you can|just|please|pls|but|so|and|you should|folks|colleagues|all)\s+(?:just |usually |always |all )?)?(?P<verb>calls?) me (?!(?:back|when|if|at|on|tomorrow|later|crazy|old|a|an|the|by|in|up)\b)\"?(?P<name>[\w][\w'-]*(?: (?-i:[A-Z])[\w'-]+)?)")
_NOT_CALL = rx(r"\b(?:don't|do not|never|please don't) (?:(?:shorten (?:it|my name)|abbreviate it) to|call me) \"?(?P<name>[\w.'-]+)\"?")
_GO_BY = rx(rf"\b(?:i |we )?(?:go by|goes by|am known as|'m known as|prefer to be called|like to be called|prefer being called|answer to) \"?(?P<name>{PERSON})")
_GIVEN = rx(rf"^(?P<name>(?-i:[A-ZÀ-Þ])\w+) is (?:my |the )?(?:given|first|preferred) name\b")
_PARTNER_AND_I = rx(rf"\b(?:me and|i and)\s+my\s+(?P<rel>{RELATION})\s+(?P<name>{PERSON})")
_NOT_NAME = frozenset(
    "i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december english french spanish german "
    "ok okay the a so and but he she it they we my our his her is was has in on at pm am who".split()
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
        found.extend(_count(match, start, text, scene))
    for match in _TITLED.finditer(text):
        if match["name"].lower() not in _NOT_NAME:
            name = tidy(match["name"])
            scene.discourse.see(Entity(name, name, person=True))
            found.append(_draft(name, "role", tidy(match["role"]), f"{name} is your {tidy(match['role'])}.", match, start))
    found.extend(_called(text, start))
    return found


def _called(text: str, start: int) -> list[Draft]:
    found = []
    if match := _NOT_CALL.search(text):
        found.append(_draft("user", "name_preference", f"not {match['name']}", f"You don't want to be called {match['name']}.", match, start))
    elif (match := _CALL_ME.search(text)) and match["name"].lower() not in _NOT_NAME:
        found.append(_draft("user", "nickname", match["name"], f"You are called {match['name']}.", match, start))
    if match := _GO_BY.search(text) or _GIVEN.search(text):
        found.append(_draft("user", "nickname", match["name"], f"You go by {match['name']}.", match, start))
    return found


def _mention(match: re.Match[str], start: int, scene: Scene, found: list[Draft]) -> list[Draft]:
    word = match["rel"].lower()
    name = tidy(match["name"])
    if name.split()[0].lower() in _NOT_NAME or any(one.value == name or name in one.value for one in found):
        return []
    slot = RELATIONS[word]
    entity = Entity(name, f"Your {word} {name}", person=word in PERSONS, relation=slot)
    scene.discourse.see(entity)
    scene.discourse.relations[slot] = name
    return [_draft("user", slot, name, f"Your {word} is {name}.", match, start)]


def _plural(match: re.Match[str], start: int, scene: Scene) -> list[Draft]:
    word = match["rel"].lower()
    slot = _TYPE_OF.get(word) or RELATIONS.get(singular(word), snake(singular(word)))
    listed = match["v"]
    names = [re.sub(r"\s*\(.*?\)|\s+\d+$", "", one).strip() for one in items(listed)]
    found = [_draft("user", slot, " and ".join(names) if len(names) == 2 else ", ".join(names), f"Your {word} are {listed}.", match, start)]  # noqa: PLR2004
    for aged in _AGED.finditer(listed):
        age = aged["a"] or aged["b"] or aged["d"]
        found.append(_draft(aged["n"], "age", age, f"{aged['n']} is {age}.", match, start))
    if word not in KIN and word not in PETS:
        scene.discourse.see(Entity(names[0], names[0], person=slot not in PETS.values()))
    return found


def _count(match: re.Match[str], start: int, text: str, scene: Scene) -> list[Draft]:
    word = match["rel"].lower()
    one = match["c"].lower() in {"a", "an", "one"}
    slot = _TYPE_OF.get(word) or RELATIONS.get(singular(word), singular(word))
    described = f"{match['adj']}{match['rel']}".strip()
    scene.discourse.see(Entity(singular(word), f"Your {singular(word)}", person=singular(word) in PERSONS, relation=slot))
    if one:
        after = text[match.end() : match.end() + 40]
        if re.match(rf",? {PERSON}", after) and slot in PETS.values() or re.match(r"\s*(?:in|at|who|and|$|[,.;!])", after) and slot not in {"car"}:
            return [_draft("user", slot, described, f"You have {match['c']} {described}.", match, start)]
        return []
    plural = word if word.endswith(("s", "n")) else word
    return [_draft("user", f"number_of_{plural}", match["c"], f"You have {match['c']} {described}.", match, start)]


def _draft(subject: str, attribute: str, value: str, statement: str, match: re.Match[str], start: int) -> Draft:
    return Draft(subject, attribute, value, statement, start + match.start(), start + match.end())


_ = resolve
