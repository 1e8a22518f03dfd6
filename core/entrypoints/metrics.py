"""`/metrics` in Prometheus' text format behind a token of its own; without a token there is no such address."""

from __future__ import annotations

import hmac
import logging
import threading
from collections.abc import Callable
from http import HTTPStatus

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from core.entrypoints.addresses import METRICS
from core.entrypoints.http import problems
from core.entrypoints.http.place import Place
from core.errors import Misconfigured
from core.layer import MemoryLayer
from core.settings import Settings
from core.telemetry.scrape import MEDIA_TYPE

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
START_SECONDS = 10.0  # until the worker's own port answers
STOP_SECONDS = 5.0


def route_of(place: Place) -> Route:
    """The address, for whoever serves. It asks no store who may read it, so that it answers while one is away."""
    token = place.settings.chronomemory_metrics_token.get_secret_value().encode()

    async def metrics(request: Request) -> Response:
        if not token:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        kind, _, sent = request.headers.get("authorization", "").partition(" ")
        same = hmac.compare_digest(sent.strip().encode("utf-8", "surrogatepass"), token)
        if not same or kind.lower() != "bearer":
            return problems.answer(
                HTTPStatus.UNAUTHORIZED,
                "Unauthenticated",
                "Send the metrics token: Authorization: Bearer …",
                headers={"www-authenticate": "Bearer"},
            )
        layer = place.layer_of()
        if layer is None:
            return problems.answer(
                HTTPStatus.SERVICE_UNAVAILABLE,
                "StoreUnavailable",
                "The memory is starting. Try again in some seconds.",
                retry=True,
                headers={"retry-after": str(problems.RETRY_SECONDS)},
            )
        text = await anyio.to_thread.run_sync(layer.metrics)
        return Response(text, headers={"content-type": MEDIA_TYPE, "cache-control": "no-store"})

    return Route(METRICS, metrics)


class WorkerPort:
    """The address of a worker of its own, on the loopback interface, from a thread."""

    def __init__(self, settings: Settings, layer_of: Callable[[], MemoryLayer | None]) -> None:
        """Nothing listens yet.

        Raises:
            Misconfigured: a port without a token to ask for.
        """
        if not settings.chronomemory_metrics_token.get_secret_value():
            msg = "CHRONOMEMORY_WORKER_METRICS_PORT needs CHRONOMEMORY_METRICS_TOKEN: the token that opens it"
            raise Misconfigured(msg)
        import uvicorn  # noqa: PLC0415 - heavy

        place = Place(settings=settings, layer_of=layer_of)
        app = Starlette(
            routes=[Route("/healthz", _alive), route_of(place)],
            exception_handlers={HTTPException: problems.plain},
        )
        self.port = settings.chronomemory_worker_metrics_port
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                host=LOOPBACK,
                port=self.port,
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                lifespan="off",
            )
        )
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)

    def start(self) -> None:
        """Begin to answer.

        Raises:
            Misconfigured: nothing can listen there.
        """
        self._thread.start()
        for _ in range(int(START_SECONDS * 50)):
            if self._server.started or self._ended.wait(0.02):
                break
        if not self._server.started:
            msg = f"CHRONOMEMORY_WORKER_METRICS_PORT={self.port} cannot be listened on at {LOOPBACK}: choose a free one"
            raise Misconfigured(msg)
        log.info("metrics are at http://%s:%d%s", LOOPBACK, self.port, METRICS)

    def stop(self) -> None:
        """Answer no more."""
        self._server.should_exit = True
        self._thread.join(timeout=STOP_SECONDS)

    def _run(self) -> None:
        try:
            self._server.run()
        except SystemExit:  # uvicorn's way to say that it cannot listen
            log.error("the metrics have no port")  # noqa: TRY400 - uvicorn has said why
        finally:
            self._ended.set()


async def _alive(_request: Request) -> Response:
    return PlainTextResponse("ok")


__all__ = ["WorkerPort", "route_of"]
