"""mini-swe-agent with the configuration it ships; it prints the case's file in a shell.

Run it with `ullage probe run -- python mini_swe_agent.py`.
"""

from typing import Any

from minisweagent.agents.default import DefaultAgent
from minisweagent.config import get_config_from_spec
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel
from probing import Case, probe

WHOLE = '{"returncode": {{ output.returncode }}, "output": {{ output.output | tojson }}}'


def talk(case: Case, **settings: Any) -> None:
    """Give the agent each prompt as a task of its own: it keeps nothing between tasks."""
    config = get_config_from_spec("mini")
    config["agent"].pop("mode")
    config["model"]["model_kwargs"] |= {"api_base": case.base_url, "api_key": "none"}
    model = LitellmModel(model_name=f"openai/{case.model}", **config["model"] | settings)
    # The scripted model never says the word that ends a task: its second reply ends it.
    config["agent"]["step_limit"] = 3 if case.kind == "length" else 2
    agent = DefaultAgent(model, LocalEnvironment(**config["environment"]), **config["agent"])
    for prompt in case.prompts:
        case.answered(agent.run(prompt))


def ask(case: Case) -> None:
    """Show 5,000 characters of each end of an output, as it comes."""
    talk(case)


def ask_for_all(case: Case) -> None:
    """Show the whole output."""
    talk(case, observation_template=WHOLE)


if __name__ == "__main__":
    probe(default=ask, best=ask_for_all)
