"""One model shared by many callers: results stay with who asked, trouble too, and nobody waits for ever."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Misconfigured, ModelUnavailable
from core.llm.batching import MOST, PADDED, SHARED, SHORT, TURNS, BatchingEmbedder

SECONDS = 20.0  # after which a test that hangs has failed


def vector_of(text: str) -> list[float]:
    return [float(len(text)), float(sum(map(ord, text)))]


class Model:
    """Embeds one call at a time, or the test fails; can be held back, and refuses texts that say so."""

    identity, dimensions = "fake", 2

    def __init__(self, *, pause: float = 0.0) -> None:
        self.calls: list[list[str]] = []
        self.free = threading.Event()
        self.free.set()
        self._pause = pause
        self._alone = threading.Lock()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        assert self._alone.acquire(blocking=False), "two threads in the model"
        try:
            self.calls.append(list(texts))
            assert self.free.wait(SECONDS)
            time.sleep(self._pause)
            if any("bad" in text for text in texts):
                msg = "this text cannot be embedded"
                raise ValueError(msg)
            if any("away" in text for text in texts):
                msg = "the model is away"
                raise ModelUnavailable(msg)
            return [vector_of(text) for text in texts]
        finally:
            self._alone.release()


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def waiting(shared: BatchingEmbedder) -> int:
    return len(shared._short) + len(shared._slices)


def held_up(model: Model, shared: BatchingEmbedder, pool: ThreadPoolExecutor) -> None:
    """A first caller occupies the model until `model.free` is set."""
    model.free.clear()
    pool.submit(shared.embed, ["first"])
    until(lambda: model.calls == [["first"]])


def test_a_lone_caller_is_answered_at_once_by_its_own_call() -> None:
    model = Model()
    shared = BatchingEmbedder(model)
    assert shared.embed(["one"]) == [vector_of("one")]
    assert shared.embed([]) == []
    assert model.calls == [["one"]]


def test_callers_who_wait_together_share_one_call_and_the_same_text_is_embedded_once() -> None:
    model = Model()
    shared = BatchingEmbedder(model)
    texts = [f"text {n % (SHARED // 2)}" for n in range(SHARED)]
    with ThreadPoolExecutor(24) as pool:
        held_up(model, shared, pool)
        asked = [pool.submit(shared.embed, [text]) for text in texts]
        until(lambda: waiting(shared) == len(texts))
        model.free.set()
        assert [one.result(SECONDS) for one in asked] == [[vector_of(text)] for text in texts]
    assert len(model.calls) == 2
    assert sorted(model.calls[1]) == sorted(set(texts))


def test_a_batch_is_bounded_in_texts_and_in_padded_characters() -> None:
    model = Model()
    shared = BatchingEmbedder(model)
    texts = [f"text {n}" for n in range(MOST + 10)] + [f"{n} {'long ' * 150}" for n in range(12)]
    with ThreadPoolExecutor(len(texts) + 1) as pool:
        held_up(model, shared, pool)
        asked = [pool.submit(shared.embed, [text]) for text in texts]
        until(lambda: waiting(shared) == len(texts))
        model.free.set()
        assert [one.result(SECONDS) for one in asked] == [[vector_of(text)] for text in texts]
    for call in model.calls:
        assert len(call) <= SHARED
        assert len(call) == 1 or len(call) * max(map(len, call)) <= PADDED


def test_a_text_that_cannot_be_embedded_fails_alone() -> None:
    model = Model()
    shared = BatchingEmbedder(model)
    texts = [f"text {n}" for n in range(15)] + ["a bad one"]
    with ThreadPoolExecutor(24) as pool:
        held_up(model, shared, pool)
        asked = {text: pool.submit(shared.embed, [text]) for text in texts}
        until(lambda: waiting(shared) == len(texts))
        model.free.set()
        for text, one in asked.items():
            if "bad" in text:
                with pytest.raises(ValueError, match="cannot be embedded"):
                    one.result(SECONDS)
            else:
                assert one.result(SECONDS) == [vector_of(text)]
    assert shared.embed(["afterwards"]) == [vector_of("afterwards")]


def test_a_model_that_is_away_is_asked_once_for_all_who_wait() -> None:
    model = Model()
    shared = BatchingEmbedder(model)
    with ThreadPoolExecutor(12) as pool:
        held_up(model, shared, pool)
        asked = [pool.submit(shared.embed, [f"away {n}"]) for n in range(8)]
        until(lambda: waiting(shared) == len(asked))
        model.free.set()
        for one in asked:
            with pytest.raises(ModelUnavailable):
                one.result(SECONDS)
    assert len(model.calls) == 2


def test_a_large_call_is_cut_and_questions_go_between_its_slices() -> None:
    model = Model()
    shared = BatchingEmbedder(model)
    many = [f"document {n}" for n in range(4 * MOST)]
    with ThreadPoolExecutor(4) as pool:
        model.free.clear()
        large = pool.submit(shared.embed, many)
        until(lambda: len(model.calls) == 1)
        question = pool.submit(shared.embed, ["a question"])
        until(lambda: waiting(shared) == 1)
        model.free.set()
        assert question.result(SECONDS) == [vector_of("a question")]
        assert large.result(SECONDS) == [vector_of(text) for text in many]
    assert model.calls[1] == ["a question"]
    assert max(map(len, model.calls)) == MOST


def test_questions_without_end_do_not_starve_a_large_call() -> None:
    model = Model()
    shared = BatchingEmbedder(model)
    done = threading.Event()
    with ThreadPoolExecutor(4) as pool:
        held_up(model, shared, pool)

        def ask(name: int) -> None:
            asked = 0
            while not done.is_set() and asked < 10_000:
                shared.embed([f"{name}: question {asked}"])
                asked += 1

        asking = [pool.submit(ask, name) for name in range(2)]
        until(lambda: waiting(shared) == 2)
        many = [f"document {n}" for n in range(SHORT + 1)]
        large = pool.submit(shared.embed, many)
        until(lambda: waiting(shared) == 3)
        model.free.set()
        assert large.result(SECONDS) == [vector_of(text) for text in many]
        done.set()
        for one in asking:
            one.result(SECONDS)
    at = next(number for number, call in enumerate(model.calls) if sorted(call) == sorted(many))
    assert at <= TURNS + 2


def test_texts_of_every_length_come_back_in_their_order() -> None:
    shared = BatchingEmbedder(Model())
    many = ["x" * (n * 37 % 500 + 1) + str(n) for n in range(200)]
    assert shared.embed(many) == [vector_of(text) for text in many]


class Ended(BaseException):
    """A thread that is ended from outside."""


def test_a_leader_that_is_ended_from_outside_takes_nobody_with_it() -> None:
    model = Model()

    def embed(texts: Sequence[str]) -> list[list[float]]:
        if "last words" in texts:
            raise Ended
        return Model.embed(model, texts)

    model.embed = embed  # type: ignore[method-assign]
    shared = BatchingEmbedder(model)
    with ThreadPoolExecutor(8) as pool:
        held_up(model, shared, pool)
        asked = [pool.submit(shared.embed, [text]) for text in ("last words", "beside it")]
        until(lambda: waiting(shared) == 2)
        later = pool.submit(shared.embed, [f"slice {n}" for n in range(SHORT + 1)])
        until(lambda: waiting(shared) == 3)
        model.free.set()
        failures = [type(one.exception(SECONDS)) for one in asked]
        assert set(failures) == {Ended, ModelUnavailable}
        assert later.result(SECONDS) == [vector_of(f"slice {n}") for n in range(SHORT + 1)]
    assert shared.embed(["afterwards"]) == [vector_of("afterwards")]


TEXTS = st.lists(st.text("xyz w", min_size=1, max_size=40) | st.just("a bad one"), min_size=1, max_size=2 * MOST)


@settings(max_examples=30, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_whoever_asks_gets_the_vectors_of_their_own_texts_or_their_own_trouble(calls: list[list[str]]) -> None:
    model = Model()
    shared = BatchingEmbedder(model)
    with ThreadPoolExecutor(len(calls)) as pool:
        asked = [pool.submit(shared.embed, texts) for texts in calls]
        for texts, one in zip(calls, asked, strict=True):
            if "a bad one" in texts:
                assert isinstance(one.exception(SECONDS), ValueError)
            else:
                assert one.result(SECONDS) == [vector_of(text) for text in texts]
    assert not shared._busy
    assert waiting(shared) == 0


def test_what_does_not_fit_is_told_to_each_caller() -> None:
    class Broken(Model):
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            super().embed(texts)
            msg = "no such model"
            raise Misconfigured(msg)

    shared = BatchingEmbedder(Broken())
    for _ in range(2):
        with pytest.raises(Misconfigured):
            shared.embed(["a question"])
