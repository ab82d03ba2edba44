"""The tables of a survey, as words: a document renders them as Markdown, a page as HTML."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.survey.results import Members, Surveyed

SMALL, LARGE = 33_000, 200_000
FEW, MANY = 12, 50
NOTHING = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One table: its name, what it shows, its heads, and its rows; the first cell names a row."""

    title: str
    lead: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def sections(found: Sequence[Surveyed]) -> list[Section]:
    """Return all tables; rows in the order of the manifest."""
    known = [one for one in found if not one.why]
    return [
        results(known),
        values(known),
        messages(known),
        histories(known),
        auxiliaries(known),
        reactions(known),
        handoffs(known),
        best(known),
        missing(found),
    ]


def results(found: Sequence[Surveyed]) -> Section:
    """Tell what became of one tool result that is a text."""
    return Section(
        title="One tool result",
        lead="A tool returns one line of JSON. Records that the model was given whole, of all; the "
        "exact limit, by bisection; which end is missing, what the model is told, and whether what "
        "it was given still parses as the JSON that it was.",
        heads=(
            "harness · setting",
            "33k",
            "200k",
            "200k of lines (NDJSON)",
            "cut above",
            "lost",
            "told",
            "JSON at 200k",
            "where",
        ),
        rows=list(rows_of(found, result_row)),
    )


def result_row(one: Surveyed) -> Sequence[str] | None:
    """Return the row of a setting whose results were tried."""
    small, large = text_case(one, SMALL), text_case(one, LARGE)
    if small is None and large is None:
        return None
    lines = one.case("result", size=LARGE, format="ndjson", returns="text")
    worst = large or small
    return [
        arrived(small),
        arrived(large),
        arrived(lines),
        limit(one.threshold(kind="result", format="json", returns="text")),
        side(worst),
        notice(worst),
        str(worst["syntax"]) if worst else NOTHING,
        where(one),
    ]


def values(found: Sequence[Surveyed]) -> Section:
    """Tell what became of a value that is no text."""
    return Section(
        title="A returned object",
        lead="The same tool returns the value itself, 33,000 characters as JSON, and the framework "
        "makes a text of it. A Python repr or JSON inside a JSON string does not parse as what it "
        "was.",
        heads=("harness · setting", "records", "arrives as"),
        rows=list(rows_of(found, value_row)),
    )


def value_row(one: Surveyed) -> Sequence[str] | None:
    """Return the row of a setting whose tool returned an object."""
    case = one.case("result", size=SMALL, format="json", returns="object")
    return None if case is None else [arrived(case), str(case["syntax"])]


def messages(found: Sequence[Surveyed]) -> Section:
    """Tell what became of data in the user's own message."""
    return Section(
        title="Data in a message of the user",
        lead="The same JSON stands in what the user says, below one sentence.",
        heads=("harness · setting", "33k", "200k", "lost", "told", "JSON at 200k"),
        rows=list(rows_of(found, message_row)),
    )


def message_row(one: Surveyed) -> Sequence[str] | None:
    """Return the row of a setting whose messages were tried."""
    small = one.case("user", size=SMALL, format="json")
    large = one.case("user", size=LARGE, format="json")
    worst = large or small
    if worst is None:
        return None
    syntax = str(worst["syntax"] or NOTHING)
    return [arrived(small), arrived(large), side(worst), notice(worst), syntax]


def histories(found: Sequence[Surveyed]) -> Section:
    """Tell what is left of a conversation."""
    return Section(
        title="A conversation",
        lead="Things that the user said which are in the last request, of all that were said: "
        "without a tool, and with a result of 33,000 characters in each turn. Then, of 12 large "
        "turns: the results that are still whole, what the model is told, the requests that were "
        "made, and the size of those of the last turn.",
        heads=(
            "harness · setting",
            "12 small",
            "12 large",
            "50 small",
            "50 large",
            "limit",
            "results whole",
            "told",
            "requests",
            "kB, last turn",
            "where",
        ),
        rows=list(rows_of(found, history_row)),
    )


