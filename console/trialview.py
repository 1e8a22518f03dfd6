"""One trial on the screen: hop by hop what was read and ruled, what a question would find, and the proof."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import streamlit as st

from console import evidence, safe, terms, trialwords, widgets, words
from console.claim import SHOWN_DIGITS
from console.safe import Html, tag
from core.detectors import LABEL
from core.model import Hit, Pasted, SourceKind, Verdict
from core.recall import Recall
from core.sandbox import Hop, Outcome, Passage, Proof, Ruled, Trial

_OWN = frozenset({SourceKind.USER_TURN, SourceKind.AGENT_TURN})
_SHOWN = 5  # hits of a question on each side


def verdict(trial: Trial, outcome: Outcome | None) -> None:
    """The whole story's outcome in one sentence; of a preset, how the gate fared as well."""
    counts = {one: sum(ruled.decision.verdict is one for ruled in trial.ruled) for one in Verdict}
    if not trial.ruled:
        word, tone = trialwords.OUTCOMES[outcome] if outcome else ("", "info")
        heading = f"{word}: nothing was read in it" if word else "Nothing was read in it"
        safe.banner(heading, "It states no fact, gives no order and takes nothing back.", tone=tone)
        return
    said = [
        f"{words.plural(counts[Verdict.ADMIT], 'claim')} would be remembered",
        f"{counts[Verdict.HOLD]:,} would wait for review",
        f"{counts[Verdict.REJECT]:,} would be dropped",
    ]
    heading = "Nothing of it would be remembered" if not counts[Verdict.ADMIT] else "Some of it would be remembered"
    if counts[Verdict.ADMIT] == len(trial.ruled):
        heading = "It would be remembered"
    tone = "good" if counts[Verdict.ADMIT] else "warn"
    if outcome is not None:
        word, tone = trialwords.OUTCOMES[outcome]
        heading = f"{word}: {heading[0].lower()}{heading[1:]}"
    safe.banner(heading, f"{', '.join(said)}.", tone=tone)
    if trial.behind:
        widgets.muted(
            f"{words.plural(trial.behind, 'change')} to your memory had not reached the store yet and was not seen."
        )


def story(hops: Sequence[Hop]) -> None:
    """The texts of a preset before it is run."""
    safe.draw(tag("ol", *(tag("li", *_said(hop)) for hop in hops), cls="cm-story"))


def _said(hop: Hop) -> list[Html]:
    source = "" if hop.channel in _OWN else " · ".join(one for one in (hop.title, hop.source_ref, hop.tool) if one)
    head = [tag("span", trialwords.CHANNELS[hop.channel], cls="cm-strong")]
    if hop.conversation:
        head.append(widgets.chip("In another chat"))
    if source:
        head.append(tag("span", source, cls="cm-muted", dir="auto"))
    return [tag("div", *head, cls="cm-hop"), safe.words(hop.text, cls="cm-words cm-said-here")]


def timeline(trial: Trial) -> None:
    """Text → read as → origin → gate → verdict, hop after hop."""
    for nth, passage in enumerate(trial.passages, start=1):
        with st.container(border=True, key=f"hop-{nth}"):
            safe.draw(
                tag("div", tag("span", f"{nth}", cls="cm-number"), tag("div", *_said(passage.hop)), cls="cm-step"),
                *(_pasted(part) for part in passage.episode.provenance.pasted),
                *(tag("p", f"{terms.gap(one).capitalize()}.", cls="cm-aside") for one in passage.gaps),
            )
            if not passage.ruled:
                widgets.muted("Nothing was read in it: it states no fact, gives no order and takes nothing back.")
            for one in passage.ruled:
                with st.container(gap="xxsmall", key=f"claim-{one.candidate.candidate_id}"):
                    _claim(one, passage)


def _pasted(part: Pasted) -> Html:
    why = terms.PASTES.get(part.why, "It stands in a pasted part")
    return tag(
        "p", f"A part is not typed but pasted. {why}: it counts as a {words.source(part.source_kind)}.", cls="cm-aside"
    )


def _claim(one: Ruled, passage: Passage) -> None:
    decision, found = one.decision, one.decision.evidence
    word, tone = trialwords.VERDICTS[decision.verdict]
    reasons = [] if decision.verdict is Verdict.ADMIT else [widgets.reason_chips(decision.reasons)]
    nodes = [
        tag("div", "Read as", cls="cm-muted"),
        safe.words(one.read.text, cls="cm-words cm-strong"),
        tag("div", widgets.chip(word, tone), *reasons, cls="cm-chips"),
    ]
    if one.candidate.text != one.read.text:
        nodes.insert(2, tag("div", tag("span", "Kept at most as ", cls="cm-muted"), one.candidate.text, dir="auto"))
    grave = [item for item in found.findings if item.severity >= LABEL]
    nodes += [
        tag(
            "div",
            widgets.chip(terms.detector(item.detector), "bad"),
            tag("span", item.note, dir="auto"),
            cls="cm-found",
        )
        for item in grave
    ]
    safe.draw(tag("div", *nodes, cls=f"cm-read cm-edge-{tone}"))
    with st.expander("Origin and checks", icon=":material/account_tree:", key=f"gate-{one.candidate.candidate_id}"):
        safe.draw(
            widgets.facts(
                [
                    ("Trust of its origin", f"{found.effective_trust:.2f}"),
                    ("Its right to say so", terms.STANDINGS[found.standing]),
                    ("Read by", passage.extractor),
                ]
            ),
            *([evidence.chain(found.roots)] if len(found.roots) > 1 else []),
            widgets.steps(decision.steps),
        )


