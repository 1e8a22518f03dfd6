"""Likes and dislikes in loose sentences: "horror films I hate", "total sucker for cardamom"."""

from __future__ import annotations

import re

from core.llm.rules.draft import Draft
from core.llm.rules.loose import Form, read_forms
from core.llm.rules.phrases import rx
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence

_LOVE = r"(?:love|adore|enjoy|like|am into|live for)"
_HATE = "(?:hate|can't stand|cannot stand|detest|loathe|despise|can't bear|don't like|dislike|can't do|can't deal with)"
_GROUP = (
    r"(?P<v>(?!it\b|that\b|this\b|them\b|what\b|which\b|one\b|things?\b|people\b|something\b|someone\b|"
    r"the thing\b)[\w'-]+(?: [\w'-]+){0,3}?)"
)


_TASTE_FORMS = (
    Form(
        "likes",
        rx(
            "(?:i'm |i am |am )?(?:such )?(?:an? )?(?:absolute|total|real|complete|proper|big|huge|massive)"
            "? ?(?:sucker|fiend) for (?P<v>(?:anything (?:with|by|involving|about) )?[^,.;!?()]{2,50})"
        ),
        "You like {v}",
        own=True,
    ),
    Form(
        "likes",
        rx(
            "(?:i'm |i am |am |we're )?(?:really |very |so |pretty |super |quite |totally |absolutely "
            ")*(?:big on|obsessed with|mad (?:about|for|on)|crazy (?:about|for)|nuts about|hooked on|"
            "addicted to|in love with|partial to|keen on|fond of|hung up on) (?P<v>.+)"
        ),
        "You like {v}",
        own=True,
        many=True,
    ),
    Form(
        "likes",
        rx(
            "(?:i )?(?:just )?(?:can't|cannot|could not|couldn't) (?:get enough of|live without|say no "
            "to|resist|do without|start (?:the|my) day without) (?P<v>.+)"
        ),
        "You like {v}",
        own=True,
        many=True,
    ),
    Form(
        "likes",
        rx(
            "i could (?:happily )?(?:listen to|eat|watch|live on|read|drink|play|talk about|look at) "
            "(?P<v>[^,.;!?]{2,40}?) (?:all day|every (?:single )?day|forever|for ever|all night|for hours|"
            r"on repeat|till|until|non-?stop|for the rest)\b"
        ),
        "You like {v}",
        whole=True,
    ),
    Form(
        "likes",
        rx(
            "i(?:'ll|'d| will| would| can| could)? (?:also |happily )?(?:read|watch|listen to|eat|drink|"
            "play|try) (?:literally |pretty much |basically |almost |just about )?(?P<v>(?:anything|everything)"
            " (?:by|from|with|about|on|set in|involving) .+)"
        ),
        "You like {v}",
    ),
    Form(
        "likes",
        rx(
            "(?:i've |i have |i'm |i am |am |have )?(?:recently |lately |just |also )?(?:been )?(?:getting|"
            "gotten|got|become|becoming|been) (?:super |really |very |so |quite |pretty |properly |seriously "
            "|a bit |more and more )*(?:into|hooked on|obsessed with|keen on) (?P<v>.+?)(?= lately| recently|"
            " these days|,|[.;!?)]|$)"
        ),
        "You like {v}",
        own=True,
        many=True,
    ),
    Form(
        "likes",
        rx("(?:i |we )(?:very|much|so much|quite|also|really very) (?:much )?(?:like|love|enjoy) (?P<v>.+)"),
        "You like {v}",
        many=True,
    ),
    Form(
        "likes",
        rx("(?:i |we )?(?:like|love|enjoy)s? (?:very much|a lot|so much|very) (?P<v>(?!when|if|that|it|this|how).+)"),
        "You like {v}",
        own=True,
        many=True,
    ),
    Form(
        "likes",
        rx(
            "i (?:really |absolutely |just |kind of )?(?:live for|swear by|stan|geek out (?:over|on|about)"
            "|nerd out (?:over|on|about)|am all about|follow|religiously watch|binge|mostly listen to|"
            "only listen to|listen to a lot of|listen to|mainly (?:read|watch)|mostly (?:read|watch)|"
            r"read a lot of|watch a lot of|play a lot of) (?P<v>(?!you\b|it\b|that\b|this\b|the (?:steps|"
            "instructions|guide|news)|what|your|my ).+)"
        ),
        "You like {v}",
        many=True,
    ),
    Form(
        "likes",
        rx(r"(?:nothing|you can't) (?:beats?|tops?|better than|like) (?P<v>(?!it\b|that\b)[^,.;!?]{2,40})"),
        "You like {v}",
    ),
    Form(
        "likes",
        rx(
            f"{_GROUP} (?:is|are) (?:totally |really |so |very )?(?:my (?:jam|thing|happy place|guilty "
            "pleasure|comfort (?:food|watch|read|show|film)|weakness|passion|obsession|drug of choice|"
            r"bag|go-?to)|the best thing(?: ever)?|where my heart is)\b"
        ),
        "You like {v}",
        whole=True,
    ),
    Form(
        "dislikes",
        rx(
            f"{_GROUP} (?:isn't|aren't|(?:is|are) (?:just |really |so |definitely )?not) (?:really |just "
            r")?(?:my (?:cup of tea|thing|bag|jam|scene)|for me|the worst)\b"
        ),
        "You dislike {v}",
        whole=True,
    ),
    Form(
        "likes",
        rx(
            f"(?:i'd take |i'd pick |give me |i prefer )?{_GROUP} (?:over|above|before|beats) (?:anything "
            rf"else|everything(?: else)?|anything|any other \w+|[\w -]{{2,24}} (?:any day|every time|always)"
            ")"
        ),
        "You like {v}",
        own=True,
        whole=True,
    ),
    Form(
        "likes",
        rx(
            "(?:i'm |i am |am )?(?:an? )?(?:absolute |total |real |complete |proper |big |huge |massive "
            "|lifelong |avid |secret |bit of an? |self-confessed |diehard |die-hard )*(?P<v>(?!cat person|"
            r"dog person|good|great|not|huge|no\b|big\b|a\b|an\b|never)[\w'-]+(?: [\w'-]+){0,2}?) (?:fan|"
            "lover|nut|addict|enthusiast|geek|nerd|junkie|freak|fanatic|buff|aficionado|supporter|obsessive)"
            "(?: here| at heart| btw| since .+)?(?=[,.;!?)]|$| (?:and|but|so|since|who))"
        ),
        "You like {v}",
        own=True,
        whole=True,
        test=lambda text: not re.search(r"\b(?:a|not|no|never|an)\b", text),
    ),
    Form(
        "likes",
        rx(
            r"(?P<v>(?-i:[A-Z])[\w' -]{2,40}?) (?:above|over|before) (?:everything|anything|all)(?: else)"
            r"?\b"
        ),
        "You like {v}",
        own=True,
        whole=True,
    ),
    Form(
        "dislikes",
        rx(
            "(?:i |i'm |i am |am )?(?:just |really |so )?(?:can't|cannot|couldn't) (?:be (?:doing with|"
            "arsed with|bothered with|dealing with)|get into|get on with|abide|deal with|handle|hack|"
            r"face|look at) (?P<v>(?!it\b|that\b|this\b|the fact|you\b).+)"
        ),
        "You dislike {v}",
        own=True,
        many=True,
    ),
    Form(
        "dislikes",
        rx(
            "(?:i'm |i am |am |i was )?(?:really |just |so )?(?:not|never|never been|never really|no "
            "longer) (?:that |very |really |too |so |particularly |super |a )?(?:big on|keen on|fond "
            "of|mad (?:about|on)|crazy about|into|bothered about|one for|got into|(?:big |huge |great "
            ")?fan of|understood the appeal of|got the hype about) (?P<v>.+)"
        ),
        "You dislike {v}",
        own=True,
        many=True,
    ),
    Form(
        "dislikes",
        rx(
            "i (?:could (?:happily )?(?:do|live) without|don't (?:get on with|get along with|care (?:much "
            ")?for|do|really do|see the point of|have time for)|avoid .{0,3}|steer clear of|have never "
            "(?:liked|got into|understood)|never (?:liked|got into)|have no time for|draw the line at|"
            r"am allergic to the idea of) (?P<v>(?!it\b|that\b|this\b|you\b|so\b|much\b|well\b|anything\b|"
            r"drugs\b).+)"
        ),
        "You dislike {v}",
        many=True,
    ),
    Form(
        "dislikes",
        rx(
            f"{_GROUP} (?:drives?|winds?|creeps?|grosses|bores?|stresses|freaks) me (?:mad|crazy|nuts|"
            r"up(?: the wall)?|out|insane|to (?:tears|death)|silly)\b"
        ),
        "You dislike {v}",
        whole=True,
    ),
    Form(
        "dislikes",
        rx(
            rf"{_GROUP},? i (?:really |absolutely |just |simply |do |truly )*{_HATE}(?=\s*(?:[,.;!?)]|$)"
            r"| (?:and|but|so|because|can|with|though|tho)\b)"
        ),
        "You dislike {v}",
        whole=True,
    ),
    Form(
        "likes",
        rx(
            rf"{_GROUP},? i (?:really |absolutely |just |simply |do |truly |always )*{_LOVE}(?=\s*(?:[,.;!?)"
            r"]|$)| (?:and|but|so|because|with|though|tho)\b)"
        ),
        "You like {v}",
        whole=True,
    ),
)


_LONGEST = 12  # words; a longer liking is prose


def read_leanings(one: Sentence, scene: Scene) -> list[Draft]:
    """What the speaker likes and dislikes."""
    return [draft for draft in read_forms(_TASTE_FORMS, one, scene) if len(draft.value.split()) <= _LONGEST]
