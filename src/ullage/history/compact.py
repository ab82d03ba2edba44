"""Shorten a history to a budget: the public way in, with and without an event loop."""

import logging
import time
from typing import Unpack

from ullage.history.compacted import Compacted
from ullage.history.drive import drive, drive_async
from ullage.history.job import Job, Options, job_of
from ullage.history.recorded import record_events
from ullage.history.told import acted

LOGGER = logging.getLogger("ullage.history")
RUN = "compact"
"""The run under which a ledger has a compaction, unless it is given another one."""


def compact(history: object, budget: int, **options: Unpack[Options]) -> Compacted:
    """Return a history within a budget, and the account of all that was done to it.

    `history` is a request body of OpenAI (chat, Responses), Anthropic or Gemini, a list of
    messages, or a `Transcript`; nothing of it is altered in place, and what is kept is the very
    object that was given. `budget` is the model's window: messages, tools and the reply's reserve.
    `Options` says what else may be set. Raises HistoryError where the history is over its budget in
    the end (tier T0 aside), LoadError for what is no history, ValueError for settings that cannot
    be meant.
    """
    job = job_of(history, budget, options)
    drive(job.steps, job.summariser)
    return finished(job)


async def compact_async(history: object, budget: int, **options: Unpack[Options]) -> Compacted:
    """Do what `compact` does; the summariser may be an async function."""
    job = job_of(history, budget, options)
    await drive_async(job.steps, job.summariser)
    return finished(job)


def finished(job: Job) -> Compacted:
    """Return what came out, after it was logged and recorded."""
    done = job.done()
    for line in acted(done.events):
        LOGGER.warning("%s", line)
    ledger = job.options.get("ledger")
    if ledger is not None:
        record_events(ledger, job.options.get("run") or RUN, done, time.time())
    return done
