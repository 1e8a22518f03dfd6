"""Phrases of several words that stand for one canonical word, by language.

A pattern replaces them by one word of `lexicon`, marked with § ("for a living" becomes "§livelihood"), so that later
stages see single words only. In Chinese, question words become a ¤ mark as well.
"""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re


def _phrases(*rows: tuple[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in rows]


PHRASES: dict[str, list[tuple[re.Pattern[str], str]]] = {
    "en": _phrases(
        (r"\bwhat (?:do|does|is|am|are) (.+?) (?:do(?:ing)?) for (?:a living|work|a job)\b", r"\1 §livelihood"),
        (r"\bfor a living\b", "§livelihood"),
        (r"\b(?:what|which) (?:mobile |cell |kind of )?phone\b(?! number)", "what §phonemodel"),
        (r"\be-?mail(?: addresse?s?)?\b", "§email"),
        (
            r"^(?:what|which) (?:\w+ )?name (?:do|does|did) .{1,40}? (?:use for|call|know) (?:me|us)(?: by| as)?\b",
            "what my §nickname",
        ),
        (r"\b(?:short|pet) ?name\b|\bshort for\b", "§nickname"),
        (
            r"\b(my|our) (?:eldest|oldest|youngest|firstborn|first-born|little one)\b(?! \w+(?:er|son|ld)\b)",
            r"\1 child",
        ),
        (r"\b(?:do|does|did|doing|done|fix|fixing) (?:\w+ )?up\b|\brestor(?:e|es|ed|ing)\b|\brenovat\w+", "§restore"),
        (
            r"\b(?:go|going|gone) with\b|\bsettle(?:d)? on\b|\bopt(?:ed)? for\b|\b(?:pick|chose|choose|select|decide)(?:ed)?\b(?! up)(?: on)?",
            "§choose",
        ),
        (r"\b(?:get|got|getting) rid of\b|\b(?:drop|scrap|axe)(?:p?ed|p?ing)?\b", "§drop"),
        (r"\blook(?:s|ed|ing)? after\b|\bin charge of\b|\btakes? care of\b", "§handle"),
        (r"\b(?:cover|fill|stand)(?:s|ing)? (?:in )?for\b|\bback-?up\b", "§cover"),
        (r"\bhand(?:ed|ing)? (?:\w+ )?in\b|\bturn(?:ed|ing)? (?:\w+ )?in\b|\bsubmi(?:t|ts|tted|tting)\b", "§submit"),
        (r"\btak(?:e|es|ing) (?:the )?(?:pictures|photos)\b", "§photograph"),
        (r"\b(?:terrified|scared|afraid|frightened) of\b", "§afraid"),
        (r"\bput(?:ting)? off\b|\bpostpon(?:e|ed|ing)\b", "§postpone"),
        (r"\btime format\b", "times"),
        (r"\bfull[- ]time\b", "fulltime"),
        (r"\bpart[- ]time\b", "parttime"),
        (r"\bhow much (?:do|does|am|is) (i|we|he|she|\w+) (?:get paid|make|paid)\b", r"how much \1 §salary"),
        (r"\bhow much (?:is|are|was|were)\b", "how much §cost"),
        (r"('s|\bmy|\bour|\bhis|\bher|\btheir) number\b(?! of)", r"\1 §phonenumber"),
        (r"\bcan not (?:i|we) (?:really )?(?:stand|bear|stomach|abide)\b", "dislike"),
        (
            r"\bwhat (?:do|does) (\S+(?: \S+){0,3}?) do(?: there| now| nowadays| these days| professionally)?(?=[?.,!]|$| and\b)",
            r"what \1 §livelihood",
        ),
        (r"\bdate of birth\b|\bbirth ?date\b", "§birthday"),
        (r"\b(?:place of birth|birth ?place)\b", "§birthplace"),
        (r"\b(brother|sister|mother|father)[- ]in[- ]law('s)?\b", r"§\1inlaw\2"),
        (r"\bin[- ]laws\b", "§inlaw"),
        (r"\b(?:first|given|christian) name\b", "§firstname"),
        (r"\b(?:last|family|second) name\b", "surname"),
        (
            (
                r"\bwhat (?:do|does|should|can) (?:people|everyone|everybody|friends|you|they|others|folks|colleagues) call me\b"
                r"|\b(?:address|call) me\b|\b(?:i|me) (?:like |want |prefer |would like )?(?:to )?be called\b|\bmy friends call me\b"
            ),
            "§callme",
        ),
        (r"\bwho am i(?=\s*[?.!]|$)", "who §identity"),
        (
            r"\bwhere (?:am i|are we|do i come|do we come) from\b|\bwhere (?:do|did) (?:i|we) come from\b",
            "where my §fromwhere",
        ),
        (r"\bg[er][oe]w(?:ing)? up\b", "§hometown"),
        (r"\b(?:part of town|neighbou?rhood|area|region) (?=(?:do|am|are|did)\b|is (?:my|our)\b)", "§city "),
        (r"\b(?:home town)\b", "hometown"),
        (r"\b(?:pick|picks|picked|picking) (up|(?:the|my|our) \w+ up)\b", r"collect \1"),
        (r"\b(?:run|runs|ran) out\b", "expire"),
        (r"\b(?:get|gets) (?:in touch with|hold of|through to)\b|\breach\b", "§contact"),
        (r"\b(?:get|gets|got|getting|come|comes|coming|fly|flying|going|be) back\b", "§return"),
        (r"\b(?:blood (?:type|group))\b", "§blood"),
        (
            r"\b(?:can(?: not)?|could(?: not)?) (?:stand|bear|stomach|abide)\b|\bput(?:s)? me off\b|\bleast favou?rite\b",
            "dislike",
        ),
        (r"\b(?:stand|bear|stomach) (?=the least)", "dislike "),
        (r"\b(?:not|never) (?:really )?(?:like|love|enjoy|fond of|into|a fan of|keen on)\b", "dislike"),
        (r"\bnot (?:i|we|you) (?:really )?(?:like|love|enjoy)\b", "dislike"),
        (r"\b(like|love|enjoy) (?:the )?(?:best|most)\b", r"\1"),
        (r"\blike (?:the )?least\b|\bleast like\b", "dislike"),
        (
            r"\b(?:am|are|is) (i|we|(?:(?:my|our|his|her) )?[\w'§-]+) (?:really |most )?(?:into|keen on|a fan of|fond of|mad about|crazy about)\b",
            r"\1 like",
        ),
        (r"\b(?:spare|free) time\b|\bdo for fun\b|\bspend my time\b|\bafter work\b", "hobby"),
        (
            (
                r"\b(?:gives?|cause|causes|gets?|gave) (?:me|us) (?:any )?(?:trouble|problems|a reaction|in trouble|reactions?)\b"
                r"|\b(?:react|reacts?) (?:badly )?to\b|\bmake[s]? me (?:ill|sick|itch)\b|\b(?:ca|can) ?not tolerate\b"
                r"|\bbad for me\b|\bdisagrees? with me\b"
            ),
            "§trouble",
        ),
        (
            (
                r"\b(?:must|should|can|may|have to|need to|ought to|do|does) (?:i |we )?(?:not|never) (?:eat|drink|have|take|touch)\b"
                r"|\bstay away from\b|\bkeep away from\b|\bsteer clear of\b|\bwatch out for\b|\b(?:can|may|should) not (?:i|we) (?:eat|have|take)\b"
            ),
            "avoid",
        ),
        (r"\b(?:can|may|should|must|could) (?:i|we) not (?:eat|drink|have|take)\b", "avoid"),
        (
            (
                r"^(?!.*\btell you\b)(?:.*\b(?:doctors?|gp|nurse|surgeon|pharmacist|paramedics?|anaesthetist|hospital|medics?|ambulance)\b.*\b(?:know|told|aware|tell)\b.*"
                r"|.*\b(?:tell|mention|report)\b.*\b(?:doctors?|gp|nurse|surgeon|pharmacist|paramedics?|anaesthetist|hospital|medics?|ambulance)\b.*)$"
            ),
            "§health",
        ),
        (
            (
                r"\b(?:my|our) (?:doctor|gp|nurse|dentist|surgeon|pharmacist|paramedics?|anaesthetist|hospital)"
                r" (?:should|must|need to|needs to|has to|have to|ought to) (?:know|be told|be aware of)\b"
                r"|\b(?:should|must|do|does) (?:i tell )?(?:my|our|a|the) (?:doctor|gp|nurse|surgeon|pharmacist|paramedics?)"
                r"(?: (?:need|needs|have|has)(?: to)?)?(?: know| be told| be aware)?\b|\bmedical (?:history|information|info|facts?|profile)\b"
                r"|\b(?:health|medical) (?:issues|problems|conditions)\b"
            ),
            "§health",
        ),
        (r"\b(?:what|which) (?:kind|sort|type) of \w+ (?:is|are|was) (?!i\b|we\b)([^?.!]+)", r"what \1 §describe"),
        (r"\bself[- ]employed\b", "§selfemployed"),
        (
            (
                r"\b(?:weight|weigh) (?:am i|do i|are we) (?:aiming|hoping|trying|want)\w*(?: for| to reach)?\b"
                r"|\b(?:target|goal|ideal|dream) weight\b|\bweight goal\b"
            ),
            "my §weightgoal",
        ),
        (r"\b(?:how much do|how heavy am|what do) i weigh\b", "what my §weigh"),
        (r"\bhow tall (?:am|is|are)\b", "what height"),
        (r"\bhow long have (.+?) (?:been|worked|had|lived)\b", r"how long \1 §howlong"),
        (r"\b(?:phone|telephone|mobile|cell) number\b", "§phonenumber"),
        (r"\boperating system\b|\bwhich os\b|\bwhat os\b", "what §system"),
        (r"\bwho (?:do|does|am|is|are) (.+?) (?:live|living|share)(?: a flat| a house)? with\b", r"who \1 §livewith"),
        (r"\bam i (?:on|taking)(?: any)?\b", "am i taking any"),
        (r"\bat the moment\b|\bright now\b|\bcurrently\b|\bnowadays\b|\bthese days\b|\bso far\b|\bas of now\b", " "),
        (
            r"\bwhere (?:am i|are we)(?! (?:based|living|working|from|born|going|flying|travell?ing|meeting|eating|heading|off to)\b)(?: staying| now| right now)?\b",
            "where my §located",
        ),
        (
            r"\b(?:which|what) (?:city|town|place|country|village|area) (?:am i|are we) (?:staying )?in\b",
            "where my §located",
        ),
        (
            (
                r"\b(?:your|the) (?:answers?|repl(?:y|ies)|responses?)\b|\b(?:talk|speak|write|respond|reply|answer) to me\b"
                r"|\byou (?:talk|reply|answer|respond|write)\b|\bmy answers\b"
            ),
            "§reply",
        ),
        (r"\b(?:what|anything) (?:is|was|are) (.+?) (?:for|about)(?=[?.!]|$)", r"what \1 §purpose"),
        (r"\bspeak[s]? to\b", "contact"),
        (r"\b(?:have|has|did) (?:i|we) (?:ever )?(?:been to|visited|visit|travell?ed to)\b", "§visit"),
        (r"\bpass(?:ed)? away\b", "die"),
        (r"\bget(?:s|ting)? married\b", "married"),
        (r"\bget(?:s)? up\b", "wake"),
        (r"\bto work\b(?! (?:on|with|for|in|at|as)\b)", "commute"),
        (r"\btea ?time\b", "teatime"),
    ),
    "es": _phrases(
        (r"\ba qué (?:me dedico|te dedicas|se dedica)\b|\b(?:en|de) qué trabaj[oa]s?\b", "§livelihood"),
        (r"\bqu[eé] (?:hace|hacen) (?=mis?\b)", "qué §livelihood "),
        (r"\bcu[aá]ndo cumpl[eo] (?:los )?años\b|\bcu[aá]ndo es el cumple(?:años)? de\b", "cuándo mi §birthday"),
        (r"\bqu[eé] deportes? (?:practico|hago|juego)\b", "qué mi §hobby"),
        (r"\bgrupo sangu[ií]neo\b|\btipo de sangre\b", "§blood"),
        (r"\bno me gustan?\b|\bmenos me gustan?\b|\bno (?:soporto|aguanto)\b", "dislike §dislike"),
        (r"\bde d[oó]nde soy\b", "dónde §fromwhere"),
        (r"\bd[oó]nde nac[ií]\b", "dónde §birthplace"),
        (r"\bn[uú]mero de tel[eé]fono\b|\bmi n[uú]mero\b(?! de)", "§phonenumber"),
        (r"\bcorreo electr[oó]nico\b", "§email"),
        (r"\b(?:debe|debería|tiene que) saber mi m[eé]dic[oa]\b", "§health"),
        (r"\bcu[aá]ntos años tien\w+\b|\bqu[eé] edad tien\w+\b", "§old"),
        (r"\bcu[aá]ntos años tengo\b", "mi §old"),
        (r"\btiempo libre\b", "§hobby"),
        (r"\bqui[eé]n soy\b", "quién mi §identity"),
        (r"\bd[oó]nde trabaj[oa]s?\b", "dónde §work"),
    ),
    "de": _phrases(
        (r"\bwas (?:mache|macht|arbeite|arbeitet) (.+?)(?: beruflich)(?=[?.!]|$)", r"was \1 §livelihood"),
        (r"\bwas macht (mein\w* \w+)(?=\s*[?.!]|$)", r"was \1 §livelihood"),
        (r"\bwelche\w* sport\w* (?:mache|treibe|betreibe)\b", "was §hobby"),
        (r"\bals was (?:arbeite|arbeitet)\b|\bvon beruf\b", "§livelihood"),
        (r"\bblutgruppe\b", "§blood"),
        (r"\b(?:mag|esse|trinke) ich (?:nicht|nicht gern|ungern|kein\w*)\b", "ich §dislike"),
        (r"\bwo (?:bin|wurde) ich geboren\b", "wo §birthplace"),
        (r"\bwo arbeite[t]?\b", "wo §work"),
        (r"\bwoher komme ich\b", "wo §fromwhere"),
        (r"\bwo komme ich her\b", "wo §fromwhere"),
        (r"\btelefonnummer\b|\bhandynummer\b", "§phonenumber"),
        (r"\bwie alt bin ich\b", "mein §old"),
        (
            r"\b(?:sollte|muss) mein\w* (?:arzt|ärztin|hausarzt) wissen\b|\bmein\w* (?:arzt|ärztin|hausarzt) wissen\b",
            "§health",
        ),
        (r"\bwer bin ich\b", "wer mein §identity"),
        (r"\blieblings(\w+)", r"§favourite \1"),
        (r"\be-?mail(?:-?adresse)?\b", "§email"),
    ),
    "fr": _phrases(
        (
            r"\bqu'?est[- ]ce (?:que|qu')\s*(.+?) (?:fais|fait|faites) dans la vie\b|\bdans la vie\b",
            r"que \1 §livelihood",
        ),
        (r"\b(?:que|qu'est[- ]ce que) fait (?=(?:mon|ma)\b)", "que §livelihood "),
        (r"\bfais[- ]?(?:je)? quoi (?=dans la vie|comme)", "§livelihood "),
        (r"\bquels? sports? (?:je fais|fais[- ]je|je pratique)\b", "que mon §hobby"),
        (r"\bje fais comme (?:travail|métier)\b", "§livelihood"),
        (r"\best[- ]ce (?:que |qu')", ""),
        (r"\bgroupe sanguin\b", "§blood"),
        (r"\bdate de naissance\b", "§birthday"),
        (r"\bnom de famille\b", "§surname"),
        (r"\bo[uù] (?:suis[- ]je|je suis) née?\b", "où §birthplace"),
        (r"\bje n'?aime pas\b|\bn'?aim\w+[- ]je pas\b|\baime le moins\b", "je §dislike"),
        (r"\bquel âge (?:a|ai|as|ont)(?:[- ](?:je|t[- ](?:il|elle)))?\b", "§old"),
        (r"\bnuméro de téléphone\b|\bmon numéro\b(?! de)", "§phonenumber"),
        (r"\b(?:adresse )?(?:e-?)?mail\b|\badresse électronique\b", "§email"),
        (r"\bd'où (?:je viens|viens[- ]je)\b", "où §fromwhere"),
        (r"\b(?:doit|devrait) savoir mon médecin\b|\bmon médecin (?:doit|devrait)(?:[- ]il)? savoir\b", "§health"),
        (r"\btemps libre\b", "§hobby"),
        (r"\bqui suis[- ]je\b", "qui mon §identity"),
    ),
    "zh": _phrases(
        (r"(?:住在?哪(?:里|儿)?|住在?什么地方)", "哪里§live"),
        (r"在哪(?:里|儿)?(?:工作|上班)", "哪里§work"),
        (r"(?:哪里|哪儿)人|来自哪里", "哪里§fromwhere"),
        (r"(?:做|干)什么(?:工作|的)?|从事什么(?:工作)?|职业", "什么§livelihood"),
        (r"(?:几岁|多大|年龄|年纪)(?:了)?", "§old"),
        (r"不喜欢|讨厌", "§dislike"),
        (r"(?:用的?(?:是)?)?什么(?:牌子的?)?手机", "什么§phonemodel"),
        (r"多高|身高", "§tall"),
        (r"多重|体重", "§weigh"),
        (r"(?:做|喜欢)?什么运动", "什么§hobby"),
        (r"电话号码|手机号码?|电话", "§phonenumber"),
        (r"血型", "§blood"),
        (r"叫什么(?:名字)?|怎么称呼|名字|姓名", "§name"),
        (r"医生.{0,4}(?:知道|告诉)", "§health"),
        (r"我是谁", "我§identity"),
        (r"为什么", "¤why"),
        (r"什么时候|哪天|哪一天|几号|何时|几月几号|日期", "¤when"),
        (r"几点", "¤clock"),
        (r"几个|多少个|几只|几条", "¤count"),
        (r"多少|几", "¤number"),
        (r"哪里|哪儿", "¤where"),
        (r"谁", "¤who"),
    ),
}
