"""What every judge uses: a case, the command line under test, and the two ways to stop early."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Answer = dict[str, Any]
Faults = Iterator[str]


class Wrong(Exception):
    """The case failed and cannot be judged further; the message says why."""


class Skip(Exception):
    """This machine lacks something the judge needs."""


@dataclass(frozen=True)
class Case:
    name: str
    checks: dict[str, Any]
    inputs: tuple[Path, ...]

    def file(self, word: str) -> Path:
        """The input whose name holds `word`, such as pre, post, child or parent."""
        return next(path for path in self.inputs if f".{word}." in path.name)


@dataclass(frozen=True)
class Tool:
    command: tuple[str, ...]
    quick: bool = False

    def run(
        self, *args: object, ok: Sequence[int] = (0,), timeout: float = 60
    ) -> subprocess.CompletedProcess[bytes]:
        words = [str(arg) for arg in args]
        try:
            done = subprocess.run(
                [*self.command, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=timeout,
                env=os.environ | {"NO_COLOR": "1"},
            )
        except OSError as error:
            raise Wrong(f"cannot start {self.command[0]!r}: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise Wrong(f"`{words[0]}` gave no answer in {timeout:g} s") from None
        if done.returncode not in ok:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [
                "nothing on stderr"
            ]
            raise Wrong(f"`{words[0]}` exit {done.returncode}: {said[-1][:120]}")
        return done

    def document(self, *args: object, ok: Sequence[int] = (0,), timeout: float = 60) -> Answer:
        done = self.run(*args, "--format", "json", ok=ok, timeout=timeout)
        try:
            value = json.loads(done.stdout.decode())
        except (ValueError, RecursionError) as error:
            raise Wrong(f"`{args[0]}` stdout is not JSON: {str(error)[:60]}") from None
        if not isinstance(value, dict):
            raise Wrong(f"`{args[0]}` stdout is not a JSON object")
        return value

    def scan(self, *files: Path) -> Answer:
        return self.document("scan", *files, ok=(0, 1))

    def cut(self, file: Path, budget: int) -> Answer:
        return self.document("cut", file, "--budget", budget, "--unit", "chars")


def flag_faults(checks: dict[str, Any], answer: Answer) -> Faults:
    """Each `must_flag` entry is a check name, or name:detail where the finding's JSON must hold the detail."""
    findings = answer.get("findings") or []
    for flag in checks.get("must_flag", ()):
        name, _, detail = flag.partition(":")
        if not any(
            one["check"] == name and detail in json.dumps(one, ensure_ascii=False)
            for one in findings
        ):
            yield f"no finding {flag} (got {sorted({one['check'] for one in findings})})"


def lines_of(answer: Answer, check: str) -> dict[int, dict[str, Any]]:
    """The findings of one check, by the 1-based line of the input they name."""
    return {
        one["source"]["line"]: one for one in answer.get("findings") or [] if one["check"] == check
    }


def strings(export: str) -> Iterator[str]:
    """Every string in a JSON document, or in one document a line."""
    try:
        waiting: list[Any] = [json.loads(export)]
    except ValueError:
        waiting = [json.loads(line) for line in export.split("\n") if line.strip()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
