"""The owner's standing directives: how to answer, lessons, procedures (rules §1.9). One-off orders teach nothing."""

from __future__ import annotations

import re

from core.llm.rules.draft import Draft
from core.llm.rules.phrases import rx, tidy
from core.llm.rules.splitting import strip_filler
from core.llm.rules.voice import addressed, second_person, sentence, to_assistant
from core.model import MemoryKind, SpeechAct

_STANDING = rx(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|from today|in general|by default|"
    "every time|whenever|when(?:ever)? you (?:answer|reply|respond|write|talk|explain|give|show|"
    "send)|"
    "(?:in|for|with) (?:your|all|any|all your) (?:answers?|repl(?:y|ies)|responses?|messages?|"
    r"explanations?)|when (?:you )?(?:answering|replying|explaining|writing)|each time)\b"
)


_ABOUT_ANSWERS = rx(
    r"\b(?:answers?|repl(?:y|ies)|respon[ds]\w*|messages?|sentences?|paragraphs?|bullet(?:s| points?| "
    "lists?)?|emojis?|emoticons?|words?|concise|short|shorter|brief|brevity|terse|verbose|long|"
    "jargon|plain (?:english|language|text)|"
    "simple (?:english|language|words)|formal(?:ly)?|informal(?:ly)?|casual(?:ly)?|tone|metric|"
    "imperial|units?|celsius|fahrenheit|kilomet(?:re|er)s|24[- ]hour|12[- ]hour|iso dates?|dates? "
    "(?:format|as)|tables?|markdown|code (?:first|blocks?|examples?|samples?)|examples?|sources?|"
    "links|citations?|references|"
    "headings?|headers?|tl;?dr|summary (?:first|at)|step[- ]by[- ]step|numbered|disclaimers?|caveats|"
    r"apolog\w+|small ?talk|exclamation marks?|british (?:english|spelling)|american (?:english|"
    "spelling)|uk spelling|us spelling|(?:in|speak|use) (?:french|spanish|german|italian|english|"
    "portuguese|dutch|chinese|polish|swedish|japanese|danish)|"
    "address me|call me|first name|humou?r|sarcasm|flattery|compliments?|fluff|preamble|pleasantries|"
    "follow-?up questions?|times?|currency|euros|pounds|dollars|decimal|prose|lists|latex|html|plain|"
    r"to the point)\b"
)


_IMPERATIVE = rx(
    "^(?:(?:please|pls|and|also|but|so|just|kindly|from now on|going forward|in (?:the )?future|by "
    r"default|in general|from today|when(?:ever)? [^,]{3,40},|(?:in|for|with) (?:your|all) [\w "
    r"]{3,30},)[\s,]+)*(?P<v>(?:always|never|don't|do not|no|keep|use|answer|reply|respond|give|show|"
    "write|talk|speak|explain|avoid|stop|skip|start|stick|limit|make|put|include|add|leave|cite|"
    "format|be|prefer|address|call|mention|spell|quote|end|stay|drop|only|express|convert|refer|"
    r"round|list|translate|metric|bullet)\b.*)$"
)


_FRAGMENT = rx(
    "^(?:and |also |but |plus )?(?:please |pls )?(?P<v>(?:metric|imperial|celsius|bullet points|"
    r"short answers|british spelling|24-hour times?|no \w+|less \w+|fewer \w+|more \w+|short \w+|"
    r"plain \w+|\w+ units)\b.{0,60}?(?: (?:only|please|pls|in your \w+|always))?)$"
)


