"""Sessions in which nothing is lost; `work` also fills those with a loss."""

from random import Random

from drafts import Draft, draft
from payloads import as_json, identifier, result, rows
from words import ENDS, LANGUAGES, NEXT, PLACES, SAYS, TASKS, fill, noun, sentence

from ullage.transcript.transcript import Transcript

READS = ("search_orders", "read_file", "bash", "fetch_page", "query", "list_items", "grep")


def arguments(draw: Random, tool: str) -> dict[str, object]:
    """Return arguments such as a tool has."""
    name = f"{noun(draw)}_{draw.randrange(10**5)}"
    return {
        "search_orders": {
            "city": draw.choice(PLACES),
            "since": f"2025-0{draw.randrange(1, 10)}-01",
            "q": name,
        },
        "read_file": {"path": f"src/{name}.py"},
        "bash": {"command": f"cat reports/{name}.txt"},
        "fetch_page": {"url": f"https://docs.test/{name}"},
        "query": {"sql": f"SELECT * FROM {name} ORDER BY id"},
        "list_items": {"folder": name},
        "grep": {"pattern": name, "path": "src"},
    }[tool]


def plain_calls(one: Draft) -> None:
    """Call one tool, or a few at once; a third of the logs also hold what was produced."""
    draw = one.draw
    known = draw.random() < 0.3
    made = []
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        tool = draw.choice(READS)
        text = result(draw)
        made.append((tool, arguments(draw, tool), text, text if known else None, False))
    one.calls(made, text=fill(draw, SAYS, one.language) if draw.random() < 0.5 else "")


def an_error_that_is_mended(one: Draft) -> None:
    """Fail once, and do it right."""
    draw = one.draw
    path = f"src/{noun(draw)}_{draw.randrange(9_999)}.py"
    one.call("read_file", f"Error: no such file: {path}", {"path": path}, failed=True)
    one.call("bash", result(draw, 300, ["listing"]), {"command": "ls -l src"})
    one.call("read_file", result(draw, 800, ["code"]), {"path": path.replace("src/", "lib/")})


def a_poll(one: Draft) -> None:
    """Ask the same again until it is done; each answer is another one."""
    job = one.draw.randrange(10**6)
    for done in sorted(one.draw.sample(range(1, 99), one.draw.randrange(2, 5))):
        one.call(
            "job_status", f'{{"job": {job}, "state": "running", "percent": {done}}}', {"job": job}
        )
    one.call("job_status", f'{{"job": {job}, "state": "finished", "percent": 100}}', {"job": job})


def a_change_read_again(one: Draft) -> None:
    """Read a file, change it, and read it again."""
    draw = one.draw
    path = f"src/{noun(draw)}_{draw.randrange(99_999)}.py"
    before = result(draw, 700, ["code"])
    after = before.replace("value *", "value +", 1) + f"\n# {sentence(draw)}\n"
    one.call("read_file", before, {"path": path})
    one.call("edit_file", f"edited {path}", {"path": path, "old": "value *", "new": "value +"})
    one.call("read_file", after, {"path": path})


def a_failing_test(one: Draft) -> None:
    """Run the tests, see one fail, change the code, see them pass."""
    draw = one.draw
    name = f"test_{noun(draw)}_{draw.randrange(999)}"
    broken = f"assert {draw.randrange(99)} == {draw.randrange(99)}"
    passed = draw.randrange(3, 80)
    failed = f"E   {broken}\nFAILED tests/{name}.py\n1 failed, {passed} passed"
    one.call("bash", failed, {"command": f"pytest tests/{name}.py"}, failed=draw.random() < 0.5)
    one.call(
        "edit_file",
        f"edited src/{name[5:]}.py",
        {"path": f"src/{name[5:]}.py", "new": sentence(draw)},
    )
    one.call(
        "bash",
        f"{draw.randrange(3, 80)} passed in {draw.uniform(0.1, 9):.2f}s",
        {"command": f"pytest tests/{name}.py"},
    )


def a_list_counted_whole(one: Draft) -> None:
    """Fetch records, and name or count each of them."""
    draw = one.draw
    found = rows(draw, draw.randrange(6, 40))
    one.call("list_items", as_json(draw, found), {"folder": identifier(draw)})
    if draw.random() < 0.5:
        one.wrote(f"All {len(found)} records of {draw.choice(PLACES)} are here.")
    else:
        first = next(iter(found[0]))
        one.wrote("They are: " + ", ".join(str(row[first]) for row in found))
    one.user(fill(draw, NEXT, one.language))


def another_question(one: Draft) -> None:
    """Answer, and be asked again."""
    one.wrote(fill(one.draw, ENDS, one.language))
    one.user(fill(one.draw, NEXT, one.language))


STEPS = (
    plain_calls,
    plain_calls,
    plain_calls,
    an_error_that_is_mended,
    a_poll,
    a_change_read_again,
    a_failing_test,
    a_list_counted_whole,
    another_question,
)


def begin(one: Draft) -> None:
    """Say who the model is, and what it is to do."""
    if one.draw.random() < 0.7:
        one.system(f"You are a careful assistant of the {noun(one.draw)} desk.")
    one.user(fill(one.draw, TASKS, one.language))


def work(one: Draft, turns: int) -> None:
    """Go on for some turns without a loss."""
    for _ in range(turns):
        one.draw.choice(STEPS)(one)


def end(one: Draft) -> None:
    """Answer."""
    one.wrote(fill(one.draw, ENDS, one.language))


def filled(draw: Random, share: float = 0.85) -> int:
    """Return tokens that fill the smallest window so far."""
    return int(share * 32_768)


def clean_session(draw: Random) -> Transcript:
    """Return a session of 5 to 60 turns in which nothing is lost."""
    known = draw.choice((None, draw.randrange(500, 9_000)))
    one = draft(draw, draw.choice(LANGUAGES), tokens=known)
    begin(one)
    work(one, draw.randrange(2, 20))
    end(one)
    return one.done()
