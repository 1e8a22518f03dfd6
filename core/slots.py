"""The slot vocabulary: which attributes hold one value at a time, which add, and what endures (rules §2.3, §3.1a).

A slot is (subject, attribute). A second value in a single-valued slot contradicts the first; in a multi-valued slot it
adds. Extractors use these names; unknown attributes count as single-valued, since a wrong addition hides a
contradiction while a wrong contradiction is seen.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """One attribute. `durable`: never decays. `importance`: default in [0, 1] (rules §2.1)."""

    name: str
    multi: bool = False
    durable: bool = False
    importance: float = 0.6


def _slots(names: str, *, multi: bool = False, durable: bool = False, importance: float = 0.6) -> list[Slot]:
    return [Slot(name, multi, durable, importance) for name in names.split()]


SLOTS: dict[str, Slot] = {
    slot.name: slot
    for slot in [
        # who one is
        *_slots(
            "name first_name surname nickname birthday birthplace hometown nationality", durable=True, importance=1.0
        ),
        # health, for safety
        *_slots("allergy", multi=True, durable=True, importance=1.0),
        *_slots("medication condition", multi=True, durable=True, importance=1.0),
        *_slots("blood_type", durable=True, importance=1.0),
        *_slots("diet weight height weight_goal", importance=0.8),
        *_slots("avoids", multi=True, importance=0.8),
        *_slots("alcohol smoking", importance=0.8),
        # kin
        *_slots("spouse partner mother father", durable=True, importance=0.8),
        *_slots(
            "child daughter son sibling sister brother grandmother grandfather aunt uncle cousin niece nephew in_law "
            "mother_in_law father_in_law sister_in_law brother_in_law son_in_law daughter_in_law stepmother stepfather "
            "stepsister stepbrother stepson stepdaughter grandchild grandson granddaughter godson goddaughter "
            "best_friend ex_partner relative friend pet dog cat rabbit hamster parrot budgie horse pony tortoise "
            "turtle guinea_pig fish ferret chicken",
            multi=True,
            durable=True,
            importance=0.8,
        ),
        *_slots("age number_of_children number_of_siblings birth_order anniversary", importance=0.8),
        # life
        *_slots(
            "home address housing lives_since floor current_location employer job workplace employment_status "
            "tenure working_hours salary manager email phone contact_preference",
            importance=0.8,
        ),
        *_slots("lives_with colleague flatmate neighbour", multi=True),
        *_slots("language likes dislikes hobby visited uses owns keeps subscription routine studies goal", multi=True),
        *_slots("answer_preference response_preference", multi=True),
        *_slots("laptop device operating_system editor car vehicle tool", importance=0.6),
        # plans and work
        *_slots(
            "deadline appointment date time place departure return seat booking_reference budget owner launch_date "
            "ship_date release_date start_date end_date expiry_date schedule lead "
            "purpose description status reports_to version price",
            importance=0.8,
        ),
        *_slots("travel plan project", multi=True, importance=0.6),
        # one person is colleague, treasurer and responsible for the stand: a second role adds (rules §3.1)
        *_slots("role", multi=True, importance=0.8),
        *_slots("decision", multi=True, importance=0.8),
        *_slots("lesson procedure", multi=True, importance=0.8),
        # everything else that was said
        *_slots("statement event", multi=True, importance=0.4),
    ]
}

_SPACE = re.compile(r"[\s_\-]+")
_EDGE = re.compile(r"^(?:the|a|an|my|our|der|die|das|el|la|le|les)\s+|[\s.,;:!?\"'’“”()]+$")


def normalise(text: str) -> str:
    """Fold a subject or value for comparison: NFKC, case-folded, single spaces, no leading article or end mark."""
    folded = _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip(" \"'“”.,;:!?()")
    return _EDGE.sub("", folded).strip()


def slot_key(subject: str, attribute: str) -> str:
    """The key under which contradictions are looked up: normalised ``subject|attribute``."""
    return f"{normalise(subject)}|{normalise(attribute).replace(' ', '_')}"


def is_multi_valued(attribute: str) -> bool:
    """Whether a second value adds to the first instead of contradicting it."""
    slot = SLOTS.get(attribute)
    return slot.multi if slot else False


def is_durable(attribute: str) -> bool:
    """Whether facts of this attribute never decay (rules §2.3)."""
    slot = SLOTS.get(attribute)
    return slot.durable if slot else False


def default_importance(attribute: str) -> float:
    """Importance of an attribute unless the extractor knows better; 0.6 for unknown ones."""
    slot = SLOTS.get(attribute)
    return slot.importance if slot else 0.6
