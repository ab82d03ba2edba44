"""The findings that only a probe makes: it knows what the model answered, and what was to come."""

CALL_LOOP = "call-loop"
LENGTH_IGNORED = "length-ignored"
OVERFLOW_IGNORED = "overflow-ignored"
RESULT_CLEARED = "result-cleared"

NAMES = (CALL_LOOP, LENGTH_IGNORED, OVERFLOW_IGNORED, RESULT_CLEARED)
"""Their names; `ullage probe` reports them beside what the checks of a run find."""
