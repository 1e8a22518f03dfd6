"""Builds the chore that tells another system what happened."""

from __future__ import annotations

from core.enact import Enactor
from core.errors import Misconfigured
from core.notify import Post
from core.ports import Clock, Ledger
from core.settings import Settings
from core.webhooks import Webhooks


def build_webhooks(settings: Settings, ledger: Ledger, enactor: Enactor, clock: Clock, *, post: Post) -> Webhooks:
    """Events over the network, if the settings give an address and kinds.

    Raises:
        Misconfigured: kinds of events without an address to send them to.
    """
    kinds = settings.webhook_kinds
    if kinds and not settings.chronomemory_webhook_url:
        msg = "CHRONOMEMORY_WEBHOOK_EVENTS needs CHRONOMEMORY_WEBHOOK_URL: the address that they are posted to"
        raise Misconfigured(msg)
    return Webhooks(
        ledger=ledger,
        enactor=enactor,
        clock=clock,
        post=post,
        url=settings.chronomemory_webhook_url,
        secret=settings.chronomemory_webhook_secret.get_secret_value(),
        kinds=kinds,
    )


__all__ = ["build_webhooks"]
