"""Where one clause of a sentence ends and the next begins, and what people say before coming to the point."""

from __future__ import annotations

import re

from core.llm.rules.phrases import EMOJI

VERBS = (
    "(?:am|'m|is|'s|are|'re|was|were|have|'ve|has|had|own|live[sd]?|work(?:s|ed)?|love[sd]?|"
    "like[sd]?|enjoys?|hate[sd]?|prefers?|use[sd]?|drives?|drinks?|eats?|plays?|speaks?|stud(?:y|ies|"
    "ied)|"
    "take[sn]?|took|need(?:s|ed)?|wants?|moved?|left|joined|reports?|manages?|owns?|handles?|runs?|"
    "leads?|does|do|did|can't|cannot|can|don't|doesn't|won't|will|just|also|still|now|never|always|"
    "grew|was born|started|starts|stopped|quit|bought|got|went|go|goes|build|builds?|teach(?:es)?|"
    "sings?|turns?|turned|keeps?|kept|weighs?|collects?|replaces?|ships?|expires?|came|comes|holds?|"
    "flying|fly|flies|booked|plan|planning|decided|agreed|settled|signs?|looks?|helps?|covers?|"
    "maintains?|reviews?|makes?|made|writes?|wrote|coaches|mentors|supervises|swims?|rides?|runs?|"
    "hikes?|pick(?:s|ed)?|get|gets|wear(?:s)?|cook(?:s)?|"
    "vote[sd]?|launching|shipping|starting|ending|expiring|grow|grows|read|reads|play|commutes?|"
    "train(?:s|ed)?|retired|graduated|avoids?|suffers?|adopted|married|rent|rents|mean|meant|try|"
    "trying|learn|learned|learning|want|wear|find|swear|volunteer|volunteers)"
)


_PRONOUN = (
    "(?:i'm|im|i've|ive|i'd|i'll|i|we're|we've|we'd|we|he's|hes|he|she's|shes|she|it's|its|it|"
    "they're|they've|they|that's|there's|there)"
)


_CLAUSE_START = (
    rf"(?:{_PRONOUN}\b(?!\w)|(?:my|our)\s+\w|(?:the|this|that)\s+(?:\w+[ -]){{0,5}}\w+(?:'s| (?:is|are|"
    r"was|has|will|moved|starts|ends|ships|needs|holds|costs|lives|works|runs))\b|name(?:'s| is)\b|"
    r"(?:best|better|easier|easiest) to\b|[a-z]+ (?:handles|owns|runs|leads|manages|does|starts|is "
    r"(?:at|on|every|due|in))\b|[a-z]{3,} (?:is|'s) (?:at |on |every )|"
    r"(?-i:[A-ZÀ-Þ])[\w'-]*(?: (?-i:[A-ZÀ-Þ])[\w'-]*){0,2} (?:also |now |just |currently |usually "
    rf")?{VERBS}\b|(?:mum|mom|dad|gran|grandma|grandpa|granny|nan|uncle|aunt|auntie|first one|new one|"
    r"(?:the )?other one)\b|"
    r"(?:\w+[- ]in[- ]law|husband|wife|sister|brother|daughter|son|niece|nephew)(?:'s)? "
    r"(?:birthday|is|has|can't|loves?|likes?|hates?)\b|"
    r"(?:skip|avoid|explain|show|keep) (?:the|it|your|things|me|answers?)\b|"
    r"please\b|pls\b|don't\b|no (?:more )?\w|back (?:on|in)\b|(?:and |but )?not \w|always\b|never\b|"
    r"call me\b|been\b|for \w+ you ask\b|on \w+days?\b,? (?:my|our|i|we|he|she|\w+ \w+ does)\b|hate\b|"
    r"love\b|budget\b|seat\b|"
    r"(?:launching|shipping|starting|ending|expiring)\b|everyone\b|everybody\b|people\b|who(?:'s)? "
    "(?:is|was|works|lives|does|loves|has|handles|runs)|who's|which (?:is|was|has|replaces|runs|"
    r"lives|holds|will|ships|costs|handles|needs)\b|\w+ (?:is|are) due\b|one's\b|so\b)"
)


