"""The policy: every number of the rules, read from one file and named by the digest of its content. Pure.

`core.gate` rules by these numbers; nothing else holds a number of the rules.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from core.agentrules import AgentRules, read_agents
from core.bounds import check_numbers
from core.errors import Misconfigured
from core.model import Memory, MemoryKind, Provenance, SourceKind

POLICIES = ("newest", "manual", "highest_trust", "highest_importance", "keep_old", "sustained")
TOOL_CLASSES = ("compute", "records", "reads_file", "reads_people", "reads_web")
AGENT_OPINIONS = ("attribute", "hold")
WEIGHTS = ("corroboration", "recency", "verification", "user_confirmation")  # of confidence (rules §5.1)
WEIGHT_DIGITS = 3  # decimals of a weight: as many as a confidence is shown with
CONNECTOR_CLASSES = {  # part of an import → what a policy may count it as; the first is the default
    "markdown": ("external_doc", "web_content", "third_party", "user_turn"),
    "ics": ("third_party", "external_doc", "web_content"),
    "mail": ("third_party", "external_doc", "web_content"),
    "chat_user": ("external_doc", "web_content", "user_turn"),
    "chat_agent": ("agent_turn", "external_doc", "web_content"),
    "rows": ("external_doc", "web_content", "third_party", "user_turn"),
    "mem0": ("external_doc", "web_content", "agent_turn"),
}
"""Nobody's mail or calendar is the owner's own word, and nothing that a model wrote is (rules §1.2, §1.4)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TrustRules:
    """Base trust by source kind, in [0, 1] (rules §1.1)."""

    threshold: float
    user_turn: float
    agent_turn: float
    tool_output: float
    third_party: float
    external_doc: float
    web_content: float
    unregistered_tool: float
    vouch_level: float

    def base(self, kind: SourceKind) -> float:
        """Base trust of a source kind."""
        return float(getattr(self, kind.value))


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolRules:
    """Where the payload of each registered tool comes from, and what that is worth, in [0, 1] (rules §1.6).

    A tool that `reads_file` is worth what the file is worth: the document's trust unless its inputs say otherwise. One
    of `records` answers from a system that the operator keeps (an inventory, the calendar of the house) and makes its
    statements itself; `compute` works on what the conversation gave it, `reads_people` passes on others' words.
    """

    compute: float
    records: float
    reads_file: float
    reads_people: float
    reads_web: float
    registry: Mapping[str, str]  # tool name → class

    def __post_init__(self) -> None:
        """Refuse a class that does not exist: a typing error must not grant trust."""
        for tool, kind in self.registry.items():
            if kind not in TOOL_CLASSES:
                msg = f"the policy registers the tool {tool!r} as {kind!r}; it must be one of {', '.join(TOOL_CLASSES)}"
                raise Misconfigured(msg)

    def class_of(self, tool: str) -> str:
        """The registered class of a tool; "" if it is not registered."""
        return self.registry.get(tool, "")


@dataclass(frozen=True, kw_only=True, slots=True)
class ConnectorRules:
    """What the parts of imported files count as (rules §1.2), and how far a calendar is written out, in days."""

    markdown: str = "external_doc"
    ics: str = "third_party"
    mail: str = "third_party"
    chat_user: str = "external_doc"
    chat_agent: str = "agent_turn"
    rows: str = "external_doc"
    mem0: str = "external_doc"
    ics_past_days: float = 730.0
    ics_future_days: float = 365.0

    def __post_init__(self) -> None:
        """Refuse a class that a part may not have: a typing error must not grant trust."""
        for part, allowed in CONNECTOR_CLASSES.items():
            if getattr(self, part) not in allowed:
                msg = f"the policy's connectors.{part} is {getattr(self, part)!r}; it must be {' or '.join(allowed)}"
                raise Misconfigured(msg)

    def class_of(self, part: str) -> SourceKind:
        """The channel class of a part of an import.

        Raises:
            KeyError: there is no such part; a connector cannot make up one.
        """
        if part not in CONNECTOR_CLASSES:
            raise KeyError(part)
        return SourceKind(getattr(self, part))


