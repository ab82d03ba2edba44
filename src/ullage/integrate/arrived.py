"""`assert_arrived`: a test's question whether what was produced arrived."""

from enum import Enum
from pathlib import Path
from typing import Protocol, overload

from ullage.checks.measure import measure
from ullage.checks.measured import Measurement
from ullage.cutter.decode import as_text
from ullage.integrate.faults import faults_of_ids, faults_of_pair
from ullage.integrate.run_faults import faults_of_run
from ullage.ledger.store import Ledger


class Absent(Enum):
    """What stands for an argument that was not given: None may be what was delivered."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class Recorded(Protocol):
    """A recorded run, as the fixture `ullage_run` gives."""

    @property
    def measurement(self) -> Measurement:
        """What was produced and delivered in it."""
        ...


Scalar = str | int | float


@overload
def assert_arrived(
    produced: object,
    delivered: object,
    *,
    key: str | None = None,
    least: float = 1.0,
    what: str | None = None,
    or_told: bool = False,
) -> None: ...
@overload
def assert_arrived(
    produced: "Recorded | Ledger | Path",
    *,
    key: str | None = None,
    least: float = 1.0,
    or_told: bool = False,
    run: str | None = None,
    tool: str | None = None,
) -> None: ...
def assert_arrived(
    produced: object,
    delivered: object = ABSENT,
    *,
    key: str | None = None,
    least: float = 1.0,
    what: str | None = None,
    or_told: bool = False,
    run: str | None = None,
    tool: str | None = None,
) -> None:
    """Raise AssertionError, which says what is missing, unless what was produced was delivered.

    Both are text, bytes (UTF-8) or a value that JSON can hold. A list of ids (strings, numbers) is
    looked for in the delivered text, each at token borders: so an answer is checked. Anything else
    is compared as `ullage.arrival` does; `key` names the field that identifies a record. `least` is
    the share that must arrive, over 0 and at most 1. `or_told` accepts a loss of which the text
    says how much it is. `what` names the records in the plural ("orders"): then a number of them
    that the text claims to be about must be how many were produced.

    With one argument, a recorded run, a ledger or a ledger's path, everything that was recorded as
    produced must have arrived: in `run` (else the only one), by `tool` (else by all).

    Nothing produced is a failure too: then nothing was shown. Wrong use is ValueError or TypeError.
    """
    __tracebackhide__ = True  # pytest shows the test, not this
    if not 0 < least <= 1:
        raise ValueError(f"least is a share over 0 and at most 1, got {least!r}")
    if isinstance(delivered, Absent):
        if what is not None:
            raise ValueError("what= counts records in a delivered text: give that as well")
        measurement = measurement_of(produced, run)
        faults = faults_of_run(measurement, tool=tool, key=key, least=least, or_told=or_told)
    elif run is not None or tool is not None:
        raise ValueError("run= and tool= are for a recorded run: leave out what was delivered")
    else:
        text = text_of(delivered, "assert_arrived: delivered")
        ids = ids_of(produced)
        if ids is None:
            made = text_of(produced, "assert_arrived: produced")
            faults = faults_of_pair(made, text, key=key, least=least, what=what, or_told=or_told)
        elif key is not None:
            raise ValueError(f"key={key!r} names a field of records, but ids were produced")
        else:
            faults = faults_of_ids(ids, text, least=least, what=what, or_told=or_told)
    if faults:
        raise AssertionError("\n  ".join(faults))


def measurement_of(produced: object, run: str | None) -> Measurement:
    """Measure a recorded run."""
    if isinstance(produced, Ledger):
        return measure(produced, the_run(produced, run))
    if isinstance(produced, Path):
        with Ledger.read(produced) as ledger:
            return measure(ledger, the_run(ledger, run))
    # Not `isinstance`: with a protocol that asks for the member, and it is measured anew each time.
    found = getattr(produced, "measurement", None)
    if not isinstance(found, Measurement):
        raise TypeError(
            f"assert_arrived: {type(produced).__name__} is no recorded run, ledger or ledger's "
            "path; give what was delivered as the second argument"
        )
    if run is not None:
        raise ValueError(f"run={run!r} chooses a run of a ledger; this is one run")
    return found


def the_run(ledger: Ledger, run: str | None) -> str:
    """Return the run that is asked for. Raises ValueError where that is not clear."""
    runs = ledger.runs()
    if run is None and len(runs) == 1:
        return runs[0]
    if run in runs:
        return run
    there = ", ".join(runs) or "none"
    wanted = "name one with run=" if run is None else f"there is no run {run!r}"
    raise ValueError(f"{ledger.path}: {wanted}; its runs: {there}")


def ids_of(produced: object) -> list[str] | None:
    """Return ids as they are written, each once; None where something else was produced."""
    if not isinstance(produced, list | tuple | set | frozenset | range) or not produced:
        return None
    if not all(isinstance(one, Scalar) and not isinstance(one, bool) for one in produced):
        return None
    found = list(map(str, produced))
    if blank := [one for one in found if not one.strip()]:
        raise ValueError(f"an id is blank ({blank[0]!r}): it would be found anywhere")
    return list(dict.fromkeys(found))


def text_of(value: object, which: str) -> str:
    """Return a value as text; `which` says whose and what it is, should it be none."""
    try:
        return as_text(value)
    except TypeError as error:
        raise TypeError(
            f"{which} is {type(value).__name__}; give text, bytes or a value that JSON can hold, "
            "of a reply its text"
        ) from error
