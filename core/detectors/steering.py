"""Phrases that steer an assistant: what to answer when asked, where to send what it knows, what to run. Pure."""

from __future__ import annotations

from core.detectors.phrasing import MENTIONED, rule

_CONDITION, _STEERING = "conditional_instruction", "tool_steering"

RULES = (
    rule(
        _CONDITION,
        0.6,
        "sets what to answer when somebody asks",
        r"\b(?:when(?:ever)?|if|(?:any|every|each) ?time|once)\b(?![^,]{0,40}\b(?:i|"
        r"we)\b)[^.:]{0,60}?\b<asks>\b[^.:]{0,80}?,\s*(?:then |please |you (?:must |should ))?(?:(?:always|only|"
        r"never|do not|don't) (?:\w+ )?(?:say|recommend|mention|suggest|promote|quote|claim|state|tell|answer|reply|"
        r"respond)|(?:say|claim|insist|tell (?:them|him|her|the user)) |recommend\b|suggest contacting|"
        r"[^.]{0,30}\b(?:copy|forward|send|bcc|cc|post)\b[^.]{0,40}\b(?:answer|reply|response|conversation|question|"
        r"transcript)\b[^.]{0,60}<address>)",
    ),
    rule(
        _CONDITION,
        0.6,
        "sets what to recommend when somebody asks",
        r"\b(?:always|must|only) (?:recommend|suggest|promote|say|endorse|quote)\b[^.]{0,80}? (?:(?:when|whenever|if|"
        r"every time) <person>\b|regardless of\b)|\bwhen discussing [^.,]{3,60}, (?:always |only )+(?:recommend|"
        r"suggest|say|promote)",
    ),
    rule(
        _CONDITION,
        0.6,
        "puts words into all answers",
        r"\b(?:append|add|include|insert|end|begin|start|prefix|output|embed)\b(?=[^\n]{0,200}(?:<address>|"
        r"['\"‘“]\w))(?:[^\n]{0,120}? (?:to|in|into|at|of|with))? (?:all|every|each|your next|all future|"
        r"all your) (?:\w+ )?(?:responses?|repl(?:y|ies)|answers?|summar(?:y|ies)|conversations?)\b|\b(?:all|"
        r"every) (?:\w+ )?(?:responses?|repl(?:y|ies)|answers?|summaries) (?:must|should|shall|have to|"
        r"need to)? ?(?:include|contain|end|begin|start|recommend)\b[^\n]{0,120}?(?:<address>|['\"‘“]\w|"
        r"recommendation)",
    ),
    rule(
        _CONDITION,
        0.6,
        "asks for untrue words in an answer",
        r"\b(?:misleading|fabricated|false|baseless|made-up|non-existent|unfounded|defamatory)\b[^.]{0,60}\b(?:your|"
        r"the) (?:answer|response|reply|output)\b|\byour (?:answer|response|reply|output)\b[^.]{0,60}\b(?:misleading|"
        r"fabricated|false|baseless|made-up|non-existent|unfounded|too-good-to-be-true)\b",
    ),
    rule(
        _CONDITION,
        0.5,
        "asks for an answer in a form that filters cannot read",
        r"\b(?:base ?(?:16|32|64)|rot13|hex(?:adecimal)?|morse|caesar)\b[^.]{0,60}\byour (?:answer|response|reply|"
        r"output)\b|\byour (?:answer|response|reply|output)\b[^.]{0,60}\b(?:base ?(?:16|32|64)|rot13|morse)\b|"
        r"<lead>(?:reply|respond|answer) (?:in|using|with|only in) (?:base ?(?:16|32|64)|rot13|morse)\b",
    ),
    rule(
        _CONDITION,
        0.6,
        "sets an action for a later question",
        r"\bon the \w+ (?:user )?(?:query|question|message),\s*<act>\b|\bwhen you (?:read|see|process|"
        r"summari[sz]e) this,[^.]{0,80}\b<private>[^.\n]{0,60}<address>|\bfor (?:all|any|every) (?:code|user|"
        r"customer|\w+ generation) (?:requests?|questions?|queries),\s*<act>\b",
    ),
    rule(
        _CONDITION,
        MENTIONED,
        "orders how to answer",
        r"\b(?:in|to|into|of) your (?:next |final )?(?:answer|response|reply|output|summary)\b|"
        r"<lead>\w+ your (?:answer|response|reply|output)\b",
    ),
    rule(
        _CONDITION,
        MENTIONED,
        "sets how to act on a question",
        r"\b(?:when(?:ever)?|if)\b[^.:]{0,60}?\b<asks>\b[^.:]{0,80}?,\s*(?:please |always |never )*<act>\b",
    ),
    rule(
        _STEERING,
        0.7,
        "orders to send private data to an address",
        r"\b<away>\b(?![^?\n]{0,60}\b(?:about|regarding|concerning|requests? (?:for|"
        r"to))\b)[^?\n]{0,120}?\b<private>\b[^?\n]{0,140}?\b(?:to|at|with|via|into)\b[^?\n]{0,60}?<address>|"
        r"\b<private>\b[^?\n]{0,100}?\b<sent>\b[^?\n]{0,80}?\b(?:to|at|with|via)\b[^?\n]{0,60}?<address>|"
        r"<lead>(?:send|forward|e-?mail|post|copy) the (?:contents?|body|list|copy) of [^?\n]{0,80}?\b(?:e-?mails?|"
        r"messages|inbox|files|answer)\b[^?\n]{0,80}?<address>",
    ),
    rule(
        _STEERING,
        0.6,
        "orders to fetch and run something by itself",
        r"\b(?:download|fetch|pull|retrieve|query|check|run|execute)\b(?=.{0,200}<address>)(?=.{0,300}\b(?:execute|"
        r"apply|run|replace|install)\b)(?=.{0,300}\b(?:every|hourly|daily|weekly|startup|immediately|automatically|"
        r"on each|silently)\b)",
    ),
    rule(
        _STEERING,
        0.6,
        "orders a tool call",
        r"<lead>(?:call|invoke|execute|use|run) (?:the )?(?:`?[a-z]+(?:_[a-z]+)+`?|"
        r"[\w`]+ tool)[^.]{0,60}\b(?:before (?:respond|answer|reply)ing|without (?:asking|confirm\w*|telling)|"
        r"and (?:then )?(?:forward|send|delete|transfer|pay))",
    ),
    rule(
        _STEERING,
        0.6,
        "orders a payment",
        r"<lead>(?:send|transfer|wire|pay|move)\b[^.]{0,60}?\b(?:money|funds|transaction|payment|amount|"
        r"recurring payment|\$?\d[\d,.]*)\b[^.]{0,60}? to (?:the )?(?:account )?[A-Z]{2}\d{2}[ \d]{8,}|\b(?:modify|"
        r"change|update) the recipient of\b",
    ),
    rule(
        _STEERING,
        MENTIONED,
        "orders to fetch, run or send something",
        r"<lead>(?:download|fetch|curl|wget|upload|forward|send|execute)\b[^.]{0,80}<address>",
    ),
)
