"""Erasing a person: asked for by their typed user name, answered with a certificate. People and Account open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from console import safe, session, widgets, words

if TYPE_CHECKING:
    from core.erasure import Certificate

MADE = "erase-certificate"  # key of the session state: the certificate and the user name, until it is closed


def form(user_id: str, username: str, *, own: bool) -> None:
    """Ask for the user name and erase. An admin's page keeps the certificate; one's own ends with this session."""
    whose = "your" if own else "their"
    widgets.muted(
        f"Everything {'you' if own else 'this person'} said, every memory and held item that came of it, {whose} chats "
        f"and {whose} account are removed from both stores. Nothing brings them back. The audit keeps its entries, "
        "which hold digests and no words, and still verifies."
    )
    typed = st.text_input("Type the user name to go on", key=f"erase-name-{user_id}", placeholder=safe.plain(username))
    if not st.button("Erase for good", type="primary", icon=":material/person_remove:", key=f"erase-yes-{user_id}"):
        return
    if (typed or "").strip() != username:
        safe.banner("Nothing was erased", "The user name does not match; type it as it is written.", tone="warn")
        return
    actor = session.current_actor()
    certificate = widgets.attempt(lambda: session.layer().lifecycle.erase(actor, user_id))
    if certificate is None:
        return
    if own:
        _own(certificate, username)
        return
    st.session_state[MADE] = (certificate, username)
    widgets.close_dialog()
    st.rerun()


def _own(certificate: Certificate, username: str) -> None:
    """The session is gone with the account, so nothing can be downloaded any more: the certificate is here to copy."""
    safe.banner(
        "You are erased",
        "This is your certificate. Copy it now: with the next click you are signed out, and it is shown this once.",
        tone="good",
    )
    _facts(certificate, username)
    safe.code(certificate.to_json())


def certificate() -> None:
    """The certificate of the last erasure, with its file, until it is closed."""
    kept = st.session_state.get(MADE)
    if kept is None:
        return
    made, username = kept
    with st.container(border=True, key="erase-certificate-card"):
        safe.banner("The person is erased", "Keep the certificate: it is shown until you close it.", tone="good")
        _facts(made, username)
        with st.container(horizontal=True, gap="small"):
            st.download_button(
                "Download certificate",
                made.to_json(),
                file_name="erasure-certificate.json",
                mime="application/json",
                icon=":material/download:",
                key="erase-download",
                on_click="ignore",
            )
            if st.button("Close", key="erase-close"):
                st.session_state.pop(MADE)
                st.rerun()


def _facts(made: Certificate, username: str) -> None:
    gone = made.ledger
    removed = [
        words.plural(gone.episodes, "text"),
        words.plural(made.memories, "memory", "memories"),
        words.plural(gone.candidates, "claim"),
        words.plural(gone.decisions, "decision"),
        words.plural(gone.conversations, "chat"),
    ]
    safe.draw(
        widgets.facts(
            [
                ("Person", f"{username} ({made.person})"),
                ("Removed", ", ".join(removed)),
                ("When", words.moment(made.at)),
                ("Certificate", made.certificate_id),
                ("Audit entry", f"{made.audit_seq}, hash {made.audit_hash[:16]}…"),
            ]
        )
    )
