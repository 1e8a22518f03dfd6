"""The chain's arithmetic: what is hashed, what is refused, what verification names."""

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.audit import GENESIS, MAX_REFERENCE, Link, canonical, entry_of, link_hash, make_link, stamp, verify_chain
from core.errors import BadInput
from core.model import AuditEntry

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


def chain(length: int, *, key: bytes | None = None) -> list[Link]:
    links: list[Link] = []
    head = (0, GENESIS)
    for number in range(length):
        link = make_link(
            head,
            at=NOON + timedelta(seconds=number),
            actor="policy",
            action="candidate:held",
            tenant="acme",
            owner="mara",
            about={"candidate_id": f"k{number}", "trust": 0.3},
            key=key,
        )
        links.append(link)
        head = (link.seq, link.hash)
    return links


def test_the_hash_is_sha256_of_the_canonical_fields():
    (link,) = chain(1)
    payload = (
        '{"about":"{\\"candidate_id\\":\\"k0\\",\\"trust\\":0.3}","action":"candidate:held","actor":"policy",'
        '"at":"2026-03-14T12:00:00.000000+00:00","attestation":"none","owner":"mara","prev_hash":"","seq":1,"shape":1,'
        '"tenant":"acme"}'
    )
    assert link.hash == hashlib.sha256(payload.encode()).hexdigest()


def test_a_key_changes_every_hash_and_is_needed_to_verify():
    keyed = chain(3, key=b"secret")
    assert keyed[0].hash != chain(1)[0].hash
    assert verify_chain(keyed, key=b"secret").ok
    assert verify_chain(keyed).broken_seq == 1
    assert verify_chain(keyed, key=b"other").broken_seq == 1


def test_times_are_written_in_utc_with_microseconds():
    east = timezone(timedelta(hours=9))
    assert stamp(datetime(2026, 1, 1, 3, tzinfo=east)) == "2025-12-31T18:00:00.000000+00:00"
    with pytest.raises(ValueError, match="timezone-aware"):
        stamp(datetime(2026, 1, 1))  # noqa: DTZ001 - the naive time is the subject


def test_about_has_one_form():
    assert canonical({"b": [1, "ä"], "a": {"y": None, "x": True}}) == '{"a":{"x":true,"y":null},"b":[1,"\\u00e4"]}'
    assert canonical({"a": (1, 2)}) == canonical({"a": [1, 2]})


@pytest.mark.parametrize(
    "about",
    [
        {"text": "x" * (MAX_REFERENCE + 1)},
        {"list": ["x" * (MAX_REFERENCE + 1)]},
        {"map": {"x" * (MAX_REFERENCE + 1): 1}},
        {"number": float("inf")},
        {"object": object()},
        {"map": {1: "a"}},
    ],
)
def test_what_is_not_an_id_digest_or_number_is_refused(about):
    with pytest.raises(BadInput):
        canonical(about)


def test_ids_of_the_longest_kind_pass():
    assert json.loads(canonical({"id": "x" * MAX_REFERENCE}))["id"] == "x" * MAX_REFERENCE


@pytest.mark.parametrize("action", ["", "held", "candidate:", ":held", "Candidate:Held", "a b:c"])
def test_malformed_actions_are_refused(action):
    with pytest.raises(BadInput, match="subject:verb"):
        make_link((0, ""), at=NOON, actor="a", action=action, tenant="", owner="", about={})


def test_unknown_attestations_are_refused():
    with pytest.raises(BadInput, match="weight-fingerprint"):
        make_link((0, ""), at=NOON, actor="a", action="a:b", tenant="", owner="", about={}, attestation="sworn")


def test_an_entry_says_what_its_link_says():
    link = chain(2)[1]
    assert entry_of(link) == AuditEntry(
        seq=2,
        at=NOON + timedelta(seconds=1),
        actor="policy",
        attestation="none",
        action="candidate:held",
        about={"candidate_id": "k1", "trust": 0.3},
        tenant="acme",
        owner="mara",
        prev_hash=link.prev_hash,
        hash=link.hash,
    )


def test_a_sound_chain_reports_its_head():
    links = chain(4)
    report = verify_chain(links)
    assert (report.ok, report.entries, report.head_seq, report.head_hash) == (True, 4, 4, links[3].hash)
    assert (report.broken_seq, report.problem) == (None, "")
    assert verify_chain([]).ok


@given(
    field=st.sampled_from([name for name in Link.__dataclass_fields__ if name != "seq"]),
    which=st.integers(0, 4),
    other=st.text(max_size=5),
)
def test_any_change_of_any_field_names_its_entry(field, which, other):
    links = chain(5)
    changed = getattr(links[which], field) + other if other else "?"
    links[which] = replace(links[which], **{field: changed})
    report = verify_chain(links)
    assert (report.ok, report.broken_seq, report.head_seq) == (False, which + 1, which)


def test_a_missing_a_doubled_and_a_swapped_entry():
    links = chain(5)
    assert verify_chain(links[:2] + links[3:]).broken_seq == 3
    assert verify_chain(links[1:]).broken_seq == 1
    assert verify_chain([*links[:2], links[1], *links[2:]]).broken_seq == 3
    assert verify_chain([links[0], links[2], links[1], *links[3:]]).broken_seq == 2


def test_a_changed_entry_with_its_hash_made_anew_breaks_the_next():
    links = chain(5)
    forged = replace(links[1], actor="somebody")
    links[1] = replace(forged, hash=link_hash(forged))
    report = verify_chain(links)
    assert (report.broken_seq, report.problem) == (3, "entry 3 does not follow from the entry before it")


def test_a_witness_finds_what_the_chain_alone_cannot_show():
    links = chain(5)
    assert verify_chain(links, witnessed=(0, "")).ok
    assert verify_chain(links, witnessed=(4, links[3].hash)).ok
    cut = verify_chain(links[:3], witnessed=(5, links[4].hash))
    assert (cut.ok, cut.broken_seq, cut.head_seq, cut.head_hash) == (False, 4, 3, links[2].hash)
    rewritten = verify_chain(links, witnessed=(4, "0" * 64))
    assert (rewritten.ok, rewritten.broken_seq, rewritten.head_seq) == (False, 4, 3)
    assert rewritten.head_hash == links[2].hash


def test_a_break_before_the_witness_is_named_first():
    links = chain(5)
    links[1] = replace(links[1], owner="ivo")
    assert verify_chain(links, witnessed=(4, "0" * 64)).broken_seq == 2
