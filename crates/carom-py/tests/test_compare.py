"""Many laws on one problem."""

from __future__ import annotations

import sys
from typing import Any

import carom
import numpy as np
import numpy.typing as npt
import pytest

DISK: dict[str, Any] = {
    "delassus": [[1, 0], [0, 3]],
    "contact_velocity": [-1, 2],
    "contacts": [{"mu": 0.25, "e": 0.5}],
}
CRADLE: dict[str, Any] = {"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}}


@pytest.fixture
def without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)


def test_every_law_stands_in_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    table = carom.compare(DISK)
    assert isinstance(table, pandas.DataFrame)
    without = table.attrs["without_answer"]
    assert set(table.index) | set(without) == {law.id for law in carom.laws()}
    assert "ratios" in without["brach"]
    row = table.loc["chatterjee-ruina"]
    wanted = carom.Problem(DISK).resolve("chatterjee-ruina")
    assert [row["impulse_n"], row["impulse_t"]] == wanted.impulse.tolist()
    assert row["verdict"] == wanted.certificate.verdict and row["energy_change"] == wanted.energy_change


def test_without_pandas_rows_are_dicts(without_pandas: None) -> None:
    rows = carom.compare(CRADLE, laws=["sequential", {"id": "lzb", "exponent": 1.0}, "smith", "stiff-limit"])
    assert isinstance(rows, carom.Comparison)
    assert {row["law"] for row in rows} == {"sequential", "lzb", "stiff-limit"}
    assert list(rows.without_answer) == ["smith"]
    sequential = next(row for row in rows if row["law"] == "sequential")
    assert [sequential[f"velocity[{i}]"] for i in range(3)] == [0.0, 0.0, 1.0]
    distance = sequential["distance_to_stiff_limit"]
    assert isinstance(distance, float) and distance > 0.1


def test_a_function_is_a_law(without_pandas: None) -> None:
    def doubled(problem: carom.Problem) -> npt.ArrayLike:
        assert problem.delassus.shape == (2, 2) and len(problem) == 1 and problem.rows == [2]
        assert (problem.mu[0], problem.e[0], problem.e_t[0]) == (0.25, 0.5, 0.0)
        return np.array([-4 * problem.contact_velocity[0] / problem.delassus[0, 0], 0.0])

    def silent(problem: carom.Problem) -> npt.ArrayLike:
        raise carom.NoAnswer("not today")

    rows = carom.compare(DISK, laws=[], extra={"doubled": doubled, "silent": silent})
    assert [row["law"] for row in rows] == ["doubled"] and rows.without_answer == {"silent": "not today"}
    assert rows[0]["verdict"] == "violates" and rows[0]["violates"] == "energy"
    assert rows[0]["contact_velocity_n"] == 3.0


def test_faults_of_functions_are_told() -> None:
    def broken(problem: carom.Problem) -> npt.ArrayLike:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        carom.compare(DISK, laws=[], extra={"broken": broken})
    with pytest.raises(carom.BadProblem, match="impulse of `short`"):
        carom.compare(DISK, laws=[], extra={"short": lambda problem: 1.0})
    with pytest.raises(carom.BadProblem, match="impulse"):
        carom.compare(DISK, laws=[], extra={"short": lambda problem: [1.0]})
    with pytest.raises(carom.UnknownLaw, match="smith"):
        carom.compare(DISK, laws=["smyth"])  # type: ignore[list-item]
