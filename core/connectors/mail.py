"""Mail: one message (.eml) or a mailbox (.mbox, or a folder of .eml). Authors are who the headers claim they are."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email import policy as mail_policy
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path
from typing import BinaryIO, cast

from mailparser_reply import EmailReplyParser

from core.attachments import page_text
from core.connectors.decoding import text_of
from core.errors import BadInput
from core.model import sha256_text
from core.ports import BrokenItem, Entry, Format, ImportLimits, Item

FORMAT = Format(
    key="mail",
    name="Mail",
    takes="a mailbox (.mbox), one message (.eml), or a folder of messages",
    suffixes=(".mbox", ".mbx", ".eml"),
    classes=("mail",),
)
LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "sv", "da", "fi"]
MESSAGE_BYTES = 50_000_000  # with its attachments, which are not imported
_FROM_LINE = re.compile(rb"^From \S.*\d{2}:\d{2}")
_HEADER = re.compile(rb"^[!-9;-~]+:")
PARSED_CHARS = 40_000  # of a body in which earlier mails are looked for: that takes a time which grows faster than it
_SUBJECT_CHARS = 300
# Without one of these no earlier mail is quoted: ">" lines, "… wrote:", a rule, headers. Looking for more is slow.
_QUOTES = re.compile(r"^[ \t]*>|:[ \t]*$|^[ \t]*[-_*=]{3,}|^[^\w\n]{0,3}\w[\w \u00a0]{1,20}[^\w\n]?: ", re.MULTILINE)
_ATTACHED = 20  # attachments that are listed


@dataclass(frozen=True, kw_only=True, slots=True)
class Mailbox:
    """Implements `core.ports.Source` on messages. A mailbox is streamed, one message in memory at a time."""

    path: Path
    name: str
    limits: ImportLimits
    format: Format = FORMAT
    namespace: str = ""  # Message-IDs are unique everywhere

    def entries(self) -> Iterator[Entry]:
        """Every message, in the order of the file or of the file names."""
        if self.path.is_dir():
            root = self.path.resolve()
            for path in sorted(self.path.rglob("*.eml")):
                place = f"file {path.relative_to(self.path).as_posix()}"
                try:
                    if not path.resolve().is_relative_to(root):
                        yield BrokenItem(
                            place=place, reason="it is a link that leads out of the folder: copy the file in"
                        )
                        continue
                    with path.open("rb") as file:
                        raw = file.read(MESSAGE_BYTES + 1)
                except OSError as problem:
                    yield BrokenItem(place=place, reason=f"it cannot be read ({type(problem).__name__})")
                    continue
                yield self._entry(raw, place)
            return
        with self.path.open("rb") as file:
            if self.path.suffix.lower() == ".eml":
                yield self._entry(file.read(MESSAGE_BYTES + 1), f"file {self.path.name}")
                return
            for number, (line, one) in enumerate(messages(cast("BinaryIO", file)), start=1):
                yield self._entry(one, f"message {number} (line {line})")

    def _entry(self, raw: bytes | None, place: str) -> Entry:
        if raw is None or len(raw) > MESSAGE_BYTES:
            reason = f"the message has over {MESSAGE_BYTES / 1e6:.0f} MB: its attachments are too large to look past"
            return BrokenItem(place=place, reason=reason)
        try:
            message = email.message_from_bytes(raw, policy=mail_policy.compat32)
            return self._item(message, raw, place)
        except (
            MessageError,
            LookupError,
            ValueError,
            TypeError,
            AttributeError,
            IndexError,
            RecursionError,
        ) as problem:
            return BrokenItem(
                place=place, reason=f"the message cannot be read ({type(problem).__name__}): export it again"
            )

    def _item(self, message: Message, raw: bytes, place: str) -> Entry:
        name, address = parseaddr(header(message, "From"))
        if not address and not name:
            return BrokenItem(place=place, reason="it has no sender: a message needs a line From:")
        body = own_words(body_of(message))
        subject = header(message, "Subject")[:_SUBJECT_CHARS]
        if not body.strip() and not subject:
            return BrokenItem(place=place, reason="it has no words of its own: only a quotation or an attachment")
        names = attachments(message)
        listed = f"[Attached, not imported: {', '.join(names)}]" if names else ""
        text = "\n\n".join(part for part in (subject, body, listed) if part.strip())
        if len(text) > self.limits.entry_chars:
            reason = f"it has {len(text):,} characters; the limit is {self.limits.entry_chars:,}"
            return BrokenItem(place=place, reason=reason)
        # The address beside the name: a name is free to choose, and would else speak as whoever bears it.
        claimed = f"{name} ({address})" if name and address and name != address else address or name
        return Item(
            item_id=message_id(message) or f"bytes {sha256_text(raw.decode('latin-1'))[:40]}",
            part_class="mail",
            texts=(text,),
            place=place,
            title=claimed,
            dated_at=sent_at(message),
            actor=address or name,
            source_ref=address or name,
            session=thread_of(message),
        )


def messages(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """(line, bytes) of each message of a mailbox, None for one that is too large.

    A line that begins with "From " and holds a time begins a message only after an empty line and before a header, as
    mail programs write it; elsewhere it is part of a body.
    """
    lines: list[bytes] = []
    size = begun = 0
    blank, pending = True, b""
    for number, line in enumerate(_bounded_lines(stream), start=1):
        if pending:
            starts = bool(_HEADER.match(line))
            if starts:
                if lines:
                    yield begun, _joined(lines, size)
                lines, size, begun = [], 0, number - 1
            else:
                lines.append(pending)
            pending = b""
        if blank and _FROM_LINE.match(line):
            pending, blank = line, False
            continue
        blank = not line.strip()
        if line.startswith(b">From "):
            line = line[1:]  # noqa: PLW2901 - how mailboxes keep such lines apart
        size += len(line)
        if size <= MESSAGE_BYTES:
            lines.append(line)
        begun = begun or number
    if lines and any(one.strip() for one in lines):
        yield begun, _joined(lines, size)


def _joined(lines: list[bytes], size: int) -> bytes | None:
    return b"".join(lines) if size <= MESSAGE_BYTES else None


def _bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(1_000_000):
        yield line


def header(message: Message, name: str) -> str:
    """A header as one line of text, encoded words decoded where they can be."""
    raw = message.get(name)
    if raw is None:
        return ""
    text = str(raw)
    with suppress(LookupError, ValueError):  # an encoding that does not exist: the words stay as they came
        text = str(make_header(decode_header(text)))
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())


def message_id(message: Message) -> str:
    """The Message-ID without its angles."""
    return header(message, "Message-ID").strip("<> ")


def thread_of(message: Message) -> str:
    """The id of the message that its thread began with."""
    first = next(iter(header(message, "References").split()), "") or header(message, "In-Reply-To")
    return first.strip("<> ") or message_id(message)


def sent_at(message: Message) -> datetime | None:
    """When it says that it was sent; None where it says nothing that is a time."""
    try:
        at = parsedate_to_datetime(header(message, "Date"))
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def body_of(message: Message) -> str:
    """The words of a message: its plain text, else its HTML as text; parts that are attached are no body."""
    plain, rich = [], []
    for part in message.walk():
        if part.is_multipart() or _is_attached(part):
            continue
        kind = part.get_content_type()
        if kind == "text/plain":
            plain.append(_decoded(part))
        elif kind == "text/html":
            rich.append(_decoded(part))
    if any(one.strip() for one in plain):
        return "\n\n".join(one.strip() for one in plain if one.strip())
    return "\n\n".join(page_text(one).strip() for one in rich)


def own_words(body: str) -> str:
    """What the sender wrote here: earlier mails that are quoted below are those mails' words, not theirs."""
    text = body.replace("\r\n", "\n")
    if not text.strip():
        return ""
    if not _QUOTES.search(text):
        return text.strip()
    head = text[:PARSED_CHARS]
    replies = EmailReplyParser(languages=LANGUAGES).read(head).replies
    said = str(replies[0].content) if replies else head
    if len(replies) <= 1:  # nothing quoted up to there
        said += text[PARSED_CHARS:]
    return "\n".join(line for line in said.split("\n") if not line.lstrip().startswith(">")).strip()


def attachments(message: Message) -> list[str]:
    """Names of what is attached."""
    found = [part.get_filename() or part.get_content_type() for part in message.walk() if _is_attached(part)]
    return [" ".join(str(one).split())[:120] for one in found[:_ATTACHED]]


def _is_attached(part: Message) -> bool:
    if part.is_multipart():
        return False
    return part.get_content_disposition() == "attachment" or part.get_content_maintype() not in ("text", "multipart")


def _decoded(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return str(part.get_payload())
    named = part.get_content_charset()
    if named:
        try:
            return payload.decode(named)
        except (LookupError, UnicodeDecodeError):
            pass  # a wrong or unknown name: the bytes are looked at instead
    try:
        return text_of(payload)
    except ValueError as problem:
        msg = "its text is binary data"
        raise BadInput(msg) from problem


__all__ = ["FORMAT", "Mailbox", "messages"]
