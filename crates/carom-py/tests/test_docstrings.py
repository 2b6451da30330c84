"""Examples of docstrings, those of the compiled half included."""

from __future__ import annotations

import doctest
import importlib

import carom
import pytest

OBJECTS = {name: getattr(carom, name) for name in carom.__all__} | {"carom": carom}
try:
    OBJECTS["carom.plotting"] = importlib.import_module("carom.plotting").impulse_space
    importlib.import_module("matplotlib").use("agg")
except ImportError:
    del OBJECTS["carom.plotting"]


@pytest.mark.parametrize("name", OBJECTS)
def test_examples_run(name: str) -> None:
    for example in doctest.DocTestFinder(recurse=False).find(OBJECTS[name], name):
        result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example)
        assert result.failed == 0


def test_everything_is_documented() -> None:
    for name, thing in OBJECTS.items():
        # Constants have none: the version, and the ids of laws.
        assert name in ("__version__", "LawId") or thing.__doc__, name
    for name in ("resolve", "resolve_contact", "region", "plot", "certify", "laws", "compare", "Problem"):
        assert ">>> " in getattr(carom, name).__doc__, name
