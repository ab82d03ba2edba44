"""Controlled experiments on context loss."""
