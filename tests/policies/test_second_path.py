"""A replay tells losses that have a second path from those that have none."""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.policies.recordings import Row, in_lines

from ullage import replay

CULPRIT = 4711


def listing(culprits: list[dict[str, object]]) -> str:
    """Two lists: the culprits stand in the second one, behind what a prefix keeps."""
    early = [{"pid": 1000 + n, "comm": f"early-{n}", "note": "n" * 150} for n in range(60)]
    late = [{"pid": 3000 + n, "comm": f"late-{n}"} for n in range(20)]
    return json.dumps({"early_list": early, "late_list": [*late, *culprits]}, separators=(",", ":"))


def ranked(first: dict[str, object]) -> str:
    """The table that an agent computed itself: the loudest process first."""
    rest = [{"pid": 1000 + n, "share": 0.05 - n / 1000} for n in range(10)]
    return json.dumps({"rows": [first, *rest]})


def loud() -> Iterator[Row]:
    """A culprit with 14 % of the events: it is at the top of the table."""
    yield Row("s", "list_containers", listing([{"pid": CULPRIT, "comm": "burner"}]))
    yield Row("s", "compute", ranked({"pid": CULPRIT, "share": 0.14}))


def quiet() -> Iterator[Row]:
    """Five culprits with some 1.4 % each: none of them is in the table."""
    javas: list[dict[str, object]] = [{"pid": 5000 + n, "comm": "java"} for n in range(5)]
    yield Row("s", "list_containers", listing(javas))
    yield Row("s", "compute", ranked({"pid": 88_042, "share": 0.05}))


def judged(rows: Iterator[Row], folder: Path) -> dict[str, dict[str, int]]:
    found = replay(
        in_lines(folder / "results.jsonl", rows),
        policies=["prefix:6000", "records:6000"],
        second_path=True,
        workers=1,
    )
    return {
        one.name: {
            word: getattr(one.produced.tools["list_containers"], word)
            for word in ("loud", "quiet", "untold", "lost_records")
        }
        for one in found.policies
    }


def test_a_loud_culprit_is_found_by_its_second_path(tmp_path: Path) -> None:
    assert judged(loud(), tmp_path)["prefix:6000"]["loud"] == 1


def test_quiet_culprits_have_none(tmp_path: Path) -> None:
    prefix = judged(quiet(), tmp_path)["prefix:6000"]

    assert prefix["loud"] == 0
    assert prefix["quiet"] >= 25  # all of the second list, five culprits among them
    assert prefix["loud"] + prefix["quiet"] + prefix["untold"] == prefix["lost_records"]


def test_it_is_not_looked_for_unless_it_is_asked_for(tmp_path: Path) -> None:
    found = replay(in_lines(tmp_path / "results.jsonl", loud()), workers=1).to_dict()

    policies = found["policies"]
    assert isinstance(policies, list)
    assert [one["second_path"] for one in policies] == [None, None]
