"""The report of the week: tables of what was found, and sentences made from the same figures."""

from collections.abc import Iterator, Sequence

from benchmarks.replay.culprits import LOUD_PERCENT, QUIET_PERCENT, Loudness
from benchmarks.replay.listing import LATE
from benchmarks.replay.model_check import Answered
from benchmarks.replay.model_page import model_section
from benchmarks.replay.week import BUDGET, Corpus, Culprits, Simulated, Week

from ullage.policies.rates import FieldRate, Rate
from ullage.policies.replayed import PolicyOutcome

PAYLOAD_TOOL = "thread_states"
"""The tool of whose payload two parts are set side by side: its first and its last."""

HEAD = """# The one-week plan, in one command

Written by `make reproduce`, with Ullage {version} and seed {seed}. Everything in it is invented:
the shapes and sizes are those that were published; the records, tools and sessions are ours. The
paper's own corpus is not available. The same seed gives the same figures.

Two policies are compared, both with {budget} characters: `prefix` keeps the first characters and
says nothing, `records` is [Ullage's cut](cut.md).
"""

NOT_SHOWN = """## What it does not show

- **No accuracy.** An arrival rate says what a model was given. Whether the model needed it, days 1
  to 5 do not know; day 7 asks.
- **No more data.** Both policies deliver about as many characters. `records` spreads them over all
  parts: a part that `prefix` reaches first arrives less often under `records`.
- **Not that `records` keeps every culprit.** Those of day 5 wait far longer than all others, and
  `records` keeps what stands out. Of all records of that late list it delivered {late}.
- **Not the paper's numbers.** How often a call is narrow enough to fit, which tools are called and
  how large their results are is ours; so are the rates. Only the mechanism is the paper's.
- **No real agent.** Nobody read these results. An agent that meets broken data asks again, and that
  extra work is not measured here.
"""


def page(week: Week, version: str, answers: Sequence[Answered] | None, model: str = "") -> str:
    """Return the report; `answers` is None where no model was asked."""
    sections = [
        HEAD.format(version=version, seed=week.seed, budget=BUDGET),
        "\n".join(simulated_section(week.simulated)),
        "\n".join(corpus_section(week.corpus)),
        "\n".join(culprit_section(week.culprits, week.corpus)),
        NOT_SHOWN.format(late=late_share(week.corpus)),
        "\n".join(model_section(answers, model)),
    ]
    return "\n".join(sections)


def late_share(corpus: Corpus) -> str:
    """Return how much of the late list arrived under the last policy."""
    (late,) = (
        one
        for one in corpus.replayed.policies[-1].produced.parts
        if (one.tool, one.path) == ("list_containers", f"$.{LATE}")
    )
    return percent(late.by_record)


def row(*cells: object) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def head(*names: str) -> Iterator[str]:
    """Yield the head of a table, and a line of air before it."""
    yield ""
    yield row(*names)
    yield "|" + "---|" * len(names)


def simulated_section(found: Sequence[Simulated]) -> Iterator[str]:
    """Yield days 1 and 2."""
    yield "## Days 1 and 2: a payload of two lists"
    yield ""
    yield from (f"- {simulated_sentence(one)}" for one in found)
    yield from head("policy", "what", "records produced", "arrived", "in part")
    for one in found:
        for part in one.arrival.parts:
            yield row(
                f"`{one.policy}`", f"`{part.path}`", part.produced, part.delivered, part.partial
            )
            for field in one.arrival.fields:
                if field.path == part.path:
                    name = f"`{part.path}` {field.field}"
                    yield row(f"`{one.policy}`", name, field.produced, field.delivered, "")
    yield ""


def simulated_sentence(one: Simulated) -> str:
    """Say what one policy delivered of the payload."""
    parts = ", ".join(
        f"{part.delivered} of {part.produced} records of `{part.path}`"
        for part in one.arrival.parts
    )
    valid = "is still JSON" if one.arrival.valid else "is no JSON any more"
    lost = [part.path for part in one.arrival.parts if not part.delivered + part.partial]
    nothing = f" Nothing at all arrived of `{'`, `'.join(lost)}`." if lost else ""
    return (
        f"`{one.policy}` delivered {one.delivered} of {one.produced} characters: {parts} arrived "
        f"whole, and the text {valid}.{nothing}"
    )


