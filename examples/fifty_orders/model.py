"""A scripted model for `orders.py`: it looks at the stock, and counts the orders that it is given.

There is no model: the number in its answer is counted in the messages of the request, by ids.
"""

import argparse
import asyncio
import re

from orders import DEPOTS

from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn
from ullage.probe.server import ScriptedModel, serving

ORDER = re.compile(r"\b(?:ORD-\d{4}|R[0-9A-F]{12})\b")
REPORT = "Now report on all my orders."
BOOK = "all_orders"
CAP = 1_000_000  # one server answers every run of the page


def next_turn(request: ModelRequest) -> Turn:
    """Say what comes next: the stock of each depot, the orders where a tool has them, the end."""
    said = request.messages
    asked = max((at for at, one in enumerate(said) if one.role == "user"), default=0)
    results = sum(one.role == "tool" for one in said[asked:])
    if results < len(DEPOTS):
        return Turn(calls=(Call(name="stock", arguments={"depot": DEPOTS[results]}),))
    if REPORT not in said[asked].text:
        return Turn(text="Noted.")
    if BOOK in (request.tools or ()) and results == len(DEPOTS):
        return Turn(calls=(Call(name=BOOK),))
    found = {order for one in said for order in ORDER.findall(one.text)}
    return Turn(text=f"There are {len(found)} orders, and all of them can be delivered.")


async def serve(port: int) -> None:
    """Serve until this process is ended."""
    async with serving(ScriptedModel(default=next_turn, cap=CAP, keep=0), port=port) as url:
        print(f"scripted model at {url}/v1", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    words = argparse.ArgumentParser(description="Serve the scripted model.")
    words.add_argument("--port", type=int, default=0, help="where to listen; 0: a free port")
    asyncio.run(serve(words.parse_args().port))
