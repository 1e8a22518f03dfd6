"""What the benchmark remembers and asks: varied sentences from templates, and vectors for any number of memories."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from core.ports import Embedder

SENTENCES = 2_000  # embedded for real; the rest are their neighbours
STEP = 0.5  # how far a neighbour goes from its sentence, along the difference of two others
NOISE = 0.1  # length of the random part added to that
SEED = 7

_SLOTS = {
    "person": [
        "sister",
        "brother",
        "neighbour",
        "colleague",
        "manager",
        "cousin",
        "dentist",
        "landlord",
        "trainer",
        "accountant",
        "aunt",
        "plumber",
    ],
    "food": [
        "mango",
        "rye bread",
        "lentils",
        "oat milk",
        "sardines",
        "peanuts",
        "goat cheese",
        "espresso",
        "green tea",
        "pumpkin soup",
        "figs",
    ],
    "city": [
        "Lisbon",
        "Oslo",
        "Kyoto",
        "Montreal",
        "Nairobi",
        "Graz",
        "Lima",
        "Hanoi",
        "Porto",
        "Tallinn",
        "Cork",
        "Bergen",
        "Seville",
        "Leipzig",
    ],
    "thing": [
        "bicycle",
        "laptop",
        "kayak",
        "cello",
        "camera",
        "garden shed",
        "van",
        "bread oven",
        "telescope",
        "sewing machine",
        "fridge",
    ],
    "project": [
        "harbour report",
        "museum app",
        "school garden",
        "archive move",
        "spring fair",
        "new kitchen",
        "podcast",
        "theatre tour",
    ],
    "day": [
        f"{day} {month}" for month in ("January", "March", "May", "August", "November") for day in (2, 9, 14, 23, 30)
    ],
    "weekday": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "hobby": [
        "climbing",
        "pottery",
        "chess",
        "choir",
        "birdwatching",
        "fencing",
        "baking",
        "sailing",
        "drawing",
        "running",
        "bee keeping",
    ],
    "number": [str(n) for n in range(3, 98, 7)],
    "colour": ["blue", "dark green", "ochre", "red", "silver", "white", "purple", "brown"],
}

_FACTS = (
    "You are allergic to {food}.",
    "Your {person} lives in {city}.",
    "You moved to {city} on {day}.",
    "The launch of the {project} is on {day}.",
    "Your {thing} is {colour} and has {number} scratches.",
    "You go to {hobby} on {weekday} evenings.",
    "Your {person} dislikes {food} but loves {food2}.",
    "The budget for the {project} is {number} thousand.",
    "You prefer {food} to {food2} for breakfast.",
    "You lent the {thing} to your {person} until {day}.",
    "The meeting about the {project} moved to {weekday} at {number} minutes past nine.",
    "Your {person} started {hobby} in {city}.",
    "You want to repaint the {thing} in {colour}.",
    "The train to {city} leaves from platform {number}.",
    "You decided to stop buying {food} because of your {person}.",
    "The {project} needs {number} volunteers by {day}.",
    "Your appointment with the {person} is on {day}.",
    "You keep the spare key of the {thing} at your {person}'s flat in {city}.",
    "You never schedule {hobby} on a {weekday}.",
    "Your favourite place in {city} is the {colour} cafe by the river.",
)

_QUESTIONS = (
    "Who is allergic to {food}?",
    "Where does my {person} live?",
    "When is the launch of the {project}?",
    "What colour is my {thing}?",
    "On which evening do I go to {hobby}?",
    "How large is the budget of the {project}?",
    "What do I like for breakfast, {food} or something else?",
    "Who has my {thing} at the moment?",
    "When do I see the {person}?",
    "Which platform does the train to {city} leave from?",
    "How many volunteers does the {project} need?",
    "What should I know before I travel to {city}?",
    "Where is the spare key of the {thing}?",
    "What did I decide about {food}?",
    "Tell me about {hobby} in {city}.",
)


def sentences(count: int = SENTENCES) -> list[str]:
    """`count` different facts, the same ones every time."""
    return _filled(_FACTS, count, SEED)


def questions(count: int) -> list[str]:
    """`count` different questions, the same ones every time."""
    return _filled(_QUESTIONS, count, SEED + 1)


def _filled(templates: Sequence[str], count: int, seed: int) -> list[str]:
    draw = random.Random(seed)  # noqa: S311 - a corpus, no secret
    found: dict[str, None] = {}
    while len(found) < count:
        values = {name: draw.choice(choices) for name, choices in _SLOTS.items()}
        values["food2"] = draw.choice([one for one in _SLOTS["food"] if one != values["food"]])
        found.setdefault(draw.choice(templates).format(**values))
    return list(found)


def embedded(embedder: Embedder, texts: Sequence[str]) -> np.ndarray:
    """Unit vectors of the texts, (n, dimensions) float32."""
    return np.asarray(embedder.embed(texts), dtype=np.float32)


def spread(base: np.ndarray, count: int) -> np.ndarray:
    """`count` unit vectors, (count, dimensions) float32: `base` first, then neighbours of its rows in turn.

    A neighbour is its sentence moved along the difference of two other sentences, plus a little noise: it stays where
    sentence embeddings lie. Noise in every direction would make all neighbours about equally far, as no text is.
    """
    return _neighbours(base, np.arange(count), np.random.default_rng(SEED), own=len(base))


def spread_over(base: np.ndarray, into: np.ndarray, *, rows: int = 50_000) -> None:
    """As `spread`, a stretch at a time into an array that may lie on a disk, (n, dimensions); by other draws."""
    for start in range(0, len(into), rows):
        places = np.arange(start, min(start + rows, len(into)))
        draw = np.random.default_rng([SEED, start])
        into[places[0] : places[-1] + 1] = _neighbours(base, places, draw, own=max(0, len(base) - start))


def _neighbours(base: np.ndarray, places: np.ndarray, draw: np.random.Generator, *, own: int) -> np.ndarray:
    count = len(places)
    left, right = (base[draw.integers(0, len(base), count)] for _ in range(2))
    noise = draw.normal(size=(count, base.shape[1])).astype(np.float32)
    moved = STEP * (left - right) + noise * (NOISE / np.linalg.norm(noise, axis=1, keepdims=True))
    moved[:own] = 0.0
    rows = base[places % len(base)] + moved
    unit: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
