"""The wire tap: a recording pass-through."""
