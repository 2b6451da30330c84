"""Impacts in Parquet files on a Dask cluster: ``carom.dask.resolve("impacts/", "answers/", law="plus")``.

Columns are those of :func:`carom.batch.resolve_arrow`. One task is one file or row group; each leaves one file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

try:
    import distributed
    import pyarrow  # noqa: F401
except ImportError as error:
    raise ImportError("carom.dask needs Dask and PyArrow: pip install 'carom[dask]'") from error

from carom._cluster import Dataset, Report, do, plan
from carom._law_like import LawLike
from carom._progress import Progress, shown

__all__ = ["Report", "resolve"]


def resolve(
    dataset: Dataset,
    out: str | os.PathLike[str] | None = None,
    law: LawLike = "plus",
    *,
    client: distributed.Client | None = None,
    rows: int | list[int] | None = None,
    by: str = "file",
    existing: str = "refuse",
    progress: Progress = False,
    **settings: Any,
) -> Report:
    """Resolves every row of `dataset` under `law` into the folder `out`, one output for each input.

    dataset
        A Parquet file, a folder of them (with its subfolders), or a list of files; visible to all workers, as `out` is.
    out
        The folder of the answers; by default beside `dataset`, with ``-answers`` behind its name.
    client
        The cluster; by default the current one, or else this machine with one process per core.
    rows
        Rows of each contact, as :func:`carom.batch.resolve_arrow` takes them.
    by
        ``"file"`` or ``"row_group"``: what one task is. Row groups become files ``name.00000.parquet``, ….
    existing
        Outputs of the same inputs, law, settings and build of carom are not computed again. On others ``"refuse"`` raises an
        error before anything is computed; ``"recompute"`` replaces them.
    progress
        Show how many tasks are done, as :func:`carom.batch.resolve` shows impacts.
    settings
        Settings of the law.

    A worker that dies costs its task, which another one repeats. Two runs must not share a folder at the same time.
    """
    work = plan(dataset, out, law, settings, rows=rows, by=by, existing=existing)
    with _connected(client) as cluster:
        futures = cluster.map(do, work.tasks, pure=False)
        with shown(progress, len(futures), "tasks") as show:
            if show is not None:
                for done, _ in enumerate(distributed.as_completed(futures), 1):
                    show(done)
            return work.report(cluster.gather(futures))


@contextmanager
def _connected(client: distributed.Client | None) -> Iterator[distributed.Client]:
    if client is not None:
        yield client
        return
    try:
        current = distributed.get_client()
    except ValueError:
        with distributed.Client(processes=True, n_workers=os.cpu_count(), threads_per_worker=1) as own:
            yield own
    else:
        yield current
