"""Who belongs to whom in loose sentences: appositions, ordinals, pets by breed, lists of roles."""

from __future__ import annotations

import re

from core.llm.rules.clauses import Entity, related
from core.llm.rules.dates import WHEN
from core.llm.rules.draft import Draft
from core.llm.rules.loose import Form, made, read_forms
from core.llm.rules.names import is_name
from core.llm.rules.phrases import (
    KIN,
    KIN_ADJECTIVE,
    PERSON,
    PERSONS,
    PETS,
    RELATION,
    RELATIONS,
    ROLES,
    rx,
    tidy,
)
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.work import is_job_title

BREEDS = (
    r"(?:(?:[\w-]+ )?(?P<dogbreed>(?:\w*hound|\w*terrier|\w*retriever|labrador|lab|\w*poodle|spaniel|"
    "collie|sheepdog|shepherd|"
    r"dachshund|beagle|husky|bulldog|corgi|mastiff|setter|pointer|schnauzer|chihuahua|pug|boxer|whippet|mutt|mongrel|"
    r"\w+doodle|\w+poo|greyhound|lurcher|dalmatian|rottweiler|staffie|staffy|westie|pomeranian|"
    "akita|malamute|newfoundland|"
    r"weimaraner|vizsla|samoyed|shih tzu|pup|doggo|pooch))|(?:[\w-]+ )?(?P<catbreed>(?:tabby|siamese|"
    "ragdoll|maine coon|persian|"
    r"bengal|shorthair|longhair|sphynx|tomcat|tom|tortie|moggy|moggie|ginger tom|kitty)))"
)


def pet_of(match: re.Match[str]) -> str:
    """The pet's slot of a match of `BREEDS`."""
    return "dog" if match["dogbreed"] else "cat"


