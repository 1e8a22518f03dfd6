"""Attached files to text: what is readable, how large, and which channel class it comes in by."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import PurePath

import trafilatura
from lxml import etree, html
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from core.errors import BadInput, TooLarge, UnsupportedFile
from core.model import SourceKind

READABLE = {".txt": "text", ".md": "Markdown", ".markdown": "Markdown", ".html": "HTML", ".htm": "HTML", ".pdf": "PDF"}
MAX_PAGES = 500  # of a PDF; a longer one is refused rather than cut in silence
_DOCUMENT = re.compile(
    r"<(?:!doctype|html|head|body|p|div|span|br|h[1-6]|ul|ol|table|article|section)\b[^<>]{0,2000}>", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Parsed:
    """A file as text, with the channel class the server gives it: a saved web page stays web content."""

    text: str
    source_kind: SourceKind
    title: str


def channel_of(name: str) -> SourceKind:
    """The channel class of an attached file, by its kind."""
    return SourceKind.WEB_CONTENT if PurePath(name).suffix.lower() in {".html", ".htm"} else SourceKind.EXTERNAL_DOC


def parse(name: str, data: bytes, *, max_bytes: int, max_chars: int) -> Parsed:
    """Read a file as text.

    Raises:
        UnsupportedFile: not one of READABLE, or its content is not what its name says.
        TooLarge: over `max_bytes`, or over `max_chars` once it is text.
        BadInput: no text in it (a scanned PDF, an empty file).
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in READABLE:
        msg = f"{suffix or 'a file without an ending'} cannot be read as text. Attach one of: {', '.join(READABLE)}."
        raise UnsupportedFile(msg)
    if len(data) > max_bytes:
        msg = f"the file has {len(data) / 1e6:.1f} MB; the limit is {max_bytes / 1e6:.1f} MB. Attach a part of it."
        raise TooLarge(msg)
    title = PurePath(name).name
    if suffix == ".pdf":
        text = _pdf(data)
    elif suffix in {".html", ".htm"}:
        text = page_text(_decoded(data))
    else:
        text = _decoded(data)
    if len(text) > max_chars:
        msg = f"the file has {len(text):,} characters of text; the limit is {max_chars:,}. Attach a part of it."
        raise TooLarge(msg)
    if not text.strip():
        msg = f"there is no text in {title}. A scanned document needs text recognition first."
        raise BadInput(msg)
    return Parsed(text=text, source_kind=channel_of(name), title=title)


def page_text(page: str) -> str:
    """The readable text of a web page; text that is no HTML document, a stray tag or two aside, comes back as it is."""
    if not _DOCUMENT.search(page):
        return page
    found = trafilatura.extract(page, include_comments=False, include_tables=True, favor_recall=True)
    return str(found or _all_text(page))


def _all_text(page: str) -> str:
    """Every word of a page in which no main part was found, scripts and styles left out."""
    try:
        tree = html.fromstring(page)
    except (etree.ParserError, ValueError):  # nothing in it, or an encoding declared in a text
        return ""
    for unread in tree.xpath("//script | //style | //noscript | //template"):
        unread.drop_tree()
    return str(tree.text_content()).strip()


def _decoded(data: bytes) -> str:
    if b"\x00" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        msg = "this is not a text file: it holds binary data. Attach it as .pdf, .html, .md or .txt."
        raise UnsupportedFile(msg)
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as problem:
        msg = (
            f"the file is not valid {encoding.removesuffix('-sig').upper()} at byte {problem.start}. Save it as UTF-8."
        )
        raise BadInput(msg) from problem


def _pdf(data: bytes) -> str:
    if not data.lstrip()[:5].startswith(b"%PDF"):
        msg = "this is not a PDF, though its name says so. Attach the file in its own format."
        raise UnsupportedFile(msg)
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            msg = "the PDF is locked with a password. Attach an unlocked copy."
            raise BadInput(msg)
        if len(reader.pages) > MAX_PAGES:
            msg = f"the PDF has {len(reader.pages)} pages; the limit is {MAX_PAGES}. Attach a part of it."
            raise TooLarge(msg)
        return "\n\n".join(page.extract_text() for page in reader.pages)
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError) as problem:  # what a damaged PDF raises
        msg = "the PDF is damaged and cannot be read. Save it again and attach the new copy."
        raise BadInput(msg) from problem
