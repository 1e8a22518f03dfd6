"""From chosen facts to sentences with citations: merged where they share a beginning, never a list of rows."""

# ruff: noqa: E501 - a row is one pattern

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from core.llm.answers import asked, dates
from core.llm.answers.ask import Ask
from core.llm.answers.chosen import Chosen
from core.llm.answers.facts import Fact, spoken
from core.llm.answers.grammar import Want
from core.llm.answers.phrases import say
from core.llm.answers.retell import slot_sentence
from core.model import Memory, SourceKind

LONG = 240  # code points of a quotation; more is cut at a word
_OPENERS = {
    "en": "you your you're you've the there this that it its his her their both",
    "es": "tú tu tus te eres estás tienes vives trabajas hablas comes bebes no ya el la los las naciste pesas mides creciste juegas tocas estudias odias adoras prefieres tomas haces conduces cumples vas viajas coleccionas",
    "de": "du dein deine deiner deinem deinen dir dich der die das",
    "fr": "tu ton ta tes te t'appelles t'es le la les l'",
    "zh": "",
}
_PREPOSITION = re.compile(
    r"(?i)^(?:at|as|in|for|from|since|on|with|near|until|als|bei|seit|de|en|desde|chez|comme|depuis|à)\s"
)
_END = re.compile(r"[\s.。!！]+$")
_OUTSIDE = frozenset({SourceKind.WEB_CONTENT, SourceKind.EXTERNAL_DOC, SourceKind.TOOL_OUTPUT, SourceKind.THIRD_PARTY})
_ADDRESSED = re.compile(r"(?i)^(?:you|your|tu|tus|te|eres|du|dein|ton|ta|tes|你)\b|^你")
# verbs that say "you" by themselves, so that one shared word is enough
_VERBS = frozenset({"hablas", "tienes", "eres", "bebes", "comes", "odias", "practicas", "tomas"})
_SHORT_STEM = 2  # shared opening words from which two sentences are merged


class Composer:
    """Writes one reply: keeps the numbering of citations, each memory once."""

    def __init__(self, now: datetime) -> None:
        """Start with no citation."""
        self._now = now
        self.cited: list[Memory] = []

    def mark(self, memory: Memory) -> str:
        """The memory's citation, [n]."""
        ids = [m.memory_id for m in self.cited]
        if memory.memory_id not in ids:
            self.cited.append(memory)
            ids.append(memory.memory_id)
        return f"[{ids.index(memory.memory_id) + 1}]"

    def answer(self, ask: Ask, chosen: Chosen) -> str:  # noqa: PLR0911 - one line a kind of answer
        """One question's answer, ending in a full stop."""
        language = ask.language
        if chosen.event:
            fact = chosen.facts[0]
            when = dates.said_on(fact.memory.stated_at, self._now, language)
            return say("said", language, when=when, words=shorten(spoken(fact.memory)), mark=self.mark(fact.memory))
        facts = list(chosen.facts)
        timed = _is_timed(ask, facts)
        body = self.clauses(facts, language, timed=timed)
        if chosen.people and ask.compares:
            key = "older" if ask.compares == "old" else "younger"
            return self._stop(say(key, language, name=chosen.people[0], facts=_lower(body, language)))
        if chosen.aged:
            years = dates.years_since(facts[0].memory, self._now)
            return self._stop(
                say("aged", language, n=years, facts=_lower(body, language)) if years is not None else _upper(body)
            )
        if chosen.verdict is not None:
            return self._stop(say("yes" if chosen.verdict else "no", language, facts=_lower(body, language)))
        if chosen.count is not None:
            return self._stop(say("count", language, n=chosen.count, facts=_lower(body, language)))
        if ask.eats:
            return self._stop(say("go_by", language, facts=_lower(body, language)))
        return self._stop(_upper(body))

    def together(self, pairs: Sequence[tuple[Ask, Chosen]]) -> str:
        """Plain answers to neighbouring questions as one run: "Hanna lives in Bergen [1] and works as a midwife [2]"."""
        facts = list({f.memory.memory_id: f for _, chosen in pairs for f in chosen.facts}.values())
        ask = pairs[0][0]
        return self._stop(_upper(self.clauses(facts, ask.language, timed=any(_is_timed(a, c.facts) for a, c in pairs))))

    def lesson(self, fact: Fact, language: str) -> str:
        """A lesson that goes before the answer."""
        return say("lesson", language, fact=_lower(self.clauses([fact], language, timed=False), language))

    def nearby(self, facts: Sequence[Fact], language: str) -> str:
        """What is known beside an unknown answer."""
        return self._stop(
            say("known_instead", language, facts=_lower(self.clauses(facts, language, timed=False), language))
        )

    def clauses(self, facts: Sequence[Fact], language: str, *, timed: bool) -> str:
        """The facts as one run of clauses with citations, without the final full stop."""
        parts = [(f, self._clause(f, language, timed=timed)) for f in facts]
        groups: list[list[tuple[Fact, str]]] = []
        for part in parts:
            home = next(
                (
                    g
                    for g in groups
                    if language != "zh"
                    and _shared(g[0][1], part[1]) > 0
                    and not _is_quoted(part[1])
                    and not _is_quoted(g[0][1])
                ),
                None,
            )
            if home is None:
                groups.append([part])
            else:
                home.append(part)
        written = [self._group(group, language) for group in groups]
        if len(written) == 1:
            return written[0]
        if language == "zh":
            return ";".join(written)
        heads = [g[0][0] for g in groups]
        lowered = [
            written[0],
            *(_lower(text, language) for text, fact in zip(written[1:], heads[1:], strict=True)),
        ]
        if sum(map(len, lowered)) > LONG or len(lowered) > 3:  # noqa: PLR2004 - a sentence of four clauses is a dump
            middle = (len(lowered) + 1) // 2
            return ". ".join(_upper(_join(chunk, language)) for chunk in (lowered[:middle], lowered[middle:]) if chunk)
        return _join(lowered, language)

    def _group(self, group: list[tuple[Fact, str]], language: str) -> str:
        first_fact, first = group[0]
        if len(group) == 1:
            return f"{first} {self._cite(first_fact, language)}"
        count = min(_shared(first, text) for _, text in group[1:])
        stem = " ".join(first.split()[:count])
        tails = [(f, " ".join(text.split()[count:])) for f, text in group]
        cited = [f"{tail} {self._cite(f, language)}" for f, tail in tails]
        starts = [_PREPOSITION.match(tail) for _, tail in tails]
        if all(starts) and len({m[0].lower() for m in starts if m}) == len(starts):
            return f"{stem} {' '.join(cited)}"
        return f"{stem} {_enumerate(cited, language)}"

    def _cite(self, fact: Fact, language: str) -> str:
        mark = self.mark(fact.memory)
        if fact.memory.vouched_by:
            mark += ", " + say("vouched", language, name=fact.memory.vouched_by)
        if fact.unsure:
            mark += " (" + say("unsure", language) + ")"
        return mark

    def _clause(self, fact: Fact, language: str, *, timed: bool) -> str:
        memory = fact.memory
        text = _END.sub(
            "", dates.settled(spoken(memory) if fact.is_event else memory.text, memory.stated_at, self._now)
        )
        text = re.sub(r"(?i)^(?:lessons? learn(?:ed|t)|your rule)\s*:\s*", "", re.sub(r"\s+", " ", text))
        text = re.sub(r"^(You|Your \w+) also ", r"\1 ", text)
        if fact.is_event:
            return say("quoted", language, words=shorten(text))
        if memory.source_kind in _OUTSIDE and not _ADDRESSED.match(text):
            return say("source", language, source=memory.source_title or memory.source_ref, words=shorten(text))
        if memory.language != language:
            other = slot_sentence(memory.attribute, memory.value, language) if fact.subject == "user" else ""
            text = other or say("quoted", language, words=shorten(text))
        when = dates.relative(memory, self._now, language) if timed else ""
        if when and memory.attribute in dates.YEARLY:
            when = say("again", language, when=when)
        if when and when.casefold() not in text.casefold():
            if language == "en" and dates.is_over(memory, self._now):
                text = re.sub(
                    r"\b(is|are)\b(?= (?:due |scheduled |planned |set )?(?:on|by|at|for)\b)", _past, text, count=1
                )
            text = dates.placed(text, when, language)
        return shorten(text)

    @staticmethod
    def _stop(text: str) -> str:
        return (
            text if text.endswith((".", "。", "?")) else text + ("。" if re.search(r"[\u4e00-\u9fff]", text) else ".")
        )


