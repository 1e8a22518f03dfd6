"""Open forms: turns of phrase that mean one thing whatever fills them, wherever they stand in a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.llm.rules.dates import WHEN, resolve
from core.llm.rules.draft import Draft
from core.llm.rules.masks import BLOT
from core.llm.rules.phrases import KIN, NAME, PERSON, PETS, RELATION, RELATIONS, bare, items, rx, snake, tidy
from core.llm.rules.scene import Scene, lifetime
from core.llm.rules.sentences import Sentence
from core.llm.rules.takes import MONEY
from core.llm.rules.voice import second_person, sentence

_N = (
    r"(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]\w+)?|two|"
    r"three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen)"
)
_B = r"(?:^|[,;:(.!—-]\s*|\b(?:and|but|so|also|that|then|because|plus)\s+)"
_E = (
    r"(?=$|[,;:.!()—]|\s-\s|\s(?:and|but|so|because|though|since|while|when|after|before|lol|"
    r"btw|these|here|now|for|as|at|please|yes)\b|\s[^\w\s'\"(&])"
)
_NP = r"[\w'&/-]+(?: [\w'&/-]+){0,4}?"
_BREEDS = (
    "whippet|labrador|lab|spaniel|terrier|poodle|collie|beagle|greyhound|lurcher|dachshund|pug|boxer|husky|"
    "retriever|corgi|"
    "schnauzer|siamese|tabby|ragdoll|persian|mongrel|mutt|cockapoo|labradoodle|bulldog|chihuahua|rottweiler|dalmatian"
)
_PET_WORD = "|".join(sorted((re.escape(word) for word in PETS), key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class Form:
    """A turn of phrase. `slot` and `subject` may name groups: "{rel}". `says`: "" for the clause."""

    slot: str
    pattern: re.Pattern[str]
    says: str
    subject: str = "user"
    many: bool = False


FORMS = (
    Form(
        "name", rx(rf"{_B}(?:(?:hi|hello|hey)[, ]+)?(?P<v>{PERSON}) (?:here|speaking)(?=$|[,;:.!])"), "Your name is {v}"
    ),
    Form("nickname", rx(rf"\b(?P<v>{PERSON}) for short\b"), "You go by {v}"),
    Form(
        "name",
        rx(
            rf"\b(?:the )?(?:full |legal )?name on (?:my|the) [\w' ]+? (?:says|is|reads|being)[: "
            rf"]+(?P<v>{PERSON})"
        ),
        "Your name is {v}",
    ),
    Form("surname", rx(rf"\b(?:surname|last name|family name)(?: is|:)? (?P<v>{PERSON})"), "Your surname is {v}"),
    Form("name", rx(rf"{_B}it's (?P<v>{PERSON})(?=,? (?:surname|last name|family name))"), "Your name is {v}"),
    Form(
        "nickname",
        rx(
            rf"\b(?:nobody|no one|no-one)(?: \w+)? (?:uses|says|calls me|knows me as)(?: anything)?(?: "
            rf"more| other)? (?:but|than|except) (?P<v>{PERSON})"
        ),
        "You are called {v}",
    ),
    Form(
        "nickname",
        rx(
            rf"\b(?:i|we)(?: also| mostly| usually)? (?:go by|answer to)(?: the name(?: of)?)? "
            rf"(?P<v>{PERSON})"
        ),
        "You go by {v}",
    ),
    Form("name_preference", rx(r"\b(?P<v>no nicknames)\b"), "You want no nicknames"),
    Form("birthday", rx(rf"{_B}(?:i was )?born (?:on )?(?P<v>(?:the )?{WHEN})"), "You were born on {v}"),
    Form("hometown", rx(rf"\bborn and (?:bred|raised) (?:in )?(?P<v>{NAME})"), "You were born and raised in {v}"),
    Form(
        "hometown",
        rx(
            rf"{_B}(?:a |i'm a |i am a )?(?P<v>{NAME}) (?:born and (?:bred|raised)|(?:girl|boy|lad|"
            rf"lass|native|kid) (?:originally|at heart|born|by birth|through and through))"
        ),
        "You come from {v}",
    ),
    Form(
        "allergy",
        rx(
            rf"{_B}(?P<v>(?!it\b|this\b|that\b|work\b|he\b|she\b|they\b)[\w-]+(?: [\w-]+){{0,2}}?) "
            rf"(?:always |could |would |can |will )*(?:sends? me (?:straight )?to (?:a&e|the er|er|"
            rf"hospital|the hospital|casualty)|brings? me out in|puts? me in (?:a&e|hospital)|makes? "
            rf"my (?:throat|tongue|lips|face) (?:swell|close)|gives? me (?:hives|anaphylaxis|a rash))\b"
        ),
        "You react badly to {v}",
    ),
    Form(
        "allergy",
        rx(
            rf"\b(?:i|we) (?:really |just )?(?:can't|cannot|can not|don't|do not) tolerate "
            rf"(?P<v>{_NP}){_E}"
        ),
        "You can't tolerate {v}",
        many=True,
    ),
    Form(
        "diet",
        rx(
            r"\bi (?:skip|don't touch|never touch|abstain from|avoid|don't eat|gave up|cut out) "
            r"(?P<v>[\w-]+(?: [\w-]+){0,2}? (?:for (?:religious|health|ethical|moral) (?:reasons|"
            r"grounds)|on principle))"
        ),
        "You avoid {v}",
    ),
    Form(
        "dislikes",
        rx(
            rf"\b(?:i|i'll|i will)(?: \w+)? eat (?:anything|everything) (?:except|but|apart from|bar|"
            rf"other than) (?P<v>{_NP}){_E}"
        ),
        "You eat anything but {v}",
        many=True,
    ),
    Form(
        "likes",
        rx(
            rf"{_B}(?:i'm a |i am a |a )?(?:big|huge|massive|great|lifelong) (?:fan|lover) of "
            rf"(?P<v>{_NP}){_E}"
        ),
        "You are a big fan of {v}",
        many=True,
    ),
    Form(
        "likes",
        rx(
            rf"{_B}(?:of all (?:the )?[\w ]+?,? )?(?P<v>(?!it\b|this\b|that\b|he\b|she\b)(?:[\w'-]+ "
            rf"?){{1,4}}?) (?:wins? hands down|beats? everything|always wins|is (?:totally |really "
            rf")?my (?:jam|thing|happy place|cup of tea))\b"
        ),
        "",
    ),
    Form("likes", rx(r"\balso (?P<v>(?!i\b)[\w'-]+(?: [\w'-]+){0,3}?), yes please"), "You like {v}"),
    Form(
        "dislikes",
        rx(
            rf"{_B}(?P<v>(?!it\b|this\b|that\b|he\b|she\b|they\b)[\w'-]+(?: [\w'-]+){{0,3}}?) (?:bores? me "
            rf"(?:to (?:tears|death)|stiff|rigid)|leaves? me cold|makes? me gag|(?:is|are) (?:really "
            rf")?not (?:for me|my (?:thing|cup of tea))|gives? me the creeps)\b"
        ),
        "",
    ),
    Form("likes", rx(rf"\bi only ever (?:watch|listen to|read|drink|play|follow) (?P<v>{_NP}){_E}"), ""),
    Form("{rel}", rx(rf"{_B}(?:my )?(?P<rel>{RELATION})\s*(?:=|→)\s*(?P<v>{PERSON})"), "Your {word} is {v}"),
    Form("{rel}", rx(rf"\b(?:my )?(?P<rel>{RELATION}) (?:number|no\.?) \w+,? (?P<v>{PERSON})"), "Your {word} is {v}"),
    Form("{rel}", rx(rf"\b(?P<v>{PERSON}) (?:the|our|my) (?P<rel>{_PET_WORD})\b"), "Your {word} is called {v}"),
    Form(
        "dog",
        rx(
            rf"\b(?:pup|puppy|dog|{_BREEDS})\b[^.;!?]{{0,50}}?\b(?:answers to|goes by|is called|is "
            rf"named|called|named) (?P<v>{PERSON})"
        ),
        "Your dog is called {v}",
    ),
    Form(
        "cat",
        rx(rf"\b(?:cat|kitten|tabby|tomcat)\b[^.;!?]{{0,50}}?\b(?:answers to|goes by) (?P<v>{PERSON})"),
        "Your cat is called {v}",
    ),
    Form(
        "dog_breed",
        rx(rf"\b(?:pup|puppy|dog)\b[^.;!?]{{0,30}}? is (?:a |an )?(?P<v>(?:[\w-]+ )?(?:{_BREEDS}))\b"),
        "Your dog is a {v}",
    ),
    Form(
        "age",
        rx(
            rf"\b(?P<s>{PERSON}),? (?:who(?:'s| is) )?(?:turning|turns|aged|nearly|almost) "
            rf"(?P<v>{_N})\b(?! (?:o'clock|pm|am))"
        ),
        "{s} is {said}",
        subject="{s}",
    ),
    Form(
        "birthday",
        rx(
            rf"\b(?:my )?(?P<rel>{RELATION})(?:'s) (?P<a>\d{{1,3}})(?:st|nd|rd|th)(?: birthday)? "
            rf"(?:falls|is|lands|comes)(?: on)? (?P<v>(?:the )?{WHEN})"
        ),
        "Your {word}'s {a}th birthday is on {v}",
        subject="{rel}",
    ),
    Form(
        "due_date",
        rx(
            rf"{_B}(?:the |our |my )?(?P<s>twins|baby|triplets|little one) (?:is|are|'s) due (?:in |on "
            rf"|by |around )?(?P<v>(?:the )?{WHEN})"
        ),
        "The {s} due in {v}",
        subject="{s}",
    ),
    Form(
        "tenure",
        rx(
            rf"\bafter (?P<v>(?:nearly |over |almost )?{_N} years (?:on|in|at|as|with|of) (?:[\w'&-]+ "
            rf"?){{1,5}}?){_E}"
        ),
        "",
    ),
    Form(
        "condition_since",
        rx(
            rf"\b(?:diabetic|epileptic|asthmatic|coeliac|celiac|deaf|blind|vegan|vegetarian) since "
            rf"(?P<v>(?:i was )?(?:the age of |birth|age |childhood|{_N}|\d{{4}})\w*(?: \w+)?){_E}"
        ),
        "",
    ),
    Form(
        "budget",
        rx(
            rf"\b(?:put|set|putting|setting)(?: \w+)? ?(?:aside|by)(?: about| around)? "
            rf"(?P<v>{MONEY}(?: (?:for|towards) (?:the |a |our |my )?[\w ]+?)?){_E}"
        ),
        "",
    ),
    Form(
        "budget",
        rx(
            rf"\b(?:can't|cannot|don't want to|won't) (?:spend|go|pay) (?:more than|over|above|beyond) "
            rf"(?P<v>{MONEY})"
        ),
        "",
    ),
    Form(
        "role",
        rx(
            rf"\banything (?P<v>[\w-]+(?: [\w-]+){{0,2}}?),? (?:ask|goes to|go to|talk to|see) "
            rf"(?P<s>{PERSON})"
        ),
        "{s} handles anything {v}",
        subject="{s}",
    ),
    Form(
        "role",
        rx(
            rf"\b(?:our|the) (?P<v>(?!{RELATION}\b)(?:[a-z-]+ ){{0,2}}?[a-z-]+),? (?P<s>(?-i:Mr|Mrs|Ms|"
            rf"Miss|Dr|Frau|Herr|Prof)\.? {PERSON})(?=$|[,;.!)])"
        ),
        "{s} is the {v}",
        subject="{s}",
    ),
    Form(
        "role",
        rx(
            rf"\b(?:the )?(?P<v>[a-z-]+(?: [a-z-]+)?) (?:is|are) (?P<s>{PERSON})'s (?:kingdom|domain|"
            rf"department|job|territory|baby|remit|responsibility)\b"
        ),
        "{s} looks after the {v}",
        subject="{s}",
    ),
    Form(
        "role",
        rx(
            rf"{_B}i'm the (?P<v>(?:[a-z-]+ ){{0,2}}(?:master|lead|manager|owner|chair|secretary|"
            rf"treasurer|captain|coordinator|editor|head))\b"
        ),
        "You are the {v}",
    ),
    Form(
        "role",
        rx(rf"{_B}(?P<s>(?:[a-z]{{3,12}}|{PERSON})) = (?P<v>(?!\d)[a-z][a-z /&-]{{1,30}}?){_E}"),
        "{s} does {v}",
        subject="{s}",
    ),
    Form(
        "response_preference",
        rx(
            r"\b(?:i'd|i would|i) (?:much )?(?:rather|prefer(?: it if)?) (?:if )?you "
            r"(?P<v>[^.;!?]+?)(?=$|[.;!?]|, and )"
        ),
        "You would rather the assistant {v}",
    ),
    Form(
        "response_preference",
        rx(r"\b(?P<v>(?:please )?spare me (?:the |your )?[^,.;!?]+)"),
        "You asked for this in answers: {v}",
    ),
    Form(
        "response_preference",
        rx(r"\b(?:house|ground|my) rules for (?:this chat|you|our chats|answers)\W+(?P<v>[^,.;!?]+)"),
        "You asked for this in answers: {v}",
    ),
    Form(
        "response_preference",
        rx(
            r"\b(?P<v>(?:tables|bullets|bullet points|lists|charts|diagrams|examples|short answers) "
            r"(?:beat|over|rather than|instead of|work better than) [^.;!?]+)"
        ),
        "You asked for this in answers: {v}",
    ),
    Form(
        "volunteers_at",
        rx(
            r"\bi(?:'m| am)?(?: now| also| still)? (?:volunteer(?:ing)?|help(?:ing)? out) (?:at|in|"
            r"with) (?P<v>(?:the |a |our )?[\w' -]+?)(?=$|[,;.!]| (?:every|on|each|at|twice|once)\b)"
        ),
        "",
    ),
    Form(
        "commute_time",
        rx(rf"\bcommute (?:takes|is|of)(?: me)?(?: about| around)? (?P<v>{_N} (?:minutes|mins|hours?))"),
        "Your commute takes {v}",
    ),
    Form(
        "goal",
        rx(r"\b(?:next|new|my|our) (?:aim|goal|target|challenge|milestone) (?:is|:) (?P<v>[^.;!?]+)"),
        "Your goal is {v}",
    ),
    Form(
        "employer",
        rx(rf"\b(?P<v>{NAME}) is what (?:the |our |my )?(?:company|firm|employer|business)(?:'s| is) called"),
        "Your company is called {v}",
    ),
)
_DUTIES = (
    "coordinates|organi[sz]es|oversees|tutors|is tutoring|teaches|coaches|supervises|moderates|hosts|"
    "edits|designs|chairs|"
    "is coaching|is teaching|is covering for|takes care of|takes minutes|is in charge of|does the|"
    "writes the|drives the|keeps the"
)
_KIND_WORDS = r"(?:[a-z][\w-]+ ){0,2}?[a-z][\w-]+"
_PHONE = r"\+?\d[\d ()/-]{6,18}\d"
MORE = (
    Form(
        "role", rx(rf"{_B}(?P<s>{PERSON}) (?P<v>(?:now |also )?(?:{_DUTIES})(?: [^,;.!?]+)?)"), "{s} {v}", subject="{s}"
    ),
    Form(
        "{thing}",
        rx(
            rf"^(?:the )?(?P<thing>{_KIND_WORDS}) (?:at (?:ours|home|my place|work)|here|i (?:use|have|"
            rf"own)|we (?:use|have|own)) is (?:a |an |the )?(?P<v>(?-i:[A-Z0-9])[^,;]{{1,40}}?){_E}"
        ),
        "Your {thing} is {v}",
    ),
    Form(
        "{thing}",
        rx(
            rf"^the (?P<thing>{_KIND_WORDS}) is an? "
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
            rf"\b(?:{_N} (?:nights|days|weeks)|a (?:week|fortnight|weekend|month)|long weekend) (?:on|"
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
            rf"(?P<v>{_PHONE})"
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
            rf"\b(?:my|our|two|three|four|five|six|\d) (?P<rel>{_PET_WORD})s?\b[^:;.!?]{{0,25}}: "
            rf"(?P<v>{PERSON}(?:, {PERSON})*(?:,? and {PERSON})?)"
        ),
        "Your {word} is called {v}",
        many=True,
    ),
    Form(
        "medication",
        rx(
            rf"{_B}(?P<v>[a-z-]{{5,}}),? \d+(?:\.\d+)? ?(?:mg|mcg|µg|units|iu)\b(?=.*\b(?:every|each|"
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
            rf"(?P<v>{_NP}){_E}"
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
            rf"pool)\b.{{0,80}}?\bmeasures (?P<v>{_N} (?:feet|foot|metres|meters|m|ft|cm|inches))"
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
_FAMILY_OF = rx(rf"\b(?P<own>his|her) (?P<rel>mum|mom|mother|dad|father)\s*(?:=|is|:)\s*(?P<v>{PERSON})")


def read_open(said: Sentence, scene: Scene) -> list[Draft]:
    """What the open forms make of one asserting sentence."""
    found: list[Draft] = []
    for form in (*FORMS, *MORE):
        for match in form.pattern.finditer(said.text):
            groups = match.groupdict()
            if (groups.get("v") or groups.get("w")) and BLOT not in match.group():
                found.extend(_drafts(form, match, said, scene))
    for match in _FAMILY_OF.finditer(said.text):
        slot = "mother_in_law" if match["rel"].lower() in {"mum", "mom", "mother"} else "father_in_law"
        if re.search(r"\b(?:hubby|husband|wife|partner|spouse)\b", said.text[: match.start()], re.IGNORECASE):
            found.append(
                _draft("user", slot, match["v"], f"Your {slot.replace('_', '-')} is {match['v']}", match, said, scene)
            )
    return found


def _drafts(form: Form, match: re.Match[str], said: Sentence, scene: Scene) -> list[Draft]:
    groups = {key: tidy(text) for key, text in match.groupdict().items() if text}
    groups.setdefault("v", groups.get("w", ""))
    if "{person}" in form.subject + form.says:
        person = scene.discourse.person
        named = next(
            (one.subject for one in reversed(scene.drafts) if one.subject != "user" and one.subject[:1].isupper()), ""
        )
        groups["person"] = named or (person.subject if person else "")
        if not groups["person"]:
            return []
    if "{thing_before}" in form.subject:
        groups["thing_before"] = _heading(said, match)
        if not groups["thing_before"]:
            return []
    groups["clause"] = second_person(_clause(match, said))
    groups["said"] = tidy(match.group()).split(", ")[-1]
    word = groups.get("rel", "").lower()
    groups["word"], groups["rel"] = word, RELATIONS.get(word, snake(word))
    if "s" in groups and groups["s"].islower() and form.slot == "role":
        groups["s"] = groups["s"].capitalize()
    slot = form.slot.format(**{**groups, "thing": snake(groups.get("thing", ""))})
    subject = form.subject.format(**groups)
    if form.slot == "role" and subject.casefold() in KIN:
        slot, subject, groups["v"] = KIN[subject.casefold()], "user", groups["v"].title()
    found = []
    for value in items(groups["v"]) if form.many else [groups["v"]]:
        says = form.says.format(**{**groups, "v": value}) if form.says else second_person(_clause(match, said))
        kept = bare(value) if form.slot in {"likes", "dislikes", "allergy"} else value
        found.append(_draft(subject, slot, kept, says, match, said, scene))
    if "a" in groups:
        found.append(_draft(subject, "age", groups["a"], found[0].statement, match, said, scene))
    return found


_HEADING = re.compile(
    rf"^(?:status of |update on |re )?(?:the |my |our )?(?P<n>{NAME}|[a-z][\w-]+(?: "
    rf"[\w-]+){{0,2}}?)(?= \(| at\b| is\b|:|,)",
    re.IGNORECASE,
)


def _heading(said: Sentence, match: re.Match[str]) -> str:
    """What the sentence is headed by: "Operation Marigold (…): 60 percent"."""
    found = _HEADING.match(said.text)
    return tidy(found["n"]) if found and found.end() <= match.start("v") else ""


def _clause(match: re.Match[str], said: Sentence) -> str:
    """The words around a match, to the next marks."""
    start = max((said.text.rfind(mark, 0, match.start()) for mark in ";.!—"), default=-1) + 1
    ends = [at for mark in ";!—" if (at := said.text.find(mark, match.end())) >= 0]
    return said.text[start : min(ends, default=len(said.text))]


def _draft(subject: str, slot: str, value: str, says: str, match: re.Match[str], said: Sentence, scene: Scene) -> Draft:
    return Draft(
        subject,
        slot,
        tidy(value),
        sentence(says),
        said.start + match.start(),
        said.start + match.end(),
        valid_at=resolve(value, scene.now),
        expires_at=lifetime(slot, said.text, scene.now),
    )
