"""The only room that knows the adapters: builds a MemoryLayer from Settings."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from core.accounts import Accounts
from core.agents import AgentDesk
from core.assess import Assessor
from core.chat import Chat, ChatLimits
from core.chats import Chats
from core.confidence import unsure
from core.credentials import AccountLimits
from core.demo_folder import check_folder
from core.enact import Enactor
from core.erasure import Lifecycle
from core.errors import ChronoMemoryError, Misconfigured, StoreUnavailable
from core.expiry import Expiry
from core.governance import PolicyDesk
from core.history import History
from core.insight import Insight
from core.intake import Intake
from core.items import Items
from core.keyhistory import KeyHistories
from core.keys import AgentKeys, RequestCounts
from core.layer import AgentApi, LocalServer, MemoryLayer
from core.ledger import StoredInsight, StoredLedger, TracedLedger
from core.lifecycle import AuditDesk, Memories
from core.llm.answers import RulesResponder
from core.llm.batching import BatchingEmbedder
from core.llm.client import DEFAULT_BASE_URL
from core.llm.embedder import CachedEmbedder, EndpointEmbedder, PackagedEmbedder, PathEmbedder
from core.llm.extractor import ModelExtractor
from core.llm.judge import ModelJudge, NoJudge
from core.llm.roles import RULES, CallCounter, Roles, build_roles, detect_local_servers
from core.llm.rules import RulesExtractor
from core.llm.watched import WatchedModel
from core.lostwatch import LostWatch
from core.model import Episode, Extraction, Scope
from core.modeldesk import ModelDesk
from core.operatorkeys import OperatorKeys
from core.policy import Policy
from core.ports import (
    AgentKeyStore,
    Clock,
    Embedder,
    ExtractionContext,
    Extractor,
    Ids,
    IsolationProbe,
    ItemLedger,
    Judge,
    MemoryReader,
    MemoryWriter,
    OperatorKeyStore,
    People,
    RoleState,
    StoreInsight,
    StoreKeeper,
    Traced,
)
from core.proofs import Proofs
from core.recall import Recaller
from core.rejudge import Rejudge
from core.reply import Answerer
from core.review import Review
from core.runs import Runs
from core.sandbox import Sandbox
from core.sessions import DEFAULT_TENANT
from core.settings import Settings
from core.sides import Sides
from core.store import (
    EmbeddedPostgres,
    PostgresInsight,
    PostgresIsolation,
    PostgresKeeper,
    PostgresKeys,
    PostgresOperatorKeys,
    PostgresPeople,
    PostgresReader,
    PostgresStore,
    StoreLexicon,
    StoreTrace,
)
from core.store.reembed import reembed
from core.upkeep import Upkeep
from core.wiring_evidence import build_auditor, build_observed, build_questions
from core.wiring_imports import build_imports
from core.wiring_ledger import ledger_place, move_ledger, open_ledger, put_snapshot
from core.wiring_moving import build_moving, program_version
from core.wiring_observing import build_scrape, build_watch
from core.wiring_patterns import build_patterns
from core.wiring_replicas import build_recall_place
from core.wiring_webhooks import NOTICE_SECONDS, build_notifier, build_webhooks, post_notice

log = logging.getLogger(__name__)

RETRY_SECONDS = 2.0  # between tries to reach the store at start
WATCH_SECONDS = 3.0  # between looks at the embedded server
SECRET_BYTES = 32


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current time in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - this is the one place that reads it


class Uuid7:
    """UUID version 7: 48 bits of milliseconds, then random bits; sorts by time of making (RFC 9562)."""

    def new(self) -> str:
        """A fresh identifier."""
        milliseconds = time.time_ns() // 1_000_000
        value = (milliseconds & (2**48 - 1)) << 80 | 0x7 << 76 | secrets.randbits(12) << 64
        value |= 0b10 << 62 | secrets.randbits(62)
        return str(uuid.UUID(int=value))


@dataclass(frozen=True, kw_only=True)
class CountedExtractor:
    """Counts what the rules read, so that the fast-path share is right without a model too (rules §7.4)."""

    inner: Extractor
    counter: CallCounter

    def extract(self, episode: Episode, context: ExtractionContext) -> Extraction:
        """What the inner one finds."""
        self.counter.count("extractor")
        return self.inner.extract(episode, context)


class Deferred:
    """Stands for a part of the store until Postgres is up; every use before that says so."""

    def __init__(self, holder: StoreHolder, part: str) -> None:
        """Name the part of the holder that this stands for."""
        self._holder, self._part = holder, part

    def __getattr__(self, name: str) -> Any:
        """The real part's attribute.

        Raises:
            StoreUnavailable: it is not up yet.
        """
        return getattr(self._holder.part(self._part), name)


@dataclass(kw_only=True)
class StoreHolder:
    """Opens the store in the background and keeps trying until it is there."""

    settings: Settings
    embedder: Embedder
    mac_key: bytes
    clock: Clock
    problem: str = "starting"
    no_reader: str = ""  # why there is no read-only handle, if there is none
    restarts: int = 0  # of the embedded server after it died
    _parts: dict[str, Any] = field(default_factory=dict)
    _server: EmbeddedPostgres | None = None
    _closing: threading.Event = field(default_factory=threading.Event)
    _serving: threading.Lock = field(default_factory=threading.Lock)
    ready: threading.Event = field(default_factory=threading.Event)

    def part(self, name: str) -> Any:
        """The store or the people adapter."""
        if name in ("reader", "trace") and self.no_reader:
            raise Misconfigured(self.no_reader)
        if name not in self._parts:
            msg = f"The memory store is not reachable ({self.problem}). Nothing is lost; try again in a moment."
            raise StoreUnavailable(msg)
        return self._parts[name]

    def open(self) -> None:
        """Start the embedded server if none is configured, migrate, and connect; retries until it works or closes."""
        while not self._closing.is_set():
            try:
                self._open_once()
            except Misconfigured as problem:
                self.problem = f"down: {problem}"
                log.error("the store cannot be used: %s", problem)  # noqa: TRY400 - the message says what to do
                return
            except (ChronoMemoryError, OSError) as problem:
                self.problem = f"down: {problem}"
                log.warning("the store is not reachable yet: %s", problem)
                self._closing.wait(RETRY_SECONDS)
            else:
                self.problem = "ok"
                self.ready.set()
                return

    def _open_once(self) -> None:
        conninfo, direct = self.settings.database_url, self.settings.database_direct_url
        if not conninfo:
            if self._server is None:
                self._server = EmbeddedPostgres(self.settings.postgres_path)
            conninfo = self._server.start()
        store = PostgresStore.open(
            conninfo,
            dimensions=self.embedder.dimensions,
            embedding_identity=self.embedder.identity,
            mac_key=self.mac_key,
            clock=self.clock,
            direct=direct,
        )
        self._parts = {
            "store": store,
            "people": PostgresPeople(store.database),
            "keys": PostgresKeys(store.database),
            "operator_keys": PostgresOperatorKeys(store.database),
            "isolation": PostgresIsolation(store.database.direct),
            "keeper": PostgresKeeper(store.database.direct, mac_key=self.mac_key),
            "insight": PostgresInsight(store.database),
        }
        self._open_reader(conninfo)

    def _open_reader(self, conninfo: str) -> None:
        """The sandbox's own handle, in a role that can only SELECT; where there is none, only the sandbox is out."""
        try:
            reader = PostgresReader.open(
                conninfo,
                dimensions=self.embedder.dimensions,
                embedding_identity=self.embedder.identity,
                mac_key=self.mac_key,
                clock=self.clock,
                direct=self.settings.database_direct_url,
            )
        except Misconfigured as problem:
            self.no_reader = str(problem)
            log.warning("the sandbox cannot be used: %s", problem)
        else:
            self._parts |= {"reader": reader, "trace": StoreTrace(reader.database)}

    def watch(self) -> None:
        """Start the embedded server again when it died; an own database is its operator's to restart. Ends at close."""
        while self._server is not None and not self._closing.wait(WATCH_SECONDS):
            if self._server.pid() is not None:
                continue
            with self._serving:
                if self._closing.is_set():
                    return
                try:
                    self._server.start()
                except (ChronoMemoryError, OSError) as problem:
                    log.warning("the embedded store does not come back yet: %s", problem)
                else:
                    self.restarts += 1
                    log.warning("the embedded store was gone and has been started again")

    def close(self) -> None:
        """Close the pool and stop the embedded server."""
        self._closing.set()
        for name in ("reader", "store"):
            if name in self._parts:
                self._parts[name].close()
        with self._serving:
            if self._server is not None:
                self._server.stop()


