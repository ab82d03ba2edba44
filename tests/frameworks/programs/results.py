"""What the tools of these programs return: a value, a JSON text, a word, nothing."""

import json


def list_orders(customer: str) -> dict[str, list[dict[str, object]]]:
    """List a customer's orders."""
    return {
        "orders": [
            {"id": f"{customer}-{number:05d}", "amount": number * 7, "open": number % 3 == 0}
            for number in range(200)
        ]
    }


def list_tickets(customer: str) -> str:
    """List a customer's tickets, as JSON."""
    return json.dumps(
        [{"ticket": f"T-{customer}-{number:05d}", "days": number * 3} for number in range(150)]
    )


def check_status(customer: str) -> str:
    """Say whether a customer may order."""
    return "ok"


def read_note(customer: str) -> str:
    """Read the note on a customer; most have none."""
    return ""


TOOLS = (list_orders, list_tickets, check_status, read_note)
