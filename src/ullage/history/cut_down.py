"""The last step: whole units leave, by a named rule, and what they held for good is carried on."""

from ullage.errors import HistoryError
from ullage.history.block import Block
from ullage.history.carried import places_of, with_block, without
from ullage.history.course import Course, Step
from ullage.history.piece import Piece
from ullage.history.settings import NEVER
from ullage.history.trim import named, said, trim
from ullage.history.units import units_of
from ullage.history.work import Work
from ullage.transcript.counted import many


def cut_down(course: Course, work: Work) -> None:
    """Let whole units leave until the history fits; each is an event, the block one more.

    Raises HistoryError where that is not allowed, or not enough.
    """
    settings = work.settings
    over = course.cost - settings.budget
    if over <= 0:
        return
    if settings.trim == NEVER:
        raise HistoryError(not_allowed(course, work, over))
    given = course.pieces
    units = units_of(given)
    guard = work.guard(given)

    def cost_of_block(block: Block) -> int:
        return work.block(block).cost

    done = trim(
        given,
        units,
        guard,
        over,
        cost_of_block=cost_of_block,
        rule=settings.trim,
        unit=settings.unit,
    )
    if done.block is None:
        return
    why = f"{said(over, settings.unit)} over the budget of {settings.budget}"
    left = frozenset(done.left)
    gone: set[int] = set()
    for unit in units:
        if not left.issuperset(unit.members):
            continue
        gone.update(unit.members)
        course.take(
            without(given, gone),
            Step(
                action="trim",
                rule=done.rule,
                messages=places_of(given, unit.members),
                what=f"a unit of {many(len(unit.members), 'message')} left out whole",
                why=why,
            ),
        )
    carry(course, with_block(given, left, guard, work.block(done.block)), done.block)


def carry(course: Course, pieces: list[Piece], block: Block) -> None:
    """Put in the block with what is kept word for word of what left, and with the notice."""
    rules, failures = len(block.rules), len(block.failures)
    course.take(
        pieces,
        Step(
            action="carry",
            what=f"{many(rules, 'rule')} and {many(failures, 'failure stack')} word for word, and "
            "how much left",
            why="the model is told in one message behind the task",
        ),
    )


def not_allowed(course: Course, work: Work, over: int) -> str:
    """Say that nothing may be taken any more, by how much it is too large, and the largest part."""
    unit, budget = work.settings.unit, work.settings.budget
    largest = max(course.pieces, key=lambda one: one.cost)
    more = ", and summarise='never'" if work.settings.summarise == "never" else ""
    return (
        f"the history is {said(over, unit)} over its budget of {budget}, and trim='never'{more}: "
        f"the largest part is {named(largest)} with {said(largest.cost, unit)}. Give it a larger "
        "budget, or allow one of these"
    )
