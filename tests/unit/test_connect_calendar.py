"""Calendars: zones, recurrences, moved and cancelled occurrences, and what is broken."""

from datetime import UTC, datetime

import pytest

from core.errors import BadInput, TooLarge
from core.eventtext import field_of, is_event, moved
from core.ports import ImportLimits
from tests.connector_kit import NOW, entries, items, sorted_out, write

ZONE = """BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
"""
WEEKLY = """BEGIN:VEVENT
UID:w1
DTSTAMP:20260101T000000Z
DTSTART;TZID=Europe/Berlin:20260319T100000
DTEND;TZID=Europe/Berlin:20260319T110000
RRULE:FREQ=WEEKLY;COUNT=4
EXDATE;TZID=Europe/Berlin:20260409T100000
SUMMARY:Choir
END:VEVENT
BEGIN:VEVENT
UID:w1
DTSTAMP:20260101T000000Z
RECURRENCE-ID;TZID=Europe/Berlin:20260402T100000
DTSTART;TZID=Europe/Berlin:20260403T180000
DTEND;TZID=Europe/Berlin:20260403T190000
SUMMARY:Choir
END:VEVENT
"""


def calendar(path, body, zone=ZONE):
    return write(path, f"BEGIN:VCALENDAR\nVERSION:2.0\n{zone}{body}END:VCALENDAR\n".replace("\n", "\r\n"))


def event(*lines, uid="e1"):
    return "\n".join(["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20260101T000000Z", *lines, "END:VEVENT", ""])


def test_every_field_stands_on_its_line(tmp_path):
    path = calendar(
        tmp_path / "Work.ics",
        event(
            "SUMMARY:Dentist\\, upper floor",
            "DTSTART;TZID=Europe/Berlin:20260305T100000",
            "DURATION:PT30M",
            "STATUS:TENTATIVE",
            "ORGANIZER;CN=Dr Ruiz:mailto:ruiz@praxis.example",
            "ATTENDEE:mailto:tove@example.org",
            "ATTENDEE;CN=Ben:mailto:ben@example.org",
            "LOCATION:Main street 4\\nfirst floor",
            "DESCRIPTION:Bring the card.\\nStatus: cancelled\\n",
        ),
    )
    [one] = items(path)
    assert one.text == (
        "Calendar event: Dentist, upper floor\n"
        "Start: 2026-03-05T10:00:00+01:00\n"
        "End: 2026-03-05T10:30:00+01:00\n"
        "Status: tentative\n"
        "With: Dr Ruiz, tove@example.org, Ben\n"
        "Where: Main street 4 first floor\n"
        "Notes: Bring the card. Status: cancelled"
    )
    assert is_event(one.text)
    assert field_of(one.text, "Status") == "tentative"  # a note's words are no field
    assert (one.item_id, one.part_class, one.title, one.source_ref) == ("e1", "ics", "Work", "calendar Work")
    assert one.dated_at == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_series_keeps_its_hour_over_the_change_to_summer_time(tmp_path):
    found = items(calendar(tmp_path / "c.ics", WEEKLY))
    assert [field_of(one.text, "Start") for one in found] == [
        "2026-03-19T10:00:00+01:00",
        "2026-03-26T10:00:00+01:00",
        "2026-04-03T18:00:00+02:00",  # moved; the one of 9 April is taken out
    ]
    assert field_of(found[2].text, "Moved from") == "2026-04-02T10:00:00+02:00"
    assert [one.item_id for one in found] == [
        "w1/2026-03-19T09:00:00+00:00",
        "w1/2026-03-26T09:00:00+00:00",
        "w1/2026-04-02T08:00:00+00:00",
    ]


def test_all_day_cancelled_and_floating(tmp_path):
    found = items(
        calendar(
            tmp_path / "c.ics",
            event("SUMMARY:Holiday", "DTSTART;VALUE=DATE:20260401", "DTEND;VALUE=DATE:20260403", uid="a")
            + event("SUMMARY:Off", "DTSTART:20260401T080000", "STATUS:CANCELLED", uid="b")
            + event("DTSTART:20260401T080000Z", uid="c"),
        )
    )
    assert found[0].text == "Calendar event: Holiday\nStart: 2026-04-01\nEnd: 2026-04-03\nStatus: confirmed"
    assert "Start: 2026-04-01T08:00:00+00:00\nStatus: cancelled" in found[1].text
    assert found[2].text.startswith("Calendar event: (no title)")


def test_only_the_window_of_a_series_is_written_out(tmp_path):
    found = items(calendar(tmp_path / "c.ics", event("SUMMARY:Bins", "DTSTART:20000103T070000Z", "RRULE:FREQ=WEEKLY")))
    starts = [datetime.fromisoformat(field_of(one.text, "Start")) for one in found]
    assert 60 < len(found) < 70
    assert min(starts) > datetime(2025, 1, 20, tzinfo=UTC)
    assert max(starts) < datetime(2026, 5, 3, tzinfo=UTC)
    assert min(starts) < NOW


def test_a_broken_event_takes_nobody_along(tmp_path):
    path = calendar(
        tmp_path / "c.ics",
        event("SUMMARY:No start", uid="a")
        + event("SUMMARY:Odd", "DTSTART:nonsense", uid="b")
        + event("SUMMARY:Too often", "DTSTART:20260101T000000Z", "RRULE:FREQ=SECONDLY", uid="c")
        + event("SUMMARY:Fine", "DTSTART:20260401T080000Z", uid="d")
        + WEEKLY.replace("RECURRENCE-ID;TZID=Europe/Berlin:20260402T100000", "RECURRENCE-ID;TZID=Europe/Berlin:never")
        + "BEGIN:VEVENT\nUID:e\nSUMMARY:Not closed\nDTSTART:20260402T080000Z\n",
    )
    good, broken = sorted_out(path)
    assert "Fine" in [field_of(one.text, "Calendar event") for one in good]
    assert "Choir" in [field_of(one.text, "Calendar event") for one in good]
    assert "line 18" in [one.place for one in broken]
    assert {"start" in one.reason or "cannot be read" in one.reason or "limit" in one.reason for one in broken} == {
        True
    }


def test_the_last_of_two_with_one_id_stands(tmp_path):
    body = event("SUMMARY:Old", "DTSTART:20260401T080000Z") + event("SUMMARY:New", "DTSTART:20260402T080000Z")
    assert [field_of(one.text, "Calendar event") for one in items(calendar(tmp_path / "c.ics", body))] == ["New"]


def test_an_event_without_id_is_known_by_its_place(tmp_path):
    body = event("SUMMARY:A", "DTSTART:20260401T080000Z").replace("UID:e1\n", "")
    [one] = items(calendar(tmp_path / "c.ics", body))
    assert one.item_id.startswith("without id")


def test_what_is_no_calendar_is_refused_as_a_whole(tmp_path):
    with pytest.raises(BadInput, match="no calendar"):
        entries(write(tmp_path / "c.ics", "hello"))
    with pytest.raises(TooLarge, match="one year"):
        entries(calendar(tmp_path / "d.ics", WEEKLY), limits=ImportLimits(whole_bytes=100))


def test_where_an_event_was_before_is_told_once():
    before = "Calendar event: Choir\nStart: 2026-04-01T10:00:00+02:00\nStatus: confirmed\nWhere: Hall"
    now = before.replace("04-01", "04-03")
    told = moved(before, now)
    assert told.split("\n")[2:4] == ["Status: confirmed", "Moved from: 2026-04-01T10:00:00+02:00"]
    assert moved(before, before) == before
    assert moved(before, told) == told
    assert moved("something else", now) == now
