"""Mail: senders as claimed, own words apart from quotations, bodies of every sort, mailboxes as streams."""

import io
import time
from datetime import UTC, datetime

import pytest

from core.connectors.mail import messages
from tests.connector_kit import items, sorted_out, write

HEAD = "From: Ben Okafor <ben@okafor.example>\nTo: ada@example.org\nSubject: Boat\nDate: Mon, 2 Feb 2026 10:00:00 +0100\nMessage-ID: <m1@okafor.example>\n"


def test_a_message_with_a_quotation_keeps_only_its_own_words(tmp_path):
    path = write(
        tmp_path / "m.eml",
        HEAD
        + "In-Reply-To: <m0@example.org>\n\nI sold the boat in January.\n\nOn Sun, 1 Feb 2026 at 09:00, Ada <ada@example.org> wrote:\n> My address is Elm Street 4.\n> Ada\n",
    )
    [one] = items(path)
    assert one.text == "Boat\n\nI sold the boat in January."
    assert (one.actor, one.source_ref) == ("ben@okafor.example", "ben@okafor.example")
    assert one.title == "Ben Okafor (ben@okafor.example)"
    assert (one.item_id, one.session, one.part_class) == ("m1@okafor.example", "m0@example.org", "mail")
    assert one.dated_at == datetime(2026, 2, 2, 9, 0, tzinfo=UTC)


def test_quoted_lines_between_answers_are_left_out(tmp_path):
    path = write(tmp_path / "m.eml", HEAD + "\n> Will you come?\nYes, on Friday.\n> With Tove?\nNo, alone.\n")
    assert items(path)[0].text == "Boat\n\nYes, on Friday.\nNo, alone."


def test_a_name_cannot_speak_for_another_address(tmp_path):
    path = write(tmp_path / "m.eml", HEAD.replace("Ben Okafor <ben@", '"ada@example.org" <mallory@') + "\nI moved.\n")
    assert items(path)[0].title == "ada@example.org (mallory@okafor.example)"


def test_html_odd_charsets_encoded_words_and_attachments(tmp_path):
    path = write(
        tmp_path / "m.eml",
        (
            HEAD.replace("Subject: Boat", "Subject: =?iso-8859-1?Q?Gr=FC=DFe?=")
            + 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n'
            'Content-Type: text/html; charset="x-no-such"\n\n<html><body><p>Der Kahn ist weg. <script>evil()</script></p></body></html>\n--b\n'
            'Content-Type: application/pdf; name="bill.pdf"\nContent-Disposition: attachment; filename="bill.pdf"\nContent-Transfer-Encoding: base64\n\nAAAA\n--b--\n'
        ),
    )
    [one] = items(path)
    assert one.text.startswith("Grüße\n\nDer Kahn ist weg.")
    assert "evil" not in one.text
    assert one.text.endswith("[Attached, not imported: bill.pdf]")


@pytest.mark.parametrize(("charset", "claimed"), [("latin-1", "utf-8"), ("utf-8", "us-ascii"), ("cp1252", "")])
def test_a_wrong_charset_does_not_lose_the_words(tmp_path, charset, claimed):
    kind = f"Content-Type: text/plain; charset={claimed}\n" if claimed else ""
    body = "Das Boot ist verkauft, schöne Grüße an Jürgen und Zoë von der Küste!\n".encode(charset)
    path = write(tmp_path / "m.eml", (HEAD + kind + "Content-Transfer-Encoding: 8bit\n\n").encode() + body)
    assert "schöne Grüße an Jürgen" in items(path)[0].text


def test_a_mailbox_is_read_message_by_message(tmp_path):
    box = (
        "From ben@okafor.example Mon Feb  2 10:00:00 2026\n" + HEAD + "\nFirst.\n>From here on it is quiet.\n\n"
        "From now on at 10:00 we meet here: that is no new message.\n\n"
        "From x Mon Feb  2 11:00:00 2026\nSubject: nobody\n\nNo sender.\n\n"
        "From x Mon Feb  2 12:00:00 2026\n" + HEAD.replace("m1@", "m2@") + "\nSecond.\n"
    )
    good, broken = sorted_out(write(tmp_path / "all.mbox", box))
    assert [one.item_id for one in good] == ["m1@okafor.example", "m2@okafor.example"]
    assert "From here on it is quiet." in good[0].text
    assert "From now on at 10:00 we meet here" in good[0].text
    assert [one.place for one in broken] == ["message 2 (line 13)"]
    assert "no sender" in broken[0].reason


def test_a_folder_of_messages_and_a_mailbox_without_an_ending(tmp_path):
    write(tmp_path / "box" / "a.eml", HEAD + "\nOne.\n")
    write(tmp_path / "box" / "b" / "c.eml", HEAD.replace("m1@", "m2@") + "\nTwo.\n")
    assert [one.place for one in items(tmp_path / "box")] == ["file a.eml", "file b/c.eml"]
    assert len(items(write(tmp_path / "Inbox", "From x Mon Feb  2 12:00:00 2026\n" + HEAD + "\nOne.\n"))) == 1


def test_a_message_without_an_id_is_known_by_its_bytes(tmp_path):
    plain = HEAD.replace("Message-ID: <m1@okafor.example>\n", "").replace(
        "Date: Mon, 2 Feb 2026 10:00:00 +0100", "Date: whenever"
    )
    [one] = items(write(tmp_path / "m.eml", plain + "\nHello there.\n"))
    assert one.item_id.startswith("bytes ")
    assert one.dated_at is None


def test_a_message_over_the_limit_is_one_broken_entry(tmp_path, monkeypatch):
    monkeypatch.setattr("core.connectors.mail.MESSAGE_BYTES", 2000)
    box = (
        "From x Mon Feb  2 10:00:00 2026\n"
        + HEAD
        + "\n"
        + "words and words\n" * 500
        + "\nFrom x Mon Feb  2 12:00:00 2026\n"
        + HEAD
        + "\nShort.\n"
    )
    good, broken = sorted_out(write(tmp_path / "a.mbox", box))
    assert [one.text for one in good] == ["Boat\n\nShort."]
    assert len(broken) == 1


def test_a_mailbox_of_any_size_is_a_stream():
    one = ("From x Mon Feb  2 10:00:00 2026\n" + HEAD + "\n" + "some words in a line\n" * 50 + "\n").encode()

    class Endless(io.RawIOBase):
        given = 0

        def readable(self):
            return True

        def readinto(self, buffer):
            self.given += 1
            data = (one * 40)[: len(buffer)]
            buffer[: len(data)] = data
            return len(data)

    raw = Endless()
    found = messages(io.BufferedReader(raw, len(one) * 40))
    assert [next(found)[1] is not None for _ in range(100)] == [True] * 100
    assert raw.given < 5


def test_a_body_made_to_be_slow_is_not(tmp_path):
    began = time.process_time()
    one = items(write(tmp_path / "m.eml", HEAD + "\n" + "a " * 150_000 + ":\n> quoted\nThe end.\n"))[0]
    assert time.process_time() - began < 20
    assert one.text.endswith("The end.")
    assert "quoted" not in one.text
