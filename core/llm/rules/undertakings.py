"""Projects: what one is building, restoring or writing, what it is called, about, due, and how far it is."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Entity
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import bare, rx, snake, tidy
from core.llm.rules.pieces import Piece, jot
from core.llm.rules.scene import Scene

_WORK = (
    r"(?:(?:side|pet|hobby|passion|research|new|current|next|phd|master'?s|masters|"
    r"bachelor'?s|final[- ]year|capstone|doctoral|big|little|main|art|garden) ){0,4}"
    r"(?:project|thesis|dissertation|phd|paper|monograph|app|game|startup|start-up|blog|"
    r"podcast|zine|newsletter|channel|band|website|site|album|documentary|memoir|report|tool|"
    r"library|plugin)"
)
_BUSY = rx(
    r"^(?:(?:i'm|im|i am|we're|we are|i|we|i've been|currently|still|now|just|slowly|also|busy|finally) ){0,4}"
    r"(?P<k>building|restoring|renovating|doing up|refurbishing|converting|rebuilding|"
    r"developing|coding|programming|designing|knitting|carving|sewing|brewing|"
    r"composing|recording|directing|curating|translating|researching|writing|working on|finishing|making|setting up) "
    r"(?P<d>(?:an? |my |our )(?P<n>.{3,90}?))(?: (?:with (?:my|our|a) .+|at the moment|"
    r"right now|currently|these days|in my (?:spare|free) time|for fun|on the side))?$"
)
_BIG = rx(
    r"^(?:building|restoring|renovating|doing up|refurbishing|converting|rebuilding|"
    r"developing|coding|programming|researching|composing|curating|directing)$"
)
_SMALL = rx(
    r"\b(?:e?-?mail|letter|message|msg|text|reply|list|query|question|post|note|cv|resume|"
    r"cover letter|poem|card|story|novel|speech|toast|review|script|function|"
    r"regex|cake|dinner|lunch|tea|coffee|decision|mistake|plan|table|slide|presentation|"
    r"resource|relationship|habit|case|sense|headache|cold|taste)\b"
)
_CALLED = rx(
    rf"^(?:my |our |the |this )?(?P<k>{_WORK})(?:'s| is| was)? ?(?:called|named|codenamed|=|"
    rf":) (?P<v>[\w'’&-]+(?: (?-i:[A-Z])[\w'-]+){{0,3}})$"
)
_ABOUT = rx(
    rf"^(?:my|our|the) (?P<k>{_WORK})(?:'s| is| will be| looks at| explores| covers|"
    rf" deals with| studies| investigates) (?P<a>about |on |all about |called )?(?P<v>.+)$"
)
_WHAT = rx(r"^(?:it's|its|it is|that's|which is|basically) (?P<v>(?:an? |my |our |like an? |basically an? )?.{3,80})$")
_AIM = rx(
    r"^(?:(?:i|we|i'm|im|we're|i'd|also|really) ){0,4}(?P<k>wanna|want to|hope to|hoping to|"
    r"aim to|aiming to|plan to|planning to|need to|trying to|would like to|'d like to|gotta|"
    r"have to|should) "
    r"(?P<v>(?:ship|launch|release|finish|submit|publish|deliver|have|get|be done|hand|open|"
    r"complete|wrap|defend)\b.*\b(?:by|before|until|in time for|this|next|in)\b.+)$"
)
_STATE = rx(
    r"^(?:the |its |my )?(?P<n>[a-z][\w-]*(?: [a-z][\w-]*)?)(?:'s| is| are|s are)? (?:now |"
    r"all |already |mostly |fully |nearly |almost |half )*"
    r"(?P<v>(?:rebuilt|done|finished|next|ready|sorted|complete[d]?|painted|installed|wired|"
    r"stripped|sanded|welded|drafted|written|tested|shipped|deployed|in progress|underway|"
    r"to go)(?: already| now| too)?)$"
)


_NAME = 3  # words of a project's name; a longer value describes it


def read_project(piece: Piece, scene: Scene) -> list[Draft]:
    """Reads "side project is called M", "doing up a 1974 camper", "my thesis is about lichen"."""
    if called := _CALLED.match(piece.text):
        name = tidy(called["v"])
        name = name[0].upper() + name[1:]
        scene.discourse.see(Entity(name, name, person=False))
        return [jot(piece, "project", name, scene, statement=f"Your {called['k']} is called {name}")]
    if about := _ABOUT.match(piece.text):
        made = re.match(r"(?:an? )(?:[\w-]+ ){0,4}?(?:for|that|to|about|of|in|with)\b.+", about["v"], re.IGNORECASE)
        if (
            made
            and not about["a"]
            and re.search(r"project|startup|start-up|app|game|podcast", about["k"], re.IGNORECASE)
        ):
            return [jot(piece, "project", bare(about["v"]), scene)]
        verb = re.search(r"looks at|explores|covers|deals|studies|investigates", piece.text)
        if not (about["a"] or verb) or about["a"] == "called ":
            return []
        kind = about["k"].split()[-1].lower()
        return [jot(piece, snake(kind), about["v"], scene)]
    return _busy(piece, scene) or _details(piece, scene)


def _busy(piece: Piece, scene: Scene) -> list[Draft]:
    found = _BUSY.match(piece.text)
    if (
        not found
        or re.search(r"\b(?:called|named|codenamed)\b", found["n"])
        or _SMALL.search(found["n"].split(" for ")[0].split(" about ")[0])
    ):
        return []
    kind = re.match(
        rf"(?P<k>(?:[\w-]+ ){{0,3}}?{_WORK})\b(?: (?:on|about|in|for) (?P<t>.+))?", found["n"], re.IGNORECASE
    )
    if not (_BIG.match(found["k"]) or kind):
        return []
    noun = kind["k"].split()[-1].lower() if kind else ""
    if kind and kind["t"] and noun in {"thesis", "dissertation", "phd", "paper", "book", "monograph"}:
        return [jot(piece, "thesis" if noun == "dissertation" else noun, kind["t"], scene)]
    scene.discourse.see(Entity(bare(found["n"]).split(" in ")[0], "It", person=False))
    return [jot(piece, "project", bare(found["d"]), scene)]


def _details(piece: Piece, scene: Scene) -> list[Draft]:
    """What follows in the same turn once a project was told of."""
    project = next(
        (
            one
            for one in reversed(scene.drafts)
            if one.attribute in {"project", "thesis", "phd", "paper"} and one.subject == "user"
        ),
        None,
    )
    if aim := _AIM.match(piece.text):
        named = project and project.attribute == "project" and len(project.value.split()) <= _NAME
        subject = project.value if project and named else "user"
        if project or re.search(r"ship|launch|release|publish|submit|defend", aim["v"]):
            return [
                jot(
                    piece,
                    "goal",
                    aim["v"],
                    scene,
                    subject=subject,
                    statement=f"You {'want to' if aim['k'] == 'wanna' else aim['k']} {aim['v']}",
                )
            ]
        return []
    if not project:
        return []
    if (
        (what := _WHAT.match(piece.text))
        and project.attribute == "project"
        and re.match(r"an? |my |our |like", what["v"])
    ):
        return [
            jot(
                piece,
                "description",
                bare(what["v"]),
                scene,
                subject=project.value,
                statement=f"{project.value} is {what['v']}",
            )
        ]
    state = _STATE.match(piece.text)
    if state and not re.match(r"(?:it|that|this|what|i|we|not)\b", state["n"], re.IGNORECASE):
        return [
            jot(
                piece,
                "status",
                f"{state['n']} {state['v']}",
                scene,
                subject=state["n"],
                statement=f"{state['n']} {state['v']}",
            )
        ]
    return []
