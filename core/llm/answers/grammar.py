"""The forms that questions take in five languages: question words, wrappings and function words, no logic."""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re
from enum import StrEnum

from core.llm.answers.words import word_set


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


WANTS: list[tuple[Want, re.Pattern[str]]] = [
    (want, re.compile(pattern, re.IGNORECASE))
    for want, pattern in [
        (
            Want.CLOCK,
            (
                r"\b(?:what|which) time (?=is|was|does|do|did|will|am|are|should|on|i|the)|\bat what time\b|\bqué hora\b"
                r"|\bum wie viel uhr\b|\bwie viel uhr\b|\b(?:à )?quelle heure\b|¤clock|\bwhat time\?*$"
            ),
        ),
        (Want.YEAR, r"\b(?:what|which) year\b|\b(?:en )?qué año\b|\bwelche[ms]? jahr\b|\bquelle année\b|哪年|哪一年"),
        (Want.COUNT, r"\bhow many\b|\bcu[aá]nt[oa]s\b|\bwie ?viele\b|\bcombien d(?:e\b|')|¤count|\bnumber of\b"),
        (Want.AGE, r"\bhow old\b|\bwie alt\b"),
        (Want.LENGTH, r"\bhow long\b|\bwie lange\b|\bcu[aá]nto tiempo\b|\bcombien de temps\b|多久"),
        (
            Want.NUMBER,
            (
                r"\bhow (?:much|tall|heavy|far|fast|big|large|high)\b|\bcu[aá]nto\b|\bwie ?viel\b|\bcombien\b|¤number"
                r"|\b(?:what|which) dos(?:e|age)\b"
            ),
        ),
        (
            Want.WHEN,
            (
                r"\bwhen\b|\bhow (?:often|soon)\b|\b(?:what|which) (?:day|date|month|week|weekday)\b|\bcu[aá]ndo\b|\bwann\b"
                r"|\bquand\b|¤when|\b(?:seit wann|depuis quand|desde cuándo)\b|\bqu[eé] d[ií]a\b|\bquel jour\b"
            ),
        ),
        (Want.WHERE, r"\bwhere\b|\bd[oó]nde\b|\bwo\b|\bwohin\b|\boù\b|¤where|\bwhereabouts\b"),
        (Want.WHO, r"\bwho(?:m|se)?\b|\bqui[eé]n(?:es)?\b|\bwe[rnm]\b|\bqui\b|¤who|\bthe \w+ (?:person|guy|lady)\b"),
        (Want.WHY, r"\bwhy\b|\bhow come\b|\bpor qu[eé]\b|\bwarum\b|\bwieso\b|\bpourquoi\b|¤why"),
        (
            Want.ANY,
            (
                r"\b(?:what|which|how)\b|\bqu[eé]\b|\bcu[aá]l(?:es)?\b|\bc[oó]mo\b|\bwas\b|\bwelche\w*\b|\bwie\b"
                r"|\b(?:que|quoi|quel(?:le)?s?|comment)\b|什么|哪|怎么|多"
            ),
        ),
    ]
]

