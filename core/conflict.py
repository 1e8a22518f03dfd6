"""What memories mean to a candidate, and which of two contradicting statements stands (rules §3). Pure.

Rivals are found by the slot (rules §3.1a), by the template (the same sentence with other numbers) or by a judge (rules
§3.1b). Every policy is guarded: what is trusted more is never replaced by a machine, it is put to a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from core.literals import content_words, figures, negated
from core.model import INFERRED, Candidate, Evidence, Incumbent, Memory, MemoryKind, MemoryStatus, Relation, Standing
from core.policy import ConflictRules
from core.ports import Support
from core.sameness import fuller, same_template, same_value, template
from core.slots import is_multi_valued, normalise
from core.timeline import since

SLOT, TEMPLATE, JUDGE = "slot", "template", "judge"  # how an incumbent was found
_CURRENT = frozenset({MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED})  # an archived one comes back when it is asked for


@dataclass(frozen=True, kw_only=True, slots=True)
class Contest:
    """How a candidate fares against the memories that say otherwise.

    `wins`: a machine may admit it. If `older` is set it is admitted as history only, replaced by that memory from the
    start; otherwise it replaces every rival. Without `wins`, `reason` is "conflict": a person is asked.
    """

    rivals: tuple[Incumbent, ...] = ()
    wins: bool = True
    reason: str = ""  # "conflict"; or why it is history: "older", "kept_old", "less_important"
    note: str = "no contradiction"  # numbers only, never words of a memory
    older: Incumbent | None = None

    @property
    def replaced(self) -> tuple[Incumbent, ...]:
        """The memories that admitting the candidate supersedes."""
        return self.rivals if self.wins and self.older is None else ()


def incumbents(
    candidate: Candidate, holders: Iterable[Memory], ranking: Callable[[Memory], float]
) -> tuple[Incumbent, ...]:
    """The memories that hold the candidate's slot, as the gate sees them.

    A retraction meets its slot's memories whether the slot is single-valued or not; it closes the value it names.

    Args:
        candidate: what is compared.
        holders: the memories.
        ranking: the trust a memory counts with (`core.policy.ranking_trust`).
    """
    multi = is_multi_valued(candidate.proposal.attribute)
    return tuple(
        Incumbent(
            memory_id=memory.memory_id,
            value=memory.value,
            text=memory.text,
            ranking_trust=ranking(memory),
            serial_no=memory.serial_no,
            version=memory.version,
            source_kind=memory.source_kind,
            same_value=same_value(memory.value, candidate.proposal.value),
            multi_valued=multi,
            importance=memory.importance,
            status=memory.status,
            stated_at=memory.stated_at,
            support=memory.support,
            via=SLOT,
        )
        for memory in holders
        if memory.memory_id != candidate.candidate_id
    )


def echoes(replaced: Memory, events: Iterable[Memory]) -> tuple[Memory, ...]:
    """Events of the same turn that repeat the replaced value: they must not bring it back (rules §3.4)."""
    needle = normalise(replaced.value)
    return tuple(
        event for event in events if event.kind is MemoryKind.EVENT and needle and needle in normalise(event.text)
    )


def says_the_same(memory: Memory, candidate: Candidate) -> bool:
    """Whether two statements on one subject say one thing: the same figures, and no telling word only one side has.

    "The hall closes at 18:00" and "Hall closing time: 18:00" do; "opens at 18:00" does not. One word more is let pass.
    """
    told = figures(memory.text)
    if not told or told != figures(candidate.text) or negated(memory.text) != negated(candidate.text):
        return False
    ours, theirs = content_words(memory.text), content_words(candidate.text)
    extra = ours ^ theirs
    named = content_words(memory.subject), content_words(candidate.proposal.subject)
    one_subject = normalise(memory.subject) == normalise(candidate.proposal.subject)
    return (
        (one_subject or (bool(named[0]) and named[0] <= theirs) or (bool(named[1]) and named[1] <= ours))
        and (ours <= theirs or theirs <= ours)
        and len(extra) <= 1
    )


def rivals_of(candidate: Candidate, evidence: Evidence, rules: ConflictRules) -> tuple[Incumbent, ...]:
    """The memories that cannot be true together with the candidate; a retraction has none, it closes."""
    if candidate.proposal.retracts:
        return ()
    judged = {one.memory_id for one in evidence.opinions if one.relation is Relation.CONTRADICTION}

    def opposes(held: Incumbent) -> bool:
        if held.same_value or held.status not in _CURRENT:
            return False
        if held.memory_id in judged:
            return True
        if held.via == TEMPLATE:
            return rules.template_rule
        return held.via == SLOT and not held.multi_valued

    return tuple({held.memory_id: held for held in evidence.incumbents if opposes(held)}.values())


def contest(
    candidate: Candidate,
    evidence: Evidence,
    *,
    rules: ConflictRules,
    trust: float | None = None,
    at: datetime | None = None,
) -> Contest:
    """Decide between a candidate and its rivals by the policy's rule.

    1. Without a rival it wins. 2. Under `manual`, every contradiction is a person's. 3. What says something about
    others (`attributed`), or was concluded by code, has no authority to replace anything. 4. Whatever replaces nothing
    by the policy's own order becomes history without a question: stated earlier (`newest`, and between equals
    elsewhere), `keep_old`, or less important. 5. A rival of higher trust is never replaced: conflict. 6. `sustained`
    asks for independent origins.
    A policy that is not `guarded` (the preset `classic`, for comparison) leaves out 3 and 5.

    Args:
        candidate: what would become memory.
        evidence: its incumbents, opinions and supporters.
        rules: the policy's section.
        trust: what the candidate counts with: the vouch level in a promotion; else its effective trust.
        at: the time of the server; a statement never counts as made after it.
    """
    rivals = rivals_of(candidate, evidence, rules)
    if not rivals:
        return Contest()
    mine = min(evidence.effective_trust, evidence.reputation) if trust is None else trust
    strongest = max(rivals, key=lambda held: held.ranking_trust)
    against = f"trust {mine:.2f} against {strongest.ranking_trust:.2f}"
    # What code concluded has no voice of its own, so it never replaces what somebody said (rules §5.3).
    if (
        rules.policy == "manual"
        or candidate.extractor == INFERRED
        or (rules.guarded and evidence.standing is Standing.ATTRIBUTED)
    ):
        return Contest(rivals=rivals, wins=False, reason="conflict", note=f"{against}: a person decides")
    history = _history(candidate, rivals, rules, mine=mine, at=at)
    if history is not None:
        return history
    if rules.guarded and mine < strongest.ranking_trust:
        return Contest(rivals=rivals, wins=False, reason="conflict", note=against)
    if rules.policy == "sustained":
        return _sustained(candidate, evidence, rivals, rules, at)
    return Contest(rivals=rivals, note=f"replaces {len(rivals)} of no higher standing ({against})")


def _history(
    candidate: Candidate, rivals: tuple[Incumbent, ...], rules: ConflictRules, *, mine: float, at: datetime | None
) -> Contest | None:
    """The contest of a candidate that the policy's order puts behind a rival, whatever a person might say."""

    def behind(held: Incumbent, reason: str, note: str) -> Contest:
        return Contest(rivals=rivals, reason=reason, note=f"kept as history: {note}", older=held)

    if rules.policy == "keep_old":
        return behind(max(rivals, key=lambda held: held.serial_no), "kept_old", "the policy keeps what stands")
    if rules.policy == "highest_importance":
        top, importance = max(rivals, key=lambda held: held.importance), candidate.proposal.importance
        if importance < top.importance:
            return behind(top, "less_important", f"importance {importance:.2f} against {top.importance:.2f}")
        rivals_in_time = [held for held in rivals if held.importance == importance]
    elif rules.policy == "highest_trust":
        rivals_in_time = [held for held in rivals if held.ranking_trust == mine]
    else:
        rivals_in_time = list(rivals)
    later = [held for held in rivals_in_time if _earlier(candidate, held, at)]
    return behind(max(later, key=lambda held: held.serial_no), "older", "stated earlier") if later else None