@dataclass(frozen=True, kw_only=True, slots=True)
class AuthorityRules:
    """Numbers of impact and authority (rules §1.7, §1.8)."""

    impact_trust: float  # effective trust below which a fact of an impact tier is held
    attributed_importance: float  # of "X wrote that …"
    agent_opinions: str  # "attribute": kept as the agent's word; "hold": waits for a reviewer

    def __post_init__(self) -> None:
        """Refuse an unknown choice."""
        if self.agent_opinions not in AGENT_OPINIONS:
            msg = f"the policy's agent_opinions is {self.agent_opinions!r}; it must be {' or '.join(AGENT_OPINIONS)}"
            raise Misconfigured(msg)


@dataclass(frozen=True, kw_only=True, slots=True)
class ConflictRules:
    """Which of two contradicting statements stands (rules §3)."""

    policy: str  # one of POLICIES
    neighbours: int  # nearest memories that a judge looks at
    sustained_origins: int  # independent origins that a challenger needs under "sustained" (rules §3.3)
    template_rule: bool  # the same sentence with other numbers is an update of one value
    guarded: bool = True  # a newcomer needs the incumbent's trust, and authority (rules §3.2); False only in `classic`

    def __post_init__(self) -> None:
        """Refuse an unknown policy."""
        if self.policy not in POLICIES:
            msg = f"the policy's conflict policy is {self.policy!r}; it must be one of {', '.join(POLICIES)}"
            raise Misconfigured(msg)


@dataclass(frozen=True, kw_only=True, slots=True)
class LifecycleRules:
    """Numbers of forgetting (rules §2.1, §2.9)."""

    purge_after_days: float  # grace window of tombstoned and superseded rows
    working_per_session: int  # passing memories of one session; the least important above it is evicted


@dataclass(frozen=True, kw_only=True, slots=True)
class CompositeRules:
    """Numbers of composite trust (rules §1.10)."""

    per_origin: float
    origins_cap: float
    stale_penalty: float
    stale_access: int
    stale_freshness: float


@dataclass(frozen=True, kw_only=True, slots=True)
class DecayRules:
    """Numbers of decay and archiving; η in days (rules §2.2–2.7)."""

    shape: float
    event_eta_days: float
    semantic_eta_days: float
    semantic_eta_days_corroborated: float
    lesson_eta_days: float
    access_gain: float
    access_cap: float
    archive_below: float
    trivial_below: float
    archive_on: str = "strength"  # "strength": importance × freshness (§2.6); "score": the full score (`classic`)
    durable: bool = True  # False: nothing is exempt from decay (`classic`)
    kinds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # kind → {half_life_days, shape}

    def __post_init__(self) -> None:
        """Refuse kinds that do not exist and curves that make no sense."""
        for kind, curve in self.kinds.items():
            known = kind in set(MemoryKind) and set(curve) <= {"half_life_days", "shape"}
            if not known or min(curve.values(), default=0) <= 0:
                msg = (
                    f"the policy's decay of {kind!r} does not fit: give a memory kind half_life_days and shape above 0"
                )
                raise Misconfigured(msg)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecallRules:
    """Numbers of recall (rules §2.5, §6)."""

    ranker: str
    top_k: int
    score_threshold: float
    candidates: int
    min_cosine: float
    min_coverage: float
    weight_similarity: float
    weight_recency: float
    weight_importance: float
    recency_tau_days: float
    strong_cosine: float = 0.55  # an archived memory answers only where nothing active does, and only this directly
    strong_coverage: float = 0.99
    presupposed: float = 0.5  # factor on the relevance of a memory that says nothing beyond the question's own words
    others: float = 0.7  # factor on that of a memory about somebody unnamed, where a person asks about themself
    cross_script: bool = False  # whether the embedding model relates texts in different scripts
    meaning: float = 0.5  # weight of the dense score in the sum of both; the rest is the words'
    beside: float = 0.4  # share of its relevance that a turn lends to the turns beside it
    beside_next: float = 0.3  # and to the next but one
    reply: float = 2.0  # factor on what a turn lends to the next one if it asks something
    terse: float = 0.5  # taken from the relevance of an event without words, less the more words it has
    terse_words: int = 16  # different words of an event from which nothing is taken
    age_floor: float = 0.0  # freshness below which age takes nothing more from a score
    enabled: bool = True  # False: nothing is searched for, every active memory of the scope goes in (rules §6.3)


