"""Bits without a verb that people append: "no lift", "coeliac", "name's Gethin", "add latex to my allergies"."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Clause
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import PERSON, PETS, bare, items, rx, snake, tidy
from core.llm.rules.scene import Scene, draft

_ADD_ALLERGY = rx(
    "^(?:please |pls |also |can you )*add (?P<v>.{2,60}?) to (?:my )?(?:list of )?(?P<k>allerg(?:y|"
    r"ies)|dislikes|likes|hobbies|languages|medications?|medicines?)\b"
)


_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)


_PHONE = re.compile(r"(?<![\w.-])\+?\d[\d ()/-]{6,18}\d(?![\w-])")


_REACH = rx(
    r"\b(?:reach me|contact me|call me|text me|email me|e-mail me|write to me|ring me|my (?:new |work "
    "|personal |private |mobile |cell |home )?(?:e-?mail|mail|phone|number|mobile|cell|contact)|"
    r"(?:best|easiest) (?:way )?to (?:reach|contact))\b"
)


_CONTACT_PREF = rx(
    r"\b(?P<v>(?:(?:it's )?(?:best|better|easier) to|prefers? (?:to be )?|rather) ?(?:text|call|email|"
    "e-mail|ring|message|whatsapp|phone|texted|called|emailed|sms|texts|calls|emails|be (?:called|"
    r"texted|emailed))(?:,? (?:not|over|than|rather than|instead of|before|after|in)\b[\w ]{1,30})?)"
)


_NAMES = rx(rf"^(?:and )?(?:(?:his|her|its|their|the) )?name(?:'s| is)\s+(?P<v>{PERSON})")


_NO_LIFT = rx(
    "^(?:and |there's |there is |with |but |has |have )?(?P<v>no (?P<n>lift|elevator|garden|balcony|"
    r"parking|stairs|central heating|dishwasher|garage))\b"
)


_PLACE_HAS = rx(r"^(?:my|our) (?:place|flat|home|house|apartment|building|studio|room) has\b")
_AND_NO = rx(r"\bno (?P<n>lift|elevator|balcony|garden|parking)\b")


_ELSEWHERE = rx(
    "^(?P<s>parcels|deliveries|packages|mail|invoices|post|letters|bills) (?:go|goes|should go|are "
    "delivered|get delivered|must go) to (?P<v>.+)$"
)


_FAVOURITE_TAIL = rx(
    "^(?:the )?(?P<k>first|new|second|other|older|younger|black|white|big|little)(?: one)?(?:'s| "
    f"is)(?: called| named)? (?P<v>{PERSON})"
)


_ASK = rx(
    r"^(?:for (?P<w>[\w -]{2,40}?),? (?:you )?(?:ask|talk to|contact|see|speak to|go to|email|ping) "
    rf"(?P<n>{PERSON})(?: in (?P<d>[\w ]+))?)|^(?:ask|talk to|contact|ping) (?P<n2>{PERSON}) (?:about|"
    "for|regarding) (?P<w2>.+)$"
)


_HIRED = rx(
    rf"\b(?:hired|appointed|promoted|brought in|made|named) (?P<n>{PERSON}) (?:as |to )?(?:our|the|a|"
    r"an|be our) (?P<v>[\w -]{3,50})"
)
_IS_ME = rx(r"^(?:and )?(?:the|our) (?P<v>[\w -]{3,60}?) is me\b")


_DOES_IT = rx(
    r"^(?P<d>(?:on )?\w+days?|at weekends|on weekends|in the (?:mornings?|afternoons?|evenings?)),? "
    rf"(?:my |our )?(?:\w+ )??(?P<n>{PERSON}) (?:does|handles|takes|picks|drives|covers|collects|has|"
    r"looks after)\b(?P<r>.*)$"
)


_APARTMENT = rx(
    "(?:am |are )?(?:a |the )?(?:tenant|resident|owner|homeowner|lodger|leaseholder)s? (?:at|in|of) (?P<v>.+)$"
)


_OUR_PLACE = rx(
    r"\b(?:our|my) (?:place|flat|house|apartment|home|studio|room|cottage)(?: (?:in|near|on|at) "
    r"(?P<v>(?-i:[A-ZÀ-Þ])[\w'-]*(?: (?-i:[A-Z])[\w'-]+)*))?(?: is|'s) (?P<h>rented|owned|a rental|"
    r"shared|leased|mortgaged|in (?P<w>(?-i:[A-ZÀ-Þ])[\w'-]*(?: (?-i:[A-Z])[\w'-]+)*))"
)


_DIRECT_DISLIKE = rx(
    "^what (?:i|we) (?:really |just )?(?P<k>can't|cannot|don't|hate|love|like|enjoy|dislike|"
    r"really)\b ?(?:stomach|stand|bear|like|love|eat|do|hate|abide|enjoy)? (?:most |is |most is |more "
    r"than anything is |about \w+ is )?(?:is |are )?(?P<v>.+)$"
)


_FIRST_DAY = rx(
    r"\b(?:my|our) first (?:day|week|month|shift) (?:as (?:an? |the )?(?P<j>[\w /-]+?))?(?: ?(?:at|"
    "with|for) (?P<e>.+?))?$"
)


_SCALE = rx(
    r"\b(?:scales?|i) (?:said|says|showed|shows|reads?)(?: i'm)? (?P<v>\d[\d.,]* ?(?:kg|kilos|lbs?|"
    r"pounds|stone))\b"
)


_DOCTOR_PUT = rx(
    # "gave me" is a doctor's alone, and of a thing that is taken: "she gave me helpful feedback" is no treatment.
    r"\b(?:(?:doctor|gp|psychiatrist|specialist|consultant|nurse|cardiologist|dr\.? \w+|hospital) "
    r"(?:has |have |just )?gave me (?!(?:\w+ ){0,4}(?:feedback|advice|tips?|hints?|ideas?|suggestions?|notes?|"
    r"warnings?|forms?|leaflets?|letters?|referrals?|calls?|support|help)\b)|"
    r"(?:doctor|gp|psychiatrist|specialist|consultant|nurse|cardiologist|dr\.? \w+|they|she|he|i was|hospital) "
    r"(?:has |have |just )?(?:put me on|prescribed(?: me)?|"
    r"started me on|switched me to) )(?P<v>.+)$"
)


def read_fragments(clause: Clause, scene: Scene) -> list[Draft]:
    """Facts of clauses that the subject–predicate grammar does not read."""
    text = clause.said
    found: list[Draft] = []
    for reader in (_list_addition, _after_health, _trade, _contact, _place_bits, _roles, _names, _verdicts, _first_day):
        found.extend(reader(text, clause, scene))
    return found


_MAKES_ILL = rx(
    r"^(?P<v>(?!it\b|that\b|this\b|he\b|she\b|you\b|work\b|they\b)[\w -]{2,40}?) (?:(?:always |really "
    ")?(?:makes? me (?:ill|sick|itchy|bloated|sneeze|queasy|wheeze)|"
    "gives? me (?:hives|a rash|headaches?|migraines?|heartburn|cramps|stomach ?aches?)|upsets? my "
    r"stomach))\b"
)
_JUST_NO = rx(
    r"^(?:and |so )*no (?P<v>(?!one|idea|problem|worries|lift|longer|more\b)[\w-]+(?:(?:,| or| and) "
    r"[\w-]+)*)(?: for me| please| at all)?$"
)


_TRADE = rx(
    "^(?:i|we) (?P<v>(?!am|do|have|work|live|love|like|hate|use|need|want|think|know|go|get|got|was|"
    r"did|will|can|just|really|had|moved|left|mean|started)[a-z]+ (?:\w+ )?\w+s\b.*)$"
)


def _after_health(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "coeliac, so no gluten": what is avoided, once a diet or a condition was told."""
    if ill := _MAKES_ILL.match(text):
        return [draft(clause, "avoids", ill["v"], scene, subject="user")]
    found = _JUST_NO.match(text)
    told = any(one.attribute in {"condition", "diet", "allergy", "avoids"} for one in scene.drafts)
    if not found or not (told or text.lower().endswith("for me")):
        return []
    return [
        draft(clause, "avoids", one, scene, subject="user", statement=f"You have no {one}") for one in items(found["v"])
    ]


