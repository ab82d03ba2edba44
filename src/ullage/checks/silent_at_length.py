"""`silent-cut` where what was produced is not known as a text: by length, or by a recorded size."""

from collections.abc import Iterator

from ullage.checks import silent_cut
from ullage.checks.caps import Cap
from ullage.checks.cut_sign import CutResult
from ullage.transcript.finding import Finding

NAME = silent_cut.NAME


def check(cut: CutResult) -> Iterator[Finding]:
    """Report a result that stands at a cap, or was produced larger, without a word about it."""
    one, cap, known = cut.seen, cut.cap, cut.known
    if cap is not None:
        yield one.finding(NAME, "error", advice(one.tool, cap), evidence(cut, cap))
    elif known is not None and known.sign == "size" and known.notice == "none":
        said = (
            f"The log says that {one.tool} produced {known.produced_chars}, and the model was "
            "given less without a word. Where it is shortened, cut by records and say what is "
            "missing: "
            "ullage.cut(result, ullage.chars(6000)).text"
        )
        yield one.finding(NAME, "error", said, {"sign": "size", "produced": known.produced_chars})


def advice(tool: str, cap: Cap) -> str:
    """Return what to do about a cap."""
    whose = "of this harness" if cap.of == "harness" else f"of {tool}"
    budget = cap.size if cap.unit == "characters" else 6000
    return (
        f"{cap.distinct} different results {whose} are exactly {cap.size} {cap.unit} long, where "
        f"chance gives {cap.expected:.1g}: something cuts there and says nothing. Look for that "
        "number in the harness, and cut by records: "
        f"ullage.cut(result, ullage.chars({budget})).text"
    )


def evidence(cut: CutResult, cap: Cap) -> dict[str, object]:
    """Return the figures of one result at a cap."""
    return {
        "sign": "length",
        "length": cut.seen.sizes[cap.unit],
        "unit": cap.unit,
        "cap": cap.size,
        "results": cap.results,
        "distinct": cap.distinct,
        "expected_by_chance": cap.expected,
        "longest_other": cap.longest_other,
        "of": cap.of,
        "broken": cut.seen.broken,
        "notice": cut.notice,
    }
