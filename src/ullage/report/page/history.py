"""Compactions, what they cost, what of the results was used, and the extra work."""

from collections import Counter
from collections.abc import Sequence

from ullage.checks.compactions import Row
from ullage.checks.scan import Scan
from ullage.checks.steps import Again
from ullage.checks.used import Use
from ullage.report.compactions import act_words
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.pieces import NA, cell, lead, many, number, percent, section, table
from ullage.transcript.finding import Finding

MOST = 100
EXTRA = ("refetch", "finished-step-repeated", "plan-loop", "error-loop-after-elision")
"""The checks that report work that was done twice."""


def history_section(scan: Scan) -> Safe:
    """Return what left the history, and what that cost."""
    rows = scan.compactions
    if rows:
        said = joined(
            tag("p", scan.compared.sentence, class_="sentence small-sentence"), row_table(rows)
        )
    else:
        said = tag("p", "No compaction was recorded or seen.", class_="na")
    return section(
        "compactions",
        "Compactions, and the extra work",
        lead(
            "Where older messages left the context, and how many calls did again what had been "
            "done, in the stretch before and in the one after."
        ),
        said,
        tag("h3", "Extra work"),
        extra(scan.findings),
        tag("h3", "What arrived, and what of it was used"),
        use_table(scan.used),
        tag("h3", "Finding yield"),
        tag(
            "p",
            f"{NA}: it is the findings that reach the deciding stage over the computations run, "
            "and no hand-off of findings is recorded here.",
            class_="na",
        ),
    )


def row_table(rows: Sequence[Row]) -> Safe:
    """Return one row a compaction."""
    shown = sorted(rows, key=lambda one: -one.gone_chars)[:MOST]
    said = f" The {MOST} that took most of {number(len(rows))}." if len(rows) > MOST else ""
    heads = ("Session", "Act", "Tokens before", "After", "Messages gone", "Characters gone")
    return table(
        f"Compactions.{said}",
        (*heads, "Rules lost", "Repeated before", "Repeated after"),
        [
            (
                one.session,
                tag("td", act_words(one), "" if one.recorded or one.stated else " (not recorded)"),
                cell(number(one.tokens_before), by=one.tokens_before),
                cell(number(one.tokens_after), by=one.tokens_after),
                cell(number(one.gone), by=one.gone),
                cell(number(one.gone_chars), by=one.gone_chars),
                cell(number(one.rules_lost), by=one.rules_lost),
                cell(again_words(one.before), by=None if one.before is None else one.before.all),
                cell(again_words(one.after), by=None if one.after is None else one.after.all),
            )
            for one in shown
        ],
        sortable=True,
    )


def again_words(one: Again | None) -> str:
    """Say how many calls did something again."""
    if one is None:
        return NA
    kinds = {"file": one.files, "command": one.commands, "error": one.errors}
    named = ", ".join(many(count, kind) for kind, count in kinds.items() if count)
    return f"{number(one.all)} ({named})" if named else "0"


def extra(findings: Sequence[Finding]) -> Safe:
    """Say what was done twice because of a loss."""
    found = Counter(one.check for one in findings if one.check in EXTRA)
    if not found:
        return tag("p", "No check found work that was done again because of a loss.")
    tokens = [cost for one in findings if (cost := weighed(one)) is not None]
    price = (
        f" {many(len(tokens), 'repeated call')} read {many(sum(tokens), 'token')}, weighed by the "
        "prices of a cache."
        if tokens
        else " What it cost is n/a: no reply says its tokens."
    )
    words = ", ".join(f"{name} {number(count)}" for name, count in found.most_common())
    return tag("p", f"{many(found.total(), 'finding')}: {words}.{price}")


def weighed(one: Finding) -> int | None:
    """Return what a repeated call cost, in tokens weighed by the prices of a cache."""
    cost = one.evidence.get("cost") if one.check == "refetch" else None
    found = cost.get("weighed_input") if isinstance(cost, dict) else None
    return found if isinstance(found, int) else None


def use_table(used: Sequence[Use]) -> Safe:
    """Return what became of the records that have identifiers, by tool."""
    if not used:
        return tag("p", f"{NA}: no result holds records with identifiers.", class_="na")
    shown = used[:MOST]
    said = f" {MOST} of {number(len(used))} tools." if len(used) > MOST else ""
    return table(
        f"Records with identifiers: their id stands in a later call or in the answer.{said}",
        ("Tool", "Results", "Never arrived", "Arrived and used", "Arrived, unused", "Used"),
        [
            (
                one.tool,
                cell(number(one.results), by=one.results),
                cell(
                    number(one.never_arrived) if one.measured else NA,
                    by=one.never_arrived if one.measured else None,
                ),
                cell(number(one.used), by=one.used),
                cell(number(one.unused), by=one.unused),
                cell(percent(one.used, one.used + one.unused), by=one.used),
            )
            for one in shown
        ],
        sortable=True,
    )
