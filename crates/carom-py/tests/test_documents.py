"""Python in README.md and in the book runs as it stands there."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import carom
import pytest

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_ten_lines_of_the_readme(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = BLOCK.findall((repository / "README.md").read_text(encoding="utf-8"))
    assert blocks, "README.md shows no Python"
    ten = blocks[0]
    assert len(ten.splitlines()) <= 10 and "carom.resolve(" in ten and "certificate" in ten
    known: dict[str, object] = {}
    exec(compile(ten, "README.md", "exec"), known)
    out = known["out"]
    assert isinstance(out, carom.Outcome) and out.certificate.permissible
    assert "permissible" in capsys.readouterr().out or out.certificate.verdict == "boundary"


def test_the_page_of_the_book(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    page = (repository / "docs/book/src/python.md").read_text(encoding="utf-8")
    session = "\n".join(BLOCK.findall(page))
    assert session.count(">>> ") > 15
    # Examples name files of the repository and write some of their own.
    shutil.copytree(repository / "scenarios", tmp_path / "scenarios")
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(session, {}, "python.md", "python.md", 0)
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example)
    assert result.failed == 0 and (tmp_path / "impulse-space.svg").exists()


def test_the_page_on_motion(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("agg")
    page = (repository / "docs/book/src/python-motion.md").read_text(encoding="utf-8")
    session = "\n".join(BLOCK.findall(page))
    assert session.count(">>> ") > 15
    shutil.copytree(repository / "scenes", tmp_path / "scenes")
    monkeypatch.chdir(tmp_path)
    example = doctest.DocTestParser().get_doctest(session, {}, "python-motion.md", "python-motion.md", 0)
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    assert doctest.DocTestRunner(optionflags=flags).run(example).failed == 0


def test_the_version_is_that_of_the_workspace(repository: Path) -> None:
    manifest = (repository / "Cargo.toml").read_text(encoding="utf-8")
    workspace = re.search(r'^\[workspace\.package\]\nversion = "(.*)"$', manifest, re.MULTILINE)
    assert workspace is not None and carom.__version__ == workspace[1]
    assert 'dynamic = ["version"]' in (repository / "pyproject.toml").read_text(encoding="utf-8")
