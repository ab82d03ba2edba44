"""How many examples a property gets: few in each run, many when somebody asks for them once.

    ULLAGE_EXAMPLES=10000 python -m pytest tests/cutter/test_every_format.py -o timeout=0 -k yaml

runs every property of one module (here: of one format) with 10,000 examples each.
"""

import os

from hypothesis import settings

ONCE = int(os.environ.get("ULLAGE_EXAMPLES") or 0)


def examples(count: int) -> settings:
    """Return the settings of a property that is tried `count` times in an ordinary run."""
    return settings(max_examples=ONCE or count)