def history_row(one: Surveyed) -> Sequence[str] | None:
    """Return the row of a setting whose history was tried."""
    few, large = (one.case("history", turns=FEW, size=size) for size in (0, SMALL))
    if few is None and large is None:
        return None
    many, heavy = (one.case("history", turns=MANY, size=size) for size in (0, SMALL))
    fates = Counter(large["history"]["results"]) if large else Counter()
    sizes = large["history"]["sizes"] if large else []
    return [
        turns(few),
        turns(large),
        turns(many),
        turns(heavy),
        cap(one.document.get("history_cap")),
        f"{fates['whole']} of {sum(fates.values())}" if fates else NOTHING,
        grade(large["history"]["notice"]) if large else NOTHING,
        str(len(large["requests"])) if large else NOTHING,
        f"{sizes[-1] / 1000:.0f}" if sizes else NOTHING,
        where(one),
    ]


def auxiliaries(found: Sequence[Surveyed]) -> Section:
    """Tell what requests beside the acting model's saw."""
    return Section(
        title="What a summariser was shown",
        lead="Requests that are not the acting model's, in 12 turns with a result of 33,000 "
        "characters each: how many, the records of what left the conversation, and how many of "
        "them stood in any such request.",
        heads=(
            "harness · setting",
            "requests",
            "records that left",
            "of them shown",
            "kB, largest",
        ),
        rows=list(rows_of(found, auxiliary_row)),
    )


def auxiliary_row(one: Surveyed) -> Sequence[str] | None:
    """Return the row of a setting that asks beside its acting model."""
    case = one.case("history", turns=FEW, size=SMALL)
    asked = case["auxiliary"] if case else []
    if case is None or not asked:
        return None
    left = sum(each["rows_replaced"] for each in asked)
    shown = sum(each["rows_seen_of_them"] for each in asked)
    largest = max(each["size"] for each in asked) / 1000
    return [str(len(asked)), str(left), f"{shown} of {left}" if left else "n/a", f"{largest:.0f}"]


def reactions(found: Sequence[Surveyed]) -> Section:
    """Tell what is done about a cut reply, a refused prompt, a way back."""
    return Section(
        title="Cut replies, refused prompts, ways back",
        lead="A reply ends with the finish reason of its length limit; prompts above 20,000 tokens "
        "are refused in the provider's words; a cut result names a file or handle, and the model "
        "takes it.",
        heads=("harness · setting", "reply cut short", "prompt refused", "way back"),
        rows=list(rows_of(found, reaction_row)),
    )


def reaction_row(one: Surveyed) -> Sequence[str] | None:
    """Return the row of a setting for which any of these was tried."""
    told = (
        reaction(one.case("length"), "length"),
        reaction(one.case("overflow"), "overflow"),
        way_back(one.case("handle")),
    )
    return None if set(told) == {NOTHING} else list(told)


def handoffs(found: Sequence[Surveyed]) -> Section:
    """Tell what comes back from a second agent."""
    return Section(
        title="From a second agent back to the first",
        lead="A second agent is asked, fetches records, and answers with twenty of their ids: how "
        "many the first one was given.",
        heads=("harness · setting", "findings given", "task passed on", "kB: second, first agent"),
        rows=list(rows_of(found, handoff_row)),
    )


def handoff_row(one: Surveyed) -> Sequence[str] | None:
    """Return the row of a setting that hands on."""
    case = one.case("handoff")
    if case is None or not case.get("handoff"):
        return None
    told = case["handoff"]
    return [
        f"{told['arrived']} of {told['planted']}",
        "yes" if told["task_given"] else "in the first agent's words",
        f"{told['child_size'] / 1000:.0f}, {told['parent_size'] / 1000:.0f}",
    ]


def best(found: Sequence[Surveyed]) -> Section:
    """Name the setting that keeps most."""
    return Section(
        title="Default, and the best that is available",
        lead="What the checks of Ullage find by default, and in the setting that keeps most.",
        heads=("harness", "found by default", "best setting", "how", "found with it"),
        rows=list(best_rows(found)),
    )


def best_rows(found: Sequence[Surveyed]) -> Iterator[Sequence[str]]:
    """Yield a row for each harness."""
    for name in dict.fromkeys(one.harness.name for one in found):
        own = [one for one in found if one.harness.name == name]
        keeps = next((one for one in own if one.job.variant.best), None)
        yield [
            f"{own[0].harness.title} {own[0].version}",
            checks(own[0]),
            keeps.job.variant.name if keeps else NOTHING,
            (keeps.job.variant.how or "as it comes") if keeps else NOTHING,
            checks(keeps) if keeps else NOTHING,
        ]