def corpus_section(corpus: Corpus) -> Iterator[str]:
    """Yield days 3 and 4."""
    first = corpus.replayed.policies[0].produced.counts
    yield "## Days 3 and 4: a replay over a recorded corpus"
    yield ""
    yield (
        f"{first.results} results in {corpus.replayed.sessions} sessions, of {corpus.smallest} to "
        f"{corpus.largest} characters; {first.over_budget} are over the budget, and "
        f"{corpus.json_over} of those are JSON."
    )
    yield ""
    for one in corpus.replayed.policies:
        yield f"- {broken_sentence(one, corpus.json_over)}"
    paths = often_and_rare(corpus.replayed.policies[0])
    for one in corpus.replayed.policies:
        yield f"- {pair_sentence(one, paths)}"
    yield from head(
        "policy", "over budget", "cut", "broken", "told of", "records lost", "characters", "tokens"
    )
    for one in corpus.replayed.policies:
        counts = one.produced.counts
        yield row(
            f"`{one.name}`",
            counts.over_budget,
            counts.cut,
            f"{counts.broken} of {corpus.json_over} JSON",
            f"{counts.notices} of {counts.cut}",
            f"{counts.lost_records} of {counts.records}",
            f"{counts.delivered_chars} of {counts.produced_chars}",
            f"{counts.delivered_tokens} of {counts.produced_tokens}",
        )
    yield from part_table(corpus)
    yield from field_table(corpus)


def broken_sentence(one: PolicyOutcome, json_over: int) -> str:
    """Say how many of the JSON results that were cut a policy broke, and how many it told of."""
    counts = one.produced.counts
    broken, told = how_many(counts.broken, json_over), how_many(counts.notices, counts.cut)
    return (
        f"`{one.name}` breaks {broken} of the {json_over} JSON results that are over the budget, "
        f"and says what it left out in {told} of the {counts.cut} that it cuts."
    )


def how_many(part: int, whole: int) -> str:
    """Return a number, or a word for all or none of it."""
    if part == 0:
        return "none"
    return "every one" if part == whole else str(part)


def pair_sentence(one: PolicyOutcome, paths: Sequence[str]) -> str:
    """Set two parts of one payload side by side, by calls and by records."""
    parts = {each.path: each for each in one.produced.parts if each.tool == PAYLOAD_TOOL}
    said = "; ".join(rates_of(parts[path]) for path in paths)
    return f"`{one.name}`, of the same payload of `{PAYLOAD_TOOL}`: {said}."


def often_and_rare(one: PolicyOutcome) -> tuple[str, str]:
    """Return the part of the payload that arrives most often under a policy, and the rarest."""
    parts = [each for each in one.produced.parts if each.tool == PAYLOAD_TOOL]
    parts.sort(key=lambda each: (each.by_record.share or 0.0, each.path))
    return parts[-1].path, parts[0].path


def rates_of(one: FieldRate) -> str:
    """Return a part's arrival in words."""
    calls = one.by_call.of
    return (
        f"`{one.path}` arrived in {reached(one)} of {calls} calls, whole in {one.by_call.part} of "
        f"{calls}, and with {percent(one.by_record)} of its records"
    )


def reached(one: FieldRate) -> int:
    """Return in how many calls anything of a part arrived."""
    return one.by_call.of - one.absent


def percent(rate: Rate) -> str:
    """Return a rate with its interval, where sessions differ."""
    if rate.share is None:
        return "n/a"
    between = rate.interval
    if between is None or between.low == between.high:
        return f"{100 * rate.share:.1f} %"
    return f"{100 * rate.share:.1f} % ({100 * between.low:.1f} to {100 * between.high:.1f})"


