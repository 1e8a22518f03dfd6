"""The peers' measurement: its material, its scoring, its protocol over a real pipe, and its report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from eval.peers import material, stages
from eval.peers.environments import CONSTRAINTS, pinned, wanted
from eval.peers.material import Asked
from eval.peers.process import Child, Made, PeerCannot, PeerFailed
from eval.peers.report import rows, shown
from eval.peers.roster import ENTRIES, PRODUCT
from eval.peers.scoring import Ratio, Times, foreign, judge, missing, says
from eval.peers.stages import Found
from eval.results import Result, Row, read, write

FAKE = Made(name="fake", python=Path(sys.executable), script=Path(__file__).parents[1] / "fake_peer.py")
ASKED = Asked(question="Where do I live?", current="Faro", former=("Delft", "Jena"))


class Ground:
    """Folders without a database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made = 0

    def fresh(self, name: str) -> tuple[Path, str]:
        self.made += 1
        return self.folder / f"{name}-{self.made}", ""


@contextmanager
def child(tmp_path: Path, mode: str = "good") -> Iterator[Child]:
    with Child(FAKE, log=tmp_path / "log", extra={"FAKE_PEER": mode}) as started:
        started.ask("open", folder=str(tmp_path / mode), dsn="")
        yield started


# --- material ---------------------------------------------------------------------------------------------------------


def test_the_same_seed_says_the_same_and_another_one_something_else() -> None:
    assert material.changing(23) == material.changing(23) != material.changing(24)
    assert list(material.neighbours()) == list(material.neighbours())


@pytest.mark.parametrize("seed", [23, 24, 25, 26])
def test_a_changed_fact_is_said_one_to_three_times_anew_and_its_current_value_last(seed: int) -> None:
    history = material.changing(seed)
    assert {len(asked.former) for asked in history.asked} == {1, 2, 3}
    for asked in history.asked:
        values = (*asked.former, asked.current)
        naming = [text for text in history.said if any(says(text, value) for value in values)]
        assert [next(value for value in values if says(text, value)) for text in naming] == list(values)


def test_no_statement_names_an_old_and_a_new_value_at_once() -> None:
    history = material.changing()
    for asked in history.asked:
        for text in history.said:
            assert sum(says(text, value) for value in (*asked.former, asked.current)) <= 1


def test_two_users_share_sentences_and_no_value() -> None:
    for pair in material.neighbours():
        for user, _, others in pair.asked:
            own = [text for whose, text in pair.said if whose == user]
            assert own
            assert not any(says(text, value) for text in own for value in others)


def test_every_statement_for_speed_is_another_one_about_another_person() -> None:
    numbers = range(12_000)
    assert len({material.statement(number) for number in numbers}) == len(numbers)
    assert len({material.name(number) for number in numbers}) == len(numbers)
    assert material.name(7) in material.statement(7)
    assert material.name(7) in material.question(7)


# --- scoring ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hits", "current", "stale"),
    [
        (["I live in Faro now."], True, False),
        (["I live in Delft.", "I live in Faro now."], True, True),
        (["I moved from Delft to Faro."], True, False),
        (["Faroese is a language."], False, False),
        (["My flat is in jena."], False, True),
        ([], False, False),
    ],
)
def test_a_hit_is_stale_when_it_names_a_former_value_alone(hits: list[str], *, current: bool, stale: bool) -> None:
    judged = judge(ASKED, hits)
    assert (judged.current, judged.stale) == (current, stale)


def test_foreign_hits_and_missing_marks_are_counted() -> None:
    assert foreign(["I live in Faro.", "I live in Delft."], ["Delft", "Jena"]) == 1
    assert missing(["Babra", "Babran"], ["My friend Babran lives in Lisbon."]) == ["Babra"]


def test_ratios_are_medians_of_pairs_and_need_four_of_them() -> None:
    ratio = Ratio.of([2.0, 4.0, 30.0, 4.0, 2.0], [1.0, 2.0, 3.0, 1.0, 1.0])
    assert ratio is not None
    assert (ratio.median, ratio.n) == (2.0, 5)
    assert ratio.low <= ratio.median <= ratio.high
    assert Ratio.of([1.0, 2.0, 3.0], [1.0, 1.0, 1.0]) is None
    assert Times.of([0.1, 0.3]).per_second == pytest.approx(5.0)


# --- protocol ---------------------------------------------------------------------------------------------------------


def test_a_child_answers_over_its_pipe_whatever_it_prints(tmp_path: Path) -> None:
    with child(tmp_path) as peer:
        assert peer.ask("about")["about"]["name"] == "fake"
        assert len(peer.ask("add", user="ann", texts=["I live in Faro.", "I like tea."])["seconds"]) == 2
        found = peer.ask("search", user="ann", queries=["Where do I live?"], k=1)
        assert found["found"] == [["I live in Faro."]]
        assert all(seconds > 0 for seconds in found["seconds"])
        assert peer.resident() > 1_000_000
    assert "chats on its standard output" in (tmp_path / "log").read_text(encoding="utf-8")


def test_what_a_peer_cannot_or_fails_at_is_said_and_it_goes_on(tmp_path: Path) -> None:
    with child(tmp_path, "unlisted") as peer:
        with pytest.raises(PeerCannot, match="no list"):
            peer.ask("listed", user="ann")
        assert peer.ask("settle")["seconds"]
    with child(tmp_path, "fails") as peer, pytest.raises(PeerFailed, match="RuntimeError: no room"):
        peer.ask("add", user="ann", texts=["x"])


