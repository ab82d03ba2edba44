"""How `ullage run` ends: what the child did, what could be judged, and the exit code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import click

from ullage.checks.measured import Measurement
from ullage.cli.main import COULD_NOT
from ullage.cli.nearest import nearest
from ullage.cli.origins import BASE_URLS
from ullage.transcript.finding import Finding
from ullage.transcript.words import Severity

FOUND = 1
SEVERITIES: Sequence[Severity] = get_args(Severity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the child ended, and how many of its requests came through the proxy.

    `faults` counts what the proxy could not record whole; `known_cli` tells a coding CLI whose
    addresses are known from any other program.
    """

    code: int
    requests: int
    changed: Mapping[str, str]
    faults: int
    known_cli: bool = False


def silence(outcome: Outcome) -> str | None:
    """Say why no request came through, as far as that is certain; None where one did."""
    if outcome.requests:
        return None
    if outcome.code != 0:
        return (
            f"the program ended with {outcome.code} before it sent a request, so nothing is known "
            "about what a model was given; what it said itself stands above"
        )
    if outcome.known_cli:
        return (
            "no request came through the proxy, so nothing is known about what the model was "
            "given. The program asked no model, or one at an address that is not listed above"
        )
    ignored = next(name for name in BASE_URLS if name in outcome.changed)
    return (
        "no request came through the proxy, so nothing is known about what the model was given. "
        f"The program asked no model, or ignored {ignored} (a base URL in its code, or another "
        f'provider). Give its client this argument: base_url=os.environ["{ignored}"]'
    )


def blank(measurement: Measurement) -> str | None:
    """Say why nothing could be measured, which is no success for --fail-on; else None."""
    requests = measurement.requests
    if requests.to_model and requests.to_model == requests.to_model_failed:
        return "--fail-on has nothing to judge: every request to the model failed"
    if not requests.read:
        return "--fail-on has nothing to judge: no request with messages could be read"
    if measurement.unknown and not any(one.arrival for one in measurement.results):
        return (
            "--fail-on has nothing to judge: the produced side is unknown for "
            f"{measurement.unknown} of {measurement.delivered_results} results that the model was "
            "given"
        )
    return None


def check_words(fail_on: Sequence[str], checks: Sequence[str]) -> None:
    """Refuse a word of --fail-on that is neither a severity nor a check."""
    for word in fail_on:
        if word not in SEVERITIES and word not in checks:
            meant = nearest(word, [*SEVERITIES, *checks])
            said = f"{word!r} is neither a severity nor a check: {meant}"
            raise click.BadParameter(said, param_hint="--fail-on")


def exit_code(code: int, *, failed: bool, found: bool) -> int:
    """Return the child's code; where that is 0, what we have to say."""
    if code != 0:
        return code
    return COULD_NOT if failed else FOUND if found else 0


def hits(finding: Finding, word: str) -> bool:
    """Whether a finding is of this check, or of this severity or above."""
    if word in SEVERITIES:
        return SEVERITIES.index(finding.severity) >= SEVERITIES.index(word)
    return finding.check == word
