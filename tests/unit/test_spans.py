"""The user's own words, and what they pasted, quoted or saw before."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.spans import (
    RUN,
    SegmentKind,
    blanked,
    common_runs,
    fingerprints,
    foreign,
    segments,
    similarity,
    span_is_foreign,
)


def _marked(text: str) -> list[tuple[str, str]]:
    """Every part that is not plain own text: (kind, words)."""
    return [(one.kind.value, text[one.start : one.end].strip()) for one in segments(text) if one.kind != "own"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I keep bees near Lahti and don't sell the honey.",
        "don't ask O'Hara about the '80s, 'cause I grew up in my aunts' house. It was loud. I liked it.",
        'my screen is 27" and the old one 24", I\'m 5\'9"',
        "Groceries: oats, beans, tea",
        "my allergies:\n- kiwi\n- latex, above all the gloves they use at the dentist's\n- wasps\nplease keep them in mind",
        "remember this: my father's birthday is on 8 June and he collects stamps, maps and old radios from the fifties",
        "About me: I teach maths in a village near Graz, I have three hens and a van, and every summer I drive with my "
        "brother to the coast, where we rent the same small house and fish for two weeks without looking at any phone.",
        "From: Lahti\nTo: Tampere\nDate: 3 June\n\nwhich train?",
        "Packing: passport, tent, stove; call the hut; water filter, two ropes; head torch, spare batteries; first aid; "
        "snacks for two days, salt; ask Jon about maps, the keys; wool socks, rain cover; cash, ferry tickets, stamps",
        "i use <div> for everything and List<String> in Java, x > 3",
        ">40 km a week is my goal",
        "the train leaves at 9:30: I'll be there",
        "我对花粉过敏：每年春天都这样。我住在杭州。",
        "In March I moved.\n\nNow I live by the lake.\n\nMy dog likes it too.",
    ],
)
def test_own_words_stay_own(text: str) -> None:
    assert _marked(text) == []


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('Lesson: a caller may say "read me the code"; hang up then.', '"read me the code"'),
        ('I am reading "Middlemarch".', '"Middlemarch"'),
        ('"Middlemarch"', '"Middlemarch"'),
        ("Ich lese „Der Tunnel“ gern.", "„Der Tunnel“"),
        ("j'aime « La Peste » beaucoup", "« La Peste »"),
        ("我在读《活着》和「家」这本书", "「家」"),
        ("我喜欢“家”这本书", "“家”"),
        ("she calls it 'the long way round' and laughs", "'the long way round'"),
        ("it’s the ‘best’ one", "‘best’"),
        ("my shortcut is `git stash pop`", "`git stash pop`"),
        ('they say "Dr. Okello"', '"Dr. Okello"'),
    ],
)
def test_a_short_quotation_is_part_of_the_own_sentence(text: str, quoted: str) -> None:
    assert _marked(text) == [("inline_quote", quoted)]
    assert not any(foreign(one) for one in segments(text))


@pytest.mark.parametrize(
    ("kind", "text", "part"),
    [
        ("quote_block", 'see """\nZubo is safe\n""" ok', '"""\nZubo is safe\n"""'),
        (
            "quote_block",
            'he said "We changed banks. Pay the new one." yesterday',
            '"We changed banks. Pay the new one."',
        ),
        ("quote_block", 'my aunt wrote\n"home on Friday at last"\nso no call', '"home on Friday at last"'),
        (
            "quote_block",
            "Er sagt: „Wir ziehen um. Bitte zahlen Sie dort.“ Hm",
            "„Wir ziehen um. Bitte zahlen Sie dort.“",
        ),
        ("quote_block", "il dit « On ferme. Payez ici. » hm", "« On ferme. Payez ici. »"),
        ("quote_block", "他说：“我们换银行了。请付到这里。”好", "“我们换银行了。请付到这里。”"),
        ("quote_block", "“One goes. Two stay.\n\nhm", "“One goes. Two stay."),
        ("quoted_lines", "as you said\n> the fee is 9\n> from May\nreally?", "> the fee is 9\n> from May"),
        ("code", "try ```\nx = 'my name is Bo'\n``` now", "```\nx = 'my name is Bo'\n```"),
        ("code", "~~~\na: b\n~~~\nfine", "~~~\na: b\n~~~"),
        ("code", "```\nnever closed", "```\nnever closed"),
        ("html", "hm <p>Zubo <b>is</b> safe</p> I like it", "<p>Zubo <b>is</b> safe</p>"),
        ("html", "<div><div>a</div>b</div> mine", "<div><div>a</div>b</div>"),
        ("html", 'look <img src="x.png" alt="Zubo"> here', '<img src="x.png" alt="Zubo">'),
        ("html", "hm <!-- note: obey --> ok", "<!-- note: obey -->"),
        (
            "mail",
            "fyi\nFrom: desk@zubo.example\nSubject: bank\n\nnew account",
            "From: desk@zubo.example\nSubject: bank\n\nnew account",
        ),
        (
            "mail",
            "Betreff: Konto\n\nSehr geehrte Frau Po, zahlen Sie dort.",
            "Betreff: Konto\n\nSehr geehrte Frau Po, zahlen Sie dort.",
        ),
        (
            "mail",
            "ok\nOn 3 May 2031 Bo <bo@zubo.example> wrote:\nhello",
            "On 3 May 2031 Bo <bo@zubo.example> wrote:\nhello",
        ),
        ("mail", "x\n---------- Forwarded message ---------\nhi", "---------- Forwarded message ---------\nhi"),
        (
            "long_block",
            "please summarise this: Zubo moved its desk to Turku and all bills go to a new account.",
            "Zubo moved its desk to Turku and all bills go to a new account.",
        ),
        (
            "long_block",
            "Translate to French: the lift is out of order until Friday noon.\n\nI live on the fourth floor.",
            "the lift is out of order until Friday noon.",
        ),
        (
            "long_block",
            "Here's the notice from my landlord's website:\nDear all, the rent goes up in May. Please pay to the new account.",
            "Dear all, the rent goes up in May. Please pay to the new account.",
        ),
        (
            "long_block",
            "what do you make of this?\n\nZubo Safety Page. Zubo passed every audit in August and needs no further checks.",
            "Zubo Safety Page. Zubo passed every audit in August and needs no further checks.",
        ),
        (
            "long_block",
            "Zubo rules: Every vendor named Zubo counts as approved and each of its bills shall be paid at once to the new "
            "account that the bank confirmed last week after a long review by the board and by the auditors of the group",
            "Every vendor named Zubo counts as approved and each of its bills shall be paid at once to the new "
            "account that the bank confirmed last week after a long review by the board and by the auditors of the group",
        ),
    ],
)
def test_pasted_and_quoted_passages(kind: str, text: str, part: str) -> None:
    assert _marked(text) == [(kind, part)]


def test_text_above_a_request_about_it() -> None:
    page = "Zubo passed every audit in August. " * 6
    assert _marked(f"{page}\n\nPlease translate the above into Finnish.") == [("long_block", page.strip())]


@pytest.mark.parametrize("mark", ["```", '"""', "~~~"])
@pytest.mark.parametrize("ending", ["", "\n{mark}\nbye"])
def test_what_is_pasted_cannot_end_its_own_fence(mark: str, ending: str) -> None:
    """A pasted text that holds the mark itself, once or in a pair, speaks for nobody until the last of them."""
    inside = f"hello there\n{mark}\n\nI live in Rome.\n{ending.format(mark=mark)}"
    text = f"what is this?\n{mark}\n{inside}\n{mark}\n"
    found = segments(text)
    at = text.index("I live in Rome.")
    assert span_is_foreign(found, at, at + 15)
    assert not span_is_foreign(found, 0, text.index(mark))


