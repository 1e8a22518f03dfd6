"""Health and diet in loose sentences: "kiwi brings me out in hives", "no egg also"."""

from __future__ import annotations

import re

from core.llm.rules.draft import Draft
from core.llm.rules.health import _ILLNESS as ILLNESS
from core.llm.rules.loose import Form, made, read_forms
from core.llm.rules.phrases import KIN, PERSON, RELATION, RELATIONS, rx, tidy
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence

_X = (
    r"(?P<v>(?!it\b|that\b|this\b|he\b|she\b|you\b|they\b|i\b|we\b|work\b|what\b|which\b|there\b|my\b)"
    r"[\w'-]+(?: [\w'-]+){0,3}?)"
)


def _noun(text: str) -> bool:
    return not re.match(
        r"(?:it|that|this|they|you|he|she|them|everything|nothing|which|what|one|ones|people|who)\b",
        text,
        re.IGNORECASE,
    )


_HEALTH_FORMS = (
    Form(
        "allergy",
        rx(
            f"{_X} (?:(?:always |really |can |could |will )*(?:brings? me (?:out|up) in|gives? me|leaves? "
            r"me with|makes? me (?:break|come) out in|makes? me) (?:\w+ )?(?:hives|rash|a rash|welts|itch|"
            "itchy|swell|sneeze|wheeze)|closes? my throat|makes? my (?:throat|lips|face|tongue|eyes|skin)"
            r" \w+|(?:can|could|would|will) kill me|sends? me (?:straight )?to (?:the )?(?:hospital|er|"
            "a&e)|sets? off my (?:asthma|allergies))"
        ),
        "You are allergic to {v}",
        whole=True,
        test=_noun,
    ),
    Form(
        "allergy",
        rx(
            r"(?:i've got an? |i have an? )?(?:severe |bad |serious |nasty |mild )?(?P<v>(?!my\b|an?\b|"
            r"any\b|the\b|food\b|no\b)[\w-]+(?: (?!and)[\w-]+)?) allerg(?:y|ies) (?:here|too|btw|on my "
            r"side|in my case)\b"
        ),
        "You are allergic to {v}",
        own=True,
        whole=True,
    ),
    Form(
        "avoids",
        rx(
            f"{_X} (?:(?:don't|doesn't|do not|does not|never) (?:really )?(?:agree|sit(?: well)?|go down "
            "well) with me|(?:is|are) (?:a |an |strictly |completely )?(?:no[- ]go|no no|off[- ]limits|"
            r"out|off the (?:menu|table)|forbidden)(?: for me| in (?:my|our) \w+)?(?=[,.;!]|$| (?:for|"
            "in|because))|upsets? my (?:stomach|tummy|gut)|makes? me (?:ill|sick|bloated|queasy|unwell)"
            ")"
        ),
        "You avoid {v}",
        whole=True,
        test=_noun,
    ),
    Form(
        "avoids",
        rx(
            r"no (?P<v>(?!one|idea|problem|worries|lift|longer|more\b|need|rush|way|thanks|pets|kids|other|"
            r"emojis?|bullet|small talk|jargon|fluff|preamble|sugarcoating)[\w-]+(?: [\w-]+)?(?:(?:,| "
            r"or| and| no|, no) (?:no )?(?!for|also|please|either|at)[\w-]+)*?)(?: (?:for me|for us|also|"
            r"either|too|at all|in my (?:food|diet)|at home|thanks))+(?: please)?(?=[,.;!?)]|$|\s)"
        ),
        "You have no {v}",
        own=True,
        whole=True,
        many=True,
    ),
    Form(
        "avoids",
        rx(
            "(?:can't|cannot|can not|mustn't|shouldn't|am not allowed|not allowed|never|don't|do not)"
            " (?:ever |really )?(?:eat|have|do|drink|take|tolerate|touch|digest|handle) (?:any )?(?P<v>(?!you|"
            r"it\b|that\b|this\b|me\b|much\b|without\b|anything\b|to\b|a\b|the\b|any\b|my\b|with\b|on\b|"
            r"for\b|well\b|enough\b|time\b|pets\b|kids\b|so\b|drugs\b|calls\b|weekends\b|mornings\b|nights\b|"
            r"mondays\b|meetings\b)[\w-]+(?: [\w-]+)?)(?=[,.;!)]|$| (?:and|or|so|because|at all|anymore|"
            "either|since))"
        ),
        "You don't have {v}",
        own=True,
        whole=True,
    ),
    Form(
        "diet",
        rx(
            "(?:i'm |i am |we're |we are |am |are |it's |is )?(?:an? )?(?P<v>(?:pure|strictly|strict|"
            "fully|completely|totally|100%|mostly|mainly|basically) (?:veg|veggie|vegetarian|vegan|halal|"
            "kosher|jain|plant[- ]based)|(?:halal|kosher|veg|vegan|vegetarian|plant[- ]based|gluten[- "
            r"]free|dairy[- ]free) (?:only|household|diet|family))\b"
        ),
        "You eat {v}",
        own=True,
        whole=True,
    ),
    Form(
        "diet",
        rx(
            "(?:i |we )?(?:keep|eat|follow|observe|stick to|go|went|gone) (?:strictly |only |mostly )"
            "?(?P<v>kosher|halal|jain|keto|paleo|vegan|vegetarian|veggie|plant[- ]based|gluten[- ]free|"
            r"dairy[- ]free|low[- ]carb|low[- ]fodmap|fodmap|sugar[- ]free|low[- ]salt)\b"
        ),
        "You eat {v}",
        own=True,
        whole=True,
    ),
    Form(
        "condition",
        rx(
            "(?:i'm |i am |am |i've been |been )?(?:almost |nearly |totally |completely |partially |half "
            "|born |slightly )?(?P<v>(?:deaf|blind|numb|paralysed|paralyzed|weak) (?:in|on|from) (?:my "
            r"|one |the |both )?(?:left |right )?(?:ears?|eyes?|arms?|legs?|hands?|side|waist \w+|foot|"
            r"feet))\b"
        ),
        "You are {v}",
        own=True,
        whole=True,
    ),
    Form(
        "condition",
        rx(
            "(?:i'm |i am |am )?(?P<v>(?:coeliac|celiac|diabetic|type [12] diabetic|asthmatic|epileptic|"
            "dyslexic|dyspraxic|autistic|lactose intolerant|gluten intolerant|colou?r-?blind|pregnant|"
            "hard of hearing|partially sighted|anaemic|anemic|hypermobile|immunocompromised))(?: here|"
            r" btw| by the way| too|\s*[,.;!)]|$| and| so)"
        ),
        "You are {v}",
        own=True,
        whole=True,
    ),
    Form(
        "condition",
        rx(
            f"(?:i |we )?(?:(?:was|were|just|recently) (?:told|diagnosed)[^,.;]{{0,30}}? (?:i have|i've "
            "got|with)|live with|living with|deal with|dealing with|struggle with|struggling with|recovering "
            f"from|suffer(?:ing)? from) (?:my |a |an |some )?(?:bad |severe |mild |chronic )?(?P<v>{ILLNESS})"
            r"(?!\w)"
        ),
        "You have {v}",
        own=True,
        whole=True,
    ),
    Form(
        "medication",
        rx(
            "(?:i |i'm |i am |i've been |been |am |still |have been )?(?:been |now |currently )?(?:on|"
            r"taking|take|takes) (?P<v>(?:\d[\d.,]* ?(?:mg|mcg|g|ml|units?|iu)(?: of)? )?(?!holiday|leave|"
            r"call|hold|nights?|days?|shifts?|duty|hormones of|the|a\b|my|it\b|this|that|here|there|night|"
            r"sabbatical|vacation|tour|and\b)[a-z][\w-]{3,}(?: [\w-]+)?) (?:since|twice|once|daily|every "
            r"(?:day|morning|night|evening)|\d+ ?mg|for (?:my |the )?(?:blood|heart|thyroid|pain|asthma|"
            "anxiety|depression|cholesterol|allerg|migraine|epilepsy|diabet|reflux|back|sleep|adhd|arthritis)"
            r"\w*)\b"
        ),
        "You take {v}",
        own=True,
        whole=True,
        test=lambda text: (
            not re.search(
                r"\b(?:diet|nights?|shifts?|project|team|job|course|lessons?|classes|bus|train|photos?|breaks?|"
                r"notes?|plan|contract)\b",
                text,
            )
        ),
    ),
    Form(
        "medication",
        rx(
            "(?:the |my |our )?(?:doc|doctor|gp|psychiatrist|specialist|consultant|nurse|cardiologist|"
            r"dermatologist|neurologist|rheumatologist|dr\.? \w+|they|hospital|clinic)(?:'ve|'s| has| "
            "have)? (?:just |recently )?(?:put me on|prescribed(?: me)?|started me on|switched me to|"
            "upped me to) (?P<v>(?!hold|the list|a list|a waiting|a diet|notice)[^,.;!?]{3,60}?)(?=[,.;!?)"
            r"]|$| (?:and|but|so|because|last|this|since|for|in|yesterday)\b)"
        ),
        "You take {v}",
        whole=True,
    ),
    Form(
        "medical_device",
        rx(
            "(?:i |we )?(?:use|have|wear|carry|need|got|get around in|am in|'m in) (?:an? |my |two |the "
            ")?(?P<v>(?:epi-?pen|inhaler|hearing aids?|wheelchair|pacemaker|insulin pump|walking stick|"
            r"crutches|glasses|contact lenses|contacts|cpap|stoma|prosthe\w+|guide dog|walker|rollator|"
            r"cane))\b"
        ),
        "You have {v}",
        own=True,
        whole=True,
    ),
)


