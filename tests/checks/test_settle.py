"""A run of which less is kept: the same rates, and no byte of what it said."""

import importlib.util
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ullage import Ledger, chars, cut
from ullage.checks.measure import measure
from ullage.checks.measured import Measurement
from ullage.checks.run import run_checks
from ullage.checks.settle import settle, write_down
from ullage.ledger.held import Held, hold, left_over
from ullage.ledger.keep import read_policy
from ullage.ledger.measurements import deliveries
from ullage.ledger.records import ExchangeRecord, ProducedRecord, StepRecord

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CONTAINERS = Path(__file__).parents[2] / "examples" / "demo" / "containers.py"


def demo_listing() -> str:
    """The tool result of the demo."""
    spec = importlib.util.spec_from_file_location("demo_containers_of_settle", CONTAINERS)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    text: str = module.make_listing(7).text
    return text


LISTING = demo_listing()
ZSTD = b"\x28\xb5\x2f\xfd"
CONTACTS = json.dumps(
    [
        {
            "id": f"C-{n:03d}",
            "email": f"person{n}@mail.test",
            "note": f"write to person{n}@mail.test",
        }
        for n in range(30)
    ]
)
CUTS: dict[str, Callable[[str], str]] = {
    "slice": lambda text: text[:6000],
    "middle": lambda text: f"{text[:3000]}\n... [27370 characters omitted] ...\n{text[-3000:]}",
    "all": lambda text: text,
    "ullage": lambda text: cut(text, chars(6000)).text,
    "nothing": lambda text: "",
}


def exchange(run: str, messages: list[dict[str, Any]], status: int = 200) -> ExchangeRecord:
    body = {"model": "gpt-4o", "max_tokens": 90, "messages": messages}
    reply = {"choices": [{"message": {"content": "I saw them"}}], "usage": {"prompt_tokens": 77}}
    return ExchangeRecord(
        run=run,
        method="POST",
        path="/v1/chat/completions?user=somebody-known",
        upstream="http://model.test",
        request_headers=[("content-type", "application/json")],
        request_body=json.dumps(body).encode(),
        status=status,
        response_headers=[("content-type", "application/json")],
        response_body=json.dumps(reply).encode(),
        started=1.0,
        first_byte=1.5,
        ended=2.0,
        cohort="scripted",
    )


def record(ledger: Ledger, run: str) -> None:
    """A run that hands on one listing in every way, and some contacts in full."""
    history: list[dict[str, Any]] = [{"role": "user", "content": "which of them is the culprit?"}]
    for name, shorten in CUTS.items():
        number = ledger.add_produced(
            ProducedRecord(
                run=run,
                tool=name,
                kind="tool",
                arguments='{"where": "cellar seven"}',
                text=LISTING,
                at=1.0,
            )
        )
        ledger.hand_on(number, shorten(LISTING))
        history.append({"role": "tool", "tool_call_id": name, "content": shorten(LISTING)})
        ledger.add_exchange(exchange(run, history))
    ledger.add_produced(
        ProducedRecord(
            run=run, tool="crm", kind="tool", arguments="{}", text=CONTACTS, at=2.0, key="id"
        )
    )
    history.append({"role": "tool", "tool_call_id": "crm", "content": CONTACTS[:900]})
    ledger.add_exchange(exchange(run, history))
    ledger.add_exchange(exchange(run, history, status=500))
    ledger.add_step(
        StepRecord(
            run=run, name="s", taken_in=2, handed_out=1, dropped=["C-001"], reason="r", at=3.0
        )
    )


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "a.ledger"


def kept(place: Path, **levels: str) -> Measurement:
    """Record the run with these levels, settle it, and measure what is left."""
    with Ledger(place) as ledger:
        held = hold(ledger, "r", read_policy(levels))
        with Ledger(held.path) as aside:
            record(aside, "r")
        settle(held, ledger, at=9.0)
        assert ledger.verify().lines() == []
        return measure(ledger, "r")


def in_full(folder: Path) -> Measurement:
    with Ledger(folder / "full.ledger") as ledger:
        record(ledger, "r")
        return measure(ledger, "r")


def on_disk(place: Path) -> bytes:
    """Every byte beside and in the ledger, while it is open and after it was closed."""
    with Ledger(place) as ledger:
        list(ledger.results())
        opened = [path.read_bytes() for path in place.parent.iterdir() if path.is_file()]
    assert [path.name for path in place.parent.iterdir()] == [place.name]
    found = b"".join([*opened, place.read_bytes()])
    return b"".join([found, *unpacked(found)])


def unpacked(data: bytes) -> Iterator[bytes]:
    """Every compressed content in some bytes, wherever it stands: freed pages, side files."""
    at = data.find(ZSTD)
    while at >= 0:
        frame = zstd.ZstdDecompressor()
        try:
            # In small pieces, so that what another page interrupts is seen as far as it goes.
            for start in range(at, len(data), 64):
                yield frame.decompress(data[start : start + 64])
                if frame.eof:
                    break
        except zstd.ZstdError:
            pass
        at = data.find(ZSTD, at + 1)


