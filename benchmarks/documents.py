"""Seeded documents to time with, and texts that no call has seen before."""

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import count

KB, MB = 1_000, 1_000_000
SIZES = {"33 KB": 33_370, "1 MB": MB, "10 MB": 10 * MB, "50 MB": 50 * MB}
COMMANDS = ["java", "python3", "nginx", "kworker/0:1", "containerd-shim", "redis-server", "node"]
NOTES = ["ok", 'late "quoted" start', "path C:\\tmp", "容器在 trace 前启动"]
MARK = "call-000000"


def record(rng: random.Random, number: int) -> dict[str, object]:
    """Return a record with what makes reading hard: nesting, escapes, other scripts."""
    return {
        "id": number,
        "container": f"{rng.getrandbits(48):012x}",
        "command": rng.choice(COMMANDS),
        "pid": rng.randrange(1, 65536),
        "share": round(rng.random() * 0.14, 5),
        "arguments": ["--port", str(rng.randrange(1024, 65535))],
        "note": rng.choice(NOTES),
        "tags": {"zone": f"z{rng.randrange(9)}", "up": rng.random() < 0.5},
    }


def compact(value: object) -> str:
    """Return a value as JSON without white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def records(size: int) -> list[dict[str, object]]:
    """Return records of about `size` characters in all; one is unlike the others."""
    rng = random.Random(7)
    sample = [record(rng, number) for number in range(200)]
    each = len(compact(sample)) / len(sample)
    made = [record(rng, number) for number in range(max(int(size / each), 8))]
    made[len(made) * 5 // 8].update(share=97.31, command="stress-ng")
    return made


@cache
def two_lists(size: int) -> str:
    """Return an object with two lists, the second one longer."""
    made = records(size)
    early = len(made) * 48 // 100
    return compact(
        {
            "trace": {"host": MARK, "ticks": 123456},
            "early_list": made[:early],
            "late_list": made[early:],
            "total": len(made),
        }
    )


@cache
def one_list(size: int) -> str:
    """Return a list."""
    made = records(size)
    made[0]["container"] = MARK
    return compact(made)


def fresh(text: str) -> Iterator[str]:
    """Yield the text again and again, each time one that no cache can know."""
    return (text.replace(MARK, f"call-{number:06d}", 1) for number in count(1))
