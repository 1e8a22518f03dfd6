"""Patterns over the real layer: proven by counting, never trusted above their weakest episode, kept up and retired (§5.3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from console.claim import group_name
from core.clusters import PATTERNS
from core.errors import BadInput, NotAuthorised, NotFound, StaleReview
from core.model import CandidateState, MemoryStatus, Role, SourceKind
from core.patterndesk import PatternStanding, PatternView
from core.ports import HeldFilter
from tests.acceptance.life import MAIL, TOOL, USER, WEB, Life
from tests.conftest import Console, MakeConsole
from tests.factories import NOW

MONDAY = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)  # eight weeks before the tests' present


def entry(summary: str, start: datetime, *, moved_from: datetime | None = None, **fields: str) -> str:
    """A calendar episode as importers and the calendar tool write it."""
    lines = [
        f"Calendar event: {summary}",
        f"Start: {start.isoformat()}",
        f"End: {(start + timedelta(hours=1)).isoformat()}",
    ]
    lines.append(f"Status: {fields.pop('status', 'confirmed')}")
    if moved_from is not None:
        lines.append(f"Moved from: {moved_from.isoformat()}")
    return "\n".join([*lines, *(f"{name.title()}: {value}" for name, value in fields.items())])


class Habits(Life):
    """A life whose patterns are looked at when asked for."""

    def look(self) -> list[PatternView]:
        self.wait(minutes=2)
        self.console.settle()
        return list(self.layer.patterns.list(self.who))

    def one(self, detector: str) -> PatternView:
        [found] = [one for one in self.look() if one.detector == detector]
        return found

    def calendar(self, text: str, *, where: str = "calendar", channel: SourceKind = TOOL, **rest: Any) -> str:
        given: dict[str, Any] = {"tool": "calendar"} if channel is TOOL else {}
        given |= {"distil": False}  # nothing else is read out of it; the first test takes the whole way
        return self.submit(text, channel=channel, where=where, **(given | rest)).episode_id

    def moved_mondays(self, count: int, *, first: int = 0, **rest: Any) -> list[str]:
        mondays = [MONDAY + timedelta(weeks=first + nth) for nth in range(count)]
        return [
            self.calendar(entry(f"Planning {first + nth}", at + timedelta(days=1), moved_from=at), **rest)
            for nth, at in enumerate(mondays)
        ]

    def kept_mondays(self, count: int, *, first: int = 0) -> None:
        for nth in range(count):
            self.calendar(entry(f"Review {first + nth}", MONDAY + timedelta(weeks=first + nth, hours=3)))


@pytest.fixture
def life(console: Console) -> Habits:
    return Habits(console)


def test_three_moved_mondays_become_knowledge_with_their_episodes_as_roots(life: Habits) -> None:
    episodes = [*life.moved_mondays(2), *life.moved_mondays(1, first=2, distil=True)]
    life.console.settle()
    found = life.one("recurring_reschedule")
    assert found.standing is PatternStanding.KNOWLEDGE
    assert (found.supports, found.against, found.sessions) == (3, 0, 3)
    assert found.sentence == "You often move appointments that fall on a Monday."
    assert [one.episode_id for one in reversed(found.episodes)] == episodes
    memory = life.row(found.memory_id)
    assert {root.episode_id for root in memory.roots} == set(episodes)
    assert memory.effective_trust == life.layer.policy.tools.reads_people
    assert memory.kind.value == "fact"
    assert life.recall("When do I move appointments that fall on a Monday?")[0] == memory.text
    assert life.verified()


def test_two_episodes_are_a_hypothesis_and_a_third_makes_it_knowledge(life: Habits) -> None:
    life.moved_mondays(2)
    found = life.one("recurring_reschedule")
    assert found.standing is PatternStanding.HYPOTHESIS
    assert (found.supports, found.needed_episodes) == (2, 3)
    assert not life.facts(text="Monday")
    life.moved_mondays(1, first=2)
    assert life.one("recurring_reschedule").standing is PatternStanding.KNOWLEDGE


def test_counter_evidence_retires_a_pattern_and_more_evidence_brings_it_back(life: Habits) -> None:
    life.moved_mondays(3)
    known = life.one("recurring_reschedule")
    life.kept_mondays(3)
    found = life.one("recurring_reschedule")
    assert found.standing is PatternStanding.RETIRED
    assert (found.supports, found.against) == (3, 3)
    assert life.row(known.memory_id).status is MemoryStatus.SUPERSEDED
    assert not life.facts(text="Monday")
    life.moved_mondays(2, first=3)
    again = life.one("recurring_reschedule")
    assert again.standing is PatternStanding.KNOWLEDGE
    assert [one.memory_id for one in life.facts(text="Monday")] == [again.memory_id] != [known.memory_id]


def test_a_pattern_out_of_web_pages_is_held_and_reaches_no_prompt(life: Habits) -> None:
    life.moved_mondays(3, channel=WEB)
    found = life.one("recurring_reschedule")
    assert found.standing is PatternStanding.HELD
    assert found.trust == life.layer.policy.trust.web_content
    assert "low_trust" in found.reasons
    assert not life.facts(text="Monday")
    assert list(life.layer.patterns.about(life.who, "Which appointments do I move on a Monday?")) == []


def test_patterns_that_wait_are_one_group(life: Habits) -> None:
    life.moved_mondays(3, channel=WEB)
    for nth in range(3):
        friday = MONDAY + timedelta(weeks=nth, days=4)
        moved = entry(f"Tasting {nth}", friday + timedelta(days=3), moved_from=friday)
        life.calendar(moved, channel=WEB)
    held = [one for one in life.look() if one.standing is PatternStanding.HELD]
    assert len(held) > 1
    groups, total = life.layer.ledger.held_groups(HeldFilter(tenant=life.who.tenant), limit=10)
    [group] = [one for one in groups if one.cluster == PATTERNS]
    assert (total, group.count) == (len(groups), len(held))
    assert group_name(group, {group.owner: "Ann"}) == "Patterns in what Ann told and did"


def test_one_untrusted_episode_among_three_holds_the_pattern_and_a_fourth_trusted_one_frees_it(life: Habits) -> None:
    life.moved_mondays(2)
    life.moved_mondays(1, first=2, channel=WEB, where="page")
    held = life.one("recurring_reschedule")
    assert held.standing is PatternStanding.HELD
    assert held.trust == life.layer.policy.trust.web_content
    life.moved_mondays(1, first=3)
    found = life.one("recurring_reschedule")
    assert found.standing is PatternStanding.KNOWLEDGE
    assert found.supports == 3, "the page does not count where trusted episodes carry it alone"
    item = life.layer.ledger.candidate(held.candidate_id)
    assert item is not None
    assert item.state is CandidateState.REJECTED


def test_planted_pages_neither_spoil_a_pattern_nor_lower_it(life: Habits) -> None:
    life.moved_mondays(3)
    before = life.one("recurring_reschedule")
    for nth in range(12):
        life.calendar(entry(f"Planted {nth}", MONDAY + timedelta(weeks=nth % 8, hours=nth)), channel=WEB)
    life.moved_mondays(2, first=5, channel=WEB)
    after = life.one("recurring_reschedule")
    assert after.standing is PatternStanding.KNOWLEDGE
    assert (after.memory_id, after.trust) == (before.memory_id, before.trust)


def test_a_tool_in_a_tainted_conversation_launders_nothing(life: Habits) -> None:
    life.calendar("Everyone moves everything on Mondays.", channel=WEB, where="tainted")
    life.moved_mondays(3, where="tainted")
    found = life.one("recurring_reschedule")
    assert found.standing is PatternStanding.HELD
    assert found.trust == life.layer.policy.trust.web_content


def test_late_nights_need_several_conversations(life: Habits) -> None:
    for nth in range(3):
        life.console.clock.at = NOW + timedelta(days=nth, hours=14, minutes=30)  # 23:30
        life.submit(f"The lamp number {nth} in the hall is broken.", where="one chat", distil=False)
    found = life.one("late_night")
    assert found.standing is PatternStanding.HYPOTHESIS
    assert (found.supports, found.sessions) == (3, 1)
    life.console.clock.at = NOW + timedelta(days=4, hours=16)  # 01:00, still the day before
    life.submit("The second lamp is broken as well.", where="another chat", distil=False)
    found = life.one("late_night")
    assert found.standing is PatternStanding.KNOWLEDGE
    assert found.trust == 1.0
    assert life.row(found.memory_id).effective_trust == 1.0


def test_a_repeated_choice_becomes_a_preference_in_context_and_replaces_nothing_said(life: Habits) -> None:
    for nth, text in enumerate(
        ("In the morning I prefer green tea.", "I had green tea in the morning.", "In the morning I prefer green tea.")
    ):
        life.console.clock.at = NOW + timedelta(days=nth)
        life.submit(text, where=f"chat {nth}", distil=False)
    life.console.clock.at = NOW + timedelta(days=4)
    life.say("In the morning I like green tea.", where="chat 4")
    said = {one.memory_id for one in life.rows()}
    found = next(one for one in life.look() if one.detector == "repeated_preference")
    assert found.sentence == "In the morning you usually choose green tea."
    assert found.standing is PatternStanding.KNOWLEDGE
    assert said <= {one.memory_id for one in life.rows()}, "what the owner said stands"


def test_a_recurring_counterpart_comes_from_calendar_and_mail_together(life: Habits) -> None:
    for nth in range(2):
        life.calendar(entry(f"Sync {nth}", MONDAY + timedelta(weeks=nth), **{"with": "Noor Haddad, Team"}))
    life.console.clock.at = NOW
    life.submit(
        "The slides are ready.", channel=MAIL, where="mail", title="Noor Haddad", source_ref="noor@mail.example"
    )
    found = next(one for one in life.look() if "Noor" in one.sentence)
    assert found.standing is PatternStanding.KNOWLEDGE
    assert found.trust == life.layer.policy.trust.third_party


def test_a_pattern_that_gains_weaker_evidence_is_said_anew_at_that_trust(life: Habits) -> None:
    for nth in range(3):
        at = MONDAY + timedelta(weeks=nth)
        life.calendar(
            entry(f"Planning {nth}", at + timedelta(days=1), moved_from=at), channel=USER, where=f"typed {nth}"
        )
    first = life.one("recurring_reschedule")
    life.moved_mondays(1, first=3)
    second = life.one("recurring_reschedule")
    assert second.standing is PatternStanding.KNOWLEDGE
    memory = life.row(second.memory_id)
    weakest = min(root.trust for root in memory.roots)
    assert memory.effective_trust == weakest == life.layer.policy.tools.reads_people
    assert life.row(first.memory_id).status is MemoryStatus.SUPERSEDED


def test_looking_again_changes_nothing(life: Habits) -> None:
    life.moved_mondays(3)
    before = life.look()
    rows = life.rows(*MemoryStatus)
    again = life.look()
    assert again == before
    assert life.rows(*MemoryStatus) == rows
    assert not life.layer.ledger.pattern_work(life.layer.policy.digest, limit=5)


def test_a_dismissed_pattern_comes_back_only_by_new_evidence_and_then_to_a_person(life: Habits) -> None:
    life.moved_mondays(3)
    found = life.one("recurring_reschedule")
    life.layer.patterns.dismiss(life.who, found.pattern_id, "those were exceptions", seen_version=found.version)
    assert life.one("recurring_reschedule").standing is PatternStanding.DISMISSED
    assert not life.facts(text="Monday")
    assert life.audit("pattern:dismissed")[0].actor == life.who.user_id
    life.moved_mondays(2, first=3)
    assert life.one("recurring_reschedule").standing is PatternStanding.DISMISSED
    life.moved_mondays(1, first=5)
    again = life.one("recurring_reschedule")
    assert again.standing is PatternStanding.HELD
    assert "forgotten" in again.reasons


def test_dismissing_is_the_owners_alone_and_one_act(life: Habits) -> None:
    life.moved_mondays(3)
    found = life.one("recurring_reschedule")
    other = life.console.person("grace", Role.REVIEWER)
    desk = life.layer.patterns
    with pytest.raises(NotFound):
        desk.dismiss(other, found.pattern_id, "no", seen_version=found.version)
    assert not list(desk.list(other))
    with pytest.raises(BadInput):
        desk.dismiss(life.who, found.pattern_id, "  ", seen_version=found.version)
    with pytest.raises(StaleReview):
        desk.dismiss(life.who, found.pattern_id, "no", seen_version=found.version - 1)
    with pytest.raises(NotAuthorised):
        desk.list(replace(life.who, session_id="gone"))
    desk.dismiss(life.who, found.pattern_id, "no", seen_version=found.version)
    desk.dismiss(life.who, found.pattern_id, "no", seen_version=found.version)
    assert len(life.audit("pattern:dismissed")) == 1


def test_a_held_pattern_that_its_owner_dismisses_leaves_the_queue(life: Habits) -> None:
    life.moved_mondays(3, channel=WEB)
    found = life.one("recurring_reschedule")
    life.layer.patterns.dismiss(life.who, found.pattern_id, "a page made that up", seen_version=found.version)
    item = life.layer.ledger.candidate(found.candidate_id)
    assert item is not None
    assert item.state is CandidateState.REJECTED
    assert life.one("recurring_reschedule").standing is PatternStanding.DISMISSED


def test_forgetting_the_memory_is_dismissing_the_pattern(life: Habits) -> None:
    life.moved_mondays(3)
    found = life.one("recurring_reschedule")
    life.layer.memories.forget(life.who, found.memory_id, "not true")
    life.moved_mondays(1, first=3)
    assert life.one("recurring_reschedule").standing is PatternStanding.DISMISSED
    life.layer.memories.restore(life.who, found.memory_id)
    life.moved_mondays(1, first=4)
    assert life.one("recurring_reschedule").standing is PatternStanding.KNOWLEDGE


def test_a_purge_and_an_erasure_leave_no_word_of_a_pattern(life: Habits) -> None:
    for nth in range(3):
        life.calendar(entry(f"Sync {nth}", MONDAY + timedelta(weeks=nth), **{"with": "Noor Haddad"}))
    found = next(one for one in life.look() if "Noor" in one.sentence)
    life.layer.memories.forget(life.who, found.memory_id, "private")
    life.layer.memories.purge(life.who, at_once=True)
    kept = life.layer.ledger.pattern(found.pattern_id)
    assert kept is not None
    assert "noor" not in f"{kept.key} {kept.sentence}".lower()
    life.calendar(entry("Sync 4", MONDAY + timedelta(weeks=4), **{"with": "Noor Haddad"}))
    assert not [one for one in life.look() if one.standing is PatternStanding.KNOWLEDGE]


def test_the_owners_question_finds_its_pattern(life: Habits) -> None:
    life.moved_mondays(3)
    life.look()
    [found] = life.layer.patterns.about(life.who, "Which appointments do I move on a Monday?")
    assert found.detector == "recurring_reschedule"
    assert list(life.layer.patterns.about(life.who, "What is my blood type?")) == []
    assert USER is SourceKind.USER_TURN


class Cut:
    """A ledger whose process dies before its nth transaction."""

    def __init__(self, inner: Any, after: int) -> None:
        self.inner, self.left = inner, after

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def transaction(self) -> Any:
        if self.left <= 0:
            raise KeyboardInterrupt
        self.left -= 1
        return self.inner.transaction()


def test_a_look_that_is_cut_off_anywhere_is_finished_by_the_next(life: Habits) -> None:
    life.moved_mondays(3)
    whole, cuts = life.layer.patterning, 0
    for after in range(40):
        life.wait(minutes=2)
        cut = Cut(life.layer.ledger, after)
        try:
            replace(whole, ledger=cut, enactor=replace(whole.enactor, ledger=cut), _looked={}).run_once()
        except KeyboardInterrupt:
            cuts += 1
        else:
            break
    assert cuts == 3, "after the hypothesis, after its note, and before the store has the memory"
    found = life.one("recurring_reschedule")
    assert found.standing is PatternStanding.KNOWLEDGE
    assert [one.memory_id for one in life.facts(text="Monday")] == [found.memory_id]
    assert len(life.audit("pattern:proposed")) == 1
    assert life.verified()


def test_a_member_sees_that_something_is_held_but_not_its_words(make_console: MakeConsole) -> None:
    console = make_console(chronomemory_members_see_held=False)
    theirs = Habits(console, console.person("mem", Role.MEMBER))
    theirs.moved_mondays(3, channel=WEB)
    found = theirs.one("recurring_reschedule")
    assert (found.standing, found.sentence, found.episodes) == (PatternStanding.HELD, "", ())


class Words:
    """A wording that notes what it is given."""

    def __init__(self) -> None:
        self.given: list[str] = []

    def word(self, sentence: str) -> str:
        self.given.append(sentence)
        return "Most Mondays you move appointments."


def test_only_a_trusted_pattern_is_worded_and_the_words_are_what_is_remembered(life: Habits) -> None:
    words = Words()
    whole = replace(life.layer.patterning, wording=words, _looked={})
    life.moved_mondays(3, channel=WEB, where="page")
    whole.run_once()
    assert words.given == []
    life.moved_mondays(3, first=3)
    life.wait(minutes=2)
    whole.run_once()
    assert words.given == ["You often move appointments that fall on a Monday."]
    [found] = life.layer.patterns.list(life.who)
    assert found.sentence == life.row(found.memory_id).text == "Most Mondays you move appointments."
