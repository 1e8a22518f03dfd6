"""Computes what an older version did not store: marks of episodes, slots, clusters and places of candidates.

In batches of one short transaction each, so that other processes get their turn and a kill loses no more than one.
"""

from __future__ import annotations

from core.ledger.deskwrites import place_item
from core.ledger.dialect import Connection
from core.ledger.marks import add_marks
from core.ledger.rows import item_of, scope_of
from core.slots import slot_key

EPISODES = 50  # at most, of a batch
CHARACTERS = 500_000  # of a batch: well under a second's work
CANDIDATES = 2000
PLACES = 200  # held items, which are read whole


def backfill(connection: Connection) -> None:
    """Do what is left to do; a second process doing the same is waited for, and nothing is done twice."""
    while connection.rows("unmarked_episodes", limit=1):
        with connection.transaction(writes=True):
            _mark_episodes(connection)
    while connection.rows("slotless_candidates", limit=1):
        with connection.transaction(writes=True):
            _give_slots(connection)
    while connection.rows("unclustered"):
        with connection.transaction(writes=True):
            connection.change("give_clusters", limit=CANDIDATES)
    while connection.rows("unplaced", limit=1):
        with connection.transaction(writes=True):
            for row in connection.rows("unplaced", limit=PLACES):
                place_item(connection, item_of(row))


def _mark_episodes(connection: Connection) -> None:
    done = 0
    for row in connection.rows("unmarked_episodes", limit=EPISODES):
        add_marks(connection, scope_of(row), row["serial_no"], row["text"])
        done += len(row["text"])
        if done >= CHARACTERS:
            return


def _give_slots(connection: Connection) -> None:
    for row in connection.rows("slotless_candidates", limit=CANDIDATES):
        key = slot_key(row["subject"], row["attribute"])
        connection.change("set_slot", queue_no=row["queue_no"], slot_key=key)
