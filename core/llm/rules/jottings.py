"""The order in which the readers of pieces are asked, and their part in reading a user turn."""

from __future__ import annotations

from core.llm.rules.acts import act_of, statement_before_question
from core.llm.rules.additions import read_addition
from core.llm.rules.draft import Draft
from core.llm.rules.hours import read_opening, read_recurring, read_shift, read_taken, read_time_of_day
from core.llm.rules.kit import read_acquired, read_craft, read_owned_things, read_replaced, read_setup, read_unwanted
from core.llm.rules.labels import (
    read_apposition,
    read_approval,
    read_dated,
    read_decisions,
    read_equation,
    read_label,
    read_listing,
    read_port,
    read_property,
    read_role,
)
from core.llm.rules.masks import BLOT
from core.llm.rules.pieces import Piece, Reader, Reading, merged, pieces_of, read_with
from core.llm.rules.scene import Scene
from core.llm.rules.sentences import Sentence
from core.llm.rules.takeaways import read_takeaway
from core.llm.rules.trips import dated_return, read_journey, read_papers, read_yearly
from core.llm.rules.turnover import (
    read_activity,
    read_broken,
    read_leaving,
    read_starting,
    read_state,
    read_valid,
    read_whereabouts,
)
from core.llm.rules.undertakings import read_project
from core.model import SpeechAct

#: Shapes that the clause grammar misreads: what these make of a piece is all that is kept of it.
_SOLE: tuple[Reader, ...] = (
    read_listing,
    read_whereabouts,
    read_leaving,
    read_broken,
    read_acquired,
    read_replaced,
    read_taken,
    read_opening,
    read_port,
    read_recurring,
    read_shift,
    read_activity,
    read_addition,
    read_project,
    read_label,
    read_role,
    read_yearly,
    read_setup,
)

#: Shapes that the clause grammar passes over: added where it found nothing of the kind.
_FILL: tuple[Reader, ...] = (
    read_journey,
    read_starting,
    read_state,
    read_craft,
    read_owned_things,
    read_papers,
    read_equation,
    read_decisions,
    read_approval,
    read_takeaway,
    read_dated,
    read_time_of_day,
    read_property,
    read_apposition,
    read_unwanted,
    read_valid,
)


def read_jottings(sentence: Sentence, scene: Scene) -> list[Reading]:
    """What the pieces of one sentence teach; questions, orders and doubts teach nothing."""
    act = act_of(sentence.text, asks=sentence.asks)
    if act is SpeechAct.QUESTION:
        head = statement_before_question(sentence.text)
        if not head or act_of(head, asks=False) is not SpeechAct.ASSERTION:
            return []
        sentence = Sentence(head, sentence.start, sentence.start + len(head), asks=False, item=sentence.item)
    elif act is not SpeechAct.ASSERTION:
        return []
    parts = [piece for piece in pieces_of(sentence) if BLOT not in piece.text]
    return _in_turn(parts, scene)


def _in_turn(parts: list[Piece], scene: Scene) -> list[Reading]:
    found: list[Reading] = []
    done = 0
    for piece in parts:
        if piece.start < done:
            continue
        read = read_with(_SOLE, [piece], scene, sole=True) or read_with(_FILL, [piece], scene, sole=False)
        found.extend(read)
        if read and read[0].sole:
            done = max(done, read[0].end)
    return found


def with_jottings(drafts: list[Draft], readings: list[Reading], scene: Scene) -> list[Draft]:
    """The drafts of the clause grammar with those of the pieces, and returns counted from the journey's month."""
    return dated_return(merged(drafts, readings), scene)
