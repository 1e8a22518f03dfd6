"""Phrases by which a text gives orders to an assistant, and whether it uses or mentions them. Pure, English.

A rule names the detector it feeds, how grave it is and what a reviewer reads. The words stand for structures (an order
to drop instructions, a condition on a question with an answer to give, a transfer of data to an address), not for
sayings. A phrase that is quoted as an example, or asked about, is a mention and stays below the label (rules §1.9).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.detectors import overrides, steering
from core.detectors.phrasing import MENTIONED
from core.model import Finding

_RULES = overrides.RULES + steering.RULES
_TALK = re.compile(
    r"\b(?:attack(?:s|ers?|ed)?|(?:prompt )?injections?|injected|jailbreak(?:s|ing)?|phishing|scam(?:s|mers?)?|"
    r"malicious|red[- ]team\w*|adversar\w+)\b",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"\b(?:examples?|such as|for instance|e\.g\.|phrases?|strings?|patterns?|words?|textbook|so-called|titled|called|"
    r"means?|lines? like|things like|messages? like|text like|claims?|says|saying|tries|attempts?|if (?:a|an|"
    r"any) (?:page|mail|e-?mail|document|text|message))\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^\W*(?:how|what|why|where|who|which|is|are|does|do|did|should)\b.*\?|^\W*(?:please )?(?:(?:can|could|"
    r"would) you (?:please )?)?(?:explain|define|translate|describe|discuss|compare|write (?:a|an)|tell me (?:what|"
    r"why|how|about))\b",
    re.IGNORECASE | re.DOTALL,
)
_QUOTES = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|(?<!\w)'[^'\n]{1,300}'(?!\w)|‘[^’\n]{1,300}’|`[^`\n]{1,300}`|«[^»\n]{1,300}»"
)
_SENTENCES = re.compile(r"[^\n]+?(?:[.!?]+[\"'”’)]*(?=\s)|\n|$)")
_PLACES = re.compile(r"\S+@\S+|https?://\S+|www\.\S+|\b[\w-]+\.(?:com|net|example|io)\b")
_LONGEST = 1200


def _mentioned(sentence: str, start: int, end: int) -> bool:
    """Whether the phrase at [start, end) is spoken of: quoted and introduced, asked about, ascribed to attackers."""
    quoted = any(quote.start() <= start + 1 and end <= quote.end() + 1 for quote in _QUOTES.finditer(sentence))
    before = _PLACES.sub(" ", sentence[:start])
    around = before + " " + _PLACES.sub(" ", sentence[end:])
    if quoted and (_TALK.search(around) or _SHOWN.search(around)):
        return True
    return bool(_TALK.search(before)) or bool(_ASKS.match(sentence))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, very long ones in pieces."""
    for found in _SENTENCES.finditer(text):
        sentence = found[0].strip()
        for at in range(0, len(sentence), _LONGEST):
            yield sentence[at : at + _LONGEST]


def phrases(text: str) -> list[Finding]:
    """One finding per kind of phrase, the gravest first use of each."""
    found: dict[str, Finding] = {}
    for sentence in sentences(text):
        for rule in _RULES:
            hit = rule.pattern.search(sentence)
            if not hit:
                continue
            mention = rule.severity > MENTIONED and _mentioned(sentence, hit.start(), hit.end())
            note = f"{rule.note}, as something spoken of" if mention else rule.note
            finding = Finding(detector=rule.detector, severity=MENTIONED if mention else rule.severity, note=note)
            if rule.note not in found or finding.severity > found[rule.note].severity:
                found[rule.note] = finding
    return list(found.values())
