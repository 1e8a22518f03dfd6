"""Loose, typed-fast and second-language English: what people say of themselves without a full sentence."""

from __future__ import annotations

import pytest

from core.llm.rules.shorthand import write_out
from tests.unit.rules_harness import facts

TOLD = [
    ("hey its Rosamund Achterberg, no need for the full thing, Roz is fine", [("user", "name", "Rosamund Achterberg"), ("user", "nickname", "Roz")]),
    ("myself Lakshmi Narayanan from Madurai", [("user", "name", "Lakshmi Narayanan"), ("user", "hometown", "Madurai")]),
    ("Oluwaseun here, final year law at Ife", [("user", "name", "Oluwaseun"), ("user", "studies", "law"), ("user", "university", "Ife")]),
    ("people at work are calling me Deepu, you can also", [("user", "nickname", "Deepu")]),
    ("midwife on nights, labour ward at St Columba's", [("user", "job", "midwife"), ("user", "employer", "St Columba's"), ("user", "work_schedule", "nights")]),
    ("I'm responsible for payroll at Kestrel Foods", [("user", "employer", "Kestrel Foods")]),
    ("I work three evenings a week at the Moorside clinic", [("user", "employer", "the Moorside clinic")]),
    ("starting at Tannenberg Optik on monday as a lab technician", [("user", "employer", "Tannenberg Optik"), ("user", "job", "lab technician")]),
    ("flat's in leith now, moved out of marchmont in june", [("user", "home", "leith")]),
    ("we're on a sheep farm outside Machynlleth, very remote", [("user", "home", "a sheep farm outside Machynlleth")]),
    ("I rent a two-bed in Neukölln, top floor", [("user", "home", "Neukölln")]),
    ("From Lahore originally but settled in Bradford", [("user", "hometown", "Lahore"), ("user", "home", "Bradford")]),
    ("pepper (my spaniel) needs a new vet", [("user", "dog", "Pepper"), ("Pepper", "breed", "spaniel")]),
    ("our eldest, Saoirse, just started uni", [("user", "child", "Saoirse")]),
    ("got a puppy yesterday, he's called Waffles", [("user", "dog", "Waffles")]),
    ("my sister Ngozi just had a baby, gift ideas under 30 quid?", [("user", "sister", "Ngozi")]),
    ("kiwi brings me out in hives", [("user", "allergy", "kiwi")]),
    ("been on methotrexate since march", [("user", "medication", "methotrexate")]),
    ("what should I make for dinner (I'm vegan and hate tofu)", [("user", "diet", "vegan"), ("user", "dislikes", "tofu")]),
    ("dont eat beef, and no gelatine either", [("user", "avoids", "beef"), ("user", "avoids", "gelatine")]),
    ("horror films i hate, cant sleep after", [("user", "dislikes", "horror films")]),
    ("total sucker for anything with pistachio", [("user", "likes", "anything with pistachio")]),
    ("estate agent = some guy called Trevor", [("Trevor", "role", "estate agent")]),
    ("Need a nice note to Mr Iqbal, he's my landlord", [("user", "landlord", "Mr Iqbal")]),
    ("best email for me is ottoline@mailbox.example", [("user", "email", "ottoline@mailbox.example")]),
    ("dad's number: 555-0188", [("father", "phone", "555-0188")]),
    ("Did I mention that I play the ukulele as well?", [("user", "hobby", "play the ukulele")]),
    ("could you always reply in Spanish?", [("user", "response_preference", "always reply in Spanish")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TOLD, ids=[text[:40] for text, _ in TOLD])
def test_reads_loose_english(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = facts(text)
    assert [one for one in expected if one not in found] == []


QUIET = [
    "Tuesday is fine for the meeting", "is Anna here?", "no sugar in this recipe please", "I'm in Settings but can't find the button",
    "can you recommend a good labrador breeder in Kent?", "Paris is the capital of France", "I can't get into my account",
    "I'm a bit confused", "what's a good gift for someone who likes tea", "i have no idea what to cook",
]  # fmt: skip


@pytest.mark.parametrize("text", QUIET)
def test_teaches_nothing_loosely(text: str) -> None:
    assert facts(text) == []


def test_shorthand_points_back_into_the_original() -> None:
    text = "im w/ my mates, dont call, love u"
    written = write_out(text)
    assert written.text == "I'm with my mates, don't call, love you"
    at = written.text.index("don't call")
    start, end = written.back(at, at + len("don't call"))
    assert text[start:end] == "dont call"


def test_other_languages_are_not_written_out() -> None:
    assert write_out("le livre dont je parle et la ville").origin is None
    assert write_out("im Januar bin ich in Wien und nicht in Graz").origin is None
