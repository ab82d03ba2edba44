"""smolagents: a managed agent is called as a tool is, and its report is the result."""

from ullage.tap.auto.points import Arguments, Called, Framework, Point


def called(given: Arguments) -> Called:
    """Read a call."""
    agent = given["self"]
    named = {"task": given["task"], **given.get("kwargs", {})}
    return Called(tool=agent.name or type(agent).__name__, arguments=named)


FRAMEWORK = Framework(
    points=(Point(path="MultiStepAgent.__call__", needs=("task",), called=called),)
)