@dataclass(kw_only=True)
class WarmUp:
    """Loads the embedding model in the background, so that the first question does not wait for it."""

    embedder: Embedder
    rules: RulesExtractor | None = None
    wanted: bool = True  # False: left to the first text that needs it
    lasting: bool = False  # what was loaded stays as long as the process
    state: str = "starting"
    closing: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin in a thread."""
        if not self.wanted:
            return
        self._thread = threading.Thread(target=self.run, name="warm-up", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End early and wait: a model at work in a thread would take the ending process down with a fault."""
        self.closing.set()
        if self._thread is not None:
            self._thread.join(timeout=30)

    def run(self) -> None:
        """Try until the model answers, it turns out not to fit, or the process closes."""
        while not self.closing.is_set():
            try:
                self.embedder.embed(["warm-up"])
            except Misconfigured as problem:
                self.state = f"down: {problem}"
                log.error("the embedding model cannot be used: %s", problem)  # noqa: TRY400 - the message says it all
                return
            except ChronoMemoryError as problem:
                self.state = f"down: {problem}"
                self.closing.wait(RETRY_SECONDS)
            else:
                self.state = "ok"
                self._warm_rules()
                if self.lasting:
                    # What is loaded by now stays: half a million objects that the collector need not walk again.
                    gc.collect()
                    gc.freeze()
                return

    def _warm_rules(self) -> None:
        if self.rules is None:
            return
        try:
            self.rules.warm(self.closing.is_set)
        except ChronoMemoryError as problem:  # the first turn will try again
            log.warning("the prototypes of the rules could not be embedded: %s", problem)