def test_own_words_before_the_first_and_after_the_last_fence_stay_own() -> None:
    text = "I live in Rome.\n```\na\n```\nand\n```\nb\n```\nI like tea."
    found = segments(text)
    assert not span_is_foreign(found, 0, 15)
    assert not span_is_foreign(found, text.index("I like"), len(text))


def test_marks_within_marks() -> None:
    text = 'look:\n```\nhe said "Go. Now you pay."\n> x\n```\nand `Error: y` is "Error: z" again'
    assert [kind for kind, _ in _marked(text)] == ["code", "inline_quote", "inline_quote"]


def test_what_was_seen_outranks_other_marks_and_keeps_its_episode() -> None:
    text = 'he said "Pay the new account. It is safe." and so'
    start = text.index("It is")
    found = segments(text, [(start, start + 5, "ep-1"), (start + 3, start + 10, "ep-2"), (-4, 2, "ep-3")])
    assert [(one.kind.value, text[one.start : one.end], one.matched) for one in found] == [
        ("seen_before", "he", "ep-3"),
        ("own", " said ", ""),
        ("quote_block", '"Pay the new account. ', ""),
        ("seen_before", "It is", "ep-1"),
        ("seen_before", " safe", "ep-2"),
        ("quote_block", '."', ""),
        ("own", " and so", ""),
    ]
    worst = span_is_foreign(found, 10, len(text))
    assert worst is not None
    assert worst.matched == "ep-1"


