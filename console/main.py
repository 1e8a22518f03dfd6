"""The router: who is looking, which pages there are, and the frame around them. Pages do the rest."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from console import questions, safe, session, words
from console.safe import tag
from core.errors import Unavailable
from core.model import Actor, Role

ROOT = Path(__file__).resolve().parent
PAGES = ROOT.parent / "pages"
MAX_COUNT = 999


def pages_for(actor: Actor | None) -> list[st.Page]:
    """Every page, registered for everybody: hiding one is a courtesy, the gate and core refuse."""
    held = questions.count(actor) if actor else 0
    count = f" ({min(held, MAX_COUNT)}{'+' if held > MAX_COUNT else ''})" if held else ""
    admin = actor is not None and actor.role is Role.ADMIN
    return [
        st.Page(PAGES / "chat.py", title="Chat", icon=":material/forum:", default=True),
        st.Page(PAGES / "review.py", title=f"Review{count}", icon=":material/rule:", url_path="review"),
        st.Page(PAGES / "sandbox.py", title="Sandbox", icon=":material/science:", url_path="sandbox"),
        st.Page(PAGES / "decay.py", title="Decay & trust", icon=":material/timeline:", url_path="decay"),
        st.Page(PAGES / "memories.py", title="Memories", icon=":material/neurology:", url_path="memories"),
        st.Page(PAGES / "evidence.py", title="Evidence", icon=":material/balance:", url_path="evidence"),
        st.Page(PAGES / "audit.py", title="Audit", icon=":material/receipt_long:", url_path="audit"),
        st.Page(PAGES / "policy.py", title="Sources & policy", icon=":material/policy:", url_path="policy"),
        st.Page(
            PAGES / "people.py",
            title="People",
            icon=":material/group:",
            url_path="people",
            visibility="visible" if admin else "hidden",
        ),
        st.Page(PAGES / "account.py", title="Account", icon=":material/account_circle:", url_path="account"),
    ]


st.set_page_config(page_title="ChronoMemory", page_icon=str(ROOT / "static" / "favicon.png"), layout="wide")

session.keep_unsent()
try:
    someone = session.find_actor()
except Unavailable:
    someone = None

st.logo(str(ROOT / "static" / "logo.svg"), icon_image=str(ROOT / "static" / "favicon.png"), size="large")
current = st.navigation(pages_for(someone), position="sidebar" if someone else "hidden")
if current.url_path != "memories":  # a choice of that page, which Streamlit keeps until the next page is drawn
    st.session_state.pop(session.SPACE, None)
actor = someone or session.current_actor()  # a stranger's run stops here, with a way back in

if session.layer().demo:
    safe.draw(
        tag(
            "div",
            tag("span", words.DEMO, cls="cm-strong"),
            tag("span", f" {words.DEMO_DETAIL}"),
            cls="cm-demo",
            role="note",
        )
    )

with st.sidebar.container(gap="xsmall"):
    st.text(actor.username)
    st.caption(safe.label(words.ROLES[actor.role]))
    st.button("Sign out", icon=":material/logout:", on_click=session.sign_out, type="tertiary")

session.follow()
current.run()
