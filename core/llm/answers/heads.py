"""Which terms of a question name the very thing asked for: an answer must have these itself."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.answers import grammar
from core.llm.answers.ask import Term
from core.llm.answers.grammar import Want
from core.llm.answers.meaning import MARK
from core.llm.answers.words import stem

_FIGURES = frozenset(
    {"contact", "phonenumber", "email", "address", "cost", "salary", "budget"}
)  # never said of another thing
TOKEN = re.compile(rf"{MARK}?[^\W_]+(?:[.,:/]\d[^\W_]*)*|'s\b")


def mark_heads(text: str, terms: list[Term], want: Want | None, language: str) -> list[Term]:
    """Mark the terms that name the thing asked for."""
    if language != "en" or not terms:
        return terms
    by_stem = {t.stem: t for t in terms}
    heads: list[str] = []
    match = re.search(r"(?i)\b(?:what|which|how many|how much)\s+(.*)", text)
    stop = grammar.STOP["en"]
    if match and not re.match(r"(?i)(?:is|are|was|were)\b", match[1]):
        for token in TOKEN.findall(match[1]):
            if token.casefold() in stop:
                break
            heads.append(token.casefold() if token.startswith(MARK) else stem(token))
    if not heads and want is Want.WHO:
        tail = re.split(r"(?i)\bwho(?:m|se)?\b", text)[-1]
        content = [t for t in TOKEN.findall(tail) if t.casefold() not in stop and t != "'s"]
        heads = [stem(content[0]) if not content[0].startswith(MARK) else content[0].casefold()] if content else []
    named = re.search(r"(?i)\b(?:what|which)\s+(?:is|are|was|were)\b", text) is not None
    if not heads and (want is None or named):
        phrase = re.sub(r"(?i)^.*?\b(?:is|are|was|were)\s+", "", text, count=1) if want is Want.ANY else text
        phrase = re.split(r"(?i)\s(?:for|of|in|on|at|with|from|to|about|that|which|who)\s|,", phrase)[0]
        phrase = phrase.rsplit("'s ", 1)[-1]
        content = [t for t in TOKEN.findall(phrase) if t.casefold() not in stop and t != "'s"]
        heads = [content[-1].casefold() if content[-1].startswith(MARK) else stem(content[-1])] if content else []
    always = {t.stem for t in terms if t.meanings & _FIGURES}
    if len(terms) > 1 and stem("number") in by_stem:
        terms = [replace(t, soft=True) if t.stem == stem("number") else t for t in terms]
        heads = [h for h in heads if h != stem("number")]
    if any("reply" in t.meanings for t in terms):
        terms = [replace(t, soft=True) if "like" in t.meanings else t for t in terms]
    heads.extend(always)
    chosen = {h for h in heads if h in by_stem and not (want in (Want.NUMBER, Want.COUNT) and by_stem[h].soft)}
    others = [t for t in terms if t.stem not in chosen]
    soft_much = want is Want.NUMBER and len(others) > 1 and re.search(r"(?i)\bhow much \w", text) is not None
    return [
        replace(
            t,
            head=t.stem in chosen and not soft_much,
            soft=t.soft or (soft_much and t.stem in chosen and len(terms) > 1),
        )
        for t in terms
    ]
