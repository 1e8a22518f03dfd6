"""Accounts: sign-in, sessions, throttle, roles, invitations."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import timedelta

import pytest

from core.accounts import Accounts
from core.credentials import AccountLimits, after_failure, dummy_hash, hash_password, password_matches, token_hash
from core.errors import BadInput, LedgerUnavailable, NotAuthorised, NotFound, StoreUnavailable, TooManyAttempts
from core.model import Actor, Person, Role
from core.ports import Session, Throttle
from tests.fakes_people import AuditLog, CountingIds, FakePeople, SetClock

GOOD = "correct horse staple"
OTHER = "another long password"
LIMITS = AccountLimits(bcrypt_rounds=4)


class World:
    """Accounts over fakes, with an admin."""

    def __init__(self) -> None:
        self.clock, self.people, self.audit = SetClock(), FakePeople(), AuditLog()
        self.accounts = Accounts(
            people=self.people, clock=self.clock, ids=CountingIds(), audit=self.audit, limits=LIMITS
        )
        self.accounts.ensure_admin("ada", GOOD)

    def sign_in(self, username: str = "ada", password: str = GOOD, address: str = "192.0.2.7") -> tuple[Session, str]:
        return self.accounts.sign_in(username, password, address, "browser")

    def actor(self, username: str = "ada", password: str = GOOD) -> Actor:
        actor = self.accounts.resolve(self.sign_in(username, password)[1])
        assert actor is not None
        return actor

    def invited(self, username: str, role: Role = Role.MEMBER) -> Person:
        token = self.accounts.invite(self.actor(), role)
        return self.accounts.accept_invitation(token, username, "", GOOD)


@pytest.fixture
def world() -> World:
    return World()


# --- first start ----------------------------------------------------------------------------------------------------


def empty() -> World:
    world = World()
    world.people = FakePeople()
    world.accounts = Accounts(
        people=world.people, clock=world.clock, ids=CountingIds(), audit=world.audit, limits=LIMITS
    )
    world.audit.entries.clear()
    return world


def test_set_up_link_works_once_and_makes_an_admin() -> None:
    world = empty()
    token = world.accounts.setup_token()
    assert token is not None
    person = world.accounts.create_first_admin(token, " Ada.B ", "Ada B.", GOOD)
    assert (person.username, person.display_name, person.role) == ("ada.b", "Ada B.", Role.ADMIN)
    with pytest.raises(NotAuthorised, match="not valid any more"):
        world.accounts.create_first_admin(token, "eve", "", GOOD)
    assert world.accounts.setup_token() is None
    assert world.people.count() == 1
    assert world.audit.actions == ["person:created"]


def test_a_new_set_up_token_ends_the_one_before() -> None:
    world = empty()
    first, second = world.accounts.setup_token(), world.accounts.setup_token()
    assert first
    assert second
    assert first != second
    assert not world.accounts.setup_token_valid(first)
    assert world.accounts.setup_token_valid(second)


def test_a_refused_password_leaves_the_set_up_token_valid() -> None:
    world = empty()
    token = world.accounts.setup_token()
    assert token
    with pytest.raises(BadInput, match="at least 12 characters"):
        world.accounts.create_first_admin(token, "ada", "", "short")
    assert world.accounts.create_first_admin(token, "ada", "", GOOD).username == "ada"


@pytest.mark.parametrize("token", ["", "guess", "x" * 43])
def test_no_set_up_without_the_token(token: str) -> None:
    world = empty()
    for _ in range(2):  # before a token exists, and after
        with pytest.raises(NotAuthorised):
            world.accounts.create_first_admin(token, "eve", "", GOOD)
        world.accounts.setup_token()
    assert world.people.count() == 0


def test_two_set_ups_at_once_make_one_admin() -> None:
    world = empty()
    token = world.accounts.setup_token()
    assert token
    made: list[str] = []

    def run(name: str) -> None:
        with suppress(NotAuthorised):
            made.append(world.accounts.create_first_admin(token, name, "", GOOD).username)

    threads = [threading.Thread(target=run, args=(f"admin{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert world.people.count() == 1


def test_the_admin_of_the_settings_is_made_once_and_never_reset(world: World) -> None:
    assert world.accounts.ensure_admin("ada", OTHER) is False
    assert world.accounts.ensure_admin("eve", OTHER) is False
    world.sign_in("ada", GOOD)
    assert world.people.count() == 1


# --- sign-in --------------------------------------------------------------------------------------------------------


def test_sign_in_opens_a_session_and_stores_only_the_hash_of_its_token(world: World) -> None:
    session, token = world.sign_in("ADA ")
    actor = world.accounts.resolve(token)
    assert actor is not None
    assert (actor.username, actor.role, actor.session_id) == ("ada", Role.ADMIN, session.session_id)
    assert (session.address, session.user_agent) == ("192.0.2.7", "browser")
    assert token not in repr(world.people.__dict__)
    assert token_hash(token) in repr(world.people.__dict__)
    assert GOOD not in repr(world.people.__dict__)
    assert world.audit.entries[-1]["action"] == "person:signed_in"


@pytest.mark.parametrize(("username", "password"), [("ada", "wrong wrong wrong"), ("nobody", GOOD), ("", GOOD)])
def test_one_message_for_every_refusal(world: World, username: str, password: str) -> None:
    with pytest.raises(NotAuthorised, match=r"^The user name or the password is not right\.$"):
        world.sign_in(username, password)
    last = world.audit.entries[-1]
    assert last["action"] == "person:sign_in_failed"
    assert "nobody" not in str(last["about"])  # the field may hold a mistyped password


def test_a_disabled_account_looks_like_a_wrong_password(world: World) -> None:
    person = world.invited("ben")
    world.accounts.disable(world.actor(), person.user_id)
    with pytest.raises(NotAuthorised, match="is not right"):
        world.sign_in("ben")


def test_unknown_user_costs_a_hash_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def matches(password: str, stored: str) -> bool:
        looked.append(stored)
        return password_matches(password, stored)

    monkeypatch.setattr("core.sessions.password_matches", matches)
    with pytest.raises(NotAuthorised):
        world.sign_in("nobody")
    assert looked == [dummy_hash(LIMITS.bcrypt_rounds)]


def test_sign_in_ends_the_browsers_previous_session(world: World) -> None:
    _, old = world.sign_in()
    _, elsewhere = world.sign_in()
    _, new = world.accounts.sign_in("ada", GOOD, "192.0.2.7", "browser", previous_token=old)
    assert world.accounts.resolve(old) is None
    assert world.accounts.resolve(new) is not None
    assert world.accounts.resolve(elsewhere) is not None


def test_no_session_when_the_audit_cannot_be_written(world: World) -> None:
    world.audit.broken = LedgerUnavailable("disk full")
    with pytest.raises(LedgerUnavailable):
        world.sign_in()
    assert world.people.sessions(world.people.all("default")[0].user_id) == []


# --- throttle -------------------------------------------------------------------------------------------------------


def fail(world: World, times: int, username: str = "ada", address: str = "192.0.2.7") -> None:
    for _ in range(times):
        with pytest.raises(NotAuthorised):
            world.sign_in(username, "wrong wrong wrong", address)


def test_backoff_by_account_from_any_address(world: World) -> None:
    for n in range(LIMITS.free_account_tries + 1):
        fail(world, 1, address=f"192.0.2.{n}")
    with pytest.raises(TooManyAttempts, match="Try again in 2 seconds") as caught:
        world.sign_in(address="198.51.100.1")  # even with the right password
    assert caught.value.retry_at == world.clock.now() + timedelta(seconds=2)
    world.clock.forward(seconds=2)
    world.sign_in(address="198.51.100.1")
    fail(world, LIMITS.free_account_tries)  # a success starts over


def test_backoff_doubles_and_ends_at_the_longest_wait(world: World) -> None:
    waits = []
    for _ in range(LIMITS.free_account_tries + 14):
        fail(world, 1)
        until = world.people.throttle(f"account:{token_hash('ada')}").blocked_until
        assert until is not None
        waits.append((until - world.clock.now()).total_seconds())
        world.clock.at = until
    assert waits[: LIMITS.free_account_tries] == [0] * LIMITS.free_account_tries
    assert waits[LIMITS.free_account_tries :][:4] == [2, 4, 8, 16]
    assert waits[-1] == max(waits) == LIMITS.longest_wait.total_seconds()
    world.sign_in()  # no permanent lock


def test_backoff_by_address_over_many_accounts(world: World) -> None:
    for n in range(LIMITS.free_address_tries + 1):
        fail(world, 1, username=f"user{n}")
    with pytest.raises(TooManyAttempts):
        world.sign_in()
    world.sign_in(address="198.51.100.1")


def test_own_account_does_not_reset_the_address(world: World) -> None:
    for n in range(LIMITS.free_address_tries + 1):
        fail(world, 1, username=f"user{n}")
        if n % 4 == 3:
            world.sign_in()
    with pytest.raises(TooManyAttempts):
        world.sign_in()


def test_people_who_sign_in_rightly_do_not_use_the_address_up(world: World) -> None:
    for _ in range(LIMITS.free_address_tries * 2):
        world.sign_in()


def test_failures_are_forgotten_after_an_hour() -> None:
    now = SetClock().now()
    old = Throttle(failures=50, blocked_until=now - timedelta(hours=1))
    assert after_failure(old, now=now, free=5, limits=LIMITS) == Throttle(failures=1, blocked_until=now)
    fresh = Throttle(failures=50, blocked_until=now - timedelta(minutes=59))
    assert after_failure(fresh, now=now, free=5, limits=LIMITS).failures == 51


def test_attempts_at_the_same_time_cannot_slip_past(world: World) -> None:
    refused: list[type[Exception]] = []

    def run() -> None:
        try:
            world.sign_in("ada", "wrong wrong wrong")
        except (NotAuthorised, TooManyAttempts) as error:
            refused.append(type(error))

    threads = [threading.Thread(target=run) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused.count(NotAuthorised) == LIMITS.free_account_tries + 1


# --- sessions -------------------------------------------------------------------------------------------------------


def test_idle_session_ends(world: World) -> None:
    _, token = world.sign_in()
    world.clock.forward(minutes=29)
    assert world.accounts.resolve(token) is not None
    world.clock.forward(minutes=29)
    assert world.accounts.resolve(token) is not None  # use kept it alive
    world.clock.forward(minutes=30)
    assert world.accounts.resolve(token) is None
    world.clock.at -= timedelta(minutes=30)
    assert world.accounts.resolve(token) is None  # ended, not only hidden


def test_looking_without_touching_does_not_keep_a_session_alive(world: World) -> None:
    session, token = world.sign_in()
    world.clock.forward(minutes=20)
    assert world.accounts.refresh(session.session_id, session.user_id, touch=False) is not None
    world.clock.forward(minutes=10)
    assert world.accounts.resolve(token) is None


def test_session_ends_at_its_absolute_age_however_busy(world: World) -> None:
    _, token = world.sign_in()
    for _ in range(47):
        world.clock.forward(minutes=15)
        assert world.accounts.resolve(token) is not None
    world.clock.forward(minutes=15)
    assert world.accounts.resolve(token) is None


def test_use_is_recorded_at_most_once_a_minute(world: World) -> None:
    _, token = world.sign_in()
    for _ in range(10):
        world.clock.forward(seconds=10)
        world.accounts.resolve(token)
    assert world.people.touches == 1


@pytest.mark.parametrize("token", ["", "x", "ü" * 20])
def test_strange_tokens_are_nobody(world: World, token: str) -> None:
    assert world.accounts.resolve(token) is None


def test_a_session_id_of_another_person_is_nobody(world: World) -> None:
    ben = world.invited("ben")
    session, _ = world.sign_in()
    assert world.accounts.refresh(session.session_id, ben.user_id) is None


def test_sign_out_ends_the_session_for_good(world: World) -> None:
    _, token = world.sign_in()
    actor = world.accounts.resolve(token)
    assert actor
    world.accounts.sign_out(actor)
    world.accounts.sign_out(actor)  # twice is fine
    assert world.accounts.resolve(token) is None
    assert world.audit.actions.count("person:signed_out") == 1


def test_a_store_that_is_down_signs_nobody_in_or_out(world: World) -> None:
    _, token = world.sign_in()
    world.people.down = True
    with pytest.raises(StoreUnavailable):
        world.accounts.resolve(token)
    world.people.down = False
    assert world.accounts.resolve(token) is not None


# --- authorisation inside every mutation (console.md §4 test 3) -----------------------------------------------------


MUTATIONS = {
    "invite": lambda a, actor, other: a.invite(actor, Role.ADMIN),
    "set_role": lambda a, actor, other: a.set_role(actor, other, Role.ADMIN),
    "disable": lambda a, actor, other: a.disable(actor, other),
    "enable": lambda a, actor, other: a.enable(actor, other),
    "end_sessions": lambda a, actor, other: a.end_sessions(actor, other),
    "people": lambda a, actor, other: a.people(actor),
    "sessions": lambda a, actor, other: a.sessions(actor),
    "end_session": lambda a, actor, other: a.end_session(actor, actor.session_id),
    "sign_out_everywhere": lambda a, actor, other: a.sign_out_everywhere(actor),
    "change_password": lambda a, actor, other: a.change_password(actor, GOOD, OTHER),
}
FOR_ADMINS = {"invite", "set_role", "disable", "enable", "end_sessions", "people"}


@pytest.mark.parametrize("name", MUTATIONS)
def test_an_ended_session_can_do_nothing(world: World, name: str) -> None:
    ben, actor = world.invited("ben"), world.actor()
    world.accounts.sign_out(actor)
    before = len(world.audit.entries)
    with pytest.raises(NotAuthorised, match="signed out"):
        MUTATIONS[name](world.accounts, actor, ben.user_id)
    assert len(world.audit.entries) == before


@pytest.mark.parametrize("name", sorted(FOR_ADMINS))
def test_a_lost_role_counts_at_once(world: World, name: str) -> None:
    world.invited("ben", Role.ADMIN)
    eve = world.invited("eve")
    ben = world.actor("ben")
    world.accounts.set_role(world.actor(), ben.user_id, Role.REVIEWER)
    assert ben.role is Role.ADMIN  # what the page still believes
    with pytest.raises(NotAuthorised, match="needs the role admin; yours is reviewer"):
        MUTATIONS[name](world.accounts, ben, eve.user_id)


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_disabled_person_can_do_nothing(world: World, name: str) -> None:
    ben = world.invited("ben", Role.ADMIN)
    actor = world.actor("ben")
    world.people.update(ben.user_id, disabled=True)  # sessions left open on purpose
    with pytest.raises(NotAuthorised):
        MUTATIONS[name](world.accounts, actor, ben.user_id)


def test_a_forged_actor_is_refused(world: World) -> None:
    ben = world.invited("ben")
    real = world.actor("ben")
    forged = [
        Actor(user_id=real.user_id, username="ben", tenant="default", role=Role.ADMIN, session_id="made-up"),
        Actor(
            user_id=world.actor().user_id, username="ada", tenant="default", role=Role.ADMIN, session_id=real.session_id
        ),
        Actor(user_id=ben.user_id, username="ben", tenant="other", role=Role.ADMIN, session_id=real.session_id),
    ]
    for actor in forged:
        with pytest.raises(NotAuthorised):
            world.accounts.authorise(actor)
    with pytest.raises(NotAuthorised, match="needs the role"):
        world.accounts.authorise(
            Actor(user_id=ben.user_id, username="ben", tenant="default", role=Role.ADMIN, session_id=real.session_id),
            Role.ADMIN,
        )


def test_people_of_another_tenant_do_not_exist(world: World) -> None:
    stranger = Person(
        user_id="s",
        username="stranger",
        display_name="S",
        tenant="other",
        role=Role.MEMBER,
        created_at=world.clock.now(),
    )
    world.people.add(stranger, hash_password(GOOD, rounds=4))
    actor = world.actor()
    for name in ("set_role", "disable", "enable", "end_sessions"):
        with pytest.raises(NotFound):
            MUTATIONS[name](world.accounts, actor, "s")
    assert [person.username for person in world.accounts.people(actor)] == ["ada"]


# --- people ---------------------------------------------------------------------------------------------------------


def test_the_last_enabled_admin_stays(world: World) -> None:
    actor = world.actor()
    for act in (
        lambda: world.accounts.disable(actor, actor.user_id),
        lambda: world.accounts.set_role(actor, actor.user_id, Role.MEMBER),
    ):
        with pytest.raises(BadInput, match="last enabled admin"):
            act()
    ben = world.invited("ben", Role.ADMIN)
    world.accounts.set_role(actor, actor.user_id, Role.MEMBER)
    assert world.people.by_id(actor.user_id).role is Role.MEMBER  # type: ignore[union-attr]
    with pytest.raises(BadInput, match="last enabled admin"):
        world.accounts.disable(world.actor("ben"), ben.user_id)


def test_two_admins_who_demote_each_other_at_once_leave_one(world: World) -> None:
    world.invited("ben", Role.ADMIN)
    ada, ben = world.actor("ada"), world.actor("ben")

    def demote(actor: Actor, other: Actor) -> None:
        with suppress(BadInput, NotAuthorised):
            world.accounts.set_role(actor, other.user_id, Role.MEMBER)

    threads = [threading.Thread(target=demote, args=pair) for pair in ((ada, ben), (ben, ada))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [person.role for person in world.people.all("default")].count(Role.ADMIN) == 1


def test_disabling_ends_sessions_and_enabling_does_not_bring_them_back(world: World) -> None:
    ben = world.invited("ben")
    _, token = world.sign_in("ben")
    actor = world.actor()
    world.accounts.disable(actor, ben.user_id)
    assert world.accounts.resolve(token) is None
    world.accounts.enable(actor, ben.user_id)
    assert world.accounts.resolve(token) is None
    world.sign_in("ben")


def test_a_role_given_holds_at_the_next_look(world: World) -> None:
    ben = world.invited("ben")
    _, token = world.sign_in("ben")
    world.accounts.set_role(world.actor(), ben.user_id, Role.REVIEWER)
    actor = world.accounts.resolve(token)
    assert actor is not None
    assert actor.role is Role.REVIEWER
    entry = world.audit.entries[-1]
    assert entry["about"] == {"user_id": ben.user_id, "before": "member", "after": "reviewer"}
    assert entry["owner"] == ben.user_id


def test_end_sessions_of_another(world: World) -> None:
    ben = world.invited("ben")
    tokens = [world.sign_in("ben")[1] for _ in range(3)]
    assert world.accounts.end_sessions(world.actor(), ben.user_id) == 3
    assert [world.accounts.resolve(token) for token in tokens] == [None] * 3


def test_own_sessions(world: World) -> None:
    first, _ = world.sign_in()
    world.clock.forward(minutes=5)
    second, _ = world.sign_in()
    actor = world.accounts.refresh(second.session_id, second.user_id)
    assert actor
    assert [one.session_id for one in world.accounts.sessions(actor)] == [second.session_id, first.session_id]
    world.accounts.end_session(actor, first.session_id)
    with pytest.raises(NotFound):
        world.accounts.end_session(actor, first.session_id)
    assert world.accounts.sign_out_everywhere(actor) == 1
    with pytest.raises(NotAuthorised):
        world.accounts.sessions(actor)


def test_nobody_ends_anothers_session_by_its_id(world: World) -> None:
    world.invited("ben")
    session, token = world.sign_in()
    with pytest.raises(NotFound):
        world.accounts.end_session(world.actor("ben"), session.session_id)
    assert world.accounts.resolve(token) is not None


def test_sign_out_everywhere_but_here(world: World) -> None:
    _, elsewhere = world.sign_in()
    _, here = world.sign_in()
    actor = world.accounts.resolve(here)
    assert actor
    assert world.accounts.sign_out_everywhere(actor, keep_this=True) == 1
    assert world.accounts.resolve(elsewhere) is None
    assert world.accounts.resolve(here) is not None


# --- password -------------------------------------------------------------------------------------------------------


def test_change_of_password_ends_the_other_sessions(world: World) -> None:
    _, elsewhere = world.sign_in()
    _, here = world.sign_in()
    actor = world.accounts.resolve(here)
    assert actor
    assert world.accounts.change_password(actor, GOOD, OTHER) == 1
    assert world.accounts.resolve(elsewhere) is None
    assert world.accounts.resolve(here) is not None
    with pytest.raises(NotAuthorised):
        world.sign_in("ada", GOOD)
    world.sign_in("ada", OTHER)


def test_change_of_password_needs_the_old_one_and_is_throttled(world: World) -> None:
    actor = world.actor()
    for _ in range(LIMITS.free_account_tries + 1):
        with pytest.raises(NotAuthorised, match="present password"):
            world.accounts.change_password(actor, "wrong wrong wrong", OTHER)
    with pytest.raises(TooManyAttempts):
        world.accounts.change_password(actor, GOOD, OTHER)
    assert "person:password_changed" not in world.audit.actions


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("elevenchars", "at least 12 characters"),
        ("é" * 37 + "abcdefg", "at most 72 bytes"),
        ("aaaaaaaaaaaaaa", "different characters"),
        ("i am ada lovely", "must not contain the user name"),
        ("nul \x00 inside it", "NUL"),
        (GOOD, "is the present one"),
    ],
)
def test_password_rule(world: World, password: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        world.accounts.change_password(world.actor(), GOOD, password)


def test_passwords_of_72_bytes_are_whole_and_longer_ones_never_match() -> None:
    exact = "abcdefgh" * 9
    stored = hash_password(exact, rounds=4)
    assert password_matches(exact, stored)
    assert not password_matches(exact[:-1] + "X", stored)
    assert not password_matches(exact + "tail", stored)  # bcrypt alone would say yes
    assert not password_matches("x\x00y", stored)


def test_composed_and_decomposed_letters_are_the_same_password() -> None:
    assert password_matches("cafe\u0301 au lait ok", hash_password("caf\u00e9 au lait ok", rounds=4))


# --- invitations ----------------------------------------------------------------------------------------------------


def test_invitation_works_once(world: World) -> None:
    token = world.accounts.invite(world.actor(), Role.REVIEWER)
    assert token not in repr(world.people.__dict__)
    assert token not in repr(world.audit.entries)
    person = world.accounts.accept_invitation(token, "ben", "Ben", GOOD)
    assert (person.username, person.role, person.tenant) == ("ben", Role.REVIEWER, "default")
    with pytest.raises(NotAuthorised):
        world.accounts.accept_invitation(token, "eve", "", GOOD)
    assert world.accounts.invitation(token) is None


def test_invitation_with_a_fixed_name(world: World) -> None:
    token = world.accounts.invite(world.actor(), Role.MEMBER, "Ben")
    assert world.accounts.accept_invitation(token, "mallory", "", GOOD).username == "ben"


def test_invitation_expires(world: World) -> None:
    token = world.accounts.invite(world.actor(), Role.MEMBER)
    world.clock.forward(days=7)
    assert world.accounts.invitation(token) is None
    with pytest.raises(NotAuthorised):
        world.accounts.accept_invitation(token, "ben", "", GOOD)


def test_invitation_dies_with_its_makers_role(world: World) -> None:
    ben = world.invited("ben", Role.ADMIN)
    token = world.accounts.invite(world.actor("ben"), Role.ADMIN)
    world.accounts.set_role(world.actor(), ben.user_id, Role.MEMBER)
    with pytest.raises(NotAuthorised):
        world.accounts.accept_invitation(token, "eve", "", GOOD)


@pytest.mark.parametrize(
    ("username", "display", "password", "message"),
    [
        ("ada", "", GOOD, "is taken"),
        ("ADA", "", GOOD, "is taken"),
        ("a", "", GOOD, "3 to 40 characters"),
        ("no spaces", "", GOOD, "3 to 40 characters"),
        ("аda", "", GOOD, "3 to 40 characters"),  # a Cyrillic letter
        ("ben", "x" * 81, GOOD, "at most 80"),
        ("ben", "Ada\u202e", GOOD, "invisible"),
        ("ben", "", "short", "at least 12"),
    ],
)
def test_bad_input_leaves_the_invitation_valid(
    world: World, username: str, display: str, password: str, message: str
) -> None:
    token = world.accounts.invite(world.actor(), Role.MEMBER)
    with pytest.raises(BadInput, match=message):
        world.accounts.accept_invitation(token, username, display, password)
    assert world.accounts.accept_invitation(token, "ben", "", GOOD).display_name == "ben"


def test_names_for_showing(world: World) -> None:
    ben = world.invited("ben")
    assert world.accounts.names("default")[ben.user_id] == "ben"
    assert world.accounts.name_of(ben.user_id) == "ben"
    assert world.accounts.name_of("policy") is None