def values(text: str) -> set[bytes]:
    """The words of a text that are values and no names: with a digit, or long enough to tell."""
    found = set(re.findall(r"[\w@.-]{6,}", text))
    names = {"early_list", "late_list", "cpu_percent", "restarts", "command", "status"}
    return {one.encode() for one in found - names}


def said() -> set[bytes]:
    """What the run says that is found in its ledger if it is there."""
    return values(LISTING) | values(CONTACTS) | {b"culprit", b"cellar", b"somebody", b"I saw"}


def test_the_search_finds_what_a_ledger_in_full_holds(ledger: Path) -> None:
    kept(ledger, default="full")

    found = on_disk(ledger)
    assert sum(one in found for one in said()) > 0.9 * len(said())


@pytest.mark.parametrize("level", ["hashes", "counts"])
def test_no_byte_of_a_payload_is_in_the_file_and_nothing_is_left_beside_it(
    ledger: Path, level: str
) -> None:
    kept(ledger, default=level)

    found = on_disk(ledger)
    assert len(said()) > 400
    assert [one for one in said() if one in found] == []


@pytest.mark.parametrize("level", ["hashes", "counts"])
def test_every_rate_is_that_of_a_run_that_is_kept_in_full(
    ledger: Path, tmp_path: Path, level: str
) -> None:
    before, after = in_full(tmp_path), kept(ledger, default=level)

    assert after.by_tool == before.by_tool
    assert len(after.by_tool["slice"].parts) == 2
    assert after.requests == replace(before.requests, failures={"500": 1})
    assert (after.delivered_results, after.unknown) == (before.delivered_results, before.unknown)
    assert (after.given, after.unknown_keys) == (before.given, before.unknown_keys)
    assert [
        (one.produced_chars, one.handed_on_chars, one.delivered_chars, one.boundary, one.where)
        for one in after.results
    ] == [
        (one.produced_chars, one.handed_on_chars, one.delivered_chars, one.boundary, one.where)
        for one in before.results
    ]


def test_the_checks_find_the_same_without_texts(ledger: Path, tmp_path: Path) -> None:
    def found(measurement: Measurement) -> list[tuple[str, str | None, str | None]]:
        return [(one.check, one.tool, one.boundary) for one in run_checks(measurement)]

    before = found(in_full(tmp_path))

    assert {"silent-cut", "invalid-syntax", "cut-to-empty"} <= {check for check, *_ in before}
    assert found(kept(ledger, default="counts")) == before


def test_hashes_are_those_of_the_originals_and_counts_keep_none(tmp_path: Path) -> None:
    def hashes(place: Path) -> list[Any]:
        with Ledger(place) as opened, opened.session.reading() as db:
            return db.execute("SELECT text_hash, text_bytes FROM result ORDER BY number").fetchall()

    kept(tmp_path / "h.ledger", default="hashes")
    kept(tmp_path / "c.ledger", default="counts")

    first, *rest = hashes(tmp_path / "h.ledger")
    assert len(first[0]) == 32
    assert rest[:4] == [first] * 4  # the same listing each time
    assert {one[0] for one in hashes(tmp_path / "c.ledger")} == {b""}
    assert hashes(tmp_path / "c.ledger")[0][1] == 33_370


def test_one_tool_can_be_kept_in_full_while_requests_are_not(ledger: Path) -> None:
    kept(ledger, crm="counts")

    with Ledger.read(ledger) as opened:
        texts = {one.tool: (one.keep, one.text) for one in opened.results()}
        assert texts["slice"] == ("full", LISTING)
        assert texts["crm"] == ("counts", "")
        assert {(one.keep, one.request_body) for one in opened.exchanges()} == {("counts", b"")}
    assert b"mail.test" not in on_disk(ledger)


def test_one_field_can_be_kept_as_hashes_wherever_its_values_stand(ledger: Path) -> None:
    kept(ledger, **{"crm:email": "hashes"})

    with Ledger.read(ledger) as opened:
        (crm,) = [one for one in opened.results() if one.tool == "crm"]
    rows = json.loads(crm.text)
    assert rows[3]["id"] == "C-003"
    assert re.fullmatch(r"\[hash:[0-9a-f]{12}\]", rows[3]["email"])
    assert rows[3]["note"].startswith("write to [hash:")
    assert rows[3]["email"] != rows[4]["email"]
    assert b"mail.test" not in on_disk(ledger)


def test_keys_that_are_values_are_not_kept_as_names_of_fields(ledger: Path) -> None:
    table = json.dumps({"by_mail": [{"ann@mail.test": 1, "2026-11-30": 2, "total": 3}]})
    with Ledger(ledger) as opened:
        held = hold(opened, "r", read_policy({"default": "counts"}))
        with Ledger(held.path) as aside:
            aside.add_produced(
                ProducedRecord(run="r", tool="t", kind="tool", arguments="{}", text=table, at=1.0)
            )
            aside.add_exchange(exchange("r", [{"role": "tool", "content": table}]))
        settle(held, opened, at=9.0)
        (rates,) = measure(opened, "r").by_tool.values()

    assert {(one.path, one.field) for one in rates.fields} == {
        ("$.by_mail", "*"),
        ("$.by_mail", "total"),
    }
    assert b"ann@mail" not in on_disk(ledger)


