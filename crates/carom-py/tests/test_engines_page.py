"""The pages of the book about engines and about stepping in time: snippets of each run, in their order, as one program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_snippets_run(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in ("mujoco", "pinocchio", "distributed", "pyarrow"):
        pytest.importorskip(engine)
    monkeypatch.chdir(tmp_path)
    page = (repository / "docs/book/src/engines.md").read_text(encoding="utf-8")
    snippets = SNIPPET.findall(page)
    assert len(snippets) == 4
    names: dict[str, Any] = {"__name__": "page"}
    for snippet in snippets:
        exec(compile(snippet, "engines.md", "exec"), names)
    report = names["report"]
    assert (report.rows, len(report.files), report.errors) == (1000, 2, 0)


def test_the_page_on_time_runs(repository: Path) -> None:
    pytest.importorskip("mujoco")
    page = (repository / "docs/book/src/stepping.md").read_text(encoding="utf-8")
    snippets = SNIPPET.findall(page)
    assert len(snippets) == 7 and sum(snippet.count("assert ") for snippet in snippets) >= 6
    names: dict[str, Any] = {"__name__": "page"}
    for snippet in snippets:
        exec(compile(snippet, "stepping.md", "exec"), names)
    # What the last one shows: it goes on where a law has no answer.
    model, data = names["ball"](0.1)
    assert names["step"](model, data).velocity[2] == pytest.approx(0.0, abs=0.02)
