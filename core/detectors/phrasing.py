"""How the rules on phrases are written: a structure of named parts, never a saying. Pure, English."""

from __future__ import annotations

import re
from dataclasses import dataclass

MENTIONED = 0.3


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One structure: the finding it makes and the pattern that shows it."""

    detector: str
    severity: float
    note: str
    pattern: re.Pattern[str]


def rule(detector: str, severity: float, note: str, pattern: str) -> Rule:
    """A rule from a pattern in which `<name>` stands for one of `PARTS`."""
    for name, part in PARTS.items():
        pattern = pattern.replace(f"<{name}>", part)
    return Rule(detector=detector, severity=severity, note=note, pattern=re.compile(pattern, re.IGNORECASE))


PARTS = {
    # Where an order can begin: a sentence, a clause, after "you" or "please"; never "the cyclists ignore all rules".
    "lead": (
        r"(?:^|[:;,.!\-–—>\"'“‘(\[*|]\s*|\b(?:please|and|but|must|should|now|then|you|just|kindly|instead|also|will|"
        r"shall|always|(?:need|have|want you|required|instructed|told|asked|allowed|free) to)\s+|"
        r"(?-i:(?<=\w )(?=[A-Z])))"  # a capital inside a line: a sentence was put on without a full stop
    ),
    "drop": (
        r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|discard(?:ing)?|"
        r"neglect|circumvent|(?:do not|don't|stop|never) (?:follow|obey|adher)(?:ing|e to)?|pay no attention to|"
        r"set aside)"
    ),
    "earlier": (
        r"(?:all|any|every|your|previous|prior|earlier|preceding|above|former|system|safety|security|content|past|"
        r"original|initial|existing|following)"
    ),
    "orders": (
        r"(?:instructions?|instruction sets?|directions|directives?|guidelines|guardrails|prompts?|commands?|orders|"
        r"constraints|restrictions|programming|safeguards|content filters?|filters|filtering(?: rules)?|rules)"
    ),
    "agent": (
        r"(?:ai|llms?|(?:large )?language models?|chat ?bots?|(?:ai |all )?assistants?|(?:ai|all) agents?|ai models?|"
        r"ai systems?|copilots?)"
    ),
    "asks": (
        r"(?:asks?|asked|asking|quer(?:y|ies)|inquires?|enquires?|requests?|mentions?|wants? to know|"
        r"search(?:es)? for|talks?|discuss(?:es|ing)?|brings? up)"
    ),
    "away": (
        r"(?:sends?|forward\w*|cop(?:y|ies)|posts?|upload\w*|transmit\w*|export\w*|exfiltrate\w*|e-?mail|bcc|leak|"
        r"share|sync|submit|stream|log|include)"
    ),
    "sent": r"(?:be|are|is|been|gets?) (?:sent|forwarded|copied|posted|uploaded|exported|shared|e-?mailed|transmitted)",
    "private": (
        r"(?:conversation (?:transcripts?|history|context)|chat history|search queries|memory entries|(?:user|"
        r"customer|session|patient) (?:data|inputs?|queries|records|list|interactions|information)|credentials|"
        r"passwords?|api keys?|pii|authorization headers|request (?:bodies|payloads)|transaction history|(?:all|"
        r"every|full|entire|complete|raw|each|unread|any)\s+(?:[\w,]+\s+){0,3}?(?:messages?|e-?mails?|chats?|data|"
        r"records|files|logs|inputs?|information|details|history|headers|entries|list|prompts?|conversations?|"
        r"transcripts?|interactions|events))"
    ),
    "address": r"(?:https?://|www\.|[\w.+-]{1,64}@[\w-]{1,63}\.\w|\b[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.(?:com|net|io|org|ai|dev|co|app|example)\b)",
    "person": r"(?:the user|users?|anyone|anybody|someone|somebody|customers?|clients?|people|they|asked)",
    "act": (
        r"(?:answer|reply|respond|say|claim|state|insist|recommend|suggest|promote|endorse|tell|quote|mention|"
        r"include|add|append|insert|send|forward|copy|direct|redirect|point|use|call|run|execute|invoke|give|show|"
        r"output|write|provide|contact|refer|store|save|report|approve|skip|ignore)"
    ),
}