_SPLIT = re.compile(
    rf"(?:\s*;\s*|\s+[-–—]{{1,2}}\s+|—|:\s+(?=(?:{_CLAUSE_START}))|\s*,\s*(?:(?:and|but|so|because|cos|"
    rf"since|though|although|while|as|plus|or|yet|then|now)\s+)*(?={_CLAUSE_START})|"
    r"\s+(?:and|but|so|because|cos|cuz|though|although|while|since|plus|before)\s+(?:(?:then|so|"
    rf"now|that|also|since|yes)\s+)?(?={_CLAUSE_START})|,?\s+and\s+(?={VERBS}\b)|"
    rf",?\s+but\s+(?:also\s+)?(?={VERBS}\b)|"
    r",\s+(?=(?:love|like|enjoy|hate|prefer|use|drive|drink|eat|play|speak|study|moved|left|joined|"
    "work|live|need|want|grew up|was born|started|stopped|quit|bought|got|booked|can't|don't|never|"
    r"always|am|have)\s)|\s*,\s*(?=who\b|which\b)|\.{2,}\s*|\s+(?=who(?:'s| is| lives| works| has| "
    rf"was| loves)\b)|,\s+(?=is \d+ (?:years|yrs|months))|\s*[{EMOJI}]+\s*|\s+(?=if you (?:need|want|"
    r"must|ask)\b)|…\s*)",
    re.IGNORECASE,
)


_FILLER = re.compile(
    rf"^[{EMOJI}\s]*(?:(?:hi|hiya|hey|hello|yo|ok|okay|so|well|oh|ah|um|uh|hmm|btw|by the way|also|and|"
    "but|plus|anyway|fyi|for (?:your|the) (?:information|record)|just so you know|you should know(?: "
    "that)?|"
    "actually|honestly|tbh|to be honest|yes|yeah|yep|nope|sure|right|"
    "look(?! (?:up|at|into|for|after|like))|listen(?! to)|good (?:morning|"
    r"afternoon|evening)|heads[- ]up(?: for \w+)?|note to self|reminder|one more thing|(?:the )?thing "
    "is|funny enough|turns out|it (?:was|has been|is) (?:decided|agreed|confirmed|settled) that|"
    "(?:quick |short )?intro|"
    "(?:please |pls |can you |could you )?(?:remember|note|save|store|keep in mind|bear in mind|"
    "don't forget|remind yourself|make a note|write down|be aware)(?: (?:that|this|for me|for later|"
    "for next time))?|forgot to (?:mention|say|add)(?: that)?|i (?:should|want(?:ed)?|forgot|have|need|'d like) to "
    "(?:mention|add|say|tell "
    "you)(?: that)?|"
    "i'?m telling you|let me (?:mention|add|tell you)(?: that)?|did i mention(?: that)?|good news|"
    "bad news|update|quick update|small update|news|big news|new chapter|finally|sorry|whoops|oops|"
    "correction|for reference|for context|context|background|"
    "as (?:i said|mentioned|you know)|like i said|i think|i believe|i guess|unfortunately|sadly|"
    "luckily|fortunately|apparently|in fact|basically|obviously|important|firstly|first of all|"
    r"secondly|lastly|after all|since (?=my|our|i\b|we\b|the)|now|dear \w+|"
    "if you (?:need|want|must|wonder|ask|care)[^,]{0,40}|in case (?:you|it)[^,]{0,40}|about me|a bit "
    "about me|little about me|hola|hallo|bonjour|salut|ciao|true story|fun fact|not sure it matters|"
    r"for what it's worth|fwiw|ps|p\.s\.|nb|then|yesterday|scratch that|my bad)\b[\s,:;!.\-–—]*)*",
    re.IGNORECASE,
)


def split(text: str, start: int) -> list[tuple[int, int]]:
    """Half-open ranges of the clauses of one sentence that begins at `start` in the turn."""
    ranges: list[tuple[int, int]] = []
    at = 0
    for found in _SPLIT.finditer(text):
        if found.start() > at:
            ranges.append((start + at, start + found.start()))
        at = found.end()
    if at < len(text):
        ranges.append((start + at, start + len(text)))
    return ranges


def strip_filler(text: str) -> tuple[str, int]:
    """`text` without opening fillers, and how many characters they took."""
    found = _FILLER.match(text)
    if not found or found.end() == 0 or found.end() >= len(text):
        return text, 0
    return text[found.end() :], found.end()
