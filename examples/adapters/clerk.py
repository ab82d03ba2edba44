"""What the programs here share: an agent's tools, and what its user says."""

import json

PROMPTS = [
    f"Question {number}: which orders of customer C{number} are open?" for number in range(8)
]


def list_orders(customer: str) -> dict[str, list[dict[str, object]]]:
    """List a customer's orders.

    Args:
        customer: The customer's name.

    """
    return {
        "orders": [
            {"id": f"{customer}-{number:05d}", "amount": number * 7, "open": number % 3 == 0}
            for number in range(200)
        ]
    }


def list_tickets(customer: str) -> str:
    """List a customer's tickets, as JSON.

    Args:
        customer: The customer's name.

    """
    return json.dumps(
        [{"ticket": f"T-{customer}-{number:05d}", "days": number * 3} for number in range(150)]
    )


TOOLS = [list_orders, list_tickets]
