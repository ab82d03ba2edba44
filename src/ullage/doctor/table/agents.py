"""CrewAI, Agno, CAMEL, LlamaIndex and its workflows."""

from ullage.doctor.entry import Framework, Setting, Spot
from ullage.doctor.table.openai_agents import AS_JSON

ARTIFACTS = "crewai/utilities/tool_result_artifacts.py"
BUFFER = "llama_index/core/memory/chat_memory_buffer.py"
MEMORY = "llama_index/core/memory/memory.py"

CREWAI = Framework(
    distribution="crewai",
    version="1.15.30",
    settings=(
        Setting(
            key="crewai.str",
            boundary="serialise",
            loss="changed",
            what="A dict or list that a tool returns reaches the model as Python repr, not JSON.",
            remedy=AS_JSON,
            spots=(
                Spot(
                    file="crewai/utilities/agent_utils.py",
                    pattern=r"if formatter is None:\s+return (str\(raw_result\))",
                    known="str(raw_result)",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="crewai.artifact",
            boundary="budget",
            loss="said",
            what="A result over a share of the usable window goes to a file; the model is given "
            "its first lines, and JSON is broken.",
            remedy="return ullage.cut(rows, ullage.tokens(20_000)).text  # in the tool",
            spots=(
                Spot(
                    file="crewai/llms/base_llm.py",
                    symbol="TOOL_RESULT_CONTEXT_WINDOW_THRESHOLD",
                    known="0.25",
                    unit="of the usable window",
                ),
                Spot(
                    file="crewai/llms/context_window.py",
                    symbol="CONTEXT_WINDOW_USAGE_RATIO",
                    known="0.85",
                    unit="of the window is usable",
                ),
                Spot(
                    file=ARTIFACTS,
                    symbol="TOOL_RESULT_PREVIEW_LINE_COUNT",
                    known="10",
                    unit="lines",
                ),
                Spot(
                    file=ARTIFACTS,
                    symbol="TOOL_RESULT_PREVIEW_MAX_CHARS",
                    known="2000",
                    unit="characters",
                ),
            ),
        ),
        Setting(
            key="crewai.overflow",
            boundary="summarise",
            loss="said",
            what="When the window overflows, the messages are replaced by a summary.",
            remedy="Agent(…, respect_context_window=False)  # then the run stops instead",
            spots=(
                Spot(
                    file="crewai/agent/core.py",
                    symbol="Agent.respect_context_window",
                    known="True",
                ),
            ),
            holds="True",
        ),
    ),
)

AGNO = Framework(
    distribution="agno",
    version="3.1.10",
    settings=(
        Setting(
            key="agno.history",
            boundary="retain",
            loss="silent",
            what="A run is shown nothing of the session's earlier runs, also where db and "
            "session_id are set.",
            remedy="Agent(…, add_history_to_context=True, num_history_runs=50)",
            spots=(
                Spot(
                    file="agno/agent/agent.py",
                    symbol="Agent.add_history_to_context",
                    known="False",
                ),
            ),
            holds="False",
        ),
        Setting(
            key="agno.str",
            boundary="serialise",
            loss="changed",
            what="A dict or list that a tool returns reaches the model as Python repr, not JSON.",
            remedy=AS_JSON,
            spots=(
                Spot(
                    file="agno/models/base.py",
                    pattern=r"function_call_output = (str\(function_call\.result\))",
                    known="str(function_call.result)",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="agno.history-runs",
            boundary="retain",
            loss="silent",
            default=False,
            what="add_history_to_context=True adds the last runs only.",
            remedy="Agent(…, add_history_to_context=True, num_history_runs=50)",
            spots=(
                Spot(
                    file="agno/agent/agent.py",
                    pattern=r"self\.num_history_runs = (\d+)",
                    known="3",
                    unit="runs",
                    label="num_history_runs",
                ),
            ),
        ),
        Setting(
            key="agno.compression",
            boundary="summarise",
            loss="silent",
            default=False,
            what="compress_tool_results=True lets a model rewrite results, the newest too.",
            remedy="Agent(…, compress_tool_results=False)",
            spots=(
                Spot(
                    file="agno/compression/manager.py",
                    pattern=r"self\.compress_tool_results_limit = (\d+)",
                    known="3",
                    unit="results",
                    label="compress_tool_results_limit",
                ),
            ),
        ),
    ),
)

CAMEL = Framework(
    distribution="camel-ai",
    version="0.2.90",
    settings=(
        Setting(
            key="camel.str",
            boundary="serialise",
            loss="changed",
            what="A dict or list that a tool returns reaches the model as Python repr, not JSON.",
            remedy=AS_JSON,
            spots=(
                Spot(
                    file="camel/messages/func_message.py",
                    pattern=r"result_content = (str\(self\.result\))",
                    known="str(self.result)",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="camel.threshold",
            boundary="summarise",
            loss="said",
            what="At this share of the token limit the history is replaced by a summary, and a "
            "single result over it is cut to its head.",
            remedy="ChatAgent(…, summarize_threshold=90, token_limit=…)",
            spots=(
                Spot(
                    file="camel/agents/chat_agent.py",
                    symbol="ChatAgent.__init__(summarize_threshold)",
                    known="50",
                    unit="% of the token limit",
                ),
            ),
        ),
    ),
)

LLAMA_INDEX = Framework(
    distribution="llama-index-core",
    version="0.14.25",
    settings=(
        Setting(
            key="llama-index.agent-memory",
            boundary="retain",
            loss="silent",
            what="An agent's memory drops the oldest messages at a share of the model's window "
            "(at a number of tokens where no model is known). Nothing is said or logged.",
            remedy="agent.run(…, memory=Memory.from_defaults(token_limit=100_000, "
            "chat_history_token_ratio=0.95))",
            spots=(
                Spot(
                    file=BUFFER,
                    symbol="DEFAULT_TOKEN_LIMIT_RATIO",
                    known="0.75",
                    unit="of the window",
                ),
                Spot(file=BUFFER, symbol="DEFAULT_TOKEN_LIMIT", known="3000", unit="tokens"),
            ),
        ),
        Setting(
            key="llama-index.str",
            boundary="serialise",
            loss="changed",
            what="A dict or list that a tool returns reaches the model as Python repr, not JSON.",
            remedy=AS_JSON,
            spots=(
                Spot(
                    file="llama_index/core/tools/function_tool.py",
                    pattern=r"TextBlock\(text=(str\(raw_output\))\)",
                    known="str(raw_output)",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="llama-index.memory",
            boundary="retain",
            loss="silent",
            default=False,
            what="Memory() keeps this share of this many tokens as history, and drops the rest.",
            remedy="Memory.from_defaults(token_limit=100_000, chat_history_token_ratio=0.95)",
            spots=(
                Spot(file=MEMORY, symbol="DEFAULT_TOKEN_LIMIT", known="30000", unit="tokens"),
                Spot(
                    file=MEMORY,
                    symbol="Memory.from_defaults(chat_history_token_ratio)",
                    known="0.7",
                    unit="of them",
                ),
            ),
        ),
    ),
)

WORKFLOWS = Framework(
    distribution="llama-index-workflows",
    version="2.26.1",
    settings=(
        Setting(
            key="llama-index.context",
            boundary="retain",
            loss="silent",
            what="A Context that is used for the next run of an agent does not carry its memory: "
            "every run begins with one message. The only sign is a Python warning.",
            remedy="agent.run(…, memory=memory)  # the same Memory for every run",
            spots=(
                Spot(
                    file="workflows/context/state_store.py",
                    pattern=r"(f\"Skipping serialization of known unserializable key: \{key\})",
                    known='f"Skipping serialization of known unserializable key: {key}',
                    label="the warning",
                ),
            ),
        ),
    ),
)

FRAMEWORKS = (CREWAI, AGNO, CAMEL, LLAMA_INDEX, WORKFLOWS)
