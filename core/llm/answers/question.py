"""What a message asks: split into single questions, each with the terms that an answer must cover.

The analysis is shallow on purpose. It finds whom the question is about, which words a fact has to match, which of them
name the very thing asked for (heads), and what kind of answer is wanted. `choose` then accepts a fact only if it
covers them, so a word that was misread makes the answer "I don't know", not a wrong fact.
"""

# ruff: noqa: E501 - a row is one pattern; wrapping it would hide its alternatives

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.llm.answers import grammar
from core.llm.answers.accents import with_accents
from core.llm.answers.ask import Ask, Term
from core.llm.answers.asked import RELATIONS
from core.llm.answers.forms import PHRASES
from core.llm.answers.grammar import Want
from core.llm.answers.heads import TOKEN, mark_heads
from core.llm.answers.meaning import MARK, chinese_meanings, meanings
from core.llm.answers.words import expand, stem

_SENTENCE = re.compile(r"[^?？!！。\n;.]*(?:\.(?=\w)[^?？!！。\n;.]*)*[?？!！。\n;.]*")
_JOINT = re.compile(
    r",?\s+(?:and|und|y|et|but|or)\s+(?=(?:(?:in|on|at|for|since|from)\s+)?(?:what|where|who|whom|whose|when|which|how|why|is|are|do|does|am"
    r"|qu[eé]|d[oó]nde|cu[aá]ndo|qui[eé]n|was|wo|wer|wann|wie|où|quand|qui|que|quel\w*|comment)\b)|,\s+(?=(?:what|where|who|when|how|which)\b)",
    re.IGNORECASE,
)
_OPENER = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|and|but|well|right|sorry|um+|uh|then|btw|also|wait|hmm+|great|thanks|please|pls|quick question)[\s,:!-]+)+",
    re.IGNORECASE,
)
_ASKS_EN = re.compile(
    r"^(?:(?:in|on|at|for|since|from|to|with|by|about)\s+)?(?:what|where|who|whom|whose|when|which|how|why)\b(?! (?:a|an)\b(?! ))",
    re.IGNORECASE,
)
_ASKS_OTHER = re.compile(
    r"^¿|^(?:(?:en|de|a|con|desde|por|seit|mit|für|à|depuis|pour)\s+)?(?:qu[eé]|cu[aá]l(?:es)?|cu[aá]ndo|d[oó]nde|c[oó]mo|qui[eé]n|cu[aá]nt[oa]s?"
    r"|wer|was|wo|wann|wie|welche\w*|warum|qui|que|quoi|quel\w*|où|quand|comment|pourquoi|combien|est-ce|qu'est)\b",
    re.IGNORECASE,
)
_STATES = re.compile(r"(?i)\b(?:is|are|was|were|isn't|aren't)\b")
_FRAGMENT = re.compile(
    r"^(?:and |what about |how about |y |und |et )*(?:my|our|mi|mis|mein\w*|mon|ma|mes|the|his|her|their)\b",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"^(?:and |so |,|\s)*(?:what|how) about\s+|^(?:and|y|und|et)\s+", re.IGNORECASE)
