"""What an answer makes of a loss, and the extra work that one buys; and what only looks like it."""

import base64
import json
import string
from random import Random

from clean import begin, end, plain_calls, work
from drafts import Draft, draft
from pairs import Pair, inside
from payloads import Row, as_csv, identifier, result, rows
from summaries import HEADS
from words import LANGUAGES, PLACES, adjective, noun, sentence

from ullage.transcript.transcript import Transcript

COUNTED = (
    "{n} orders analysed.",
    "I analysed all {n} records.",
    "In total {n} orders were checked.",
    "Total: {n} items.",
    "There are {n} rows in the list.",
    "I went through the {n} orders and found nothing.",
    "Found {n} matching records.",
)


def fetched(draw: Random, *, cut: bool, said: bool = False) -> tuple[Draft, list[Row], list[Row]]:
    """Begin a session that fetches records, of which some arrive; return all and those."""
    one = draft(draw)
    begin(one)
    if draw.random() < 0.5:
        plain_calls(one)
    found = rows(draw, draw.randrange(20, 90))
    kept = found[: draw.randrange(6, len(found) - 5)] if cut else found
    write = draw.choice((lambda some: json.dumps(some), lambda some: as_csv(Random(3), some)))
    given = write(kept)
    if said:
        given += f"\n[showing {len(kept)} of {len(found)} records]"
    one.call("list_orders", given, {"city": draw.choice(PLACES)}, produced=write(found))
    return one, found, kept


def ids_of(some: list[Row]) -> list[str]:
    """Return the identifiers of records."""
    return [str(next(iter(row.values()))) for row in some]


def each_named(draw: Random, some: list[Row]) -> str:
    """Write an answer that goes through records."""
    named = ids_of(some)
    return draw.choice(
        (
            lambda: "\n".join(f"- {one}: {adjective(draw)}" for one in named),
            lambda: "Checked: " + ", ".join(named) + ".",
            lambda: (
                "| id | verdict |\n|---|---|\n" + "\n".join(f"| {one} | fine |" for one in named)
            ),
            lambda: json.dumps([{"id": one, "verdict": adjective(draw)} for one in named]),
        )
    )()


def covers_less(draw: Random) -> list[Transcript]:
    """Go through what arrived of a list, as if it were all."""
    one, _, kept = fetched(draw, cut=True)
    one.wrote("Here is my review of all orders.\n" + each_named(draw, kept))
    return [one.done()]


def covers_all(draw: Random) -> list[Transcript]:
    """Go through all; or name only some on purpose; or say that not all were given."""
    way = draw.randrange(3)
    one, found, kept = fetched(draw, cut=way == 2, said=way == 2)
    if way == 0:
        one.wrote(each_named(draw, found))
    elif way == 1:
        one.wrote("The two that need work:\n" + each_named(draw, found[:2]))
    else:
        one.wrote(
            f"I was only given {len(kept)} of the {len(found)} orders:\n" + each_named(draw, kept)
        )
    return [one.done()]


def counts_less(draw: Random) -> list[Transcript]:
    """Count what arrived, as if it were all."""
    one, _, kept = fetched(draw, cut=True)
    one.wrote(draw.choice(COUNTED).format(n=len(kept)))
    return [one.done()]


def counts_right(draw: Random) -> list[Transcript]:
    """Count all; count something else; say how many are missing."""
    way = draw.randrange(3)
    one, found, kept = fetched(draw, cut=way != 0, said=way == 1)
    if way == 0:
        one.wrote(draw.choice(COUNTED).format(n=len(found)))
    elif way == 1:
        one.wrote(f"I analysed {len(kept)} of {len(found)} orders.")
    else:
        one.wrote(f"The oldest is {len(kept) + 3} days late, which costs {len(kept)} euros.")
    return [one.done()]


OFFERS = (
    "\n[cut: {k} of {n} characters shown; the rest is in {h}]",
    "\n... truncated. Full output saved to {h}",
    "\n[{m} characters omitted. Read {h} for the whole output.]",
    "\n<output truncated, see {h}>",
)