def missing(found: Sequence[Surveyed]) -> Section:
    """Tell what could not be measured."""
    rows = [[label(one), one.why] for one in found if one.why]
    rows += [[label(one), line] for one in found for line in one.outcomes()]
    return Section(
        title="Not measured",
        lead="Settings without a result, and cases that did not come to their end.",
        heads=("harness · setting", "why"),
        rows=rows,
    )


def rows_of(
    found: Sequence[Surveyed], row: Callable[[Surveyed], Sequence[str] | None]
) -> Iterator[Sequence[str]]:
    """Yield the rows of those that have one, named."""
    for one in found:
        cells = row(one)
        if cells is not None:
            yield [label(one), *cells]


def where(one: Surveyed) -> str:
    """Say what the source of a harness says about it, and where."""
    told = one.job.variant
    return "; ".join([*told.source, *([told.note] if told.note else [])]) or NOTHING


def label(one: Surveyed) -> str:
    """Name a setting."""
    version = "" if one.version == "n/a" else f" {one.version}"
    return f"{one.harness.title}{version} · {one.job.variant.name}"


def text_case(one: Surveyed, size: int) -> Members | None:
    """Return the case of one line of JSON, returned as a text."""
    return one.case("result", size=size, format="json", returns="text")


def arrived(case: Members | None) -> str:
    """Say how many records arrived whole."""
    if case is None:
        return NOTHING
    return f"{case['rows_delivered']} of {case['rows_produced']}"


def side(case: Members | None) -> str:
    """Say which end is missing."""
    lost = case["side_lost"] if case else None
    return NOTHING if lost in (None, "none") else str(lost)


def notice(case: Members | None) -> str:
    """Say what the model is told where something is missing."""
    if case is None or side(case) == NOTHING:
        return NOTHING
    return grade(case["notice"])


def grade(told: Members | None) -> str:
    """Say how good a notice is."""
    words = {"none": "nothing", "said": "that", "counted": "how much", "way-back": "a way back"}
    return NOTHING if told is None else words.get(str(told["grade"]), str(told["grade"]))


def turns(case: Members | None) -> str:
    """Say how many turns are left."""
    if case is None or not case.get("history"):
        return NOTHING
    return f"{len(case['history']['kept'])} of {case['history']['said']}"


def limit(found: Members | None) -> str:
    """Say where a result is cut, in each unit that fits all that was tried."""
    if found is None or found["kept"] is None:
        return NOTHING
    units = [f"{spelled(one)} {one['unit']}" for one in found["limits"]]
    return " or ".join(units) or f"{found['kept']:,} characters, unit not clear"


def spelled(one: Members) -> str:
    """Write a limit that may be known as a range only."""
    low, high = one["low"], one["high"]
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def cap(found: Members | None) -> str:
    """Say what a history is limited to."""
    if not found:
        return NOTHING
    word = "" if found["certainty"] == "sure" else " (likely)"
    return f"{spelled(found)} {found['unit']}{word}"


def reaction(case: Members | None, kind: str) -> str:
    """Say what was done."""
    found = case.get(kind) if case else None
    return str(found["reaction"]).replace("-", " ") if found else NOTHING


def way_back(case: Members | None) -> str:
    """Say what taking the way back brought."""
    found = case.get("handle") if case else None
    if not found or not case:
        return NOTHING
    if not found["offered"]:
        return "none offered" if case["side_lost"] != "none" else NOTHING
    more = f"{found['rows_fetched']} more records" if found["followed"] else "no tool to take it"
    return f"taken: {more}" if found["followed"] else more


def checks(one: Surveyed) -> str:
    """List what the checks found, by how many cases."""
    cases = [
        {finding["check"] for finding in case["findings"]} for case in one.document.get("cases", ())
    ]
    counted = Counter(check for each in cases for check in each)
    return ", ".join(f"{name} ({count})" for name, count in sorted(counted.items())) or "nothing"
