"""What every People does, on the real one."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from core.errors import BadInput
from core.model import Person, Role
from core.ports import Invitation, Session, Throttle
from tests.store_fixtures import NOW

HOUR = timedelta(hours=1)


def person(user_id="u1", username="Ann", **changes) -> Person:
    values = {"display_name": "Ann A.", "tenant": "acme", "role": Role.MEMBER, "created_at": NOW} | changes
    return Person(user_id=user_id, username=username, **values)


def session(session_id="s1", user_id="u1", **changes) -> Session:
    values = {"created_at": NOW, "last_seen_at": NOW, "address": "10.0.0.1", "user_agent": "x\x00"} | changes
    return Session(session_id=session_id, user_id=user_id, **values)


def test_accounts(postgres_people):
    assert postgres_people.count() == 0
    postgres_people.add(person(), "hash1")
    postgres_people.add(person("u2", "ben", tenant="globex"), "hash2")
    assert postgres_people.by_username("aNN") == (person(), "hash1")
    assert postgres_people.by_id("u1") == person()
    assert postgres_people.by_id("\x00") is None
    assert postgres_people.by_username("nobody") is None
    assert postgres_people.all("acme") == [person()]
    assert postgres_people.count() == 2


def test_names_differ_by_more_than_case(postgres_people):
    postgres_people.add(person(), "hash")
    with pytest.raises(BadInput):
        postgres_people.add(person("u2", "ANN"), "hash")
    assert postgres_people.count() == 1


def test_update_changes_what_is_given_only(postgres_people):
    postgres_people.add(person(), "hash")
    postgres_people.update("u1", role=Role.ADMIN)
    postgres_people.update("u1", disabled=True, display_name="A")
    assert postgres_people.by_username("ann") == (person(role=Role.ADMIN, disabled=True, display_name="A"), "hash")
    postgres_people.update("u1", disabled=False, password_hash="other")
    assert postgres_people.by_username("ann") == (person(role=Role.ADMIN, display_name="A"), "other")


def test_sessions(postgres_people):
    postgres_people.add(person(), "hash")
    for n in range(3):
        postgres_people.open_session(session(f"s{n}", last_seen_at=NOW + n * HOUR), f"token{n}")
    assert postgres_people.session("token0") == (session("s0", user_agent="x\ufffd"), person())
    assert postgres_people.session_by_id("s0") == postgres_people.session("token0")
    assert postgres_people.session("") is None
    postgres_people.touch_session("s0", NOW + 5 * HOUR)
    postgres_people.touch_session("s0", NOW)
    assert [s.session_id for s in postgres_people.sessions("u1")] == ["s0", "s2", "s1"]
    postgres_people.end_session("s2")
    assert postgres_people.session("token2") is None
    assert postgres_people.session_by_id("s2") is None
    assert postgres_people.end_sessions("u1", but="s0") == 1
    assert [s.session_id for s in postgres_people.sessions("u1")] == ["s0"]
    assert postgres_people.end_sessions("u1") == 1
    assert postgres_people.sessions("u1") == []


def test_throttle(postgres_people):
    assert postgres_people.throttle("k") == Throttle(failures=0, blocked_until=None)
    postgres_people.set_throttle("k", Throttle(failures=2, blocked_until=None))
    postgres_people.set_throttle("k", Throttle(failures=3, blocked_until=NOW))
    assert postgres_people.throttle("k") == Throttle(failures=3, blocked_until=NOW)
    postgres_people.set_throttle("k", Throttle(failures=0, blocked_until=None))
    assert postgres_people.throttle("k").failures == 0


def invitation() -> Invitation:
    return Invitation(
        token_hash="t",
        tenant="acme",
        role=Role.REVIEWER,
        expires_at=NOW + HOUR,
        created_by="u1",
        username="ben",
        extra={"note": "hi"},
    )


def test_invitation_is_seen_then_used_once(postgres_people):
    postgres_people.add_invitation(invitation())
    assert postgres_people.take_invitation("t", now=NOW, consume=False) == invitation()
    assert postgres_people.take_invitation("t", now=NOW + HOUR, consume=True) is None
    assert postgres_people.take_invitation("t", now=NOW, consume=True) == invitation()
    assert postgres_people.take_invitation("t", now=NOW, consume=True) is None
    assert postgres_people.take_invitation("t", now=NOW, consume=False) is None


def test_of_two_who_hold_the_link_one_gets_in(postgres_people):
    postgres_people.add_invitation(invitation())
    together = threading.Barrier(4)
    got = []

    def take() -> None:
        together.wait()
        got.append(postgres_people.take_invitation("t", now=NOW, consume=True))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found is not None for found in got) == [False, False, False, True]
