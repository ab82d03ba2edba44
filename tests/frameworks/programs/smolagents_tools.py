"""An ordinary smolagents ToolCallingAgent."""

from typing import ClassVar

from results import check_status, list_orders, list_tickets, read_note
from smolagents import OpenAIServerModel, Tool, ToolCallingAgent


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


class Status(Tickets):
    name = "check_status"

    def forward(self, customer):
        return check_status(customer)


class Note(Tickets):
    name = "read_note"

    def forward(self, customer):
        return read_note(customer)


agent = ToolCallingAgent(
    tools=[Orders(), Tickets(), Status(), Note()],
    model=OpenAIServerModel(model_id="gpt-4o"),
    verbosity_level=0,
)
print(agent.run("What is open?"))
