"""Builds the import desk out of the installation's parts; `core.bootstrap` calls it."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import cast

from core.accounts import Accounts
from core.connectors import FileConnectors
from core.enact import Enactor
from core.imports import Imports
from core.imports.settling import Settler
from core.imports.taking import Taker
from core.imports.uploads import KEPT_FOR, Uploads
from core.intake import Intake
from core.ports import Connectors, Ids, ImportLedger, ImportLimits, Ledger
from core.settings import Settings


def build_imports(
    settings: Settings,
    *,
    accounts: Accounts,
    ledger: Ledger,
    intake: Intake,
    enactor: Enactor,
    ids: Ids,
    wake: threading.Event,
) -> Imports:
    """The desk; uploads lie beside the ledger."""
    limits = ImportLimits(
        file_bytes=settings.max_import_bytes,
        whole_bytes=settings.max_import_whole_bytes,
        unpacked_bytes=settings.max_import_unpacked_bytes,
        entry_chars=settings.max_attachment_chars,
    )
    kept = cast("ImportLedger", ledger)
    return Imports(
        accounts=accounts,
        ledger=kept,
        connectors=cast("Connectors", FileConnectors(limits=limits)),
        taker=Taker(ledger=kept, intake=intake, policy=intake.policy, clock=intake.clock),
        settler=Settler(
            imports=kept,
            ledger=ledger,
            store=intake.store,
            enactor=enactor,
            policy=intake.policy,
            clock=intake.clock,
            ids=ids,
        ),
        uploads=Uploads(folder=settings.chronomemory_data / "imports", ids=ids),
        policy=intake.policy,
        clock=intake.clock,
        ids=ids,
        max_entries=settings.max_import_entries,
        upload_megabytes=settings.max_upload_megabytes,
        elsewhere=KEPT_FOR if settings.ledger_url.get_secret_value() else timedelta(0),  # a ledger file has one host
        wake=wake,
    )
