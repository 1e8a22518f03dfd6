"""Marks that a text puts on itself: forged roles and provenance, active markup, statements for a database. Pure."""

from __future__ import annotations

import re

from core import secrets
from core.model import Finding

_ROLE_TAGS = re.compile(
    r"<\|(?:im_start|im_end|system|endoftext|start_header_id|eot_id|user|assistant)\|>|</?system[-_](?:reminder|"
    r"prompt|message|note)>|\[/?INST\]|<</?SYS>>|^[ \t]{0,20}#{2,4} ?(?:system|instruction|assistant|human) ?:|"
    r"#{2,4} ?end of (?:user )?(?:input|prompt|context)\b|\b(?:BEGIN|END)[ _]SYSTEM[ _](?:PROMPT|MESSAGE)\b|"
    r"</?(?:system|instructions?|information|important|admin)>(?=[^<]{0,400}\byou\b)",
    re.IGNORECASE | re.MULTILINE,
)
_WHO = r"(?:user|owner|system|admin|operator|developer|trusted|verified|user_turn|human)"
_PROVENANCE = re.compile(
    rf"[\[({{<][\s\"']*(?:source(?:[_ ]kind)?|origin|author|channel)[\"']?\s*[:=]\s*[\"']?{_WHO}\b|"
    r"\[(?:user_)?memory\s*[:=]|\btrust(?:[_ ](?:level|score))?[\"']?\s*[:=]\s*[\"']?(?:1(?:\.0+)?\b|0\.9\d*|high\b|"
    r"full\b|max|trusted)|(?<![\"'])\b(?:verified|authenticated|approved_by_user|user_confirmed)\s*[:=]\s*(?:true|"
    r"yes|1)\b|\bsource[\"']?\s*[:=]\s*[\"']?user_turn\b|\bsupersedes? (?:all|any|every) (?:\w+ )?(?:entr(?:y|ies)|"
    r"memor(?:y|ies)|records|facts|notes|statements|messages)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"(?:^|[.\n>*][ \t]{0,20})(?:\W{0,4})(?:(?:SYSTEM|ADMIN(?:ISTRATOR)?|DEVELOPER|ROOT) ?(?:(?:OVERRIDE|DIRECTIVE|"
    r"PROMPT|INSTRUCTIONS?|COMMAND)[^:\n]{0,20})?:|OVERRIDE:|(?:System|Admin|Administrator|Developer) (?:override|"
    r"directive|prompt|instruction)s?:)"
)
_NOTICE = re.compile(
    r"(?:^|[.\n>*!][ \t]{0,20})\W{0,4}(?:IMPORTANT |URGENT |CRITICAL )?(?:SYSTEM|ADMIN|PLATFORM|SECURITY) (?:ALERT|"
    r"NOTE|NOTICE|UPDATE|MESSAGE|CONFIG(?:URATION)?|ANNOUNCEMENT)\b[^:\n]{0,30}:|(?:^|"
    r"[.\n][ \t]{0,20})System (?:note|notice|message)\b[^:\n]{0,30}:"
)
_ROLE_LINE = re.compile(
    r"^[ \t]{0,20}(?:\[(?:system|admin|assistant|user)\]|(?:assistant|human|ai|system|"
    r"reasoning(?: trace)? \(assistant\))\s*:)|[\"']role[\"']\s*:\s*[\"'](?:system|user|assistant)|"
    r"[\"']verified[\"']\s*:\s*true",
    re.IGNORECASE | re.MULTILINE,
)
_ORDER = re.compile(
    r"\b(?:you|do not|don't|never|always|must|ignore|disregard|disable|grant|call|send|forward|reveal|skip)\b",
    re.IGNORECASE,
)
_HANDLER = r"on(?:error|load|click|mouse\w+|focus|blur|key\w+|toggle|begin|animation\w+|pointer\w+|submit|unload)"
_ACTIVE = re.compile(
    r"<\s{0,9}script\b|<\s{0,9}(?:iframe|object|embed|svg)\b[^>]{0,300}(?:src|data|onload|href)\s*=|"
    rf"[<\"'][^<>\n]{{0,200}}\b{_HANDLER}\s*=|\bjavascript\s*:\s*\w|\bvbscript\s*:|\bdata:text/html|"
    rf"\bdocument\.cookie",
    re.IGNORECASE,
)
_BEACON = re.compile(r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,300}\?[^)\s]{0,200}(?:=[\[{<$]|=%7b)", re.IGNORECASE)
_IMAGE = re.compile(r"!\[[^\]\n]{0,80}\]\(https?://|<\s{0,9}img\b[^>]{0,200}\bsrc\s*=", re.IGNORECASE)
_QUERY = re.compile(
    r"['\"]\s*(?:or|and)\s+['\"(]*(\w+)['\")]*\s*=\s*['\"(]*\1\b|\((\d+)\s*=\s*\2[,)]|['\")]\s*;\s*(?:drop|"
    r"delete\s+from|insert\s+into|update\s+\w+\s+set|alter\s+table|shutdown|exec)\b|"
    r"(?:drop\s+table\b[^;\n]{0,60};\s*){2}|['\"\d]\s*\)*\s*union\s+(?:all\s+)?select\b|['\"]\s*(?:;|\)|or|and|"
    r"union)[^\n]{0,80}--",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:escape|sanitis|sanitiz|strip|allow|block|tag|element|attribute|injection|snippet|html|browser|"
    r"tutorial)\w*\b",
    re.IGNORECASE,
)
_MENTIONED = 0.3
_NEAR = 200


def forged(text: str) -> list[Finding]:
    """Findings on marks by which a text claims a role, a channel or a trust that only the server can give."""
    found = []
    if _ROLE_TAGS.search(text):
        found.append(
            Finding(detector="forged_tags", severity=0.7, note="carries the marks of a system or role message")
        )
    if _PROVENANCE.search(text):
        found.append(Finding(detector="forged_tags", severity=0.7, note="claims its own source, trust or rank"))
    speaker = _SPEAKER.search(text)
    if speaker:
        ordered = _ORDER.search(text[speaker.end() : speaker.end() + _NEAR])
        found.append(
            Finding(
                detector="forged_tags",
                severity=0.6 if ordered else _MENTIONED,
                note="speaks as the system or an administrator",
            )
        )
    elif _NOTICE.search(text) or _ROLE_LINE.search(text):
        found.append(Finding(detector="forged_tags", severity=_MENTIONED, note="is headed as a notice of the system"))
    return found


def markup(text: str) -> list[Finding]:
    """Findings on markup that loads, runs or reports, and on statements meant for a database."""
    found = []
    if _ACTIVE.search(text):
        told = _TALK.search(re.sub(r"<[^>]*>|data:\S+", " ", text))
        found.append(
            Finding(
                detector="markup",
                severity=_MENTIONED if told else 0.6,
                note="carries markup or an address that runs a script",
            )
        )
    if _BEACON.search(text):
        found.append(Finding(detector="markup", severity=0.6, note="carries an image address that reports data"))
    elif _IMAGE.search(text):
        found.append(Finding(detector="markup", severity=0.2, note="carries an image from another server"))
    if _QUERY.search(text):
        found.append(
            Finding(
                detector="markup",
                severity=_MENTIONED if _TALK.search(text) else 0.6,
                note="carries statements for a database",
            )
        )
    return found


def keys(text: str) -> list[Finding]:
    """A finding if key-shaped strings are in the text; it never repeats them."""
    count = secrets.mask(text)[1] + len(re.findall(r"\[[a-z ]{3,20} masked\]", text))
    if not count:
        return []
    return [
        Finding(
            detector="secrets",
            severity=0.4,
            note=f"{count} secret{'s' if count > 1 else ''}: a key, a password or a card number",
        )
    ]
