"""What a sentence of the owner's claims about the world where no form reads it: kept in the owner's words (rules §1.8).

"The spare key is with the bakery" holds no slot that the grammar knows, yet it was told to be remembered. Such a
sentence becomes one `statement` on what it speaks of; it adds, and never replaces another.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.llm.rules.acts import act_of
from core.llm.rules.draft import Draft
from core.llm.rules.hanclaims import read_han
from core.llm.rules.masks import BLOT
from core.llm.rules.phrases import RELATIONS, UP, bare, rx, snake, tidy, words
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.standings import read_switch, state_of
from core.llm.rules.voice import addressed
from core.model import SpeechAct

LASTING = 0.6  # importance of how things are; what happened once counts as passing context
PASSING = 0.4
_HAN = re.compile(r"[\u4e00-\u9fff]{2}")
_FEWEST = 4  # words; fewer are a fragment or a remark
_SLOT_WORDS = 3  # of a noun that names a slot: "our queue", "our message queue"
_GAP = 3  # characters between two sentences that follow each other
_MOST = 40  # words; more are prose of somebody's

_AUX = (
    "is|are|was|were|has|have|had|will|must|should|can|cannot|can't|could|may|does|do|did|doesn't|don't|didn't|isn't|"
    "aren't|wasn't|weren't|won't|hasn't|haven't|needs?|shall"
)
_PAST_FORMS = "went|came|got|ran|took|made|gave|kept|left|held|sold|built|sent|cost|cut|put|set"
_ADVERBS = "(?:now|also|still|only|always|never|just|already|usually|currently|recently|finally) "
_NOUN_PHRASE = (
    r"(?:(?:the|our|my|this|these|those|each|every|all|no|a|an)\s+)[\w'&./+-]+(?:\s+[\w'&./+-]+){0,5}?|"
    rf"(?-i:[{UP}][\w'&./+-]*|[a-z]+[{UP}0-9][\w.-]*)(?:\s+[\w'&./+-]+){{0,4}}?"
)
_SUBJECT = re.compile(rf"^(?P<s>{_NOUN_PHRASE})\s+(?=(?:{_ADVERBS})*(?:{_AUX})\b)", re.IGNORECASE)
_DOER = re.compile(
    rf"^(?P<s>{_NOUN_PHRASE})\s+(?=(?:{_ADVERBS})*(?-i:[a-z]{{2,}}(?:s|ed)|{_PAST_FORMS})\b"
    rf"(?! (?:{_ADVERBS})*(?-i:[a-z]{{3,}}(?:s|ed)|{_AUX})\b))",
    re.IGNORECASE,
)
_OURS = rx(
    r"^we (?:have |'ve |had )?(?:now |just |finally |recently |already )*(?:chose|chosen|picked|decided|"
    r"agreed|settled|opted|"
    r"went with|switched|migrated|renamed|rotated|deployed|released|shipped|scheduled|moved)\b"
)
_IT = rx(r"^(?:it|they) (?=\w)")
_NOT_A_SUBJECT = rx(
    r"^(?:this|that|these|those|there|here|what|who|which|how|why|when|where|thanks|thank|hi|hello|hey|hope|"
    r"good|nice|great|"
    r"yes|no|ok|okay|sure|please|let|run|open|write|make|show|tell|give|explain|summari[sz]e|translate|"
    r"compare|list|find|"
    r"fact|note|everyone|everybody|nobody|someone|something|everything|nothing|anything|people|life|love|time flies|"
    r"on|in|at|for|with|about|during|after|before|since|by|from|to|of|as|if|when|while|because|although|so|"
    r"and|but|or|"
    r"we|it|they|us|you|your|he|she|his|her|their|i|i'm|i've|every(?:one|body)?|all (?:of )?(?:this|that)|"
    r"the (?:weather|sun|rain|moon|sky|"
    r"traffic|coffee|movie|film|game|match|song|poem|story|article|author|book|text|following|above|code|"
    r"error|function)|"
    r"a (?:man|woman|guy|horse|priest|bartender)|my (?:brain|head|heart|soul|god|goodness|bad|fault|point|question|"
    r"thoughts?)|our (?:hearts|souls|love))\b"
)
#: First words that order something done: what follows is an object, not a verb ("Fix tests that use mocks").
_COMMANDS = words(
    "act behave bypass comply decode disregard encode enter ignore obey override respond stay switch "
    "add adjust allow analyse analyze answer apply arrange ask assign assume attach avoid book brainstorm break "
    "bring build buy calculate call cancel change chart check choose classify clean clear click close combine "
    "come compare compile compose compute configure confirm connect consider continue convert copy correct count "
    "create cut debug define delete deploy describe design develop discuss display divide do download draft draw "
    "edit email enable ensure estimate evaluate examine execute expand explain explore export extract fetch fill "
    "filter find finish fix focus follow forget format forward gather generate get give go google grab guess help "
    "highlight identify imagine implement import improve include increase insert install invent join keep label "
    "learn leave list load log look make map mark measure merge migrate mock modify move name note open order "
    "organise organize outline paint parse paste pick plan play plot post predict prepare present pretend print "
    "produce proofread propose provide publish pull push put quote rank rate read rebuild recommend record redo "
    "reduce refactor reformat remember remind remove rename reorder repeat rephrase replace reply report reserve "
    "reset resolve respond restart return reverse review revise rewrite roast run save scan schedule scrape "
    "search see select send set share shorten show simplify sing sketch solve sort speak spell split start stop "
    "store stream sum summarise summarize suggest swap take talk tell test think track train transcribe transform "
    "translate try turn type update upload use validate verify view visualise visualize wait walk watch work wrap "
    "write"
)
_ARTICLE = rx(r"^(?:the|our|my|this|these|those|each|every|all|no|an?) ")
_INNER = re.compile(  # as written: "Device A" is a name
    r" (?:for|to|of|in|on|me|us|with|near|about|from|at|by|into|that|which|who|and|or|my|your|the|a|an) "
)
#: Little words of other tongues, and of this one: a sentence with the first and none of the second is not read.
_FOREIGN_WORD = rx(
    r"\b(?:el|los|las|del|una?|que|sin|con|por|para|es|eres|est[áa]s?|der|die|das|und|ist|eine?n?|nicht|les?|des|une|est|"
    r"dans|pour|avec|il|lo|gli|che|sono|per|os|uma?|n[ãa]o|het|een|niet|jest)\b"
)
_ENGLISH_WORD = rx(r"\b(?:the|is|are|was|were|has|have|had|will|must|my|our|and|with|for|on|in|at|to|of|from|by|an)\b")
_ADDRESSES = rx(r"\b(?:you|your|yours|yourself|please)\b")
_FEELS = rx(
    r"\b(?:so|really|very|too|pretty) (?:good|bad|nice|great|tired|happy|sad|annoying|boring|long|hot|cold|"
    r"funny|slow)\b|"
    r"\b(?:lol|haha|ugh|wow|omg|argh|ever|(?:worst|best) (?:thing|part|idea)|great|awful|terrible|amazing|"
    r"fantastic|horrible|lovely|brilliant|excellent)\b|\b(?:today|tonight) (?:was|is|has been)\b|[!?]{2,}|…|\.\.\."
)
_TROUBLE = rx(
    r"\b(?:fails?|failed|failing|crash(?:es|ed|ing)?|throws?|raises?|returns?|prints?|errors?|exceptions?|"
    r"traceback|bugs?|"
    r"null pointer|stack ?traces?|undefined|syntax)\b"
)
#: What it is like, of nothing of the speaker's own: "London is expensive these days".
_REMARK = rx(
    r"^(?:is|are|was|were|looks?|seems?|feels?|sounds?) (?:now |still |again |always )?[\w-]+"
    r"(?: (?:today|tonight|again|now|lately|as usual|these days|this \w+|for (?:the|a|me|us) [\w ]+|for me|"
    r"for us|anyway|too|to \w+))*$"
)
_PAST = rx(r"^(?:\w+ )?(?:was|were|had|did|didn't|went|came|got|ran|took|made|gave|left|sold|built|sent|\w+ed)\b")
_USES = rx(
    rf"^(?:{_ADVERBS})*(?:will (?:now )?use|uses|is (?:now )?using|(?:will )?runs? on|relies on|is built (?:on|"
    rf"with)|is powered by) "
    r"(?P<v>[^,;]{2,60}?)(?:,? (?:because|since|as|from|for|in|instead)\b.*)?$"
)
_NAMED = rx(r"^(?:is|are) (?:now |still |currently |called |named )*(?P<v>[^,;]{1,60})$")
_OWN = rx(r"^(?:my|our) ")
#: "I park on level 3": a habit or a place of the speaker's own; verbs of thinking, wanting and helping tell nothing.
_HABIT = rx(
    rf"^(?:i|we) (?:{_ADVERBS})*(?!(?:think|need|want|wonder|guess|hope|wish|mean|know|see|feel|believe|"
    rf"suppose|understand|"
    r"appreciate|like|love|hate|have|had|get|got|am|was|agree|doubt|remember|forgot|forget|asked|ask|try|"
    r"tried|can|could|"
    r"should|will|would|may|might|must|do|did|just|look|heard|hear|find|say|said|told|tell|promise|swear|bet|"
    r"give|care|"
    r"figured|thought|didn't|don't|can't|won't|never|cannot|ve|ll|d|m|in|on|at|to|for|and|or|so|really|kind|sort)\b)"
    rf"(?-i:[a-z]{{3,}})(?<!ed)(?<!ing)(?: (?:my|our|the|an?) [\w' -]{{2,40}})? "
    r"(?:on|in|at|under|behind|beside|near|next to|with|by|between|above|below|inside|outside) [^,;]{2,60}$"
)
_ATE = rx(
    r"^(?:(?:yesterday|today|last night|tonight),? )?(?:i|we) (?:had|ate|cooked|"
    r"made) [^,;]{2,60} for (?:breakfast|lunch|dinner|supper|brunch)\b"
)
_PLANNED = rx(
    r"^(?:i|we)(?:'m| am|'re| are)? (?:plan|planning|organi[sz]e|organi[sz]ing|prepare|preparing)(?: on| for)? "
    r"(?P<v>(?:an?|our|my|the) .+)$"
)
_KIND = re.compile(r"^(?:is|are) (?P<v>an? [^,;]{2,60})$", re.IGNORECASE)
_NAMELY = re.compile(rf"(?:[{UP}][\w.-]*|\d[\w.-]*)$")


def read_claim(said: Sentence, scene: Scene) -> list[Draft]:
    """At most one draft of a sentence that no form read."""
    if _HAN.search(said.text) and BLOT not in said.text:
        return read_han(said, scene)
    plain = said.text.strip().rstrip(".!。 ")
    latin = plain.isascii() or re.search(r"[a-z]{3,} [a-z]{2,}", plain)
    if not latin or (_FOREIGN_WORD.search(plain) and not _ENGLISH_WORD.search(plain)):
        return []
    if BLOT in plain or said.item or act_of(said.text, asks=said.asks) is not SpeechAct.ASSERTION:
        return []
    if not _FEWEST <= len(plain.split()) <= _MOST or _ADDRESSES.search(plain):
        return []
    if _FEELS.search(said.text) or _TROUBLE.search(plain):
        return []
    return [draft for part, start in _parts(plain, said.start) for draft in _read(part, start, said, scene)]


def _parts(plain: str, start: int) -> list[tuple[str, int]]:
    """The sentence, or what stands between its semicolons where each is a whole clause."""
    found = [(one.group().strip(), start + one.start()) for one in re.finditer(r"[^;]+", plain)]
    whole = [(part, at) for part, at in found if len(part.split()) >= _FEWEST - 1]
    return whole if len(whole) == len(found) and not _PLANNED.match(plain) else [(plain, start)]


def _read(plain: str, start: int, said: Sentence, scene: Scene) -> list[Draft]:
    here = replace(said, text=plain, start=start, end=start + len(plain))
    if switched := read_switch(here, scene):
        return switched
    if planned := _PLANNED.match(plain):
        return [_draft("user", "plan", planned["v"], here)]
    if _HABIT.match(plain):
        return [_statement("user", plain, here, LASTING)]
    if _OURS.match(plain) or _ATE.match(plain):
        return [_statement("user", plain, here, PASSING)]
    subject, rest = _subject(plain, scene)
    return _of_thing(subject, rest, here) if subject else []


def _of_thing(subject: str, rest: str, here: Sentence) -> list[Draft]:
    """What is said of a thing: in its slot where the words name one, else as it stands."""
    plain = here.text
    state = state_of(plain.split(",", maxsplit=1)[0])
    if state:
        return [_draft(state[0], "status", state[1], here)]
    if _REMARK.match(rest) and not _OWN.match(plain) and not re.search(r"\d", subject):
        return []
    named, kind, uses = _NAMED.match(rest), _KIND.match(rest), _USES.match(rest)
    if uses:
        return [_draft(subject, "uses", bare(uses["v"]), here)]
    if kind and _NAMELY.search(subject):
        return [_draft(subject, "description", kind["v"], here)]
    if named and _OWN.match(plain) and _NAMELY.match(named["v"].split()[0]) and len(subject.split()) <= _SLOT_WORDS:
        return [_draft("user", snake(subject), named["v"], here)]
    return [_statement(subject, plain, here, PASSING if _PAST.match(rest) else LASTING)]


def _draft(subject: str, attribute: str, value: str, here: Sentence) -> Draft:
    return Draft(subject, attribute, tidy(value), addressed(here.text), here.start, here.end)


def joined(earlier: list[Draft], claims: list[Draft]) -> list[Draft]:
    """All of them, a statement that goes on about the one before it ("It …") told together with that one."""
    if not earlier or len(claims) != 1:
        return [*earlier, *claims]
    first, then = earlier[-1], claims[0]
    goes_on = first.attribute == then.attribute == "statement" and first.subject == then.subject
    if not goes_on or not _IT.match(then.value) or then.start - first.end > _GAP:
        return [*earlier, *claims]
    both = replace(
        first,
        value=f"{first.value}. {then.value}",
        statement=f"{first.statement} {then.statement}",
        end=then.end,
    )
    return [*earlier[:-1], both]


def _subject(plain: str, scene: Scene) -> tuple[str, str]:
    """What the sentence speaks of, and its predicate; ("", "") if that cannot be told."""
    if found := _IT.match(plain):
        last = scene.discourse.thing or scene.discourse.last
        return (last.subject, plain[found.end() :]) if last and not last.person else ("", "")
    found = _SUBJECT.match(plain) or _DOER.match(plain)
    first, *others = plain.split(maxsplit=2)
    orders = first.casefold() in _COMMANDS and not others[0][0].isdigit()  # "Change 88 was merged" orders nothing
    if not found or _NOT_A_SUBJECT.match(plain) or orders:
        return "", ""
    if re.search(r"(?i) (?:we|i|it|they|he|she|says?|said)$", found["s"]):
        return "", ""
    if not _ARTICLE.match(plain) and _INNER.search(f"{found['s']} "):
        return "", ""
    subject = bare(found["s"])
    return RELATIONS.get(subject.casefold(), subject), plain[found.end() :]


def _statement(subject: str, plain: str, said: Sentence, importance: float) -> Draft:
    return Draft(subject, "statement", plain, addressed(plain), said.start, said.end, importance=importance)
