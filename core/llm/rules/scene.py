"""What a rule may look at beside its clause, and the tables' one shape of rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from core.llm.rules.clauses import Clause, Discourse
from core.llm.rules.dates import expiry, resolve
from core.llm.rules.draft import Draft
from core.llm.rules.phrases import bare, enumeration, read_value, snake, tidy, words
from core.llm.rules.voice import sentence
from core.model import Memory, Turn
from core.slots import normalise


@dataclass(slots=True)
class Scene:
    """One turn being read: the moment, what is known, who was spoken of, what was read so far."""

    now: datetime
    known: tuple[Memory, ...] = ()
    recent: tuple[Turn, ...] = ()
    discourse: Discourse = field(default_factory=Discourse)
    drafts: list[Draft] = field(default_factory=list)

    def said(self, attribute: str) -> bool:
        """Whether this turn already gave the user's `attribute`."""
        return any(draft.attribute == attribute and draft.subject == "user" for draft in self.drafts)

    def about(self, subject: str) -> list[Memory]:
        """Known facts on a subject."""
        wanted = normalise(subject)
        return [memory for memory in self.known if normalise(memory.subject) == wanted]


Handler = Callable[[Clause, Scene], Iterable[Draft]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A predicate pattern with its value in group `v`.

    Attributes:
        who: "self", "other", "person" (self or a person), "thing" or "any".
        many: the value is an enumeration of separate facts.
        soft: the value reads on through "and", "until" and "instead of".
        strip: articles are dropped from the value.
    """

    attribute: str
    pattern: re.Pattern[str]
    who: str = "any"
    many: bool = False
    soft: bool = False
    strip: bool = False
    retracts: bool = False


def fits(rule: Rule, clause: Clause) -> bool:
    """Whether the rule speaks of the clause's sort of subject."""
    if rule.who == "self":
        return clause.is_self
    if rule.who == "other":
        return not clause.is_self and clause.entity.person
    if rule.who == "person":
        return clause.entity.person
    return rule.who == "any" or not clause.entity.person


def draft(
    clause: Clause,
    attribute: str,
    value: str,
    scene: Scene,
    *,
    subject: str = "",
    statement: str = "",
    retracts: bool = False,
) -> Draft:
    """A draft of `clause`, with its times resolved. `statement` defaults to the clause in the second person."""
    ends = lifetime(attribute, clause.said, scene.now)
    return Draft(
        subject=subject or clause.entity.subject,
        attribute=attribute,
        value=tidy(_UNTIL_WHEN.sub("", value)) if ends else tidy(value),
        statement=sentence(statement or clause.statement()),
        start=clause.start,
        end=clause.end,
        valid_at=resolve(value, scene.now),
        expires_at=ends,
        retracts=retracts,
    )


_LASTING = words(
    "date time schedule deadline appointment travel departure return decision goal role owner job "
    "employer weight weight_goal name nickname birthday age home move_date start_date end_date ship_date "
    "launch_date expiry_date lesson procedure response_preference length routine school_pickup death "
    "lives_since tenure spouse partner project hobby allergy condition"
)


_BRIEF = words(
    "current_location status availability medication temporary_vehicle car_status avoids diet lives_with "
    "workplace works_from working_hours"
)


_UNTIL_WHEN = re.compile(
    r"(?<=\w)\s+(?:until|till|til|this (?:week|weekend|month|morning|afternoon)|today|tonight|for "
    r"(?:the )?(?:next|another|rest)|for now)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


_TODAY = re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", re.IGNORECASE)


def lifetime(attribute: str, said: str, now: datetime) -> datetime | None:
    """The deadline of a temporary fact: only states expire, and "today" ends only where and how one is (rules §2.8)."""
    if attribute in _LASTING:
        return None
    ends = expiry(said, now)
    if ends and _TODAY.search(said) and attribute not in _BRIEF and not attribute.endswith("_status"):
        return None
    return ends


def apply(rules: Iterable[Rule], clause: Clause, scene: Scene, *, all_of: bool = False) -> list[Draft]:
    """The drafts of the first rule that matches (`all_of`: of every rule)."""
    found: list[Draft] = []
    for rule in rules:
        if not fits(rule, clause):
            continue
        match = rule.pattern.match(clause.predicate)
        if not match:
            continue
        drafts = _read(rule, match, clause, scene)
        found.extend(drafts)
        if drafts and not all_of:
            break
    return found


def _read(rule: Rule, match: re.Match[str], clause: Clause, scene: Scene) -> list[Draft]:
    words = match["v"] or ""
    raw = read_value(words, soft=rule.soft or rule.many) or read_value(words, soft=True)
    if not raw:
        return []
    groups = {key: snake(text) for key, text in match.groupdict().items() if text and key != "v"}
    attribute = rule.attribute.format(**groups) if "{" in rule.attribute else rule.attribute
    values = enumeration(words) if rule.many else [raw]
    found = []
    for value in values:
        kept = bare(value) if rule.strip or rule.many else value
        if kept and not hollow(kept):
            found.append(draft(clause, attribute, kept, scene, retracts=rule.retracts))
    return found


_HOLLOW = re.compile(
    r"^(?:it|that|this|them|you|him|her|there|here|so|to|one|which|what|a lot|much|more|very|for|all|how|when|doing|"
    r"being|the (?:idea|way|fact)|when .*|how .*|your .*|(?:this|that|these|those) .*|"
    r"the (?:first|second|third|last|previous|other|next|above|new|old) (?:one|option|version|answer|paragraph|"
    r"suggestion|draft|idea|sentence|line|part|file|button|link|image|picture|tab|page|example|item)s?\b.*)$",
    re.IGNORECASE,
)


def hollow(value: str) -> bool:
    """Whether a value only points elsewhere ("I love it")."""
    return bool(_HOLLOW.match(value)) or "▒" in value
