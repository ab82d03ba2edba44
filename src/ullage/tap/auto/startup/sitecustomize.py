"""What Python runs at its start in a child of `ullage run`: its folder is on PYTHONPATH.

Needs nothing but what Python has loaded by then: the child's Python may be one where ullage is not
installed. Without ULLAGE_LEDGER it only passes on to the `sitecustomize` that would have run.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def watch() -> None:
    """Put our finder in front of those that import modules."""
    if os.environ.get("ULLAGE_LEDGER") and "_ullage_finder" not in sys.modules:
        __import__("_ullage_finder").install()


def pass_on() -> None:
    """Run the `sitecustomize` that stands behind ours, as if ours were not there.

    Our folder leaves the program's path; the environment keeps it for the program's own children.
    """
    sys.path[:] = [one for one in sys.path if os.path.abspath(one or os.curdir) != HERE]
    ours = sys.modules.pop(__name__)
    try:
        __import__(__name__)
    except ImportError as error:
        if error.name != __name__:
            raise
    finally:
        sys.modules.setdefault(__name__, ours)


watch()
pass_on()
