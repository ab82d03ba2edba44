"""What leaves a history without need or without a word, and what only looks like it."""

from random import Random

from clean import begin, end, plain_calls
from drafts import Draft, draft
from pairs import Pair
from payloads import as_csv, as_json, result, rows
from summaries import HEADS
from words import ENDS, LANGUAGES, NEXT, fill, noun, sentence

from ullage.transcript.transcript import Transcript

SYSTEM = "You are the assistant of the {n} desk. {a} Answer in two sentences. {b} Cite the file."


def systems(one: Draft) -> list[int]:
    """Return the places of system texts."""
    return [at for at, entry in enumerate(one.entries) if entry.message.role == "system"]


def talk(one: Draft, turns: int) -> None:
    """Go through questions and answers, with calls in some."""
    for _ in range(turns):
        one.user(f"{fill(one.draw, NEXT, one.language)} {sentence(one.draw, one.language)}")
        if one.draw.random() < 0.5:
            plain_calls(one)
        one.wrote(f"{fill(one.draw, ENDS, one.language)} {sentence(one.draw, one.language)}")


def tail(one: Draft, how: str, count: int) -> list[int]:
    """Return what stays under a limit: the last turns, messages, or characters."""
    users = [at for at, entry in enumerate(one.entries) if entry.message.role == "user"]
    if how == "turns":
        begin_at = users[-count] if count <= len(users) else users[0]
    elif how == "messages":
        begin_at = max(1, len(one.entries) - 2 * count)
    else:
        size, begin_at = 0, len(one.entries)
        while begin_at > 1 and size < 400 * count:
            begin_at -= 1
            size += len(one.entries[begin_at].message.text)
    kept = range(begin_at, len(one.entries))
    known = set(systems(one))
    return [at for at in kept if at not in known]


def messages_trimmed(draw: Random) -> list[Transcript]:
    """Send only the newest messages, and say nothing."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    talk(one, draw.randrange(4, 9))
    how, count = draw.choice(("turns", "messages", "characters")), draw.randrange(1, 4)
    for _ in range(draw.randrange(1, 5)):
        one.user(f"{fill(draw, NEXT, one.language)} {sentence(draw, one.language)}")
        one.compact([*systems(one), *tail(one, how, count)], act="trim", recorded=False)
        one.wrote(fill(draw, ENDS, one.language))
    return [one.done()]


def history_kept_or_told(draw: Random) -> list[Transcript]:
    """Keep all; or let messages go with a record, or a summary in their place."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    talk(one, draw.randrange(3, 8))
    full = int(one.model[1] * 0.9)
    way = draw.randrange(4)
    if way == 1:
        one.compact(
            [*systems(one), *tail(one, "turns", 2)],
            act="trim",
            recorded=True,
            trigger="auto",
            tokens_before=full,
        )
    if way == 2:
        told = "\n".join(
            entry.message.text for entry in one.entries if entry.message.role == "user"
        )
        one.compact(
            systems(one), [("user", f"{HEADS[0]}\n{told}")], recorded=False, tokens_before=full
        )
    if way == 3:  # a side step, after which all is back
        everything = list(range(len(one.entries)))
        one.compact(everything[-1:], act="trim", recorded=False)
        one.wrote(f"Title: {noun(draw)}")
        one.compact(everything, act=None, recorded=False)
    talk(one, draw.randrange(1, 4))
    return [one.done()]


def a_system(draw: Random) -> str:
    """Return a system text of several sentences."""
    return SYSTEM.format(
        n=noun(draw), a=sentence(draw), b=" ".join(sentence(draw) for _ in range(3))
    )


def system_cut(draw: Random) -> list[Transcript]:
    """Send less of the system text later, or none of it."""
    one = draft(draw)
    text = a_system(draw)
    first = one.system(text)
    talk(one, draw.randrange(2, 6))
    others = [at for at in range(len(one.entries)) if at != first]
    if draw.random() < 0.5:
        one.compact(others, act="trim", recorded=False)
    else:
        cut = text[: int(len(text) * draw.uniform(0.2, 0.8))]
        one.compact(others, [("system", cut)], act="trim", recorded=False)
    talk(one, 2)
    return [one.done()]


