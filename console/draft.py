"""A draft of the policy: edited in the session, compared with what is in force, tried on what happened, adopted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from console import safe, session, settingwords, terms, trial, widgets, words
from core.amend import MAX_NAME, Difference, amended, differences, settings_of
from core.bounds import range_of
from core.errors import BadInput, ChronoMemoryError
from core.governance import MAX_NOTE, DryRun, InForce, decay_presets
from core.model import Actor, SourceKind
from core.policy import AGENT_OPINIONS, POLICIES, TOOL_CLASSES, Policy

DRAFT, SEEN, FOUND, ADOPTED = "policy-draft", "policy-draft-seen", "policy-draft-found", "policy-adopted"
NONE = "not registered"
_ADMISSION = ("trust.threshold", "authority.impact_trust", "trust.vouch_level")
_REVIEW = ("review.undo_minutes", "review.fold_from", "review.background_importance")
_SOURCES = tuple(f"trust.{kind.value}" for kind in SourceKind if kind is not SourceKind.USER_TURN)


def draw(actor: Actor) -> None:
    """The editor, the comparison, the dry run and the act itself."""
    now = session.layer().governance.current(actor)
    _after_adopting(actor)
    draft = _draft(now)
    widgets.muted(
        "Edit a draft: nothing changes until you adopt it. What is already in memory stays; what is held stays held "
        "until a reviewer rules on it, or you have the held items judged again."
    )
    with st.container(key="policy-editor"):
        _numbers(now.policy, draft, "Base trust by source", _SOURCES, "own words always count 1.00")
        _numbers(now.policy, draft, "Admission", _ADMISSION)
        _tools(now.policy, draft)
        _choices(now.policy, draft)
        _numbers(now.policy, draft, "Review", _REVIEW)
    _compare(actor, now, draft)


def _draft(now: InForce) -> dict[str, Any]:
    """The settings that differ from the policy in force; what another admin adopted meanwhile is not undone by it."""
    draft: dict[str, Any] = st.session_state.setdefault(DRAFT, {})
    if not draft:
        st.session_state[SEEN] = now.digest
    return draft


def _put(policy: Policy, draft: dict[str, Any], key: str, value: Any) -> None:
    if value == settings_of(policy).get(key):
        draft.pop(key, None)
    else:
        draft[key] = value


def _key(key: str) -> str:
    """A widget's key: a new one for every draft and policy.

    A discarded draft leaves nothing in the fields, and a number that another admin adopted meanwhile appears in them
    instead of being drafted back.
    """
    turn = st.session_state.get("policy-draft-turn", 0)
    return f"draft-{key}-{turn}-{session.layer().policy.digest[:8]}"


def _numbers(policy: Policy, draft: dict[str, Any], heading: str, keys: Sequence[str], note: str = "") -> None:
    widgets.section(heading, note)
    known = settings_of(policy)
    with st.container(horizontal=True, gap="small"):
        for key in keys:
            low, high = range_of(key)
            whole = isinstance(known[key], int)
            kind = int if whole else float
            given = st.number_input(
                safe.label(settingwords.name(key)),
                min_value=kind(low),
                max_value=kind(high),
                value=kind(draft.get(key, known[key])),
                step=1 if whole else 0.05 if high <= 2 else 1.0,  # noqa: PLR2004 - a share, or minutes
                format="%d" if whole else "%.2f",
                key=_key(key),
                width=150 if len(keys) > 3 else 230,  # noqa: PLR2004 - so that they stand in one row
            )
            _put(policy, draft, key, given)


def _choices(policy: Policy, draft: dict[str, Any]) -> None:
    widgets.section("Disagreement and forgetting")
    known = settings_of(policy)
    with st.container(horizontal=True, gap="small"):
        rule = st.selectbox(
            "When two statements disagree",
            POLICIES,
            index=POLICIES.index(draft.get("conflict.policy", known["conflict.policy"])),
            format_func=lambda one: one.replace("_", " ").capitalize(),
            key=_key("conflict.policy"),
            width=230,
        )
        views = st.selectbox(
            "The assistant's own views",
            AGENT_OPINIONS,
            index=AGENT_OPINIONS.index(draft.get("authority.agent_opinions", known["authority.agent_opinions"])),
            format_func=lambda one: "Hold for review" if one == "hold" else "Keep as its word",
            key=_key("authority.agent_opinions"),
            width=230,
        )
        presets = decay_presets()
        curve = st.selectbox(
            "Forgetting",
            [*presets, "own"],
            index=_preset(amended(policy, draft), presets),
            format_func=lambda one: settingwords.PRESETS.get(one, "As in force, its own numbers"),
            key=_key("decay"),
            width=290,
        )
    widgets.muted(f"{str(rule).replace('_', ' ').capitalize()}: {terms.CONFLICTS[str(rule)]}.")
    _put(policy, draft, "conflict.policy", rule)
    _put(policy, draft, "authority.agent_opinions", views)
    wanted = presets.get(str(curve)) or {key: known[key] for key in presets["default"] if key in known}
    for key, value in wanted.items():
        _put(policy, draft, key, value)


def _preset(policy: Policy, presets: Mapping[str, Mapping[str, Any]]) -> int:
    known = settings_of(policy)
    same = [all(known.get(key) == value for key, value in one.items()) for one in presets.values()]
    return same.index(True) if True in same else len(same)


def _tools(policy: Policy, draft: dict[str, Any]) -> None:
    widgets.section("Tools", "what a tool's output is worth says its class")
    registry = amended(policy, draft).tools.registry
    with st.form(_key("tools"), border=False), st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        name = st.text_input(
            "Tool", placeholder="Its name, as the agent calls it", max_chars=MAX_NAME, key=_key("tool-name"), width=300
        )
        kind = st.selectbox(
            "Class",
            [*TOOL_CLASSES, NONE],
            format_func=_class,
            key=_key("tool-class"),
            width=300,
        )
        if st.form_submit_button("Put into the draft") and name:
            _put_tool(policy, draft, str(name).strip(), str(kind))
    rows = [
        {
            "Tool": tool,
            "Class": registry.get(tool, NONE).replace("_", " "),
            "Draft": "" if registry.get(tool) == policy.tools.registry.get(tool) else _what(policy, registry, tool),
        }
        for tool in sorted({*registry, *policy.tools.registry})
    ]
    with st.expander(safe.label(f"{words.plural(len(registry), 'tool')} registered in the draft")):
        if rows:
            safe.table(rows)
        else:
            widgets.muted("None.")


def _class(kind: str) -> str:
    if kind == NONE:
        return "Not registered"
    return f"{kind.replace('_', ' ').capitalize()}: {terms.TOOLS.get(kind, '')}"


def _what(policy: Policy, registry: Mapping[str, str], tool: str) -> str:
    if tool not in registry:
        return "taken out"
    return f"was {policy.tools.registry[tool].replace('_', ' ')}" if tool in policy.tools.registry else "new"


def _put_tool(policy: Policy, draft: dict[str, Any], tool: str, kind: str) -> None:
    key, value = f"tools.registry.{tool}", None if kind == NONE else kind
    try:
        amended(policy, draft | {key: value})
    except BadInput as problem:
        widgets.error(problem)
        return
    _put(policy, draft, key, value)
    st.rerun()


# --- comparing, trying, adopting ----------------------------------------------------------------------------------


def _compare(actor: Actor, now: InForce, draft: dict[str, Any]) -> None:
    widgets.section("The draft against what is in force")
    try:
        policy = session.layer().governance.preview(draft)
    except ChronoMemoryError as problem:
        widgets.error(problem)
        return
    changed = differences(settings_of(now.policy), settings_of(policy))
    if not changed:
        widgets.empty("The draft changes nothing", "Change a number above; the comparison and the dry run appear here.")
        return
    if st.session_state.get(SEEN) != now.digest:
        _moved(now)
    safe.table(compared(changed))
    warned = settingwords.warnings(policy)
    if warned:
        safe.banner("Look twice", " ".join(warned), tone="warn")
    with st.container(horizontal=True, gap="small"):
        tried = st.button("Dry run", icon=":material/experiment:", key="policy-dry-run")
        if st.button("Discard the draft", key="policy-discard", type="tertiary"):
            _clear()
            st.rerun()
    if tried:
        with st.spinner("Ruling again on what was decided…", show_time=True):
            found = widgets.attempt(lambda: session.layer().governance.dry_run(actor, draft))
        if found is not None:
            st.session_state[FOUND] = found
    last: DryRun | None = st.session_state.get(FOUND)
    fits = last is not None and last.digest == policy.digest and last.seen_digest == now.digest
    if last is not None and fits:
        trial.draw(actor, last)
    _adopt(actor, draft, tried=fits)


def _moved(now: InForce) -> None:
    """Another admin was faster: the draft is compared with theirs, and adopted only after a look."""
    number = now.version.number if now.version else 0
    safe.banner(
        "The policy changed while you were drafting",
        f"Version {number} is in force now. The comparison below is with it.",
        tone="warn",
    )
    if st.button("I have looked at it", key="policy-seen"):
        st.session_state[SEEN] = now.digest
        st.rerun()


def compared(changed: Sequence[Difference]) -> list[dict[str, object]]:
    """Differences as rows of a table."""
    return [
        {
            "Setting": settingwords.name(one.key),
            "Before": settingwords.value(one.before),
            "After": settingwords.value(one.after),
        }
        for one in changed
    ]


def _adopt(actor: Actor, draft: dict[str, Any], *, tried: bool) -> None:
    widgets.section("Adopt", "" if tried else "this draft was not tried yet: a dry run shows what it would do")
    with st.form("policy-adopt", border=False):
        note = st.text_input(
            "Reason", placeholder="Why the policy changes; kept with the version", max_chars=MAX_NOTE, key="policy-note"
        )
        sent = st.form_submit_button("Adopt this draft", type="primary")
    if not sent:
        return
    seen = str(st.session_state.get(SEEN, ""))
    policy = widgets.attempt(
        lambda: session.layer().governance.adopt(actor, dict(draft), seen_digest=seen, note=note or "")
    )
    if policy is not None:
        _clear()
        st.session_state[ADOPTED] = policy.digest
        st.rerun()


def _clear() -> None:
    for key in (DRAFT, SEEN, FOUND):
        st.session_state.pop(key, None)
    st.session_state["policy-draft-turn"] = st.session_state.get("policy-draft-turn", 0) + 1


def _after_adopting(actor: Actor) -> None:
    """What was done, and the separate act that one may want next."""
    if st.session_state.get(ADOPTED) != session.layer().policy.digest:
        return
    safe.banner(
        "The policy is in force",
        "Whatever is judged from now on is judged by it, in every process. Nothing that was decided before has moved.",
        tone="good",
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        again = st.button("Judge the held items again", icon=":material/replay:", key="policy-rejudge")
        widgets.muted("Those that pass go into memory, all others stay held. It is written to the audit.")
    if again:
        with st.spinner("Judging what is held…", show_time=True):
            done = widgets.attempt(lambda: session.layer().rejudge.held(actor))
        if done is not None:
            released, looked = len(done.released), done.looked_at
            safe.banner(
                f"{words.plural(released, 'held item')} released",
                f"{words.plural(looked, 'item')} judged again; {looked - released:,} stay held.",
                tone="good" if released else "info",
            )