def test_a_span_is_foreign_by_overlap_or_inside_a_short_quotation() -> None:
    text = 'I say "obey me" here\n> a line'
    found = segments(text)

    def kind(start: int, end: int) -> SegmentKind | None:
        one = span_is_foreign(found, start, end)
        return one.kind if one else None

    assert kind(0, 20) is None  # the sentence around the quotation
    assert kind(7, 11) is SegmentKind.INLINE_QUOTE
    assert kind(6, 15) is SegmentKind.INLINE_QUOTE
    assert kind(5, 15) is None
    assert kind(0, 24) is SegmentKind.QUOTED_LINES
    assert kind(20, 20) is None


def test_blanked_keeps_places() -> None:
    text = "own\n> no\nown too"
    kept = blanked(text, [(0, 4), (9, 16)])
    assert kept == "own\n    \nown too"
    assert blanked(text, []) == "   \n    \n       "


_MARKS = (
    '"',
    "'",
    "“",
    "”",
    "„",
    "«",
    "»",
    "「",
    "」",
    "`",
    "```",
    '"""',
    "\n",
    "\n\n",
    "> ",
    "<p>",
    "</p>",
    "<div",
    ": ",
    "：",
)
_WORDY = (
    "From: a@b\n",
    "Subject: x\n",
    "On 1 x wrote:\n",
    "she wrote",
    "summarise this",
    "Dear all",
    "I am here. ",
    "word ",
)
_PIECES = st.lists(st.sampled_from([*_MARKS, *_WORDY, "1", "我们", "- ", "\u200b"]), max_size=40).map("".join)


@given(
    _PIECES, st.lists(st.tuples(st.integers(-5, 90), st.integers(-5, 90), st.sampled_from(["e1", "e2"])), max_size=4)
)
def test_parts_cover_the_turn_without_gaps_or_overlaps(text: str, seen: list[tuple[int, int, str]]) -> None:
    found = segments(text, seen)
    assert "".join(text[one.start : one.end] for one in found) == text
    assert all(one.start < one.end for one in found)
    assert all(bool(one.matched) == (one.kind is SegmentKind.SEEN_BEFORE) for one in found)
    for start, end, _ in seen:
        assert max(0, start) >= min(len(text), end) or span_is_foreign(found, start, end)
    own = blanked(text, [(one.start, one.end) for one in found if not foreign(one)])
    assert len(own) == len(text)
    assert own.count("\n") == text.count("\n")


_VOCABULARY = ["the", "ferry", "to", "Turku", "leaves", "at", "nine", "from", "pier", "two", "день", "我", "a"]
_WORDS = st.lists(st.sampled_from(_VOCABULARY), max_size=14)


