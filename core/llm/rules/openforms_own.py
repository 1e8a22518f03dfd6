"""Open forms of what people say about themselves and their own."""

from __future__ import annotations

from core.llm.rules.dates import WHEN
from core.llm.rules.openform import BEGIN, BREEDS, END, NOUNS, NUMBER, PET_WORD, Form
from core.llm.rules.phrases import NAME, PERSON, RELATION, rx
from core.llm.rules.takes import MONEY

OWN_FORMS = (
    Form(
        "name",
        rx(rf"{BEGIN}(?:(?:hi|hello|hey)[, ]+)?(?P<v>{PERSON}) (?:here|speaking)(?=$|[,;:.!])"),
        "Your name is {v}",
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
    Form("name", rx(rf"{BEGIN}it's (?P<v>{PERSON})(?=,? (?:surname|last name|family name))"), "Your name is {v}"),
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
    Form("birthday", rx(rf"{BEGIN}(?:i was )?born (?:on )?(?P<v>(?:the )?{WHEN})"), "You were born on {v}"),
    Form("hometown", rx(rf"\bborn and (?:bred|raised) (?:in )?(?P<v>{NAME})"), "You were born and raised in {v}"),
    Form(
        "hometown",
        rx(
            rf"{BEGIN}(?:a |i'm a |i am a )?(?P<v>{NAME}) (?:born and (?:bred|raised)|(?:girl|boy|lad|"
            rf"lass|native|kid) (?:originally|at heart|born|by birth|through and through))"
        ),
        "You come from {v}",
    ),
    Form(
        "allergy",
        rx(
            rf"{BEGIN}(?P<v>(?!it\b|this\b|that\b|work\b|he\b|she\b|they\b)[\w-]+(?: [\w-]+){{0,2}}?) "
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
            rf"(?P<v>{NOUNS}){END}"
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
            rf"other than) (?P<v>{NOUNS}){END}"
        ),
        "You eat anything but {v}",
        many=True,
    ),
    Form(
        "likes",
        rx(
            rf"{BEGIN}(?:i'm a |i am a |a )?(?:big|huge|massive|great|lifelong) (?:fan|lover) of "
            rf"(?P<v>{NOUNS}){END}"
        ),
        "You are a big fan of {v}",
        many=True,
    ),
    Form(
        "likes",
        rx(
            rf"{BEGIN}(?:of all (?:the )?[\w ]+?,? )?(?P<v>(?!it\b|this\b|that\b|he\b|she\b)[\w'-]+"
            rf"(?: [\w'-]+){{0,3}}?) (?:wins? hands down|beats? everything|always wins|is (?:totally |really "
            rf")?my (?:jam|thing|happy place|cup of tea))\b"
        ),
        "",
    ),
    Form("likes", rx(r"\balso (?P<v>(?!i\b)[\w'-]+(?: [\w'-]+){0,3}?), yes please"), "You like {v}"),
    Form(
        "dislikes",
        rx(
            rf"{BEGIN}(?P<v>(?!it\b|this\b|that\b|he\b|she\b|they\b)[\w'-]+(?: [\w'-]+){{0,3}}?) (?:bores? me "
            rf"(?:to (?:tears|death)|stiff|rigid)|leaves? me cold|makes? me gag|(?:is|are) (?:really "
            rf")?not (?:for me|my (?:thing|cup of tea))|gives? me the creeps)\b"
        ),
        "",
    ),
    Form("likes", rx(rf"\bi only ever (?:watch|listen to|read|drink|play|follow) (?P<v>{NOUNS}){END}"), ""),
    Form("{rel}", rx(rf"{BEGIN}(?:my )?(?P<rel>{RELATION})\s*(?:=|→)\s*(?P<v>{PERSON})"), "Your {word} is {v}"),
    Form("{rel}", rx(rf"\b(?:my )?(?P<rel>{RELATION}) (?:number|no\.?) \w+,? (?P<v>{PERSON})"), "Your {word} is {v}"),
    Form("{rel}", rx(rf"\b(?P<v>{PERSON}) (?:the|our|my) (?P<rel>{PET_WORD})\b"), "Your {word} is called {v}"),
    Form(
        "dog",
        rx(
            rf"\b(?:pup|puppy|dog|{BREEDS})\b[^.;!?]{{0,50}}?\b(?:answers to|goes by|is called|is "
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
        rx(rf"\b(?:pup|puppy|dog)\b[^.;!?]{{0,30}}? is (?:a |an )?(?P<v>(?:[\w-]+ )?(?:{BREEDS}))\b"),
        "Your dog is a {v}",
    ),
    Form(
        "age",
        rx(
            rf"\b(?P<s>{PERSON}),? (?:who(?:'s| is) )?(?:turning|turns|aged|nearly|almost) "
            rf"(?P<v>{NUMBER})\b(?! (?:o'clock|pm|am))"
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
            rf"{BEGIN}(?:the |our |my )?(?P<s>twins|baby|triplets|little one) (?:is|are|'s) due (?:in |on "
            rf"|by |around )?(?P<v>(?:the )?{WHEN})"
        ),
        "The {s} due in {v}",
        subject="{s}",
    ),
    Form(
        "tenure",
        rx(
            rf"\bafter (?P<v>(?:nearly |over |almost )?{NUMBER} years (?:on|in|at|as|with|of) [\w'&-]+"
            rf"(?: [\w'&-]+){{0,4}}?){END}"
        ),
        "",
    ),
    Form(
        "condition_since",
        rx(
            rf"\b(?:diabetic|epileptic|asthmatic|coeliac|celiac|deaf|blind|vegan|vegetarian) since "
            rf"(?P<v>(?:i was )?(?:the age of |birth|age |childhood|{NUMBER}|\d{{4}})\w*(?: \w+)?){END}"
        ),
        "",
    ),
    Form(
        "budget",
        rx(
            rf"\b(?:put|set|putting|setting)(?: \w+)? ?(?:aside|by)(?: about| around)? "
            rf"(?P<v>{MONEY}(?: (?:for|towards) (?:the |a |our |my )?[\w ]+?)?){END}"
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
            rf"{BEGIN}i'm the (?P<v>(?:[a-z-]+ ){{0,2}}(?:master|lead|manager|owner|chair|secretary|"
            rf"treasurer|captain|coordinator|editor|head))\b"
        ),
        "You are the {v}",
    ),
    Form(
        "role",
        rx(rf"{BEGIN}(?P<s>(?:[a-z]{{3,12}}|{PERSON})) = (?P<v>(?!\d)[a-z][a-z /&-]{{1,30}}?){END}"),
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
        rx(rf"\bcommute (?:takes|is|of)(?: me)?(?: about| around)? (?P<v>{NUMBER} (?:minutes|mins|hours?))"),
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
