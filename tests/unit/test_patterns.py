"""The five detectors and what proves a pattern (rules §5.3): fires, does not, and where the line is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Misconfigured
from core.patterns import (
    DETECTORS,
    Detector,
    Hypothesis,
    LateNight,
    Observation,
    ObservationKind,
    RecurringCounterpart,
    RecurringReschedule,
    RepeatedPreference,
    WeekendAvoidance,
    prove,
)
from core.patterns.weeks import week_of
from tests.factories import POLICY

RULES = POLICY.patterns
LISBON, TOKYO = ZoneInfo("Europe/Lisbon"), ZoneInfo("Asia/Tokyo")
MONDAY = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
NOW = datetime(2026, 6, 1, 9, 0, tzinfo=UTC)
CALENDAR, MESSAGE, STATEMENT = ObservationKind.CALENDAR, ObservationKind.MESSAGE, ObservationKind.STATEMENT


def entry(number: int, at: datetime = MONDAY, *, to: datetime | None = None, **rest) -> Observation:
    """A calendar entry that was to begin `at`, moved `to` another time if one is given."""
    given = {"topic": f"entry {number}", "start": to or at, "moved_from": at if to else None}
    return Observation(episode_id=f"e{number}", session=week_of(at.date()), at=at, kind=CALENDAR, **(given | rest))


def moved(number: int, at: datetime, **rest) -> Observation:
    return entry(number, at, to=at + timedelta(days=1), **rest)


def message(number: int, at: datetime, *, session: str = "", **rest) -> Observation:
    return Observation(episode_id=f"m{number}", session=session or f"c{number}", at=at, kind=MESSAGE, **rest)


def statement(number: int, value: str = "tea", *, context: str = "in the morning", **rest) -> Observation:
    given = {"session": f"c{number}", "attribute": "prefers"}
    return Observation(
        episode_id=f"s{number}",
        at=MONDAY + timedelta(days=number),
        kind=STATEMENT,
        value=value,
        context=context,
        **(given | rest),
    )


def found(observations, detector: Detector, *, rules=RULES, now: datetime = NOW) -> dict[str, Hypothesis]:
    made = prove(observations, (detector,), rules, threshold=0.5, now=now)
    return {one.key: one for one in made}


def mondays(count: int) -> list[datetime]:
    return [MONDAY + timedelta(weeks=nth) for nth in range(count)]


# --- what proves -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "short_of"),
    [(1, ("episodes", "sessions")), (2, ("episodes",)), (3, ())],
)
def test_three_episodes_prove_and_two_do_not(count, short_of):
    one = found([moved(nth, at) for nth, at in enumerate(mondays(count))], RecurringReschedule())["monday"]
    assert one.short_of == short_of
    assert one.proven is (count >= 3)


def test_one_session_proves_nothing_however_many_episodes():
    late = [message(nth, MONDAY.replace(hour=23) + timedelta(days=nth), session="one chat") for nth in range(9)]
    one = found(late, LateNight())["late_night"]
    assert (len(one.supports), one.sessions, one.proven, one.short_of) == (9, 1, False, ("sessions",))
    late[4] = replace(late[4], session="another chat")
    assert found(late, LateNight())["late_night"].proven


@pytest.mark.parametrize(("against", "proven"), [(0, True), (2, True), (3, False), (37, False)])
def test_what_speaks_against_it_counts_as_a_share(against, proven):
    seen = [moved(nth, at) for nth, at in enumerate(mondays(3))]
    seen += [entry(100 + nth, MONDAY + timedelta(weeks=nth % 12, minutes=nth)) for nth in range(against)]
    one = found(seen, RecurringReschedule())["monday"]
    assert (len(one.supports), len(one.against), one.proven) == (3, against, proven)
    assert one.share == 3 / (3 + against)
    assert ("share" in one.short_of) is not proven


def test_copies_of_one_entry_are_one():
    copies = [replace(moved(nth, MONDAY), topic="the same") for nth in range(5)]
    one = found(copies, RecurringReschedule())["monday"]
    assert (len(one.supports), one.episodes) == (1, ("e0",))


def test_old_episodes_say_nothing_any_more():
    recent = [moved(nth, at) for nth, at in enumerate(mondays(3))]
    old = [replace(moved(nth + 10, at), at=at - timedelta(days=400)) for nth, at in enumerate(mondays(3))]
    assert not found([*old, *recent[:2]], RecurringReschedule())["monday"].proven
    assert found([*old, *recent], RecurringReschedule())["monday"].episodes == ("e0", "e1", "e2")


def test_trusted_episodes_decide_alone_where_they_carry_it():
    firm = [moved(nth, at) for nth, at in enumerate(mondays(3))]
    planted = [entry(100 + nth, MONDAY + timedelta(hours=nth + 1), trust=0.3) for nth in range(20)]
    planted += [moved(200 + nth, at, trust=0.3) for nth, at in enumerate(mondays(8))]
    one = found([*firm, *planted], RecurringReschedule())["monday"]
    assert (one.proven, one.trust, one.episodes, one.against) == (True, 1.0, ("e0", "e1", "e2"), ())


def test_what_untrusted_episodes_are_needed_for_is_worth_the_weakest():
    seen = [moved(nth, at) for nth, at in enumerate(mondays(2))] + [moved(9, MONDAY + timedelta(weeks=5), trust=0.3)]
    one = found(seen, RecurringReschedule())["monday"]
    assert (one.proven, one.trust) == (True, 0.3)


def test_planted_counter_evidence_cannot_unmake_what_trusted_episodes_show():
    firm = [moved(nth, at) for nth, at in enumerate(mondays(3))]
    planted = [entry(100 + nth, MONDAY + timedelta(weeks=1, hours=nth), trust=0.3) for nth in range(30)]
    assert found([*firm, *planted], RecurringReschedule())["monday"].proven


kinds = st.sampled_from(["moved", "kept", "late", "early", "tea", "coffee", "met"])
days = st.integers(0, 60)
worth = st.sampled_from([0.3, 0.4, 0.55, 0.6, 1.0])


@st.composite
def observations(draw) -> list[Observation]:
    made = []
    for number, (kind, day, trust) in enumerate(draw(st.lists(st.tuples(kinds, days, worth), max_size=30))):
        at = MONDAY + timedelta(days=day, hours=number % 7)
        if kind == "moved":
            made.append(moved(number, at, trust=trust))
        elif kind == "kept":
            made.append(entry(number, at, trust=trust, counterparts=("Ana",) if number % 2 else ()))
        elif kind == "met":
            made.append(message(number, at, own=False, counterparts=("Ana", "Bo")[: number % 3], trust=trust))
        elif kind in ("tea", "coffee"):
            made.append(replace(statement(number, kind), at=at, trust=trust))
        else:
            made.append(message(number, at.replace(hour=23 if kind == "late" else 11), trust=trust))
    return made


@settings(max_examples=60, deadline=None)
@given(made=observations(), data=st.data())
def test_the_order_does_not_matter_and_the_same_gives_the_same(made, data):
    shuffled = data.draw(st.permutations(made))
    first = prove(made, DETECTORS, RULES, threshold=0.5, now=NOW)
    assert prove(shuffled, tuple(reversed(DETECTORS)), RULES, threshold=0.5, now=NOW) == first
    assert prove([*made, *made], DETECTORS, RULES, threshold=0.5, now=NOW) == first


@settings(max_examples=60, deadline=None)
@given(made=observations())
def test_no_hypothesis_is_worth_more_than_its_weakest_episode_or_proven_without_its_numbers(made):
    by_id = {one.episode_id: one.trust for one in made}
    for one in prove(made, DETECTORS, RULES, threshold=0.5, now=NOW):
        assert one.trust == min(by_id[episode] for episode in one.episodes)
        assert not set(one.episodes) & {other.episode_id for other in one.against}
        enough = len(one.episodes) >= RULES.min_episodes and one.sessions >= RULES.min_sessions
        assert one.proven is (enough and one.share >= RULES.min_share)


@settings(max_examples=40, deadline=None)
@given(made=observations(), planted=observations())
def test_nothing_untrusted_changes_a_pattern_that_trusted_episodes_prove(made, planted):
    firm = [one for one in made if one.trust >= 0.5]
    noise = [
        replace(one, episode_id=f"x{one.episode_id}", topic=one.topic and f"x{one.topic}", trust=0.3) for one in planted
    ]
    window = replace(RULES, window_days=36_500.0)
    alone = prove(firm, DETECTORS, window, threshold=0.5, now=NOW)
    among = {(one.detector, one.key): one for one in prove([*firm, *noise], DETECTORS, window, threshold=0.5, now=NOW)}
    for one in alone:
        if one.proven:
            assert among[one.detector, one.key] == one


def test_the_detectors_are_five_with_names_of_their_own():
    assert [one.name for one in DETECTORS] == [
        "recurring_reschedule",
        "weekend_avoidance",
        "late_night",
        "repeated_preference",
        "recurring_counterpart",
    ]


# --- recurring reschedule ----------------------------------------------------------------------------------------


def test_the_weekday_is_the_one_of_the_entrys_own_zone():
    late_sunday = [datetime(2026, 1, 4, 23, 30, tzinfo=UTC) + timedelta(weeks=nth) for nth in range(3)]
    in_utc = found([moved(nth, at) for nth, at in enumerate(late_sunday)], RecurringReschedule())
    in_tokyo = found([moved(nth, at.astimezone(TOKYO)) for nth, at in enumerate(late_sunday)], RecurringReschedule())
    assert (set(in_utc), set(in_tokyo)) == ({"sunday"}, {"monday"})
    assert in_tokyo["monday"].sentence == "You often move appointments that fall on a Monday."


def test_entries_on_the_first_day_after_a_break_are_a_key_of_their_own():
    """Two weeks of work, ten days off, three times; what is moved stands on three different weekdays."""
    seen, number = [], 0
    for nth, (first, weekday) in enumerate(((0, 0), (30, 2), (60, 4))):
        begins = MONDAY + timedelta(days=first + (weekday - (MONDAY + timedelta(days=first)).weekday()) % 7)
        seen.append(moved(100 + nth, begins))
        for day in range(1, 6):
            number += 1
            seen.append(entry(number, begins + timedelta(days=day, hours=2)))
    hypotheses = found(seen, RecurringReschedule())
    assert hypotheses["after_break"].episodes == ("e101", "e102"), "the first day of all follows nothing"
    assert not hypotheses["after_break"].proven
    seen.append(moved(103, MONDAY + timedelta(days=95)))
    proven = found(seen, RecurringReschedule())["after_break"]
    assert proven.proven
    assert "after a break" in proven.sentence


@pytest.mark.parametrize(("gap", "is_break"), [(RULES.break_days, False), (RULES.break_days + 1, True)])
def test_a_break_has_its_days(gap, is_break):
    seen = [entry(1, MONDAY), moved(2, MONDAY + timedelta(days=gap))]
    assert ("after_break" in found(seen, RecurringReschedule())) is is_break


def test_cancelled_and_future_entries_say_nothing_about_moving():
    seen = [moved(nth, at) for nth, at in enumerate(mondays(3))]
    seen += [entry(10, MONDAY + timedelta(weeks=4), cancelled=True), entry(11, NOW + timedelta(days=7))]
    assert found(seen, RecurringReschedule())["monday"].against == ()


# --- weekend avoidance -------------------------------------------------------------------------------------------


def test_entries_moved_off_or_cancelled_on_weekends_speak_for_it():
    saturdays = [MONDAY + timedelta(days=5, weeks=nth) for nth in range(3)]
    seen = [
        moved(0, saturdays[0] + timedelta(days=1)),
        entry(1, saturdays[1], cancelled=True),
        entry(2, saturdays[2], to=saturdays[2] + timedelta(days=3)),
    ]
    one = found(seen, WeekendAvoidance())["weekend"]
    assert (one.proven, one.episodes, one.sessions) == (True, ("e0", "e1", "e2"), 3)
    kept = [entry(10 + nth, MONDAY + timedelta(days=5, weeks=10 + nth)) for nth in range(3)]
    assert not found([*seen, *kept], WeekendAvoidance())["weekend"].proven


def test_moving_from_saturday_to_sunday_avoids_nothing():
    saturdays = [MONDAY + timedelta(days=5, weeks=nth) for nth in range(3)]
    assert not found([moved(nth, at) for nth, at in enumerate(saturdays)], WeekendAvoidance())


def test_busy_weeks_with_a_free_weekend_speak_for_it_and_quiet_ones_say_nothing():
    busy = [entry(week * 10 + day, MONDAY + timedelta(weeks=week, days=day)) for week in range(3) for day in range(3)]
    one = found(busy, WeekendAvoidance())["weekend"]
    assert one.episodes == ("e2", "e12", "e22"), "each week is told by its last entry"
    assert one.proven
    quiet = [one for one in busy if not one.episode_id.endswith("2")]
    assert not found(quiet, WeekendAvoidance())


def test_a_week_that_is_not_over_says_nothing():
    busy = [entry(day, MONDAY + timedelta(days=day)) for day in range(3)]
    assert not found(busy, WeekendAvoidance(), now=MONDAY + timedelta(days=6))
    assert found(busy, WeekendAvoidance(), now=MONDAY + timedelta(days=9))


def test_the_weekend_begins_and_ends_by_the_entrys_own_clock():
    friday_night = datetime(2026, 1, 9, 23, 30, tzinfo=ZoneInfo("America/New_York"))  # Saturday in UTC
    assert not found([moved(1, friday_night)], WeekendAvoidance()), "a Friday is no weekend, and Saturday is none kept"
    sunday_night = datetime(2026, 1, 11, 23, 30, tzinfo=ZoneInfo("America/New_York"))  # Monday in UTC
    assert found([moved(1, sunday_night)], WeekendAvoidance())["weekend"].episodes == ("e1",)
    assert week_of(sunday_night.date()) != week_of((sunday_night + timedelta(days=1)).date())


# --- late-night activity -----------------------------------------------------------------------------------------


def test_days_count_and_not_messages():
    one_night = [message(nth, MONDAY.replace(hour=23, minute=nth)) for nth in range(20)]
    assert len(found(one_night, LateNight())["late_night"].supports) == 1


def test_what_is_written_at_two_belongs_to_the_day_before():
    at = MONDAY.replace(hour=22)
    seen = [message(1, at), message(2, at + timedelta(hours=4))]
    one = found(seen, LateNight())["late_night"]
    assert (one.episodes, one.against) == (("m2",), ())


@pytest.mark.parametrize(
    ("hour", "minute", "late"), [(22, 59, False), (23, 0, True), (0, 0, True), (4, 59, True), (5, 0, False)]
)
def test_late_is_from_eleven_until_five(hour, minute, late):
    seen = [message(1, MONDAY.replace(hour=hour, minute=minute))]
    assert bool(found(seen, LateNight())) is late


def test_late_is_by_the_wall_clock_on_both_sides_of_daylight_saving():
    """22:30 UTC is 22:30 in Lisbon in winter and 23:30 in summer."""
    winter, summer = datetime(2026, 3, 20, 22, 30, tzinfo=UTC), datetime(2026, 4, 20, 22, 30, tzinfo=UTC)
    seen = [message(1, winter.astimezone(LISBON)), message(2, summer.astimezone(LISBON))]
    one = found(seen, LateNight())["late_night"]
    assert (one.episodes, [other.episode_id for other in one.against]) == (("m2",), ["m1"])


def test_the_night_of_the_change_is_one_night():
    night = [datetime(2026, 3, 28, 23, 30, tzinfo=LISBON), datetime(2026, 3, 29, 3, 30, tzinfo=LISBON)]
    one = found([message(nth, at) for nth, at in enumerate(night)], LateNight())["late_night"]
    assert one.episodes == ("m0",)


def test_other_peoples_messages_say_nothing_about_the_owners_nights():
    seen = [message(nth, MONDAY.replace(hour=23) + timedelta(days=nth), own=False) for nth in range(5)]
    assert not found(seen, LateNight())


# --- repeated preference in context ------------------------------------------------------------------------------


def test_the_same_choice_in_the_same_situation():
    one = found([statement(nth) for nth in range(3)], RepeatedPreference())["in the morning|prefers|tea"]
    assert one.proven
    assert one.sentence == "In the morning you usually choose tea."
    elsewhere = [statement(0), statement(1), statement(2, context="at work")]
    assert not any(one.proven for one in found(elsewhere, RepeatedPreference()).values())


def test_another_choice_and_a_no_speak_against_it():
    seen = [statement(nth) for nth in range(3)]
    seen += [
        statement(10, "coffee"),
        statement(11, denies=True, attribute=""),
        statement(12, "soup", attribute="orders"),
    ]
    one = found(seen, RepeatedPreference())["in the morning|prefers|tea"]
    assert [other.episode_id for other in one.against] == ["s10", "s11"]
    assert one.proven
    assert not found([*seen, statement(13, "coffee")], RepeatedPreference())["in the morning|prefers|tea"].proven


def test_not_wanting_one_thing_says_nothing_about_another():
    seen = [statement(nth) for nth in range(3)] + [statement(9, "coffee", denies=True)]
    assert found(seen, RepeatedPreference())["in the morning|prefers|tea"].against == ()


# --- recurring counterpart ---------------------------------------------------------------------------------------


def test_a_counterpart_of_most_weeks():
    seen = [entry(nth, at, counterparts=("Ana Lima",)) for nth, at in enumerate(mondays(3))]
    one = found(seen, RecurringCounterpart())["ana lima"]
    assert (one.proven, one.sentence) == (True, "You meet or hear from Ana Lima in most weeks.")
    others = [entry(50 + nth, MONDAY + timedelta(weeks=5 + nth), counterparts=("Bo",)) for nth in range(3)]
    assert not found([*seen, *others], RecurringCounterpart())["ana lima"].proven


def test_a_busy_week_with_somebody_is_one_week():
    seen = [entry(nth, MONDAY + timedelta(days=nth), counterparts=("Ana",)) for nth in range(7)]
    one = found(seen, RecurringCounterpart())["ana"]
    assert (one.episodes, one.sessions) == (("e0",), 1)
    sunday, next_day = seen[-1], entry(8, MONDAY + timedelta(days=7), counterparts=("Ana",))
    assert sunday.session != next_day.session
    assert len(found([*seen, next_day], RecurringCounterpart())["ana"].supports) == 2


def test_weeks_without_anybody_and_cancelled_meetings_say_nothing():
    seen = [entry(nth, at, counterparts=("Ana",)) for nth, at in enumerate(mondays(3))]
    seen += [entry(20 + nth, MONDAY + timedelta(weeks=6 + nth)) for nth in range(9)]
    seen += [entry(40, MONDAY + timedelta(weeks=4), counterparts=("Bo",), cancelled=True)]
    hypotheses = found(seen, RecurringCounterpart())
    assert hypotheses["ana"].against == ()
    assert "bo" not in hypotheses


def test_one_name_however_it_is_written():
    seen = [
        entry(nth, at, counterparts=(name,))
        for nth, (at, name) in enumerate(zip(mondays(3), ("Ana Lima", "ana lima", "Ana  Lima"), strict=True))
    ]
    assert len(found(seen, RecurringCounterpart())["ana lima"].supports) == 3


# --- what is refused ---------------------------------------------------------------------------------------------


def test_a_zone_that_does_not_exist_is_refused_by_name():
    with pytest.raises(Misconfigured, match=r"patterns\.timezone"):
        replace(RULES, timezone="Mars/Olympus")


def test_a_naive_time_is_refused():
    with pytest.raises(ValueError, match="timezone-aware"):
        message(1, datetime(2026, 1, 5, 9, 0))  # noqa: DTZ001
