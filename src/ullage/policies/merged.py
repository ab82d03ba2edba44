"""The tallies of shards, added up as they come in."""

from collections import Counter
from collections.abc import Iterable

from ullage.policies.shard import Shard
from ullage.policies.tally import Tally


class Merged:
    """What shards have counted so far.

    A session of which several shards hold a part is ended with the last of them: what is in memory
    does not grow with the shards.
    """

    def __init__(self, shards: Iterable[Shard]) -> None:
        self.tally = Tally()
        self.left = Counter(one.session(name) for one in shards for name in one.split)

    def add(self, shard: Shard, part: Tally) -> None:
        """Add the tally of one shard."""
        self.tally.merge(part)
        for name in shard.split:
            session = shard.session(name)
            self.left[session] -= 1
            # A shard may stand among the results of a session, and hold none of them.
            if self.left[session] == 0 and session in self.tally.open:
                self.tally.end(session)
