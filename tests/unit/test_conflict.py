"""Sameness, fuller statements, templates, and which of two contradicting statements stands (rules §3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.conflict import (
    contest,
    echoes,
    fuller,
    incumbents,
    rivals_of,
    same_template,
    same_value,
    says_the_same,
    template,
)
from core.model import MemoryKind, MemoryStatus, Opinion, Relation, SourceKind, Standing
from core.pieces import pieces_of
from core.policy import POLICIES
from tests.factories import NOW, POLICY, candidate, evidence, incumbent, memory

RULES = POLICY.conflict
HOME = {"attribute": "home", "value": "Oslo", "importance": 0.8, "text": "You live in Oslo."}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("12 March", "March 12"),
        ("the 12th of March 2031", "2031-03-12"),
        ("12.03.2031", "March 12, 2031"),
        ("13/04/2031", "04/13/2031"),
        ("9:45", "09:45"),
        ("9:45 am", "09:45"),
        ("9 pm", "21:00"),
        ("3.3k", "3,300"),
        ("$50.00", "50 dollars"),
        ("50 €", "€50"),
        ("78%", "78 percent"),
        ("5km", "5 kilometres"),
        ("Peanuts", "peanut"),
        ("allergies", "allergy"),
        ("the dog", "Dog."),
        ("gluten-free", "gluten free"),
        ("A+", "a+"),
        ("दिल्ली।", "दिल्ली"),
        ("東京。", "東京"),
        ("Ann@x.org", "ann@X.org"),
    ],
)
def test_one_value_in_two_spellings_is_one(first, second):
    assert same_value(first, second)
    assert same_value(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("October 15th", "October 16th"),
        ("October 15", "October 15, 2031"),
        ("03/04/2031", "2031-04-03"),  # nobody can tell which of the two is the month
        ("3.3k", "9k"),
        ("3.1", "3.10"),  # versions
        ("007", "7"),
        ("5 km", "5 miles"),
        ("-5 °C", "5 °C"),
        ("A+", "A-"),
        ("C", "C++"),
        ("Robert", "Roberts"),
        ("Vitamin A", "vitamin"),
        ("no sugar", "sugar"),
        ("room 12", "room 14"),
        ("two", "2"),
        ("की", "का"),  # only a vowel mark apart
        ("กิน", "กัน"),
        ("", ""),
        ("!", "?"),
    ],
)
def test_what_differs_in_substance_differs(first, second):
    assert not same_value(first, second)
    assert not same_value(second, first)


@given(st.text(max_size=60))
def test_a_text_is_the_same_as_itself_and_never_fuller(text):
    told = [piece for piece in pieces_of(text) if piece.kind != "mark" and piece.text not in ("the", "an")]
    assert same_value(text, text) is bool(told)
    assert not fuller(text, text)
    assert not same_template(text, text)


@pytest.mark.parametrize(
    ("longer", "shorter", "says_more"),
    [
        ("Berlin, near the zoo", "Berlin", True),
        ("You live in Berlin near the zoo.", "You live in Berlin.", True),
        ("You have two black cats.", "You have two cats.", True),
        ("The ferry leaves on 12 March at 9:45.", "The ferry leaves on March 12.", True),
        ("You like tea and coffee.", "You like tea.", True),
        ("peanut butter", "peanut", False),
        ("New York", "York", False),
        ("You no longer live in Berlin.", "You live in Berlin.", False),
        ("You live in Berlin until May.", "You live in Berlin.", False),
        ("You rarely eat meat.", "You eat meat.", False),
        ("Tom visits Ann who lives in Rome.", "Tom lives in Rome.", False),
        ("You live in Berlin.", "You live in Berlin near the zoo.", False),
        ("You live in Berlin", "You live in Berlin.", False),
        ("anything", "", False),
    ],
)
def test_a_fuller_statement_says_the_other_and_adds_to_it(longer, shorter, says_more):
    assert fuller(longer, shorter) is says_more


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pump p7 moves 3.3k litres of water per day", "pump p7 moves <amount> l of water per day"),
        ("The cellar humidity sensor is now at 78%.", "cellar humidity sensor at <amount> %"),
        ("The garden project budget is 5,000 EUR", "garden project budget <amount> eur"),
        ("The choir rehearsal starts at 19:30", "choir rehearsal starts at <time>"),
        ("The parents evening was moved to May 3 with teachers", "parents evening <date> with teachers"),
        ("Der Zug nach Bremen fährt um 9:45", "der zug nach bremen fährt um <time>"),
        ("The rooftop greenhouse is painted green", None),  # nothing masked
        ("You weigh 70 kg", None),  # too little left to know what is meant
        ("Room 12 has a projector and a screen", None),  # the number is a name
        ("You ran 5 km with the harbour club", None),  # it happened, and can happen again
        ("The harbour bakery sales increased by 5%", None),  # so can a change by so much
        ("The harbour bakery sales fell 5% overnight", None),
        ("The harbour bakery sales reached 300 loaves", "harbour bakery sales <amount> loaves"),
    ],
)
def test_the_template_is_what_two_states_of_a_value_share(text, expected):
    assert template(text) == expected


@pytest.mark.parametrize(
    ("first", "second", "update"),
    [
        ("Pump p7 moves 3.3k litres of water per day", "Pump p7 moves 9k litres of water per day.", True),
        ("Cellar humidity sensor was at 65%", "The cellar humidity sensor is now at 78%", True),
        ("The rowing club has 31 members", "The rowing club has grown to 40 members", False),  # other words
        ("The choir rehearsal starts at 19:30", "The choir rehearsal starts at 20:00", True),
        ("The choir rehearsal starts at 7:30 pm", "The choir rehearsal starts at 19:30", False),  # the same
        ("Pump p7 moves 3.3k litres of water per day", "Pump p8 moves 9k litres of water per day", False),
        ("Platform 2 of the station has 30 seats", "Platform 3 of the station has 40 seats", False),
        ("Harbour bakery sales in 2031 were 300 loaves", "Harbour bakery sales in 2032 were 400 loaves", False),
        ("Harbour bakery sales in 2031 were 300 loaves", "Harbour bakery sales in 2031 were 310 loaves", True),
        ("The garden bench costs 5 EUR", "The garden bench costs 5 USD", False),
    ],
)
def test_the_same_sentence_with_other_numbers_is_an_update(first, second, update):
    assert same_template(first, second) is update
    assert same_template(second, first) is update


def test_an_incumbent_carries_what_the_policies_compare():
    held = memory(
        text="You live in Bergen.",
        attribute="home",
        value="Bergen",
        importance=0.8,
        support=("person:ada",),
        status=MemoryStatus.ARCHIVED,
        stated_at=NOW - timedelta(days=3),
    )
    itself = memory(memory_id="k1", attribute="home", value="Oslo")
    [found] = incumbents(candidate(**HOME), [held, itself], lambda one: one.effective_trust / 2)
    assert (found.memory_id, found.ranking_trust, found.importance) == ("m1", 0.5, 0.8)
    assert (found.support, found.status, found.via) == (("person:ada",), MemoryStatus.ARCHIVED, "slot")
    assert found.stated_at == NOW - timedelta(days=3)
    assert not found.same_value
    assert not found.multi_valued


def test_echoes_are_the_events_that_repeat_the_value():
    replaced = memory(value="Bergen")
    event = memory(text="We moved to bergen last week.", memory_id="m2", kind=MemoryKind.EVENT)
    other = memory(text="We moved last week.", memory_id="m3", kind=MemoryKind.EVENT)
    assert echoes(replaced, [event, other, replaced]) == (event,)


def fight(*held, policy="newest", trust=1.0, rules=None, importance=0.8, at=None, **more):
    stated = candidate(**(HOME | {"importance": importance}), number=5)
    found = evidence(trust, incumbents=held, **more)
    return contest(stated, found, rules=rules or replace(RULES, policy=policy), at=at)


def earlier(value="Bergen", trust=1.0, **rest):
    return incumbent(value, trust, **({"stated_at": NOW - timedelta(days=1), "importance": 0.8} | rest))


def later(value="Bergen", trust=1.0, **rest):
    return earlier(value, trust, **({"stated_at": NOW + timedelta(days=1), "serial_no": 9} | rest))


@pytest.mark.parametrize("policy", POLICIES)
def test_without_a_rival_every_policy_lets_it_in(policy):
    same, many = earlier("Oslo", same_value=True), earlier("Bergen", memory_id="m2", multi_valued=True)
    gone = earlier("Bergen", memory_id="m3", status=MemoryStatus.DELETED)
    found = fight(same, many, gone, policy=policy)
    assert (found.wins, found.rivals, found.replaced, found.older) == (True, (), (), None)


@pytest.mark.parametrize("policy", [policy for policy in POLICIES if policy != "keep_old"])
def test_no_policy_replaces_what_is_trusted_more(policy):
    found = fight(earlier(), policy=policy, trust=0.55, importance=1.0, supporters=("person:a@x.org", "person:b@y.org"))
    assert (found.wins, found.reason, found.replaced) == (False, "conflict", ())


def test_newest_replaces_all_rivals_of_no_higher_trust():
    held = (earlier(), earlier("Tromsø", 0.55, memory_id="m2"), earlier("Narvik", memory_id="m3", status="archived"))
    found = fight(*held)
    assert found.wins
    assert found.replaced == held


def test_one_stronger_rival_protects_the_weaker_ones():
    found = fight(earlier(trust=0.55), earlier("Tromsø", 1.0, memory_id="m2"), trust=0.6)
    assert (found.wins, found.replaced) == (False, ())


def test_a_vouched_candidate_counts_with_the_vouch_level_and_no_more():
    stated, found = candidate(**HOME, number=5), evidence(0.3, incumbents=(earlier(trust=0.7),))
    assert not contest(stated, found, rules=RULES).wins
    assert contest(stated, found, rules=RULES, trust=0.8).wins
    over_owner = evidence(0.3, incumbents=(earlier(trust=1.0),))
    assert contest(stated, over_owner, rules=RULES, trust=0.8).reason == "conflict"


def test_what_was_stated_earlier_is_history_and_replaces_nothing():
    held = later()
    found = fight(held)
    assert (found.wins, found.reason, found.older, found.replaced) == (True, "older", held, ())
    weak = fight(held, trust=0.55)  # an old mailbox imported today asks nobody
    assert (weak.wins, weak.reason, weak.replaced) == (True, "older", ())


def test_within_one_moment_the_order_of_receipt_decides():
    assert fight(earlier(stated_at=NOW, serial_no=4)).replaced
    assert fight(earlier(stated_at=NOW, serial_no=6)).reason == "older"
    assert fight(earlier(stated_at=None, serial_no=6)).reason == "older"


def test_a_date_in_the_future_wins_nothing():
    held = earlier(stated_at=NOW - timedelta(hours=1))
    assert fight(held).replaced == (held,)
    assert fight(held, at=NOW - timedelta(hours=2)).reason == "older"


def test_manual_asks_even_where_the_trust_suffices():
    found = fight(earlier(trust=0.3), policy="manual")
    assert (found.wins, found.reason) == (False, "conflict")


def test_what_is_said_of_others_replaces_nothing():
    found = fight(earlier(trust=0.3), standing=Standing.ATTRIBUTED)
    assert (found.wins, found.reason) == (False, "conflict")


def test_highest_trust_looks_at_time_only_between_equals():
    assert fight(later(trust=0.6), policy="highest_trust").replaced
    assert fight(later(trust=1.0), policy="highest_trust").reason == "older"
    assert fight(earlier(trust=1.0), policy="highest_trust").replaced


def test_highest_importance_looks_at_time_only_between_equals():
    assert fight(later(), policy="highest_importance", importance=0.9).replaced
    assert fight(later(), policy="highest_importance").reason == "older"
    less = fight(earlier(), policy="highest_importance", importance=0.6)
    assert (less.wins, less.reason, less.replaced) == (True, "less_important", ())
    assert less.older == earlier()


def test_keep_old_keeps_it_without_asking():
    held = earlier(trust=0.3)
    found = fight(held, policy="keep_old")
    assert (found.wins, found.reason, found.older, found.replaced) == (True, "kept_old", held, ())


@pytest.mark.parametrize(
    ("supporters", "wins"),
    [
        ((), False),
        (("person:ada",), False),
        (("person:ada", "person:ada"), False),
        (("site:a.example", "site:b.example", "doc:1"), False),  # pages are cheap
        (("person:a@x.org",), True),
        (("tool:calendar", "site:a.example"), True),
    ],
)
def test_sustained_counts_independent_voices(supporters, wins):
    found = fight(earlier(), policy="sustained", supporters=supporters, origin="person:ada")
    assert found.wins is wins
    assert bool(found.replaced) is wins
    assert found.reason == ("" if wins else "conflict")


def test_a_template_is_a_rival_only_while_its_rule_is_on():
    held = earlier(via="template")
    assert fight(held).replaced == (held,)
    assert fight(held, rules=replace(RULES, template_rule=False)).rivals == ()


def test_a_judges_word_makes_a_rival_and_is_guarded_like_any():
    held = earlier(via="judge")
    said = Opinion(memory_id="m0", relation=Relation.CONTRADICTION, judge="some model")
    assert fight(held).rivals == ()
    assert fight(held, opinions=(replace(said, relation=Relation.NEUTRAL),)).rivals == ()
    assert fight(held, opinions=(said,)).replaced == (held,)
    assert fight(held, opinions=(said,), trust=0.55).reason == "conflict"
    many = earlier(multi_valued=True)
    assert fight(many, opinions=(said,)).replaced == (many,)


def test_a_retraction_has_no_rivals():
    taken_back = candidate(**HOME, retracts=True)
    assert rivals_of(taken_back, evidence(incumbents=(earlier(),)), RULES) == ()


def test_a_memory_found_twice_is_one_rival():
    said = Opinion(memory_id="m0", relation=Relation.CONTRADICTION, judge="some model")
    assert len(fight(earlier(), earlier(via="judge"), opinions=(said,)).rivals) == 1


@given(
    policy=st.sampled_from(POLICIES),
    mine=st.floats(0, 1),
    theirs=st.floats(0, 1),
    hours=st.integers(-50, 50),
    importance=st.floats(0, 1),
)
def test_nothing_trusted_more_is_ever_replaced(policy, mine, theirs, hours, importance):
    held = incumbent("Bergen", theirs, stated_at=NOW + timedelta(hours=hours))
    stated = candidate(SourceKind.THIRD_PARTY, **(HOME | {"importance": importance}))
    known = evidence(mine, incumbents=(held,), supporters=("person:a@x.org", "person:b@y.org"))
    found = contest(stated, known, rules=replace(RULES, policy=policy))
    assert not found.replaced or mine >= theirs
    assert found.wins or found.reason == "conflict"


@pytest.mark.parametrize(
    ("known", "said", "same"),
    [
        (("hall", "The hall closes at 18:00."), ("hall", "Hall closing time: 18:00."), True),
        (("hall", "The hall closes at 18:00."), ("register", "Hall closing time: 18:00."), True),
        (("hall", "The hall closes at 18:00."), ("hall", "The hall opens at 18:00."), False),
        (("hall", "The hall closes at 18:00."), ("hall", "The hall does not close at 18:00."), False),
        (("hall", "The hall closes at 18:00."), ("hall", "The hall closes at 19:00."), False),
        (("hall", "The hall closes early."), ("hall", "Hall closing time: early."), False),
        (("hall", "The hall closes at 18:00."), ("pool", "The pool closes at 18:00."), False),
    ],
)
def test_two_statements_with_the_same_figures_say_one_thing_unless_a_telling_word_differs(known, said, same):
    held = memory(known[1], subject=known[0], attribute="statement")
    assert says_the_same(held, candidate(subject=said[0], attribute="statement", text=said[1])) is same
