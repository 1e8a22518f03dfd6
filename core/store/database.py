"""The way to Postgres: a pool that heals itself, one transaction an operation, errors in the product's words."""

from __future__ import annotations

import json
import selectors
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.adapt import Transformer
from psycopg.pq import Format
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import set_json_loads
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from core.errors import Misconfigured, StoreUnavailable
from core.model import Scope
from core.sql import load_queries
from core.store.rows import scope_params

APP_ROLE = "chronomemory_app"
READER_ROLE = "chronomemory_reader"
SEARCH_PATH = "chronomemory, public"
CONNECT_TIMEOUT = 3  # seconds; libpq takes whole ones
WAIT = 3.0  # seconds to wait for a connection of the pool
STATEMENT_TIMEOUT = 15_000  # milliseconds
QUERIES = load_queries("core.store", "queries.sql")
NOBODY = {"tenant": "", "owner": "", "agent": ""}  # row-level security shows whoever speaks for nobody no row
_JSON = json.JSONDecoder()

Connection = psycopg.Connection[DictRow]
Raw = tuple[bytes | None, ...]  # one row's columns in PostgreSQL's binary format


@contextmanager
def speaking_plainly() -> Iterator[None]:
    """Turn a driver's trouble with the server into StoreUnavailable.

    Raises:
        StoreUnavailable: the server cannot be reached, went away or did not finish in time.
        Misconfigured: the connecting role may not do what is needed.
    """
    try:
        yield
    except (PoolTimeout, PoolClosed) as error:
        msg = "the memory store (Postgres) does not answer; start it, or check DATABASE_URL. Writes wait in the ledger."
        raise StoreUnavailable(msg) from error
    except psycopg.OperationalError as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        msg = (
            f"the memory store (Postgres) does not answer: {reason}. Writes wait in the ledger and are taken up again."
        )
        raise StoreUnavailable(msg) from error
    except psycopg.errors.InsufficientPrivilege as error:
        msg = (
            f"the role that DATABASE_URL names may not do this ({str(error).strip().splitlines()[0]}): let it "
            "create roles and "
            f"own the schema, or have an administrator grant it {APP_ROLE}, {READER_ROLE} and chronomemory_keeper"
        )
        raise Misconfigured(msg) from error


def connect(conninfo: str) -> Connection:
    """One connection as the connecting role, for migrations and maintenance; short timeouts, autocommit.

    Raises:
        StoreUnavailable: the server cannot be reached.
    """
    with speaking_plainly():
        conn = psycopg.connect(conninfo, autocommit=True, row_factory=dict_row, connect_timeout=CONNECT_TIMEOUT)
        conn.execute(f"SET search_path = {SEARCH_PATH}")
        return conn


@dataclass(frozen=True, kw_only=True, slots=True)
class RawRows:
    """Rows in PostgreSQL's binary format: the head of each as it came, the rest as values by column."""

    rows: list[tuple[Raw, dict[str, Any]]]
    read: Callable[[Raw], dict[str, Any]]  # a head's values by column

    @classmethod
    def of(cls, cursor: psycopg.Cursor[Any], head: str) -> RawRows:
        """The rows of an answered query, whose columns up to `head` stay undecoded.

        Raises:
            ValueError: there is no such column.
        """
        found = cursor.pgresult
        if found is None:
            return cls(rows=[], read=lambda _: {})
        # Asked of libpq itself: the cursor makes a whole description of each column, a third of a millisecond in all.
        names = [(found.fname(column) or b"").decode() for column in range(found.nfields)]
        types = [found.ftype(column) for column in range(found.nfields)]
        cut = names.index(head) + 1
        # Each part has a transformer of its own, made while the connection is ours: it knows the session's zone.
        heads, rests = Transformer(cursor.connection), Transformer(cursor.connection)
        heads.set_loader_types(types[:cut], Format.BINARY)
        rests.set_loader_types(types[cut:], Format.BINARY)
        first, last = range(cut), range(cut, len(names))
        value = found.get_value
        rows = [
            (
                tuple([value(row, column) for column in first]),
                dict(zip(names[cut:], rests.load_sequence([value(row, column) for column in last]), strict=True)),
            )
            for row in range(found.ntuples)
        ]
        return cls(rows=rows, read=lambda raw: dict(zip(names, heads.load_sequence(raw), strict=False)))


