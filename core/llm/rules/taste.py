"""Likes, dislikes, pastimes and habits."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Clause
from core.llm.rules.phrases import PERSON, rx
from core.llm.rules.scene import Rule

TASTE_RULES = [
    Rule(
        "dislikes",
        rx(
            "(?:am |is |are )?(?:not|never been|no) (?:really |exactly )?(?:a |an )?(?:big |huge |massive |"
            "great )?(?:fan of|keen on|fond of|into|crazy about|mad about|one for) (?P<v>.+)"
        ),
        "person",
        many=True,
    ),
    Rule(
        "dislikes",
        rx(
            "(?:really |absolutely |just )?(?:hate|hates|dislike|dislikes|detest|detests|despise|despises|"
            "loathe|loathes|abhor|can't stand|cannot stand|cant stand|can't bear|cannot bear|can't stomach|"
            "cannot stomach|don't like|dont like|do not like|doesn't like|don't enjoy|don't care for|can't "
            "abide|am sick of|never liked|am not a fan of|have never liked|don't really like|don't "
            "particularly like|am terrified of|am scared of|am afraid of) (?P<v>.+)"
        ),
        "person",
        many=True,
    ),
    Rule(
        "likes",
        rx(
            "(?:really |absolutely |just |do |still )?(?:love|loves|adore|adores|am obsessed with|is "
            "obsessed with|am crazy about|is crazy about|am mad about|enjoy|enjoys|into|am into|is into|am really "
            "into|am keen on|am fond of|am a (?:big |huge |massive |lifelong )?fan of|is a (?:big |huge "
            ")?fan of|am passionate about|have a soft spot for|have always loved|am partial to|big fan of|"
            "huge fan of) (?P<v>(?!to (?:hear|know|see|have|get) |how |that ).+)"
        ),
        "person",
        many=True,
    ),
    Rule(
        "likes",
        rx(
            "(?:like|likes|am interested in|is interested in) (?P<v>(?!to (?:hear|know|see|have|get|ask|make|"
            r"change|book|order|return) |how |that |this|it\b|the (?:idea|look|sound|first|second)|your ).+)"
        ),
        "person",
        many=True,
    ),
    Rule("likes", rx(r"(?:support|supports) (?P<v>(?-i:[A-Z]).+)"), "person"),
    Rule("preference", rx(r"(?:prefer|prefers|would rather have) (?P<v>.+)"), "person", soft=True),
    Rule(
        "hobby",
        rx(
            "(?:have |has |had )?(?:taken up|took up|got into|gotten into|started|am taking up|begun|began) "
            "(?P<v>(?!work|a (?:new )?(?:job|role|course)|my |the |using|to |eating|at |in |on |as |with |"
            r"smoking|drinking|off)(?:\w+ing(?: \w+){0,3}|yoga|pilates|pottery|judo|karate|chess|piano|violin|"
            r"guitar|tennis|golf|\w+ing))"
        ),
        "person",
    ),
    Rule(
        "hobby",
        rx(
            "(?P<v>(?:play|plays|am learning to play|sing|sings) (?:the |in a |in an )?(?!with|a role|devil|"
            r"it|around)\w+(?: \w+){0,4})"
        ),
        "person",
    ),
    Rule(
        "hobby",
        rx(r"(?P<v>(?:go|goes) (?!to|on|with|by|for|back|home|in|out|through|into|ahead|away)\w+ing\b.*)"),
        "person",
    ),
    Rule(
        "hobby",
        rx(
            "(?P<v>(?:collect|collects|knit|knits|crochet|paint|paints|garden|gardens|bake|bakes|climb|"
            "climbs|surf|surfs|hike|hikes|restore|restores|brew|brews|volunteer|volunteers|box|kayak|coach|"
            r"coaches|referee|run marathons|swim|swims|cycle|cycles|dance|dances|fence|forage)\b(?! (?:to "
            "work|the kids)).*)"
        ),
        "person",
    ),
    Rule("drinks", rx(r"(?:only |mostly |usually )?(?:drink|drinks) (?P<v>(?!and).+)"), "person", soft=True),
    Rule("diet", rx(r"(?:have |has )?(?:started|begun|gone back to) (?P<v>eating .+)"), "person"),
    Rule("diet", rx(r"(?:eat|eats) (?P<v>(?:only |no |mostly |a lot of )\w+.*)"), "person"),
    Rule(
        "drinks",
        rx(r"(?:take|takes|have|like) (?:my|his|her|our) (?P<v>(?:coffee|tea|espresso)\b.*)"),
        "person",
        soft=True,
    ),
    Rule(
        "language",
        rx(
            "(?:can |also )?(?:speak|speaks|am fluent in|is fluent in|am native in|am bilingual in|speak "
            "some|speak fluent) (?:a little |a bit of |some |fluent |basic |native |good |decent |broken "
            ")*(?P<v>(?-i:[A-Z]).+)"
        ),
        "person",
        many=True,
    ),
    Rule(
        "visited",
        rx(r"(?:have |has )?(?:visited|been to|have been to|travelled to) (?P<v>(?-i:the [A-Z]|[A-Z]).+)"),
        "person",
        many=True,
    ),
    Rule(
        "relationship_status",
        rx(
            "(?:am|is|are|got|have been)? ?(?:recently |happily |newly )?(?P<v>(?:married|single|divorced|"
            r"engaged|widowed|separated)(?! (?:to|room|ticket)))\b"
        ),
        "person",
    ),
    Rule("spouse", rx(rf"(?:am|got|is) (?:married|engaged) to (?P<v>{PERSON})"), "person"),
    Rule(
        "transport",
        rx(
            "(?P<v>(?:commute|commutes|cycle to|drive to|walk to|take the (?:train|bus|tram|ferry|metro|"
            r"tube) to)\b.+)"
        ),
        "person",
    ),
    Rule("wears", rx(r"(?:wear|wears) (?P<v>.+)"), "person"),
    Rule("clothing_size", rx(r"(?:am|is|take|wear|wears) (?:a )?(?:shoe )?size (?P<v>[\w.]+)"), "person"),
    Rule(
        "goal",
        rx(r"(?:am |is |are )?(?:training|saving(?: up)?|preparing|studying|practising|aiming) (?P<v>for .+)"),
        "person",
        soft=True,
    ),
    Rule(
        "goal",
        rx(
            "(?:want|wants|am trying|am hoping|aim|am aiming|hope) to (?P<v>(?!know|ask|see|make sure|check|"
            "understand|add|say|mention|tell|change (?:the|this)|use|have|get (?:a|an|the|it)|buy|go|do|be "
            r"sure|find)\w+.+)"
        ),
        "person",
        soft=True,
    ),
]


_TASTE = rx(r"(?<!'d )(?<!would )\b(?:love|like|enjoy|adore|hate|dislike|prefer|can't stand|am into|fan of)s?\b")


def compares(clause: Clause) -> bool:
    """Whether "like" gives an example or compares: "the important ones first, like the menu", "worried, like you said".

    Without a subject of its own it is a verb only where tastes are told already: "I love tea, like coffee, hate milk".
    """
    if not (clause.elided and re.match(r"like\b", clause.predicate)):
        return False
    return not _TASTE.search(clause.sentence.partition(clause.said)[0])
