"""Blocks that the writer hands over in a turn without quote marks: after a colon, below or above a request. Pure.

"Translate: …" and "she wrote:" announce somebody's text; "my allergies:" and "remember this:" announce the writer's own.
Any other colon needs a long block that never speaks in the first person and is no list.
"""

# ruff: noqa: E501 - a row of a pattern is one list of words; wrapping it would hide what belongs together

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from core.wording import words

BLOT = "▒"  # stands for what is claimed already: a letter of no word

_TEXT_NOUN = (
    r"(?:e-?mails?|mails?|letters?|articles?|(?:web ?)?(?:pages?|sites?)|posts?|blogs?|tweets?|threads?|comments?|news|"
    r"newsletters?|press release|adverts?|ads?|announcements?|documents?|docs?|pdfs?|reports?|texts?|paragraphs?|passages?|"
    r"excerpts?|extracts?|abstracts?|chapters?|transcripts?|logs?|errors?|stack ?traces?|outputs?|snippets?|messages?|sms|"
    r"reviews?|descriptions?|poems?|lyrics|chorus|verses?|speech|handouts?|leaflets?|flyers?|brochures?|manuals?|readme|"
    r"nachricht|artikel|seite|brief|beitrag|mensaje|correo|artículo|página|carta|courriel|lettre|messaggio|articolo|pagina|"
    r"lettera|mensagem|artigo|邮件|文章|网页|短信|消息|内容|文本|全文)"
)
_TEXT_VERB = (
    r"(?:translat\w*|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|shorten|polish|edit|improve|critique|analy[sz]e|"
    r"review|explain|fix|debug|rate|spellcheck|simplify|tl;?dr|classify|fact-?check|traduce|traduci|traduza|traduis(?:ez)?|"
    r"resume|resuma|résume|riassumi|corrige|übersetze?|fasse?|verbessere?|korrigiere?|prüfe?|翻译|总结|改写|润色|校对|检查|解释)"
)
#: Lead-ins that hand over somebody's text: a task on a text, a paste, a named source, what another person wrote.
_HANDS_OVER = re.compile(
    rf"(?:^|[,;(]|\b(?:please|pls|can you|could you|would you|and|to|bitte|por favor|请|帮我)[ ]?)\s*{_TEXT_VERB}(?!\w)|"
    r"\b(?:pasting|pasted|copy-?past\w+|copied|quoting|verbatim|word for word|forwarded|fwd)\b|"
    rf"\b(?:here(?:'s| is| are)|this is|below is|see|read|got|found|received|saw|from|on|in|according to)\s+(?:the|an?|this|that|"
    rf"their|his|her|its|some)\s+(?:[\w'-]+\s+){{0,4}}{_TEXT_NOUN}(?!\w)|"
    r"\b(?!i\b|we\b|ich\b|wir\b|yo\b|je\b)[\w'-]+\s+(?:just\s+|also\s+)?(?:sent|posted|emailed|e-mailed|schickte|envió)\b|"
    r"写道|发来|转发",
    re.IGNORECASE,
)
#: Lead-ins of the writer's own words, whatever their length.
_OWN_OPENING = re.compile(
    r"(?:\W*(?:small|quick|one|another|a|my|just an?|status)\s+)?(?:correction|update|edit|fyi|note|ps|p\.s\.|addendum|reminder|"
    r"clarification|to be clear|korrektur|berichtigung|nachtrag|corrección|corrección|correction|correzione|correção|更正|补充|更新)",
    re.IGNORECASE,
)
_NAMES_TEXT = re.compile(rf"\b(?<!my )(?<!our ){_TEXT_NOUN}(?:\s+[\w'-]+){{0,4}}$", re.IGNORECASE)
_SAYS = re.compile(
    r"\b(?!i\b|we\b|ich\b|wir\b|yo\b|je\b)[\w'-]+\s+(?:(?:just|also|ha|a)\s+)?(?:says?|said|claims?|claimed|reads|goes|told|wrote|"
    r"writes|texted|messaged|sagte?|schrieb|schreibt|dijo|dice|escribi[óo]|écrit|disse|diz|scritto|escreveu)(?:\s+[\w'-]+){0,3}$|说$",
    re.IGNORECASE,
)
_TO_KEEP = re.compile(
    r"\b(?:remember|note|notes|save|store|keep|memo|fyi|heads up|reminder|i|i'm|i've|me|my|our|we|us|mine|merk\w*|notier\w*|mein\w*|"
    r"ich|wir|uns\w*|recuerd\w*|anota|yo|mi|mis|nuestr\w+|retiens|note[rz]|je|mon|ma|mes|nos|notre|ricorda\w*|mio|mia|"
    r"lembr\w*|meu|minha|nosso|nossa)\b|记住|记下|我",
    re.IGNORECASE,
)
_OWN_VOICE = re.compile(
    r"\b(?:i|i'm|im|i've|i'd|i'll|my|me|mine|we|we're|we've|our|us|ich|mein\w*|mir|mich|wir|unser\w*|yo|soy|tengo|mi|mis|me|"
    r"nuestr\w+|je|j'\w+|mon|ma|mes|nous|notre|nos|io|sono|ho|mio|mia|eu|sou|tenho|meu|minha)\b|我",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?<=[^\s:：])(?:[:：](?=\s|[\"'“„«])|：)")
_SENTENCE_BREAK = re.compile(r"[!?。！？：\n]|[.:](?!\w)")
_BULLET = re.compile(r"\s*(?:[-*•·–]|\d{1,2}[.)]|\[[ x]\])\s", re.IGNORECASE)
_GAP = re.compile(r"\s*")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")

_ITEM_END = re.compile(r"[,;，；、]")

_LEAD_CHARS = 200  # before a colon
_LOOKED_AT = 1_000  # characters of a block by which it is judged
_HANDED = 8  # words of a block that is handed over
_NAMED = 15  # words of a block under the name of a text
_SAID = 25  # words of reported speech on the line itself, or of a block over several lines after any other colon
_LONG = 40  # words of a block after any other colon
_SHORT_LINE = 9  # words a line on average: a list
_SEVERAL = 2  # lines
_ITEMS, _SHORT_ITEM = 5, 6  # items in a row, and words an item on average: a list

# Requests about "this", with the text below or above them.
_THIS = r"(?:this|these|that|the following|below|above|das|dies\w*|folgend\w*|est[aeo]s?|ceci|cet(?:te)?|quest[aeo]|iss?o|这|以下|下面|上面)"
_FAITHFUL = (
    r"(?:translat\w*|proof-?read|summari[sz]e|rewrite|rephrase|paraphrase|fact-?check|tl;?dr|übersetze?|korrigiere?|traduce|"
    r"traduis(?:ez)?|traduci|traduza|corrige|翻译|总结|润色|校对)"
)
_ASKS_TO_HANDLE = re.compile(
    rf"(?<!\w){_FAITHFUL}(?!\w)[^\n]*?{_THIS}|{_THIS}[^\n]*?(?<!\w){_FAITHFUL}(?!\w)", re.IGNORECASE
)
_ASKS_WHAT_OF = re.compile(
    rf"\b(?:what do (?:you|u) (?:think|make)|thoughts|your (?:opinion|take)|feedback|explain|analy[sz]e|is|was)\b[^\n]{{0,40}}?\b{_THIS}"
    rf"(?!\w)[^\n]{{0,60}}\?|这[^\n]{{0,20}}[？?]",
    re.IGNORECASE,
)
_SINGULAR_VOICE = re.compile(
    r"\b(?:i|i'm|im|i've|my|me|ich|mein\w*|yo|soy|mi|mis|je|j'\w+|mon|ma|io|sono|eu|sou|meu|minha)\b|我", re.IGNORECASE
)
_REQUEST_CHARS = 300
_BELOW, _ABOVE = 12, 25  # words of a text below or above a request that make it somebody's text


@dataclass(frozen=True, kw_only=True, slots=True)
class _Block:
    """What follows a colon: its range, whether it begins on the next line, and the words by which it is judged."""

    start: int
    end: int
    count: int
    below: bool
    text: str


def announced(text: str) -> list[tuple[int, int]]:
    """Ranges of the blocks that the writer hands over, in order, without overlaps."""
    request = _around_request(text)
    if request:
        return [request]
    turn = _Turn(text)
    found: list[tuple[int, int]] = []
    reach = 0
    for match in _COLON.finditer(text):
        if match.start() < reach:
            continue
        lead = _SENTENCE_BREAK.split(text[max(reach, match.start() - _LEAD_CHARS) : match.start()])[-1]
        block = turn.block(match.end())
        if not text.startswith(BLOT, block.start) and _is_foreign(lead.strip(" \t>-*" + BLOT), block):
            found.append((block.start, block.end))
            reach = block.end
    return found


class _Turn:
    """A turn with the places of its words and paragraphs, so that each of many colons costs little."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = [word.start for word in words(text)]
        self._paragraph_ends = [match.start() for match in _BLANK_LINE.finditer(text)]

    def block(self, at: int) -> _Block:
        """What follows a colon that ends at `at`."""
        gap = _GAP.match(self._text, at)
        start = gap.end() if gap else at
        below = "\n" in self._text[at:start]
        next_end = bisect_left(self._paragraph_ends, start)
        paragraph_end = self._paragraph_ends[next_end] if next_end < len(self._paragraph_ends) else len(self._text)
        judged_end = min(start + _LOOKED_AT, len(self._text) if below else paragraph_end)
        count = bisect_left(self._words, judged_end) - bisect_left(self._words, start)
        return _Block(
            start=start,
            # A paste that fills its paragraph goes on below it; a short one on the line itself ends there.
            end=len(self._text) if below or count >= _LONG else paragraph_end,
            count=count,
            below=below,
            text=self._text[start:judged_end],
        )


def _is_foreign(lead: str, block: _Block) -> bool:
    if block.count < _HANDED:
        return False
    if _OWN_OPENING.fullmatch(lead):
        return False
    if _HANDS_OVER.search(lead):
        return True
    if _SAYS.search(lead):
        return block.below or block.count >= _SAID
    if block.count < _NAMED or _TO_KEEP.search(lead):
        return False
    lines = [line for line in block.text.splitlines() if line.strip()]
    long = block.count >= (_SAID if len(lines) >= _SEVERAL else _LONG) and not _is_list(block, lines)
    return (long or bool(_NAMES_TEXT.search(lead))) and not _OWN_VOICE.search(block.text)


def _is_list(block: _Block, lines: list[str]) -> bool:
    """Bullets or short lines, or many short items in a row ("passport, tent; call the hotel; …")."""
    bullets = sum(1 for line in lines if _BULLET.match(line))
    if len(lines) >= _SEVERAL and (2 * bullets >= len(lines) or block.count < _SHORT_LINE * len(lines)):
        return True
    items = len(_ITEM_END.findall(block.text)) + 1
    return items >= _ITEMS and block.count < _SHORT_ITEM * items


def _around_request(text: str) -> tuple[int, int] | None:
    """The text below a request about it ("what do you make of this?"), or above one ("please translate this")."""
    for first in (text.find("\n"), blank.start() if (blank := _BLANK_LINE.search(text)) else -1):
        if 0 < first <= _REQUEST_CHARS:
            asked, rest = text[:first], text[first:]
            handled = _ASKS_TO_HANDLE.search(asked)
            if handled or (_ASKS_WHAT_OF.search(asked) and not _SINGULAR_VOICE.search(rest[:_LOOKED_AT])):
                start = first + len(rest) - len(rest.lstrip())
                if _has_words(rest, _BELOW):
                    return start, len(text)
    last = text.rstrip().rfind("\n\n")
    if last > 0 and len(text) - last <= _REQUEST_CHARS and _ASKS_TO_HANDLE.search(text, last):
        return (0, last) if _has_words(text[:last], _ABOVE) else None
    return None


def _has_words(text: str, least: int) -> bool:
    return sum(1 for _ in words(text[:_LOOKED_AT])) >= least
