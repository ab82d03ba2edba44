"""Inspect, mini-swe-agent, Hermes, OpenHands, the Claude Agent SDK."""

from ullage.doctor.entry import Framework, Override, Setting, Spot

LIMITS = "tools/tool_output_limits.py"
COMPRESSOR = "agent/context_compressor.py"

INSPECT = Framework(
    distribution="inspect-ai",
    version="0.3.285",
    settings=(
        Setting(
            key="inspect.tool-output",
            boundary="budget",
            loss="said",
            what="A tool's output over the limit loses its middle.",
            remedy="inspect eval … --max-tool-output 1000000  # GenerateConfig(max_tool_output=…)",
            spots=(
                Spot(
                    file="inspect_ai/model/_call_tools.py",
                    symbol="truncate_tool_output.active_max_output",
                    known="16384",
                    unit="bytes",
                ),
            ),
            overrides=(Override(place="environment", keys=("INSPECT_EVAL_MAX_TOOL_OUTPUT",)),),
        ),
    ),
)

MINI_SWE_AGENT = Framework(
    distribution="mini-swe-agent",
    version="2.4.6",
    settings=tuple(
        Setting(
            key=f"mini-swe-agent.{name}",
            boundary="budget",
            loss="said",
            what=f"With {name}.yaml, a command's output from this length on loses its middle.",
            remedy="mini -c my.yaml  # a copy of the file with larger figures in the template",
            spots=(
                Spot(
                    file=f"minisweagent/config/{name}.yaml",
                    pattern=r"output\.output \| length < (\d+)",
                    known="10000",
                    unit="characters",
                    label="limit",
                ),
                Spot(
                    file=f"minisweagent/config/{name}.yaml",
                    pattern=r"output\.output\[:(\d+)\]",
                    known="5000",
                    unit="characters of either end",
                    label="kept",
                ),
            ),
        )
        for name in ("mini", "default")
    ),
)

HERMES = Framework(
    distribution="hermes-agent",
    version="0.19.0",
    settings=(
        Setting(
            key="hermes.terminal",
            boundary="budget",
            loss="said",
            what="A command's output over the limit is cut.",
            remedy="tool_output: {max_bytes: 200000}  # in config.yaml",
            spots=(
                Spot(file=LIMITS, symbol="DEFAULT_MAX_BYTES", known="50000", unit="characters"),
            ),
        ),
        Setting(
            key="hermes.large-result",
            boundary="budget",
            loss="said",
            what="A result over the limit is stored; the model is given a preview.",
            remedy="Let the tool return pages that fit.",
            spots=(
                Spot(
                    file="tools/budget_config.py",
                    symbol="DEFAULT_RESULT_SIZE_CHARS",
                    known="100000",
                    unit="characters",
                ),
                Spot(
                    file="tools/budget_config.py",
                    symbol="DEFAULT_PREVIEW_SIZE_CHARS",
                    known="1500",
                    unit="characters",
                ),
            ),
        ),
        Setting(
            key="hermes.compression",
            boundary="summarise",
            loss="said",
            what="At a share of the window, old messages are replaced by a summary; the "
            "summariser is shown this much of each message.",
            remedy="Keep what must survive in a file or in memory.",
            spots=(
                Spot(
                    file=COMPRESSOR,
                    symbol="ContextCompressor._CONTENT_MAX",
                    known="6000",
                    unit="characters",
                ),
                Spot(
                    file=COMPRESSOR,
                    symbol="ContextCompressor.__init__(threshold_percent)",
                    known="0.5",
                    unit="of the window",
                ),
                Spot(
                    file=COMPRESSOR,
                    symbol="ContextCompressor.__init__(protect_last_n)",
                    known="20",
                    unit="messages",
                ),
            ),
        ),
        Setting(
            key="hermes.delegate",
            boundary="handoff",
            loss="said",
            what="A sub-agent's answer is cut over the limit.",
            remedy="Ask the sub-agent for a file, and for its path as the answer.",
            spots=(
                Spot(
                    file="tools/delegate_tool.py",
                    symbol="DEFAULT_MAX_SUMMARY_CHARS",
                    known="24000",
                    unit="characters",
                ),
            ),
        ),
    ),
)

OPENHANDS_SDK = Framework(
    distribution="openhands-sdk",
    version="1.58.2",
    settings=(
        Setting(
            key="openhands.result",
            boundary="budget",
            loss="said",
            what="Any tool's result over the limit loses its middle.",
            remedy="Ask for parts: head, tail, grep, or a page.",
            spots=(
                Spot(
                    file="openhands/sdk/utils/truncate.py",
                    symbol="DEFAULT_TEXT_CONTENT_LIMIT",
                    known="50000",
                    unit="characters",
                ),
            ),
        ),
    ),
)

OPENHANDS_TOOLS = Framework(
    distribution="openhands-tools",
    version="1.58.2",
    settings=(
        Setting(
            key="openhands.terminal",
            boundary="budget",
            loss="said",
            what="A command's output over the limit loses its middle.",
            remedy="Ask for parts: head, tail, grep, or write it to a file.",
            spots=(
                Spot(
                    file="openhands/tools/terminal/constants.py",
                    symbol="MAX_CMD_OUTPUT_SIZE",
                    known="30000",
                    unit="characters",
                ),
            ),
        ),
    ),
)

CLAUDE_SDK = Framework(
    distribution="claude-agent-sdk",
    version="0.2.189",
    note="The Python part cuts nothing; the CLI that it runs has limits (claude, below).",
)

FRAMEWORKS = (INSPECT, MINI_SWE_AGENT, HERMES, OPENHANDS_SDK, OPENHANDS_TOOLS, CLAUDE_SDK)
