"""The append-only record of produced and delivered: one SQLite file."""
