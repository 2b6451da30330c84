"""``carom.dask`` with two worker processes, one of which is killed in the middle of its work."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import carom

distributed = pytest.importorskip("distributed")
pytest.importorskip("pyarrow")

import carom.dask  # noqa: E402
from impacts import read_answers, slow_down, write_files  # noqa: E402

FILES, ROWS = 12, 400
LAW: carom.LawId = "chatterjee-ruina"
DEADLINE = 25.0


def kill_at_work(out: Path, victim: int, killed: threading.Event) -> None:
    """Kills a worker while it has a file half written, after others are finished."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if any(out.glob("*.parquet")) and any(out.glob(f".*.{victim}.part")):
            os.kill(victim, signal.SIGKILL)
            killed.set()
            return
        time.sleep(0.002)


def test_a_killed_worker_loses_and_doubles_nothing(tmp_path: Path) -> None:
    write_files(tmp_path / "in", FILES, ROWS)
    out = tmp_path / "out"
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        victim = next(iter(client.run(slow_down).values()))
        killed = threading.Event()
        killer = threading.Thread(target=kill_at_work, args=(out, victim, killed))
        killer.start()
        report = carom.dask.resolve(tmp_path / "in", out, LAW, client=client)
        killer.join()
        assert killed.is_set()
        assert (len(report.files), report.rows, report.errors) == (FILES, FILES * ROWS, 0)
        again = carom.dask.resolve(tmp_path / "in", out, LAW, client=client)
    assert (again.rows, again.skipped) == (FILES * ROWS, FILES)
    assert sorted(out.iterdir()) == sorted(report.files)
    answers = read_answers(out)
    assert answers.column("id").to_pylist() == list(range(FILES * ROWS))
    assert answers.column("error").null_count == FILES * ROWS


def test_an_error_in_a_task_reaches_the_caller(tmp_path: Path) -> None:
    with pytest.raises(carom.InputError, match="dataset"):
        carom.dask.resolve(tmp_path / "nowhere", tmp_path / "out", LAW)
