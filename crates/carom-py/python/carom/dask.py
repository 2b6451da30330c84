"""Impacts in Parquet files on a Dask cluster: ``carom.dask.resolve("impacts/", "answers/", law="plus")``.

Columns are those of :func:`carom.batch.resolve_arrow`. One task is one file or row group; each leaves one file.
``carom.dask.simulate`` does the same for ensembles of motions: one task is some points of a design.
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

from carom import _cluster_motion
from carom._cluster import Dataset, Plan, Report, do, plan
from carom._law_like import LawLike
from carom._motion import SceneLike, scene_of
from carom._progress import Progress, shown
from carom.ensembles import Design

__all__ = ["Report", "resolve", "simulate"]


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
    return _done(work, do, client, progress)


def simulate(
    scene: SceneLike,
    design: Design,
    out: str | os.PathLike[str],
    *,
    count: int | None = None,
    seed: int = 0,
    law: LawLike | None = None,
    duration: float | None = None,
    rows: int = 1000,
    client: distributed.Client | None = None,
    existing: str = "refuse",
    progress: Progress = False,
    **settings: Any,
) -> Report:
    """Follows every point of `design` as :func:`carom.ensembles.simulate` does, into Parquet files in the folder `out`.

    Each file has the columns of :attr:`carom.ensembles.Ended.columns` for `rows` points; together they have the same bits
    as one call on this machine. Restart, `existing`, `client` and the death of a worker are as in :func:`resolve`.
    """
    work = _cluster_motion.plan(
        scene_of(scene),
        design,
        out,
        count=count,
        seed=seed,
        law=law,
        settings=settings,
        duration=duration,
        rows=rows,
        existing=existing,
    )
    return _done(work, _cluster_motion.do, client, progress)


def _done(work: Plan[Any], do: Any, client: distributed.Client | None, progress: Progress) -> Report:
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
