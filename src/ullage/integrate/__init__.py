"""Ullage in other people's tools."""
