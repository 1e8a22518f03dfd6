"""Lessons told as findings: "we learned that the oven runs hot", "next time, book the van early"."""

from __future__ import annotations

import re

from core.llm.rules.draft import Draft
from core.llm.rules.phrases import rx
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene
from core.llm.rules.voice import second_person

_FOUND_OUT = rx(
    r"^(?:i|we) (?:just |finally |have |also )*(?:learned|learnt|found out|discovered|"
    r"realised|realized|figured out)(?: (?P<h>the hard way|today|yesterday|this week|"
    r"last \w+))?"
    r"(?P<t>,? that|:)? (?P<v>(?!to\b|how\b|about\b|from\b|a lot\b).{8,200})$"
)
_NEXT_TIME = rx(
    r"^(?:for )?next (?:time|year|season|round|winter|summer|spring|autumn|release|"
    r"sprint)(?: around)?[,:]? (?:(?:we|i) (?:should|must|need to|have to) |let's |"
    r"remember to )?(?P<v>(?!just\b|give\b|tell\b|show\b|answer\b|explain\b|please\b|try\b|"
    r"i\b|we\b|i'm|we're|is\b|will\b|it\b|you\b|my\b|the\b|our\b|on\b|"
    r"in\b|at\b|when\b|if\b)[a-z]+ .{6,160})$"
)
_MARKED = rx(
    r"^(?:key |big |main )?(?:take-?away|tip to self|memo to self|reminder to self|"
    r"moral(?: of the story)?|rule of thumb)\s*[:\-–]\s*(?P<v>.{8,200})$"
)
_VERBISH = re.compile(
    r"\b(?:is|are|was|were|must|should|can't|cannot|needs?|has|have|runs?|takes?|breaks?|only|"
    r"never|always|won't|doesn't|don't|works?|fails?|costs?|\w+s)\b",
    re.IGNORECASE,
)


def read_takeaway(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads what was learned, and what to do another time."""
    if piece.start - piece.whole.start > len("so also and well "):
        return []
    if marked := _MARKED.match(piece.rest):
        return [jot(piece, "lesson", marked["v"], scene, statement=f"Takeaway: {marked['v']}", until=piece.whole.end)]
    found = _FOUND_OUT.match(piece.rest)
    if found and (found["t"] or found["h"]) and _VERBISH.search(found["v"]):
        return [jot(piece, "lesson", found["v"], scene, statement=second_person(piece.rest), until=piece.whole.end)]
    later = _NEXT_TIME.match(piece.rest)
    return (
        [jot(piece, "lesson", later["v"], scene, statement=f"Next time: {later['v']}", until=piece.whole.end)]
        if later
        else []
    )
