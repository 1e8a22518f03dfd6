"""Blots out what a user turn holds of others' words: code, quotations, pasted blocks, lyrics (rules §1.5).

Masked characters become `BLOT`, one for one, so offsets stay true and no rule of the grammar can match them.
"""

from __future__ import annotations

import re

BLOT = "▒"


_FENCE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)


_CHINESE_TASK = re.compile(r"(?<=翻译|润色|校对|总结|改写|检查|修改)[^\n：:，。]{0,20}[：:].*", re.DOTALL)
_INLINE_CODE = re.compile(r"`[^`\n]{1,400}`")


_QUOTE_LINE = re.compile(r"^[ ]{0,3}>.*$", re.MULTILINE)


_ARROWS = re.compile(r">>.*?(?:<<|\Z)", re.DOTALL)


_TAG = re.compile(
    r"<(?:html|body|div|p|table|script|article|section)\b.*?(?:</(?:html|body|div|p|table|script|"
    r"article|section)>|\Z)",
    re.DOTALL | re.IGNORECASE,
)


_MAIL = re.compile(
    r"^(?:From|To|Subject|Sent|Date|Von|An|Betreff|De|Asunto|Objet): .*$\n(?:^(?:From|To|Cc|Subject|"
    r"Sent|Date|Von|An|Betreff|De|Asunto|Objet): .*$\n?)+(?s:.*)\Z",
    re.MULTILINE,
)


_FORWARDED = re.compile(r"^-{2,} ?(?:Forwarded|Original) [Mm]essage ?-{2,}(?s:.*)\Z", re.MULTILINE)


_QUOTED = re.compile(r'"[^"\n]{0,2000}"|«[^»\n]{0,2000}»|「[^」\n]{0,2000}」|“[^”\n]{0,2000}”')


_SINGLE_QUOTED = re.compile(r"(?<![\w])'[^'\n]{2,400}?(?:'\w{1,2}\b[^'\n]{0,400}?){0,20}'(?!\w)")


_LONG_QUOTED = re.compile(r'"[^"]{2,20000}"')


_FIRST_PERSON = re.compile(
    r"\b(?:i|i'm|im|i've|my|me|we|our|you|your|yo|soy|mi|ich|mein\w*|je|j'|mon|ma)\b|我",
    re.IGNORECASE,
)


_SPEECH_VERB = re.compile(
    r"(?:\b(?:sa(?:y|ys|id|ying)|ask(?:s|ed)?|wrote|writes|told|tells|shout(?:s|ed)|repl(?:y|ies|ied)|"
    "answered|goes|claims?|claimed|"
    r"translat\w*|quote|proofread|means?|reads|rephrase|rewrite|paraphrase|correct|dijo|sagte|schrieb|"
    r"dit|übersetze|traduce|traduis)\b[^.!?\n]{0,40}|:)\s*$",
    re.IGNORECASE,
)


_TEXT_NOUN = (
    "(?:novel|story|poem|haiku|limerick|lyrics?|chorus|verse|song|article|essay|paragraph|passage|"
    "text|e-?mail|letter|quote|saying|proverb|joke|"
    "tweet|post|headline|caption|speech|toast|script|scene|dialogue|monologue|bio|cover letter|"
    "abstract|excerpt|extract|transcript|log|logs|"
    "error|stack ?trace|output|snippet|code|query|message|review|sentence|phrase|line|chapter|"
    "opening|draft|translation|obituary|"
    r"testimonial|invitation|invite|poster|flyer|leaflet|notice|announcement|banner|greeting|"
    r"interview|diary entry|blog|cv|resume|ad|slogan|sign|following|this)"
)


_TEXT_VERB = (
    "(?:translate|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|shorten|polish|edit|correct|"
    "improve|rate|critique|analy[sz]e|"
    "check|review|explain|fix|debug|read|continue|finish|complete|roast|spellcheck|simplify|tl;?dr|"
    "classify|"
    "traduce|traduci|traduza|resume|übersetze?|fasse?|verbessere|prüfe|korrigiere?|traduis|traduisez|"
    "corrige|翻译)"
)


