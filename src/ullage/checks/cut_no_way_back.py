"""`cut-no-way-back`: a result was cut, and the model has nothing to resume from."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ullage.checks.cut_sign import CutResult
from ullage.transcript.finding import Finding

NAME = "cut-no-way-back"


def check(results: Sequence[CutResult]) -> Iterator[Finding]:
    """Report the first of a tool's results in a session that was cut without a way to the rest."""
    lost = [one for one in results if not one.way_back]
    if not lost:
        return
    first = lost[0]
    advice = (
        f"Nothing tells the model how to get the rest of a result of {first.seen.tool}: no path, "
        "no handle, no offset, no next page, and no call of this tool used one. Keep the whole "
        "result and name it: ullage.cut(result, ullage.chars(6000), handle=ledger.handle()).text, "
        "or give the tool an offset and say so in the notice."
    )
    evidence = {
        "sign": first.sign,
        "delivered_chars": first.seen.chars,
        "notice": first.notice,
        "results": len(lost),
        "by_sign": dict(Counter(one.sign for one in lost)),
    }
    yield first.seen.finding(NAME, "warning", advice, evidence)
