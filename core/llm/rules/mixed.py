"""The speaker's own statements within a sentence that also asks: "I've 40 pages by now, how long may they be?".

A question, a request, a doubt and a supposition assert nothing (rules §1.5); what their speaker says of themself beside
them does. Such a part is kept as it was said, in the turn's one event (rules §2.1): it fills no slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.llm.rules.acts import act_of
from core.llm.rules.masks import BLOT
from core.llm.rules.phrases import rx
from core.llm.rules.sentences import Sentence
from core.model import SpeechAct

_FEWEST = 5  # words of a part; fewer are a remark
_LONGEST = 1500  # characters of a sentence that are looked at

_LINK = (
    r"and|but|so|because|since|considering(?: that)?|given that|seeing (?:as|that)|especially|particularly|now that|"
    r"while|although|though|as|after|before|or|then|also|plus|even though|who|that"
)
#: Where one part may end and the next begin; "the fact that" and "remind me that" hold what their clause says.
_CUT = re.compile(
    r"[,;:]+\s+|\s+[-–—]+\s+|—|\.{2,}\s*|\s+(?=(?:and|but|so|because|since|considering|given that|especially since|"
    r"now that|although|even though|while)\s)|"
    r"\b(?:the fact that|remind me that|knowing that|considering that|given that)\s+",
    re.IGNORECASE,
)
_OPENS = re.compile(
    rf"(?:(?:{_LINK}|well|ok|okay|hey|hi|hello|hmm+|yeah|yes|sure|right|actually|basically|honestly|unfortunately|"
    r"luckily|apparently|btw|by the way|like|you know)\b[\s,:]*)*",
    re.IGNORECASE,
)
_OWN = rx(
    r"^(?:(?:today|yesterday|lately|recently|last \w+|this \w+|on [\w ]{3,20}|in [\w ]{3,20}),? )?"
    r"(?:i|i'm|im(?= (?:an?|the|not|just|now|still|also|really|kinda|\w+ing|\w+ed)\b)|"
    r"i've|ive|i'd|we|we're|we've|my|our|(?:one|some|most|all|both|\d+) of (?:my|our)|"
    r"the [\w -]{2,60}? (?:i|i've|we|we've) \w+|the (?:number|amount|total|count|size|length|share) of)\b"
)
#: What a speaker asks for, doubts, or only says to be polite; with what follows it up to the next statement.
_ASKS = rx(
    r"^(?:please|pls|help me|let me know|tell me|show me|give me|explain|walk me|guide me|suggest|recommend|"
    r"(?:can|could|would|will|should|shall|may|might|do|does|did|is|are|was|were|am|has|have|isn't|aren't|don't|"
    r"doesn't|didn't|won't|can't|couldn't|wouldn't|shouldn't) (?:i|you|we|u|they|he|she|it|this|that|these|those|"
    r"there|the|my|our|your|any\w*|some\w*|\w+ing)\b|"
    r"(?:how|what|what's|whats|where|when|who|who's|why|how's|whose|whether)\b|"
    r"which (?:ones?|of)\b|which (?:\w+ )?(?:should|do|does|would|could|can)\b|"
    r"(?:maybe|perhaps|possibly) |any (?:ideas?|tips?|advice|suggestions?|chance|recommendations?)\b|"
    r"(?:i|i'm|im|i am|we|we're|i'd|i was|i've been|we'd) (?:just |really |also |still |kind of |kinda |now |also )*"
    r"(?:wonder\w*|curious|not (?:sure|certain)|unsure|don't (?:know|understand)|dont know|"
    r"(?:need|want|wanted|would like|'d like|like|love|hope|hoping|looking) (?:to know|to ask|to understand|"
    r"to see if|you(?:r)?\b|some (?:help|advice|tips|guidance|feedback|ideas?|suggestions?)|help|advice|guidance|"
    r"for (?:some )?(?:help|advice|tips|guidance|feedback|ideas?|suggestions?|ways?|a way|an? \w+ way)|to hear)|"
    r"appreciate|think (?:that|this|it)|guess|hope|hear you|see|get it|agree|understand)\b|"
    r"i'?ll (?:let you|keep you|be sure|be back|get back|try|check|see|think|give|do that|start by|"
    r"make sure|keep|follow)\b|"
    r"thanks?\b|thank you|got it|that (?:makes|sounds|helps)|sounds )"
)
#: Said of oneself, and empty: "I have a question", "I want to make sure".
_EMPTY = rx(
    r"^(?:i have (?:a|another|one more|some|a few|two) (?:quick |more )?questions?|"
    r"i(?:'m| am) (?:here|ready|all (?:set|ears)|done|back|good|fine|ok|okay|confused|lost|stuck)\b[^,]{0,12}$|"
    r"i (?:want|need) to (?:make sure|ensure|be sure)|i(?:'d| would)? (?:like|love) to|"
    r"i (?:said|meant|mean|asked)\b|my (?:question|bad|point|apologies)\b)"
)
#: What is asked to be said again holds, whatever it is about: "remind me that the visit is on Friday".
_AGAIN = re.compile(r"\bremind me that\s+$", re.IGNORECASE)
#: The speaker in the statement: without it, it is about the world.
_SPEAKER = rx(r"\b(?:i|i'm|im|i've|ive|my|me|we|we've|we're|our|us)\b")


def told_parts(said: Sentence) -> list[tuple[int, int]]:
    """Half-open ranges, in the turn, of what the speaker states about their own affairs within a sentence."""
    text = said.text[:_LONGEST]
    if act_of(text, asks=False) is SpeechAct.FICTION or _supposes(text):
        return []
    found = [(start, start + len(text[start:end].rstrip(" ?"))) for start, end in _joined(text, _pieces(text))]
    return [
        (said.start + start, said.start + end)
        for start, end in found
        if _tells(text[start:end]) or _AGAIN.search(text, 0, start)
    ]


def _supposes(text: str) -> bool:
    """Whether the whole sentence only supposes: "if I moved, would …"."""
    first = _CUT.split(text.lstrip(), maxsplit=1)[0]
    return act_of(first, asks=False) is SpeechAct.HYPOTHETICAL and not _OWN.match(first)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for found in _CUT.finditer(text):
        if text[at : found.start()].strip():
            yield at, found.start()
        at = found.end()
    if text[at:].strip():
        yield at, len(text)


#: What goes on with a question or a wish before it: "…, and my plan holds", "so I can rest", "which I saw".
_GOES_ON = rx(
    r"^(?:(?:and|or)[\s,]+(?:also )?(?:my|our|the)\b|(?:and )?so(?: that)?[\s,]+(?:i|we) (?:can|could|will|don't|am)\b|"
    r"(?:and |or |but )?(?:which|who|that)\b)"
)


def _joined(text: str, pieces: Iterator[tuple[int, int]]) -> list[tuple[int, int]]:
    """Statements, each with the pieces that go on with it."""
    found: list[tuple[int, int]] = []
    telling = False
    for start, end in pieces:
        opening = _OPENS.match(text, start, end)
        begins = opening.end() if opening else start
        piece = text[begins:end]
        if not piece.strip():
            continue
        if BLOT in piece and telling and ":" in text[found[-1][1] : start]:
            found.pop()  # it only announces another's words
        if BLOT in piece or _ASKS.match(piece) or act_of(piece, asks=False) is not SpeechAct.ASSERTION:
            telling = False
        elif telling and not _EMPTY.match(piece):
            found[-1] = (found[-1][0], end)
        elif (
            (_OWN.match(piece) or _AGAIN.search(text, 0, start))
            and not _EMPTY.match(piece)
            and not (start and _GOES_ON.match(text[start:end]))
        ):
            found.append((begins, end))
            telling = True
    return found


def _tells(part: str) -> bool:
    return len(part.split()) >= _FEWEST and bool(_SPEAKER.search(part))
