"""What most agents do today, to compare with: slices by position, without a word about the loss."""

from ullage.cutter.budget import Budget
from ullage.cutter.values import Account, Cut, Part, Size


def prefix(source: str, budget: Budget) -> Cut:
    """Return the first characters of a text."""
    return sliced(source, source[: budget.limit], budget, ((budget.limit, len(source) - 1),))


def middle(source: str, budget: Budget) -> Cut:
    """Return the first and the last characters of a text, half the budget each."""
    head = (budget.limit + 1) // 2
    tail = budget.limit - head
    text = source[:head] + (source[-tail:] if tail else "")
    return sliced(source, text, budget, ((head, len(source) - tail - 1),))


def sliced(source: str, text: str, budget: Budget, gone: tuple[tuple[int, int], ...]) -> Cut:
    """Return a slice as a Cut. The account knows what the text does not say."""
    part = Part(
        path="$", unit="characters", produced=len(source), delivered=len(text), left_out=gone
    )
    account = Account(
        format="text",
        budget=budget,
        floor=0,
        produced=Size(chars=len(source), records=1),
        delivered=Size(chars=len(text), records=0),
        parts=(part,),
    )
    return Cut(text=text, notice="", account=account, complete=False)
