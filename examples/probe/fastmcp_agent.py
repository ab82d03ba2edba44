"""A FastMCP server in memory, and a loop around OpenAI's client that calls its tool."""

from typing import Any

from fastmcp import Client, FastMCP
from openai import AsyncOpenAI
from probing import Case, probe


def server_of(case: Case) -> FastMCP:
    server = FastMCP("rows")

    @server.tool
    def fetch_rows() -> Any:
        """Fetch the rows."""
        return case.fetch_rows()

    return server


async def run(case: Case, server: FastMCP) -> None:
    client = AsyncOpenAI(base_url=case.base_url, api_key="none", max_retries=0)
    messages: list[Any] = []
    async with Client(server) as tools:
        offered = [
            {"type": "function", "function": {"name": one.name, "parameters": {"type": "object"}}}
            for one in await tools.list_tools()
        ]
        for prompt in case.prompts:
            messages.append({"role": "user", "content": prompt})
            while True:
                body = {"model": case.model, "messages": messages, "tools": offered}
                reply = (await client.chat.completions.create(**body)).choices[0].message
                messages.append(reply.model_dump(exclude_none=True))
                for call in reply.tool_calls or ():
                    result = await tools.call_tool(call.function.name, {})
                    text = "".join(block.text for block in result.content)
                    messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
                if not reply.tool_calls:
                    break
            case.answered(reply.content)


async def plain(case: Case) -> None:
    await run(case, server_of(case))


async def fitted(case: Case) -> None:
    """Results are kept to a budget by Ullage, which has to be installed beside it."""
    from ullage.integrate.fastmcp import Fitting, UllageMiddleware

    server = server_of(case)
    server.add_middleware(UllageMiddleware(Fitting(results=4_000)))
    await run(case, server)


if __name__ == "__main__":
    probe(default=plain, ullage=fitted)
