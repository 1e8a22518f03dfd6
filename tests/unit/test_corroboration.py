"""Who independently says so, and which memories get an edge (rules §4.1, §4.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.corroboration import MAX_EDGES, WEIGHTS, adds_origin, counts, edges, independent, origin_key
from core.model import LinkKind, MemoryKind, Root, ScoredMemory, SourceKind
from core.slots import slot_key
from tests.factories import candidate, memory, provenance

USER, AGENT, TOOL, MAIL, DOC, WEB = (
    SourceKind.USER_TURN,
    SourceKind.AGENT_TURN,
    SourceKind.TOOL_OUTPUT,
    SourceKind.THIRD_PARTY,
    SourceKind.EXTERNAL_DOC,
    SourceKind.WEB_CONTENT,
)


def root(kind, ref="", trust=1.0, episode="e1"):
    return Root(episode_id=episode, source_kind=kind, source_ref=ref, trust=trust)


def key(kind, ref="", *more, trust=0.5, **rest):
    return origin_key(provenance(kind, source_ref=ref, **rest), (root(kind, ref, trust), *more), "ada")


def test_a_person_is_one_origin_in_all_their_messages():
    assert key(USER, "conversation c1") == key(USER, "conversation c2") == "person:ada"
    mails = ("Bea Ode <bea@harbour.example>", "BEA+news@harbour.example", "mail from bea@harbour.example")
    assert {key(MAIL, ref) for ref in mails} == {"person:bea@harbour.example"}
    assert key(MAIL, "message 17", actor="Bea  Ode") == "person:bea ode"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://news.harbour.co.uk/a?b=c", "site:harbour.co.uk"),
        ("http://harbour.co.uk:8080/x", "site:harbour.co.uk"),
        ("WWW.Harbour.CO.UK/y", "site:harbour.co.uk"),
        ("https://one.github.io/page", "site:github.io"),  # anyone can have a hundred of these
        ("https://other.github.io/page", "site:github.io"),
        ("http://192.0.2.7/a", "site:192.0.2.7"),
        ("http://[2001:db8::1]/a", "site:2001:db8::1"),
        ("http://intranet/page", "site:intranet"),
        ("https://user@harbour.example@evil.com/", "site:evil.com"),
        ("a page I found", "site:unknown"),
        ("", "site:unknown"),
        ("http://[broken", "site:unknown"),
    ],
)
def test_a_site_is_one_origin_in_all_its_pages(address, expected):
    assert key(WEB, address) == expected


def test_a_tool_is_one_origin_and_a_document_is_its_bytes():
    assert key(TOOL, "call 1", tool="Calendar") == key(TOOL, "call 2", tool="calendar") == "tool:calendar"
    first, again = (replace(provenance(DOC, "same bytes"), source_ref=name) for name in ("a.pdf", "b.pdf"))
    assert origin_key(first, (), "ada") == origin_key(again, (), "ada") == f"doc:{first.digest}"


def test_an_agent_is_never_its_own_origin():
    own = root(AGENT, trust=0.7, episode="e1")
    page, turn = root(WEB, "https://harbour.example/x", 0.3, "e2"), root(USER, "conversation c1", 1.0, "e3")
    said = provenance(AGENT)
    assert origin_key(said, (own,), "ada") == ""
    assert origin_key(said, (own, turn), "ada") == "person:ada"
    assert origin_key(said, (own, turn, page), "ada") == "site:harbour.example"


def test_a_text_counts_as_its_weaker_root_and_a_paste_as_what_was_pasted():
    page = root(WEB, "https://harbour.example/x", 0.3, "e2")
    assert key(TOOL, "call", page, trust=0.6, tool="reader") == "site:harbour.example"
    turn = root(USER, "conversation c1", 1.0, "e3")
    assert key(TOOL, "call", turn, trust=0.6, tool="reader") == "tool:reader"
    pasted = origin_key(provenance(USER), (root(DOC, "mail of Monday", 0.4),), "ada")
    assert pasted == "doc:mail of Monday"
    assert not counts(pasted)


@pytest.mark.parametrize(
    ("kind", "name", "adds"),
    [
        (USER, "person:ada", False),  # speaks for it already
        (USER, "person:bo", True),
        (MAIL, "person:bea@harbour.example", True),
        (TOOL, "tool:calendar", True),
        (TOOL, "site:harbour.example", False),  # a tool that read a page
        (AGENT, "person:bo", False),  # a restatement, whatever its root
        (WEB, "site:harbour.example", False),
        (DOC, "doc:1", False),
        (MAIL, "", False),
    ],
)
def test_only_a_new_voice_of_a_person_or_tool_adds_an_origin(kind, name, adds):
    assert adds_origin(("person:ada", "site:other.example"), name, kind) is adds


PRESS = (
    "The harbour ferry will leave from the north pier in summer, said the port office, since the old pier is repaired."
)
COPY = "Breaking: the harbour ferry will leave from the north pier in summer, said the port office, since the old pier is repaired."


def test_copies_are_one_origin_however_many_sites_carry_them():
    keys = ["site:a.example", "site:b.example", "person:bo", "site:a.example", "person:cy"]
    texts = [
        PRESS,
        COPY,
        "The ferry leaves from the north pier, I saw the sign this morning.",
        "Something else.",
        "No.",
    ]
    assert independent(keys, texts) == [(0, 1, 3), (2,), (4,)]
    assert independent([], []) == []


def test_short_words_in_common_are_no_copy_and_unknown_origins_are_one():
    assert independent(["person:a", "person:b"], ["You are allergic to nuts."] * 2) == [(0,), (1,)]
    assert independent(["", "person:a", ""], ["one text here", "another text", "a third text"]) == [(0, 2), (1,)]


def test_chains_of_copies_end_up_as_one():
    keys = ["site:a.example", "site:b.example", "site:b.example", "site:c.example"]
    assert independent(keys, [PRESS, "Unlike.", COPY, PRESS]) == [(0, 1, 2, 3)]


def near(number, cosine, **rest):
    given = {"memory_id": f"m{number}", "episode_id": f"old{number}", "subject": "ferry", "attribute": f"thing{number}"}
    return ScoredMemory(memory=memory(f"Thing {number} of the ferry.", **(given | rest)), cosine=cosine, lexical=0.0)


FERRY = {
    "subject": "ferry",
    "attribute": "departure",
    "value": "north pier",
    "text": "The ferry leaves from the north pier.",
}


def test_edges_by_kind_with_their_weights():
    found = edges(
        candidate(number=9, **FERRY),
        [
            near(1, 0.85, source_kind=MAIL, actor="bo"),
            near(2, 0.85),  # said by the owner again: no other voice
            near(3, 0.65),
            near(4, 0.30),
            near(5, 0.30, subject="user"),
            near(6, 0.90, source_kind=AGENT),
        ],
    )
    assert found == (
        ("m1", LinkKind.CORROBORATES, WEIGHTS[LinkKind.CORROBORATES]),
        ("m6", LinkKind.RELATED, WEIGHTS[LinkKind.RELATED]),
        ("m2", LinkKind.RELATED, WEIGHTS[LinkKind.RELATED]),
        ("m3", LinkKind.RELATED, WEIGHTS[LinkKind.RELATED]),
        ("m4", LinkKind.SAME_SUBJECT, WEIGHTS[LinkKind.SAME_SUBJECT]),
    )


def test_being_about_the_owner_links_nothing():
    assert edges(candidate(number=9), [near(1, 0.3, subject="user")]) == ()


def test_rivals_updates_itself_and_the_same_breath_get_no_edge():
    stated = candidate(number=9, **(FERRY | {"text": "The harbour ferry carries at most 40 cars"}))
    rival = near(1, 0.9, slot_key=slot_key("ferry", "departure"))
    update = near(2, 0.9)
    update = replace(update, memory=replace(update.memory, text="The harbour ferry carries at most 52 cars"))
    itself, breath = near(3, 0.9, memory_id="k9"), near(4, 0.9, episode_id="e9")
    assert edges(stated, [rival, update, itself, breath, near(5, 0.9)], without={"m5"}) == ()


def test_the_turn_before_is_adjacent_its_own_words_first():
    stated = candidate(number=9, **FERRY)
    session = [
        memory(memory_id="fact", episode_id="t8", serial_no=8, importance=0.8),
        memory(memory_id="event", episode_id="t8", serial_no=8, importance=0.4, kind=MemoryKind.EVENT),
        memory(memory_id="little", episode_id="t8", serial_no=8, importance=0.2),
        memory(memory_id="long ago", episode_id="t5", serial_no=5),
        memory(memory_id="own", episode_id="e9", serial_no=9),
        memory(memory_id="next", episode_id="t10", serial_no=10),
    ]
    adjacent = [("event", LinkKind.ADJACENT, 0.3), ("fact", LinkKind.ADJACENT, 0.3)]
    assert list(edges(stated, [], session=session)) == adjacent
    assert edges(stated, [], session=[]) == ()


def test_there_are_never_more_edges_than_the_limit_and_the_adjacent_ones_keep_their_place():
    session = [memory(memory_id="before", episode_id="t8", serial_no=8)]
    found = edges(candidate(number=9, **FERRY), [near(n, 0.9 - n / 100) for n in range(12)], session=session)
    assert len(found) == MAX_EDGES
    assert found[-1][:2] == ("before", LinkKind.ADJACENT)
    assert [memory_id for memory_id, *_ in found[:-1]] == ["m0", "m1", "m2", "m3", "m4"]
