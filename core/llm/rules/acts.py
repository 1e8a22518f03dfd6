"""What a sentence does: only assertions and the owner's own directives go on to the grammar (rules §1.5, §1.9)."""

from __future__ import annotations

from collections.abc import Sequence

from core.llm.rules.masks import BLOT
from core.llm.rules.phrases import rx
from core.model import SourceKind, SpeechAct, Turn

_ROLE_PLAY = rx(
    r"\b(?:role-?play(?:ing)?|let's pretend|pretend (?:that )?(?:you|i|we)|let's play (?!football|"
    r"tennis|chess)\w+|you(?:'re| are) (?:now )?(?:the|a|an|my) "
    "(?:innkeeper|wizard|detective|knight|king|queen|pirate|captain|dungeon master|narrator|villain|"
    "hero|dragon|vampire|barkeep|interviewer|shopkeeper)|act as (?:a|an|the|if)|"
    r"i'?ll (?:be|play) (?:the|a|an)\b|you(?:'ll)? (?:be|play) (?:the|a|an)\b|in character|dungeon "
    "master|text adventure|improv scene|stay in character|"
    r"juego de rol|rollenspiel|jeu de rôle|角色扮演|my character\b|our d&d|d&d campaign|game of "
    "make-?believe)"
)


_FICTION = rx(
    r"\b(?:(?:write|tell|compose|draft|continue|make up|invent|give)\b(?: \w+){0,4} (?:story|tale|"
    "poem|haiku|limerick|song|rap|lyrics|scene|dialogue|monologue|novel|fairy ?tale|"
    "sonnet|screenplay|sketch|chapter|short story|backstory)|(?:my|the|a|our) (?:novel|screenplay|"
    r"short story|protagonist|main character|fanfic\w*|narrator|heroine|villain)\b|once upon a time|"
    r"schreib\w* (?:mir )?eine (?:geschichte|szene)|escr[ií]be(?:me)? un (?:cuento|relato|poema)|"
    "écris(?:-moi)? (?:une histoire|un conte|un poème)|写一?个?故事)"
)


_FICTION_SENTENCE = rx(
    r"\b(?:in (?:the|my|this) (?:novel|story|game|book|film|movie|dream|play|show|screenplay)|i "
    "(?:dreamt|dreamed)|last night i had a dream|"
    r"(?:my|the) (?:character|protagonist|hero|heroine|narrator|villain|avatar)(?:'s)?\b|in a "
    "parallel universe|in another life|"
    r"as (?:the|an) old saying|as the saying goes|there's a saying|as (?:shakespeare|oscar wilde) )"
)


_LEAVES_FICTION = rx(
    r"\b(?:out of character|ooc\b|end (?:of )?(?:the )?(?:scene|role-?play|game|story)|stop (?:the "
    ")?(?:role-?play(?:ing)?|game|pretending)|back to (?:reality|real life|normal)|"
    "in real life|irl|for real(?: now)?|ok(?:ay)?,? seriously|let's stop|enough (?:role-?play|"
    r"pretending)|drop the act|(?:game|scene) over)\b"
)


_HYPOTHETICAL = rx(
    r"^(?:(?:and|but|so|ok|hmm|well|now|hey|hi)[, ]+)*(?:if\b(?! (?:you (?:need|want|must|should|"
    "wonder|ask)|anyone asks|it helps|that helps|it matters|memory serves|i'm honest|you're curious|"
    r"you care)\b)|"
    r"suppos(?:e|ing)\b|imagin(?:e|ing)\b|what if|let's (?:say|suppose|imagine|assume)|say (?:i|we|"
    r"that)\b|assum(?:e|ing)\b|pretend\b|hypothetically|in theory|in case\b(?! (?:it (?:helps|"
    "matters)|you (?:need|want|wonder|ask)|it's (?:useful|relevant)|anyone))|"
    r"had i\b|were i\b|should i\b|unless\b|wish (?:i|we)\b|i wish\b|if only|were it|"
    r"si (?:yo )?(?:tuviera|fuera|viviera|pudiera|ganara|tuviese|comprara)\b|supongamos|imagina\b|"
    "wenn ich .{0,60}(?:wäre|hätte|würde)|angenommen|stell dir vor|si j'(?:étais|avais)|"
    r"si je \w+ais\b|imagine que|supposons|如果|假如|假设|要是|se (?:io )?(?:fossi|avessi|vivessi)|se eu "
    "(?:fosse|tivesse|morasse))"
)


