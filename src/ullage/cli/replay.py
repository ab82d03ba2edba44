"""`ullage replay`: what another policy would have delivered of recorded results."""

from concurrent.futures import Executor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ullage.cli.options import check_output
from ullage.cli.output import say
from ullage.cli.progress import progress, stopped_by_hand
from ullage.cli.replay_forms import FORMS, Form, needed, write
from ullage.policies.kept_shards import remove
from ullage.policies.policy import DEFAULT
from ullage.policies.replay import replay
from ullage.transcript.counted import many

if TYPE_CHECKING:
    from ullage.errors import LoadError

WORK = "ullage-replay.work"


@click.command("replay", short_help="Say what another policy would have delivered.")
@click.argument(
    "sources",
    metavar="SOURCE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
)
@click.option(
    "--policy",
    "policies",
    metavar="NAME:BUDGET",
    multiple=True,
    default=DEFAULT,
    show_default=True,
    help="A policy and its budget: characters, or tokens with a t (records:1500t). Or the name of a"
    " harness (openhands), or a function of your own (my_package.cuts:shorten:6000).",
)
@click.option("--from", "form", metavar="FORM", help="The form of the sources; else it is found.")
@click.option("--model", metavar="NAME", help="Count tokens as this model does.")
@click.option("--tokens/--no-tokens", default=True, help="Count tokens, which takes time.")
@click.option("--second-path", is_flag=True, help="Look for lost records elsewhere in a session.")
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="Processes that work at once; one for each core by default.",
)
@click.option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster: tcp://HOST:8786.")
@click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where finished shards are kept, so that the same command goes on from there."
    f" Without it: {WORK}, which is removed when all are done.",
)
@click.option(
    "--format",
    "output",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="Tables for people, one JSON document, CSV with a row for each rate, Markdown, a page"
    " with a picture for each policy, or Parquet (needs ullage[parquet] and --output).",
)
@click.option(
    "--output",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write there, and not to stdout.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def command(
    sources: tuple[Path, ...],
    policies: tuple[str, ...],
    form: str | None,
    model: str | None,
    tokens: bool,
    second_path: bool,
    workers: int | None,
    cluster: str | None,
    work: Path | None,
    output: Form,
    file: Path | None,
    quiet: bool,
) -> None:
    """Say what other policies would have delivered of the results in SOURCE.

    SOURCE is a ledger, a transcript, a folder of them, or a file of lines, one JSON object each:
    {"session", "tool", "produced"}, or "delivered" where only that is known. Each result is cut
    again under every policy, and compared with what was produced: how many are over the budget, cut
    and broken, and which parts and fields arrive. The first policy is what the others are compared
    with.

    \b
      ullage replay ullage.ledger
      ullage replay ullage.ledger --policy prefix:6000 --policy records:6000 --second-path
      ullage replay ~/.claude/projects --policy openhands --policy records:30000
      ullage replay results.jsonl --policy my_cuts:shorten:6000 --format json --output replay.json
      ullage replay ullage.ledger --format html --output replay.html

    Intervals are 95 %, over sessions. Only results whose produced text is known say what a policy
    loses; others are replayed from what was delivered, in a table of their own.
    """
    check_output(file)
    if output == "parquet":  # before the work, not after it
        from ullage.report.parquet import require

        require()
        needed(file)
    passed: list[LoadError] = []
    folder = work or Path(WORK)
    with ExitStack() as stack:
        executor = stack.enter_context(engine(cluster))
        stack.enter_context(stopped_by_hand(lambda: kept(folder)))
        step = stack.enter_context(progress("Replaying", unit="shards", quiet=quiet))
        found = replay(
            *sources,
            policies=policies,
            form=form,
            model=model,
            tokens=tokens,
            second_path=second_path,
            workers=workers,
            executor=executor,
            work=folder,
            progress=lambda done, all_: step(1, f"{done} of {all_}"),
            passed_over=passed.append,
        )
    if passed:
        say(f"ullage replay: {many(len(passed), 'file')} passed over, such as {passed[0]}")
    try:
        write(found, output, file)
    except (BrokenPipeError, SystemExit):  # whoever reads it has seen enough: rich then exits
        if work is None:
            remove(folder)
        raise
    if work is None:
        remove(folder)


def engine(cluster: str | None) -> AbstractContextManager[Executor | None]:
    """Return what the work is done on: None for processes of this machine."""
    if cluster is None:
        return nullcontext()
    from ullage.cli.cluster import on_cluster

    return on_cluster(cluster)


def kept(work: Path) -> str:
    """Say what is kept of a replay that is stopped."""
    return f"finished shards are in {work}; the same command goes on from there"
