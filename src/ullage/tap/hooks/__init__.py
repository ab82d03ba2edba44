"""Tool taps that hang on a coding CLI's own hooks."""