_MANNER = rx(
    "^(?:please |just |so |and |but |also )*(?P<v>(?:explain|talk|speak|write|describe|tell|teach|"
    "treat|answer|reply|respond)\\b(?! (?:this|that|it)\\b)"
    "[\\w' -]{0,40}?\\b(?:like (?:i'm|i am|to)|as if i|in (?:plain|simple|short|easy)|without "
    "(?:jargon|fluff)|(?:more )?(?:slowly|simply|"
    "plainly|bluntly|directly|informally|formally|casually))\\b.*|"
    "(?:[\\w-]+ ){1,3}only(?: from now on| please| in (?:your )?(?:answers|replies))+|(?:skip|"
    "drop|spare me|cut|lose|no more|enough with) (?:the |all the )?"
    "(?:jargon|fluff|preamble|intros?|waffle|pleasantries|emojis?|bullet points|small ?talk|disclaimers"
    "?|caveats|flattery|exclamation marks)\\b.*|"
    "(?:don't|do not|never|stop) (?:sugar-?coat|say|saying|open with|start with|starting with|"
    "begin with|patronise|patronize|lecture|lecturing|repeat my|"
    "repeating my|end with|apologi[sz]e|apologi[sz]ing|flatter|waffle|use|using) .+|stop with the .+|"
    "(?:just )?(?:give|show|send) me (?:just |only )?(?:the )?(?:code|answer|final answer|result|"
    "short version|facts|summary|conclusion)s?(?:,? (?:only|first|no .+|without .+|not .+))+.*|"
    "(?:the )?(?:short|final|main|direct|bottom[- ]line) answers? first\\b.*|(?:i'd|i would) "
    "(?:rather|prefer) you (?:were|be|are|didn't|don't|not|kept|used|wrote) .+|"
    "be (?:blunt|direct|brief|honest|concise|brutal|frank|straight|gentle|formal|informal)(?: with me)?\\b.*|"
    "when i ask (?:for|about) [^,]{2,40}?,? (?:please |always |just )?(?:give|use|show|answer|"
    "reply|include|keep|put|list|write)\\b.+)$"
)


_WANTS = rx(
    "^(?:i|we)(?:'d)? (?:really |much |would |generally |usually |always |also )*(?P<v>(?:prefer|"
    r"like|want|need|love|appreciate|hate|dislike|don't like|don't want|can't stand|find)\b (?:it "
    "(?:when|if) )?(?:you |your |to (?:get|see|read|have) |my )?.*)$"
)


_ONE_TIME = rx(
    r"\b(?:this|that|these|those|following|above|email|letter|essay|paragraph|poem|story|document|"
    r"draft|file|function|recipe for|chapter)\b"
)


_HELPS = rx(
    r"^(?P<v>.+?\b(?:helps?|work(?:s)?|is|are) (?:me |a lot|best|better|easier|fine|great|well)(?: "
    "for me| to read)?.*)$"
)


_CONDITIONAL = rx(
    r"^(?:when(?:ever)?|if|every time|each time|any time|before|after) [^,;]{3,120}?(?:,\s*(?:please |"
    r"always |never |then |just |you should |you must )*|\s+(?:please|always|never|you should|you "
    "must) )"
    "(?:recommend|answer|reply|respond|say|use|mention|tell|suggest|remind|check|ask|make sure|run|"
    r"add|include|convert|assume|give|show|send|call|point|prefer|don't|do not|never|always)\b"
)


_LESSON = rx(
    r"(?:\b(?:lessons?[ -](?:learn(?:ed|t)?)(?: (?:today|the hard way))?|learn(?:ed|t) (?:the hard "
    "way|my lesson)(?: that)?|^(?:today )?i learn(?:ed|t) (?:today )?that|note to self|never "
    "again(?: will i| shall i)?|mistake (?:i|we) (?:won't|will not|never) (?:repeat|make again)|for "
    "next time|(?:i|we) should(?:n't| not| never)? have|the takeaway(?: is)?|moral of the story|big "
    r"mistake|turns out|rule of thumb|gotcha|pro tip|word of warning)\b)"
)


_TURNS_OUT = rx(
    r"^turns out\b.*\b(?:has to|have to|need(?:s)? to|must|can't|cannot|doesn't|don't|only|never|"
    r"always|breaks?|fails?|before|after|otherwise|unless)\b"
)


_RULE = rx(
    r"^(?:please |also |and |so )*(?P<v>(?:never|don't ever|do not ever|don't|do not|always|no)\b "
    ".{3,200})$"
)


