"""Builds the chores that tell another system: notices of a long queue, and what happened."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import httpx2

from core.enact import Enactor
from core.errors import Misconfigured
from core.notify import Notifier, Post
from core.ports import Clock, Ids, Ledger
from core.settings import Settings
from core.webhooks import Webhooks

NOTICE_SECONDS = 10.0  # a notice to another system may take


def build_notifier(settings: Settings, ledger: Ledger, enactor: Enactor, clock: Clock, ids: Ids) -> Notifier:
    """Notices over the network, if the settings give an address.

    Raises:
        Misconfigured: an address without a key to sign with: a receiver could not tell who sent it.
    """
    secret = settings.chronomemory_webhook_secret.get_secret_value()
    if settings.chronomemory_webhook_url and not secret:
        msg = "CHRONOMEMORY_WEBHOOK_URL needs CHRONOMEMORY_WEBHOOK_SECRET: set one that the receiver knows too"
        raise Misconfigured(msg)
    return Notifier(
        ledger=ledger,
        enactor=enactor,
        clock=clock,
        ids=ids,
        post=post_notice,
        url=settings.chronomemory_webhook_url,
        secret=secret,
        after=timedelta(hours=settings.chronomemory_webhook_after_hours),
    )


def post_notice(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """The status of one POST; no redirect is followed, so that a signed notice goes nowhere else.

    Raises:
        OSError: there was no answer in time.
    """
    try:
        return httpx2.post(url, content=body, headers=dict(headers), timeout=NOTICE_SECONDS).status_code
    except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
        raise ConnectionError(type(problem).__name__) from problem


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


__all__ = ["NOTICE_SECONDS", "build_notifier", "build_webhooks", "post_notice"]
