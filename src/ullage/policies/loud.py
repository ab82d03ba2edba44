"""Lost records of a session, and whether their evidence stands elsewhere in it."""

from ullage.arrivals.landed import Landed, Made
from ullage.policies.recorded import Recorded
from ullage.policies.tally import Group, Tally


class Loudness:
    """What one policy delivered of a session, and what it lost."""

    def add(self, group: Group, one: Recorded, made: Made, text: str, found: Landed) -> None:
        """Take in one result."""

    def judge(self, tally: Tally) -> None:
        """Add up which losses have a second path."""
