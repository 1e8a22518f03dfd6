"""The policy's numbers in words: tools, impact, conflicts, confidence, forgetting. Sources & policy draws them."""

from __future__ import annotations

from console import safe, session, sureness, terms, widgets, words
from console.safe import Html, tag


def tools() -> None:
    """The registered tools: where each one's payload comes from, and what that is worth."""
    policy = session.layer().policy
    rules, trust = policy.tools, policy.trust
    widgets.section("Tools", f"a tool that is not listed counts {trust.unregistered_tool:.2f}")
    rows = [
        {
            "Tool": name,
            "Class": kind.replace("_", " "),
            "What it does": terms.TOOLS.get(kind, ""),
            "Trust": f"{getattr(rules, kind):.2f}",
            "What it says": "Held for review" if getattr(rules, kind) < trust.threshold else "Admitted",
        }
        for name, kind in sorted(rules.registry.items(), key=lambda one: (one[1], one[0]))
    ]
    if rows:
        safe.table(rows)
    else:
        widgets.muted("None is registered.")


def judgement() -> None:
    """Impact, authority, conflict and forgetting."""
    policy = session.layer().policy
    authority, conflict, life = policy.authority, policy.conflict, policy.lifecycle
    widgets.section("What could do harm", "needs more trust than its channel may give")
    safe.draw(
        tag("div", *(widgets.chip(name, "warn") for name, _ in terms.TIERS.values()), cls="cm-chips"),
        _facts(
            [
                ("Needed trust", f"{authority.impact_trust:.2f}, and a speaker with a right to say so"),
                (
                    "From the owner",
                    "own words are admitted and flagged; where others are paid, secrets and endorsements need a yes",
                ),
                ("The assistant's own views", terms.OPINIONS[authority.agent_opinions]),
            ]
        ),
    )
    widgets.section("When two statements disagree")
    safe.draw(
        _facts(
            [
                ("Rule", f"{conflict.policy.replace('_', ' ')}: {terms.CONFLICTS[conflict.policy]}"),
                ("Judge looks at", f"the {conflict.neighbours} most similar memories"),
                ("Same sentence, other numbers", "an update" if conflict.template_rule else "two memories"),
                *(
                    [("Origins a newcomer needs", str(conflict.sustained_origins))]
                    if conflict.policy == "sustained"
                    else []
                ),
            ]
        )
    )
    _confidence()
    widgets.section("Forgetting")
    safe.draw(
        _facts(
            [
                ("Removed for good after", words.plural(int(life.purge_after_days), "day")),
                ("Archived below", f"a strength of {policy.decay.archive_below:.2f}"),
                ("Passing notes of one chat", f"{life.working_per_session} at most"),
            ]
        )
    )


def _confidence() -> None:
    """The weights of confidence, and from where an agent acts, answers or asks."""
    rules = session.layer().policy.confidence
    act, trust, answer, near = (
        sureness.weight(one) for one in (rules.act_from, rules.act_trust, rules.answer_from, rules.competing_within)
    )
    weighed = (f"{sureness.weight(getattr(rules, key))} × {name.lower()}" for key, name in sureness.NAMES.items())
    whole = f"with {rules.origins_needed} independent origins, or once a named person confirmed it"
    widgets.section("How sure a memory is, and what that lets an agent do")
    safe.draw(
        _facts(
            [
                ("Confidence", " + ".join(weighed)),
                ("Corroboration is whole", whole),
                ("Act", f"from {act}, with a trust of {trust} or a named person's confirmation"),
                ("Answer with sources", f"from {answer}"),
                ("Ask", f"below that, and where two current values are within {near} of each other"),
            ]
        )
    )


def _facts(rows: list[tuple[str, str]]) -> Html:
    return widgets.facts(list(rows))
