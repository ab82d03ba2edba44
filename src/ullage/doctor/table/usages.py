"""Layers of frameworks that lose context once a program asks for them. Data."""

import ast

from ullage.doctor.usage import Argument, Usage, given, is_constant, opaque


def forgets_runs(call: ast.Call) -> bool:
    """Whether an Agno agent keeps a session and is not shown it."""
    added = given(call, "add_history_to_context")
    hidden = added is None or is_constant(added, value=False)
    return given(call, "db") is not None and hidden and not opaque(call)


def reuses_context(call: ast.Call) -> bool:
    """Whether a run is given a context and no memory."""
    context = given(call, "ctx")
    if context is None or is_constant(context, value=None) or passed_on(call):
        return False
    return given(call, "memory") is None and not opaque(call)


def passed_on(call: ast.Call) -> bool:
    """Whether a method only hands its call to the class that it is from: `super().run(…)`."""
    return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "super()"


def shown_little(call: ast.Call) -> bool:
    """Whether a summariser's input is limited, as it is unless that is switched off."""
    return not is_constant(given(call, "trim_tokens_to_summarize"), value=None)


def auto(call: ast.Call) -> bool:
    """Whether a provider may drop what does not fit."""
    word = given(call, "truncation")
    return isinstance(word, ast.Constant) and word.value == "auto"


TRUNCATION = "A provider drops the middle or the oldest of what does not fit, and says nothing."
BOUNDED = "model_context=UnboundedChatCompletionContext()"

