"""AutoGen, Agent Framework and Semantic Kernel."""

from ullage.doctor.entry import Framework, Setting, Spot
from ullage.doctor.table.openai_agents import AS_JSON

COMPACTION = "agent_framework/_compaction.py"
CONTEXTS = "autogen_core/model_context/"

AUTOGEN_CORE = Framework(
    distribution="autogen-core",
    version="0.7.5",
    settings=(
        Setting(
            key="autogen.str",
            boundary="serialise",
            loss="changed",
            what="A dict or list that a tool returns reaches the model as Python repr, not JSON; "
            "a pydantic model becomes JSON.",
            remedy=AS_JSON,
            spots=(
                Spot(
                    file="autogen_core/tools/_base.py",
                    pattern=r"return (str\(value\))",
                    known="str(value)",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="autogen.buffered",
            boundary="retain",
            loss="silent",
            default=False,
            what="BufferedChatCompletionContext drops all but the last messages, tool calls and "
            "their results counted. Nothing is said or logged.",
            remedy="AssistantAgent(…, model_context=UnboundedChatCompletionContext())",
            spots=(
                Spot(
                    file=f"{CONTEXTS}_buffered_chat_completion_context.py",
                    pattern=r"messages = (self\._messages\[-self\._buffer_size :\])",
                    known="self._messages[-self._buffer_size :]",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="autogen.head-and-tail",
            boundary="retain",
            loss="said",
            default=False,
            what="HeadAndTailChatCompletionContext drops the messages between its two ends.",
            remedy="AssistantAgent(…, model_context=UnboundedChatCompletionContext())",
            spots=(
                Spot(
                    file=f"{CONTEXTS}_head_and_tail_chat_completion_context.py",
                    pattern=r"(Skipped \{num_skipped\} messages\.)",
                    known="Skipped {num_skipped} messages.",
                    label="the notice",
                ),
            ),
        ),
    ),
)

AUTOGEN_CHAT = Framework(
    distribution="autogen-agentchat",
    version="0.7.5",
    note="AssistantAgent's history has no limit unless it is given one.",
    settings=(
        Setting(
            key="autogen.unbounded",
            boundary="retain",
            loss="none",
            what="AssistantAgent keeps the whole history.",
            remedy="",
            spots=(
                Spot(
                    file="autogen_agentchat/agents/_assistant_agent.py",
                    pattern=r"self\._model_context = (\w+Context)\(",
                    known="UnboundedChatCompletionContext",
                    label="model_context",
                ),
            ),
            holds="UnboundedChatCompletionContext",
        ),
    ),
)

AGENT_FRAMEWORK = Framework(
    distribution="agent-framework-core",
    version="1.23.0",
    note="Compaction is asked for; what it leaves out says why (_exclude_reason).",
    settings=(
        Setting(
            key="agent-framework.none",
            boundary="retain",
            loss="none",
            what="An agent has no compaction.",
            remedy="",
            spots=(
                Spot(
                    file="agent_framework/_agents.py",
                    symbol="RawAgent.__init__(compaction_strategy)",
                    known="None",
                ),
            ),
            holds="None",
        ),
        Setting(
            key="agent-framework.tool-results",
            boundary="retain",
            loss="said",
            default=False,
            what="ToolResultCompactionStrategy folds all tool calls but the last groups.",
            remedy="ToolResultCompactionStrategy(keep_last_tool_call_groups=10)",
            spots=(
                Spot(
                    file=COMPACTION,
                    symbol="ToolResultCompactionStrategy.__init__(keep_last_tool_call_groups)",
                    known="1",
                    unit="groups",
                ),
            ),
        ),
        Setting(
            key="agent-framework.summary",
            boundary="summarise",
            loss="said",
            default=False,
            what="SummarizationStrategy replaces all but the last messages by a summary.",
            remedy="SummarizationStrategy(…, target_count=40)",
            spots=(
                Spot(
                    file=COMPACTION,
                    symbol="SummarizationStrategy.__init__(target_count)",
                    known="4",
                    unit="messages",
                ),
            ),
        ),
    ),
)

SEMANTIC_KERNEL = Framework(
    distribution="semantic-kernel",
    version="1.45.0",
    settings=(
        Setting(
            key="semantic-kernel.str",
            boundary="serialise",
            loss="changed",
            what="A dict or list that a function returns reaches the model as Python repr, not "
            "JSON.",
            remedy=AS_JSON,
            spots=(
                Spot(
                    file="semantic_kernel/contents/function_result_content.py",
                    pattern=r"def __str__\(self\) -> str:\s+\"\"\"[^\"]*\"\"\"\s+"
                    r"return (str\(self\.result\))",
                    known="str(self.result)",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="semantic-kernel.reducer",
            boundary="retain",
            loss="silent",
            default=False,
            what="ChatHistoryTruncationReducer drops all but the last target_count messages.",
            remedy="ChatHistoryTruncationReducer(target_count=200)",
            spots=(
                Spot(
                    file="semantic_kernel/contents/history_reducer/chat_history_reducer.py",
                    symbol="ChatHistoryReducer.threshold_count",
                    known="0",
                    unit="messages over it",
                ),
            ),
        ),
    ),
)

FRAMEWORKS = (AUTOGEN_CORE, AUTOGEN_CHAT, AGENT_FRAMEWORK, SEMANTIC_KERNEL)
