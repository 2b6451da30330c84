"""Ensembles of motions on a Dask cluster: the same rows as on this machine, and a restart that computes what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carom
import carom.ensembles

distributed = pytest.importorskip("distributed")
parquet = pytest.importorskip("pyarrow.parquet")

import carom.dask  # noqa: E402
from motions import bouncing  # noqa: E402

DESIGN: dict[str, Any] = {"bodies[1].velocity[0]": {"about": 0.3}, "e": np.array([0.2, 0.5, 7.0])}


def test_rows_are_those_of_one_machine(tmp_path: Path) -> None:
    reference = carom.ensembles.simulate(bouncing(bodies=BODIES), DESIGN, count=10, seed=4).to_arrow()
    arguments: dict[str, Any] = {"count": 10, "seed": 4, "rows": 7}
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        report = carom.dask.simulate(bouncing(bodies=BODIES), DESIGN, tmp_path / "out", client=client, **arguments)
        assert (len(report.files), report.rows, report.errors, report.skipped) == (5, 30, 10, 0)
        report.files[2].unlink()
        again = carom.dask.simulate(bouncing(bodies=BODIES), DESIGN, tmp_path / "out", client=client, **arguments)
        assert (again.rows, again.errors, again.skipped) == (30, 10, 4)
        with pytest.raises(carom.BadProblem, match="another input or by another build"):
            carom.dask.simulate(bouncing(bodies=BODIES), DESIGN, tmp_path / "out", client=client, **{**arguments, "seed": 5})
        with pytest.raises(carom.InputError, match="has no number"):
            carom.dask.simulate(bouncing(), {"bodies[5].mass": [1]}, tmp_path / "other", client=client)
        with pytest.raises(carom.BadProblem, match="rows"):
            carom.dask.simulate(bouncing(), {"e": [0.5]}, tmp_path / "other", client=client, rows=0)
    rows = [row for file in report.files for row in parquet.read_table(file).to_pylist()]
    assert len(rows) == 30
    for found, wanted in zip(rows, reference.to_pylist(), strict=True):
        for name, value in wanted.items():
            other = found[name]
            assert other == value or (value != value and other != other), name


BODIES = [bouncing()["bodies"][0], {**bouncing()["bodies"][1], "velocity": [1.0, 0.0]}]