USAGES = (
    Usage(
        key="langchain.summariser-input",
        root="langchain",
        name="SummarizationMiddleware",
        boundary="summarise",
        loss="silent",
        what="The summariser is shown only the last tokens of what is taken out; a larger result "
        "does not reach it at all.",
        remedy="SummarizationMiddleware(…, trim_tokens_to_summarize=None)",
        shows=(
            Argument(
                name="trim_tokens_to_summarize",
                default=("langchain.summariser-input", "_DEFAULT_TRIM_TOKEN_LIMIT"),
            ),
            Argument(name="trigger"),
        ),
        when=shown_little,
    ),
    Usage(
        key="langchain.context-editing",
        root="langchain",
        name="ClearToolUsesEdit",
        boundary="retain",
        loss="said",
        what='All tool results but the last few become "[cleared]".',
        remedy='ClearToolUsesEdit(keep=20, exclude_tools=("the_tool_that_matters",))',
        shows=(
            Argument(name="trigger", default=("langchain.context-editing", "trigger")),
            Argument(name="keep", default=("langchain.context-editing", "keep")),
        ),
    ),
    Usage(
        key="langchain.context-editing",
        root="langchain",
        name="ContextEditingMiddleware",
        boundary="retain",
        loss="said",
        what='All tool results but the last few become "[cleared]".',
        remedy="ContextEditingMiddleware(edits=[ClearToolUsesEdit(keep=20)])",
        shows=(Argument(name="keep", default=("langchain.context-editing", "keep")),),
        when=lambda call: given(call, "edits", 0) is None and not opaque(call),
    ),
    Usage(
        key="langchain.shell-output",
        root="langchain",
        name="ShellToolMiddleware",
        boundary="budget",
        loss="said",
        what="Only the first lines of a command's output are kept.",
        remedy="ShellToolMiddleware(execution_policy=HostExecutionPolicy(max_output_lines=2000))",
        shows=(
            Argument(
                name="execution_policy", default=("langchain.shell-output", "max_output_lines")
            ),
        ),
    ),
    Usage(
        key="langchain.trim-messages",
        root="langchain_core",
        name="trim_messages",
        boundary="retain",
        loss="silent",
        what="Messages that do not fit are dropped, and no notice is left.",
        remedy="Raise max_tokens, or keep what must stay: include_system=True, start_on='human'",
        shows=(Argument(name="max_tokens"), Argument(name="strategy")),
    ),
    Usage(
        key="autogen.buffered",
        root="autogen_core",
        name="BufferedChatCompletionContext",
        boundary="retain",
        loss="silent",
        what="All but the last messages are dropped, tool calls and their results counted.",
        remedy=BOUNDED,
        shows=(Argument(name="buffer_size", position=0),),
    ),
    Usage(
        key="autogen.token-limited",
        root="autogen_core",
        name="TokenLimitedChatCompletionContext",
        boundary="retain",
        loss="silent",
        what="Messages over a number of tokens are dropped from the middle.",
        remedy=BOUNDED,
        shows=(Argument(name="token_limit"),),
    ),
    Usage(
        key="autogen.head-and-tail",
        root="autogen_core",
        name="HeadAndTailChatCompletionContext",
        boundary="retain",
        loss="said",
        what="The messages between the first and the last ones are dropped.",
        remedy=BOUNDED,
        shows=(Argument(name="head_size", position=0), Argument(name="tail_size", position=1)),
    ),
    Usage(
        key="strands.window",
        root="strands",
        name="SlidingWindowConversationManager",
        boundary="retain",
        loss="silent",
        what="The oldest messages are dropped, tool calls and their results counted.",
        remedy="SlidingWindowConversationManager(window_size=400, pin_first=2)",
        shows=(
            Argument(name="window_size", position=0, default=("strands.window", "window_size")),
        ),
    ),
    Usage(
        key="openai-agents.trimmer",
        root="agents",
        name="ToolOutputTrimmer",
        boundary="retain",
        loss="said",
        what="Older results are replaced by the head of each.",
        remedy="ToolOutputTrimmer(recent_turns=10, max_output_chars=20_000)",
        shows=(
            Argument(
                name="recent_turns", position=0, default=("openai-agents.trimmer", "recent_turns")
            ),
            Argument(
                name="max_output_chars", default=("openai-agents.trimmer", "max_output_chars")
            ),
        ),
    ),
    Usage(
        key="openai-agents.truncation",
        root="agents",
        name="ModelSettings",
        boundary="serve",
        loss="silent",
        what=TRUNCATION,
        remedy='ModelSettings(truncation="disabled")',
        shows=(Argument(name="truncation"),),
        when=auto,
    ),
    *(
        Usage(
            key="openai.truncation",
            root="openai",
            name=f"responses.{name}",
            boundary="serve",
            loss="silent",
            what=TRUNCATION,
            remedy='truncation="disabled"',
            shows=(Argument(name="truncation"),),
            when=auto,
            method=True,
        )
        for name in ("create", "parse", "stream")
    ),
    Usage(
        key="llama-index.buffer",
        root="llama_index",
        name="ChatMemoryBuffer.from_defaults",
        boundary="retain",
        loss="silent",
        what="The oldest messages over the limit are dropped.",
        remedy="ChatMemoryBuffer.from_defaults(token_limit=100_000)",
        shows=(
            Argument(
                name="token_limit", default=("llama-index.agent-memory", "DEFAULT_TOKEN_LIMIT")
            ),
        ),
    ),
    Usage(
        key="llama-index.memory",
        root="llama_index",
        name="Memory.from_defaults",
        boundary="retain",
        loss="silent",
        what="The oldest messages over a share of the limit are dropped, unless a memory block "
        "takes them.",
        remedy="Memory.from_defaults(token_limit=100_000, chat_history_token_ratio=0.95)",
        shows=(
            Argument(name="token_limit", default=("llama-index.memory", "DEFAULT_TOKEN_LIMIT")),
            Argument(
                name="chat_history_token_ratio",
                default=("llama-index.memory", "chat_history_token_ratio"),
            ),
        ),
    ),
    Usage(
        key="llama-index.context",
        root="llama_index",
        name="run",
        boundary="retain",
        loss="silent",
        what="A Context that is used again does not carry the agent's memory: the run begins "
        "with one message.",
        remedy="agent.run(…, memory=memory)  # the same Memory for every run",
        shows=(Argument(name="ctx"),),
        when=reuses_context,
        method=True,
    ),
    Usage(
        key="agno.history",
        root="agno",
        name="Agent",
        boundary="retain",
        loss="silent",
        what="The session is stored, and no run is shown the earlier ones.",
        remedy="Agent(…, add_history_to_context=True, num_history_runs=50)",
        shows=(
            Argument(
                name="add_history_to_context", default=("agno.history", "add_history_to_context")
            ),
        ),
        when=forgets_runs,
    ),
    Usage(
        key="agno.history-runs",
        root="agno",
        name="Agent",
        boundary="retain",
        loss="silent",
        what="A run is shown the last runs only.",
        remedy="Agent(…, add_history_to_context=True, num_history_runs=50)",
        shows=(
            Argument(name="num_history_runs", default=("agno.history-runs", "num_history_runs")),
        ),
        when=lambda call: (
            is_constant(given(call, "add_history_to_context"), value=True)
            and given(call, "num_history_messages") is None
        ),
    ),
    Usage(
        key="agno.compression",
        root="agno",
        name="Agent",
        boundary="summarise",
        loss="silent",
        what="A model rewrites the results of tools, the newest too.",
        remedy="Agent(…, compress_tool_results=False)",
        shows=(
            Argument(
                name="compress_tool_results",
                default=("agno.compression", "compress_tool_results_limit"),
            ),
        ),
        when=lambda call: is_constant(given(call, "compress_tool_results"), value=True),
    ),
    Usage(
        key="semantic-kernel.reducer",
        root="semantic_kernel",
        name="ChatHistoryTruncationReducer",
        boundary="retain",
        loss="silent",
        what="All but the last messages are dropped.",
        remedy="ChatHistoryTruncationReducer(target_count=200)",
        shows=(Argument(name="target_count"),),
    ),
    Usage(
        key="agent-framework.window",
        root="agent_framework",
        name="SlidingWindowStrategy",
        boundary="retain",
        loss="silent",
        what="All but the last groups of messages are left out.",
        remedy="SlidingWindowStrategy(keep_last_groups=100)",
        shows=(Argument(name="keep_last_groups"),),
    ),
    Usage(
        key="pydantic-ai-harness.tool-output",
        root="pydantic_ai_harness",
        name="ToolOutputLimits",
        boundary="budget",
        loss="said",
        what="A result over the limit is stored; the model is given a preview and a handle.",
        remedy="ToolOutputLimits(bands=[Band(over=100_000, action=Spill())])",
        shows=(
            Argument(
                name="bands", default=("pydantic-ai-harness.tool-output", "_DEFAULT_THRESHOLD")
            ),
        ),
    ),
)
