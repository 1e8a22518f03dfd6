"""Passages of a turn that bear the marks of a paste: code fences, mail, `>` lines, HTML. Pure.

Each function gives ranges [start, end) in order, without overlaps, in time that grows with the length of the text.
"""

from __future__ import annotations

import re

from core.wording import words

_FENCE = re.compile(
    r"`{3}(?:(?!`{3})[\s\S])*(?:`{3}|\Z)|^[ ]{0,3}~{3}(?:(?!\n[ ]{0,3}~{3})[\s\S])*(?:\n[ ]{0,3}~{3}|\Z)", re.MULTILINE
)
_QUOTED = re.compile(r"(?:^[ ]{0,3}>(?!\d|=)[^\n]*(?:\n|\Z))(?:^[ ]{0,3}>[^\n]*(?:\n|\Z))*", re.MULTILINE)


def fences(text: str) -> list[tuple[int, int]]:
    """Fenced code; a fence that is never closed runs to the end, and several of one sort are one.

    What is pasted into a fence may hold fences itself: nobody can tell then which of them its reader set, so that
    nothing between the first and the last is known to be the reader's own.
    """
    reach: dict[str, tuple[int, int]] = {}
    for match in _FENCE.finditer(text):
        mark = match.group().lstrip(" ")[0]
        reach[mark] = (reach.get(mark, match.span())[0], match.end())
    return sorted(reach.values())


def quoted_lines(text: str) -> list[tuple[int, int]]:
    """Runs of lines that begin with `>`; ">50 km" alone is a figure."""
    return [match.span() for match in _QUOTED.finditer(text)]


# --- mail ---------------------------------------------------------------------------------------------------------

