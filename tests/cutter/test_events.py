"""Splitting a log into whole events."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.cutter.events import split, starts_event


def blocks(text: str) -> list[str]:
    return [one.text for one in split(textwrap.dedent(text).strip("\n").split("\n"))]


@pytest.mark.parametrize(
    "line",
    [
        "2026-01-01 10:00:00,123 INFO app: up",
        "2026-01-01T10:00:00.5Z up",
        "[2026-01-01 10:00:00] up",
        "Jan  3 10:00:00 host sshd[12]: up",
        "[12:30:01] up",
        '10.0.0.1 - - [01/Jan/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1',
        "I0101 10:00:00.123456 1 main.go:7] up",
        "[    1.234567] usb 1-1: up",
        "<13>Jan  3 10:00:00 host up",
        "[info] up",
        "[worker-3] up",
        "ERROR: it broke",
        "WARN  [pool] slow",
        "time=2026 level=info msg=up",
        "src/a.ts:3: const x = 1",
        "src/a.c:3:7: error: no",
        "src/a.cs(3,7): error CS1002: ; expected",
        "make[2]: *** [a.o] Error 1",
        "#7 [2/4] RUN make",
        "   Compiling amber v0.1.0",
        "exit status 1",
    ],
)
def test_a_line_of_a_log_starts_an_event(line: str) -> None:
    assert starts_event(line)


@pytest.mark.parametrize(
    "line",
    [
        "[132] RootWebArea 'Shop'",
        "The year 2026 was fine.",
        '{"level": "error"}',
        "2026-01-01T00:00:00,1,2",
        "Error handling is hard",
        "- item",
        "| a | b |",
        "    indented code",
    ],
)
def test_other_lines_do_not(line: str) -> None:
    assert not starts_event(line)


def test_chained_python_tracebacks_are_one_event_with_the_line_that_announced_them() -> None:
    trace = """
        2026-01-01 10:00:00 ERROR app: request failed
        Traceback (most recent call last):
          File "a.py", line 5, in <module>
            table["k"]
        KeyError: 'k'

        During handling of the above exception, another exception occurred:

        Traceback (most recent call last):
          File "a.py", line 7, in <module>
            raise RuntimeError("no table")
        RuntimeError: no table
        2026-01-01 10:00:01 INFO app: next"""
    first, second = blocks(trace)
    assert first.endswith("RuntimeError: no table")
    assert second.endswith("next")


def test_two_tracebacks_that_are_not_chained_are_two_events() -> None:
    one = 'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: x\n'
    assert len(blocks(one + one)) == 2


def test_a_java_chain_is_one_event() -> None:
    trace = """
        10:00:00 ERROR failed
        demo.GatewayException: upstream
        \tat demo.A.b(A.java:1)
        \tSuppressed: java.io.IOException: close
        \t\tat demo.C.d(C.java:3)
        Caused by: java.net.SocketTimeoutException: slow
        \tat demo.E.f(E.java:7)
        \t... 23 more
        10:00:01 INFO next"""
    assert len(blocks(trace)) == 2


def test_a_javascript_error_with_its_cause_is_one_event() -> None:
    trace = """
        TypeError: x is not a function
            at f (/a.js:1:2)
            at Object.<anonymous> (/a.js:9:1) {
          [cause]: SyntaxError: bad
              at JSON.parse (<anonymous>)
        }
        exit status 1"""
    assert len(blocks(trace)) == 2


def test_a_go_panic_is_one_event_over_all_its_goroutines() -> None:
    trace = """
        panic: runtime error: index out of range [7]

        goroutine 1 [running]:
        main.f(0x1)
        \t/src/a.go:12 +0x1d
        main.main()
        \t/src/a.go:3 +0x2

        goroutine 5 [select]:
        main.g()
        \t/src/b.go:1 +0x2
        exit status 2"""
    assert len(blocks(trace)) == 2


def test_a_rust_panic_takes_its_message_and_backtrace() -> None:
    trace = """
        thread 'main' panicked at src/a.rs:1:26:
        index out of bounds
        stack backtrace:
           0: core::panicking::panic_fmt
                     at /rustc/panicking.rs:80:14
        note: run with `RUST_BACKTRACE=1`
        exit status 101"""
    assert len(blocks(trace)) == 2


def test_a_compiler_error_takes_its_function_its_excerpt_and_its_notes() -> None:
    gcc = """
        ring.c: In function 'reset':
        ring.c:212:17: error: no member named 'tail'
          212 |         r->tail = 0;
              |          ^~
        ring.c:9:1: note: declared here
        ring.c:230:1: warning: unused"""
    assert len(blocks(gcc)) == 2


def test_a_rustc_error_takes_its_arrows() -> None:
    rustc = """
        error[E0308]: mismatched types
         --> b.rs:1:25
          |
        1 | let x: i32 = "a";
          |              ^^^ expected `i32`
          |
          = note: expected type
        help: try this

        error: aborting due to 1 previous error"""
    assert len(blocks(rustc)) == 2


def test_indented_lines_continue_an_event() -> None:
    assert len(blocks("INFO: config\n  a: 1\n  b: 2\nINFO: next")) == 2


@given(text=st.text("aE :\n\t[]1|", max_size=200))
def test_every_line_is_in_one_event_in_its_order(text: str) -> None:
    lines = text.split("\n")
    assert [line for one in split(lines) for line in one.lines] == lines
