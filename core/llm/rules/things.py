"""What people say of things: "my X is Y", "the X of Y is Z", deadlines, appointments, projects, tools, decisions, roles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from core.llm.rules.clauses import Clause, Entity
from core.llm.rules.dates import WHEN, WHEN_RX, has_clock, recurs
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import PERSON, PETS, RELATION, RELATIONS, bare, read_value, rx, singular, snake, tidy
from core.llm.rules.scene import Rule, Scene, apply, draft
from core.llm.rules.voice import second_person
from core.slots import normalise

_AT = r"(?:on |at |by |in |for |from )?(?:the )?"
_WHEN = rf"(?P<v>{_AT}(?:about |around )?{WHEN}.*)"
#: Nouns that own a slot of the user's when it is "my X".
_OWN = {
    "name": "name", "full name": "name", "real name": "name", "first name": "first_name", "given name": "nickname", "last name": "surname", "surname": "surname", "family name": "surname",
    "nickname": "nickname", "preferred name": "nickname", "birthday": "birthday", "bday": "birthday", "b-day": "birthday", "date of birth": "birthday", "dob": "birthday", "birth date": "birthday", "birthdate": "birthday",
    "email": "email", "e-mail": "email", "email address": "email", "mail": "email", "work email": "work_email", "phone number": "phone", "number": "phone", "mobile number": "phone", "cell": "phone",
    "cell number": "phone", "telephone": "phone", "mobile": "phone", "address": "address", "postal address": "address", "home address": "address", "mailing address": "address", "job": "job", "job title": "job",
    "occupation": "job", "profession": "job", "title": "job", "employer": "employer", "company": "employer", "workplace": "workplace", "manager": "manager", "boss": "manager",
    "hometown": "hometown", "home town": "hometown", "nationality": "nationality", "age": "age", "weight": "weight", "height": "height", "blood type": "blood_type", "blood group": "blood_type", "diet": "diet",
    "salary": "salary", "shift": "work_schedule", "schedule": "work_schedule", "working hours": "work_schedule", "work hours": "work_schedule", "laptop": "laptop", "computer": "laptop", "phone": "phone_model", "os": "operating_system",
    "operating system": "operating_system", "editor": "editor", "text editor": "editor", "ide": "editor", "car": "car", "goal": "goal", "goal weight": "weight_goal", "target weight": "weight_goal",
    "hobby": "hobby", "hobbies": "hobby", "interests": "hobby", "allergies": "allergy", "allergy": "allergy", "languages": "language", "native language": "native_language", "mother tongue": "native_language", "first language": "native_language",
    "booking reference": "booking_reference", "booking ref": "booking_reference", "hotel booking reference": "booking_reference", "anniversary": "anniversary", "wedding anniversary": "anniversary", "pronouns": "pronouns", "timezone": "timezone", "time zone": "timezone", "medication": "medication", "flight": "departure", "seat": "seat",
}  # fmt: skip
_MANY = frozenset({"hobby", "allergy", "language"})
#: Head nouns of a compound that name a property: "sprint length" is the length of the sprint.
_PROPERTY = (
    r"(?:length|budget|deadline|owner|date|time|size|version|price|cost|duration|venue|location|host|lead|name|status|target|goal|colou?r|language|theme|format|frequency|capacity|limit|limits|quota|schedule|sponsor|maintainer|"
    r"due date|release date|launch date|start date|end date|headcount|topic|password hint|priority|scope|address|domain|repo|stack|database|framework|font|region|timezone|day|room|chair|organi[sz]er|contact|rate|speed|weight|height|population|currency)"
)
_COMPOUND = rx(rf"(?P<x>.+?) (?P<p>{_PROPERTY})$")
_POSSESSIVE = rx(rf"^(?:my|our|the|this)?\s*(?P<x>(?:[\w&/+-]+\s+){{0,3}}?[\w&/+-]+)'s? (?P<p>(?!(?:a|an|the|not|so|very|too|been|on|at|in|due|called|named|just|now|my|our|me)\b)[\w-]+(?:\s+[\w-]+){{0,3}}?)\s*(?:is|are|was|=|:|'s)\s+(?P<v>.+)$")
_OF = rx(rf"^(?:the|our|my)?\s*(?P<p>[\w-]+(?: [\w-]+){{0,2}}?) (?:of|for) (?:the |our |my )?(?P<x>(?!you\b|me\b|us\b|it\b|now\b)[\w&/+'-]+(?: [\w&/+'-]+){{0,4}}?)(?: is| are|'s|:| was| =)(?: now| currently| still)?(?: set at| set to)? (?P<v>.+)$")
_COLON = rx(r"^(?:my |our |the )?(?P<p>[a-z][\w -]{1,30}?)\s*:\s+(?P<v>\S.*)$")
_BARE_IS = rx(rf"^(?P<p>(?:{_PROPERTY}|[a-z]+)(?: [a-z]+)?)(?: is|'s| are|:) (?P<v>.+)$")
_BE = re.compile(r"^(?:is|are|was|were|will be|has been|have been|'s|=|:)\s+(?:now |currently |still |actually |just |only |also |going to be |set to |set at )*(?P<v>.+)$", re.IGNORECASE | re.DOTALL)
_CALLED = rx(r"^(?:is|are|'s|am)?\s*(?:called|named)\s+(?P<v>.+)$")

TIME_RULES = [
    Rule("deadline", rx(rf"(?:(?:is|are|falls|will be)(?: now)? (?:due|needed)(?: in)?|(?:(?:has|have|needs?) to|must|should) be (?:in|done|submitted|finished|handed in|delivered|ready|sent|filed|paid)|closes for submissions) {_WHEN}"), "any", soft=True),
    Rule("expiry_date", rx(rf"(?:expires?|runs out|is valid until|are valid until|lapses|will expire|ends up expiring) {_WHEN}"), "any", soft=True),
    Rule("ship_date", rx(rf"(?:ships?|is shipping|will ship|shipping) {_WHEN}"), "any", soft=True),
    Rule("launch_date", rx(rf"(?:launch(?:es|ed)?|will launch|goes live|is launching|go live|comes out|is released|will be released|releases|is coming out) {_WHEN}"), "any", soft=True),
    Rule("start_date", rx(rf"(?:starts?|begins?|kicks off|opens|will start|is starting|started|will begin)(?: (?:there|school|nursery|work|university|college|kindergarten|again|training|uni|\w+))? {_WHEN}"), "any", soft=True),
    Rule("end_date", rx(rf"(?:ends?|finish(?:es)?|closes|is over|will end|concludes|wraps up|ended) {_WHEN}"), "any", soft=True),
    Rule("arrival", rx(rf"(?:arrives?|lands?|gets in|is arriving|will arrive) {_WHEN}"), "any", soft=True),
    Rule("departure", rx(rf"(?:leaves?|departs?|takes off|is leaving|am leaving) {_WHEN}"), "any", soft=True),
    Rule("when", rx(rf"(?:has |have |had |got |was |is |are |were )?(?:been )?(?:moved|pushed|postponed|rescheduled|shifted|changed|brought forward|delayed|switched|bumped|slipped|pushed back|moved back|moved forward|moves)(?: back| forward| up| out)?(?: from .{{1,40}}?)? (?:to|until|till) {_WHEN}"), "any", soft=True),
    Rule("when", rx(rf"(?:is|are|was|will be|takes place|take place|happens?|is happening)(?: (?:planned|scheduled|set|booked|due to (?:happen|start)|going to be|fixed|confirmed|pencilled in))?(?: (?:for|on|at))? {_WHEN}"), "any", soft=True),
    Rule("time", rx(rf"(?:meets?|runs?|is open|opens|is held|happens) {_WHEN}"), "any", soft=True),
]
THING_RULES = [
    Rule("budget", rx(r"(?:has|have|had) a budget of (?P<v>.+)"), "thing"),
    Rule("price", rx(r"(?:costs?|cost us|cost me|is priced at|sells for) (?P<v>(?:about |around |roughly )?(?:[£$€¥]|\d).+)"), "thing"),
    Rule("oil", rx(r"(?:needs|takes|uses) (?P<v>[\w-]+(?: [\w-]+)?) oil\b"), "thing"),
    Rule("flow_rate", rx(r"(?:moves|pumps|pushes|delivers|does) (?P<v>\d[\d.,]* ?(?:lit(?:re|er)s?|l|gallons?|m3|ml) (?:an|a|per|/) ?\w+)"), "thing"),
    Rule("battery_life", rx(r"(?:only )?(?:holds?|lasts?)(?: only)? (?:abt |about |around |roughly )?(?P<v>\d[\d.,]* ?(?:hours?|hrs?|h|minutes?|mins?|days?))"), "thing"),
    Rule("language", rx(r"(?:is|are) (?:written|coded|built|implemented) in (?P<v>.+)"), "thing"),
    Rule("runs_on", rx(r"(?:runs?|is running|are running|is hosted|is deployed) on (?P<v>.+)"), "thing"),
    Rule("purpose", rx(r"(?P<v>(?:replaces?|automates?|handles?|tracks?|measures?|monitors?|manages?|converts?|generates?|is (?:meant|intended|supposed) (?:to|for)) .+)"), "thing", soft=True),
    Rule("owner", rx(r"(?:belongs to|is owned by|are owned by|is led by|is run by|is handled by|is managed by|is maintained by) (?P<v>.+)"), "thing"),
    Rule("place", rx(r"(?:takes place|is happening|is held|are held|will be held|is located|is hosted|will take place) (?:in|at|on) (?P<v>.+)"), "thing"),
    Rule("place", rx(r"(?:is|are|will be) (?:in|at|on) (?P<v>(?:the )?(?-i:[A-ZÀ-Þ0-9]).*)"), "thing"),
    Rule("needs", rx(r"(?:needs?|takes|requires) (?P<v>(?!to (?:be )?(?:go|fix|see)\b|some|more|help|a (?:new|break)).*\d.*)"), "thing"),
    Rule("uses", rx(r"(?:uses?|is using|are using|is built (?:with|on)) (?P<v>.+)"), "thing"),
    Rule("version", rx(r"(?:is|are) (?:on|at) (?P<v>v(?:ersion)? ?\d[\w.]*)"), "thing"),
]
PERSON_THING_RULES = [
    Rule("role", rx(r"(?:am |is |are )?(?:in charge of|responsible for|handling|leading|running|heading(?: up)?|managing|owning|looking after|covering) (?P<v>(?!(?:late|low|out|for|\d)\b).+)"), "person"),
    Rule("role", rx(r"(?:handles|owns|runs|leads|manages|heads|oversees|coordinates|maintains|supervises|chairs|looks after|takes care of|deals with|does|covers|signs off on|approves|reviews|organises|organizes|is on|will handle|will own|will lead|runs the|is doing) (?P<v>(?!(?:not|n't|the (?:dishes|shopping|same)|it|that|so|a (?:lot|mile)|\w+ (?:miles|km|k))\b).+)"), "other"),
    Rule("role", rx(r"(?:just |only )?(?:handle|do|lead|manage|run|own|oversee|coordinate|maintain|chair|supervise|cover|look after|take care of) (?P<v>(?:the|all|our) .+)"), "self"),
    Rule("role", rx(r"(?:is|are|'s|was|has become|will be|becomes) (?:now )?(?:our|my|the) (?:new |only |interim |main |own )*(?P<v>.+)"), "other"),
    Rule("origin", rx(r"(?:came|comes|moved|transferred|joined|is|joined us)(?: over)? from (?:the )?(?P<v>.+)"), "other"),
    Rule("availability", rx(r"(?:is|are|am)(?: \w+)? (?P<v>(?:offline|unavailable|out of office|away|off|available|free|online|on leave|on holiday|busy|not available) .+)"), "person", soft=True),
    Rule("availability", rx(r"(?P<v>(?:don't work|doesn't work|am not free|is not free) (?:on )?.+)"), "person"),
    Rule("employment_status", rx(r"(?P<v>(?:has |have )?(?:left|quit|resigned from|retired from|got fired from|was let go from) (?:the|our|her|his|my) ?(?:company|team|firm|job|org|organisation|band|club)?.*)"), "other"),
    Rule("employment_status", rx(r"(?P<v>(?:has |have )?(?:retired|resigned|joined the (?:company|team)|is on (?:maternity|paternity|sick) leave|is leaving (?:the|us)\b).*)"), "other"),
    Rule("death", rx(r"(?:has |have )?(?P<v>(?:passed away|died|passed on|is dead|was killed)\b.*)"), "any"),
    Rule("medication", rx(r"(?:will |'ll )?(?:needs?|need) (?:her|his|their|an|my) (?P<v>inhaler|epi-?pen|insulin|glasses|hearing aids?|medication|medicine|brace)\b"), "person"),
    Rule("breed", rx(r"(?:is|are|'s) (?:a|an) (?P<v>[\w -]*(?:hound|terrier|retriever|labrador|lab|poodle|spaniel|collie|shepherd|dachshund|beagle|husky|bulldog|corgi|mastiff|setter|pointer|schnauzer|chihuahua|pug|boxer|whippet|mutt|mongrel|cross|doodle|tabby|siamese|ragdoll|maine coon|persian|bengal|shorthair|longhair|sphynx|lop|angora|lionhead|cockatiel|pony|cob))\b"), "any"),
]
_TAKEN_OVER = rx(r"(?:has |have |will |'ll )?(?:taken|take|took|takes|taking) over (?:as )?(?P<v>.+?)(?: from (?:him|her|them|\w+))?$")
_IS_OWNER = rx(r"(?:is|'s|are|am|becomes|became|will be) (?:now )?(?:the|our|my)? ?(?:new )?(?P<p>owner|lead|maintainer|sponsor|organi[sz]er|host|author|product owner) (?:of|for) (?:the |our |my |project )?(?P<x>.+)$")
_PROJECT = rx(r"(?:am |are |is )?(?:leading|running|building|working on|developing|writing|making|lead|build|develop|maintain|heading up|launching|managing|started|starting|designing) (?:a |an |the |my |our )?(?P<d>(?:[\w-]+ ){0,4}?)(?:(?P<k>project|app|game|library|website|site|tool|station|bot|book|service|blog|podcast|startup|novel|plugin|band|newsletter|channel|company|robot|thing|api|dashboard|framework|engine|shop|community|programme|program|course)s? )?(?:called |named |codenamed |code-named )\"?(?P<n>[\w][\w' -]*)")
_PROJECT_NAMED = rx(r"(?:am |are )?(?:leading|running|working on|heading up|managing|on|part of) (?:the )?project (?P<n>(?-i:[A-Z])\w*)")
_MEASURED = re.compile(r"\d|[£$€]|(?-i:\b[A-Z][a-z])")
_DUE = rx(rf"(?P<x>(?:the |our |my )?[\w' -]{{2,60}}?) (?:is|are) due {_WHEN}")
_APPOINTMENT = rx(rf"(?:have|have got|has|got|'ve got|has got)(?: (?:to see|to go to))? (?:an?|the|my|our) (?P<x>[\w' -]{{2,50}}?)(?: (?:appointment|appt))?(?: booked| scheduled| coming up)? (?P<v>(?:with .{{2,40}}? )?(?:on|at|in|this|next|tomorrow|today|tonight|every)\b.*)$")
_MOVED_IT = rx(rf"(?:have |had )?(?:moved|pushed|postponed|rescheduled|shifted|changed|brought|switched|delayed|bumped) (?:the |our |my )?(?P<x>[\w' -]{{2,50}}?) (?:back |forward |up )?(?:from .{{1,30}}? )?(?:to|until|till) {_WHEN}")
_MEET = rx(rf"(?:am |are )?(?:meeting|seeing|having (?:lunch|dinner|coffee|drinks|breakfast) with|meet|see) (?:up with )?(?P<x>.{{2,40}}?) (?P<v>(?:on|at|tomorrow|next|this|in)\b.*)$")


def when_attribute(text: str) -> str:
    """The slot of an expression of time: `schedule` if it recurs, `time` if it names an hour, else `date`."""
    if has_clock(text):
        return "time"
    return "schedule" if recurs(text) else "date"


def time_value(text: str) -> str:
    """The expression of time at the head of `text`, as it was said, without its preposition."""
    lead = re.match(r"(?:(?:on|at|by|in|for|from|about|around|until|till)\s+)*", text, re.IGNORECASE)
    at = lead.end() if lead else 0
    found = WHEN_RX.match(text, at) or WHEN_RX.search(text)
    return tidy(found.group()) if found else tidy(text)


def canonical(subject: str, attribute: str, scene: Scene) -> tuple[str, str]:
    """The slot under which a thing is already known, so that "the locker code" finds "my locker code"."""
    wanted = {normalise(f"{subject} {attribute.replace('_', ' ')}"), normalise(subject)}
    timed = {"date", "time", "schedule", "deadline", "appointment", "launch_date", "ship_date", "release_date", "start_date", "departure"}
    for memory in scene.known:
        held_subject, held = normalise(memory.subject), normalise(memory.attribute)
        if memory.subject == "user" and held in wanted:
            return memory.subject, memory.attribute
        if held_subject == normalise(subject) and (memory.attribute == attribute or {memory.attribute, attribute} <= timed):
            return memory.subject, memory.attribute
        if f"{held_subject} {held}" in wanted:
            return memory.subject, memory.attribute
    return subject, attribute


def read_thing(clause: Clause, scene: Scene) -> Iterable[Draft]:
    """All facts of a clause whose subject is a thing, or a fact of the shape "X is Y"."""
    found = _timed(clause, scene)
    if not found and clause.is_self:
        found = apply(PERSON_THING_RULES, clause, scene)
    if not found and not clause.is_self:
        found = apply(PERSON_THING_RULES, clause, scene) if clause.entity.person else []
        found = found or _ownership(clause, scene)
    if not found:
        found = _possessive(clause, scene) or _of(clause, scene)
    if not found:
        found = _own_noun(clause, scene)
    if not found and not clause.entity.person and clause.entity.subject:
        found = _of_last_thing(clause, scene) or apply(THING_RULES, clause, scene) or _breed(clause, scene) or _plain_is(clause, scene)
    return [_settle(one, scene) for one in found]


def _settle(one: Draft, scene: Scene) -> Draft:
    subject, attribute = canonical(one.subject, one.attribute, scene)
    return replace(one, subject=subject, attribute=attribute)


def _timed(clause: Clause, scene: Scene) -> list[Draft]:
    if clause.is_self:
        return []
    found = apply(TIME_RULES, clause, scene)
    out = []
    for one in found:
        if clause.owned == "my" and snake(clause.noun) in {"birthday", "bday"}:
            return []
        value = time_value(one.value)
        if not WHEN_RX.search(one.value):
            continue
        attribute = when_attribute(value) if one.attribute == "when" else one.attribute
        subject = bare(clause.entity.subject)
        if attribute in {"date", "time", "schedule"} and _OWN.get(normalise(clause.noun)) in {"birthday", "anniversary"}:
            subject, attribute = "user", _OWN[normalise(clause.noun)]
        elif attribute in {"date", "time", "schedule"} and (compound := _COMPOUND.match(subject)) and re.search(r"date|deadline", compound["p"], re.IGNORECASE):
            subject, attribute = compound["x"], snake(compound["p"])
        out.append(replace(one, value=value, attribute=attribute, subject=subject))
    return out


def _ownership(clause: Clause, scene: Scene) -> list[Draft]:
    if not clause.entity.person:
        return []
    who = clause.entity.subject
    if found := _TAKEN_OVER.match(clause.predicate):
        thing = bare(read_value(found["v"]))
        attribute = next((m.attribute for m in scene.known if normalise(m.subject) == normalise(thing) and m.attribute in {"owner", "lead"}), "owner")
        return [draft(clause, attribute, who, scene, subject=thing)]
    if found := _IS_OWNER.match(clause.predicate):
        return [draft(clause, snake(found["p"]), who, scene, subject=bare(read_value(found["x"])))]
    return []


def read_owned(clause: Clause, scene: Scene) -> list[Draft]:
    """ "NAME is the owner of X" before any other reading of "is"."""
    return [_settle(one, scene) for one in _ownership(clause, scene)]


def _possessive(clause: Clause, scene: Scene) -> list[Draft]:
    found = _POSSESSIVE.match(clause.said)
    if not found:
        return []
    owner, noun = tidy(found["x"]), tidy(found["p"])
    value = read_value(found["v"], soft=True)
    attribute = _OWN.get(noun.lower(), snake(noun))
    named = re.match(rf"(?P<r>{RELATION}) (?P<n>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)*)$", owner, re.IGNORECASE)
    word = owner.lower()
    if named:
        subject = named["n"]
    elif word in RELATIONS:
        slot = RELATIONS[word]
        subject = scene.discourse.relations.get(slot) or next((m.value for m in scene.known if m.subject == "user" and m.attribute == slot and " and " not in m.value), slot if word not in PETS else word)
    else:
        subject = owner if word != "it" else clause.entity.subject
    if attribute == "name" and word in RELATIONS:
        return [draft(clause, RELATIONS[word], value, scene, subject="user")]
    if attribute in {"birthday", "anniversary"}:
        value = time_value(value) if WHEN_RX.search(value) else value
    if not value or value.lower().startswith(("not ", "so ", "very ")):
        return []
    surface = owner if owner[:1].isupper() and not named else f"Your {owner}" if clause.owned != "the" or named else f"The {owner}"
    scene.discourse.see(Entity(subject, surface, person=word in RELATIONS and word not in PETS))
    said = second_person(clause.said)
    return [draft(clause, attribute, value, scene, subject=subject, statement=f"Your {said}" if named or word in RELATIONS and said.lower().startswith(word) else said)]


def _of(clause: Clause, scene: Scene) -> list[Draft]:
    found = _OF.match(clause.said)
    if not found or re.match(r"(?:one|some|most|all|many|a lot|lots|kind|sort|out|because|instead|thanks|lot|half|each|best|worst|none|plenty)\b", found["p"], re.IGNORECASE):
        return []
    value = read_value(found["v"], soft=True)
    if re.fullmatch(r"(?:head|director|vp|chief|manager|chair|captain|secretary|minister|dean|team lead|president)", found["p"], re.IGNORECASE) and re.fullmatch(PERSON, value):
        return [draft(clause, "role", f"{found['p']} of {tidy(found['x'])}", scene, subject=value)]
    return [draft(clause, snake(found["p"]), value, scene, subject=bare(found["x"]))] if value else []


def _own_noun(clause: Clause, scene: Scene) -> list[Draft]:
    """ "My X is Y", "X: Y", "the X Y is Z"."""
    predicate = clause.predicate
    called = _CALLED.match(predicate)
    noun = normalise(clause.noun)
    be = _BE.match(predicate)
    if called and clause.noun:
        value = read_value(called["v"])
        relation = RELATIONS.get(noun) or RELATIONS.get(singular(noun))
        return [draft(clause, relation, value, scene, subject="user")] if relation else [draft(clause, "name", value, scene)]
    if not be or not noun:
        return _colon(clause, scene)
    raw = be["v"]
    value = read_value(raw, soft=True) if not re.match(r"(?:not|too|so|very|really) ", raw, re.IGNORECASE) else ""
    if not value or "▒" in value:
        return []
    return _noun_is(clause, noun, value, scene)


def _noun_is(clause: Clause, noun: str, value: str, scene: Scene) -> list[Draft]:
    favourite = re.search(r"\bfavou?rite\b|\bleast favou?rite\b|\bpreferred\b", noun)
    if clause.owned in {"my", "our"}:
        attribute = _OWN.get(noun)
        if attribute in {"phone", "phone_model"}:
            attribute = "phone" if re.search(r"\d[\d\s()-]{5,}", value) else "phone_model"
        if attribute in _MANY:
            from core.llm.rules.phrases import items  # noqa: PLC0415

            return [draft(clause, attribute, bare(one), scene, subject="user") for one in items(value)]
        if attribute:
            short = time_value(value) if attribute in {"birthday", "anniversary"} and WHEN_RX.search(value) else bare(value) if attribute in {"job", "car", "laptop", "phone_model"} else value
            return [draft(clause, attribute, short, scene, subject="user")]
        if favourite:
            return [draft(clause, snake(noun), value, scene, subject="user")]
        if noun in RELATIONS and re.match(r"(?-i:[A-Z])", value) and noun not in {"client"}:
            return [draft(clause, RELATIONS[noun], value, scene, subject="user")]
    compound = _COMPOUND.match(noun)
    if compound and clause.owned != "my":
        return [draft(clause, snake(compound["p"]), value, scene, subject=compound["x"])]
    length = re.match(r"(?P<v>(?:\d+|one|two|three|four|five|six|a) (?:weeks?|days?|months?|hours?|minutes?|years?))\s*(?:long)?$", value, re.IGNORECASE)
    if length and clause.owned in {"my", "our", "the"} and ("long" in value or clause.owned == "our"):
        return [draft(clause, "length", length["v"], scene, subject=singular(noun))]
    if clause.owned == "my" and noun not in RELATIONS and (_MEASURED.search(value) or compound):
        return [draft(clause, snake(noun), value, scene, subject="user")]
    return []


def _breed(clause: Clause, scene: Scene) -> list[Draft]:
    found = apply([rule for rule in PERSON_THING_RULES if rule.attribute in {"breed", "death"}], clause, scene)
    noun = normalise(clause.noun)
    named = re.search(rf",\s*(?P<n>{PERSON})$", clause.said)
    if found and named and noun in PETS:
        found.append(draft(clause, PETS[noun], named["n"], scene, subject="user", statement=f"Your {noun} is {named['n']}"))
    return found


_STATUS = rx(r"(?:is|are|has been|have been) (?P<v>(?:at the (?:garage|vet|shop|workshop|mechanic|dentist|cleaners?)|in the (?:garage|shop|workshop)|broken|cancelled|canceled|delayed|on hold|blocked|sold out|being repaired|in repair|out of order|lost|stolen|shelved|paused|approved|rejected)\b.*)$")


def _plain_is(clause: Clause, scene: Scene) -> list[Draft]:
    subject = bare(clause.entity.subject)
    if found := _STATUS.match(clause.predicate):
        if clause.owned in {"my", "our"}:
            return [draft(clause, f"{snake(subject)}_status", read_value(found["v"], soft=True), scene, subject="user")]
        return [draft(clause, "status", read_value(found["v"], soft=True), scene, subject=subject)]
    be = _BE.match(clause.predicate)
    if not be:
        return []
    value = read_value(be["v"], soft=True)
    if not clause.noun:
        named = clause.entity.subject[:1].isupper() and re.match(r"an? ", be["v"], re.IGNORECASE)
        return [draft(clause, "description", bare(value), scene)] if named and value else []
    if clause.owned in {"the", "our"} and re.search(r"\d|[£$€]", value) and len(value.split()) <= 8:  # noqa: PLR2004 (a longer complement is prose)
        return [draft(clause, "value", value, scene, subject=subject)]
    return _described(clause, value, scene)


_PART = re.compile(r"^(?:battery|screen|engine|motor|keyboard|fan|display|camera|brakes?|tyres?|boiler|pump|firmware|frontend|backend|licen[cs]e|warranty|insurance)$", re.IGNORECASE)


def _of_last_thing(clause: Clause, scene: Scene) -> list[Draft]:
    """ "the battery holds 5 hours" of the phone just spoken of; "firmware is in Rust" of the project."""
    thing = scene.discourse.thing
    noun = normalise(clause.noun)
    if not thing or not noun or noun == normalise(thing.subject):
        return []
    be = _BE.match(clause.predicate)
    if be and not clause.owned:
        return _described(clause, read_value(be["v"], soft=True), scene)
    if _PART.match(noun) and clause.owned in {"", "the", "its"}:
        return [replace(one, subject=thing.subject, attribute=one.attribute if one.attribute.startswith(noun) else snake(f"{noun} {one.attribute}")) for one in apply(THING_RULES, clause, scene) if noun == "battery"]
    return []


def _described(clause: Clause, value: str, scene: Scene) -> list[Draft]:
    """ "firmware is in Rust", "owner is Siobhán": of the thing last spoken of; "it's a small startup": what a named thing is."""
    thing = scene.discourse.thing
    noun = normalise(clause.noun)
    if not clause.owned and thing and noun and len(value.split()) <= 4 and len(noun.split()) <= 2 and noun != normalise(thing.subject):  # noqa: PLR2004
        if re.fullmatch(_PROPERTY, noun, re.IGNORECASE) or re.match(r"in (?-i:[A-Z])|(?-i:[A-Z])|\d|[£$€]", value):
            return [draft(clause, snake(noun), re.sub(r"^in ", "", value), scene, subject=thing.subject, statement=f"{thing.surface}: {noun} is {value}")]
    return []


def _colon(clause: Clause, scene: Scene) -> list[Draft]:
    found = _COLON.match(clause.said)
    if not found:
        return []
    noun, value = normalise(found["p"]), read_value(found["v"], soft=True)
    if not value:
        return []
    if attribute := _OWN.get(noun):
        if attribute == "address":
            value = tidy(found["v"])
        return [draft(clause, attribute, value, scene, subject="user", statement=f"Your {noun}: {value}")]
    if re.fullmatch(_PROPERTY, noun, re.IGNORECASE):
        thing = scene.discourse.thing
        subject = thing.subject if thing else "user"
        surface = thing.surface if thing else "Your"
        return [draft(clause, snake(noun), value, scene, subject=subject, statement=f"{surface}: {noun} {value}")]
    return []


_ = (_BARE_IS, _DUE, _PROJECT, _PROJECT_NAMED, _APPOINTMENT, _MOVED_IT, _MEET)
