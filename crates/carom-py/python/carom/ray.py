"""Impacts in Parquet files on a Ray cluster: ``carom.ray.resolve("impacts/", "answers/", law="plus")``.

Columns are those of :func:`carom.batch.resolve_arrow`. One task is one file or row group; each leaves one file.
"""

from __future__ import annotations

import os
from typing import Any

try:
    import pyarrow  # noqa: F401
    import ray
except ImportError as error:
    raise ImportError("carom.ray needs Ray and PyArrow: pip install 'carom[ray]'") from error

from carom._cluster import Dataset, Report, do, plan
from carom._law_like import LawLike
from carom._progress import Progress, shown

__all__ = ["Report", "resolve"]

# How often a task is repeated whose worker died; Dask's default.
_RETRIES = 3


def resolve(
    dataset: Dataset,
    out: str | os.PathLike[str] | None = None,
    law: LawLike = "plus",
    *,
    rows: int | list[int] | None = None,
    by: str = "file",
    existing: str = "refuse",
    progress: Progress = False,
    **settings: Any,
) -> Report:
    """Resolves every row of `dataset` under `law` into the folder `out`, one output for each input.

    Runs on the cluster that ``ray.init`` has joined, or else on this machine. Arguments, restart and the death of a
    worker are as in :func:`carom.dask.resolve`.
    """
    work = plan(dataset, out, law, settings, rows=rows, by=by, existing=existing)
    mine = not ray.is_initialized()
    if mine:
        ray.init()
    try:
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(do)
        todo = [task.remote(one) for one in work.tasks]
        with shown(progress, len(todo), "tasks") as show:
            if show is not None:
                for done in range(1, len(todo)):
                    ray.wait(todo, num_returns=done)
                    show(done)
            return work.report(ray.get(todo))
    finally:
        if mine:
            ray.shutdown()
