"""What the gate made of this message, said in a sentence or two: learned, corrected, known before, forgotten, held."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.llm.answers.compose import shorten
from core.llm.answers.phrases import say
from core.model import Candidate, Decision, EffectKind, MemoryKind, SourceKind, Verdict
from core.slots import normalise

NAMED = 3  # facts named one by one; the others are counted
_END = re.compile(r"[\s.。!！]+$")
_SOURCES = {
    SourceKind.USER_TURN: "source_user",
    SourceKind.WEB_CONTENT: "source_page",
    SourceKind.EXTERNAL_DOC: "source_doc",
    SourceKind.TOOL_OUTPUT: "source_tool",
}
# reason codes of the gate, by their beginning, in the order in which one is named
_REASONS = (
    ("injection", "why_injection"),
    ("directive", "why_directive"),
    ("conflict", "why_conflict"),
    ("contradict", "why_conflict"),
    ("impact", "why_impact"),
    ("gap", "why_gap"),
    ("low_trust", "why_low_trust"),
)
_OPENING = re.compile(
    r"^(?:You|Your|You're|Tú|Tu|Tus|Te|Du|Dein|Deine|Ton|Ta|Tes|The|There|Don't|No|Ya|Eres|Vives|Tienes|Trabajas)\b"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Acknowledged:
    """The sentences, and whether anything was learned, forgotten or held at all."""

    text: str = ""
    learned: int = 0
    forgotten: int = 0
    held: int = 0
    words_kept: bool = False


def acknowledge(
    learned: Sequence[tuple[Candidate, Decision]], language: str, *, forgetting: bool = False
) -> Acknowledged:
    """Say what was learned from the message and what was held."""
    fresh: list[str] = []
    known = forgotten = 0
    held: list[tuple[Candidate, Decision]] = []
    words_kept = False
    for candidate, decision in learned:
        event = candidate.proposal.kind is MemoryKind.EVENT
        if decision.verdict is Verdict.HOLD:
            held.append((candidate, decision))
        elif decision.verdict is Verdict.ADMIT and event:
            words_kept = True
        elif decision.verdict is Verdict.ADMIT:
            if candidate.proposal.retracts and forgetting:
                forgotten += 1
            elif _is_known(decision):
                known += 1
            else:
                fresh.append(_clause(candidate, decision, language))
    fresh = list(dict.fromkeys(fresh))
    said = []
    if fresh:
        said.append(_stop(say("noted", language, facts=_run(fresh, language))))
    if forgotten:
        said.append(say("forgot", language))
    if known:
        said.append(say("knew_some" if fresh else "knew", language))
    said.extend(_held(held, language))
    return Acknowledged(
        text=" ".join(said[:3]),
        learned=len(fresh) + known,
        forgotten=forgotten,
        held=len(held),
        words_kept=words_kept,
    )


def _is_known(decision: Decision) -> bool:
    kinds = {e.kind for e in decision.effects}
    return EffectKind.CONFIRM in kinds and EffectKind.ACTIVATE not in kinds


def _clause(candidate: Candidate, decision: Decision, language: str) -> str:
    statement = _END.sub("", " ".join(candidate.text.split()))
    if _OPENING.match(statement):
        statement = statement[:1].lower() + statement[1:]
    replaced = {e.memory_id for e in decision.effects if e.kind is EffectKind.SUPERSEDE}
    before = [
        i.value
        for i in decision.evidence.incumbents
        if i.memory_id in replaced and not i.same_value and normalise(i.value) not in normalise(statement)
    ]
    text = shorten(statement, 160)
    return f"{text} ({say('before', language, value=shorten(before[0], 60))})" if before else text


def _run(clauses: Sequence[str], language: str) -> str:
    shown, rest = list(clauses[:NAMED]), len(clauses) - NAMED
    if rest > 0:
        shown.append(say("more", language, n=rest))
        return ", ".join(shown)
    if len(shown) == 1:
        return shown[0]
    if language == "zh":
        return ";".join(shown)
    return f"{', '.join(shown[:-1])}, {say('and', language)} {shown[-1]}"


def _held(held: Sequence[tuple[Candidate, Decision]], language: str) -> list[str]:
    """One sentence a source: how many statements wait, and the main reason in plain words."""
    by_source: dict[str, list[Decision]] = {}
    asked = [decision for _, decision in held if "ask_owner" in decision.reasons]
    said = [say("ask_owner", language)] if asked else []
    for candidate, decision in held:
        if decision in asked:
            continue
        by_source.setdefault(_SOURCES.get(_origin(candidate, decision), "source_other"), []).append(decision)
    for source, decisions in by_source.items():
        reasons = Counter(key for d in decisions for key in [_reason(d)] if key)
        why = say(reasons.most_common(1)[0][0], language) if reasons else ""
        why = (f",因为{why}" if language == "zh" else f" ({why})") if why else ""
        key = "held_one" if len(decisions) == 1 else "held_many"
        said.append(say(key, language, n=len(decisions), source=say(source, language), why=why))
    return said


def _origin(candidate: Candidate, decision: Decision) -> SourceKind:
    """The least trusted channel the words came through: a page pasted into a user's turn is still a page."""
    roots = [*decision.evidence.roots]
    return min(roots, key=lambda r: r.trust).source_kind if roots else candidate.provenance.source_kind


def _reason(decision: Decision) -> str:
    for prefix, key in _REASONS:
        if any(prefix in reason for reason in decision.reasons):
            return key
    return ""


def _stop(text: str) -> str:
    return text if text.endswith((".", "。")) else text + ("。" if re.search(r"[\u4e00-\u9fff]", text) else ".")
