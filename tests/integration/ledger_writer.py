"""A process that writes to a ledger on Postgres: `python -m tests.integration.ledger_writer append|hang URL NAME COUNT`.

`hang` writes one entry, says "wrote" and never ends its transaction: its parent kills it.
"""

from __future__ import annotations

import sys
import time

from core.ledger_pg import PostgresLedger
from tests.contract.ledger_values import NOON

KEY = b"k" * 32


def append(url: str, name: str, count: int) -> None:
    """Add entries, each in a transaction of its own."""
    ledger = PostgresLedger.open(url, hmac_key=KEY)
    for number in range(count):
        with ledger.transaction() as tx:
            tx.append_audit(at=NOON, actor=name, action="a:b", tenant="t", owner="o", about={"id": f"{name}-{number}"})
    ledger.close()


def hang(url: str, name: str) -> None:
    """Write one entry and stay in the transaction."""
    ledger = PostgresLedger.open(url, hmac_key=KEY)
    with ledger.transaction() as tx:
        tx.append_audit(at=NOON, actor=name, action="a:b", tenant="t", owner="o", about={})
        print("wrote", flush=True)
        time.sleep(600)


if __name__ == "__main__":
    what, url, name, count = sys.argv[1:]
    append(url, name, int(count)) if what == "append" else hang(url, name)
