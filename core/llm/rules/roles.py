"""Who does what: responsibilities, owners, and what else is said of people by name."""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.clauses import Clause
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import bare, read_value, rx, snake
from core.llm.rules.scene import Rule, Scene, draft
from core.llm.rules.timing import canonical
from core.slots import normalise

PERSON_THING_RULES = [
    Rule(
        "role",
        rx(
            "(?:am |is |are )?(?:in charge of|responsible for|handling|leading|running|heading(?: up)?|"
            "managing|owning|looking after|covering) "
            r"(?P<v>(?!(?:late|low|out|for|into|short|behind|around|errands|\d)\b).+)"
        ),
        "person",
    ),
    Rule(
        "role",
        rx(
            "(?:handles|owns|runs|leads|manages|heads|oversees|coordinates|maintains|supervises|chairs|looks "
            "after|takes care of|deals with|does|covers|signs off on|approves|reviews|organises|organizes|is "
            "on|will handle|will own|will lead|runs the|is doing) (?P<v>(?!(?:not|n't|the (?:dishes|shopping|"
            r"same)|it|that|so|(?:(?:maternity|paternity|parental|sick|annual|long) )?(?:leave|"
            r"holiday|vacation|sabbatical|break)\b|crutches|track|board|antibiotics|until\b|till\b|"
            r"from \d|a (?:lot|mile)|"
            r"\w+ (?:miles|km|k))\b).+)"
        ),
        "other",
    ),
    Rule(
        "role",
        rx(
            "(?:just |only )?(?:handle|do|lead|manage|run|own|oversee|coordinate|maintain|chair|supervise|"
            "cover|look after|take care of) (?P<v>(?:the|all|our) .+)"
        ),
        "self",
    ),
    Rule(
        "role",
        rx(
            "(?:is|are|'s|was|has become|will be|becomes) (?:now )?(?:our|my|the) (?:new |only |interim |"
            "main |own )*(?P<v>.+)"
        ),
        "other",
    ),
    Rule(
        "visit",
        rx("(?:is|are) (?:visiting|coming (?:over|to visit|to stay|round)|staying with (?:me|us)|in town) ?(?P<v>.+)"),
        "other",
        soft=True,
    ),
    Rule(
        "origin", rx(r"(?:came|comes|moved|transferred|joined|is|joined us)(?: over)? from (?:the )?(?P<v>.+)"), "other"
    ),
    Rule(
        "availability",
        rx(
            r"(?:is|are|am)(?: \w+)? (?P<v>(?:offline|unavailable|out of office|away|off (?=on|until|this|"
            "next|today|tomorrow|from|for|every|sick)|available|free|online|on leave|on holiday|busy|not "
            "available) .+)"
        ),
        "person",
        soft=True,
    ),
    Rule("availability", rx(r"(?P<v>(?:don't work|doesn't work|am not free|is not free) (?:on )?.+)"), "person"),
    Rule(
        "employment_status",
        rx(
            "(?P<v>(?:has |have )?(?:left|quit|resigned from|retired from|got fired from|was let go from) "
            "(?:the|our|her|his|my) ?(?:company|team|firm|job|org|organisation|band|club)?.*)"
        ),
        "other",
    ),
    Rule(
        "employment_status",
        rx(
            "(?P<v>(?:has |have )?(?:retired|resigned|joined the (?:company|team)|is on (?:maternity|"
            r"paternity|sick) leave|is leaving (?:the|us)\b).*)"
        ),
        "other",
    ),
    Rule("death", rx(r"(?:has |have )?(?P<v>(?:passed away|died|passed on|is dead|was killed)\b.*)"), "any"),
    Rule(
        "medication",
        rx(
            "(?:will |'ll )?(?:needs?|need) (?:her|his|their|an|my) (?P<v>inhaler|epi-?pen|insulin|glasses|"
            r"hearing aids?|medication|medicine|brace)\b"
        ),
        "person",
    ),
    Rule(
        "breed",
        rx(
            r"(?:is|are|'s) (?:a|an) (?P<v>[\w -]*(?:hound|terrier|retriever|labrador|lab|poodle|spaniel|"
            "collie|shepherd|dachshund|beagle|husky|bulldog|corgi|mastiff|setter|pointer|schnauzer|chihuahua|"
            "pug|boxer|whippet|mutt|mongrel|cross|doodle|tabby|siamese|ragdoll|maine coon|persian|bengal|"
            r"shorthair|longhair|sphynx|lop|angora|lionhead|cockatiel|pony|cob))\b"
        ),
        "any",
    ),
]


_TAKEN_OVER = rx(
    "(?:has |have |will |'ll )?(?:taken|take|took|takes|taking) over (?:as )?(?P<v>.+?)(?: from "
    r"(?:him|her|them|\w+))?$"
)


_IS_OWNER = rx(
    "(?:is|'s|are|am|becomes|became|will be) (?:now )?(?:the|our|my)? ?(?:new )?(?P<p>owner|lead|"
    "maintainer|sponsor|organi[sz]er|host|author|product owner) (?:of|for) (?:the |our |my |project "
    ")?(?P<x>.+)$"
)


_PROJECT_NAME = re.compile(r"(?:[Pp]roject ([A-Z][\w -]*)|([A-Z][\w-]*) project)$")


def settle(one: Draft, scene: Scene) -> Draft:
    """The draft under the slot where its thing is already known."""
    named = _PROJECT_NAME.match(one.subject)
    subject, attribute = canonical((named[1] or named[2]) if named else one.subject, one.attribute, scene)
    return replace(one, subject=subject, attribute=attribute)


def read_ownership(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "X has taken over Y", "X is the owner of Y"."""
    if not clause.entity.person:
        return []
    who = clause.entity.subject
    if found := _TAKEN_OVER.match(clause.predicate):
        thing = bare(read_value(found["v"]))
        attribute = next(
            (
                m.attribute
                for m in scene.known
                if normalise(m.subject) == normalise(thing) and m.attribute in {"owner", "lead"}
            ),
            "owner",
        )
        return [draft(clause, attribute, who, scene, subject=thing)]
    if found := _IS_OWNER.match(clause.predicate):
        return [draft(clause, snake(found["p"]), who, scene, subject=bare(read_value(found["x"])))]
    return []


def read_owned(clause: Clause, scene: Scene) -> list[Draft]:
    """Reads "NAME is the owner of X" before any other reading of "is"."""
    return [settle(one, scene) for one in read_ownership(clause, scene)]
