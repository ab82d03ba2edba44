"""Cutting logs: whole events, runs folded, what went wrong kept."""

import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ullage.cutter import log
from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.clean import clean
from ullage.cutter.keep import Keep
from ullage.cutter.values import Cut

SHARED = Path(os.environ.get("ULLAGE_SHARED", "../shared"))
MARK = re.compile(r"… \[(\d+) more lines?(?: like this)?\]|.*… \[\d+ of \d+ characters\]")


def cut_log(text: str, limit: int) -> Cut | None:
    """Cut a log as `cut` does; None where it fits or is no log."""
    layout = log.read(text) if len(text) > limit else None
    if layout is None:
        return None
    return cut_blocks(layout, text, chars(limit), keep=Keep(), inside=True)


def delivered(text: str, limit: int) -> str:
    done = cut_log(text, limit)
    assert done is not None, "not a log, or it fits"
    assert len(done.text) <= limit
    return done.text


def heartbeats(count: int) -> list[str]:
    return [
        f"2026-01-01 {at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d} INFO [w-{at % 4}] beat ok"
        for at in range(count)
    ]


FRAMES = "\n".join(f"\tat demo.web.Filter{at}.run(Filter{at}.java:{at})" for at in range(60))
LINES = st.sampled_from(
    [
        "INFO: step 1 done",
        "INFO: step 27 done",
        "ERROR: no such file",
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in f',
        "    f(x)",
        "KeyError: 'k'",
        "",
        "plain words",
        "demo.Bad: 7",
        "\tat a.B.c(B.java:7)",
        "Caused by: demo.Worse: 8",
        "… [7 more lines like this]",
        "[12:00:01] " + "x" * 90,
        "exit status 1",
        "ERROR: é\u0301 👩‍👩‍👧 " * 4,
    ]
)
LOGS = st.lists(LINES, min_size=2, max_size=60).map(lambda lines: "\n".join(["INFO: up", *lines]))
SHARES = st.floats(min_value=0, max_value=1)


def test_a_run_of_similar_lines_is_folded_and_the_number_left_out_is_stated() -> None:
    text = delivered("\n".join(heartbeats(500)), 900)
    lines = text.split("\n")
    (mark,) = [line for line in lines if line.startswith("…")]
    folded = re.fullmatch(r"… \[(\d+) more lines like this\]", mark)
    assert folded
    assert int(folded[1]) + len(lines) - 2 == 500
    assert lines[1] == heartbeats(1)[0]
    assert lines[-1] == heartbeats(500)[-1]


def test_every_header_of_a_long_java_chain_stays_with_its_first_frames() -> None:
    trace = (
        "2026-01-01 10:00:00 ERROR [w-3] request failed\n"
        f"demo.web.GatewayError: upstream\n{FRAMES}\n"
        f"Caused by: demo.Retries: 5 attempts\n{FRAMES}\n"
        "Caused by: java.net.Timeout: to db:5433\n"
        "\tat demo.db.Pool.open(Pool.java:77)\n\t... 61 more"
    )
    text = delivered("\n".join([trace, *heartbeats(99)]), 1800)
    for want in ("GatewayError: upstream", "Filter0.java", "Retries: 5", "db:5433", "Pool.java:77"):
        assert want in text


def test_of_a_long_python_trace_the_exception_and_the_last_frame_stay() -> None:
    frames = "".join(f'  File "/a.py", line {at}, in f{at}\n    f{at}()\n' for at in range(80))
    trace = f"Traceback (most recent call last):\n{frames}RecursionLimit: too deep\nexit code 1"
    text = delivered(trace, 600)
    assert "RecursionLimit: too deep" in text
    assert "line 79, in f79" in text
    assert "more lines]" in text


def test_an_error_among_progress_stays_with_its_neighbours() -> None:
    lines = [f"[{at:04d}] CC  drivers/mod{at % 7}/file_{at}.o" for at in range(400)]
    lines[200:200] = [
        "drivers/ring.c: In function 'reset':",
        "drivers/ring.c:212:17: error: no member named 'tail_seq'",
        "  212 |   r->tail_seq = 0;",
        "make[3]: *** [build.mk:243: drivers/ring.o] Error 1",
    ]
    text = delivered("\n".join(lines), 1500)
    for want in (*lines[200:204], lines[199], lines[204]):
        assert want in text


def test_the_starts_of_long_error_lines_stay_with_their_length() -> None:
    noise = " ".join(f"--cfg feature=f{at}" for at in range(150))
    lines = [f"   Compiling crate{at} v0.{at}.0 {noise}" for at in range(9)]
    lines += [f"error[E0308]: mismatched types {noise}", "error: could not compile `ridge`"]
    lines += [f"warning: waiting for other jobs {noise}"] * 2
    text = delivered("\n".join(lines), 2000)
    assert "error[E0308]: mismatched types" in text
    assert "could not compile `ridge`" in text
    assert re.search(r"… \[\d+ of \d{4} characters\]", text)


