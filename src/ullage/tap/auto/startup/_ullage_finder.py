"""Notices the import of a framework, and has its tool calls recorded.

Loaded at the start of programs that are not ours, so: nothing but `sys` is imported, and nothing
is done until a framework is. Ullage itself is imported then, its ledger with the first call.
"""

import sys

TYPE_CHECKING = False  # type checkers take it for true; `typing` itself would take milliseconds
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

# The module that defines a choke point; and our file, with the name in it, that knows it.
FRAMEWORKS = {
    "agents.tool": "openai_agents.FRAMEWORK",
    "langchain_core.tools.base": "langchain.FRAMEWORK",
    "llama_index.core.agent.workflow.base_agent": "llama_index.AGENT",
    "llama_index.core.agent.workflow.multi_agent_workflow": "llama_index.TEAM",
    "llama_index.core.tools.function_tool": "llama_index.TOOLS",
    "mcp.client.session": "mcp_client.FRAMEWORK",
    "pydantic_ai.tool_manager": "pydantic_ai.FRAMEWORK",
    "smolagents.agents": "smolagents.TEAM",
    "smolagents.local_python_executor": "smolagents.CODE",
    "smolagents.tools": "smolagents.TOOLS",
}


class Finder:
    """Lets all others find a module, and comes back when a framework's was executed."""

    def find_spec(
        self, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """Find a framework's module as it would be found without us."""
        if name not in FRAMEWORKS:
            return None
        for other in sys.meta_path:
            find = getattr(other, "find_spec", None)
            spec = None if other is self or find is None else find(name, path, target)
            if spec is not None:
                return come_back(spec)
        return None


def come_back(spec: "ModuleSpec") -> "ModuleSpec":
    """Return `spec`, its module watched after it is executed.

    The loader stays the same object of the same type: resources and source are found through it.
    """
    loader = spec.loader
    execute = getattr(loader, "exec_module", None)
    if execute is None:
        return spec

    def exec_module(module: "ModuleType") -> None:
        execute(module)
        if module.__name__ == spec.name:
            watch(module)

    try:
        loader.exec_module = exec_module  # type: ignore[union-attr, method-assign]  # see above
    except (AttributeError, TypeError):
        say(spec.name, f"its loader ({type(loader).__name__}) lets nothing come after it")
    return spec


def watch(module: "ModuleType") -> None:
    """Have a framework's tool calls recorded; whatever goes wrong is said, and changes nothing."""
    import importlib

    try:
        points = importlib.import_module("ullage.tap.auto.points")
        points.watch(module, FRAMEWORKS[module.__name__])
    except ImportError as error:
        say(module.__name__, f"ullage cannot be used in {sys.prefix} ({error}): install it there")
    except Exception as error:  # noqa: BLE001  # a program's import must not fail by us
        say(module.__name__, f"{type(error).__name__}: {error}")


def say(name: str, why: str) -> None:
    """Say that a framework's tools are not recorded; on stderr where warnings are raised."""
    import warnings

    words = (
        f"ullage run: the tools of {name.partition('.')[0]} are not recorded: {why}; "
        "--tap off leaves this out"
    )
    try:
        warnings.warn(words, stacklevel=2)
    except UserWarning:
        sys.stderr.write(f"{words}\n")


def install() -> None:
    """Watch the frameworks that are imported from now on, and those that are there already."""
    sys.meta_path.insert(0, Finder())
    for name in FRAMEWORKS:
        if name in sys.modules:
            watch(sys.modules[name])
