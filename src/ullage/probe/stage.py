"""Sets a case up on a bench, and says what was seen of it."""

from pathlib import Path

from ullage.probe.asked import call_ids
from ullage.probe.bench import Bench, Seen
from ullage.probe.canary import evidence, payload
from ullage.probe.case import Case
from ullage.probe.observed import Ended, Observed
from ullage.probe.script import Script
from ullage.probe.scripts import Hands, Words, script_of

ERRORS_KEPT = " | "


class Stage:
    """Opens cases on a bench, their scripts in a harness's own words; payloads go to `folder`."""

    def __init__(self, bench: Bench, words: Words, folder: Path) -> None:
        self._bench, self._words, self._folder = bench, words, folder

    def begin(self, case: Case) -> Seen:
        """Open a case; what its user says in a message is made at once."""
        seen = self._bench.begin(case, self._script, self._file_of(case, 0))
        if case.kind == "user":
            for _ in range(case.turns):
                self._bench.next_payload(seen)
        return seen

    def observed(
        self,
        seen: Seen,
        ended: Ended,
        *,
        exit: int | None = None,
        stderr: str = "",
        stdout: str = "",
    ) -> Observed:
        """Put together what was seen of a case.

        What a program prints is what its user got, where it tells the probe of no answer.
        """
        self._bench.take_printed(seen)
        asked = self._bench.asked_in(seen)
        answers = seen.answers or ([stdout.strip()] if stdout.strip() else [])
        return Observed(
            case=seen.case,
            asked=asked,
            payloads=seen.payloads,
            answers=answers,
            error=ERRORS_KEPT.join(dict.fromkeys(seen.errors)) or None,
            ended=ended,
            tool=self._words.fetch,
            exit=exit,
            stderr=stderr,
            capped=self._bench.model.capped[seen.case.tag],
            call_ids={one.number: call_ids(one) for one in asked},
        )

    def _script(self, seen: Seen) -> Script:
        """Return the script of a case."""
        hands = Hands(
            file=lambda: str(self._print(seen)),
            evidence=lambda: evidence(seen.payloads[-1]) if seen.payloads else (),
        )
        return script_of(seen.case, self._words, hands)

    def _print(self, seen: Seen) -> Path:
        """Write the next payload to a file; it is counted as produced."""
        path = self._write(seen.case, len(seen.payloads))
        self._bench.next_payload(seen)
        return path

    def _file_of(self, case: Case, call: int) -> Path | None:
        """Write a payload to its file, and return that; None where a case has none."""
        return self._write(case, call) if case.size and case.kind != "user" else None

    def _write(self, case: Case, call: int) -> Path:
        """Write a payload to its file."""
        path = self._folder / f"{case.tag}-{call}.{case.format}"
        path.write_text(payload(case, call).text, encoding="utf-8")
        return path
