"""The SQLite ledger keeps the ledger's contract, plain and with an HMAC key."""

import pytest

from core.ledger import SqliteLedger
from core.ports import Ledger
from tests.contract.ledger_contract import LedgerContract


class TestSqliteLedger(LedgerContract):
    @pytest.fixture
    def ledger(self, tmp_path):
        ledger: Ledger = SqliteLedger.open(tmp_path / "ledger.sqlite")
        yield ledger
        ledger.close()


class TestSqliteLedgerWithHmac(LedgerContract):
    @pytest.fixture
    def ledger(self, tmp_path):
        ledger: Ledger = SqliteLedger.open(tmp_path / "ledger.sqlite", hmac_key=b"k" * 32)
        yield ledger
        ledger.close()
