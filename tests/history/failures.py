"""Failure stacks of many languages, as their tools print them."""

PYTHON = """Traceback (most recent call last):
  File "src/app/load.py", line 31, in load
    row = rows[key]
KeyError: 'late'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "src/app/main.py", line 9, in <module>
    load(7)
app.errors.LoadFailed: row 7"""
SYNTAX = """  File "src/app/x.py", line 3
    def f(:
          ^
SyntaxError: invalid syntax"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: boom
\tat com.acme.Run.go(Run.java:12)
\tat com.acme.Main.main(Main.java:3)
Caused by: java.io.IOException: no route
\tat com.acme.Net.read(Net.java:7)
\t... 2 more"""
GO = """panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.main()
\t/app/main.go:9 +0x1d"""
RUST = """thread 'main' panicked at src/main.rs:4:5:
called `Option::unwrap()` on a `None` value
note: run with `RUST_BACKTRACE=1` to see more"""
NODE = """TypeError: Cannot read properties of undefined (reading 'id')
    at find (/app/lib/find.js:3:9)
    at Module._compile (node:internal/modules/cjs/loader:1105:14)"""
RUSTC = """error[E0308]: mismatched types
 --> src/main.rs:2:18
  |
2 |     let x: i32 = "a";
  |            ---   ^^^ expected `i32`, found `&str`"""
GCC = """src/a.c:3:5: error: 'x' undeclared (first use in this function)
    3 |     x = 1;
      |     ^"""
TSC = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."
PYTEST = """_________________________ test_rows_are_kept _________________________

    def test_rows_are_kept():
>       assert keep(3) == 2
E       assert 3 == 2
E        +  where 3 = keep(3)

tests/test_keep.py:12: AssertionError"""
ALL = {
    "python": PYTHON,
    "syntax": SYNTAX,
    "java": JAVA,
    "go": GO,
    "rust": RUST,
    "node": NODE,
    "rustc": RUSTC,
    "gcc": GCC,
    "tsc": TSC,
}
"""All but pytest's, which is one only in a report of it."""


def among(stack: str) -> str:
    """Return a log with a stack in it."""
    return f"2026-01-02 10:00:00 INFO starting\n{stack}\n2026-01-02 10:00:01 INFO stopped\n"


REPORT = f"""============================= test session starts =============================
collected 3 items

tests/test_keep.py .F.                                                   [100%]

================================== FAILURES ===================================
{PYTEST}
=========================== short test summary info ===========================
FAILED tests/test_keep.py::test_rows_are_kept - assert 3 == 2
========================= 1 failed, 2 passed in 0.12s =========================
"""