def system_changed(draw: Random) -> list[Transcript]:
    """Keep the system text, or have another of it that is as whole."""
    one = draft(draw)
    text = a_system(draw)
    first = one.system(text)
    talk(one, draw.randrange(2, 6))
    others = [at for at in range(len(one.entries)) if at != first]
    way = draw.randrange(3)
    if way == 0:
        new = text.replace("two sentences", "three sentences") + " " + sentence(draw)
        one.compact(others, [("system", new)], act="trim", recorded=False)
    if way == 1:
        one.compact(
            [first, *tail(one, "turns", 2)],
            act="trim",
            recorded=True,
            tokens_before=int(one.model[1] * 0.9),
        )
    talk(one, 2)
    return [one.done()]


def plateau(draw: Random) -> list[Transcript]:
    """Shorten again and again at one size, far below the window."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    cap = int(one.model[1] * draw.uniform(0.05, 0.6))
    for _ in range(draw.randrange(3, 8)):
        talk(one, draw.randrange(1, 4))
        size = int(cap * draw.uniform(0.97, 1.0))
        told = "\n".join(e.message.text for e in one.entries if e.message.role == "user")
        if draw.random() < 0.5:
            one.compact(
                [*systems(one), *tail(one, "turns", 1)],
                act="trim",
                recorded=False,
                tokens_before=size,
            )
        else:
            one.compact(
                systems(one),
                [("user", f"{HEADS[0]}\n{told}")],
                tokens_before=size,
                tokens_after=size // 4,
            )
    talk(one, 1)
    return [one.done()]


def no_plateau(draw: Random) -> list[Transcript]:
    """Shorten at the window itself, or at sizes of all kinds, or once."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    way = draw.randrange(3)
    sizes = {
        0: [0.93, 0.94, 0.95, 0.93],
        1: sorted(draw.sample((0.15, 0.3, 0.45, 0.62, 0.78), 4), key=lambda _: draw.random()),
        2: [0.5],
    }[way]
    for share in sizes:
        talk(one, draw.randrange(1, 4))
        told = "\n".join(e.message.text for e in one.entries if e.message.role == "user")
        one.compact(
            systems(one), [("user", f"{HEADS[0]}\n{told}")], tokens_before=int(one.model[1] * share)
        )
    talk(one, 1)
    return [one.done()]


def data_pasted(draw: Random) -> list[Transcript]:
    """Have data in a user's message, and go on asking."""
    one = draft(draw, draw.choice(LANGUAGES))
    found = rows(draw, draw.randrange(25, 120), one.language)
    data = draw.choice((as_json, as_csv))(draw, found)
    ask = fill(draw, NEXT, one.language)
    fence = draw.random() < 0.5
    one.user(f"{ask}\n```\n{data}\n```" if fence else f"{ask}\n{data}")
    talk(one, draw.randrange(1, 7))
    return [one.done()]


def data_where_it_belongs(draw: Random) -> list[Transcript]:
    """Have data in the newest message only, behind a tool, or too little to matter."""
    one = draft(draw, draw.choice(LANGUAGES))
    way = draw.randrange(4)
    data = as_json(draw, rows(draw, draw.randrange(25, 90)))
    begin(one)
    if way == 0:
        talk(one, 3)
        one.user(f"{fill(draw, NEXT, one.language)}\n{data}")
    if way == 1:
        one.call("list_items", data, {"folder": "all"})
        talk(one, 3)
    if way == 2:
        one.user(f"Look at this:\n{as_json(draw, rows(draw, 3))}")
        talk(one, 3)
    if way == 3:
        one.user(result(draw, 2_000, ["prose", "code"]))
        talk(one, 3)
    end(one)
    return [one.done()]


def compacted_early(draw: Random) -> list[Transcript]:
    """Compact although half of the window and more was empty."""
    return [compacted_at(draw, draw.uniform(0.06, 0.48), draw.choice((None, "auto", "threshold")))]


def compacted_late(draw: Random) -> list[Transcript]:
    """Compact near the end of the window, or because a person asked."""
    if draw.random() < 0.3:
        return [compacted_at(draw, draw.uniform(0.1, 0.5), draw.choice(("manual", "user")))]
    return [compacted_at(draw, draw.uniform(0.6, 0.98), draw.choice((None, "auto")))]


