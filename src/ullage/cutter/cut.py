"""The one call that cuts: a table of formats and a table of policies."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal, get_args

from ullage.counting.count import counter
from ullage.cutter import naive, shorten, spans, upstream
from ullage.cutter.budget import Budget
from ullage.cutter.decode import as_text
from ullage.cutter.formats import in_format
from ullage.cutter.keep import Keep, Rule, read_rules
from ullage.cutter.token_budget import cut_to_tokens
from ullage.cutter.values import Account, Cut, Format, Noticed, Size
from ullage.cutter.whole import whole_json

Policy = Literal["records", "prefix", "middle"]
"""`records` is ours; the other two are the naive slices, to compare with."""

NoticePlace = Literal["inside", "apart"]

SLICES: dict[Policy, Callable[[str, Budget], Cut]] = {
    "prefix": naive.prefix,
    "middle": naive.middle,
}


def cut(
    data: object,
    budget: Budget,
    *,
    format: Format | None = None,  # the word users know
    keep: Sequence[Rule] = (),
    handle: Callable[[str], str] | None = None,
    notice: NoticePlace = "inside",
    policy: Policy = "records",
) -> Cut:
    """Cut `data` to `budget`: whole records, valid syntax, every part represented, the loss stated.

    `data` is text, bytes (UTF-8) or a Python value (written as compact JSON); `budget` is
    `chars(n)` or `tokens(n)`. `keep` names what must stay: a path such as `"$.summary"`, an
    equation such as `"id=17"`, or a function of a record; the budget wins, and what could not stay
    is named. `handle` is called with the whole text if it must be cut, keeps it, and returns how
    to get it back, such as a call that the model can make: the notice says it. With
    `notice="apart"` the text is pure and the notice stands in the result only.

    What fits is returned unchanged. Data never raises: what cannot be read as its format is cut as
    text, and `account.fallback` says why. Raises ValueError and TypeError for wrong arguments.
    """
    check_arguments(
        budget,
        ("format", format, get_args(Format)),
        ("notice", notice, get_args(NoticePlace)),
        ("policy", policy, get_args(Policy)),
    )
    rules = read_rules(keep)
    source = as_text(data)

    @cache  # a budget in tokens cuts more than once
    def way_back() -> str:
        return handle(source) if handle else ""

    def cut_chars(within: Budget) -> Cut:
        return cut_text(
            source,
            within,
            format=format,
            keep=rules,
            inside=notice == "inside",
            way_back=way_back,
            policy=policy,
        )

    try:
        if budget.unit == "tokens":
            return cut_to_tokens(source, budget, counter(budget.model), cut_chars)
        return cut_chars(budget)
    finally:
        shorten.forget()


def cut_text(
    source: str,
    budget: Budget,
    *,
    format: Format | None,
    keep: Keep,
    inside: bool,
    way_back: Callable[[], str],
    policy: Policy,
) -> Cut:
    """Cut a text to a budget in characters."""
    if len(source) <= budget.limit:
        done = unchanged(source, budget, format)
        return replace(done, findings=(*done.findings, *cuts_before(source, done)))
    if policy != "records":
        return SLICES[policy](source, budget)
    done = in_format(source, budget, format, keep=keep, inside=inside, way_back=way_back())
    known = {one.check for one in done.findings}
    found = [one for one in cuts_before(source, done) if one.check not in known]
    done = replace(done, findings=(*done.findings, *found))
    if format is not None and done.account.format != format:
        why = f"not {format}, so cut as {done.account.format}"
        return replace(done, account=replace(done.account, fallback=why))
    return done


def cuts_before(source: str, done: Cut) -> Iterator[Noticed]:
    """Yield what shows that somebody had cut a text before us."""
    return upstream.cuts_before(source, is_whole=done.account.format == "json")


def check_arguments(budget: Budget, *words: tuple[str, object, tuple[str, ...]]) -> None:
    """Raise TypeError or ValueError for an argument that no data could make right."""
    if not isinstance(budget, Budget):
        raise TypeError(f"budget is made by chars(n) or tokens(n), got {budget!r}")
    for name, value, known in words:
        if value is not None and value not in known:
            raise ValueError(f"{name}={value!r}: choose one of {', '.join(map(repr, known))}")


def unchanged(source: str, budget: Budget, format: Format | None) -> Cut:
    """Return a text that fits, byte for byte."""
    if format in (None, "json"):
        plain = spans.is_plain(source)
        if plain or spans.scan(source):
            return whole_json(source, budget, plain=plain)
    size = Size(chars=len(source), records=1)
    account = Account(
        format=format or "text", budget=budget, floor=0, produced=size, delivered=size
    )
    return Cut(text=source, notice="", account=account, complete=True)
