"""Who people say they are in loose sentences: names, trades, employers, studies, homes."""

from __future__ import annotations

import re

from core.llm.rules.draft import Draft
from core.llm.rules.health import DIETS
from core.llm.rules.homes import read_homes
from core.llm.rules.loose import Form, begins, made, read_forms, speaks_of_self
from core.llm.rules.names import read_names
from core.llm.rules.phrases import NAME, bare, rx
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.work import is_job_title

_VEHICLE = (
    r"(?:taxi|taxis|cab|cabs|tram|trams|bus|buses|coach|coaches|train|trains|lorry|lorries|truck|trucks|van|vans|"
    r"ambulance|minibus|forklift|hgv|hgvs|tractor|digger|crane|tanker|ferry|delivery (?:van|truck|bike)|school bus|"
    r"locomotive|metro|subway|uber|minicab|rickshaw|fire engine|snowplough|road ?train)"
)


_ORG = (
    rf"(?:(?:the |a |an |our |my )?(?:[\w'-]+ ){{0,3}}(?:hospital|school|university|"
    r"bank|startup|start-up|company|agency|firm|clinic|library|museum|charity|factory|shop|bakery|restaurant|hotel|"
    r"council|studio|ngo|lab|warehouse|supermarket|café|cafe|nursery|college|ministry|shipyard|airport|station|"
    r"pharmacy|farm|garage|garden centre|depot|brewery|surgery|practice|salon|gallery|theatre|plant|mill|zoo|"
    "observatory|institute|bookshop|pub|gym|foundation|newspaper|school|post office|embassy|publisher)"
    rf"\b(?: in (?-i:[A-Z])\w+)?|(?:the |a |an |our |my )?(?-i:{NAME}))"
)


_DOING = (
    r"(?:driv|teach|run|manag|lead|sell|fix|repair|build|mak|bak|cook|clean|design|writ|edit|cod|program|test|operat|"
    r"maintain|supervis|coordinat|servic|install|deliver|paint|tun|train|coach|lectur|research|translat|weld|assembl|"
    r"pack|curat|brew|produc|groom|car|sort|stack|process|market|audit|organi[sz]|edit|restor|print|cater|wait|nurs|"
    r"temp|consult|contract|develop|engineer|tutor|interpret|model|farm|fish|photograph|do(?!ubl|wn)|look)"
)


_TONGUE_NAME = r"[A-Z][a-z]+(?:ish|ese|ian|ean|ic|i|ch|an|in|ek|sh|utch|uese|ili|ili|ba|bo|du|il|hai)\b"


_STUDY = (
    r"(?:[1-9]00[- ]level|(?:first|second|third|fourth|fifth|final|last|1st|2nd|3rd|4th|5th)[- ]year|year \d+|"
    r"fresher|sophomore|junior year)"
)


def _not_org(text: str) -> bool:
    return not re.match(
        r"(?:me|it|you|them|that|this|home|work|the (?:moment|office|time|weekend|end)|"
        r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?)\b|\d",
        text,
        re.IGNORECASE,
    )


