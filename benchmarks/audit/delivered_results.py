"""Losses and faults that a delivered result shows by itself, and what looks like them."""

import json
from random import Random
from typing import Any

from clean import READS, arguments, begin, end, work
from drafts import Draft, draft
from measured_results import MARKS, give
from pairs import Files, Pair, inside
from payloads import identifier, json_result, result, rows
from words import LANGUAGES, PLACES, noun, sentence

from ullage.transcript.message import Message
from ullage.transcript.transcript import Transcript

NAMES = ("items", "results", "data", "rows", "orders")


def shown(
    one: Draft, text: str, tool: str | None = None, asked: dict[str, Any] | None = None
) -> int:
    """Add a call of which only what was delivered is known."""
    tool = tool or one.draw.choice(READS)
    return one.call(tool, text, asked or arguments(one.draw, tool))


def capped(draw: Random) -> Files:
    """Cut all results of a harness at one length that nobody declares, over some sessions."""
    cap = draw.choice((1_024, 2_000, 4_096, 5_000, 8_000, 10_000, draw.randrange(900, 9_000)))
    ending = draw.choice(("", "", "..."))
    tool = draw.choice(READS)
    files = []
    for _ in range(draw.randrange(4, 9)):
        one = draft(draw, draw.choice(LANGUAGES))
        one.agent = "harness-a"
        begin(one)
        for _ in range(draw.randrange(2, 5)):
            size = int(cap * draw.uniform(1.4, 3))
            if draw.random() < 0.5:
                text = result(draw, size, ["json", "csv", "log", "prose", "code"])
                shown(one, text[:cap] + ending, tool, arguments(draw, tool))
            else:
                text = result(draw, int(cap * draw.uniform(0.1, 0.6)))
                shown(one, text[: cap - 1], tool, arguments(draw, tool))
        end(one)
        files.append(one.done())
    return files


def of_all_lengths(draw: Random) -> Files:
    """Give results of all lengths; or forms that always have one; or the same text again."""
    way = draw.randrange(3)
    same = result(draw, 1_500)
    files = []
    for _ in range(draw.randrange(4, 9)):
        one = draft(draw, draw.choice(LANGUAGES))
        one.agent = "harness-a"
        begin(one)
        for _ in range(draw.randrange(2, 5)):
            if way == 0:
                shown(one, result(draw, draw.randrange(400, 9_000)))
            elif way == 1:
                form = [f"field_{n}: {draw.getrandbits(64):016x}" for n in range(40)]
                shown(one, "\n".join(form), "status", {"of": noun(draw)})
            else:
                shown(one, same, "read_file", {"path": "README.md"})
        end(one)
        files.append(one.done())
    return files


