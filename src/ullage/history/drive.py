"""Run steps that ask a model: the same steps with and without an event loop."""

from collections.abc import Generator
from typing import TypeVar

from ullage.history.summarisers import Given, summariser_of
from ullage.history.summary import Answer, Ask, Failed

End = TypeVar("End")


def drive(steps: Generator[Ask, Answer | Failed, End], summariser: Given) -> End:
    """Run steps to their end, each request answered by a summariser. Returns what they return."""
    asks = summariser_of(summariser)
    try:
        ask = next(steps)
        while True:
            ask = steps.send(asks.ask(ask))
    except StopIteration as end:
        value: End = end.value
        return value
    finally:
        steps.close()


async def drive_async(steps: Generator[Ask, Answer | Failed, End], summariser: Given) -> End:
    """Run steps to their end as `drive` does, and let other tasks run while a model answers."""
    asks = summariser_of(summariser)
    try:
        ask = next(steps)
        while True:
            ask = steps.send(await asks.ask_async(ask))
    except StopIteration as end:
        value: End = end.value
        return value
    finally:
        steps.close()
