"""Which language a sentence is in, and reading the common forms of those that are not English.

A table a language: triggers with the value in group `v`, and the second-person sentence that they make.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.llm.rules import chinese, french, german, italian, portuguese, spanish
from core.llm.rules.acts import act_of, statement_before_question
from core.llm.rules.dates import expiry, resolve
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import by_word, tidy
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.model import SpeechAct


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language: how to tell it, its forms, where a value ends, its words for relations."""

    code: str
    telling: re.Pattern[str]
    certain: re.Pattern[str]
    forms: tuple[tuple[str, re.Pattern[str], str], ...]
    stop: re.Pattern[str]
    relations: dict[str, str]
    relation: re.Pattern[str]
    relation_says: str
    joiner: re.Pattern[str]
    of_relation: tuple[tuple[str, re.Pattern[str], str], ...]
    turns: tuple[tuple[str, str], ...]  # first person -> second person
    many: frozenset[str] = frozenset({"likes", "dislikes", "allergy", "language", "hobby"})


TONGUES = tuple(
    Tongue(**table)
    for table in (
        spanish.SPANISH,
        french.FRENCH,
        italian.ITALIAN,
        portuguese.PORTUGUESE,
        german.GERMAN,
        chinese.CHINESE,
    )
)


_ENGLISH = re.compile(r"\b(?:the|i'm|i|is|my|and|with|you|was|have|for|that|we|our|it's|of|at)\b", re.IGNORECASE)


def tongue_of(text: str) -> Tongue | None:
    """The language of one sentence; None for English and for what cannot be told."""
    english = len(_ENGLISH.findall(text[:400]))
    best: tuple[int, Tongue | None] = (0, None)
    for tongue in TONGUES:
        score = len(tongue.telling.findall(text[:400])) + (3 if tongue.certain.search(text[:400]) else 0)
        if score > best[0]:
            best = (score, tongue)
    return best[1] if best[0] >= 2 and best[0] > english else None  # noqa: PLR2004 (one function word is shared by several languages)


def read_foreign(sentence: Sentence, scene: Scene) -> list[Draft] | None:
    """The facts of a sentence in a language other than English; None if it is English."""
    tongue = tongue_of(sentence.text)
    if tongue is None:
        return None
    text = sentence.text
    if act_of(text, asks=sentence.asks) is not SpeechAct.ASSERTION:
        text = statement_before_question(text)
        if not text:
            return []
    found = _relations(text, sentence, scene, tongue)
    for attribute, pattern, says in tongue.forms:
        for match in pattern.finditer(text):
            found.extend(_form(attribute, match, says, text, sentence, scene, tongue))
    found.extend(_of_relation(text, sentence, scene, tongue))
    return _with_since(_prune(found))


def _with_since(found: list[Draft]) -> list[Draft]:
    """The home's sentence also says since when."""
    since = next((one for one in found if one.attribute == "lives_since"), None)
    if since is None:
        return found
    return [
        replace(one, statement=f"{one.statement[:-1]}, {since.value}.") if one.attribute == "home" else one
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
    retracted = [one.value for one in kept if one.retracts]
    return [one for one in kept if one.retracts or one.value not in retracted]


def _value(words: str, tongue: Tongue) -> str:
    cut = tongue.stop.search(words)
    return tidy(words[: cut.start()] if cut else words)


def _form(
    attribute: str, match: re.Match[str], says: str, text: str, sentence: Sentence, scene: Scene, tongue: Tongue
) -> list[Draft]:
    raw = match["v"] or ""
    value = tidy(raw) if attribute == "drinks" else _value(raw, tongue)
    retracts = attribute.startswith("-")
    name = attribute.lstrip("-")
    groups = {key: _value(found, tongue) for key, found in match.groupdict().items() if found and key != "v"}
    subject = groups.get("x", "user")
    if not value or "▒" in value:
        return []
    if name == "favorite":
        name = FAVOURITES.get(groups.get("k", "").casefold(), "likes")
    parts = _parts(raw, value, tongue) if name in tongue.many else [value]
    shown = _turned(text[match.start() : match.start("v")] + value, tongue)
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
                else says.format(v=tidy(part), **{"x": "", "k": "", **groups})
            ),
            sentence.start + match.start(),
            min(end, sentence.end),
            valid_at=resolve(part, scene.now),
            expires_at=expiry(text, scene.now),
            retracts=retracts,
            language=tongue.code,
        )
        for part in parts
    ]