def test_every_hit_of_a_search_is_listed_when_two_lines_are_huge() -> None:
    hits = [f"src/cli/{name}.ts:3: const cwd = 'dir:'" for name in ("amber", "basin", "cedar")]
    huge = [f'dist/{name}.js.map:1:{{"mappings":"{"Ab9+" * 4000}"}}' for name in ("main", "args")]
    text = delivered("\n".join([hits[0], huge[0], hits[1], huge[1], hits[2]]), 1500)
    for want in (*hits, "dist/main.js.map:1:", "dist/args.js.map:1:"):
        assert want in text


def test_when_every_other_line_says_error_the_word_means_nothing() -> None:
    lines = [
        f"12:{at // 60 % 60:02d}:{at % 60:02d} {('ERROR', 'INFO')[at % 2]} probe {at} checked"
        for at in range(600)
    ]
    lines[301] = "12:05:01 INFO disk sda switched to read-only"
    assert lines[301] in delivered("\n".join(lines), 700)


def test_no_errors_is_not_an_error() -> None:
    lines = heartbeats(300)
    lines[100] = "2026-01-01 00:01:40 INFO [w-1] build finished with 0 errors, failed=0"
    lines[200] = "2026-01-01 00:03:20 INFO [w-1] connection refused by ledger"
    done = cut_log("\n".join(lines), 900)
    assert done
    whys = list(done.account.parts[0].kept.values())
    assert whys.count("error") == 1
    assert lines[200] in done.text


def test_an_exit_status_and_a_summary_near_the_end_stay() -> None:
    lines = [*heartbeats(400), "INFO: 3 modules built in 12 s", "exit status 2", *heartbeats(4)]
    text = delivered("\n".join(lines), 900)
    assert "exit status 2" in text
    assert "3 modules built" in text


@pytest.mark.parametrize("seed", range(20))
def test_a_rare_line_among_2000_similar_ones_stays(seed: int) -> None:
    rng = random.Random(seed)
    kinds = [
        "INFO pool size {} of 64",
        "DEBUG GET /items/{} took 12 ms",
        "INFO user {} signed in",
        "DEBUG cache hit for key {}",
    ]
    lines = [
        f"2026-01-01 00:{at // 60 % 60:02d}:{at % 60:02d} {rng.choice(kinds).format(at)}"
        for at in range(2000)
    ]
    at = rng.randrange(10, 1990)
    lines[at] = "2026-01-01 00:00:00 INFO replica 3 promoted to primary"
    assert lines[at] in delivered("\n".join(lines), 6000)


@pytest.mark.parametrize("seed", range(20))
def test_a_far_number_among_2000_similar_lines_stays(seed: int) -> None:
    rng = random.Random(seed)
    lines = [f"12:00:00 INFO GET /items took {rng.randint(9, 15)} ms" for _ in range(2000)]
    at = rng.randrange(10, 1990)
    lines[at] = "12:00:00 INFO GET /items took 30211 ms"
    assert lines[at] in delivered("\n".join(lines), 6000)


def test_a_failure_in_the_middle_of_2000_lines_of_a_build_is_whole() -> None:
    lines = [
        f"[{at // 60:02d}:{at % 60:02d}] [{at // 20:3d}%] Build src/f{at}.o" for at in range(2000)
    ]
    failure = [
        "[16:40] FAILED: src/f1000.o",
        "Traceback (most recent call last):",
        '  File "/gen.py", line 214, in <module>',
        "    main(sys.argv)",
        "KeyError: 'IRQ_0x2f'",
        "ninja: subcommand failed: exit code 17",
    ]
    lines[1000:1000] = failure
    assert "\n".join(failure) in delivered("\n".join(lines) + "\n", 6000)


def test_a_second_smaller_cut_keeps_one_notice_and_the_first_total() -> None:
    once = delivered("\n".join([*heartbeats(400), "ERROR: x", *heartbeats(400)]), 3000)
    twice = delivered(once, 900)
    total = re.search(r"of \d+ (?:records|lines)", once)
    assert total
    assert twice.count("[Cut") == 1
    assert total[0] in twice


def test_marks_of_an_earlier_cut_count_as_the_lines_they_stand_for() -> None:
    once = delivered("\n".join(heartbeats(800)), 3000)
    twice = delivered(once, 900)
    (mark,) = re.findall(r"… \[(\d+) more lines like this\]", twice)
    whole = [line for line in twice.split("\n")[1:] if not line.startswith("…")]
    assert int(mark) + len(whole) == 800


def test_below_its_floor_a_log_is_empty_and_says_so() -> None:
    text = "\n".join(heartbeats(50))
    done = cut_log(text, 5)
    assert done
    assert (done.text, done.account.below_floor) == ("", True)
    assert done.account.floor > 5


