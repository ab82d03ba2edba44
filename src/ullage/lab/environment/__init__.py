"""Worlds that an agent can be asked about, with exact ground truth."""
