"""The forms that questions, commands and courtesies take in five languages: patterns and function words, no logic.

A phrase pattern replaces several words by one canonical word of `lexicon`, marked with § ("for a living" becomes
"§livelihood"), so that later stages see single words only.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Want(StrEnum):
    """What kind of answer a question wants; a fact of another kind does not answer it."""

    ANY = "any"
    WHO = "who"
    WHEN = "when"
    CLOCK = "clock"
    YEAR = "year"
    WHERE = "where"
    NUMBER = "number"
    COUNT = "count"
    LENGTH = "length"
    AGE = "age"
    WHY = "why"
    POLAR = "polar"


def _phrases(*rows: tuple[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(pattern, re.IGNORECASE), plain) for pattern, plain in rows]


PHRASES: dict[str, list[tuple[re.Pattern[str], str]]] = {
    "en": _phrases(
        (r"\bwhat (?:do|does|is|am|are) (.+?) (?:do(?:ing)?) for (?:a living|work|a job)\b", r"\1 §livelihood"),
        (r"\bfor a living\b", "§livelihood"),
        (r"\bwhat (?:do|does) (\S+(?: \S+){0,3}?) do(?: there| now| nowadays| these days| professionally)?(?=[?.,!]|$| and\b)",
         r"what \1 §livelihood"),
        (r"\bdate of birth\b|\bbirth ?date\b", "§birthday"),
        (r"\b(?:place of birth|birth ?place)\b", "§birthplace"),
        (r"\bwhere (?:was|were) (.+?) born\b", r"where \1 §birthplace"),
        (r"\b(brother|sister|mother|father)[- ]in[- ]law('s)?\b", r"§\1inlaw\2"),
        (r"\bin[- ]laws\b", "§inlaw"),
        (r"\b(?:first|given|christian) name\b", "§firstname"),
        (r"\b(?:last|family|second) name\b", "surname"),
        (r"\bwhat (?:do|does|should|can) (?:people|everyone|everybody|friends|you|they|others|folks|colleagues) call me\b"
         r"|\b(?:address|call) me\b|\bi (?:like|want|prefer) to be called\b|\bmy friends call me\b", "§callme"),
        (r"\bwho am i(?=\s*[?.!]|$)", "who §identity"),
        (r"\bwhere (?:am i|are we|do i come|do we come) from\b|\bwhere (?:do|did) (?:i|we) come from\b", "where my §from"),
        (r"\bg[er][oe]w(?:ing)? up\b", "§hometown"),
        (r"\b(?:part of town|neighbou?rhood|area|region) (?=do|am|are)", "§city "),
        (r"\b(?:home town)\b", "hometown"),
        (r"\b(?:pick|picks|picked|picking) (up|(?:the|my|our) \w+ up)\b", r"collect \1"),
        (r"\b(?:run|runs|ran) out\b", "expire"),
        (r"\b(?:get|gets) (?:in touch with|hold of|through to)\b|\breach\b", "§contact"),
        (r"\b(?:get|gets|got|come|comes|fly|flying) back\b", "§return"),
        (r"\b(?:blood (?:type|group))\b", "§blood"),
        (r"\b(?:can(?: not)?|could(?: not)?) (?:stand|bear|stomach|abide)\b|\bput(?:s)? me off\b|\bleast favou?rite\b",
         "dislike"),
        (r"\b(?:stand|bear|stomach) (?=the least)", "dislike "),
        (r"\b(?:not|never) (?:really )?(?:like|love|enjoy|fond of|into|a fan of|keen on)\b", "dislike"),
        (r"\bnot (?:i|we|you) (?:really )?(?:like|love|enjoy)\b", "dislike"),
        (r"\b(like|love|enjoy) (?:the )?(?:best|most)\b", r"\1"),
        (r"\blike (?:the )?least\b|\bleast like\b", "dislike"),
        (r"\b(?:am|are|is) (i|we|\w+) (?:really |most )?(?:into|keen on|a fan of|fond of)\b", r"\1 like"),
        (r"\b(?:spare|free) time\b|\bdo for fun\b|\bspend my time\b|\bafter work\b", "hobby"),
        (r"\b(?:gives?|cause|causes|gets?|gave) (?:me|us) (?:any )?(?:trouble|problems|a reaction|in trouble|reactions?)\b"
         r"|\b(?:react|reacts?) (?:badly )?to\b|\bmake[s]? me (?:ill|sick|itch)\b|\b(?:ca|can) ?not tolerate\b"
         r"|\bbad for me\b|\bdisagrees? with me\b", "§trouble"),
        (r"\b(?:must|should|can|may|have to|need to|ought to|do|does) (?:i |we )?(?:not|never) (?:eat|drink|have|take|touch)\b"
         r"|\bstay away from\b|\bkeep away from\b|\bsteer clear of\b|\bwatch out for\b|\b(?:can|may|should) not (?:i|we) (?:eat|have|take)\b",
         "avoid"),
        (r"\b(?:can|may|should|must|could) (?:i|we) not (?:eat|drink|have|take)\b", "avoid"),
        (r"\b(?:my|our) (?:doctor|gp|nurse|dentist|surgeon|pharmacist|paramedics?|anaesthetist|hospital)"
         r" (?:should|must|need to|needs to|has to|have to|ought to) (?:know|be told|be aware of)\b"
         r"|\b(?:should|must|do|does) (?:i tell )?(?:my|our|a|the) (?:doctor|gp|nurse|surgeon|pharmacist|paramedics?)"
         r"(?: (?:need|needs|have|has)(?: to)?)?(?: know| be told| be aware)?\b|\bmedical (?:history|information|info|facts?|profile)\b"
         r"|\b(?:health|medical) (?:issues|problems|conditions)\b", "§health"),
        (r"\b(?:what|which) (?:kind|sort|type) of \w+ (?:is|are|was) (?!i\b|we\b)([^?.!]+)", r"what \1 §describe"),
        (r"\bself[- ]employed\b", "§selfemployed"),
        (r"\b(?:weight|weigh) (?:am i|do i|are we) (?:aiming|hoping|trying|want)\w*(?: for| to reach)?\b"
         r"|\b(?:target|goal|ideal|dream) weight\b|\bweight goal\b", "my §weightgoal"),
        (r"\b(?:how much do|how heavy am|what do) i weigh\b", "what my §weigh"),
        (r"\bhow tall (?:am|is|are)\b", "what height"),
        (r"\bhow long have (.+?) (?:been|worked|had|lived)\b", r"how long \1 §howlong"),
        (r"\b(?:phone|telephone|mobile|cell) number\b", "§phonenumber"),
        (r"\boperating system\b|\bwhich os\b|\bwhat os\b", "what §system"),
        (r"\bwho (?:do|does|am|is|are) (.+?) (?:live|living|share)(?: a flat| a house)? with\b", r"who \1 §livewith"),
        (r"\bam i (?:on|taking)(?: any)?\b", "am i taking any"),
        (r"\bat the moment\b|\bright now\b|\bcurrently\b|\bnowadays\b|\bthese days\b|\bso far\b|\bas of now\b", " "),
        (r"\bwhere (?:am i|are we)(?: staying| now| right now)?\b", "where my §located"),
        (r"\bwhich city (?:am i|are we) in\b|\bwhat city (?:am i|are we) in\b", "where my §located"),
        (r"\b(?:your|the) (?:answers?|repl(?:y|ies)|responses?)\b|\b(?:talk|speak|write|respond|reply|answer) to me\b"
         r"|\byou (?:talk|reply|answer|respond|write)\b|\bmy answers\b", "§reply"),
        (r"\b(?:what|anything) (?:is|was|are) (.+?) (?:for|about)(?=[?.!]|$)", r"what \1 §purpose"),
        (r"\bspeak[s]? to\b", "contact"),
        (r"\b(?:have|has|did) (?:i|we) (?:ever )?(?:been to|visited|visit|travell?ed to)\b", "§visit"),
        (r"\bpass(?:ed)? away\b", "die"),
        (r"\bget(?:s|ting)? married\b", "married"),
        (r"\bget(?:s)? up\b", "wake"),
        (r"\btea ?time\b", "teatime"),
    ),
    "es": _phrases(
        (r"\ba qué (?:me dedico|te dedicas|se dedica)\b|\b(?:en|de) qué trabaj[oa]s?\b", "§livelihood"),
        (r"\bgrupo sangu[ií]neo\b|\btipo de sangre\b", "§blood"),
        (r"\bno me gustan?\b|\bmenos me gustan?\b|\bno (?:soporto|aguanto)\b", "dislike §dislike"),
        (r"\bde d[oó]nde soy\b", "dónde §from"),
        (r"\bd[oó]nde nac[ií]\b", "dónde §birthplace"),
        (r"\bn[uú]mero de tel[eé]fono\b|\bmi n[uú]mero\b", "§phonenumber"),
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
        (r"\bals was (?:arbeite|arbeitet)\b|\bvon beruf\b", "§livelihood"),
        (r"\bblutgruppe\b", "§blood"),
        (r"\b(?:mag|esse|trinke) ich (?:nicht|nicht gern|ungern|kein\w*)\b", "ich §dislike"),
        (r"\bwo (?:bin|wurde) ich geboren\b", "wo §birthplace"),
        (r"\bwo arbeite[t]?\b", "wo §work"),
        (r"\bwoher komme ich\b", "wo §from"),
        (r"\bwo komme ich her\b", "wo §from"),
        (r"\btelefonnummer\b|\bhandynummer\b", "§phonenumber"),
        (r"\bwie alt bin ich\b", "mein §old"),
        (r"\b(?:sollte|muss) mein\w* (?:arzt|ärztin|hausarzt) wissen\b|\bmein\w* (?:arzt|ärztin|hausarzt) wissen\b", "§health"),
        (r"\bwer bin ich\b", "wer mein §identity"),
        (r"\blieblings(\w+)", r"§favourite \1"),
        (r"\be-?mail(?:-?adresse)?\b", "§email"),
    ),
    "fr": _phrases(
        (r"\bqu'?est[- ]ce (?:que|qu')\s*(.+?) (?:fais|fait|faites) dans la vie\b|\bdans la vie\b", r"que \1 §livelihood"),
        (r"\bje fais comme (?:travail|métier)\b", "§livelihood"),
        (r"\best[- ]ce (?:que |qu')", ""),
        (r"\bgroupe sanguin\b", "§blood"),
        (r"\bdate de naissance\b", "§birthday"),
        (r"\bnom de famille\b", "§surname"),
        (r"\bo[uù] (?:suis[- ]je|je suis) née?\b", "où §birthplace"),
        (r"\bje n'?aime pas\b|\bn'?aim\w+[- ]je pas\b|\baime le moins\b", "je §dislike"),
        (r"\bquel âge (?:a|ai|as|ont)(?:[- ](?:je|t[- ](?:il|elle)))?\b", "§old"),
        (r"\bnuméro de téléphone\b|\bmon numéro\b", "§phonenumber"),
        (r"\b(?:adresse )?e-?mail\b|\badresse électronique\b", "§email"),
        (r"\bd'où (?:je viens|viens[- ]je)\b", "où §from"),
        (r"\b(?:doit|devrait) savoir mon médecin\b|\bmon médecin (?:doit|devrait)(?:[- ]il)? savoir\b", "§health"),
        (r"\btemps libre\b", "§hobby"),
        (r"\bqui suis[- ]je\b", "qui mon §identity"),
    ),
    "zh": _phrases(
        (r"(?:住在?哪(?:里|儿)?|住在?什么地方)", "哪里§live"),
        (r"在哪(?:里|儿)?(?:工作|上班)", "哪里§work"),
        (r"(?:哪里|哪儿)人|来自哪里", "哪里§from"),
        (r"做什么(?:工作|的)?|职业", "什么§livelihood"),
        (r"(?:几岁|多大|年龄|年纪)(?:了)?", "§old"),
        (r"不喜欢|讨厌", "§dislike"),
        (r"电话号码|手机号码?|电话", "§phonenumber"),
        (r"血型", "§blood"),
        (r"叫什么(?:名字)?|怎么称呼|名字|姓名", "§name"),
        (r"医生.{0,4}(?:知道|告诉)", "§health"),
        (r"我是谁", "我§identity"),
        (r"为什么", "¤why"),
        (r"什么时候|哪天|哪一天|几号|何时|几月几号|日期", "¤when"),
        (r"几点", "¤clock"),
        (r"多少|几个|几", "¤number"),
        (r"哪里|哪儿", "¤where"),
        (r"谁", "¤who"),
    ),
}

WANTS: list[tuple[Want, re.Pattern[str]]] = [
    (want, re.compile(pattern, re.IGNORECASE))
    for want, pattern in [
        (Want.CLOCK, r"\b(?:what|which) time (?=is|was|does|do|did|will|am|are|should|on|i|the)|\bat what time\b|\bqué hora\b"
                     r"|\bum wie viel uhr\b|\bwie viel uhr\b|\b(?:à )?quelle heure\b|¤clock|\bwhat time\?*$"),
        (Want.YEAR, r"\b(?:what|which) year\b|\b(?:en )?qué año\b|\bwelche[ms]? jahr\b|\bquelle année\b|哪年|哪一年"),
        (Want.COUNT, r"\bhow many\b|\bcu[aá]nt[oa]s\b|\bwie ?viele\b|\bcombien de\b|\bnumber of\b"),
        (Want.AGE, r"\bhow old\b|\bwie alt\b"),
        (Want.LENGTH, r"\bhow long\b|\bwie lange\b|\bcu[aá]nto tiempo\b|\bcombien de temps\b|多久"),
        (Want.NUMBER, r"\bhow (?:much|tall|heavy|far|fast|big|large|high)\b|\bcu[aá]nto\b|\bwie ?viel\b|\bcombien\b|¤number"
                      r"|\b(?:what|which) dos(?:e|age)\b"),
        (Want.WHEN, r"\bwhen\b|\bhow (?:often|soon)\b|\b(?:what|which) (?:day|date|month|week|weekday)\b|\bcu[aá]ndo\b|\bwann\b"
                    r"|\bquand\b|¤when|\b(?:seit wann|depuis quand|desde cuándo)\b|\bqu[eé] d[ií]a\b|\bquel jour\b"),
        (Want.WHERE, r"\bwhere\b|\bd[oó]nde\b|\bwo\b|\bwohin\b|\boù\b|¤where|\bwhereabouts\b"),
        (Want.WHO, r"\bwho(?:m|se)?\b|\bqui[eé]n(?:es)?\b|\bwe[rnm]\b|\bqui\b|¤who"),
        (Want.WHY, r"\bwhy\b|\bhow come\b|\bpor qu[eé]\b|\bwarum\b|\bwieso\b|\bpourquoi\b|¤why"),
        (Want.ANY, r"\b(?:what|which|how)\b|\bqu[eé]\b|\bcu[aá]l(?:es)?\b|\bc[oó]mo\b|\bwas\b|\bwelche\w*\b|\bwie\b"
                   r"|\b(?:que|quoi|quel(?:le)?s?|comment)\b|什么|哪|怎么|多"),
    ]
]

POLAR = re.compile(
    r"^(?:so |and |but |also |then |,|\s)*(?:do|does|did|am|is|are|was|were|have|has|had|can|could|should|will|would|may|must|shall)"
    r"(?: not)? (?:i|we|you|he|she|it|they|there|my|our|his|her|their|the|any\w*|\w+)\b",
    re.IGNORECASE,
)
POLAR_OTHER: dict[str, re.Pattern[str]] = {
    "es": re.compile(r"^¿?(?:tengo|tienes?|soy|es|est[aá]|estoy|puedo|como|bebo|hablo|vivo|trabajo|me gusta|debo|hay)\b", re.I),
    "de": re.compile(r"^(?:habe|hat|bin|ist|kann|darf|soll|muss|mag|esse|trinke|spreche|wohne|arbeite|gibt)\b", re.I),
    "fr": re.compile(r"^(?:est-ce|ai-je|suis-je|puis-je|je |j'|y a-t-il|a-t-|mon |ma |dois-je)", re.I),
    "zh": re.compile(r"吗|是不是|有没有|能不能|会不会|可不可以"),
}
IMPERATIVE = re.compile(
    r"^(?:please |pls |can you |could you |would you |just |now )*(?:tell me|name|list|remind me|give me|show me|recall|state|say"
    r"|what about|how about|and what about|do you (?:know|remember|recall)|you know|any idea|i (?:forgot|forget|want to know|need to know"
    r"|wonder|need)|remember)\b(?: (?:again|me|about|of|all|both|everything|every|each|to me))*",
    re.IGNORECASE,
)
# "do you remember my name?", "tell me who …": what follows is the question
ASKING_WRAP = re.compile(
    r"^(?:hey|hi|hello|ok|okay|so|and|but|well|right|now|please|pls|sorry|um+|also|then|btw|by the way)?[\s,!:]*(?:please |pls )?"
    r"(?:can you |could you |would you |will you )?(?:please )?"
    r"(?:do you (?:still )?(?:know|remember|recall)|tell me|remind me(?: of| about)?|let me know|any idea|you know|show me|give me"
    r"|i (?:forgot|forget|have forgotten|wonder|want to know|need to know|would like to know)|sabes|recuerdas|dime|weißt du|sag mir"
    r"|tu sais|dis-moi|告诉我|你知道|你记得)\s+(?!about (?:me|myself)\b)",
    re.IGNORECASE,
)
LISTING = re.compile(
    r"^(?:please |pls |can you |could you )*(?:name|list|enumerate|give me|tell me|show me)\b|\beverything\b|\ball (?:of )?(?:my|the|our)\b"
    r"|\bwhat (?:else|all)\b|\b(?:todas?|todos?|alle|tous|toutes)\b",
    re.IGNORECASE,
)
ABOUT_ME = re.compile(
    r"\bwhat (?:all )?(?:do|have) you (?:know|remember|have|learn\w*|got|stored?|saved?)(?: stored| saved)? (?:about|on) (?:me|myself|us)\b"
    r"|\btell me (?:everything )?about (?:me|myself)\b|\bwhat(?: all)? have i (?:told|shared)\b|\bwhat do you (?:know|remember)\s*\?*$"
    r"|\b(?:qué|que) (?:sabes|recuerdas) (?:de|sobre) m[ií]\b|\bwas weißt du (?:alles )?über mich\b|\bwas weisst du über mich\b"
    r"|\bque sais[- ]tu (?:de|sur) moi\b|\bqu'est[- ]ce que tu sais (?:de|sur) moi\b|关于我|了解我|summar\w+ (?:me|what you know)",
    re.IGNORECASE,
)
ABOUT = re.compile(
    r"\b(?:what (?:else )?(?:do|can|did|have) (?:you|i) (?:know|remember|tell (?:you|me)|told you|say|said|got|have|heard?)(?: to you)? (?:about|on|of)"
    r"|tell me (?:more |something |everything |all )?about|anything (?:about|on)|who is|who are|what is|what are|remind me about|talk about)\s+"
    r"(?:the |my |our |a |an )?(?P<what>[^?.!,]+)",
    re.IGNORECASE,
)
MAY_EAT = re.compile(
    r"\b(?:can|may|should|could|shall|must|am) (?:i|we) (?:still |safely |allowed to |able to |ok to )?(?:eat|drink|have|take|try|order|use|cook|touch|taste)\b(?P<what>.*)"
    r"|\bis (?P<it>.+?) (?:safe|ok|okay|fine|all right|allowed|good|bad|dangerous) (?:for|to)\b"
    r"|\b(?:puedo|debo) (?:comer|beber|tomar)\b(?P<es>.*)|\b(?:darf|kann|soll) ich (?P<de>.*?)(?:essen|trinken|nehmen)\b"
    r"|\b(?:je peux|puis-je|est-ce que je peux) (?:manger|boire|prendre)\b(?P<fr>.*)|我?(?:能|可以)(?:不能|不可以)?(?:吃|喝)(?P<zh>.*?)吗",
    re.IGNORECASE,
)
EITHER = re.compile(r"\b(\w+) (?:or|oder|ou) (\w+)\b", re.IGNORECASE)
NEGATION = re.compile(
    r"\b(?:no|not|never|none|nothing|neither|without|no longer|cannot|don't|doesn't|isn't|aren't|can't|won't|wasn't|stopped|quit|sin|nunca|ya no"
    r"|nicht|kein\w*|nie|ohne|pas|jamais|sans|ne)\b|n't\b|不|没",
    re.IGNORECASE,
)

STOP: dict[str, frozenset[str]] = {
    "en": frozenset(
        "a an the and or but of to in on at for from with by as into onto about over under than then so if that this these those it its itself is am "
        "are was were be been being do does did doing done have has had having can could should would will shall may might must need needs "
        "i me my mine myself we us our ours you your yours he him his she her hers they them their theirs who whom whose what which when where "
        "why how there here not no yes any some anything something someone anyone everything everyone all both each every ever again still "
        "already just also too very really quite actually now today currently always usually often please pls tell remind know "
        "remember recall say said told tell give show get gets got getting go goes going gone come comes make makes want wants wanted "
        "use uses used using take takes taking call calls called calling put let one ones thing things stuff sort kind kinds type types format formats formatted style "
        "much many more most less least lot lots old long while time ago back up out off down ok okay hey hi hello hmm um uh er oh well btw "
        "again please thanks thank idea able ought happen happens happened keep keeps kept see sees seeing supposed new exactly full current present ordinary normal regular "
        "choose chose chosen pick picked decide decided settle settled like-for good better else other person people's particular given way "
        "anyway around between spell spelled spelt since until till before after be s t re ve d ll m im exact main whole "
        "ask asks asked wants should-i mr mrs ms there's certain specific particularly mean means actually though does".split(),
    ),
    "es": frozenset(
        "el la los las un una unos unas y o u de del al a en con por para que qué cuál cuáles cuándo dónde cómo quién quiénes cuánto cuántos cuánta "
        "cuántas es son soy eres está están estoy fue era ser estar mi mis me yo tu tus te nos nuestro nuestra nuestros su sus se lo le les "
        "tengo tienes tiene tener hay ahora hoy ya muy más también sí no si dime sabes recuerdas puedo hola favor mío mía usar uso qu hace hacer "
        "todo todos todas toda algo alguna alguno debo debe va voy vas".split(),
    ),
    "de": frozenset(
        "der die das den dem des ein eine einen einem einer eines und oder von zu zum zur im in am an auf mit für bei aus nach über ist sind bin war "
        "waren sein werden wird wurde muss soll sollte kann darf was wo wer wen wem wann wie welche welcher welches welchen welchem warum ich mein meine "
        "meinen meinem meiner mir mich du dein deine dir dich wir unser unsere uns er sie es ihr ihre sich nicht kein keine habe hat haben hast "
        "jetzt heute noch schon auch sehr bitte ja nein ob weißt sag alles macht mache machen gerade viel viele gibt denn mal viel nochmal".split(),
    ),
    "fr": frozenset(
        "le la les l un une des du de d et ou à au aux en dans avec pour par sur que qu quoi quel quelle quels quelles qui où quand comment pourquoi "
        "combien est es suis sont était être c ce cette ces ça je j mon ma mes me m moi tu ton ta tes te t toi il elle on nous notre nos vous se s son sa ses "
        "ne n pas ai as a ont avons y oui non si maintenant encore déjà aussi très plus dis sais peux faire fait fais dois doit sous tout tous toute toutes".split(),
    ),
    "zh": frozenset(),
}
ZH_FUNCTION = re.compile(
    r"我的|我们的?|我|你们?的?|他的?|她的?|它的?|请问|请|什么|是|的|了|吗|呢|吧|在|有没有|有|没有|和|跟|对|为|叫|做|哪个?|个|会|能|可以|要|想|把|被|给|到|去|来|都|也|还|现在|今年|今天|知道|告诉|记得|一下|这|那|怎么|过|着|得|地|[\s?？。,,!!、.:;]+",
)
# words that only name: "what is my dog called?" asks for the dog
NAMING = frozenset({"name", "nickname", "firstname"})
MINE: dict[str, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:i|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE),
    "es": re.compile(r"\b(?:yo|me|mi|mis|mí|soy|tengo|vivo|trabajo|estoy|nací|nuestro|nuestra|nosotros|hablo|como|bebo|peso|gano|crecí)\b", re.I),
    "de": re.compile(r"\b(?:ich|mein\w*|mir|mich|wir|uns|unser\w*)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:je|mon|ma|mes|me|moi|nous|notre|nos)\b|\b[jm]'", re.IGNORECASE),
    "zh": re.compile(r"我"),
}
UNITS = frozenset(
    "milligram mg gram kilo kilogram kg pound litre liter ml metre meter km kilometre mile hour minute second day week month year euro "
    "dollar percent degree degrees inch foot feet cm word sentence time".split(),
)
