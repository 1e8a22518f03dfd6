"""Open forms of what people say about others, things, work and plans."""

from __future__ import annotations

from core.llm.rules.dates import WHEN
from core.llm.rules.openform import BEGIN, DUTIES, END, KIND_WORDS, NOUNS, NUMBER, PET_WORD, PHONE, Form
from core.llm.rules.phrases import NAME, PERSON, RELATION, rx
from core.llm.rules.takes import MONEY

OTHER_FORMS = (
    Form(
        "role",
        rx(rf"{BEGIN}(?P<s>{PERSON}) (?P<v>(?:now |also )?(?:{DUTIES})(?: [^,;.!?]+)?)"),
        "{s} {v}",
        subject="{s}",
    ),
    Form(
        "{thing}",
        rx(
            rf"^(?:the )?(?P<thing>{KIND_WORDS}) (?:at (?:ours|home|my place|work)|here|i (?:use|have|"
            rf"own)|we (?:use|have|own)) is (?:a |an |the )?(?P<v>(?-i:[A-Z0-9])[^,;]{{1,40}}?){END}"
        ),
        "Your {thing} is {v}",
    ),
    Form(
        "{thing}",
        rx(
            rf"^the (?P<thing>{KIND_WORDS}) is an? "
            rf"(?P<v>(?=[^,;]*\d)(?-i:[A-Z0-9])[^,;]{{1,40}}?)(?=$|[,;.]| (?:inherited|bought|from|"
            rf"that|which|and|with|my|we|i)\b)"
        ),
        "Your {thing} is {v}",
    ),
    Form(
        "schedule",
        rx(rf"^(?P<s>(?:[\w'-]+ ){{0,2}}[\w'-]{{3,}}): (?P<v>(?:on |every )?{WHEN})"),
        "{s}: {v}",
        subject="{s}",
    ),
    Form(
        "location",
        rx(
            rf"^(?P<s>(?:[\w'-]+ ){{0,2}}[\w'-]{{3,}}): {WHEN}, (?:in |at )?(?:the "
            rf")?(?P<v>(?-i:[A-Z])[^,;]{{2,40}})$"
        ),
        "{s}: {v}",
        subject="{s}",
    ),
    Form(
        "location",
        rx(
            r"^(?:the|my|our) (?P<s>[\w-]+(?: [\w-]+)?) (?:got|is|has been|was|'s) (?:scheduled|"
            r"booked|set|moved|fixed|confirmed|arranged)\b[^.;]*?(?:,|\bin|\bat) (?P<v>(?:ward|room|"
            r"hall|building|bay|clinic|office|theatre|gate|floor) [\w-]+)"
        ),
        "The {s} is in {v}",
        subject="{s}",
    ),
    Form(
        "travel",
        rx(
            rf"\b(?:{NUMBER} (?:nights|days|weeks)|a (?:week|fortnight|weekend|month)|long weekend) (?:on|"
            rf"in|at|around) (?P<v>{NAME})"
        ),
        "You are travelling: {clause}",
    ),
    Form(
        "hotel",
        rx(
            rf"\b(?:hotel|guest ?house|b&b|hostel|pension) (?P<v>{NAME})|\bstaying at (?:the "
            rf")?(?P<w>{NAME})"
        ),
        "Your hotel is {v}",
    ),
    Form(
        "{thing}",
        rx(
            rf"\b(?P<thing>ferry|train|bus|flight|coach|boat) (?:out of|leaves from|departs from|goes "
            rf"from) (?P<v>{NAME})"
        ),
        "Your {thing} leaves from {v}",
    ),
    Form(
        "departure",
        rx(
            rf"\b(?:nights|days|weeks?|fortnight) (?:on|in|at|around) {NAME},? (?:from|starting) "
            rf"(?P<v>(?:the )?{WHEN})"
        ),
        "You leave on {v}",
    ),
    Form(
        "visa",
        rx(
            rf"\b(?:my |our |the )?visa for (?P<v>{NAME}) (?:came through|got approved|is approved|"
            rf"arrived|is valid)"
        ),
        "Your visa is for {v}",
    ),
    Form(
        "phone",
        rx(
            rf"\b(?:my|our) (?:(?P<rel>{RELATION}) )(?P<s>{PERSON})(?::|,| on| is| =| -)+ "
            rf"(?P<v>{PHONE})"
        ),
        "The phone number of {s} is {v}",
        subject="{s}",
    ),
    Form(
        "hourly_rate",
        rx(
            rf"\b(?:(?:i|we) charge (?P<v>{MONEY}) (?:an|per) hour|(?:my|our) hourly rate(?: for [\w "
            rf"]+?)? (?:is|goes up to|went up to|rose to|will be)(?: now)? (?P<w>{MONEY}))"
        ),
        "",
    ),
    Form(
        "{rel}",
        rx(
            rf"\b(?:my|our|two|three|four|five|six|\d) (?P<rel>{PET_WORD})s?\b[^:;.!?]{{0,25}}: "
            rf"(?P<v>{PERSON}(?:, {PERSON})*(?:,? and {PERSON})?)"
        ),
        "Your {word} is called {v}",
        many=True,
    ),
    Form(
        "medication",
        rx(
            rf"{BEGIN}(?P<v>[a-z-]{{5,}}),? \d+(?:\.\d+)? ?(?:mg|mcg|µg|units|iu)\b(?=.*\b(?:every|each|"
            rf"daily|morning|night|evening|day|meals?|breakfast|bed)\b)"
        ),
        "",
    ),
    Form(
        "firmware",
        rx(r"\bfirmware(?: version)?(?: is|:|=)? (?P<v>v?\d[\d.]*)"),
        "The firmware is {v}",
        subject="{thing_before}",
    ),
    Form(
        "status",
        rx(
            r"(?:^|[:,] )(?P<v>\d{1,3} ?(?:percent|%|per cent) (?:through|done|complete|finished|"
            r"there|in))"
        ),
        "{thing_before}: {v}",
        subject="{thing_before}",
    ),
    Form(
        "description",
        rx(rf"\b(?P<s>(?-i:Operation|Project|Plan) {NAME}) \((?P<v>[^)]{{4,60}})\)"),
        "{s} is {v}",
        subject="{s}",
    ),
    Form(
        "deadline",
        rx(
            rf"\b(?:the )?(?:finish line|cut-?off|due date|closing date) is (?:on )?(?P<v>(?:the "
            rf")?{WHEN})"
        ),
        "The deadline of {thing_before} is {v}",
        subject="{thing_before}",
    ),
    Form(
        "workplace",
        rx(
            rf"\b(?:mornings|afternoons|evenings|nights|weekends|by day)?,? ?i (?:teach|lecture|nurse|"
            rf"cook|bake|serve|clean|practise) (?:[\w-]+ ){{0,3}}?(?:at|in|for) (?P<v>{NAME})"
        ),
        "",
    ),
    Form(
        "job",
        rx(
            r"\b(?:i|i'm|we) (?P<v>(?:teach|lecture in|drive for|deliver for|cook for|clean for|write "
            r"for|translate for|work as|practise as|nurse at)(?!ing) (?!me\b|you\b|him\b|her\b|"
            r"them\b)[\w' -]{3,40}?)(?=$|[,;.!]| (?:and|at|in|but|when|on)\b)"
        ),
        "",
    ),
    Form(
        "likes",
        rx(
            rf"\b(?:he|she)(?:'s| is) (?:mad about|crazy about|obsessed with|into|nuts about) "
            rf"(?P<v>{NOUNS}){END}"
        ),
        "{person} is mad about {v}",
        subject="{person}",
    ),
    Form(
        "home",
        rx(rf"\b(?:moored|parked up|berthed|docked) (?:near|in|at|by|outside) (?P<v>{NAME})"),
        "Your home is near {v}",
    ),
    Form(
        "boat_name",
        rx(
            rf"\b(?:narrowboat|houseboat|boat|barge|yacht)\b.{{0,60}}?\b(?:she's|it's|is|who's)? "
            rf"?(?:called|named) (?P<v>{NAME})"
        ),
        "Your boat is called {v}",
    ),
    Form(
        "length",
        rx(
            rf"\b(?P<s>narrowboat|houseboat|boat|barge|yacht|garden|plot|room|table|"
            rf"pool)\b.{{0,80}}?\bmeasures (?P<v>{NUMBER} (?:feet|foot|metres|meters|m|ft|cm|inches))"
        ),
        "The {s} measures {v}",
        subject="{s}",
    ),
    Form(
        "housing",
        rx(
            r"\bhome is (?:a |an |the )(?P<v>(?:[\w-]+ )?[\w-]+)(?= (?:moored|near|in|on|at|above|by|"
            r"outside|with)\b|$)"
        ),
        "Your home is a {v}",
    ),
    Form(
        "home",
        rx(
            rf"\b(?:swapped|traded|left) (?:the )?[\w ]+? for (?:a |an |the )?(?:[\w-]+ ){{1,2}}(?:in|"
            rf"near|outside|by|on) (?P<v>{NAME})"
        ),
        "",
    ),
    Form(
        "housing",
        rx(
            rf"\b(?:swapped|traded|left) (?:the )?[\w ]+? for (?:a |an |the )?(?P<v>[\w-]+) (?:in|near|"
            rf"outside|by|on) {NAME}"
        ),
        "",
    ),
)
