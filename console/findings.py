"""What each chart says, in one sentence that is computed from what it shows. Pure; nothing untrusted here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from console import words
from core.insight import Day, History, Overview, Scatter, Source, Survival
from core.model import MemoryKind, MemoryStatus, SourceKind
from core.survival import share_at

DAY = 86_400.0
AGES = (365, 180, 90, 30, 7, 1)  # days at which kinds are compared: the greatest that two of them reach
FEW = 5  # statements of a source below which a share says nothing
KINDS = {  # source kinds as many
    SourceKind.USER_TURN: "own words",
    SourceKind.AGENT_TURN: "assistants",
    SourceKind.TOOL_OUTPUT: "tools",
    SourceKind.THIRD_PARTY: "other people",
    SourceKind.EXTERNAL_DOC: "documents",
    SourceKind.WEB_CONTENT: "web pages",
}
GONE = {
    MemoryStatus.ARCHIVED: "It was put away",
    MemoryStatus.SUPERSEDED: "It was replaced",
    MemoryStatus.DELETED: "It was forgotten",
}


def day(at: datetime) -> str:
    """A day as words."""
    return f"{at:%-d %B %Y}"


def share(part: int, whole: int) -> str:
    """A percentage; never 0 % or 100 % where that would round something away."""
    if not whole:
        return "0 %"
    exact = 100 * part / whole
    if 0 < part < whole:
        exact = min(99.0, max(1.0, exact))
    return f"{exact:.0f} %"


def of_memory(history: History, limit: float) -> str:
    """When one memory falls below the limit, or why it does not."""
    memory, at, fades = history.memory, history.at, history.fades_at
    if memory.status is not MemoryStatus.ACTIVE:
        ended = f" on {day(memory.expired_at)}" if memory.expired_at else ""
        return f"{GONE[memory.status]}{ended}."
    if fades is not None and fades <= at:
        return f"It has been weaker than {limit:.2f} since {day(fades)}: the next question that finds it puts it away."
    if fades is not None:
        left = words.span_of((fades - at).total_seconds())
        return f"It can be put away from {day(fades)} on, in {left}, unless it is used or confirmed before."
    if memory.pinned or memory.kind is MemoryKind.PINNED:
        return "It is pinned: it does not fade."
    return "It does not fade."


def of_change(before: datetime | None, after: datetime | None) -> str:
    """What a what-if would do to that day."""
    if after is None:
        return "Then it would not fade." if before is not None else "It would change nothing: it does not fade."
    if before is None:
        return f"Then it could be put away from {day(after)} on."
    gained = (after - before).total_seconds()
    if gained < DAY:
        return f"It would change nothing: it stays {day(after)}."
    return f"Then it could be put away from {day(after)} on, {words.span_of(gained)} later."


def of_survival(curves: Sequence[Survival]) -> str:
    """Which kind of source lasts and which does not, at an age that can be compared."""
    oldest = max((one.seen_days for one in curves), default=0.0)
    if not any(one.ended for one in curves):
        return (
            f"Nothing has been replaced, put away or forgotten: the oldest memory is {words.span_of(oldest * DAY)} old."
        )
    for least in (2, 1):
        for age in AGES:
            reached = [one for one in curves if one.seen_days >= age and one.count >= (FEW if least > 1 else 1)]
            if len(reached) >= least:
                return _compared(reached, age)
    gone = sum(one.ended for one in curves)
    return f"{share(gone, sum(one.count for one in curves))} of the memories ended on the day they came in."


def _compared(reached: Sequence[Survival], age: int) -> str:
    found = sorted(((share_at(one.steps, age) or 0.0, one) for one in reached), key=lambda pair: -pair[0])
    (most, best), (least, worst) = found[0], found[-1]
    after = words.plural(age, "day")
    if best is worst or round(100 * most) == round(100 * least):
        named = "each kind of source" if len(reached) > 1 else KINDS[best.source_kind]
        return f"After {after}, {100 * most:.0f} % of what came from {named} is still current."
    return (
        f"After {after}, {100 * most:.0f} % of what came from {KINDS[best.source_kind]} is still current, "
        f"and {100 * least:.0f} % from {KINDS[worst.source_kind]}."
    )


def of_trust(overview: Overview, threshold: float) -> str:
    """How many current memories come from below the threshold, and who let them in."""
    active = [one for one in overview.trust if one.status is MemoryStatus.ACTIVE]
    total = sum(one.count for one in active)
    low = [one for one in active if one.low < threshold - 1e-9]
    below, vouched = sum(one.count for one in low), sum(one.count for one in low if one.vouched)
    waiting = (
        f" {words.plural(overview.held, 'statement waits', 'statements wait')} for review." if overview.held else ""
    )
    if not total:
        return f"Nothing is current.{waiting}"
    if not below:
        return f"Every current memory has an origin trusted at {threshold:.2f} or above.{waiting}"
    named = f"{below:,} of {total:,} current memories {'comes' if below == 1 else 'come'} from below {threshold:.2f}"
    if vouched == below:
        return f"{named}, {'let in' if below == 1 else 'each let in'} by a named person.{waiting}"
    return f"{named}; nobody vouched for {below - vouched:,} of them.{waiting}"


def of_strength(overview: Overview, limit: float) -> str:
    """How many current memories are about to go."""
    active = overview.total(MemoryStatus.ACTIVE)
    if not active:
        return "Nothing is current."
    if not overview.weak:
        return f"Every current memory is at {limit:.2f} or stronger: no question would put one away today."
    named = f"{overview.weak:,} of {words.plural(active, 'current memory', 'current memories')}"
    verb = "is" if overview.weak == 1 else "are"
    return f"{named} {verb} weaker than {limit:.2f}: the next question that finds one puts it away."


def of_sample(scatter: Scatter) -> str:
    """Whether every memory is drawn."""
    if scatter.total > len(scatter.dots):
        return f"A random {len(scatter.dots):,} of {scatter.total:,} are drawn."
    return f"All {scatter.total:,} are drawn." if scatter.total > 1 else ""


def of_flow(days: Sequence[Day]) -> str:
    """What came in, what waited, and the busiest day."""
    came, held = sum(one.proposed for one in days), sum(one.held for one in days)
    promoted = sum(one.promoted for one in days)
    ended = sum(one.superseded + one.archived for one in days)
    period = words.plural(len(days), "day")
    if not came:
        taken = f"; {promoted:,} {'was' if promoted == 1 else 'were'} promoted" if promoted else ""
        gone = f"; {words.plural(ended, 'memory was', 'memories were')} replaced or put away" if ended else ""
        return f"Nothing was proposed in the last {period}{taken}{gone}."
    busiest = max(days, key=lambda one: one.proposed)
    waited = f"{held:,} ({share(held, came)}) waited for a person" if held else "none waited for a person"
    taken = f", {promoted:,} {'was' if promoted == 1 else 'were'} promoted" if held or promoted else ""
    named = words.plural(came, "statement")
    return (
        f"Of {named} in the last {period}, {waited}{taken}; most came on {busiest.day:%-d %B} ({busiest.proposed:,})."
    )


def of_sources(sources: Sequence[Source]) -> str:
    """Which kind of source contradicts most, and which one is promoted most."""
    told = [one for one in sources if one.counts.proposed >= FEW] or list(sources)
    disputed = max(told, key=lambda one: one.counts.contradicted / max(1, one.counts.proposed), default=None)
    if disputed is None:
        return "No source has said anything yet."
    counts = disputed.counts
    if not counts.contradicted:
        return "No source has contradicted what is remembered."
    part = share(counts.contradicted, counts.proposed)
    return (
        f"{KINDS[counts.source_kind].capitalize()} contradict most: {part} "
        f"of {words.plural(counts.proposed, 'statement')} met a memory that says otherwise."
    )