def _trade(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "self-employed. I tune pianos": the trade of someone who just told of working for themself."""
    found = _TRADE.match(text) if clause.is_self and scene.said("employment_status") and not scene.said("job") else None
    return [draft(clause, "job", found["v"].split(",")[0], scene)] if found else []


def _list_addition(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    found = _ADD_ALLERGY.match(text)
    if not found:
        return []
    slot = {
        "alle": "allergy",
        "disl": "dislikes",
        "like": "likes",
        "hobb": "hobby",
        "lang": "language",
        "medi": "medication",
    }[found["k"].lower()[:4]]
    shown = {
        "allergy": "You are allergic to",
        "dislikes": "You dislike",
        "likes": "You like",
        "hobby": "Your hobby is",
        "language": "You speak",
        "medication": "You take",
    }[slot]
    return [
        draft(clause, slot, bare(one), scene, subject="user", statement=f"{shown} {bare(one)}")
        for one in items(found["v"])
    ]


def _contact(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    found: list[Draft] = []
    if _REACH.search(text) or (
        clause.is_self and not clause.elided and re.search(r"\b(?:e-?mail|phone|number)\b", text, re.IGNORECASE)
    ):
        if mail := _EMAIL.search(text):
            found.append(
                draft(
                    clause,
                    "email",
                    mail.group().rstrip("."),
                    scene,
                    subject="user",
                    statement=f"Your email is {mail.group().rstrip('.')}",
                )
            )
        if phone := _PHONE.search(_EMAIL.sub(" ", text)):
            found.append(
                draft(
                    clause,
                    "phone",
                    phone.group(),
                    scene,
                    subject="user",
                    statement=f"Your phone number is {phone.group()}",
                )
            )
    pref = _CONTACT_PREF.search(text)
    if (pref and scene.discourse.last and not clause.is_self) or (pref and scene.discourse.last and clause.elided):
        who = scene.discourse.last
        found.append(
            draft(
                clause,
                "contact_preference",
                pref["v"],
                scene,
                subject=who.subject,
                statement=f"{who.surface}: {pref['v']}",
            )
        )
    return found


def _place_bits(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    if (found := _NO_LIFT.match(text)) or (
        (scene.said("home") or _PLACE_HAS.match(text)) and (found := _AND_NO.search(text))
    ):
        return [
            draft(
                clause,
                found["n"].lower(),
                f"no {found['n']}",
                scene,
                subject="user",
                statement=f"Your home has no {found['n']}",
            )
        ]
    if found := _ELSEWHERE.match(text):
        return [draft(clause, "delivery_address", text[found.start("v") :], scene, subject=found["s"].lower())]
    if found := _APARTMENT.match(clause.predicate):
        return (
            [draft(clause, "home", text[text.lower().find(found["v"].lower()[:8]) :], scene, subject="user")]
            if clause.is_self
            else []
        )
    return _own_place(text, clause, scene)


def _own_place(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    found = _OUR_PLACE.search(text)
    if not found:
        return []
    out = []
    if place := found["v"] or found["w"]:
        out.append(draft(clause, "home", place, scene, subject="user", statement=f"Your home is in {place}"))
    if not found["w"]:
        out.append(draft(clause, "housing", found["h"], scene, subject="user", statement=f"Your home is {found['h']}"))
    return out


def _roles(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    if found := _ASK.match(text):
        name, what = found["n"] or found["n2"], tidy(found["w"] or found["w2"])
        where = f" in {found['d']}" if found["d"] else ""
        return [draft(clause, "role", what, scene, subject=name, statement=f"For {what} you ask {name}{where}")]
    if found := _HIRED.search(text):
        name, role = found["n"], tidy(found["v"])
        return [draft(clause, "role", role, scene, subject=name, statement=f"{name} is your {role}")]
    if found := _IS_ME.match(text):
        return [draft(clause, "role", found["v"], scene, subject="user", statement=f"You are the {found['v']}")]
    if found := _DOES_IT.match(text):
        before = next(
            (one for one in reversed(scene.drafts) if one.attribute in {"school_pickup", "school_dropoff", "routine"}),
            None,
        )
        return [draft(clause, before.attribute if before else "schedule", found["d"], scene, subject=found["n"])]
    return []


def _names(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    found = _NAMES.match(text)
    if found and not scene.discourse.last and not scene.said("name"):
        return [draft(clause, "name", found["v"], scene, subject="user", statement=f"Your name is {found['v']}")]
    if found and (who := scene.discourse.last):
        return [
            draft(
                clause,
                "name",
                found["v"],
                scene,
                subject=who.subject,
                statement=f"{who.surface}'s name is {found['v']}",
            )
        ]
    if found := _FAVOURITE_TAIL.match(text):
        last = scene.discourse.last
        pet = last.subject if last and last.subject in PETS.values() else ""
        if pet:
            return [
                draft(
                    clause,
                    pet.replace(" ", "_"),
                    found["v"],
                    scene,
                    subject="user",
                    statement=f"Your {found['k']} {pet} is {found['v']}",
                )
            ]
    return []


_IS_FAVOURITE = rx(
    r"^(?P<v>(?!what\b|that\b|this\b|it\b|my\b|here\b)[\w' -]{2,40}?) (?:is|are|has always been) my "
    r"(?:all-time |absolute )?(?P<k>(?:least )?favou?rite(?: \w+){0,2})\b"
)


def _verdicts(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    if found := _IS_FAVOURITE.match(text):
        least = found["k"].lower().startswith("least")
        slot = "dislikes" if least else snake(found["k"]) if " " in found["k"].strip() else "likes"
        return [draft(clause, slot, bare(found["v"]), scene, subject="user")]
    if found := _DIRECT_DISLIKE.match(text):
        likes = found["k"].lower() in {"love", "like", "enjoy", "really"} and not re.match(
            r"what (?:i|we) (?:really )?(?:don't|can't|cannot|hate|dislike)", text, re.IGNORECASE
        )
        return [
            draft(clause, "likes" if likes else "dislikes", bare(one), scene, subject="user")
            for one in items(found["v"])
        ]
    if found := _SCALE.search(text):
        return [draft(clause, "weight", found["v"], scene, subject="user", statement=f"You weigh {found['v']}")]
    if found := _DOCTOR_PUT.search(text):
        value = tidy(found["v"].split(",")[0])
        return [draft(clause, "medication", value, scene, subject="user", statement=f"You take {tidy(found['v'])}")]
    return []


def _first_day(text: str, clause: Clause, scene: Scene) -> list[Draft]:
    found = _FIRST_DAY.search(text)
    if not found:
        return []
    out = []
    if found["j"]:
        out.append(draft(clause, "job", found["j"], scene, subject="user", statement=f"You are a {found['j']}"))
    if found["e"]:
        out.append(
            draft(
                clause, "employer", tidy(found["e"]), scene, subject="user", statement=f"You work at {tidy(found['e'])}"
            )
        )
    return out