_ANY_NAME = rf"(?P<n>{PERSON}|[a-zà-ÿ]{{3,14}})"
_APPOSED = rx(
    rf"(?:^|(?<=[\s,;:]))(?P<n>(?-i:[A-ZÀ-Þ])[\w'-]*(?: (?-i:[A-ZÀ-Þ])[\w'-]*){{0,2}}|[a-zà-ÿ]{{3,14}})"
    rf" ?[(,–—-] ?(?:my|our) (?P<k>{KIN_ADJECTIVE}(?:{RELATION}|{BREEDS}))(?: [\w-]+)?[),;.!–—-]"
)
_SHE_IS = rx(
    rf"(?P<n>{PERSON})(?:,| -| –|;|\.)\s*(?:(?:he|she|they)(?:'s| is|'re| are)|who(?:'s| is)) (?:my|"
    rf"our) (?P<k>{KIN_ADJECTIVE}{RELATION})\b"
)
_IS_MY = rx(
    rf"(?:^|(?<=[,;:(] )|(?<=\band )|(?<=\bbut ))(?P<n>{PERSON})(?:'s| is| was| are) (?:my|our)"
    rf" (?P<k>{KIN_ADJECTIVE}{RELATION})\b(?!'s)"
)
_ORDINAL = rx(
    r"\b(?:my|our) (?P<k>first(?:-?born)?|second|third|fourth|eldest|oldest|youngest|middle|little|"
    "older|younger|newest|other)"
    f"(?: (?:one|child|kid|born|boy|girl|son|daughter))?,? (?:is |is called |called |named )?(?P<n>{PERSON}"
    r")(?=[,.;!?)]|$|'s\b| (?:is|has|just|was|starts?|goes|loves?|turns?|and)\b)"
)
_ONES = rx(
    r"\b(?:the|our|my) (?P<k>young|younger|old|older|new|newer|other|little|big|black|white|second|"
    "small|smaller|ginger|brown)"
    rf"(?: one)?(?:'s| is)(?: called| named)? (?P<n>{PERSON})"
)
_BREED_NAMED = rx(
    rf"\b(?P<d>my|our|an?|the) (?:new |old |young |little |elderly |rescue |lovely |mad |lazy |naughty ){{0,2}}{BREEDS}"
    rf"(?:'s| is)?(?:,? (?:is )?(?:called|named)|'s name is| name is|,)? (?P<n>{PERSON})"
)
_OWN_BREED = rx(
    rf"\b(?:my|our) (?:new |old |young |little |elderly |rescue |lovely |mad |lazy ){{0,2}}{BREEDS}\b(?!'s name)"
)
_PET_CALLED = rx(
    r"\b(?:a|an|our|my|one|got|have|adopted|rescued|keep|bought) (?:\w+ ){0,3}?(?P<k>[a-z]+)(?: "
    r"yesterday| today| last \w+)?,? "
    rf"(?:who's |he's |she's |it's |is )?(?:called|named) (?P<n>{PERSON})"
)
_GOT = rx(
    r"\b(?:got|have|adopted|rescued|bought|getting) (?:an?|our|my|another|the) (?:new |little |baby |rescue )*"
    rf"(?P<k>{'|'.join(re.escape(word) for word in PETS)})\b"
)
_HE_CALLED = rx(rf"\b(?:he|she|it|they|his name|her name|the name)(?:'s| is)(?: called| named)? (?P<n>{PERSON})")
_STOCK = (
    "(?:hens|chickens|ducks|geese|bees|sheep|goats|pigs|cows|cattle|horses|ponies|alpacas|llamas|"
    "quails?|turkeys|donkeys|"
    r"pigeons|koi|guinea fowl|stick insects|snails|axolotls?|rabbits|ferrets|finches|budgies|parrots|snakes|geckos|"
    r"guinea pigs|hamsters|goldfish|tarantulas?|tortoises|peacocks|doves|rats)"
)
_STOCK_FORM = (
    Form(
        "pet",
        rx(
            "(?:i |we |i've |we've |i have |we have )?(?:also |just |now )?(?:keep|keeping|raise|breed|"
            r"got|have|look after) (?P<v>(?:an? (?:few|couple of) |some |(?:about )?\d+ |two |three |"
            rf"four |five |six |our |my )?(?:[\w-]+ )?{_STOCK}\b(?:,? (?:mostly |mainly )(?-i:[A-Z])\w+(?: "
            r"mostly)?|,? (?-i:[A-Z])\w+ (?:mostly|mainly))?)"
        ),
        "You keep {v}",
        own=True,
        whole=True,
    ),
)
_THE_TWINS = rx(r"\b(?:the|my|our) (?P<v>twins|triplets)\b")
_EXPECTING = rx(
    r"\b(?:expecting|pregnant with) (?:our|a|my|the|their) (?P<w>[\w -]{3,24}?)[, ]+(?:and )?(?:is "
    "|it's |he's |she's |baby's |baby is )?(?:due|arriving|coming)"
    rf"(?: date)?(?: is)?(?: in| on| around| at| by|:)? (?P<v>(?:the )?(?:(?:early|mid|late)[- ])?(?:{WHEN}))"
)
_BABY_DUE = rx(
    r"\b(?:(?:the |our |my )?(?:baby|little one|bump|second|first)(?:'s| is) due|(?:i'm|i am|we're|"
    "my wife is|my wife's|pregnant(?: and)?|my due date is|due date(?: is|:)))"
    rf"(?: pregnant,?)?(?: and)?(?: due)?(?: in| on| around)? (?P<v>(?:the )?(?:(?:early|mid|late)[- ])?(?:{WHEN}))"
)
_PARENT = rx(
    r"\b(?:(?:single|proud|new|stay[- ]at[- ]home|working|busy|tired) )?(?:mum|mom|mam|dad|father|"
    r"mother|parent|mama) (?:of|to) (?:an? )?(?P<c>one|two|three|four|five|six|seven|\d)"
    r"(?![- ](?:year|month|week|yr))\b(?: (?P<w>boys|girls|kids|children|teenagers|daughters|sons|under \w+))?"
)
_PARENT_NAMED = rx(
    r"\b(?:mum|mom|mam|dad|father|mother|parent|mama) (?:of|to) (?:an? |my )?(?:[\w-]+ ){0,4}?(?:called|named)?,? ?"
    rf"(?P<n>{PERSON})"
)
_REL_IS = rx(
    r"(?:^|(?<=[,;:(] )|(?<=\band )|(?<=\bbut )|(?<=\. ))(?:(?:my|our|the|his|her|their) )?(?P<k>(?:[\w&"
    rf"'-]+ ){{0,3}}?[\w&'-]+?)"
    r"(?: (?:for (?:the|this|our) \w+|this (?:quarter|month|week|year|term|season|sprint)|right now|is now|at work))?"
    " ?(?:'s|is|will be|are|=|:|was|being) (?:now |still |currently )?(?:(?:some|a|an|this) (?:bloke|"
    "guy|man|woman|lady|chap|fella|girl|lad|person|friend|colleague) (?:called|named) |"
    rf"(?:my|our|his|her) (?:(?:old|good|best) )?(?P<r>buddy|mate|pal|{RELATION})(?: from \w+)? "
    rf")?(?P<n>{PERSON})(?=\s*(?:[,.;!?()–-]|$)| (?:and|for|from|at|but|now|this|again|who|if|he|"
    r"she)\b)"
)
_ROLE_WORDS = re.compile(
    r"(?:.*\b)?(?:lead|head|backup|back-up|stand-?in|deputy|dj|mc|officiant|best man|maid of honou?r|"
    "bridesmaid|host|owner|contact|"
    "captain|chair|treasurer|secretary|godmother|godfather|cover|sub|substitute|understudy|celebrant|"
    "agent|on call|on-call|pm|qa|"
    "ceo|cto|cfo|coo|vp|po|hr|scrum master|product owner|goalkeeper|keeper|striker|drummer|bassist|"
    "singer|guitarist|sitter|"
    "supervisor|advisor|adviser|examiner|line manager|boss|second in command|right hand|referee|"
    "organiser|organizer|rep|"
    "dog walker|florist|caterer|band|emcee|witness|guardian|executor|next of kin|emergency contact|"
    "approver|reviewer|maintainer|"
    "sponsor|wing(?:man|woman)|buddy|partner|pastor|priest|rabbi|imam|celebrant|usher|locum|registrar|"
    "bursar|spokesperson)$",
    re.IGNORECASE,
)
_NAME_IS = rx(
    rf"(?:^|(?<=[,;:(] )|(?<=\band )|(?<=\bbut ))(?P<n>{PERSON})(?: is| as|:| =| will be)(?: now|"
    rf" still)? (?:(?:the|our|my|your|a|an|acting|interim|new) )*(?P<k>[\w&/-]+(?: [\w&/-]+){{0,3}}?)"
    r"(?=\s*(?:[,.;!?()]|$)| (?:and|for|in|at|of|on|who|now|but)\b)"
)


