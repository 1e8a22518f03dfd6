"""Builds the moving desk."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from core.accounts import Accounts
from core.assess import Assessor
from core.enact import Enactor
from core.intake import Intake
from core.ledger import codec
from core.ledger.ledger import StoredLedger
from core.moving import Moving
from core.moving.signing import InstallationKey
from core.policy import Policy
from core.ports import Clock, Embedder, MemoryReader


class LedgerCodec:
    """The ledger's own codec as `core.ports.Codec`."""

    to_plain = staticmethod(codec.to_plain)
    from_plain = staticmethod(codec.from_plain)


def program_version() -> str:
    """Which version of this program runs."""
    try:
        return version("governed-chronomemory")
    except PackageNotFoundError:  # run from a folder that was not installed
        return "unknown"


def build_moving(  # noqa: PLR0913 - the desk has that many parts
    *,
    accounts: Accounts,
    ledger: StoredLedger,
    store: MemoryReader,
    enactor: Enactor,
    intake: Intake,
    assessor: Assessor,
    embedder: Embedder,
    policy: Policy,
    clock: Clock,
    secret: bytes,
    model: str,
) -> Moving:
    """The desk for a layer's parts; files are signed by a key that follows from the installation's secret."""
    return Moving(
        accounts=accounts,
        ledger=ledger,
        versions=ledger,
        store=store,
        enactor=enactor,
        intake=intake,
        assessor=assessor,
        embedder=embedder,
        codec=LedgerCodec(),
        signer=InstallationKey(secret),
        policy=policy,
        clock=clock,
        program=program_version(),
        model=model,
    )


__all__ = ["build_moving", "program_version"]
