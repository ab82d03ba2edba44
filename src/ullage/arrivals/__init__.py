"""Produced against delivered. Pure."""
