"""Which language a sentence is in, and reading the common forms of those that are not English.

A table a language: triggers with the value in group `v`, and the second-person sentence that they make.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from core.llm.rules import chinese, french, german, italian, portuguese, spanish
from core.llm.rules.acts import act_of, statement_before_question
from core.llm.rules.dates import expiry, resolve
from core.llm.rules.draft import Draft
from core.llm.rules.folding import folded, plain
from core.llm.rules.households import relations, said_of
from core.llm.rules.phrases import by_word, tidy
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.tongue import Reading, Tongue, parts_of, tongue, turned, value_of
from core.model import SpeechAct

TONGUES = tuple(
    tongue(table)
    for table in (
        spanish.SPANISH,
        french.FRENCH,
        italian.ITALIAN,
        portuguese.PORTUGUESE,
        german.GERMAN,
        chinese.CHINESE,
    )
)


_ENGLISH = re.compile(
    r"\b(?:the|when|you|your|please|what|an|are|not|don't|just|too|answer|reply|from|this|i'm|i|is|my|and|with|you|was|have|for|that|we|our|it's|of|at|from|named|called|who|since)\b",
    re.IGNORECASE,
)

#: The head of "Soy alérgico al marisco, ¿qué pido?" is a statement.
_ASKING_TAIL = folded(
    r"[,;.] *(?:¿|(?:y|et|und|e|aber|pero|mais) )?\s*(?:¿|qué\b|cómo\b|dónde\b|cuál\b|puedes\b|sabes\b|was\b|wie\b|"
    r"welche\w*\b|wo\b|kannst du\b|hast du\b|gibt es\b|weißt du\b|soll\w*\b|qu'est|est-ce|comment\b|quel\w*\b|que |"
    r"une idée\b|tu as\b|peux-tu\b|tu peux\b|o que\b|como\b|qual\b|che\b|cosa\b|come\b|hai\b|puoi\b|"
    r"你|请|有什么|有没有|怎么|能不能|能|该|可以|什么|哪)(?=[^,;]*$)|[，；](?=[^，；]*$)"
)


#: Liking the reader's answer is a courtesy, not a taste.
_YOURS = re.compile(r"(?:tus?|deine?[nmr]?|t[ao]n?|tes|votre|il tuo|la tua|sua|seu)\s|你", re.IGNORECASE)


_VERBATIM = frozenset({"drinks", "email", "phone", "height", "weight", "address", "blood_type", "phone_model", "car"})


def tongue_of(text: str) -> Tongue | None:
    """The language of one sentence; None for English and for what cannot be told."""
    head = text[:400]
    english = len(_ENGLISH.findall(head))
    best: tuple[int, Tongue | None] = (0, None)
    for language in TONGUES:
        score = len(language.telling.findall(head)) + (3 if language.certain.search(plain(head)) else 0)
        if score > best[0]:
            best = (score, language)
    if best[0] >= 2 and best[0] > english:  # noqa: PLR2004 (one function word is shared by several languages)
        return best[1]
    return _by_form(head) if best[0] and not english else None


def _by_form(head: str) -> Tongue | None:
    """The language whose forms a short sentence fits, when its function words are too few to tell."""
    text = plain(head)
    fits = {
        language.code: sum(pattern.search(text) is not None for _, pattern, _ in language.forms)
        for language in TONGUES
        if language.telling.search(head)
    }
    most = max(fits.values(), default=0)
    return next((language for language in TONGUES if most and fits.get(language.code) == most), None)


def read_foreign(sentence: Sentence, scene: Scene) -> list[Draft] | None:
    """The facts of a sentence in a language other than English; None if it is English."""
    language = tongue_of(sentence.text)
    if language is None:
        return None
    text = _stated(sentence, language)
    if not text:
        return []
    reading = Reading(text, plain(text), sentence, scene, language)
    named, places = relations(reading)
    about, taken = said_of(reading, places)
    found = named
    for attribute, pattern, says in language.forms:
        for match in _matches(pattern, reading):
            if not any(start <= match.start("v") < end for start, end in taken):
                found.extend(_form(attribute, match, says, reading))
    found.extend(about)
    return _with_since(_prune(found))


def _matches(pattern: re.Pattern[str], reading: Reading) -> Iterator[re.Match[str]]:
    """Every match; the next one may begin where the value of the last one ends, within its pattern's reach."""
    at = 0
    while match := pattern.search(reading.plain, at):
        if match.start("v") < 0:
            at = max(match.end(), at + 1)
            continue
        yield match
        at = max(match.start("v") + max(len(value_of(reading.group(match, "v"), reading.tongue)), 1), at + 1)