_NO_ROLE = re.compile(r"\b(?:is|are|was|favou?rite|owner|best|worst|deadline|budget|the|a)\b", re.IGNORECASE)


def _title(text: str) -> bool:
    return bool(_ROLE_WORDS.fullmatch(text)) or is_job_title(text)


def relation_in(kind: str) -> str:
    """The relation word at the end of "my lovely sister"."""
    low = kind.lower()
    return max((word for word in RELATIONS if low == word or low.endswith(" " + word)), key=len, default="")


def _bond(name: str, kind: str, match: re.Match[str], one: Sentence, scene: Scene) -> list[Draft]:
    word = relation_in(kind)
    shown = name if name[0].isupper() else name.capitalize()
    if not word:
        return []
    slot = RELATIONS[word]
    scene.discourse.see(Entity(shown, f"Your {word} {shown}", person=word in PERSONS, relation=slot))
    scene.discourse.relations[slot] = shown
    return [made(slot, shown, f"Your {word} is {shown}", match.start(), match.end(), one, scene)]


def _breed(name: str, match: re.Match[str], one: Sentence, scene: Scene) -> list[Draft]:
    slot = pet_of(match)
    shown = name if name[0].isupper() else name.capitalize()
    breed = match["dogbreed"] or match["catbreed"]
    scene.discourse.see(Entity(shown, f"Your {slot} {shown}", person=False, relation=slot))
    out = [made(slot, shown, f"Your {slot} is {shown}", match.start(), match.end(), one, scene)]
    if breed.lower() not in {"pup", "doggo", "pooch", "kitty"}:
        out.append(made("breed", breed, f"{shown} is a {breed}", match.start(), match.end(), one, scene, subject=shown))
    return out


