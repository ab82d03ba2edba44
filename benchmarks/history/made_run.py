"""A made run of an agent with tools: what a user, a model and tools say, and what of it matters.

All of it is invented, and the same for one seed. What matters is planted: constraints in what the
user says, facts in results and replies, steps that are still open, failure stacks, and listings
that can be had again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

TOOLS = ("bash", "read_file", "list_files", "http_get")
CONSTRAINTS = (
    "Never push to the branch release-{n}.",
    "From now on write every amount in cents, no matter what the page of queue-{n} shows.",
    "Do not restart the broker bk-{n} before 18:00.",
    "Always keep at least {n} replicas of the ledger service.",
    "You must not change a file under migrations/{n}.",
    "Use only the read replica db-ro-{n} for queries.",
    "Keep the answer to at most {n} lines.",
)
PLACES = (
    "atlas",
    "beacon",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "harbor",
    "inlet",
    "jetty",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """What is looked for in the end, word for word, by its kind."""

    constraints: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    open_steps: tuple[str, ...] = ()
    stacks: tuple[str, ...] = ()
    listings: tuple[str, ...] = ()

    def kinds(self) -> Mapping[str, Sequence[str]]:
        """Return each kind with what was planted of it."""
        return {
            "constraints": self.constraints,
            "facts": self.facts,
            "open steps": self.open_steps,
            "stacks": self.stacks,
            "listings": self.listings,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run: what each turn adds to the history, and what of it matters."""

    system: str
    task: str
    turns: tuple[tuple[dict[str, Any], ...], ...]
    planted: Planted
    tools: tuple[dict[str, Any], ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of each kind is planted in how many turns."""

    turns: int = 300
    constraints: int = 7
    facts: int = 40
    open_steps: int = 3
    stacks: int = 5
    listings: int = 30


def made_run(size: Size, seed: int = 7) -> Run:
    """Make a run of a size: the same one for the same seed."""
    random = Random(seed)
    planted = Planted(
        constraints=tuple(
            CONSTRAINTS[n % len(CONSTRAINTS)].format(n=n + 3) for n in range(size.constraints)
        ),
        facts=tuple(
            f"{place(n)}-{n:02d} listens on port {4100 + 37 * n}" for n in range(size.facts)
        ),
        open_steps=tuple(
            f"move the queue {place(n)} to cluster c{n + 4}" for n in range(size.open_steps)
        ),
        stacks=tuple(stack(n) for n in range(size.stacks)),
        listings=tuple(listing(n, random) for n in range(size.listings)),
    )
    turns = tuple(turn(number, planted, size, random) for number in range(size.turns))
    return Run(
        system="You run the moves of a shop's services. You have a shell and a file reader.",
        task="Move every service of the shop to the new hosts, and write down what you find.",
        turns=turns,
        planted=planted,
        tools=tuple(definition(name) for name in TOOLS),
    )


def place(number: int) -> str:
    """Return a name of a service."""
    return PLACES[number % len(PLACES)]


def spread(count: int, turns: int, shift: int = 0) -> Mapping[int, int]:
    """Say which of `count` things stands at which turn: evenly, from the first tenth on."""
    if count == 0:
        return {}
    first, width = turns // 10, turns * 8 / 10
    return {min(turns - 1, first + int(width * n / count) + shift): n for n in range(count)}


def turn(number: int, planted: Planted, size: Size, random: Random) -> tuple[dict[str, Any], ...]:
    """Return the messages of one turn: perhaps a user's, a reply with calls, their results."""
    said = user_said(number, planted, size)
    calls = [
        (f"call_{number}_{at}", *one) for at, one in enumerate(work(number, planted, size, random))
    ]
    reply = {
        "role": "assistant",
        "content": reply_text(number, planted, size),
        "tool_calls": [
            {
                "id": name,
                "type": "function",
                "function": {"name": tool, "arguments": arguments},
            }
            for name, tool, arguments, _ in calls
        ],
    }
    results = [
        {"role": "tool", "tool_call_id": name, "content": text} for name, _, _, text in calls
    ]
    return (*said, reply, *results)


def user_said(number: int, planted: Planted, size: Size) -> list[dict[str, Any]]:
    """Return what the user says before a turn: a constraint now and then."""
    at = spread(len(planted.constraints), size.turns, shift=1)
    if number not in at:
        return []
    words = f"Good, that is what I wanted to see. {planted.constraints[at[number]]}"
    return [{"role": "user", "content": words}]


def reply_text(number: int, planted: Planted, size: Size) -> str:
    """Return what the model says in a turn: every other fact is here, and the open steps."""
    facts = spread(len(planted.facts), size.turns, shift=2)
    steps = spread(len(planted.open_steps), size.turns, shift=3)
    said = f"Step {number}: looking at {place(number)}."
    if number in facts and facts[number] % 2:
        said += f" Finding: {planted.facts[facts[number]]}."
    if number in steps:
        said += f"\nNext: {planted.open_steps[steps[number]]}."
    return said


def work(
    number: int, planted: Planted, size: Size, random: Random
) -> Iterator[tuple[str, str, str]]:
    """Yield the calls of a turn with their results: what matters, else one of many chores."""
    stacks = spread(len(planted.stacks), size.turns, shift=4)
    listings = spread(len(planted.listings), size.turns, shift=5)
    facts = spread(len(planted.facts), size.turns, shift=2)
    told = number in facts and facts[number] % 2 == 0
    if number in stacks:
        text = f"{planted.stacks[stacks[number]]}\nexit code: 1"
        yield "bash", f'{{"command": "python move.py {place(number)}"}}', text
    elif number in listings:
        at = listings[number]
        yield "list_files", f'{{"path": "srv/{place(at)}/{at}"}}', planted.listings[at]
    elif not told:
        yield CHORES[number % len(CHORES)](number, random)
    if told:
        text = f"host: h{number}\nstatus: up\n{planted.facts[facts[number]]}\nuptime: {number} h\n"
        yield "http_get", f'{{"url": "http://h{number}.test/status"}}', text
    if number % 25 == 0:
        yield CHORES[(number + 1) % len(CHORES)](number + 1000, random)


def applied(number: int, random: Random) -> tuple[str, str, str]:
    """Return the echo of an apply."""
    names = [
        f"deployment.apps/{place(n)}-{n} {random.choice(('configured', 'unchanged'))}"
        for n in range(18)
    ]
    return "bash", '{"command": "kubectl apply -f shop/"}', "\n".join([*names, "exit code: 0"])


def installed(number: int, _: Random) -> tuple[str, str, str]:
    """Return the progress of a download."""
    rows = [
        f"Downloading pack-{number}.whl ({at}%) [{'#' * (at // 5):<20}] {at % 9}.{number % 10} MB/s"
        for at in range(0, 101, 4)
    ]
    return (
        "bash",
        f'{{"command": "pip install pack-{number}"}}',
        "\n".join([*rows, f"Successfully installed pack-{number}-1.0", "exit code: 0"]),
    )


def built(number: int, _: Random) -> tuple[str, str, str]:
    """Return the log of a build, the same each time but for its times."""
    rows = [
        f"[{at}/24] compiling module_{at}.c ... ok in {at % 7}.{number % 10} s"
        for at in range(1, 25)
    ]
    return "bash", '{"command": "make shop"}', "\n".join([*rows, "build finished", "exit code: 0"])


def file_read(number: int, _: Random) -> tuple[str, str, str]:
    """Return one of a few files, read again and again."""
    name = place(number // 5)
    rows = [f"{at}: option_{at} = value_{(at * 7 + len(name)) % 91}" for at in range(1, 40)]
    return "read_file", f'{{"path": "conf/{name}.ini"}}', "\n".join(rows)


def asked(number: int, random: Random) -> tuple[str, str, str]:
    """Return a table of rows as JSON."""
    rows = [
        {"id": number * 100 + at, "service": place(at), "ms": random.randint(1, 90)}
        for at in range(16)
    ]
    text = "[" + ", ".join(str(row).replace("'", '"') for row in rows) + "]"
    return "http_get", f'{{"url": "http://metrics.test/{number}"}}', text


CHORES = (applied, installed, built, file_read, asked)


def stack(number: int) -> str:
    """Return a failure, as Python prints it."""
    name = place(number)
    return "\n".join(
        [
            "Traceback (most recent call last):",
            f'  File "/srv/shop/move_{name}.py", line {40 + number}, in <module>',
            f"    move({name!r}, target={number})",
            f'  File "/srv/shop/steps/{name}.py", line {7 + number}, in move',
            f"    raise QuotaError('no room on {name}-{number}: {600 + number} of 600 MB')",
            f"shop.errors.QuotaError: no room on {name}-{number}: {600 + number} of 600 MB",
        ]
    )


def listing(number: int, random: Random) -> str:
    """Return a listing of files that the tool gives again when it is asked."""
    rows = [
        f"-rw-r--r-- 1 shop {random.randint(100, 99_999):>7} "
        f"srv/{place(number)}/{number}/part-{at:03d}.dat"
        for at in range(24)
    ]
    return "\n".join(rows)


def definition(name: str) -> dict[str, Any]:
    """Return a tool as it is offered to a model."""
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": f"Run {name}.",
            "parameters": {"type": "object", "properties": {"command": {"type": "string"}}},
        },
    }