_UNCERTAIN = rx(
    r"\b(?:(?:i|we|they|he|she|it) (?:might|may|could)\b|maybe (?:i|we)\b|perhaps (?:i|we|one day)\b|"
    "might (?:perhaps|maybe)|"
    r"(?:thinking|dreaming|considering|toying) (?:of|about|with)\b|considering \w+ing|would be "
    r"(?:nice|cool|great|fun)|(?:i|we) wonder\b|"
    "not sure (?:if|whether|i|we|about)|(?:i'?d|i would|we'd|we would|you'd|you would) (?:have|be|"
    r"need|probably|rather die)\b|one day (?:i|we)\b|someday\b|could have\b|would have\b|almost "
    r"(?:bought|moved|got|took)\b|"
    "haven't decided|nobody has decided|undecided|no idea (?:if|whether)|quizás|vielleicht|peut-être|"
    "也许|可能会|talvez|forse)"
)


_SARCASM = rx(
    r"(?:🙄|\b(?:oh sure|yeah,? right|yeah,? sure|as if (?:i|we|that|it)\b|oh (?:great|joy|wonderful|"
    r"fantastic|brilliant|yes)\b,?|sure,? because|because i'?m obviously|totally not|said no one|"
    r"oh (?:yeah|yes|sure),? (?:i|we|because)\b|\bi (?:just )?(?-i:LOVE|"
    r"ADORE)\b(?=.*favou?rite)|just (?-i:LOVE)\b|yeah right|"
    r"just what i needed|how (?:lovely|delightful|thrilling)\b|what a (?:surprise|shock)|my absolute "
    r"favou?rite thing|lucky me|big surprise|obviously i'?m a|i just live for)|(?<!\w)/s(?:\s|$))"
)


_JOKE = rx(
    r"(?:\b(?:knock,? knock|walks? into a bar|just kidding|only kidding|jk\b|i'?m (?:just "
    r")?(?:kidding|joking)|secretly (?:a|an|three|two|\d)|in a (?:trench ?)?coat$|my (?:brain|head|"
    r"life|bank account|fridge) is (?:a|an|basically|like)\b|"
    "(?:i'?m|i am) (?:basically |literally |practically )?(?:a|an) (?:potato|zombie|goblin|raccoon|"
    r"sloth|vampire|robot|ghost|walking \w+|dinosaur|alien|burrito|gremlin|cat person trapped|mess)\b|"
    r"(?:i'?m|i am) (?:literally |basically )?(?:made of|\d{3,} years old|dying of|dead|starving|"
    "running on)|"
    r"\bbehold\b|(?:i'?m|i am) (?:the|your|a|an) (?:\w+ )?(?:emperor|empress|king|queen|pope|"
    r"god|goddess|lord|overlord|tsar|pharaoh|sultan|president of)\b|"
    r"why did the|how many \w+ does it take|your mum|dad joke|joke|allergic to (?:mondays|work|people|"
    "exercise|mornings|stupidity|nonsense|bullshit|adulting|homework|effort|responsibility))|^(?:lol|"
    r"lmao|haha+|rofl)\b(?!.{0,20}\b(?:actually|really|seriously|true)))"
)


#: What an encyclopedia says: nothing about the one who types it.
_WORLD = rx(
    r"^(?:the )?(?:(?-i:[A-ZÀ-Þ])[\w ]{1,40} (?:is|was|has) )?(?:the )?(?:capital|population|"
    r"currency|president|prime minister|inventor|discoverer|"
    r"founder|author|boiling point|melting point|atomic number|chemical symbol|speed|mass|"
    r"area|(?:official )?language|largest \w+|longest \w+|"
    r"highest \w+|tallest \w+|smallest \w+) (?:of|in) (?:the )?(?-i:[A-ZÀ-Þ]|light|sound|"
    r"water|gold|iron|world)\w*(?: \w+){0,2}(?: (?:is|was|were|are) .+)?$"
)


