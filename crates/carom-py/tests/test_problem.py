"""Problems of every form, and the judgement on impulses."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest

CRADLE: dict[str, Any] = {"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}}
DISK: dict[str, Any] = {
    "title": "A disk",
    "law": {"id": "composite", "sigma": 0.25},
    "delassus": [[1, 0], [0, 3]],
    "contact_velocity": [-1, 2],
    "contacts": [{"mu": 0.25, "e": 0.5}],
}


def test_every_scenario_is_read(repository: Path) -> None:
    files = [path for path in (repository / "scenarios").rglob("*") if path.suffix in (".json", ".toml")]
    assert len(files) > 10
    for path in files:
        if path.name.startswith("sweep"):
            continue
        problem = carom.load(path)
        again = carom.Problem(problem.to_dict())
        np.testing.assert_array_equal(again.contact_velocity, problem.contact_velocity)
        json.dumps(problem.to_dict())


def test_arrays_may_stand_for_lists() -> None:
    lists = carom.Problem(DISK).resolve().to_dict()
    arrays = carom.Problem(DISK | {"delassus": np.diag([1, 3]), "contact_velocity": np.array([-1.0, 2.0])})
    assert arrays.resolve().to_dict() == lists
    assert arrays.to_dict()["delassus"] == [[1.0, 0.0], [0.0, 3.0]]
    infinite = carom.Problem(DISK | {"contacts": [{"mu": np.inf, "e": np.float64(0.5), "rows": np.int64(2)}]})
    assert infinite.mu.tolist() == [np.inf] and json.dumps(infinite.to_dict())


def test_a_sparse_jacobian_may_stand_for_triplets() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    dense = {"mass": [1, 2], "jacobian": np.array([[-1.0, 1.0]]), "velocity": [1, 0], "contacts": [{"e": 1}]}
    thin = dense | {"jacobian": sparse.csr_matrix(dense["jacobian"])}
    wanted = carom.Problem(dense).resolve("newton").velocity
    np.testing.assert_allclose(carom.Problem(thin).resolve("newton").velocity, wanted, rtol=1e-15)


def test_the_law_of_the_problem_is_asked_unless_another_is_named() -> None:
    disk = carom.Problem(DISK)
    assert disk.law == {"id": "composite", "sigma": 0.25} and disk.title == "A disk"
    assert disk.resolve().law["id"] == "composite"
    assert disk.resolve("smith").law == {"id": "smith"}
    assert carom.Problem(CRADLE).resolve().law["id"] == "sequential"


def test_bodies_by_name() -> None:
    out = carom.Problem(
        {
            "bodies": [
                {"name": "floor", "fixed": True, "position": [0, 0, 0]},
                {"name": "ball", "mass": 1, "position": [0, 0, 1], "velocity": [0, 0, -2], "inertia": [1, 1, 1]},
            ],
            "contacts": [{"a": "floor", "b": "ball", "point": [0, 0, 0], "normal": [0, 0, 1], "e": 0.5}],
        }
    ).resolve("newton")
    np.testing.assert_allclose(out.bodies["ball"]["velocity"], [0, 0, 1])
    with pytest.raises(AttributeError, match="bodies"):
        _ = out.velocity


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"delassus": [[1, np.nan], [0, 3]]}, r"delassus\[0\]\[1\]"),
        ({"delasus": 1}, "delasus"),
        ({"delassus": np.ones((2, 2, 2))}, "delassus"),
        ({"delassus": np.eye(2) * 1j}, "delassus"),
        ({"contacts": [{"mu": -1, "e": 0.5}]}, r"contacts\[0\].mu"),
        ({"contacts": [{"mu": {1, 2}, "e": 0.5}]}, r"contacts\[0\].mu"),
        ({"contacts": [{"mu": 1}]}, r"contacts\[0\].e"),
        ({3: 4}, "keys must be texts"),
    ],
)
def test_messages_are_those_of_files(change: dict[Any, Any], field: str) -> None:
    with pytest.raises(carom.BadProblem, match=field):
        carom.Problem(DISK | change)


def test_a_problem_that_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(carom.BadProblem, match="too deep"):
        carom.Problem({"delassus": endless})


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere.json"):
        carom.load(tmp_path / "nowhere.json")
    broken = tmp_path / "broken.json"
    broken.write_text('{"delassus": [')
    with pytest.raises(carom.ParseError) as caught:
        carom.load(broken)
    assert caught.value.kind == "parse"


def test_problems_travel_between_processes() -> None:
    disk = carom.Problem(DISK)
    for twin in (pickle.loads(pickle.dumps(disk)), copy.deepcopy(disk)):
        assert twin.resolve().to_dict() == disk.resolve().to_dict()


def test_answers_are_those_of_the_stream() -> None:
    answer = carom.Problem(CRADLE).resolve("sequential").to_dict()
    assert answer["velocity"] == [0.0, 0.0, 1.0] and answer["certificate"]["verdict"] == "boundary"
    assert list(answer)[:4] == ["law", "impulse", "contact_velocity", "velocity"]
    json.dumps(answer, allow_nan=False)


def test_impulses_of_other_engines() -> None:
    judged = carom.certify(DISK, [1.5, -0.375])
    assert judged.permissible and judged.verdict == "boundary" and judged.violations == []
    assert judged.e_kinematic == [0.5] and judged.cone_margin == 0.0
    bad = carom.certify(DISK, np.array([3.0, 1.0]))
    assert not bad and bad.verdict == "violates" and set(bad.violations) == {"energy", "cone"}
    assert bad.to_dict()["verdict"] == {"violates": bad.violations}
    with pytest.raises(carom.BadProblem, match="impulse"):
        carom.certify(DISK, [1.0])


def test_a_certificate_says_what_fails_and_where() -> None:
    # A ball that leaves faster than it came, beside one that lost more.
    balls: dict[str, Any] = {"mass": [1, 1], "jacobian": [[1, 0], [0, 1]], "velocity": [-1, -1], "contacts": [{"e": 1}, {"e": 1}]}
    judged = carom.certify(balls, [1.0, 2.4])
    assert judged.violations == ["energy"]
    [failure] = judged.failures
    assert (failure["inequality"], failure["island"]) == ("energy", 1) and failure["margin"] < 0.0
    assert [island["contacts"] for island in judged.islands] == [[0], [1]]
    assert sum(island["energy_change"] for island in judged.islands) == pytest.approx(judged.energy_change)
    assert judged.contacts["normal_margin"] == [1.0, 2.4]
    assert "island 1" in judged._repr_html_()
    fine = carom.certify(DISK, [1.5, -0.375])
    assert fine.failures == [] and fine.notes == []
    assert fine.contacts["cone_margin"] == [fine.cone_margin]
    assert fine.islands == [
        {"contacts": [0], "energy_change": fine.energy_change, "energy_available": fine.energy_available}
    ]


def test_laws() -> None:
    laws = carom.laws()
    assert len({law.id for law in laws}) == len(laws) >= 28
    plus = next(law for law in laws if law.id == "plus")
    assert plus.several_contacts and plus.claims["energy"] and plus.year == 2015
    assert plus.settings["max_rounds"]["default"] == "200"
