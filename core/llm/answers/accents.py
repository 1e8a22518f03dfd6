"""Spanish question words typed without their accents: "donde vivo" asks what "¿dónde vivo?" asks."""

from __future__ import annotations

import re

_ACCENTED = {
    "que": "qué",
    "cual": "cuál",
    "cuales": "cuáles",
    "cuando": "cuándo",
    "donde": "dónde",
    "como": "cómo",
    "quien": "quién",
    "quienes": "quiénes",
    "cuanto": "cuánto",
    "cuanta": "cuánta",
    "cuantos": "cuántos",
    "cuantas": "cuántas",
}
# "como" is a verb as well ("¿como carne?"): it asks only before a verb of calling or being
_OPENING = re.compile(
    r"^(?P<before>[¿\s]*(?:y |en |a |de |con |desde |por |para )*)"
    r"(?P<word>que|cual(?:es)?|cuando|donde|quien(?:es)?|cuant[oa]s?|como(?= (?:me|te|se|es|est[aá]\w*|era|fue|puedo)\b))\b",  # noqa: E501 - one pattern
    re.IGNORECASE,
)


def with_accents(clause: str, language: str) -> str:
    """A Spanish question with its opening word spelt in full; any other as it is."""
    match = _OPENING.match(clause) if language == "es" else None
    if not match:
        return clause
    return match["before"] + _ACCENTED[match["word"].casefold()] + clause[match.end() :]
