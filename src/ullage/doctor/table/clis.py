"""Coding CLIs. Those that are one binary go by what their makers publish, with its date."""

from ullage.doctor.entry import Framework, Override, Setting, Spot

CLAUDE = Framework(
    distribution="@anthropic-ai/claude-code",
    version="2.1.332",
    commands=("claude",),
    settings=(
        Setting(
            key="claude.bash-output",
            boundary="budget",
            loss="said",
            what="A command's output over the limit is shortened.",
            remedy='{"env": {"BASH_MAX_OUTPUT_LENGTH": "150000"}}  # .claude/settings.json',
            spots=(
                Spot(file="", known="30000", unit="characters", label="BASH_MAX_OUTPUT_LENGTH"),
            ),
            overrides=(
                Override(place="claude", keys=("env", "BASH_MAX_OUTPUT_LENGTH")),
                Override(place="environment", keys=("BASH_MAX_OUTPUT_LENGTH",)),
            ),
            source="code.claude.com/docs/en/settings, as quoted in anthropics/claude-code, 2026-01",
        ),
        Setting(
            key="claude.mcp-output",
            boundary="budget",
            loss="said",
            what="What an MCP tool returns over 50,000 characters goes to a file; over this many "
            "tokens it is refused.",
            remedy='{"env": {"MAX_MCP_OUTPUT_TOKENS": "50000"}}  # .claude/settings.json',
            spots=(Spot(file="", known="25000", unit="tokens", label="MAX_MCP_OUTPUT_TOKENS"),),
            overrides=(
                Override(place="claude", keys=("env", "MAX_MCP_OUTPUT_TOKENS")),
                Override(place="environment", keys=("MAX_MCP_OUTPUT_TOKENS",)),
            ),
            source="code.claude.com/docs/en/mcp, as quoted in 2026-10",
        ),
        Setting(
            key="claude.compaction",
            boundary="summarise",
            loss="said",
            what="Near the end of the window, the history is replaced by a summary.",
            remedy='{"autoCompactEnabled": false}  # .claude/settings.json; then /compact by hand',
            spots=(Spot(file="", known="true", label="autoCompactEnabled"),),
            overrides=(
                Override(place="environment", keys=("DISABLE_AUTO_COMPACT",), off=("1", "true")),
                Override(place="claude", keys=("autoCompactEnabled",), off=("false",)),
            ),
            source="code.claude.com/docs/en/settings, as quoted in 2026-10",
        ),
    ),
)

CODEX = Framework(
    distribution="@openai/codex",
    version="0.171.0",
    commands=("codex",),
    settings=(
        Setting(
            key="codex.tool-output",
            boundary="budget",
            loss="said",
            what="A command's output over the model's limit loses its middle; about 10 KB were "
            "left of 200,000 characters for a model that it has no metadata of (measured).",
            remedy="tool_output_token_limit = 50000  # ~/.codex/config.toml",
            spots=(Spot(file="", known="by the model", label="tool_output_token_limit"),),
            overrides=(Override(place="codex", keys=("tool_output_token_limit",)),),
            source="measured with 0.171.0, 2026-11; developers.openai.com/codex/config-sample",
        ),
        Setting(
            key="codex.compaction",
            boundary="summarise",
            loss="said",
            what="At a number of tokens the history is replaced by a summary.",
            remedy="model_auto_compact_token_limit = 240000  # ~/.codex/config.toml",
            spots=(Spot(file="", known="by the model", label="model_auto_compact_token_limit"),),
            overrides=(Override(place="codex", keys=("model_auto_compact_token_limit",)),),
            source="developers.openai.com/codex/config-sample, 2026-11",
        ),
    ),
)

OPENCODE = Framework(
    distribution="opencode-ai",
    version="1.18.33",
    commands=("opencode",),
    settings=(
        Setting(
            key="opencode.tool-output",
            boundary="budget",
            loss="said",
            what="A tool's output over the limit keeps its last lines; the whole goes to a file.",
            remedy='{"tool_output": {"max_lines": 10000, "max_bytes": 400000}}  # opencode.json',
            spots=(
                Spot(file="", known="51200", unit="bytes", label="tool_output.max_bytes"),
                Spot(file="", known="2000", unit="lines", label="tool_output.max_lines"),
            ),
            overrides=(
                Override(place="opencode", keys=("tool_output", "max_bytes")),
                Override(place="opencode", keys=("tool_output", "max_lines")),
            ),
            source="measured with 1.18.33, 2026-11; its schema of settings",
        ),
        Setting(
            key="opencode.compaction",
            boundary="summarise",
            loss="said",
            what="When the window is full, the history is replaced by a summary; the summariser "
            "is shown the first 2,000 characters of each result.",
            remedy='{"compaction": {"auto": false}}  # opencode.json; then /compact by hand',
            spots=(Spot(file="", known="true", label="compaction.auto"),),
            overrides=(Override(place="opencode", keys=("compaction", "auto"), off=("false",)),),
            source="anomalyco/opencode, session/compaction.ts, and its schema of settings, 2026-11",
        ),
    ),
)

