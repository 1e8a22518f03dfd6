"""What a sentence that is not a plain statement states all the same: asides, openings, reasons, presupposed kin."""

from __future__ import annotations

import re

from core.llm.rules.acts import act_of, statement_before_question
from core.llm.rules.phrases import rx
from core.llm.rules.sentences import Sentence
from core.llm.rules.splitting import split
from core.model import SpeechAct

_ASIDE = re.compile(r"\(([^()]{6,200})\)")
_OWN_OPENING = rx(r"(?:i|i'm|im|i've|we|we're|we've|my|our|it's my|he's my|she's my)\b")
_TOLD = rx(
    r"^(?:(?:oh|and|btw|so|also|hey)[, ]+)*(?:did i (?:mention|tell you|say)|have i (?:mentioned|told you)|you know|"
    r"guess what|do you remember)(?:,? (?:that|how))?[,:]?\s+(?=(?:i|i'm|i've|we|we're|we've|my|our)\b)"
)
_STATES = rx(
    "^(?:(?:hi|hey|hello|ok|okay|so|well|right|btw|quick one|also)[ ,!:]+)*(?:i|i'm|im|i've|we|"
    r"we're|we've|my|our)\b(?! (?:can|could|should|might|may|was wondering|"
    r"wonder|need to know|want to know)\b)"
)
_CHECKS = rx(
    "^(?:and |so |or |but )?(?:right|correct|yes|no|true|yeah|ok|okay|eh|huh|innit|or not|or "
    "am i|or what|am i|is it|isn't it|don't i|do i|didn't i|"
    r"aren't i|haven't i|wasn't i|remember|or \w+|isn't that right|did i|is that right)\b[^,]{0,20}$"
)
_REASON = rx(
    r"(?:,\s*(?:because|since|as|cos|given(?: that)?|seeing as|considering|and|but|fyi|btw)?\s*|"
    r"\s(?:because|since|as|cos|given that|seeing as|considering)\s+|\s-\s|;\s*)"
    "(?P<v>(?:i'm|i am|i've got|i have|we're|we are|we have|we've got|i can't|i don't|i live|"
    r"i work|i'm allergic|my [\w ]{2,30}? (?:is|has|can't|are|have)|our [\w ]{2,30}? (?:is|has|"
    r"are))\b[^?]{3,})\?*$"
)


def parts_of(sentence: Sentence, act: SpeechAct) -> list[Sentence]:
    """The statements inside a sentence whose act as a whole is `act`; a plain statement also gives its asides."""
    text = sentence.text
    found: list[Sentence] = []
    if act is SpeechAct.QUESTION:
        told = _TOLD.match(text)
        if told:
            return _stated(sentence, told.end(), len(text.rstrip("? ")))
        found += _head(sentence)
        if not found and (reason := _REASON.search(text)) and not _CHECKS.search(reason["v"]):
            found += _stated(sentence, reason.start("v"), reason.end("v"))
    elif act is SpeechAct.HYPOTHETICAL:
        found += _before_doubt(sentence)
    if act in {SpeechAct.QUESTION, SpeechAct.ASSERTION, SpeechAct.SOCIAL}:
        for aside in _ASIDE.finditer(text):
            if _OWN_OPENING.match(aside[1]):
                found += _stated(sentence, aside.start(1), aside.end(1))
    return found


def _stated(sentence: Sentence, start: int, end: int) -> list[Sentence]:
    words = sentence.text[start:end].rstrip(" ?")
    if act_of(words, asks=False) is not SpeechAct.ASSERTION:
        return []
    at = sentence.start + start
    return [Sentence(words, at, at + len(words), asks=False, item=False)]


def _head(sentence: Sentence) -> list[Sentence]:
    """The statement before a question: "my brother Emil passed his exam, gift ideas?"."""
    text = sentence.text
    head = statement_before_question(text)
    if not head and _STATES.match(text):
        for cut in reversed([found.start() for found in re.finditer(r",\s|\s[-–—]\s|;\s|\.{2,}", text)]):
            tail = text[cut:].lstrip(" ,;.-–—")
            if not _CHECKS.match(tail.rstrip("? ")) and " or " not in tail:
                head = text[:cut]
                break
    return _stated(sentence, 0, len(head)) if head else []


def _before_doubt(sentence: Sentence) -> list[Sentence]:
    """The clauses before the one that only supposes: "I'm a nurse and I might move next year"."""
    text = sentence.text
    if re.match(
        r"(?:\w+[, ]+){0,2}(?:if|suppos|imagin|say|let's|assum|wish|what if|pretend|in (?:theory|case))",
        text,
        re.IGNORECASE,
    ):
        return []
    end = 0
    for start, stop in split(text, 0):
        clause = text[start:stop]
        if act_of(clause, asks=False) is not SpeechAct.ASSERTION or not (end or _STATES.match(clause)):
            break
        end = stop
    return _stated(sentence, 0, end) if end and end < len(text) else []
