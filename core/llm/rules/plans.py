"""What people tell of their plans and their working life in the first person: travel, appointments, projects, tools, decisions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from core.llm.rules.clauses import Clause, Entity
from core.llm.rules.dates import WHEN, WHEN_RX, has_clock
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import NAME, bare, items, read_value, rx, tidy
from core.llm.rules.scene import Rule, Scene, apply, draft
from core.llm.rules.things import canonical, time_value, when_attribute

_BRAND = {
    "laptop": r"(?:thinkpad|macbook|dell|xps|chromebook|surface|framework laptop|framework|zenbook|latitude|ideapad|imac|mac mini|elitebook|lenovo|hp |asus|acer|tuxedo|system76|laptop|pc\b|desktop|mac\b|notebook)",
    "phone_model": r"(?:iphone|pixel|fairphone|galaxy|nokia|oneplus|xperia|motorola|moto g|xiaomi|redmi|android phone|android|smartphone|flip phone)",
    "operating_system": r"(?:fedora|ubuntu|debian|arch\b|arch linux|mint\b|linux|windows|macos|mac os|nixos|manjaro|pop!?_?os|opensuse|freebsd|openbsd|centos|alma|rocky|gentoo|elementary|kubuntu|chromeos|sonoma|ventura|sequoia)",
    "editor": r"(?:neovim|vim|emacs|vs ?code|vscode|visual studio|intellij|pycharm|webstorm|sublime|helix|zed|nano|kakoune|notepad\+\+|jetbrains|rider|eclipse|xcode|cursor|atom|kate|doom emacs|rstudio)",
    "car": r"(?:skoda|volvo|toyota|honda|ford|fiat|vw|volkswagen|bmw|audi|tesla|renault|peugeot|citro[eë]n|nissan|mazda|hyundai|kia|subaru|seat|dacia|opel|vauxhall|mini|jeep|land rover|suzuki|mercedes|lada|saab|car|van|camper|pickup|truck|hatchback|estate)",
}  # fmt: skip
_DEVICE = [(slot, re.compile(rf"\b{words}", re.IGNORECASE)) for slot, words in _BRAND.items()]
_GEAR = rx(r"(?:am on|am using|use|am now on|have switched to|switched to|moved to|have moved to|switched over to|run|am running|have|have got|got|bought|have bought|just bought|own|upgraded to|work on|code in|code on|write (?:everything |code |my code )?in|develop on|type on|drive|drives|'ve got|got myself|am getting) (?P<v>.+)")
_DRIVE = rx(r"(?:drive|drives|ride|rides|cycle|bought|own|have|got|have bought|commute on) (?P<v>(?:an? |the )?(?!to\b|past|there|home|kids|my kids|with).+)")
_RUNNING = re.compile(r"\s+(?:running|with|on|and|,)\s+", re.IGNORECASE)
_USE_FOR = rx(r"(?:use|am using|used|are using|have been using) (?P<v>.+)")
_USES = rx(r"(?:use|am using|have been using|have switched to|switched to|swapped to|moved over to|am now using|started using|have started using|pay with|bank with|shop at|subscribe to|track (?:everything|my \w+) (?:in|with)|take (?:my )?notes in|write in) (?P<v>.+)")
_TRAVEL = rx(rf"(?:am |are |have |will be |'ll be )?(?:just |already )?(?:flying|fly|travelling|traveling|travel|going|heading|off|driving|sailing|booked|taking|planning|moving|visiting|staying|spending|going on holiday|going away|taking a trip|booked (?:a )?(?:\w+ ){{0,3}}(?:trip|flight|train|ferry|holiday|hotel|cabin|room|tickets?)|planning (?:a )?(?:\w+ )?(?:trip|holiday))(?: (?:out|over|up|down|back|away|on holiday|on a trip|for work|a \w+|the (?:\w+ ){{0,2}}(?:train|ferry|flight|bus|coach)|flights?|a (?:\w+ ){{0,2}}(?:train|ferry|flight|bus|coach|trip|week|hotel|cabin)|(?:to )?spend(?: \w+){{0,4}}|to (?:go|fly|travel|visit|drive)))? (?P<v>(?:to|in|for|at|around|through) (?P<p>{NAME}).*)$")
_VISIT = rx(rf"(?:am |are |will be )?(?:visiting|going to visit|planning to visit|visit) (?P<p>{NAME})(?P<v>.*)$")
_PLAN_DATE = rx(rf"(?:on|from|this|next|in|for) (?P<d>(?:the )?{WHEN})|(?P<e>\b(?:next|this) \w+|tomorrow)")
_BACK = rx(rf"\b(?:back|returning|return|coming back|flying back|fly back|home|flying home)(?: home)? (?:on |by )?(?P<v>(?:the )?{WHEN})")
_FROM_TO = rx(rf"from (?:the )?(?P<a>\w[\w ]{{0,20}}?) (?:to|until|till|-|–) (?:the )?(?P<b>{WHEN})")
_SEAT = rx(r"\b(?:seat|seats)(?: number| is|:)? (?P<v>\d{1,3}\s?[A-Z]\b)")
_REFERENCE = rx(r"\b(?:booking|reservation|confirmation|order|ticket|reference|flight)(?: (?:ref(?:erence)?|number|code|no\.?|id))?(?: is|:|'s| #)? #?(?P<v>(?-i:(?=[A-Z0-9-]*\d|[A-Z]{5,})[A-Z0-9][A-Z0-9-]{3,}))\b")
_APPOINTMENT = rx(rf"(?:have got|have booked|have made|have|has|got|booked|made|am at|need to be at|have to be at)(?: to (?:see|go to|be at|attend))? (?:an? |the |my |our )?(?P<x>(?!\d)[\w' -]{{2,50}}?)(?: (?:appointment|appt))?(?: (?:booked|scheduled|coming up|planned))?(?: (?:with|at) (?P<w>.{{2,40}}?))? (?:on |at |for |this |coming )*(?P<v>{WHEN}.*)$")
_MOVED_IT = rx(rf"(?:have |had )?(?:moved|pushed|postponed|rescheduled|shifted|changed|brought|switched|delayed|bumped) (?:the |our |my |that )?(?P<x>[\w' -]{{2,50}}?) (?:back |forward |up |out )?(?:from .{{1,30}}? )?(?:to|until|till) (?P<v>(?:the )?{WHEN}.*)$")
_MEET = rx(rf"(?:am |are )?(?:meeting|seeing|having (?:a call|lunch|dinner|coffee|drinks|breakfast) with|interviewing (?:at|with)) (?:up with )?(?P<x>.{{2,40}}?) (?:on |at |for |this )*(?P<v>{WHEN}.*)$")
_ROUTINE = rx(rf"(?P<v>(?:pick|drop|collect|walk|take|feed|call|visit|swim|run|train|teach|go|volunteer|have|do|practise|practice|work out|meditate|wake up|get up|start work|finish work|start|finish|stop|wake|eat|clock off|sleep|go to bed)\b.*?\b(?:at |every |on |by |before |after )*{WHEN}.*)$")
_DECIDED = rx(r"(?:have |has )?(?:now |finally |also )?(?:decided|agreed|chosen|resolved|opted|voted|concluded)(?: yesterday| today| this morning| last week)?(?: (?:to|on|that we(?:'ll| will)?|that|for|against))? (?P<v>.+)$")
_GOING_WITH = rx(r"(?:have |has )?(?:are going with|going with|went with|are going for|settled on|have settled on|settling on|picked|chose|have chosen|landed on|are sticking with|sticking with|are switching to|are moving to|are migrating to|are adopting|will use|are using|will go with|opted for|go with|are dropping|are replacing|signed off on) (?P<v>.+)$")
_WILL = rx(r"(?:will|'ll|are going to|won't|will not|are not going to|plan to) (?P<v>(?:drop|discontinue|launch|move|migrate|replace|switch|hire|stop|retire|sunset|ship|freeze|close|open|merge|rename|rewrite|keep|adopt|use|go with|remove|support|deprecate|release|cancel|delay|postpone|start|not)\b.+)$")
_FOR_WHAT = re.compile(r"(?<!support)(?<!need)(?<!pay)(?<!look)(?<!ask)(?<!wait)(?<!budget)\s+for (?:the |our |my )?(?P<x>[\w&/ '-]+?)(?=[,.;(]|\s+(?:instead|not|rather|because|and|from|over|since|from now on|going forward)\b|$)", re.IGNORECASE)
_INSTEAD = re.compile(r"(?:,?\s*(?:instead of|rather than|not|over)\s+(?P<x>[\w +#.-]+?))(?=[,.;]|$)", re.IGNORECASE)
_OBJECT = re.compile(r"^(?:drop|discontinue|launch|move|migrate|replace|retire|sunset|ship|close|merge|rename|rewrite|keep|remove|deprecate|release|cancel|delay|postpone|start) (?:the |our )(?P<x>[\w& -]+?)(?=\s+(?:at|on|by|in|to|for|from|until|with|into|after|before|next|this|and)\b|[,.;]|$)", re.IGNORECASE)
_PROJECT_NAMED = rx(r"(?:am |are )?(?:leading|running|working on|heading up|managing|on|part of|lead|run|manage|started|joined) (?:the )?project (?P<n>(?-i:[A-Z])[\w-]*)")
_MAKES = rx(
    r"(?:am |are )?(?:building|working on|developing|writing|making|build|develop|maintain|maintaining|launching|running|designing|started|have started|started building|run|write|make|host|co-host|edit) "
    r"(?P<d>(?:a|an|my|our|the) (?:[\w-]+ ){1,5}?)(?:called|named|codenamed) \"?(?P<n>[\w][\w'-]*(?: (?-i:[A-Z])[\w'-]*){0,3})"
)
_SPARE = rx(r"^in my (?:spare|free) time,? (?:i|we) (?P<v>.+)$")
_LEADS = rx(r"(?:am |are )?(?:leading|heading up|in charge of|running|managing|responsible for) (?:the )?(?P<v>.+)$")
_PURPOSE = re.compile(r"\s+(?:for|as|to|when|at work|at home|instead|from|because|every|on)\b.*$", re.IGNORECASE)
_FROM_TO_TOOL = rx(r"(?:have |has )?(?:switched|moved|migrated|changed|swapped)(?: over)? from (?:an? |the |my )?(?P<x>[\w .+#'-]{2,40}?) to (?:an? |the )?(?P<v>(?!the \w+ of)[^,;.]{2,50})")
_BORROW = rx(r"(?:am |are )?(?:borrowing|renting|driving|using) (?P<v>.+?(?:car|van|bike|truck|motorbike|scooter|minibus))\b")


def read_plans(clause: Clause, scene: Scene) -> list[Draft]:
    """All facts of a first-person clause on plans, tools, projects and decisions."""
    found: list[Draft] = []
    readers = (_projects, _switch, _decisions, _moves, _borrow, _travel, _gear, _appointments, _uses, _weight_goal) if clause.is_self else (_decisions, _moves)
    for reader in readers:
        found.extend(reader(clause, scene))
        if found:
            break
    return [one for one in found if one.value]


def read_bookings(said: str, clause: Clause, scene: Scene) -> list[Draft]:
    """Seats, references and return dates, wherever a sentence mentions them."""
    found = []
    if match := _SEAT.search(said):
        found.append(draft(clause, "seat", match["v"], scene, subject="user", statement=f"Your seat is {match['v']}"))
    if match := _REFERENCE.search(said):
        found.append(draft(clause, "booking_reference", match["v"], scene, subject="user", statement=f"Your {match.group()}"))
    return found


def _weight_goal(clause: Clause, scene: Scene) -> list[Draft]:
    found = re.match(r"(?:want|am trying|would like|aim|hope|am aiming|plan|am hoping)(?: to)? (?:get|be|go|drop|get down|get back|reach)(?: down| back)? ?(?:to )?(?P<v>\d+(?:\.\d+)?(?: ?(?:kg|kilos|lbs?|pounds|stone))?)\b", clause.predicate, re.IGNORECASE)
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
        return [draft(clause, "project", name, scene), draft(clause, "description", what, scene, subject=name, statement=f"{name} is your {what}")]
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
            out.append(draft(clause, "decision", memory.value, scene, subject=subject, statement=clause.statement(), retracts=True))
    return out


def _moves(clause: Clause, scene: Scene) -> list[Draft]:
    found = _MOVED_IT.match(clause.predicate)
    if not found or not re.search(r"\d|day|tomorrow|week|month|noon|january|february|march|april|may|june|july|august|september|october|november|december", found["v"], re.IGNORECASE):
        return []
    value = time_value(found["v"])
    subject, attribute = canonical(bare(found["x"]), when_attribute(value), scene)
    return [draft(clause, attribute, value, scene, subject=subject)]


def _borrow(clause: Clause, scene: Scene) -> list[Draft]:
    found = _BORROW.match(clause.predicate)
    if not found or not clause.predicate.startswith(("am borrowing", "are borrowing", "borrowing")):
        return []
    from core.llm.rules.dates import expiry  # noqa: PLC0415

    return [replace(draft(clause, "temporary_vehicle", found["v"], scene), expires_at=expiry(clause.sentence, scene.now))]


def _travel(clause: Clause, scene: Scene) -> list[Draft]:
    found = _TRAVEL.match(clause.predicate) or _VISIT.match(clause.predicate)
    if not found or re.match(r"(?:work|moved|have moved)", clause.predicate):
        return []
    place = tidy(found["p"])
    if re.fullmatch(r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)", place):
        return []
    whole = re.sub(r"^(?:am|are|have|will be) (?:just |already )?", "", read_value(clause.predicate, soft=True))
    one = draft(clause, "travel", whole, scene)
    out = [replace(one, valid_at=None, expires_at=None)]
    when = _PLAN_DATE.search(found["v"])
    if when:
        value = tidy(when["d"] or when["e"])
        out.append(draft(clause, "departure", value, scene))
    if back := _BACK.search(clause.sentence):
        out.append(draft(clause, "return", tidy(back["v"]), scene, statement=f"You are back {tidy(back['v'])}"))
    return out


def _gear(clause: Clause, scene: Scene) -> list[Draft]:
    found = _GEAR.match(clause.predicate)
    if not found:
        return []
    out: list[Draft] = []
    words = read_value(found["v"], soft=True) + ("" if "," not in clause.predicate else clause.predicate[clause.predicate.index(",") :])
    for part in _RUNNING.split(words):
        piece = read_value(part)
        for slot, pattern in _DEVICE:
            if not pattern.search(piece) or len(piece.split()) > 7:  # noqa: PLR2004 (a longer piece is a story about the device)
                continue
            if slot == "car" and not re.match(r"(?:drive|drives|own|bought|have|got|have bought|have got|ride)\b", clause.predicate):
                continue
            if not any(one.attribute == slot for one in out):
                out.append(draft(clause, slot, bare(piece), scene))
            break
    if not out and (drive := re.match(r"(?:drive|ride)s? (?P<v>(?:an? |my |our ).+)", clause.predicate, re.IGNORECASE)):
        out.append(draft(clause, "vehicle", bare(read_value(drive["v"])), scene))
    for one in out:
        if one.attribute == "car":
            scene.discourse.see(Entity("car", "Your car", person=False))
        elif one.attribute in {"laptop", "phone_model"}:
            scene.discourse.see(Entity("laptop" if one.attribute == "laptop" else "phone", "Your laptop" if one.attribute == "laptop" else "Your phone", person=False))
    return out


def _switch(clause: Clause, scene: Scene) -> list[Draft]:
    """ "switched from X to Y": Y takes the slot that X had."""
    found = _FROM_TO_TOOL.match(clause.predicate)
    if not found or re.match(r"moved", clause.predicate) and not any(found["x"].casefold() in one.value.casefold() for one in scene.known):
        return []
    old = next((one for one in scene.known if found["x"].casefold() in one.value.casefold() and one.attribute != "event"), None)
    attribute = old.attribute if old else "uses"
    out = [draft(clause, attribute, bare(read_value(found["v"])), scene, subject=old.subject if old else "user")]
    return out + ([draft(clause, attribute, old.value, scene, subject=old.subject, retracts=True)] if old else [])


def _uses(clause: Clause, scene: Scene) -> list[Draft]:
    found = _USES.match(clause.predicate)
    if not found:
        return []
    words = read_value(found["v"], soft=True)
    if re.match(r"(?:it|that|this|to|them|you)\b", words, re.IGNORECASE):
        return []
    extra = re.search(r",\s*((?:version |v)\s?\d[\w.]*)", clause.predicate, re.IGNORECASE)
    pieces = [_PURPOSE.sub("", piece) for piece in items(words)]
    parts = pieces if not extra else [f"{bare(_PURPOSE.sub('', words))} {extra[1]}"]
    return [draft(clause, "uses", bare(part), scene) for part in parts if part]


def _appointments(clause: Clause, scene: Scene) -> list[Draft]:
    if found := _MEET.match(clause.predicate):
        return [draft(clause, "appointment", f"{tidy(found['x'])} {time_value(found['v'])}", scene, subject="user")]
    found = _APPOINTMENT.match(clause.predicate)
    if found and (re.search(r"\d|tomorrow|today|tonight|\b\w+day\b|week|month", found["v"], re.IGNORECASE)) and not re.search(r"\b(?:been|time|idea|problem|cold|meeting room|since|lunch|fun|plan|kids|dream)\b", found["x"], re.IGNORECASE):
        value = time_value(found["v"])
        if not re.match(r"last|yesterday|\d{4}$|.* ago$", value, re.IGNORECASE):
            who = f" with {tidy(found['w'])}" if found["w"] else ""
            return [draft(clause, "appointment", f"{value}{who}", scene, subject=bare(found["x"]))]
    routine = _ROUTINE.match(clause.predicate)
    if routine and (has_clock(routine["v"]) or re.search(r"\bevery\b|days\b|weekend|daily|weekly|mon|tue|wed|thu|fri|sat|sun", routine["v"], re.IGNORECASE)):
        return _routine(clause, scene, routine["v"])
    return []


def _routine(clause: Clause, scene: Scene, words: str) -> list[Draft]:
    value = tidy(words.split(",")[0]) if "," in words and not has_clock(words.split(",", 1)[1]) else tidy(words)
    kids = re.match(r"(?:pick|collect|drop)\b.*\b(?:kids|children|son|daughter|school|nursery)\b|(?:pick|collect|drop) (?:the kids|\w+) (?:up|off)", value, re.IGNORECASE)
    if kids:
        return [draft(clause, "school_pickup" if re.match(r"pick|collect", value, re.IGNORECASE) else "school_dropoff", value, scene)]
    if re.match(r"(?:start|finish) work|clock", value, re.IGNORECASE):
        return [draft(clause, "work_schedule", value, scene)]
    return [draft(clause, "routine", value, scene)]


def spare_time(sentence: str) -> str:
    """The clause after "in my spare time, I …"; "" if the sentence has no such opening."""
    found = _SPARE.match(sentence)
    return found["v"] if found else ""


def plan_rules() -> Iterable[Rule]:
    """Rules of this subject that need no code."""
    return ()


_ = (_DRIVE, _USE_FOR, _FROM_TO, _LEADS, apply)
