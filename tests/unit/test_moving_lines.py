"""The file of an export: whole or refused by its line; records without what belongs to one installation."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.model import Scope
from core.moving.lines import LineWriter, Verified, records
from core.moving.shape import OWNER, arriving, leaving
from core.moving.signing import InstallationKey, fingerprint

SIGNER = InstallationKey(b"s" * 32)
HEADER = {"owner": "ada", "installation": SIGNER.public}
PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
JSON = PLAIN | st.lists(PLAIN, max_size=2)


def written(rows) -> bytes:
    out = io.BytesIO()
    writer = LineWriter(out)
    writer.header(HEADER)
    for row in rows:
        writer.record("memory", row)
    writer.trailer(SIGNER)
    return out.getvalue()


def read(data: bytes):
    verified = Verified(io.BytesIO(data), SIGNER)
    return [record for _, _, record in verified.records()], verified


@given(st.lists(st.dictionaries(st.sampled_from(["a", "text", "b"]), JSON, max_size=2), max_size=3))
def test_what_is_written_is_read_again(rows):
    found, verified = read(written(rows))
    assert found == rows
    assert verified.signed
    assert [record for _, _, record in records(io.BytesIO(written(rows)))] == rows


@given(st.data())
def test_any_altered_byte_and_any_missing_line_is_refused(data):
    whole = written([{"text": f"row {number}"} for number in range(4)])
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(whole) - 1))
        byte = data.draw(st.integers(0, 255).filter(lambda one: one != whole[at]))
        spoiled = whole[:at] + bytes([byte]) + whole[at + 1 :]
    else:
        rows = whole.splitlines(keepends=True)
        gone = data.draw(st.integers(0, len(rows) - 1))
        spoiled = b"".join(rows[:gone] + rows[gone + 1 :])
    with pytest.raises(BadInput, match=r"line [1-7]"):
        read(spoiled)


def test_a_signature_under_an_altered_name_is_refused():
    with pytest.raises(BadInput, match=r"line 3: the last line"):
        read(written([{"text": "one"}]).replace(b'"signature"', b'"signaturE"'))


def test_a_file_without_a_signature_is_whole_but_nobodys():
    rows = written([{"text": "one"}]).splitlines(keepends=True)
    trailer = json.loads(rows[-1]) | {"signature": ""}
    _, verified = read(b"".join(rows[:-1]) + json.dumps(trailer).encode() + b"\n")
    assert not verified.signed
    other = InstallationKey(b"o" * 32)
    assert not SIGNER.fits(other.public, "digest", SIGNER.sign("digest"))
    assert not SIGNER.fits("zz", "digest", "00")
    assert fingerprint("") == ""
    assert len(fingerprint(other.public)) == 64


@given(st.text(), st.text())
def test_a_record_comes_back_with_the_new_owner_in_it(before, after):
    old, new = "01a2-old", "01b3-new"
    record = {
        "actor": f"{before}{old}{after}",
        "text": f"{old} {OWNER} «",  # words are nobody's business
        "scope": {"tenant": "t", "owner": old, "agent": "console"},
        "serial_no": 40,
        "epoch": 7,
    }
    gone = leaving(record, owner=old, serials=[10, 40, 50])
    assert old not in gone["actor"]
    assert gone["serial_no"] == 2
    back = arriving(gone, scope=Scope(tenant="u", owner=new), serials=[3, 9, 11])
    assert back == {
        "actor": f"{before}{new}{after}" if old not in before + after else back["actor"],
        "text": record["text"],
        "scope": {"tenant": "u", "owner": new, "agent": "console"},
        "serial_no": 9,
        "epoch": 0,
    }
