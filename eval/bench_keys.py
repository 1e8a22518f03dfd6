"""What is pressed on the review page, as a table: each press is timed until the page has answered it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Press:
    """One key, in a state that the keys before it lead to."""

    name: str
    key: str
    before: tuple[str, ...] = ()  # pressed first, not timed
    after: tuple[str, ...] = ()  # pressed afterwards, not timed: the same state can be measured again
    view: str = "focus"  # of the address: ?view=…


# A flagged item asks before it is promoted: Escape answers no. What is promoted or rejected is taken back, so that the
# queue stays as long as it was.
PRESSES = (
    Press(name="J  next", key="j"),
    Press(name="K  previous", key="k"),
    Press(name="P  promote", key="p", after=("Escape", "u")),
    Press(name="U  take back", key="u", before=("x", "1")),
    Press(name="X  ask for a reason", key="x", after=("Escape",)),
    Press(name="X 1  reject with the first reason", key="1", before=("x",), after=("Escape", "u")),
    Press(name="E  edit", key="e", after=("Escape",)),
    Press(name="M  merge", key="m", after=("Escape",)),
    Press(name="S  snooze", key="s", after=("Escape",)),
    Press(name="A  ask a second person", key="a", after=("Escape",)),
    Press(name="F  search", key="f", after=("Escape",)),
    Press(name="H  help", key="h", after=("Escape",)),
)

# Pages that the navigation names once and that have more than one view worth a line of its own.
VIEWS = {"review": ("", "view=focus", "view=bulk")}
