"""Where the tool tap records. The one place of the library that reads `ULLAGE_*`."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LEDGER = "ULLAGE_LEDGER"
RUN = "ULLAGE_RUN"
DEFAULT_RUN = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class TapSettings:
    """The ledger to write to and the run to write under."""

    ledger: Path
    run: str


def environment() -> Mapping[str, str]:
    """Return this process's environment: the secrets in it are to be known before they are seen."""
    return dict(os.environ)


def tap_settings() -> TapSettings | None:
    """Return where to record; None where `ULLAGE_LEDGER` is unset, and the tap does nothing."""
    path = os.environ.get(LEDGER)
    if not path:
        return None
    return TapSettings(ledger=Path(path), run=os.environ.get(RUN) or DEFAULT_RUN)
