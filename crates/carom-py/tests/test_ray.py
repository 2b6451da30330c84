"""``carom.ray`` with two worker processes, one of which is killed in the middle of its work. Ray is a large install."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif("CAROM_LONG" not in os.environ, reason="set CAROM_LONG=1 for the test of Ray")
if "CAROM_LONG" in os.environ:
    ray = pytest.importorskip("ray")
    pytest.importorskip("pyarrow")
    import carom.ray
    from impacts import read_answers, write_files

# Files with several row groups each, so that the kill falls into one.
FILES, ROWS = 12, 100_000
LAW: carom.LawId = "routh-stronge"
DEADLINE = 100.0


def kill_at_work(out: Path, killed: threading.Event) -> None:
    """Kills a worker while it has a file half written, after others are finished."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        workers = [int(part.name.split(".")[-2]) for part in out.glob(".*.part")]
        if workers and any(out.glob("*.parquet")):
            os.kill(workers[0], signal.SIGKILL)
            killed.set()
            return
        time.sleep(0.002)


def test_a_killed_worker_loses_and_doubles_nothing(tmp_path: Path) -> None:
    write_files(tmp_path / "in", FILES, ROWS, groups=8)
    out = tmp_path / "out"
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        killed = threading.Event()
        killer = threading.Thread(target=kill_at_work, args=(out, killed))
        killer.start()
        report = carom.ray.resolve(tmp_path / "in", out, LAW)
        killer.join()
        assert killed.is_set()
        again: Any = carom.ray.resolve(tmp_path / "in", out, LAW)
    finally:
        ray.shutdown()
    assert (len(report.files), report.rows, report.errors) == (FILES, FILES * ROWS, 0)
    assert (again.rows, again.skipped) == (FILES * ROWS, FILES)
    assert sorted(out.iterdir()) == sorted(report.files)
    assert read_answers(out).column("id").to_pylist() == list(range(FILES * ROWS))
