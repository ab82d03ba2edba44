"""What all tests share."""

import os

from hypothesis import settings

# Timings live in benchmarks/: a slow moment of a shared machine is no fault of the code. A hostile
# text is so large that a rule whose time grows with its square meets the timeout. On CI the
# examples are always the same ones, so that a run says something about the change and not about
# luck; everywhere else they are new ones each time.
settings.register_profile("ullage", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ullage")