def build_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name; nothing is loaded or called yet."""
    if settings.embedding_base_url:
        endpoint = EndpointEmbedder(
            base_url=settings.embedding_base_url,
            model=settings.embedding_model,
            api_key=settings.embedding_api_key.get_secret_value(),
        )
        return CachedEmbedder(endpoint)
    local = PathEmbedder(settings.embedding_model) if settings.embedding_model else PackagedEmbedder()
    return CachedEmbedder(BatchingEmbedder(local))


def build_judge(roles: Roles, counter: CallCounter) -> Judge:
    """The background model as judge; without one, the judge that says it does not judge (rules §1.12)."""
    return ModelJudge(model=roles.background, counter=counter) if roles.background is not None else NoJudge()


def build_sandbox(
    roles: Roles,
    accounts: Accounts,
    holder: StoreHolder,
    ledger: TracedLedger,
    *,
    embedder: Embedder,
    policy: Policy,
    clock: Clock,
    ids: Ids,
) -> Sandbox:
    """The sandbox with parts of its own: read-only handles, and a count of calls that no page shows."""
    counter = CallCounter()
    rules = RulesExtractor(embedder=embedder)
    return Sandbox(
        authorise=accounts.authorise,
        ledger=ledger,
        store=cast("MemoryReader", Deferred(holder, "reader")),
        traced=(cast("Traced", Deferred(holder, "trace")), ledger),
        lexicon=StoreLexicon(),
        extractor=rules
        if roles.background is None
        else ModelExtractor(model=roles.background, fallback=rules, counter=counter),
        judge=build_judge(roles, counter),
        embedder=embedder,
        called=account_names(cast("People", Deferred(holder, "people"))),
        policy=policy,
        clock=clock,
        ids=ids,
    )


def account_names(people: People) -> Callable[[Scope], Sequence[str]]:
    """How an owner is called by their account: what others say about that name is about the owner."""

    def called(scope: Scope) -> Sequence[str]:
        person = people.by_id(scope.owner)
        return (person.username, person.display_name, person.display_name.split(" ")[0]) if person else ()

    return called


def load_policy(path: Path | None) -> Policy:
    """The policy file of the settings, or the packaged default."""
    if path is not None:
        return Policy.from_toml(path.read_text(encoding="utf-8"))
    return Policy.from_toml(resources.files("core").joinpath("policies/default.toml").read_text(encoding="utf-8"))


def watched_roles(roles: Roles, clock: Clock) -> Roles:
    """The same models, noting when they last answered and what last went wrong."""
    return Roles(
        agent=WatchedModel(roles.agent, clock) if roles.agent else None,
        background=WatchedModel(roles.background, clock) if roles.background else None,
    )


def build_model_desk(settings: Settings, accounts: Accounts, roles: Roles, counter: CallCounter) -> ModelDesk:
    """The models' health by role: extractor and judge share the background model."""
    background = (settings.background_model, settings.background_model_fallback)
    named = {
        "agent": (roles.agent, settings.openai_base_url, (settings.agent_model, settings.agent_model_fallback)),
        "extractor": (roles.background, settings.background_base_url or settings.openai_base_url, background),
        "judge": (roles.background, settings.background_base_url or settings.openai_base_url, background),
    }

    def state(role: str) -> RoleState:
        model, url, names = named[role]
        calls = {by: count for (of, by), count in counter.snapshot().items() if of == role}
        answered, failed = getattr(model, "answered_at", None), getattr(model, "failed", None)
        return RoleState(
            role=role,
            models=tuple(one for one in names if one) if model else (),
            endpoint=_address(url or DEFAULT_BASE_URL),
            done=sum(calls.values()),
            by_rules=calls.get(RULES, 0),
            last_answer_at=answered,
            last_error=failed[0] if failed else "",
            last_error_at=failed[1] if failed else None,
        )

    return ModelDesk(
        accounts=accounts,
        states=lambda: [state(role) for role in named],
        models={role: model for role, (model, _, _) in named.items() if model is not None},
    )


