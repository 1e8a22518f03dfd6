"""The packaged model itself, and the endpoint's client against a server on this machine."""

from __future__ import annotations

import json
import math
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import torch

from core.errors import Misconfigured, ModelUnavailable
from core.llm.batching import BatchingEmbedder
from core.llm.embedder import (
    PACKAGED_SHA256,
    REMEMBERED,
    CachedEmbedder,
    EndpointEmbedder,
    PackagedEmbedder,
    PathEmbedder,
)
from core.llm.traced import SAME, traced


@pytest.fixture(scope="module")
def packaged() -> PackagedEmbedder:
    embedder = PackagedEmbedder()
    embedder.warm()
    return embedder


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


class TestPackaged:
    def test_identity_and_length_are_known_before_loading(self):
        embedder = PackagedEmbedder()
        assert embedder.identity == f"all-MiniLM-L6-v2@sha256:{PACKAGED_SHA256}"
        assert embedder.dimensions == 384
        assert embedder._model is None

    def test_meaning_without_shared_words(self, packaged):
        fact, question, other = packaged.embed(
            ["You are allergic to penicillin.", "Which medicine must I avoid?", "The museum app ships in May."]
        )
        assert dot(fact, question) > dot(other, question) + 0.2
        assert all(len(vector) == 384 for vector in (fact, question, other))
        assert all(math.isclose(dot(vector, vector), 1, abs_tol=1e-4) for vector in (fact, question, other))

    def test_any_text_is_taken(self, packaged):
        vectors = packaged.embed(["", "\x00", "\ud800", "word " * 5000, "青霉素"])
        assert all(math.isclose(dot(vector, vector), 1, abs_tol=1e-4) for vector in vectors)
        assert packaged.embed([]) == []

    def test_what_lies_beyond_the_limit_is_cut(self, packaged):
        assert packaged._model.max_seq_length == 256
        long = "word " * 300
        assert dot(*packaged.embed([long, long + "penicillin"])) == pytest.approx(1, abs=1e-4)

    def test_a_shared_step_gives_the_vectors_of_single_ones(self, packaged):
        texts = [f"{'A longer sentence about the garden. ' * (n % 7)}Note {n} says nothing new." for n in range(60)]
        shared = BatchingEmbedder(packaged)
        with ThreadPoolExecutor(20) as pool:
            together = list(pool.map(lambda text: shared.embed([text])[0], texts))
        sliced = shared.embed(texts)
        for text, beside, cut in zip(texts, together, sliced, strict=True):
            [alone] = packaged.embed([text])
            assert beside == pytest.approx(alone, abs=1e-5)
            assert cut == pytest.approx(alone, abs=1e-5)

    def test_threads_share_it(self, packaged):
        [alone] = packaged.embed(["tea"])
        results = []
        threads = [threading.Thread(target=lambda: results.extend(packaged.embed(["tea"]))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(results) == 4
        assert all(dot(alone, vector) == pytest.approx(1, abs=1e-4) for vector in results)

    def test_changed_weights_are_refused(self, tmp_path):
        (tmp_path / "model.safetensors").write_bytes(b"tampered")
        embedder = PathEmbedder(str(tmp_path), expected_sha256=PACKAGED_SHA256)
        with pytest.raises(Misconfigured, match="not the expected ones"):
            embedder.warm()


class TestRecorded:
    """The model as one call (core.llm.traced)."""

    TEXTS = ("Where do I live?", "青霉素", "", "x", "The owner signs in May. " * 60, "Ada", "word " * 300)

    def test_gives_the_vectors_of_the_model_itself(self, packaged):
        assert packaged._recorded is not None
        own = packaged._model.encode(list(self.TEXTS), normalize_embeddings=True, show_progress_bar=False)
        for vector, expected in zip(packaged.embed(self.TEXTS), own.tolist(), strict=True):
            assert vector == pytest.approx(expected, abs=SAME)

    def test_padding_and_order_change_nothing(self, packaged):
        texts = [f"{text} {n}" for n in range(7) for text in self.TEXTS]
        for text, vector in zip(texts, packaged.embed(texts), strict=True):
            assert vector == pytest.approx(packaged.embed([text])[0], abs=SAME)

    def test_a_model_that_cannot_be_recorded_runs_as_it_is(self, packaged, monkeypatch, caplog):
        def refuse(*_given, **_named):
            raise RuntimeError("no tracer here")

        monkeypatch.setattr("torch.jit.trace", refuse)
        assert traced(packaged._model) is None
        assert "no tracer here" in caplog.text
        plain = PackagedEmbedder()
        plain.warm()
        assert plain._recorded is None
        assert plain.embed(["Ada"])[0] == pytest.approx(packaged.embed(["Ada"])[0], abs=SAME)

    def test_a_recording_with_other_vectors_is_not_used(self, packaged, monkeypatch, caplog):
        freeze = torch.jit.freeze

        def shifted(step):
            frozen = freeze(step)
            return lambda *asked: frozen(*asked) + 0.01

        monkeypatch.setattr("torch.jit.freeze", shifted)
        assert traced(packaged._model) is None
        assert "differs by 0.01" in caplog.text


class TestPath:
    def test_a_directory_is_named_by_its_weights(self, packaged):
        embedder = PathEmbedder(packaged._model_path)
        assert embedder.identity == f"model@sha256:{PACKAGED_SHA256}"
        assert embedder.dimensions == 384
        assert embedder.embed(["tea"])[0] == pytest.approx(packaged.embed(["tea"])[0], abs=1e-5)

    def test_a_directory_without_weights_is_refused(self, tmp_path):
        with pytest.raises(Misconfigured, match=r"no model\.safetensors"):
            PathEmbedder(str(tmp_path)).warm()

    def test_weights_that_are_no_model_are_refused(self, tmp_path):
        (tmp_path / "model.safetensors").write_bytes(b"x")
        with pytest.raises(Misconfigured, match="EMBEDDING_MODEL"):
            PathEmbedder(str(tmp_path)).warm()


class Endpoint:
    """An embeddings server that answers what the test puts in."""

    def __init__(self) -> None:
        self.requests: list[dict] = []
        self.failures: list[int] = []
        self.length = 3
        self.drop = 0
        self.raw: bytes | None = None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body | {"path": self.path, "key": self.headers["Authorization"]})
                status = outer.failures.pop(0) if outer.failures else 200
                texts = body["input"]
                data = [
                    {
                        "object": "embedding",
                        "index": n,
                        "embedding": [float(len(text) + 1)] + [1.0] * (outer.length - 1),
                    }
                    for n, text in enumerate(texts)
                ]
                # Out of order, as the protocol allows.
                answer = {"object": "list", "model": "m", "data": data[::-1][outer.drop :]}
                content = outer.raw if outer.raw is not None else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *arguments) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def endpoint():
    endpoint = Endpoint()
    yield endpoint
    endpoint.close()


