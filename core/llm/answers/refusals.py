"""What likeness must not stand in for: the reasons for which a near statement still does not answer a question.

Each rule takes the question and a statement and says whether it forbids the answer; `nearest` asks them in turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from core.llm.answers import asked, classes, grammar
from core.llm.answers.ask import Ask, Term
from core.llm.answers.facts import NO_NAMES, Fact
from core.llm.answers.grammar import Want
from core.llm.answers.kinds import fits
from core.llm.answers.meaning import meanings
from core.llm.answers.words import stem, tokens, word_set

# meanings that name a slot of their own: only a fact that has the word or the slot answers them
_OWN = word_set(
    "live name firstname surname nickname birthday birthplace born old age blood nationality anniversary salary "
    "address email phonenumber allergy weigh tall budget hometown identity cost favourite dose deadline number code "
    "version seat return flatmate manager doctor landlord university medicine condition password status"
)
# attributes that answer nothing but the question for them
_ONLY = word_set(
    "name full_name first_name surname nickname birthday birth_date date_of_birth age blood_type email phone "
    "phone_number salary weight height address"
)
# meanings that must not be stretched: a home address is no work address, a name no middle name
EXACT = word_set("name firstname surname birthday address email phonenumber salary old favourite weigh tall blood")
WISHES = word_set("answer_preference response_preference answer_style answer_format")
_PLACES = word_set("city town country place area region part island continent state street location village spot")
_PLACED = (asked.DATE_ATTRIBUTES | word_set("travel trip destination home flight flying going visited hometown")) - {
    "schedule"
}
_THINGS = word_set("decision tool uses owns device car laptop software language database editor travel home employer")
_LOOSE = word_set("owns uses likes dislikes hobby device tool job decision")
_ROLE = re.compile(r"(?i)\bwho(?:'s| is| are| was)\s+(?:my |our |the |your )?(?!\w+ing\b)[\w' -]+?\s*[?.!]*$")
_NUMBERED = re.compile(r"(?i)\b(?:number|code|pin|reference|plate)\b")
_FIGURE = re.compile(r"\d{3}|\b(?=\w*\d)(?=\w*[A-Z])\w{4,}")
_BREED = re.compile(r"\b(?:an?|of) [\w-]+|\(\w+ [\w -]+\)|\b[Bb]reed\b|\bis [a-z]")
_NAMING = re.compile(r"(?i)\bname of\b|\bcalled\b|'s name\b|\bname is\b")


def hard_terms(ask: Ask) -> list[Term]:
    """The terms that carry the question."""
    return [t for t in ask.terms if not t.soft]


def head_of(ask: Ask) -> Term | None:
    """The noun asked for: in "which programming language" the language."""
    return next((t for t in reversed(ask.terms) if t.head), None)


def refused(ask: Ask, fact: Fact) -> bool:
    """Whether some rule forbids that this fact answers."""
    return any(rule(ask, fact) for rule in _RULES)


def _other_kind(ask: Ask, fact: Fact) -> bool:
    """It does not hold the kind of answer wanted."""
    return not ask.polar and not fact.gives(ask.want)


def _missing_own(ask: Ask, fact: Fact) -> bool:
    """A name, or a slot of its own, is asked for and not there."""
    return any(not fact.covers(t) and (_is_name(t, ask) or t.meanings & _OWN) for t in hard_terms(ask))


def _missing_taste(ask: Ask, fact: Fact) -> bool:
    """Liking or disliking is asked about and not there."""
    attribute = fact.memory.attribute
    if attribute in WISHES or attribute.startswith(("favo", "likes")):
        return False
    return any(
        t.meanings & {"like", "dislike"} and not t.word.startswith("prefer") and not fact.covers(t)
        for t in hard_terms(ask)
    )


def _only_when_or_where(ask: Ask, fact: Fact) -> bool:
    """A date or a journey does not say which airline."""
    attribute = fact.memory.attribute
    if _PLACED.isdisjoint({attribute, *attribute.split("_")}):
        return False
    return any(
        t.head
        and not fact.covers(t)
        and not fits(t.stem, attribute)
        and not t.meanings & _PLACES
        and t.word not in _PLACES
        for t in ask.terms
    )


def _stretched(ask: Ask, fact: Fact) -> bool:
    """An exact slot is qualified by a word that the fact does not have."""
    return any(t.meanings & EXACT and fact.covers(t) for t in ask.terms) and any(
        not fact.covers(t) for t in hard_terms(ask)
    )


def _indefinite(ask: Ask, fact: Fact) -> bool:
    """To be deaf in one ear does not say which ear."""
    return re.match(r"(?i)which\b", ask.clause) is not None and any(
        t.head and re.search(rf"(?i)\b(?:one|a|an|some|any) {re.escape(t.word)}\b", fact.words) for t in ask.terms
    )


def _no_figure(ask: Ask, fact: Fact) -> bool:
    """A number or a code is asked for and there is none."""
    return _NUMBERED.search(ask.clause) is not None and not _FIGURE.search(fact.words)


def _unasked_slot(ask: Ask, fact: Fact) -> bool:
    """One's name answers nothing but the question for it."""
    return fact.memory.attribute in _ONLY and fact.memory.attribute not in ask.attributes