_JOB_FORMS = (
    Form(
        "trade",
        rx(
            r"(?:i'm |i am |am )?(?:an? )?(?P<v>[a-z][\w -]{2,30}?) by (?:trade|training|profession|background|"
            r"education)\b"
        ),
        "You are a {v} by trade",
        own=True,
        whole=True,
    ),
    Form(
        "job",
        rx(
            "(?:i |i've |we )?(?:have )?(?:been )?(?P<v>(?:driv(?:e|ing)|operat(?:e|ing)|fly(?:ing)?)"
            rf" (?:an? |the )?(?:[\w-]+ )?{_VEHICLE})\b(?! to (?:work|school))"
        ),
        "You {v}",
        own=True,
        whole=True,
    ),
    Form(
        "employer",
        rx(
            rf"(?:i |i've |we )(?:\w+ )?(?:have )?(?:been )?{_DOING}\w*\b(?! to| at (?:the|a)\b)[^,.;()"
            f"]{{0,40}}? (?:for|at|with|over at) (?P<v>{_ORG})"
        ),
        "You work for {v}",
        whole=True,
        test=_not_org,
    ),
    Form(
        "job",
        rx(
            r"(?:i |i've |we )(?:have )?(?:been )?(?P<v>(?!do\b|doing\b|look|run\b|running\b|have been)"
            rf"{_DOING}\w*\b(?<!ed) (?!to |at |for |with |you |me |it )[^,.;()]{{2,40}}?) (?:for|at|over "
            f"at) (?P<e>(?:the )?(?-i:{NAME}))"
        ),
        "You {v}",
        whole=True,
    ),
    Form(
        "employer",
        rx(
            r"(?:i |i'm |we |am )?(?:also |still |now |currently )*work(?:ing)? (?!from|as|in\b|on my|"
            rf"out)[\w' /-]{{0,40}}?\b(?:for|at|with|by) (?P<v>{_ORG})"
        ),
        "You work at {v}",
        own=True,
        whole=True,
        test=_not_org,
    ),
    Form(
        "job",
        rx(
            rf"(?:i |i'm |am )?work(?:ing)? (?P<v>(?:on )?(?:the|as) (?!moment|side|night|weekend)[\w -]{{3,24}}?"
            f") (?:at|for|in) (?:the )?{_ORG}"
        ),
        "You work {v}",
        own=True,
        whole=True,
    ),
    Form(
        "job",
        rx(
            r"(?:i'm |i am |am )?(?:now |currently |mainly |since [\w ]{2,14} )*(?:responsible for|in "
            r"charge of|looking after) (?P<v>(?:the |all )?[\w -]{3,50}?)(?= (?:at|by|in|with|for|here)"
            r"\b|[,.;!]|$)"
        ),
        "You are responsible for {v}",
        own=True,
        whole=True,
    ),
    Form(
        "employer",
        rx(
            rf"(?:i'm |i am |am )?(?:since [\w ]{{2,14}} )?(?:responsible for|in charge of|looking after|"
            rf"employed|engaged)\b[^,.;()]{{0,50}}? (?:at|by|with|for) (?P<v>{_ORG})"
        ),
        "You work at {v}",
        own=True,
        whole=True,
        test=_not_org,
    ),
    Form(
        "employed_since",
        rx(
            "(?:i'm|i am|i work|i've been|i have been|am) (?:working |here |there |employed )?since (?P<v>(?:[A"
            r"-Z]\w+ )?\d{4})\b"
        ),
        "You have done it since {v}",
        own=True,
        whole=True,
    ),
    Form(
        "team_size",
        rx(
            r"(?:we're|we are|there are|there's) (?P<v>\d+|two|three|four|five|six|seven|eight|nine|ten|"
            "eleven|twelve|a dozen)(?: of us| people| persons| colleagues)? (?:in|on) (?:the|my|our) "
            "(?:team|department|group|shop|office)"
        ),
        "Your team has {v} people",
        whole=True,
    ),
    Form(
        "employer",
        rx(
            "(?:i'm |i am |am |will be )?start(?:ing)? (?:work |a (?:new )?job |my new job |fresh )?(?:at|"
            f"with|for) (?P<v>{_ORG})"
        ),
        "You start at {v}",
        own=True,
        whole=True,
        test=_not_org,
    ),
    Form(
        "job",
        rx(
            r"(?:i'm |i am |am |will be )?start(?:ing|ed)? [^,.;]{0,50}?\bas (?:an? |the |their (?:new "
            r")?)(?P<v>[\w -]{3,40}?)(?=[,.;!]|$| (?:on|next|in|at|this|from)\b)"
        ),
        "You are a {v}",
        own=True,
        whole=True,
    ),
    Form(
        "employer",
        rx(f"(?:my )?(?:first|second|1st) (?:day|week|month|shift|year) (?:at|with) (?P<v>{_ORG})"),
        "You work at {v}",
        whole=True,
        test=_not_org,
    ),
    Form(
        "job",
        rx(r"(?:i'm |i am )?(?:an? )(?P<v>[a-z][\w -]{2,30}?),? not (?:an? )[\w -]{3,20}"),
        "You are a {v}",
        own=True,
        whole=True,
        test=is_job_title,
    ),
    Form(
        "job",
        rx(
            r"(?:i'm|i am) (?:now |still |also |just )?(?:an? )(?P<v>[a-z][\w -]{2,40}?)(?= (?:at|for|"
            r"in|with|by|and|from|but)\b|[,.;!)]|$)"
        ),
        "You are a {v}",
        whole=True,
        test=is_job_title,
    ),
    Form(
        "employer",
        rx(
            rf"(?:i'm|i am) (?:now |still |also |just )?(?:an? |the |head of )[a-z][\w -]{{2,40}}? (?:at|"
            f"for|with) (?P<v>{_ORG})"
        ),
        "You work at {v}",
        whole=True,
        test=_not_org,
    ),
    Form(
        "job",
        rx(
            "(?:i'm|i am) (?:now |still |also )?(?P<v>(?:head|director|chief|lead|deputy head|vice president|"
            r"vp) of [\w ]{2,30}?)(?= (?:at|for|in|with|and)\b|[,.;!)]|$)"
        ),
        "You are {v}",
        whole=True,
    ),
    Form(
        "language",
        rx(
            "(?:i'm |i am |am )?(?:also |pretty |fairly )?(?:fluent in|bilingual in|conversational in|"
            "proficient in|native (?:language|tongue)(?:'s| is)|(?:my )?(?:first|second|native|mother|"
            r"other) (?:language|tongue)(?:'s| is)) (?P<v>(?-i:[A-Z])\w+(?:(?:,| and| or) (?-i:[A-Z])\w+)"
            "*)"
        ),
        "You speak {v}",
        own=False,
        whole=True,
        many=True,
    ),
    Form(
        "language",
        rx(
            "(?:i (?:also )?(?:speak|know|understand)?|also|and)? ?(?:some|a bit of|a little|basic|rusty|"
            f"passable|decent|broken|fluent|conversational) (?P<v>(?-i:{_TONGUE_NAME}))(?: too| as well|"
            r",|$|\.)"
        ),
        "You speak {v}",
        own=True,
        whole=True,
    ),
    Form(
        "side_job",
        rx(
            r"(?:i do |i also do |doing )?(?:some |a bit of |a little |occasional )(?P<v>[\w -]{2,24}?(?:ing|"
            "work|shifts))(?: shifts)? (?:on|at|during|in) (?:the )?(?:weekends?|side|evenings?|summers?|"
            r"holidays|saturdays?|sundays?)\b"
        ),
        "You also do {v}",
        own=True,
        whole=True,
    ),
    Form("job", rx(r"(?:my )?(?:day )?job:\s*(?P<v>[\w /-]{3,40})$"), "You are a {v}", whole=True),
    Form(
        "studies",
        rx(
            f"(?:i'm |i am |am )?(?:an? |in (?:my )?|doing )?{_STUDY},? (?:student (?:of|in) |of )?(?P<v>(?!stud"
            rf"ent\b)[\w &-]{{3,40}}?)(?: student| major| undergrad| degree)?(?= (?:at|@|in|from)\b|[,.;!(]|"
            "$)"
        ),
        "You study {v}",
        own=True,
        whole=True,
    ),
    Form(
        "studies",
        rx(
            r"(?:i'm |i am |am )?(?:an? )(?!good|bad|slow|fast|visual)(?P<v>[\w-]+(?: and [\w-]+)?) (?:student|"
            r"major|undergrad|undergraduate|postgrad)\b(?: at|,| and|$|\.)"
        ),
        "You study {v}",
        own=True,
        whole=True,
        test=lambda text: (
            not re.match(
                "(?:year|phd|masters?|mature|international|exchange|grad|graduate|college|university|uni|"
                "full-time|part-time|first-year|new|current)$",
                text,
                re.IGNORECASE,
            )
        ),
    ),
    Form(
        "university",
        rx(
            rf"(?:i'm |i am |am |i )?(?:an? |in |doing )?(?:{_STUDY}|study(?:ing)?|[\w-]+ student|(?:doing|"
            "finishing|starting|writing) (?:a|my) (?:phd|masters?|master's|degree|ba|bsc|msc|mba|thesis)"
            rf")\b[^,.;()]{{0,60}}? (?:at|@) (?P<v>(?:the )?(?-i:{NAME}))"
        ),
        "You study at {v}",
        own=True,
        whole=True,
    ),
)


