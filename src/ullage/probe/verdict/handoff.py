"""What crossed between an agent and the one it hands to: the task there, the evidence back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.probe.observed import Seen
from ullage.probe.rows import Part
from ullage.probe.verdict.requests import Story


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """The evidence that a sub-agent reported, and what of it its parent was given.

    `planted` are ids of records in the child's last words, `arrived` those of them in any later
    request of the parent's; `by_part` holds both (planted, arrived). `child_rows` are the records
    that the child was given, `child_rows_in_parent` those of them that reached the parent besides
    the evidence. `task_given` says that the child was given the user's own turn, `child_size` and
    `parent_size` are bytes of their largest requests. `returned` is False where no request of a
    parent followed: the second agent took over, or nothing came back.
    """

    planted: int
    arrived: int
    by_part: Mapping[Part, tuple[int, int]]
    child_rows: int
    child_rows_in_parent: int
    task_given: bool
    returned: bool
    child_size: int
    parent_size: int


def handoff(story: Story) -> Handoff | None:
    """Judge a hand-off; None where no agent with the tool was ever asked, or no other one."""
    children = [one for one in story.acting if is_child(story, one)]
    parents = [one for one in story.acting if not is_child(story, one)]
    if not children or not parents:
        return None
    last = max(children, key=lambda one: (len(evidence_in(story, one)), one.number))
    planted = evidence_in(story, last)
    after = [one for one in parents if one.number > last.number]
    back = frozenset[str]().union(*map(story.given, after))
    had = frozenset[str]().union(*map(story.given, children)) & places(story).keys()
    return Handoff(
        planted=len(planted),
        arrived=len(planted & back),
        by_part=by_part(story, planted, back),
        child_rows=len(had),
        child_rows_in_parent=len((had - planted) & back),
        task_given=bool(story.said(children[0])),
        returned=bool(after),
        child_size=max(one.size for one in children),
        parent_size=max((one.size for one in parents), default=0),
    )


def is_child(story: Story, one: Seen) -> bool:
    """Whether a request is of the agent that has the tool."""
    return any(map(story.is_tool, one.tools or ()))


def evidence_in(story: Story, one: Seen) -> frozenset[str]:
    """Return the records that the reply to a request names: in its words, or in a last call."""
    texts = [one.turn.text, *(call.arguments_text for call in one.turn.calls)]
    return frozenset().union(*map(story.ids, texts)) & places(story).keys()


def places(story: Story) -> Mapping[str, Part]:
    """Return the part of each record of all payloads."""
    return {
        name: place.part for made in story.observed.payloads for name, place in made.places.items()
    }


def by_part(
    story: Story, planted: frozenset[str], back: frozenset[str]
) -> Mapping[Part, tuple[int, int]]:
    """Count the planted ids of each part, and those that arrived."""
    parts = places(story)
    found: dict[Part, tuple[int, int]] = {}
    for part in dict.fromkeys(parts.values()):
        of_part: Sequence[str] = [name for name in planted if parts[name] == part]
        found[part] = (len(of_part), len([name for name in of_part if name in back]))
    return found
