"""What editors and type checkers are told of the compiled half is what it is."""

from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import carom
import pytest
from carom import _carom
from stub_documents import documented


def test_the_stub_has_the_compiled_documentation(repository: Path) -> None:
    path = repository / "crates/carom-py/python/carom/_carom.pyi"
    stub = path.read_text(encoding="utf-8")
    wanted = documented(stub, _carom)
    assert documented(wanted, _carom) == wanted
    if "CAROM_REWRITE" in os.environ:
        path.write_text(wanted, encoding="utf-8")
    else:
        assert stub == wanted, "write it by CAROM_REWRITE=1 cargo xtask test --python"
    # What hovering shows.
    tree = ast.parse(wanted)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    shown = ast.get_docstring(functions["resolve"])
    assert shown is not None and shown == inspect.getdoc(carom.resolve) and "Parameters" in shown


def test_the_stub_names_all_there_is(repository: Path) -> None:
    tree = ast.parse((repository / "crates/carom-py/python/carom/_carom.pyi").read_text(encoding="utf-8"))
    named = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    there = {name for name in vars(_carom) if not name.startswith("__")}
    assert set(named) == there
    for name, node in named.items():
        if isinstance(node, ast.ClassDef):
            parts = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            public = {part for part in vars(getattr(_carom, name)) if not part.startswith("_")}
            assert public <= parts, f"{name}: {public - parts}"


def test_ids_of_types_are_those_of_the_catalogue() -> None:
    assert list(get_args(carom.LawId)) == [law.id for law in carom.laws()]


# Lines of a program, and what mypy must say of each.
LINES = {
    'carom.resolve([1.0], [[1.0]], [-1.0], e=0.5, law="plsu")': "arg-type",
    'reveal_type(carom.compare({}, frame=False)[0]["verdict"])': 'Revealed type is "float | str | None"',
    'carom.compare({}, laws=["newtn"])': "list-item",
    "carom.compare({}, laws=3)": "call-overload",
    "carom.Problem.from_arrays([1.0], [[1.0]], [-1.0])": "Missing named argument",
    "carom.resolve([1.0], [[1.0]], [-1.0], e=0.5, law=carom.laws()[-1])": "",
    'carom.simulate({}, law="newtn")': "arg-type",
    "carom.simulate(3)": "arg-type",
    'carom.simulate("scene.toml", forces=lambda t, state: {"ball": -state.velocity["ball"]}).at(0.5).position["ball"]': "",
    'carom.ensembles.simulate({}, {"e": [0.5]}, law=carom.Law("newton")).columns["end_time"]': "",
    'carom.compare({}, laws=["newton", carom.Law("plus"), {"id": "composite"}])': "",
}


def test_type_checkers_find_mistakes(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text("\n".join(["import carom", *LINES]))
    options = ["--cache-dir", str(tmp_path / "cache"), "--ignore-missing-imports", "--follow-imports", "silent"]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(program)],
        env={**os.environ, "MYPYPATH": str(Path(carom.__file__).parents[1])},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    for number, (line, wanted) in enumerate(LINES.items(), start=2):
        said = [text for text in checked.stdout.splitlines() if text.startswith(f"program.py:{number}:")]
        assert bool(said) == bool(wanted) and wanted in "".join(said), (line, checked.stdout, checked.stderr)