_ADDRESS_FIELDS = "From|To|Cc|Bcc|Reply-To|Von|An|De|Para|À|A|Da|Exp[ée]diteur|Destinataire|发件人|收件人|抄送"
_TIME_FIELDS = "Date|Datum|Fecha|Data|日期"
_MAIL_FIELDS = "Subject|Sent|Betreff|Gesendet|Asunto|Enviado|Objet|Envoy[ée]|Oggetto|Inviato|Assunto|主题|发送时间"
_HEADER = re.compile(
    rf"[ >*_]{{0,4}}(?:(?P<sure>{_MAIL_FIELDS})|{_ADDRESS_FIELDS}|{_TIME_FIELDS})"
    r"[*_]{0,2}[ ]?[:：][*_]{0,2}(?:[ \t]|$)",
    re.IGNORECASE,
)
_ONE_LINE_HEADER = re.compile(
    r"(?:From|Von|De|Da)[ ]?:[ ][^\n]{1,200}?\b(?:Subject|Betreff|Asunto|Objet|Oggetto|Assunto)[ ]?:", re.IGNORECASE
)
_SALUTATION = re.compile(
    r"\s*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening|day)|hallo|liebe[rs]?|sehr geehrte[rs]?|guten tag|hola|"
    r"estimad[oa]s?|querid[oa]s?|bonjour|ch[èe]re?s?|madame|ciao|gentile|caro|cara|ol[áa]|prezad[oa]s?|您好|你好|尊敬的)\b",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"^[ >]{0,4}(?:-{2,}[ ]?[^\n-]{0,20}(?:forwarded|original|weitergeleitete|ursprüngliche|reenviado|transféré|"
    r"inoltrato|encaminhada)[^\n-]{0,20}-{2,}|(?:begin forwarded message|anfang der weitergeleiteten nachricht)[ ]?:)",
    re.IGNORECASE | re.MULTILINE,
)
_WROTE = re.compile(
    r"^[ >]{0,4}(?:On|Am|Le|El|Il|Em|Op)[ ](?=[^\n]{0,200}(?:\n[^\n]{0,120})?[\d<@])[^\n]{3,200}?(?:\n[^\n]{0,120}?)?"
    r"(?:wrote|schrieb[^\n:]{0,80}|a écrit|escribi[óo]|ha scritto|escreveu|schreef)[ ]?:[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_MAIL_BODY = 40  # words below a header without a subject or an address that make it a mail and no list of travel data


def mails(text: str) -> list[tuple[int, int]]:
    """From the first mail header, forwarding line or "On … wrote:" to the end of the text; at most one range."""
    starts = [match.start() for match in (_FORWARDED.search(text), _WROTE.search(text)) if match]
    header = _header_start(text)
    starts += [] if header is None else [header]
    return [(min(starts), len(text))] if starts else []


def _header_start(text: str) -> int | None:
    """Where a run of header lines begins; "From: Bergen, To: Turku" is a journey unless more speaks for a mail."""
    at = first = 0
    run: list[str] = []
    sure = False
    for line in [*text.splitlines(keepends=True), ""]:
        header = _HEADER.match(line)
        if header:
            first = at if not run else first
            run.append(line)
            sure = sure or bool(header["sure"]) or "@" in line
        elif run:
            if _is_mail(run, text[at:], sure=sure):
                return first
            run, sure = [], False
        if _ONE_LINE_HEADER.match(line.lstrip(" >*_")):
            return first if run else at
        at += len(line)
    return None


def _is_mail(run: list[str], body: str, *, sure: bool) -> bool:
    greeted = bool(_SALUTATION.match(body))
    if len(run) == 1:
        return sure and greeted
    return sure or greeted or sum(1 for _ in words(body[: 40 * _MAIL_BODY])) >= _MAIL_BODY


# --- HTML ---------------------------------------------------------------------------------------------------------

_TAG = re.compile(
    r"<(?P<close>/)?(?P<name>[a-z][a-z0-9]{0,20})(?P<rest>(?=[\s/>])[^<>]{0,2000})>|<!--|<!doctype\b", re.IGNORECASE
)
_BLOCK_NAMES = """
html head body title style script noscript template div p table thead tbody tr td th ul ol li article section main
header footer nav aside form iframe svg blockquote h1 h2 h3 h4 h5 h6 pre a span button textarea object video
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_VOID = frozenset({"img", "input", "meta", "link", "embed", "source", "base", "area"})


def markup(text: str) -> list[tuple[int, int]]:
    """HTML elements from opening to closing tag; a bare tag that is only talked about ("a <div>") is none."""
    tags = list(_TAG.finditer(text))
    last_close = {match["name"].lower(): index for index, match in enumerate(tags) if match["close"]}
    found: list[tuple[int, int]] = []
    index = 0
    while index < len(tags):
        match = tags[index]
        end, index = _element(text, tags, index, last_close)
        if end > match.start():
            found.append((match.start(), end))
            while index < len(tags) and tags[index].start() < end:
                index += 1
    return found


def _element(text: str, tags: list[re.Match[str]], index: int, last_close: dict[str, int]) -> tuple[int, int]:
    """Where the element ends that begins with this tag (its start if it is none), and the tag to go on with."""
    match = tags[index]
    if match["name"] is None:
        end = text.find("-->" if match.group() == "<!--" else ">", match.end())
        return (end + (3 if match.group() == "<!--" else 1) if end >= 0 else len(text)), index + 1
    name = match["name"].lower()
    if name in _VOID:
        return (match.end() if match["rest"].strip(" /") else match.start()), index + 1
    if name not in _BLOCKS or match["close"]:
        return match.start(), index + 1
    if last_close.get(name, -1) < index:
        begins_line = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
        return (len(text) if begins_line or match["rest"].strip(" /") else match.start()), index + 1
    depth = 0
    for at in range(index, len(tags)):
        if tags[at]["name"] and tags[at]["name"].lower() == name:
            depth += -1 if tags[at]["close"] else 1
            if depth == 0:
                return tags[at].end(), at + 1
    return len(text), len(tags)
