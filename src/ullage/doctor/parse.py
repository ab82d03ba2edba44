"""Other people's Python, parsed and never run."""

import ast
import warnings


def parsed(source: str | bytes) -> ast.Module | None:
    r"""Return a syntax tree; None for what is no Python of this version.

    What the compiler warns of, such as `"\d"`, is not ours to say.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            return None
