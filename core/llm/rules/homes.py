"""Where people say they live, in loose sentences: "flat's in leith now", "we're on a farm outside Bala"."""

from __future__ import annotations

import re

from core.llm.rules.draft import Draft
from core.llm.rules.loose import Form, read_forms
from core.llm.rules.phrases import NAME, rx
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence

_TYPE = (
    "(?:flat|house|apartment|(?:one|two|three|four|1|2|3|4)[- ]bed(?:room)?(?: (?:flat|house|"
    "apartment))?|room|studio|cottage|farm|farmhouse|bungalow|condo|"
    "duplex|terrace|narrowboat|houseboat|boat|barge|cabin|bedsit|loft|townhouse|semi|maisonette|"
    "trailer|caravan|pg|hostel|dorm|"
    "villa|barn|croft|smallholding|estate|village|island|ranch|homestead|yurt|vineyard|council "
    "(?:flat|house)|penthouse|basement|"
    "halls?|commune|suburb|hamlet|vicarage|shared house|houseshare|flatshare|mobile home|tower "
    "block|place|digs|gaff|home)"
)
_PLACE = (
    r"(?P<v>(?!here|there|the (?:middle|way|end)|bed\b|work\b|my |your |good|trouble|danger|charge|"
    r"order|need)[\w'À-ÿ.-]+(?:,? (?-i:[A-ZÀ-Þ])[\w'À-ÿ-]*|(?<=st|ma|le|la|el|de|of|on) [\w-]+)"
    "{0,4})"
)
_IN = (
    "(?:in|outside|just outside|near|by|off|above|moored at|moored in|moored near|up in|down "
    "in|out in|over in|at|on the edge of)"
)


def _capital(text: str) -> bool:
    return text[:1].isupper()


