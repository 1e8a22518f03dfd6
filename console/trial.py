"""What a dry run found: the figures, the items behind each of them, whose they are, and the reviewers' load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from console import drawer, safe, session, widgets, words
from console.safe import Html, tag
from core.governance import DryRun, Shift
from core.model import Actor, Verdict

SHOWN = 30  # items of a figure that are listed


def draw(actor: Actor, found: DryRun) -> None:
    """The whole finding."""
    freed, caught = found.released, found.newly_held
    away = [one for one in found.shifts if one.after is Verdict.REJECT]
    widgets.section("Dry run", f"{words.plural(found.looked_at, 'ruling')} of the gate judged again; nothing changed")
    held, groups = found.held, found.groups
    widgets.strip(
        [
            ("Would release", f"{len(freed):,}", "held, admitted by the draft"),
            ("Would hold more", f"{len(caught):,}", "let through, held by the draft"),
            ("Held in all", f"{held[1]:,}", f"{held[0]:,} as it stands"),
            ("Reviewers decide", f"{groups[1]:,.1f}", f"groups a week; {groups[0]:,.1f} as it stands"),
        ]
    )
    if not found.shifts:
        widgets.muted("Nothing would change side.")
        return
    names = session.layer().audit_desk.names(actor)
    safe.table(by_source(found.shifts))
    _listed("Would be released", freed, names)
    _listed("Would be held", caught, names)
    _listed("Would be turned away", away, names)


def by_source(shifts: Sequence[Shift]) -> list[dict[str, object]]:
    """What changes side, by where it came from."""
    counts = Counter((one.source_kind, one.after) for one in shifts)
    return [
        {
            "Source": words.source(kind).capitalize(),
            "Released": counts[kind, Verdict.ADMIT] or "–",
            "Held": counts[kind, Verdict.HOLD] or "–",
            "Turned away": counts[kind, Verdict.REJECT] or "–",
        }
        for kind in dict.fromkeys(one.source_kind for one in shifts)
    ]


def _listed(heading: str, shifts: Sequence[Shift], names: Mapping[str, str]) -> None:
    if not shifts:
        return
    rest = len(shifts) - SHOWN
    widgets.section(heading, words.plural(len(shifts), "item") + (f", the newest {SHOWN} shown" if rest > 0 else ""))
    safe.draw(tag("div", *(_item(one, names) for one in shifts[:SHOWN]), cls="cm-shifts"))


def _item(one: Shift, names: Mapping[str, str]) -> Html:
    said = (
        safe.words(one.text)
        if one.text
        else tag("div", "A memory of somebody else: its words are theirs to read.", cls="cm-muted")
    )
    foot = f"{words.source(one.source_kind).capitalize()} · {drawer.name_of(one.owner, names)}"
    return tag("div", said, tag("div", foot, cls="cm-muted", dir="auto"), cls="cm-shift")
