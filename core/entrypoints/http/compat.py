"""The small contract at root addresses, and its read-only public face (off unless a setting opens it).

Without the public face, recall, stats and health need an agent's key (then they are about that agent's memory) or the
admin token (then about the chosen one). The writing half answers 503 until there is an admin token.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, FastAPI, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.routing import BaseRoute, Route

from core.addresses import client_address
from core.corpus import Corpus
from core.entrypoints.addresses import CONTRACT
from core.entrypoints.http import compatwire as wire
from core.entrypoints.http import problems
from core.entrypoints.http.callers import person_of
from core.entrypoints.http.limits import BodyLimit
from core.entrypoints.http.place import Place, place_of
from core.entrypoints.http.problems import Unauthenticated, documented
from core.errors import NotAuthorised
from core.model import Actor, MemoryStatus, sha256_text
from core.ports import AgentIdentity

BUCKET = 32  # hex digits of an address's digest: the database keeps no address

_bearer = HTTPBearer(
    scheme_name="key or token", description="An agent key (cmk_…), or the admin token.", auto_error=False
)
Sent = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]


def _corpus(request: Request) -> Corpus:
    place = place_of(request)
    return Corpus(
        layer=place.layer(),
        username=place.settings.chronomemory_corpus_user,
        space=place.settings.chronomemory_corpus_space,
        admin_token=place.settings.chronomemory_admin_token.get_secret_value(),
    )


Chosen = Annotated[Corpus, Depends(_corpus)]


def _reader(request: Request, corpus: Chosen, sent: Sent) -> AgentIdentity | None:
    """The agent behind a key; None for the chosen memory, with the admin token or over the public face."""
    place = place_of(request)
    settings, keys = place.settings, corpus.layer.keys
    if sent is None:
        if not settings.chronomemory_public_face:
            raise Unauthenticated
        _count(request, corpus, "public", settings.public_requests_per_minute, settings.public_burst)
        return None
    if corpus.is_admin(sent.credentials):
        _count(request, corpus, "admin", settings.api_requests_per_minute, settings.api_burst)
        return None
    found = keys.resolve(sent.credentials)
    if found is None:
        _count(request, corpus, "public", settings.public_requests_per_minute, settings.public_burst)
        raise Unauthenticated
    keys.admit(f"key:{found.key_id}", per_minute=settings.api_requests_per_minute, burst=settings.api_burst)
    return found


def _count(request: Request, corpus: Corpus, what: str, per_minute: int, burst: int) -> None:
    """One request of an address, counted in the database under a digest.

    Raises:
        TooManyRequests: there were too many.
    """
    address = client_address(request.scope, place_of(request).settings.own_proxies)
    bucket = f"{what}:{sha256_text(address)[:BUCKET]}"
    corpus.layer.keys.admit(bucket, per_minute=per_minute, burst=burst)


def _admin(request: Request, corpus: Chosen, sent: Sent) -> str:
    """The token of the request, if it is the admin's; guesses are counted per address."""
    settings = place_of(request).settings
    token = sent.credentials if sent is not None else ""
    _count(request, corpus, "admin", settings.api_requests_per_minute, settings.api_burst)
    try:
        corpus.authorise(token)
    except NotAuthorised as refused:
        raise Unauthenticated(str(refused)) from refused
    return token


def _overseer(request: Request, corpus: Chosen, sent: Sent) -> Actor | str:
    """A person by their session or operator key, or the admin token."""
    person = person_of(corpus.layer, sent.credentials) if sent is not None else None
    return person or _admin(request, corpus, sent)


Reader = Annotated[AgentIdentity | None, Depends(_reader)]
Admin = Annotated[str, Depends(_admin)]
Overseer = Annotated[Actor | str, Depends(_overseer)]


