"""The tool tap that needs no code: it wraps the function that a framework's tool calls go through.

`startup/` goes on the PYTHONPATH of a program that is to be recorded.
"""

from pathlib import Path

STARTUP = Path(__file__).parent / "startup"
"""The folder whose `sitecustomize` Python runs at its start."""