_HOME_FORMS = (
    Form(
        "home",
        rx(
            "(?:my |our )?(?:new )?(?:gaff|flat|place|apartment|house|pad|home|studio|digs|cottage)(?:'s|"
            f" is)(?: now| currently)? (?:in|at|near|outside|over in|up in|down in) {_PLACE}"
        ),
        "Your home is in {v}",
        own=False,
        place=True,
    ),
    Form(
        "home",
        rx(
            r"(?:my |our )?home(?:'s| is|=|:)(?: now| currently| base is)? (?P<v>(?-i:[A-ZÀ-Þ])[\w'-]*(?: "
            r"(?-i:[A-ZÀ-Þ])[\w'-]*)*)"
        ),
        "Your home is {v}",
        place=True,
        test=_capital,
    ),
    Form(
        "home",
        rx(
            r"(?P<v>(?-i:[A-ZÀ-Þ])[\w'-]+(?: (?-i:[A-ZÀ-Þ])[\w'-]+)?) (?:is|has been) (?:now )?(?:my|our)"
            r" (?:home|base)\b"
        ),
        "Your home is {v}",
        place=True,
        test=_capital,
    ),
    Form(
        "home",
        rx(
            "(?:i |we |i'm |we're )?(?:am |are )?(?:rent|renting|own|owning|bought|'ve bought|have bought|"
            "just bought|share|sharing|got the keys to|moved into|found|live (?:in|on)|living (?:in|on)"
            rf")(?: to)? (?:an? |our |my |the )?(?:[\w-]+[ -]){{0,3}}?{_TYPE} (?:now )?{_IN} {_PLACE}"
        ),
        "Your home is in {v}",
        own=True,
        place=True,
    ),
    Form(
        "home",
        rx(
            "(?:we've just|i've just|we've|i've|we|i) (?:just )?(?:bought|rented) (?:an? |our |my |the "
            rf")?(?:[\w-]+[ -]){{0,3}}?{_TYPE} {_IN} {_PLACE}"
        ),
        "Your home is in {v}",
        place=True,
    ),
    Form(
        "home",
        rx(
            rf"(?:we're|i'm|we are|i am) (?:on|in|at|aboard) (?P<v>(?:an? |our |the )(?:[\w-]+[ -]){{0,3}}?{_TYPE}"
            rf" {_IN} (?-i:[A-ZÀ-Þ])[\w'-]*(?:,? (?-i:[A-ZÀ-Þ])[\w'-]*){{0,3}})"
        ),
        "Your home is {v}",
        place=True,
    ),
    Form(
        "home",
        rx(
            rf"(?:we've got|i've got|i have|we have|got) (?:an? |our |my )(?P<v>(?:[\w-]+ ){{0,2}}[\w-]+ "
            f"{_IN} [^,.;]{{3,40}}?)(?:,| and)? (?:that's|it's|which is|this is|and it's) (?:our |my |"
            r"where )?(?:home|we live|i live)\b"
        ),
        "Your home is a {v}",
        whole=True,
    ),
    Form(
        "home",
        rx(
            rf"(?:i|we)(?:'ve| have)? (?:\w+ ){{1,6}}?(?:(?:over|down|up|out) )?here in (?P<v>(?-i:{NAME})"
            ")"
        ),
        "You live in {v}",
        place=True,
    ),
    Form(
        "home",
        rx(
            "(?:i'm |we're |i am )?(?:now |currently )?(?:settled|based|living|ended up|now living|resident|"
            f"residing)(?: now| down)? (?:in|at|out of) (?P<v>(?-i:{NAME}))"
        ),
        "You live in {v}",
        own=True,
        place=True,
    ),
    Form(
        "home",
        rx(
            "(?:but |and )?(?:i'm |i am |we're )?now (?:i'm |i am |we're )?(?:live |living |based )?(?:in|"
            f"at) (?P<v>(?-i:{NAME}))"
        ),
        "You live in {v}",
        own=True,
        place=True,
    ),
    Form(
        "hometown",
        rx(
            f"(?:i'm |i am |i come |i'm originally |i was )?(?:originally )?from (?P<v>(?-i:{NAME}))(?: "
            r"originally)?(?=\s*(?:[,.;!]|$)|,? (?:but|and|now|originally)\b)"
        ),
        "You are from {v}",
        own=True,
        place=True,
    ),
    Form(
        "staying_in",
        rx(
            "(?:but |and )?(?:i'm |i am |we're |we are )?(?:currently |presently |now )?(?:staying|lodging|"
            f"putting up|crashing) (?:in|at|with) (?P<v>(?:an? |the )?(?:{_TYPE} )(?:in|near|at) (?-i:[A-ZÀ-Þ])"
            rf"[\w'-]*(?:,? (?-i:[A-ZÀ-Þ])[\w'-]*){{0,3}})"
        ),
        "You are staying in {v}",
        own=True,
        whole=True,
    ),
    Form(
        "address",
        rx(
            r"(?:my |our )?(?:current |home |postal |new |permanent )?address(?:'s| is|:) (?P<v>\d[^;!?]{5,70}?)"
            r"(?=$|[;!?]|\.(?:\s|$)| but | and )"
        ),
        "Your address is {v}",
        own=True,
        whole=True,
    ),
    Form(
        "location",
        rx(rf"(?:i'm|i am|we're|we are) in (?P<v>(?-i:{NAME}))(?=\s*(?:[,.;!)(]|$))"),
        "You are in {v}",
        whole=True,
        test=lambda text: (
            not re.match(
                "(?:Settings|Chrome|Excel|Word|Safari|Sales|HR|IT|Marketing|Finance|Year|Class|Grade|Group|"
                "Room|Zone|January|February|March|April|May|June|July|August|September|October|November|December)"
                r"\b",
                text,
            )
        ),
    ),
)


def read_homes(one: Sentence, scene: Scene) -> list[Draft]:
    """Homes, hometowns and stays of the speaker."""
    return read_forms(_HOME_FORMS, one, scene)