POLAR = re.compile(
    (
        r"^(?:so |and |but |also |then |,|\s)*(?:do|does|did|am|is|are|was|were|have|has|had|can|could|should|will|would|may|must|shall)"
        r"(?: not)? (?:i|we|you|he|she|it|they|there|my|our|his|her|their|the|any\w*|\w+)\b"
    ),
    re.IGNORECASE,
)
POLAR_OTHER: dict[str, re.Pattern[str]] = {
    "es": re.compile(
        r"^¿?(?:tengo|tienes?|soy|es|est[aá]|estoy|puedo|como|bebo|hablo|vivo|trabajo|me gusta|debo|hay)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"^(?:habe|hat|bin|ist|kann|darf|soll|muss|mag|esse|trinke|spreche|wohne|arbeite|gibt)\b", re.IGNORECASE
    ),
    "fr": re.compile(r"^(?:est-ce|ai-je|suis-je|puis-je|je |j'|y a-t-il|a-t-|mon |ma |dois-je)", re.IGNORECASE),
    "zh": re.compile(r"吗|是不是|有没有|能不能|会不会|可不可以"),
}
IMPERATIVE = re.compile(
    (
        r"^(?:please |pls |can you |could you |would you |just |now )*(?:tell me|name|list|remind me|give me|show me|recall|state|say"
        r"|what about|how about|and what about|do you (?:know|remember|recall)|you know|any idea|i (?:forgot|forget|want to know|need to know"
        r"|wonder|need)|remember)\b(?: (?:again|me|about|of|all|both|everything|every|each|to me))*"
    ),
    re.IGNORECASE,
)
# "do you remember my name?", "tell me who …": what follows is the question
ASKING_WRAP = re.compile(
    (
        r"^(?:hey|hi|hello|ok|okay|so|and|but|well|right|now|please|pls|sorry|um+|also|then|btw|by the way)?[\s,!:]*(?:please |pls )?"
        r"(?:can you |could you |would you |will you )?(?:please )?"
        r"(?:do you (?:still )?(?:know|remember|recall)|tell me|remind me(?: of| about)?|let me know|any idea|you know|show me|give me"
        r"|i (?:forgot|forget|have forgotten|can not remember|can not recall|do not remember|can't remember|can't recall|don't remember|wonder|want to know|need to know|would like to know)|sabes|recuerdas|dime|weißt du|sag mir"
        r"|tu sais|dis-moi|告诉我|你知道|你记得)\s+(?!about (?:me|myself)\b)"
    ),
    re.IGNORECASE,
)
LISTING = re.compile(
    (
        r"^(?:please |pls |can you |could you )*(?:name|list|enumerate|give me|tell me|show me)\b|\beverything\b|\ball (?:of )?(?:my|the|our)\b"
        r"|\bwhat (?:else|all)\b|\b(?:todas?|todos?|alle|tous|toutes)\b"
    ),
    re.IGNORECASE,
)
ABOUT_ME = re.compile(
    (
        r"\bwhat (?:all )?(?:do|have) you (?:know|remember|have|learn\w*|got|stored?|saved?)(?: stored| saved)? (?:about|on) (?:me|myself|us)\b"
        r"|\btell me (?:everything )?about (?:me|myself)\b|\bwhat(?: all)? (?:have|did) i (?:tell|told|shared?)(?: with)?(?: you)?(?: so far| about me| about myself)?\s*\?*$|\bwhat do you (?:know|remember)\s*\?*$"
        r"|\b(?:qué|que) (?:sabes|recuerdas) (?:de|sobre) m[ií]\b|\bwas weißt du (?:alles )?über mich\b|\bwas weisst du über mich\b"
        r"|\bque sais[- ]tu (?:de|sur) moi\b|\bqu'est[- ]ce que tu sais (?:de|sur) moi\b|关于我|了解我|知道我(?:的)?(?:什么|哪些)|summar\w+ (?:me|what you know)"
    ),
    re.IGNORECASE,
)
MAY_EAT = re.compile(
    (
        r"\b(?:can|may|should|could|shall|must|am) (?:i|we) (?:still |safely |allowed to |able to |ok to )?(?:eat|drink|have|take|try|order|use|cook|touch|taste)\b(?P<what>.*)"
        r"|\bis (?P<it>.+?) (?:safe|ok|okay|fine|all right|allowed|good|bad|dangerous) (?:for|to)\b"
        r"|\b(?:puedo|debo) (?:comer|beber|tomar)\b(?P<es>.*)|\b(?:darf|kann|soll) ich (?P<de>.*?)(?:essen|trinken|nehmen)\b"
        r"|\b(?:je peux|puis-je|est-ce que je peux) (?:manger|boire|prendre)\b(?P<fr>.*)|我?(?:能|可以)(?:不能|不可以)?(?:吃|喝)(?P<zh>.*?)吗"
    ),
    re.IGNORECASE,
)
EITHER = re.compile(r"\b(\w+) (?:or|oder|ou) (\w+)\b", re.IGNORECASE)
NEGATION = re.compile(
    (
        r"\b(?:no|not|never|none|nothing|neither|without|no longer|cannot|don't|doesn't|isn't|aren't|can't|won't|wasn't|stopped|quit|sin|nunca|ya no"
        r"|nicht|kein\w*|nie|ohne|pas|jamais|sans|ne)\b|n't\b|不|没"
    ),
    re.IGNORECASE,
)

