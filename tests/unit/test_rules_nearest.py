"""The fallback that reads clauses by their meaning, and the open forms beside it, on the packaged model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.errors import ModelUnavailable
from core.llm.rules import RulesExtractor
from core.llm.rules.nearest import BATCH, CLAUSES, labels
from core.model import Episode, Proposal, Provenance, Scope, SourceKind, sha256_text
from core.ports import ExtractionContext
from core.slots import SLOTS
from tests.factories import NOW

IDENTITY = "all-MiniLM-L6-v2@sha256:0"


def episode(text: str) -> Episode:
    return Episode(
        episode_id="e1",
        scope=Scope(tenant="t", owner="o"),
        conversation_id="c1",
        provenance=Provenance(
            source_kind=SourceKind.USER_TURN, source_ref="1", actor="user", observed_at=NOW, digest=sha256_text(text)
        ),
        text=text,
        received_at=NOW,
    )


def learn(extractor: RulesExtractor, text: str) -> list[Proposal]:
    found = extractor.extract(episode(text), ExtractionContext(now=NOW)).proposals
    return [one for one in found if one.attribute != "event"]


@pytest.fixture(scope="module")
def reader(embedder: Any) -> RulesExtractor:
    extractor = RulesExtractor(embedder=embedder)
    extractor.warm()
    return extractor


class Counting:
    """An embedder whose vectors are all alike, which counts what it is asked."""

    dimensions = 2

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.identity = f"{IDENTITY}:{id(self)}"  # prototypes are kept by identity: no test may see another's

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.batches.append(len(texts))
        return [[1.0, 0.0] for _ in texts]


class Silent(Counting):
    """An embedder whose endpoint does not answer."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        msg = f"{len(texts)} texts, no answer"
        raise ModelUnavailable(msg)


@pytest.mark.parametrize(
    ("text", "attribute", "held"),
    [
        ("I call Tromsø home these days", "home", "Tromsø"),
        ("doing a part-time degree in archaeology with the Open University", "studies", "archaeology"),
        ("Every Saturday I'm out on the lake rowing", "hobby", "rowing"),
        ("Work laptop's a Latitude 7440", "laptop", "Latitude 7440"),
        ("My folks raised me in Split, so I grew up with Croatian", "language", "Croatian"),
    ],
)
def test_a_clause_that_no_form_fits_is_read_by_its_meaning(
    reader: RulesExtractor, text: str, attribute: str, held: str
) -> None:
    found = learn(reader, text)
    assert any(one.subject == "user" and one.attribute == attribute and held in one.value for one in found), found
    without = [one.attribute for one in learn(RulesExtractor(), text)]
    assert attribute not in without


@pytest.mark.parametrize(
    "text",
    [
        "the new thriller got great reviews",
        "my head is pounding",
        "London is expensive these days",
        "Nothing on telly tonight",
        "People in Berlin seem to love techno",
        "The supermarket was packed this morning",
        "Kindly think up one good title for a report",
        "oof, what a fortnight",
        "I read somewhere that octopuses have three hearts",
        "the build fails on line 42 with a null pointer",
    ],
)
def test_what_tells_nothing_of_its_writer_teaches_nothing(reader: RulesExtractor, text: str) -> None:
    assert learn(reader, text) == []


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("I don't hate olives", "dislikes"),
        ("hazelnuts are fine, by the way", "allergy"),
        ("I no longer live it up in Porto", "home"),
        ("My flatmate, Ottilie, can't tolerate gluten", "allergy"),
        ("my niece swells up from wasp stings", "allergy"),
        ("five years now", "tenure"),
    ],
)
def test_a_denial_or_another_s_ailment_is_no_fact_of_the_owner(
    reader: RulesExtractor, text: str, attribute: str
) -> None:
    assert not any(
        one.subject == "user" and one.attribute == attribute and not one.retracts for one in learn(reader, text)
    )


@pytest.mark.parametrize(
    ("text", "subject", "attribute", "value"),
    [
        ("Wilhelmina here, Mina for short", "user", "nickname", "Mina"),
        ("Born on 4 July 1981, in a thunderstorm", "user", "birthday", "4 July 1981"),
        ("crayfish sends me to A&E", "user", "allergy", "crayfish"),
        ("cricket bores me to tears", "user", "dislikes", "cricket"),
        ("Three cats in this house: Fig, Olive and Sultana", "user", "cat", "Olive"),
        ("Anything technical, ask Leopold", "Leopold", "role", "technical"),
        ("We've put aside 300 euros for a tent", "user", "budget", "300 euros"),
        ("A Truro lad originally", "user", "hometown", "Truro"),
    ],
)
def test_open_forms_need_no_model(text: str, subject: str, attribute: str, value: str) -> None:
    found = learn(RulesExtractor(), text)
    assert any(one.subject == subject and one.attribute == attribute and value in one.value for one in found), found


def test_a_clause_in_another_language_is_not_compared() -> None:
    embedder = Counting()
    learn(RulesExtractor(embedder=embedder), "Ich habe meine Wohnung gegen ein Hausboot bei Bremen getauscht")
    assert embedder.batches == []


def test_a_turn_is_compared_in_one_batch_of_few_clauses() -> None:
    embedder = Counting()
    extractor = RulesExtractor(embedder=embedder)
    extractor.warm()
    told = sum(len(label.examples) for label in labels())
    assert sum(embedder.batches) == told
    assert max(embedder.batches) <= BATCH
    prototypes = len(embedder.batches)
    learn(extractor, "\n".join(f"the cupboard hums along on shelf number {count}" for count in range(40)))
    turns = embedder.batches[prototypes:]
    assert len(turns) <= 1
    assert all(size <= CLAUSES for size in turns)


def test_a_model_that_does_not_answer_teaches_nothing_more() -> None:
    text = "I'm a baker. I call Tromsø home these days"
    silent = learn(RulesExtractor(embedder=Silent()), text)
    assert silent == learn(RulesExtractor(), text)
    assert silent


def test_another_model_is_not_asked() -> None:
    embedder = Counting()
    embedder.identity = "some-model@http://localhost/v1"
    extractor = RulesExtractor(embedder=embedder)
    extractor.warm()
    learn(extractor, "I call Tromsø home these days")
    assert embedder.batches == []


def test_every_label_has_prototypes_and_no_prototype_two_labels() -> None:
    seen: dict[str, str] = {}
    for label in labels():
        assert len(label.examples) >= 4, label.name
        for text in label.examples:
            assert text not in seen, (text, label.name, seen.get(text))
            seen[text] = label.name
    assert {label.slot for label in labels() if label.about == "user"} <= {*SLOTS, "phone_model"}


def test_the_span_of_a_fact_is_the_clause_that_tells_it(reader: RulesExtractor) -> None:
    text = "Nothing on telly tonight. I call Tromsø home these days"
    found = [one for one in learn(reader, text) if one.attribute == "home"]
    assert [text[one.span.start : one.span.end] for one in found] == ["I call Tromsø home these days"]
