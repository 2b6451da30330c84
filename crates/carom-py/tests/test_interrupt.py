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

# A long chain, whose rounds take minutes.
LONG: dict[str, Any] = {"chain": {"count": 3000, "mass": 1, "velocity": {"first": 1}, "e": 0.9}}
SCRIPT = """
import carom
problem = carom.Problem(%s)
print("begin", flush=True)
try:
    %s
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize("call", ["problem.resolve('mosterman')", "carom.compare(problem, ['mosterman'])"])
def test_ctrl_c_ends_the_work(call: str) -> None:
    command = [sys.executable, "-c", SCRIPT % (LONG, call)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "begin\n"
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            # Work that hears nothing would go on for ever.
            process.kill()
    assert out == "interrupted\n", err


def test_other_threads_go_on() -> None:
    problem = carom.Problem({"chain": LONG["chain"] | {"count": 150}})
    worker = threading.Thread(target=lambda: problem.resolve("mosterman"))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
        time.sleep(0.001)
    worker.join()
    # Were the interpreter held, this thread would have had its turn before the work and after it.
    assert turns > 5
