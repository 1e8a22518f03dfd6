"""What the screens say of confidence: a person adds it up from what is drawn and gets the figure that is drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal

import pytest

from console import sureness
from core.caution import advice_detail
from core.confidence import NOTHING, Because, advise, confidence_of
from core.model import SourceKind
from tests.console.desk import Desk
from tests.console.desk_base import NOW
from tests.console.desk_confidence import advice, counsel
from tests.console.kit import Open, drawn, opener, press
from tests.console.test_safe import Tags
from tests.factories import POLICY, memory

TERM = re.compile(r"(\d\.\d{3})\s+× (\d\.\d{2,3})\s+= (\d\.\d{3})")
TOTAL = re.compile(r"Confidence\s+= (\d\.\d{3})")
SMALL = re.compile(r"Confidence\s+(\d\.\d{3})\s+Corroboration")


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Open:
    return opener(monkeypatch)


def added_up(terms: list[tuple[str, str, str]]) -> str:
    """The sum of the products, each multiplied again by hand from its value and weight."""
    assert len(terms) == 4
    parts = [(Decimal(a) * Decimal(b)).quantize(Decimal("0.001"), ROUND_HALF_UP) for a, b, _ in terms]
    assert [f"{one:.3f}" for one in parts] == [c for _, _, c in terms]
    return f"{sum(parts):.3f}"


@pytest.mark.parametrize("memory_id", ["m-1", "m-2", "m-3", "m-4", "m-5"])
def test_the_drawers_parts_add_up_to_its_figure(open_page: Open, memory_id: str) -> None:
    desk = Desk()
    at = open_page("memories", desk)
    if memory_id == "m-4":
        at.session_state["_dialog"] = ("why", ("m-4", ""))
        at.run()
    else:
        press(at, f"open-m-{memory_id}")
    section = drawn(at).split("How sure it is")[1].split("How strong it is")[0]
    assert added_up(TERM.findall(section)) == TOTAL.findall(section)[0]
    assert f"{confidence_of(desk.memories.rows[memory_id], NOW, POLICY).value:.3f}" == TOTAL.findall(section)[0]


def test_every_card_of_the_list_adds_up(open_page: Open) -> None:
    words = drawn(open_page("memories", Desk()))
    cards = re.split(r"(?=Confidence\s+\d\.\d{3}\s+Corroboration)", words)[1:]
    assert len(cards) == 4
    for card in cards:
        assert added_up(TERM.findall(card)[:4]) == SMALL.findall(card)[0]


def test_every_memory_that_an_answer_used_adds_up_and_the_turn_says_what_may_be_done(open_page: Open) -> None:
    desk = Desk()
    words = drawn(open_page("chat", desk, c="c-1"))
    cards = re.split(r"(?=Confidence\s+\d\.\d{3}\s+Corroboration)", words)[1:]
    assert len(cards) == 2
    for card in cards:
        assert added_up(TERM.findall(card)[:4]) == SMALL.findall(card)[0]
    assert "Answer with sources" in words
    assert "Confidence 0.725: enough to answer (0.40), not to act (0.80)." in words


def test_the_turn_asks_and_names_both_values_that_compete(open_page: Open) -> None:
    desk = Desk()
    here = desk.memory("m-2", "You live in Porto.")
    there = replace(here, memory_id="m-9", value="Braga", text="You live in Braga.", attribute="home")
    here = replace(here, attribute="home", value="Porto", slot_key=there.slot_key)
    desk.chat.advised = advice(here, there)
    words = drawn(open_page("chat", desk, c="c-1"))
    assert "Current values are within 0.15 of each other in confidence" in words
    assert re.search(r"Porto.” \(0\.725\) and “You live in Braga\.” \(0\.725\)", words)


def test_the_side_by_side_says_what_may_be_done_with_the_governed_answer(open_page: Open) -> None:
    at = open_page("chat", Desk(), c="c-1")
    press(at, "chat-sides")
    assert drawn(at).count("enough to answer (0.40)") >= 1


def test_decay_and_trust_shows_the_terms_of_one_memory(open_page: Open) -> None:
    section = drawn(open_page("decay", Desk(), memory="m-2")).split("How sure it is")[1]
    assert added_up(TERM.findall(section)[:4]) == TOTAL.findall(section)[0]


def text_of(html: str) -> str:
    return " ".join(Tags(html).words)


@pytest.mark.parametrize("because", list(Because))
def test_every_reason_has_words_of_its_own(because: Because) -> None:
    told = {one: sureness.why(advice(memory()) | {"because": one.value, "waiting": ["c1"]}) for one in Because}
    assert len(set(told.values())) == len(Because)
    assert told[because].endswith((".", "?"))


def test_a_question_that_nothing_answers_is_asked_back() -> None:
    said = text_of(sureness.advised(advice_detail(NOTHING, POLICY)))
    assert said.split() == ["Ask", "No", "memory", "answers", "this."]


def test_held_claims_are_counted_and_never_told() -> None:
    open_one = replace(counsel(memory()), because=Because.OPEN_CONFLICT, waiting=("k1", "k2"))
    said = sureness.why(advice_detail(open_one, POLICY))
    assert said.startswith("2 held claims say otherwise")


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (memory(), ("1 independent origin, 3 make it whole", "it never fades", "its owner said so")),
        (
            memory(attribute="home", source_kind=SourceKind.TOOL_OUTPUT, effective_trust=0.6, origins=2),
            ("2 independent origins", "exp(−(10 ÷ 866.3)^0.8)", "trust now; 0.60 at its origin", "no person stated"),
        ),
        (
            memory(source_kind=SourceKind.WEB_CONTENT, vouched_by="rita", vouched_at=NOW, attribute="home"),
            ("a named person vouched for it",),
        ),
        (memory(confirmed_by="u1", confirmed_at=NOW), ("in answer to a question: whole", "confirmed by rita")),
    ],
)
def test_each_term_says_what_it_is_made_of(one, words) -> None:
    at = one.stated_at + timedelta(days=10)
    said = text_of(sureness.table(confidence_of(one, at, POLICY), "rita"))
    assert all(part in said for part in words), said


def test_hostile_words_of_competing_memories_stay_words() -> None:
    evil = replace(memory(attribute="home"), text="![](http://x.example/a.png)<img src=x>")
    other = replace(evil, memory_id="m2", value="Braga")
    html = str(sureness.counselled(advise(evil, [other], NOW, POLICY), POLICY))
    assert "<img" not in html


def test_a_weight_of_three_digits_is_shown_with_them() -> None:
    odd = replace(POLICY, confidence=replace(POLICY.confidence, recency=0.295, verification=0.205))
    found = confidence_of(memory(attribute="home", effective_trust=0.777), NOW, odd)
    shown = text_of(sureness.table(found))
    assert added_up(TERM.findall(shown)) == TOTAL.findall(shown)[0]
    assert "× 0.295" in shown
    assert "× 0.40 " in shown + " "


def test_sources_and_policy_tells_the_numbers(open_page: Open) -> None:
    words = drawn(open_page("policy", Desk()))
    assert "0.40 × corroboration + 0.30 × recency + 0.20 × verification + 0.10 × user-confirmation" in words
    assert "from 0.80, with a trust of 0.90 or a named person's confirmation" in words