@dataclass(frozen=True, kw_only=True, slots=True)
class ConfidenceRules:
    """Numbers of confidence and of what an agent may do with a memory (rules §5.1, §5.2)."""

    corroboration: float = 0.40  # the four weights: their sum is 1
    recency: float = 0.30
    verification: float = 0.20
    user_confirmation: float = 0.10
    origins_needed: int = 3  # independent origins that make corroboration 1
    act_from: float = 0.80
    act_trust: float = 0.90  # effective trust without which only a named person's confirmation lets an agent act
    answer_from: float = 0.40  # below it, it asks
    competing_within: float = 0.15  # two current values so near each other in confidence are a question

    def __post_init__(self) -> None:
        """Refuse weights by which no person could recompute a confidence, or that do not make one in [0, 1]."""
        weights = [Decimal(str(getattr(self, name))) for name in WEIGHTS]
        if sum(weights) != 1 or any(one != round(one, WEIGHT_DIGITS) for one in weights):
            msg = (
                f"the policy's weights of confidence are {', '.join(map(str, weights))}; give four with at most "
                f"{WEIGHT_DIGITS} decimals whose sum is 1"
            )
            raise Misconfigured(msg)
        if self.answer_from > self.act_from:
            msg = "the policy's confidence.answer_from is above its act_from: to act needs more than to answer"
            raise Misconfigured(msg)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewRules:
    """Numbers of the review desk."""

    undo_minutes: float
    fold_from: int  # groups waiting from which plain claims are folded into the month's background
    background_importance: float = 1.0  # from here a held statement is a decision of its own, however plain
    four_eyes: bool = True  # what could harm somebody needs two people (rules §1.7)
    sole_reviewer_minutes: float = 10.0  # after which the only reviewer may confirm their own yes
    reservation_minutes: float = 10.0  # an item is kept for whoever reads it
    expire_after_days: float = 90.0  # held items nobody decided are rejected by the policy; 0: never


@dataclass(frozen=True, kw_only=True, slots=True)
class QuestionRules:
    """Numbers of what a person is asked because evidence cannot decide it (rules §3.3, §5.2)."""

    max_open: int = 5  # open questions of one owner beyond which no faded memory and no key is asked about
    later_days: float = 7.0  # "not now" puts a question off for so long
    ask_again_days: float = 14.0  # a faded memory that was asked about is not asked about again before
    decided_days: float = 30.0  # how long what was decided is listed
    same_key_cosine: float = 0.90  # two keys that are this near by meaning are put to their owner
    same_key_short: float = 0.45  # or this near, if one is the other in shorter words
    weigh_sources: bool = False  # a source's reputation counts in a conflict, never above its trust
    prior: float = 1.0  # of successes and of failures each, before a source was observed
    observed_min: int = 8  # statements seen to hold or to change below which no half-life is suggested