_LOWER_NOT = re.compile(
    "(?:and|but|with|for|from|that|this|then|also|well|because|since|who|just|here|there|the|"
    "my|our|your|his|her|their|not|you|they|have|has|got|love|like|home|work|today|now|please|"
    "thanks|sorry|yes|yeah|dog|cat|puppy|kitten|pet|sitter|is|was)$",
    re.IGNORECASE,
)


_HAVE_KIN = rx(
    rf"\b(?:have|has|got|'ve got) (?:an? |one |my )(?:{KIN_ADJECTIVE})(?P<k>{RELATION}),?(?: (?:called|"
    f"named))? (?P<n>{PERSON})"
)
_UNNAMED = rx(rf"\b(?:my|our) (?:{KIN_ADJECTIVE})(?P<k>{RELATION})\b(?=\s*(?:[,;–-]|$| and\b| who\b))")


def see_kin(one: Sentence, scene: Scene) -> None:
    """Remember a relation that a sentence only mentions: "ideas for my daughter, she …"."""
    if scene.discourse.person is None and (found := _UNNAMED.search(one.text)):
        word = found["k"].lower()
        slot = RELATIONS[word]
        name = scene.discourse.relations.get(slot, "")
        scene.discourse.see(related(slot, word, name))


def read_bonds(one: Sentence, scene: Scene) -> list[Draft]:
    """Kin, pets and people in roles, in loose forms."""
    text = one.text
    found: list[Draft] = []
    for match in _APPOSED.finditer(text):
        if _LOWER_NOT.match(match["n"]) or not (
            match["n"][0].isupper() or match.group()[len(match["n"]) :].lstrip().startswith("(")
        ):
            continue
        found += (
            _breed(match["n"], match, one, scene)
            if match["dogbreed"] or match["catbreed"]
            else _bond(match["n"], match["k"], match, one, scene)
        )
    for pattern in (_SHE_IS, _IS_MY, _HAVE_KIN):
        for match in pattern.finditer(text):
            if is_name(match["n"]):
                found += _bond(match["n"], match["k"], match, one, scene)
    for match in _ORDINAL.finditer(text):
        if is_name(match["n"]):
            last = "pet" if scene.discourse.last and scene.discourse.last.relation in PETS.values() else "child"
            slot = scene.discourse.last.relation if last == "pet" and scene.discourse.last else "child"
            found.append(
                made(
                    slot,
                    match["n"],
                    f"Your {match['k']} {slot} is {match['n']}",
                    match.start(),
                    match.end(),
                    one,
                    scene,
                )
            )
    found += _pets(one, scene, found)
    found += read_forms(_STOCK_FORM, one, scene)
    found += _children(one, scene)
    return found + _roles(one, scene, found)


def _pets(one: Sentence, scene: Scene, before: list[Draft]) -> list[Draft]:
    text = one.text
    found: list[Draft] = []
    slot = next((draft.attribute for draft in (*before, *scene.drafts) if draft.attribute in PETS.values()), "")
    for match in _BREED_NAMED.finditer(text):
        if is_name(match["n"]):
            found += _breed(match["n"], match, one, scene)
            slot = pet_of(match)
    if not found:
        for match in _OWN_BREED.finditer(text):
            if not any(draft.attribute in {"dog", "cat", "breed"} for draft in before):
                breed = match["dogbreed"] or match["catbreed"]
                slot = pet_of(match)
                found.append(made(slot, breed, f"You have a {breed}", match.start(), match.end(), one, scene))
    for match in _PET_CALLED.finditer(text):
        word = match["k"].lower()
        if word in PETS and is_name(match["n"]):
            slot = PETS[word]
            found.append(made(slot, match["n"], f"Your {word} is {match['n']}", match.start(), match.end(), one, scene))
    if (got := _GOT.search(text)) and (named := _HE_CALLED.search(text, got.end())):
        word = got["k"].lower()
        if is_name(named["n"]):
            found.append(
                made(PETS[word], named["n"], f"Your {word} is {named['n']}", got.start(), named.end(), one, scene)
            )
    return found + _other_ones(one, scene, found, slot)


