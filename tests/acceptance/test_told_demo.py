"""The demonstration in the terminal says what the memory really holds."""

from __future__ import annotations

from core.entrypoints.cli.screen import Screen
from core.entrypoints.cli.telling import Teller


def test_the_four_parts_come_out_as_told(make_console, capsys):
    console = make_console(idle_minutes=60 * 24 * 800, absolute_hours=24 * 800)
    Teller(layer=console.layer, clock=console.clock, actor=console.admin, screen=Screen(as_json=False)).tell()
    said = capsys.readouterr().out
    forgetting, tombstones, conflict, poisoning = (part for part in said.split("\n\n")[:4])
    assert "archived: You had soup for lunch." in forgetting
    assert "strength 1.00, active: You are allergic to penicillin." in forgetting
    assert "in memory with “Rita”: 0; held: 1" in tombstones
    assert tombstones.rstrip().endswith("Your sister is Rita [1].")
    assert "active: You live in Braga now." in conflict
    assert "superseded: You live in Porto." in conflict
    assert "held (conflict" in conflict
    assert "in memory with “9:40”: 0; held: 2" in poisoning
    assert "Nimbus" not in poisoning.split("Which supplier")[1]
    assert "the chain verifies" in said
