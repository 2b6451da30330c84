"""Examples that need nothing but carom and pandas."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest


@pytest.mark.parametrize(("name", "words"), [("own_law", "clipped-newton"), ("certify_solver", "exactly")])
def test_example(repository: Path, capsys: pytest.CaptureFixture[str], name: str, words: str) -> None:
    runpy.run_path(str(repository / f"crates/carom-py/examples/{name}.py"), run_name="__main__")
    assert words in capsys.readouterr().out
