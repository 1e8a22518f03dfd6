"""The Postgres ledger keeps the ledger's contract, plain and with an HMAC key; every statement fits its schema."""

import re

import psycopg
import pytest

from core.ledger.connection import named_queries as shared_queries
from core.ledger_pg import PostgresLedger
from core.ledger_pg.connection import escaped, translated, unescaped
from tests.contract.ledger_contract import LedgerContract


class TestPostgresLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, ledger_url):
        ledger = PostgresLedger.open(ledger_url)
        yield ledger
        ledger.close()


class TestPostgresLedgerWithHmac(LedgerContract):
    @pytest.fixture
    def ledger(self, ledger_url):
        ledger = PostgresLedger.open(ledger_url, hmac_key=b"k" * 32)
        yield ledger
        ledger.close()


def test_every_statement_is_accepted_by_postgres(ledger_url):
    PostgresLedger.open(ledger_url).close()
    refused = {}
    with psycopg.connect(ledger_url, autocommit=True) as conn:
        conn.execute("SET search_path = ledger, pg_catalog")
        ledger = PostgresLedger.open(ledger_url)
        for name, sql in ledger._place.queries.items():
            if name == "create_migration_record":  # not one statement; opening has run it
                continue
            values = dict.fromkeys(_names(sql))
            try:
                psycopg.ClientCursor(conn).execute(f"EXPLAIN {sql}".encode(), values)
            except psycopg.Error as error:
                refused[name] = str(error)
        ledger.close()
    assert refused == {}
    assert ledger._place.queries.keys() == shared_queries().keys()


def _names(sql):
    return re.findall(r"%\((\w+)\)s", sql)


def test_only_names_outside_quotes_become_places():
    assert translated("SELECT ':a' || :a::text, 'x%', :b_1 % 2") == "SELECT ':a' || %(a)s::text, 'x%%', %(b_1)s %% 2"


@pytest.mark.parametrize("text", ["", "a", "\x00", "\x1a", "\x1a0", "\x00\x1a1\x1a\x00"])
def test_a_text_with_nul_comes_back(text):
    assert "\x00" not in escaped(text)
    assert unescaped(escaped(text)) == text
