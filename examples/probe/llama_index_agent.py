"""LlamaIndex's FunctionAgent, with one context kept from prompt to prompt.

Run it with `ullage probe run -- python llama_index_agent.py`.
"""

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer, Memory
from llama_index.core.workflow import Context
from llama_index.llms.openai_like import OpenAILike
from probing import Case, probe


def model(case: Case) -> OpenAILike:
    """Point LlamaIndex at the case's address."""
    return OpenAILike(
        model=case.model,
        api_base=case.base_url,
        api_key="none",
        context_window=128_000,
        is_chat_model=True,
        is_function_calling_model=True,
    )


async def ask(case: Case) -> None:
    """Reuse the context, as "Maintaining state" in LlamaIndex's documentation does."""
    agent = FunctionAgent(tools=[case.fetch_rows], llm=model(case))
    context = Context(agent)
    for prompt in case.prompts:
        case.answered(await agent.run(prompt, ctx=context))


async def ask_with(case: Case, memory: BaseMemory) -> None:
    """Pass a memory to each run."""
    agent = FunctionAgent(tools=[case.fetch_rows], llm=model(case))
    for prompt in case.prompts:
        case.answered(await agent.run(prompt, memory=memory))


async def ask_with_memory(case: Case) -> None:
    """Use the memory as it comes: 30,000 tokens, 0.7 of them for the history."""
    await ask_with(case, Memory.from_defaults(session_id="probe"))


async def ask_with_buffer(case: Case) -> None:
    """Keep the last 20,000 tokens."""
    await ask_with(case, ChatMemoryBuffer.from_defaults(token_limit=20_000))


async def ask_with_all(case: Case) -> None:
    """Give the memory a limit that nothing reaches."""
    await ask_with(case, Memory.from_defaults(session_id="probe", token_limit=10_000_000))


async def ask_fitted(case: Case) -> None:
    """Results and requests are kept to budgets by Ullage, which has to be installed beside it."""
    from ullage.integrate.llama_index import Fitting, fit

    agent = FunctionAgent(tools=[case.fetch_rows], llm=model(case))
    fit(agent, Fitting(results=4_000, history=16_000))
    memory = Memory.from_defaults(session_id="probe")
    for prompt in case.prompts:
        case.answered(await agent.run(prompt, memory=memory))


async def hand_over(case: Case) -> None:
    """Offer a sub-agent as a tool."""
    child = FunctionAgent(tools=[case.fetch_rows], llm=model(case))

    async def research(task: str) -> str:
        """Let a researcher do a task."""
        return str(await child.run(task))

    parent = FunctionAgent(tools=[research], llm=model(case))
    for prompt in case.prompts:
        case.answered(await parent.run(prompt))


if __name__ == "__main__":
    probe(
        default=ask,
        memory=ask_with_memory,
        buffer=ask_with_buffer,
        best=ask_with_all,
        ullage=ask_fitted,
        handoff=hand_over,
    )
