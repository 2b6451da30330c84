"""The page of the book about engines and clusters: its snippets run, in their order, as one program."""

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
