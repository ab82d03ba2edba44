"""The requests of a chunked reading: what each says around its records or its partial results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.history.chunk_plan import Chunk, ranged

PART = (
    "This is one part of a larger set of records; other parts are read by themselves. Answer for "
    "these records only, and name the records that you rely on."
)
MERGE = (
    "Above are partial results, one for each chunk of a set of records. Merge them into one result "
    "that holds for all of the records. No chunk replaces another one: keep what each of them "
    "says, add up counts and totals, and name the chunk behind each claim, such as (chunk 3)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A message, and where in it the records or the partial results begin."""

    content: str
    start: int = 0

    @property
    def messages(self) -> list[dict[str, str]]:
        """What is sent."""
        return [{"role": "user", "content": self.content}]


def whole_text(data: str, instruction: str) -> Text:
    """Return the request with all of the data: the data, then what to do with it."""
    return Text(content=f"{data}\n\n{instruction}")


def chunk_text(chunk: Chunk, instruction: str) -> Text:
    """Return the request of one chunk."""
    before = f"{chunk.label}\n{PART}\n\n"
    return Text(content=f"{before}{chunk.written.text}\n\n{instruction}", start=len(before))


def frame_of(instruction: str) -> str:
    """Return what stands around the records of a chunk, at its longest."""
    label = f"[chunk {10**6} of {10**6}: {'records 100000-200000, ' * 6}]"
    return f"{label}\n{PART}\n\n\n\n{instruction}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Partial:
    """A partial result, and the chunks that it is of."""

    label: str
    text: str
    first: int
    last: int

    @property
    def written(self) -> str:
        """The partial result as it stands in a merge request."""
        return f"{self.label}\n{self.text}"


def merge_text(
    partials: Sequence[Partial], lost: Sequence[str], instruction: str, merge: str
) -> Text:
    """Return the request that merges partial results; chunks that were not read are named in it."""
    parts = "\n\n".join(one.written for one in partials)
    gone = "".join(f"\n\n{one}" for one in lost)
    return Text(content=f"{parts}{gone}\n\n{merge}\n\nWhat was asked for:\n{instruction}")


def merged_label(partials: Sequence[Partial], of: int, records: str) -> str:
    """Return the label of what was merged from several chunks."""
    return f"[chunks {partials[0].first}-{partials[-1].last} of {of}: {records}]"


MOST_LOST = 8
"""So many chunks that were not read are told one by one in a merge request."""


def lost_said(lost: Sequence[tuple[Chunk, str]]) -> list[str]:
    """Say in a merge request which chunks were not read: of many, their records together."""
    if len(lost) > MOST_LOST:
        positions = sorted(at for chunk, _ in lost for at in chunk.positions)
        return [f"[ullage: {len(lost)} chunks were not read, {ranged(positions)} are missing]"]
    return [
        f"{chunk.label}\n[ullage: not read, its records are missing: {' '.join(why.split())}]"
        for chunk, why in lost
    ]


def is_in(partial: Partial, messages: Sequence[Mapping[str, str]]) -> bool:
    """Whether a partial result stands in a request below its label."""
    return any(partial.written in one["content"] for one in messages)
