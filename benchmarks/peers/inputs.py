"""The seven inputs of the comparison, and what is true of each one.

An input is made from a seed: the same bytes on every machine. `PINNED` is the seed whose texts are
held to `SHA256`; under every other seed the anomalies stand in other places as well.
"""

import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PINNED = 20260107
SHA256 = {
    "1_two_lists.json": "2bf076f0a19c",
    "2_orders.ndjson": "a3561641678f",
    "3_build.log": "e6eab4a653b1",
    "4_deep.json": "ebb7ba105623",
    "5_table.md": "6117c5037b7d",
    "6_rows.json": "ea7e1e5b5e78",
    "7_count.json": "267247229836",
}
TWO_LISTS_CHARS = 33_370
ORDERS = 500
LOG_LINES = 2_000
LEVELS = 40
BLOB_CHARS = 40_000
TABLE_ROWS = 300
NEAR_IDENTICAL_ROWS = 5_000
COMMANDS = [
    "kworker/u8",
    "systemd-udevd",
    "sshd",
    "bash",
    "python3",
    "nginx",
    "postgres",
    "ksoftirqd",
    "containerd",
    "dockerd",
    "cron",
    "rsyslogd",
    "node",
    "java",
    "redis-server",
    "etcd",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One text, and what a judge needs to know of it."""

    name: str
    text: str
    truth: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the anomalies stand; the defaults belong to the pinned seed."""

    late_record: int = 77
    status_row: int = 211
    huge_row: int = 347
    negative_row: int = 478
    failure_line: int = 1_000
    blob_level: int = 20
    needle_at: int = 20_000
    table_row: int = 166
    error_row: int = 1_234
    slow_row: int = 2_777
    host_row: int = 4_105
    items: int = 120


def places(seed: int) -> Places:
    """Return the places of a seed, anywhere in their input."""
    if seed == PINNED:
        return Places()
    rng = random.Random(f"places of {seed}")
    status, huge, negative = rng.sample(range(ORDERS), 3)
    error, slow, host = rng.sample(range(NEAR_IDENTICAL_ROWS), 3)
    return Places(
        late_record=rng.randrange(128),
        status_row=status,
        huge_row=huge,
        negative_row=negative,
        failure_line=rng.randrange(LOG_LINES - 8),
        blob_level=rng.randrange(1, LEVELS + 1),
        needle_at=rng.randrange(BLOB_CHARS + 1),
        table_row=rng.randrange(TABLE_ROWS),
        error_row=error,
        slow_row=slow,
        host_row=host,
        items=rng.randrange(60, 180),
    )


def inputs(seed: int) -> list[Input]:
    """Return the seven inputs of a seed; raises ValueError if the pinned ones are not as pinned."""
    rng, at = random.Random(seed), places(seed)
    made = [
        two_lists(rng, at),
        orders(rng, at),
        build_log(at),
        deep(at),
        table(rng, at),
        rows(at),
        count(at),
    ]
    for one in made if seed == PINNED else ():
        if not digest(one.text).startswith(SHA256[one.name]):
            raise ValueError(f"{one.name}: sha256 {digest(one.text)[:12]}, not {SHA256[one.name]}")
    return made


def write(folder: Path, seed: int) -> dict[str, Input]:
    """Write the inputs of a seed into `folder`, and return them by name."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {one.name: one for one in inputs(seed)}
    for one in made.values():
        (folder / one.name).write_text(one.text, encoding="utf-8", newline="")
    return made


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def process(rng: random.Random, prefix: str, i: int, pid: int) -> dict[str, Any]:
    """Return one record of the two lists."""
    command = rng.choice(COMMANDS)
    return {
        "id": f"{prefix}{i:03d}",
        "name": f"{command}-{i}",
        "image": f"/usr/bin/{command.split('/')[0]}",
        "pid": pid,
        "start_ns": 1_700_000_000_000_000_000 + rng.randrange(10**12),
        "cpu_pct": round(rng.random() * 9, 2),
    }


def two_lists(rng: random.Random, at: Places) -> Input:
    """Return an object of 33,370 characters with two lists; one odd record in the second."""
    early = [process(rng, "E", i, 1000 + i) for i in range(118)]
    late = [process(rng, "L", i, 5000 + i) for i in range(128)]
    odd = f"stress-ng-{at.late_record}"
    late[at.late_record].update(cpu_pct=97.31, name=odd, image="/tmp/.x/stress-ng")
    value = {
        "schema": "proc-v1",
        "total_early": 118,
        "total_late": 128,
        "early_list": early,
        "late_list": late,
        "note": "",
    }
    missing = TWO_LISTS_CHARS - len(json.dumps(value))
    value["note"] = ("trace window 30s; lists sorted by pid. " * 200)[:missing]
    truth = {
        "early_ids": [record["id"] for record in early],
        "late_ids": [record["id"] for record in late],
        "anomalies": [odd],
    }
    return Input(name="1_two_lists.json", text=json.dumps(value), truth=truth)


def orders(rng: random.Random, at: Places) -> Input:
    """Return 500 NDJSON rows: a rare status, a huge amount, a negative amount."""
    made = [
        {
            "order_id": f"ORD-{i:04d}",
            "customer": f"cust{rng.randrange(90):03d}",
            "status": rng.choice(["paid", "shipped", "paid", "delivered"]),
            "amount": round(rng.uniform(5, 250), 2),
            "currency": "EUR",
            "items": rng.randrange(1, 6),
            "created": f"2026-{1 + i // 42:02d}-{1 + i % 28:02d}T{i % 24:02d}:00:00Z",
        }
        for i in range(ORDERS)
    ]
    made[at.status_row]["status"] = "chargeback_fraud"
    made[at.huge_row]["amount"] = 98231.5
    made[at.negative_row]["amount"] = -412.0
    odd = (at.status_row, at.huge_row, at.negative_row)
    truth = {
        "ids": [row["order_id"] for row in made],
        "anomalies": [f"ORD-{row:04d}" for row in odd],
    }
    text = "".join(json.dumps(row) + "\n" for row in made)
    return Input(name="2_orders.ndjson", text=text, truth=truth)


def build_log(at: Places) -> Input:
    """Return 2,000 lines of progress with one failure and its traceback among them."""
    lines = [
        f"[{i // 60:02d}:{i % 60:02d}] [{i * 100 // LOG_LINES:3d}%] Building CXX object"
        f" src/mod{i % 37}/CMakeFiles/mod{i % 37}.dir/file_{i}.cpp.o"
        for i in range(LOG_LINES)
    ]
    start = at.failure_line
    failure = [
        f"[{start // 60:02d}:{start % 60:02d}] FAILED:"
        f" src/mod3/CMakeFiles/mod3.dir/file_{start}.cpp.o",
        "Traceback (most recent call last):",
        '  File "/build/tools/gen.py", line 214, in <module>',
        "    main(sys.argv)",
        '  File "/build/tools/gen.py", line 171, in main',
        "    emit(table[key])",
        "KeyError: 'IRQ_VECTOR_0x2f'",
        "ninja: subcommand failed: exit code 17 (target=mod3)",
    ]
    lines[start : start + len(failure)] = failure
    anomalies = ["KeyError: 'IRQ_VECTOR_0x2f'", 'gen.py", line 171', "exit code 17"]
    return Input(name="3_build.log", text="\n".join(lines) + "\n", truth={"anomalies": anomalies})


def deep(at: Places) -> Input:
    """Return 40 levels; at one a 40,000-character string with a needle, and a field after it."""
    before = ("lorem ipsum dolor sit amet " * 1_500)[: at.needle_at]
    after = ("consectetur adipiscing elit " * 1_500)[: BLOB_CHARS - at.needle_at]
    node: dict[str, Any] = {"leaf": {"verdict": "DENY", "code": 4711}}
    for level in range(LEVELS, 0, -1):
        node = {"level": level, "meta": {"k": f"v{level}"}, "child": node}
        if level == at.blob_level:
            node["blob"] = f"{before} NEEDLE-7731 {after}"
            node["after_blob"] = {"owner": "team-zeta", "retry": False}
    anomalies = ["NEEDLE-7731", "DENY", "team-zeta"]
    return Input(name="4_deep.json", text=json.dumps(node), truth={"anomalies": anomalies})


def table(rng: random.Random, at: Places) -> Input:
    """Return a Markdown table of 300 rows, one odd, and a sentence after it that matters."""
    lines = ["# Inventory", "", "| sku | warehouse | qty | price | updated |"]
    lines.append("|---|---|---:|---:|---|")
    for i in range(TABLE_ROWS):
        quantity = rng.randrange(10, 400)
        warehouse, price = rng.randrange(6), rng.uniform(1, 90)
        day = 1 + i % 28
        lines.append(
            f"| SKU-{i:04d} | WH{warehouse} | {quantity} | {price:.2f} | 2026-02-{day:02d} |"
        )
    odd = f"SKU-{at.table_row:04d}"
    lines[4 + at.table_row] = f"| {odd} | WH9 | -55 | 12.00 | 1970-01-01 |"
    lines += ["", "Footer: figures are provisional until audit 77-B closes."]
    truth = {"ids": [f"SKU-{i:04d}" for i in range(TABLE_ROWS)], "anomalies": [odd, "77-B"]}
    return Input(name="5_table.md", text="\n".join(lines) + "\n", truth=truth)


def rows(at: Places) -> Input:
    """Return 5,000 near-identical rows; three differ, each in another field."""
    records: list[dict[str, Any]] = [
        {
            "seq": i,
            "host": "web-01",
            "svc": "checkout",
            "level": "INFO",
            "msg": "request ok",
            "status": 200,
            "latency_ms": 12 + i % 3,
        }
        for i in range(NEAR_IDENTICAL_ROWS)
    ]
    records[at.error_row].update(level="ERROR", msg="upstream reset by peer", status=502)
    records[at.slow_row]["latency_ms"] = 30211
    records[at.host_row]["host"] = "web-0l"
    truth = {"rows": True, "anomalies": ["upstream reset by peer", "30211", "web-0l"]}
    return Input(name="6_rows.json", text=json.dumps(records), truth=truth)


def count(at: Places) -> Input:
    """Return a text that fits whole: a cutter that drops items contradicts `total`."""
    ids = [f"item-{i:03d}" for i in range(at.items)]
    text = json.dumps({"total": at.items, "slugs": ids})
    return Input(name="7_count.json", text=text, truth={"ids": ids, "anomalies": []})
