"""Files to text; wrong ones refused with what to do."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfWriter

from core.attachments import channel_of, page_text, parse
from core.errors import BadInput, TooLarge, UnsupportedFile
from core.model import SourceKind


def read(name: str, data: bytes, **limits):
    return parse(name, data, max_bytes=limits.get("max_bytes", 10_000), max_chars=limits.get("max_chars", 5_000))


def pdf(text: str) -> bytes:
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start
    return bytes(out)


def test_text_markdown_html_and_pdf_are_read():
    assert read("a.txt", "héllo 你好".encode()).text == "héllo 你好"
    assert read("a.md", "\ufeff# Title".encode()).text == "# Title"
    assert read("u.txt", "wide".encode("utf-16")).text == "wide"
    html = (
        b"<html><head><title>t</title><script>evil()</script></head><body><p>The venue has step-free access.</p></body>"
    )
    parsed = read("page.html", html)
    assert "step-free access" in parsed.text
    assert "evil" not in parsed.text
    assert parsed.source_kind is SourceKind.WEB_CONTENT
    assert "The launch is 30 April" in read("a.pdf", pdf("The launch is 30 April.")).text


def test_channels_follow_the_kind_of_file():
    assert channel_of("x.PDF") is SourceKind.EXTERNAL_DOC
    assert channel_of("x.HTM") is SourceKind.WEB_CONTENT


@pytest.mark.parametrize(
    ("name", "data", "error", "told"),
    [
        ("a.docx", b"PK", UnsupportedFile, "Attach one of"),
        ("noending", b"x", UnsupportedFile, "without an ending"),
        ("a.txt", b"\x00\x01\x02", UnsupportedFile, "binary data"),
        ("a.txt", b"ok \xff\xfe", BadInput, "not valid UTF-8 at byte 3"),
        ("a.txt", b"  \n ", BadInput, "no text"),
        ("a.txt", b"x" * 10_001, TooLarge, "limit is 0.0 MB"),
        ("a.txt", b"x" * 6_000, TooLarge, "limit is 5,000"),
        ("a.pdf", b"hello", UnsupportedFile, "not a PDF"),
        ("a.pdf", b"%PDF-1.7\n garbage", BadInput, "damaged"),
    ],
)
def test_bad_files_get_a_clear_answer(name, data, error, told):
    with pytest.raises(error, match=told):
        read(name, data)


def test_a_locked_pdf_says_so():
    writer = PdfWriter()
    writer.add_blank_page(72, 72)
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(BadInput, match="password"):
        read("a.pdf", out.getvalue())


@pytest.mark.parametrize("text", ["a < b and c > d", "The hall has <img src=x onerror=alert(1)> seats.", "<i>so</i>"])
def test_plain_text_is_left_as_it_is(text):
    assert page_text(text) == text


def test_a_page_without_readable_parts_is_not_lost():
    assert "seats" in page_text("<div>The hall has 400 seats.</div>")
