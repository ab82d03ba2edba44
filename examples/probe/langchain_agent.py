"""LangChain's `create_agent`, plain and with the two middlewares that shorten a conversation."""

from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    ClearToolUsesEdit,
    ContextEditingMiddleware,
    SummarizationMiddleware,
)
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from probing import Case, probe

TRIGGER = 20_000


def model_of(case: Case) -> ChatOpenAI:
    return ChatOpenAI(model=case.model, base_url=case.base_url, api_key="none")


def run(case: Case, tools: list, *middleware: AgentMiddleware) -> None:
    agent = create_agent(model_of(case), tools, middleware=middleware, checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": case.tag}}
    for prompt in case.prompts:
        state = agent.invoke({"messages": [{"role": "user", "content": prompt}]}, thread)
        case.answered(state["messages"][-1].text)


def plain(case: Case) -> None:
    run(case, [case.fetch_rows])


def summarizing(case: Case) -> None:
    summary = SummarizationMiddleware(model=model_of(case), trigger=("tokens", TRIGGER))
    run(case, [case.fetch_rows], summary)


def summarizing_whole(case: Case) -> None:
    """The summariser reads all that is to go, not its last 4,000 tokens."""
    summary = SummarizationMiddleware(
        model=model_of(case), trigger=("tokens", TRIGGER), trim_tokens_to_summarize=None
    )
    run(case, [case.fetch_rows], summary)


def editing(case: Case) -> None:
    edit = ContextEditingMiddleware(edits=[ClearToolUsesEdit(trigger=TRIGGER)])
    run(case, [case.fetch_rows], edit)


def fitted(case: Case) -> None:
    """Results and requests are kept to budgets by Ullage, which has to be installed beside it."""
    from ullage.integrate.langchain import Fitting, UllageMiddleware

    run(case, [case.fetch_rows], UllageMiddleware(Fitting(results=4_000, history=16_000)))


def hand_over(case: Case) -> None:
    researcher = create_agent(model_of(case), [case.fetch_rows])

    @tool
    def research(query: str) -> str:
        """Give a question to the researcher, who can fetch the rows."""
        state = researcher.invoke({"messages": [{"role": "user", "content": query}]})
        return state["messages"][-1].text

    run(case, [research])


if __name__ == "__main__":
    probe(
        default=plain,
        summarization=summarizing,
        context_editing=editing,
        summarization_whole=summarizing_whole,
        ullage=fitted,
        handoff=hand_over,
    )
