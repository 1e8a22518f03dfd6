"""Phrases that take an assistant over: drop your instructions, be somebody else, hide it from the person. Pure."""

from __future__ import annotations

from core.detectors.phrasing import rule

_INJECTION = "injection_phrasing"

RULES = (
    rule(
        _INJECTION,
        0.8,
        "orders to drop earlier instructions",
        r"<lead><drop>\s+(?!my\b)(?:[\w']+,?\s+){0,4}?<earlier>\s+(?:[\w-]+,?\s+){0,4}?<orders>\b",
    ),
    rule(
        _INJECTION,
        0.8,
        "orders to drop what was said or known before",
        r"<lead><drop>\s+(?:everything|anything|all|any|what)\b(?! (?:that )?i\b)(?:\s+[\w']+){0,4}?\s+(?:above|"
        r"before this|previously|prior|so far|you (?:were|have been|know|learned|had|previously))\b",
    ),
    rule(
        _INJECTION,
        0.8,
        "orders to drop earlier instructions, in another language",
        r"\b(?:ignorier\w*|vergiss|vergesst|missacht\w*|ignor(?:e[zr]?|a|ad|ar|i)|oublie[zr]?|olvid\w+|dimentica\w*|"
        r"esque[cç]\w+|negeer|vergeet)\b\s+(?:[\w']+\s+){0,3}?(?:alle|todas?|todos|toutes?|tutte|tudo|vorherigen|"
        r"bisherigen|previas|anteriores|pr[ée]c[ée]dentes|precedenti|eerdere|"
        r"vorige)\s+(?:\w+\s+){0,2}?(?:anweisungen|instruktionen|regeln|instrucciones|reglas|instructions|consignes|"
        r"r[èe]gles|istruzioni|regole|instru[cç][oõ]es|regras|instructies|regels)\b|(?:忽略|无视|忘记|忘掉)[^。,，]{0,6}(?:之前|"
        r"以上|所有|先前|前面)[^。,，]{0,8}(?:指令|指示|说明|提示|规则)",
    ),
    rule(
        _INJECTION,
        0.6,
        "says that it outranks earlier instructions",
        r"\b(?:overrides?|supersedes?|takes? precedence over|replaces?)\s+(?:all|any|every|"
        r"your)\s+(?:[\w-]+\s+){0,3}?(?:instructions?|guidelines|directives?|prompts?|orders|memor(?:y|ies)|entries|"
        r"facts)\b",
    ),
    rule(
        _INJECTION,
        0.7,
        "gives the assistant another role or mode",
        r"\byou(?: are|'re) (?:now |currently |operating |running |no longer )*(?:in |an? |the |as )*(?:developer|"
        r"debug|god|admin\w*|maintenance|unrestricted|unfiltered|jailbreak|dan|root|sudo|test|diagnostic|unsafe|"
        r"override) mode\b|\byou(?: are|'re) (?:now|no longer) (?:in |an? |the |as )*(?:(?:[\w-]+ ){0,3}(?:ai|"
        r"assistant|bot|chatbot|language model|hacker|persona|dan)\b(?! (?:manager|coach|professor|director|editor|"
        r"principal|teacher))|bound by|restricted by|unrestricted|limited by|required to follow)|\byou now (?:answer|"
        r"respond|reply|obey|act|have no)\b|\b(?:act|respond|answer|behave)(?: just)? (?:as|like)(?: if you (?:are|"
        r"were|have)| you (?:are|have))? (?:an? )?(?:dan\b|(?:[\w-]+ ){0,2}(?:no|without|unrestricted|unfiltered|"
        r"uncensored|jailbroken|evil|admin\w*|root)\b)",
    ),
    rule(
        _INJECTION,
        0.6,
        "speaks of a mode without limits",
        r"<lead>(?:enter|enable|activate|switch to|engage|turn on) (?:\w+ )?(?:developer|god|debug|jailbreak|dan|"
        r"unrestricted|unfiltered|admin\w*|sudo|maintenance) mode\b(?=.{0,80}\byou\b)|\bin (?:developer|unrestricted|"
        r"dan|unfiltered) mode,? you\b|\b(?:do anything now|freed from all (?:limitations|restrictions|rules|"
        r"limits))\b",
    ),
    rule(
        _INJECTION,
        0.7,
        "asks to be hidden from the person",
        r"\b(?:do not|don't|never|without)\s+(?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|"
        r"show(?:ing)?|warn(?:ing)?|ask(?:ing)?|reveal(?:ing)?[^.]{0,30}? to|mention(?:ing)?[^.]{0,30}? to|"
        r"let(?:ting)?) (?:the|any) (?:user|human|owner|operator|reviewer|moderator|person)s?\b(?! (?:base|count|"
        r"manual|group))|\b(?:hidden?|secret|conceal\w*|kept? quiet|invisible) (?:it |this |that )?(?:from|"
        r"to) (?:the )?(?:user|human|owner|operator|reviewer)s?\b|\bwithout the (?:user|human|"
        r"owner)(?:'s)? (?:knowledge|consent|noticing|knowing|approval)|\b(?:do not|don't|never) (?:mention|reveal|"
        r"disclose|acknowledge|repeat) (?:this|these) (?:instructions?|notes?|messages?|memor(?:y|ies)|rules?|"
        r"prompts?)\b",
    ),
    rule(
        _INJECTION,
        0.6,
        "takes limits off the assistant",
        r"\b(?:do not|don't|never) refuse (?:any|the|a) (?:\w+ )?requests?\b|\b(?:respond|reply|answer|"
        r"comply)\b[^.]{0,60}? without (?:applying |any )*(?:content |safety )?(?:filter|restriction|refus|"
        r"censor)\w*|\ball (?:safety|content|ethical) (?:checks?|filters?|filtering|guidelines|guardrails) (?:are|is|"
        r"have been|has been)(?: \w+)? (?:disabled|off|lifted|removed|suspended)|<lead>(?:disable|bypass|turn off|"
        r"switch off) (?:your|all|the|every|any) (?:safety|content|security|ethical) (?:checks?|filters?|filtering|"
        r"guidelines|guardrails|features)|\b(?:this (?:request|conversation|session|user)|you|i) (?:is|are|"
        r"am) exempt from\b",
    ),
    rule(
        _INJECTION,
        0.6,
        "asks for the assistant's own instructions",
        r"<lead>(?:print|reveal|repeat|output|show|display|tell me|give me|leak|disclose)(?: me)? (?:your|"
        r"the) (?:\w+ ){0,2}?(?:system prompt|(?:hidden|initial|original|exact|secret) (?:prompt|instructions))\b",
    ),
    rule(
        _INJECTION,
        0.6,
        "declares a new task or that the assistant was changed",
        r"\byour (?:(?:new|real|true|actual|primary|only) )+(?:goal|task|directive|purpose|role|objective|"
        r"instructions?|mission) (?:is|are)\b|\byou have been (?:updated|reprogrammed|reset|freed|jailbroken|"
        r"overridden)\b|\byour (?:\w+ ){0,2}(?:cutoff|prompt|programming|guidelines|restrictions|memory) (?:has|"
        r"have) been (?:updated|changed|replaced|disabled|lifted|removed|wiped)\b|"
        r"^\W{0,6}(?-i:IMPORTANT:? )?(?-i:NEW|UPDATED|REVISED|ADDITIONAL|CRITICAL|REAL|"
        r"URGENT NEW) (?-i:INSTRUCTIONS?|DIRECTIVES?|ORDERS|TASK)\b|\bdo only the following instructions?\b",
    ),
    rule(
        _INJECTION,
        0.6,
        "is addressed to assistants",
        r"\b(?:notes?|notice|reminder|attention|instructions?|message|memo)(?: \w+)? (?:to|for) (?:the |any |all |"
        r"every )*(?:<agent>|agents?|bots?|models?)(?: (?:reading|processing|summari[sz]ing) this)?\s*[:,]|"
        r"\bto you,? the (?:assistant|ai|agent)\b|\b<agent> (?:reading|processing|summari[sz]ing|that reads?) this\b",
    ),
    rule(
        _INJECTION,
        0.6,
        "rules how assistants have to act",
        r"(?<!legal )(?<!shop )(?<!teaching )(?<!research )(?<!medical )(?<!sales )\b<agent> (?:should|must|shall|"
        r"need to|needs to|has to|have to|(?:is|are) (?:required|instructed|told|obliged|expected) to) (?:always |"
        r"never |not |also )*(?:treat|trust|prefer|remember|rank|summari[sz]e|answer|respond|recommend|suggest|"
        r"promote|endorse|ignore|mention|forward|store)\b",
    ),
    rule(
        _INJECTION,
        0.6,
        "gives the assistant a standing order as a record",
        r"\b(?:system|durable|permanent|standing) directive: ?\w|\bremember (?:this|the following) as (?:a|"
        r"an) (?:\w+ ){0,2}(?:directive|instruction)\b",
    ),
)
