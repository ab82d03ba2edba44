"""Scripted agents. They see what was delivered and nothing else: no truth, no arm, no parameter."""
