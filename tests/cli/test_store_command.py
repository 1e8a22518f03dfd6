"""`chronomemory store`: the whole installation in partitions, and what it says where there is no Citus."""

from __future__ import annotations


def test_the_store_is_put_in_partitions_and_answers_as_before(make_house):
    house = make_house()
    before = memories(house)
    assert before, "there is something to find"
    refused = house.run("store", "partition", "--parts", "4", stdin="n\n")
    assert refused.exit_code == 1
    assert "Nothing was changed" in refused.stderr
    assert "partitions" not in states(house)["store"]
    done = house.json("store", "partition", "--parts", "4", "--yes")
    assert done["parts"] == 4
    assert done["changed"]
    assert done["rows"]["memory"] >= 1
    assert states(house)["store"].endswith("in 4 partitions")
    assert memories(house) == before
    again = house.run("store", "partition", "--parts", "4", "--yes")
    assert again.exit_code == 0
    assert "already" in again.stdout
    other = house.run("store", "partition", "--parts", "8", "--yes")
    assert other.exit_code == 3
    assert "the store is in 4 parts" in other.stderr


def test_without_citus_the_command_says_what_there_is_instead(house):
    done = house.run("store", "distribute", "--yes")
    assert done.exit_code == 3
    assert "this server has no citus" in done.stderr
    assert "chronomemory store partition" in done.stderr


def states(house) -> dict[str, str]:
    return {line["part"]: line["found"] for line in house.json("doctor", "--quick")["findings"]}


def memories(house) -> list[str]:
    return [hit["memory"]["memory_id"] for hit in house.json("recall", "Where do I live?", "--as", "ada")["hits"]]
