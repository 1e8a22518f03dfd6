"""Open forms: turns of phrase that mean one thing whatever fills them, wherever they stand in a sentence."""

from __future__ import annotations

import re

from core.llm.rules.dates import resolve
from core.llm.rules.draft import Draft
from core.llm.rules.masks import BLOT
from core.llm.rules.openform import Form
from core.llm.rules.openforms_other import OTHER_FORMS
from core.llm.rules.openforms_own import OWN_FORMS
from core.llm.rules.phrases import KIN, NAME, PERSON, RELATIONS, bare, items, rx, snake, tidy
from core.llm.rules.scene import Scene, lifetime
from core.llm.rules.sentences import Sentence
from core.llm.rules.voice import second_person, sentence

_FAMILY_OF = rx(rf"\b(?P<own>his|her) (?P<rel>mum|mom|mother|dad|father)\s*(?:=|is|:)\s*(?P<v>{PERSON})")


def read_open(said: Sentence, scene: Scene) -> list[Draft]:
    """What the open forms make of one asserting sentence."""
    found: list[Draft] = []
    for form in (*OWN_FORMS, *OTHER_FORMS):
        for match in form.pattern.finditer(said.text):
            groups = match.groupdict()
            if (groups.get("v") or groups.get("w")) and BLOT not in match.group():
                found.extend(_drafts(form, match, said, scene))
    for match in _FAMILY_OF.finditer(said.text):
        slot = "mother_in_law" if match["rel"].lower() in {"mum", "mom", "mother"} else "father_in_law"
        if re.search(r"\b(?:hubby|husband|wife|partner|spouse)\b", said.text[: match.start()], re.IGNORECASE):
            found.append(
                _draft("user", slot, match["v"], f"Your {slot.replace('_', '-')} is {match['v']}", match, said, scene)
            )
    return found


def _drafts(form: Form, match: re.Match[str], said: Sentence, scene: Scene) -> list[Draft]:
    groups = {key: tidy(text) for key, text in match.groupdict().items() if text}
    groups.setdefault("v", groups.get("w", ""))
    if "{person}" in form.subject + form.says:
        person = scene.discourse.person
        named = next(
            (one.subject for one in reversed(scene.drafts) if one.subject != "user" and one.subject[:1].isupper()), ""
        )
        groups["person"] = named or (person.subject if person else "")
        if not groups["person"]:
            return []
    if "{thing_before}" in form.subject:
        groups["thing_before"] = _heading(said, match)
        if not groups["thing_before"]:
            return []
    groups["clause"] = second_person(_clause(match, said))
    groups["said"] = tidy(match.group()).split(", ")[-1]
    word = groups.get("rel", "").lower()
    groups["word"], groups["rel"] = word, RELATIONS.get(word, snake(word))
    if "s" in groups and groups["s"].islower() and form.slot == "role":
        groups["s"] = groups["s"].capitalize()
    slot = form.slot.format(**{**groups, "thing": snake(groups.get("thing", ""))})
    subject = form.subject.format(**groups)
    if form.slot == "role" and subject.casefold() in KIN:
        slot, subject, groups["v"] = KIN[subject.casefold()], "user", groups["v"].title()
    found = []
    for value in items(groups["v"]) if form.many else [groups["v"]]:
        says = form.says.format(**{**groups, "v": value}) if form.says else second_person(_clause(match, said))
        kept = bare(value) if form.slot in {"likes", "dislikes", "allergy"} else value
        found.append(_draft(subject, slot, kept, says, match, said, scene))
    if "a" in groups:
        found.append(_draft(subject, "age", groups["a"], found[0].statement, match, said, scene))
    return found


_HEADING = re.compile(
    rf"^(?:status of |update on |re )?(?:the |my |our )?(?P<n>{NAME}|[a-z][\w-]+(?: "
    rf"[\w-]+){{0,2}}?)(?= \(| at\b| is\b|:|,)",
    re.IGNORECASE,
)


def _heading(said: Sentence, match: re.Match[str]) -> str:
    """What the sentence is headed by: "Operation Marigold (…): 60 percent"."""
    found = _HEADING.match(said.text)
    return tidy(found["n"]) if found and found.end() <= match.start("v") else ""


def _clause(match: re.Match[str], said: Sentence) -> str:
    """The words around a match, to the next marks."""
    start = max((said.text.rfind(mark, 0, match.start()) for mark in ";.!—"), default=-1) + 1
    ends = [at for mark in ";!—" if (at := said.text.find(mark, match.end())) >= 0]
    return said.text[start : min(ends, default=len(said.text))]


def _draft(subject: str, slot: str, value: str, says: str, match: re.Match[str], said: Sentence, scene: Scene) -> Draft:
    return Draft(
        subject,
        slot,
        tidy(value),
        sentence(says),
        said.start + match.start(),
        said.start + match.end(),
        valid_at=resolve(value, scene.now),
        expires_at=lifetime(slot, said.text, scene.now),
    )
