"""What Python runs at its start in a child of `ullage run`: its folder is on PYTHONPATH.

Needs nothing but the standard library: the child's Python may be one where ullage is not
installed. Without ULLAGE_LEDGER it only passes on to the `sitecustomize` that would have run.
"""

import importlib.machinery
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FINDER = os.path.join(os.path.dirname(HERE), "finder.py")


def watch() -> None:
    """Put our finder in front of those that import modules."""
    if not os.environ.get("ULLAGE_LEDGER") or "_ullage_finder" in sys.modules:
        return
    spec = importlib.util.spec_from_file_location("_ullage_finder", FINDER)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        module.install()


def pass_on() -> None:
    """Run the `sitecustomize` that stands behind ours, in its own name.

    Our folder leaves the program's path; the environment keeps it for the program's own children.
    """
    sys.path[:] = [one for one in sys.path if os.path.abspath(one or os.curdir) != HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


watch()
pass_on()