_OWN_ILLNESS = re.compile(
    rf"\b(?P<o>my|our)(?: (?P<r>{RELATION}))?(?:'s| (?P<n>{PERSON})'s)? (?:really |very )?(?:bad "
    "|severe |mild |chronic |"
    rf"seasonal |rheumatoid |stupid |bloody |old |damn )*(?P<v>(?!add\b){ILLNESS})(?!\w)",
    re.IGNORECASE,
)
_OWN_MEDICINE = re.compile(
    r"\bmy (?P<v>insulin|inhaler|epi-?pen|statins?|antidepressants?|blood pressure (?:meds|medication|tablets|pills)|"
    r"beta[- ]blockers?|hearing aids?|metformin|wheelchair|pacemaker|antihistamines?|hrt|thyroid (?:meds|tablets))\b",
    re.IGNORECASE,
)


def read_bodies(one: Sentence, scene: Scene) -> list[Draft]:
    """Health in loose forms, and illnesses that are only possessed: "my husband's arthritis"."""
    found = read_forms(_HEALTH_FORMS, one, scene)
    for match in _OWN_ILLNESS.finditer(one.text):
        found += _illness(match, one, scene)
    for match in _OWN_MEDICINE.finditer(one.text):
        value = match["v"]
        found.append(made("medication", value, f"You have {value}", match.start(), match.end(), one, scene))
    return found


def _illness(match: re.Match[str], one: Sentence, scene: Scene) -> list[Draft]:
    value = tidy(match["v"])
    whose = match["r"]
    if not whose:
        if "'s" in match.group()[: match.group().lower().rfind(value.lower())]:
            return []
        return [made("condition", value, f"You have {value}", match.start(), match.end(), one, scene)]
    slot = RELATIONS[whose.lower()]
    subject = match["n"] or scene.discourse.relations.get(slot) or (slot if whose.lower() in KIN else whose.lower())
    says = f"Your {whose.lower()} has {value}"
    return [made("condition", value, says, match.start(), match.end(), one, scene, subject=subject)]
