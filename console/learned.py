"""What a turn or an attachment taught the memory: learned, held and why, not kept and why. The thread draws it."""

from __future__ import annotations

from collections.abc import Sequence

from console import questions, session, ways, words
from console.safe import Html, draw, tag
from core.chat import Learned
from core.model import Actor, EffectKind, HeldItem, SourceKind

FEW = 3  # statements named in full; more are counted
FROM = {
    SourceKind.WEB_CONTENT: " from this page",
    SourceKind.EXTERNAL_DOC: " from this document",
    SourceKind.TOOL_OUTPUT: " from this result",
}
CUT = 160  # characters of one statement


def line(actor: Actor, learned: Learned | None, *, key: str, kind: SourceKind = SourceKind.USER_TURN) -> None:
    """Draw what became of one text, with a way to what waits; quiet when there is nothing to say.

    Args:
        actor: who looks; held words are shown to people who may see them.
        learned: how far the write path is with it.
        key: names the text in the keys of buttons.
        kind: the channel the text came by.
    """
    if learned is None:
        return
    if not learned.processed:
        draw(tag("div", "Reading…", cls="cm-learned", role="status"))
        return
    held = [one for one in learned.held if not questions.asked(one)]
    sees = bool(held) and session.layer().sides.sees_held(actor)
    rows = [*_taught(learned.admitted), *_held(held, kind, words_too=sees), *_dropped(learned.dropped)]
    if rows:
        draw(tag("ul", *rows, cls="cm-learned"))
    if held and sees:
        ways.to_review(actor, "Open in Review", key=f"held-{key}", item=held[0].candidate.candidate_id)


def _taught(facts: Sequence[HeldItem]) -> list[Html]:
    gone = [one for one in facts if one.candidate.proposal.retracts]
    new = [one for one in facts if not one.candidate.proposal.retracts]
    rows = [tag("li", f"Taken out of memory: {_cut(one)}", dir="auto") for one in gone[:FEW]]
    if len(new) > FEW:
        return [*rows, tag("li", f"Learned {words.plural(len(new), 'fact')}")]
    return rows + [_learned(one) for one in new]


def _learned(item: HeldItem) -> Html:
    replaced = {one.memory_id for one in item.decision.effects if one.kind is EffectKind.SUPERSEDE}
    old = [one.text for one in item.decision.evidence.incumbents if one.memory_id in replaced]
    said = f"Learned: {_cut(item)}"
    return tag("li", said, *([tag("span", f"Replaces: {old[0]}", cls="cm-replaces")] if old else []), dir="auto")


def _held(items: Sequence[HeldItem], kind: SourceKind, *, words_too: bool) -> list[Html]:
    if not items:
        return []
    where = FROM.get(kind, "")
    if not words_too or len(items) > FEW:
        return [tag("li", f"Held for review{where}: {len(items)} ({_why(items)})", cls="cm-held-line")]
    return [tag("li", f"Held for review: {_cut(one)} ({_why([one])})", cls="cm-held-line", dir="auto") for one in items]


def _dropped(items: Sequence[HeldItem]) -> list[Html]:
    if len(items) > FEW:
        return [tag("li", f"Not kept: {len(items)} ({_why(items)})")]
    return [tag("li", f"Not kept: {_cut(one)} ({_why([one])})", dir="auto") for one in items]


def _why(items: Sequence[HeldItem]) -> str:
    codes = dict.fromkeys(item.decision.reasons[0] for item in items)
    return ", ".join(words.reason(code).lower() for code in codes)


def _cut(item: HeldItem) -> str:
    text = " ".join(item.candidate.text.split())
    return text if len(text) <= CUT else text[: CUT - 1].rstrip() + "…"