def _other_taste(ask: Ask, fact: Fact) -> bool:
    """To like something says nothing of a kind that it is not."""
    head, attribute = head_of(ask), fact.memory.attribute
    if attribute not in ("likes", "dislikes") or head is None:
        return False
    return not fact.covers(head) and not fits(head.stem, attribute)


def _not_worked_at(ask: Ask, fact: Fact) -> bool:
    """A restaurant that was booked is not where one works, and an occupation is no place."""
    head, attribute = head_of(ask), fact.memory.attribute
    if head is None or fact.covers(head) or not (fits(head.stem, attribute) and fits(head.stem, "employer")):
        return False
    if attribute in ("job", "occupation") and not fits(head.stem, "occupation") and not fact.gives(Want.WHERE):
        return True
    return any(t is not head and not t.head and not fact.covers(t) for t in hard_terms(ask))


def _not_spoken(ask: Ask, fact: Fact) -> bool:
    """A programming language is not spoken."""
    return fact.memory.attribute == "language" and any(
        classes.is_class(t.stem) and not fact.covers(t) for t in ask.terms
    )


def _nobody(ask: Ask, fact: Fact) -> bool:
    """A person is asked for and there is none, or not in the role asked for."""
    if ask.want is not Want.WHO:
        return False
    if fact.memory.attribute in _THINGS and (fact.meanings & asked.RELATIONS.keys()) <= {fact.memory.attribute}:
        return True
    if fact.memory.attribute not in asked.PERSON_ATTRIBUTES and not tells_who(ask, fact):
        return True
    wanted = [t for t in (*ask.terms, *ask.chain) if not t.soft]
    return _ROLE.search(ask.clause) is not None and not any(fact.covers(t) for t in wanted)


def _no_breed(ask: Ask, fact: Fact) -> bool:
    """A breed is asked for and only a name is told."""
    return any("breed" in t.meanings for t in ask.terms) and not _BREED.search(fact.words)


def _says_it_again(ask: Ask, fact: Fact) -> bool:
    """The value stands in the question already."""
    if ask.polar or fact.is_event:
        return False
    value = frozenset(stem(w) for w in tokens(fact.memory.value))
    return bool(value) and value <= {t.stem for t in (*ask.terms, *ask.chain)}


def _nameless(ask: Ask, fact: Fact) -> bool:
    """A name is asked for and the thing is not named."""
    return _NAMING.search(ask.clause) is not None and not _names(ask, fact)


def _ones_own(ask: Ask, fact: Fact) -> bool:
    """How to reach him is not answered by one's own number."""
    return ask.leans is not None and ask.pronoun and fact.subject == "user" and fact.memory.attribute in _ONLY


_RULES: tuple[Callable[[Ask, Fact], bool], ...] = (
    _other_kind,
    _missing_own,
    _missing_taste,
    _only_when_or_where,
    _stretched,
    _indefinite,
    _no_figure,
    _unasked_slot,
    _other_taste,
    _not_worked_at,
    _not_spoken,
    _nobody,
    _no_breed,
    _ones_own,
    _says_it_again,
    _nameless,
)


def tells_who(ask: Ask, fact: Fact) -> bool:
    """Whether the fact holds a person: a relation, or a capitalised word that the question does not have."""
    known = {stem(w) for w in tokens(ask.clause)}
    if not (fact.meanings & asked.RELATIONS.keys()).isdisjoint(
        m for w in tokens(fact.words) for m in meanings(w.casefold(), "en")
    ):
        return True
    words = tokens(fact.words)
    return any(
        _is_given(w) and not w.isupper() and stem(w) not in known
        for i, w in enumerate(words)
        if i or fact.subject != "user"
    )


def _names(ask: Ask, fact: Fact) -> bool:
    """Whether the fact gives a name to the thing asked about."""
    things = {t.stem for t in (*ask.terms, *ask.chain) if not t.meanings & grammar.NAMING and not t.soft}
    loose = fact.memory.attribute in _LOOSE
    if not loose and any(fits(t, fact.memory.attribute) for t in things) and _is_given(fact.memory.value):
        return True
    attribute = fact.memory.attribute.replace("_", " ")
    words = tokens(f"{attribute} {fact.memory.value}") if not fact.is_event else []
    for row in (words, tokens(fact.words)):
        for i, word in enumerate(row):
            beside = [*row[max(0, i - 3) : i], *row[i + 1 : i + 5]]
            if stem(word) in things and any(_is_given(w) and stem(w) not in things for w in beside):
                return True
    return False


def _is_given(word: str) -> bool:
    """Whether a word of a statement is written as a name."""
    return word[:1].isupper() and word.casefold() not in NO_NAMES


def _is_name(term: Term, ask: Ask) -> bool:
    """Whether a term is written as a name."""
    if not term.word[:1].isupper() or term.word.startswith("§") or ask.language == "de":
        return False
    return not ask.clause.lstrip("¿ ").startswith(term.word)