def ends_inside(one: Draft) -> None:
    """Deliver JSON that stops in the middle."""
    text = json_result(one.draw, one.draw.randrange(500, 15_000))
    shown(one, text[: one.draw.randrange(len(text) // 3, len(text) - 3)])


def whole_or_asked_for(one: Draft) -> None:
    """Deliver JSON that is whole, text that begins like it, or the part that was asked for."""
    draw = one.draw
    text = json_result(draw, 3_000)
    draw.choice(
        (
            lambda: shown(one, text),
            lambda: shown(one, f"[{noun(draw)}] started\n{result(draw, 900, ['log'])}"),
            lambda: shown(one, text[:1_000], "bash", {"command": "head -c 1000 data.json"}),
            lambda: shown(one, f"{{{noun(draw)}}} is a placeholder. {sentence(draw)}"),
            lambda: shown(one, f"{{\n  color: red;\n  width: {draw.randrange(99)}px;\n}}"),
            lambda: shown(one, f"Here is the list:\n{text}\nThat is all."),
        )
    )()


def says_cut(one: Draft) -> None:
    """Deliver a text that says that it was shortened."""
    draw = one.draw
    text = result(draw, draw.randrange(600, 6_000))
    kept = text[: draw.randrange(200, len(text) - 20)]
    shown(one, kept + draw.choice(MARKS).format(n=draw.randrange(40, 90_000)))


def speaks_of_cutting(one: Draft) -> None:
    """Deliver a text that speaks of cutting."""
    draw = one.draw
    text = result(draw, draw.randrange(300, 3_000))
    said = draw.choice(
        (
            f"{text}\nTRUNCATE TABLE {noun(draw)};",
            f"The {noun(draw)} was cut to {draw.randrange(9)} lines by the gardener.\n{text}",
            f"{text}\ndef truncate(text, limit={draw.randrange(999)}): ...\n{text}",
            f"12 of 40 {noun(draw)}s were omitted from the vote.\n{text}",
            text,
        )
    )
    shown(one, said)


def room(draw: Random, *, there: bool, cut: bool = True) -> Files:
    """Cut a result while the window has room for all of it, or has none."""
    tokens = draw.randrange(2_000, 60_000) if there else draw.randrange(112_000, 127_000)
    one = draft(draw, draw.choice(LANGUAGES), tokens=tokens)
    one.model = ("gpt-4o", 128_000)
    begin(one)
    text = result(draw, draw.randrange(2_000, 30_000))
    kept = text[: len(text) // draw.randrange(2, 9)] if cut else text
    give(one, text, kept)
    one.wrote(sentence(draw))
    return [one.done()]


def room_alike(draw: Random) -> Files:
    """Cut where there is no room, or do not cut."""
    cut = draw.random() < 0.5
    return room(draw, there=not cut, cut=cut)


def no_way_back(one: Draft) -> None:
    """Cut a result, and leave nothing to resume from."""
    draw = one.draw
    text = result(draw, draw.randrange(2_000, 20_000))
    mark = draw.choice(("", "...", *MARKS)).format(n=draw.randrange(99, 9_999))
    give(one, text, text[: len(text) // 3] + mark)


def way_back(one: Draft) -> None:
    """Cut a result, and name where the rest is; or give all."""
    draw = one.draw
    text = result(draw, draw.randrange(2_000, 20_000))
    kept = len(text) // 3
    path = f"/tmp/{identifier(draw)}.txt"
    note = draw.choice(
        (
            f"\n[cut: {kept} of {len(text)} characters; read the rest in {path}]",
            f"\n[{len(text) - kept} characters omitted. Call read_output with offset={kept}]",
            f"\n... truncated; full output saved to /var/log/{identifier(draw)}.log",
            "\n[showing page 1 of 4: call again with page=2 for more]",
        )
    )
    draw.choice((lambda: give(one, text, text[:kept] + note), lambda: give(one, text, text)))()


def two_parts(draw: Random, *, way: str) -> Files:
    """Give a tool's results with an early and a late field, cut or not."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    early, late = draw.sample(("price", "title", "stock", "score", "grade", "rating"), 2)
    for n in range(draw.randrange(8, 20)):
        first = [{early: draw.randrange(10**6), "n": i} for i in range(draw.randrange(8, 20))]
        second = [{late: draw.randrange(10**6), "m": i} for i in range(draw.randrange(8, 40))]
        text = json.dumps({"first": first, "second": second})
        cuts = {
            "never": text[: text.index('"second"') + 10],
            "less": text[: text.index('"second"') + draw.randrange(10, 300)],
            "all": text,
        }
        give_as(one, text, cuts[way], n)
    one.wrote(sentence(draw))
    return [one.done()]


def give_as(one: Draft, text: str, given: str, number: int) -> None:
    """Add a call of one tool of which both sides are known."""
    one.call("get_report", given, {"page": number}, produced=text)


def counted(one: Draft) -> None:
    """Give a count that is larger than the list beside it."""
    draw = one.draw
    found = rows(draw, draw.randrange(3, 30))
    name = draw.choice(("count", "total", "total_count", "num_results", "size"))
    more = len(found) + draw.randrange(2, 200)
    shown(one, json.dumps({name: more, draw.choice(NAMES): found}))


def counted_right(one: Draft) -> None:
    """Give a count that fits, or one of pages, or of something else."""
    draw = one.draw
    found = rows(draw, draw.randrange(3, 30))
    n = len(found)
    document = draw.choice(
        (
            {"count": n, "items": found},
            {"total": n * 4, "page": 1, "pages": 4, "items": found},
            {"total": n + 90, "next_cursor": identifier(draw), "items": found},
            {"total": n + 90, "limit": n, "offset": 0, "items": found},
            {"total_amount": n + 700, "items": found},
            {"total": round(draw.uniform(100, 900), 2), "currency": "EUR", "items": found},
            {"count_of_visitors": 900, "items": found},
        )
    )
    shown(one, json.dumps(document))


def pages(draw: Random, *, hit: bool) -> Files:
    """Produce exactly the limit on several calls; or below it, or say that there is more."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    limit = draw.choice((10, 20, 25, 50, draw.randrange(6, 60)))
    name = draw.choice(("limit", "page_size", "top_k", "max_results", "per_page"))
    say_more = draw.random() < 0.5
    for n in range(draw.randrange(3, 8)):
        many = limit if hit or say_more else draw.randrange(1, limit)
        beside: dict[str, Any] = (
            {} if hit or not say_more else {"total": limit * 9, "next_page": n + 2}
        )
        found = rows(draw, many)
        text = json.dumps({**beside, "items": found} if beside else found)
        one.call("search", text, {"q": f"{noun(draw)} {n}", name: limit})
    end(one)
    return [one.done()]


def asked_twice(draw: Random, *, stable: bool) -> Files:
    """Ask the same twice, and be given other records; or the same, or after a change."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    both = rows(draw, draw.randrange(10, 50))
    draw.shuffle(both)
    swapped = draw.randrange(1, len(both) // 3)
    found, other = both[swapped:], both[:swapped]
    asked = {"q": noun(draw), "city": draw.choice(PLACES)}
    one.call("search_items", json.dumps(found), asked)
    if not stable:
        one.call("search_items", json.dumps([*found[swapped:], *other]), asked)
    elif draw.random() < 0.5:
        one.call("search_items", json.dumps(draw.sample(found, len(found))), asked)
    else:
        tool = draw.choice(("create_item", "delete_item", "update_item"))
        one.call(tool, '{"ok": true}', {"id": identifier(draw)})
        one.call("search_items", json.dumps([*found[swapped:], *other]), asked)
    end(one)
    return [one.done()]


def claims_success(one: Draft) -> None:
    """Claim success, and carry an error."""
    draw = one.draw
    what = f"{noun(draw)} {identifier(draw)}"
    claim = draw.choice(
        ({"success": True}, {"ok": True}, {"status": "success"}, {"isError": False})
    )
    error = draw.choice(
        (
            {"error": f"{what} not found"},
            {"errors": [f"invalid {what}"]},
            {"error": {"code": 404, "message": f"no {what}"}},
            {"data": None, "error_message": f"timeout while reading {what}"},
        )
    )
    shown(one, json.dumps({**claim, **error}))


def says_what_it_is(one: Draft) -> None:
    """Carry an error and say so; or speak of errors in data; or have an empty member for them."""
    draw = one.draw
    found = rows(draw, 4)
    way = draw.randrange(8)
    if way == 5:
        shown(one, f"# Error handling\n\n{sentence(draw)}\nError: what to do when it happens.")
    elif way == 6:
        shown(one, result(draw, 900, ["log"]).replace("WARN", "ERROR"))
    elif way == 7:
        shown(
            one, f"src/a.py:12: raise ValueError('bad {noun(draw)}')\nsrc/b.py:3: # error", "grep"
        )
    elif way == 0:
        text = json.dumps({"success": False, "error": f"no {noun(draw)}"})
        one.call("query", text, {"sql": "x"}, failed=True)
    elif way == 1:
        shown(one, json.dumps({"success": True, "error": None, "items": found}))
    elif way == 2:
        shown(one, json.dumps({"ok": True, "errors": [], "items": found}))
    elif way == 3:
        logs = [{"level": "error", "message": sentence(draw)} for _ in range(4)]
        shown(one, json.dumps({"success": True, "logs": logs}))
    else:
        shown(one, json.dumps({"status": "success", "error_rate": 0.02, "error_count": 0}))


def twice_a_key(one: Draft) -> None:
    """Have a key twice in one object."""
    draw = one.draw
    found = rows(draw, draw.randrange(1, 6))
    name = draw.choice(list(found[0]))
    text = json.dumps({"items": found} if draw.random() < 0.5 else found)
    at = text.index(f'"{name}"')
    shown(one, f'{text[:at]}"{name}": "{noun(draw)}", {text[at:]}')


def once_a_key(one: Draft) -> None:
    """Have a key in several objects, and the text of a key in a value."""
    draw = one.draw
    found: list[Any] = rows(draw, 5)
    found[0]["note"] = '{"id": 1, "id": 2}'
    found[1]["inner"] = {name: 1 for name in found[1]}
    shown(one, json.dumps(found))


def half_a_pair(one: Draft) -> None:
    """Cut between the halves of a surrogate pair."""
    draw = one.draw
    half = draw.choice(("\\ud83d", "\\ude00", "\\ud83c"))
    shown(one, f'{{"note": "{sentence(draw)}{half}", "n": {draw.randrange(9)}}}')


def whole_pairs(one: Draft) -> None:
    """Have whole pairs, as letters and as escapes, and text about them."""
    draw = one.draw
    shown(one, json.dumps({"note": f"{sentence(draw)} \U0001f600", "path": "C:\\\\ud83d"}))


def python_literals(draw: Random, *, as_repr: bool) -> Files:
    """Return what Python prints, or JSON; or run code that prints."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    for _ in range(draw.randrange(1, 5)):
        found = [{**row, "flag": True, "none": None} for row in rows(draw, draw.randrange(2, 9))]
        if as_repr:
            shown(one, str({"items": found}), "get_items", {"q": noun(draw)})
        elif draw.random() < 0.5:
            shown(one, json.dumps(found), "get_items", {"q": noun(draw)})
        else:
            one.call("bash", str(found), {"command": "python -c 'print(load())'"})
    end(one)
    return [one.done()]


def encoded(draw: Random, *, twice: bool) -> Files:
    """Return JSON in a JSON string, or encode once."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    for _ in range(draw.randrange(1, 5)):
        inner = json.dumps(rows(draw, draw.randrange(2, 9)))
        document: Any = {"result": inner} if draw.random() < 0.5 else inner
        plain: Any = {"result": json.loads(inner), "template": "{name} of [list]"}
        shown(one, json.dumps(document if twice else plain), "get_items", {"q": noun(draw)})
    end(one)
    return [one.done()]


def without(one: Draft, *, call: bool) -> Transcript:
    """Take one call, or one result, out of a session."""
    results = [at for at, e in enumerate(one.entries) if e.message.role == "tool"]
    at = one.draw.choice(results[1:-1])  # a log may begin behind a call
    entry = one.entries[at]
    if not call:
        del one.entries[at]
        return one.done()
    for before in range(at - 1, -1, -1):
        message = one.entries[before].message
        kept = tuple(c for c in message.calls if c.call_id != entry.message.answers)
        if len(kept) < len(message.calls):
            fresh = Message(role="assistant", text=message.text or sentence(one.draw), calls=kept)
            one.entries[before] = type(entry)(message=fresh, source=one.entries[before].source)
            break
    return one.done()


def orphaned(draw: Random, *, call: bool) -> Files:
    """Leave a result without its call, or a call without its result."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    for _ in range(draw.randrange(3, 9)):
        shown(one, result(draw, 300))
    end(one)
    return [without(one, call=call)]


def paired(draw: Random) -> Files:
    """Pair all, in parallel and one by one; or stop while the last call still runs."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    work(one, 4)
    if draw.random() < 0.5:
        shown(one, "ok")
        del one.entries[-1]
    else:
        end(one)
    return [one.done()]


PAIRS = (
    Pair(check="silent-cut", kind="by length", loss=capped, alike=of_all_lengths),
    Pair(
        check="invalid-syntax",
        kind="delivered only",
        loss=inside(ends_inside),
        alike=inside(whole_or_asked_for),
    ),
    Pair(
        check="cut-upstream",
        kind="delivered only",
        loss=inside(says_cut),
        alike=inside(speaks_of_cutting),
    ),
    Pair(check="cut-with-room", loss=lambda draw: room(draw, there=True), alike=room_alike),
    Pair(check="cut-no-way-back", loss=inside(no_way_back), alike=inside(way_back)),
    Pair(
        check="field-never-arrives",
        loss=lambda draw: two_parts(draw, way="never"),
        alike=lambda draw: two_parts(draw, way="all"),
    ),
    Pair(
        check="field-asymmetry",
        loss=lambda draw: two_parts(draw, way="less"),
        alike=lambda draw: two_parts(draw, way="all"),
    ),
    Pair(check="count-contradicted", loss=inside(counted), alike=inside(counted_right)),
    Pair(
        check="page-limit-hit",
        loss=lambda draw: pages(draw, hit=True),
        alike=lambda draw: pages(draw, hit=False),
    ),
    Pair(
        check="unstable-source",
        loss=lambda draw: asked_twice(draw, stable=False),
        alike=lambda draw: asked_twice(draw, stable=True),
    ),
    Pair(check="error-in-body", loss=inside(claims_success), alike=inside(says_what_it_is)),
    Pair(check="duplicate-key", loss=inside(twice_a_key), alike=inside(once_a_key)),
    Pair(check="lone-surrogate", loss=inside(half_a_pair), alike=inside(whole_pairs)),
    Pair(
        check="python-repr",
        loss=lambda draw: python_literals(draw, as_repr=True),
        alike=lambda draw: python_literals(draw, as_repr=False),
    ),
    Pair(
        check="double-encoded",
        loss=lambda draw: encoded(draw, twice=True),
        alike=lambda draw: encoded(draw, twice=False),
    ),
    Pair(check="orphan-result", loss=lambda draw: orphaned(draw, call=True), alike=paired),
    Pair(check="orphan-call", loss=lambda draw: orphaned(draw, call=False), alike=paired),
)
