"""What a summary loses, and summaries that keep everything in their own words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from clean import end, plain_calls, work
from drafts import Draft, draft
from pairs import Maker, Pair
from rules_said import RULES, WISHES, Rule, Wish

from ullage.transcript.message import Role
from ullage.transcript.transcript import Transcript

HEADS = (
    "Summary of the conversation so far:",
    "This session is being continued from an earlier one. Summary:",
    "[summary of earlier conversation]",
    "<summary>",
    "## Handover",
)
ANSWERS = {
    "en": ("I am on it.", "Understood.", "First I look at what is there."),
    "de": ("Ich fange an.", "Verstanden."),
    "fr": ("Je commence.", "Bien compris."),
    "es": ("Empiezo ahora.", "Entendido."),
    "zh": ("好的,我先看看。", "明白。"),
}
WORDS = {
    "en": ("Done: ", "Latest request: "),
    "de": ("Erledigt: ", "Neuester Auftrag: "),
    "fr": ("Fait : ", "Dernière demande : "),
    "es": ("Hecho: ", "Último pedido: "),
    "zh": ("已完成:", "最新要求:"),
}


@dataclass(slots=True)
class Story:
    """A session up to a compaction, and what a whole summary of it says, line by line."""

    one: Draft
    task: Wish
    newest: Wish
    rules: list[tuple[Rule, int]]
    done: Wish
    lines: dict[str, str] = field(default_factory=dict)

    def summary(self, without: Sequence[str] = (), more: Sequence[str] = ()) -> str:
        """Write the summary without some of its lines."""
        draw = self.one.draw
        said = [text for name, text in self.lines.items() if name not in without]
        bullet = draw.choice(("- ", "* ", "", "1. "))
        return "\n".join([draw.choice(HEADS), *(bullet + text for text in (*said, *more))])


def story(draw: Random) -> Story:
    """Tell of a task, some rules, a step that is done, and a newer wish."""
    language = draw.choice(("en", "en", "en", "en", "de", "fr", "es", "zh"))
    one = draft(draw, language)
    rules = [
        (rule, draw.randrange(3, 900))
        for rule in draw.sample(
            [r for r in RULES if r.language == language], draw_few(draw, language)
        )
    ]
    wishes = [wish for wish in WISHES if wish.language == language]
    task, done, newest = draw.sample(wishes, 3)
    made = Story(one=one, task=task, newest=newest, rules=rules, done=done)
    in_system = draw.random() < 0.3
    said = [rule.said.format(n=number) for rule, number in rules]
    if in_system:
        one.system("You are a careful assistant.")
    one.user(" ".join([task.asked, *said]))
    one.wrote(draw.choice(ANSWERS[language]))
    for _ in range(draw.randrange(1, 6)):
        plain_calls(one)
    one.user(done.asked)
    plain_calls(one)
    one.wrote(done.done)
    one.user(newest.asked)
    plain_calls(one)
    made.lines = {
        "task": draw.choice(task.kept),
        **{
            f"rule {at}": draw.choice(rule.kept).format(n=number)
            for at, (rule, number) in enumerate(rules)
        },
        "done": f"{WORDS[language][0]}{done.done}",
        "newest": f"{WORDS[language][1]}{draw.choice(newest.kept)}",
    }
    return made


def draw_few(draw: Random, language: str) -> int:
    """Return how many rules a session has."""
    there = sum(rule.language == language for rule in RULES)
    return draw.randrange(1, min(4, there) + 1)


def compacted(one: Draft, text: str, role: Role = "user", keep: Sequence[int] = ()) -> Transcript:
    """Let a summary stand for the history, at a full window, and go on."""
    window = one.model[1]
    systems = [at for at, entry in enumerate(one.entries) if entry.message.role == "system"]
    one.compact(
        [*systems, *keep],
        [(role, text)],
        tokens_before=int(window * one.draw.uniform(0.8, 0.97)),
        tokens_after=len(text) // 4 + 500,
    )
    work(one, one.draw.randrange(0, 3))
    end(one)
    return one.done()


def lacking(*names: str) -> Maker:
    """Return a maker of summaries without one line."""

    def make(draw: Random) -> list[Transcript]:
        made = story(draw)
        name = draw.choice(names)
        if name == "rule":
            name = f"rule {draw.randrange(len(made.rules))}"
        return [compacted(made.one, made.summary([name]), draw.choice(("user", "assistant")))]

    return make


def keeping(draw: Random) -> list[Transcript]:
    """Summarise and keep everything; or keep the messages themselves beside the summary."""
    made = story(draw)
    one = made.one
    if draw.random() < 0.25:  # the summary is short, but the user's messages stay as they are
        people = [at for at, entry in enumerate(one.entries) if entry.message.role == "user"]
        return [compacted(one, f"{HEADS[0]}\n{made.lines['done']}", keep=people)]
    return [compacted(one, made.summary(), draw.choice(("user", "assistant")))]


NEXT = (
    "Next steps:\n- {step}",
    "Next: {step}.",
    "TODO: {step}",
    "Remaining work:\n1. {step}",
    "Pending: {step}",
)


def step_again(draw: Random) -> list[Transcript]:
    """List as next what was done."""
    made = story(draw)
    if not made.done.again:
        return step_again(draw)
    step = draw.choice(NEXT).format(step=draw.choice(made.done.again))
    return [compacted(made.one, made.summary(["done"], [step]))]


def step_open(draw: Random) -> list[Transcript]:
    """List as done what was done, and as next what is open."""
    made = story(draw)
    step = draw.choice(NEXT).format(step=made.newest.asked.rstrip("."))
    return [compacted(made.one, made.summary([], [step]))]


def task_trimmed(draw: Random) -> list[Transcript]:
    """Trim the oldest messages away, the task with them."""
    made = story(draw)
    one = made.one
    if draw.random() < 0.5:
        return [compacted(one, made.summary(["task"]))]
    keep = range(len(one.entries) - 3, len(one.entries))
    systems = [at for at, entry in enumerate(one.entries) if entry.message.role == "system"]
    one.compact([*systems, *keep], act="trim", tokens_before=int(one.model[1] * 0.9))
    end(one)
    return [one.done()]


def task_done(draw: Random) -> list[Transcript]:
    """Let a task go that was said to be done; or keep it."""
    if draw.random() < 0.5:
        return keeping(draw)
    made = story(draw)
    one = made.one
    one.wrote(made.task.done)
    one.user(made.newest.asked)
    made.lines["task"] = f"{WORDS[one.language][0]}{made.task.done}"
    return [compacted(one, made.summary())]


PLANS = (
    "1. Read {a}\n2. Read {b}\n3. Change the {c} module\n4. Run the tests",
    "Next steps:\n- look at {a}\n- look at {b}\n- rewrite {c}\n- run all tests",
    "Plan: open {a}, compare it with {b}, then mend {c} and test it.",
)


def loop(draw: Random, *, acts: bool, changes: bool) -> list[Transcript]:
    """Plan, read, be compacted, and plan the same again."""
    one = draft(draw)
    wish = draw.choice([wish for wish in WISHES if wish.language == "en"])
    task = one.user(wish.asked)
    names = draw.sample(
        ("parser.py", "gateway.py", "report.py", "tariff.py", "export.py", "alarms.py"), 3
    )
    plan = draw.choice(PLANS)
    for turn in range(draw.randrange(3, 6)):
        shift = turn if changes else 0
        a, b, c = (names[(at + shift) % 3] for at in range(3))
        one.wrote(f"{plan.format(a=a, b=b, c=c)}" if not changes else f"Step {turn}: now {a} only.")
        for name in (a, b):
            one.call("read_file", f"{name}: {draw.randrange(10**9)} lines", {"path": f"src/{name}"})
        if acts:
            one.call("edit_file", "edited", {"path": f"src/{c}", "old": "a", "new": f"b{turn}"})
        text = f"{draw.choice(HEADS)}\n- {wish.kept[0]}\n- Files read: {a}, {b}"
        if acts:
            text += f"\n- {c} was changed (part {turn})"
        one.compact([task], [("user", text)], tokens_before=int(one.model[1] * 0.9))
    one.wrote(f"{plan.format(a=names[0], b=names[1], c=names[2])}" if not changes else wish.done)
    return [one.done()]


def no_loop(draw: Random) -> list[Transcript]:
    """Plan and act, or have another plan each time."""
    return (
        loop(draw, acts=True, changes=draw.random() < 0.5)
        if draw.random() < 0.6
        else loop(draw, acts=False, changes=True)
    )


PAIRS = (
    Pair(check="constraint-lost", loss=lacking("rule"), alike=keeping),
    Pair(check="instruction-lost", loss=lacking("newest"), alike=keeping),
    Pair(check="task-lost", loss=task_trimmed, alike=task_done),
    Pair(check="finished-step-repeated", loss=step_again, alike=step_open),
    Pair(
        check="plan-loop",
        loss=lambda draw: loop(draw, acts=False, changes=False),
        alike=no_loop,
    ),
)
