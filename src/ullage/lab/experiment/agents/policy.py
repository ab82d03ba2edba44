"""A scripted agent: a style and a seed in, an agent out. It keeps nothing from turn to turn."""

from ullage.lab.experiment.agents.decide import answer
from ullage.lab.experiment.agents.investigate import next_step
from ullage.lab.experiment.agents.knowledge import know
from ullage.lab.experiment.agents.seen import texts_of
from ullage.lab.experiment.agents.style import STYLES
from ullage.lab.experiment.turn import Agent, Body, Call, Turn

DECIDES = "answer"


def scripted(style: str, *, seed: int) -> Agent:
    """Return the agent of a style. Raises ValueError where there is none of that name.

    A seed gives the order among equals and of drilling down, and changes nothing else.
    """
    if style not in STYLES:
        raise ValueError(f"there is no agent {style!r}; there are {', '.join(STYLES)}")
    chosen = STYLES[style]

    def act(body: Body) -> Turn:
        tools = {one["function"]["name"] for one in body.get("tools", ())}
        if DECIDES in tools:
            said = answer(texts_of(body), chosen)
            return Turn(calls=(Call(tool=DECIDES, arguments={"culprit": said}),))
        return next_step(know(body, seed), chosen)

    return act
