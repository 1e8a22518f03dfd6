"""Texts and files nobody should send: each is stored as it came or refused with a reason, and nothing else happens."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import BadInput, ChronoMemoryError, TooLarge, UnsupportedFile
from core.intake import MAX_CHARS, Submission
from core.model import RunState, SourceKind
from core.secrets import mask

MEGABYTE = 1 << 20

STORED = {
    "right to left": "הרופא שלי אמר שאני אלרגי לפניצילין",
    "overridden direction": "My code word is \u202egnitset\u202c today",
    "NUL inside": "I live\x00 in Lisbon",
    "control characters": "I live in \x01\x08\x1b[31mLisbon\x7f",
    "emoji of several": "I love 👩‍👩‍👧 and 🏳️‍🌈 and 🇵🇹",
    "a lone emoji": "🙂",
    "Chinese": "我对青霉素过敏。我住在里斯本。",
    "Japanese and Thai": "ペニシリンにアレルギーがあります ฉันแพ้ยาเพนิซิลลิน",
    "stacked marks": "I live in L" + "\u0301" * 300 + "isbon",
    "no characters": "I live in \ufffe\uffff Lisbon",
    "beyond the basic plane": "I live in \U0001d5df\U0001d5f6\U0001d600\U0001d5ef\U0001d5fc\U0001d5fb 𠀀",
    "operators of every query language": "I live in '); DROP TABLE memory;-- %s %(a)s {0} ${x} \\ & | ! <-> :* ( )",
    "line separators": "I live in Lisbon.\u2028I love figs.\u2029\x85\x0b\x0c",
    "zero width between": "I li\u200bve in Lis\u200dbon\ufeff",
    "one long word": "I live in " + "x" * 15_000,
    "full length": ("I love figs. " * 2000)[:20_000],
    "nothing but questions": "?" * 5000,
}
REFUSED = {
    "nothing": ("", BadInput),
    "white space": (" \n\t\u3000\xa0", BadInput),
    "zero width only": ("\u200b\u200d\u2060\ufeff", BadInput),
    "NUL only": ("\x00\x00\x00", BadInput),
    "drawn as nothing": ("\u3164\u2800\u115f", BadInput),
    "marks of direction only": ("\u202e\u202c\u200f", BadInput),
    "half a character": ("I live in \ud83d Lisbon", BadInput),
    "halves in the wrong order": ("\ude42\ud83d", BadInput),
    "a megabyte": ("a" * MEGABYTE, TooLarge),
}


def is_whole(console) -> None:
    """Nothing waits, and the audit verifies against the store."""
    console.settle()
    assert console.layer.ledger.outbox() == []
    assert console.layer.audit_desk.verify(console.admin).ok


@pytest.mark.parametrize("text", STORED.values(), ids=STORED.keys())
def test_an_odd_message_is_kept_as_it_came_and_answered(console, text):
    layer, ada = console.layer, console.admin
    run = console.ask(text)
    assert run.state is RunState.DONE, run.error
    assert run.text.strip()
    [turn, answer] = layer.chat.thread(ada, run.conversation_id)
    assert turn.text == text.replace("\x00", "\ufffd")
    assert turn.learned.processed
    assert answer.text == run.text
    console.ask("Where do I live?", conversation=run.conversation_id)
    layer.memories.list(ada, text=text[:200])
    is_whole(console)


@pytest.mark.parametrize(("text", "error"), REFUSED.values(), ids=REFUSED.keys())
def test_a_message_that_cannot_be_kept_is_refused_with_a_reason(console, text, error):
    layer, ada = console.layer, console.admin
    before = layer.ledger.head()
    with pytest.raises(error) as caught:
        layer.chat.ask(ada, layer.chat.new_id(), text)
    assert type(caught.value) is error
    assert 20 < len(str(caught.value)) < 200
    assert text[:40] not in str(caught.value) or not text
    assert layer.chat.conversations(ada) == []
    assert layer.ledger.head() == before
    is_whole(console)


def test_the_same_limits_hold_on_the_agents_side(console):
    layer, ada = console.layer, console.admin

    def submit(text: str):
        return layer.agent.submit(
            Submission(scope=ada.scope, conversation_id="c1", channel=SourceKind.TOOL_OUTPUT, text=text, actor="a tool")
        )

    before = layer.ledger.head()
    for text, _ in REFUSED.values():
        with pytest.raises(BadInput):  # TooLarge is one
            submit(text)
    with pytest.raises(TooLarge, match=f"{MAX_CHARS:,}"):
        submit("a" * (MAX_CHARS + 1))
    assert layer.ledger.head() == before
    longest = submit("lorem ipsum " * (MAX_CHARS // 12))
    console.settle()
    assert layer.ledger.processed(longest.episode_id)
    is_whole(console)


FILES = {
    "invalid UTF-8": ("notes.txt", b"I live in Lisbon \xff\xfe\xc3(", BadInput, "byte"),
    "Latin-1": ("notes.md", "Ich wohne in Köln".encode("latin-1"), BadInput, "UTF-8"),
    "encoded halves": ("notes.txt", b"\xed\xa0\xbd", BadInput, "UTF-8"),
    "binary": ("notes.txt", b"\x7fELF\x00\x00\x01", UnsupportedFile, "binary"),
    "cut-off UTF-16": ("notes.txt", b"\xff\xfeI\x00 ", BadInput, "UTF-16"),
    "empty": ("notes.txt", b"", BadInput, "no text"),
    "white space": ("notes.txt", b" \r\n\t", BadInput, "no text"),
    "zero width only": ("notes.txt", "\u200b\u2060".encode(), BadInput, "empty"),
    "scripts only": ("page.html", b"<html><script>let a = 1</script></html>", BadInput, "no text"),
    "no PDF": ("paper.pdf", b"hello", UnsupportedFile, "not a PDF"),
    "a cut-off PDF": ("paper.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog", BadInput, "damaged"),
    "an unknown kind": ("table.xlsx", b"PK\x03\x04", UnsupportedFile, "xlsx"),
    "no ending": ("notes", b"hello", UnsupportedFile, "ending"),
    "too many bytes": ("notes.txt", b"a" * 5_000_001, TooLarge, "MB"),
    "too many characters": ("notes.txt", b"a" * 400_001, TooLarge, "400,000"),
}


@pytest.mark.parametrize(("name", "data", "error", "says"), FILES.values(), ids=FILES.keys())
def test_a_file_that_cannot_be_read_is_refused_with_what_to_do(console, name, data, error, says):
    layer, ada = console.layer, console.admin
    before = layer.ledger.head()
    with pytest.raises(error, match=says) as caught:
        layer.chat.attach_file(ada, layer.chat.new_id(), name=name, data=data)
    assert type(caught.value) is error
    assert layer.chat.conversations(ada) == []
    assert layer.ledger.head() == before
    is_whole(console)


@pytest.mark.parametrize(
    ("name", "data", "holds"),
    [
        ("notes.txt", "\ufeffThe fair is in Köln.".encode(), "The fair is in Köln."),
        ("notes.txt", "博览会在科隆举行。".encode("utf-16"), "博览会在科隆举行。"),
        ("notes.md", ("a" * 5000 + "\x00 The fair is in Cork.").encode(), "\ufffd The fair is in Cork."),
        ("../../etc/passwd.txt", b"The fair is in Graz.", "The fair is in Graz."),
        ("a\x00b\u202e.txt", b"The fair is in Oslo.", "The fair is in Oslo."),
        ("seite.html", "<html><body><p>מיקום היריד הוא חיפה.</p></body></html>".encode(), "חיפה"),
    ],
    ids=["byte order mark", "UTF-16", "late NUL", "a path as name", "a hostile name", "Hebrew page"],
)
def test_an_odd_file_is_kept(console, name, data, holds):
    layer, ada = console.layer, console.admin
    conversation = layer.chat.new_id()
    episode = layer.chat.attach_file(ada, conversation, name=name, data=data)
    assert holds in episode.text
    assert "/" not in episode.provenance.title
    is_whole(console)
    assert layer.ledger.processed(episode.episode_id)
    [line] = layer.chat.thread(ada, conversation)
    assert line.text == episode.text
    layer.review.groups(ada)


@pytest.mark.parametrize(
    ("address", "text", "error"),
    [
        ("", "The fair is in Cork.", BadInput),
        ("https://a.example", "", BadInput),
        ("https://a.example", "<html><body></body></html>", BadInput),
        ("https://a.example/\ud83d", "The fair is in Cork.", BadInput),
        ("https://a.example", "a \udc00 b", BadInput),
        ("https://a.example", "a" * MEGABYTE, TooLarge),
    ],
    ids=["no address", "no text", "an empty page", "half a character in the address", "and in the text", "a megabyte"],
)
def test_a_page_that_cannot_be_kept_is_refused(console, address, text, error):
    layer, ada = console.layer, console.admin
    before = layer.ledger.head()
    with pytest.raises(error):
        layer.chat.attach_page(ada, layer.chat.new_id(), address=address, text=text)
    assert layer.chat.conversations(ada) == []
    assert layer.ledger.head() == before
    is_whole(console)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(), max_size=300))
def test_any_text_is_kept_or_refused_and_then_recalled_without_a_fault(console, text):
    layer, ada = console.layer, console.admin
    try:
        episode = layer.agent.submit(
            Submission(
                scope=ada.scope, conversation_id="c1", channel=SourceKind.USER_TURN, text=text, actor=ada.user_id
            )
        )
    except BadInput:
        with pytest.raises(ChronoMemoryError):
            layer.chat.ask(ada, "c1", text)
        return
    console.settle()
    kept = layer.ledger.episode(episode.episode_id)
    assert kept is not None
    assert kept.text == mask(text.replace("\x00", "\ufffd"))[0]
    layer.agent.recall(text, ada.scope)
    layer.memories.list(ada, text=text)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN PRIVATE KEY-----" * 15_000,
        "password is " * 33_000,
        "eyJaaaaaaaa." * 33_000,
        "1 " * 200_000,
        "sk-" * 130_000,
        "-----BEGIN PRIVATE KEY-----" + "-" * 370_000,
    ],
    ids=["key after key", "password after password", "tokens", "digits", "key prefixes", "dashes"],
)
def test_masking_takes_no_longer_on_hostile_text(text):
    began = time.process_time()
    mask(text)
    assert time.process_time() - began < 5.0  # of this process; a quadratic pattern took half a minute
