"""OpenAI Agents, pydantic-ai and its harness, smolagents."""

from ullage.doctor.entry import Framework, Setting, Spot

TRIMMER = "agents/extensions/tool_output_trimmer.py"
AS_JSON = "return json.dumps(rows)  # in the tool, in place of return rows"

OPENAI_AGENTS = Framework(
    distribution="openai-agents",
    version="0.24.0",
    settings=(
        Setting(
            key="openai-agents.str",
            boundary="serialise",
            loss="changed",
            what="A dict or list that a tool returns reaches the model as Python repr, not JSON.",
            remedy=AS_JSON,
            spots=(
                Spot(
                    file="agents/items.py",
                    pattern=r"is not None else (str\(output\))",
                    known="str(output)",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="openai-agents.trimmer",
            boundary="retain",
            loss="said",
            default=False,
            what="ToolOutputTrimmer replaces older results by the head of each.",
            remedy="ToolOutputTrimmer(recent_turns=10, max_output_chars=20_000)",
            spots=(
                Spot(
                    file=TRIMMER, symbol="ToolOutputTrimmer.recent_turns", known="2", unit="turns"
                ),
                Spot(
                    file=TRIMMER,
                    symbol="ToolOutputTrimmer.max_output_chars",
                    known="500",
                    unit="characters",
                ),
                Spot(
                    file=TRIMMER,
                    symbol="ToolOutputTrimmer.preview_chars",
                    known="200",
                    unit="characters",
                ),
            ),
        ),
        Setting(
            key="openai-agents.truncation",
            boundary="serve",
            loss="silent",
            default=False,
            what='ModelSettings(truncation="auto") lets the provider drop what does not fit.',
            remedy='ModelSettings(truncation="disabled")',
            spots=(
                Spot(
                    file="agents/model_settings.py",
                    symbol="ModelSettings.truncation",
                    known="None",
                ),
            ),
        ),
    ),
)

PYDANTIC_AI = Framework(
    distribution="pydantic-ai-slim",
    version="2.68.0",
    note="Nothing is cut or dropped, and a reply cut short in a tool call is an error.",
)

PYDANTIC_HARNESS = Framework(
    distribution="pydantic-ai-harness",
    version="0.36.0",
    note="Every limit is asked for.",
    settings=(
        Setting(
            key="pydantic-ai-harness.tool-output",
            boundary="budget",
            loss="said",
            default=False,
            what="ToolOutputLimits() stores a result over the limit; the model is given a preview "
            "and a handle.",
            remedy="ToolOutputLimits(bands=[Band(over=100_000, action=Spill())])",
            spots=(
                Spot(
                    file="pydantic_ai_harness/tool_output_limits/_capability.py",
                    symbol="_DEFAULT_THRESHOLD",
                    known="10000",
                    unit="characters",
                ),
            ),
        ),
    ),
)

SMOLAGENTS = Framework(
    distribution="smolagents",
    version="1.26.0",
    settings=(
        Setting(
            key="smolagents.str",
            boundary="serialise",
            loss="changed",
            what="ToolCallingAgent: a dict or list that a tool returns reaches the model as "
            "Python repr, not JSON.",
            remedy=AS_JSON,
            spots=(
                Spot(
                    file="smolagents/agents.py",
                    pattern=r"observation = (str\(tool_call_result\))",
                    known="str(tool_call_result)",
                    label="the code",
                ),
            ),
        ),
        Setting(
            key="smolagents.code-output",
            boundary="budget",
            loss="said",
            what="CodeAgent: the value of the last expression loses its middle over the limit, and "
            "JSON is broken.",
            remedy="return ullage.cut(rows, ullage.chars(19_000)).text  # in the tool",
            spots=(
                Spot(
                    file="smolagents/utils.py",
                    symbol="MAX_LENGTH_TRUNCATE_CONTENT",
                    known="20000",
                    unit="characters",
                ),
            ),
        ),
        Setting(
            key="smolagents.print-output",
            boundary="budget",
            loss="said",
            what="CodeAgent: what a step prints loses its middle over the limit.",
            remedy="CodeAgent(…, max_print_outputs_length=200_000)",
            spots=(
                Spot(
                    file="smolagents/local_python_executor.py",
                    symbol="DEFAULT_MAX_LEN_OUTPUT",
                    known="50000",
                    unit="characters",
                ),
            ),
        ),
        Setting(
            key="smolagents.managed-agent",
            boundary="handoff",
            loss="silent",
            default=False,
            what="A managed agent's final answer is all that its manager is given.",
            remedy="provide_run_summary=True  # on the managed agent",
            spots=(
                Spot(
                    file="smolagents/agents.py",
                    symbol="MultiStepAgent.__init__(provide_run_summary)",
                    known="False",
                ),
            ),
            holds="False",
        ),
    ),
)

FRAMEWORKS = (OPENAI_AGENTS, PYDANTIC_AI, PYDANTIC_HARNESS, SMOLAGENTS)
