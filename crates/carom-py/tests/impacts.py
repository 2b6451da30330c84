"""Impacts as Parquet files, for the tests of clusters."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

# Each call of the kernel in a slowed worker takes this long [s], so that a kill falls into a task.
PAUSE = 0.2


def write_files(folder: Path, files: int, rows: int, groups: int = 2, seed: int = 20261116) -> None:
    """`files` files of `rows` impacts of one contact in space, with an `id` of each, in `groups` row groups."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True)
    for file in range(files):
        square = rng.normal(size=(rows, 3, 3))
        delassus = square @ square.transpose(0, 2, 1) + np.eye(3)
        velocity = rng.normal(size=(rows, 3))
        velocity[:, 0] = -np.abs(velocity[:, 0])
        table = pa.table(
            {
                "id": np.arange(file * rows, (file + 1) * rows),
                "delassus": pa.FixedSizeListArray.from_arrays(delassus.ravel(), 9),
                "contact_velocity": pa.FixedSizeListArray.from_arrays(velocity.ravel(), 3),
                "mu": rng.uniform(0.0, 1.0, rows),
                "e": rng.uniform(0.0, 1.0, rows),
            }
        )
        pq.write_table(table, folder / f"part-{file:02}.parquet", row_group_size=max(rows // groups, 1))


def read_answers(folder: Path) -> pa.Table:
    """All answers in a folder, by `id`."""
    files = sorted(folder.rglob("*.parquet"))
    return pa.concat_tables([pq.read_table(file) for file in files]).sort_by("id")


def slow_down() -> int:
    """Makes the kernel of the worker that runs this slow; answers its process."""
    import carom.batch

    quick = carom.batch.resolve_arrow

    def slow(*arguments: Any, **options: Any) -> Any:
        answer = quick(*arguments, **options)
        time.sleep(PAUSE)
        return answer

    carom.batch.resolve_arrow = slow
    return os.getpid()