_TITLE_HEAD = re.compile(
    "(?P<j>(?!my |our |i |i'm |i've |we |he |she |it |the |this |that |your )(?:(?:a|an|retired|"
    "former|ex|trainee|freelance|self-employed|part-time|full-time|night|newly qualified|junior|"
    "senior)[ -])*"
    r"[a-z][\w'-]*(?: [a-z][\w'-]*){0,3}?)(?P<r>(?:,| here\b| on (?:nights?|days|shifts?|call)\b| at (?P<e>"
    rf"{_ORG})| by trade| in (?-i:[A-Z])| for (?P<f>{NAME}))(?P<rest>.*))$",
    re.IGNORECASE | re.DOTALL,
)
_WARD_AT = re.compile(rf"\b(?:at|for) (?P<e>(?:the )?{NAME}(?:'s)?)")
_AGE_NEXT = re.compile(r"^,\s*(?:aged? )?(\d{2})(?=,|\s*$|\.)")


_NO_TITLE = re.compile(
    r"\b(?:is|are|was|has|it|me|the|to|please|make|write|give|find|get|any|no|not|for|of|you|what|"
    r"this|that|some|more)\b|'s\b",
    re.IGNORECASE,
)


def _titled(one: Sentence, scene: Scene) -> list[Draft]:
    """Reads "nurse on nights, neuro ward at St Brendan's", "vegan here": what the speaker is, without a verb."""
    text = one.text
    for at in [
        at for at in begins(text) if not text[:at].strip() or re.fullmatch(r"[\W\d]*(?:\w+[\s,:]+)+", text[:at])
    ][:2]:
        found = _TITLE_HEAD.match(text, at)
        if not found or re.match(
            r",?\s*(?:can|could|would|please|what|how|is|are|do|does)\b", found["r"], re.IGNORECASE
        ):
            continue
        title = re.sub(r"^(?:a|an) ", "", found["j"], flags=re.IGNORECASE)
        end = found.end("j")
        if re.fullmatch(DIETS, title, re.IGNORECASE) and found["r"].startswith(" here"):
            return [made("diet", title, f"You are {title}", at, end, one, scene)]
        if not is_job_title(title) or _NO_TITLE.search(title):
            continue
        if title.lower().endswith("student"):
            return []
        out = [made("job", title, f"You are a {title}", at, end, one, scene)]
        named = found["e"] or found["f"]
        if not named and (ward := _WARD_AT.search(found["r"])):
            named = ward["e"]
        if named:
            where = bare(named)
            out.append(made("employer", where, f"You work at {where}", at, found.end(), one, scene))
        if shift := re.match(r" on (nights?|days|shifts?)\b", found["r"]):
            out.append(made("work_schedule", shift[1], f"You work {shift[1]}", at, end, one, scene))
        if age := _AGE_NEXT.match(found["r"]):
            out.append(made("age", age[1], f"You are {age[1]}", at, found.end(), one, scene))
        return out
    return []


