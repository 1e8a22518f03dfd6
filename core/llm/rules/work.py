"""What people do for a living: jobs, employers, schedules, studies."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Clause, Entity
from core.llm.rules.draft import Draft
from core.llm.rules.home import PLACE_CUT
from core.llm.rules.phrases import NAME, bare, read_value, rx, tidy
from core.llm.rules.scene import Rule, Scene, apply, draft

_HEAD_JOB = (
    r"(?:\w+(?:er|or|ist|ian|eer|wright|smith|monger|herd|keeper|maker|man|woman|person|master|"
    "grapher|nurse|officer)|nurse|chef|cook|vet|pilot|clerk|judge|architect|accountant|consultant|"
    "assistant|attendant|"
    "barista|coach|guide|surgeon|dentist|lawyer|solicitor|barrister|paramedic|mechanic|medic|analyst|"
    r"student|dev|developer|pm|cto|ceo|cfo|coo|vp|head of [\w ]+|scientist|civil servant|au pair|"
    "nanny|midwife|apprentice|intern|trainee|director|lead|sommelier|"
    "electrician|plumber|courier|priest|monk|nun|imam|rabbi|pastor|vicar|soldier|sailor|beekeeper|"
    "model|poet|critic|physio|gp|doctor|professor|academic|researcher|sre|qa|dba|sysadmin|admin|temp|"
    "freelancer|specialist|agent|broker|tailor|butcher|baker|host|hostess|technician|"
    "engineer|geologist|radiographer|mathematician|chemist|athlete|actress|waitress|seamstress|"
    "postdoc|phd (?:student|candidate)|tradie|undergrad|notary|registrar|coroner|ranger|usher|"
    "steward|diplomat|spy|detective|translator|copyeditor|carer|welder|farmhand)"
)


_NOT_JOB = re.compile(
    r"\b(?:fan|lover|person|people|owner|vegetarian|vegan|mother|father|mum|mom|dad|parent|"
    "grandmother|grandfather|sister|brother|daughter|beginner|user|member|customer|reader|believer|"
    "teenager|tenant|foreigner|newcomer|stranger|loser|winner|dreamer|riser|owl|millionaire|"
    "supporter|follower|admirer|sucker|smoker|drinker|hater|player|number|liar|man|woman|minor|"
    "diabetic|insomniac|never|ever|late|sleeper|eater|bit|little|lot|mess|bother|matter|disaster|"
    "other|further|better|however|moreover|whatever|whenever|wherever|whichever|forever|together|"
    "altogether|either|neither|rather|after|under|whether|later|sooner|earlier|easier|"
    "outsider|night person|homeowner|hoarder|listener|talker|learner|starter|"
    "subscriber|widower|bachelor|thinker|over|vegetarian or|monster|survivor|sufferer|wanderer|"
    "introvert|pescatarian|pescetarian|flexitarian|veggie|australian|canadian|italian|brazilian|"
    "russian|nigerian|norwegian|scorpio|libra|virgo|taurus|foodie|carnivore|teetotaller|nerd|"
    "christian|virgin|human|bookworm)$",
    re.IGNORECASE,
)


JOB_RULES = [
    Rule(
        "employment_status",
        rx(
            "(?:am|is|are|have been|has been|been|have gone|went|became|'m)? ?(?P<v>(?:self-employed|self "
            "employed|unemployed|retired|semi-retired|freelancing|freelance|between jobs|on (?:maternity|"
            "paternity|parental|sick) leave|out of work|on sabbatical|job hunting|made redundant|laid "
            r"off)(?: (?:since|from|for|until|in) [\w' ]+)?)(?! (?:\w+er|\w+or|\w+ist|\w+ian))"
        ),
        "person",
        soft=True,
    ),
    Rule(
        "employment_status",
        rx(
            "(?:have )?(?P<v>(?:retired|was made redundant|got laid off|was laid off|quit my job|lost my job|"
            r"left the (?:company|firm|team)|got fired)\b.*)"
        ),
        "person",
    ),
    Rule(
        "tenure",
        rx(
            "(?:have |has )?(?:been|worked) (?:there|here|at it|doing (?:this|it|that)|in (?:the|this) "
            "(?:job|role|industry|trade))(?: for| since| now)? (?P<v>.+)"
        ),
        "person",
        soft=True,
    ),
    Rule("tenure", rx(r"is (?P<v>\d+ years) now"), "any"),
    Rule(
        "works_from",
        rx(
            "(?:work|works|am working|is working|working) (?P<v>(?:from home|remotely|hybrid|from the "
            r"office)\b.*)"
        ),
        "person",
    ),
    Rule("works_from", rx(r"(?:work|works|am working|is working) (?:out of|from) (?P<v>.+)"), "person"),
    Rule(
        "working_hours",
        rx(
            "(?:work|works|am working|am on|working|do|does) (?P<v>(?:mostly |only |mainly )?(?:nights?|days|"
            "weekends|night shifts?|day shifts?|early shifts?|late shifts?|shifts|earlies|lates|part[- ]time|"
            r"full[- ]time|compressed hours|flexitime|(?:\d|four|five|three|two)[- ]days?(?: a| per|-)? ?week|"
            r"(?:mon|tue|wed|thu|fri|sat|sun)\w*\b.*|from \d.+|\d+ hours (?:a|per) week).*)"
        ),
        "person",
        soft=True,
    ),
    Rule(
        "salary",
        rx(
            "(?:earn|earns|make|makes|am paid|get paid|take home) (?P<v>(?:about |around |roughly )?(?:[£$€]|"
            r"\d).+)"
        ),
        "person",
    ),
    Rule("manager", rx(r"(?:report|reports|am reporting) (?:directly )?to (?P<v>(?!work).+)"), "self"),
    Rule("reports_to", rx(r"(?:report|reports|is reporting) (?:directly )?to (?P<v>.+)"), "other"),
    Rule(
        "job",
        rx(
            r"(?P<v>(?:teach(?:es)? (?!me|us|him|her|them|you|my|at\b)\w+|(?:run|runs|own|owns|manage|manages|"
            r"have|has) (?:a|an|my own|our own|two|three) (?:small |little |family |tiny |local )*(?:\w+ "
            ")?(?:bakery|café|cafe|shop|business|company|studio|restaurant|farm|agency|salon|bar|pub|b&b|"
            "guesthouse|brewery|vineyard|bookshop|gallery|garage|school|nursery|clinic|practice|startup|"
            "start-up|hostel|hotel|food truck|stall)|drive (?:a )?(?:bus|taxi|truck|lorry|tram|train|"
            r"ambulance|cab)(?:es|s)? (?:for|in)|(?:\w+ )+for a living).*)"
        ),
        "person",
    ),
    Rule("wedding_date", rx(r"(?:am|is|are) getting married (?P<v>.+)"), "person", soft=True),
    Rule(
        "studies",
        rx(
            "(?:am |is |are )?(?:study|studies|studying|majoring in|doing a (?:degree|master'?s|phd|course) "
            "in|doing my (?:degree|master'?s|phd) in|training (?:as|to be)(?: an?)?|learning(?: to)?|learn|"
            "have started learning|(?:have|has) been (?:learning|studying)) (?P<v>.+)"
        ),
        "person",
        soft=True,
    ),
    Rule("education", rx(r"(?:studied|read) (?P<v>(?!this|that|it|the |a |about|your|my)[\w ]+ at .+)"), "person"),
    Rule(
        "education",
        rx("(?:graduated|have a (?:degree|phd|master'?s|ba|bsc|msc)|did my (?:degree|phd|master'?s)) (?P<v>.+)"),
        "person",
    ),
]


_JOB_AT = re.compile(
    "^(?:(?:am working|is working|have been working|has been working|am now|am employed|am|is "
    "working|is|was promoted|was|are working|are|became|have become|work(?:s|ing)?|started(?: "
    "working| out)?|trained|start(?:s|ing)?|got a (?:new )?job|have a (?:new )?job|took a job|have "
    "been|has been|will be(?: working)?|joined|got promoted)(?: now)? (?:(?:as|like|to) )?(?:(?:a|an|"
    "the|our|one of the) )?)"
    r"(?P<j>[\w&/' -]+?)(?P<rest>(?: (?:at|for|with|in|of|near|from|on|by|based|since|and|who|but|"
    r"here|there|mostly|mainly)\b.*|[,.(;!].*)?)$",
    re.IGNORECASE | re.DOTALL,
)


_EMPLOYER = re.compile(
    rf"\b(?:at|for|with) (?:the |a |an )?(?P<e>(?-i:The )?{NAME}|(?:\w+ "
    "){0,3}(?:hospital|school|university|bank|startup|start-up|company|agency|firm|clinic|library|"
    "museum|charity|factory|shop|bakery|restaurant|hotel|council|studio|ngo|lab|warehouse|"
    "supermarket|café|cafe|nursery|college|ministry|shipyard|airport|station|pharmacy|farm)(?: (?:in|"
    f"of) {NAME})?)",
    re.IGNORECASE,
)


_IN_PLACE = re.compile(rf"\bin (?:the )?(?P<p>(?:\w+ of )?{NAME})", re.IGNORECASE)


_SHIFT = re.compile(
    r",?\s*(?P<s>(?:mostly|mainly|only|usually|on)\s+(?:nights?|days|weekends|early shifts?|late "
    r"shifts?|shifts|earlies|lates|night shifts?|remote)|part[- ]time|full[- ]time|night shifts?)\b",
    re.IGNORECASE,
)


def read_job(clause: Clause, scene: Scene) -> list[Draft]:
    """Jobs, employers and where one works, of the owner or of another person."""
    if not clause.entity.person:
        return []
    first_rules = apply(JOB_RULES, clause, scene, all_of=True)
    if first_rules:
        return first_rules
    text = clause.predicate
    found = _JOB_AT.match(text)
    if found:
        job = bare(PLACE_CUT.sub("", found["j"]))
        rest = found["rest"]
        sure = bool(re.search(r"\b(?:as|like) (?:an? |the |our )?$", text[: found.start("j")], re.IGNORECASE)) or bool(
            re.match(r"(?:was|got) promoted", text)
        )
        employer = _EMPLOYER.search(rest)
        is_job = re.fullmatch(rf"(?:[\w&/'-]+ ){{0,4}}?{_HEAD_JOB}", job, re.IGNORECASE) and not _NOT_JOB.search(job)
        article = re.match(
            r"(?:am|is|was|became|have become|have been|has been|will be|am now) (?:now )?(?:an?|the) ", text
        )
        at_place = re.match(r"(?:at|for|with|in|on|from|to) ", job)
        if not at_place and (sure or (article and is_job)) and job and not (text.startswith("was ") and clause.is_self):
            return _job_drafts(clause, scene, job, rest, employer)
    at_work = re.match(
        "(?:work(?:s|ing)?|am working|is working|have been working|started(?: working| a (?:new )?job)?|"
        "got a (?:new )?job|have a (?:new )?job|joined|have joined|am employed|intern(?:s|ing)?|will be "
        "working|start|"
        "got hired|was hired|have been hired|am hired) (?:at|for|with|over at|by)? ?",
        text,
    )
    if at_work and (
        re.search(r"\b(?:at|for|by|with) ?$", at_work.group()) or at_work.group().strip().endswith("joined")
    ):
        value = read_value(text[at_work.end() :])
        value = tidy(PLACE_CUT.sub("", re.sub(r"\s+as (?:a|an)\b.*$", "", value)))
        # Whom one works with has a name or is a kind of house; "working with a triangle" tells of a thing.
        thing = at_work.group().rstrip().endswith(" with") and not _EMPLOYER.match(f"with {value}")
        if (
            value
            and not thing
            and not re.match(
                r"(?:me|myself|you|home|it|a living|the (?:moment|best)|this|that|both|them)$", value, re.IGNORECASE
            )
        ):
            as_job = re.search(r"\bas (?:a|an|the)? ?(?P<j>[\w -]+)", text, re.IGNORECASE)
            out = [draft(clause, "employer", bare(value) if not value.startswith("The ") else value, scene)]
            if as_job:
                out.append(draft(clause, "job", tidy(PLACE_CUT.sub("", read_value(as_job["j"]))), scene))
            return out
    if field := re.match(
        "(?:work|works|am working|is working|am) in (?P<v>(?:the )?(?:[a-z]+ ){0,2}(?:marketing|finance|"
        "it|hr|sales|logistics|education|healthcare|insurance|retail|research|publishing|engineering|"
        "construction|advertising|hospitality|tech|law|media|accounting|design|procurement|banking|"
        r"agriculture|tourism|consulting|policy|film|theatre|\w+ industry|\w+ sector))\b",
        text,
        re.IGNORECASE,
    ):
        return [draft(clause, "job", field["v"], scene)]
    return []


def _job_drafts(clause: Clause, scene: Scene, job: str, rest: str, employer: re.Match[str] | None) -> list[Draft]:
    surface = clause.entity.surface
    out = [draft(clause, "job", job, scene)]
    place = _IN_PLACE.search(rest)
    if employer:
        name = tidy(employer["e"])
        out.append(
            draft(clause, "employer", name, scene, statement=f"{surface} work{'' if clause.is_self else 's'} at {name}")
        )
    elif place and (clause.is_self or "in " in rest):
        out.append(draft(clause, "workplace", tidy(place["p"]), scene))
    if shift := _SHIFT.search(rest):
        out.append(
            draft(
                clause,
                "working_hours",
                shift["s"],
                scene,
                statement=f"{surface} work{'' if clause.is_self else 's'} {shift['s']}",
            )
        )
    for one in out:
        if one.attribute in {"employer", "workplace"} and clause.is_self:
            scene.discourse.see(Entity(one.value, one.value, person=False))
    return out


def is_job_title(text: str) -> bool:
    """Whether a noun phrase reads as an occupation."""
    return bool(
        re.fullmatch(rf"(?:[\w&/'-]+ ){{0,4}}?{_HEAD_JOB}", text.strip(), re.IGNORECASE)
    ) and not _NOT_JOB.search(text)
