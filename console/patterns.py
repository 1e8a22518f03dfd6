"""What repeats in a person's texts and calendar, with all that speaks for and against it, and their no (rules §5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from console import patternwords, safe, ways, widgets
from console.safe import Html, tag
from core.layer import MemoryLayer
from core.model import Actor
from core.patterndesk import PatternEpisode, PatternStanding, PatternView

FEW = 6  # episodes of one side that are named at first


def patterns_section(layer: MemoryLayer, actor: Actor) -> None:
    """The actor's own patterns; what they said no to and what faded comes last, folded away."""
    widgets.section("Patterns", "what repeats in your texts and calendar")
    views = layer.patterns.list(actor)
    current = [one for one in views if one.open]
    past = [one for one in views if not one.open]
    if not current:
        widgets.empty(*(patternwords.NONE_LEFT if past else patternwords.NOTHING))
    for view in current:
        with st.container(border=True, key=f"pattern-{view.pattern_id}"):
            _pattern(layer, actor, view)
    if past:
        with st.expander(safe.label(f"No longer held to be so ({len(past)})"), icon=":material/history:"):
            for view in past:
                with st.container(key=f"pattern-{view.pattern_id}"):
                    _told(view)
                    safe.draw(*_episodes(view.episodes))


def _pattern(layer: MemoryLayer, actor: Actor, view: PatternView) -> None:
    _told(view)
    if view.standing is PatternStanding.HELD:
        ways.to_review(actor, "Open in Review", key=f"pattern-held-{view.pattern_id}", item=view.candidate_id)
    if view.sentence:
        _sources(view)
    with st.expander("This is not so", icon=":material/block:"):
        _dismissing(layer, actor, view)


def _sources(view: PatternView) -> None:
    with st.expander(safe.label(f"Its episodes ({len(view.episodes)})"), icon=":material/receipt_long:"):
        safe.draw(*_episodes(view.episodes))


def _told(view: PatternView) -> None:
    """The sentence, where it stands, and the counts it stands by."""
    tone, name = patternwords.STANDINGS[view.standing]
    chips = [
        widgets.chip(name, tone),
        widgets.chip(patternwords.DETECTORS.get(view.detector, view.detector.replace("_", " ").capitalize())),
    ]
    nodes = [
        tag("div", view.sentence or patternwords.NOT_FOR_YOU, cls="cm-strong", dir="auto"),
        tag("div", *chips, cls="cm-chips"),
        widgets.bar("Speaks for it", view.share, limit=view.needed_share),
        tag("div", _counts(view)),
        *([widgets.reason_chips(view.reasons)] if view.reasons else []),
        tag("div", patternwords.meaning(view), cls="cm-muted"),
    ]
    safe.draw(*nodes)


def _counts(view: PatternView) -> str:
    """In one line: what speaks for it, against it, over how many sessions, and what it is worth."""
    parts = [
        f"{patternwords.of(view.supports, view.needed_episodes, 'episode')} for it",
        f"{view.against:,} against it",
        f"over {patternwords.of(view.sessions, view.needed_sessions, 'session')}",
        *([f"trust {view.trust:.2f}, that of its weakest episode"] if view.trust is not None else []),
    ]
    return " · ".join(parts)


def _episodes(episodes: Sequence[PatternEpisode]) -> list[Html]:
    """Both sides, newest first, each with its day, where it came from and how it begins."""
    nodes: list[Html] = []
    for heading, speaks_for in (("Speak for it", True), ("Speak against it", False)):
        there = [one for one in episodes if one.speaks_for is speaks_for]
        if not there:
            continue
        nodes.append(tag("div", heading, cls="cm-muted"))
        nodes.append(tag("ol", *(_episode(one) for one in there[:FEW]), cls="cm-versions"))
        if len(there) > FEW:
            nodes.append(tag("div", f"and {len(there) - FEW:,} older ones.", cls="cm-muted"))
    return nodes or [tag("div", "Its texts are gone.", cls="cm-muted")]


def _episode(one: PatternEpisode) -> Html:
    source = widgets.source_line(one.source_kind, title=one.title)
    return tag(
        "li",
        safe.words(one.excerpt, cls="cm-version-text"),
        tag("div", f"{_day(one.at)} · {source}", cls="cm-muted", dir="auto"),
    )


def _day(at: datetime) -> str:
    return at.strftime("%-d %B %Y, %H:%M")


def _dismissing(layer: MemoryLayer, actor: Actor, view: PatternView) -> None:
    widgets.muted(patternwords.DISMISSING)
    reason = st.selectbox("Why", patternwords.REASONS, key=f"pattern-why-{view.pattern_id}")
    more = st.text_input("More, if you like", key=f"pattern-more-{view.pattern_id}", max_chars=300)
    if st.button("Dismiss it", type="primary", key=f"pattern-dismiss-{view.pattern_id}"):
        said = f"{reason}: {more}" if more else str(reason)
        if widgets.done(lambda: layer.patterns.dismiss(actor, view.pattern_id, said, seen_version=view.version)):
            widgets.flash("Dismissed: it is in no answer, and its episodes do not bring it back.")
            st.rerun()
