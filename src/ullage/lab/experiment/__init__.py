"""Controlled experiments: one loss at a time is put back into a harness, and its price measured."""