#: A line that announces somebody's text and ends in a colon: all that follows it is that text.
_ANNOUNCED = re.compile(
    rf"(?:^|(?<=[.!?\n]))[^.!?\n:]{{0,160}}?\b(?:{_TEXT_VERB}\b[^.!?\n:]{{0,100}}|"
    f"(?:{_TEXT_NOUN}|wrote|says|said|goes|reads)(?: (?:of|by|from|for|in|about|on|i|he|she|they|we|"
    r"that|which|my)\b[^.!?\n:]{0,60})?):(?!//)(?=\s|[\"'])",
    re.IGNORECASE,
)


_PASTED = re.compile(
    r"(?:^|(?<=[.!?\n]))[^.!?\n:]{0,80}\b(?:pasting|pasted|copy-?pasted|copied|here's what (?:he|she|"
    r"they) (?:wrote|said|sent)|quoting)\b[^\n:]{0,80}?(?::|\n)",
    re.IGNORECASE,
)


_SPEAKER_LINE = re.compile(r"^(?:[A-Z][\w .'-]{1,24}|MINISTER|Q|A): .*$", re.MULTILINE)


_SQL = re.compile(
    r"\b(?:SELECT\b.{1,200}?\bFROM|UPDATE\b.{1,80}?\bSET|INSERT INTO|DELETE FROM|CREATE TABLE|ALTER "
    r"TABLE)\b[^\n]*",
    re.DOTALL,
)


_CODE_LINE = re.compile(
    r"^(?=.{0,500}(?:[{};][ ]*$|\w\(.{0,200}\)[ ]?[:;{]?[ ]*$|=>|::|[ ]==?[ ]|^[ ]{0,40}(?:import|"
    r"from|def|class|const|let|var|return|#include|public|private)\b))"
    r"(?=.{0,500}[(){}\[\]=<>;]).*$",
    re.MULTILINE,
)


_CODE_MARK = re.compile(r"[(){}\[\]<>;\"_$@\\]|(?<!\w)'|'(?!\w)|==")
_CODE_WORD = re.compile(
    r"\s*(?:int|const|let|var|def|return|final|string|float|double|char|bool|public|private|"
    r"static|export|set|auto|select|local)\b"
)
_SIDES = 2  # sides of one equation, and the fewest words of its left side


def _jotted_equation(line: str) -> bool:
    """Whether a line with "=" is a note, "retention for raw logs = 14 days": words, and nothing else that code has."""
    sides = line.split(" = ")
    left = re.split(r"[.!?:] ", sides[0])[-1]
    return (
        len(sides) == _SIDES
        and not _CODE_MARK.search(line)
        and not _CODE_WORD.match(left)
        and len(re.findall(r"[A-Za-z][a-z-]+", left)) >= _SIDES
    )


_OWN_LABEL = re.compile(r"\b(?:my|our|the)\s+(?:\w+\s+){0,3}[\w-]+:$", re.IGNORECASE)


_MAX_TITLE_WORDS = 7  # a longer quotation is prose, not a name or a title


#: A wish for something made up, and after its colon what it is made of ("Invent a pirate: I am …"); not a note to keep.
_MADE_UP = re.compile(
    r"(?:^|(?<=[.!?\n]))[ ]{0,3}(?:please |pls |can you |could you |would you )?(?:write|compose|draft|make|create|"
    r"invent|generate|imagine|sketch|sing|tell|give|do|continue|finish|start)\s+(?:me |us |up )?"
    r"(?:an?|the|my|some|this)\s+"
    r"(?!notes?\b|memo\b|record\b|reminder\b|list\b|plan\b)[^.!?\n:]{2,80}:(?!//)(?=\s)",
    re.IGNORECASE,
)
#: A first line that asks what one thinks of something of one's own, and below it at least two lines of that.
_JUDGED = re.compile(
    r"\A[^\n]{0,80}\b(?:thoughts|feedback|opinions?|verdict|critique|rate|judge|roast|what do (?:you|we|u) think)\b"
    r"[^\n]{0,100}[?:.!]?[ ]*\n(?=[^\n]+\n[^\n]+)",
    re.IGNORECASE,
)


