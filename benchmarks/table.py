"""Print the timings of one run as a plain table: medians, and ratios to the floors beside them.

python benchmarks/table.py benchmarks/work/timings.json
"""

import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

Case = dict[str, Any]
# Groups by how they begin; what is not named here comes last.
ORDER = ("cut to 6,000", "cost", "cut of", "cut to", "growth", "arrival", "record", "import")
TOKENIZER = {
    "counting_ms": "time, in the cut",
    "alone_ms": "time, the same texts again, in a warm cache",
    "counted": "characters",
}
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))


def main() -> None:
    """Read the JSON that pytest-benchmark wrote, and print it."""
    (name,) = sys.argv[1:] or [str(Path(__file__).parent / "work" / "timings.json")]
    run = json.loads(Path(name).read_text(encoding="utf-8"))
    groups: dict[str, list[Case]] = {}
    for case in run["benchmarks"]:
        groups.setdefault(case["group"], []).append(case)
    groups = dict(sorted(groups.items(), key=lambda item: place(item[0])))
    print("\n".join(heading(run)))
    for group, cases in groups.items():
        print("\n".join(("", group, *table(cases))))
    print("\n".join(("", "Ratios in this run, and the project's goals", *ratios(groups))))


def place(group: str) -> int:
    """Return where a group stands in the table."""
    found = [at for at, start in enumerate(ORDER) if group.startswith(start)]
    return found[0] if found else len(ORDER)


def heading(run: dict[str, Any]) -> Iterator[str]:
    """Yield when and on what the run was made."""
    machine = run["machine_info"]
    cpu = machine.get("cpu", {})
    yield (
        f"{run['datetime'][:19]} UTC, {machine['system']} {machine['machine']},"
        f" {cpu.get('count', '?')} cores, {machine['python_implementation']}"
        f" {machine['python_version']}"
    )
    yield (
        "Processor time, every call on a fresh text. A ratio is the median over rounds in which the"
        " floor, in brackets, was timed just before."
    )
    yield "The machine may be busy: compare within a run, by the ratios."


def table(cases: Sequence[Case]) -> Iterator[str]:
    """Yield a line for each floor and each case."""
    floors = dict.fromkeys(name for case in cases for name in case["extra_info"]["beside"])
    lines = [["", "median", "rounds", *(f"/ {name}" for name in floors), ""]]
    for name in floors:
        lines.append([f"({name})", seconds(floor(cases, name)), "", *("" for _ in floors), ""])
    for case in cases:
        told = case["extra_info"]
        shares = [number(told["beside"].get(name, {}).get("ratio")) for name in floors]
        rounds = str(case["stats"]["rounds"])
        lines.append([name_of(case), seconds(median(case)), rounds, *shares, told.get("note", "")])
    widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
    for first, *middle, last in lines:
        words = [word.rjust(width) for word, width in zip(middle, widths[1:-1], strict=True)]
        yield "  ".join(("", first.ljust(widths[0]), *words, last)).rstrip()


def floor(cases: Sequence[Case], name: str) -> float:
    """Return the median of a floor's times beside all cases of a group."""
    found = [case["extra_info"]["beside"].get(name) for case in cases]
    return statistics.median(float(one["median"]) for one in found if one)


def number(ratio: float | None) -> str:
    """Return a ratio in as many digits as it deserves."""
    return "" if ratio is None else f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"


def ratios(groups: dict[str, list[Case]]) -> Iterator[str]:
    """Yield the ratios that the project's goals are about."""
    found = {(group, name_of(case)): case for group, cases in groups.items() for case in cases}
    for (group, name), case in found.items():
        if group.startswith("cut to 6,000") and name == "cut":
            ratio = against(case, "orjson.loads")
            yield line(f"{group}: cut / orjson.loads", ratio, "4 or less, aim 2")
        if group.startswith("cut to 6,000") and name == "cut, everything fits":
            yield line(f"{group}: {name} / orjson.loads", against(case, "orjson.loads"))
    small = found.get(("growth: 1 MB", "cut"))
    for size, times in (("10 MB", 10), ("50 MB", 50)):
        big = found.get((f"growth: {size}", "cut"))
        if big and small:
            yield line(f"time a byte, {size} / 1 MB", median(big) / median(small) / times, "near 1")
            grown = against(big, "orjson.loads") / against(small, "orjson.loads")
            yield line(f"the same of cut / orjson.loads, {size} / 1 MB", grown)
            memory = big["extra_info"]["memory"]["times_the_text"]
            yield line(f"extra memory / the text, {size}", memory)
    counting = [
        found.get((f"cut to 1,500 tokens: {size} list", "cut")) for size in ("1 MB", "33 KB")
    ]
    if all(counting):
        for told, words in TOKENIZER.items():
            more, less = (case["extra_info"][told] for case in counting if case)
            yield line(f"tokenizer, 1 MB / 33 KB: {words}", more / less, "1.5 or less")
    yield from recording(found)
    start = found.get(("import", "import ullage"))
    if start:
        more = median(start) - start["extra_info"]["beside"]["bare python"]["median"]
        yield line("import ullage over bare python, ms", more * 1e3)


def recording(found: dict[tuple[str, str], Case]) -> Iterator[str]:
    """Yield what a caller pays for a record, in each mode."""
    for mode, floor_, goal in (
        ("async", "blake3", "2 or less"),
        ("sync", "blake3 + zstd", "3 or less"),
        ("durable", "blake3 + zstd", ""),
    ):
        for group, name in (
            ("record a pair: 33 KB produced, 6 KB delivered", mode),
            ("record a result of 33 KB", f"record_tool, {mode}"),
        ):
            if case := found.get((group, name)):
                yield line(f"record, caller: {name} / {floor_}", against(case, floor_), goal)


def line(words: str, value: float, goal: str = "") -> str:
    """Return one ratio, what it is of, and what it should be."""
    return f"  {words:76} {number(value):>8}  {goal}".rstrip()


def against(case: Case | None, name: str) -> float:
    """Return how many times a floor's time a case took."""
    return float(case["extra_info"]["beside"][name]["ratio"]) if case else 0.0


def name_of(case: Case) -> str:
    """Return what a case is called."""
    return str(case["extra_info"]["case"])


def median(case: Case) -> float:
    """Return a case's median in seconds."""
    return float(case["stats"]["median"])


def seconds(value: float) -> str:
    """Return a time in a unit that suits it."""
    for unit, name in UNITS:
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value / 1e-9:.3g} ns"


if __name__ == "__main__":
    main()