def _address(url: str) -> str:
    """Host and path of an address: what stands before an @ is a credential."""
    parts = urlsplit(url)
    return f"{parts.netloc.rpartition('@')[2]}{parts.path}"


def build_governance(settings: Settings, accounts: Accounts, ledger: StoredLedger, clock: Clock) -> PolicyDesk:
    """The policy's desk, with the policy that is in force: the settings' file, and what was adopted on top of it."""
    return PolicyDesk.open(
        accounts=accounts,
        ledger=ledger,
        clock=clock,
        file=load_policy(settings.chronomemory_policy),
        tenant=DEFAULT_TENANT,
    )


def load_secret(path: Path) -> bytes:
    """The installation's secret, made on first use; owner-readable only."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        secret = path.read_bytes()
        if len(secret) != SECRET_BYTES:
            msg = f"{path} is damaged: it must hold {SECRET_BYTES} bytes. Restore it from a backup."
            raise Misconfigured(msg) from None
        return secret
    secret = secrets.token_bytes(SECRET_BYTES)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return secret


def build_layer(  # noqa: PLR0915 - an installation has that many parts
    settings: Settings,
    *,
    clock: Clock | None = None,
    ids: Ids | None = None,
    embedder: Embedder | None = None,
    pause: Callable[[float], None] = time.sleep,
    warm: bool = True,
    lasting: bool = False,
) -> MemoryLayer:
    """Put the parts together. Nothing slow happens here: `MemoryLayer.start` brings the store and the model up.

    Args:
        settings: the installation's configuration.
        clock: time; the machine's by default.
        ids: identifiers; UUID version 7 by default.
        embedder: texts to vectors; by default the one that the settings name.
        pause: how a rules answer paces its words.
        warm: load the embedding model at the start; False leaves it to the first text that needs it.
        lasting: the process lives for this layer: what is there once it is warm is left out of garbage collection.

    Raises:
        Misconfigured: the policy file or the secret does not fit, or made-up data and real data would meet.
        LedgerUnavailable: the ledger cannot be opened.
    """
    clock, ids = clock or SystemClock(), ids or Uuid7()
    watch = build_watch(settings, version=program_version())
    check_folder(settings.chronomemory_data, demo=settings.chronomemory_demo, database_url=settings.databases)
    settings.chronomemory_data.mkdir(parents=True, exist_ok=True)
    secret = load_secret(settings.secret_path)
    ledger = open_ledger(settings, secret)
    ledger_where = ledger_place(settings)
    chosen = embedder or build_embedder(settings)
    holder = StoreHolder(settings=settings, embedder=chosen, mac_key=secret, clock=clock)
    store, writer, people, keeper = _stand_ins(holder)
    enactor = Enactor(ledger=ledger, writer=writer, embedder=chosen, clock=clock)
    operator_keys = cast("OperatorKeyStore", Deferred(holder, "operator_keys"))
    accounts = Accounts(
        people=people,
        clock=clock,
        ids=ids,
        audit=enactor.note,
        limits=AccountLimits(idle_minutes=settings.idle_minutes, absolute_hours=settings.absolute_hours),
        operator_keys=operator_keys,
    )
    governance = build_governance(settings, accounts, ledger, clock)
    policy = governance.policy
    counter = CallCounter()
    roles = watched_roles(build_roles(settings), clock)
    rules = RulesExtractor(embedder=chosen)
    extractor: Extractor = CountedExtractor(inner=rules, counter=counter)
    if roles.background is not None:
        extractor = ModelExtractor(model=roles.background, fallback=rules, counter=counter)

    assessor = Assessor(
        ledger=ledger,
        store=store,
        embedder=chosen,
        judge=build_judge(roles, counter),
        policy=policy,
        called=account_names(people),
    )
    intake = Intake(
        ledger=ledger,
        store=store,
        enactor=enactor,
        assessor=assessor,
        extractor=extractor,
        embedder=chosen,
        policy=policy,
        clock=clock,
        ids=ids,
        observer=watch.meter,
    )
    place = build_recall_place(
        settings,
        store=store,
        database=lambda: holder.part("store").database,
        last_effect=ledger.last_effect,
        embedder=chosen,
        mac_key=secret,
        clock=clock,
    )
    recaller = Recaller(store=place.store, embedder=chosen, policy=policy, clock=clock, observer=watch.meter)
    upkeep = Upkeep(store=store, enactor=enactor, policy=policy, clock=clock, ids=ids)
    expiry = Expiry(ledger=ledger, enactor=enactor, policy=policy, clock=clock, ids=ids)
    notifier = build_notifier(settings, ledger, enactor, clock, ids)
    webhooks = build_webhooks(settings, ledger, enactor, clock, post=post_notice)
    patterning, patterns = build_patterns(
        roles, counter, accounts, intake, members_see_held=settings.chronomemory_members_see_held
    )
    answerer = Answerer(
        ledger=ledger,
        store=store,
        recaller=recaller,
        intake=intake,
        responder=RulesResponder(),
        model=roles.agent,
        policy=policy,
        clock=clock,
        ids=ids,
        system_prompt=resources.files("core.llm").joinpath("prompts/agent.md").read_text(encoding="utf-8"),
        budget_tokens=settings.context_budget_tokens,
        count=counter.count,
        pause=pause,
    )
    wake = threading.Event()
    chat = Chat(
        accounts=accounts,
        ledger=ledger,
        intake=intake,
        enactor=enactor,
        runs=Runs(ledger=ledger, clock=clock),
        answerer=answerer,
        upkeep=upkeep,
        policy=policy,
        clock=clock,
        ids=ids,
        limits=ChatLimits(
            message_chars=settings.max_message_chars,
            attachment_bytes=settings.max_attachment_bytes,
            attachment_chars=settings.max_attachment_chars,
        ),
        wake_worker=wake,
    )
    review = Review(
        accounts=accounts,
        ledger=ledger,
        store=store,
        assessor=assessor,
        enactor=enactor,
        policy=policy,
        clock=clock,
        ids=ids,
        members_see_held=settings.chronomemory_members_see_held,
        target=timedelta(hours=settings.chronomemory_webhook_after_hours),
    )
    reading = TracedLedger.at(ledger_where, hmac_key=secret)  # the sandbox's own, read-only
    memories = Memories(
        accounts=accounts,
        ledger=ledger,
        file=ledger,
        store=store,
        enactor=enactor,
        intake=intake,
        upkeep=upkeep,
        policy=policy,
        clock=clock,
        ids=ids,
    )
    lifecycle = Lifecycle(
        accounts=accounts,
        ledger=ledger,
        file=ledger,
        store=store,
        keeper=keeper,
        answers=chat,
        enactor=enactor,
        clock=clock,
        ids=ids,
    )

    lost = LostWatch(enactor=enactor, lifecycle=lifecycle, clock=clock)
    counts = StoredInsight.at(ledger_where)
    warming = WarmUp(embedder=chosen, rules=rules, wanted=warm, lasting=lasting)

    def start() -> None:
        warming.start()
        holder.open()
        if holder.ready.is_set():
            threading.Thread(target=holder.watch, name="store-watch", daemon=True).start()
            place.start()
            _record_start(enactor, ledger, chosen, governance)
            _finish(lifecycle)
        wake.set()

    def close() -> None:
        warming.close()
        notifier.wait(NOTICE_SECONDS)
        webhooks.wait(NOTICE_SECONDS)
        _close(place, holder, reading, counts, ledger, watch)

    def store_state() -> str:
        if not holder.ready.is_set():
            return holder.problem
        try:
            store.ping()
        except StoreUnavailable as problem:
            return f"down: {problem}"
        return "ok"

    def ledger_state() -> str:
        try:
            ledger.head()
        except ChronoMemoryError as problem:
            return f"down: {problem}"
        return "ok"

    counts_of_requests = RequestCounts(store=cast("AgentKeyStore", Deferred(holder, "keys")), clock=clock)
    agent = AgentApi(intake=intake, recaller=recaller, upkeep=upkeep, ledger=ledger)
    agents = AgentDesk(
        api=agent,
        tracer=assessor.tracer,
        ledger=ledger,
        store=store,
        enactor=enactor,
        policy=policy,
        clock=clock,
        ids=ids,
        wake_worker=wake,
        budget_tokens=settings.context_budget_tokens,
    )
    return MemoryLayer(
        policy=policy,
        agent=agent,
        agents=agents,
        items=Items(desk=agents, ledger=cast("ItemLedger", ledger), policy=policy, clock=clock, ids=ids),
        chat=chat,
        chats=Chats(accounts=accounts, ledger=ledger, clock=clock),
        sides=Sides(
            accounts=accounts,
            ledger=ledger,
            store=store,
            recaller=recaller,
            embedder=chosen,
            responder=RulesResponder(),
            policy=policy,
            clock=clock,
            members_see_held=settings.chronomemory_members_see_held,
        ),
        review=review,
        questions=build_questions(review),
        auditor=build_auditor(review, chosen, below_ask_line=unsure),
        observed=build_observed(review),
        sandbox=build_sandbox(roles, accounts, holder, reading, embedder=chosen, policy=policy, clock=clock, ids=ids),
        memories=memories,
        imports=build_imports(
            settings, accounts=accounts, ledger=ledger, intake=intake, enactor=enactor, ids=ids, wake=wake
        ),
        history=History(accounts=accounts, ledger=ledger, store=store, embedder=chosen, policy=policy, clock=clock),
        audit_desk=AuditDesk(accounts=accounts, ledger=ledger, store=store, keeper=keeper, enactor=enactor),
        insight=Insight(
            accounts=accounts,
            ledger=counts,
            numbers=cast("StoreInsight", Deferred(holder, "insight")),
            store=store,
            policy=policy,
            clock=clock,
        ),
        lifecycle=lifecycle,
        patterns=patterns,
        patterning=patterning,
        moving=build_moving(
            accounts=accounts,
            ledger=ledger,
            store=store,
            enactor=enactor,
            intake=intake,
            assessor=assessor,
            embedder=chosen,
            policy=policy,
            clock=clock,
            secret=secret,
            model=roles.agent.model_id if roles.agent else "none (rules)",
        ),
        upkeep=upkeep,
        governance=governance,
        rejudge=Rejudge(
            accounts=accounts,
            ledger=ledger,
            assessor=assessor,
            enactor=enactor,
            policy=policy,
            clock=clock,
            ids=ids,
        ),
        key_histories=KeyHistories(accounts=accounts, ledger=ledger, audit=enactor.note),
        model_desk=build_model_desk(settings, accounts, roles, counter),
        proofs=Proofs(
            accounts=accounts,
            ground=ledger,
            probe=cast("IsolationProbe", Deferred(holder, "isolation")),
            store=store,
            audit=enactor.note,
        ),
        keys=AgentKeys(
            accounts=accounts,
            store=cast("AgentKeyStore", Deferred(holder, "keys")),
            clock=clock,
            ids=ids,
            audit=enactor.note,
        ),
        operator_keys=OperatorKeys(accounts=accounts, store=operator_keys, clock=clock, ids=ids, audit=enactor.note),
        accounts=accounts,
        intake=intake,
        enactor=enactor,
        ledger=ledger,
        store=store,
        wake_worker=wake,
        describe_model=roles.agent.model_id if roles.agent else "none (rules)",
        parts={
            "store": store_state,
            "ledger": ledger_state,
            "effects": lost.state,
            "embedding": lambda: warming.state,
            "model": lambda: roles.agent.model_id if roles.agent else "none (rules)",
            **place.parts,
        },
        local_servers=lambda: [
            LocalServer(name=one.name, base_url=one.base_url, models=tuple(one.models))
            for one in detect_local_servers()
        ],
        fast_path=counter.fast_path_share,
        on_start=start,
        on_close=close,
        run_worker=settings.chronomemory_worker,
        chores=(lost, expiry, notifier, webhooks, counts_of_requests),
        worker=f"worker-{ids.new()}",
        demo=settings.chronomemory_demo,
        observer=watch.meter,
        metrics=build_scrape(
            watch,
            ledger=counts,
            store=store_state,
            roles=roles,
            counter=counter,
            webhooks=webhooks,
            restarts=lambda: holder.restarts,
            clock=clock,
        ),
    )


def _record_start(enactor: Enactor, ledger: StoredLedger, embedder: Embedder, governance: PolicyDesk) -> None:
    """The chain's first entry: which embedding model this memory was made with (rules §8.1); then the policy file."""
    entries, _ = ledger.audit("", action="embedding:identified", limit=1)
    if not entries or entries[0].about.get("identity") != embedder.identity:
        enactor.note(
            actor="system",
            action="embedding:identified",
            tenant="",
            owner="",
            about={"identity": embedder.identity, "dimensions": embedder.dimensions},
        )
    governance.record_file()


