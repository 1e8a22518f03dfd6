"""Whether a text denies: words of negation in seven languages, counted so that "not without" says yes. Pure."""

from __future__ import annotations

import re

# "Not only", "not just", 非常 and the like deny nothing; a question tag in Chinese (是不是) neither.
_NOT_CUES = re.compile(
    r"\b(?:not|nicht|no|non|não|pas) (?:only|just|merely|nur|bloß|s[óo]lo|solamente|seulement|soltanto|só|apenas)\b|"
    r"\bno\.?\s?\d|\bn°|不仅|不但|不只|不过(?=[，,是])|不错|不久|不少|不同(?!意)|不好意思|对不起|差不多|"
    r"了不起|(\w)不\1|没关系|没问题|有没有|非常|无论|特别|别人|个别|分别|区别|级别|性别|告别",
    re.IGNORECASE,
)
# One denial each. In a clause that has one, the words of _CONCORD only strengthen it ("no como nada", "ne … jamais").
_MAIN = re.compile(
    r"\b(?:not|cannot|never|nobody|none|nothing|nowhere|neither|without|no longer|instead of|rather than|"
    r"(?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|should|must|need|ai|might|sha)n'?t|no|"
    r"nicht|kein\w*|nie|niemals|nichts|niemand\w*|nirgends|ohne|anstatt|statt|"
    r"ne|sans|au lieu de|sin|en vez de|en lugar de|non|senza|invece di|não|nao|sem|em vez de)(?!\w)|"
    r"[不没沒无無未别勿]|而非|ない|ません|なかった",
    re.IGNORECASE,
)
_CONCORD = re.compile(
    r"\b(?:pas|jamais|rien|personne|aucune?|guère|nunca|jamás|nada|nadie|ning[úu]n\w*|tampoco|niente|nulla|nessun\w*|"
    r"neanche|nem|nenhuma?|ninguém|any ?more)\b",
    re.IGNORECASE,
)
_ANY_MORE = re.compile(r"any ?more", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:.!?，；：。！？\n]")


def cues(text: str) -> int:
    """How many denials a text holds."""
    plain = _NOT_CUES.sub(" ", text.replace("’", "'"))
    return sum(_clause_cues(clause) for clause in _CLAUSE.split(plain))


def negated(text: str) -> bool:
    """Whether a text denies: an odd number of denials ("no" once, "not without" twice)."""
    return cues(text) % 2 == 1


def _clause_cues(clause: str) -> int:
    main = len(_MAIN.findall(clause))
    return main or min(1, sum(1 for match in _CONCORD.finditer(clause) if not _ANY_MORE.match(match.group())))