def _stated(sentence: Sentence, language: Tongue) -> str:
    """What of a sentence is a statement about its writer or their own: "" for questions, wishes, fiction, orders."""
    text = sentence.text
    if language.hush and language.hush.search(plain(text)):
        return ""
    if act_of(text, asks=sentence.asks) is SpeechAct.ASSERTION:
        return text
    head = statement_before_question(text)
    if not head and (tail := _ASKING_TAIL.search(plain(text))):
        head = text[: tail.start()]
        if not head.strip() or act_of(head, asks=False) is not SpeechAct.ASSERTION:
            return ""
    return head


def _with_since(found: list[Draft]) -> list[Draft]:
    """The home's sentence also says since when."""
    since = next((one for one in found if one.attribute == "lives_since"), None)
    if since is None:
        return found
    return [
        replace(one, statement=f"{one.statement[:-1]}, {since.value}.")
        if one.attribute == "home" and since.value not in one.statement
        else one
        for one in found
    ]


def _prune(found: list[Draft]) -> list[Draft]:
    """One fact a slot and place: the first form of a table that read a value keeps it."""
    kept: list[Draft] = []
    for one in found:
        if not any(
            other.attribute == one.attribute
            and other.subject == one.subject
            and other.retracts == one.retracts
            and (other.value in one.value or one.value in other.value)
            for other in kept
        ):
            kept.append(one)
    retracted = {(one.value, one.attribute) for one in kept if one.retracts}
    names = {one.value.casefold() for one in kept if one.attribute == "name"}
    return [
        one
        for one in kept
        if one.retracts
        or (
            (one.value, one.attribute) not in retracted
            and not (one.attribute == "job" and one.value.casefold() in names)
        )
    ]


def _form(attribute: str, match: re.Match[str], says: str, reading: Reading) -> list[Draft]:
    language, scene, sentence = reading.tongue, reading.scene, reading.sentence
    raw = reading.group(match, "v")
    retracts = attribute.startswith("-")
    name = attribute.lstrip("-")
    value = tidy(raw) if name in _VERBATIM else value_of(raw, language)
    groups = {
        key: value_of(reading.group(match, key), language)
        for key in match.re.groupindex
        if key != "v" and reading.group(match, key)
    }
    if not value or "▒" in value or (name in {"likes", "dislikes"} and _YOURS.match(value)):
        return []
    subject = groups.get("x", "user")
    if "rel" in groups:
        slot = language.relations.get(plain(groups["rel"]).casefold())
        if not slot:
            return []
        subject = scene.discourse.relations.get(slot) or slot
    if name == "favorite":
        name = FAVOURITES.get(groups.get("k", "").casefold(), "likes")
    parts = (parts_of(raw, language) or [value]) if name in language.many and not retracts else [value]
    shown = "" if says.startswith("=") else turned(reading.text[match.start() : match.start("v")] + value, language)
    says = says.removeprefix("=")
    end = sentence.start + match.start() + max(len(match.group()), 1)
    known = next((memory for memory in scene.known if memory.subject == "user" and memory.attribute == name), None)
    return [
        Draft(
            subject,
            name,
            tidy(known.value if retracts and known and tidy(part).casefold() in known.value.casefold() else part),
            (
                shown
                if shown and len(parts) == 1 and not retracts
                else _sentence(says.format(v=tidy(part), **{"x": "", "k": "", "rel": "", **groups}))
            ),
            sentence.start + match.start(),
            min(end, sentence.end),
            valid_at=resolve(part, scene.now),
            expires_at=expiry(reading.text, scene.now),
            retracts=retracts,
            language=language.code,
        )
        for part in parts
    ]


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


FAVOURITES = by_word(
    {
        "favorite_color": "color, cor, colore, couleur, farbe, 颜色",
        "favorite_food": "comida, plato, essen, plat, gericht, cibo, piatto, prato, 食物, 菜",
        "favorite_book": "libro, livro, livre, buch, 书",
        "favorite_film": "película, film, filme, 电影",
        "favorite_band": "banda, band, grupo, groupe",
        "favorite_drink": "getränk, bebida, boisson, bevanda, 饮料",
        "favorite_animal": "tier, animal, animale, 动物",
        "favorite_sport": "sport, deporte, esporte, 运动",
    }
)