#: What a text says, not its reader.
_REPORTED = rx(
    r"^(?:the|this|that|an?) (?:\w+ )?(?:article|book|report|news|newspaper|study|paper|blog|"
    r"post|review|documentary|podcast|essay|wiki\w*|author|website|page|ad|"
    r"headline) (?:says?|said|claims?|claimed|states?|stated|reads?|argues?|argued|mentions?|mentioned|reports?)\b"
)


_WH = (
    "(?:who(?:'s|s)?|what(?:'s|s)?|when(?:'s|s)?|where(?:'s|s)?|why|how(?:'s|s)?|which|whose|whom|is|"
    "are|am|was|were|do|does|did|don't|doesn't|didn't|can|could|will|would|should|shall|may|might|"
    "have|has|had|"
    "isn't|aren't|wasn't|won't|can't|couldn't|wouldn't|shouldn't|any|anyone|anybody|anything|know "
    "any|got any|wanna know|is it true)"
)


_ASKS = rx(
    "^(?:(?:and|but|so|ok|okay|hmm|well|hey|hi|hello|right|also|anyway|quick (?:question|q)|question|"
    "btw|um|uh|yo|please)[,:! ]+(?:- )?)*"
    r"(?:(?:who|what|where|why|how|which|whose)(?:'s|s|'re|'d)?\b(?! i (?:can't|cannot|don't|do|"
    r"really|love|hate|need|want|meant|like)\b)|when(?:'s)? (?:is|are|do|does|did|will|was|can|"
    r"should)\b|"
    "(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|have|has|isn't|aren't|don't|"
    "doesn't|didn't|won't|can't|couldn't|wouldn't) (?:i|you|we|they|he|she|it|this|that|there|the|my|"
    r"your|our|any|anyone|people|cats|dogs|(?!b?ring\b|sing\b)\w+ing)\b"
    r"(?<!don't you )|any (?:ideas?|tips?|advice|recommendations?|suggestions?|chance|idea)\b|"
    r"anyone\b|(?:is|are) \w+ \w+ or\b|tell me (?:about|how|what|why|who|when|where|whether|if)\b|"
    r"remind me (?:who|what|when|where|how)\b|"
    r"(?:i was |i'?m |just )?wondering (?:if|whether|how|what|about)\b|(?:i|we) (?:want|need|'d like|"
    r"would like) to know\b|do you\b)"
)


_FOREIGN_ASKS = rx(
    r"^(?:[¿]|(?:qué|cuál|cuándo|dónde|quién|cómo|por qué|was|wer|wann|wo|wie|warum|welche\w*|kannst "
    r"du|können sie|könntest|weißt du|gibt es|est-ce|qu'est|quel\w*|où|quand|comment|pourquoi|peux-tu|"
    "pouvez|"
    "puedes|podrías|sabes|che|quando|dove|chi|come (?:si|fa|è)|perché|puoi|onde|quem|você pode|pode "
    r"me)\b)|[吗呢？]\s*$|(?:什么|哪里|哪儿|怎么|为什么|多少|谁|几[岁点个])"
)


#: A question tacked on to a statement: "I'm moving to Oslo, what should I pack?"
_TAIL_QUESTION = rx(
    rf"(?:,|;| -| –| —|\.\.\.|\band|\bso|\bbut)\s+(?:and |so |but |then |also )?(?={_WH}\b(?:(?! (?:is|"
    r"are) (?:why|how)).)*\?+\s*$)"
)


