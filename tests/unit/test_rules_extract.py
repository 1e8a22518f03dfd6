"""What the extractor without a model reads out of everyday sentences: slot by slot, in the owner's own turns."""

from __future__ import annotations

import pytest

from core.model import MemoryKind, SpeechAct
from tests.unit.rules_harness import DAY, Talk, facts

ONE_SENTENCE = [
    ("Hi, I'm Priyanka Rao, a civil engineer from Pune.", [("user", "name", "Priyanka Rao"), ("user", "job", "civil engineer"), ("user", "hometown", "Pune")]),
    ("My full name is Björn Stefánsson but please call me Bjössi", [("user", "name", "Björn Stefánsson"), ("user", "nickname", "Bjössi")]),
    ("I work at Norfell as a tester", [("user", "employer", "Norfell"), ("user", "job", "tester")]),
    ("I've been working at Orbis Logistics as a forklift driver for six years", [("user", "employer", "Orbis Logistics"), ("user", "job", "forklift driver")]),
    ("As a nurse, I work shifts", [("user", "job", "nurse"), ("user", "working_hours", "shifts")]),
    ("I live at 14 Harbour Lane, Galway", [("user", "home", "14 Harbour Lane, Galway")]),
    ("We just moved from Lyon to a farmhouse outside Limoges", [("user", "home", "a farmhouse outside Limoges")]),
    ("I'm originally from Accra but I live in Hamburg these days", [("user", "hometown", "Accra"), ("user", "home", "Hamburg")]),
    ("My twin brother Arlo is a firefighter and lives in Perth", [("user", "brother", "Arlo"), ("Arlo", "job", "firefighter"), ("Arlo", "home", "Perth")]),
    ("my mum's called Henrietta, she turned 70 last month", [("user", "mother", "Henrietta"), ("Henrietta", "age", "70")]),
    ("We have two daughters, Maya (9) and Elin (12)", [("user", "daughter", "Maya and Elin"), ("Maya", "age", "9"), ("Elin", "age", "12")]),
    ("our dog Nala is a golden retriever", [("user", "dog", "Nala"), ("Nala", "breed", "golden retriever")]),
    ("I was born on the 30th of January, 1979", [("user", "birthday", "the 30th of January, 1979")]),
    ("gran turns 90 on 22 November", [("grandmother", "age", "90"), ("grandmother", "birthday", "22 November")]),
    ("I'm allergic to cats, dust and penicillin", [("user", "allergy", "cats"), ("user", "allergy", "dust"), ("user", "allergy", "penicillin")]),
    ("I'm coeliac, so no gluten", [("user", "condition", "coeliac"), ("user", "avoids", "gluten")]),
    ("I take 20 mg citalopram every morning", [("user", "medication", "20 mg citalopram every morning")]),
    ("I became a pescatarian in 2020", [("user", "diet", "pescatarian")]),
    ("I can't eat shellfish, it gives me hives", [("user", "avoids", "shellfish")]),
    ("I really enjoy long train rides, board games and strong coffee", [("user", "likes", "long train rides"), ("user", "likes", "board games"), ("user", "likes", "strong coffee")]),
    ("What I can't stand is small talk", [("user", "dislikes", "small talk")]),
    ("My favourite author is Ursula Le Guin", [("user", "favorite_author", "Ursula Le Guin")]),
    ("I've taken up beekeeping", [("user", "hobby", "beekeeping")]),
    ("I speak Polish and German", [("user", "language", "Polish"), ("user", "language", "German")]),
    ("The quarterly report is due on 30 April", [("quarterly report", "deadline", "30 April")]),
    ("I have a dentist appointment tomorrow at 2:30 pm", [("dentist", "appointment", "tomorrow at 2:30 pm")]),
    ("Yoga is on Thursdays at 18:00", [("Yoga", "time", "Thursdays at 18:00")]),
    ("We decided to go with React for the dashboard", [("dashboard", "decision", "go with React")]),
    ("I'm on a ThinkPad T14 running Fedora 40, with neovim", [("user", "laptop", "ThinkPad T14"), ("user", "operating_system", "Fedora 40"), ("user", "editor", "neovim")]),
    ("I use Obsidian for notes and Todoist for tasks", [("user", "uses", "Obsidian"), ("user", "uses", "Todoist")]),
    ("Project Kestrel's deadline is 1 December and its budget is 120k", [("Kestrel", "deadline", "1 December"), ("Kestrel", "budget", "120k")]),
    ("Halden runs our data platform and reports to Wanjiru", [("Halden", "role", "our data platform"), ("Halden", "reports_to", "Wanjiru")]),
    ("Our CEO is Tamsin Reyes and our CFO is Idris Bello", [("Tamsin Reyes", "role", "CEO"), ("Idris Bello", "role", "CFO")]),
    ("The budget for the kitchen renovation is 15,000 euros", [("kitchen renovation", "budget", "15,000 euros")]),
    ("My email is nadia@mail.example and my number is +43 660 1234567", [("user", "email", "nadia@mail.example"), ("user", "phone", "+43 660 1234567")]),
    ("I'm flying to Osaka on 3 November and coming back on the 17th", [("user", "travel", "flying to Osaka on 3 November and coming back on the 17th"), ("user", "departure", "3 November"), ("user", "return", "the 17th (17 November)")]),
    ("My visa expires on 30 September 2027", [("visa", "expiry_date", "30 September 2027")]),
    ("Our sprints are three weeks long", [("sprint", "length", "three weeks")]),
    ("The door code of the office is 7731", [("office", "door_code", "7731")]),
    ("Remember that my student ID is 20231187", [("user", "student_id", "20231187")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ONE_SENTENCE, ids=[text[:40] for text, _ in ONE_SENTENCE])
def test_reads_every_fact_of_a_sentence_and_no_other(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert sorted(facts(text)) == sorted(expected)


FOREIGN = [
    ("Hola, me llamo Joaquín y vivo en Rosario", "es", [("user", "name", "Joaquín"), ("user", "home", "Rosario")]),
    ("Soy alérgica a las nueces y no me gusta el cilantro", "es", [("user", "allergy", "nueces"), ("user", "dislikes", "cilantro")]),
    ("Ich bin Lehrerin und lebe mit meinem Mann Jürgen in Graz", "de", [("user", "job", "Lehrerin"), ("user", "spouse", "Jürgen"), ("user", "home", "Graz")]),
    ("Mein Hund heißt Waldi und ist 5 Jahre alt", "de", [("user", "dog", "Waldi"), ("Waldi", "age", "5 Jahre alt")]),
    ("Je suis infirmière à Lyon et je suis allergique aux noix", "fr", [("user", "job", "infirmière"), ("user", "workplace", "Lyon"), ("user", "allergy", "noix")]),
    ("我叫林晓雯，住在杭州。", "zh", [("user", "name", "林晓雯"), ("user", "home", "杭州")]),
    ("我女儿叫豆豆，今年六岁。", "zh", [("user", "daughter", "豆豆"), ("豆豆", "age", "六岁")]),
    ("Mi chiamo Giulia e vivo a Torino", "it", [("user", "name", "Giulia"), ("user", "home", "Torino")]),
    ("Sou professor e não gosto de coentro", "pt", [("user", "job", "professor"), ("user", "dislikes", "coentro")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "language", "expected"), FOREIGN, ids=[text for text, _, _ in FOREIGN])
def test_reads_common_forms_of_other_languages(text: str, language: str, expected: list[tuple[str, str, str]]) -> None:
    talk = Talk()
    assert sorted(facts(text)) == sorted(expected)
    assert {proposal.language for proposal in talk.say(text)} == {language}


STATEMENTS = [
    ("I'm allergic to penicillin", "You are allergic to penicillin."),
    ("i don't drink", "You don't drink."),
    ("My sister Lucía lives in Valencia", "Your sister Lucía lives in Valencia."),
    ("Me llamo Joaquín", "Te llamas Joaquín."),
    ("Ich heiße Annika", "Du heißt Annika."),
    ("Je m'appelle Oumar", "Tu t'appelles Oumar."),
    ("我叫林晓雯", "你叫林晓雯。"),
]


@pytest.mark.parametrize(("text", "statement"), STATEMENTS)
def test_addresses_the_owner_in_the_second_person(text: str, statement: str) -> None:
    assert statement in [proposal.statement for proposal in Talk().say(text)]


def test_cites_the_clause_that_states_each_fact() -> None:
    text = "Hello! I live in Bath, and my cat Miso is diabetic."
    cited = {proposal.attribute: proposal.span.of(text) for proposal in Talk().say(text)}
    assert cited["home"] == "I live in Bath"
    assert "Miso is diabetic" in cited["condition"]


def test_cites_the_original_through_invisible_characters() -> None:
    text = "I\u200b am aller\u200bgic to pea\u200bnuts"
    proposal = next(one for one in Talk().say(text) if one.attribute == "allergy")
    assert proposal.value == "peanuts"
    assert proposal.span.of(text) == text


def test_keeps_what_was_said_as_one_event_beside_the_facts() -> None:
    events = [one for one in Talk().say("Thanks! I live in Bath. What's the weather?") if one.kind is MemoryKind.EVENT]
    assert [(one.value, one.statement, one.importance) for one in events] == [
        ("I live in Bath.", "You said: I live in Bath.", 0.4)
    ]


def test_importance_follows_the_slot() -> None:
    read = {one.attribute: one.importance for one in Talk().say("I'm allergic to nuts and I love jazz")}
    assert (read["allergy"], read["likes"]) == (1.0, 0.6)


DIRECTIVES = [
    ("Never use exclamation marks in your replies", "response_preference", MemoryKind.PREFERENCE),
    ("Please answer in Swedish from now on", "response_preference", MemoryKind.PREFERENCE),
    ("Don't deploy on Fridays", "lesson", MemoryKind.LESSON),
    ("When asked about the launch, always say it is in spring", "procedure", MemoryKind.PROCEDURE),
]


@pytest.mark.parametrize(("text", "attribute", "kind"), DIRECTIVES)
def test_the_owners_standing_directives_are_marked_as_such(text: str, attribute: str, kind: MemoryKind) -> None:
    read = next(one for one in Talk().say(text) if one.kind is not MemoryKind.EVENT)
    assert (read.attribute, read.kind, read.speech_act) == (attribute, kind, SpeechAct.DIRECTIVE)


TEMPORARY = [
    ("this week I'm in Oslo for a conference", "current_location", "2026-03-08T23:59:59+00:00"),
    ("I'm on antibiotics until friday", "medication", "2026-03-06T23:59:59+00:00"),
    ("My car's at the garage for the next 3 days", "car_status", "2026-03-05T23:59:59+00:00"),
    ("I'm off dairy this month", "avoids", "2026-03-31T23:59:59+00:00"),
]


@pytest.mark.parametrize(("text", "attribute", "ends"), TEMPORARY)
def test_temporary_facts_expire_at_the_end_of_their_period(text: str, attribute: str, ends: str) -> None:
    read = next(one for one in Talk().say(text) if one.attribute == attribute)
    assert read.expires_at is not None
    assert read.expires_at.isoformat() == ends


def test_lasting_facts_never_expire_because_today_is_mentioned() -> None:
    assert all(
        one.expires_at is None for one in Talk().say("Today was my first day as a junior chef at Maison Ouellet")
    )


def test_relative_days_are_resolved_beside_the_words() -> None:
    read = next(one for one in Talk().say("I've moved the demo to 3 pm tomorrow") if one.subject == "demo")
    assert (read.value, read.valid_at) == ("3 pm tomorrow", DAY.replace(day=3, hour=15))
