"""What looks at both stores after the soak: it finds nothing where nothing is wrong, and each fault that is planted."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from core.model import SourceKind
from eval.soak_check import Checked, check
from eval.soak_load import CANARY, Book, Said
from tests.api.conftest import Agent, Api

TEXTS = ("My locker number at hall 0 is 100.", "My parking space at site 7 is 31.")


def put(phone: Agent, book: Book, one: Said) -> None:
    answer = phone.post(
        "/episodes/page" if one.page else "/episodes", {"text": one.text}, **{"idempotency-key": one.key}
    )
    book.acknowledged(one, answer.json()["episode_id"])


@pytest.fixture
def lived(api: Api) -> Book:
    """Two turns and two pages, of which the first is promoted."""
    book = Book()
    phone = api.key(agent="phone", channel=SourceKind.USER_TURN, shared=True)
    for number, text in enumerate(TEXTS):
        put(phone, book, Said(number=number, page=False, text=text))
    for number in (2, 3):
        put(phone, book, Said(number=number, page=True, text=f"The venue {CANARY}{number} has step-free access."))
    api.console.settle()
    items = api.operator().get("/review/items", text=f"{CANARY}2 ").json()["items"]
    seen = {"seen_version": items[0]["version"], "digest": items[0]["digest"]}
    assert api.operator().post(f"/review/items/{items[0]['id']}/promote", seen).json()["ok"]
    api.console.settle()
    return book


def looked(api: Api, book: Book, database_url: str) -> Checked:
    layer = api.console.layer
    return check(layer, api.console.admin, book, ledger=Path(layer.ledger._place.name), conninfo=database_url)


def wrong(checked: Checked) -> set[str]:
    return {name for name, count in checked.faults.items() if count}


def test_nothing_is_found_where_nothing_is_wrong(api: Api, lived: Book, database_url: str) -> None:
    found = looked(api, lived, database_url)
    assert wrong(found) == set()
    assert (found.texts, found.promoted, found.chain) == (4, 1, "")


def test_each_planted_fault_is_found(api: Api, lived: Book, database_url: str) -> None:
    first = lived.said[0].episode_id
    lived.acknowledged(Said(number=9, page=False, text="My locker number at hall 9 is 9."), "nowhere")
    lived.acknowledged(Said(number=1, page=False, text=TEXTS[1]), lived.said[1].episode_id)
    with psycopg.connect(database_url, autocommit=True) as conn:
        conn.execute("SET search_path = chronomemory, public")
        rows = conn.execute("SELECT memory_id FROM memory WHERE episode_id = %s", (first,)).fetchall()
        lived.forgot(rows[0][0])
        assert wrong(looked(api, lived, database_url)) == {
            "acknowledged texts lost",
            "acknowledged texts not processed",
            "processed texts without a memory in the store",
            "forgotten memories still active",
        }
        conn.execute("UPDATE memory SET source_title = %s WHERE episode_id = %s", (f"{CANARY}3", first))
        found = looked(api, lived, database_url)
        assert found.leaked == 1
        assert found.differences == len(rows)
        conn.execute("DELETE FROM memory WHERE episode_id = %s", (lived.said[1].episode_id,))
        assert looked(api, lived, database_url).unmade == 2


def test_another_episode_for_the_same_key_counts_as_a_loss(api: Api, lived: Book, database_url: str) -> None:
    lived.acknowledged(lived.said[0], "another")
    assert looked(api, lived, database_url).lost == 2  # the second id is none of the ledger's either


def test_a_search_that_could_find_nothing_is_no_proof(api: Api, database_url: str) -> None:
    book = Book()
    book.acknowledged(Said(number=0, page=False, text=TEXTS[0]), "nowhere")
    with pytest.raises(RuntimeError, match="no text is in the dump"):
        looked(api, book, database_url)
