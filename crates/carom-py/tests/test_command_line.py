"""The command line that comes with the package."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import carom
import pytest
from carom._carom import _build

if sys.version_info >= (3, 11):
    import tomllib


def run(*arguments: str, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "carom", *arguments], input=stdin, cwd=cwd, capture_output=True, text=True, timeout=120
    )


def test_it_answers_like_the_library(repository: Path) -> None:
    path = repository / "scenarios/kane-double-pendulum.toml"
    said = run("resolve", str(path), "--law", "routh-stronge", "--json")
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout)["impulse"] == carom.load(path).resolve("routh-stronge").impulse.tolist()
    assert run("--version").stdout.split() == ["carom", carom.__version__]
    verbose = run("--version", "--verbose")
    assert verbose.returncode == 0 and _build() in verbose.stdout


def test_exit_status_and_streams() -> None:
    wall = {"delassus": [[1]], "contact_velocity": [-1], "contacts": [{"e": 0.5}]}
    line = json.dumps({"id": 7, "problem": wall, "law": "newton"})
    said = run("resolve", "--ndjson", stdin=line + "\n")
    assert said.returncode == 0 and json.loads(said.stdout)["id"] == 7
    assert run("certify", "-", "--impulse", "9", stdin=json.dumps(wall)).returncode == 3
    wrong = run("resolv")
    assert wrong.returncode == 2 and "resolve" in wrong.stderr
    assert run("--help").returncode == 0


def test_it_has_all_its_features(tmp_path: Path, repository: Path) -> None:
    picture = tmp_path / "picture.png"
    said = run("plot", str(repository / "scenarios/kane-double-pendulum.toml"), "--out", str(picture))
    assert said.returncode == 0 and picture.stat().st_size > 1000, said.stderr
    assert "sweep" in run("sweep", "--help").stdout


def test_the_wheel_installs_a_script(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["scripts"] == {"carom": "carom._cli:main"}
    assert project["tool"]["maturin"]["strip"] is True


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_ends_it() -> None:
    long = json.dumps({"chain": {"count": 3000, "mass": 1, "velocity": {"first": 1}, "e": 0.9}})
    command = [sys.executable, "-m", "carom", "resolve", "-", "--law", "mosterman"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(long)
            process.stdin.close()
            process.stdin = None
            # Long enough for Python and the law to begin, far shorter than the law takes.
            time.sleep(2.0)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130 and "interrupted" in err
