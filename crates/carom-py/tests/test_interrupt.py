"""Ctrl-C ends long work, and other threads go on meanwhile."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import Any

import carom
import pytest

# Two balls of very unlike mass against a wall: the sequence takes some 10⁷ collisions.
LONG: dict[str, Any] = {
    "mass": [1.0, 1e14],
    "jacobian": [[1.0, 0.0], [-1.0, 1.0]],
    "velocity": [0.0, -1.0],
    "contacts": [{"e": 1.0}, {"e": 1.0}],
}
SCRIPT = f"""
import carom
problem = carom.Problem({LONG!r})
print("begin", flush=True)
try:
    {{call}}
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("call", ["problem.resolve('sequential')", "carom.compare(problem, ['sequential'])"])
def test_ctrl_c_ends_the_work(call: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(call=call)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "begin\n"
    time.sleep(0.2)
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out == "interrupted\n", err
    assert time.monotonic() - asked < 30


def test_other_threads_go_on() -> None:
    problem = carom.Problem(LONG | {"mass": [1.0, 1e11]})
    worker = threading.Thread(target=lambda: problem.resolve("sequential"))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
        time.sleep(0)
    worker.join()
    assert turns > 10