@dataclass(frozen=True, kw_only=True, slots=True)
class PatternRules:
    """Numbers of patterns (rules §5.3)."""

    min_episodes: int = 3  # sourced episodes that speak for it
    min_sessions: int = 2  # over how many sessions
    min_share: float = 0.6  # of the episodes that speak for or against it, how many must speak for it
    window_days: float = 180.0  # older episodes say nothing any more; counted from the newest one
    list_from: int = 2  # episodes from which a hypothesis is kept and shown
    importance: float = 0.6  # of the memory that a proven one becomes
    late_from_hour: int = 23  # local hour from which activity is late
    late_until_hour: int = 5  # local hour until which it is; the day before ends here
    break_days: int = 7  # days without an appointment that make a break
    busy_week_entries: int = 3  # appointments of Monday to Friday from which a free weekend says something
    timezone: str = "UTC"  # IANA zone of times that came without one: when a message was sent

    def __post_init__(self) -> None:
        """Refuse a zone that does not exist."""
        try:
            ZoneInfo(self.timezone)
        except (KeyError, ValueError, OSError, TypeError) as problem:  # ZoneInfoNotFoundError is a KeyError
            msg = f"the policy's patterns.timezone is {self.timezone!r}; it must be a zone such as Europe/Lisbon or UTC"
            raise Misconfigured(msg) from problem

    @property
    def zone(self) -> ZoneInfo:
        """The zone of times that came without one."""
        return ZoneInfo(self.timezone)


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """All numbers of the rules, named by the digest of their content."""

    trust: TrustRules
    composite: CompositeRules
    decay: DecayRules
    recall: RecallRules
    review: ReviewRules
    tools: ToolRules
    authority: AuthorityRules
    conflict: ConflictRules
    lifecycle: LifecycleRules
    confidence: ConfidenceRules = field(default_factory=ConfidenceRules)
    questions: QuestionRules = field(default_factory=QuestionRules)
    patterns: PatternRules = field(default_factory=PatternRules)
    connectors: ConnectorRules = field(default_factory=ConnectorRules)
    agents: Mapping[str, AgentRules] = field(default_factory=dict)  # by the agent's name; others go by `recall`

    def __post_init__(self) -> None:
        """Refuse numbers that make no sense, by name."""
        for one in fields(self):
            check_numbers(one.name, getattr(self, one.name))

    def recall_of(self, agent: str) -> RecallRules:
        """The rules of recall for an agent by its name (rules §6.3)."""
        own = self.agents.get(agent)
        return self.recall if own is None else replace(self.recall, **asdict(own.recall))

    def channel_trust(self, provenance: Provenance) -> float:
        """What a text is worth by its channel alone: a tool's by the class it is registered as (rules §1.1, §1.6)."""
        return self.preview_trust(provenance.source_kind, provenance.tool)

    def preview_trust(self, kind: SourceKind, tool: str = "") -> float:
        """The same before there is a text: shown when a person is about to attach one."""
        if kind is not SourceKind.TOOL_OUTPUT:
            return self.trust.base(kind)
        known = self.tools.class_of(tool)
        return float(getattr(self.tools, known)) if known else self.trust.unregistered_tool

    @property
    def digest(self) -> str:
        """Hex sha256 of the canonical content."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()

    @classmethod
    def from_toml(cls, text: str) -> Policy:
        """Read a policy file.

        Raises:
            Misconfigured: a section or number is missing, unknown or of the wrong sort; the message names it.
        """
        try:
            raw = tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            msg = f"the policy file is not valid TOML: {problem}"
            raise Misconfigured(msg) from problem
        return cls.from_sections(raw)

    @classmethod
    def from_sections(cls, raw: Mapping[str, Any]) -> Policy:
        """A policy of its sections' plain values.

        Raises:
            Misconfigured: as `from_toml`.
        """
        sections: dict[str, Any] = {
            "trust": TrustRules,
            "composite": CompositeRules,
            "decay": DecayRules,
            "recall": RecallRules,
            "review": ReviewRules,
            "tools": ToolRules,
            "authority": AuthorityRules,
            "conflict": ConflictRules,
            "lifecycle": LifecycleRules,
        }
        # sections that a policy file of an older version does not have
        later: dict[str, Any] = {
            "confidence": ConfidenceRules,
            "questions": QuestionRules,
            "patterns": PatternRules,
            "connectors": ConnectorRules,
        }
        sections |= {name: kind for name, kind in later.items() if name in raw}
        made = {name: _section(raw, name, kind) for name, kind in sections.items()}
        return cls(**made, agents=read_agents(raw.get("agents", {}), made["recall"]))


def _section(raw: Mapping[str, Any], name: str, kind: Any) -> Any:
    values = raw.get(name)
    if not isinstance(values, Mapping):
        msg = f"the policy file has no section [{name}]"
        raise Misconfigured(msg)
    try:
        return kind(**values)
    except TypeError as problem:
        msg = f"the policy's section [{name}] does not fit: {problem}"
        raise Misconfigured(msg) from problem


def ranking_trust(memory: Memory, policy: Policy) -> float:
    """Trust a memory counts with for ranking and supersession: the vouch level once a person promoted it (§1.11)."""
    return max(memory.effective_trust, policy.trust.vouch_level) if memory.vouched_by else memory.effective_trust


def composite_trust(memory: Memory, freshness: float, policy: Policy) -> float:
    """Trust at read time (rules §1.10): lifted a little by independent origins, lowered when read often and stale."""
    rules, base = policy.composite, ranking_trust(memory, policy)
    lift = min(rules.per_origin * (memory.origins - 1), rules.origins_cap)
    stale = memory.access_count >= rules.stale_access and freshness < rules.stale_freshness
    ceiling = max(base, policy.trust.base(memory.source_kind) + rules.origins_cap)
    return max(0.0, min(1.0, ceiling, base + lift - (rules.stale_penalty if stale else 0.0)))