@pytest.fixture
def remote(endpoint):
    embedder = EndpointEmbedder(endpoint.url + "/", "m", api_key="secret", timeout=5, deadline=5, batch=2)
    yield embedder
    embedder.close()


class TestEndpoint:
    def test_order_length_and_norm(self, endpoint, remote):
        assert remote.identity == f"m@{endpoint.url}"
        vectors = remote.embed(["a", "bbb", "ccccc"])
        expected = [[n, 1.0, 1.0] for n in (2.0, 4.0, 6.0)]
        for vector, raw in zip(vectors, expected, strict=True):
            assert vector == pytest.approx([x / math.sqrt(dot(raw, raw)) for x in raw])
        assert [len(request["input"]) for request in endpoint.requests] == [2, 1]
        assert endpoint.requests[0]["path"] == "/v1/embeddings"
        assert endpoint.requests[0]["key"] == "Bearer secret"

    def test_the_dimension_is_found_once(self, endpoint, remote):
        assert remote.dimensions == 3
        assert remote.dimensions == 3
        assert len(endpoint.requests) == 1

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_passing_trouble_is_tried_again(self, endpoint, remote, status):
        endpoint.failures = [status, status]
        assert len(remote.embed(["a"])) == 1
        assert len(endpoint.requests) == 3

    def test_lasting_trouble_is_unavailable(self, endpoint, remote):
        endpoint.failures = [500] * 50
        with pytest.raises(ModelUnavailable, match="did not answer"):
            remote.embed(["a"])
        assert 1 < len(endpoint.requests) <= 6

    @pytest.mark.parametrize("status", [400, 401, 404])
    def test_a_refusal_is_not_tried_again(self, endpoint, remote, status):
        endpoint.failures = [status]
        with pytest.raises(Misconfigured, match=f"status {status}"):
            remote.embed(["a"])
        assert len(endpoint.requests) == 1

    def test_too_few_vectors_are_not_taken(self, endpoint, remote):
        endpoint.drop = 1
        with pytest.raises(ModelUnavailable, match="1 vectors for 2 texts"):
            remote.embed(["a", "b"])

    @pytest.mark.parametrize("raw", [b"<html>", b"{}", b'{"data": [{"index": 0, "embedding": []}]}', b"[]", b"null"])
    def test_what_is_no_answer_is_not_taken(self, endpoint, remote, raw):
        endpoint.raw = raw
        with pytest.raises(ModelUnavailable):
            remote.embed(["a"])

    def test_a_changed_dimension_is_refused(self, endpoint, remote):
        assert remote.dimensions == 3
        endpoint.length = 4
        with pytest.raises(Misconfigured, match="the model behind it changed"):
            remote.embed(["a"])

    def test_nobody_there(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        embedder = EndpointEmbedder(f"http://127.0.0.1:{port}/v1", "m", deadline=0.5, timeout=1)
        with pytest.raises(ModelUnavailable):
            embedder.embed(["a"])
        embedder.close()


class TestCache:
    def test_single_texts_are_remembered_and_forgotten_in_turn(self, remote, endpoint):
        cached = CachedEmbedder(remote, size=2)
        first = cached.embed(["a"])
        assert cached.embed(["a"]) == first
        assert len(endpoint.requests) == 1
        first[0].clear()
        assert len(cached.embed(["a"])[0]) == 3
        cached.embed(["b"])
        cached.embed(["c"])
        cached.embed(["a"])
        assert len(endpoint.requests) == 4
        assert (cached.identity, cached.dimensions) == (remote.identity, 3)

    def test_of_a_few_texts_only_the_unknown_are_asked_for(self, remote, endpoint):
        cached = CachedEmbedder(remote)
        [first] = cached.embed(["a"])
        assert cached.embed(["b", "a", "b"]) == [*cached.embed(["b"]), first, *cached.embed(["b"])]
        assert [request["input"] for request in endpoint.requests] == [["a"], ["b"]]
        cached.embed(["a", "b"])
        assert len(endpoint.requests) == 2
        assert cached.embed([]) == []

    def test_many_texts_pass_through(self, remote, endpoint):
        cached = CachedEmbedder(remote)
        texts = [str(n) for n in range(REMEMBERED + 1)]
        assert len(cached.embed(texts)) == len(texts)
        asked = len(endpoint.requests)
        cached.embed(texts)
        assert len(endpoint.requests) == 2 * asked


def test_the_package_is_where_it_is_looked_for():
    assert (Path(PackagedEmbedder()._model_path) / "model.safetensors").is_file()
