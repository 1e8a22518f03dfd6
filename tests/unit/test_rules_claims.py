"""What changes hands, what a sentence claims, and what neither teaches: each shape in several wordings."""

from __future__ import annotations

import pytest

from tests.unit.rules_harness import Talk, facts


def told(*turns: str) -> set[tuple[str, str, str]]:
    talk = Talk()
    for turn in turns:
        talk.say(turn)
    return talk.holds()


def values(held: set[tuple[str, str, str]], attribute: str) -> set[str]:
    return {value for _, name, value in held if name == attribute}


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("Ottilie is assigned to Project Lantern.", "Ottilie has been moved to Project Harbour.", "Project Harbour"),
        ("Bram was allocated to Team Gannet.", "Bram got transferred to Team Osprey.", "Team Osprey"),
        ("Signe has been seconded to the Delta team.", "Signe was reassigned to the Kappa team.", "Kappa team"),
        ("My colleague Rune is assigned to Atlas.", "Rune has been switched to Meridian.", "Meridian"),
        ("Wanda is posted to the Orchard desk.", "Wanda was moved over to the Meadow desk.", "Meadow desk"),
    ],
)
def test_a_reassignment_replaces(first, second, kept):
    assert values(told(first, second), "assignment") == {kept}


@pytest.mark.parametrize(
    ("turns", "spouse"),
    [
        (("Jorun married Pavel in 2004.",), {"Pavel"}),
        (("Jorun married Pavel in 2004.", "Jorun and Pavel divorced in 2011."), set()),
        (("Jorun and Pavel got married in 2004.", "Jorun divorced Pavel.", "Jorun married Sixten."), {"Sixten"}),
        (("My aunt Kerttu got married to Olavi in 1999.", "Kerttu and Olavi split up."), set()),
        (("Tekla is married to Anders.", "Tekla and Anders separated last year."), set()),
    ],
)
def test_marriages_begin_and_end(turns, spouse):
    assert {value for who, name, value in told(*turns) if name == "spouse" and who != "user"} == spouse


@pytest.mark.parametrize(
    ("first", "second", "attribute", "kept"),
    [
        ("Our queue is RabbitMQ.", "We replaced RabbitMQ; our queue is now Pulsar.", "queue", {"Pulsar"}),
        ("Our wiki is DokuWiki.", "We have switched from DokuWiki to Outline.", "wiki", {"Outline"}),
        ("Invoice export uses Celery.", "Invoice export now uses Temporal.", "uses", {"Temporal"}),
        ("The map server relies on Mapnik.", "The map server now relies on Tegola.", "uses", {"Tegola"}),
        ("Our ticket system is Redmine.", "Redmine was replaced by Plane.", "ticket_system", {"Plane"}),
        ("网站技术栈：Django + MySQL", "网站已从 MySQL 迁移到 MariaDB。", "uses", {"Django", "MariaDB"}),
    ],
)
def test_a_switch_closes_the_old_one(first, second, attribute, kept):
    assert values(told(first, second), attribute) == kept


def test_an_addition_closes_nothing():
    held = told("Invoice export uses Celery.", "Invoice export now also uses Sentry.")
    assert values(held, "uses") >= {"Celery"}


@pytest.mark.parametrize(
    ("first", "second", "likes"),
    [
        ("I love Thai food.", "I hate Thai food.", set()),
        ("I like jazz.", "I can't stand jazz.", set()),
        ("I hate beetroot.", "I love beetroot.", {"beetroot"}),
        ("I like jazz.", "I hate opera.", {"jazz"}),
    ],
)
def test_a_turned_taste_keeps_the_new_side(first, second, likes):
    assert values(told(first, second), "likes") == likes


def test_my_current_favourite_is_my_favourite():
    held = told("My favourite goalkeeper is Okafor.", "My current favourite goalkeeper is Lindqvist.")
    assert values(held, "favorite_goalkeeper") == {"Lindqvist"}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The lease on the garage has expired.", ("lease on the garage", "status", "expired")),
        ("Two-factor login must be enabled in staging.", ("Two-factor login", "status", "enabled")),
        ("Guest access is not allowed.", ("Guest access", "status", "not allowed")),
        ("Scanner B is a Fujitsu flatbed.", ("Scanner B", "description", "a Fujitsu flatbed")),
        ("Correction: Scanner B is a Kyocera.", ("Scanner B", "description", "a Kyocera")),
    ],
)
def test_states_and_descriptions_have_slots(text, fact):
    assert fact in facts(text)


@pytest.mark.parametrize(
    "text",
    [
        "The spare bulbs are in the cellar.",
        "Our backup job writes to the Hetzner bucket every night.",
        "Invoice 311 was paid twice by mistake.",
        "Bosse administers the club's mailing list.",
        "The gate code changes on the first of each month.",
        "I park behind the bakery.",
        "仓库支持夜间收货。",
    ],
)
def test_what_no_form_reads_is_kept_as_it_was_said(text):
    assert [name for _, name, _ in facts(text)] == ["statement"]


@pytest.mark.parametrize(
    "text",
    [
        "Fix tests that use mocks in the payment module",
        "Compare apples that grow in Kent with apples from Tyrol",
        "The weather is lovely this morning",
        "Lisbon is expensive these days",
        "The bartender says we don't serve time travellers here",
        "The build fails on line 9 with a timeout",
        "Suppose the office moves to Leeds next spring",
        "Is it true that The Hague has no airport",
        "The soup was great",
        "I think about it",
        "今天天气真好",
        "你能帮我写一封邮件吗",
    ],
)
def test_orders_remarks_and_questions_claim_nothing(text):
    assert facts(text) == []


def test_sentences_that_go_on_are_one_claim():
    [fact] = facts("The town clock was repaired by Sigurd. It chimes every quarter.")
    assert fact[2] == "The town clock was repaired by Sigurd. It chimes every quarter"


def test_a_first_name_from_work_is_not_the_known_person():
    held = told("Petra Holm is my dentist.", "Petra from work is vegan.")
    assert ("Petra from work", "diet", "vegan") in held


def test_a_meal_is_no_diet():
    assert values(told("I'm vegan.", "I had roast duck for lunch on Sunday."), "diet") == {"vegan"}


@pytest.mark.parametrize(
    "text", ["The Mealie backend is at localhost:9925.", "The Mealie server runs on 10.0.0.4:9925."]
)
def test_an_address_with_a_port_is_the_port(text):
    assert values(told("Mealie runs on port 9925.", text), "port") == {"9925"}


@pytest.mark.parametrize(
    ("turns", "roles"),
    [
        (("Sunniva is the treasurer.", "Sunniva is responsible for the stand."), 2),
        (("Sunniva is head of sales.", "Sunniva is head of design now."), 1),
        (("Sunniva is head of sales.", "Sunniva is now head of design."), 1),
        (("Sunniva is head of sales.", "Sunniva is also head of design now."), 2),
        (("Sunniva is my colleague.", "Sunniva is head of design now."), 2),
    ],
)
def test_a_second_role_adds_and_one_that_holds_now_replaces(turns, roles):
    assert len(values({one for one in told(*turns) if one[0] == "Sunniva"}, "role")) == roles
