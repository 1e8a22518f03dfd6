"""People: who may sign in, with which role; invitations and sessions. For admins; core refuses everybody else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from urllib.parse import urlsplit

import streamlit as st

from console import agentkeys, drawer, erase, operatorkeys, safe, session, widgets, words
from console.safe import tag
from core.model import Actor, Person, Role

ROLES = tuple(Role)
_DUTIES = {
    Role.MEMBER: "chats, sees own memories and own held items",
    Role.REVIEWER: "also rules on held items of the whole tenant",
    Role.ADMIN: "also invites people and sets roles",
}


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    people = session.layer().accounts.people(actor)
    widgets.title("People", "Who may sign in here, and what each of them may do.")
    erase.certificate()
    _invite(actor)
    _waiting(actor, people)
    widgets.section("Accounts", words.plural(len(people), "person", "people"))
    for person in people:
        _person(actor, person)
    names = {one.user_id: one.username for one in people}
    agentkeys.of_tenant(actor, names)
    operatorkeys.of_tenant(actor, names)


def _waiting(actor: Actor, people: Sequence[Person]) -> None:
    """Invitations that nobody has used yet."""
    waiting = session.layer().accounts.invitations(actor)
    if not waiting:
        return
    names, now = {one.user_id: one.username for one in people}, widgets.now()
    widgets.section("Invitations", words.plural(len(waiting), "link") + " not used yet")
    for one in waiting:
        with st.container(
            border=True,
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            key=f"invitation-{one.invitation_id}",
        ):
            safe.draw(
                tag(
                    "div",
                    tag("span", one.username or "Any user name", cls="cm-strong", dir="auto"),
                    widgets.chip(words.ROLES[one.role]),
                    tag(
                        "div",
                        f"by {drawer.name_of(one.created_by, names)} · runs out {words.age(one.expires_at, now)}",
                        cls="cm-muted",
                        dir="auto",
                    ),
                )
            )
            taken = st.button("Revoke", key=f"revoke-{one.invitation_id}")
        act = partial(session.layer().accounts.revoke_invitation, actor, one.invitation_id)
        if taken and widgets.done(act):
            widgets.flash("The invitation is revoked: its link is useless.")
            st.rerun()


def _invite(actor: Actor) -> None:
    link = st.session_state.pop("people-link", "")
    if link:
        safe.banner(
            "The invitation is made", "Copy the link now: it is shown this once, works once, and expires.", tone="good"
        )
        safe.code(link)
    with st.expander("Invite somebody", icon=":material/person_add:", expanded=not link):
        with st.form("people-invite", border=False):
            left, right = st.columns(2)
            role = left.selectbox("Role", ROLES, format_func=words.ROLES.__getitem__, key="invite-role")
            name = right.text_input(
                "User name", placeholder="Optional: they can choose", key="invite-name", max_chars=64
            )
            sent = st.form_submit_button("Make a link", type="primary")
        safe.draw(*(tag("div", f"{words.ROLES[one]}: {duty}", cls="cm-muted") for one, duty in _DUTIES.items()))
        if sent:
            token = widgets.attempt(lambda: session.layer().accounts.invite(actor, Role(role), name or ""))
            if token:
                st.session_state["people-link"] = f"{_base()}/invite?token={token}"
                st.rerun()


def _base() -> str:
    """The address this browser uses: what works for the admin is what the invited person can open."""
    parts = urlsplit(st.context.url or "http://localhost")
    return f"{parts.scheme}://{parts.netloc}"


def _person(actor: Actor, person: Person) -> None:
    own = person.user_id == actor.user_id
    state = widgets.chip("Disabled", "bad") if person.disabled else widgets.chip("Active", "good")
    with (
        st.container(border=True, key=f"person-{person.user_id}"),
        st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"),
    ):
        safe.draw(
            tag(
                "div",
                tag("span", person.display_name or person.username, cls="cm-strong", dir="auto"),
                tag("span", f" {person.username}", cls="cm-muted", dir="auto"),
                tag(
                    "div",
                    state,
                    widgets.chip(words.ROLES[person.role]),
                    *([widgets.chip("You", "info")] if own else []),
                ),
                tag("div", f"Joined {words.age(person.created_at, widgets.now())}", cls="cm-muted"),
            )
        )
        if not own:
            with st.popover("Manage", icon=":material/manage_accounts:", key=_menu(person.user_id), on_change="rerun"):
                _manage(actor, person)


def _menu(user_id: str) -> str:
    return f"manage-{user_id}"


def _manage(actor: Actor, person: Person) -> None:
    accounts, uid = session.layer().accounts, person.user_id
    role = st.selectbox(
        "Role",
        ROLES,
        index=ROLES.index(person.role),
        format_func=words.ROLES.__getitem__,
        key=f"role-{uid}-{person.role.value}",
    )
    if st.button("Change role", key=f"set-role-{uid}", disabled=role == person.role, width="stretch"):
        _done(widgets.done(lambda: accounts.set_role(actor, uid, Role(role))), "The role is changed.")
    if st.button("End sessions", key=f"end-{uid}", width="stretch"):
        _done(widgets.done(lambda: accounts.end_sessions(actor, uid)), "Every session of this person is ended.")
    if person.disabled:
        if st.button("Enable", key=f"enable-{uid}", width="stretch"):
            _done(widgets.done(lambda: accounts.enable(actor, uid)), "This person may sign in again.")
    elif st.button("Disable", key=f"disable-{uid}", width="stretch"):
        _done(
            widgets.done(lambda: accounts.disable(actor, uid)),
            "This person is signed out and cannot sign in.",
        )
    st.button(
        "Erase",
        icon=":material/person_remove:",
        key=f"erase-{uid}",
        width="stretch",
        on_click=widgets.open_over,
        args=(_menu(uid), "erase", uid, person.username),
    )


@st.dialog("Erase this person?", width="medium", on_dismiss=widgets.close_dialog)
def _erase(user_id: str, username: str) -> None:
    safe.draw(tag("div", username, cls="cm-strong", dir="auto"))
    erase.form(user_id, username, own=False)


def _done(result: object, message: str) -> None:
    if result is not None:
        widgets.flash(message)
        st.rerun()


widgets.page(draw, erase=_erase)
