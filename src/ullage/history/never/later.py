"""What later messages use of what a result showed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.arrivals.kinds import found_paths
from ullage.history.never.strings import strings_in
from ullage.history.piece import Piece

SHORTEST_WORD = 4
SHORTEST_FIGURE = 3
LONGEST_ID = 200
_TOKEN = re.compile(r"[^\W_](?:[\w.:/@#+~-]*\w)?")
_TELLING = re.compile(r"\d|\w[-_./:@#]\w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """By path (as it is compared) and by id, the last piece that uses it."""

    paths: dict[str, int]
    ids: dict[str, int]

    def uses_path(self, key: str, index: int) -> bool:
        """Whether a message behind a piece names a path."""
        return self.paths.get(key, -1) > index

    def uses_id(self, token: str, index: int) -> bool:
        """Whether a call behind a piece has a token in its arguments."""
        return self.ids.get(token, -1) > index


def later_in(pieces: Sequence[Piece]) -> Later:
    """Read what each message that is no result uses: paths of all it says, ids of its calls."""
    paths: dict[str, int] = {}
    ids: dict[str, int] = {}
    for index, piece in enumerate(pieces):
        if piece.is_result:
            continue
        said = [piece.message.text]
        for call in piece.message.calls:
            for name, text in strings_in(call.arguments):
                said.append(text)
                ids.update(dict.fromkeys(ids_of_argument(text, whole=bool(name)), index))
        for text in said:
            if "/" in text or "\\" in text:
                paths.update((key, index) for key, _ in found_paths(text))
    return Later(paths=paths, ids=ids)


def ids_of_argument(text: str, *, whole: bool) -> Iterator[str]:
    """Yield the tokens of an argument that may be ids; the whole of one need not look so."""
    for token in tokens_in(text):
        if is_telling(token) or (whole and token == text and len(token) >= SHORTEST_WORD):
            yield token


def tokens_in(text: str) -> Iterator[str]:
    """Yield the tokens of a text, and the names before and behind a `=` or `:` in it."""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if len(token) <= LONGEST_ID:
            yield token
            if ":" in token:
                yield from token.split(":")


def is_telling(token: str) -> bool:
    """Whether a token looks like an id: with a digit, or of several words."""
    if token.isdigit():
        return len(token) >= SHORTEST_FIGURE
    return len(token) >= SHORTEST_FIGURE and _TELLING.search(token) is not None