def make_compat(place: Place) -> FastAPI:
    """The small contract as an application of its own; `routes_of` puts it at its addresses."""
    app = FastAPI(title="ChronoMemory, small contract", version="1", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.place = place
    problems.install(app)
    app.add_middleware(BodyLimit, limit=place.settings.api_max_body_bytes)
    errors = documented(400, 401, 413, 422, 429, 503)
    _reading(app, errors)
    _writing(app, errors)
    return app


def _reading(app: FastAPI, errors: problems.Documented) -> None:
    @app.post("/recall", tags=["reading"], responses=errors, summary="Trusted memories for a question")
    def recall(corpus: Chosen, who: Reader, body: wire.AskedIn) -> wire.Records:
        """Nothing that is held is ever among them."""
        found = (
            corpus.layer.agents.recall(who, body.query, k=body.k).hits if who else corpus.recall(body.query, k=body.k)
        )
        return wire.Records(records=[wire.Record.of(one) for one in found])

    @app.get("/stats", tags=["reading"], responses=errors, summary="How many memories there are")
    def stats(corpus: Chosen, who: Reader) -> wire.Stats:
        """Of the key's memory, or of the chosen one."""
        found = corpus.stats(who)
        return wire.Stats(active=found[MemoryStatus.ACTIVE], superseded=found[MemoryStatus.SUPERSEDED])

    @app.get("/health", tags=["reading"], responses=errors, summary="Whether questions are answered")
    def health(corpus: Chosen, _who: Reader) -> wire.Health:
        """The parts that recall needs."""
        parts = corpus.layer.health()
        store, embedding = (parts[one].partition(":")[0] for one in ("store", "embedding"))  # a reason may name a host
        return wire.Health(ok=store == embedding == "ok", store=store, embedding=embedding)


def _writing(app: FastAPI, errors: problems.Documented) -> None:
    @app.post("/remember", status_code=202, tags=["writing"], responses=errors, summary="Put an agent's word in")
    def remember(corpus: Chosen, token: Admin, body: wire.RememberIn) -> wire.StoredOut:
        """Judged like everything else that an agent says."""
        stored = corpus.remember(token, body.content)
        return wire.StoredOut(id=stored.episode_id, counts_as=stored.provenance.source_kind.value)

    @app.post("/ingest", status_code=202, tags=["writing"], responses=errors, summary="Put a document in")
    def ingest(corpus: Chosen, token: Admin, body: wire.IngestIn) -> wire.StoredOut:
        """What it says is held until a person promotes it."""
        stored = corpus.ingest(token, body.content, source=body.source, title=body.title)
        return wire.StoredOut(id=stored.episode_id, counts_as=stored.provenance.source_kind.value)

    @app.post("/consolidate", tags=["writing"], responses=errors, summary="Wake the worker")
    def consolidate(corpus: Chosen, token: Admin) -> wire.Waiting:
        """It goes on by itself; this says how much still waits."""
        return wire.Waiting(waiting=corpus.consolidate(token))

    more = errors | documented(HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)

    @app.post("/forget", tags=["writing"], responses=more, summary="Take back what was put in here")
    def forget(corpus: Chosen, token: Admin, body: wire.ForgetIn) -> wire.Done:
        """Out of recall at once; its owner can restore it. What others said is theirs to forget: 403."""
        corpus.forget(token, body.id, body.reason)
        return wire.Done()

    @app.post("/admin/rebuild", tags=["writing"], responses=errors, summary="Make the store anew from the ledger")
    def rebuild(corpus: Chosen, token: Admin) -> wire.Rebuilt:
        """Every effect is applied again. Takes a while on a large memory."""
        return wire.Rebuilt(applied=corpus.rebuild(token))

    @app.get("/pag/verify", tags=["audit"], responses=errors, summary="Whether the audit chain is whole")
    def verify(corpus: Chosen, by: Overseer) -> wire.Verified:
        """For the admin token, a session or an operator key."""
        found = corpus.verify(by)
        return wire.Verified(ok=found.ok, entries=found.entries, broken_seq=found.broken_seq, problem=found.problem)

    @app.get("/pag/snapshot", tags=["audit"], responses=errors, summary="The audit's last entry")
    def snapshot(corpus: Chosen, by: Overseer) -> wire.Snapshot:
        """For the admin token, a session or an operator key."""
        seq, digest = corpus.head(by)
        return wire.Snapshot(seq=seq, digest=digest)


def routes_of(place: Place) -> list[BaseRoute]:
    """The small contract's addresses, for whoever serves: exactly these and nothing below them."""
    app = make_compat(place)
    return [Route(path, app) for path in CONTRACT]


__all__ = ["make_compat", "routes_of"]
