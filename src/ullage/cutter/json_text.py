"""Cutting JSON: valid, of the same root, with every part represented and the loss stated inside."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ullage.cutter import notice, root_string, spans, strings
from ullage.cutter import path as paths
from ullage.cutter.budget import Budget
from ullage.cutter.faults import faults
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.rules import Rules
from ullage.cutter.tree import NOTICE_KEY, Children, CutInner, Fitter, string_part
from ullage.cutter.values import Account, Cut, Part, Size, left_out
from ullage.cutter.wording import Body, with_notice

QUOTE = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make one each time
EMPTY = {"array": "[]", "object": "{}", "string": '""'}


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A JSON text that does not fit, read once."""

    source: str
    root: str
    budget: Budget
    inside: bool
    fitter: Fitter
    rules: Rules
    way_back: str
    plain: bool

    @property
    def kind(self) -> spans.Kind:
        """The kind of the root."""
        return spans.kind(self.root)


def cut_json(
    source: str,
    budget: Budget,
    *,
    keep: Keep,
    inside: bool,
    cut_inner: CutInner,
    way_back: str = "",
    nested: bool = False,
    opened: spans.Opened | None = None,
) -> Cut:
    """Cut a JSON text that is longer than `budget`; `inside` puts the notice into the text.

    `cut_inner` cuts a string that is a document of its own; `way_back` says how to get the rest.
    `nested` says that the text is such a string itself, `opened` is what msgspec made of it.
    """
    root = source.strip(spans.WHITE)
    fitter = Fitter(keep=keep, prior=Prior(), cut_inner=cut_inner, nested=nested)
    if opened is not None:
        fitter.children(root, "$", opened)
    document = Document(
        source=source,
        root=root,
        budget=budget,
        inside=inside,
        fitter=fitter,
        rules=Rules(fitter=fitter),
        way_back=way_back,
        plain=opened is not None,
    )
    if document.kind not in ("array", "object"):
        return cut_scalar(document)
    take_off_prior(document)
    if document.kind == "object" and has_foreign_member(document):
        document = replace(document, inside=False)
    return cut_container(document)


def has_foreign_member(document: Document) -> bool:
    """Whether the data has a member called like our notice: a second one would hide it."""
    inside = document.fitter.children(document.root, "$")
    return inside.heads is not None and NOTICE_KEY + ":" in inside.heads


def take_off_prior(document: Document) -> None:
    """Read the notice of an earlier cut and take it out of the root's children."""
    fitter = document.fitter
    inside = fitter.children(document.root, "$")
    said = prior_notice(inside) if inside.values else None
    if said is None:
        return
    prior = notice.read(said)
    if inside.is_list and prior.records and "$" not in prior.parts:
        prior = Prior(parts={"$": prior.records, **prior.parts})
    fitter.prior = prior
    fitter.read["$"] = Children(
        path="$",
        heads=None if inside.heads is None else inside.heads[1:],
        values=inside.values[1:],
    )


def prior_notice(inside: Children) -> str | None:
    """Return the notice of an earlier cut, if the root's first child is one."""
    value = inside.values[0]
    if inside.is_list:
        members = spans.members(value) if value.startswith("{") else []
        if len(members) != 1 or members[0][0] != NOTICE_KEY:
            return None
        value = members[0][1]
    elif inside.head(0) != NOTICE_KEY + ":":
        return None
    said = json.loads(value) if value.startswith('"') else ""
    return said if notice.is_ours(said) else None


def cut_container(document: Document) -> Cut:
    """Cut an object or a list, with the fullest notice that the budget has room for."""
    limit, fitter = document.budget.limit, document.fitter
    floor = floor_size(document)
    if limit <= floor:
        return floor_cut(document)
    inside = fitter.children(document.root, "$")

    def fit(room: int) -> Body | None:
        if room < 2:
            return None
        piece = fitter.fit_children(inside, room, 0)
        return Body(text=piece.text, parts=piece.parts)

    done = with_notice(
        limit,
        fit=fit,
        insert=insert if document.inside else lambda body, _: body,
        wordings=lambda parts: notice.wordings(
            parts,
            document.budget.words,
            fitter.prior,
            document.rules.not_kept(parts),
            counted_before(fitter, parts),
            way_back=document.way_back or fitter.prior.way_back,
        ),
        guess=guess(document) if document.inside else (),
    )
    if done is None:
        return floor_cut(document)
    return finish(document, done.text, done.said, done.parts, floor=floor)


def insert(text: str, said: str) -> str:
    """Put the notice in the first place that the syntax allows."""
    quoted = QUOTE(said)
    member = f"{NOTICE_KEY}:{quoted}"
    first = member if text[0] == "{" else f"{{{member}}}"
    return text[0] + first + ("," if len(text) > 2 else "") + text[1:]


def guess(document: Document) -> list[Part]:
    """Return what the root's lists may come to, were all records of one size."""
    share = document.budget.limit / len(document.root)
    inside = document.fitter.children(document.root, "$")
    if inside.is_list:
        counts = {"$": len(inside.values)}
    else:
        counts = {
            inside.place(at): len(document.fitter.children(value, inside.place(at)).values)
            for at, value in enumerate(inside.values)
            if value[0] == "["
        }
    return [
        Part(
            path=path,
            unit="records",
            produced=document.fitter.prior.first(path, count),
            delivered=round(count * share),
            kept={0: "first", 1: "last", 2: "sample"},
        )
        for path, count in counts.items()
        if count > 1
    ]


