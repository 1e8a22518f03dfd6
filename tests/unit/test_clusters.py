"""What one person decides together."""

from dataclasses import replace

import pytest

from core.clusters import clustered
from core.model import Finding, Incumbent, MemoryKind, SourceKind, SpeechAct, Verdict
from tests.contract.ledger_values import candidate, decision, episode

TOOL, DOC, WEB, MAIL, OWN = (
    SourceKind.TOOL_OUTPUT,
    SourceKind.EXTERNAL_DOC,
    SourceKind.WEB_CONTENT,
    SourceKind.THIRD_PARTY,
    SourceKind.USER_TURN,
)
PLAIN = replace(
    decision("d1", "k1").evidence, incumbents=(), findings=(), gaps=(), origin="site:orchard.example", impact=()
)
RIVAL = Incumbent(
    memory_id="m1",
    value="eight",
    text="The orchard opens at eight.",
    ranking_trust=1.0,
    serial_no=1,
    version=1,
    source_kind=OWN,
    same_value=False,
    multi_valued=False,
)


def given(kind=WEB, **of_proposal):
    made = candidate("k1", replace(episode("e1", kind=kind), serial_no=1))
    proposal = {"speech_act": SpeechAct.ASSERTION, "importance": 0.4, "retracts": False, "kind": MemoryKind.FACT}
    return replace(made, proposal=replace(made.proposal, **(proposal | of_proposal)))


def cluster(made, evidence, conversation="c9"):
    return together((made, evidence), conversation=conversation)[0]


def together(*pairs, conversation="c9"):
    source = replace(episode("e1"), conversation_id=conversation)
    rulings = [(made, replace(decision("d1", "k1"), evidence=evidence)) for made, evidence in pairs]
    return [ruling.evidence.cluster for _, ruling in clustered(rulings, source, telling=0.8)]


@pytest.mark.parametrize("kind", [WEB, DOC, TOOL, SourceKind.AGENT_TURN])
def test_a_plain_statement_of_a_thing_lies_in_the_months_background(kind):
    assert cluster(given(kind), PLAIN) == "background:2026-03"


@pytest.mark.parametrize(
    "more",
    [
        {"impact": ("money",)},
        {"findings": (Finding(detector="override", severity=0.5, note=""),)},
        {"gaps": ("judge",)},
        {"forgotten": True},
        {"asks_owner": ("money",)},
        {"incumbents": (RIVAL,)},
    ],
)
def test_what_asks_for_a_decision_is_listed_by_its_place_of_origin(more):
    assert cluster(given(), replace(PLAIN, **more)) == "site:orchard.example"


@pytest.mark.parametrize("more", [{"speech_act": SpeechAct.DIRECTIVE}, {"retracts": True}, {"importance": 0.8}])
def test_orders_retractions_and_weighty_words_are_never_background(more):
    assert cluster(given(**more), PLAIN) == "site:orchard.example"


def test_a_faint_finding_and_a_value_that_only_adds_stay_in_the_background():
    faint = (Finding(detector="override", severity=0.4, note=""),)
    adding = (replace(RIVAL, multi_valued=True), replace(RIVAL, same_value=True))
    assert cluster(given(), replace(PLAIN, findings=faint, incumbents=adding)) == "background:2026-03"


def test_a_plain_note_of_a_tools_result_lies_there_too():
    assert cluster(given(SourceKind.AGENT_TURN), replace(PLAIN, origin="tool:depot")) == "background:2026-03"


def test_papers_of_one_conversation_are_one_group():
    money = replace(PLAIN, impact=("money",))
    first = cluster(given(DOC), replace(money, origin="doc:aaa"))
    assert first == cluster(given(DOC), replace(money, origin="doc:bbb")) == "papers:c9"
    assert first != cluster(given(DOC), replace(money, origin="doc:aaa"), conversation="c10")


def test_an_agents_note_of_a_page_joins_the_page():
    money = replace(PLAIN, impact=("money",))
    assert cluster(given(SourceKind.AGENT_TURN), money) == cluster(given(WEB), money)


def test_what_people_say_is_never_background():
    assert cluster(given(MAIL), replace(PLAIN, origin="person:ida@post.example")) == "person:ida@post.example"
    assert cluster(given(OWN), replace(PLAIN, origin="doc:letter")) == "papers:c9"


def test_what_has_no_origin_is_grouped_by_its_conversation():
    made = cluster(given(SourceKind.AGENT_TURN), replace(PLAIN, origin="", impact=("money",)))
    assert made == "agent_turn:c9"


def test_one_sentence_that_matters_takes_its_whole_text_out_of_the_background():
    money = replace(PLAIN, impact=("money",))
    assert together((given(), PLAIN), (given(), money), (given(), PLAIN)) == ["site:orchard.example"] * 3
    assert together((given(), PLAIN), (given(), PLAIN)) == ["background:2026-03"] * 2


def test_what_was_admitted_says_nothing_about_what_is_held():
    admitted = replace(decision("d2", "k2", verdict=Verdict.ADMIT), evidence=replace(PLAIN, impact=("money",)))
    held = replace(decision("d1", "k1"), evidence=PLAIN)
    ruled = clustered([(given(), held), (given(), admitted)], episode("e1"), telling=0.8)
    assert ruled[0][1].evidence.cluster == "background:2026-03"
