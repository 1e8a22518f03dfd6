"""What people tell of their plans in the first person: appointments, projects, decisions, routines."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Clause, Entity
from core.llm.rules.dates import WHEN, WHEN_RX, has_clock, time_value, when_attribute
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import bare, read_value, rx, tidy
from core.llm.rules.scene import Scene, draft
from core.llm.rules.timing import canonical
from core.llm.rules.tools import read_borrowed, read_gear, read_switch, read_uses
from core.llm.rules.travel import read_travel

_APPOINTMENT = rx(
    "(?:have got|have booked|have made|have|has|got|booked|made|am at|need to be at|have to be "
    r"at)(?: to (?:see|go to|be at|attend))? (?:an? |the |my |our )?(?P<x>(?!\d)[\w' -]{2,50}?)(?: "
    "(?:appointment|appt))?(?: (?:booked|scheduled|coming up|planned))?(?: (?:with|at) "
    f"(?P<w>.{{2,40}}?))? (?:on |at |for |this |coming )*(?P<v>{WHEN}.*)$"
)


_MOVED_IT = rx(
    "(?:have |had )?(?:moved|pushed|postponed|rescheduled|shifted|changed|brought|switched|delayed|"
    r"bumped) (?:the |our |my |that )?(?P<x>[\w' -]{2,50}?) (?:back |forward |up |out )?(?:from "
    f".{{1,30}}? )?(?:to|until|till) (?P<v>(?:the )?{WHEN}.*)$"
)


_MEET = rx(
    "(?:am |are )?(?:meeting|seeing|having (?:a call|lunch|dinner|coffee|drinks|breakfast) with|"
    f"interviewing (?:at|with)) (?:up with )?(?P<x>.{{2,40}}?) (?:on |at |for |this )*(?P<v>{WHEN}.*)$"
)


_ROUTINE = rx(
    "(?P<v>(?:pick|drop|collect|walk|take|feed|call|visit|swim|run|train|teach|go|volunteer|have|do|"
    "practise|practice|work out|meditate|wake up|get up|start work|finish work|start|finish|stop|"
    rf"wake|eat|clock off|sleep|go to bed)\b.*?\b(?:at |every |on |by |before |after )*{WHEN}.*)$"
)


_DECIDED = rx(
    "(?:have |has )?(?:now |finally |also )?(?:decided|agreed|chosen|resolved|opted|voted|"
    "concluded)(?: yesterday| today| this morning| last week)?(?: (?:to|on|that we(?:'ll| will)?|"
    "that|for|against))? (?P<v>.+)$"
)


_GOING_WITH = rx(
    "(?:have |has )?(?:are going with|ended up (?:choosing|picking|going with|using)|"
    "have gone with|going with|went with|are going for|settled on|have settled on|"
    "settling on|picked(?! up)|chose|have chosen|landed on|are sticking with|sticking with|are switching to|"
    "are moving to|are migrating to|are adopting|will use|are using|will go with|opted for|go with|"
    "are dropping|are replacing|signed off on) (?P<v>.+)$"
)


_DOING = re.compile(r"are (dropping|replacing|switching to|moving to|migrating to|adopting)\b", re.IGNORECASE)
_WILL = rx(
    "(?:will|'ll|are going to|won't|will not|are not going to|plan to) (?P<v>(?:drop|discontinue|"
    "launch|move|migrate|replace|switch|hire|stop|retire|sunset|ship|freeze|close|open|merge|rename|"
    "rewrite|keep|adopt|use|go with|remove|support|deprecate|release|cancel|delay|postpone|start|"
    r"not)\b.+)$"
)


_FOR_WHAT = re.compile(
    r"(?<!support)(?<!need)(?<!pay)(?<!look)(?<!ask)(?<!wait)(?<!budget)\s+for (?:the |our |my "
    r")?(?P<x>[\w&/ '-]+?)(?=[,.;(]|\s+(?:instead|not|rather|because|and|from|over|since|from now on|"
    r"going forward)\b|$)",
    re.IGNORECASE,
)


_INSTEAD = re.compile(r"(?:,?\s*(?:instead of|rather than|not|over)\s+(?P<x>[\w +#.-]+?))(?=[,.;]|$)", re.IGNORECASE)


_OBJECT = re.compile(
    "^(?:drop|discontinue|launch|move|migrate|replace|retire|sunset|ship|close|merge|rename|rewrite|"
    r"keep|remove|deprecate|release|cancel|delay|postpone|start) (?:the |our )(?P<x>[\w& "
    r"-]+?)(?=\s+(?:at|on|by|in|to|for|from|until|with|into|after|before|next|this|and)\b|[,.;]|$)",
    re.IGNORECASE,
)


_PROJECT_NAMED = rx(
    "(?:am |are )?(?:leading|running|working on|heading up|managing|on|part of|lead|run|manage|"
    r"started|joined) (?:the )?project (?P<n>(?-i:[A-Z])[\w-]*)"
)


_MAKES = rx(
    "(?:am |are )?(?:building|working on|developing|writing|making|build|develop|maintain|"
    "maintaining|launching|running|designing|started|have started|started building|run|write|make|"
    "host|co-host|edit) "
    r"(?P<d>(?:a|an|my|our|the) (?:[\w-]+ ){1,5}?)(?:called|named|codenamed) \"?(?P<n>[\w][\w'-]*(?: "
    r"(?-i:[A-Z])[\w'-]*){0,3})"
)


_SPARE = rx(r"^in my (?:spare|free) time,? (?:i|we) (?P<v>.+)$")


def read_plans(clause: Clause, scene: Scene) -> list[Draft]:
    """All facts of a first-person clause on plans, tools, projects and decisions."""
    found: list[Draft] = []
    readers = (
        (
            _launches,
            _projects,
            read_switch,
            _decisions,
            _moves,
            read_borrowed,
            read_travel,
            read_gear,
            _appointments,
            read_uses,
            _weight_goal,
        )
        if clause.is_self
        else (_decisions, _moves)
    )
    for reader in readers:
        found.extend(reader(clause, scene))
        if found:
            break
    return [one for one in found if one.value]


def _weight_goal(clause: Clause, scene: Scene) -> list[Draft]:
    found = re.match(
        "(?:want|am trying|would like|aim|hope|am aiming|plan|am hoping)(?: to)? (?:get|be|go|drop|get "
        r"down|get back|reach)(?: down| back)? ?(?:to )?(?P<v>\d+(?:\.\d+)?(?: ?(?:kg|kilos|lbs?|pounds|"
        r"stone))?)\b",
        clause.predicate,
        re.IGNORECASE,
    )
    if found and (scene.said("weight") or re.search(r"kg|kilo|lb|pound|stone", found["v"])):
        return [draft(clause, "weight_goal", found["v"], scene)]
    return []


def _projects(clause: Clause, scene: Scene) -> list[Draft]:
    if found := _PROJECT_NAMED.match(clause.predicate):
        scene.discourse.see(Entity(found["n"], f"Project {found['n']}", person=False))
        return [draft(clause, "project", found["n"], scene)]
    if found := _MAKES.match(clause.predicate):
        name, what = tidy(found["n"]), bare(found["d"])
        scene.discourse.see(Entity(name, name, person=False))
        return [
            draft(clause, "project", name, scene),
            draft(clause, "description", what, scene, subject=name, statement=f"{name} is your {what}"),
        ]
    return []


def _decisions(clause: Clause, scene: Scene) -> list[Draft]:
    for pattern in (_DECIDED, _GOING_WITH, _WILL):
        found = pattern.match(clause.predicate)
        if not found:
            continue
        if pattern is _WILL and not (scene.discourse.last is None or clause.is_self) and not clause.is_self:
            continue
        raw = read_value(found["v"], soft=True)
        about = _FOR_WHAT.search(found["v"])
        target = _OBJECT.match(found["v"])
        subject = bare(about["x"]) if about else bare(target["x"]) if target else "user"
        if WHEN_RX.fullmatch(subject):
            subject = "user"
        value = tidy(found["v"][: about.start()]) if about and subject != "user" else raw
        if doing := _DOING.match(clause.predicate):
            value = f"{doing[1]} {value}"
        if not value or WHEN_RX.fullmatch(value):
            return []
        return [draft(clause, "decision", value, scene, subject=subject), *_dropped(clause, scene, subject, found["v"])]
    return []


def _dropped(clause: Clause, scene: Scene, subject: str, words: str) -> list[Draft]:
    """Close an earlier decision on the same thing that the new one names as given up."""
    instead = _INSTEAD.search(words)
    out = []
    for memory in scene.known:
        if memory.attribute != "decision" or memory.subject != subject:
            continue
        if subject != "user" or (instead and instead["x"].strip().lower() in memory.value.lower()):
            out.append(
                draft(
                    clause,
                    "decision",
                    memory.value,
                    scene,
                    subject=subject,
                    statement=clause.statement(),
                    retracts=True,
                )
            )
    return out


_LAUNCHES = rx(
    "(?:am |are |will |will be |plan to |are going to )?(?:launch|launching|release|releasing|ship|"
    r"shipping) (?:the |our |my )?(?P<x>[\w' -]{2,40}?) (?:on |in |at |by )?(?P<v>(?:the "
    f")?{WHEN}.*)$"
)


def _launches(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "we're launching the beta on 5 May"."""
    found = _LAUNCHES.match(clause.predicate)
    if not found:
        return []
    subject, attribute = canonical(bare(found["x"]), "launch_date", scene)
    return [draft(clause, attribute, time_value(found["v"]), scene, subject=subject)]


