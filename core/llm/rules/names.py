"""What people are called, in loose sentences: "Tamsin here", "myself Ravi from Madurai", "Roz is fine"."""

from __future__ import annotations

import re

from core.llm.rules.draft import Draft
from core.llm.rules.loose import Form, read_forms
from core.llm.rules.phrases import NAME, PERSON, rx, words
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.work import is_job_title

_NOT_NAMES = words(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december i it that this everything anything something nothing either both all none "
    "right same over look still back newbie noob nope yes no ok okay tomorrow today tonight english french german "
    "spanish afternoon morning evening noon google whatsapp christmas easter we you he she they what who please thanks "
    "not the a an and but so if just here there sorry hi hello hey well good new "
    "sure absolutely certainly definitely totally exactly great perfect awesome cool nice fine alright yeah yep yup "
    "correct indeed agreed understood noted done finally actually honestly basically however also then maybe perhaps "
    "anyway cheers congratulations welcome"
)


def is_name(text: str) -> bool:
    """Whether a capitalised phrase may be a person's name."""
    first = text.split(maxsplit=1)[0].strip(".").lower() if text.split() else ""
    return bool(first) and first not in _NOT_NAMES and not is_job_title(text.lower())


_HELLO = (
    "(?:(?:hi+|hiya|hey+a?|heya|hello|helo|yo|good (?:morning|day|evening|afternoon)|greetings|"
    r"dear [\w/ ]+?)\b(?: there| all| everyone| team)?[\s,!.]*)"
)


_NAME_FORMS = (
    Form(
        "name",
        rx(
            f"{_HELLO}?(?:it's|its|this is|name's|i'm|i am|myself|me is|am) (?:me,? )?(?P<v>{PERSON})(?= "
            r"here\b(?!['’]s))"
        ),
        "Your name is {v}",
        own=True,
        whole=True,
        test=is_name,
    ),
    Form(
        "name",
        rx(
            rf"{_HELLO}(?:it's|its|this is|name's|it is|me is|here is) (?:me,? )?(?P<v>{PERSON})(?=\s*(?:[,.!(]|"
            r"$| again| from| and i\b))"
        ),
        "Your name is {v}",
        own=True,
        whole=True,
        test=is_name,
    ),
    Form(
        "name",
        rx(rf"{_HELLO}?(?P<v>{PERSON})(?:,? | )here\b(?!['’]s)(?=\s*(?:[,.!(–-]|$|and|from|again|[^\w\s]))"),
        "Your name is {v}",
        own=True,
        whole=True,
        test=is_name,
    ),
    Form(
        "name",
        rx(r"(?-i:(?:[Hh]i|[Hh]ey|[Hh]ello)[ ,!]+(?P<v>[a-z]{3,14})) here\b(?!['’]s)(?=\s*(?:[,.!]|$))"),
        "Your name is {v}",
        own=True,
        whole=True,
        test=is_name,
    ),
    Form("name", rx(rf"{_HELLO}?myself (?:is |am )?(?P<v>{PERSON})"), "Your name is {v}", whole=True, test=is_name),
    Form("name", rx(rf"(?:full |my )?name:\s*(?P<v>{PERSON})\s*$"), "Your name is {v}", whole=True, test=is_name),
    Form(
        "name",
        rx(rf"(?:the )?name(?:'s| is) (?P<v>{PERSON})(?=,)"),
        "Your name is {v}",
        own=True,
        whole=True,
        test=is_name,
    ),
    Form(
        "name",
        rx(rf"(?:the )?name(?:'s| is) {PERSON},\s*(?P<v>{PERSON})(?=\s*(?:[.!]|$))"),
        "Your name is {v}",
        own=True,
        whole=True,
        test=is_name,
    ),
    Form(
        "name",
        rx(rf"(?:i|we)(?:'m| am|'ve been| was) (?:called|named|christened|baptised) (?:\")?(?P<v>{PERSON})"),
        "Your name is {v}",
        whole=True,
        test=is_name,
    ),
    Form(
        "hometown",
        rx(
            f"(?:myself|this is|i'm|i am) {PERSON},? (?:(?:and )?i'm |i am |originally |hailing |coming "
            f")?from (?P<v>{NAME})"
        ),
        "You are from {v}",
        whole=True,
    ),
    Form(
        "nickname",
        rx(
            f"(?:just |only )?(?P<v>{PERSON})(?: is|'s| will be| would be)? (?:totally |just |perfectly "
            r"|absolutely )?(?:fine|ok|okay|enough|good enough|will do|works|does it|for short)\b(?! for "
            r"(?:the|a|me to)\b)"
        ),
        "You are called {v}",
        whole=True,
        test=is_name,
    ),
    Form(
        "nickname",
        rx(
            "(?:(?:pretty much |almost |nearly )?(?:everyone|everybody|people|friends|colleagues|folks|"
            rf"family|mates|they|all|most people|the (?:kids|lads|girls|guys|team)|my [\w -]{{2,20}}|our "
            rf"[\w -]{{2,20}})(?: at \w+| in \w+| here| there| around here)?(?:'ve|'s)? )(?:(?:all|always|"
            "just|usually|also|only|mostly) )*(?:(?:have |has |had )?(?:always |just )?called|are (?:all "
            "|always |just )?calling|is calling|(?:have )?(?:always )?known|knows?|refers? to|calls?|"
            rf"addresse?s?) me (?:by |as )?\"?(?P<v>{PERSON})"
        ),
        "You are called {v}",
        whole=True,
        test=is_name,
    ),
    Form(
        "nickname",
        rx(
            "(?:(?:you can|you could|please|kindly|just|better|feel free to) )+(?:call|address|refer "
            rf"to) me (?:as |by )?\"?(?P<v>{PERSON})"
        ),
        "You are called {v}",
        whole=True,
        test=is_name,
    ),
    Form(
        "nickname",
        rx(
            "(?:i'm |i am |i )?(?:better |also |usually |generally )?(?:known (?:as|by)|goes? by|nicknamed|"
            rf"prefer (?:the name|to be called|to go by|being called)|like to be called) \"?(?P<v>{PERSON})"
        ),
        "You go by {v}",
        own=True,
        whole=True,
        test=is_name,
    ),
    Form(
        "name", rx(rf"(?:it's |that's )?short for (?P<v>{PERSON})"), "Your full name is {v}", whole=True, test=is_name
    ),
)


_CALLING = re.compile(
    r"\b(?:call|called|calling|bother|name|nickname|short|know[ns]?|address|goes? by|refer)\b|"
    r"\bwhole thing\b|\bfull thing\b",
    re.IGNORECASE,
)


def _calls(one: Sentence, scene: Scene, found: list[Draft]) -> bool:
    """Whether "X is fine" is about what to call the speaker."""
    return (
        bool(_CALLING.search(one.text))
        or scene.said("name")
        or any(other.attribute in {"name", "first_name"} for other in found)
    )


def read_names(one: Sentence, scene: Scene) -> list[Draft]:
    """Names and nicknames of the speaker."""
    found = read_forms(_NAME_FORMS, one, scene)
    return [draft for draft in found if draft.attribute != "nickname" or _calls(one, scene, found)]
