"""What must teach nothing: questions, hypotheticals, fiction, quotations, commands, jokes, small talk (rules §1.5)."""

from __future__ import annotations

import pytest

from tests.unit.rules_harness import Talk

SILENT = [
    "Compose a shanty: I am Bosun Gale, master of the tug Marigold, I live on rum and regret.",
    "please invent a pirate: my name is Salty and I was born in a barrel",
    "what do you think of my refrain?\nI'm a paper boat in a harbour of rain,\nI work for the moon and I live for the train",
    "What's the capital of Mongolia?", "can you explain how mortgages work", "who's my boss again", "Do I have any allergies?",
    "If I had a dog I would call it Rex", "Say I earned 50k in Berlin, what would I take home?", "We may move to Canada next year, not sure",
    "I wonder if I should move to Lisbon", "Maybe I'm allergic to cats, who knows", "suppose my salary were 70k",
    "Write a short story about a girl named Mina who lives in a lighthouse and is allergic to fish.",
    "In the film, I am a spy called Victor", "My character in the game is an elf named Sylvar", "Once upon a time I was a king",
    "Translate to German: I work in a hospital and my wife is called Anna", "Proofread this: My name is Carla and I live in Rome.",
    'He said "I\'m moving to Berlin in June"', 'My teacher always told us: "I was born in a barn"',
    "> I'm a doctor and I live in Prague\nwhat do you make of this post?",
    "Here is the email I got:\nHi, my name is Stefan and I work at Contoso. My number is 555-1234.\nBest, Stefan",
    "Continue this poem:\nI am a bird\nI live in the sky",
    '```js\nconst name = "Tom"; const city = "Oslo"\n```\nwhat is wrong here',
    "Fix this: SELECT name FROM users WHERE city = 'Paris';",
    "Oh great, another Monday. I just love waking up at 5am 🙄", "Sure, because I'm made of money", "I'm allergic to Mondays 😂",
    "I'm literally dead lol", "lol my brain is a browser with 400 tabs", "Why did the chicken cross the road?",
    "Summarise the meeting notes in three bullet points", "Delete the last paragraph", "Set a timer for 12 minutes please", "run the tests",
    "Book a table for two at seven", "I'd like to order a pizza", "I'm off to bed, good night", "I'm tired", "I want to know more about black holes",
    "Thanks, that's perfect! You saved my day", "I appreciate it. I'm glad I asked, you're a star", "ok cool, got it", "I'll be right back",
    "¿Qué tiempo hace en Sevilla?", "Wenn ich reich wäre, würde ich in Monaco wohnen.", "Merci beaucoup, c'est parfait !", "如果我住在北京，房租多少钱？",
    "", "\x00", "   ", "😀😀😀", "\u202e\u200b",
]  # fmt: skip


@pytest.mark.parametrize("text", SILENT, ids=[repr(text)[:45] for text in SILENT])
def test_says_nothing(text: str) -> None:
    assert Talk().say(text) == ()


def test_a_role_play_stays_fiction_in_later_turns_until_it_is_left() -> None:
    talk = Talk()
    assert talk.say("Let's role-play. You're the innkeeper, I'm a salt merchant from Vexmoor.") == ()
    assert talk.say("My mule has gone lame and my brother Osric owes me forty crowns!") == ()
    assert talk.say("I live in Vexmoor") == ()
    assert talk.say("OK, end of the scene. I live in Bath.") != ()
    assert ("user", "home", "Bath") in talk.holds()


def test_a_fact_before_a_question_in_the_same_sentence_is_read() -> None:
    talk = Talk()
    talk.say("I'm allergic to peanuts, what can I bake?")
    assert ("user", "allergy", "peanuts") in talk.holds()


UNSAID = {
    "likes": ["I want to do the important ones first, like the menu and the footer.", "I'm worried about it, like you mentioned.",
              "I'm trying to see what causes it, like maybe a script that is in the way."],
    "job": ["However, it doesn't work.", "I've finished the search box. However, I'm having some issues."],
    "employer": ["I double-checked all my citations with Checkpoint on May 14.", "I'm working on sprint 2 which ends by April 19.",
                 "I'm working with a scalene triangle that has sides of 13, 14 and 15 cm."],
    "name": ["Sure, here's my schedule for April 22", "Rita, here's my list"],
    "medication": ["She gave me some really helpful feedback on my script.", "My doctor gave me some good advice."],
    "role": ["I'm running into issues with compatibility."],
}  # fmt: skip


@pytest.mark.parametrize(("attribute", "text"), [(name, text) for name, texts in UNSAID.items() for text in texts])
def test_a_word_that_only_looks_like_the_fact_teaches_none(attribute: str, text: str) -> None:
    assert attribute not in {proposal.attribute for proposal in Talk().say(text)}


SAID = {
    "I love tea, like coffee, hate milk.": ("user", "likes", "coffee"),
    "My doctor gave me amoxicillin.": ("user", "medication", "amoxicillin"),
    "I work with Médecins Sans Frontières.": ("user", "employer", "Médecins Sans Frontières"),
    "I'm running the night shift.": ("user", "role", "the night shift"),
    "I do audits at Deloitte.": ("user", "employer", "Deloitte"),
}


@pytest.mark.parametrize("text", SAID)
def test_and_the_word_that_is_it_teaches_it(text: str) -> None:
    talk = Talk()
    talk.say(text)
    assert SAID[text] in talk.holds()


def test_a_quoted_name_is_no_quotation() -> None:
    talk = Talk()
    talk.say('My cat is called "Professor Biscuit"')
    assert ("user", "cat", "Professor Biscuit") in talk.holds()


HUGE = {
    "one letter": "a" * 1_000_000, "spaces": " " * 1_000_000, "newlines": "\n" * 1_000_000, "quotes": '"' * 300_000, "brackets": "(" * 300_000,
    "pronouns": "I am " * 200_000, "names": "Anna and " * 100_000, "negations": "not X, " * 100_000, "chinese": "我叫" * 300_000,
    "numbers": "1." * 300_000, "dashes": "a-" * 300_000, "apostrophes": "x'" * 300_000, "emoji": "😀" * 300_000, "fences": "```" * 200_000,
}  # fmt: skip


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", HUGE)
def test_reads_a_megabyte_of_anything_in_bounded_time(name: str) -> None:
    Talk().say(HUGE[name])