def _earlier(candidate: Candidate, held: Incumbent, at: datetime | None) -> bool:
    """Whether the candidate was stated before the incumbent was last stated (rules §3.2)."""
    stated = candidate.provenance.observed_at if at is None else min(candidate.provenance.observed_at, at)
    if held.stated_at is None or stated == held.stated_at:
        return candidate.serial_no < held.serial_no
    return stated < held.stated_at


def _sustained(
    candidate: Candidate, evidence: Evidence, rivals: tuple[Incumbent, ...], rules: ConflictRules, at: datetime | None
) -> Contest:
    """A challenger needs several independent origins since the incumbent was last supported (rules §3.3)."""
    spoke = candidate.provenance.observed_at
    own = Support(origin=evidence.origin, trust=1.0, at=spoke if at is None else min(spoke, at), episode_id="")
    supported = max((held.stated_at for held in rivals if held.stated_at is not None), default=None)
    if len(evidence.supported_at) == len(evidence.supporters):
        times = evidence.supported_at
    else:  # recorded by a version that kept no times
        times = (own.at,) * len(evidence.supporters)
    voices = [
        Support(origin=origin, trust=1.0, at=when, episode_id="")
        for origin, when in zip(evidence.supporters, times, strict=True)
    ]
    named = {one.origin for one in voices}
    fresh = since([*voices, *([] if own.origin in named else [own])], supported)
    note = f"{len(fresh)} of {rules.sustained_origins} independent origins since it was last supported"
    if len(fresh) >= rules.sustained_origins:
        return Contest(rivals=rivals, note=f"replaces {len(rivals)}: {note}")
    return Contest(rivals=rivals, wins=False, reason="conflict", note=note)


__all__ = [
    "JUDGE",
    "SLOT",
    "TEMPLATE",
    "Contest",
    "contest",
    "echoes",
    "fuller",
    "incumbents",
    "rivals_of",
    "same_template",
    "same_value",
    "says_the_same",
    "template",
]