def part_table(corpus: Corpus) -> Iterator[str]:
    """Yield the arrival of each part: calls with something of it, calls with all, records."""
    yield ""
    yield "Arrival by part. Intervals are 95 %, over sessions."
    policies = corpus.replayed.policies
    yield from head("tool", "part", *(f"`{one.name}`: {what}" for one in policies for what in SAID))
    yield from rate_rows([one.produced.parts for one in policies])


SAID = ("calls with some", "calls with all", "records")


def field_table(corpus: Corpus) -> Iterator[str]:
    """Yield the arrival of each field of the two lists."""
    yield ""
    yield "The same by field, of the listing whose late list stands behind the early one."
    policies = corpus.replayed.policies
    yield from head(
        "tool", "field", *(f"`{one.name}`: {what}" for one in policies for what in SAID)
    )
    yield from rate_rows(
        [
            [each for each in one.produced.fields if each.tool == "list_containers"]
            for one in policies
        ]
    )
    yield ""


def rate_rows(rates: Sequence[Sequence[FieldRate]]) -> Iterator[str]:
    """Yield a row for each part or field, with the figures of every policy."""
    for same in zip(*rates, strict=True):
        name = f"`{same[0].path}`" + (f" {same[0].field}" if same[0].field else "")
        yield row(
            same[0].tool,
            name,
            *(
                cell
                for one in same
                for cell in (
                    f"{reached(one)} of {one.by_call.of}",
                    f"{one.by_call.part} of {one.by_call.of}",
                    percent(one.by_record),
                )
            ),
        )


KINDS: dict[Loudness, str] = {
    "loud": f"makes {LOUD_PERCENT:g} % of the events, and leads the table that the agent ranked",
    "quiet": f"and four others make {QUIET_PERCENT:g} % each, below the rows that are delivered",
    "other-part": "as quiet, but an early record near the top names it as its parent",
}


def culprit_section(found: Sequence[Culprits], corpus: Corpus) -> Iterator[str]:
    """Yield day 5."""
    yield "## Day 5: the second path"
    yield ""
    yield (
        "The culprit's record stands in the late list of the listing. Where it did not arrive, is "
        "it known from elsewhere: from a table that the agent ranked itself, from another part of "
        "the listing? ([How it is judged](second-path.md))"
    )
    yield ""
    yield from (f"- *{kind}*: the culprit {words}." for kind, words in KINDS.items())
    yield ""
    yield from (f"- {culprit_sentence(one)}" for one in found)
    yield from head(
        "culprit", "policy", "cases", "record arrived", "in the table", "in another part", "quiet"
    )
    for one in found:
        yield row(
            one.loudness,
            f"`{one.policy}`",
            one.cases,
            one.arrived,
            one.table,
            one.part,
            one.quiet,
        )
    yield ""
    yield "And of the recorded corpus, for all that was lost:"
    yield ""
    yield from (f"- {loud_sentence(one)}" for one in corpus.replayed.policies)
    yield ""


def loud_sentence(one: PolicyOutcome) -> str:
    """Say how many losses of the corpus have a second path, and how to read it."""
    counts = one.produced.counts
    lost = counts.loud + counts.quiet + counts.untold
    gone = counts.produced_chars - counts.delivered_chars
    return (
        f"`{one.name}`: of {lost} lost records {counts.loud} are loud, {counts.quiet} quiet, and "
        f"{counts.untold} have nothing to tell them by. There were {gone} characters less to read; "
        f"where losses are loud, accuracy is not expected to move. Quiet cases: {counts.quiet}."
    )


def culprit_sentence(one: Culprits) -> str:
    """Say what becomes of a kind of culprit under a policy."""
    if one.arrived == one.cases:
        return f"`{one.policy}`, {one.loudness}: its record arrived in every one of {one.cases}."
    lost = one.cases - one.arrived
    paths = one.table + one.part
    if one.quiet == 0:
        ends = "a second path is there in every one, so accuracy is not expected to move"
    elif paths == 0:
        ends = "no second path is there in any; only such losses can change an answer"
    else:
        ends = f"a second path is there in {paths}, none in {one.quiet}"
    return f"`{one.policy}`, {one.loudness}: its record is lost in {lost} of {one.cases}; {ends}."