# A rule of work with its reason; what is wanted of the assistant is a preference, whatever the reason.
_REASONED = rx(
    r"^(?:please |also |and |so )*(?:never|don't|do not)\b"
    r"(?!.*\b(?:you|your|me|answer\w*|repl(?:y|ies)|respon[ds]\w*|explain\w*|emojis?|jargon|bullets?|sentences?|tone)\b)"
    r".{3,160}?\bbecause\b.{3,160}$"
)


_WORK_VERB = rx(
    r"\b(?:deploy|merge|push|commit|release|ship|schedule|book|order|buy|plant|wash|run|restart|"
    "upgrade|update|delete|use|invite|send|email|mail|call|leave|eat|travel|cook|bake|water|freeze|"
    "drive|park|trust|sign|skip|test|back ?up|rebase|squash|tag|review|store|mix|put|wear|charge|"
    "clear|hire|lend|pay|fly|paint|feed|open|close|"
    "rely|start|stop|turn|plug|share|post|approve|edit|change|touch|block|install|let|wait|check|ask|"
    r"copy|quote|read|write|do)\w*\b"
)


_ONE_OFF = rx(
    r"\b(?:this|that|it|these|those|the (?:report|file|email|list|text|code|sheet|document|page|table|"
    r"above|following|last|second|first|previous))\b"
)


_PLEASE_DONT = rx(
    "^(?:please )?don't (?:eat|drink|smoke|drive|own|wear|bother|ring|text|whatsapp|phone|email "
    "me|worry|know|think|get|have|want|need|care|mind|tell anyone|forget|remember|like|you|"
    r"understand|shorten|call)\b|^no (?:worries|problem|idea|thanks|thank|one|way|need|rush|longer|"
    r"more|lift|pets|kids|wonder|doubt|news|luck|offence)\b|^never (?:mind|been|had|liked|got|heard|"
    r"seen|eaten|drunk|smoked|married)\b|^always (?:been|wanted|loved|liked|had)\b"
)


def read_directive(text: str, start: int, end: int, *, in_series: bool) -> list[Draft]:
    """The standing directive that a sentence or clause gives, if it gives one.

    `in_series`: a directive stood directly before it ("And metric units only.").
    """
    body, skipped = strip_filler(text)
    begin = start + skipped
    lesson = _lesson(text, body, start, end)
    if lesson:
        return [lesson]
    reasoned = _REASONED.match(body) and _WORK_VERB.search(body) and not _PLEASE_DONT.match(body)
    manner = _MANNER.match(body) and not _ONE_TIME.search(body)
    if not reasoned and (manner or _is_answer_preference(text, body, in_series=in_series)):
        return [_made("response_preference", body, begin, end, MemoryKind.PREFERENCE)]
    if _CONDITIONAL.match(body) and not body.rstrip().endswith("?"):
        return [_made("procedure", body, begin, end, MemoryKind.PROCEDURE)]
    rule = _RULE.match(body)
    if (
        rule
        and _WORK_VERB.search(body)
        and not _PLEASE_DONT.match(body)
        and (not _ONE_OFF.search(body) or re.match(r"(?:always|never)\b", body, re.IGNORECASE))
        and not re.match(r"(?:no|don't|do not) \w+$", body, re.IGNORECASE)
    ):
        negative = re.match(r"(?:never|don't|do not|no)\b", rule["v"], re.IGNORECASE)
        return [
            _made(
                "lesson" if negative else "procedure",
                body,
                begin,
                end,
                MemoryKind.LESSON if negative else MemoryKind.PROCEDURE,
            )
        ]
    return []


def _lesson(text: str, body: str, start: int, end: int) -> Draft | None:
    marked = _LESSON.search(text)
    if not marked:
        return None
    found_out = "turns out" in {marked.group().lower(), text[:9].lower()} or re.match(
        r"(?:so|it) turns out", text, re.IGNORECASE
    )
    if found_out and not _TURNS_OUT.search(text[marked.start() :]):
        return None
    value = (
        tidy(re.sub(r"^[\s:,\-–]+", "", text[marked.end() :]))
        if marked.group()
        .lower()
        .startswith(
            ("lesson", "learn", "note", "for next", "the take", "moral", "rule", "gotcha", "pro tip", "word", "turns")
        )
        else tidy(text[marked.start() :])
    )
    del body
    if len(value.split()) < 3:  # noqa: PLR2004 (a lesson needs a verb and its object)
        value = tidy(text)
    return Draft(
        "user",
        "lesson",
        value,
        sentence(second_person(text)),
        start,
        end,
        kind=MemoryKind.LESSON,
        act=SpeechAct.DIRECTIVE
        if re.match(r"(?:don't|never|always|do not)", value, re.IGNORECASE)
        else SpeechAct.ASSERTION,
    )


