"""What the gate's codes mean, in words that a person outside the trade can act on. Pure; nothing untrusted here."""

from __future__ import annotations

from core.model import LinkKind, Relation, Standing

STANDINGS = {
    Standing.SELF: "Speaks about themself, which nobody knows better.",
    Standing.OWN_SCOPE: "The owner speaks about somebody or something else: it counts in the owner's own memory only.",
    Standing.FIRST_HAND: "States it first-hand, for what this source is worth.",
    Standing.ROOTED: "Repeats one statement of the owner's own, with the same names and numbers.",
    Standing.ATTRIBUTED: "Speaks about somebody or something else: kept at most as their word, never as a fact.",
}

TIERS = {  # name, what could go wrong
    "money": ("Money", "a wrong one could approve or move money"),
    "payment": ("Payment details", "a wrong one could send a payment to somebody else's account"),
    "credentials": ("Credentials", "a wrong one could give away a password, a key or a code"),
    "access": ("Access", "a wrong one could open something to people who should not be in"),
    "contact": ("Contact point", "a wrong one could send messages or goods to a stranger"),
    "security": ("Security control", "a wrong one could switch a protection off"),
    "policy": ("House rule", "a wrong one could change what people are allowed to do"),
    "tool_choice": ("Choice of a tool", "a wrong one could lead to software that harms"),
    "recommendation": ("Standing recommendation", "a wrong one would colour every later answer"),
}

ASKED = {  # why even the owner's own words are first put to the owner
    "payment": "It says where somebody else is to be paid.",
    "credentials": "It holds a password, a key or a code.",
    "recommendation": "It tells the assistant what to recommend or trust from now on.",
}

DETECTORS = {
    "hidden_characters": "Hidden characters",
    "look_alikes": "Look-alike letters",
    "encoded_payload": "Words in code",
    "forged_tags": "Forged marks",
    "markup": "Active markup",
    "secrets": "Looks like a secret",
    "injection_phrasing": "Tries to take over",
    "conditional_instruction": "Sets a condition",
    "tool_steering": "Steers the assistant",
}

PASTES = {
    "quote_block": "It stands in a quotation",
    "inline_quote": "It stands in quotation marks",
    "quoted_lines": "It stands in lines quoted with >",
    "code": "It stands in a block of code",
    "html": "It stands in the source of a web page",
    "mail": "It stands in a mail that was pasted in",
    "long_block": "It stands in a long block that was pasted in",
    "seen_before": "The same words were seen before",
}

LINKS = {
    LinkKind.CORROBORATES: "Says the same",
    LinkKind.RELATED: "Related",
    LinkKind.SAME_SUBJECT: "About the same subject",
    LinkKind.SUPERSEDES: "Replaced by this one",
    LinkKind.ADJACENT: "Said in the same breath",
}

RELATIONS = {
    Relation.CONTRADICTION: "contradicts it",
    Relation.ENTAILMENT: "says the same",
    Relation.NEUTRAL: "has nothing to do with it",
}

GAPS = {
    "extractor": "the reading model did not finish",
    "extractor:truncated": "the text was too long to be read to its end",
    "judge": "the model that judges contradictions did not answer",
    "neighbours": "the search for similar memories was not possible",
    "detectors": "the search for attacks was not possible",
}

TOOLS = {
    "compute": "works on what the conversation gave it",
    "records": "answers from a system that the operator keeps",
    "reads_file": "reads a file: worth what the file is worth",
    "reads_people": "passes on what people wrote",
    "reads_web": "reads the web",
}

CONFLICTS = {
    "newest": "the newest statement stands, if it is trusted as far as what it replaces",
    "manual": "a person decides on every contradiction",
    "highest_trust": "the most trusted statement stands",
    "highest_importance": "the most important statement stands",
    "keep_old": "what is remembered stands",
    "sustained": "a newcomer needs several independent origins",
}

OPINIONS = {
    "attribute": "kept as the assistant's word, never as a fact",
    "hold": "wait for a reviewer",
}

_GRAVE, _PLAIN = 0.7, 0.5  # severities from which a finding is called grave, or plain


def tier(code: str) -> str:
    """An impact tier's name."""
    return TIERS[code][0] if code in TIERS else code.replace("_", " ").capitalize()


def harm(codes: tuple[str, ...]) -> str:
    """What could go wrong if a statement of these tiers were false, in one sentence."""
    known = [TIERS[code][1] for code in codes if code in TIERS]
    if not known:
        return ""
    said = f"{known[0]}" + "".join(f", and {one}" for one in known[1:])
    return said[0].upper() + said[1:] + "."


def detector(code: str) -> str:
    """A detector's name in words."""
    return DETECTORS.get(code) or code.replace("_", " ").capitalize()


def severity(value: float) -> tuple[str, str]:
    """A finding's severity in a word, and the tone that repeats it."""
    if value >= _GRAVE:
        return "grave", "bad"
    return ("serious", "warn") if value >= _PLAIN else ("slight", "plain")


def gap(code: str) -> str:
    """A part that was configured and failed, in words."""
    return GAPS.get(code) or GAPS.get(code.partition(":")[0]) or code.replace("_", " ")