def test_an_export_of_counts_comes_back_with_its_rates(ledger: Path, tmp_path: Path) -> None:
    before = kept(ledger, default="counts")
    command = [sys.executable, "-m", "ullage", "ledger"]
    lines = subprocess.run([*command, "export", str(ledger)], capture_output=True, check=True)
    copy = tmp_path / "copy.ledger"
    subprocess.run(
        [*command, "import", "-", "--ledger", str(copy)],
        input=lines.stdout,
        capture_output=True,
        check=True,
    )

    again = subprocess.run([*command, "export", str(copy)], capture_output=True, check=True)

    assert again.stdout == lines.stdout
    with Ledger.read(copy) as opened:
        assert measure(opened, "r") == before


def test_what_is_held_is_for_its_owner_only(ledger: Path) -> None:
    with Ledger(ledger) as opened:
        held = hold(opened, "r", read_policy({"default": "counts"}))

    assert stat.S_IMODE(held.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(held.path.stat().st_mode) == 0o600


def gone(held: Held) -> Path:
    """Name a folder as a process did that is not there any more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    os.close(held.lock)
    stem = held.folder.name.removesuffix(f".{os.getpid()}.held")
    return held.folder.rename(held.folder.with_name(f"{stem}.{child.pid}.held"))


def test_what_a_killed_process_held_is_found_and_settled(ledger: Path, tmp_path: Path) -> None:
    with Ledger(ledger) as opened:
        held = hold(opened, "r", read_policy({"default": "counts"}))
        with Ledger(held.path) as aside:
            record(aside, "r")
        assert list(left_over(ledger)) == []  # this process is still there
        gone(held)

        for one in left_over(ledger):
            assert settle(one, opened, at=9.0) == ["r"]

        assert measure(opened, "r").by_tool == in_full(tmp_path).by_tool
        assert list(left_over(ledger)) == []


def test_what_a_process_of_the_same_number_held_is_settled(ledger: Path) -> None:
    """As in a container that is killed and started again, or before anybody has asked for it."""
    with Ledger(ledger) as opened:
        held = hold(opened, "r", read_policy({"default": "counts"}))
        with Ledger(held.path) as aside:
            record(aside, "r")
        os.close(held.lock)  # as the system does

        for one in left_over(ledger):
            assert settle(one, opened, at=9.0) == ["r"]

        hold(opened, "r", read_policy({"default": "counts"})).remove()


def test_what_is_left_over_is_taken_over_once(ledger: Path) -> None:
    with Ledger(ledger) as opened:
        held = hold(opened, "r", read_policy({"default": "hashes"}))
        Ledger(held.path).close()
        folder = gone(held)
        (folder / "keep.json").write_text("{torn", encoding="utf-8")

        (one,) = left_over(ledger)

        assert one.policy.default == "counts"  # as little as there is
        assert list(left_over(ledger)) == []
        assert not folder.exists()


def test_settling_again_after_it_was_stopped_keeps_nothing_twice(ledger: Path) -> None:
    with Ledger(ledger) as opened:
        held = hold(opened, "r", read_policy({"default": "counts"}))
        with Ledger(held.path) as aside:
            record(aside, "r")
        held.begin("r")
        opened.add_fault("r", "as if it had come so far", 1.0)
        settle(held, opened, at=9.0)

        assert len(list(opened.results("r"))) == 6
        assert opened.faults("r") == 0


def test_a_run_whose_tag_is_taken_gets_a_number(ledger: Path, tmp_path: Path) -> None:
    with Ledger(ledger) as opened:
        record(opened, "r")
        held = hold(opened, "r", read_policy({"default": "counts"}))
        with Ledger(held.path) as aside:
            record(aside, "r")

        assert settle(held, opened, at=9.0) == ["r.2"]
        assert measure(opened, "r.2").by_tool == measure(opened, "r").by_tool
        assert opened.runs() == ["r", "r.2"]
        assert opened.verify().lines() == []


def test_a_full_run_gets_its_measurement_beside_its_results(ledger: Path) -> None:
    with Ledger(ledger) as opened:
        record(opened, "r")
        write_down(opened, measure(opened, "r"), at=9.0)
        rows = deliveries(opened.session, "r")
        with opened.session.reading() as db:
            view = db.execute(
                "SELECT tool, produced_chars, delivered_chars, parts, parts_arrived, valid"
                " FROM arrival WHERE tool IN ('slice', 'all')"
            ).fetchall()

    assert view == [("slice", 33_370, 6000, 2, 1, 0), ("all", 33_370, 33_370, 2, 2, 1)]
    assert rows[1].boundary == "budget"
    assert rows[1].records == 246