def _is_answer_preference(text: str, body: str, *, in_series: bool) -> bool:
    topical = _ABOUT_ANSWERS.search(body)
    if not topical:
        return False
    standing = _STANDING.search(text)
    wants = _WANTS.match(body)
    mild = wants and re.match(
        r"(?:i|we)(?:'d)? (?:really |much |would |also )*(?:prefer|want|need)\b|(?:i|we)(?:'d| would) "
        r"(?:really )?(?:appreciate|like|love)\b",
        body,
        re.IGNORECASE,
    )
    if wants and (standing or (_STYLE.search(body) if mild else _FORMAT.search(body))):
        return not re.search(
            r"\b(?:films?|movies?|books?|music|songs?|food|walks|walking|novels?|stories|hair|hikes?|skirts?|"
            r"coats?)\b",
            body,
            re.IGNORECASE,
        )
    imperative = _IMPERATIVE.match(body)
    if imperative and not _PLEASE_DONT.match(body):
        if standing or in_series:
            return True
        return (
            bool(_STYLE.search(body))
            and not _ONE_OFF.search(re.sub(r"\b(?:keep|make) it\b", "", body, flags=re.IGNORECASE))
            and bool(
                re.match(
                    "(?:please |pls |and |also )*(?:keep|use|answer|reply|respond|talk|speak|avoid|no|don't|never|"
                    r"always|stick|be|skip|call|address|limit|stop|explain things|only|cite)\b",
                    body,
                    re.IGNORECASE,
                )
            )
        )
    if in_series and (_FRAGMENT.match(body) or _HELPS.match(body)):
        return True
    return bool(_HELPS.match(body) and _STYLE.search(body) and re.search(r"\bhelps?\b|for me\b", body)) or bool(
        _FRAGMENT.match(body) and re.search(r"\b(?:repl(?:y|ies)|answers?|please|pls)\b", body)
    )


_FORMAT = rx(
    r"\b(?:your (?:answers|replies|responses)|metric|imperial|celsius|24[- ]hour|12[- ]hour|"
    r"bullet points|markdown|when you|emojis?|iso dates?|code first|to the point)\b"
)


_STYLE = rx(
    r"\b(?:answers?|repl(?:y|ies)|responses?|sentences|paragraphs|bullet(?:s| points?| lists?)|"
    "emojis?|jargon|plain (?:english|language|text)|simple (?:english|language|words)|metric|"
    "imperial|celsius|fahrenheit|24[- ]hour|12[- ]hour|markdown|code (?:first|examples?|samples?|"
    "blocks?)|headings?|"
    "tl;?dr|step[- ]by[- ]step|disclaimers?|caveats|british (?:english|spelling)|american (?:english|"
    "spelling)|uk spelling|us spelling|short words|(?:answer|reply|respond|talk|speak|write)(?: to "
    r"me)? in \w+|bigger headings|tables|sources|concise|exclamation marks?|formal(?:ly)?|"
    "informal(?:ly)?|small ?talk|preamble|fluff|to the point|pleasantries|first name|step by step|"
    "worked examples|examples|"
    r"analogies)\b"
)


def _made(attribute: str, words: str, start: int, end: int, kind: MemoryKind) -> Draft:
    value = tidy(words)
    if attribute == "response_preference":
        shown = (
            addressed(to_assistant(words))
            if re.match(r"(?:i|we)\b", words, re.IGNORECASE)
            else sentence(f"You asked for this in answers: {value}")
        )
    else:
        shown = sentence(f"Your rule: {value}")
    return Draft("user", attribute, value, shown, start, end, kind=kind, act=SpeechAct.DIRECTIVE)