def _other_ones(one: Sentence, scene: Scene, found: list[Draft], before: str) -> list[Draft]:
    """Reads "and the young one's Pip" after a pet was told."""
    slot = before or next((draft.attribute for draft in found if draft.attribute in PETS.values()), "")
    return [
        made(
            slot,
            match["n"],
            f"Your {match['k']} {slot} is {match['n']}",
            match.start(),
            match.end(),
            one,
            scene,
        )
        for match in (_ONES.finditer(one.text) if slot else ())
        if is_name(match["n"])
    ]


def _children(one: Sentence, scene: Scene) -> list[Draft]:
    text = one.text
    found = []
    if twins := _THE_TWINS.search(text):
        found.append(made("child", twins["v"], f"You have {twins['v']}", twins.start(), twins.end(), one, scene))
    if match := _EXPECTING.search(text):
        what = tidy(match["w"])
        shown = (
            f"Your {what} is due {match['v']}"
            if what in {"first", "second", "third", "fourth"}
            else f"You expect a baby, due {match['v']}"
        )
        found.append(made("due_date", match["v"], shown, match.start(), match.end(), one, scene))
    elif re.search(r"\b(?:baby|pregnant|bump|due date|expecting)\b", text, re.IGNORECASE) and (
        match := _BABY_DUE.search(text)
    ):
        found.append(
            made("due_date", match["v"], f"Your baby is due {match['v']}", match.start(), match.end(), one, scene)
        )
    if match := _PARENT.search(text):
        noun = match["w"] if match["w"] in {"boys", "girls", "daughters", "sons"} else "children"
        found.append(
            made(
                f"number_of_{noun}", match["c"], f"You have {match['c']} {noun}", match.start(), match.end(), one, scene
            )
        )
    elif (match := _PARENT_NAMED.search(text)) and is_name(match["n"]):
        found.append(made("child", match["n"], f"Your child is {match['n']}", match.start(), match.end(), one, scene))
    return found


def _roles(one: Sentence, scene: Scene, before: list[Draft]) -> list[Draft]:
    found: list[Draft] = []
    for match in _REL_IS.finditer(one.text):
        role, name = tidy(match["k"]), match["n"]
        role = re.sub(r"^(?:new|current|my|our|the|for|and)\s+", "", role, flags=re.IGNORECASE)
        if (
            not is_name(name)
            or _NO_ROLE.search(role)
            or not _title(role)
            or any(draft.value == name for draft in before)
        ):
            continue
        slot = ROLES.get(role.lower())
        if slot and not re.search(r"\b(?:the|his|her|their) $", one.text[: match.start("k")], re.IGNORECASE):
            found.append(made(slot, name, f"Your {role} is {name}", match.start(), match.end(), one, scene))
        found.append(made("role", role, f"{name} is the {role}", match.start(), match.end(), one, scene, subject=name))
        if match["r"] and (word := relation_in(match["r"])):
            found.append(made(RELATIONS[word], name, f"Your {word} is {name}", match.start(), match.end(), one, scene))
    for match in _NAME_IS.finditer(one.text):
        role, name = tidy(match["k"]), match["n"]
        if (
            is_name(name)
            and not _NO_ROLE.search(role)
            and _title(role)
            and role.lower() not in KIN
            and role.lower() not in PETS
        ):
            found.append(
                made("role", role, f"{name} is the {role}", match.start(), match.end(), one, scene, subject=name)
            )
    return found