STOP: dict[str, frozenset[str]] = {
    "en": word_set(
        "a an the and or but of to in on at for from with by as into onto about over under than then so if "
        "that this these those it its itself is am are was were be been being do does did doing done have "
        "has had having can could should would will shall may might must need needs i me my mine myself we "
        "us our ours you your yours he him his she her hers they them their theirs who whom whose what "
        "which when where why how there here not no yes any some anything something someone anyone "
        "everything everyone all both each every ever again still already just also too very really quite "
        "actually now today currently always usually often please pls tell remind know remember recall say "
        "said told tell give show get gets got getting go goes going gone come comes make makes want wants "
        "wanted use uses used using take takes taking call calls called calling put let one ones thing "
        "things stuff sort kind kinds type types format formats formatted style much many more most less "
        "least lot lots old long while time ago back up out off down ok okay hey hi hello hmm um uh er oh "
        "well btw again please thanks thank idea able ought happen happens happened keep keeps kept see "
        "sees seeing find finds quick supposed new exactly full current present ordinary normal regular "
        "choose chose chosen pick picked decide decided settle settled like-for good better else other "
        "person people's particular given way anyway around between spell spelled spelt since until till "
        "before after be s t re ve d ll m im exact main whole ask asks asked wants should-i mr mrs ms "
        "there's certain specific particularly per mean means actually though does"
    ),
    "es": word_set(
        "algún alguna algunas algunos tengo el la los las un una unos unas y o u de del al a en con por para que qué cuál cuáles cuándo dónde "
        "cómo quién quiénes cuánto cuántos cuánta cuántas es son soy eres está están estoy fue era ser "
        "estar mi mis me yo tu tus te nos nuestro nuestra nuestros su sus se lo le les tengo tienes tiene "
        "tener hay ahora hoy ya muy más también sí no si dime sabes recuerdas puedo hola favor mío mía usar "
        "uso qu hace hacer todo todos todas toda algo alguna alguno debo debe va voy vas"
    ),
    "de": word_set(
        "lautet lauten wogegen worauf womit wofür wovor woran worüber der die das den dem des ein eine einen einem einer eines und oder von zu zum zur im in am an auf "
        "mit für bei aus nach über ist sind bin war waren sein werden wird wurde muss soll sollte kann darf "
        "was wo wer wen wem wann wie welche welcher welches welchen welchem warum ich mein meine meinen "
        "meinem meiner mir mich du dein deine dir dich wir unser unsere uns er sie es ihr ihre sich nicht "
        "kein keine habe hat haben hast jetzt heute noch schon auch sehr bitte ja nein ob weißt sag alles "
        "macht mache machen gerade viel viele gibt denn mal viel nochmal"
    ),
    "fr": word_set(
        "le la les l un une des du de d et ou à au aux en dans avec pour par sur que qu quoi quel quelle "
        "quels quelles qui où quand comment pourquoi combien est es suis sont était être c ce cette ces ça "
        "je j mon ma mes me m moi tu ton ta tes te t toi il elle on nous notre nos vous se s son sa ses ne "
        "n pas ai as a ont avons y oui non si maintenant encore déjà aussi très plus dis sais peux faire "
        "fait fais dois doit sous tout tous toute toutes"
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
    "es": re.compile(
        r"\b(?:yo|me|mi|mis|mí|soy|tengo|vivo|trabajo|estoy|nací|nuestro|nuestra|nosotros|hablo|como|bebo|peso|gano|crecí)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(r"\b(?:ich|mein\w*|mir|mich|wir|uns|unser\w*)\b", re.IGNORECASE),
    "fr": re.compile(r"\b(?:je|mon|ma|mes|me|moi|nous|notre|nos)\b|\b[jm]'", re.IGNORECASE),
    "zh": re.compile(r"我"),
}
UNITS = word_set(
    "milligram mg gram kilo kilogram kg pound litre liter ml metre meter km kilometre mile hour minute "
    "second day week month year euro dollar percent degree degrees inch foot feet cm word sentence time"
)
