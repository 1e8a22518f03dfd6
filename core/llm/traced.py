"""A sentence-transformers model recorded once as one compiled call.

Run operation by operation, a step of a small model gives up the interpreter's lock some hundred times, and under load
waits behind every other thread each time. Recorded (`torch.jit.trace`), the whole step is one call without the lock,
and a lone text takes two thirds of the time. The vectors are the same: that is checked when it is made.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Sequence
from typing import Any

_log = logging.getLogger(__name__)

SAME = 1e-5  # largest difference of a vector's number from the model's own
_BATCH = 32  # texts a step
# What is compared: alone and padded, short and cut, other scripts, nothing.
_EXAMPLES = ("Where does Ada live?", "青霉素", "", "x", "The contract with the owner of the garden ends in May. " * 40)

Encode = Callable[[Sequence[str]], "Any"]


def traced(model: Any) -> Encode | None:
    """Texts to an array of L2-normalised vectors, a row a text, by the recorded model.

    Args:
        model: a `SentenceTransformer` whose sentence vector is the mean of its token vectors.

    Returns:
        None where this torch cannot record the model, or the recording gives other vectors: use the model itself.
    """
    import torch  # noqa: PLC0415 - here torch is loaded already, with the model

    tokenizer, limit = model.tokenizer, model.max_seq_length

    class Sentence(torch.nn.Module):
        def __init__(self, tokens: torch.nn.Module) -> None:
            super().__init__()
            self.tokens = tokens

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            found = self.tokens(input_ids=input_ids, attention_mask=attention_mask, return_dict=False)[0]
            counted = attention_mask.unsqueeze(-1).to(found.dtype)
            mean = (found * counted).sum(1) / counted.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, p=2.0, dim=1)

    def asked(texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        found = tokenizer(list(texts), padding=True, truncation=True, max_length=limit, return_tensors="pt")
        return found["input_ids"], found["attention_mask"]

    try:
        with torch.no_grad(), warnings.catch_warnings():
            # The tracer warns of branches, and of its successor, which needs a compiler at run time. What counts is the
            # comparison below; a torch without the tracer runs the model itself.
            warnings.simplefilter("ignore")
            record: Any = torch.jit.trace
            recorded = record(Sentence(model[0].model).eval(), asked(_EXAMPLES[:2]), check_trace=False)
            step = torch.jit.freeze(recorded.eval())
    except (AttributeError, NotImplementedError, RuntimeError, TypeError) as error:
        _log.warning("the embedding model cannot be recorded and runs step by step: %s", error)
        return None

    def encode(texts: Sequence[str]) -> Any:
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        vectors = torch.empty(len(texts), int(model.get_embedding_dimension()))
        with torch.inference_mode():
            for start in range(0, len(order), _BATCH):
                places = order[start : start + _BATCH]
                vectors[places] = step(*asked([texts[place] for place in places]))
        return vectors.numpy()

    examples = list(_EXAMPLES)
    for texts in ([examples[0]], examples):
        own = model.encode(texts, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True)
        apart = float(abs(encode(texts) - own).max())
        if not apart <= SAME:
            _log.warning("the recorded embedding model differs by %g and is not used", apart)
            return None
    return encode