_WORLD = re.compile(r"\b(?:i|me|my|mine|we|us|our|you|your)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:he|she|it|its|they|them|their|her|his|him|there)\b", re.IGNORECASE)
_REFERS = re.compile(
    r"(?i)\b(?:he|she|it|its|they|them|their|her|his|him|one|(?<!is )(?<!are )there)\b|\b(?:do|about|with|for|of) (?:this|that)\b"
)
_REACHES = re.compile(
    r"(?i)\b(?:i|we) (?:\w+ )?(?:reach|contact|phone|call|ring|email|text|get (?:in touch with|hold of)) (?:him|her|them)\b"
)
_AGAIN = re.compile(
    r"(?i)^(?:what|who|where|when|which)(?:'s| is| was| are| were) (?:it|that|he|she|they)(?: again)?\s*[?.!]*$"
)
_IS_THERE = re.compile(
    r"(?i)^(?:is|are) there (?:a|an|any|some|one)(?: (?P<what>\w+)|thing|body|one) (?:that |which |who )?(?=(?:i|we|my|our)\b)"
)
_CHINESE_QUESTION = re.compile(r"[?？]|吗|什么|哪|谁|几|多少|怎么|为什么|多大|多久")
_LONGEST = 500  # code points of one question that are read
_BARE = 2  # terms in a bare "phone number?"
_LIST_VERB = re.compile(r"(?i)^(?:please |pls |can you |could you )*(?:name|list)\b")
_TIMES = frozenset({Want.WHEN, Want.CLOCK, Want.YEAR})
_TIME_STEMS = frozenset(stem(w) for w in ["time", "year", "day", "date", "month", "week", "weekday"])
_FORGOT = re.compile(
    r"(?i)^i (?:can not|cannot|can't|do not|don't|have) (?:remember|recall|know|forgotten)\b|^i've forgotten\b|^i forgot\b"
)
_LOOSE: dict[Want, frozenset[str]] = {
    **dict.fromkeys(_TIMES, frozenset({"begin"})),
    Want.ANY: frozenset({"city", "country"}),
}
_COMPARES = re.compile(r"\b(older|oldest|elder|eldest|younger|youngest)\b", re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """The sentences of a message, with their end marks."""
    return [s.strip() for s in _SENTENCE.findall(text) if s.strip(" \n\t.,;!?？！。'\"")]


def is_question(sentence: str, language: str) -> bool:
    """Whether a sentence asks something about what is remembered (by mark, by question word, or as a request)."""
    if language == "zh":
        return _CHINESE_QUESTION.search(sentence) is not None
    plain = expand(_OPENER.sub("", sentence)).strip()
    if sentence.rstrip().endswith(("?", "？")):
        return True
    if language == "en":
        return bool(
            _ASKS_EN.match(plain)
            or _FORGOT.match(sentence)
            or grammar.ABOUT_ME.search(plain)
            or _is_polar_en(plain)
            or re.match(
                r"(?:please |pls )?(?:name|list|tell me|remind me|show me|give me)\b(?! (?:a|an) )",
                plain,
                re.IGNORECASE,
            )
        )
    return bool(_ASKS_OTHER.match(plain) or grammar.ABOUT_ME.search(plain))


def _is_polar_en(plain: str) -> bool:
    return (
        re.match(
            r"(?:do|does|did|am|is|are|was|were|have|has|can|should|will) (?:i|we|you|my|our|the|there)\b",
            plain,
            re.IGNORECASE,
        )
        is not None
    )


def questions(message: str, language: str) -> list[Ask]:
    """Every question of a message in order; a later one inherits its subject from an earlier one through a pronoun."""
    asks: list[Ask] = []
    for sentence in sentences(message):
        if not is_question(sentence, language):
            continue
        for clause in _clauses(sentence):
            if asks and _AGAIN.match(clause):
                continue
            ask = analyse(clause, language)
            if asks:
                ask = inherit(ask, asks[-1])
            asks.append(ask)
    return asks[:4]


def _clauses(sentence: str) -> list[str]:
    parts = [p.strip(" ,") for p in _JOINT.split(sentence) if p.strip(" ,?")]
    if (
        len(parts) > 1
        and re.match(r"(?i)(?:i|i'm|we|we're|my|our|the|it|it's|he|she|there)\b", parts[0])
        and not _FORGOT.match(parts[0])
    ):
        parts = parts[1:]  # "I'm at the chemist's, what am I allergic to?"
    found: list[str] = []
    for part in parts or [sentence]:
        match = re.match(
            r"(?P<first>.+?),\s+and (?P<second>(?:I|me|my|our|the|his|her) ?[\w' -]*|[A-Z][\w' -]*)\??$", part
        )
        if match and re.match(r"(?i)(?:how|what|which|when|where|who|do|does)\b", part):
            found += [match["first"] + "?", "and " + match["second"] + "?"]
        else:
            found.append(part)
    return found


def inherit(ask: Ask, earlier: Ask) -> Ask:
    """Fill a pronoun's subject, or a bare "and I?", from the question before."""
    if ask.fragment and not [t for t in ask.terms if t.attributes or t.head] and (ask.mine or ask.chain or ask.terms):
        names = {t.stem for t in earlier.terms if t.word[:1].isupper() and not t.attributes}
        kept = tuple(t for t in earlier.terms if t.stem not in names)
        if kept:
            return replace(
                earlier, clause=ask.clause, terms=kept + ask.terms, chain=ask.chain, mine=ask.mine, fragment=False
            )
    if _REFERS.search(ask.clause):
        ask = replace(ask, leans=earlier)
    if re.search(r"(?i)\bwhich one\b", ask.clause) and not [t for t in ask.terms if not t.soft]:
        return replace(ask, want=earlier.want, terms=earlier.terms)
    if ask.pronoun and not ask.chain:
        heads = earlier.heads - {t.stem for t in earlier.terms if t.word[:1].isupper()}
        subject = tuple(t for t in earlier.terms if t.stem not in heads and not (t.attributes and t.word[:1].islower()))
        if earlier.want is Want.WHO and not earlier.chain:
            subject = tuple(t for t in earlier.terms if t.stem not in heads)
        known = {t.stem for t in ask.terms}
        extra = tuple(replace(t, head=False, soft=True) for t in subject if t.stem not in known)
        mine = ask.mine or (earlier.mine and not earlier.chain)
        return replace(ask, chain=earlier.chain, terms=ask.terms + extra, mine=mine)
    return ask


def halves(ask: Ask) -> list[Ask]:
    """The two questions in "the payroll person and the laptop person"; empty if there is no such pair."""
    body = grammar.IMPERATIVE.sub("", ask.clause.strip(" ?.!")).strip()
    parts = re.split(r",?\s+(?:and|und|y|et)\s+|、|和", body)
    if len(parts) != 2:  # noqa: PLR2004 - a pair
        return []
    lead = re.match(r"(?i)((?:what|who|when|where|which|how) (?:is|are|was|were)\s+)(.*)", parts[0])
    firsts = [parts[0], (lead[1] if lead else "") + parts[1]]
    found = [analyse(part, ask.language) for part in firsts]
    found[1] = replace(found[1], mine=found[1].mine or ask.mine, want=found[1].want if lead is None else ask.want)
    return found


def refers(clause: str) -> bool:
    """Whether a question points back at something named before: "it", "him", "there", "do this"."""
    return _REFERS.search(clause) is not None


def is_fragment(text: str) -> bool:
    """Whether a text is a bare noun phrase like "and my phone number"; with a verb it states something."""
    return _FRAGMENT.match(text) is not None and _STATES.search(text) is None


def analyse(clause: str, language: str) -> Ask:
    """Read one question."""
    clause = with_accents(clause[:_LONGEST], language)
    raw = re.sub(
        r"(?i)^[^:?]{0,40}:\s*(?=(?:who|what|where|when|which|how|why|do|does|is|are|am)\b)",
        "",
        _OPENER.sub("", clause).strip(),
    )
    while True:
        shorter = grammar.ASKING_WRAP.sub("", raw, count=1) if language != "zh" else raw
        if shorter == raw or not shorter.strip(" ?"):
            break
        raw = shorter
    raw = _IS_THERE.sub(lambda m: f"which {m['what']} " if m["what"] else "what ", raw)
    fragment = bool(_FRAGMENT.match(raw)) or (bool(_TOPIC.match(clause)) and not _ASKS_EN.match(_TOPIC.sub("", raw)))
    raw = _TOPIC.sub("", raw)
    text = expand(raw) if language == "en" else raw
    mine = grammar.MINE[language].search(text) is not None
    reaches = _REACHES.search(text) is not None  # "how do I reach him?" asks of him, not of oneself
    mine = mine and not reaches
    about = _topic(text, clause)
    eats = _eats(text)
    either = grammar.EITHER.search(text)
    compares = _COMPARES.search(text)
    want = next((w for w, pattern in grammar.WANTS if pattern.search(text)), None)
    for pattern, plain in PHRASES[language]:
        text = pattern.sub(plain, text)
    want = want or next((w for w, pattern in grammar.WANTS if pattern.search(text)), None)
    polar = want in (None, Want.ANY) and _polar(raw if language != "en" else expand(raw), language)
    if language == "en":
        text = _LIST_VERB.sub("", text)
    terms = _terms(text, language)
    if want in _TIMES:
        terms = [t for t in terms if t.stem not in _TIME_STEMS]
    if want is Want.AGE and not any("old" in t.meanings for t in terms):
        terms.insert(0, Term(word="old", stem="old", meanings=frozenset({"old"}), head=True))
    chain, terms = _relations(text, terms, comparing=compares is not None)
    terms = mark_heads(text, terms, want, language)
    if (
        not re.match(r"(?i)(?:the|a|an|his|her|their)\b", raw)
        and len(terms) <= _BARE
        and want is None
        and not chain
        and not polar
        and not any(t.word[:1].isupper() for t in terms)
    ):
        mine = mine or any(t.attributes for t in terms)  # "phone?" asks for one's own
    if not chain and len(terms) > 1 and any(t.meanings & grammar.NAMING for t in terms) and want in (None, Want.ANY):
        terms = [replace(t, soft=True, head=False) if t.meanings & grammar.NAMING else t for t in terms]
        want = Want.WHO
    if len(terms) > 1 and any(t.meanings & {"salary", "budget", "money", "rent"} for t in terms):
        terms = [replace(t, soft=True, head=False) if "cost" in t.meanings else t for t in terms]
    want, terms = _loosen(want, terms, polar=polar and mine and either is None)
    joined = re.search(r"(?i)\s(?:and|und|y|et)\s|和|、", raw) is not None
    return Ask(
        pair=joined,
        clause=clause,
        language=language,
        want=Want.POLAR if polar else (want or Want.ANY),
        terms=tuple(terms),
        chain=chain,
        mine=mine,
        polar=polar,
        negated=grammar.NEGATION.search(text) is not None,
        either=(stem(either[1]), stem(either[2])) if either else None,
        listing=grammar.LISTING.search(text) is not None
        or (want is Want.ANY and re.search(r"\bare\b", text) is not None),
        compares=("young" if compares and compares[1].lower().startswith("y") else "old") if compares else "",
        topic=about,
        eats=eats,
        fragment=fragment and want is None,
        pronoun=(_PRONOUN.search(text) is not None and not mine) or reaches,
        heads=frozenset(t.stem for t in terms if t.head),
    )


def _loosen(want: Want | None, terms: list[Term], *, polar: bool) -> tuple[Want | None, list[Term]]:
    """Words that only shape the question: "do I own …", "when does it start", "in which city"."""
    owning = {"own"} if not any("home" in t.meanings for t in terms) else set()  # rented or owned is the question
    loose = owning | {"like", "dislike"} if polar else _LOOSE.get(want or Want.POLAR, frozenset())
    if len([t for t in terms if not t.soft]) < 2:  # noqa: PLR2004 - the only word there is has to count
        return want, terms
    if want is Want.ANY and any(t.meanings & loose for t in [t for t in terms if t.head][-1:]):
        want = Want.WHERE
    return want, [replace(t, soft=True, head=False) if t.meanings & loose else t for t in terms]


def _topic(text: str, clause: str) -> str:
    if grammar.ABOUT_ME.search(expand(clause)) or grammar.ABOUT_ME.search(text):
        return "me"
    match = re.search(
        r"(?i)\b(?:what (?:else )?(?:do|can|did|have) (?:you|i) (?:know|remember|tell (?:you|me)|told you|say|said)(?: to you)? (?:about|on|of)"
        r"|tell me (?:more |something |everything |all )?about|anything about|remind me about)\s+(?P<what>[^?.!]+)",
        expand(clause),
    ) or re.search(
        r"(?i)^¿?(?:who is|who are|what is|what are|qui[eé]n es|wer ist|qui est|谁是)\s+(?P<what>(?!my\b|our\b|the\b|your\b|mi\b|mein|mon\b|ma\b)[^\W\d_][\w' -]*?)\s*[?]*$",
        text,
    )
    return re.sub(r"(?i)\s+(?:about|for|like)$", "", match["what"].strip()) if match else ""


def _eats(text: str) -> str:
    match = grammar.MAY_EAT.search(text)
    if not match or re.match(r"(?i)(?:when|where|how|why|who|which|wann|wo|cuándo|quand)\b", text):
        return ""
    return next((v for v in match.groupdict().values() if v and v.strip(" ?.")), "").strip(" ?.!")


def _polar(text: str, language: str) -> bool:
    if language == "en":
        return grammar.POLAR.match(text) is not None
    pattern = grammar.POLAR_OTHER.get(language)
    return pattern is not None and pattern.search(text) is not None


def _terms(text: str, language: str) -> list[Term]:
    if language == "zh":
        return _terms_zh(text)
    stop = grammar.STOP[language]
    found: list[Term] = []
    for written in TOKEN.findall(text):
        low = written.casefold()
        if written == "'s" or low in stop:
            continue
        key = low if low.startswith(MARK) else stem(low)
        if any(t.stem == key for t in found):
            continue
        found.append(
            Term(word=written, stem=key, meanings=meanings(low, language), soft=key in _UNIT_STEMS or key == "§choose")
        )
    return found


_UNIT_STEMS = frozenset(stem(u) for u in grammar.UNITS)


def _terms_zh(text: str) -> list[Term]:
    found = [Term(word=m, stem=m, meanings=frozenset({m[len(MARK) :]})) for m in re.findall(rf"{MARK}[a-z]+", text)]
    rest = re.sub(rf"{MARK}[a-z]+|¤[a-z]+", " ", text)
    for word, canonical in chinese_meanings(rest):
        if not any(canonical in t.meanings for t in found):
            found.append(Term(word=word, stem=word, meanings=frozenset({canonical})))
        rest = rest.replace(word, " ")
    found.extend(
        Term(word=w, stem=w.casefold(), meanings=frozenset()) for w in grammar.ZH_FUNCTION.sub(" ", rest).split()
    )
    return found


def _relations(text: str, terms: list[Term], *, comparing: bool) -> tuple[tuple[Term, ...], list[Term]]:
    """Relation words that say whose fact is meant, split from the terms that say which."""
    related = [t for t in terms if t.meanings & RELATIONS.keys()]
    others = [t for t in terms if t not in related and not t.meanings & grammar.NAMING]
    if not related:
        return (), terms
    if comparing:
        return tuple(related[:1]), []
    if MARK + "health" in {t.stem for t in others}:
        return (), others
    naming = bool([t for t in terms if t.meanings & grammar.NAMING])
    if len(related) > 1 and not others and not naming and re.search(r"'s\b", text) is None:
        return tuple(related), others
    return tuple(related), others


def is_personal(asks: Sequence[Ask]) -> bool:
    """Whether any of the questions is about the user or about something they own, not about the world."""
    return any(a.mine or a.chain or a.topic or _WORLD.search(a.clause) for a in asks)
