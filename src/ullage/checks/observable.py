"""What an input lets us judge: without it, "nothing found" would say nothing."""

from dataclasses import dataclass

from ullage.checks.assemble import FORM
from ullage.checks.measure import Run
from ullage.checks.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Observable:
    """Counts of what the four silent failures can be seen in.

    `follow_ups` are requests that are held against an earlier one of their conversation.
    `results` are tool results that were delivered; of `results_known` what was produced is known
    too, and `results_shortened` show by themselves that they were cut. `replies` are those of
    which it is known why they ended. `compactions` counts those that were seen or recorded; None
    where there is none and nothing says that there would be a record.
    """

    follow_ups: int = 0
    results: int = 0
    results_known: int = 0
    results_shortened: int = 0
    replies: int = 0
    compactions: int | None = None

    def plus(self, other: "Observable") -> "Observable":
        """Return what can be judged of both inputs together."""
        compactions = [one for one in (self.compactions, other.compactions) if one is not None]
        return Observable(
            follow_ups=self.follow_ups + other.follow_ups,
            results=self.results + other.results,
            results_known=self.results_known + other.results_known,
            results_shortened=self.results_shortened + other.results_shortened,
            replies=self.replies + other.replies,
            compactions=sum(compactions) if compactions else None,
        )


def observable(run: Run) -> Observable:
    """Return what can be judged of a run, a file of exchanges, or one transcript.

    A transcript holds messages, not requests: what was no longer sent shows in it only where the
    transcript records a compaction.
    """
    requests = run.measurement.requests
    told = [one for one in run.sessions if one.transcript.form != FORM]
    known = sum(one.arrival is not None for one in run.measurement.results)
    compactions = requests.compactions + sum(map(compactions_of, run.sessions))
    return Observable(
        follow_ups=0 if told else max(0, requests.read - requests.conversations),
        results=known + run.measurement.unknown,
        results_known=known,
        results_shortened=run.measurement.unknown_shortened,
        replies=requests.ended + sum(map(replies_of, told)),
        compactions=compactions or None,
    )


def compactions_of(session: Session) -> int:
    """Count the compactions that a transcript records, or in which a summary was seen."""
    return sum(one.recorded or one.act == "summarise" for one in session.transcript.compactions)


def replies_of(session: Session) -> int:
    """Count the replies of a transcript that say why they ended; shared ones count elsewhere."""
    whole = session.transcript
    own = (one for number, one in enumerate(whole.entries) if number >= whole.shared)
    return sum(
        one.message.role == "assistant" and (one.finish_reason is not None or one.label is not None)
        for one in own
    )