def test_at_its_floor_a_log_is_its_notice() -> None:
    text = "\n".join(heartbeats(50))
    done = cut_log(text, 5)
    assert done
    again = cut_log(text, done.account.floor)
    assert again
    assert again.text.startswith("[Cut: 0 of ")


@given(text=LOGS, share=SHARES)
@example(text="\n".join(heartbeats(90)), share=0.2)
def test_a_cut_is_within_budget_and_adds_up(text: str, share: float) -> None:
    limit = max(1, round(len(text) * share))
    done = cut_log(text, limit)
    if done is None:
        return
    assert len(done.text) <= limit
    for part in done.account.parts:
        left_out = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + left_out


@given(text=LOGS, share=SHARES)
def test_kept_lines_are_lines_of_the_source_in_their_order(text: str, share: float) -> None:
    done = cut_log(text, max(1, round(len(text) * share)))
    if done is None:
        return
    source = iter(text.split("\n"))
    for line in done.text.rstrip("\n").split("\n")[1:]:
        assert MARK.fullmatch(line) or any(line == one for one in source), line


@given(text=LOGS, share=SHARES)
def test_a_cut_of_a_cut_changes_nothing(text: str, share: float) -> None:
    limit = max(1, round(len(text) * share))
    done = cut_log(text, limit)
    if done is None:
        return
    assert cut_log(done.text, limit) is None


@given(text=st.text("aE:[]1 \n\t\r", max_size=200), share=SHARES)
def test_any_text_is_read_without_an_error(text: str, share: float) -> None:
    cut_log(text, max(1, round(len(text) * share)))


PROSE = "\n".join(
    f"Paragraph about errors and {word}: nothing failed, and then something else happened."
    for word in ("ships", "shoes", "sealing wax", "cabbages", "kings", "boiling seas", "pigs")
)
TREE = "[132] RootWebArea 'Shop'\n" + "\n".join(
    f"\t[{at}] link 'Product {chr(97 + at % 26)}{at}'" for at in range(133, 180)
)


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        TREE,
        '{"a": 1,\n "b": [1, 2]}',
        "id,name,at\n" + "\n".join(f"{at},x{at},2026-01-01T00:00:0{at}" for at in range(9)),
        "# Title\n\nSome text.\n\n- item one\n- item two\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "name: app\nreplicas: 3\nports:\n  - 80\n  - 443",
        "def f(x):\n    return x\n\n\ndef g(y):\n    raise ValueError(y)\n",
        "<a>\n  <b>1</b>\n  <b>2</b>\n</a>",
        "one line only",
        "",
    ],
    ids=["prose", "tree", "json", "csv", "markdown", "yaml", "python", "xml", "line", "nothing"],
)
def test_other_text_is_not_a_log(text: str) -> None:
    assert log.read(text) is None


def random_log(lines: int) -> str:
    rng = random.Random(7)
    words = ["amber", "basin", "cedar", "delta", "ember", "fjord", "grove"]
    return "\n".join(
        f"12:00:00 INFO {' '.join(rng.choices(words, k=rng.randint(2, 6)))} {rng.random()}"
        for _ in range(lines)
    )


@pytest.mark.parametrize(
    "text",
    [
        "12:00:00 ERROR " + "x" * 5_000_000 + "\n12:00:01 INFO end",
        "a/" * 2_000_000 + "\nINFO: x\nINFO: y",
        random_log(10_000),
        'Traceback (most recent call last):\n  File "a", line 1\n' + "    x\n" * 40_000 + "E: x",
    ],
    ids=["long line", "slashes", "many lines", "long trace"],
)
def test_hostile_text_is_cut_in_bounded_time(text: str) -> None:
    delivered(text, 6000)


CASES = {
    "05-java-caused-by": (1800, ["RetryExhausted: 5 attempts", "ledger-db:5433", "Pool.java:77"]),
    "11-error-in-the-middle": (2000, ["ring.c:212:17: error", "no member named 'tail_seq'"]),
    "16-few-long-lines": (2000, ["error[E0308]: mismatched types", "could not compile `ridge`"]),
    "20-one-line-sourcemap": (1500, ["ember.ts", "dist/main.js.map:1:", "dist/args.js.map:1:"]),
    "33-ansi-progress": (1500, ["unknown key 'retires' (did you mean 'retries'?)", "100%"]),
}


@pytest.mark.parametrize("case", CASES)
def test_a_reported_case_keeps_what_matters(case: str) -> None:
    folder = SHARED / "cases" / case
    if not folder.exists():
        pytest.skip(f"{folder} is not here")
    (source,) = folder.glob("input.*")
    limit, wants = CASES[case]
    text = delivered(clean(source.read_bytes().decode()).text, limit)
    for want in wants:
        assert want in text