# --- what a question finds ----------------------------------------------------------------------------------------


def side_by_side(trial: Trial) -> None:
    """What the same question finds with the gate and without one."""
    widgets.section("What a question would find", "the same ranking over your own memory, with the story added")
    safe.draw(tag("div", trial.question, cls="cm-asked", dir="auto"))
    here = {passage.episode.episode_id for passage in trial.passages}
    with st.container(key="sandbox-sides"):
        left, right = st.columns(2, gap="medium")
        with left:
            safe.draw(_side("With the gate", "What is remembered here.", trial.governed, here, gated=True))
        with right:
            note = "Everything that was read is stored, and the newest value wins."
            safe.draw(_side("Without a gate", note, trial.ungated, here, gated=False))


def _side(heading: str, note: str, found: Recall, here: set[str], *, gated: bool) -> Html:
    rows = [_hit(hit, hit.memory.episode_id in here, gated=gated) for hit in found.hits[:_SHOWN]]
    body = tag("ol", *rows, cls="cm-hits") if rows else tag("p", "Nothing that answers it.", cls="cm-muted")
    return tag(
        "div",
        tag("div", heading, cls="cm-strong"),
        tag("div", note, cls="cm-muted"),
        body,
        cls="cm-card cm-side" if gated else "cm-card cm-side cm-open",
    )


def _hit(hit: Hit, new: bool, *, gated: bool) -> Html:  # noqa: FBT001 - a row's own property
    memory = hit.memory
    trust = f"trust {hit.composite_trust:.2f}" if gated else "taken as true"
    came = words.source(memory.source_kind)
    chip = [widgets.chip("From this story", "good" if gated else "warn")] if new else []
    return tag(
        "li",
        tag("div", memory.text, dir="auto"),
        tag("div", *chip, tag("span", f"{came} · {trust} · score {hit.score:.2f}"), cls="cm-card-foot"),
    )


# --- the proof ----------------------------------------------------------------------------------------------------


def proof(found: Proof, key: str) -> None:
    """That both stores are as they were: what was digested, by which handle, before and after."""
    widgets.section("Proof that nothing was written")
    if found.equal:
        safe.banner("Both stores are as they were", "Rows and digests before and after are equal.", tone="good")
    else:
        safe.banner(
            "Something was written meanwhile",
            "The sandbox cannot write: its handles may only read. Another tab or the worker changed your memory while "
            "this ran. Try it again when it is quiet.",
            tone="warn",
        )
    rows = []
    for before, after, rights in zip(found.before, found.after, found.rights, strict=True):
        may = ", ".join(rights.may)
        rows.append(
            tag(
                "div",
                tag("div", trialwords.STORES[before.store], cls="cm-strong"),
                widgets.facts(
                    [
                        ("Handle", f"{rights.handle}"),
                        ("It may", f"{may} and nothing else" if rights.may == ("SELECT",) else may),
                        ("Its transactions", "refuse every write" if rights.read_only else "could write"),
                        ("Before", _digest(before.digest)),
                        ("After", _digest(after.digest)),
                    ]
                ),
                _counts(before.rows, after.rows),
                tag("p", before.covers, cls="cm-muted"),
                cls="cm-card cm-proof",
            )
        )
    safe.draw(tag("div", *rows, cls="cm-proofs"))
    st.download_button(
        "Download the proof",
        json.dumps(found.as_dict(), indent=2).encode(),
        file_name="sandbox-proof.json",
        mime="application/json",
        icon=":material/download:",
        key=key,
        on_click="ignore",
    )


def _digest(value: str) -> Html:
    return tag("span", f"{value[: SHOWN_DIGITS * 2]}…", cls="cm-code", title=value)


def _counts(before: Mapping[str, int], after: Mapping[str, int]) -> Html:
    cells = []
    for name, count in before.items():
        moved = after[name] != count
        said = f"{trialwords.TABLES.get(name, name)} {count:,}" + (f" → {after[name]:,}" if moved else "")
        cells.append(tag("span", said, cls="cm-count cm-moved" if moved else "cm-count"))
    return tag("div", *cells, cls="cm-counts")
