"""The first day's payload: two lists of 100 records with three keys, some 30,000 characters."""

from random import Random

from benchmarks.replay.tools import compact

RECORDS = 100
CHARS = 30_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def two_lists(seed: int = 7, records: int = RECORDS, chars: int = CHARS) -> str:
    """Make the payload; its records are of one size."""
    random = Random(f"{seed}/two-lists")
    note = chars // (2 * records) - len('{"id":"early-000","value":10000,"note":""},')
    if note < 0:
        raise ValueError(f"{2 * records} records do not go into {chars} characters")
    return compact(
        {
            f"{name}_list": [
                {
                    "id": f"{name}-{at:03}",
                    "value": random.randrange(10_000, 99_999),
                    "note": "".join(random.choices(LETTERS, k=note)),
                }
                for at in range(records)
            ]
            for name in ("early", "late")
        }
    )