def _moves(clause: Clause, scene: Scene) -> list[Draft]:
    found = _MOVED_IT.match(clause.predicate)
    if not found or not re.search(
        r"\d|day|tomorrow|week|month|noon|january|february|march|april|may|june|july|august|september|"
        "october|november|december",
        found["v"],
        re.IGNORECASE,
    ):
        return []
    value = time_value(found["v"])
    subject, attribute = canonical(bare(found["x"]), when_attribute(value), scene)
    return [draft(clause, attribute, value, scene, subject=subject)]


def _appointments(clause: Clause, scene: Scene) -> list[Draft]:
    if found := _MEET.match(clause.predicate):
        return [draft(clause, "appointment", f"{tidy(found['x'])} {time_value(found['v'])}", scene, subject="user")]
    found = _APPOINTMENT.match(clause.predicate)
    if (
        found
        and (re.search(r"\d|tomorrow|today|tonight|\b\w+day\b|week|month", found["v"], re.IGNORECASE))
        and not re.search(
            r"\b(?:been|time|idea|problem|cold|meeting room|since|lunch|fun|plan|kids|dream)\b",
            found["x"],
            re.IGNORECASE,
        )
    ):
        value = time_value(found["v"])
        if not re.match(r"last|yesterday|\d{4}$|.* ago$", value, re.IGNORECASE):
            who = f" with {tidy(found['w'])}" if found["w"] else ""
            return [draft(clause, "appointment", f"{value}{who}", scene, subject=bare(found["x"]))]
    routine = _ROUTINE.match(clause.predicate)
    if routine and (
        has_clock(routine["v"])
        or re.search(r"\bevery\b|days\b|weekend|daily|weekly|mon|tue|wed|thu|fri|sat|sun", routine["v"], re.IGNORECASE)
    ):
        return _routine(clause, scene, routine["v"])
    return []


def _routine(clause: Clause, scene: Scene, words: str) -> list[Draft]:
    value = (
        tidy(words.split(",", maxsplit=1)[0]) if "," in words and not has_clock(words.split(",", 1)[1]) else tidy(words)
    )
    kids = re.match(
        r"(?:pick|collect|drop)\b.*\b(?:kids|children|son|daughter|school|nursery)\b|(?:pick|collect|"
        r"drop) (?:the kids|\w+) (?:up|off)",
        value,
        re.IGNORECASE,
    )
    if kids:
        return [
            draft(
                clause,
                "school_pickup" if re.match(r"pick|collect", value, re.IGNORECASE) else "school_dropoff",
                value,
                scene,
            )
        ]
    if re.match(r"(?:start|finish) work|clock", value, re.IGNORECASE):
        return [draft(clause, "working_hours", value, scene)]
    return [draft(clause, "routine", value, scene)]


def spare_time(sentence: str) -> str:
    """The clause after "in my spare time, I …"; "" if the sentence has no such opening."""
    found = _SPARE.match(sentence)
    return found["v"] if found else ""
