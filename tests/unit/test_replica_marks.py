"""How old what a replica holds is at most, and the addresses that the settings take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bootstrap import build_layer
from core.errors import Misconfigured
from core.settings import Settings
from core.store.position import Marks, completed, place_of
from tests.fakes import HashEmbedder


def test_a_replica_is_as_old_as_the_last_mark_that_it_has_replayed():
    marks = Marks()
    assert marks.covered(10) is None
    for at, lsn in ((1.0, 100), (2.0, 200), (3.0, 300)):
        marks.note(at, lsn)
    assert marks.covered(99) is None
    assert marks.covered(100) == 1.0
    assert marks.covered(299) == 2.0
    assert marks.covered(299) == 2.0  # no later one since
    assert marks.covered(300) == 3.0


def test_of_a_primary_that_stands_still_the_latest_mark_counts():
    marks = Marks()
    for at in (1.0, 2.0, 3.0):
        marks.note(at, 100)
    assert marks.covered(100) == 3.0


def test_a_primary_that_went_back_is_another_one():
    marks = Marks()
    marks.note(1.0, 100)
    marks.note(2.0, 90)
    assert marks.covered(89) is None
    assert marks.covered(95) == 2.0


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.lists(st.integers(0, 60), min_size=1, max_size=20))
def test_no_replica_counts_as_younger_than_it_is(steps, replayed):
    """Against the definition: the last time at which the primary was no further than the replica is now."""
    marks, noted, lsn, seen = Marks(), [], 0, 0
    for at, step in enumerate(steps):
        lsn += step
        marks.note(float(at), lsn)
        noted.append((float(at), lsn))
        seen = max(seen, replayed[at % len(replayed)] * at)  # a replica goes forwards only
        wanted = [when for when, where in noted if where <= seen]
        assert marks.covered(seen) == (wanted[-1] if wanted else None)


def read_urls(text: str) -> tuple[str, ...]:
    return Settings(_env_file=None, database_read_urls=text).read_urls


def test_addresses_are_taken_apart_at_spaces_and_commas():
    one, two, three = "postgresql://m@r1/x", "postgres://m@r2:5433/x?sslmode=require", "postgresql://m@a,b/x"
    assert read_urls("") == ()
    assert read_urls(one) == (one,)
    for between in (" ", ", ", ",", "\n"):
        assert read_urls(between.join((one, two, three))) == (one, two, three)


@pytest.mark.parametrize("text", ["host=replica dbname=x", "postgresql://m@r1/x; rm", "https://replica/"])
def test_what_is_no_address_is_refused(text, tmp_path):
    settings = Settings(_env_file=None, chronomemory_data=tmp_path, database_url="x", database_read_urls=text)
    with pytest.raises(Misconfigured, match=r"address \d of DATABASE_READ_URLS is no address") as refused:
        build_layer(settings, embedder=HashEmbedder())
    assert "replica" not in str(refused.value)


def test_an_address_is_completed_and_named_without_its_password():
    made = completed("postgresql://memory:hush@replica.internal:6000/memory?connect_timeout=9")
    assert "connect_timeout=9" in made
    assert "tcp_user_timeout=5000" in made
    assert "application_name=chronomemory-recall" in made
    assert place_of(made) == "replica.internal:6000"
    with pytest.raises(Misconfigured) as refused:
        completed("postgresql://memory:hush@[::1/memory")
    assert "hush" not in str(refused.value)
