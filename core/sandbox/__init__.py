"""The injection sandbox: what would become of a text, tried on live facts with parts that cannot write."""

from core.sandbox.nouns import Hop, Outcome, Passage, Preset, Proof, Ruled, Sort, Trial
from core.sandbox.trial import MAX_CHARS, MAX_HOPS, Sandbox

__all__ = [
    "MAX_CHARS",
    "MAX_HOPS",
    "Hop",
    "Outcome",
    "Passage",
    "Preset",
    "Proof",
    "Ruled",
    "Sandbox",
    "Sort",
    "Trial",
]
