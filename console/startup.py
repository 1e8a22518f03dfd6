"""Start and stop of the process: options that must hold, the layer in the background, the one-time set-up link.

The server answers at once; Postgres, the models and the worker come up in a thread. Until they are there, the gate
shows a page that waits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any, Protocol

import anyio
import streamlit as st

from core.accounts import Accounts
from core.errors import ChronoMemoryError, Misconfigured, StoreUnavailable, Unavailable
from core.settings import Settings
from core.telemetry.logs import configure

log = logging.getLogger("chronomemory.console")

IDENTITY_HEADERS = {
    "x-chronomemory-user": "user_id",
    "x-chronomemory-name": "username",
    "x-chronomemory-session": "session_id",
}

# Streamlit's options that the gate relies on (console.md §1.6): one changed silently would open a door.
REQUIRED_OPTIONS: Mapping[str, object] = {
    "server.enableAgentApi": False,
    "server.trustedUserHeaders": IDENTITY_HEADERS,
    "server.enableXsrfProtection": True,
    "server.enableCORS": True,
    "server.enableStaticServing": False,
    "server.scriptHealthCheckEnabled": False,
    "server.baseUrlPath": "",
    "client.showErrorDetails": "none",
    "browser.gatherUsageStats": False,
    "runner.magicEnabled": False,
    "global.developmentMode": False,
}


class Layer(Protocol):
    """What the console's front needs of the memory layer."""

    @property
    def accounts(self) -> Accounts:
        """People and sessions."""

    def start(self) -> None:
        """Begin to bring up store, models and worker; returns at once."""

    def health(self) -> Mapping[str, str]:
        """State of each part: "ok…", "starting…", or what is wrong."""

    def close(self) -> None:
        """Stop the worker and close connections."""


def check_options(get_option: Callable[[str], Any] = st.get_option) -> None:
    """Refuse to run with an option that would open a door.

    Raises:
        Misconfigured: naming the options and the values they must have.
    """
    wrong = [name for name, value in REQUIRED_OPTIONS.items() if get_option(name) != value]
    if wrong:
        listed = ", ".join(f"{name} must be {REQUIRED_OPTIONS[name]!r}" for name in wrong)
        msg = f"Refusing to start: {listed}. Start in the project folder, so that .streamlit/config.toml is read."
        raise Misconfigured(msg)


class Startup:
    """The layer as seen from outside while it comes up."""

    def __init__(self, settings: Settings, make_layer: Callable[[], Layer]) -> None:
        """Remember how to make the layer; `begin` makes it."""
        self.settings = settings
        self.problem = ""  # why there will be no layer: an operator must act
        self._make = make_layer
        self._layer: Layer | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def layer(self) -> Layer | None:
        """The layer, or None while it is being made (or cannot be: see `problem`)."""
        return self._layer

    def accounts(self) -> Accounts:
        """People and sessions.

        Raises:
            StoreUnavailable: the layer is not there yet.
        """
        if self._layer is None:
            raise StoreUnavailable(self.problem or "The console is starting.")
        return self._layer.accounts

    def starting(self) -> bool:
        """Whether the parts are still coming up, as against one being down."""
        if self._layer is None:
            return not self.problem
        return any(state.startswith("starting") for state in self._layer.health().values())

    def begin(self, *, port: int) -> None:
        """Make and start the layer in a thread, then see to the first account."""
        self._thread = threading.Thread(target=self._bring_up, args=(port,), name="startup", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop waiting and close the layer."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=10)
        if self._layer is not None:
            self._layer.close()

    def _bring_up(self, port: int) -> None:
        try:
            layer = self._make()
            layer.start()
        except Misconfigured as error:
            self.problem = "The console cannot start; the server's log says why."
            log.error("%s", error)  # noqa: TRY400 - the message says what to do; a trace would hide it
            return
        except Exception as error:  # the thread's outermost edge: unsaid, the page would say "starting" for ever
            self.problem = "The console cannot start; the server's log says why."
            log.exception("start failed: %s", type(error).__name__)
            return
        self._layer = layer
        pause = 0.2
        while not self._stop.is_set():
            try:
                self._first_account(layer, port)
            except Unavailable:
                self._stop.wait(pause)
                pause = min(pause * 1.5, 5.0)
            else:
                return

    def _first_account(self, layer: Layer, port: int) -> None:
        """Make the admin that the settings name, or write the set-up link to the log."""
        user = self.settings.chronomemory_admin_user
        password = self.settings.chronomemory_admin_password.get_secret_value()
        if user and password:
            try:
                if layer.accounts.ensure_admin(user, password):
                    log.warning("Made the admin account that CHRONOMEMORY_ADMIN_USER names.")
            except ChronoMemoryError as error:
                if isinstance(error, Unavailable):
                    raise
                log.error("CHRONOMEMORY_ADMIN_USER or CHRONOMEMORY_ADMIN_PASSWORD is refused: %s", error)  # noqa: TRY400
            else:
                return
        token = layer.accounts.setup_token()
        if token is not None:
            base = self.settings.chronomemory_public_url.rstrip("/") or f"http://localhost:{port}"
            log.warning("No account exists yet. Set-up link: %s/setup?token=%s", base, token)


def lifespan_of(
    startup: Startup, *, beside: Callable[[], AbstractAsyncContextManager[None]] = nullcontext
) -> Callable[[st.App], AbstractAsyncContextManager[dict[str, Any] | None]]:
    """The lifespan hook for `st.App`: options checked, layer begun, layer closed.

    Args:
        startup: brings the layer up.
        beside: is open as long as the server serves.
    """

    @asynccontextmanager
    async def lifespan(_app: st.App) -> AsyncIterator[dict[str, Any] | None]:
        check_options()
        configure(startup.settings.chronomemory_log)  # once Streamlit has brought its own loggers
        managed = st.get_option("server.port") if st.config.is_manually_set("server.port") else None
        startup.begin(port=managed or startup.settings.port)
        try:
            async with beside():
                yield None
        finally:
            await anyio.to_thread.run_sync(startup.end)

    return lifespan
