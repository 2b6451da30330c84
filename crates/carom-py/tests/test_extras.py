"""Adapters whose engine or cluster is missing say which extra installs it."""

from __future__ import annotations

import importlib
import sys

import pytest


@pytest.mark.parametrize(
    ("adapter", "package"),
    [("mujoco", "mujoco"), ("pinocchio", "pinocchio"), ("dask", "distributed"), ("ray", "ray")],
)
def test_a_missing_package_is_named(adapter: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"carom.{adapter}", raising=False)
    with pytest.raises(ImportError, match=rf"pip install 'carom\[{adapter}\]'"):
        importlib.import_module(f"carom.{adapter}")
