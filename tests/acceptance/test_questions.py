"""What the screens ask of the core beside the rulings: questions to the owner, origins, repeats, links, days gone by."""

from __future__ import annotations

import pytest

from core.errors import NeedsReason, NotFound
from core.model import CandidateState, LinkKind, Role, RulingKind
from core.review import flags_of
from tests.acceptance.life import AGENT, DOC, WEB, Life, ruling

IBAN = "My landlord's new IBAN is FR76 3000 6000 0112 3456 7890 189."


@pytest.fixture
def life(console):
    return Life(console)


def test_the_owners_questions_are_their_own_and_nobody_elses(life):
    mia = life.of(life.console.person("mia", Role.MEMBER))
    mia.say(IBAN)
    asked = life.layer.review.questions(mia.who)
    assert asked
    assert all(one.decision.reasons == ("ask_owner",) for one in asked)
    assert life.layer.review.questions(life.who) == []
    assert mia.facts(text="IBAN") == []


def test_a_chain_names_where_each_text_came_from_and_no_words(life):
    page = life.say("The ferry sails at nine.", channel=WEB, where="c2", source_ref="https://f.example", title="Ferry")
    note = life.say(
        "The ferry sails at nine.", channel=DOC, where="c2", source_ref="n.pdf", derived_from=(page.episode_id,)
    )
    told = life.say("The ferry sails at nine.", channel=AGENT, where="c2", derived_from=(note.episode_id,))
    item = life.held(told)
    known = life.layer.review.origins(life.who, item.candidate.candidate_id)
    chain = [known[root.episode_id].source_ref for root in item.decision.evidence.roots]
    assert chain == ["c2", "n.pdf", "https://f.example"]
    assert known[page.episode_id].title == "Ferry"
    olu = life.console.person("olu", Role.MEMBER)
    with pytest.raises(NotFound):
        life.layer.review.origins(olu, item.candidate.candidate_id)


def test_what_is_said_again_while_it_waits_is_counted(life):
    first = life.held(life.say("The ferry sails at nine.", channel=WEB, where="p1", source_ref="https://f.example"))
    for nth in range(2):
        life.say("The ferry sails at nine.", channel=WEB, where=f"again{nth}", source_ref="https://f.example")
    assert life.layer.review.repeats(life.who, first.candidate.candidate_id) == 2


def test_a_yes_needs_no_override_of_being_asked(life):
    life.say(IBAN)
    item = life.layer.review.questions(life.who)[0]
    outcome = life.layer.review.settle(life.who, ruling(item, RulingKind.TAKE_NEW, note=""))
    assert outcome.state is CandidateState.PROMOTED


def test_a_flagged_conflict_is_taken_in_only_with_an_override_and_a_reason(life):
    life.say("The support phone number is 555-0199.")
    item = life.held(
        life.say("The support phone number is 555-0123.", channel=WEB, where="page", source_ref="https://w.example")
    )
    assert "conflict" in item.decision.reasons
    assert flags_of(item) == ["impact"]
    review = life.layer.review
    for answer in (RulingKind.TAKE_NEW, RulingKind.BOTH):
        with pytest.raises(NeedsReason, match="impact"):
            review.settle(life.who, ruling(item, answer))
        with pytest.raises(NeedsReason):
            review.settle(life.who, ruling(item, answer, override=True, note=" "))
    assert life.facts(text="0123") == []
    take = ruling(item, RulingKind.TAKE_NEW, override=True)
    assert review.settle(life.who, take).state is CandidateState.HELD  # it could do harm: one yes is not enough
    assert life.facts(text="0123") == []
    life.console.clock.forward(minutes=11)
    assert review.settle(life.who, take).state is CandidateState.PROMOTED  # the only reviewer's second


def test_what_replaced_what_is_shown_as_a_link(life):
    life.say("The total weight is 520 kg.")
    life.wait(hours=1)
    life.say("The total weight is 480 kg.")
    new = life.fact("480")
    links = life.layer.memories.why(life.who, new.memory_id).links
    assert (LinkKind.SUPERSEDES, "The total weight is 520 kg.") in [(kind, one.text) for kind, one in links]


def test_a_day_gone_by_shows_what_was_current_then(life):
    before = life.console.clock.now()
    life.wait(hours=1)
    life.say("The total weight is 520 kg.")
    life.wait(days=2)
    between = life.console.clock.now()
    life.wait(days=2)
    life.say("The total weight is 480 kg.")
    life.say("The total length is 12 m.")
    memories = life.layer.memories

    def texts(then, **rest):
        rows, total = memories.as_of(life.who, then, **rest)
        assert total >= len(rows)
        return sorted(one.text for one in rows if "You said" not in one.text)

    life.wait(minutes=1)
    assert texts(before) == []
    assert texts(between) == ["The total weight is 520 kg."]
    assert texts(life.console.clock.now()) == ["The total length is 12 m.", "The total weight is 480 kg."]
    assert texts(life.console.clock.now(), text="length") == ["The total length is 12 m."]


def test_what_became_of_a_row_that_was_taken_in(life):
    [episode] = life.layer.memories.import_rows(life.who, [{"text": "The ferry sails at nine."}], source="mine.json")
    assert life.layer.memories.learned(life.who, episode.episode_id) is None
    life.console.settle()
    [item] = life.layer.memories.learned(life.who, episode.episode_id)
    assert item.state is CandidateState.HELD
    olu = life.console.person("olu", Role.MEMBER)
    with pytest.raises(NotFound):
        life.layer.memories.learned(olu, episode.episode_id)