_LAST_DAY = rx(
    rf"\b(?:(?:my |it's my |was my )?(?:last|final) (?:day|shift|week) (?:at|with|for) (?P<a>{_ORG})"
    "|(?:handed|gave|given|giving|put) (?:in )?(?:my )?"
    f"notice(?: in)?(?: (?:at|to) (?P<b>{_ORG}))?|(?:i )?(?:resigned from|got sacked from|was "
    f"fired from|finished up at) (?P<c>{_ORG}))"
)


def _leaves(one: Sentence, scene: Scene) -> list[Draft]:
    """Reads "last shift at X today", "handed in my notice": the job that was known ends."""
    found = _LAST_DAY.search(one.text)
    if not found or not speaks_of_self(one.text, found.start()):
        return []
    return [
        made(old.attribute, old.value, f"You left {old.value}", found.start(), found.end(), one, scene, retracts=True)
        for old in scene.known
        if old.subject == "user" and old.attribute in {"employer", "job", "workplace"}
    ]


def read_selves(one: Sentence, scene: Scene) -> list[Draft]:
    """Names, jobs, studies and homes in loose forms."""
    return [
        *read_names(one, scene),
        *_leaves(one, scene),
        *_titled(one, scene),
        *read_forms(_JOB_FORMS, one, scene),
        *read_homes(one, scene),
    ]