def test_a_peer_that_does_not_answer_in_time_has_failed(tmp_path: Path) -> None:
    with child(tmp_path, "slow") as peer:
        with pytest.raises(PeerFailed, match="did not answer"):
            peer.ask("add", user="ann", texts=["x"], timeout=0.2)
        peer.kill()


def test_a_peer_sees_no_key_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not for a peer")
    with child(tmp_path) as peer:
        told = Path(f"/proc/{peer.pid}/environ").read_bytes()
    assert b"not for a peer" not in told


# --- stages -----------------------------------------------------------------------------------------------------------


def test_changing_facts_are_judged_one_by_one(tmp_path: Path) -> None:
    found = Found()
    with child(tmp_path) as peer:
        stages.changing(peer, found, seeds=[23])
    assert len(found.judged) == len(material.changing(23).asked)
    assert any(judged.stale for judged in found.judged)  # it keeps everything


@pytest.mark.parametrize(("mode", "leaks"), [("good", False), ("leaky", True)])
def test_another_users_hits_are_found(tmp_path: Path, mode: str, *, leaks: bool) -> None:
    found = Found()
    with child(tmp_path, mode) as peer:
        stages.leaks(peer, found)
    assert set(found.foreign) == set(material.PAIRS)
    assert any(hits for hits, _ in found.foreign.values()) is leaks


@pytest.mark.parametrize(("mode", "loses"), [("good", False), ("unlisted", False), ("forgetful", True)])
def test_a_kill_in_mid_write_shows_what_was_acknowledged_and_is_gone(tmp_path: Path, mode: str, *, loses: bool) -> None:
    found = Found()
    stages.crash(FAKE, Ground(tmp_path), found, told={"FAKE_PEER": mode}, kills=[6])  # type: ignore[arg-type]
    ((acknowledged, lost),) = found.crashed
    assert acknowledged >= 6
    assert lost == (acknowledged if loses else 0)


def test_speed_is_taken_in_rounds_and_whoever_is_over_budget_stops(tmp_path: Path) -> None:
    found = {"fake": Found(), "poor": Found()}
    lines: list[str] = []
    with child(tmp_path) as one, child(tmp_path, "leaky") as other:
        stages.speed(
            {"fake": one, "poor": other}, found, sizes=[50, 150], rounds=4, queries=3, budget=60.0, say=lines.append
        )
        stages.speed(
            {"poor": other}, {"poor": (late := Found())}, sizes=[100], rounds=1, queries=2, budget=0.0, say=lines.append
        )
    for one_found in found.values():
        assert {size: len(seconds) for size, seconds in one_found.adds.items()} == {50: 50, 150: 100}
        assert [len(seconds) for seconds in one_found.searches[150]] == [3] * 4
        assert one_found.resident[150] > 0
    assert found["fake"].kept == {50: 50, 150: 150}
    assert late.cannot["speed"].startswith("stopped at 50 statements")
    assert not late.searches
    assert len(lines) == 3


# --- report -----------------------------------------------------------------------------------------------------------


def test_the_report_gives_ratios_to_the_product_and_reasons_for_what_is_missing() -> None:
    product = Found(
        about={"version": "v", "setup": "s"},
        judged=[judge(ASKED, ["Faro"])] * 10,
        foreign={("a", "b"): (0, 20)},
        adds={100: [0.01] * 100},
        rounds={100: [0.1] * 5},
        searches={100: [[0.01, 0.02]] * 5},
        resident={100: 1 << 20},
        crashed=[(5, 0)],
    )
    peer = Found(
        judged=[judge(ASKED, ["Delft"])] * 10, adds={100: [0.02] * 100}, rounds={100: [0.2] * 5},
        searches={100: [[0.02, 0.04]] * 5}, crashed=[(5, 2)], cannot={"two users": "cannot: it knows no users"},
    )  # fmt: skip
    found = {PRODUCT: product, "peer": peer, "absent": Found(cannot={"start": "cannot: no environment"})}
    text = "\n".join(shown(found, {"other": "a hosted service"}))
    assert "×2.00 [2.00, 2.00]" in text
    assert "2 of 5" in text
    assert text.count("cannot: it knows no users") >= 1
    assert "cannot: no environment" in text
    assert "a hosted service" in text
    made = {row.claim: row for row in rows(found)}
    assert made["product: stale@5, changing facts"].met is True
    assert made["product: acknowledged statements lost by SIGKILL"].met is True
    assert made["peer: acknowledged statements lost by SIGKILL"].figure == 2
    assert made["peer: stale@5, changing facts"].met is None
    assert made["peer: time of search over the product's, 100 statements"].figure == pytest.approx(2.0)
    assert not any(claim.startswith("absent") for claim in made)


def test_every_peer_has_a_script_that_stands_and_pinned_packages() -> None:
    for name, entry in ENTRIES.items():
        assert entry.made(name).script.exists()
        assert any("==" in package for package in entry.packages)


def test_environments_are_made_once_and_torch_is_the_projects_own() -> None:
    made = wanted(list(ENTRIES), guards=True)
    assert set(made) == {entry.venv for entry in ENTRIES.values()} | {"guards"}
    assert "langgraph-memory" not in made
    assert wanted([], guards=False) == {}
    assert pinned("torch", CONSTRAINTS.read_text(encoding="utf-8")).startswith("torch==")
    assert pinned("torch", "torchvision==1\n") == "torch"


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    result = Result(
        name="peers", command="c", date="2026-01-02", machine="m",
        rows=(Row(claim="a", figure=0.5, low=0.1, high=0.9, n=3, aim="<= 1", met=True), Row(claim="b", figure=1)),
    )  # fmt: skip
    write(result, tmp_path / "out.json")
    assert read(tmp_path / "out.json") == result