FAVOURITES = by_word(
    {
        "favorite_color": "color, cor, colore, couleur, farbe, 颜色",
        "favorite_food": "comida, essen, plat, gericht, cibo, 食物, 菜",
        "favorite_book": "libro, livro, livre, buch, 书",
        "favorite_film": "película, film, filme, 电影",
        "favorite_band": "banda, band, grupo",
        "favorite_drink": "getränk",
        "favorite_animal": "tier, animal",
        "favorite_sport": "sport, deporte",
    }
)


def _parts(raw: str, value: str, tongue: Tongue) -> list[str]:
    """The parts of a list: commas join only where an "and" follows."""
    pieces = re.split(r"[,，]\s*", re.split(r"[.;!?。；！？()]", raw)[0])
    last = next((index for index, piece in enumerate(pieces) if len(tongue.joiner.split(piece)) > 1), 0)
    listed = pieces[: last + 1] if last and all(len(piece.split()) <= 4 for piece in pieces[: last + 1]) else [value]  # noqa: PLR2004
    found = [
        tidy(part)
        for piece in listed
        for part in tongue.joiner.split(_value(piece, tongue) if piece != value else value)
    ]
    return [part for part in found if part and len(part) > 1]


def _turned(words: str, tongue: Tongue) -> str:
    """The words as said, first person turned into second; "" if nothing in them is first person."""
    said = words
    for pattern, second in tongue.turns:
        said = re.sub(pattern, second, said, flags=re.IGNORECASE)
    if said == words:
        return ""
    plain = said.strip(" ,;:")
    return plain[:1].upper() + plain[1:] + ("。" if tongue.code == "zh" else ".")


def _relations(text: str, sentence: Sentence, scene: Scene, tongue: Tongue) -> list[Draft]:
    found = []
    for match in tongue.relation.finditer(text):
        word, name = match["rel"].casefold(), tidy(match["name"])
        slot = tongue.relations.get(word)
        if not slot or not name:
            continue
        scene.discourse.relations[slot] = name
        found.append(
            Draft(
                "user",
                slot,
                name,
                _capital(tongue.relation_says.format(rel=match["rel"], own=_own(match["own"]), v=name)),
                sentence.start + match.start(),
                sentence.start + match.end(),
                language=tongue.code,
            )
        )
    if found:
        scene.discourse.relations["last"] = found[-1].value
    return found


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _own(word: str) -> str:
    low = word.casefold()
    return {
        "mi": "tu",
        "mis": "tus",
        "mon": "ton",
        "ma": "ta",
        "mes": "tes",
        "mio": "tuo",
        "mia": "tua",
        "meu": "seu",
        "minha": "sua",
        "meine": "deine",
        "mein": "dein",
        "meiner": "deine",
        "meinem": "dein",
        "meinen": "dein",
        "我": "你",
        "我的": "你的",
        "nuestra": "vuestra",
        "nuestro": "vuestro",
        "unser": "euer",
        "unsere": "eure",
    }.get(low, low)


def _of_relation(text: str, sentence: Sentence, scene: Scene, tongue: Tongue) -> list[Draft]:
    """Reads "il a huit ans", "arbeitet als Tischlerin": said of the relation last named."""
    who = scene.discourse.relations.get("last")
    found = []
    for attribute, pattern, says in tongue.of_relation:
        for match in pattern.finditer(text):
            subject = who
            if "rel" in match.groupdict() and match["rel"]:
                slot = tongue.relations.get(match["rel"].casefold(), match["rel"])
                subject = scene.discourse.relations.get(slot) or slot
            value = _value(match["v"], tongue)
            if subject and value:
                found.append(
                    Draft(
                        subject,
                        attribute,
                        value,
                        says.format(x=subject, v=value),
                        sentence.start + match.start(),
                        sentence.start + match.end(),
                        language=tongue.code,
                    )
                )
    return found
