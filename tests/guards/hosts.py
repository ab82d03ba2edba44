"""Modules that are loaded from within another program's package only: they may import it."""

from collections.abc import Mapping

AGNO = frozenset({"agno", "pydantic"})
LANGCHAIN = frozenset({"langchain", "langchain_core", "langgraph"})
LLAMA_INDEX = frozenset({"llama_index", "pydantic", "pydantic_core"})
OPENAI_AGENTS = frozenset({"agents", "pydantic"})
FASTMCP = frozenset({"fastmcp"})
PYDANTIC_AI = frozenset({"pydantic_ai", "pydantic_core"})
SMOLAGENTS = frozenset({"smolagents"})
STRANDS = frozenset({"strands"})

HOSTS: Mapping[str, frozenset[str]] = {
    "ullage/integrate/pytest_plugin.py": frozenset({"pytest"}),
    "ullage/integrate/agno.py": AGNO,
    "ullage/integrate/adapters/agno_messages.py": AGNO,
    "ullage/integrate/langchain.py": LANGCHAIN,
    "ullage/integrate/adapters/langchain_messages.py": LANGCHAIN,
    "ullage/integrate/llama_index.py": LLAMA_INDEX,
    "ullage/integrate/adapters/llama_index_messages.py": LLAMA_INDEX,
    "ullage/integrate/adapters/llama_index_model.py": LLAMA_INDEX,
    "ullage/integrate/adapters/llama_index_tools.py": LLAMA_INDEX,
    "ullage/integrate/openai_agents.py": OPENAI_AGENTS,
    "ullage/integrate/pydantic_ai.py": PYDANTIC_AI,
    "ullage/integrate/adapters/pydantic_ai_messages.py": PYDANTIC_AI,
    "ullage/integrate/fastmcp.py": FASTMCP,
    "ullage/integrate/adapters/mcp_answers.py": frozenset({"jsonschema"}),
    "ullage/integrate/mcp.py": frozenset({"jsonschema"}),
    "ullage/integrate/strands.py": STRANDS,
    "ullage/integrate/smolagents.py": SMOLAGENTS,
    "ullage/integrate/adapters/smolagents_code.py": SMOLAGENTS,
    "ullage/integrate/adapters/smolagents_messages.py": SMOLAGENTS,
}
"""What each of them imports, which is not Ullage's dependency but its own extra's."""


def is_hosted(module: str) -> bool:
    """Whether a module needs a host that may not be there."""
    return f"{module.replace('.', '/')}.py" in HOSTS
