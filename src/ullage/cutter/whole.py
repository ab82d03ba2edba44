"""The account of JSON that fits: nothing is cut, but its lists are counted and its faults said."""

from collections.abc import Iterator

from ullage.cutter import path as paths
from ullage.cutter import spans
from ullage.cutter.budget import Budget
from ullage.cutter.faults import as_many_keys_as_kept, faults
from ullage.cutter.json_text import records
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.tree import DEEPEST, Fitter
from ullage.cutter.values import Account, Cut, Noticed, Part, Size


def whole_json(source: str, budget: Budget, *, plain: bool) -> Cut:
    """Return a JSON text that fits, byte for byte; `plain` says that any reader takes it."""
    again = spans.decoded(source) if plain else None
    findings: tuple[Noticed, ...] = ()
    if again is not None and is_usual(source, again):
        parts = tuple(lists(again.value, "$", 0))
    else:
        fitter = Fitter(keep=Keep(), prior=Prior())
        parts = fitter.whole(source.strip(spans.WHITE), "$", 0)
        findings = tuple(faults(source, source, plain=plain))
    size = Size(chars=len(source), records=records(parts, "delivered", Prior()))
    account = Account(
        format="json", budget=budget, floor=0, produced=size, delivered=size, parts=parts
    )
    return Cut(text=source, notice="", account=account, complete=True, findings=findings)


def is_usual(source: str, again: spans.Decoded) -> bool:
    """Whether no key stands twice in a text, and every key as it would be written again."""
    if again.written == source.encode():
        return True
    return "\\u" not in source and "\\/" not in source and as_many_keys_as_kept(source, again)


def lists(value: object, path: str, depth: int) -> Iterator[Part]:
    """Yield the lists of a value; those inside records are part of them."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        yield Part(path=path, unit="records", produced=len(value), delivered=len(value))
    elif isinstance(value, dict):
        for key, one in value.items():
            if isinstance(one, dict | list):
                yield from lists(one, paths.member(path, spans.literal(key)), depth + 1)
