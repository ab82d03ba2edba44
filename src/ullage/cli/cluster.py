"""A Dask cluster as an executor: a scheduler and workers that somebody has started."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from ullage.errors import UllageError

PATIENCE = "20s"
"""So long a scheduler is waited for."""


@contextmanager
def on_cluster(address: str) -> Iterator[Executor]:
    """Give an executor on the cluster whose scheduler is at `address`.

    The workers read the sources themselves, by the same paths, and have the same version of Ullage.
    Raises UllageError where there is no scheduler, no worker, or no `dask.distributed`.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise UllageError(
            f"a cluster needs dask.distributed: pip install 'ullage[cluster]' ({error})"
        ) from error
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise UllageError(f"no Dask scheduler answers at {address!r}: {error}") from error
    with client:
        if not client.scheduler_info()["workers"]:
            raise UllageError(f"the scheduler at {address!r} has no worker: dask worker {address}")
        yield client.get_executor()
