"""Facts that add to others: "some Portuguese too", "we've got ducks too", "added X to the subscriptions"."""

from __future__ import annotations

import re

from core.llm.rules.draft import Draft
from core.llm.rules.nouns import OWN
from core.llm.rules.phrases import bare, enumeration, items, rx, singular, snake, tidy
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene
from core.model import Memory
from core.slots import is_multi_valued

_TOO = rx(
    r"^(?:(?:oh|and|also|plus|ah|i forgot|forgot|oh yeah|forgot to say|actually|"
    r"to mention) ){0,4}(?:some |a bit of |a little |my |a |an |"
    r"the )?(?P<v>[\w'-]+(?: [\w'-]+){0,3}?),? (?:too|as well|also)$"
)
_VERBAL = rx(
    r"\b(?:i|we|you|it|is|are|was|do|does|am|me|that|this|thanks?|please|good|fine|great|ok|"
    r"sorry|later|soon|love|nice|same|not|cool|much|many|far|late|early|hot|cold|hard|long|"
    r"bad|little|one|them|him|her)\b"
)
_ALSO_HAVE = rx(
    r"^(?:(?:i|we|we've|i've|ive|weve|have|now|also|just|there's|we also|i also) ){1,4}(?P<g>got|"
    r"have|keep|bought|added|adopted|own|play|speak|collect|make|brew|grow|raise|teach|"
    r"use)?(?: myself)? ?(?P<v>.{2,40}?) (?:too|as well)(?P<t> (?:now|as of .+|since .+|"
    r"these days))?$"
)
_KEEPING = rx(
    r"^(?:i|we) (?:also )?(?:keep|raise|breed|rear) (?:(?:a (?:few|couple of|flock of|herd of|"
    r"dozen)|some|\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|"
    r"our own) )?(?P<v>(?:[a-z]+ )?[a-z]{2,}(?:s|ese|ep)|bees)(?: (?:now|too|as well|here|"
    r"at home|on the farm))*$"
)
_KEPT_OTHER = rx(
    r"(?:^|\b)(?:notes?|receipts?|secrets?|records?|tabs|logs?|copies|backups?|things|hours|"
    r"promises|calm|this|his|its|us|less|mess|pass|lists?|diaries|journals?|minutes|files|"
    r"spreadsheets?|branches|tests|versions|messages|windows|photos|letters|questions|times|"
    r"press|always|perhaps|snacks|tools|books|keys|cards|passwords|options|fingers|eyes|"
    r"animals)$"
)
_ADDED = rx(
    r"^(?:(?:i|we|i've|ive|just|also|finally|have) ){0,4}added (?P<v>.{2,50}?) (?:to|onto) (?:the|"
    r"my|our) (?:(?:pile|list|set|collection|stack|heap|growing \w+|lot|mix) of )?(?:my |"
    r"our )?(?P<n>[a-z]+)$"
)


_ANOTHER = rx(
    r"^(?:another|one more|a new|new|extra|additional|a second|second|"
    r"also one) (?P<n>[a-z]+)(?: (?:for|of) (?:me|mine|the list|you))?\s*(?::|is|=|-|"
    r",)+\s*(?:the |an? )?(?P<v>[^.;:]{2,60})$"
)


def _newest_multi(scene: Scene, fits: re.Pattern[str] | None = None) -> Memory | None:
    held = (
        one
        for one in scene.known
        if is_multi_valued(one.attribute)
        and one.attribute
        not in {"event", "statement", "decision", "travel", "lesson", "procedure", "response_preference"}
    )
    return next((one for one in held if fits is None or fits.search(one.attribute)), None)


def read_addition(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads what is added to a fact already known."""
    if added := _ADDED.match(piece.text):
        slot = snake(singular(added["n"].lower()))
        return (
            [jot(piece, slot, added["v"], scene, statement=f"Your {added['n']} include {added['v']}")]
            if is_multi_valued(slot)
            else []
        )
    if (more := _ANOTHER.match(piece.rest)) and is_multi_valued(slot := OWN.get(more["n"].lower(), snake(more["n"]))):
        return [
            jot(
                piece,
                slot,
                bare(one),
                scene,
                statement=f"Your {more['n']}: {bare(one)}",
                until=piece.start + more.end(),
            )
            for one in enumeration(more["v"])
        ]
    if kept := _KEEPING.match(piece.text):
        return [] if _KEPT_OTHER.search(kept["v"]) else [jot(piece, "keeps", one, scene) for one in items(kept["v"])]
    if (found := _ALSO_HAVE.match(piece.text)) and not _VERBAL.search(found["v"]):
        return _also(found, piece, scene)
    return _too(piece, scene)


def _too(piece: Piece, scene: Scene) -> list[Draft]:
    found = _TOO.match(piece.text)
    if not found or _VERBAL.search(found["v"]) or re.search(r"ing$|ed$", found["v"]):
        return []
    value = tidy(found["v"])
    language = re.match(r"(?-i:[A-Z])[\w']+$", value) and _newest_multi(scene, re.compile("language"))
    held = language or _newest_multi(scene)
    if not held or (held.attribute == "language" and not value[0].isupper()):
        return []
    verb = {
        "language": "speak",
        "likes": "like",
        "dislikes": "dislike",
        "allergy": "are allergic to",
        "hobby": "do",
        "owns": "own",
        "keeps": "keep",
        "uses": "use",
    }.get(held.attribute, f"have ({held.attribute.replace('_', ' ')})")
    return [
        jot(piece, held.attribute, bare(one), scene, subject=held.subject, statement=f"You also {verb} {bare(one)}")
        for one in enumeration(value)
    ]


_PLAYS = {"play": "hobby", "speak": "language", "keep": "keeps", "raise": "keeps", "use": "uses", "own": "owns"}


def _also(found: re.Match[str], piece: Piece, scene: Scene) -> list[Draft]:
    verb = (found["g"] or "").lower()
    value = bare(found["v"])
    if verb in {"speak", "play", "use"}:
        shown = f"{verb} {found['v']}" if verb == "play" else value
        return [jot(piece, _PLAYS[verb], shown, scene, statement=f"You also {verb} {found['v']}")]
    keeps = _newest_multi(scene, re.compile("^(?:keeps|dog|cat|pet|chicken)$"))
    plural = re.fullmatch(r"(?:[a-z]+ )?[a-z]+s", value)
    slot = "keeps" if keeps and keeps.attribute == "keeps" and plural else _PLAYS.get(verb, "")
    more = re.match(r",\s*((?:\w+ )?(?-i:[A-Z])[\w' -]{2,30})", piece.rest[len(piece.text) :])
    shown = f"{value} ({tidy(more[1])})" if more and slot == "keeps" else value
    if not slot or not value:
        return []
    return [
        jot(
            piece, slot, shown, scene, statement=f"You also have {shown}", until=piece.end + (more.end() if more else 0)
        )
    ]
