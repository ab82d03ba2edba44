"""A word that is not known, and the ones that were probably meant."""

import difflib
from collections.abc import Iterable

import click


def nearest(word: str, known: Iterable[str]) -> str:
    """Return what to do about a word that is not known: the words near it, else all of them."""
    names = list(known)
    near = difflib.get_close_matches(word, names)
    return f"did you mean {' or '.join(near)}?" if near else f"choose {', '.join(names)}"


class Name(click.Choice[str]):
    """One of many names, which would be too long a list in the head of an option."""

    def get_invalid_choice_message(self, value: str, ctx: click.Context | None) -> str:
        """Return what to do about a name that is not known."""
        return f"{value!r} is not known: {nearest(value, self.choices)}"