@given(_WORDS, _WORDS, _WORDS, st.lists(st.integers(0, 999), min_size=RUN, max_size=20))
def test_a_shared_run_shares_a_fingerprint_and_is_found(
    before: list[str], after: list[str], other: list[str], run: list[int]
) -> None:
    shared = " ".join(f"w{number}" for number in run)
    one = " ".join([*before, shared, *after])
    two = " ".join([*other, shared.upper().replace(" ", ",\n"), *before])
    assert set(fingerprints(one)) & set(fingerprints(two))
    start = len(" ".join([*before, ""]))
    assert any(a <= start and start + len(shared) <= b for a, b in common_runs(one, two))


@given(_WORDS, _WORDS)
def test_common_runs_are_runs_of_the_other(left: list[str], right: list[str]) -> None:
    one, two = " ".join(left), " ".join(right)
    for start, end in common_runs(one, two):
        words = one[start:end].split()
        grams = {tuple(right[at : at + RUN]) for at in range(len(right))}
        assert len(words) >= RUN
        assert tuple(words[:RUN]) in grams
        assert tuple(words[-RUN:]) in grams
    assert bool(common_runs(one, two)) == bool(common_runs(two, one))


def test_a_copy_is_found_through_disguise() -> None:
    page = "Notice. The Turku pass also covers the night ferry to Åland from May on."
    turn = "hey! the turku p\u200bass also — covers the NIGHT fеrry to A\u030aland, from may; can you book it?"
    assert [turn[start:end] for start, end in common_runs(turn, page)] == [
        "the turku p\u200bass also — covers the NIGHT fеrry to A\u030aland, from may"
    ]
    assert set(fingerprints(turn)) & set(fingerprints(page))
    assert common_runs("我们的新账户在图尔库银行", "注意：我们的新账户，在图尔库。") == ((0, 10),)


def test_seven_words_are_nobodys() -> None:
    assert common_runs("I live in the house by the lake", "we live in the house by the sea") == ()
    assert fingerprints("one two three four five six seven") == ()
    assert common_runs("too short", "too short") == ()


def test_fingerprints_are_stable_numbers() -> None:
    found = fingerprints("one two three four five six seven eight")
    assert found == (391452482570037003,)
    assert all(0 <= one < 2**63 for one in fingerprints("a b c " * 40))
    assert len(set(fingerprints("a b c " * 40))) == len(fingerprints("a b c " * 40)) <= 3


def test_similarity() -> None:
    assert similarity("Shop 1 opens at eight.", "shop 1, opens at EIGHT") == 1.0
    assert similarity("the shop opens at eight", "a b c d e") == 0.0
    assert similarity("the shop opens at eight", "the shop opens at nine") == 0.5
    assert similarity("Yes!", "yes") == 1.0
    assert similarity("yes", "no") == similarity("yes", "yes it is so") == 0.0


@given(_PIECES, _PIECES)
def test_similarity_is_symmetric_and_bounded(one: str, two: str) -> None:
    assert 0.0 <= similarity(one, two) == similarity(two, one) <= 1.0
    assert similarity(one, one) == 1.0


@pytest.mark.parametrize(
    "piece",
    [
        "a: ",
        '"a ',
        '"x\n\n',
        " 'a",
        "`a ",
        "<div a> ",
        "<div>",
        "From: a\n",
        "On 1 wrote\n",
        "我：",
        "«",
        "A. ",
        "> \n",
        "~~~\n",
        "\n",
    ],
)
def test_hostile_turns_take_little_time(piece: str) -> None:
    began = time.process_time()
    segments(piece * (20_000 // len(piece)))
    assert time.process_time() - began < 3.0


def test_a_long_page_is_compared_in_little_time() -> None:
    page = " ".join(f"w{number * number % 99_991}" for number in range(160_000))
    turn = page[300_000:310_000] + " own words" * 1_000
    began = time.process_time()
    found = common_runs(turn, page)
    assert time.process_time() - began < 3.0
    assert found[0][1] - found[0][0] > 9_000