def compacted_at(draw: Random, share: float, trigger: str | None) -> Transcript:
    """Compact once, at a fill of the window."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    talk(one, draw.randrange(3, 8))
    told = "\n".join(e.message.text for e in one.entries if e.message.role == "user")
    size = int(one.model[1] * share)
    act = draw.choice(("summarise", "trim"))
    if act == "summarise":
        one.compact(
            systems(one),
            [("user", f"{HEADS[0]}\n{told}")],
            tokens_before=size,
            tokens_after=900,
            trigger=trigger,
        )
    else:
        people = [at for at, e in enumerate(one.entries) if e.message.role == "user"]
        one.compact([*systems(one), *people], act="trim", tokens_before=size, trigger=trigger)
    talk(one, 2)
    return one.done()


def summariser(draw: Random, *, starved: bool) -> list[Transcript]:
    """Show the writer of a summary all of what it replaces, or only a part."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    talk(one, draw.randrange(4, 10))
    head = systems(one)
    replaced = [at for at in range(len(one.entries)) if at not in head]
    told = "\n".join(e.message.text for e in one.entries if e.message.role == "user")
    shown = replaced
    if starved:
        some = max(1, int(len(replaced) * draw.uniform(0.1, 0.7)))
        shown = draw.choice((replaced[:some], replaced[-some:]))
    one.compact(
        head, [("user", f"{HEADS[0]}\n{told}")], shown=shown, tokens_before=int(one.model[1] * 0.9)
    )
    talk(one, 2)
    return [one.done()]


ERRORS = (
    "Error: permission denied: {p}",
    "psycopg2.errors.UndefinedColumn: column {p} does not exist",
    "npm ERR! missing script: {p}",
    "Traceback (most recent call last):\n  File \"a.py\", line {n}\nKeyError: '{p}'",
    "HTTP 422: field {p} is required",
)


def errors(draw: Random, *, looped: bool) -> list[Transcript]:
    """Let an error leave the context; then run into it again, or not."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    plain_calls(one)
    tool = draw.choice(("bash", "query", "http_get"))
    arguments = {"command": f"run {noun(draw)} {draw.randrange(999)}"}
    error = draw.choice(ERRORS).format(
        p=f"{noun(draw)}_{draw.randrange(99)}", n=draw.randrange(400)
    )
    marked = draw.random() < 0.6  # many harnesses do not mark errors
    failed = one.call(tool, error, arguments, failed=marked)
    for _ in range(draw.randrange(1, 4)):
        plain_calls(one)
    full = int(one.model[1] * 0.9)
    everything = range(len(one.entries))
    if draw.random() < 0.5:
        one.compact(
            [at for at in everything if at not in (failed, failed - 1)],
            act="elide",
            cleared=(),
            tokens_before=full,
        )
    else:
        told = "\n".join(e.message.text for e in one.entries if e.message.role == "user")
        one.compact(systems(one), [("user", f"{HEADS[0]}\n{told}")], tokens_before=full)
    if looped:
        for _ in range(draw.randrange(2, 5)):
            one.call(tool, error, arguments, failed=marked)
            if draw.random() < 0.5:
                plain_calls(one)
    else:
        draw.choice(
            (
                lambda: one.call(tool, result(draw, 300), arguments),
                lambda: one.call(tool, error, arguments, failed=True),
                lambda: [
                    one.call(tool, f"Error: other {n}", {"command": f"x {n}"}, failed=True)
                    for n in range(3)
                ],
                lambda: plain_calls(one),
            )
        )()
    end(one)
    return [one.done()]


PAIRS = (
    Pair(check="message-lost", loss=messages_trimmed, alike=history_kept_or_told),
    Pair(check="system-shortened", loss=system_cut, alike=system_changed),
    Pair(check="effective-window", loss=plateau, alike=no_plateau),
    Pair(check="payload-in-history", loss=data_pasted, alike=data_where_it_belongs),
    Pair(check="compacted-with-room", loss=compacted_early, alike=compacted_late),
    Pair(
        check="summariser-starved",
        loss=lambda draw: summariser(draw, starved=True),
        alike=lambda draw: summariser(draw, starved=False),
    ),
    Pair(
        check="error-loop-after-elision",
        loss=lambda draw: errors(draw, looped=True),
        alike=lambda draw: errors(draw, looped=False),
    ),
)