class Database:
    """Transactions in a given role, through a pool.

    `prepare` runs once, before the first transaction: it brings the schema up to date. It may fail and is then run
    again by
    the next call, so a store can be opened while the server is still away.
    """

    def __init__(
        self,
        conninfo: str,
        *,
        role: str,
        prepare: Callable[[str], None],
        direct: str = "",
        read_only: bool = False,
        pool_size: int = 8,
        wait: float = WAIT,
    ) -> None:
        """Make the pool; nothing is connected before `start` or the first transaction.

        Args:
            conninfo: as libpq reads it. A pooler that lends a server's connection for one transaction at a time may
                stand in between: all that a transaction relies on is set within it.
            role: as whom every transaction works.
            prepare: makes the schema ready, over the way that it is given.
            direct: the way past such a pooler, for what needs a session of its own; "": `conninfo` is one.
            read_only: every transaction is.
            pool_size: most connections at a time.
            wait: seconds to wait for one of them.
        """
        self.direct = direct or conninfo
        self._lent = self.direct != conninfo  # the server's connection is ours for one transaction only
        self._as: dict[str, Any] = {
            "role": role,
            "statement_timeout": str(STATEMENT_TIMEOUT),
            "read_only": "on" if read_only else "off",
            "local": True,
        }
        self._prepare = prepare
        self._prepared = threading.Event()
        self._lock = threading.Lock()
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            conninfo,
            connection_class=psycopg.Connection[DictRow],
            # Statements are never prepared by the server: the next transaction may meet another server's connection.
            kwargs={
                "autocommit": True,
                "row_factory": dict_row,
                "prepare_threshold": None,
                "connect_timeout": CONNECT_TIMEOUT,
            },
            min_size=1,
            max_size=pool_size,
            timeout=wait,
            # Give up early: the next request tries afresh, while the pool's own back-off grows to minutes.
            reconnect_timeout=2.0,
            configure=self._configure,
            check=_check,
            name="chronomemory-store",
            open=False,
        )

    def start(self) -> None:
        """Prepare the schema and open the pool, once.

        Raises:
            StoreUnavailable: the server cannot be reached.
            Misconfigured: server, schema or embedding do not fit.
        """
        if self._prepared.is_set():
            return
        with self._lock:
            if self._prepared.is_set():
                return
            self._prepare(self.direct)
            self._pool.open()
            self._prepared.set()

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    @contextmanager
    def transaction(self, scope: Scope | None = None) -> Iterator[Connection]:
        """One transaction in the pool's role; with a scope, row-level security shows that owner's rows, else none.

        Raises:
            StoreUnavailable: the server is not reachable; nothing was changed.
        """
        self.start()
        with speaking_plainly(), self._pool.connection() as conn, conn.transaction():
            self._begin(conn, scope)
            yield conn

    def fetch(
        self, name: str, params: dict[str, Any], scope: Scope | None = None, *, first: str | None = None
    ) -> list[DictRow]:
        """All rows of one named query of the store, in its own transaction and one round trip.

        Args:
            name: the query.
            params: its parameters.
            scope: as for `transaction`.
            first: a query without parameters, to run before it in the same transaction.

        Raises:
            StoreUnavailable: the server is not reachable.
        """
        with self._asked(QUERIES[name], params, scope, first) as cursor:
            pass
        return cursor.fetchall()

    def fetch_raw(
        self, name: str, params: dict[str, Any], scope: Scope | None = None, *, first: str | None = None, head: str
    ) -> RawRows:
        """As `fetch`, with the columns up to `head` left as the server sent them.

        Args:
            name: the query.
            params: its parameters.
            scope: as for `transaction`.
            first: as for `fetch`.
            head: name of the last column that is left undecoded.

        Raises:
            StoreUnavailable: the server is not reachable.
        """
        with self._asked(QUERIES[name], params, scope, first) as cursor:
            return RawRows.of(cursor, head)

    @contextmanager
    def _asked(
        self, query: str, params: Mapping[str, Any], scope: Scope | None, first: str | None
    ) -> Iterator[psycopg.Cursor[DictRow]]:
        """A statement, answered; the connection is given back at the end of the block."""
        self.start()
        with speaking_plainly(), self._pool.connection() as conn:
            # The transaction inside the pipeline: its beginning and end travel with the statements. When one of them
            # fails, the server skips the rest, and leaving the connection's block rolls back.
            with conn.pipeline(), conn.transaction():
                self._begin(conn, scope)
                if first is not None:
                    conn.execute(QUERIES[first])
                cursor = conn.execute(query, params, binary=True)
            yield cursor

    def rows(self, query: str, params: Mapping[str, Any]) -> list[DictRow]:
        """All rows of one statement that needs no scope, in its own transaction and one round trip.

        Raises:
            StoreUnavailable: the server is not reachable.
        """
        if self._lent:
            with self._asked(query, params, None, None) as cursor:
                pass
            return cursor.fetchall()
        # A statement alone is its own transaction, and three quarters cheaper so; the session was set up for it.
        self.start()
        with speaking_plainly(), self._pool.connection() as conn:
            return conn.execute(query, params, binary=True).fetchall()

    def _begin(self, conn: Connection, scope: Scope | None) -> None:
        """The first statement of every transaction: as whom it works and for whom it speaks."""
        conn.execute(QUERIES["begin"], self._speaking_for(scope))

    def _speaking_for(self, scope: Scope | None) -> dict[str, Any]:
        return self._as | (NOBODY if scope is None else scope_params(scope))

    def _configure(self, conn: Connection) -> None:
        set_json_loads(_loads, conn)
        if self._lent:
            return
        try:
            conn.execute(QUERIES["begin"], self._as | NOBODY | {"local": False})
        except psycopg.errors.InsufficientPrivilege as error:
            # The pool retries operational errors only; anything else would be lost in its worker thread.
            msg = f"the connecting role may not SET ROLE {self._as['role']}"
            raise psycopg.OperationalError(msg) from error


def _loads(data: str | bytes) -> Any:
    """The one value of a jsonb column. The server wrote it: its encoding and its end need no look."""
    return _JSON.raw_decode(data if isinstance(data, str) else data.decode())[0]


def _check(conn: psycopg.Connection[Any]) -> None:
    """Refuse a connection that the server has closed, without a round trip for those in order.

    Nothing is sent to an idle client but a farewell: only when something waits to be read is the server asked.
    """
    with selectors.DefaultSelector() as arrived:
        arrived.register(conn, selectors.EVENT_READ)
        if arrived.select(0):
            ConnectionPool.check_connection(conn)
