"""What a run is judged by: who is at fault in its recording, and which list says so."""

from dataclasses import dataclass

from ullage.lab.environment.generate import Generated
from ullage.lab.environment.listing import EARLY, LATE
from ullage.lab.environment.parameters import Kind, Loudness
from ullage.lab.environment.second_path import Identity
from ullage.lab.environment.truth import candidates, culprit_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """The right answer. `culprit` and `pids` are those at fault, None and none where healthy.

    `pids` are the process's own and its threads'; `field` the list of the listing that it stands
    in, at `position`. Never for an agent.
    """

    kind: Kind
    loudness: Loudness
    culprit: Identity | None
    pids: tuple[int, ...]
    field: str
    position: int


def key_of(generated: Generated) -> Key:
    """Return the key of a generated recording."""
    parameters, focus = generated.parameters, generated.deployment.focus
    at = culprit_of(generated)
    return Key(
        kind=parameters.kind,
        loudness=parameters.loudness,
        culprit=None if at is None else candidates(generated)[at],
        pids=focus.tids if focus.faulty else (),
        field=EARLY if parameters.listed == "spawned" else LATE,
        position=parameters.position,
    )
