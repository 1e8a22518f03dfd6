"""The isolation proof: another person's memories asked for by id, as the database's own role; counts, never words."""

from __future__ import annotations

import streamlit as st

from console import safe, session, widgets, words
from console.safe import tag
from core.model import Actor
from core.ports import IsolationFacts

FOUND = "policy-isolation"  # key of the session state: whose ids were asked for, and what came back


def draw(actor: Actor) -> None:
    """Choose a person, ask, and read what the database said."""
    people = [one for one in session.layer().accounts.people(actor) if one.user_id != actor.user_id]
    widgets.section("Isolation", "can you reach what is somebody else's?")
    widgets.muted(
        "The question goes straight to the database, in the role that can only read, and names nothing but the ids of "
        "the other person's memories: only the rules on the table itself can keep the rows back. Counts come back, "
        "never words."
    )
    if not people:
        widgets.empty("There is nobody else yet", "Invite a second person; then their ids can be asked for.")
        return
    known = {one.user_id: safe.plain(one.username) for one in people}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        other = st.selectbox(
            "Whose memories", list(known), format_func=lambda one: known.get(one, one), key="isolation-who", width=300
        )
        asked = st.button("Run the proof", icon=":material/shield:", key="isolation-run")
    if asked and other:
        found = widgets.attempt(lambda: session.layer().proofs.isolation(actor, other))
        if found is not None:
            st.session_state[FOUND] = (known[other], found)
    if FOUND in st.session_state:
        _found(*st.session_state[FOUND])


def _found(whose: str, found: IsolationFacts) -> None:
    if not found.asked:
        safe.banner(f"{whose} has no memories", "Nothing to ask for: choose somebody who has some.", tone="warn")
        return
    sound = found.as_self == found.as_nobody == 0 and found.as_owner == found.asked and found.forced
    if sound:
        safe.banner(
            "No row came back",
            f"{words.plural(found.asked, 'memory', 'memories')} asked for by id; the same ids give all of them in "
            f"{whose}'s own scope.",
            tone="good",
        )
    else:
        safe.banner("Rows came back that should not", "Stop the installation and check the database roles.", tone="bad")
    safe.table(
        [
            {"Asked as": "You", "Rows": found.as_self, "Expected": 0},
            {"Asked as": "Nobody", "Rows": found.as_nobody, "Expected": 0},
            {"Asked as": f"{whose}, the control", "Rows": found.as_owner, "Expected": found.asked},
        ]
    )
    rows = [
        {
            "Role": one.name,
            "Superuser": _yes(one.superuser),
            "Bypasses row-level security": _yes(one.bypasses),
            "May read": _yes(one.reads),
            "May write": _yes(one.writes),
        }
        for one in found.roles
    ]
    safe.table(rows)
    forced = "forced, for the table's owner too" if found.forced else "not forced"
    safe.draw(tag("p", f"Asked as {found.acting_as}. Row-level security on memories is {forced}.", cls="cm-muted"))


def _yes(one: bool) -> str:  # noqa: FBT001 - a flag in words
    return "yes" if one else "no"
