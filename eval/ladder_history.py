"""Made-up histories for `eval.ladder`: what a person said, what is asked afterwards, and which values are right then.

The gold values are kept apart from what was said: a way of remembering is given `Said` and a question's words, never an
`Asked`. Every gold value belongs to one fact only, so that a hit can be judged by the value that it names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

TALK = 6  # turns of one conversation


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """One turn of the owner."""

    at: datetime
    conversation: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One question with its gold: `current` values hold when it is asked, `former` ones did and no longer do.

    `kind`: "changed", "stable", "multi" (every current value counts), "ended" (nothing holds any more) or "dated".
    """

    question: str
    kind: str
    current: tuple[str, ...]
    former: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class History:
    """What was said, in order of time, and what is asked at `at`, after all of it."""

    said: tuple[Said, ...]
    asked: tuple[Asked, ...]
    at: datetime


def spread(texts: Sequence[str], *, start: datetime, step: timedelta) -> tuple[Said, ...]:
    """Texts as turns, one every `step`, a few of them to a conversation."""
    return tuple(
        Said(at=start + step * number, conversation=f"talk-{number // TALK + 1:02d}", text=text)
        for number, text in enumerate(texts)
    )


SMALL = (
    "Good morning! I'm setting you up as my assistant today.",
    "I live in Leeds, close to the canal.",
    "I work at Halden Instruments.",
    "My sister Ottilie lives in Ghent.",
    "Can you suggest a name for a folder of scanned receipts?",
    "I'm allergic to hazelnuts.",
    "The deadline for the tram survey is 19 June.",
    "My manager is Rosalind.",
    "Thanks, that helps a lot.",
    "I drive a Skoda Fabia.",
    "My dentist appointment is on 18 June at 10:30.",
    "Our dog is called Pepper.",
    "It rained the whole weekend, so I finally sorted the cellar.",
    "My birthday is on 11 November.",
    "My brother Bram is a carpenter.",
    "How do I keep basil alive on a windowsill?",
    "The tram survey's deadline has been moved to 3 July.",
    "I'm learning Estonian.",
    "The new bakery on our street sells very good rye bread.",
    "I've moved to Porto.",
    "Could you make the last summary a little shorter?",
    "I go swimming every Thursday.",
    "Ottilie lives in Tartu now.",
    "When is the tram survey due again?",
    "I've started a new job at Brightwater Labs.",
    "My neighbour Tomasz lent me his ladder.",
    "Pepper chewed through another lead, that dog is impossible.",
    "My new manager is Kaspar.",
    "Please keep in mind that I can't eat hazelnuts, I'm allergic to them.",
    "What would be a good present for somebody who likes gardening?",
    "I sold the Skoda, I drive a Renault Zoe now.",
    "My dentist appointment has been moved to 2 July at 16:15.",
    "Never mind, I found it myself.",
    "The museum was closed on Monday, so we walked along the river.",
    "The deadline for the tram survey is now 17 July.",
    "My colleague Yael is based in Lyon.",
    "Bram finished the oak table, he really is a good carpenter.",
    "Ha, fair enough.",
    "Now that I live in Porto I walk to work.",
    "The reading group meets in the library on Wednesdays.",
    "Estonian has fourteen cases, my teacher says, and I believe her.",
    "Good night, talk tomorrow.",
)

_GOLD = (
    ("Where do I live?", "changed", "Porto", ("Leeds",)),
    ("Which company do I work for?", "changed", "Brightwater Labs", ("Halden Instruments",)),
    ("Where does my sister Ottilie live?", "changed", "Tartu", ("Ghent",)),
    ("When is the deadline for the tram survey?", "changed", "17 July", ("19 June", "3 July")),
    ("Who is my manager?", "changed", "Kaspar", ("Rosalind",)),
    ("Which car do I drive?", "changed", "Renault Zoe", ("Skoda Fabia", "Skoda")),
    ("When is my dentist appointment?", "changed", "2 July", ("18 June",)),
    ("What am I allergic to?", "stable", "hazelnuts", ()),
    ("What is our dog called?", "stable", "Pepper", ()),
    ("When is my birthday?", "stable", "11 November", ()),
    ("What does my brother Bram do for a living?", "stable", "carpenter", ()),
    ("Which language am I learning?", "stable", "Estonian", ()),
)


def small() -> History:
    """Forty-two turns in twelve weeks and twelve questions: seven about what changed, five about what did not."""
    return History(
        said=spread(SMALL, start=datetime(2026, 3, 2, 9, 0, tzinfo=UTC), step=timedelta(days=2)),
        asked=tuple(
            Asked(question=question, kind=kind, current=(current,), former=former)
            for question, kind, current, former in _GOLD
        ),
        at=datetime(2026, 6, 1, 9, 0, tzinfo=UTC),
    )
