"""A tier, carried out: rules first, a model only where they are not enough, the oldest last."""

from collections.abc import Generator

from ullage.history.ask_summary import ask_summary
from ullage.history.course import Course, Step
from ullage.history.cut_down import cut_down
from ullage.history.repair import repaired
from ullage.history.summary import Answer, Ask, Failed
from ullage.history.take_out import take_out
from ullage.history.units import units_of
from ullage.history.work import Work

SHORT = 3
"""A history of so many replies of the model, or fewer, is left alone while it fits."""


def compacting(course: Course, work: Work) -> Generator[Ask, Answer | Failed, None]:
    """Carry out a tier on a history; a request to a summariser is yielded, and its answer sent in.

    Raises HistoryError where the history is over its budget in the end and nothing more may be
    taken from it.
    """
    if not work.plan.acts:
        course.rest(unmanaged(course, work))
        return
    repair(course, work)
    why = at_rest(course, work)
    if why is not None:
        course.rest(why)
        return
    told = len(course.events)
    if work.plan.elides:
        take_out(course, work, elision_limit(work))
    if work.plan.summarises:
        yield from ask_summary(course, work, summary_limit(work))
    cut_down(course, work)
    if len(course.events) == told:
        course.rest("no rule finds anything to take out, and the history fits")


def unmanaged(course: Course, work: Work) -> str:
    """Say how a history stands that nothing is done to."""
    over = course.cost - work.settings.budget
    unit = work.settings.unit
    return "tier T0 does nothing" + (f": {over} {unit} over the budget" if over > 0 else "")


def repair(course: Course, work: Work) -> None:
    """Mend calls without results and results without calls; each kind is an event."""
    mended = repaired(course.pieces, work.form, work.gauge)
    if not mended.repairs:
        return
    whats = list(dict.fromkeys(one.what for one in mended.repairs))
    course.take(
        mended.pieces,
        Step(
            action="repair",
            messages=tuple(sorted({one.place for one in mended.repairs if one.place is not None})),
            what="; ".join(
                f"{what} ({sum(one.what == what for one in mended.repairs)})" for what in whats
            ),
            why="; ".join(dict.fromkeys(one.why for one in mended.repairs)),
        ),
    )


def at_rest(course: Course, work: Work) -> str | None:
    """Say why a history is left alone; None where it is not."""
    settings = work.settings
    fits = course.cost <= settings.budget
    begins = min(elision_limit(work), summary_limit(work))
    if course.cost <= begins:
        below = "fits the budget" if begins >= settings.budget else f"is below {begins}"
        return f"the history takes {course.cost} of {settings.budget} {settings.unit}: it {below}"
    replies = max((one.turn for one in units_of(course.pieces)), default=0)
    if fits and replies <= SHORT:
        words = "1 reply" if replies == 1 else f"{replies} replies"
        return f"the history fits, and a history of {words} of the model is short"
    return None


def elision_limit(work: Work) -> int:
    """Return what a history may take before rules shorten it, and down to which they do."""
    return work.settings.soft_limit if work.plan.ratios else work.settings.budget


def summary_limit(work: Work) -> int:
    """Return what a history may take before a summary is asked for."""
    return work.settings.hard_limit if work.plan.ratios else work.settings.budget
