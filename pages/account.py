"""Account: the signed-in person's name and role, password and sessions."""

from __future__ import annotations

import streamlit as st

from console import agentkeys, erase, operatorkeys, safe, session, widgets, words
from console.safe import tag
from core.model import Actor
from core.ports import Session

AGENT_CHARS = 70
_BROWSERS = ("Firefox", "Edg", "Chrome", "Safari")
_SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Macintosh", "Linux")
_SPOKEN = {"Edg": "Edge", "Macintosh": "Mac"}


def draw() -> None:
    """The whole page."""
    actor = session.current_actor()
    widgets.title("Account")
    safe.draw(widgets.facts([("User name", actor.username), ("Role", words.ROLES[actor.role])]))
    _password(actor)
    _sessions(actor)
    agentkeys.own(actor)
    operatorkeys.own(actor)
    _erasing()


def _erasing() -> None:
    widgets.section("Erase yourself", "everything you said, and this account")
    widgets.muted("Your words leave both stores for good, and you get a certificate. This cannot be undone.")
    if st.button("Erase everything about me", icon=":material/person_remove:", key="erase-me"):
        widgets.open_dialog("erase")


@st.dialog("Erase everything about you?", width="medium", on_dismiss=widgets.close_dialog)
def _erase() -> None:
    actor = session.current_actor()
    erase.form(actor.user_id, actor.username, own=True)


def _password(actor: Actor) -> None:
    widgets.section("Password", "at least 12 characters; changing it ends your other sessions")
    with st.form("account-password", clear_on_submit=True, width=460):
        old = st.text_input("Present password", type="password", autocomplete="current-password", key="pw-old")
        new = st.text_input("New password", type="password", autocomplete="new-password", key="pw-new")
        again = st.text_input("New password once more", type="password", autocomplete="new-password", key="pw-again")
        sent = st.form_submit_button("Change password", type="primary")
    if not sent:
        return
    if new != again:
        safe.banner("The two new passwords differ", "Type the same one twice.", tone="warn")
        return
    ended = widgets.attempt(lambda: session.layer().accounts.change_password(actor, old or "", new or ""))
    if ended is not None:
        safe.banner("The password is changed", f"{words.plural(ended, 'other session')} ended.", tone="good")


def browser(agent: str) -> str:
    """A user agent in words: "Firefox on Android"; unknown ones as they are, cut."""
    name = next((one for one in _BROWSERS if one in agent), "")
    system = next((one for one in _SYSTEMS if one in agent), "")
    if name and system:
        return f"{_SPOKEN.get(name, name)} on {_SPOKEN.get(system, system)}"
    return agent[:AGENT_CHARS] or "Unknown browser"


def _sessions(actor: Actor) -> None:
    sessions = session.layer().accounts.sessions(actor)
    widgets.section("Where you are signed in", words.plural(len(sessions), "session"))
    for one in sessions:
        _session(actor, one)
    if len(sessions) > 1 and st.button("End all other sessions", icon=":material/logout:", key="end-others"):
        ended = widgets.attempt(lambda: session.layer().accounts.sign_out_everywhere(actor, keep_this=True))
        if ended is not None:
            widgets.flash(f"{words.plural(ended, 'other session')} ended.")
            st.rerun()
    if st.button("Sign out everywhere", type="tertiary", key="end-all"):
        widgets.open_dialog("everywhere")


def _session(actor: Actor, one: Session) -> None:
    here = one.session_id == actor.session_id
    now = widgets.now()
    with st.container(
        border=True,
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute",
        key=f"session-{one.session_id}",
    ):
        safe.draw(
            tag(
                "div",
                tag("span", browser(one.user_agent), cls="cm-strong", title=one.user_agent[:200]),
                *([widgets.chip("This one", "info")] if here else []),
                tag(
                    "div",
                    f"{one.address} · signed in {words.age(one.created_at, now)} · "
                    f"last used {words.age(one.last_seen_at, now)}",
                    cls="cm-muted",
                ),
            )
        )
        ending = not here and st.button("End", key=f"end-session-{one.session_id}")
    if ending and widgets.done(lambda: session.layer().accounts.end_session(actor, one.session_id)):
        widgets.flash("That session is ended.")
        st.rerun()


@st.dialog("Sign out everywhere?", on_dismiss=widgets.close_dialog)
def _everywhere() -> None:
    widgets.muted("This browser is signed out as well. You can sign in again with your password.")
    if st.button("Sign out everywhere", type="primary", key="end-all-yes"):
        actor = session.current_actor()
        if widgets.done(lambda: session.layer().accounts.sign_out_everywhere(actor)):
            widgets.close_dialog()
            st.rerun()


widgets.page(draw, everywhere=_everywhere, erase=_erase)