def counted_before(fitter: Fitter, parts: Sequence[Part]) -> list[str]:
    """Return a clause for each count in the data that a list no longer fits: `"total": 120`."""
    # Any number is 1 by chance, and of a list of one it is plain how much is gone.
    short = {part.path: part.produced for part in parts if part.delivered < part.produced > 1}
    known = {str(produced) for produced in short.values()}
    longest = max(map(len, known), default=0)
    clauses = []
    for inside in fitter.read_so_far(known):
        if inside.is_list or not any(
            len(value) <= longest and value in known for value in inside.values
        ):
            continue
        places = [inside.place(at) for at in range(len(inside.values))]
        totals = {str(short[place]) for place in places if place in short}
        clauses += [
            f"{place} counts all {value}"
            for place, value in zip(places, inside.values, strict=True)
            if value in totals and len(place) <= notice.LONGEST_PATH
        ]
    return clauses


def floor_cut(document: Document) -> Cut:
    """Return the emptiest text with its notice; below its size the empty root, then nothing."""
    limit, fitter = document.budget.limit, document.fitter
    inside = fitter.children(document.root, "$")
    count = len(inside.values)
    part = floor_part(document)
    inner = [] if inside.is_list else [fitter.gone(inside, at) for at in range(count)]
    lists = (one for parts in inner for one in parts)
    least, empty = floor_text(document), EMPTY[document.kind]
    text = least if len(least) <= limit else empty if len(empty) <= limit else ""
    return finish(document, text, floor_words(part), (part, *lists), floor=len(least))


def floor_part(document: Document) -> Part:
    """Return the account of an emptied root."""
    inside = document.fitter.children(document.root, "$")
    count = len(inside.values)
    return Part(
        path="$",
        unit="records" if inside.is_list else "members",
        produced=document.fitter.prior.first("$", count),
        delivered=0,
        left_out=left_out((), count),
    )


def floor_words(part: Part) -> str:
    """Return the notice of an emptied root."""
    return f"Cut: 0 of {part.produced} {part.unit}."


def floor_text(document: Document) -> str:
    """Return the emptiest text of this root, with its notice if that stands inside."""
    empty = EMPTY[document.kind]
    return insert(empty, floor_words(floor_part(document))) if document.inside else empty


def floor_size(document: Document) -> int:
    """Return the size below which the root is empty."""
    return len(floor_text(document))


def cut_scalar(document: Document) -> Cut:
    """Cut a root string; a number, a boolean or null that does not fit leaves nothing."""
    limit = document.budget.limit
    if document.kind != "string":
        said = f"Cut: 0 of {len(document.root)} characters."
        part = Part(path="$", unit="characters", produced=len(document.root), delivered=0)
        return finish(document, "", said, (part,), floor=len(document.root))
    if len(document.root) <= limit:
        count = strings.length(document.root[1:-1])
        part = Part(path="$", unit="characters", produced=count, delivered=count)
        said = f"Cut: white space only; {count} of {count} characters."
        return finish(document, document.root, said, (part,), floor=strings.least(document.root))
    floor = strings.least(root_string.take_off(document.root)[0])
    done = root_string.shorten(
        document.root, limit, inside=document.inside, way_back=document.way_back
    )
    if done is None:
        count = strings.length(document.root[1:-1])
        part = Part(path="$", unit="characters", produced=count, delivered=0)
        said = f"Cut: 0 of {count} characters."
        return finish(document, EMPTY["string"] * (limit >= 2), said, (part,), floor=floor)
    part = string_part("$", done.short)
    return finish(document, done.text, done.said, (part,), floor=floor)


def finish(document: Document, text: str, said: str, parts: Sequence[Part], *, floor: int) -> Cut:
    """Return the Cut with its account."""
    account = Account(
        format="json",
        budget=document.budget,
        floor=floor,
        produced=Size(
            chars=len(document.source), records=records(parts, "produced", document.fitter.prior)
        ),
        delivered=Size(chars=len(text), records=records(parts, "delivered", Prior())),
        parts=tuple(parts),
        below_floor=not text,
        not_kept=tuple(document.rules.not_kept(parts)),
        not_found=tuple(document.rules.not_found()),
    )
    return Cut(
        text=text,
        notice=said,
        account=account,
        complete=False,
        findings=(*document.fitter.noticed, *faults(document.source, text, plain=document.plain)),
    )


def records(parts: Sequence[Part], side: str, prior: Prior) -> int:
    """Return the records of all outermost lists; a document without a list is one record."""
    lists = [part for part in parts if part.unit == "records" and not paths.in_a_list(part.path)]
    if side == "produced" and prior.records:
        return prior.records.produced
    if not lists:
        return int(side == "produced" or not parts or any(part.delivered for part in parts))
    return sum(getattr(part, side) for part in lists)
