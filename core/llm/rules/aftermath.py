"""What a turn's facts mean for each other and the known ones: names of slots, turned tastes, what "now" closes."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.draft import Draft
from core.llm.rules.phrases import RELATIONS
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.model import Memory
from core.slots import SLOTS, normalise

_CURRENT = re.compile(r"^(?:current|present|latest|actual|newest)_(?=[a-z])")
_OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}
_MEAL = re.compile(r"^(?:had|ate|eaten|cooked|ordered|made|got|tried)\b", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|from now on|these days|instead)\b", re.IGNORECASE)
_PROMOTED = re.compile(r"\b(?:promoted|became|has become|took over as|takes over as|switched to)\b", re.IGNORECASE)
_TURNED = frozenset({"uses", "role"})  # slots that add, and that "now" turns
_ALSO = re.compile(r"\b(?:also|too|as well|both|additionally)\b", re.IGNORECASE)
_OPENS = re.compile(
    r"^(?:(?:small |quick |one )?(?:correction|update|edit|erratum|amendment|fyi|ps|note)\s*[:;–—-]\s*"
    r"|(?:that's|that is|that was) (?:wrong|not right|incorrect|a mistake)[,;.:]\s*"
    r"|i(?:'ve| have)? changed my mind(?: about [^,;]{2,40})?[,;.:]\s*(?:and )?)+",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"^(?:since|from|as of|starting|effective)(?: from)? (?:last |this |next )?\w+(?: \w+)?,?\s+(?=(?:my|our|"
    r"the|i|we)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"^(?:my|our|the|i|we|it|[A-ZÀ-Þ][\w'-]*)\b.*\b(?:is|are|was|were|has|have|am|'m|lives?|works?|"
    r"uses?)\b",
    re.DOTALL,
)
_QUALIFIED = re.compile(r"^\W*(?P<n>[A-ZÀ-Þ][\w'-]+) from (?P<q>(?:the |my )?[a-z]\w+|[A-ZÀ-Þ]\w+) ")


def opened(said: Sentence) -> Sentence:
    """The sentence without "correction:" and "since Monday" before a whole clause; the same where none follows."""
    first = _OPENS.match(said.text)
    start = first.end() if first else 0
    since = _SINCE.match(said.text, start) if first else None
    if since is None and first is not None:
        rest = said.text[start:]
        since = _SINCE.match(rest)
        start += since.end() if since else 0
    if not start or not _CLAUSE.match(said.text[start:]):
        return said
    return replace(said, text=said.text[start:], start=said.start + start)


def settled(drafts: list[Draft], said: Sentence, scene: Scene) -> list[Draft]:
    """A sentence's drafts under their slots' own names, with what they close among the known facts."""
    named = [_named(one) for one in drafts if not is_meal(one)]
    named = [replace(one, subject=_apart(one.subject, said, scene)) for one in named]
    return [*named, *(gone for one in named for gone in _closed(one, said, scene))]


def is_meal(one: Draft) -> bool:
    """Whether what was read as a diet is one meal: that changes no diet."""
    return one.attribute == "diet" and bool(_MEAL.match(one.value))


_HOST_PORT = re.compile(
    r"^(?:(?:running |listening )?(?:at|on) )?(?:https?://)?(?:localhost|[\w-]+(?:\.[\w-]+)*|"
    r"\d+(?:\.\d+){3}):(?P<p>\d{2,5})/?$"
)
_PART = re.compile(
    r"\s+(?:back-?end|server|service|instance|daemon|process|app|application|api|container)$", re.IGNORECASE
)
_JOINED = re.compile(r"^(?P<w>You(?: have)?(?: just| recently| finally)? joined [^,;]+?)[.]?$", re.IGNORECASE)


def _named(one: Draft) -> Draft:
    """A draft in its plain slot: "my current X" is my X, an address with a port a port, a firm joined an employer."""
    if one.subject != "user" and (port := _HOST_PORT.match(one.value)):
        return replace(one, subject=_PART.sub("", one.subject), attribute="port", value=port["p"])
    if one.attribute == "employer" and (told := _JOINED.match(one.statement)):
        return replace(one, statement=f"{told['w']}, where you work now.")
    plain = _CURRENT.sub("", one.attribute)
    if plain == one.attribute or not (plain in SLOTS or plain.startswith("favorite_")):
        return one
    return replace(one, attribute=plain)


def _apart(subject: str, said: Sentence, scene: Scene) -> str:
    """A first name with "from work" is somebody else than the known person of that first name and a surname."""
    found = _QUALIFIED.match(said.text)
    if not found or subject != found["n"]:
        return subject
    known = {one.subject for one in scene.known} | {one.value for one in scene.known if one.subject == "user"}
    full = any(re.fullmatch(rf"{re.escape(subject)} [A-ZÀ-Þ][\w'-]+", name) for name in known)
    return f"{subject} from {found['q']}" if full else subject


def _closed(one: Draft, said: Sentence, scene: Scene) -> list[Draft]:
    if one.retracts:
        return []
    gone = []
    if one.attribute in _OPPOSITE:
        gone = [
            old
            for old in _of(one.subject, _OPPOSITE[one.attribute], scene)
            if normalise(old.value) == normalise(one.value)
        ]
    elif one.attribute in _TURNED and one.subject != "user" and _changes(one, said):
        gone = [old for old in _of(one.subject, one.attribute, scene) if normalise(old.value) != normalise(one.value)]
        gone = [old for old in gone if normalise(old.value) not in RELATIONS]  # the new treasurer is still a colleague
    return [
        replace(one, attribute=old.attribute, value=old.value, retracts=True, kind=None, importance=None)
        for old in gone
    ]


def _changes(one: Draft, said: Sentence) -> bool:
    """Whether this holds from now on, in place of what held: "is CTO now", "was promoted to CTO"."""
    turned = _NOW.search(said.text) or (one.attribute == "role" and _PROMOTED.search(said.text))
    return bool(turned) and not _ALSO.search(said.text)


def _of(subject: str, attribute: str, scene: Scene) -> list[Memory]:
    wanted = normalise(subject)
    return [one for one in scene.known if one.attribute == attribute and normalise(one.subject) == wanted]
