"""An ordinary smolagents CodeAgent."""

from typing import ClassVar

from results import list_orders, list_tickets
from smolagents import CodeAgent, OpenAIServerModel, Tool


class Orders(Tool):
    name = "list_orders"
    description = "List a customer's orders."
    inputs: ClassVar = {"customer": {"type": "string", "description": "The customer."}}
    output_type = "object"

    def forward(self, customer):
        return list_orders(customer)


class Tickets(Orders):
    name = "list_tickets"
    output_type = "string"

    def forward(self, customer):
        return list_tickets(customer)


agent = CodeAgent(
    tools=[Orders(), Tickets()], model=OpenAIServerModel(model_id="gpt-4o"), verbosity_level=0
)
print(agent.run("What is open?"))