PI = Framework(
    distribution="@mariozechner/pi-coding-agent",
    version="0.73.1",
    commands=("pi",),
    settings=(
        Setting(
            key="pi.tool-output",
            boundary="budget",
            loss="said",
            what="Output over the limit keeps whole lines: the last ones of a command, the first "
            "ones of a file. The whole of a command's output goes to a file.",
            remedy="Ask for parts: grep, head, sed -n 1,500p.",
            spots=(
                Spot(
                    file="dist/core/tools/truncate.js",
                    pattern=r"DEFAULT_MAX_BYTES = (\d+ \* \d+|\d+)",
                    known="50 * 1024",
                    unit="bytes",
                    label="DEFAULT_MAX_BYTES",
                ),
                Spot(
                    file="dist/core/tools/truncate.js",
                    pattern=r"DEFAULT_MAX_LINES = (\d+)",
                    known="2000",
                    unit="lines",
                    label="DEFAULT_MAX_LINES",
                ),
            ),
        ),
        Setting(
            key="pi.compaction",
            boundary="summarise",
            loss="said",
            what="Before the window is full, the history is replaced by a summary; the summariser "
            "is shown the beginning of each result.",
            remedy='{"compaction": {"enabled": false}}  # ~/.pi/agent/settings.json',
            spots=(
                Spot(
                    file="dist/core/compaction/compaction.js",
                    pattern=r"enabled: (\w+),",
                    known="true",
                    label="compaction.enabled",
                ),
                Spot(
                    file="dist/core/compaction/utils.js",
                    pattern=r"TOOL_RESULT_MAX_CHARS = (\d+)",
                    known="2000",
                    unit="characters a result",
                    label="TOOL_RESULT_MAX_CHARS",
                ),
            ),
            overrides=(Override(place="pi", keys=("compaction", "enabled"), off=("false",)),),
        ),
    ),
)

QWEN = Framework(
    distribution="@qwen-code/qwen-code",
    version="0.15.10",
    commands=("qwen",),
    settings=(
        Setting(
            key="qwen.tool-output",
            boundary="budget",
            loss="said",
            what="Output over either limit keeps a fifth of its beginning and the rest of its end; "
            "the whole goes to a file.",
            remedy='{"tools": {"truncateToolOutputThreshold": 200000, '
            '"truncateToolOutputLines": 10000}}  # .qwen/settings.json',
            spots=(
                Spot(
                    file="cli.js",
                    pattern=r"DEFAULT_TRUNCATE_TOOL_OUTPUT_THRESHOLD = ([\d._e]+)",
                    known="25000",
                    unit="characters",
                    label="truncateToolOutputThreshold",
                ),
                Spot(
                    file="cli.js",
                    pattern=r"DEFAULT_TRUNCATE_TOOL_OUTPUT_LINES = ([\d._e]+)",
                    known="1000",
                    unit="lines",
                    label="truncateToolOutputLines",
                ),
            ),
            overrides=(
                Override(place="qwen", keys=("tools", "truncateToolOutputThreshold")),
                Override(place="qwen", keys=("tools", "truncateToolOutputLines")),
            ),
        ),
        Setting(
            key="qwen.compression",
            boundary="summarise",
            loss="said",
            what="At a share of the window, the history is replaced by a summary.",
            remedy='{"model": {"chatCompression": {"contextPercentageThreshold": 0}}}  '
            "# .qwen/settings.json; then /compress by hand",
            spots=(
                Spot(
                    file="cli.js",
                    pattern=r"COMPRESSION_TOKEN_THRESHOLD = ([\d.]+)",
                    known="0.7",
                    unit="of the window",
                    label="contextPercentageThreshold",
                ),
            ),
            overrides=(
                Override(
                    place="qwen",
                    keys=("model", "chatCompression", "contextPercentageThreshold"),
                    off=("0",),
                ),
            ),
        ),
    ),
)

GEMINI_SETTINGS = (
    Override(place="gemini", keys=("tools", "truncateToolOutputThreshold"), off=("0", "-1")),
)


def gemini(
    distribution: str, config: str, compression: str, commands: tuple[str, ...]
) -> Framework:
    """Return what Gemini CLI does, by where a package of it keeps its code."""
    return Framework(
        distribution=distribution,
        version="0.61.0",
        commands=commands,
        settings=(
            Setting(
                key="gemini.tool-output",
                boundary="budget",
                loss="said",
                what="Output over the limit keeps a fifth of its beginning and the rest of its "
                "end; the whole goes to a file.",
                remedy='{"tools": {"truncateToolOutputThreshold": 0}}  # .gemini/settings.json',
                spots=(
                    Spot(
                        file=config,
                        pattern=r"DEFAULT_TRUNCATE_TOOL_OUTPUT_THRESHOLD = ([\d._e]+)",
                        known="40000",
                        unit="characters",
                        label="truncateToolOutputThreshold",
                    ),
                ),
                overrides=GEMINI_SETTINGS,
            ),
            Setting(
                key="gemini.compression",
                boundary="summarise",
                loss="said",
                what="At a share of the window, the history but for its last part is replaced by "
                "a summary.",
                remedy='{"model": {"compressionThreshold": 0.9}}  # .gemini/settings.json',
                spots=(
                    Spot(
                        file=compression,
                        pattern=r"DEFAULT_COMPRESSION_TOKEN_THRESHOLD = ([\d.]+)",
                        known="0.5",
                        unit="of the window",
                        label="compressionThreshold",
                    ),
                    Spot(
                        file=compression,
                        pattern=r"COMPRESSION_PRESERVE_THRESHOLD = ([\d.]+)",
                        known="0.3",
                        unit="kept",
                        label="COMPRESSION_PRESERVE_THRESHOLD",
                    ),
                ),
                overrides=(Override(place="gemini", keys=("model", "compressionThreshold")),),
            ),
        ),
    )


BUNDLE = "bundle/chunk-*.js"
GEMINI = gemini("@google/gemini-cli", BUNDLE, BUNDLE, ("gemini",))
GEMINI_CORE = gemini(
    "@google/gemini-cli-core",
    "dist/src/config/config.js",
    "dist/src/context/chatCompressionService.js",
    (),
)

FRAMEWORKS = (CLAUDE, CODEX, OPENCODE, PI, QWEN, GEMINI, GEMINI_CORE)