def _close(*parts: Any) -> None:
    """Close each part, in this order."""
    for part in parts:
        part.close()


def _stand_ins(holder: StoreHolder) -> tuple[MemoryReader, MemoryWriter, People, StoreKeeper]:
    """The store's parts, usable before it is up."""
    return (
        cast("MemoryReader", Deferred(holder, "store")),
        cast("MemoryWriter", Deferred(holder, "store")),
        cast("People", Deferred(holder, "people")),
        cast("StoreKeeper", Deferred(holder, "keeper")),
    )


def _finish(lifecycle: Lifecycle) -> None:
    """What a crash cut off: an erasure that had begun, a store that was lost. Trouble here waits for the next start."""
    try:
        for certificate in lifecycle.resume():
            log.warning("the erasure %s, which had been cut off, is done", certificate.certificate_id)
        made = lifecycle.heal()
    except ChronoMemoryError as problem:
        log.error("what was cut off could not be finished at this start: %s", problem)  # noqa: TRY400 - says it all
    else:
        if made:
            log.warning("the store was empty and was made anew from the ledger: %d effects", made)


_layer: MemoryLayer | None = None
_layer_lock = threading.Lock()


def get_layer() -> MemoryLayer:
    """The process's one MemoryLayer, built from the environment on first use."""
    global _layer  # noqa: PLW0603 - one installation a process; Streamlit's threads share it
    with _layer_lock:
        if _layer is None:
            _layer = build_layer(Settings(), lasting=True)
        return _layer