def _is_timed(ask: Ask, facts: Sequence[Fact]) -> bool:
    """Whether the answer says how far away its date is: not for a date of birth, nor in a summary."""
    if any("born" in t.meanings for t in ask.terms) or ask.topic or ask.want in (Want.AGE, Want.YEAR):
        return False
    return ask.want in (Want.WHEN, Want.CLOCK) or any(
        f.memory.attribute in asked.DATE_ATTRIBUTES - dates.YEARLY for f in facts
    )


def _past(match: re.Match[str]) -> str:
    return "was" if match[1] == "is" else "were"


def _is_quoted(text: str) -> bool:
    return any(c in text for c in "“«„")


def _shared(left: str, right: str) -> int:
    """Number of opening words two sentences share, both keeping a tail; 0 if the rest does not read as a list."""
    a, b = left.split(), right.split()
    count = 0
    while count < min(len(a), len(b)) - 1 and a[count] == b[count]:
        count += 1
    opening = " ".join(a[:count]).casefold()
    if a[count][:1].isupper() != b[count][:1].isupper():  # "is Hanna" and "Hanna lives …" do not make a list
        return 0
    verb = count == 1 and opening in _VERBS
    if (count < _SHORT_STEM and not verb) or len(left) + len(right) > LONG or "," in left or "," in right:
        return 0
    return count


def _enumerate(items: Sequence[str], language: str) -> str:
    word = say("and", language)
    if language == "es" and re.match(r"(?i)h?i(?!e)", items[-1]):  # "portugués e inglés"
        word = "e"
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}"


def _join(clauses: Sequence[str], language: str) -> str:
    if len(clauses) == 1:
        return clauses[0]
    word = say("and", language)
    return f"{', '.join(clauses[:-1])}, {word} {clauses[-1]}"


def _lower(text: str, language: str) -> str:
    """The clause with a small first letter, unless it begins with a name."""
    first = text.split(" ", 1)[0]
    if first.casefold().strip(",") in _OPENERS.get(language, "").split() or (
        language == "en" and first.casefold().startswith(("you'", "don't"))
    ):
        return text[:1].lower() + text[1:]
    return text


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def shorten(text: str, limit: int = LONG) -> str:
    """`text` on one line, cut at a word if it is long."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    return flat[:limit].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
