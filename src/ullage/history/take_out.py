"""The step in which rules take stale results out."""

from ullage.history.carried import places_of
from ullage.history.course import Course, Step
from ullage.history.elide import elisions
from ullage.history.work import Work
from ullage.transcript.counted import many


def take_out(course: Course, work: Work, target: int) -> None:
    """Elide results by rules, oldest first, until the history takes no more than `target`.

    The rules run until they find nothing more: what one of them left, another may find stale, and a
    second compaction must find nothing to do.
    """
    if work.settings.unit == "messages":
        course.rest("rules make results shorter, not fewer: the budget counts messages")
        return
    found = True
    while found and course.cost > target:
        found = round_of(course, work, course.cost - target)


def round_of(course: Course, work: Work, over: int) -> bool:
    """Let every rule look once; return whether any of them took something."""
    pieces = course.pieces

    def size(index: int, text: str) -> int:
        return work.form.reword(pieces[index], text, work.gauge).cost

    done = list(elisions(pieces, work.guard(pieces), work.rules, over, size, handle=work.handle))
    for one in done:
        now = list(course.pieces)
        old = now[one.index]
        now[one.index] = work.form.reword(old, one.text, work.gauge)
        course.take(
            now,
            Step(
                action="elide",
                rule=one.rule,
                messages=places_of(now, [one.index]),
                what=f"a result of {many(len(old.message.text), 'character')} shortened to "
                f"{len(one.text)}",
                why=one.why,
            ),
        )
    return bool(done)
