"""The demonstration is what its story promises: told for real into a folder of its own, and marked as what it is."""

from __future__ import annotations

import ast
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.bootstrap import build_layer
from core.demo_folder import is_demo
from core.errors import Misconfigured
from core.settings import Settings
from demo.fill import fill
from demo.story import STORY, StoryError, read

NOW = datetime(2026, 6, 1, 9, 30, tzinfo=UTC)
PASSWORD = "shown on loopback only"
ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(900)  # months of history, each text through the real write path


def reasons_on_the_review_page() -> tuple[str, ...]:
    """The reasons that the queue can be narrowed to, wherever the console keeps them."""
    for file in [*(ROOT / "pages").glob("*.py"), *(ROOT / "console").glob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and [getattr(one, "id", "") for one in node.targets] == ["REASONS"]:
                named = ast.literal_eval(node.value) if isinstance(node.value, ast.Tuple) else ()
                if "low_trust" in named:
                    return tuple(named)
    raise AssertionError("the review page names no REASONS")


@pytest.fixture(scope="module")
def told(tmp_path_factory, embedder):
    folder = tmp_path_factory.mktemp("shown") / "demo"
    seen = []
    filled = fill(folder, PASSWORD, now=NOW, embedder=embedder, progress=lambda *one: seen.append(one))
    assert len(seen) == filled.steps
    return folder, filled


def test_every_reason_of_the_review_page_waits_in_the_queue(told):
    _, filled = told
    assert set(reasons_on_the_review_page()) <= set(filled.left.held_reasons)


def test_it_leaves_what_its_story_promises(told):
    _, filled = told
    assert filled.left.missing(read(STORY, now=NOW).expect) == []
    assert filled.left.verified
    assert set(filled.left.held_sources) == {
        "web_content",
        "external_doc",
        "tool_output",
        "third_party",
        "agent_turn",
        "user_turn",
    }


def test_the_folder_is_marked_and_opens_as_a_demonstration_only(told):
    folder, _ = told
    assert is_demo(folder)
    with pytest.raises(Misconfigured, match="holds demonstration data"):
        build_layer(Settings(_env_file=None, chronomemory_data=folder))
    with pytest.raises(Misconfigured):
        fill(ROOT, PASSWORD, now=NOW)


def test_it_is_audited_as_what_it_is_and_everybody_has_left(told):
    folder, _ = told
    layer = build_layer(Settings(_env_file=None, chronomemory_data=folder, chronomemory_demo=True))
    try:
        assert layer.demo
        [filled], _ = layer.ledger.audit("default", action="demo:filled")
        assert filled.actor == "system"
        _, left = layer.ledger.audit("default", action="person:signed_out")
        assert left == 3
    finally:
        layer.close()


def test_a_story_that_does_not_come_out_is_refused(tmp_path, embedder):
    story = tmp_path / "story.toml"
    story.write_text(
        '[people]\nadmin = "admin"\n[expect]\nheld_reasons = []\nstatuses = []\nquestions = 0\nvouched = 1\npinned = 0\n'
        'recalled = 0\n[[chapter]]\nname = "One"\nstep = [{ day = 2, at = "10:00", who = "admin", do = "ask", '
        'text = "I prefer tea." }]\n',
        encoding="utf-8",
    )
    with pytest.raises(StoryError, match="vouched: 0, at least 1"):
        fill(tmp_path / "demo", PASSWORD, now=NOW, story=story, embedder=embedder)