_SOCIAL = rx(
    "^(?:(?:many |ok |okay |great |perfect |awesome |nice )?(?:thanks|thank you|thx|cheers|ta|merci|"
    r"gracias|danke|grazie|obrigad[oa]|谢谢)\b.*|i (?:really )?appreciate (?:it|that|your|you)\b.*|"
    r"(?:i'm|im) (?:so )?(?:glad|happy|sorry|grateful) (?:i asked|you|that|to hear|it|for|about)\b.*|"
    r"have a (?:good|great|nice|lovely) \w+.*|(?:good (?:morning|evening|night|afternoon)|hi|hey|"
    "hello|hiya|yo|bye|goodbye|see you|talk (?:soon|later))(?:[ ,!]+(?:there|all|again|everyone|mate|"
    r"folks|friend|team|you|soon|later|tomorrow|then|bye|and|thanks|hope you'?re \w+))*|you(?:'re| "
    r"are) (?:a star|the best|great|amazing|welcome)\b.*|"
    "(?:right|ok|okay|sure|fine|fair enough|makes sense|got it|i see|cool|nice|great|perfect|hmm+|"
    "not bad|sounds good|no worries|never ?mind|wow)[,.! ]*(?:makes sense|then|mate|thanks|bit tired|"
    "lol)?)$"
)


_PASSING = rx(
    "^(?:(?:ok|right|well|so)[, ]+)?(?:i'm|im|i am|i'll|ill|i will|gonna|going to|let me|i need to|i "
    "have to|i gotta) (?:(?:just|now|quickly) )*(?:going to |gonna )?(?:grab|go|be back|be right "
    "back|get back|check|think about it|try (?:it|that|this)|have a look|take a look|look into|"
    r"brb)\b|"
    r"\b(?:back in a (?:sec|minute|bit|moment)|brb|crazy weather|be right back)\b"
)


def turn_is_fiction(masked: str) -> bool:
    """Whether a user turn opens a story or a role-play: nothing in it is about the user."""
    return bool(_ROLE_PLAY.search(masked) or _FICTION.search(masked)) and not _LEAVES_FICTION.search(masked)


def in_role_play(recent: Sequence[Turn]) -> bool:
    """Whether an earlier user turn of this conversation opened a role-play that nobody has closed since."""
    playing = False
    for turn in recent:
        if turn.role != "user" or turn.source_kind is not SourceKind.USER_TURN:
            continue
        if _LEAVES_FICTION.search(turn.text):
            playing = False
        elif _ROLE_PLAY.search(turn.text):
            playing = True
    return playing


def leaves_fiction(text: str) -> bool:
    """Whether a turn closes a role-play."""
    return bool(_LEAVES_FICTION.search(text))


_MENTIONED = rx(
    r"^(?:(?:oh|and|also|btw|hey|by the way|wait)[, ]+)*(?:did|have) i (?:ever |"
    r"already )?(?:mention|tell you|told you|mentioned|said|say)(?: already| yet)?(?: that)? "
    r"(?P<v>(?:i|i'm|i've|im|ive|we|we're|we've|my|our)\b.+?)[?\s]*$"
)


def statement_before_question(text: str) -> str:
    """The declarative head of a sentence that ends in a question; "" if there is none."""
    found = _TAIL_QUESTION.search(text)
    if not found:
        return ""
    head = text[: found.start()]
    return "" if _ASKS.search(head) or _FOREIGN_ASKS.search(head) else head


def act_of(text: str, *, asks: bool) -> SpeechAct:
    """What one masked sentence does. `asks`: it ended in a question mark."""
    plain = text.strip()
    if (told := _MENTIONED.match(plain)) and act_of(told["v"], asks=False) is SpeechAct.ASSERTION:
        return SpeechAct.ASSERTION
    if asks or _ASKS.search(plain) or _FOREIGN_ASKS.search(plain):
        return SpeechAct.QUESTION
    if _HYPOTHETICAL.search(plain) or _UNCERTAIN.search(plain):
        return SpeechAct.HYPOTHETICAL
    if _SARCASM.search(plain) or _JOKE.search(plain) or _FICTION_SENTENCE.search(plain):
        return SpeechAct.FICTION
    return SpeechAct.SOCIAL if _tells_nothing(plain) else SpeechAct.ASSERTION


def _tells_nothing(plain: str) -> bool:
    """Whether a sentence is courtesy, a passing remark, common knowledge or what some text says."""
    bare = plain.rstrip(" .!")
    if _WORLD.match(bare) or _REPORTED.match(plain):
        return True
    return bool(_SOCIAL.search(bare) or _PASSING.search(plain)) or not plain.replace(BLOT, "").strip(" .,;:!\"'")
