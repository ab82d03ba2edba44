"""Text that may hold anything, for readers that take only what is printable."""


def spelled(text: str, keep: str = "\n") -> str:
    r"""Return a text with what is not printable spelled out, such as `\x1b` or `\ud83d`.

    Those are control characters, lone surrogates, separators but the space, and code points that
    stand for nothing; `keep` are let through.
    """
    return "".join(
        one if one.isprintable() or one in keep else one.encode("unicode_escape").decode("ascii")
        for one in text
    )


def printable(words: str) -> str:
    """Return words without what a terminal would obey: a file may have any name."""
    return "".join(one if one.isprintable() else " " for one in words)
