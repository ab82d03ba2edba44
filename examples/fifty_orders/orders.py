"""A user pastes orders, thirty in a message, and asks for a report on all of them: AutoGen.

The model is what OPENAI_BASE_URL points at.
"""

import argparse
import asyncio
import logging
from collections.abc import Sequence

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import TextMessage
from autogen_core.model_context import BufferedChatCompletionContext
from autogen_core.models import ChatCompletionClient, ModelFamily, ModelInfo
from autogen_ext.models.openai import OpenAIChatCompletionClient

DEPOTS = ("Kyoto", "Lyon", "Oslo")
PASTED = 30
ABOUT = ModelInfo(
    vision=False,
    function_calling=True,
    json_output=False,
    family=ModelFamily.UNKNOWN,
    structured_output=False,
)


def stock(depot: str) -> str:
    """Say how many pallets a depot can still take."""
    return f"{depot} can take {40 * len(depot)} pallets"


def build_clerk(
    client: ChatCompletionClient, buffer_size: int, book: list[str] | None
) -> AssistantAgent:
    """Build the agent; with a book, orders are data that a tool returns."""

    def all_orders() -> str:
        """Return every order of this user."""
        return "\n".join(book or ())

    return AssistantAgent(
        "clerk",
        client,
        tools=[stock] if book is None else [stock, all_orders],
        model_context=BufferedChatCompletionContext(buffer_size=buffer_size),
        max_tool_iterations=10,
        system_message="You plan deliveries. Look up the stock of each depot.",
    )


async def report(orders: Sequence[str], *, buffer_size: int = 10, keep: bool = False) -> str:
    """Paste the orders, ask for the report with the last of them, and return the answer."""
    book: list[str] | None = [] if keep else None
    client = OpenAIChatCompletionClient(model="scripted", model_info=ABOUT)
    clerk = build_clerk(client, buffer_size, book)
    answer = ""
    for start in range(0, len(orders), PASTED):
        pasted = orders[start : start + PASTED]
        said = "\n".join(pasted)
        if book is not None:  # the fix: the program keeps them, and the message says how many
            book += pasted
            said = f"{len(pasted)} orders are in the book."
        last = start + PASTED >= len(orders)
        wish = "Now report on all my orders." if last else "More will follow."
        done = await clerk.run(task=f"{said}\n{wish}")
        message = done.messages[-1]
        answer = message.content if isinstance(message, TextMessage) else message.to_text()
    await client.close()
    return answer


if __name__ == "__main__":
    words = argparse.ArgumentParser(description="Report on fifty orders.")
    words.add_argument("--buffer", type=int, default=10, help="messages that the context keeps")
    words.add_argument("--keep", action="store_true", help="keep orders as data of a tool")
    words.add_argument("--debug", action="store_true", help="print every line of every log")
    asked = words.parse_args()
    logging.basicConfig(level=logging.DEBUG if asked.debug else logging.WARNING)
    lines = [f"ORD-{n:04d}; {DEPOTS[n % 3]}; {n % 7 + 1} pallets" for n in range(1, 51)]
    print(asyncio.run(report(lines, buffer_size=asked.buffer, keep=asked.keep)))
