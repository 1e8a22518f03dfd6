"""Messages that neither state nor ask: greetings, thanks, farewells, commands beyond the no-model mode, forgetting."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE
_HELLO = re.compile(
    r"^(?:(?:hi|hiya|hey|hello|howdy|yo|greetings|good (?:morning|afternoon|evening|day)|hola|buen[oa]s(?: (?:d[ií]as|tardes|noches))?|hallo|guten (?:tag|morgen|abend)|moin|servus"
    r"|bonjour|salut|bonsoir|coucou)(?: there| again| everyone| all| zusammen)?[\s!.,👋🙂😊]*)+$|^(?:你好|您好|嗨|早上好|晚上好)[啊呀!!。.,]*$",
    _FLAGS,
)
_THANKS = re.compile(
    r"^(?:ok(?:ay)?|great|perfect|nice|cool|lovely|brilliant|awesome|super|good|vale|gut|bien|parfait|c'est parfait)?[\s,!.]*(?:many |muchas |vielen |merci |that's )?"
    r"(?:thanks?(?: you| so much| a lot| a million| again| very much| for .{1,40})*|thx|ty|cheers|much appreciated|gracias|danke(?: ?schön| dir)?|dank|merci(?: beaucoup)?|谢谢(?:你|您)?|多谢)"
    r"(?:[\s!.,🙏😊❤️]|that(?:'s| is| was) (?:perfect|great|helpful|all)|c'est parfait|sehr|mucho|you|so much)*$",
    _FLAGS,
)
_BYE = re.compile(
    r"^(?:ok(?:ay)?[\s,]+)?(?:bye(?: bye)?|goodbye|good ?night|see you(?: later| soon| tomorrow)?|later|cya|adi[oó]s|hasta luego|tsch[uü]ss|auf wiedersehen|bis bald|au revoir|à bientôt|再见|拜拜)[\s!.]*$",
    _FLAGS,
)
_HOW = re.compile(
    r"^(?:(?:hi|hey|hello|hola|hallo|salut|bonjour)[\s,!]+)?(?:how(?:'s| is) (?:it going|everything|life|things)|how are (?:you|things)(?: doing)?(?: today)?|what(?:'s| is) up|you (?:ok|all right|alright)"
    r"|¿?(?:qué|que) tal|¿?c[oó]mo est[aá]s|wie geht(?:'s| es)?(?: dir)?|ça va|comment ça va|comment vas-tu|你好吗)[\s?!.]*$",
    _FLAGS,
)
_SELF = re.compile(
    r"\b(?:what can you do|what (?:do|are) you(?: do)?(?=\?|$)|who are you|are you (?:an? )?(?:ai|bot|robot|human|real)\b|how do(?:es)? (?:you|this|it) work|help me get started|what is this)"
    r"|^help[!?. ]*$|\bqui[eé]n eres\b|\bqu[eé] puedes hacer\b|\bwer bist du\b|\bwas kannst du\b|\bqui es-tu\b|\bque (?:peux|sais)-tu faire\b|你是谁|你能做什么",
    _FLAGS,
)
_WORK = (
    r"write|draft|compose|translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase|edit|shorten|improve|fix|debug|code|generate|create|make up|brainstorm"
    r"|suggest|recommend|explain|design|calculate|compute|convert|compare|search(?: for)?|look up|google|find me|book|order|send|email|call|schedule|plan|draw|rate|review|check|run|play"
    r"|help me (?:write|draft|with|plan|decide|compare|choose|find|understand)|tell me a|give me (?:a|an|some|ideas)|show me (?:a|an|how)"
)
_COMMAND = re.compile(
    rf"^(?:(?:hey|hi|hello|ok|okay|so|and|now|then|please|pls|thanks|great)[\s,!.]+)*(?:(?:can|could|would|will) you (?:please |also |just |quickly )?|i(?:'d| would) like you to |please |pls |i need you to |let's )?(?:{_WORK})\b"
    r"|^(?:por favor,? )?(?:puedes |podrías )?(?:escr[ií]be\w*|redacta\w*|traduc\w+|resum\w+|corrige\w*|explica\w*|busca\w*|recomi[eé]nda\w*)\b"
    r"|^(?:bitte )?(?:kannst du (?:mir )?(?:bitte )?)?(?:schreib\w*|übersetz\w*|fass\w* .*zusammen|korrigier\w*|erklär\w*|such\w*|empfiehl|(?=.*\b(?:vorschlagen|schreiben|übersetzen|erklären|zusammenfassen)\b)\w+)\b"
    r"|^(?:peux-tu |pourrais-tu |s'il te plaît,? )*(?:écri[st]\w*|rédige\w*|tradui\w+|résume\w*|corrige\w*|explique\w*|cherche\w*|recommande\w*)\b"
    r"|^(?:请|帮我|请帮我|能不能)?(?:写|翻译|总结|润色|解释|推荐|搜索|查一下)",
    _FLAGS,
)
_FORGET = re.compile(
    r"^(?:(?:please|pls|now|ok|okay|actually|hey|can you|could you)[\s,]+)*(?:forget|delete|erase|remove|wipe|unlearn|don't (?:remember|store|keep)|do not (?:remember|store|keep))\b"
    r"|^(?:por favor,? )?(?:olvida|borra|elimina)\w*\b|^(?:bitte )?(?:vergiss|lösch\w*)\b|^(?:s'il te plaît,? )?(?:oublie|efface|supprime)\b|^(?:请)?(?:忘记|忘掉|删除)",
    _FLAGS,
)
_WORLD = re.compile(
    r"(?i)\b(?:how (?:do|does|to|can|many .* (?:in|are there in))\b(?! (?:i|we|my|our|you)\b)|(?:what|which)(?:'s| is| are) the (?:best|capital|difference|meaning|population|weather|time|news|tallest|largest)|why (?:do|does|is|are)\b(?! (?:i|we|my|our|you)\b)"
    r"|is it true|do you know (?:whether|if|how|why)|any (?:tips|ideas|advice|suggestions)|what would|would it|what (?:could|should) it be|what does .{1,40} mean|define|who (?:wrote|invented|discovered|painted|won)|can (?:cats|dogs|you|people|humans)\b|what means"
    r"|what is (?:a|an)\b)",
)
_ACCEPTS = re.compile(
    r"^(?:ok(?:ay)?|hmm+|right|sure|fine|fair enough|makes sense|i see|got it|yes|yeah|yep|no|nope|nice|cool|great|good|lol|haha|wow|vale|claro|gut|d'accord|好的?|嗯)(?:[\s,.!]+\w+){0,3}[\s.!]*$",
    _FLAGS,
)


def courtesy(text: str) -> str:
    """The key of the short answer to a greeting, thanks, farewell or small talk; empty if it is none of these."""
    for pattern, key in ((_HOW, "how_are_you"), (_HELLO, "hello"), (_THANKS, "thanks"), (_BYE, "bye")):
        if pattern.match(text):
            return key
    return ""


def asks_about_self(text: str) -> bool:
    """Whether the message asks what the assistant is or can do."""
    return len(text) < 80 and _SELF.search(text) is not None  # noqa: PLR2004 - a long message is about something else


def is_command(sentence: str) -> bool:
    """Whether a sentence asks for work that only a language model can do."""
    return _COMMAND.match(sentence.strip()) is not None


def is_forgetting(sentence: str) -> bool:
    """Whether a sentence asks to forget something."""
    return _FORGET.match(sentence.strip()) is not None


def asks_the_world(text: str) -> bool:
    """Whether a question is about the world, not about what was told."""
    return _WORLD.search(text) is not None


def is_acceptance(text: str) -> bool:
    """Whether the message is a bare "ok" or the like."""
    return _ACCEPTS.match(text) is not None
