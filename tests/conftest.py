"""What all tests share."""

import os
import signal

from hypothesis import settings


def heed_signals() -> None:
    """Take back what a shell does to a program that it starts behind itself: it ignores these.

    A child inherits that, and tests that interrupt one would wait for ever.
    """
    for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


heed_signals()


# Timings live in benchmarks/: a slow moment of a shared machine is no fault of the code. A hostile
# text is so large that a rule whose time grows with its square meets the timeout. On CI the
# examples are always the same ones, so that a run says something about the change and not about
# luck; everywhere else they are new ones each time.
# CI tries the same examples each time, so more of them find nothing new there: fewer, in time.
CI = bool(os.environ.get("CI"))
settings.register_profile("ullage", deadline=None, derandomize=CI, max_examples=30 if CI else 100)
settings.load_profile("ullage")
