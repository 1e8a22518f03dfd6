"""The product as one more child of the peers' measurement: its real layer on the shared server, through the pipe."""

from __future__ import annotations

from pathlib import Path

from eval.peers.roster import product
from eval.peers.stages import Ground, opened


def test_the_product_answers_like_a_peer_and_keeps_users_apart(tmp_path: Path) -> None:
    ground = Ground(tmp_path)
    try:
        with opened(product(), ground, place="product", told={}) as (child, _):
            child.ask("add", user="ann", texts=["I live in Faro.", "I live in Delft now."])
            child.ask("add", user="anna", texts=["I live in Jena."])
            assert child.ask("settle")["seconds"][0] > 0
            (own,), (others,) = (
                child.ask("search", user=user, queries=["Where do I live?"], k=5)["found"] for user in ("ann", "anna")
            )
            assert any("Delft" in text for text in own)
            assert not any("Jena" in text for text in own)
            assert any("Jena" in text for text in others)
            assert any("Jena" in text for text in child.ask("listed", user="anna")["found"][0])
            assert child.resident() > 100_000_000
    finally:
        ground.close()
