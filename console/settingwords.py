"""The policy's settings in words: their names, their values, what a draft would let through. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console import words
from core.model import SourceKind
from core.policy import Policy

NAMES = {
    "trust.threshold": "Needed to be remembered unseen",
    "trust.vouch_level": "What a promotion is worth",
    "trust.unregistered_tool": "A tool that is not registered",
    **{f"trust.{kind.value}": words.source(kind).capitalize() for kind in SourceKind},
    "tools.compute": "Tools that compute",
    "tools.records": "Tools that answer from own records",
    "tools.reads_file": "Tools that read a file",
    "tools.reads_people": "Tools that pass on people's words",
    "tools.reads_web": "Tools that read the web",
    "connectors.markdown": "Notes count as",
    "connectors.ics": "Calendars count as",
    "connectors.mail": "Mail counts as",
    "connectors.chat_user": "The owner's part of a chat export counts as",
    "connectors.chat_agent": "The assistant's part counts as",
    "connectors.rows": "Rows of a table count as",
    "connectors.mem0": "Memories of mem0 count as",
    "connectors.ics_past_days": "Calendars written out back to, days",
    "connectors.ics_future_days": "Calendars written out ahead, days",
    "authority.impact_trust": "Needed for what could do harm",
    "authority.attributed_importance": "Weight of “X wrote that …”",
    "authority.agent_opinions": "The assistant's own views",
    "conflict.policy": "When two statements disagree",
    "conflict.neighbours": "Memories the judge looks at",
    "conflict.sustained_origins": "Origins a newcomer needs",
    "conflict.template_rule": "Same sentence, other numbers",
    "conflict.guarded": "A newcomer needs the older one's trust",
    "lifecycle.purge_after_days": "Removed for good after, days",
    "lifecycle.working_per_session": "Passing notes of one chat",
    "decay.shape": "Shape of the curve",
    "decay.event_eta_days": "Time constant of events, days",
    "decay.semantic_eta_days": "Time constant of facts, days",
    "decay.semantic_eta_days_corroborated": "The same with several origins, days",
    "decay.lesson_eta_days": "Time constant of lessons, days",
    "decay.access_gain": "Gain by use",
    "decay.access_cap": "Most that use can gain",
    "decay.archive_below": "Archived below",
    "decay.trivial_below": "Trivial below",
    "decay.archive_on": "Archived by",
    "decay.durable": "Identity and health never fade",
    "confidence.corroboration": "Weight of corroboration",
    "confidence.recency": "Weight of recency",
    "confidence.verification": "Weight of verification",
    "confidence.user_confirmation": "Weight of user-confirmation",
    "confidence.origins_needed": "Origins for full corroboration",
    "confidence.act_from": "Confidence to act",
    "confidence.act_trust": "Trust to act unconfirmed",
    "confidence.answer_from": "Confidence to answer",
    "confidence.competing_within": "Two values compete within",
    "patterns.min_episodes": "Episodes that prove a pattern",
    "patterns.min_sessions": "Sessions that prove a pattern",
    "patterns.min_share": "Share that must speak for a pattern",
    "patterns.window_days": "Days that a pattern looks back",
    "patterns.timezone": "Zone of message times",
    "review.undo_minutes": "Undo a ruling for, minutes",
    "review.fold_from": "Plain claims folded from, groups",
    "review.background_importance": "Stands alone from a weight of",
    "questions.max_open": "Open questions of one person at most",
    "questions.later_days": "“Not now” comes back after, days",
    "questions.ask_again_days": "A faded memory asked about again after, days",
    "questions.decided_days": "Decided questions listed for, days",
    "questions.same_key_cosine": "Two names look like one from",
    "questions.same_key_short": "The same, if one is shorter words",
    "questions.weigh_sources": "A source's reputation counts in conflicts",
    "questions.prior": "Reputation before anything was observed",
    "questions.observed_min": "Intervals needed to suggest a half-life",
}
PRESETS = {"default": "Half a year for facts, lasting ones never", "classic": "Seven days for everything"}
_TABLES = {"tools.registry": "Tool", "decay.kinds": "Curve of"}


def name(key: str) -> str:
    """A setting in words; an entry of a table by its own name, which somebody typed."""
    table, _, entry = key.rpartition(".")
    if table in _TABLES:
        return f"{_TABLES[table]} {entry}"
    if key.startswith("agents.") and entry == "recall":
        return f"Recall of the agent {table.removeprefix('agents.')}"
    return NAMES.get(key) or key.replace(".", ": ").replace("_", " ").capitalize()


def value(one: Any) -> str:
    """A setting's value in words."""
    if one is None:
        return "none"
    if isinstance(one, bool):
        return "yes" if one else "no"
    if isinstance(one, float):
        return f"{one:.2f}" if abs(one) <= 1 else f"{one:g}"
    if isinstance(one, Mapping):
        return ", ".join(f"{key.replace('_', ' ')} {_inner(inner)}" for key, inner in one.items())
    return str(one).replace("_", " ")


def _inner(one: float) -> str:
    return value(one) if isinstance(one, bool) else f"{one:g}"


def warnings(policy: Policy) -> list[str]:
    """What a policy lets through that a person should mean to let through."""
    trust = policy.trust
    found = [
        f"Every {words.source(kind)} would be remembered unseen: whoever writes one writes memory."
        for kind in (SourceKind.WEB_CONTENT, SourceKind.EXTERNAL_DOC)
        if trust.base(kind) >= trust.threshold
    ]
    if trust.unregistered_tool >= trust.threshold:
        found.append("Tools that nobody registered would be remembered unseen.")
    if trust.user_turn < trust.threshold:
        found.append("The owner's own words would be held.")
    if trust.vouch_level < trust.threshold:
        found.append("What a reviewer promotes would still count as untrusted when it is recalled.")
    if policy.authority.impact_trust < trust.threshold:
        found.append("What could do harm would need less trust than anything else.")
    if policy.conflict.policy == "newest" and not policy.conflict.guarded:
        found.append("The newest statement would win, whoever made it.")
    return found
