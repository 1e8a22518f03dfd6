"""What programs and a person do while the soak goes on, and the book of what was acknowledged to them."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from eval.scale_write import turn

CANARY = "quillmark"  # with a number: the word of one page that must not be in Postgres until a person promotes it
PAGES = 5  # every so many-th text is a page, whose claim is held
AGAIN = 7  # after every so many-th text an earlier one is sent again under its key
PATIENCE = 300.0  # seconds that a client tries to get one text acknowledged
_PAUSE = 0.2  # seconds between two tries
_SEED = 11


@dataclass(kw_only=True, slots=True)
class Said:
    """One text, and the episode that acknowledged it."""

    number: int
    page: bool
    text: str
    episode_id: str = ""

    @property
    def key(self) -> str:
        """Its idempotency key."""
        return f"soak-{self.number}"


@dataclass(kw_only=True)
class Book:
    """What the clients were told; every method may be called from any thread."""

    said: dict[int, Said] = field(default_factory=dict)
    other_episode: list[int] = field(default_factory=list)  # texts that were acknowledged under two ids
    refused: Counter[str] = field(default_factory=Counter)  # answers that were no success, by what they said
    wrong: Counter[str] = field(default_factory=Counter)  # of those, what no failing part explains
    done: Counter[str] = field(default_factory=Counter)  # what went well, by what it was
    milliseconds: dict[str, list[float]] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)  # memories, acknowledged
    waited: list[float] = field(default_factory=list)  # seconds from each text's first try until it was acknowledged
    doubtful: set[int] = field(default_factory=set)  # texts of which a memory may have been forgotten
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def acknowledged(self, one: Said, episode_id: str) -> None:
        """A text got its episode."""
        with self._lock:
            if one.episode_id not in ("", episode_id):
                self.other_episode.append(one.number)
            one.episode_id = episode_id
            self.said[one.number] = one

    def met(self, what: str, status: int, kind: str, milliseconds: float) -> None:
        """An answer; status 0: none came."""
        with self._lock:
            if 200 <= status < 300:
                self.done[what] += 1
                self.milliseconds.setdefault(what, []).append(milliseconds)
                return
            self.refused[f"{what}: {status or 'no answer'} {kind}".strip()] += 1
            # 503 and no answer: a part was killed. 404, 409: a memory or claim that changed meanwhile.
            if status not in (0, 404, 409, 503):
                self.wrong[f"{what}: {status} {kind}"] += 1

    def known(self, number: int) -> Said | None:
        """A text that was acknowledged."""
        with self._lock:
            return self.said.get(number)

    def doubt(self, number: int) -> None:
        """Something of a text is about to be forgotten."""
        with self._lock:
            self.doubtful.add(number)

    def forgot(self, memory_id: str) -> None:
        """A memory was forgotten, acknowledged."""
        with self._lock:
            self.forgotten.add(memory_id)


@dataclass(kw_only=True)
class Crowd:
    """Threads that use the installation until they are told to end."""

    urls: Sequence[str]  # of the processes that serve it; each request goes to the next one
    agent: str  # token of an agent's key whose texts are its person's words
    person: str  # token of an operator's key
    texts_a_second: float
    book: Book = field(default_factory=Book)
    _ended: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)
    _numbers: int = 0
    _turns: Iterator[int] = field(default_factory=itertools.count)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """Begin: one who writes, two who ask, one person who rules and forgets."""
        for each in (self._write, self._ask, self._ask, self._rule):
            one = threading.Thread(target=self._live, args=(each,), daemon=True)
            self._threads.append(one)
            one.start()

    def end(self) -> None:
        """Let everybody finish what they are at."""
        self._ended.set()
        for one in self._threads:
            one.join(timeout=PATIENCE + 60)
            if one.is_alive():
                msg = "a client of the soak does not end"
                raise RuntimeError(msg)

    def _live(self, what: Callable[[httpx.Client, random.Random], None]) -> None:
        draw = random.Random(_SEED)  # noqa: S311 - a load, no secret
        with httpx.Client(trust_env=False, timeout=30.0) as http:
            while not self._ended.is_set():
                what(http, draw)

    def _call(
        self, http: httpx.Client, what: str, path: str, *, body: Mapping[str, Any] | None = None, **rest: Any
    ) -> Any:
        """One request; its answer in JSON, {} if it has none, None if it was no success."""
        token = rest.pop("token", self.agent)
        headers = {"authorization": f"Bearer {token}"} | rest.pop("headers", {})
        address = f"{self.urls[next(self._turns) % len(self.urls)]}/api/v1{path}"
        began = time.perf_counter()
        try:
            answer = http.request("GET" if body is None else "POST", address, json=body, headers=headers, **rest)
        except httpx.HTTPError as problem:
            self.book.met(what, 0, type(problem).__name__, 0.0)
            self._ended.wait(_PAUSE)
            return None
        kind = "" if answer.is_success else _kind(answer)
        self.book.met(what, answer.status_code, kind, (time.perf_counter() - began) * 1000)
        if not answer.is_success:
            self._ended.wait(_PAUSE)
            return None
        return answer.json() if answer.content else {}

    # --- who writes -------------------------------------------------------------------------------------------

    def _write(self, http: httpx.Client, draw: random.Random) -> None:
        began = time.monotonic()
        with self._lock:
            number, self._numbers = self._numbers, self._numbers + 1
        page = number % PAGES == PAGES - 1
        text = f"The venue {CANARY}{number} has step-free access." if page else turn(number)
        self._send(http, Said(number=number, page=page, text=text))
        if number % AGAIN == AGAIN - 1 and (earlier := self.book.known(draw.randrange(number))) is not None:
            self._send(http, earlier)
        self._ended.wait(max(0.0, 1 / self.texts_a_second - (time.monotonic() - began)))

    def _send(self, http: httpx.Client, one: Said) -> None:
        """Send a text until it is acknowledged, always under its key: also what was begun before the end."""
        began = time.monotonic()
        deadline = began + PATIENCE
        path, what = ("/episodes/page", "page") if one.page else ("/episodes", "text")
        body = {"text": one.text} | ({"source_ref": f"https://site{one.number}.example/"} if one.page else {})
        while time.monotonic() < deadline:
            answer = self._call(http, what, path, body=body, headers={"idempotency-key": one.key})
            if answer is not None:
                self.book.acknowledged(one, str(answer["episode_id"]))
                self.book.waited.append(time.monotonic() - began)
                return
            time.sleep(_PAUSE)
        self.book.wrong[f"{what}: not acknowledged in {PATIENCE:.0f} s"] += 1

    # --- who asks ---------------------------------------------------------------------------------------------

    def _ask(self, http: httpx.Client, draw: random.Random) -> None:
        number = draw.randrange(max(1, self._numbers))
        question = turn(number).replace("My ", "What is my ").replace(".", "?")
        if draw.random() < 0.7:
            self._call(http, "recall", "/recall", body={"query": question})
        else:
            self._call(http, "ask", "/ask", body={"question": question})
        self._ended.wait(0.4)

    # --- the person -------------------------------------------------------------------------------------------

    def _rule(self, http: httpx.Client, draw: random.Random) -> None:
        number = draw.randrange(max(1, self._numbers))
        one = self.book.known(number)
        if one is None:
            self._ended.wait(_PAUSE)
            return
        if one.page and number % 3 < 2:
            self._decide(http, number, promote=number % 3 == 0)
        elif not one.page and draw.random() < 0.3:
            self._forget(http, one)
        self._ended.wait(0.3)

    def _decide(self, http: httpx.Client, number: int, *, promote: bool) -> None:
        found = self._call(
            http, "queue", "/review/items", token=self.person, params={"text": f"{CANARY}{number} ", "limit": 5}
        )
        items = [item for item in (found or {}).get("items", ()) if f"{CANARY}{number} " in item["text"]]
        if not items:
            return
        seen = {"seen_version": items[0]["version"], "digest": items[0]["digest"], "note": "" if promote else "unsure"}
        verb = "promote" if promote else "reject"
        self._call(http, verb, f"/review/items/{items[0]['id']}/{verb}", token=self.person, body=seen)

    def _forget(self, http: httpx.Client, one: Said) -> None:
        found = self._call(http, "list", "/own/memories", token=self.person, params={"text": one.text, "limit": 5})
        rows = [row for row in (found or {}).get("memories", ()) if row["episode_id"] == one.episode_id]
        if not rows:
            return
        self.book.doubt(one.number)
        path = f"/own/memories/{rows[0]['id']}/forget"
        if self._call(http, "forget", path, token=self.person, body={"reason": "not needed"}) is not None:
            self.book.forgot(rows[0]["id"])


def _kind(answer: httpx.Response) -> str:
    try:
        return str(answer.json().get("type", ""))
    except ValueError:
        return ""
