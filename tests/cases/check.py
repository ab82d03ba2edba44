#!/usr/bin/env python3
"""Run Ullage's command line on every case in a folder and judge the answers.

    python check.py                              every case beside this file
    python check.py --only 04 --json             one case, as JSON
    python check.py --ullage "python -m ullage" --dir OTHER

README.md states the check vocabulary and the commands. Exit status: 0 when no case failed, else 1.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

from check_proxy import judge_proxy, judge_relayed_stream
from check_text import character_faults, text_faults
from check_tool import Answer, Case, Faults, Skip, Tool, Wrong, flag_faults, lines_of, strings

QUIET = ("info", "note")


# ---- one text, one history, one count ------------------------------------------------------------


def judge_cut(case: Case, tool: Tool) -> Faults:
    budget = case.checks["budget_chars"]
    for file in case.inputs:
        checks = case.checks.get("inputs", {}).get(file.name, case.checks)
        source = file.read_bytes().decode("utf-8", "surrogateescape")
        where = f"{file.name}: " if len(case.inputs) > 1 else ""
        yield from (
            where + fault for fault in text_faults(checks, source, tool.cut(file, budget), budget)
        )
        if "tokens_min" in checks:
            yield from count_faults(checks, tool.document("count", file))
        if checks.get("sweep"):
            yield from (where + fault for fault in sweep_faults(checks, source, file, tool))


def sweep_faults(checks: dict[str, Any], source: str, file: Path, tool: Tool) -> Faults:
    """Every budget from 1 to the length (with --quick, about 60 of them); at the length nothing may change."""
    budgets = range(1, len(source) + 1)
    tried = (
        sorted({*budgets[:20], *budgets[:: len(budgets) // 40 + 1], budgets[-1]})
        if tool.quick
        else list(budgets)
    )

    def at(budget: int) -> str:
        try:
            text = tool.cut(file, budget)["text"]
        except (Wrong, KeyError) as error:
            return str(error)
        faults = list(character_faults(checks, source, text))
        faults += [f"{len(text)} characters"] if len(text) > budget else []
        faults += (
            ["it fits, but it was changed"] if budget == len(source) and text != source else []
        )
        return "; ".join(faults)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [(budget, why) for budget, why in zip(tried, pool.map(at, tried), strict=True) if why]
    if bad:
        yield f"{len(bad)} of {len(tried)} budgets wrong, first {bad[0][0]}: {bad[0][1]}"


def judge_history(case: Case, tool: Tool) -> Faults:
    checks, file = case.checks, case.inputs[0]
    unit = "messages" if "budget_messages" in checks else "chars"
    budget = checks[f"budget_{unit}"]
    low, high = checks.get("sweep", (budget, budget))
    before = json.loads(file.read_bytes())["messages"]
    for limit in range(low, high + 1):
        answer = tool.document("compact", file, "--tier", "T1", "--budget", limit, "--unit", unit)
        yield from (
            f"budget {limit}: {fault}"
            for fault in message_faults(checks, before, answer, limit, unit)
        )


def message_faults(
    checks: dict[str, Any], before: list[Any], answer: Answer, limit: int, unit: str
) -> Faults:
    after = answer["messages"]
    text = json.dumps(after, ensure_ascii=False, separators=(",", ":"))
    size = len(after) if unit == "messages" else len(text)
    users = [message for message in before if message["role"] == "user"]
    if size > limit:
        yield f"{size} {unit}"
    if not after:
        yield "nothing is left"
    if after != before and not answer.get("events"):
        yield "messages changed, but `events` is empty"
    if checks.get("pairs_intact"):
        yield from pair_faults(after)
    if checks.get("must_keep_first_user") and users[0] not in after:
        yield "the first user message is gone"
    if checks.get("must_keep_last_user") and users[-1] not in after:
        yield "the last user message is gone"
    yield from (f"lost {want!r}" for want in checks.get("must_contain", ()) if want not in text)


def pair_faults(messages: list[Any]) -> Faults:
    waiting: list[str] = []
    for message in [*messages, {"role": "end"}]:
        if message["role"] == "tool":
            if message.get("tool_call_id") in waiting:
                waiting.remove(message["tool_call_id"])
            else:
                yield f"result {message.get('tool_call_id')} has no call before it, or comes twice"
            continue
        if waiting:
            yield f"call {', '.join(waiting)} has no result after it"
        waiting = [call["id"] for call in message.get("tool_calls") or ()]


def judge_count(case: Case, tool: Tool) -> Faults:
    for file in case.inputs:
        yield from count_faults(case.checks, tool.document("count", file))


def count_faults(checks: dict[str, Any], answer: Answer) -> Faults:
    tokens = answer["tokens"]
    if not checks.get("tokens_min", 0) <= tokens <= checks.get("tokens_max", tokens):
        yield f"{tokens} tokens, expected {checks.get('tokens_min', 0)} to {checks.get('tokens_max', 'any')}"
    if answer.get("method") not in ("exact", "estimate"):
        yield "`method` is neither exact nor estimate"
    if "tools_share_min" in checks:
        tools = sum(row["tokens"] for row in answer.get("table") or () if row["part"] == "tools")
        if tools < checks["tools_share_min"] * tokens:
            yield f"tools are {tools} of {tokens} tokens, expected at least {checks['tools_share_min']:.0%}"


def judge_perf(case: Case, tool: Tool) -> Faults:
    """No slower than max_seconds, or than max_ratio times the same count on plain words of equal length."""

    def best(file: Path) -> float:
        times = []
        for _ in range(2):
            start = time.perf_counter()
            tool.document("count", file)
            times.append(time.perf_counter() - start)
        return min(times)

    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, "plain.txt")
        for file in case.inputs:
            plain.write_text(
                ("plain words of one line\n" * (file.stat().st_size // 24 + 1))[
                    : file.stat().st_size
                ]
            )
            ordinary, seconds = best(plain), best(file)
            if seconds > max(case.checks["max_seconds"], case.checks["max_ratio"] * ordinary):
                yield f"{file.name}: {seconds:.2f} s, plain text of equal length {ordinary:.2f} s"


# ---- audit ---------------------------------------------------------------------------------------


def judge_labels(case: Case, tool: Tool) -> Faults:
    """One label a record: `ok` means no finding; any other label is the one check of its family that is reported."""
    lines = case.inputs[0].read_text("utf-8").rstrip("\n").split("\n")
    answer, labels = tool.scan(case.inputs[0]), case.checks["labels"]
    for number, name in enumerate((json.loads(line)["id"] for line in lines), 1):
        got = {
            one["check"]
            for one in answer["findings"]
            if one["source"]["line"] == number and one.get("severity") not in QUIET
        }
        want = {labels[name]} - {"ok"}
        if (got & set(labels.values()) if want else got) != want:
            yield f"{name}: expected {labels[name]}, got {', '.join(sorted(got)) or 'no finding'}"


def judge_prefix(case: Case, tool: Tool) -> Faults:
    found = lines_of(tool.scan(case.inputs[0]), "prefix-broken")
    for step, index in case.checks["first_diff"].items():
        one = found.get(int(step.rpartition(">")[2]))
        got = one["evidence"]["first_diff"] if one else None
        if got != index:
            yield f"requests {step}: first different message {got}, expected {index}"


def judge_flags(case: Case, tool: Tool) -> Faults:
    answer = tool.scan(*case.inputs)
    yield from flag_faults(case.checks, answer)
    names = {flag.partition(":")[0] for flag in case.checks["must_flag"]}
    for key in {"refetches", "writes", "compactions"} & set(case.checks):
        got = [one["evidence"].get(key) for one in answer["findings"] if one["check"] in names]
        if case.checks[key] not in got:
            yield f"{key}: expected {case.checks[key]}, got {got}"


def judge_stream(case: Case, tool: Tool) -> Faults:
    stream = next(path for path in case.inputs if path.suffix == ".sse")
    found = [one for one in tool.scan(stream)["findings"] if one["check"] == "stream-incomplete"]
    if (case.checks["label"] == "ok") == bool(found):
        yield f"expected {case.checks['label']}, got {'stream-incomplete' if found else 'no finding'}"
    if found and found[0]["evidence"].get("tool_call_usable") is not case.checks.get(
        "tool_call_usable"
    ):
        yield "evidence.tool_call_usable is wrong or missing"
    for pieces in (path for path in case.inputs if path.suffix == ".json"):
        yield from judge_relayed_stream(
            case, tool, [bytes.fromhex(one) for one in json.loads(pieces.read_bytes())]
        )


def judge_read(case: Case, tool: Tool) -> Faults:
    answer, checks = tool.scan(case.inputs[0]), case.checks
    if sorted(lines_of(answer, "damaged-line")) != checks["damaged_lines"]:
        yield f"damaged lines {sorted(lines_of(answer, 'damaged-line'))}, expected {checks['damaged_lines']}"
    if (answer.get("read") or {}).get("records") != len(checks["good_seq"]):
        yield f"read {answer.get('read')}, expected {len(checks['good_seq'])} records"


# ---- arrival at one boundary -----------------------------------------------------------------------


def judge_arrival(case: Case, tool: Tool) -> Faults:
    boundary, produced, delivered = (
        ("handoff", "child", "parent")
        if case.checks["mode"] == "audit-handoff"
        else ("summarise", "pre", "post")
    )
    answer = tool.document(
        "arrival",
        "--boundary",
        boundary,
        "--produced",
        case.file(produced),
        "--delivered",
        case.file(delivered),
        ok=(0, 1),
    )
    yield from flag_faults(case.checks, answer)
    parts = {part["path"]: [part["delivered"], part["produced"]] for part in answer["parts"]}
    for kind, want in case.checks.get("arrival", {}).items():
        if parts.get(kind) != want:
            yield f"{kind}: expected [delivered, produced] {want}, got {parts.get(kind)}"
    said = json.dumps(answer.get("findings"), ensure_ascii=False)
    yield from (
        f"no finding names {text!r}"
        for text in case.checks.get("lost_texts", ())
        if text not in said
    )


def judge_pairs(case: Case, tool: Tool) -> Faults:
    rates = {
        one["id"]: one["rate"]
        for one in tool.document("arrival", "--pairs", case.inputs[0], ok=(0, 1))["pairs"]
    }
    for pair in map(json.loads, case.inputs[0].read_text("utf-8").rstrip("\n").split("\n")):
        rate = rates[pair["id"]]
        if (rate is not None and rate < 1) != (pair["id"] in case.checks["loss_only"]):
            yield f"pair {pair['id']}: rate {rate}"
        elif not pair["produced"].strip() and rate is not None:
            yield f"pair {pair['id']}: nothing was produced, so the rate must be null, not {rate}"


# ---- ledger ----------------------------------------------------------------------------------------


def judge_store(case: Case, tool: Tool) -> Faults:
    source = case.inputs[0]
    with tempfile.TemporaryDirectory() as folder:
        done = tool.run("ledger", "import", source, "--ledger", Path(folder, "case.ullage"))
        export = tool.run("ledger", "export", Path(folder, "case.ullage"), "--format", "json")
        stored = [path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()]
    text = export.stdout.decode("utf-8", "replace")
    words = set(re.findall(r"[a-z]{5,}", source.read_text("utf-8")))
    if sum(word in text for word in words) * 3 < len(words):
        yield "the ledger's export does not hold what was imported"
    haystack = b"\n".join([*stored, export.stdout, export.stderr, done.stdout, done.stderr])
    for secret in case.checks.get("must_not_contain", ()):
        if any(form in haystack for form in disguises(secret)):
            yield f"the ledger or its output holds {secret!r}"
    if "max_ratio_to_unique" in case.checks:
        yield from size_faults(
            case.checks["max_ratio_to_unique"], source, sum(map(len, stored)), text, tool
        )


def disguises(secret: str) -> Iterator[bytes]:
    """The value as it is, URL-encoded, and inside base64 at each of the three alignments."""
    yield secret.encode()
    yield quote(secret, safe="").encode()
    for pad in range(3):
        coded = base64.b64encode(b"\0" * pad + secret.encode()).rstrip(b"=")
        yield coded[(pad * 4 + 2) // 3 : len(coded) - 1]


def size_faults(ratio: float, source: Path, size: int, export: str, tool: Tool) -> Faults:
    """Bytes stored beyond a ledger that holds the first line only, against the bytes of distinct messages."""
    lines = source.read_text("utf-8").rstrip("\n").split("\n")
    requests = [json.loads(line)["request"] for line in lines]
    messages = {
        json.dumps(one, ensure_ascii=False) for request in requests for one in request["messages"]
    }
    with tempfile.TemporaryDirectory() as folder:
        first = Path(folder, "first.jsonl")
        first.write_text(lines[0] + "\n", "utf-8")
        Path(folder, "ledger").mkdir()
        tool.run("ledger", "import", first, "--ledger", Path(folder, "ledger", "case.ullage"))
        base = sum(path.stat().st_size for path in Path(folder, "ledger").iterdir())
    unique = sum(len(one.encode()) for one in messages)
    if size - base > ratio * unique:
        yield f"{size - base} bytes stored for {unique} unique bytes, more than {ratio:g} times"
    missing = {json.loads(one)["content"] for one in messages} - set(strings(export))
    if missing:
        yield f"{len(missing)} of {len(messages)} messages cannot be exported again"


# ---- running -----------------------------------------------------------------------------------------

JUDGES: dict[str, Callable[[Case, Tool], Faults]] = {
    "cut": judge_cut,
    "history": judge_history,
    "count": judge_count,
    "perf": judge_perf,
    "proxy": judge_proxy,
    "store": judge_store,
    "read": judge_read,
    "audit-response": judge_labels,
    "audit-usage": judge_labels,
    "audit-cache": judge_prefix,
    "audit-request": judge_flags,
    "audit-session": judge_flags,
    "audit-stream": judge_stream,
    "audit-compaction": judge_arrival,
    "audit-handoff": judge_arrival,
    "audit-records": judge_pairs,
}


def load(folder: Path) -> Case:
    block = re.search(r"```json\n(.*?)\n```", (folder / "expect.md").read_text("utf-8"), re.S)
    assert block, f"{folder.name}/expect.md has no JSON block"
    return Case(folder.name, json.loads(block[1]), tuple(sorted(folder.resolve().glob("input.*"))))


def run(case: Case, tool: Tool) -> tuple[str, str]:
    try:
        faults = list(JUDGES[case.checks["mode"]](case, tool))
    except Wrong as error:
        faults = [str(error)]
    except Skip as error:
        return "SKIP", str(error)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        faults = [f"the answer has not the agreed shape: {type(error).__name__} {error}"]
    more = f" (and {len(faults) - 3} more)" if len(faults) > 3 else ""
    return ("FAIL", "; ".join(faults[:3]) + more) if faults else ("PASS", "")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--dir", type=Path, default=Path(__file__).parent, help="folder that holds the cases"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="NN", help="number or start of a case name"
    )
    parser.add_argument("--ullage", default="ullage", metavar="CMD", help="the command under test")
    parser.add_argument(
        "--quick", action="store_true", help="try about 60 budgets in a sweep, not all"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    options = parser.parse_args()
    folders = sorted(path.parent for path in options.dir.glob("[0-9][0-9]-*/expect.md"))
    folders = [
        path for path in folders if not options.only or path.name.startswith(tuple(options.only))
    ]
    if not folders:
        parser.error(f"no such case in {options.dir}")
    tool, results = Tool(tuple(shlex.split(options.ullage)), options.quick), []
    for folder in folders:
        verdict, reason = run(load(folder), tool)
        results.append({"case": folder.name, "verdict": verdict, "reason": reason})
        if not options.json:
            print(f"{verdict} {folder.name} {reason}".rstrip(), flush=True)
    count = {
        key: sum(one["verdict"] == key.upper() for one in results)
        for key in ("pass", "fail", "skip")
    }
    if options.json:
        print(
            json.dumps(
                {
                    "cases": results,
                    "passed": count["pass"],
                    "failed": count["fail"],
                    "skipped": count["skip"],
                },
                indent=1,
            )
        )
    else:
        print(f"{count['pass']} passed, {count['fail']} failed, {count['skip']} skipped")
    return 1 if count["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
