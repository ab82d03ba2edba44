"""50, 200, 500 and 5,000 orders, read whole or in chunks; and a chunk that cannot be read.

The model is a scripted one that counts; what was on the wire is read from a ledger.
"""

import re
from collections import Counter as Times
from pathlib import Path
from tempfile import TemporaryDirectory

from counter import ORDER, Counter
from openai import OpenAI

from ullage import Chunked, RecordedRun, read_in_chunks, record_run
from ullage.integrate.background import Background
from ullage.probe.server import ScriptedModel, serving

NOTE = " ".join(f"word{n % 10}" for n in range(68))
IS_MERGE = re.compile(r"\A\[chunk.*\n\n\[chunk", re.DOTALL)


def orders(count: int) -> list[dict[str, object]]:
    """Return so many orders, each of some 155 tokens."""
    return [{"id": f"ORD-{n:05d}", "total": n * 3, "note": NOTE} for n in range(count)]


def read(client: OpenAI, count: int) -> Chunked:
    """Have orders counted by a model with a window of 128,000 tokens."""

    def ask(messages: list[dict[str, str]]) -> str:
        reply = client.chat.completions.create(model="scripted", messages=messages)  # type: ignore[arg-type]  # plain dicts
        return reply.choices[0].message.content or ""

    return read_in_chunks(
        orders(count), ask, instruction="Count the orders.", budget=128_000, reserve=4_096
    )


def on_the_wire(run: RecordedRun) -> Times[int]:
    """Return how many orders were seen how often, in requests that are no merge."""
    said = [str(body["messages"][-1]["content"]) for body in run.requests]  # type: ignore[index]  # JSON
    ids = [order for text in said if not IS_MERGE.search(text) for order in ORDER.findall(text)]
    return Times(Times(ids).values())


def main() -> None:
    """Print the table."""
    model = Counter()
    with TemporaryDirectory() as folder, Background() as background:
        url = background.enter(serving(ScriptedModel(default=model)))
        for count, broken in ((50, 0), (200, 0), (500, 0), (5_000, 0), (500, 2)):
            model.broken = broken
            place = Path(folder) / f"{count}-{broken}.ledger"
            with (
                record_run(place, upstream=f"{url}/v1") as run,
                OpenAI(api_key="none", max_retries=0) as client,
            ):
                found = read(client, count)
                seen = on_the_wire(run)
            show(count, found, seen)


def show(count: int, found: Chunked, seen: Times[int]) -> None:
    """Print what became of so many orders."""
    times = ", ".join(f"{orders} orders {times}x" for times, orders in sorted(seen.items()))
    print(f"{count} orders: {found.base}")
    print(f"  {len(found.chunks)} chunks, {found.cost.calls} calls; on the wire: {times}")
    print(
        f"  extra: {found.cost.extra_calls} calls, {found.cost.extra_sent} tokens; "
        f"in exactly one answered request: {found.proof.once}"
    )
    missing = [str(one) for one in found.missing]
    if missing:
        print(f"  missing: {missing[0]} to {missing[-1]} ({found.missing[0].why.split(' - ')[0]})")
    print(f"  answer: {found.answer}, complete: {found.complete}")


if __name__ == "__main__":
    main()