def mask(text: str) -> str:
    """`text` with every foreign passage blotted out."""
    chars = list(text)
    for pattern in (
        _FENCE,
        _CHINESE_TASK,
        _INLINE_CODE,
        _QUOTE_LINE,
        _ARROWS,
        _TAG,
        _MAIL,
        _FORWARDED,
        _SQL,
        _CODE_LINE,
    ):
        for found in pattern.finditer(text):
            if pattern is not _CODE_LINE or not _jotted_equation(found.group()):
                _blot(chars, found.start(), found.end())
    _blot_announced(chars, text)
    _blot_transcript(chars, text)
    for pattern in (_QUOTED, _SINGLE_QUOTED, _LONG_QUOTED):
        for found in pattern.finditer(text):
            if _is_speech(text, found):
                _blot(chars, found.start() + 1, found.end() - 1)
    return "".join(chars)


def _blot_announced(chars: list[str], text: str) -> None:
    below = _BELOW.match(text)
    if below and _ASKED_ABOUT.search(below.group()):
        _blot(chars, below.end(), len(text))
    judged = _JUDGED.match(text)
    if judged:
        _blot(chars, judged.end(), len(text))
    for found in _MADE_UP.finditer(text):
        _blot(chars, found.end(), _block_end(text, found.end()))
    for found in _ANNOUNCED.finditer(text):
        if _is_labelled_value(text, found):
            continue
        _blot(chars, found.end(), _block_end(text, found.end()))
    for found in _PASTED.finditer(text):
        _blot(chars, found.end(), len(text))


#: A request about "this" and, after an empty line, the text that it is about.
_BELOW = re.compile(
    r"\A[^\n]{0,300}\b(?:this|these|the following|below|the text|the article|the "
    r"email)\b[^\n]{0,120}\n[ ]*\n(?=\S)",
    re.IGNORECASE,
)
_ASKED_ABOUT = re.compile(
    rf"\b(?:{_TEXT_VERB}|what do you (?:think|make)|thoughts|opinion|is (?:this|it) (?:true|right|"
    rf"correct|ok|good)|feedback|{_TEXT_NOUN})\b",
    re.IGNORECASE,
)


def _blot_transcript(chars: list[str], text: str) -> None:
    speakers = list(_SPEAKER_LINE.finditer(text))
    voices = {match.group().split(":", 1)[0] for match in speakers}
    if len(speakers) > len(voices) == 2:  # noqa: PLR2004 (two voices in turns: a transcript)
        for found in speakers:
            _blot(chars, found.start(), found.end())


def _blot(chars: list[str], start: int, end: int) -> None:
    chars[start:end] = BLOT * (end - start)


def _block_end(text: str, start: int) -> int:
    """Where an announced text ends: at the end of its line if it began there, else at the end of the turn."""
    line_end = text.find("\n", start)
    if text[start : line_end if line_end >= 0 else len(text)].strip() and line_end >= 0:
        return line_end if text[line_end : line_end + 2] == "\n\n" else len(text)
    return len(text)


def _is_labelled_value(text: str, found: re.Match[str]) -> bool:
    """Whether "my email: a@b" gives a value rather than announcing a text."""
    line_end = text.find("\n", found.end())
    rest = text[found.end() : line_end if line_end >= 0 else len(text)]
    return (
        bool(_OWN_LABEL.search(found.group()))
        and 0 < len(rest.split()) <= _MAX_TITLE_WORDS
        and not _FIRST_PERSON.search(rest)
    )


def _is_speech(text: str, found: re.Match[str]) -> bool:
    """Whether a quotation is somebody's speech or prose rather than a name, a title or a stressed word."""
    inside = found.group()[1:-1]
    return bool(
        _FIRST_PERSON.search(inside)
        or len(inside.split()) > _MAX_TITLE_WORDS
        or _SPEECH_VERB.search(text, max(0, found.start() - 60), found.start())
    )