def offered(one: Draft) -> tuple[str, str]:
    """Add a cut result with a way back; return the handle and the whole text."""
    draw = one.draw
    text = result(draw, draw.randrange(3_000, 20_000))
    kept = draw.randrange(500, min(2_000, len(text) // 2))
    handle = f"/tmp/results/{identifier(draw)}.{draw.choice(('txt', 'json', 'log'))}"
    note = draw.choice(OFFERS).format(k=kept, n=len(text), m=len(text) - kept, h=handle)
    one.call("run_report", text[:kept] + note, {"name": noun(draw)}, produced=text)
    return handle, text


def handle_left(one: Draft) -> None:
    """Go on without the rest."""
    offered(one)
    work(one, one.draw.randrange(1, 3))


def handle_taken(one: Draft) -> None:
    """Fetch the rest; or have a whole result that names a file."""
    draw = one.draw
    if draw.random() < 0.3:
        text = result(draw, 900)
        one.call("write_report", f"{text}\nSaved to /tmp/{identifier(draw)}.txt", {"name": "x"})
        return
    handle, text = offered(one)
    if draw.random() < 0.5:
        one.call("read_file", text, {"path": handle})
    else:
        one.call("bash", text[-3_000:], {"command": f"tail -n 50 {handle}"})


DEAD = (
    "Error: no such file or directory: {h}",
    "cat: {h}: No such file or directory",
    "File not found: {h}",
    "Permission denied: {h}",
    "Error: {h} has expired",
)


def handle_fails(one: Draft) -> None:
    """Try to fetch the rest, and get nothing."""
    handle, _ = offered(one)
    for _ in range(one.draw.randrange(1, 3)):
        said = one.draw.choice(DEAD).format(h=handle)
        tool, arguments = one.draw.choice(
            (("read_file", {"path": handle}), ("bash", {"command": f"cat {handle}"}))
        )
        one.call(tool, said, arguments, failed=one.draw.random() < 0.6)


def handle_fails_once(one: Draft) -> None:
    """Fail, and then get it; or get a text that speaks of errors."""
    draw = one.draw
    handle, text = offered(one)
    if draw.random() < 0.5:
        one.call(
            "read_file", draw.choice(DEAD).format(h=handle[:-1]), {"path": handle}, failed=True
        )
    one.call("bash", f"INFO 3 files not found yesterday\n{text}", {"command": f"cat {handle}"})


def fetched_again(draw: Random) -> list[Transcript]:
    """Call again what was cut, or what has left the context, and get the same."""
    one = draft(draw, draw.choice(LANGUAGES), tokens=draw.choice((None, 4_000)))
    begin(one)
    tool, arguments = draw.choice(
        (
            ("read_file", {"path": f"src/{noun(draw)}.py"}),
            ("search_orders", {"q": noun(draw), "page": 1}),
            ("bash", {"command": f"cat {noun(draw)}.log"}),
        )
    )
    text = result(draw, draw.randrange(800, 9_000))
    if draw.random() < 0.5:
        cut = text[:500] + f"\n[{len(text) - 500} characters omitted]"
        for _ in range(2):
            one.call(tool, cut, arguments, produced=text)
            work_apart(one)
    else:
        first = one.call(tool, text, arguments)
        work_apart(one)
        let_go(one, first)
        one.call(tool, text, arguments)
    end(one)
    return [one.done()]


def work_apart(one: Draft) -> None:
    """Do something that changes nothing."""
    for _ in range(one.draw.randrange(1, 3)):
        plain_calls(one)


def let_go(one: Draft, at: int) -> None:
    """Elide one result and its call, or all that came before."""
    everything = range(len(one.entries))
    full = int(one.model[1] * 0.9)
    if one.draw.random() < 0.5:
        stays = [other for other in everything if other not in (at, at - 1)]
        one.compact(stays, act="elide", tokens_before=full)
        return
    told = "\n".join(e.message.text for e in one.entries if e.message.role == "user")
    heads = [at for at in everything if one.entries[at].message.role == "system"]
    one.compact(heads, [("user", f"{HEADS[0]}\n{told}")], tokens_before=full)


def asked_with_reason(draw: Random) -> list[Transcript]:
    """Call again what has changed, what is polled, or what is still there and whole."""
    one = draft(draw, draw.choice(LANGUAGES))
    begin(one)
    path = {"path": f"src/{noun(draw)}.py"}
    text = result(draw, 2_000, ["code"])
    first = one.call("read_file", text, path)
    way = draw.randrange(3)
    if way == 0:
        one.call("edit_file", "edited", {**path, "new": "x"})
        let_go(one, first)
        one.call("read_file", text + "\n# changed", path)
    elif way == 1:
        let_go(one, first)
        one.call("read_file", result(draw, 2_000, ["code"]), {"path": f"src/{noun(draw)}_b.py"})
    else:
        for n in range(3):
            one.call("job_status", json.dumps({"done": n, "log": text}), {"job": 4})
    end(one)
    return [one.done()]


def counter(draw: Random, off: float) -> list[Transcript]:
    """Compact at what the harness counts, which is so many times what the provider counts."""
    one = draft(draw, draw.choice(LANGUAGES))
    one.model = ("gpt-4o", 128_000)
    one.tokens = int(128_000 * draw.uniform(0.3, 0.7)) if off > 1 else int(128_000 * 0.85)
    begin(one)
    for _ in range(draw.randrange(2, 6)):
        plain_calls(one)
        one.wrote(sentence(draw))
    reported = one.tokens + one.grown // 4
    told = "\n".join(e.message.text for e in one.entries if e.message.role == "user")
    heads = [at for at, e in enumerate(one.entries) if e.message.role == "system"]
    one.compact(
        heads, [("user", f"{HEADS[0]}\n{told}")], tokens_before=int(reported * off), trigger="auto"
    )
    end(one)
    return [one.done()]


def key(draw: Random) -> str:
    """Put together a key of a maker's shape; none of them is real."""
    letters = string.ascii_letters + string.digits

    def some(count: int, of: str = letters) -> str:
        return "".join(draw.choice(of) for _ in range(count))

    upper = string.ascii_uppercase + string.digits
    jwt = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode()).decode()
    claims = base64.urlsafe_b64encode(json.dumps({"sub": some(9), "role": "admin"}).encode())
    return draw.choice(
        (
            lambda: "sk-" + "proj-" + some(48),
            lambda: "sk-" + "ant-" + "api03-" + some(60),
            lambda: "AKI" + "A" + some(16, upper),
            lambda: "AIz" + "a" + some(35),
            lambda: "gh" + "p_" + some(36),
            lambda: "github" + "_pat_" + some(50),
            lambda: "glp" + "at-" + some(20),
            lambda: "xox" + "b-" + some(12, string.digits) + "-" + some(24),
            lambda: "hf" + "_" + some(34),
            lambda: "sk" + "_live_" + some(24),
            lambda: f"{jwt.rstrip('=')}.{claims.decode().rstrip('=')}.{some(43)}",
            lambda: (
                "-----BEGIN "
                + "PRIVATE KEY-----\n"
                + "\n".join(some(64) for _ in range(6))
                + "\n-----END PRIVATE KEY-----"
            ),
            lambda: f"postgres://app:{some(18)}@db.internal:5432/main",
        )
    )()


def secret_shown(one: Draft) -> None:
    """Print a key: in a result, in what is asked, in the arguments of a call."""
    draw = one.draw
    secret = key(draw)
    name = draw.choice(("API_KEY", "TOKEN", "KEY"))
    draw.choice(
        (
            lambda: one.call("bash", f"PORT=80\n{name}={secret}\nDEBUG=0", {"command": "cat .env"}),
            lambda: one.call("read_file", f'{{"{name.lower()}": "{secret}"}}', {"path": "a.json"}),
            lambda: one.user(f"Use this key: {secret}"),
            lambda: one.call("http_get", "200", {"headers": {"Authorization": f"Bearer {secret}"}}),
            lambda: one.wrote(f"The key is {secret}, I use it now."),
        )
    )()


def no_secret(one: Draft) -> None:
    """Print what has the look of a key and is none: ids, hashes, placeholders, public tokens."""
    draw = one.draw
    letters = string.ascii_letters + string.digits

    def some(count: int) -> str:
        return "".join(draw.choice(letters) for _ in range(count))

    said = draw.choice(
        (
            lambda: f"commit {draw.getrandbits(160):040x}",
            lambda: f"sha256:{draw.getrandbits(256):064x}",
            lambda: 'api_key = "YOUR_' + 'API_KEY"',
            lambda: "export OPENAI_API_KEY=sk-" + "x" * 32,
            lambda: "AWS_ACCESS_KEY_ID=AKI" + "AIOSFODNN7EXAMPLE",
            lambda: "token = os.environ['GITHUB_TOKEN']",
            lambda: f'<meta name="csrf-token" content="{some(40)}">',
            lambda: f'{{"csrf-token": "{some(44)}", "page": 1}}',
            lambda: f'{{"originTrialToken": "{some(150)}=="}}',
            lambda: f'{{"next_page_token": "{some(60)}"}}',
            lambda: f"uuid {draw.getrandbits(128):032x}",
            lambda: "GITHUB_TOKEN=gh" + "p_" + "x" * 36,
            lambda: "Authorization: Bearer <token>",
            lambda: "postgres://user:password@localhost/test",
            lambda: 'class="sk-' + 'fading-circle sk-circle10"',
            lambda: "Set ANTHROPIC_API_KEY to sk-" + "ant-..." + " first.",
            lambda: "sk-" + "your-api-key-here",
        )
    )()
    draw.choice(
        (
            lambda: one.call("bash", f"{sentence(draw)}\n{said}\n", {"command": "cat notes"}),
            lambda: one.user(said),
            lambda: one.wrote(f"I see {said}"),
        )
    )()


PAIRS = (
    Pair(check="answer-covers-less", loss=covers_less, alike=covers_all),
    Pair(check="answer-count-contradicted", loss=counts_less, alike=counts_right),
    Pair(check="handle-unused", loss=inside(handle_left), alike=inside(handle_taken)),
    Pair(check="handle-dead", loss=inside(handle_fails), alike=inside(handle_fails_once)),
    Pair(check="refetch", loss=fetched_again, alike=asked_with_reason),
    Pair(
        check="counter-wrong",
        loss=lambda draw: counter(
            draw, draw.choice((draw.uniform(1.7, 3), draw.uniform(0.2, 0.55)))
        ),
        alike=lambda draw: counter(draw, draw.uniform(0.85, 1.2)),
    ),
    Pair(check="secret-in-clear", loss=inside(secret_shown), alike=inside(no_secret)),
)
