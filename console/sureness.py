"""How sure a memory is, as a person can recompute it, and what that lets an agent do (rules §5). Pure markup.

Every figure has the three digits that `core.confidence` computes with: the parts on the screen add up to the sum on the
screen, to the last digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from console import widgets, words
from console.safe import Html, tag
from core.caution import advice_detail
from core.confidence import Because, Counsel
from core.model import Advice, Confidence, Term
from core.policy import Policy

NAMES = {
    "corroboration": "Corroboration",
    "recency": "Recency",
    "verification": "Verification",
    "user_confirmation": "User-confirmation",
}
ADVICE = {
    Advice.ACT: ("Act", "good"),
    Advice.ANSWER: ("Answer with sources", "info"),
    Advice.ASK: ("Ask", "warn"),
}
LEAD = "four parts, each value × weight, and their sum"


def of(detail: Mapping[str, Any]) -> Confidence:
    """A confidence as it was kept with an answer."""
    return Confidence(**{**detail, "terms": tuple(Term(**one) for one in detail["terms"])})


def table(sure: Confidence, confirmed_by: str = "") -> Html:
    """The four terms with what each is made of, and their sum. `confirmed_by` is that person's user name."""
    rows = [
        tag(
            "tr",
            tag("td", NAMES[one.name], cls="cm-strong"),
            tag("td", _figure(one.value), cls="cm-sum-cell"),
            tag("td", f"× {weight(one.weight)}", cls="cm-sum-cell"),
            tag("td", f"= {_figure(one.product)}", cls="cm-sum-cell"),
            tag("td", made_of(one.name, sure, confirmed_by), cls="cm-wraps", dir="auto"),
        )
        for one in sure.terms
    ]
    total = tag(
        "tr",
        tag("td", "Confidence", cls="cm-strong"),
        tag("td", ""),
        tag("td", ""),
        tag("td", f"= {_figure(sure.value)}", cls="cm-sum-cell cm-strong"),
        tag("td", f"{_sum(sure)} = {_figure(sure.value)}", cls="cm-wraps"),
    )
    head = tag("tr", *(tag("th", name, scope="col") for name in ("Term", "Value", "Weight", "Part", "Made of")))
    body = tag("tbody", *rows, total)
    return tag("div", tag("table", tag("thead", head), body, cls="cm-table cm-sure-table"), cls="cm-scroll")


def small(sure: Confidence) -> Html:
    """The same on a card: a bar with the sum, and the four parts under it."""
    cells = [
        tag(
            "div",
            tag("span", NAMES[one.name], cls="cm-sure-name"),
            tag("span", f"{_figure(one.value)} × {weight(one.weight)} = {_figure(one.product)}", cls="cm-sure-sum"),
            cls="cm-sure-cell",
        )
        for one in sure.terms
    ]
    pairs = [tag("div", *cells[at : at + 2], cls="cm-sure-pair") for at in range(0, len(cells), 2)]  # 4 × 1 or 2 × 2
    return tag(
        "div", widgets.bar("Confidence", sure.value, digits=3), tag("div", *pairs, cls="cm-sure"), cls="cm-sure-small"
    )


def line(sure: Confidence) -> str:
    """The same in one line: "Confidence 0.733 = 0.133 corroboration + …"."""
    parts = " + ".join(f"{_figure(one.product)} {NAMES[one.name].lower()}" for one in sure.terms)
    return f"Confidence {_figure(sure.value)} = {parts}"


def made_of(name: str, sure: Confidence, confirmed_by: str = "") -> str:
    """What one term is made of, in words and figures."""
    if name == "corroboration":
        if sure.confirmed_by:
            return "a named person confirmed it in answer to a question: whole"
        return f"{words.plural(sure.origins, 'independent origin')}, {sure.origins_needed} make it whole"
    if name == "recency":
        if sure.eta_days is None:
            return "it never fades"
        days, eta = f"{sure.age_days:.4g}", f"{sure.eta_days:.6g}"
        return f"exp(−({days} ÷ {eta})^{sure.shape:g}): days since it was last stated, and its time constant, unread"
    if name == "verification":
        return f"trust now; {sure.effective_trust:.2f} at its origin"
    return {
        "confirmed": f"confirmed by {confirmed_by}" if confirmed_by else "a named person confirmed it",
        "stated": "its owner said so",
        "vouched": "a named person vouched for it",
    }.get(sure.by_person, "no person stated or confirmed it")


def counselled(counsel: Counsel, policy: Policy) -> Html:
    """What an agent may do with what was found, and why: one line."""
    return advised(advice_detail(counsel, policy))


def advised(detail: Mapping[str, Any]) -> Html:
    """The same of a counsel that was kept with an answer."""
    word, tone = ADVICE[Advice(detail["advice"])]
    return tag(
        "div",
        widgets.chip(word, tone),
        tag("span", f" {why(detail)}", cls="cm-muted"),
        cls="cm-advice",
        dir="auto",
    )


def why(detail: Mapping[str, Any]) -> str:
    """The reason in words, with the figures that decided."""
    sure = f"Confidence {_figure(float(detail['value']))}"
    act, trust, answer = (weight(float(detail[one])) for one in ("act_from", "act_trust", "answer_from"))
    because = Because(detail["because"])
    if because is Because.COMPETING:
        both = [(detail["text"], detail["value"]), *((one["text"], one["value"]) for one in detail["rivals"])]
        named = " and ".join(f"“{text}” ({_figure(float(value))})" for text, value in both)
        within = weight(float(detail["competing_within"]))
        return f"Current values are within {within} of each other in confidence: {named}. Which one is right?"
    if because is Because.OPEN_CONFLICT:
        waiting = words.plural(len(detail["waiting"]), "held claim")
        verb = "says" if len(detail["waiting"]) == 1 else "say"
        return f"{waiting} {verb} otherwise and would be about as sure ({sure.lower()}). Decide it in Review."
    if because is Because.CONTESTED:
        waiting = words.plural(len(detail["waiting"]), "claim that waits has", "claims that wait have")
        return f"{sure}: enough to act ({act}), but {waiting} said otherwise since. Decide it in Review."
    return {
        Because.CONFIRMED: f"{sure}: enough to act ({act}), and a named person confirmed it.",
        Because.TRUSTED: f"{sure}: enough to act ({act}), and trusted without a confirmation ({trust}).",
        Because.UNCONFIRMED: f"{sure}: enough to act ({act}), but trusted below {trust} and confirmed by nobody.",
        Because.UNCHECKED: f"{sure}: enough to act ({act}), but what waits for review cannot be read now.",
        Because.LOOSE: f"{sure}: enough to act ({act}), but it may be about something else than was asked.",
        Because.SURE: f"{sure}: enough to answer ({answer}), not to act ({act}).",
        Because.UNSURE: f"{sure}: not enough to answer ({answer}). Is it still right?",
    }.get(because, "No memory answers this.")


def _sum(sure: Confidence) -> str:
    return " + ".join(_figure(one.product) for one in sure.terms)


def _figure(value: float) -> str:
    return f"{value:.3f}"


def weight(value: float) -> str:
    """Two digits, or the third where there is one."""
    return f"{value:.3f}".removesuffix("0")


__all__ = ["ADVICE", "LEAD", "NAMES", "advised", "counselled", "line", "of", "small", "table", "weight", "why"]
