"""Progress of long work, and what stops it."""

from __future__ import annotations

import sys
from typing import Any

import carom
import carom.batch
import numpy as np
import pytest

CRADLE: dict[str, Any] = {"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}}


def slow(count: int) -> dict[str, Any]:
    """Impacts that take a while together."""
    rng = np.random.default_rng(3)
    square = rng.normal(size=(count, 6, 6))
    return {
        "delassus": square @ square.transpose(0, 2, 1) + np.eye(6),
        "contact_velocity": -np.abs(rng.normal(size=(count, 6))),
        "mu": np.full((count, 2), 0.3),
        "e": 0.5,
    }


def test_a_function_is_told() -> None:
    told: list[tuple[int, int]] = []
    arrays = slow(20_000)
    carom.batch.resolve(arrays, "plus", certify=True, progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (20_000, 20_000) and {of for _, of in told} == {20_000}
    assert len(told) > 1 and [done for done, _ in told] == sorted(done for done, _ in told)
    told.clear()
    carom.batch.impulses(slow(10), "plus", progress=lambda done, of: told.append((done, of)))
    assert told == [(10, 10)]
    told.clear()
    carom.compare(CRADLE, ["newton", "sequential"], progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_what_it_raises_ends_the_work() -> None:
    def refuse(done: int, of: int) -> None:
        raise RuntimeError(f"enough at {done}")

    with pytest.raises(RuntimeError, match="enough"):
        carom.batch.resolve(slow(20_000), "plus", certify=True, progress=refuse)
    with pytest.raises(RuntimeError, match="enough at 0"):
        carom.compare(CRADLE, progress=refuse)
    with pytest.raises(carom.BadProblem, match="progress"):
        carom.compare(CRADLE, progress="loud")  # type: ignore[call-overload]


@pytest.mark.parametrize("tqdm", [False, True])
def test_a_bar_is_shown_and_nothing_by_default(
    tqdm: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(sys.modules, "tqdm", None)
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    carom.batch.resolve(slow(50), "plus")
    assert capsys.readouterr() == ("", "")
    carom.batch.resolve(slow(50), "plus", progress=True)
    shown = capsys.readouterr()
    assert shown.out == "" and "100" in shown.err and "50" in shown.err and "impacts" in shown.err
