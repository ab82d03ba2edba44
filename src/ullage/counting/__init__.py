"""Tokens: exact where the vocabulary is public, an estimate elsewhere; the result says which."""
