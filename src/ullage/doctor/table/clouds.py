"""Google ADK, Strands, Haystack."""

from ullage.doctor.entry import Framework, Setting, Spot

WINDOW = "strands/agent/conversation_manager/sliding_window_conversation_manager.py"
OFFLOADER = "strands/vended_plugins/context_offloader/plugin.py"

GOOGLE_ADK = Framework(
    distribution="google-adk",
    version="2.13.0",
    note='A text that a tool returns is wrapped ({"result": "…"}): longer by an eighth, not lost.',
    settings=(
        Setting(
            key="google-adk.contents",
            boundary="retain",
            loss="none",
            what="An agent is given the whole session.",
            remedy="",
            spots=(
                Spot(
                    file="google/adk/agents/llm_agent.py",
                    symbol="LlmAgent.include_contents",
                    known="'default'",
                ),
            ),
            holds="'default'",
        ),
        Setting(
            key="google-adk.compaction",
            boundary="summarise",
            loss="said",
            default=False,
            what="EventsCompactionConfig replaces older events by a summary.",
            remedy="App(…, events_compaction_config=None)",
            spots=(
                Spot(
                    file="google/adk/apps/_configs.py",
                    symbol="EventsCompactionConfig.token_threshold",
                    known="None",
                ),
            ),
        ),
    ),
)

STRANDS = Framework(
    distribution="strands-agents",
    version="1.62.0",
    settings=(
        Setting(
            key="strands.window",
            boundary="retain",
            loss="silent",
            what="Agent drops the oldest messages, tool calls and their results counted. "
            "Nothing is said.",
            remedy="Agent(…, conversation_manager=SlidingWindowConversationManager("
            "window_size=400, pin_first=2))",
            spots=(
                Spot(
                    file=WINDOW,
                    symbol="SlidingWindowConversationManager.__init__(window_size)",
                    known="40",
                    unit="messages",
                ),
            ),
        ),
        Setting(
            key="strands.overflow",
            boundary="budget",
            loss="said",
            what="When the window overflows, the oldest result is cut to this much of its "
            "beginning and its end.",
            remedy="SlidingWindowConversationManager(should_truncate_results=False)",
            spots=(
                Spot(file=WINDOW, symbol="_PRESERVE_CHARS", known="200", unit="characters each"),
            ),
        ),
        Setting(
            key="strands.offloader",
            boundary="budget",
            loss="said",
            default=False,
            what="ContextOffloader stores a result over the limit; the model is given a preview.",
            remedy="ContextOffloader(…, max_result_tokens=20_000, preview_tokens=10_000)",
            spots=(
                Spot(
                    file=OFFLOADER,
                    symbol="_DEFAULT_MAX_RESULT_TOKENS",
                    known="2500",
                    unit="tokens",
                ),
                Spot(file=OFFLOADER, symbol="_DEFAULT_PREVIEW_TOKENS", known="1000", unit="tokens"),
            ),
        ),
    ),
)

HAYSTACK = Framework(
    distribution="haystack-ai",
    version="3.4.1",
    note="Hooks that shorten are asked for; a reply cut short is a warning in the log.",
    settings=(
        Setting(
            key="haystack.offload",
            boundary="budget",
            loss="said",
            default=False,
            what="The hook that offloads tool results leaves the first characters in place.",
            remedy="ToolResultOffloadHook(…, preview_chars=4000)",
            spots=(
                Spot(
                    file="haystack/hooks/tool_result_offloading/hooks.py",
                    symbol="ToolResultOffloadHook.__init__(preview_chars)",
                    known="200",
                    unit="characters",
                ),
            ),
        ),
        Setting(
            key="haystack.pruning",
            boundary="retain",
            loss="said",
            default=False,
            what="ToolResultPruningCompactor replaces the results of all steps but the last ones.",
            remedy="ToolResultPruningCompactor(min_keep_steps=10)",
            spots=(
                Spot(
                    file="haystack/hooks/compaction/tool_result_pruning.py",
                    symbol="ToolResultPruningCompactor.__init__(min_keep_steps)",
                    known="1",
                    unit="steps",
                ),
            ),
        ),
    ),
)

FRAMEWORKS = (GOOGLE_ADK, STRANDS, HAYSTACK)