def reembed_store(settings: Settings) -> int:
    """Recompute every vector with the embedding model that the settings name now; returns how many.

    Raises:
        StoreUnavailable, ModelUnavailable: run it again, it goes on where it stopped.
    """
    check_folder(settings.chronomemory_data, demo=settings.chronomemory_demo, database_url=settings.databases)
    embedder = build_embedder(settings)
    if settings.database_url:
        return reembed(settings.database_direct_url or settings.database_url, embedder)
    server = EmbeddedPostgres(settings.postgres_path)
    try:
        return reembed(server.start(), embedder)
    finally:
        server.stop()


def restore_ledger(settings: Settings, snapshot: Path) -> tuple[int, str]:
    """Put a snapshot in the place of a ledger that is gone; the next start makes an empty store anew from it.

    Returns:
        Sequence and hash of its last audit entry: compare them with what the snapshot's maker wrote down.

    Raises:
        Misconfigured: the installation's secret is not there, or not the one that the snapshot was made with.
        BadInput, AuditBroken, LedgerUnavailable: as `put_snapshot`; nothing was written.
    """
    return put_snapshot(settings, snapshot, _secret_there(settings, "the snapshot"))


def carry_ledger_over(settings: Settings) -> tuple[int, str]:
    """Carry the folder's ledger file over into the empty database of LEDGER_URL; see `move_ledger`.

    Returns:
        Sequence and hash of its last audit entry.

    Raises:
        Misconfigured: the installation's secret is not there.
        BadInput, AuditBroken, LedgerUnavailable: as `move_ledger`.
    """
    return move_ledger(settings, _secret_there(settings, "the ledger"))


def _secret_there(settings: Settings, what: str) -> bytes:
    """The secret of an installation that has one."""
    check_folder(settings.chronomemory_data, demo=settings.chronomemory_demo, database_url=settings.databases)
    if not settings.secret_path.exists():
        msg = f"put the secret that belongs to {what} at {settings.secret_path} first: the chain is made with it"
        raise Misconfigured(msg)
    return load_secret(settings.secret_path)
