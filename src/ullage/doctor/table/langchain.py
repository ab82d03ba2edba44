"""LangChain, its core, and deepagents."""

from ullage.doctor.entry import Framework, Setting, Spot

SUMMARY = "langchain/agents/middleware/summarization.py"
EDITING = "langchain/agents/middleware/context_editing.py"
FILES = "deepagents/middleware/filesystem.py"
EVICTION = "deepagents/middleware/_message_eviction.py"
SUMMARIES = "deepagents/middleware/summarization.py"

LANGCHAIN = Framework(
    distribution="langchain",
    version="1.5.2",
    note="create_agent hands every result on whole and limits no history.",
    settings=(
        Setting(
            key="langchain.summariser-input",
            boundary="summarise",
            loss="silent",
            default=False,
            what="SummarizationMiddleware shows its summariser only the last tokens of what it "
            "takes out. A result that is larger does not reach it at all, and nothing is logged.",
            remedy="SummarizationMiddleware(…, trim_tokens_to_summarize=None)",
            spots=(
                Spot(file=SUMMARY, symbol="_DEFAULT_TRIM_TOKEN_LIMIT", known="4000", unit="tokens"),
                Spot(file=SUMMARY, symbol="_DEFAULT_MESSAGES_TO_KEEP", known="20", unit="messages"),
            ),
        ),
        Setting(
            key="langchain.context-editing",
            boundary="retain",
            loss="said",
            default=False,
            what="ContextEditingMiddleware (ClearToolUsesEdit) replaces all tool results but the "
            'last few by "[cleared]".',
            remedy='ClearToolUsesEdit(keep=20, exclude_tools=("the_tool_that_matters",))',
            spots=(
                Spot(file=EDITING, symbol="ClearToolUsesEdit.keep", known="3", unit="results"),
                Spot(
                    file=EDITING, symbol="ClearToolUsesEdit.trigger", known="100000", unit="tokens"
                ),
            ),
        ),
        Setting(
            key="langchain.shell-output",
            boundary="budget",
            loss="said",
            default=False,
            what="ShellToolMiddleware keeps the first lines of a command's output.",
            remedy="HostExecutionPolicy(max_output_lines=2000)",
            spots=(
                Spot(
                    file="langchain/agents/middleware/_execution.py",
                    symbol="BaseExecutionPolicy.max_output_lines",
                    known="100",
                    unit="lines",
                ),
            ),
        ),
    ),
)

CORE = Framework(
    distribution="langchain-core",
    version="1.8.3",
    note="A ToolMessage is not cut.",
    settings=(
        Setting(
            key="langchain-core.xml-blocks",
            boundary="summarise",
            loss="said",
            default=False,
            what='get_buffer_string(format="xml"), which the summaries of LangChain and deepagents '
            "use, cuts text documents and the arguments and results of a provider's own tools. "
            "Ordinary tool results are not cut.",
            remedy='get_buffer_string(messages, format="prefix")',
            spots=(
                Spot(
                    file="langchain_core/messages/utils.py",
                    symbol="_XML_CONTENT_BLOCK_MAX_LEN",
                    known="500",
                    unit="characters",
                ),
            ),
        ),
    ),
)

DEEPAGENTS = Framework(
    distribution="deepagents",
    version="0.7.32",
    settings=(
        Setting(
            key="deepagents.large-result",
            boundary="budget",
            loss="said",
            what="A tool result over the limit goes to a file; the model is given a few lines of "
            "either end, each line clipped, and the file's path. JSON on one line is broken.",
            remedy="create_deep_agent(…, middleware=[FilesystemMiddleware(backend=…, "
            "tool_token_limit_before_evict=None)])",
            spots=(
                Spot(
                    file=FILES,
                    symbol="FilesystemMiddleware.__init__(tool_token_limit_before_evict)",
                    known="20000",
                    unit="tokens",
                ),
                Spot(
                    file=FILES,
                    symbol="NUM_CHARS_PER_TOKEN",
                    known="4",
                    unit="characters a token",
                ),
                Spot(
                    file=EVICTION,
                    symbol="_create_content_preview(head_lines)",
                    known="5",
                    unit="lines",
                ),
                Spot(
                    file=EVICTION,
                    symbol="PREVIEW_LINE_CHAR_LIMIT",
                    known="1000",
                    unit="characters a line",
                ),
            ),
        ),
        Setting(
            key="deepagents.large-message",
            boundary="budget",
            loss="said",
            what="A user's message over the limit goes to a file, with a preview in its place.",
            remedy="FilesystemMiddleware(backend=…, human_message_token_limit_before_evict=None)",
            spots=(
                Spot(
                    file=FILES,
                    symbol="FilesystemMiddleware.__init__(human_message_token_limit_before_evict)",
                    known="50000",
                    unit="tokens",
                ),
            ),
        ),
        Setting(
            key="deepagents.summary",
            boundary="summarise",
            loss="said",
            what="Old messages are replaced by a summary at a share of the model's window, or at "
            "a number of tokens where the window is not known.",
            remedy="Say in the task what must be written to a file: the history goes to one too.",
            spots=(
                Spot(
                    file=SUMMARIES,
                    pattern=r'"trigger": \("fraction", ([\d.]+)\)',
                    known="0.85",
                    unit="of the window",
                    label="trigger",
                ),
                Spot(
                    file=SUMMARIES,
                    pattern=r'"trigger": \("tokens", ([\d_]+)\)',
                    known="170000",
                    unit="tokens",
                    label="trigger",
                ),
                Spot(
                    file=SUMMARIES,
                    pattern=r'"keep": \("messages", ([\d_]+)\)',
                    known="6",
                    unit="messages",
                    label="keep",
                ),
            ),
        ),
        Setting(
            key="deepagents.subagent",
            boundary="handoff",
            loss="silent",
            default=False,
            what="A sub-agent's last text is all that its parent is given; what its tools "
            "returned stays behind.",
            remedy="Give the sub-agent a response_format that lists what must come back.",
            spots=(
                Spot(
                    file="deepagents/middleware/subagents.py",
                    pattern=r"(text = msg\.text\.rstrip\(\) if msg\.text else \"\")",
                    known='text = msg.text.rstrip() if msg.text else ""',
                    label="the code",
                ),
            ),
        ),
    ),
)

FRAMEWORKS = (LANGCHAIN, CORE, DEEPAGENTS)
