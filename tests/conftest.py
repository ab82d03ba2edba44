"""What all tests share."""

from hypothesis import settings

# Timings live in benchmarks/: a slow moment of a shared machine is no fault of the code.
settings.register_profile("ullage", deadline=None)
settings.load_profile("ullage")
